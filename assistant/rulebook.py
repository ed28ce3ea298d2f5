"""Search in the rules of a pack: the question `rules`, by a few words or the number of a section."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assistant.questions.answer import Answer, BadQuestion, Cell, Node, Section, Sections, Sentence, Value
from assistant.questions.question import Input, Inputs, Question
from scenarios.expressions import names
from scenarios.model.attack_inputs import Formula
from scenarios.model.definitions import Phase
from scenarios.model.game import Game
from scenarios.model.sources import Source, Sourced
from scenarios.model.tables import Table
from scenarios.rules.records import RuleRecord
from scenarios.rules.shapes import EFFECTS, effect_of
from scenarios.sections import SectionNumber, cited_sections, section_number

MAX_ENTRIES = 12
"""The number of records shown; the others are counted."""
SHORTEST = 5
"""Words with this many equal letters at the start count as the same."""
WORD = re.compile(r"[a-z0-9]+", re.IGNORECASE)
ENDINGS = ("ing", "ed", "es", "s")
STOP_WORDS = frozenset(
    WORD.findall(
        "a an and any are as at be been but by can do does for from had has have how if in into is it its may not of on "
        "or over so than that the their them then there they this those to was were what when where which who whose "
        "will with "
    )
)
"""Words that are in nearly every rule, so that they don't help a search."""
NEAREST = 4
"""The number of nearby sections named where nothing is recorded under a number."""
TEXT, TITLE, NAME = 4, 2, 1
"""The weight of a word: in the sentence, in the title or note, among the names that a condition asks for."""


@dataclass(frozen=True)
class RuleEntry:
    """A rule that a player may look for."""

    section: str
    text: str
    rule: str
    source: Source | None
    condition: str
    effect: str
    note: str
    asks: frozenset[str]
    """The names that its expressions ask for, including those that values ask for."""
    names: frozenset[str] = frozenset()
    """The names that appear in them."""


