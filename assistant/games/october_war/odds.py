"""A whole battle: who holds the point, and what it costs; read from words, a position or both (15.0, 16.0)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from assistant.assumptions import assume, assume_inputs, turn_or
from assistant.attack import Fields
from assistant.chances import mean
from assistant.engine.battle.results import results_table
from assistant.engine.field import Field
from assistant.engine.question_field import on_a_map
from assistant.engine.scoring import Tally
from assistant.engine.victory import missing_needs
from assistant.games.october_war.battle import Result, Solver
from assistant.games.october_war.combat import Battle, Volley, firing_nation
from assistant.games.october_war.fire import CROSSED, Scene
from assistant.games.october_war.forces import (
    ATTACKER,
    DEFENDER,
    DODGES,
    GROUND,
    LOSSES,
    RETREATS,
    ROLES,
    Army,
    Policy,
    able,
    at_home,
    effects_at,
    fighters,
    near,
    near_headquarters,
    within,
)
from assistant.games.october_war.questions import ENEMY, POINT, asked_ground, declared, fighting, sound, start_field
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    Node,
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
from assistant.questions.references import UnitRef
from assistant.unofficial import modifier_sources, unofficial_addresses
from scenarios.model.game import Game
from scenarios.reading.findings import suggest

# --- as it is told ----------------------------------------------------------------------------------------------------


TRACKS = ("israeli", "egyptian", "syrian")
"""The inputs of the pack's rules for casualty points, each with its track (7.1)."""
OF_THE_BATTLE = ("terrain", "across", "bridge", "helped", "breached", "morale")
"""The inputs of the ground attack that are told of the whole battle."""


def _flag(name: str, about: str) -> Input:
    return Input(name=name, about=about, kind="flag")


def _number(name: str, about: str, least: int = 0, most: int = 99) -> Input:
    return Input(name=name, about=about, kind="number", minimum=least, maximum=most)


def _policy_inputs(side: str) -> tuple[Input, ...]:
    """What the owner of a force does where he may choose."""
    return (
        Input(name=f"{side}_losses", about=f"the {side}: who goes first", kind="choice", choices=tuple(LOSSES)),
        Input(
            name=f"{side}_retreats",
            about=f"the {side}: what a retreat result does",
            kind="choice",
            choices=tuple(RETREATS),
        ),
        Input(
            name=f"{side}_dodge",
            about=f"the {side}: losses avoided by retreating",
            kind="choice",
            choices=tuple(DODGES),
        ),
        Input(
            name=f"{side}_leave",
            about=f"the {side}: share of the enemy's strength below which it leaves after a round",
            kind="number",
            integer=False,
            example="1/2",
        ),
        _flag(f"{side}_can_retreat", f"the {side}: there is a point to retreat to"),
    )


INPUTS = (
    Input(
        name="attackers",
        about="units that attack",
        kind="units",
        example="hq_143,2*armor_battalion,mech_battalion+out_of_supply",
    ),
    Input(name="defenders", about="units that defend", kind="units"),
    Input(name="side", about="with a position: whose units in the point attack", kind="choice", vocabulary="side"),
    replace(POINT, about="the point of the battle: its terrain, and with a position who is there"),
    Input(name="terrain", about="the kind of point, if no point is named", kind="choice", vocabulary="terrain"),
    *CROSSED,
    _flag("landed", "the airmobile attackers landed by air this turn: none of them is out of supply"),
    _number("attacker_hq", "value of the attacker's best headquarters next to the point", most=9),
    _number("defender_hq", "value of the defender's best headquarters next to the point", most=9),
    _number("attacker_shift", "columns besides for the attacker's fire: 1 to the right, -1 to the left", -19, 19),
    _number("defender_shift", "columns besides for the defender's", -19, 19),
    _flag("ew_attacker", "the attacker plays an EW marker"),
    _flag("ew_defender", "the defender answers with one"),
    _flag("surprise", "the attacker fires first by 6.3"),
    Input(name="contingent", about="the nation that fires in a mixed Arab attack", kind="choice", vocabulary="nation"),
    _number("tac", "TAC strikes in an air attack before the battle"),
    _number("weasels", "Wild Weasels that fly with them"),
    _number("ssm", "missile strikes with them"),
    _number("sites", "enemy SAM units that reach the point"),
    _number("sites_here", "of these, in the point itself"),
    _flag("air_ew", "an EW marker flies with them"),
    _flag("barrage", "a barrage marker fires before the battle"),
    _number("echelon", "the combat phase: in the second a barrage needs a unit in command", 1, 2),
    _flag("hermon", "on the Golan, the attacker controls Mount Hermon"),
    *_policy_inputs(ATTACKER),
    *_policy_inputs(DEFENDER),
    *(
        _number(track, f"{track} casualty points so far, where they are not those of the position's track", most=999)
        for track in TRACKS
    ),
    _flag("what_if", "also what one thing more or less would change"),
    *ON_ANY_MAP,
)


