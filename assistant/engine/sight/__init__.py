"""Line of sight, exact in integers: what a line crosses, what the declared records say about it, and every pair of a
map as bit planes."""
