"""A combat as it is told: who fights, from where, with what help; the rest from the map and the position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.answers import BadQuestion, Refusal
from assistant.attack import fields_of
from assistant.attacks import Fields, Value, unit_fields
from assistant.games.musketeer.asking import asked_hex, asked_support, named_hex, on_a_map
from assistant.games.musketeer.contingents import check_special, contingent
from assistant.games.musketeer.entry import Entry
from assistant.games.musketeer.field import Field
from assistant.games.musketeer.fighters import Fighter, Support, concentric, crossing, fighter
from assistant.games.musketeer.outcome import ATTACKER, DEFENDER, Combat
from assistant.games.musketeer.stacking import fits
from assistant.games.musketeer.support import Support as Supplied
from assistant.questions import Told
from scenarios.game import Game
from scenarios.hexes import Hex, distance
from scenarios.maps import HexMap
from scenarios.position import Piece, Position

ATTACK, GROUP = "ground_fire", "firer"
INPUTS = ("terrain", "across", "special_command", "enemy_flak", "concentric")
SEA = "sea"


def asked_combat(game: Game, told: Told) -> tuple[Combat, Supplied | None]:
    """The combat that is told, and the position it is in, if one is."""
    here = asked_support(game, told) if on_a_map(told) else None
    table = here.table if here is not None else next(iter(game.maps.values()))
    assert isinstance(table, HexMap)
    target, starts = asked_hexes(table, told)
    stacks = _landed(table, target, starts, _stacks(game, told, here, target, starts))
    attackers = tuple(fighter(game, unit, number) for number, stack in enumerate(stacks) for unit in stack)
    given = fields_of(game, ATTACK, GROUP, told.get("defenders", ()))
    if not given and here is not None and target is not None:
        given = standing_in(here, target, {unit.fields["side"] for unit in attackers})
    defenders = tuple(fighter(game, unit) for unit in given)
    _check(attackers, defenders)
    inputs: dict[str, Value] = {key: told[key] for key in INPUTS if key in told}
    check_special(game, str(attackers[0].fields["nation"]), inputs.get("special_command") is True)
    for units in [*stacks, given]:
        if not fits(game, [game.units[str(unit["id"])] for unit in units]):
            names = ", ".join(str(unit["name"]) for unit in units)
            raise Refusal(f"these don't fit in one hex: {names}", "12.1, 12.2, 12.5")
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

    supports = (_support(told, ATTACKER, attackers), _support(told, DEFENDER, defenders))
    policies = (told["attacker_losses"], told["defender_losses"])
    grounds = tuple(table.terrain[start] for start in starts)
    return Combat(
        game, attackers, defenders, {"enemy_flak": flak, **mapped(attackers), **inputs}, supports,
        policies, grounds, mapped=mapped, fired_at=_fired_at(table, told, starts, len(stacks)),
        spares_air=told.get("spare_air", False),
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


def _fired_at(table: HexMap, told: Told, starts: list[Hex], stacks: int) -> int | None:
    text = told.get("fire_at", "")
    if not text:
        return None
    if text.isdecimal() and len(text) < 4 and 1 <= int(text) <= stacks:
        return int(text) - 1
    hex = asked_hex(table, told, "fire_at") if starts else None
    if hex not in starts:
        raise BadQuestion(f"fire_at is the number of an attacking stack, 1 to {stacks}, or its hex, not {text}")
    return starts.index(hex)


def asked_hexes(table: HexMap, told: Told) -> tuple[Hex | None, list[Hex]]:
    """The hex attacked and those of the attackers."""
    target = asked_hex(table, told, "hex")
    starts = [named_hex(table, text, "from") for text in told.get("from", ())]
    if len(set(starts)) < len(starts):
        raise Refusal("a hex is named twice with from: all who attack from it are one stack", "14.2")
    if starts and target is None:
        raise BadQuestion("say which hex is attacked: hex=HEX")
    if target is not None and any(distance(target, start) > 1 for start in starts):
        raise Refusal("attackers stand next to the hex they attack, or land in it", "14.2, 29.5")
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


def _stacks(
    game: Game, told: Told, here: Supplied | None, target: Hex | None, starts: list[Hex]
) -> list[list[Fields]]:
    named = told.get("attackers", ())
    stacks: list[list[Fields]] = []
    if named:
        stacks = [[*fields_of(game, ATTACK, GROUP, stack)] for stack in named]
    elif here is not None and starts:
        landing = {unit.side for piece, unit, hex in here.units if hex == target and "direct_assault" in piece.states}
        sides = {unit.side for _, unit, hex in here.units if hex in starts and hex != target} | landing
        stacks = [_pieces(here, start, sides) for start in starts]
    if here is not None and not named and target is not None:
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
        raise Refusal("only one contingent attacks at a time", "14.1")
    if len({unit.fields["side"] for unit in defenders}) > 1:
        raise BadQuestion("the defenders are of both sides")
    if defenders[0].fields["side"] == attackers[0].fields["side"]:
        raise BadQuestion("attackers and defenders are of one side")


def _check_target(here: Supplied, target: Hex, attackers: Sequence[Fighter]) -> None:
    """Whether politics let the attackers into a hex, and whether those who land there can."""
    said = here.table.name(target)
    if target not in here.open_to(str(attackers[0].fields["nation"])):
        raise Refusal(f"{attackers[0].name} can't attack into {said}", "28.1")
    for one in attackers:
        if _lands(one) and not Entry(here, here.game.units[str(one.fields["id"])]).lands(target):
            raise Refusal(f"{one.name} can't land on the enemy in {said}", "10.2, 11.3, 24.3, 26.1, 29.5")


def _support(told: Told, side: str, units: Sequence[Fighter]) -> Support:
    guerrilla, special = told.get(f"{side}_guerrilla"), told.get(f"{side}_special_forces", False)
    if guerrilla is not None and special:
        raise Refusal(f"the {side} places one special forces or guerrilla counter, not both", "25.3")
    if guerrilla is not None and any(unit.fields["nation"] != "egypt" for unit in units):
        raise Refusal("guerrillas help Egyptians only", "14.10")
    return Support(int(told["cas"]) if side == ATTACKER else 0, special, None if guerrilla is None else int(guerrilla))


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
