"""Battles: attacks read from the map, who may take part, odds, results and their effects, possible changes, and the
best plans."""
