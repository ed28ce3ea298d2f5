"""Whether a phase's chores name what there is."""

from __future__ import annotations

from scenarios.pack import SIDE_WORDS, Chore, PackFile
from scenarios.reading.findings import instead
from scenarios.reading.shapes import Findings, known, place


def check_chore(pack: PackFile, chore: Chore, findings: Findings) -> None:
    """A chore either clears a state or empties boxes into another; all it names is in the pack."""
    if chore.node is None:
        return
    if bool(chore.clear) == bool(chore.from_ and chore.to):
        findings.at(chore.node, "a chore has either `clear` with a state, or `from` and `to` with boxes")
    known(chore, "clear", chore.clear, pack.states, "state", findings)
    known(chore, "unless", chore.unless, pack.states, "state", findings)
    known(chore, "side", chore.side, [*pack.sides, *SIDE_WORDS], "side", findings)
    boxes = [key for table in pack.maps.values() for key in table.boxes]
    known(chore, "to", chore.to, boxes, "box", findings)
    for i, box in enumerate(chore.from_):
        if box not in boxes:
            findings.at(place(chore, "from", i), f"no box is called {box!r}; {instead(box, boxes)}")
    pieces = [*pack.classes, *pack.counters, *pack.markers]
    for i, word in enumerate(chore.of):
        if word not in pieces:
            message = f"{word!r} is no class, counter or marker; {instead(word, pieces)}"
            findings.at(place(chore, "of", i), message)
