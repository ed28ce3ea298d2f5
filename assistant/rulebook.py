"""The rules of a pack as records that can be found: the question `rules`, by a few words or the number of a section."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assistant.answers import Answer, BadQuestion, Cell, Line, Node, Section, Several, Value
from assistant.questions import Input, Question, Told
from scenarios.expressions import names
from scenarios.game import Game
from scenarios.inputs import Formula
from scenarios.pack import Phase
from scenarios.rules.shapes import EFFECTS, RuleRecord, effect_of
from scenarios.sections import SectionNumber, cited_sections, section_number
from scenarios.sources import Source, Sourced
from scenarios.tables import Table

MOST = 12
"""So many records are shown; the others are counted."""
SHORTEST = 5
"""Words that begin alike for so many letters are taken for the same."""
WORD = re.compile(r"[a-z0-9]+", re.IGNORECASE)
ENDINGS = ("ing", "ed", "es", "s")
STOP_WORDS = frozenset(
    WORD.findall(
        "a an and any are as at be been but by can do does for from had has have how if in into is it its may not of on "
        "or over so than that the their them then there they this those to was were what when where which who whose "
        "will with "
    )
)
"""Words that are in nearly every rule and find nothing."""
NEAREST = 4
"""So many sections are named where nothing is recorded under a number."""
TEXT, TITLE, NAME = 4, 2, 1
"""How much a word counts: in the sentence, in the title or note, among the names that a condition asks for."""


@dataclass(frozen=True)
class Entry:
    """A rule that a player may look for."""

    section: str
    text: str
    rule: str
    source: Source | None
    when: str
    effect: str
    note: str
    asks: frozenset[str]
    """The names that its expressions ask for, down through values."""
    names: frozenset[str] = frozenset()
    """Those that stand in them."""


def entries(game: Game) -> Iterator[Entry]:
    """Every rule of a pack: of `rules` and `attacks`, states, phases, rulings and scenarios."""
    if game.rules is not None:
        for field in dataclasses.fields(game.rules):
            if field.name not in ("node", "inputs", "units", "values", "like"):
                yield from _records(game, (field.name,), getattr(game.rules, field.name))
    for attack in game.attacks.values():
        for modifier in attack.modifiers:
            effect, when = modifier.effect, modifier.when
            told = f"{effect[0]} {effect[1].text}" if effect else ""
            formulas = [when, effect[1] if effect else None]
            said = when.text if when else ""
            yield Entry(
                attack.title, modifier.text, modifier.rule, modifier.source, said, told, "", *_names(game, formulas)
            )
        for demand in attack.requires:
            told = f"requires {demand.that.text}" if demand.that else ""
            yield Entry(
                attack.title, demand.text, demand.rule, demand.source, "", told, "", *_names(game, [demand.that])
            )
        if attack.note:
            yield _note(attack.title, attack.note, attack)
    for key, state in game.states.items():
        yield replace(_note("States", _described(state.name, state.note), state), asks=frozenset({key}))
    for title, words in _word_sections(game).items():
        for word in words:
            if word.note or word.rule:
                yield _note(title, _described(word.name, word.note), word)
    for unit in game.units.values():
        if unit.note:
            yield _note("Counters", _described(unit.name, unit.note))
    for table in game.tables.values():
        yield from _table_entries(table)
    for sequence in game.sequence.values():
        for phase in _phases(sequence.phases):
            yield _note(sequence.title, _described(phase.name, phase.note), phase)
    for key, ruling in game.rulings.items():
        chosen = ruling.readings[ruling.choice]
        text = f"{ruling.question} {chosen.text}"
        yield Entry("Rulings", text, ruling.rule or chosen.rule, None, "", "", ruling.why, frozenset({f"ruling.{key}"}))
    for key, scenario in game.scenarios.items():
        for special in scenario.special:
            found = frozenset(f"effect.{effect.effect}" for effect in special.effects)
            yield Entry(f"{key} {scenario.title}", special.text, special.rule, special.source, "", "", "", found)


def _note(section: str, text: str, record: Sourced | None = None) -> Entry:
    """A sentence that no condition goes with."""
    rule, source = (record.rule, record.source) if record is not None else ("", None)
    return Entry(section, text, rule, source, "", "", "", frozenset())


def _described(name: str, note: str) -> str:
    return f"{name}: {note}" if note else name


def _word_sections(game: Game) -> Mapping[str, Iterable[Any]]:
    """What a pack names and says something of, by the title of its section."""
    return {
        "Terrain": game.terrain.values(),
        "Hexsides": game.hexsides.values(),
        "Paths": game.paths.values(),
        "Routes": game.routes.values(),
        "Classes": game.classes.values(),
        "Types": game.types.values(),
        "Abilities": game.abilities.values(),
        "Effects": [effect for effect in game.effects.values() if effect.note],
        "Markers": game.markers.values(),
    }


def _table_entries(table: Table) -> Iterator[Entry]:
    """A table by its title, each of its notes, what its codes mean, and its rows that are sentences."""
    yield _note("Tables", table.title, table)
    for text in table.notes:
        yield _note(table.title, text, table)
    for code, outcome in table.results.items():
        yield _note(table.title, _described(code, outcome.meaning), table)
    for label, cells in table.cells.items():
        if any(" " in cell for cell in cells):
            yield _note(table.title, _described(label, "; ".join(cells)), table)


def _phases(phases: tuple[Phase, ...]) -> Iterator[Phase]:
    for phase in phases:
        yield phase
        yield from _phases(phase.phases)


def _records(game: Game, path: tuple[str, ...], held: Any) -> Iterator[Entry]:
    """The records in a section, each with the title of where it stands."""
    if isinstance(held, RuleRecord):
        if not held.text:
            return
        formulas = [
            value for field in dataclasses.fields(held) if isinstance(value := getattr(held, field.name), Formula)
        ]
        found = effect_of(held) if type(held) in EFFECTS else None
        effect = f"{found[0]} {found[1].text if found[1] else ''}".strip() if found else ""
        when = held.when.text if held.when is not None else ""
        section = " / ".join(path).replace("_", " ")
        yield Entry(section, held.text, held.rule, held.source, when, effect, held.note, *_names(game, formulas))
    elif isinstance(held, Mapping):
        for key, inner in held.items():
            yield from _records(game, (*path, getattr(inner, "title", "") or str(key)), inner)
    elif isinstance(held, tuple):
        for inner in held:
            yield from _records(game, path, inner)
    elif dataclasses.is_dataclass(held) and not isinstance(held, Formula):
        note, rule = getattr(held, "note", ""), getattr(held, "rule", "")
        text = note or getattr(held, "text", "") or (path[-1].replace("_", " ") if rule else "")
        if text:
            yield replace(_note(" / ".join(path).replace("_", " "), text), rule=rule)
        for field in dataclasses.fields(held):
            if field.name not in ("node", "source", "sources"):
                inner = getattr(held, field.name)
                label = () if field.name in ("steps", "traces", "points") else (field.name.strip("_"),)
                yield from _records(game, (*path, *label), inner)


def _names(game: Game, formulas: Iterable[Formula | None]) -> tuple[frozenset[str], frozenset[str]]:
    """The names of expressions with those of the values that they name; and alone."""
    values = game.rules.values if game.rules is not None else {}
    found: set[str] = set()
    waiting = [formula for formula in formulas if formula is not None]
    own = frozenset(name for formula in waiting for name in names(formula.expression))
    while waiting:
        for name in names(waiting.pop().expression):
            if name not in found:
                found.add(name)
                if (formula := values.get(name)) is not None:
                    waiting.append(formula)
    return frozenset(found), own


# --- finding ----------------------------------------------------------------------------------------------------------


def under_section(game: Game, number: SectionNumber) -> list[Entry]:
    """The records of a section and those below it; else those whose sentence refers to it. BadQuestion names the nearest sections."""
    every = [(entry, list(cited_sections(entry.rule))) for entry in entries(game)]
    matches = [entry for entry, sections in every if any(number.covers(section) for section in sections)]
    if matches:
        return matches
    for entry, _ in every:
        referred = [section for text in re.findall(r"\(([^()]*)\)", entry.text) for section in cited_sections(text)]
        matches += [entry] if any(number.covers(section) for section in referred) else []
    if matches:
        return matches
    known = {(section.book, section.parts): section for _, sections in every for section in sections}
    nearest = sorted(known.values(), key=lambda section: (number.distance(section), section.parts))[:NEAREST]
    named = f"; nearest: {', '.join(section.text for section in nearest)}" if nearest else ""
    raise BadQuestion(f"{game.title}: nothing is recorded under {number.text}{named}")


def _stem(word: str) -> str:
    word = word.lower()
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return f"{word[:-3]}y"
    return next((word[: -len(end)] for end in ENDINGS if word.endswith(end) and len(word) - len(end) >= 3), word)


def _alike(word: str, other: str) -> bool:
    begins = word.startswith(other) or other.startswith(word)
    return word == other or (begins and min(len(word), len(other)) >= SHORTEST)


def _stems(text: str) -> list[str]:
    return [_stem(word) for word in WORD.findall(text.replace("_", " ").replace(".", " "))]


def matching(game: Game, words: list[str]) -> tuple[list[Entry], bool]:
    """The rules that the words mean, the best first: those with all of the words, else those with the most; and whether all are there."""
    given = [word for text in words for word in WORD.findall(text)]
    wanted = [_stem(word) for word in given if word.lower() not in STOP_WORDS]
    if given and not wanted:
        raise BadQuestion(f"{' '.join(given)!r} is in nearly every rule; add a word that says what the rule is about")
    ranked: list[tuple[int, int, Entry]] = []
    for entry in entries(game):
        parts = (
            (TEXT, _stems(entry.text)),
            (TITLE, _stems(f"{entry.section} {entry.note}")),
            (NAME, _stems(" ".join(entry.names))),
        )
        hits = [
            max((weight for weight, stems in parts if any(_alike(word, stem) for stem in stems)), default=0)
            for word in wanted
        ]
        if any(hits):
            ranked.append((sum(hit > 0 for hit in hits), sum(hits), entry))
    most = max((count for count, _, _ in ranked), default=0)
    best = [(weight, entry) for count, weight, entry in ranked if count == most]
    return [entry for _, entry in sorted(best, key=lambda pair: -pair[0])], most == len(wanted)


def changers(game: Game, entry: Entry) -> Iterator[tuple[str, str, str]]:
    """What changes a rule: rulings, scenarios, states; each with what it is, its id and its sentence."""
    for key, ruling in game.rulings.items():
        if f"ruling.{key}" in entry.asks and entry.section != "Rulings":
            others = [reading.text for name, reading in ruling.readings.items() if name != ruling.choice]
            yield "ruling", key, f"{ruling.question} {ruling.readings[ruling.choice].text} Or: {' '.join(others)}"
    asked = {
        name.partition(".")[2]
        for name in entry.asks
        if name.partition(".")[0] in ("effect", "effect_value", "to", "from", "start")
    }
    for key, scenario in game.scenarios.items():
        for special in scenario.special:
            if any(effect.effect in asked for effect in special.effects) and special.text != entry.text:
                yield "scenario", key, special.text
    if entry.section != "States":
        for key, state in game.states.items():
            if key in entry.asks:
                yield "state", key, state.name


# --- the answer -------------------------------------------------------------------------------------------------------


def _rules(game: Game, told: Told) -> Answer:
    words = [part for text in told.get("find", ()) for part in text.split()]
    number = section_number(" ".join(words))
    has_all = True
    if number is not None:
        listed = _joined(under_section(game, number))
    elif words:
        matches, has_all = matching(game, words)
        listed = _joined(matches)
    else:
        listed = list(entries(game))
    if not listed:
        known = "; try other words, or none for all of them" if words else ""
        raise BadQuestion(
            f"{game.title} has no rule about {' '.join(words)!r}{known}"
            if words
            else f"{game.title} declares no rules yet"
        )
    shown = listed if not words else listed[:MOST]
    nodes: list[Node] = [] if has_all else [Line("no rule has all of these words; these have the most of them")]
    nodes.append(Several("rules", [_entry(game, entry, bool(words)) for entry in shown]))
    if len(listed) > len(shown):
        nodes.append(Line(f"and {len(listed) - len(shown)} more; more words find fewer"))
    return Answer("rules", game.id, nodes)


def _joined(found: Iterable[Entry]) -> list[Entry]:
    """The same sentence of several sections once, with all of them."""
    joined: dict[tuple[str, str], Entry] = {}
    for entry in found:
        held = joined.get((entry.text, entry.rule))
        sections = (
            f"{held.section}; {entry.section}"
            if held is not None and entry.section not in held.section.split("; ")
            else ""
        )
        if held is None or sections:
            joined[entry.text, entry.rule] = entry if held is None else replace(held, section=sections)
    return list(joined.values())


def _entry(game: Game, entry: Entry, whole: bool) -> Section:
    cited = f" ({entry.rule})" if entry.rule else ""
    values: dict[str, Cell] = {
        "text": entry.text,
        "rule": entry.rule,
        "section": entry.section,
        "source": str(entry.source) if entry.source else "",
        "effect": entry.effect,
        "when": entry.when,
        "note": entry.note,
    }
    nodes: list[Node] = [Value(key, value, shown=False) for key, value in values.items() if value]
    if not whole:
        return Section(nodes, f"{entry.section}: {entry.text}{cited}")
    told = [part for part in (entry.effect, f"when {entry.when}" if entry.when else "", entry.note) if part]
    nodes += [Line("; ".join(told), key="says")] if told else []
    nodes += [Line(f"source: {entry.source}", key="sourced")] if entry.source else []
    changed = list(changers(game, entry))
    nodes += [Line(f"changed by the {what} {key}: {text}", key="changed") for what, key, text in changed]
    nodes.append(
        Value("changed_by", [{"kind": what, "id": key, "text": text} for what, key, text in changed], shown=False)
    )
    return Section(nodes, f"{entry.text}{cited}, {entry.section}")


RULES = Question(
    name="rules",
    about="the rules that a few words mean, such as: cross canal; with numbers, sources and what changes them",
    inputs=(Input(name="find", about="words of the rule, or a section's number; without them all rules", many=True),),
    answer=_rules,
    bare=("find",),
)
