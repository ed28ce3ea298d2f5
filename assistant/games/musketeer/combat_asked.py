"""A combat as it is asked: its names, read from text, the map, a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from assistant.attacks import BadQuestion, Fields, Value, unit_fields
from assistant.games.musketeer.asked import PLACE, asked_hex, asked_support, told
from assistant.games.musketeer.asked import asked_hexes as listed_hexes
from assistant.games.musketeer.combat import POLICIES
from assistant.games.musketeer.contingents import check_special, contingent
from assistant.games.musketeer.entry import Entry
from assistant.games.musketeer.field import Field
from assistant.games.musketeer.fighters import Fighter, Support, concentric, crossing, fighter
from assistant.games.musketeer.outcome import ATTACKER, DEFENDER, Combat
from assistant.games.musketeer.stacking import fits
from assistant.games.musketeer.support import Support as Supplied
from assistant.shared.asking import Options, units_of
from assistant.shared.options import choice, whole, word, yes
from assistant.words import read_words
from scenarios.game import Game
from scenarios.hexes import Hex, distance
from scenarios.maps import HexMap
from scenarios.position import Piece, Position
from scenarios.same import Same

INPUTS = ("terrain", "across", "special_command", "enemy_flak", "concentric")
SEA = "sea"
NAMES = {
    "attackers": "units that attack, a slash between stacks: bde_7_israel,gol_israel/bde_4_israel",
    "defenders": "units that defend: div_1_egypt,garrison_egypt+disrupted",
    "hex": "the hex attacked: its terrain, hexsides and angles, and with a position who is there",
    "at": "hex by another name",
    "from": "the hexes of the attacking stacks: 5508,5510",
    **PLACE,
    "position": "a position file; then hex and from say who fights",
    "terrain": "the terrain of the hex, if none is named",
    "across": "what every attacker comes across: suez_canal, river, wadi",
    "special_command": "the impulse is a special command (yes or no)",
    "concentric": "the attack is concentric (yes or no)",
    "enemy_flak": "an enemy AAA unit is in or next to the hex (yes or no)",
    "cas": "airstrikes in close air support",
    "fire_at": "the attacking stack that the defenders fire at: its hex or its number; the strongest, if none is told",
    **{
        f"{side}_{what}": f"the {side}: {text}"
        for side in (ATTACKER, DEFENDER)
        for what, text in {
            "special_forces": "special forces take part (yes or no)",
            "guerrilla": "value of its guerrillas: 0, 1 or 2",
            "losses": f"who takes a result: {', '.join(POLICIES)}",
        }.items()
    },
    "spare_air": "an A/G takes the attacker's special forces or guerrillas before an airstrike (yes or no)",
    "what_if": "also what one thing more or less would change (yes or no)",
}


def asked_combat(game: Game, options: Options) -> tuple[Combat, Supplied | None]:
    """The combat that the options describe, and the position it is in, if one is told."""
    here = asked_support(game, options) if told(options) else None
    table = here.table if here is not None else next(iter(game.maps.values()))
    assert isinstance(table, HexMap)
    target, starts = asked_hexes(table, options)
    stacks = _landed(table, target, starts, _stacks(game, options, here, target, starts))
    attackers = tuple(fighter(game, unit, number) for number, stack in enumerate(stacks) for unit in stack)
    given = listed_units(game, word(options, "defenders"))
    if not given and here is not None and target is not None:
        given = standing_in(here, target, {unit.fields["side"] for unit in attackers})
    defenders = tuple(fighter(game, unit) for unit in given)
    _check(attackers, defenders)
    words = {key: word(options, key) for key in INPUTS if word(options, key)}
    _, inputs = read_words(game, "ground_fire", [f"{key}={text}" for key, text in words.items()])
    check_special(game, str(attackers[0].fields["nation"]), inputs.get("special_command") is True)
    for units in (*stacks, given):
        if not fits(game, [game.units[str(unit["id"])] for unit in units]):
            names = ", ".join(str(unit["name"]) for unit in units)
            raise BadQuestion(f"these don't fit in one hex: {names} (12.1, 12.2, 12.5)")
    if target is not None:
        _check_target(here or Supplied(game, table, Position(game.id)), target, attackers)
    flak = any(unit.fields["flak"] is True for unit in defenders) or (
        here is not None and target is not None and flak_near(here, target, str(defenders[0].fields["side"]))
    )
    if any(_lands(unit) for unit in attackers):
        inputs = {**inputs, "across": "nothing"}  # 29.5, 14.10: those don't come across, so not all do

    def mapped(fighting: Sequence[Fighter]) -> dict[str, Value]:
        found = _mapped(game, table, target, starts, fighting) if target is not None else {}
        return {key: value for key, value in found.items() if key not in inputs}

    supports = (_support(options, ATTACKER, attackers), _support(options, DEFENDER, defenders))
    policies = tuple(choice(options, f"{side}_losses", POLICIES, "spread") for side in (ATTACKER, DEFENDER))
    grounds = tuple(table.terrain[start] for start in starts)
    return Combat(
        game, attackers, defenders, {"enemy_flak": flak, **mapped(attackers), **inputs}, supports,
        (policies[0], policies[1]), grounds, mapped=mapped, fired_at=_fired_at(table, options, starts, len(stacks)),
        spares_air=yes(options, "spare_air"),
    ), here  # fmt: skip


def _lands(unit: Fighter) -> bool:
    return unit.fields.get("direct_assault") is True


def _landed(table: HexMap, target: Hex | None, starts: list[Hex], stacks: list[list[Fields]]) -> list[list[Fields]]:
    """Who attacks from the hex itself has landed there, from the sea too (29.5; ruling assault_from_sea)."""
    off = [number for number, start in enumerate(starts) if start == target or table.terrain[start] == SEA]
    return [
        [{**unit, "direct_assault": True} for unit in stack] if number in off else stack
        for number, stack in enumerate(stacks)
    ]


def _fired_at(table: HexMap, options: Options, starts: list[Hex], stacks: int) -> int | None:
    text = word(options, "fire_at")
    if not text:
        return None
    if text.isdecimal() and len(text) < 4 and 1 <= int(text) <= stacks:
        return int(text) - 1
    hex = asked_hex(table, options, "fire_at") if starts else None
    if hex not in starts:
        raise BadQuestion(f"fire_at is the number of an attacking stack, 1 to {stacks}, or its hex, not {text}")
    return starts.index(hex)


def asked_hexes(table: HexMap, options: Options) -> tuple[Hex | None, list[Hex]]:
    """The hex attacked and those of the attackers."""
    target = asked_hex(table, options, "hex") or asked_hex(table, options, "at")
    starts = listed_hexes(table, options, "from")
    if len(set(starts)) < len(starts):
        raise BadQuestion("a hex is named twice with from: all who attack from it are one stack (14.2)")
    if starts and target is None:
        raise BadQuestion("say which hex is attacked: hex=HEX")
    if target is not None and any(distance(target, start) > 1 for start in starts):
        raise BadQuestion("attackers stand next to the hex they attack, or land in it (14.2, 29.5)")
    return target, starts


def fought(here: Supplied, combat: Combat, target: Hex | None, starts: list[Hex]) -> Supplied:
    """The position with all who fight in their hexes, so that their zones of control count in retreats (16.4)."""
    sides = [(unit, target) for unit in combat.defenders]
    sides += [(unit, starts[unit.stack] if unit.stack < len(starts) else None) for unit in combat.attackers]
    names = {str(unit.fields["id"]) for unit, at in sides if at is not None}
    pieces = [piece for piece in here.position.pieces if piece.unit not in names or piece.at in (target, *starts)]
    for number, (unit, at) in enumerate(sides):
        name = str(unit.fields["id"])
        if at is not None and not any(piece.unit == name and piece.at == at for piece in pieces):
            states = frozenset(state for state in here.game.states if unit.fields.get(state) is True)
            pieces.append(Piece(name, f"combat {number}", str(unit.fields["nation"]), at, states))
    return replace(here, position=replace(here.position, pieces=tuple(pieces)))


def listed_units(game: Game, text: str, attack: str = "ground_fire", group: str = "firer") -> list[Fields]:
    """Units by name, as a group of an attack reads them."""
    return [unit for name in units_of(text) for unit in _read_units(Same(game), attack, group, name)]


@lru_cache(maxsize=512)
def _read_units(game: Same[Game], attack: str, group: str, name: str) -> tuple[Fields, ...]:
    return tuple(read_words(game.value, attack, [f"{group}={name}"])[0][group])


def _stacks(
    game: Game, options: Options, here: Supplied | None, target: Hex | None, starts: list[Hex]
) -> list[list[Fields]]:
    text = word(options, "attackers")
    if text:
        stacks = [listed_units(game, part) for part in text.split("/")]
    elif here is not None and starts:
        landing = {unit.side for piece, unit, hex in here.units if hex == target and "direct_assault" in piece.states}
        sides = {unit.side for _, unit, hex in here.units if hex in starts and hex != target} | landing
        stacks = [_pieces(here, start, sides) for start in starts]
    else:
        stacks = []
    if here is not None and not text and target is not None:
        _check_starts(here, target, starts, stacks)
    if not stacks or not all(stacks):
        raise BadQuestion("say who the attackers are: attackers=UNIT,UNIT; or position=FILE hex=HEX from=HEX,HEX")
    if starts and len(starts) != len(stacks):
        raise BadQuestion(f"{len(stacks)} stacks attack, but {len(starts)} hexes are told with from")
    return stacks


def _check_starts(here: Supplied, target: Hex, starts: list[Hex], stacks: list[list[Fields]]) -> None:
    """Who may attack a hex of a position, where none is told or nobody stands there."""
    held = {unit.side for _, unit, hex in here.units if hex == target}
    near = sorted({hex for _, unit, hex in here.units if distance(hex, target) == 1 and unit.side not in held})
    others = f"; enemies next to {here.table.name(target)}: {', '.join(map(here.table.name, near)) or 'none'}"
    if not starts:
        raise BadQuestion(f"say where the attackers stand: from=HEX,HEX{others}")
    empty = [here.table.name(start) for start, stack in zip(starts, stacks, strict=True) if not stack]
    if empty:
        raise BadQuestion(f"nobody who attacks stands in {', '.join(empty)}{others}")


def _pieces(here: Supplied, hex: Hex, sides: set[str]) -> list[Fields]:
    return [
        unit_fields(here.game, unit, sorted(piece.states & set(here.game.states)))
        for piece, unit, at in here.units
        if at == hex and unit.side in sides
    ]


def standing_in(here: Supplied, hex: Hex, attackers: set[object]) -> list[Fields]:
    """The enemies of the attackers in a hex."""
    return _pieces(here, hex, {side for side in here.game.sides if side not in attackers})


def _check(attackers: tuple[Fighter, ...], defenders: tuple[Fighter, ...]) -> None:
    if not defenders:
        raise BadQuestion("say who the defenders are: defenders=UNIT,UNIT; or position=FILE hex=HEX")
    if len({contingent(str(unit.fields["nation"])) for unit in attackers}) > 1:
        raise BadQuestion("only one contingent attacks at a time (14.1)")
    if len({unit.fields["side"] for unit in defenders}) > 1:
        raise BadQuestion("the defenders are of both sides")
    if defenders[0].fields["side"] == attackers[0].fields["side"]:
        raise BadQuestion("attackers and defenders are of one side")


def _check_target(here: Supplied, target: Hex, attackers: Sequence[Fighter]) -> None:
    """Whether politics let the attackers into a hex, and whether those who land there can."""
    said = here.table.name(target)
    if target not in here.open_to(str(attackers[0].fields["nation"])):
        raise BadQuestion(f"{attackers[0].name} can't attack into {said} (28.1)")
    for one in attackers:
        if _lands(one) and not Entry(here, here.game.units[str(one.fields["id"])]).lands(target):
            raise BadQuestion(f"{one.name} can't land on the enemy in {said} (10.2, 11.3, 24.3, 26.1, 29.5)")


def _support(options: Options, side: str, units: Sequence[Fighter]) -> Support:
    guerrilla = word(options, f"{side}_guerrilla")
    special = yes(options, f"{side}_special_forces")
    if guerrilla and special:
        raise BadQuestion(f"the {side} places one special forces or guerrilla counter, not both (25.3)")
    if guerrilla and any(unit.fields["nation"] != "egypt" for unit in units):
        raise BadQuestion("guerrillas help Egyptians only (14.10)")
    return Support(
        whole(options, "cas", 0, 0, 7) if side == ATTACKER else 0,
        special,
        whole(options, f"{side}_guerrilla", 0, 0, 2) if guerrilla else None,
    )


def _mapped(
    game: Game, table: HexMap, target: Hex, starts: list[Hex], attackers: Sequence[Fighter]
) -> dict[str, Value]:
    """What the map tells of a combat: terrain, hexsides (14.10) and whether it is concentric (29.4)."""
    may = game.tables["contingents"]
    whose = contingent(str(attackers[0].fields["nation"]))
    able = may.cell(whose, may.named_column("concentric")).code == "yes"
    landed = any(_lands(unit) for unit in attackers)
    starts = [start for number, start in enumerate(starts) if any(unit.stack == number for unit in attackers)]
    return {
        "terrain": table.terrain[target],
        "across": crossing(table, game, target, starts) if starts and not landed else "nothing",
        "concentric": able and concentric(target, starts),
    }


def flak_near(here: Field, target: Hex, side: str) -> bool:
    """Whether an AAA unit of a side is in a hex or next to it (24.1)."""
    return any(
        "flak" in unit.abilities and unit.side == side and distance(hex, target) <= 1 for _, unit, hex in here.units
    )
