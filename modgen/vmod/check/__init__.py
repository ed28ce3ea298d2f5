"""Checks of a finished module: without the engine, in the real engine, and against an older version of itself."""
