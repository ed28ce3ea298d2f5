"""Somebody's VASSAL module as a pack of Mitla, or as a table between it and a pack."""
