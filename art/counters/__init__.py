"""Counters as drawings: one face from the model, with its symbol, silhouette, flag and the slots where its texts stand."""
