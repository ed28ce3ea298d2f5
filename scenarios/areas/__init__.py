"""Areas of a map: the hexes, points or boxes that they stand for, their wording in sentences, and the front between two armies."""
