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
from scenarios.model.position import Position
from tests.net.adapter import ask, position
from tests.net.draw import draw_sheet
from tests.net.draw.sheet import Case, WrittenPosition
from tests.net.reading import rules, to_plain

FOLDER = Path(__file__).parent / "recordings"
LONG = 120
"""A value with more characters than this is kept once, under a short hash."""
REFUSAL, CRASHED = "refused", "crashed"


@dataclass
class Recording:
    """The positions, the questions and what was answered, in order."""

    game: str
    positions: list[WrittenPosition] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)


class Table:
    """The positions of a recording, each made once."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.game = load(recording.game)
        self.position_cache: dict[int, Position] = {}

    def answer(self, case: Case) -> dict[str, Any]:
        """The settled facts of a question, as JSON; or the sentence that refuses it; or the error that it died of."""
        start_position = None
        if case.at >= 0:
            recorded_position = self.recording.positions[case.at]
            start_position = self.position_cache.get(case.at) or position(
                self.game, recorded_position.scenario, recorded_position.pieces, turn=recorded_position.turn
            )
            self.position_cache = {case.at: start_position}
        try:
            reply = ask(self.game, case.question, start_position, **case.inputs)
        except Exception as error:
            return {CRASHED: f"{type(error).__name__}: {error}"}
        values: dict[str, Any] = to_plain(reply.settled_facts)
        return {REFUSAL: reply.refusal} if reply.refusal else values


def path_of(game: str) -> Path:
    """Where a game's recording is kept."""
    return FOLDER / f"{game}.jsonl.xz"


def write(recording: Recording) -> None:
    """Keep a recording: a line for each position, each long value (once) and each question."""
    lines: list[Any] = [{"game": recording.game}]
    lines += [
        {"scenario": position.scenario, "turn": position.turn, "pieces": list(position.pieces)}
        for position in recording.positions
    ]
    known_keys: set[str] = set()
    for case, answer in zip(recording.cases, recording.answers, strict=True):
        answer_facts = {}
        for name, value in answer.items():
            text = _text(value)
            key = hashlib.sha256(text.encode()).hexdigest()[:10]
            if len(text) > LONG and key not in known_keys:
                known_keys.add(key)
                lines.append({"#": key, "value": value})
            answer_facts[name] = {"#": key} if len(text) > LONG else value
        lines.append(
            {
                "ask": case.question,
                **({"at": case.at} if case.at >= 0 else {}),
                "in": dict(case.inputs),
                "told": answer_facts,
            }
        )
    FOLDER.mkdir(exist_ok=True)
    data = lzma.compress("\n".join(map(_text, lines)).encode(), preset=9 | lzma.PRESET_EXTREME)
    partial_path = path_of(recording.game).with_suffix(".part")
    partial_path.write_bytes(data)
    partial_path.replace(path_of(recording.game))


def read(game: str) -> Recording:
    """A recording as it was kept."""
    recording = Recording(game)
    values: dict[str, Any] = {}
    for text in lzma.decompress(path_of(game).read_bytes()).decode().splitlines():
        line = json.loads(text)
        if "#" in line:
            values[line["#"]] = line["value"]
        elif "pieces" in line:
            recording.positions.append(WrittenPosition(line["scenario"], line["turn"], tuple(line["pieces"])))
        elif "ask" in line:
            recording.cases.append(Case(line["ask"], line["in"], line.get("at", -1)))
            answer_facts = line["told"]
            recording.answers.append(
                {name: values[v["#"]] if isinstance(v, dict) and "#" in v else v for name, v in answer_facts.items()}
            )
    return recording


def add(game: str) -> Recording:
    """Keep what is recorded, and record the drawn questions of which there is none yet; of positions that are recorded."""
    recording, sheet = read(game), draw_sheet(game)
    known_questions = {case.question for case in recording.cases}
    number = {position: place for place, position in enumerate(recording.positions)}
    places = {place: number.get(position) for place, position in enumerate(sheet.positions)}
    new = [
        (case, -1 if case.at < 0 else places[case.at]) for case in sheet.cases if case.question not in known_questions
    ]
    table = Table(recording)
    for case in [case._replace(at=position_number) for case, position_number in new if position_number is not None]:
        recording.cases.append(case)
        recording.answers.append(table.answer(case))
    write(recording)
    return recording


def record(game: str, draw: bool = False) -> Recording:
    """Ask the recorded questions again (or draw them anew) and keep what is answered now."""
    if draw or not path_of(game).exists():
        sheet = draw_sheet(game)
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


