"""Checks that the phase effects name only what the pack has."""

from __future__ import annotations

from scenarios.model.definitions import CleanUp
from scenarios.pack.pack_file import SIDE_WORDS, PackFile
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import Findings, check_known, place


def check_clean_up(pack: PackFile, clean_up: CleanUp, findings: Findings) -> None:
    """Check a phase effect: it either clears a state or empties boxes into another, and the pack has everything that it names."""
    if clean_up.node is None:
        return
    if bool(clean_up.clear) == bool(clean_up.from_ and clean_up.to):
        findings.add(clean_up.node, "a clean-up has either `clear` with a state, or `from` and `to` with boxes")
    check_known(clean_up, "clear", clean_up.clear, pack.states, "state", findings)
    check_known(clean_up, "unless", clean_up.unless, pack.states, "state", findings)
    check_known(clean_up, "side", clean_up.side, [*pack.sides, *SIDE_WORDS], "side", findings)
    boxes = [key for table in pack.maps.values() for key in table.boxes]
    check_known(clean_up, "to", clean_up.to, boxes, "box", findings)
    for i, box in enumerate(clean_up.from_):
        if box not in boxes:
            findings.add(place(clean_up, "from", i), f"no box is called {box!r}; {suggest(box, boxes)}")
    pieces = [*pack.classes, *pack.counters, *pack.markers]
    for i, word in enumerate(clean_up.of):
        if word not in pieces:
            message = f"{word!r} is no class, counter or marker; {suggest(word, pieces)}"
            findings.add(place(clean_up, "of", i), message)