def told_battle(game: Game, told: Inputs) -> Battle:
    """The battle that was told."""
    field, point = asked_ground(game, told)
    inputs, ground = declared(game, GROUND, told, OF_THE_BATTLE, field, point), field or start_field(game)
    assume_inputs(told, game.attacks[GROUND].inputs, inputs)
    if told.get("barrage") and "echelon" not in told:
        assume(told, "echelon", 1, "the first combat phase")
    attackers, defenders = _forces(game, told, field, point)
    if told.get("landed"):  # 23.4
        attackers = [
            {**unit, "out_of_supply": False} if unit["airmobile"] or unit["airborne"] else unit for unit in attackers
        ]
    contingent, nations = told.get("contingent", ""), sorted({str(unit["nation"]) for unit in attackers})
    if contingent and contingent not in nations:
        raise BadQuestion(f"contingent: there is no {contingent!r}; {suggest(contingent, nations)}")
    sides = [str(units[0]["side"]) for units in (attackers, defenders)]
    firing = nations[0] if len(nations) == 1 else firing_nation(attackers, contingent)
    _check_first_fire(told, firing, field)
    heads: list[dict[str, int]] = [{"": int(told[f"{role}_hq"])} if f"{role}_hq" in told else {} for role in ROLES]
    advisers: tuple[str, ...] = ()
    elsewhere: dict[str, int] = {}
    surprise, ew = False, ""
    if field is not None and point is not None:
        heads = [found or near_headquarters(field, point, side) for found, side in zip(heads, sides, strict=True)]
        advisers = tuple(
            s.counter.id for s in field.placed_units if s.fields["leader"] and s.place in near(field, point)
        )
        elsewhere = dict(Counter(standing.counter.id for standing in field.placed_units if standing.place != point))
        surprise = any(effect.nation in ("", firing) for effect in effects_at(field, "first_fire", point))  # 6.3 (1)
        present = {standing.counter.id for standing in field.placed_units}
        ew = next((effect.side for effect in effects_at(field, "free_ew", point) if present & set(effect.units)), "")
    home = at_home(ground, point) if point is not None else int(inputs.get("terrain") == "city")
    known: Fields = {key: inputs[key] for key in ("terrain", "breached") if key in inputs}
    scene = Scene(game, field, point, attackers, defenders, known, home, told)
    shifts = [int(told.get(f"{role}_shift", 0)) for role in ROLES]
    policies = (_policy(told, ATTACKER, field, point, attackers), _policy(told, DEFENDER, field, point, defenders))
    # 15.2, 26.2: the defender fires first, unless the attacker's EW goes unanswered or it is 6.3 (1).
    surprised = bool(told.get("surprise", surprise)) or (bool(told.get("ew_attacker")) and not told.get("ew_defender"))
    return Battle(
        game,
        attackers,
        defenders,
        inputs,
        ROLES[not surprised],
        (heads[0], heads[1]),
        policies,
        advisers,
        contingent,
        scene.blows(),
        tuple(scene.offers()) if told.get("what_if") else (),
        (shifts[0], shifts[1]),
        elsewhere,
        (
            *(f"the {role} fires {one:+d} columns, as told" for role, one in zip(ROLES, shifts, strict=True) if one),
            *_noted(game, policies, sides, ew),
            *_one_army(game, nations, firing, sides[0]),
            *(_elsewhere(field, point, told.get("attackers", ())) if field is not None and point is not None else ()),
        ),
        home,
        _casualties(told, field, point),
        point is not None and ground.map_index.places[point] in ground.map_index.regions["golan"],
    )


