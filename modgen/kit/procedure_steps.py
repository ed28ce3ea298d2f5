"""Procedures on the player aid: the steps as a numbered list, with conditions, dice, effects and rule numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from art.charts.charts import format_label, number_rulings
from modgen.kit.rule_words import HINT, ProcedureWords, needed_roll, small
from scenarios.areas.wording import words_of_id
from scenarios.expressions import Binary, Call, Expression, Flag, Name, Number, Text
from scenarios.model.game import Game
from scenarios.rules.procedures import Procedure, Stage
from scenarios.rules.shapes import Rules

Json = dict[str, Any]
ROUNDS = "Repeat these steps, round after round, until one of them ends it."
TURNS = "Go through these steps once in each turn."
ENDS = "The first line that applies counts."


def procedure_part(game: Game, rules: Rules, procedure: Procedure) -> Json:
    """One procedure: who takes part, its numbered steps, and how it can end."""
    return _ProcedurePage(game, rules, procedure).part()


class _ProcedurePage:
    """Writes one procedure as text."""

    def __init__(self, game: Game, rules: Rules, procedure: Procedure) -> None:
        self.game, self.procedure = game, procedure
        self.words = ProcedureWords(game, rules, procedure)
        self.stages = procedure.all_stages

    def part(self) -> Json:
        procedure = self.procedure
        notes = [note for note in (self._support(), self._first(), procedure.note) if note]
        looped = procedure.rounds or procedure.turns
        lists = [
            self._steps("First" if looped else "In this order", "", self.stages[: len(procedure.stages)], 0),
            self._steps("In each round", ROUNDS, self._looped(len(procedure.rounds)), len(procedure.stages)),
            self._steps("In each turn", TURNS, self._looped(len(procedure.turns)), len(procedure.stages)),
        ]
        only_if = [
            *(_line(game_text(self.game, item.text), "", self._rule(item.rule)) for item in procedure.places),
            *(_line(game_text(self.game, item.text), "", self._rule(item.rule)) for item in procedure.requires),
        ]
        noted = [
            _line(game_text(self.game, note.text), "", self._rule(note.rule), self._if(note.when))
            for note in procedure.notes
        ]
        barred = [
            _line(game_text(self.game, record.text), "", self._rule(record.rule))
            for group in procedure.groups.values()
            for record in group.barred
        ]
        groups = [
            _group("Limits on who", "", barred),
            _group("Limits", "", [line for i, line in enumerate(only_if) if line not in only_if[:i]]),
            *lists,
            _group("How it ends", ENDS, list(self._outcomes())),
            _group("Note", "", noted),
        ]
        groups = [group for group in groups if group["lines"]]
        return {
            "title": capital(procedure.title),
            "rule": self._rule(procedure.rule),
            "notes": [capital(number_rulings(self.game, note)) for note in notes],
            "groups": groups,
            "all": list(groups),
        }

    def _looped(self, count: int) -> tuple[Stage, ...]:
        return self.stages[len(self.procedure.stages) :] if count else ()

    def _rule(self, rule: str | None) -> str:
        return number_rulings(self.game, rule or "")

    # Before the steps.

    def _support(self) -> str:
        """Who supports whom, where the titles of the groups don't say it."""
        return " ".join(
            f"{capital(self.words.group(key))} support {self.words.group(group.supports)}."
            for key, group in self.procedure.groups.items()
            if group.supports and self.words.group(group.supports).removeprefix("the ") not in group.title.casefold()
        )

    def _first(self) -> str:
        """Which group goes first, if the words for it are plain."""
        formula = self.procedure.first
        if formula is None:
            return ""
        match formula.expression:
            case Call("if", (condition, Text(then), Text(otherwise))):
                words = self.words.condition(condition)
                usual, other = self.words.group(otherwise), capital(self.words.group(then))
                if words:
                    return f"{other} go first if {words}. Otherwise {usual} do."
                tables = [part for part in _tables(condition) if part in self.game.tables]
                if tables:
                    return f"{other} or {usual} go first, as {_on(self.game.tables[tables[0]].title)} says."
            case Text(group):
                return f"{capital(self.words.group(group))} go first."
        return ""

    # Steps.

    def _steps(self, title: str, about: str, stages: tuple[Stage, ...], before: int) -> Json:
        lines = [self._step(stage, before + i) for i, stage in enumerate(stages)]
        return {**_group(title, about, lines), "numbered": True}

    def _step(self, stage: Stage, index: int) -> Json:
        twin = self._twin(stage, index)
        details = [] if twin is None else [self._like(stage, twin)]
        details += [] if twin is not None else [detail for detail in self._details(stage) if detail]
        when = "" if stage.end and self._shows(stage) else self._if(stage.when)
        at_once = self._at_once(stage, index)
        return {
            **_line(
                game_text(self.game, stage.text),
                self._effect(stage),
                self._rule(stage.rule),
                *filter(None, (when, *details, at_once)),
            ),
            "number": index + 1,
        }

    def _shows(self, stage: Stage) -> bool:
        return stage.when is not None and self.words.is_plain_to_see(stage.when.expression)

    def _twin(self, stage: Stage, index: int) -> int | None:
        """The number of an earlier step with the same attack, fired in the same way by another group."""
        if not stage.fire:
            return None
        for other, earlier in enumerate(self.stages[:index]):
            if earlier.fire == stage.fire and list(self._details(earlier))[1:] == list(self._details(stage))[1:]:
                return other + 1
        return None

    def _like(self, stage: Stage, twin: int) -> str:
        if {stage.of, stage.at} == {"first", "second"}:
            return f"As in step {twin}, with the sides exchanged."
        return f"{self._firing(stage)}, as in step {twin}." if stage.of else f"As in step {twin}."

    def _firing(self, stage: Stage) -> str:
        """Who fires at whom."""
        who = capital(self.words.group(stage.of))
        at = f" at {self.words.group(stage.at)}" if stage.at else ""
        is_one = stage.of in ("first", "second") or who.startswith(("A ", "An "))
        return f"{who} {'fires' if is_one else 'fire'}{at}"

    def _details(self, stage: Stage) -> Iterator[str]:
        """How a fire is made: who fires at whom, with which dice, and which units may fire and be hit."""
        if not stage.fire:
            return
        attack = self.game.attacks[stage.fire]
        table = self.game.tables[attack.table]
        is_plain = not stage.of or {stage.of, stage.at} == {"first", "second"}
        yield "" if is_plain else f"{self._firing(stage)}."
        dice = table.dice or self.game.card.dice
        manner = {"each": "each unit rolls", "all": "all units together roll", "volleys": "each volley rolls"}[stage.by]
        roll = f"{manner if stage.of else 'roll'} {dice} on {_on(table.title)}."
        yield capital(roll) if attack.title == table.title else f"{attack.title}: {roll}"
        if stage.by == "volleys" and stage.most is not None:
            most = self.words.amount(stage.most.expression)
            yield f"Units fire in as few volleys as they can, each of strength {most} at most." if most else ""
        if stage.who is not None:
            words = self.words.condition(stage.who.expression)
            yield f"A unit fires if {words}." if words else ""
        if stage.within is not None:
            yield "Only as many units fire as may take part at once."
        if stage.among is not None:
            words = self.words.condition(stage.among.expression)
            yield f"A unit may be hit if {words}." if words else ""

    def _at_once(self, stage: Stage, index: int) -> str:
        """That two fires next to each other are simultaneous: both losses are taken after the second."""
        before = self.stages[index - 1] if index else None
        if stage.simultaneous is None or before is None or not before.fire or before.simultaneous is None:
            return ""
        text = f"At the same time as step {index}: units lost in that step still fire."
        if stage.simultaneous.expression == Flag(True):
            return text
        restriction = self.words.restriction(stage.simultaneous.expression)
        return f"{text} {restriction}" if restriction else ""

    def _if(self, formula: Any) -> str:
        return "" if formula is None else self.words.restriction(formula.expression)

    def _effect(self, stage: Stage) -> str:
        """What a step does beside a fire, in a few words."""
        rolled = needed_roll(stage.needs.expression, stage.roll) if stage.roll and stage.needs is not None else ""
        effect = self._plain_effect(stage)
        return f"{rolled}: {effect}" if rolled and effect else effect

    def _plain_effect(self, stage: Stage) -> str:
        states = self.game.states
        if stage.draw:
            see = f"; see {_on(self.game.tables[stage.table].title)}" if stage.table else ""
            return f"draw one of {self.words.group(stage.draw)} at random{see}"
        if stage.table:
            table = self.game.tables[stage.table]
            return f"roll {table.dice or self.game.card.dice} on {_on(table.title)}{self._column(stage)}"
        if stage.change:
            roll = "the roll" if stage.needs is not None else stage.roll
            formulas = [(name, formula) for name, formula in stage.change.items() if formula is not None]
            changes = [self._change(name, formula.expression, roll) for name, formula in formulas]
            return ", ".join(filter(None, changes))
        if stage.set:
            return states[stage.set].name.lower()
        if stage.clear:
            return f"no longer {states[stage.clear].name.lower()}"
        if stage.lose is not None:
            amount = self.words.amount(stage.lose.expression)
            return f"{amount} step{'s' * (amount != '1')} lost" if amount else "steps lost"
        if stage.eliminate:
            return "eliminated"
        if stage.send:
            return f"to {self._box(stage.send)}"
        if stage.leave:
            return "all of them leave, or nobody"
        return "it ends" if stage.end else ""

    def _column(self, stage: Stage) -> str:
        if stage.column is None:
            return ""
        match stage.column.expression:
            case Text(label):
                return f", column {format_label(self.game, label, self.game.tables[stage.table])}"
        words = self.words.amount(stage.column.expression)
        return f", in the column of {words}" if words else ""

    def _change(self, name: str, expression: Expression, roll: str) -> str:
        """What happens to a counter: "Oil −2", "Rounds +1", "Sky: dusty". Empty for a counter without a title."""
        counter = self.words.counters[name]
        if not counter.title:
            return ""
        match expression:
            case Flag(value):
                return counter.title if value else f"no longer: {small(counter.title)}"
            case Binary("+" | "-" as operator, Name(same), amount) if same == f"counter.{name}":
                words = roll if amount == Name("roll") else self.words.amount(amount)
                sign = "+" if operator == "+" else "−"
                return f"{counter.title} {sign}{'' if isinstance(amount, Number) else ' '}{words}" if words else ""
        words = self.words.amount(expression)
        return f"{counter.title}: {words}" if words else ""

    def _box(self, box: str) -> str:
        for field in self.game.maps.values():
            if box in field.boxes:
                return field.boxes[box].name
        return words_of_id(box)

    # The end.

    def _outcomes(self) -> Iterator[Json]:
        for outcome in self.procedure.outcomes:
            listed = [
                f"{capital(words_of_id(key))}: {words_of_id(value)}."
                for key, value in outcome.is_.items()
                if value not in ("yes", "no")
            ]
            when = outcome.when
            shown = "" if when is None or self.words.is_plain_to_see(when.expression) else self._if(when)
            yield _line(game_text(self.game, outcome.text), "", self._rule(outcome.rule), shown, " ".join(listed))


def game_text(game: Game, text: str) -> str:
    """A text of a pack as printed: with the numbers of rulings and a capital, without hints for the assistant."""
    return capital(HINT.sub("", number_rulings(game, text)))


def capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _on(title: str) -> str:
    """A table in a sentence: "the Combat Results Table", "the table “Gunnery”"."""
    return f"the {title}" if title.endswith(("Table", "Chart", "CRT")) else f"the table “{title}”"


def _tables(expression: Expression) -> Iterator[str]:
    """The tables that an expression looks up."""
    match expression:
        case Call("lookup", (Text(table), *_)):
            yield table
        case Call(_, arguments):
            for argument in arguments:
                yield from _tables(argument)
        case Binary(_, left, right):
            yield from _tables(left)
            yield from _tables(right)


def _group(title: str, about: str, lines: list[Json]) -> Json:
    return {"title": title, "about": about, "lines": lines}


def _line(text: str, value: str, rule: str, *details: str) -> Json:
    return {"said": text, "value": value, "rule": rule, "details": [detail for detail in details if detail]}
