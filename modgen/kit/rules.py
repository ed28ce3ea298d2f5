"""The rules page: a pack's declared `rules`, in its own sentences, with their rule numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from art.charts.charts import SIGNS, format_label, number_rulings
from modgen.kit.procedure_steps import procedure_part
from modgen.kit.rule_words import HINT
from scenarios.areas.wording import join_alternatives, words_of_id
from scenarios.expressions import Call, EvaluationError, Name, Text, evaluate
from scenarios.grammar import count_text
from scenarios.model.attack_inputs import Formula
from scenarios.model.definitions import Phase
from scenarios.model.game import Game
from scenarios.model.points import PointMap
from scenarios.rules.counters import RuleCounter
from scenarios.rules.records import RuleRecord
from scenarios.rules.resources import Resource
from scenarios.rules.shapes import EFFECTS, Act, Minimum, NoWay, Rules, Span, Use, Walk, Zone, effect_of

Json = dict[str, Any]
UNPRINTED_KEYS = ("like", "inputs", "units", "values", "lists", "observers", "players")
"""Keys that only the assistant uses: questions, values, kinds of observers, and lists that are printed where records use them."""
SECTIONS = {
    "counters": "Kept from turn to turn",
    "allowed_places": "Limits for every unit",
    "spans": "Bridges",
    "zones": "Zone of control",
    "stacking": "Stacking",
    "carry": "Carriers",
    "supply": "Supply",
    "command": "Command",
    "movement": "Movement",
    "acts": "During a move",
    "retreat": "Retreat",
    "advance": "Advance after combat",
    "attacking": "Attacking",
    "results": "What a result does",
    "resources": "What points buy",
    "procedures": "Step by step",
    "notes": "Notes",
    "turn": "In a turn",
    "victory": "Victory",
}
GROUPS = {
    ("who", "forbid"): "Limits on who",
    ("allowance", ""): "Movement points",
    ("allowance", "forbid"): "Limits on who",
    ("length", ""): "How far",
    ("length", "forbid"): "Limits on who",
    ("steps", "forbid"): "Limits on the way",
    ("steps", "price"): "What each step costs",
    ("steps", "harm"): "Losses on the way",
    ("steps", "stop"): "Must stop",
    ("ends", "forbid"): "Limits on where it ends",
    ("ends", "allow"): "Where it may end",
    ("outcomes", "stay"): "Must stay",
    ("outcomes", "may_stay"): "May stay",
    ("outcomes", "lost"): "Eliminated",
    ("may", ""): "Who may attack",
    ("together", ""): "All who attack one place",
    ("must", "attack"): "Who must attack",
    ("must", "attacked"): "Who must be attacked",
    ("points", ""): "Points",
    ("points", "wins"): "Wins at once",
    ("exempt", ""): "Needs no line",
    ("no_path", ""): "If there is no way",
    ("minimum", ""): "At least",
    ("ends", "block"): "Nobody sees across",
    ("sides", "block"): "Hexsides that block",
    ("sides", "shield"): "Hexsides that shield",
    ("hexes", "block"): "Hexes that block",
    ("hexes", "degrade"): "Hexes that block together",
}
"""The title for records of a list that have the same effect."""
OF_ACTS = {("steps", "forbid"): "Limits", ("steps", "price"): "What it costs", ("beside", ""): "Next to it"}
"""The title for records about actions during a move, by list and effect."""
ZONE = "Does not reach"
DEEDS = {"eliminate": "gone", "advance": "may advance", "end": "the game ends", "wins": "wins"}
NUMBERS = ("one", "two", "three", "four", "five", "six")
PRICE = ("cost", "add", "multiply")
ORDER_NOTE = "Work down the list: a cost replaces those above it, + adds to them."
LIMITS = "How many at a time"
PRICES = "What it costs"


def rules_page(game: Game) -> list[Json]:
    """The sections of the rules page, each with its parts; none if a pack declares no rules."""
    if game.rules is None:
        return []
    page = _Page(game, game.rules)
    sections = []
    for field in dataclasses.fields(Rules):
        if field.name in UNPRINTED_KEYS or field.name == "node":
            continue
        section = getattr(game.rules, field.name)
        parts = [part for part in page.parts(field.name, section) if part["groups"] or part["notes"]]
        if parts:
            title = getattr(section, "title", "") or SECTIONS.get(field.name, _capital(words_of_id(field.name)))
            parts, rule = _short(parts), ""
            if len(parts) == 1 and title.startswith(parts[0]["title"]):
                rule, parts[0]["title"] = parts[0]["rule"], ""
            sections.append({"title": title, "rule": rule, "parts": parts})
    return sections


def _short(parts: list[Json]) -> list[Json]:
    """The parts without repetition: a later part only refers to an earlier one that says the same."""
    for n, part in enumerate(parts):
        titles_by_twin: dict[str, list[str]] = {}
        for group in list(part["groups"]):
            twin = next(
                (
                    earlier_part["title"]
                    for earlier_part in parts[:n]
                    if earlier_part["title"] and group in earlier_part["all"]
                ),
                "",
            )
            if twin:
                titles_by_twin.setdefault(twin, []).append(group["title"][:1].lower() + group["title"][1:])
                part["groups"].remove(group)
        part["notes"] += [f"As under “{twin}”: {'; '.join(titles)}." for twin, titles in titles_by_twin.items()]
    return [{key: value for key, value in part.items() if key != "all"} for part in parts]


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _small(words: str) -> str:
    """A name as written within a sentence; SAM stays SAM."""
    return words if words[:2].isupper() else words[:1].lower() + words[1:]


class _Page:
    """Writes a pack's records as text, with its tables, values and phases."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self.game, self.rules = game, rules
        self.phases = {
            phase.id: phase.name for sequence in game.sequence.values() for phase in _all_phases(sequence.phases)
        }
        self.space = "point" if any(isinstance(field, PointMap) for field in game.maps.values()) else "hex"
        self.values: dict[str, Fraction | str | bool] = dict(_effect_values(game))
        for name, formula in rules.values.items():
            value = self._constant(formula) if formula else None
            if value is not None:
                self.values[name] = value

    def parts(self, name: str, section: Any) -> Iterator[Json]:
        """The parts of a section: its kinds of moves, or the section itself."""
        if name == "procedures":
            yield from (procedure_part(self.game, self.rules, procedure) for procedure in section.values())
        elif name == "counters":
            yield self._counters(section)
        elif isinstance(section, Mapping) and any(isinstance(value, tuple) for value in section.values()):
            yield self._records(tuple(record for records in section.values() for record in records))
        elif isinstance(section, Mapping) and section and all(isinstance(value, Formula) for value in section.values()):
            lines = [
                {"said": _capital(words_of_id(key)), "value": self._value("set", formula), "rule": "", "details": []}
                for key, formula in section.items()
            ]
            group = {"title": LIMITS, "about": "", "lines": [line for line in lines if line["value"]]}
            groups = [group] if group["lines"] else []
            yield {"title": "", "rule": "", "notes": [], "groups": groups, "all": list(groups)}
        elif isinstance(section, Mapping):
            for key, walk in section.items():
                title = getattr(walk, "title", "") or (getattr(walk, "text", "") if isinstance(walk, Walk) else "")
                part = self._part(walk, _capital(title or words_of_id(key)))
                if isinstance(walk, Resource):
                    part["groups"].insert(0, self._prices(walk))
                yield part
                if isinstance(walk, Resource):
                    yield from self.parts(name, walk.ways)
        elif isinstance(section, tuple) and section:
            yield self._records(section)
        elif section is not None and dataclasses.is_dataclass(section):
            section_part = self._part(section, "")
            if section_part["groups"]:
                yield section_part
            for field in dataclasses.fields(section):
                inner = getattr(section, field.name)
                if isinstance(inner, Mapping) and field.name not in UNPRINTED_KEYS:
                    yield from self.parts(name, inner)

    def _prices(self, resource: Resource) -> Json:
        """What a resource buys, each with its price."""
        lines = [
            {"said": _capital(way.title), "value": self._value("set", way.price), "rule": way.rule, "details": []}
            for way in resource.ways.values()
        ]
        return {"title": PRICES, "about": "", "lines": lines}

    def _records(self, records: tuple[Any, ...]) -> Json:
        """A list of records as a separate part."""
        group = self._group("", records)
        return {"title": "", "rule": "", "notes": [], "groups": [group], "all": [group]}

    def _counters(self, counters: Mapping[str, RuleCounter]) -> Json:
        """The numbers, flags and texts that a game keeps, with what they start as and how far they go."""
        lines = [
            {
                "said": _capital(counter.title),
                "value": self._reach(counter),
                "rule": number_rulings(self.game, counter.rule or ""),
                "details": [],
            }
            for counter in counters.values()
            if counter.title
        ]
        groups = [{"title": "", "about": "", "lines": lines}] if lines else []
        return {"title": "", "rule": "", "notes": [], "groups": groups, "all": list(groups)}

    def _reach(self, counter: RuleCounter) -> str:
        """The bounds or the choices of a counter, and what it starts as."""
        if counter.kind == "text":
            markers = self.game.markers
            names = (markers[key].name if key in markers else words_of_id(key) for key in counter.choices)
            return join_alternatives(list(names))
        low, high = counter.at_least, counter.at_most
        bounds = f"{low} to {high}" if low is not None and high is not None else ""
        bounds = bounds or (f"at most {high}" if high is not None else f"at least {low}" if low else "")
        start = f"starts at {counter.start.text}" if counter.start is not None and counter.kind == "number" else ""
        return ", ".join(filter(None, (bounds, start)))

    def _part(self, walk: Any, title: str) -> Json:
        """A kind of move, a zone or a span: its title, its notes, and its lists by effect."""
        phase_names = dict.fromkeys(self.phases[key] for key in getattr(walk, "phases", ()) if key in self.phases)
        notes = [_in_phases(list(phase_names))] if phase_names else []
        notes += [_capital(walk.text) + "."] if isinstance(walk, Span) and walk.text else []
        notes += [note for note in [getattr(walk, "note", "")] if note]
        if isinstance(walk, Zone) and not walk.steps and not walk.length:
            notes.append(f"It reaches every {self.space} next to the unit.")
        reach = getattr(walk, "near", 0)
        if reach:
            notes.append("To the unit's hex, or next to it." if reach == 1 else f"To within {reach} hexes of the unit.")
        groups: list[Json] = []
        for field in dataclasses.fields(walk):
            field_value = getattr(walk, field.name)
            records = (
                (field_value,)
                if isinstance(field_value, RuleRecord)
                else tuple(field_value.values())
                if isinstance(field_value, Mapping)
                else field_value
            )
            if isinstance(records, tuple) and any(isinstance(record, RuleRecord | Use) for record in records):
                for group in self._groups(field.name, tuple(self.rules.spread(records)), walk):
                    twin = next(
                        (earlier_group for earlier_group in groups if earlier_group["title"] == group["title"]), None
                    )
                    if twin:
                        twin["lines"] += group["lines"]
                    else:
                        groups.append(group)
        rule = number_rulings(self.game, getattr(walk, "rule", "") or "")
        note_texts = [_capital(number_rulings(self.game, note)) for note in notes]
        return {"title": title, "rule": rule, "notes": note_texts, "groups": groups, "all": list(groups)}

    def _groups(self, field: str, records: tuple[Any, ...], walk: Any) -> Iterator[Json]:
        """The records of one list, grouped by effect. The list is part of a kind of move, a zone or an action."""
        titles = {**GROUPS, **OF_ACTS} if isinstance(walk, Act) else GROUPS
        records_by_kind: dict[str, list[Any]] = {}
        for record in records:
            effect_formula = effect_of(record) if type(record) in EFFECTS else None
            effect = "forbid" if isinstance(record, Use) else effect_formula[0] if effect_formula else ""
            kind = "price" if field == "steps" and effect in PRICE else effect
            records_by_kind.setdefault(kind if (field, kind) in titles else "", []).append(record)
        for kind, kind_records in records_by_kind.items():
            title = (
                ZONE
                if isinstance(walk, Zone) and kind == "forbid"
                else titles.get((field, kind)) or _capital(words_of_id(field))
            )
            group = self._group(
                title, tuple(kind_records), ORDER_NOTE if kind == "price" and len(kind_records) > 2 else ""
            )
            if group["lines"]:
                yield group

    def _group(self, title: str, records: tuple[Any, ...], about: str = "") -> Json:
        lines: dict[tuple[str, str], list[str]] = {}
        for record in records:
            sentence, value, rule = self._line(record)
            if sentence or value:
                rules = lines.setdefault((sentence, value), [])
                rules += [rule] if rule and rule not in rules else []
        return {
            "title": title,
            "about": about,
            "lines": [
                {"said": sentence, "value": value, "rule": ", ".join(rules), "details": []}
                for (sentence, value), rules in lines.items()
            ],
        }

    def _line(self, record: RuleRecord | Use) -> tuple[str, str, str]:
        """A record: its sentence, its effect in numbers, its rule number."""
        if isinstance(record, Use):
            return "There is no room left under the stacking limit", "", ""
        effect, formula = (effect_of(record) or ("", None)) if type(record) in EFFECTS else ("", None)
        value = self._value(effect, formula)
        value = value or self._deed(record, effect)
        if isinstance(record, Minimum):
            value = count_text(record.hexes, "hex")
        lose = record.lose if isinstance(record, NoWay) else ""
        if lose:
            value = "it is lost" if lose == "all" else f"{lose} steps lost" if lose != "1" else "1 step lost"
        rule = number_rulings(self.game, record.rule or "")
        rule = ", ".join(part for part in rule.split(", ") if not value.endswith(f"see {part}"))
        text = HINT.sub("", number_rulings(self.game, record.text))
        is_repeated = text in value or (value in text and not value.isdigit()) or _in_words(value, text)
        is_repeated = (
            is_repeated
            or (value == "all points" and "whole" in text)
            or (value.startswith("see ") and text.endswith("allowance"))
        )
        if text and value and is_repeated:
            value = ""
        if not text and value.isdigit():
            value += f" {self.space}{'s' * (value != '1') if self.space == 'point' else 'es' * (value != '1')}"
        return (_capital(text), value, rule) if text else (_capital(value), "", rule)

    def _deed(self, record: RuleRecord, effect: str) -> str:
        """An effect of a record without a number: a state begins or ends, a unit is eliminated, or the game ends."""
        if effect in ("set", "clear") and isinstance(state := getattr(record, effect), str):
            return ("no longer " if effect == "clear" else "") + self.game.states[state].name.lower()
        return DEEDS.get(effect, "")

    def _value(self, effect: str, formula: Formula | None) -> str:
        """The effect of a record on an amount: a number, dice, or the table that gives it."""
        if formula is None:
            return ""
        if effect == "that":
            return "as the scenario says" if any(_from_scenario(part) for part in _parts(formula.expression)) else ""
        if formula.expression == Name("all"):
            return "all points"
        value = self._constant(formula)
        if value is None:
            tables = [title for title in map(self._table, _parts(formula.expression)) if title]
            text = f"see {tables[0]}" if tables else self._amount_name(formula.expression)
        elif isinstance(value, Fraction):
            text = SIGNS.get(str(value), str(value))
        else:
            text = str(value)
        if not text or (effect == "harm" and text == "1"):
            return "1 step" if text else ""
        if effect == "add" and not text.startswith("-"):
            return f"+{text}" if value is not None else f"more, {text}"
        return text if effect != "multiply" else f"× {text}" if value is not None else f"multiplied, {text}"

    def _amount_name(self, expression: Any) -> str:
        """The name of an amount of a unit or a result."""
        if not isinstance(expression, Name):
            return ""
        if expression.name == "result":
            return "as the result says"
        owner, _, field = expression.name.rpartition(".")
        name = _small(self.game.factors[field].name) if field in self.game.factors else format_label(self.game, field)
        return f"{'their' if owner == 'source' else 'its'} {name}" if owner in ("", "source") else ""

    def _table(self, expression: Any) -> str:
        """The title of the table that an expression looks up."""
        if isinstance(expression, Call) and expression.function == "lookup":
            first = expression.arguments[0]
            if isinstance(first, Text) and first.value in self.game.tables:
                return self.game.tables[first.value].title
        if isinstance(expression, Name) and expression.name in self.rules.values:
            formula = self.rules.values[expression.name]
            titles = [self._table(part) for part in _parts(formula.expression)] if formula else []
            return next(filter(None, titles), "")
        return ""

    def _constant(self, formula: Formula) -> Fraction | str | bool | None:
        """The value of an expression that depends only on the pack."""
        try:
            return evaluate(formula.expression, self.values, self._looked_up)
        except EvaluationError:
            return None

    def _looked_up(self, table: str, keys: tuple[str, ...]) -> str:
        if table not in self.game.tables or len(keys) != 2:
            raise LookupError(table)
        return self.game.tables[table].looked_up(*keys)


