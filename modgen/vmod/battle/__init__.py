"""Battles in a module: declared attacks translated into expressions of the engine, with distances, tables, chances and rolls."""
