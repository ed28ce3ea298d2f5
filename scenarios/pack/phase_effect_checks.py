"""Checks that the phase effects name only what the pack has."""

from __future__ import annotations

from scenarios.model.definitions import Chore
from scenarios.pack.pack_file import SIDE_WORDS, PackFile
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import Findings, check_known, place


def check_chore(pack: PackFile, chore: Chore, findings: Findings) -> None:
    """Check a phase effect: it either clears a state or empties boxes into another, and the pack has everything that it names."""
    if chore.node is None:
        return
    if bool(chore.clear) == bool(chore.from_ and chore.to):
        findings.add(chore.node, "a chore has either `clear` with a state, or `from` and `to` with boxes")
    check_known(chore, "clear", chore.clear, pack.states, "state", findings)
    check_known(chore, "unless", chore.unless, pack.states, "state", findings)
    check_known(chore, "side", chore.side, [*pack.sides, *SIDE_WORDS], "side", findings)
    boxes = [key for table in pack.maps.values() for key in table.boxes]
    check_known(chore, "to", chore.to, boxes, "box", findings)
    for i, box in enumerate(chore.from_):
        if box not in boxes:
            findings.add(place(chore, "from", i), f"no box is called {box!r}; {suggest(box, boxes)}")
    pieces = [*pack.classes, *pack.counters, *pack.markers]
    for i, word in enumerate(chore.of):
        if word not in pieces:
            message = f"{word!r} is no class, counter or marker; {suggest(word, pieces)}"
            findings.add(place(chore, "of", i), message)
