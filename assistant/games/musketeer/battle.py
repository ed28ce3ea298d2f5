"""A combat as it is told: who fights, from where, with what help; the rest from the map and the position."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.attack import AttackValue, Fields
from assistant.engine.battle.requirements import outside_distance
from assistant.engine.field import Field
from assistant.engine.movement.entry import arrivals
from assistant.engine.question_field import asked_field, asked_place, on_a_map
from assistant.games.musketeer.forces import (
    ATTACK,
    ATTACKER,
    DEFENDER,
    GROUP,
    Combat,
    Fighter,
    Support,
    fighter,
    mapped,
)
from assistant.games.musketeer.questions import asked_hex, contingent, crowding, empty_field, flak_near
from assistant.odds import fields_of
from assistant.questions.answer import BadQuestion, Refusal
from assistant.questions.question import Inputs
from scenarios.grammar import count_text
from scenarios.model.counters import Unit
from scenarios.model.game import Game

INPUTS = ("terrain", "across", "special_command", "enemy_flak", "concentric")


def asked_combat(game: Game, told: Inputs) -> tuple[Combat, Field | None]:
    """The combat that is told, and the position it is in, if one is."""
    field = asked_field(game, told) if on_a_map(told) else None
    ground = field or empty_field(game)
    target, starts = asked_hexes(ground, told)
    terrain = [ground.map_index.terrain(ground.map_index.places[start]) for start in starts]
    stacks = _stacks(game, told, field, target, starts)
    # Who attacks from the hex itself has landed there, from the sea too (29.5; ruling assault_from_sea).
    off = [number for number, start in enumerate(starts) if start == target or terrain[number] == "sea"]
    stacks = [
        [{**unit, "direct_assault": True} for unit in stack] if number in off else stack
        for number, stack in enumerate(stacks)
    ]
    attackers = tuple(fighter(game, unit, number) for number, stack in enumerate(stacks) for unit in stack)
    given = fields_of(game, ATTACK, GROUP, told.get("defenders", ()))
    if not given and field is not None and target is not None:
        given = standing_in(field, target, {unit.fields["side"] for unit in attackers})
    defenders = tuple(fighter(game, unit) for unit in given)
    _check(game, attackers, defenders)
    for units in [*stacks, given]:
        crowded = crowding(game, [game.units[str(unit["id"])] for unit in units])
        if crowded:
            names = ", ".join(str(unit["name"]) for unit in units)
            raise Refusal(f"these don't fit in one hex: {names}: {crowded[0].text}", crowded[0].rule)
    if target is not None:
        _check_target(ground, target, attackers)
    inputs: dict[str, AttackValue] = {key: told[key] for key in INPUTS if key in told}
    if any(unit.landed for unit in attackers):
        inputs["across"] = "nothing"  # 29.5, 14.10: those don't come across, so not all do
    flak = any(unit.fields["flak"] is True for unit in defenders)
    flak = flak or (
        field is not None and target is not None and flak_near(field, target, str(defenders[0].fields["side"]))
    )

    def seen(fighting: Sequence[Fighter]) -> dict[str, AttackValue]:
        found = mapped(ground, target, starts, fighting) if target is not None else {}
        return {key: value for key, value in found.items() if key not in inputs}

    return Combat(
        game,
        attackers,
        defenders,
        {"enemy_flak": flak, **seen(attackers), **inputs},
        (_support(told, ATTACKER, attackers, field, target), _support(told, DEFENDER, defenders, field, target)),
        (told["attacker_losses"], told["defender_losses"]),
        tuple(terrain),
        mapped=seen,
        fired_at=_fired_at(ground, told, starts, len(stacks)),
        spares_air=told.get("spare_air", False),
    ), field


def _fired_at(field: Field, told: Inputs, starts: list[int], stacks: int) -> int | None:
    text = told.get("fire_at", "")
    if not text:
        return None
    if text.isdecimal() and len(text) < 4 and 1 <= int(text) <= stacks:
        return int(text) - 1
    hex = asked_hex(field, told, "fire_at") if starts else None
    if hex not in starts:
        raise BadQuestion(f"fire_at is the number of an attacking stack, 1 to {stacks}, or its hex, not {text}")
    return starts.index(hex)


def asked_hexes(field: Field, told: Inputs) -> tuple[int | None, list[int]]:
    """The hex attacked and those of the attackers."""
    target = asked_hex(field, told, "hex")
    starts = [asked_place(field.map_index, text, "from") for text in told.get("from", ())]
    if len(set(starts)) < len(starts):
        raise Refusal("a hex is named twice with from: all who attack from it are one stack", "14.2")
    if starts and target is None:
        raise BadQuestion("say which hex is attacked: hex=HEX")
    for start in starts:
        if target is None:
            break
        outside = outside_distance(field.game, ATTACK, field.map_index.distance(start, target), {"role": "attacker"})
        if outside is not None:
            raise Refusal(outside.text, outside.rule)
    return target, starts


def fought(field: Field, combat: Combat, target: int | None, starts: list[int]) -> Field:
    """The position with all who fight in their hexes, so that their zones of control count in retreats (16.4)."""
    sides = [(unit, target) for unit in combat.defenders]
    sides += [(unit, starts[unit.stack] if unit.stack < len(starts) else None) for unit in combat.attackers]
    names = {unit.id for unit, at in sides if at is not None}
    gone = [s for s in field.placed_units if s.counter.id in names and s.place not in (target, *starts)]
    there = {(s.counter.id, s.place) for s in field.placed_units}
    come = []
    for number, (unit, at) in enumerate(sides):
        if at is not None and (unit.id, at) not in there:
            there.add((unit.id, at))
            come.append(field.as_if(unit.piece(field.game, f"combat {number}", field.map_index.places[at])))
    return field.with_changes(gone, come) if gone or come else field


def _stacks(game: Game, told: Inputs, field: Field | None, target: int | None, starts: list[int]) -> list[list[Fields]]:
    """The attackers that are named, or those of a position in the hexes that are."""
    stacks = [[*fields_of(game, ATTACK, GROUP, stack)] for stack in told.get("attackers", ())]
    if field is not None and not stacks and target is not None:
        landing = {s.side for s in field.by_place.get(target, ()) if s.fields["direct_assault"]}
        sides = {s.side for start in starts if start != target for s in field.by_place.get(start, ())} | landing
        stacks = [_pieces(field, start, sides) for start in starts]
        _check_starts(field, target, starts, stacks)
    if not stacks or not all(stacks):
        raise BadQuestion("say who the attackers are: attackers=UNIT,UNIT; or position=FILE hex=HEX from=HEX,HEX")
    if starts and len(starts) != len(stacks):
        raise BadQuestion(
            f"the attack has {count_text(len(stacks), 'stack')}, but from names {count_text(len(starts), 'hex')}"
        )
    return stacks


def _check_starts(field: Field, target: int, starts: list[int], stacks: list[list[Fields]]) -> None:
    """Who may attack a hex of a position, where none is told or nobody stands there."""
    name, held = field.map_index.name, {s.side for s in field.by_place.get(target, ())}
    near = [
        n for n, _ in field.map_index.neighbours(target) if any(s.side not in held for s in field.by_place.get(n, ()))
    ]
    others = f"; enemies next to {name(target)}: {', '.join(sorted(map(name, near))) or 'none'}"
    if not starts:
        raise BadQuestion(f"say where the attackers stand: from=HEX,HEX{others}")
    empty = [name(start) for start, stack in zip(starts, stacks, strict=True) if not stack]
    if empty:
        raise BadQuestion(f"nobody who attacks stands in {', '.join(empty)}{others}")


def _pieces(field: Field, n: int, sides: set[str]) -> list[Fields]:
    return [s.fields for s in field.by_place.get(n, ()) if s.side in sides]


def standing_in(field: Field, n: int, attackers: set[object]) -> list[Fields]:
    """The enemies of the attackers in a hex."""
    return _pieces(field, n, {side for side in field.game.sides if side not in attackers})


def _check(game: Game, attackers: tuple[Fighter, ...], defenders: tuple[Fighter, ...]) -> None:
    if not defenders:
        raise BadQuestion("say who the defenders are: defenders=UNIT,UNIT; or position=FILE hex=HEX")
    if len({contingent(game, unit.nation) for unit in attackers}) > 1:
        raise Refusal("only one contingent attacks at a time", "14.1")
    if len({unit.fields["side"] for unit in defenders}) > 1:
        raise BadQuestion("the defenders are of both sides")
    if defenders[0].fields["side"] == attackers[0].fields["side"]:
        raise BadQuestion("attackers and defenders are of one side")


def may_attack(field: Field, unit: str, hex: int) -> bool:
    """Whether politics let a unit into a hex, by the value of the pack's rules (28.1)."""
    off_limits = field.program.values["off_limits"]
    return field.ask(off_limits, field.off_map(field.game.units[unit]), to=hex) is not True


