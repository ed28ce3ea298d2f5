"""Tests of everything, by themselves and in any order. Oracles share no code with what they test; `net/` replays recorded questions,
`fuzz/` feeds damaged files, `engine/` runs modules in the real VASSAL, `data/` holds questions with their answers worked out by hand."""
