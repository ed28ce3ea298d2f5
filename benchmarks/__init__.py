"""Every figure that the documents promise, measured: `make bench`, or `python -m benchmarks.NAME` for one file. Nothing is asserted."""
