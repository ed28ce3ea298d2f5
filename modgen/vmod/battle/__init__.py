"""Battles in a module: attacks as expressions of the engine, with distances, tables, chances and rolls."""
