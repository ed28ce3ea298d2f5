"""Sight in a module: tables of who sees whom, the expressions that look them up, and shading on the map."""
