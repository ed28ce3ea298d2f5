"""The pieces of a module: counters and markers on prototypes, their traits, faces, piles, pools and support, and the palette."""
