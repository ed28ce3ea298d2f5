"""Recordings: the facts of every drawn question, kept in a compressed file for each game, asked again and compared."""

from __future__ import annotations

import hashlib
import json
import lzma
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scenarios import load
from scenarios.position import Position
from tests.net.adapter import ask, position
from tests.net.draw import drawn
from tests.net.draw.sheet import Case, Held
from tests.net.reading import plain, rules

FOLDER = Path(__file__).parent / "recordings"
LONG = 120
"""A value with more characters than this is kept once, under a short hash."""
REFUSED, CRASHED = "refused", "crashed"


@dataclass
class Recording:
    """The positions, the questions and what was answered, in order."""

    game: str
    positions: list[Held] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)


class Table:
    """The positions of a recording, each made once."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.game = load(recording.game)
        self.made: dict[int, Position] = {}

    def answer(self, case: Case) -> dict[str, Any]:
        """The settled facts of a question, as JSON; or the sentence that refuses it; or the error that it died of."""
        at = None
        if case.at >= 0:
            held = self.recording.positions[case.at]
            at = self.made.get(case.at) or position(self.game, held.scenario, held.pieces, turn=held.turn)
            self.made = {case.at: at}
        try:
            told = ask(self.game, case.question, at, **case.inputs)
        except Exception as error:
            return {CRASHED: f"{type(error).__name__}: {error}"}
        found: dict[str, Any] = plain(told.settled)
        return {REFUSED: told.refusal} if told.refusal else found


def path_of(game: str) -> Path:
    """Where a game's recording is kept."""
    return FOLDER / f"{game}.jsonl.xz"


def write(recording: Recording) -> None:
    """Keep a recording: a line for each position, each long value (once) and each question."""
    lines: list[Any] = [{"game": recording.game}]
    lines += [
        {"scenario": held.scenario, "turn": held.turn, "pieces": list(held.pieces)} for held in recording.positions
    ]
    seen: set[str] = set()
    for case, answer in zip(recording.cases, recording.answers, strict=True):
        told = {}
        for name, value in answer.items():
            text = _text(value)
            key = hashlib.sha256(text.encode()).hexdigest()[:10]
            if len(text) > LONG and key not in seen:
                seen.add(key)
                lines.append({"#": key, "value": value})
            told[name] = {"#": key} if len(text) > LONG else value
        lines.append(
            {"ask": case.question, **({"at": case.at} if case.at >= 0 else {}), "in": dict(case.inputs), "told": told}
        )
    FOLDER.mkdir(exist_ok=True)
    data = lzma.compress("\n".join(map(_text, lines)).encode(), preset=9 | lzma.PRESET_EXTREME)
    unfinished = path_of(recording.game).with_suffix(".part")
    unfinished.write_bytes(data)
    unfinished.replace(path_of(recording.game))


def read(game: str) -> Recording:
    """A recording as it was kept."""
    recording = Recording(game)
    values: dict[str, Any] = {}
    for text in lzma.decompress(path_of(game).read_bytes()).decode().splitlines():
        line = json.loads(text)
        if "#" in line:
            values[line["#"]] = line["value"]
        elif "pieces" in line:
            recording.positions.append(Held(line["scenario"], line["turn"], tuple(line["pieces"])))
        elif "ask" in line:
            recording.cases.append(Case(line["ask"], line["in"], line.get("at", -1)))
            told = line["told"]
            recording.answers.append(
                {name: values[v["#"]] if isinstance(v, dict) and "#" in v else v for name, v in told.items()}
            )
    return recording


def add(game: str) -> Recording:
    """Keep what is recorded, and record the drawn questions of which there is none yet; of positions that are recorded."""
    recording, sheet = read(game), drawn(game)
    known = {case.question for case in recording.cases}
    number = {held: place for place, held in enumerate(recording.positions)}
    places = {place: number.get(held) for place, held in enumerate(sheet.positions)}
    new = [(case, -1 if case.at < 0 else places[case.at]) for case in sheet.cases if case.question not in known]
    table = Table(recording)
    for case in [case._replace(at=at) for case, at in new if at is not None]:
        recording.cases.append(case)
        recording.answers.append(table.answer(case))
    write(recording)
    return recording


