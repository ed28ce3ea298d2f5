"""Movement: the search over a map with costs and stops, a unit's reach, planned routes, carriers, and ways onto the
map."""
