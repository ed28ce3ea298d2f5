"""Printed map sheets: a map in its frame, with its title, compass, scale, legend, tracks and boxes around it."""
