"""Areas of a map: how a pack declares them, which hexes, points or boxes they stand for, and how they read in a sentence."""
