"""Retreats: the paths that a unit may take, alone or together with others that share the room on the way."""