def entries(game: Game) -> Iterator[RuleEntry]:
    """Yield every rule of a pack: of `rules` and `attacks`, states, phases, rulings and scenarios."""
    if game.rules is not None:
        for field in dataclasses.fields(game.rules):
            if field.name not in ("node", "inputs", "units", "values", "like"):
                yield from _records(game, (field.name,), getattr(game.rules, field.name))
    for attack in game.attacks.values():
        for modifier in attack.modifiers:
            effect, condition = modifier.effect, modifier.when
            effect_text = f"{effect[0]} {effect[1].text}" if effect else ""
            formulas = [condition, effect[1] if effect else None]
            condition_text = condition.text if condition else ""
            yield RuleEntry(
                attack.title,
                modifier.text,
                modifier.rule,
                modifier.source,
                condition_text,
                effect_text,
                "",
                *_names(game, formulas),
            )
        for demand in attack.requires:
            effect_text = f"requires {demand.that.text}" if demand.that else ""
            yield RuleEntry(
                attack.title, demand.text, demand.rule, demand.source, "", effect_text, "", *_names(game, [demand.that])
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
        reading = ruling.readings[ruling.choice]
        text = f"{ruling.question} {reading.text}"
        yield RuleEntry(
            "Rulings", text, ruling.rule or reading.rule, None, "", "", ruling.why, frozenset({f"ruling.{key}"})
        )
    for key, scenario in game.scenarios.items():
        for special in scenario.special:
            effect_names = frozenset(f"effect.{effect.effect}" for effect in special.effects)
            yield RuleEntry(
                f"{key} {scenario.title}", special.text, special.rule, special.source, "", "", "", effect_names
            )


def _note(section: str, text: str, record: Sourced | None = None) -> RuleEntry:
    """Return a sentence without a condition."""
    rule, source = (record.rule, record.source) if record is not None else ("", None)
    return RuleEntry(section, text, rule, source, "", "", "", frozenset())


def _described(name: str, note: str) -> str:
    return f"{name}: {note}" if note else name


def _word_sections(game: Game) -> Mapping[str, Iterable[Any]]:
    """Return what a pack names and describes, by the title of its section."""
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


def _table_entries(table: Table) -> Iterator[RuleEntry]:
    """Yield a table by its title, each of its notes, the meanings of its codes, and its rows that are sentences."""
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


def _records(game: Game, path: tuple[str, ...], record: Any) -> Iterator[RuleEntry]:
    """Yield the records in a section, each with the title of its place."""
    if isinstance(record, RuleRecord):
        if not record.text:
            return
        formulas = [
            value for field in dataclasses.fields(record) if isinstance(value := getattr(record, field.name), Formula)
        ]
        effect_pair = effect_of(record) if type(record) in EFFECTS else None
        effect = f"{effect_pair[0]} {effect_pair[1].text if effect_pair[1] else ''}".strip() if effect_pair else ""
        condition = record.when.text if record.when is not None else ""
        section = " / ".join(path).replace("_", " ")
        yield RuleEntry(
            section, record.text, record.rule, record.source, condition, effect, record.note, *_names(game, formulas)
        )
    elif isinstance(record, Mapping):
        for key, inner in record.items():
            yield from _records(game, (*path, getattr(inner, "title", "") or str(key)), inner)
    elif isinstance(record, tuple):
        for inner in record:
            yield from _records(game, path, inner)
    elif dataclasses.is_dataclass(record) and not isinstance(record, Formula):
        note, rule = getattr(record, "note", ""), getattr(record, "rule", "")
        text = note or getattr(record, "text", "") or (path[-1].replace("_", " ") if rule else "")
        if text:
            yield replace(_note(" / ".join(path).replace("_", " "), text), rule=rule)
        for field in dataclasses.fields(record):
            if field.name not in ("node", "source", "sources"):
                inner = getattr(record, field.name)
                label = () if field.name in ("steps", "traces", "points") else (field.name.strip("_"),)
                yield from _records(game, (*path, *label), inner)


def _names(game: Game, formulas: Iterable[Formula | None]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of expressions, including those that values ask for; and without them."""
    values = game.rules.values if game.rules is not None else {}
    all_names: set[str] = set()
    waiting = [formula for formula in formulas if formula is not None]
    direct_names = frozenset(name for formula in waiting for name in names(formula.expression))
    while waiting:
        for name in names(waiting.pop().expression):
            if name not in all_names:
                all_names.add(name)
                if (formula := values.get(name)) is not None:
                    waiting.append(formula)
    return frozenset(all_names), direct_names


# --- search -----------------------------------------------------------------------------------------------------------


def under_section(game: Game, number: SectionNumber) -> list[RuleEntry]:
    """Return the records of a section and those below it; else those whose sentence refers to it. BadQuestion names
    the nearest sections."""
    entries_with_sections = [(entry, list(cited_sections(entry.rule))) for entry in entries(game)]
    matches = [
        entry for entry, sections in entries_with_sections if any(number.covers(section) for section in sections)
    ]
    if matches:
        return matches
    for entry, _ in entries_with_sections:
        referenced_sections = [
            section for text in re.findall(r"\(([^()]*)\)", entry.text) for section in cited_sections(text)
        ]
        matches += [entry] if any(number.covers(section) for section in referenced_sections) else []
    if matches:
        return matches
    sections_by_number = {
        (section.book, section.parts): section for _, sections in entries_with_sections for section in sections
    }
    nearest = sorted(sections_by_number.values(), key=lambda section: (number.distance(section), section.parts))[
        :NEAREST
    ]
    hint = f"; nearest: {', '.join(section.text for section in nearest)}" if nearest else ""
    raise BadQuestion(f"{game.title}: nothing is recorded under {number.text}{hint}")


def _stem(word: str) -> str:
    word = word.lower()
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return f"{word[:-3]}y"
    return next((word[: -len(end)] for end in ENDINGS if word.endswith(end) and len(word) - len(end) >= 3), word)


def _is_similar(word: str, other_word: str) -> bool:
    begins = word.startswith(other_word) or other_word.startswith(word)
    return word == other_word or (begins and min(len(word), len(other_word)) >= SHORTEST)


def _stems(text: str) -> list[str]:
    return [_stem(word) for word in WORD.findall(text.replace("_", " ").replace(".", " "))]


def matching(game: Game, words: list[str]) -> tuple[list[RuleEntry], bool]:
    """Return the rules that match the words, the best first: those with all words, else those with the most; and
    whether all words match."""
    query_words = [word for text in words for word in WORD.findall(text)]
    query_stems = [_stem(word) for word in query_words if word.lower() not in STOP_WORDS]
    if query_words and not query_stems:
        raise BadQuestion(
            f"{' '.join(query_words)!r} is in nearly every rule; add a word about the subject of the rule"
        )
    scored_entries: list[tuple[int, int, RuleEntry]] = []
    for entry in entries(game):
        parts = (
            (TEXT, _stems(entry.text)),
            (TITLE, _stems(f"{entry.section} {entry.note}")),
            (NAME, _stems(" ".join(entry.names))),
        )
        hits = [
            max((weight for weight, stems in parts if any(_is_similar(word, stem) for stem in stems)), default=0)
            for word in query_stems
        ]
        if any(hits):
            scored_entries.append((sum(hit > 0 for hit in hits), sum(hits), entry))
    max_count = max((count for count, _, _ in scored_entries), default=0)
    best = [(weight, entry) for count, weight, entry in scored_entries if count == max_count]
    return [entry for _, entry in sorted(best, key=lambda pair: -pair[0])], max_count == len(query_stems)


CHANGES = {"ruling": "our ruling", "scenario": "otherwise in scenario {}", "state": "depends on the state"}
"""How an answer begins that names what changes a rule."""


def changers(game: Game, entry: RuleEntry) -> Iterator[tuple[str, str, str]]:
    """Yield what changes a rule: rulings, scenarios, states; each with its kind, its id and its sentence."""
    for key, ruling in game.rulings.items():
        if f"ruling.{key}" in entry.asks and entry.section != "Rulings":
            other_texts = [reading.text for name, reading in ruling.readings.items() if name != ruling.choice]
            yield "ruling", key, f"{ruling.question} {ruling.readings[ruling.choice].text} Or: {' '.join(other_texts)}"
    effect_names = {
        name.partition(".")[2]
        for name in entry.asks
        if name.partition(".")[0] in ("effect", "effect_value", "to", "from", "start")
    }
    for key, scenario in game.scenarios.items():
        for special in scenario.special:
            if any(effect.effect in effect_names for effect in special.effects) and special.text != entry.text:
                yield "scenario", key, special.text
    if entry.section != "States":
        for key, state in game.states.items():
            if key in entry.asks:
                yield "state", key, state.name


# --- the answer -------------------------------------------------------------------------------------------------------


def _rules(game: Game, inputs: Inputs) -> Answer:
    words = [part for text in inputs.get("find", ()) for part in text.split()]
    number = section_number(" ".join(words))
    has_all = True
    if number is not None:
        rule_entries = _merge_entries(under_section(game, number))
    elif words:
        matches, has_all = matching(game, words)
        rule_entries = _merge_entries(matches)
    else:
        rule_entries = list(entries(game))
    if not rule_entries:
        hint = "; try other words, or no words for all rules" if words else ""
        raise BadQuestion(
            f"{game.title} has no rule about {' '.join(words)!r}{hint}"
            if words
            else f"{game.title} declares no rules yet"
        )
    shown_entries = rule_entries if not words else rule_entries[:MAX_ENTRIES]
    nodes: list[Node] = [] if has_all else [Sentence("no rule has all of these words; these rules have most of them")]
    nodes.append(Sections("rules", [_entry(game, entry, bool(words)) for entry in shown_entries]))
    if len(rule_entries) > len(shown_entries):
        nodes.append(Sentence(f"and {len(rule_entries) - len(shown_entries)} more; add words to narrow the search"))
    return Answer("rules", game.id, nodes)


def _merge_entries(rule_entries: Iterable[RuleEntry]) -> list[RuleEntry]:
    """Merge equal sentences of several sections into one entry."""
    unique_entries: dict[tuple[str, str], RuleEntry] = {}
    for entry in rule_entries:
        earlier_entry = unique_entries.get((entry.text, entry.rule))
        sections = (
            f"{earlier_entry.section}; {entry.section}"
            if earlier_entry is not None and entry.section not in earlier_entry.section.split("; ")
            else ""
        )
        if earlier_entry is None or sections:
            unique_entries[entry.text, entry.rule] = (
                entry if earlier_entry is None else replace(earlier_entry, section=sections)
            )
    return list(unique_entries.values())


def _entry(game: Game, entry: RuleEntry, is_full: bool) -> Section:
    citation = f" ({entry.rule})" if entry.rule else ""
    values: dict[str, Cell] = {
        "text": entry.text,
        "rule": entry.rule,
        "section": entry.section,
        "source": str(entry.source) if entry.source else "",
        "effect": entry.effect,
        "condition": entry.condition,
        "note": entry.note,
    }
    nodes: list[Node] = [Value(key, value, for_people=False) for key, value in values.items() if value]
    if not is_full:
        return Section(nodes, f"{entry.section}: {entry.text}{citation}")
    nodes += [Sentence(entry.note, key="details")] if entry.note else []
    nodes += [Sentence(f"source: {entry.source}", key="source_text")] if entry.source else []
    changes = list(changers(game, entry))
    nodes += [Sentence(f"{CHANGES[kind].format(key)}: {text}", key="changed") for kind, key, text in changes]
    nodes.append(
        Value("changed_by", [{"kind": kind, "id": key, "text": text} for kind, key, text in changes], for_people=False)
    )
    return Section(nodes, f"{entry.text}{citation}, {entry.section}")


RULES = Question(
    name="rules",
    about="the rules about a few words, such as: cross canal; with rule numbers, sources and exceptions",
    inputs=(Input(name="find", about="words of the rule, or a section number; without any, all rules", multiple=True),),
    answer=_rules,
    positional=("find",),
)
