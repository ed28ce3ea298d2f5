"""Set-ups and turns of a module: every scenario as a saved game, the turn tracker, and the clean-up of its phases."""
