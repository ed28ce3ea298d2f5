"""Air superiority, bombardment and drops by parachute, exactly (10.2, 19.0, 20.0, 24.3, 29.5, 29.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from assistant.assumptions import assume_inputs
from assistant.attack import AttackValue as Scalar
from assistant.attack import Fields, Odds, odds, refusal, unit_fields
from assistant.attack_nodes import format_signed
from assistant.chances import chain, gather
from assistant.engine.field import Field
from assistant.engine.movement.entry import arrivals, refusal_of
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_anywhere, asked_field, on_a_map
from assistant.engine.questions import FROM
from assistant.games.musketeer.questions import asked_hex, contingent, counter, empty_field, flak_near, label, nation_of
from assistant.odds import fields_of
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Chance,
    Node,
    Refusal,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    chances_of,
)
from assistant.questions.question import ON_ANY_MAP, Input, Inputs, Question
from assistant.unofficial import unofficial_addresses
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.model.position import Piece

ATTACK, GROUP = "ground_fire", "firer"
ATTACKER, DEFENDER = ROLES = ("attacker", "defender")
MISSIONS = ("superiority", "bombardment")
INPUTS = ("terrain", "special_command", "enemy_flak")


def _air(game: Game, told: Inputs) -> Answer:
    guess = "bombardment" if "units" in told else "superiority" if "attacker" in told else ""
    mission = told.get("mission", guess)
    if not mission:
        raise BadQuestion("say which mission: mission=superiority or mission=bombardment")
    nodes = _superiority(game, told) if mission == "superiority" else _bombardment(game, told)
    return Answer("air", game.id, [Value("mission", mission, for_people=False), *nodes])


def _fired(game: Game, attack: str, units: list[Fields], inputs: Mapping[str, Scalar]) -> Odds:
    """An allowed fire on the air table."""
    answer = odds(game, attack, {"attackers": units}, inputs)
    if answer.violations:
        raise refusal(answer.violations)
    return answer


def _fire(answer: Odds) -> list[Node]:
    """A column with its shifts."""
    columns = [
        TableColumn("text", "modifier"),
        TableColumn("change", "change", for_programs=False),
        TableColumn("rule", "rule"),
    ]
    rows = [{**one._asdict(), "change": format_signed(one.amount)} for one in answer.modifiers]
    column, shift = Value("column", answer.column, "Column"), Value("shift", answer.shift, for_people=False)
    return [column, shift, RowTable("applied", columns, rows, heads=False)]


# --- superiority over one Available Box -------------------------------------------------------------------------------


class Sky(NamedTuple):
    """Airstrikes left of the attacker and of the defender."""

    attacker: int
    defender: int


def _superiority(game: Game, told: Inputs) -> list[Node]:
    """Both fires (19.1 to 19.4): the West first, but for an East Bloc attack under a special command (19.2). Seven airstrikes at most
    attack, and seven fire back; losses come from all that are in the box."""
    whose = {role: _flying(told, role) for role in ROLES}
    special, nations = (
        told.get("special_command", False),
        {role: nation_of(game, name) for role, (name, _) in whose.items()},
    )
    sides = {role: game.nations[nation].side for role, nation in nations.items()}
    began, limits = Sky(*(count for _, count in whose.values())), game.tables["air_stacking"]
    most = max(int(limits.looked_up(row, "superiority")) for row in limits.cells)
    if sides[ATTACKER] == sides[DEFENDER]:
        raise BadQuestion("both are of one side")
    for name, count in whose.values():
        strikes = [unit for unit in game.units.values() if unit.class_ == "airstrike"]
        counters = sum(unit.count for unit in strikes if name in (unit.nation, contingent(game, unit.nation)))
        if count > counters:
            raise Refusal(f"{_title(game, name)} has {count_text(counters, 'airstrike')}, not {count}", "18.1")
    if began.attacker > most:
        raise Refusal(f"at most {count_text(most, 'airstrike')} may attack at once", "19.1")

    def fire(role: str, own: int) -> Odds:
        strike = next((u for u in game.units.values() if u.nation == nations[role] and u.class_ == "airstrike"), None)
        if strike is None:
            raise BadQuestion(f"{nations[role]} has no airstrikes")
        return _fired(
            game,
            "air_superiority",
            [unit_fields(game, strike)] * min(own, most),
            {"role": role, "special_command": special},
        )

    fires = {role: fire(role, getattr(began, role)) for role in ROLES}
    order = ROLES if special or sides[ATTACKER] == "west" else ROLES[::-1]

    def fought(sky: Sky, role: str) -> dict[Sky, Fraction]:
        other = ROLES[role == ATTACKER]
        own, enemies, results = getattr(sky, role), getattr(sky, other), game.tables["air"].results

        def after(code: str) -> Sky:
            hits, flak = (int(results[code].effects.get(effect, "0")) for effect in ("hits", "own_airstrikes"))
            return sky._replace(**{other: max(0, enemies - hits), role: own - flak})

        return gather(fire(role, own).chances, after) if own and enemies else {sky: Fraction(1)}

    left = chain(chain({began: Fraction(1)}, lambda sky: fought(sky, order[0])), lambda sky: fought(sky, order[1]))
    sections = []
    for role, (name, count) in whose.items():
        lost = gather(left, lambda sky: count - int(getattr(sky, role)))  # noqa: B023
        sections.append(
            Section(
                [
                    Value("role", role, for_people=False),
                    Value("nation", name, for_people=False),
                    Value("airstrikes", count, "Airstrikes"),
                    *_fire(fires[role]),
                    chances_of("airstrikes_lost", dict(sorted(lost.items())), "Airstrikes lost"),
                ],
                f"the {role}, {_title(game, name)}",
            )
        )
    first = Value("first_fire", order[0], "Fires first, the other with what is left", "19.2")
    return [first, Sections("sides", sections), Unofficial(unofficial_addresses(game, tables=["air"]))]


def _title(game: Game, name: str) -> str:
    """A nation or a contingent by its name."""
    return game.nations[name].name if name in game.nations else game.tables["contingents"].labels[name]


def _flying(told: Inputs, role: str) -> tuple[str, int]:
    """A contingent and how many airstrikes it has."""
    if len(told.get(role, ())) != 1:
        raise BadQuestion(
            f"superiority needs one {role} with its airstrikes: {role}={'israel:3' if role == ATTACKER else 'egypt:2'}"
        )
    ((nation, count),) = told[role].items()
    return nation, int(count)


# --- bombardment ------------------------------------------------------------------------------------------------------


def _bombardment(game: Game, told: Inputs) -> list[Node]:
    """How many ground units lose a step (19.6), the chance that a bombarding airstrike is lost (20.4), and the fire."""
    inputs: dict[str, Scalar] = {key: told[key] for key in INPUTS if key in told}
    units = fields_of(game, "bombardment", "attackers", told.get("units", ()))
    if not units:
        raise BadQuestion("say what bombards: units=2*airstrike_israel")
    field = asked_field(game, told) if on_a_map(told) else None
    hex = asked_hex(field or empty_field(game), told, "hex")
    targets = fields_of(game, ATTACK, GROUP, told.get("targets", ()))
    if hex is not None:
        mapped, units = _aimed(field or empty_field(game), hex, units)
        inputs = {**mapped, **inputs}
        if field is not None:
            targets = targets or standing_in(field, hex, {unit["side"] for unit in units})
            if not targets:
                raise Refusal(f"no enemy unit stands in {field.map_index.name(hex)}", "19.5")
    friends = [label(game, game.units[str(unit["id"])]) for unit in targets if unit["side"] == units[0]["side"]]
    if friends:
        raise Refusal(f"only enemies are bombarded, and {', '.join(friends)} is of the same side", "19.5")
    assume_inputs(told, game.attacks["bombardment"].inputs, inputs)
    answer, results = _fired(game, "bombardment", units, inputs), game.tables["air"].results
    hits = gather(answer.chances, lambda code: int(results[code].effects.get("hits", "0")))
    flown = any(unit["class"] == "airstrike" for unit in units)
    flak = gather(answer.chances, lambda code: flown and "own_airstrikes" in results[code].effects).get(
        True, Fraction(0)
    )
    nodes = _fire(answer)
    if targets:
        whole_ = sum(_is_whole(game, unit) for unit in targets)
        hits = gather(hits, lambda count: min(count, len(targets)))
        gone = gather(hits, lambda count: max(0, count - whole_))
        nodes.append(
            chances_of("eliminations", dict(sorted(gone.items())), "Units eliminated, the whole ones hit first")
        )
    nodes.append(chances_of("steps_lost", dict(sorted(hits.items())), "Units that lose a step"))
    nodes.append(Value("airstrike_lost", Chance(flak), "An airstrike is lost"))
    strikes = [(game.units[str(unit["id"])], "strike") for unit in units]
    terrain = inputs.get("terrain")
    return [
        *nodes,
        Unofficial(
            unofficial_addresses(game, strikes, ["air"], [("terrain", str(terrain), "shift")] if terrain else [])
        ),
    ]


def _aimed(field: Field, hex: int, units: list[Fields]) -> tuple[dict[str, Scalar], list[Fields]]:
    """What the map tells of a bombardment: terrain, flak, and how far gunfire and rockets have to reach (20.3, 24.1)."""
    kinds, side = field.map_index, str(units[0]["side"])
    if not may_attack(field, str(units[0]["id"]), hex):
        raise Refusal(f"Israeli airstrikes can't attack into {kinds.name(hex)}", "28.1")
    coast = [kinds.number[spot] for spot in kinds.regions["mediterranean_coast"]]
    spotters = [s.place for s in field.placed_units if s.counter.nation == "ussr" and s.counter.class_ == "mechanized"]
    if any(unit["class"] == "rocket" for unit in units) and field.placed_units and not spotters:
        raise Refusal("no Soviet mechanized unit is on the map to fire rockets by", "20.3")
    reach = {"gunfire": coast, "rocket": spotters}
    aimed = []
    for unit in units:
        near = [kinds.distance(hex, at) for at in reach.get(str(unit["class"]), ())]
        aimed.append({**unit, "distance": Fraction(min(near))} if near else unit)
    flak = any(flak_near(field, hex, enemy) for enemy in field.game.sides if enemy != side)
    return {"terrain": kinds.terrain(kinds.places[hex]), "enemy_flak": flak}, aimed


def may_attack(field: Field, unit: str, hex: int) -> bool:
    """Whether politics let a unit into a hex, by the value of the pack's rules (28.1)."""
    off_limits = field.program.values["off_limits"]
    return field.ask(off_limits, field.off_map(field.game.units[unit]), to=hex) is not True