def _check_first_fire(told: Inputs, firing: str, field: Field | None) -> None:
    """BadQuestion if a side is to fire first, or to answer, by a rule that isn't for it."""
    if told.get("surprise") and (firing != "syria" or (field.position.turn if field else turn_or(told, 1)) > 1):
        raise BadQuestion("surprise is for Syrians who attack on turn 1 (6.3)")
    if told.get("ew_defender") and not told.get("ew_attacker"):
        raise BadQuestion(
            "the defender plays an EW marker only in answer to the attacker's: say ew_attacker too (15.2, 26.2)"
        )


def _one_army(game: Game, nations: Sequence[str], firing: str, side: str) -> Iterator[str]:
    """Who fires of a mixed Arab attack."""
    if side == "arab" and len(nations) > 1:
        yield f"one army of a mixed Arab attack fires, here {game.nations[firing].name}; contingent=NATION for another (12.3, 22.1)"


def _elsewhere(field: Field, point: int, named: Sequence[UnitRef]) -> Iterator[str]:
    """Which of the attackers that were named stand in another point."""
    for one in named:
        places = [s.place for s in field.placed_units if s.counter.id == one.id and one.copy in ("", s.piece.copy)]
        if places and point not in places:
            name, here, there = field.game.units[one.id].name, *map(field.map_index.title, (places[0], point))
            yield f"{name} stands in {here}: this is the battle after it has moved to {there} (15.1)"


def _casualties(told: Inputs, field: Field | None, point: int | None) -> Mapping[str, int]:
    """The casualty points so far, if any are told or on a track; the point tells on which track Arab losses go (7.3)."""
    shown = {track: field.position.on_track(f"{track}_casualties") if field is not None else None for track in TRACKS}
    known = {track: told.get(track, shown[track]) for track in TRACKS}
    if all(points is None for points in known.values()):
        return {}
    if point is None:
        raise BadQuestion("Arab losses count for the Sinai or for the Golan (7.3): say where, point=POINT")
    return {track: int(points or 0) for track, points in known.items()}


def ended(game: Game, result: Result, points: Mapping[str, int], golan: bool) -> dict[str, Fraction]:
    """The chance that a battle leaves each side the winner by casualties (4.1), if nothing else happens in the turn."""
    field = start_field(game)
    lines = [line for line in field.scenario.victory if line.wins and line.event == "other"] if field.scenario else []
    arab = "syrian" if golan else "egyptian"
    tracks = {role: "israeli" if army.side == "israeli" else arab for role, army in result.armies.items()}
    found = dict.fromkeys(game.sides, Fraction(0))
    for (attacker, defender), chance in result.gathered(lambda toll: (toll.attacker, toll.defender)).items():
        after = dict(points)
        after[tracks[ATTACKER]] += attacker
        after[tracks[DEFENDER]] += defender
        then = field.telling(**after)
        for side in {line.side for line in lines if not missing_needs(Tally(then, ()), line)}:
            found[side] += chance
    return found


