"""Answers as text for a terminal, and as JSON."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from assistant.attacks import Answer, Applied
from assistant.parts import answers
from assistant.questions import Question, help_rows
from assistant.shared.sourced import ours_text
from scenarios.cards import WIDTH, columns, table_card
from scenarios.export import plain
from scenarios.game import Game
from scenarios.tables import Table

if TYPE_CHECKING:
    from assistant.shared.asking import Question as Older


def odds_json(game: Game, answer: Answer) -> dict[str, Any]:
    """An odds answer, with the meaning of each result."""
    held = _fields(answer)
    held["units"] = [_fields(unit) for unit in answer.units]
    held["targets"] = [_fields(target) for target in answer.targets]
    held["applied"] = [one._asdict() for one in answer.applied]
    for one in (*held["units"], *held["targets"]):
        one["applied"] = [item._asdict() for item in one["applied"]]
    held["ratio"] = answer.ratio
    results = _table(game, answer).results
    held["meanings"] = {code: outcome.meaning for code, outcome in results.items()}
    result: dict[str, Any] = {"game": game.id, **plain(held)}
    return result


def _fields(one: Any) -> dict[str, Any]:
    return {f.name: getattr(one, f.name) for f in dataclasses.fields(one)}


def odds_text(game: Game, answer: Answer) -> Iterator[str]:
    """An odds answer in lines."""
    table = _table(game, answer)
    for failure in answer.failures:
        yield f"not allowed: {failure}"
    for unit in answer.units:
        how = "; ".join(f"{a.text} {_effect(a)}" for a in unit.applied)
        changed = f" ({_number(unit.printed)}; {how})" if how else ""
        yield f"{unit.group:10} {unit.name:22} {_number(unit.value)}{changed}"
    against = "" if answer.defense_strength is None else f" against {_number(answer.defense_strength)}"
    yield f"strength {_number(answer.attack_strength)}{against}"
    for one in answer.applied:
        yield f"  {one.text}: {_effect(one)}" + (f" ({one.rule})" if one.rule else "")
    if answer.column is None:
        yield f"worse than {table.columns.labels[0]}: no attack"
        return
    moved = "" if answer.start == answer.column else f" (from {answer.start})"
    yield f"column {answer.column}{moved}" + (f", die {answer.die:+d}" if answer.die else "")
    for target in answer.targets:
        applied = ", ".join(f"{a.text} {_signed(a.amount)}" for a in target.applied)
        yield f"{target.name}: die {target.die:+d}" + (f" ({applied})" if applied else "")
        yield from _chances(target.chances, table)
    if not answer.targets:
        yield from _chances(answer.chances, table)


def lookup_text(answer: Mapping[str, Any]) -> Iterator[str]:
    """A table's answer in lines."""
    where = f"{answer['title']}, column {answer['column']}"
    if "ratio" in answer:
        where = f"{answer['attack_strength']} to {answer['defense_strength']}: {where}"
    if "result" in answer:
        yield f"{where}, row {answer['row']}: {answer['result']} {answer['meaning']}".rstrip()
        yield from ours_text(answer["not_the_rulebooks"])
        return
    yield where
    chances = {code: Fraction(chance) for code, chance in answer["chances"].items()}
    yield from _bars(chances, answer["meanings"])
    yield from ours_text(answer["not_the_rulebooks"])


def part_text(game: Game, answer: Mapping[str, Any]) -> Iterator[str]:
    """A table, or one of its rows or columns, in lines."""
    table = game.tables[answer["table"]]
    if "rows" in answer:
        yield from table_card(answer["table"], table)
        return
    where = f"row {answer['row']}" if "row" in answer else f"column {answer['column']}"
    yield f"{table.title}, {where}"
    meanings = {code: table.results[code].meaning for code in answer["cells"].values() if code in table.results}
    yield from columns([[label, code, meanings.get(code, "")] for label, code in answer["cells"].items()], "  ")


def questions_text(game: Game, known: Mapping[str, Question | Older]) -> Iterator[str]:
    """The questions of a game, each with what may be told."""
    if not known:
        yield f"{game.title} has no questions by name; {answers(game)}"
    for name, one in known.items():
        yield f"{name}: {one.about}"
        rows = help_rows(one, game) if isinstance(one, Question) else list(one.names.items())
        width = max((len(key) for key, _ in rows), default=0)
        for key, about in rows:
            yield f"    {key:{width}}  {about}".rstrip()


def _table(game: Game, answer: Answer) -> Table:
    return game.tables[game.attacks[answer.attack].table]


def _chances(chances: Mapping[str, Fraction], table: Table) -> Iterator[str]:
    return _bars(chances, {code: held.meaning for code, held in table.results.items()})


def _bars(chances: Mapping[str, Fraction], meanings: Mapping[str, str]) -> Iterator[str]:
    """Each result with its chance, a bar and its meaning, one below the other."""
    wide = max([4, *map(len, chances)])
    for code, chance in chances.items():
        head = f"  {code:{wide}} {chance!s:>6} {float(chance):6.1%} {'█' * round(chance * 20):20} "
        first, *more = textwrap.wrap(meanings.get(code, ""), WIDTH - len(head)) or [""]
        yield "\n".join([f"{head}{first}".rstrip(), *(" " * len(head) + line for line in more)])


def _number(value: Fraction) -> str:
    return str(value) if value.denominator in (1, 2, 4) else f"{float(value):.2f}"


def _signed(value: Fraction) -> str:
    return f"+{value}" if value > 0 else str(value)


def _effect(one: Applied) -> str:
    if one.effect == "multiply":
        return f"×{one.amount}"
    return _signed(one.amount) if one.effect == "add" else f"{one.effect} {_signed(one.amount)}"
