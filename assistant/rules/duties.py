"""Who may attack what, who must, and whom each stack has to attack: the question `attacks`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assistant.answers import Answer, Cell, Column, Line, Node, Place, Places, Section, Several, Table, Value
from assistant.attack import Answer as Odds
from assistant.questions import Input, Question, Told
from assistant.rules.attacking import StackDuty, duties, fought, in_front, possible, stack_duties
from assistant.rules.battle import Told as ToldOfBattle
from assistant.rules.battle import battle_of
from assistant.rules.field import Field, Standing
from assistant.rules.odds import side_names
from assistant.rules.placed import asked_field
from assistant.rules.questions import MAP
from scenarios.game import Game
from scenarios.rules.shapes import Front


def _attacks(game: Game, told: Told) -> Answer:
    field = asked_field(game, told)
    sides = [told["side"]] if "side" in told else list(field.sides)
    fronts = [told["front"]] if "front" in told else list(_fronts(game)) or [""]
    sections = [_side(field, side, front) for side in sides for front in fronts]
    return Answer("attacks", game.id, [Several("sides", sections)])


def _fronts(game: Game) -> Mapping[str, Front]:
    """The parts of the map that are answered apart."""
    return game.rules.attacking.fronts if game.rules is not None and game.rules.attacking is not None else {}


def _side(field: Field, side: str, front: str) -> Section:
    rows: list[dict[str, Cell]] = []
    for n, units in possible(field, side).items():
        if not in_front(field, n, front):
            continue
        defenders = [standing for standing in field.by_place[n] if standing.side != side]
        row: dict[str, Cell] = {
            "place": field.place(n),
            "units": [unit.counter for unit in units],
            "defenders": [unit.counter for unit in defenders],
        }
        odds = _odds(field, side, n, units, defenders)
        if odds is not None:
            row |= {"column": odds.column or "no attack", "refused": [str(failure) for failure in odds.refused]}
        rows.append(row)
    columns = [
        Column("place", "at"),
        Column("defenders", "against"),
        Column("units", "who may attack"),
        Column("column", "all together"),
        Column("refused", "but" if any(row.get("refused") for row in rows) else ""),
    ]
    nodes: list[Node] = [Value("side", side, shown=False)]
    nodes += [Value("front", front, shown=False)] if front else []
    nodes.append(Table("attacks", columns, rows))
    for duty, standing in duties(field, side):
        if in_front(field, standing.at, front):
            where = field.place(standing.at)
            verb = "must attack" if duty.attack else "must be attacked"
            nodes.append(Line((standing.counter, " in ", where, f" {verb}: {duty.text}"), duty.rule, "must"))
    rules = field.program.rules.attacking
    if rules is not None and (rules.all_touched is not None or rules.whole):
        nodes += _stacks(field, stack_duties(field, side, front))
    if not rows:
        nodes.append(Line("nobody may attack"))
    name = side_names(field.game, field.scenario).get(side, side)
    return Section(nodes, f"{name}, {_fronts(field.game)[front].title}" if front else name)


def _stacks(field: Field, stacks: Sequence[StackDuty]) -> Iterator[Node]:
    """What each stack must attack or may, who never attacks, and the places that have to be attacked."""
    rows: list[dict[str, Cell]] = []
    never: list[dict[str, Cell]] = []
    for stack in stacks:
        place = field.place(stack.place)
        if stack.units:
            text, rule = _what(field, stack)
            units: Cell = [unit.counter for unit in stack.units]
            near: dict[str, Cell] = {
                "enemies": field.places_at(stack.enemies),
                "alone": field.places_at(stack.alone),
            }
            rows.append(
                {"place": place, "units": units, "what": text, "rule": rule, "must": stack.must is not None, **near}
            )
        barred: dict[tuple[str, str], list[Standing]] = {}
        for unit, demand in stack.barred:
            barred.setdefault((demand.text, demand.rule), []).append(unit)
        never += [
            {"place": place, "units": [unit.counter for unit in units], "why": why, "rule": rule}
            for (why, rule), units in barred.items()
        ]
    columns = [
        Column("place", "in"),
        Column("units", "units"),
        Column("what", "what", told=False),
        Column("rule", "rule"),
    ]
    yield Table("stacks", columns, rows, heads=False)
    yield Table("unable", [*columns[:2], Column("why", "why"), columns[3]], never, heads=False)
    rules = field.program.rules.attacking
    if rules is not None and rules.all_touched is not None:
        touched = {n for stack in stacks if stack.must is not None for n in stack.enemies}
        attacked: dict[Place, dict[str, Cell]] = {field.place(n): {} for n in sorted(touched, key=field.kinds.name)}
        if attacked:
            yield Places("to_attack", attacked, f"Every one of these has to be attacked ({rules.all_touched.rule})")
        else:
            yield Value("to_attack", [], shown=False)


def _what(field: Field, stack: StackDuty) -> tuple[str, str]:
    """What a stack must or may attack, and the rule."""
    rules = field.program.rules.attacking
    all_touched = rules.all_touched if rules is not None else None
    enemies, alone = _listed(field, stack.enemies), _listed(field, stack.alone)
    shared = _listed(field, [n for n in stack.enemies if n not in stack.alone])
    if stack.must is None:
        whole = stack.whole is not None and len(stack.enemies) > 1
        return f"may attack {enemies}" + ", all or none" * whole, stack.whole.rule if stack.whole is not None else ""
    if all_touched is None or len(stack.enemies) == 1:
        return f"must attack {enemies}", stack.must.rule
    if not shared:
        return f"must attack {alone} at once, for nobody else touches them", all_touched.rule
    if alone:
        return f"must attack {alone}, and {shared} too unless others attack there", all_touched.rule
    return f"must attack {shared}, or one of them if others attack the rest", all_touched.rule


def _listed(field: Field, places: Sequence[int]) -> str:
    return " and ".join(map(field.kinds.name, places))


def _odds(field: Field, side: str, n: int, units: tuple[Standing, ...], defenders: list[Standing]) -> Odds | None:
    """What everybody together would attack at, where nothing else has to be told.

    It is the pack's first attack; or, where the rules refuse that, the first that they allow of those that ask for the same.
    """
    first: Odds | None = None
    for key in _alike(field.game):
        try:
            odds = fought(battle_of(field, key, side, (n,), units, defenders, ToldOfBattle({}, {}, {})))
        except ValueError:
            return first
        if not odds.refused:
            return odds
        first = first or odds
    return first


def _alike(game: Game) -> list[str]:
    """The pack's first attack, and the others with its groups and inputs: other tables for the same battle."""
    known = {
        key: (attack.attackers, attack.defenders, frozenset(attack.inputs)) for key, attack in game.attacks.items()
    }
    first = next(iter(known.values()), None)
    return [key for key, shape in known.items() if shape == first]


def attacks_question(game: Game) -> Question | None:
    """The question `attacks`, where a pack says who may attack or must."""
    if game.rules is None or game.rules.attacking is None:
        return None
    side = Input(name="side", about="whose attacks", kind="choice", of="side")
    fronts = tuple(_fronts(game))
    front = Input(name="front", about="on which front; left out, on all", kind="choice", choices=fronts)
    about = "who may attack what, who must attack, and who must be attacked"
    inputs = (side, *((front,) if fronts else ()), *MAP)
    return Question(name="attacks", about=about, inputs=inputs, answer=_attacks, bare=("side",))
