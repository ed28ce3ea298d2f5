"""A battle as it is told: read from words, a position or both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from assistant.answers import BadQuestion
from assistant.attacks import Fields
from assistant.games.october_war import casualties
from assistant.games.october_war.battle import first_fire
from assistant.games.october_war.blows import Scene, asked_blows, offers
from assistant.games.october_war.field import (
    at_home,
    both,
    elsewhere,
    free_ew,
    headquarters_near,
    near_headquarters,
    surprised,
)
from assistant.games.october_war.fire import Battle, firing_nation
from assistant.games.october_war.ground import Ground, bare
from assistant.games.october_war.limits import doubled_headquarters
from assistant.games.october_war.policy import DODGES, LOSSES, RETREATS, Policy
from assistant.games.october_war.questions import POINT, asked_point, declared, fighting, fought_in, sound, told_ground
from assistant.games.october_war.result import ATTACKER, DEFENDER
from assistant.games.october_war.retreat import able
from assistant.games.october_war.volley import CROSSED
from assistant.questions import ON_A_MAP, Input, Told
from assistant.shared.options import one_of
from scenarios.game import Game

SIDES = (ATTACKER, DEFENDER)
GROUND = ("terrain", "across", "bridge", "helped", "breached", "morale")
"""The inputs of the ground attack that are told of the whole battle."""


def _flag(name: str, about: str) -> Input:
    return Input(name=name, about=about, kind="flag")


def _number(name: str, about: str, least: int = 0, most: int = 99) -> Input:
    return Input(name=name, about=about, kind="number", least=least, most=most)


def _policy_inputs(side: str) -> tuple[Input, ...]:
    """What the owner of a force does where he may choose."""
    return (
        Input(name=f"{side}_losses", about=f"the {side}: who goes first", kind="choice", choices=tuple(LOSSES)),
        Input(name=f"{side}_retreats", about=f"the {side}: what a retreat result does", kind="choice", choices=tuple(RETREATS)),
        Input(name=f"{side}_dodge", about=f"the {side}: losses avoided by retreating", kind="choice", choices=tuple(DODGES)),
        Input(name=f"{side}_leave", about=f"the {side}: share of the enemy's strength below which it leaves after a round",
              kind="number", whole=False, example="1/2"),
        _flag(f"{side}_can_retreat", f"the {side}: there is a point to retreat to"),
    )  # fmt: skip


INPUTS = (
    Input(name="attackers", about="units that attack", kind="units", example="hq_143,2*armor_battalion,mech_battalion+out_of_supply"),
    Input(name="defenders", about="units that defend", kind="units"),
    Input(name="side", about="with a position: whose units in the point attack", kind="choice", of="side"),
    replace(POINT, about="the point of the battle: its terrain, and with a position who is there"),
    Input(name="terrain", about="the kind of point, if no point is named", kind="choice", of="terrain"),
    *CROSSED,
    _flag("landed", "the airmobile attackers landed by air this turn: none of them is out of supply"),
    _number("attacker_hq", "value of the attacker's best headquarters next to the point", most=9),
    _number("defender_hq", "value of the defender's best headquarters next to the point", most=9),
    _number("attacker_shift", "columns besides for the attacker's fire: 1 to the right, -1 to the left", -19, 19),
    _number("defender_shift", "columns besides for the defender's", -19, 19),
    _flag("ew_attacker", "the attacker plays an EW marker"),
    _flag("ew_defender", "the defender answers with one"),
    _flag("surprise", "the attacker fires first by 6.3"),
    Input(name="contingent", about="the nation that fires in a mixed Arab attack", kind="choice", of="nation"),
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
    *casualties.CASUALTIES,
    _flag("what_if", "also what one thing more or less would change"),
    *ON_A_MAP,
)


def told_battle(game: Game, told: Told) -> Battle:
    """The battle that was told."""
    here = told_ground(game, told)
    point = asked_point(game, here, told)
    inputs = declared(game, "ground", told, GROUND)
    if point and "terrain" not in inputs:
        inputs["terrain"] = fought_in(here or bare(game), point)
    attackers, defenders = _forces(game, told, here, point)
    if told.get("landed"):  # 23.4
        attackers = [{**one, "out_of_supply": False} if one["airmobile"] or one["airborne"] else one for one in attackers]
    sides = [str(units[0]["side"]) for units in (attackers, defenders)]
    near: list[dict[str, int]] = [{}, {}]
    for place, name in enumerate(SIDES):
        if f"{name}_hq" in told:
            near[place] = {"": int(told[f"{name}_hq"])}
        elif here is not None and point:
            near[place] = dict(near_headquarters(here, point, sides[place]))
    ground_told: Fields = {key: inputs[key] for key in ("terrain", "breached") if key in inputs}
    home = at_home(here or bare(game), point) if point else int(inputs.get("terrain") == "city")
    scene = Scene(game, here, point, attackers, defenders, ground_told, home)
    shifts = [int(told.get(f"{name}_shift", 0)) for name in SIDES]
    contingent = told.get("contingent", "")
    if contingent:
        one_of(contingent, sorted({str(unit["nation"]) for unit in attackers}), "contingent")
    caught = here is not None and bool(point) and surprised(here, point, firing_nation(attackers, contingent))
    policies = (_policy(told, ATTACKER, here, point, attackers), _policy(told, DEFENDER, here, point, defenders))
    return Battle(
        game,
        attackers,
        defenders,
        inputs,
        first=first_fire(bool(told.get("ew_attacker")), bool(told.get("ew_defender")), bool(told.get("surprise", caught))),
        near=(near[0], near[1]),
        policies=policies,
        advisers=headquarters_near(here, point) if here is not None and point else (),
        contingent=contingent,
        blows=asked_blows(scene, told),
        offers=offers(scene, told) if told.get("what_if") else (),
        elsewhere=elsewhere(here, point) if here is not None and point else {},
        shifts=(shifts[0], shifts[1]),
        at_home=home,
        notes=(*(f"the {name} fires {one:+d} columns, as told" for name, one in zip(SIDES, shifts, strict=True) if one),
               *_noted(game, policies, sides, free_ew(here, point) if here is not None and point else "")),
        casualties=_casualties(told, here, point),
        golan=bool(point) and point in (here or bare(game)).map.in_area("golan"),
    )


def _casualties(told: Told, here: Ground | None, point: str) -> Mapping[str, int]:
    """The casualty points so far, if any are known; the point tells on which track Arab losses go (7.3)."""
    known = casualties.asked_casualties(told, here.position if here is not None else None)
    if not point and set(known.unknown) != set(casualties.TRACKS):
        raise BadQuestion("Arab losses count for the Sinai or for the Golan (7.3): say where, point=POINT")
    return known.points if set(known.unknown) != set(casualties.TRACKS) else {}


def _forces(game: Game, told: Told, here: Ground | None, point: str) -> tuple[list[Fields], list[Fields]]:
    forces = [fighting(game, told.get(side, ())) for side in ("attackers", "defenders")]
    if not all(forces) and here is not None and point:
        side = told.get("side", "")
        if not side:
            raise BadQuestion(f"say whose units attack: side={' or side='.join(game.sides)}")
        found = both(here, point, side)
        forces = [forces[0] or found[0], forces[1] or found[1]]
    for name, listed in zip(("attackers", "defenders"), forces, strict=True):
        if not listed:
            raise BadQuestion(f"say who the {name} are: {name}=UNIT,UNIT; or position=FILE point=POINT side=SIDE")
        size = doubled_headquarters(game.units[str(unit["id"])] for unit in listed)
        if size:
            raise BadQuestion(f"the {name} have two headquarters of one size ({size}) in one point (12.1, 17.4)")
        for unit in listed:
            sound(game, unit)
    return forces[0], forces[1]


def _policy(told: Told, name: str, here: Ground | None, point: str, units: list[Fields]) -> Policy:
    """What the owner does as told, and who can retreat: as told, or as a position shows it (16.4)."""
    can = able(here, point, units) if here is not None and point and f"{name}_can_retreat" not in told else {}
    held = here is not None and bool(point) and here.holds(str(units[0]["side"]), point)
    return Policy(
        told.get(f"{name}_losses", "weakest"),
        told.get(f"{name}_retreats", "obey"),
        told.get(f"{name}_dodge", "never"),
        told.get(f"{name}_leave", Fraction(0)),
        told.get(f"{name}_can_retreat", any(can.values()) or not held),
        frozenset(unit for unit, goes in can.items() if not goes) if any(can.values()) else frozenset(),
    )


def _noted(game: Game, policies: Iterable[Policy], sides: list[str], ew: str) -> Iterator[str]:
    """What a player may forget in this place: the EW marker of the listening post (23.1), who can't retreat (16.4)."""
    for name, side, policy in zip(SIDES, sides, policies, strict=True):
        if side == ew:
            yield f"the signals unit gives the {name} a free EW marker here, once a turn (23.1): ew_{name}=yes"
        if policy.stuck:
            names = ", ".join(dict.fromkeys(game.units[unit].name for unit in sorted(policy.stuck)))
            yield (
                f"{names} can't retreat (16.4): when the others of the {name} have to, it stays; "
                "and while it is there, nobody of them goes by choice (16.3)"
            )