def _in_phases(names: list[str]) -> str:
    """When an action takes place: 'In the Movement Phase.', 'In “North moves” and “South moves”.'"""
    if all(name.endswith(("Phase", "Segment", "Turn")) for name in names):
        return f"In the {join_alternatives(names, 'and')}."
    return f"In {join_alternatives([f'“{name}”' for name in names], 'and')}."


def _in_words(value: str, text: str) -> bool:
    """Whether a text already has a number, in digits or as a word: 'it withdraws one hex'."""
    number = value.partition(" ")[0]
    word = NUMBERS[int(number) - 1] if number.isdigit() and 0 < int(number) <= len(NUMBERS) else number
    return value in text.split() or (word != number and word in text.casefold().split())


def _effect_values(game: Game) -> Iterator[tuple[str, Fraction | str | bool]]:
    """The values of special rules that are the same in all scenarios, by their names in expressions."""
    values_by_effect: dict[str, list[str]] = {}
    for scenario in game.scenarios.values():
        for effect in (effect for special in scenario.special for effect in special.effects):
            values_by_effect.setdefault(effect.effect, []).append(effect.value)
    for name, values in values_by_effect.items():
        if len(values) == len(game.scenarios) and len(set(values)) == 1 and values[0]:
            yield f"effect_value.{name}", values[0]


def _from_scenario(expression: Any) -> bool:
    return isinstance(expression, Name) and expression.name.startswith("effect_value.")


def _all_phases(phases: tuple[Phase, ...]) -> Iterator[Phase]:
    for phase in phases:
        yield phase
        yield from _all_phases(phase.phases)


def _parts(expression: Any) -> Iterator[Any]:
    """An expression and all its parts."""
    yield expression
    if dataclasses.is_dataclass(expression):
        for field in dataclasses.fields(expression):
            field_value = getattr(expression, field.name)
            for inner in field_value if isinstance(field_value, tuple) else (field_value,):
                if dataclasses.is_dataclass(inner):
                    yield from _parts(inner)
