"""Procedures: stages over groups of units and counters, solved as one exact chain.

`case` holds what a question says of a procedure. `units` and `groups` hold who takes part and what losses make of them. `effects` carries
out results, `fire` rolls for units that attack, `stages` runs every other stage. `chain` builds the graph of states and lets chances flow
through it. `outcomes` reads the answers off the chain.
"""