def _forces(game: Game, told: Inputs, field: Field | None, point: int | None) -> tuple[list[Fields], list[Fields]]:
    """Both forces: those that are named, else who is in the point (15.0)."""
    forces = [fighting(game, told.get(f"{role}s", ())) for role in ROLES]
    if not all(forces) and field is not None and point is not None:
        sides = [str(force[0]["side"]) if force else "" for force in forces]
        side = told.get("side", "") or sides[0] or ENEMY.get(sides[1], "")
        if not side:
            raise BadQuestion(f"say whose units attack: side={' or side='.join(game.sides)}")
        for place, whose in enumerate((side, ENEMY[side])):
            forces[place] = forces[place] or fighters(field, point, whose, place == 0)
            if not forces[place]:
                raise BadQuestion(
                    f"no {whose} unit is in {field.map_index.title(point)}; combat is in one point (15.1)"
                )
    for role, listed in zip(ROLES, forces, strict=True):
        if not listed:
            raise BadQuestion(f"say who the {role}s are: {role}s=UNIT,UNIT; or position=FILE point=POINT side=SIDE")
        sizes = Counter(
            unit.size for fields in listed if (unit := game.units[str(fields["id"])]).type == "headquarters"
        )
        for size in (size for size, count in sizes.items() if count > 1):
            raise BadQuestion(f"the {role}s have two headquarters of one size ({size}) in one point (12.1, 17.4)")
        for fields in listed:
            sound(game, fields)
    return forces[0], forces[1]


def _policy(told: Inputs, name: str, field: Field | None, point: int | None, units: list[Fields]) -> Policy:
    """What the owner does as told, and who can retreat: as told, or as a position shows it (16.4)."""
    shown = field is not None and point is not None
    can = able(field, point, units) if shown and f"{name}_can_retreat" not in told else {}  # type: ignore[arg-type]
    there = shown and field.is_occupied(point, str(units[0]["side"]))  # type: ignore[union-attr, arg-type]
    return Policy(
        told.get(f"{name}_losses", "weakest"),
        told.get(f"{name}_retreats", "obey"),
        told.get(f"{name}_dodge", "never"),
        told.get(f"{name}_leave", Fraction(0)),
        told.get(f"{name}_can_retreat", any(can.values()) or not there),
        frozenset(unit for unit, goes in can.items() if not goes) if any(can.values()) else frozenset(),
    )


def _noted(game: Game, policies: Iterable[Policy], sides: list[str], ew: str) -> Iterator[str]:
    """What a player may forget in this place: the EW marker of the listening post (23.1), who can't retreat (16.4)."""
    for name, side, policy in zip(ROLES, sides, policies, strict=True):
        if side == ew:
            yield f"the signals unit gives the {name} a free EW marker here, once a turn (23.1): ew_{name}=yes"
        if policy.stuck:
            names = ", ".join(dict.fromkeys(game.units[unit].name for unit in sorted(policy.stuck)))
            yield (
                f"{names} can't retreat (16.4): when the others of the {name} have to, it stays; "
                "and while it is there, nobody of them goes by choice (16.3)"
            )


# --- what one thing more or less would change -------------------------------------------------------------------------


def _variations(battle: Battle) -> Iterator[tuple[str, Battle]]:
    """One unit less or more on each side, a headquarters, an air strike, a barrage, supply, first fire, a column."""
    for side, units in ((ATTACKER, battle.attackers), (DEFENDER, battle.defenders)):
        for place in _distinct(units):
            if len(units) > 1:
                fewer = [*units[:place], *units[place + 1 :]]
                yield f"{side} without {units[place]['name']}", _with(battle, side, fewer)
    strongest = max(battle.attackers, key=lambda unit: Fraction(str(unit["strength"])))
    more = [*battle.attackers, strongest]
    game, own = battle.game, str(strongest["side"])
    over = within(game, more, lambda unit: game.units[str(unit["id"])], own, battle.at_home)[1]
    if not over and strongest["type"] != "headquarters":
        yield f"attacker with one more {strongest['name']}", _with(battle, ATTACKER, more)
    best = max(int(str(unit.factors.get("leader", 0))) for unit in game.units.values() if unit.side == own)
    led = max([*battle.near[0].values(), *(int(str(unit["leader"])) for unit in battle.attackers)], default=0)
    if led < best:
        near = {**battle.near[0], "": best}
        yield f"attacker with a headquarters of {best} next to it", replace(battle, near=(near, battle.near[1]))
    yield from _blows(battle)
    yield from _supply(battle)
    other = DEFENDER if battle.first == ATTACKER else ATTACKER
    yield f"the {other} fires first (EW)", replace(battle, first=other)
    yield "attacker one column more", replace(battle, shifts=(battle.shifts[0] + 1, battle.shifts[1]))
    yield "defender one column more", replace(battle, shifts=(battle.shifts[0], battle.shifts[1] + 1))


