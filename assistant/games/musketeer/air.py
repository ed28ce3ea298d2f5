"""Air superiority, bombardment and drops by parachute, exactly (10.2, 19.0, 20.0, 24.3, 29.5, 29.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from assistant.answers import (
    Answer,
    BadQuestion,
    Chance,
    Column,
    Line,
    Node,
    Ours,
    Refusal,
    Section,
    Several,
    Table,
    Value,
    chances_of,
)
from assistant.attack import Answer as Odds
from assistant.attack import Fields, odds, refusal, unit_fields
from assistant.attack import Value as Scalar
from assistant.chances import gather
from assistant.games.musketeer.battle import may_attack, standing_in
from assistant.games.musketeer.forces import fighter
from assistant.games.musketeer.questions import (
    PLACED,
    asked_hex,
    called,
    check_special,
    counter,
    empty_field,
    flak_near,
    label,
    nation_of,
    place,
)
from assistant.odds import fields_of, signed
from assistant.questions import Input, Question, Told
from assistant.rules.entry import arrivals
from assistant.rules.field import Field
from assistant.rules.placed import asked_anywhere, asked_field, on_a_map
from assistant.rules.questions import MAP
from assistant.sourced import ours
from scenarios.game import Game
from scenarios.position import Piece


class Sky(NamedTuple):
    """Airstrikes left of the attacker and of the defender."""

    attacker: int
    defender: int


@dataclass(frozen=True)
class Fight:
    """Air superiority over one Available Box, solved."""

    first: str
    began: Sky
    left: Mapping[Sky, Fraction]
    fires: Mapping[str, Odds]
    """The fire of each side with all that it began with."""

    def lost(self, side: str) -> dict[int, Fraction]:
        """The chance of each number of airstrikes a side loses."""
        began: int = getattr(self.began, side)
        return dict(sorted(gather(self.left, lambda sky: began - int(getattr(sky, side))).items()))


def superiority(game: Game, attacker: str, defender: str, began: Sky, special_command: bool = False) -> Fight:
    """Both fires (19.1 to 19.4): the West first, but for an East Bloc attack under a special command (19.2).

    Seven airstrikes at most attack, and seven fire back; losses come from all that are in the box.
    """
    sides = {"attacker": nation_of(game, attacker), "defender": nation_of(game, defender)}
    attacker, defender = sides.values()
    if game.nations[attacker].side == game.nations[defender].side:
        raise BadQuestion("both are of one side")
    limit = game.tables["air_stacking"]
    most = max(int(limit.cell(row, limit.named_column("superiority")).code) for row in limit.cells)
    east_first = special_command and game.nations[attacker].side == "east"
    west = next(role for role, nation in sides.items() if game.nations[nation].side == "west")
    if began.attacker > most:
        raise Refusal(f"{most} airstrikes at most attack at once", "19.1")
    order = ("attacker", "defender") if east_first or west == "attacker" else ("defender", "attacker")
    def fire(role: str, own: int) -> Odds:
        strikes = [_strike(game, sides[role])] * min(own, most)
        return odds(game, "air_superiority", {"attackers": strikes}, {"role": role, "special_command": special_command})

    states = {began: Fraction(1)}
    for role in order:
        after: dict[Sky, Fraction] = {}
        for sky, chance in states.items():
            own, other = getattr(sky, role), "defender" if role == "attacker" else "attacker"
            if not own or not getattr(sky, other):
                after[sky] = after.get(sky, Fraction(0)) + chance
                continue
            for code, share in fire(role, own).chances.items():
                effects = game.tables["air"].results[code].effects
                hits = min(int(effects.get("hits", "0")), getattr(sky, other))
                flak = int(effects.get("own_airstrikes", "0"))
                next_ = sky._replace(**{other: getattr(sky, other) - hits, role: own - flak})
                after[next_] = after.get(next_, Fraction(0)) + chance * share
        states = after
    return Fight(order[0], began, states, {role: fire(role, getattr(began, role)) for role in order})


def _strike(game: Game, nation: str) -> Fields:
    found = next((u for u in game.units.values() if u.nation == nation and u.class_ == "airstrike"), None)
    if found is None:
        raise BadQuestion(f"{nation} has no airstrikes")
    return unit_fields(game, found)


def bombardment(
    game: Game, units: Sequence[Fields], inputs: Mapping[str, Scalar]
) -> tuple[dict[int, Fraction], Fraction, Odds]:
    """How many ground units lose a step (19.6), the chance that a bombarding airstrike is lost (20.4), and the fire."""
    answer = odds(game, "bombardment", {"attackers": units}, inputs)
    if answer.refused:
        raise refusal(answer.refused)
    results = game.tables["air"].results
    hits = gather(answer.chances, lambda code: int(results[code].effects.get("hits", "0")))
    flying = any(unit["class"] == "airstrike" for unit in units)
    lost = sum((c for code, c in answer.chances.items() if "own_airstrikes" in results[code].effects), Fraction(0))
    return dict(sorted(hits.items())), lost if flying else Fraction(0), answer


# --- the question -----------------------------------------------------------------------------------------------------

ROLES = ("attacker", "defender")
MISSIONS = ("superiority", "bombardment")
INPUTS = ("terrain", "special_command", "enemy_flak")


def _air(game: Game, told: Told) -> Answer:
    guess = "bombardment" if "units" in told else "superiority" if "attacker" in told else ""
    mission = told.get("mission", guess)
    if not mission:
        raise BadQuestion("say which mission: mission=superiority or mission=bombardment")
    nodes = _superiority(game, told) if mission == "superiority" else _bombardment(game, told)
    return Answer("air", game.id, [Value("mission", mission, shown=False), *nodes])


def _superiority(game: Game, told: Told) -> list[Node]:
    whose = {role: _flying(told, role) for role in ROLES}
    special = told.get("special_command", False)
    check_special(game, nation_of(game, whose["attacker"][0]), special)
    names, counts = zip(*whose.values(), strict=True)
    fight = superiority(game, names[0], names[1], Sky(*counts), special)
    sides = [
        Section([
            Value("role", role, shown=False), Value("nation", whose[role][0], shown=False),
            Value("airstrikes", whose[role][1], "Airstrikes"),
            *_fire(fight.fires[role]), chances_of("airstrikes_lost", fight.lost(role), "Airstrikes lost"),
        ], f"the {role}, {called(game, whose[role][0])}")
        for role in ROLES
    ]  # fmt: skip
    first = Value("first_fire", fight.first, "Fires first, the other with what is left", "19.2")
    return [first, Several("sides", sides), Ours(ours(game, tables=["air"]))]


def _flying(told: Told, role: str) -> tuple[str, int]:
    """A contingent and how many airstrikes it has."""
    if len(told.get(role, ())) != 1:
        raise BadQuestion(f"superiority needs one {role} with its airstrikes: {role}={'israel:3' if role == 'attacker' else 'egypt:2'}")
    ((nation, count),) = told[role].items()
    return nation, int(count)


def _fire(answer: Odds) -> list[Node]:
    """A column with its shifts."""
    columns = [Column("text", "modifier"), Column("change", "change", told=False), Column("rule", "rule")]
    rows = [{**one._asdict(), "change": signed(one.amount)} for one in answer.applied]
    column, shift = Value("column", answer.column, "Column"), Value("shift", answer.shift, shown=False)
    return [column, shift, Table("applied", columns, rows, heads=False)]


def _bombardment(game: Game, told: Told) -> list[Node]:
    inputs: dict[str, Scalar] = {key: told[key] for key in INPUTS if key in told}
    units = fields_of(game, "bombardment", "attackers", told.get("units", ()))
    if not units:
        raise BadQuestion("say what bombards: units=2*airstrike_israel")
    field = asked_field(game, told) if on_a_map(told) else None
    ground = field or empty_field(game)
    hex = asked_hex(ground.kinds, told, "hex")
    targets = fields_of(game, "ground_fire", "firer", told.get("targets", ()))
    if hex is not None:
        mapped, units = _aimed(ground, hex, units)
        inputs = {**mapped, **inputs}
        if field is not None:
            targets = targets or standing_in(field, hex, {unit["side"] for unit in units})
    check_special(game, str(units[0]["nation"]), inputs.get("special_command") is True)
    hits, flak, answer = bombardment(game, units, inputs)
    nodes = _fire(answer)
    if targets:
        whole_ = sum(fighter(game, unit).steps > 1 for unit in targets)
        hits = gather(hits, lambda count: min(count, len(targets)))
        gone = gather(hits, lambda count: max(0, count - whole_))
        nodes.append(chances_of("eliminations", gone, "Units eliminated, the whole ones hit first"))
    nodes.append(chances_of("steps_lost", hits, "Units that lose a step"))
    nodes.append(Value("airstrike_lost", Chance(flak), "An airstrike is lost"))
    strikes = [(game.units[str(unit["id"])], "strike") for unit in units]
    terrain = inputs.get("terrain")
    return [*nodes, Ours(ours(game, strikes, ["air"], [("terrain", str(terrain), "shift")] if terrain else []))]


def _aimed(field: Field, hex: int, units: list[Fields]) -> tuple[dict[str, Scalar], list[Fields]]:
    """What the map tells of a bombardment: terrain, flak, and how far gunfire and rockets have to reach (20.3, 24.1)."""
    kinds, side = field.kinds, str(units[0]["side"])
    if not may_attack(field, str(units[0]["id"]), hex):
        raise Refusal(f"{units[0]['name']} can't attack into {kinds.name(hex)}", "28.1")
    coast = [kinds.number[spot] for spot in kinds.regions["mediterranean_coast"]]
    spotters = [s.at for s in field.standings if s.unit.nation == "ussr" and s.unit.class_ == "mechanized"]
    if any(unit["class"] == "rocket" for unit in units) and field.standings and not spotters:
        raise Refusal("no Soviet mechanized unit is on the map to fire rockets by", "20.3")
    reach = {"gunfire": coast, "rocket": spotters}
    aimed = []
    for unit in units:
        near = [kinds.distance(hex, at) for at in reach.get(str(unit["class"]), ())]
        aimed.append({**unit, "distance": Fraction(min(near))} if near else unit)
    other = next(enemy for enemy in field.game.sides if enemy != side)
    return {"terrain": kinds.terrain(kinds.places[hex]), "enemy_flak": flak_near(field, hex, other)}, aimed


def _contingent(role: str, about: str, example: str) -> Input:
    return Input(
        name=role, about=f"superiority: {about}", kind="pairs", of="nation", rows="contingents", alone="1", least=1, most=60,
        example=example,
    )  # fmt: skip


AIR = Question(
    name="air", about="air superiority or a bombardment", answer=_air, bare=("mission",),
    inputs=(
        Input(name="mission", about="which mission", kind="choice", choices=MISSIONS),
        _contingent("attacker", "the contingent that attacks and its airstrikes", "israel:3"),
        _contingent("defender", "the contingent attacked and its airstrikes", "egypt:2"),
        Input(name="special_command", about="the impulse is a special command", kind="flag"),
        Input(name="units", about="bombardment: airstrikes, gunfire, rockets", kind="units",
              example="3*airstrike_britain,gunfire_britain:distance=1"),
        Input(name="terrain", about="bombardment: the terrain of the hex", kind="choice", of="terrain"),
        Input(name="enemy_flak", about="bombardment: an enemy AAA unit is in or next to the hex", kind="flag"),
        Input(name="targets", about="bombardment: the ground units in the hex", kind="units"),
        Input(name="hex", about="bombardment: the hex, for terrain and reach; with a position also flak, rockets, targets", kind="place",
              aliases=("at",)),
        *MAP,
    ),
)  # fmt: skip



# --- drops by parachute -----------------------------------------------------------------------------------------------


def landing_hazard(game: Game, contested: bool) -> Fraction:
    """The chance that a unit is disrupted as it lands (29.6)."""
    table = game.tables["paradrop"]
    column = table.named_column("contested" if contested else "quiet")
    return table.distribution(column).get("D", Fraction(0))


def _paradrop(game: Game, told: Told) -> Answer:
    field, unit, standing = asked_anywhere(game, told)
    drop, name = arrivals(field, unit, standing)["paradrop"], label(game, unit)
    if drop.refused is not None:
        raise Refusal(f"{name} can't drop: {drop.refused.text}", drop.refused.rule)
    target = asked_hex(field.kinds, told, "to")
    if target is not None and target not in drop.places + drop.assault:
        raise Refusal(f"{name} can't land in {field.kinds.name(target)}", "8.3, 10.3, 12.0, 28.1")
    enemy = target in drop.assault
    other = next(side for side in game.sides if side != unit.side)
    flak = target is not None and flak_near(field, target, other)
    contested = told.get("contested", enemy or flak)
    chance, none = landing_hazard(game, contested), Fraction(0)
    lost = (standing or field.as_if(Piece(unit.id, "", unit.nation, field.kinds.places[0]))).steps < 2
    lost = lost or told.get("disrupted") is True
    who = counter(game, unit)
    nodes: list[Node] = [
        Line((who, " lands", *((" in ", place(field.kinds, target)) if target is not None else ()))), Value("unit", who, shown=False),
        Value("to", place(field.kinds, target) if target is not None else None, shown=False), Value("contested", contested, "Contested"),
        Value("disrupted", Chance(none if lost else chance), "Disrupted as it lands", "29.6", shown=not lost),
        Value("eliminated", Chance(chance if lost else none), "Lost as it lands, for it has no step to lose", "29.6", shown=lost),
    ]  # fmt: skip
    nodes += [Line("an enemy is in the hex: a direct assault, it must clear it or is lost", "29.5")] * enemy
    nodes += [Line("an enemy AAA unit is next to it", "29.6")] * flak
    return Answer("paradrop", game.id, nodes)


PARADROP = Question(
    name="paradrop", about="the hazards of a drop", answer=_paradrop, bare=("unit", "to"),
    inputs=(
        *PLACED, Input(name="to", about="the hex it lands in", kind="place"),
        Input(name="contested", about="an enemy is there, or AAA next to it", kind="flag"),
    ),
)  # fmt: skip