def standing_in(field: Field, n: int, attackers: set[object]) -> list[Fields]:
    """The enemies of the attackers in a hex."""
    return [unit.fields for unit in field.by_place.get(n, ()) if unit.side not in attackers]


def _is_whole(game: Game, fields: Fields) -> bool:
    """Whether a ground unit has a step to lose before it is eliminated (15.3)."""
    unit = game.units[str(fields["id"])]
    return unit.back is not None and fields.get(unit.back_state) is not True


def _contingent(role: str, about: str, example: str) -> Input:
    return Input(
        name=role,
        about=f"superiority: {about}",
        kind="pairs",
        vocabulary="nation",
        rows="contingents",
        default_value="1",
        minimum=1,
        maximum=60,
        example=example,
    )


AIR = Question(
    name="air",
    on_map=on_a_map,
    about="air superiority or a bombardment",
    answer=_air,
    positional=("mission",),
    inputs=(
        Input(name="mission", about="which mission", kind="choice", choices=MISSIONS),
        _contingent(ATTACKER, "the contingent that attacks and its airstrikes", "israel:3"),
        _contingent(DEFENDER, "the contingent attacked and its airstrikes", "egypt:2"),
        Input(name="special_command", about="the impulse is a special command", kind="flag"),
        Input(
            name="units",
            about="bombardment: airstrikes, gunfire, rockets",
            kind="units",
            example="3*airstrike_britain,gunfire_britain:distance=1",
        ),
        Input(name="terrain", about="bombardment: the terrain of the hex", kind="choice", vocabulary="terrain"),
        Input(name="enemy_flak", about="bombardment: an enemy AAA unit is in or next to the hex", kind="flag"),
        Input(name="targets", about="bombardment: the ground units in the hex", kind="units"),
        Input(
            name="hex",
            about="bombardment: the hex, for terrain and reach; with a position also flak, rockets, targets",
            kind="place",
            aliases=("at",),
        ),
        *ON_ANY_MAP,
    ),
)