def _check_target(field: Field, target: int, attackers: Sequence[Fighter]) -> None:
    """Whether politics let the attackers into a hex, and whether those who land there can: out of their boxes, or wherever helicopters
    carry them from an airbase (26.1)."""
    said = field.map_index.name(target)
    if not may_attack(field, attackers[0].id, target):
        raise Refusal(f"{attackers[0].name} can't attack into {said}", "28.1")
    for unit in (unit for unit in attackers if unit.landed):
        ways = arrivals(field, field.game.units[unit.id])
        there = any(target in way.places + way.assault for way in ways.values() if way.way.assault)
        if not there and ways["helicopters"].refusal is not None:
            raise Refusal(f"{unit.name} can't land on the enemy in {said}", "10.2, 11.3, 24.3, 26.1, 29.5")


def _support(told: Inputs, side: str, units: Sequence[Fighter], field: Field | None, target: int | None) -> Support:
    """What helps a side: as it is told, else the counters of its contingent that a position shows in the hex (19.8, 25.2)."""
    there = _placed(field, target, units[0]) if field is not None and target is not None else []
    cas = int(told.get("cas", sum(unit.class_ == "airstrike" for unit in there))) if side == ATTACKER else 0
    keys = (f"{side}_guerrilla", f"{side}_special_forces")
    guerrilla, special = told.get(keys[0]), told.get(keys[1], False)
    helpers = (
        [unit for unit in there if unit.class_ in ("special_forces", "guerrilla")]
        if not told.keys() & set(keys)
        else []
    )
    if helpers:
        special = helpers[0].class_ == "special_forces"
        guerrilla = None if special else helpers[0].factors["shifts"]
    if len(helpers) > 1 or (guerrilla is not None and special):
        raise Refusal(f"the {side} places one special forces or guerrilla counter, not more", "25.3")
    if guerrilla is not None and any(unit.nation != "egypt" for unit in units):
        raise Refusal("guerrillas help Egyptians only", "14.10")
    return Support(cas, special, None if guerrilla is None else int(guerrilla))


def _placed(field: Field, target: int, one: Fighter) -> list[Unit]:
    """The counters of a unit's contingent in the hex attacked, those among them that aren't ground units."""
    game, own = field.game, contingent(field.game, one.nation)
    pieces = field.position.pieces_at(field.map_index.places[target])
    return [
        unit
        for piece in pieces
        if (unit := game.units.get(piece.unit)) is not None and contingent(game, unit.nation) == own
    ]
