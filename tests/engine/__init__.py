"""Tests in the real engine; run with `make check-engine ENGINE=folder of VASSAL`.

Each module of ours is opened, its set-ups started, its menus and expressions tried, and what the engine says is compared with the pack.
"""