# --- drops by parachute -----------------------------------------------------------------------------------------------


def _paradrop(game: Game, told: Inputs) -> Answer:
    field, unit, standing = asked_anywhere(game, told)
    drop, name = arrivals(field, unit, standing)["paradrop"], label(game, unit)
    target = asked_hex(field, told, "to")
    if drop.refusal is not None or (target is not None and target not in drop.places + drop.assault):
        walker = field.mover(standing) if standing is not None else field.off_map(unit)
        why, rule = refusal_of(field, walker, drop, target)
        lands = f"land in {field.map_index.name(target)}" if target is not None and drop.refusal is None else "drop"
        raise Refusal(f"{name} can't {lands}: {why}", rule)
    enemy, off_map = target in drop.assault, Piece(unit.id, "", unit.nation, field.map_index.places[0])
    flak = target is not None and any(flak_near(field, target, side) for side in game.sides if side != unit.side)
    return Answer(
        "paradrop", game.id, list(_landed(field, told, standing or field.as_if(off_map), target, enemy, flak))
    )


def _landed(
    field: Field, told: Inputs, standing: PlacedUnit, target: int | None, enemy: bool, flak: bool
) -> Iterator[Node]:
    """The chance that a unit is disrupted as it lands, or lost if it has no step to lose (29.6)."""
    game, contested, table = field.game, told.get("contested", enemy or flak), field.game.tables["paradrop"]
    chance, none = (
        table.distribution(table.named_column("contested" if contested else "quiet")).get("D", Fraction(0)),
        Fraction(0),
    )
    lost = standing.steps < 2 or told.get("disrupted") is True
    who, to = counter(game, standing.counter), field.place(target) if target is not None else None
    yield Sentence((who, " lands", *((" in ", to) if to is not None else ())))
    yield Value("unit", who, for_people=False)
    yield Value("to", to, for_people=False)
    yield Value("contested", contested, "Contested")
    yield Value("disrupted", Chance(none if lost else chance), "Disrupted as it lands", "29.6", for_people=not lost)
    yield Value(
        "eliminated",
        Chance(chance if lost else none),
        "Lost as it lands, for it has no step to lose",
        "29.6",
        for_people=lost,
    )
    if enemy:
        yield Sentence("an enemy is in the hex: a direct assault, it must clear it or is lost", "29.5")
    if flak:
        yield Sentence("an enemy AAA unit is next to it", "29.6")


PARADROP = Question(
    name="paradrop",
    about="the hazards of a drop",
    answer=_paradrop,
    positional=("unit", "to"),
    inputs=(
        Input(name="unit", about="the counter", kind="unit", required=True),
        FROM,
        Input(name="disrupted", about="it is disrupted", kind="flag"),
        *ON_ANY_MAP,
        Input(name="to", about="the hex it lands in", kind="place"),
        Input(name="contested", about="an enemy is there, or AAA next to it", kind="flag"),
    ),
)
