"""Line of sight, exact in integers: what a line crosses, what the declared records say of it, and every pair of a map as planes of bits."""
