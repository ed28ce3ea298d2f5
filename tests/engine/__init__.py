"""Tests in the real engine; run with `make check-engine ENGINE=folder of VASSAL`."""
