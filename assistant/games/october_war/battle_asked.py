"""A battle as it is asked: its names, read from text, a position or both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from assistant.attacks import BadQuestion, Fields, Value
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
from assistant.games.october_war.ground import Ground, bare, ground
from assistant.games.october_war.limits import doubled_headquarters
from assistant.games.october_war.movement import CROSSINGS
from assistant.games.october_war.policy import DODGES, LOSSES, RETREATS, Policy
from assistant.games.october_war.result import ATTACKER, DEFENDER
from assistant.games.october_war.retreat import able
from assistant.games.october_war.spelling import listed_units, point_id
from assistant.shared.asking import Options, asked_position
from assistant.shared.options import choice, given, number, whole, word, yes
from assistant.words import read_words
from scenarios.game import Game

SIDES = (ATTACKER, DEFENDER)
MOST = 20
"""More units than the limits and exemptions of stacking let into a point (12.1, 12.5)."""
GROUND = ("terrain", "across", "bridge", "helped", "breached", "morale")
"""The inputs of the ground attack that are told of the whole battle."""
NAMES = {
    "attackers": "units that attack: hq_143,2*armor_battalion,mech_battalion+out_of_supply",
    "defenders": "units that defend",
    "position": "a position file; then side and point say who fights where",
    "scenario": "the start of a scenario, instead of a position",
    "side": "whose units in the point attack: arab or israeli",
    "point": "the point of the battle: its terrain, and with a position who is there",
    "at": "another word for point",
    "terrain": "the kind of point, if no point is named",
    "across": "water that all attackers came across: suez_canal, lake_crossing, red_sea_crossing",
    "bridge": "they came over a bridge (yes or no)",
    "helped": "an engineer helped them across (yes or no)",
    "breached": "a breach marker lies on the fort (yes or no)",
    "morale": "the Israeli Morale Check is in effect (yes or no)",
    "landed": "the airmobile attackers landed by air this turn: none of them is out of supply (yes or no)",
    "attacker_hq": "value of the attacker's best headquarters next to the point",
    "defender_hq": "value of the defender's best headquarters next to the point",
    "attacker_shift": "columns besides for the attacker's fire: 1 to the right, -1 to the left",
    "defender_shift": "columns besides for the defender's",
    "ew_attacker": "the attacker plays an EW marker (yes or no)",
    "ew_defender": "the defender answers with one (yes or no)",
    "surprise": "the attacker fires first by 6.3 (yes or no)",
    "contingent": "the nation that fires in a mixed Arab attack",
    "tac": "TAC strikes in an air attack before the battle",
    "weasels": "Wild Weasels that fly with them",
    "ssm": "missile strikes with them",
    "sites": "enemy SAM units that reach the point",
    "sites_here": "of these, in the point itself",
    "air_ew": "an EW marker flies with them (yes or no)",
    "barrage": "a barrage marker fires before the battle (yes or no)",
    "echelon": "the combat phase, 1 or 2: in the second a barrage needs a unit in command",
    "hermon": "on the Golan, the attacker controls Mount Hermon (yes or no)",
    **{
        f"{side}_{what}": f"the {side}: {text}"
        for side in SIDES
        for what, text in {
            "losses": f"who goes first: {', '.join(LOSSES)}",
            "retreats": f"what a retreat result does: {', '.join(RETREATS)}",
            "dodge": f"losses avoided by retreating: {', '.join(DODGES)}",
            "leave": "share of the enemy's strength below which it leaves after a round, such as 1/2",
            "can_retreat": "there is a point to retreat to (yes or no)",
        }.items()
    },
    **casualties.NAMES,
    "what_if": "also what one thing more or less would change (yes or no)",
}


def asked_battle(game: Game, options: Options) -> Battle:
    """The battle that the options describe."""
    told = {key: word(options, key) for key in GROUND if word(options, key)}
    here = asked_ground(game, options)
    point = asked_point(game, here, word(options, "point") or word(options, "at"))
    if point and "terrain" not in told:
        told["terrain"] = fought_in(here or bare(game), point)
    _, inputs = read_words(game, "ground", [f"{key}={value}" for key, value in told.items()])
    attackers, defenders = _forces(game, options, here, point)
    if yes(options, "landed"):  # 23.4
        attackers = [{**one, "out_of_supply": False} if one["airmobile"] or one["airborne"] else one for one in attackers]
    sides = [str(units[0]["side"]) for units in (attackers, defenders)]
    near: list[dict[str, int]] = [{}, {}]
    for place, name in enumerate(SIDES):
        if word(options, f"{name}_hq"):
            near[place] = {"": whole(options, f"{name}_hq", 0, 0, 9)}
        elif here is not None and point:
            near[place] = dict(near_headquarters(here, point, sides[place]))
    ground_told: Fields = {key: inputs[key] for key in ("terrain", "breached") if key in inputs}
    home = at_home(here or bare(game), point) if point else int(inputs.get("terrain") == "city")
    scene = Scene(game, here, point, attackers, defenders, ground_told, home)
    shifts = [whole(options, f"{name}_shift", 0, -19, 19) for name in SIDES]
    contingent = choice(options, "contingent", sorted({str(unit["nation"]) for unit in attackers}))
    caught = here is not None and bool(point) and surprised(here, point, firing_nation(attackers, contingent))
    policies = (_policy(options, ATTACKER, here, point, attackers), _policy(options, DEFENDER, here, point, defenders))
    return Battle(
        game,
        attackers,
        defenders,
        inputs,
        first=first_fire(yes(options, "ew_attacker"), yes(options, "ew_defender"), yes(options, "surprise", caught)),
        near=(near[0], near[1]),
        policies=policies,
        advisers=headquarters_near(here, point) if here is not None and point else (),
        contingent=contingent,
        blows=asked_blows(scene, options),
        offers=offers(scene, options) if yes(options, "what_if") else (),
        elsewhere=elsewhere(here, point) if here is not None and point else {},
        shifts=(shifts[0], shifts[1]),
        at_home=home,
        notes=(*(f"the {name} fires {one:+d} columns, as told" for name, one in zip(SIDES, shifts, strict=True) if one),
               *_noted(game, policies, sides, free_ew(here, point) if here is not None and point else "")),
        casualties=_casualties(options, here, point),
        golan=bool(point) and point in (here or bare(game)).map.in_area("golan"),
    )


def _casualties(options: Options, here: Ground | None, point: str) -> Mapping[str, int]:
    """The casualty points so far, if any are known; the point tells on which track Arab losses go (7.3)."""
    known = casualties.asked_casualties(options, here.position if here is not None else None)
    if not point and set(known.unknown) != set(casualties.TRACKS):
        raise BadQuestion("Arab losses count for the Sinai or for the Golan (7.3): say where, point=POINT")
    return known.points if set(known.unknown) != set(casualties.TRACKS) else {}


def asked_ground(game: Game, options: Options) -> Ground | None:
    """The position that is told, if one is."""
    if not options.get("position") and not options.get("scenario"):
        return None
    return ground(game, asked_position(game, options))


def asked_point(game: Game, here: Ground | None, text: str) -> str:
    """A point by its id or its name; nothing where nothing is told."""
    if not text:
        return ""
    return point_id((here or bare(game)).map, text)


def fought_in(here: Ground, point: str) -> str:
    """The terrain of a point where there can be combat."""
    shape = here.map.points[point]
    if here.off_map(point):
        raise BadQuestion(f"there is no combat in a reserve area (25.5), and {shape.name} is one")
    if shape.terrain in CROSSINGS:
        raise BadQuestion(f"nobody ends a move in {shape.name} (21.6), so nobody fights there; name the point on its shore")
    return shape.terrain


def _forces(game: Game, options: Options, here: Ground | None, point: str) -> tuple[list[Fields], list[Fields]]:
    told = [units(game, word(options, side)) for side in ("attackers", "defenders")]
    if not all(told) and here is not None and point:
        side = choice(options, "side", game.sides)
        if not side:
            raise BadQuestion(f"say whose units attack: side={' or side='.join(game.sides)}")
        found = both(here, point, side)
        told = [told[0] or found[0], told[1] or found[1]]
    for name, listed in zip(("attackers", "defenders"), told, strict=True):
        if not listed:
            raise BadQuestion(f"say who the {name} are: {name}=UNIT,UNIT; or position=FILE point=POINT side=SIDE")
        size = doubled_headquarters(game.units[str(unit["id"])] for unit in listed)
        if size:
            raise BadQuestion(f"the {name} have two headquarters of one size ({size}) in one point (12.1, 17.4)")
        for unit in listed:
            _whole(game, unit)
    return told[0], told[1]


def units(game: Game, text: str) -> list[Fields]:
    """Units listed as in 2*armor_battalion,hq_143+out_of_supply."""
    listed: list[dict[str, Value]] = []
    named = listed_units(game, text)
    if len(named) > MOST:
        raise BadQuestion(f"{len(named)} units are more than a point holds: {MOST} at most (12.1, 12.5)")
    for name in named:
        listed += read_words(game, "ground", [f"firing={name}"])[0]["firing"]
    for fields in listed:
        if str(fields.get("id")) not in game.units or fields.get("class") == "strike":
            raise BadQuestion(f"{fields.get('name') or 'that'} doesn't fight on the ground (18.8, 24.0)")
        _whole(game, fields)
    return list(listed)


def _whole(game: Game, fields: Fields) -> None:
    """BadQuestion if a unit shows a side that its counter doesn't have (9.9)."""
    if fields["combined_arms"] and game.units[str(fields["id"])].back_state != "combined_arms":
        raise BadQuestion(f"{fields['name']} has no combined arms side: only Israeli armored brigades do (9.9)")


def _policy(options: Options, name: str, here: Ground | None, point: str, units: list[Fields]) -> Policy:
    """What the owner does as told, and who can retreat: as told, or as a position shows it (16.4)."""
    can = able(here, point, units) if here is not None and point and not given(options, f"{name}_can_retreat") else {}
    held = here is not None and bool(point) and here.holds(str(units[0]["side"]), point)
    return Policy(
        choice(options, f"{name}_losses", LOSSES, "weakest"),
        choice(options, f"{name}_retreats", RETREATS, "obey"),
        choice(options, f"{name}_dodge", DODGES, "never"),
        number(options, f"{name}_leave"),
        yes(options, f"{name}_can_retreat", any(can.values()) or not held),
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