def differences(recording: Recording, step: int = 1, first: int = 0) -> Iterator[Difference]:
    """The questions (or every so many of them) that are answered otherwise now."""
    table = Table(recording)
    for number in range(first, len(recording.cases), step):
        case, old_answer = recording.cases[number], recording.answers[number]
        changes = compare_answers(old_answer, table.answer(case))
        if changes:
            yield Difference(number, case, changes)


def compare_answers(old_answer: Mapping[str, Any], new_answer: Mapping[str, Any]) -> dict[str, list[str]]:
    """What differs between two answers, of the facts that were recorded. A refusal may be worded otherwise, if it cites the same
    rules."""
    if CRASHED in old_answer or CRASHED in new_answer:
        lines = [f"{sign} {answer.get(CRASHED, 'no error')}" for sign, answer in (("-", old_answer), ("+", new_answer))]
        return {CRASHED: lines} if old_answer.get(CRASHED) != new_answer.get(CRASHED) else {}
    if REFUSAL in old_answer and REFUSAL in new_answer:
        has_same_rules = rules(old_answer[REFUSAL]) == rules(new_answer[REFUSAL])
        return {} if has_same_rules else {REFUSAL: [f"- {old_answer[REFUSAL]}", f"+ {new_answer[REFUSAL]}"]}
    if REFUSAL in old_answer or REFUSAL in new_answer:
        return {
            REFUSAL: [
                f"- {old_answer.get(REFUSAL, 'it was answered')}",
                f"+ {new_answer.get(REFUSAL, 'it is answered')}",
            ]
        }
    return {
        name: list(_changes(value, new_answer.get(name)))
        for name, value in old_answer.items()
        if value != new_answer.get(name)
    }


def _changes(old_value: Any, new_value: Any, path: str = "") -> Iterator[str]:
    """The places where two values differ."""
    head = f"{path}: " if path else ""
    if isinstance(old_value, dict) and isinstance(new_value, dict):
        for key in sorted({**old_value, **new_value}):
            if old_value.get(key) != new_value.get(key):
                yield from _changes(old_value.get(key), new_value.get(key), f"{path}.{key}" if path else key)
    elif (
        isinstance(old_value, list)
        and isinstance(new_value, list)
        and all(isinstance(element, str) for element in [*old_value, *new_value])
    ):
        removals, additions = Counter(old_value) - Counter(new_value), Counter(new_value) - Counter(old_value)
        yield head + " ".join(
            [*(f"-{element}" for element in removals.elements()), *(f"+{element}" for element in additions.elements())]
        )
    elif isinstance(old_value, list) and isinstance(new_value, list) and len(old_value) == len(new_value):
        for number, (a, b) in enumerate(zip(old_value, new_value, strict=True)):
            if a != b:
                yield from _changes(a, b, f"{path}[{number}]")
    else:
        yield f"{head}{_short(old_value)} -> {_short(new_value)}"


def format_differences(
    game: str, differences: Iterable[Difference], recording: Recording, max_differences: int = 20, lines: int = 8
) -> Iterator[str]:
    """Differences for a person: the first ones whole, then how many there are of each kind."""
    counts_by_kind: Counter[str] = Counter()
    for number, difference in enumerate(differences, 1):
        counts_by_kind.update(f"{difference.case.question} {name}" for name in difference.facts)
        if number > max_differences:
            continue
        inputs = " ".join(f"{key}={value}" for key, value in difference.case.inputs.items())
        yield f"{game} {difference.number}: {difference.case.question} {inputs}"
        if difference.case.at >= 0:
            position = recording.positions[difference.case.at]
            yield f"    in {position.scenario}, turn {position.turn}: {' '.join(position.pieces)}"
        for name, changes in difference.facts.items():
            for line in changes[:lines]:
                yield f"    {name}  {line}"
            if len(changes) > lines:
                yield f"    {name}  and {len(changes) - lines} more"
    for kind, count in sorted(counts_by_kind.items()):
        yield f"{game}: {kind}: {count}"


def _short(value: Any) -> str:
    text = "nothing" if value is None else value if isinstance(value, str) else _text(value)
    return text if len(text) <= 160 else f"{text[:157]}..."


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def time_questions(game: str) -> Counter[str]:
    """Seconds of each question, to see which are slow."""
    recording = read(game)
    table = Table(recording)
    seconds: Counter[str] = Counter()
    for case in recording.cases:
        began = time.perf_counter()
        table.answer(case)
        seconds[case.question] += time.perf_counter() - began  # type: ignore[assignment]
    return seconds
