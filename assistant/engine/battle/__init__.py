"""Battles: attacks read from the map, who may take part, odds, results and their effects, what would change them, and best plans."""
