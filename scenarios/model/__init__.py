"""What a game is once it is loaded: hexes, boards, maps, counters, tables, attacks, scenarios and positions. Immutable values;
nothing here reads a file."""
