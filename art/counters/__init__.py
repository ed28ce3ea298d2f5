"""Drawings of counters: one face from the model, with its symbol, silhouette and flag, and the slots for its texts."""