def _blows(battle: Battle) -> Iterator[tuple[str, Battle]]:
    """Without each blow that falls, and with each that could; aircraft come before guns (6.2 (2f))."""
    for place, blow in enumerate(battle.blows):
        yield f"without the {blow.name}", replace(battle, blows=battle.blows[:place] + battle.blows[place + 1 :])
    for text, blow in battle.offers:
        yield text, replace(battle, blows=tuple(sorted((*battle.blows, blow), key=lambda other: other.name)))


def _supply(battle: Battle) -> Iterator[tuple[str, Battle]]:
    """Who is cut off with a line (11.2), and a defender who has one without it."""
    for side, units in ((ATTACKER, battle.attackers), (DEFENDER, battle.defenders)):
        cut = any(unit["out_of_supply"] for unit in units)
        if cut or side == DEFENDER:
            changed: list[Fields] = [{**unit, "out_of_supply": not cut} for unit in units]
            yield f"{side} {'in' if cut else 'out of'} supply", _with(battle, side, changed)


def _with(battle: Battle, side: str, units: list[Fields]) -> Battle:
    return replace(battle, attackers=units) if side == ATTACKER else replace(battle, defenders=units)


def _distinct(units: Sequence[Fields]) -> list[int]:
    """The place of the first unit of each kind."""
    seen: dict[tuple[object, ...], int] = {}
    for place, unit in enumerate(units):
        key = (unit["id"], tuple(sorted(name for name, value in unit.items() if value is True)))
        seen.setdefault(key, place)
    return list(seen.values())


# --- the answer -------------------------------------------------------------------------------------------------------


ENDS = {"eliminated": "the other side is gone", "retreated": "the other side has retreated"}
VOLLEYS = [
    TableColumn("count", "units"),
    TableColumn("name", "fire"),
    TableColumn("column", "on column"),
    TableColumn("how", "because of", for_programs=False),
]
STALEMATE = "a round without a result sends the attackers back (15.3)"


def _odds(game: Game, told: Inputs) -> Answer:
    battle = told_battle(game, told)
    solver = Solver(battle)
    result = solver.result()
    more = [_what_if(solver, result)] if told.get("what_if") else []
    does, used = results_table(game, game.attacks[GROUND].table), Unofficial(_ours(game, battle, result))
    return Answer("odds", game.id, [*_opening(battle, result), *_ending(battle, result), *more, does, used])


ODDS = Question(
    name="odds",
    on_map=on_a_map,
    about="a whole battle: who holds the point, what it costs (15.0, 16.0)",
    inputs=INPUTS,
    answer=_odds,
    positional=("attackers", "defenders"),
)


# --- before and during ------------------------------------------------------------------------------------------------


def _opening(battle: Battle, result: Result) -> Iterator[Node]:
    """What falls before the ground fire, who fires first, and each unit's fire in the first round."""
    yield Sections(
        "blows",
        [
            Section([Value("name", blow.name, for_people=False), Chances("chances", blow.codes)], f"{blow.name} first")
            for blow in battle.blows
        ],
    )
    yield Value("first_fire", battle.first, "Fires first")
    yield Section([_force(result, role, army) for role, army in result.armies.items()], key="sides")
    for note in result.notes:
        yield Sentence(note)


def _force(result: Result, name: str, army: Army) -> Section:
    volleys = [volley for volley in result.volleys if volley.side == name]
    return Section(
        [
            Value("side", army.side, for_people=False),
            *(Sentence(text, key="policy") for text in army.policy.lines()),
            RowTable("volleys", VOLLEYS, [_volley(list(alike)) for _, alike in groupby(volleys, _alike)]),
            chances_of("casualty_points", result.casualties(name), "Casualty points"),
            Value("mean_casualty_points", getattr(result.weight(), name), "Casualty points, on average"),
            Value("left_in_point", {unit: str(many) for unit, many in result.left[name].items()}, for_people=False),
        ],
        f"{name} ({army.side})",
        name,
    )


