"""Fuzzers: our own packs, saves, modules and requests with something wrong in them.

Every case must end in an answer, a finding or a sentence, in time and within memory. Anything else is a crash, kept as a
small file that `python -m tests.fuzz --again FILE` runs again. `python -m tests.fuzz.kills` kills programs while they write.
"""
