"""Printed map sheets: a map in its frame, with title, compass, scale, legend, tracks and boxes around it."""
