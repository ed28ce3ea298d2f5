"""VASSAL modules: a game as a .vmod that the engine opens and plays."""
