"""Who may attack what, who must attack, and what each stack must attack: the question `attacks`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assistant.attack import Odds
from assistant.engine.battle.battle import BattleInputs, battle_of
from assistant.engine.battle.odds import side_names
from assistant.engine.battle.requirements import StackDuty, duties, in_front, possible, resolve_attack, stack_duties
from assistant.engine.field import Field
from assistant.engine.notes import question_notes
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_field
from assistant.questions.answer import (
    Answer,
    Cell,
    Node,
    PlaceList,
    PlaceRef,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Value,
)
from assistant.questions.question import ON_ANY_MAP, Input, Inputs, Question
from scenarios.model.game import Game
from scenarios.rules.shapes import Front


def _attacks(game: Game, inputs: Inputs) -> Answer:
    field = asked_field(game, inputs)
    sides = [inputs["side"]] if "side" in inputs else list(field.sides)
    fronts = [inputs["front"]] if "front" in inputs else list(_fronts(game)) or [""]
    sections = [_side(field, side, front) for side in sides for front in fronts]
    return Answer("attacks", game.id, [Sections("sides", sections)])


def _fronts(game: Game) -> Mapping[str, Front]:
    """Return the parts of the map that the answer treats separately."""
    return game.rules.attacking.fronts if game.rules is not None and game.rules.attacking is not None else {}


def _side(field: Field, side: str, front: str) -> Section:
    rows: list[dict[str, Cell]] = []
    for n, units in possible(field, side).items():
        if not in_front(field, n, front):
            continue
        defenders = [defender for defender in field.by_place[n] if defender.side != side]
        row: dict[str, Cell] = {
            "place": field.place(n),
            "units": [unit.ref for unit in units],
            "defenders": [unit.ref for unit in defenders],
        }
        odds = _odds(field, side, n, units, defenders)
        if odds is not None:
            row |= {"column": odds.column or "no attack", "refused": [str(failure) for failure in odds.violations]}
        rows.append(row)
    columns = [
        TableColumn("place", "at"),
        TableColumn("defenders", "against"),
        TableColumn("units", "may attack"),
        TableColumn("column", "all together"),
        TableColumn("refused", "but" if any(row.get("refused") for row in rows) else ""),
    ]
    nodes: list[Node] = [Value("side", side, for_people=False)]
    nodes += [Value("front", front, for_people=False)] if front else []
    nodes.append(RowTable("attacks", columns, rows))
    for duty, placed_unit in duties(field, side):
        if in_front(field, placed_unit.place, front):
            place = field.place(placed_unit.place)
            verb = "must attack" if duty.attack else "must be attacked"
            nodes.append(Sentence((placed_unit.ref, " in ", place, f" {verb}: {duty.text}"), duty.rule, "must"))
    rules = field.program.rules.attacking
    if rules is not None and (rules.all_adjacent is not None or rules.all_or_none):
        nodes += _stacks(field, stack_duties(field, side, front))
    if not rows:
        nodes.append(Sentence("no unit may attack"))
    nodes += question_notes(field, "attacks", side)
    name = side_names(field.game, field.scenario).get(side, side)
    return Section(nodes, f"{name}, {_fronts(field.game)[front].title}" if front else name)


def _stacks(field: Field, stacks: Sequence[StackDuty]) -> Iterator[Node]:
    """Yield what each stack must or may attack, the units that never attack, and the places that must be attacked."""
    rows: list[dict[str, Cell]] = []
    unable_rows: list[dict[str, Cell]] = []
    for stack in stacks:
        place = field.place(stack.place)
        if stack.units:
            text, rule = _what(field, stack)
            units: Cell = [unit.ref for unit in stack.units]
            enemy_cells: dict[str, Cell] = {
                "enemies": field.places_at(stack.enemies),
                "sole_targets": field.places_at(stack.alone),
            }
            rows.append(
                {
                    "place": place,
                    "units": units,
                    "what": text,
                    "rule": rule,
                    "must": stack.must is not None,
                    **enemy_cells,
                }
            )
        units_by_refusal: dict[tuple[str, str], list[PlacedUnit]] = {}
        for unit, demand in stack.barred:
            units_by_refusal.setdefault((demand.text, demand.rule), []).append(unit)
        unable_rows += [
            {"place": place, "units": [unit.ref for unit in units], "why": reason, "rule": rule}
            for (reason, rule), units in units_by_refusal.items()
        ]
    columns = [
        TableColumn("place", "in"),
        TableColumn("units", "units"),
        TableColumn("what", "what", for_programs=False),
        TableColumn("rule", "rule"),
    ]
    yield RowTable("stacks", columns, rows, heads=False)
    yield RowTable("unable", [*columns[:2], TableColumn("why", "why"), columns[3]], unable_rows, heads=False)
    rules = field.program.rules.attacking
    if rules is not None and rules.all_adjacent is not None:
        touched_places = {n for stack in stacks if stack.must is not None for n in stack.enemies}
        rows_by_place: dict[PlaceRef, dict[str, Cell]] = {
            field.place(n): {} for n in sorted(touched_places, key=field.map_index.name)
        }
        if rows_by_place:
            yield PlaceList(
                "to_attack", rows_by_place, f"Every one of these must be attacked ({rules.all_adjacent.rule})"
            )
        else:
            yield Value("to_attack", [], for_people=False)


def _what(field: Field, stack: StackDuty) -> tuple[str, str]:
    """Return what a stack must or may attack, and the rule."""
    rules = field.program.rules.attacking
    all_touched = rules.all_adjacent if rules is not None else None
    enemies, sole_targets = _listed(field, stack.enemies), _listed(field, stack.alone)
    shared_targets = _listed(field, [n for n in stack.enemies if n not in stack.alone])
    if stack.must is None:
        is_whole = stack.whole is not None and len(stack.enemies) > 1
        return f"may attack {enemies}" + ", all or none" * is_whole, stack.whole.rule if stack.whole is not None else ""
    if all_touched is None or len(stack.enemies) == 1:
        return f"must attack {enemies}", stack.must.rule
    if not shared_targets:
        return f"must attack {sole_targets} together, because no other unit is adjacent to them", all_touched.rule
    if sole_targets:
        return f"must attack {sole_targets}, and also {shared_targets} unless other units attack them", all_touched.rule
    return f"must attack {shared_targets}, or one of them if other units attack the rest", all_touched.rule


def _listed(field: Field, places: Sequence[int]) -> str:
    return " and ".join(map(field.map_index.name, places))


def _odds(field: Field, side: str, n: int, units: tuple[PlacedUnit, ...], defenders: list[PlacedUnit]) -> Odds | None:
    """Return the odds of an attack by all units together, where it needs no more inputs.

    The attack is the pack's first. Where the rules refuse it, it is the first allowed attack with the same inputs.
    """
    first: Odds | None = None
    for key in _similar_attacks(field.game):
        try:
            odds = resolve_attack(battle_of(field, key, side, (n,), units, defenders, BattleInputs({}, {}, {})))
        except ValueError:
            return first
        if not odds.violations:
            return odds
        first = first or odds
    return first


def _similar_attacks(game: Game) -> list[str]:
    """Return the pack's first attack, and the others with the same groups and inputs: other tables for the same
    battle."""
    signatures = {
        key: (attack.attackers, attack.defenders, frozenset(attack.inputs)) for key, attack in game.attacks.items()
    }
    first = next(iter(signatures.values()), None)
    return [key for key, shape in signatures.items() if shape == first]


def attacks_question(game: Game) -> Question | None:
    """Return the question `attacks`, where a pack says who may or must attack."""
    if game.rules is None or game.rules.attacking is None:
        return None
    side = Input(name="side", about="the attacking side", kind="choice", vocabulary="side")
    fronts = tuple(_fronts(game))
    front = Input(name="front", about="the front; without it, all fronts", kind="choice", choices=fronts)
    about = "which units may attack, which must attack, and which must be attacked"
    inputs = (side, *((front,) if fronts else ()), *ON_ANY_MAP)
    return Question(name="attacks", about=about, inputs=inputs, answer=_attacks, positional=("side",))