def record(game: str, draw: bool = False) -> Recording:
    """Ask the recorded questions again (or draw them anew) and keep what is answered now."""
    if draw or not path_of(game).exists():
        sheet = drawn(game)
        recording = Recording(game, sheet.positions, sheet.cases)
    else:
        recording = read(game)
    table = Table(recording)
    recording.answers = [table.answer(case) for case in recording.cases]
    write(recording)
    return recording


@dataclass
class Difference:
    """A question whose answer has changed: by fact, the lines that tell it."""

    number: int
    case: Case
    facts: Mapping[str, list[str]]


def differences(recording: Recording, every: int = 1, first: int = 0) -> Iterator[Difference]:
    """The questions (or every so many of them) that are answered otherwise now."""
    table = Table(recording)
    for number in range(first, len(recording.cases), every):
        case, then = recording.cases[number], recording.answers[number]
        changed = compared(then, table.answer(case))
        if changed:
            yield Difference(number, case, changed)


def compared(then: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, list[str]]:
    """What differs between two answers, of the facts that were recorded. A refusal may be worded otherwise, if it cites the same
    rules."""
    if CRASHED in then or CRASHED in now:
        lines = [f"{sign} {one.get(CRASHED, 'no error')}" for sign, one in (("-", then), ("+", now))]
        return {CRASHED: lines} if then.get(CRASHED) != now.get(CRASHED) else {}
    if REFUSED in then and REFUSED in now:
        same = rules(then[REFUSED]) == rules(now[REFUSED])
        return {} if same else {REFUSED: [f"- {then[REFUSED]}", f"+ {now[REFUSED]}"]}
    if REFUSED in then or REFUSED in now:
        return {REFUSED: [f"- {then.get(REFUSED, 'it was answered')}", f"+ {now.get(REFUSED, 'it is answered')}"]}
    return {name: list(_changes(value, now.get(name))) for name, value in then.items() if value != now.get(name)}


def _changes(then: Any, now: Any, path: str = "") -> Iterator[str]:
    """The places where two values differ."""
    head = f"{path}: " if path else ""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in sorted({**then, **now}):
            if then.get(key) != now.get(key):
                yield from _changes(then.get(key), now.get(key), f"{path}.{key}" if path else key)
    elif isinstance(then, list) and isinstance(now, list) and all(isinstance(one, str) for one in [*then, *now]):
        lost, come = Counter(then) - Counter(now), Counter(now) - Counter(then)
        yield head + " ".join([*(f"-{one}" for one in lost.elements()), *(f"+{one}" for one in come.elements())])
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for number, (a, b) in enumerate(zip(then, now, strict=True)):
            if a != b:
                yield from _changes(a, b, f"{path}[{number}]")
    else:
        yield f"{head}{_short(then)} -> {_short(now)}"


def told(game: str, found: Iterable[Difference], recording: Recording, most: int = 20, lines: int = 8) -> Iterator[str]:
    """Differences for a person: the first ones whole, then how many there are of each kind."""
    kinds: Counter[str] = Counter()
    for shown, one in enumerate(found, 1):
        kinds.update(f"{one.case.question} {name}" for name in one.facts)
        if shown > most:
            continue
        inputs = " ".join(f"{key}={value}" for key, value in one.case.inputs.items())
        yield f"{game} {one.number}: {one.case.question} {inputs}"
        if one.case.at >= 0:
            held = recording.positions[one.case.at]
            yield f"    in {held.scenario}, turn {held.turn}: {' '.join(held.pieces)}"
        for name, changed in one.facts.items():
            for line in changed[:lines]:
                yield f"    {name}  {line}"
            if len(changed) > lines:
                yield f"    {name}  and {len(changed) - lines} more"
    for kind, count in sorted(kinds.items()):
        yield f"{game}: {kind}: {count}"


def _short(value: Any) -> str:
    text = "nothing" if value is None else value if isinstance(value, str) else _text(value)
    return text if len(text) <= 160 else f"{text[:157]}..."


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def timed(game: str) -> Counter[str]:
    """Seconds of each question, to see which are slow."""
    recording = read(game)
    table = Table(recording)
    found: Counter[str] = Counter()
    for case in recording.cases:
        began = time.perf_counter()
        table.answer(case)
        found[case.question] += time.perf_counter() - began  # type: ignore[assignment]
    return found