def _alike(volley: Volley) -> tuple[object, ...]:
    return volley.name, volley.answer.column, tuple(volley.answer.modifiers)


def _volley(alike: list[Volley]) -> dict[str, Cell]:
    """Units that fire alike, one after the other."""
    found = alike[0].answer
    why: list[Cell] = [
        {"text": modifier.text, "rule": modifier.rule, "shift": int(modifier.amount)} for modifier in found.modifiers
    ]
    return {
        "count": len(alike),
        "name": alike[0].name,
        "column": found.column,
        "shift": found.shift,
        "applied": why,
        "how": ", ".join(
            f"{modifier.text} {int(modifier.amount):+d} ({modifier.rule})" for modifier in found.modifiers
        ),
    }


# --- afterwards -------------------------------------------------------------------------------------------------------


def _ending(battle: Battle, result: Result) -> Iterator[Node]:
    """Who holds the point and how the other side left it, the rounds, the toll, and whether it ends the game."""
    yield chances_of("holds", result.holds(), "Holds the point")
    endings: list[dict[str, Cell]] = [
        {"holder": holder, "other_side": why, "words": ENDS.get(why, STALEMATE), "chance": Chance(chance)}
        for (holder, why), chance in sorted(result.ends.items(), key=lambda item: (item[0][0], -item[1]))
    ]
    columns = [
        TableColumn("holder", "holds it"),
        TableColumn("words", "because", for_programs=False),
        TableColumn("chance", "chance"),
    ]
    yield RowTable("endings", columns, endings)
    yield chances_of("rounds", result.rounds, "Rounds")
    yield Value("mean_rounds", mean(result.rounds, lambda n: n), "Rounds, on average")
    tolls: list[dict[str, Cell]] = [
        {"holder": toll.holder, ATTACKER: toll.attacker, DEFENDER: toll.defender, "chance": str(chance)}
        for toll, chance in sorted(result.gathered(lambda toll: toll).items())
    ]
    yield RowTable("casualty_points", [TableColumn("holder")], tolls)
    found = ended(battle.game, result, battle.casualties, battle.golan) if battle.casualties else {}
    wins = {side: Chance(chance) for side, chance in found.items()}
    yield Value(
        "sudden_death", wins, "Wins the game by casualties when the turn ends", "4.1", for_people=any(found.values())
    )


def _what_if(solver: Solver, result: Result) -> RowTable:
    """What each change makes of a battle."""
    base, found = (
        result.weight(),
        ((text, Solver(other, solver).weight()) for text, other in _variations(solver.battle)),
    )
    rows: list[dict[str, Cell]] = [
        {
            "change": text,
            "attacker_holds": Chance(weight.holds),
            "better": f"{float(weight.holds - base.holds):+.1%}",
            ATTACKER: weight.attacker,
            DEFENDER: weight.defender,
        }
        for text, weight in found
    ]
    columns = [
        TableColumn("change", "what if"),
        TableColumn("attacker_holds", "attacker holds"),
        TableColumn("better", "change", for_programs=False),
        TableColumn(ATTACKER, "it loses"),
        TableColumn(DEFENDER, "defender loses"),
    ]
    return RowTable("what_if", columns, rows)


def _ours(game: Game, battle: Battle, result: Result) -> dict[str, str]:
    """What the rulebook doesn't give of what is used here: strengths, brackets, leader values, those of headquarters next
    to the point too."""
    units = [kind.unit for army in result.armies.values() for kind in army.kinds]
    near = [unit for unit in game.units.values() if unit.id in battle.advisers]
    used = [(unit, key) for unit in units for key in ("strength", "bracket", "leader") if unit.factors.get(key)]
    shifts = modifier_sources(
        game, GROUND, [modifier for volley in result.volleys for modifier in volley.answer.modifiers]
    )
    blows = [*battle.blows, *(blow for _, blow in battle.offers)]
    of_blows = {entry: word for blow in blows for entry, word in blow.unofficial.items()}
    return {
        **unofficial_addresses(game, [*used, *((unit, "leader") for unit in near)], other_sources=shifts),
        **of_blows,
    }
