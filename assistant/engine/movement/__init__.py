"""Movement: the search over a map with prices and stops, where a unit can get, planned routes, carriers, and ways onto the map."""
