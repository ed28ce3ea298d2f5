"""Random battles, as orders for the engine and as questions to the assistant."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from assistant.answers import BadQuestion
from assistant.attack import Answer, odds, unit_fields
from assistant.rules.attacking import outside_distance
from modgen.vmod.fighters import NO, USUAL, YES, fights
from modgen.vmod.keys import FLIP
from modgen.vmod.lock import Lock
from modgen.vmod.looking import unshielded
from modgen.vmod.near import FAR
from modgen.vmod.pieces import face_state, loose_states
from modgen.vmod.traits import ALT, key
from scenarios.attacks import Input, input_kind
from scenarios.game import Game
from scenarios.hexes import hexside, neighbours
from scenarios.maps import HexMap
from scenarios.vassal.geometry import PointSheet, Sheet
from scenarios.vassal.windows import MAIN
from tests.engine.bystanders import Fighter, Place, away, counted, invited, mixed
from tests.sights import field_of, look


@dataclass
class Fight:
    """A battle: its pieces, what is told, and what the assistant says of it."""

    attack: str
    fighters: list[Fighter]
    orders: list[str]
    asked: list[str]
    expected: Answer | None
    refused: str
    outside: frozenset[str] = frozenset()
    """The attackers that aren't as far from the target as the attack declares."""


class Ring:
    """Makes the battles of one game on the map of one scenario."""

    def __init__(self, game: Game, scenario: str, lock: Lock, seed: int) -> None:
        self.game, self.scenario, self.lock = game, scenario, lock
        self.dice = random.Random(f"{seed} {game.id}")
        table = game.scenario_maps[scenario]
        self.table = table
        if isinstance(table, HexMap):
            sheet = Sheet(table)
            self.places: list[Place] = [(hex, *sheet.centre(hex)) for hex in table.hexes]
        else:
            self.places = [(point, *spot) for point, spot in PointSheet(table).points.items()]
        # Only The Arab-Israeli Wars has sight.
        self.field = field_of(game, scenario) if game.id == "arab_israeli_wars" else None
        held = game.scenarios[scenario]
        self.turn = held.turns.first if held.turns else 1
        self.everyone: list[Fighter] = []
        self.attackers: list[Fighter] = []
        self.scattered = False

    def terrain(self, place: Place) -> str:
        """The kind of a place, as the pack's map has it."""
        if isinstance(self.table, HexMap):
            return self.table.terrain.get(place[0], self.table.plain)
        return self.table.points[place[0]].terrain

    def lying(self, shape: Input, unit: Fighter | None, target: Place | None) -> set[str]:
        """The markers in the places that a question means."""
        return {one.unit for one in self.everyone if one.place in self.meant(shape, unit, target)} & set(
            self.game.markers
        )

    def meant(self, shape: Input, unit: Fighter | None, target: Place | None) -> list[Place]:
        """The places that a question means, the targets' first."""
        stood = [unit.place] if unit is not None else [one.place for one in self.attackers]
        aimed = [target] if target is not None else []
        return {"targets": aimed, "attackers": stood}.get(shape.at, [*aimed, *stood])

    def banks(self, attack: str) -> list[tuple[Place, Place]]:
        """Both sides of every hexside that the attack reads."""
        held = self.game.attacks[attack]
        shapes = [*held.inputs.values(), *(one for group in held.groups.values() for one in group.inputs.values())]
        kinds = {kind for one in shapes if one.read == "hexside" for kind in one.choices}
        at = {place[0]: place for place in self.places}
        if not kinds or not isinstance(self.table, HexMap):
            return []
        return [
            (at[a], at[b]) for (a, b), found in self.table.hexsides.items() if found & kinds and a in at and b in at
        ]

    def looked(self, shape: Input, unit: Fighter | None, target: Place | None) -> bool:
        """Whether a unit sees the targets, or anything shields them from an attacker that does."""
        if target is None or self.scattered or self.field is None:
            return shape.default == "true"
        aimed_at = [one for one in self.everyone if one.fights and one not in self.attackers]
        kinds = [self.observer(one) for one in aimed_at]
        if shape.read == "sight":
            assert unit is not None
            return all(look(self.field, unit.place[0], target[0], self.observer(unit), kind).clear for kind in kinds)
        return any(
            look(self.field, one.place[0], target[0], self.observer(one)).shields
            for one in self.attackers
            if not any(one.told.get(name) is True for name in unshielded(self.game))
            and self.looked(replace(shape, read="sight"), one, target)
        )

    def observer(self, one: Fighter) -> str:
        """How a piece sees."""
        assert self.field is not None
        unit = self.game.units.get(one.unit)
        return "ground" if unit is None else self.field.sights.observer(self.field.fields_of(unit, one.states))

    def crossed(self, shape: Input, units: list[Fighter], target: Place | None) -> str:
        """The kind of hexside that all these cross into the target's hex; nothing where they don't, or it is unclear."""
        if target is None or not isinstance(self.table, HexMap) or self.scattered:
            return ""
        kinds = set()
        for one in units:
            near = target[0] in neighbours(one.place[0])
            held = self.table.hexsides.get(hexside(one.place[0], target[0]), frozenset()) if near else frozenset()
            kinds.add(next((kind for kind in (*shape.choices, *shape.hexsides) if kind in held), ""))
        return kinds.pop() if len(kinds) == 1 else ""

    def candidates(self, attack: str, group: str) -> list[str]:
        """Units for a group: often those that may fight in it, sometimes anybody."""
        markers = [key for key in self.game.markers if fights(self.game, key)]
        return [*self.game.units, *markers]

    def fight(self, attack: str) -> Fight:
        """A random battle."""
        game, dice, held = self.game, self.dice, self.game.attacks[attack]
        near = dice.choice(self.places)
        close = sorted(self.places, key=lambda p: (p[1] - near[1]) ** 2 + (p[2] - near[2]) ** 2)[:20]
        banks = self.banks(attack)
        if banks and dice.random() < 0.5:
            near, *close = dice.choice(banks)
        fighters: list[Fighter] = []
        for group, shape in held.groups.items():
            most = min(shape.most if shape.most is not None else 4, 4)
            number = dice.randint(min(shape.least, most), most)
            pool = self.candidates(attack, group)
            side = dice.choice(list(game.sides))
            same = [one for one in pool if one in game.units and game.units[one].side == side]
            for _ in range(number):
                unit = dice.choice(same if same and dice.random() < 0.8 else pool)
                where = near if group != held.attackers else dice.choice(close)
                fighters.append(Fighter(f"p{len(fighters)}", unit, group, where, self.states(unit)))
        if len(held.groups) == 1 and dice.random() < 0.5:
            unit = dice.choice(list(game.units))
            fighters.append(Fighter(f"p{len(fighters)}", unit, "", near, []))
        target = next((one.place for one in fighters if one.group != held.attackers), None)
        self.attackers = [one for one in fighters if one.group == held.attackers]
        self.scattered = len({one.place for one in fighters if one.group != held.attackers}) > 1
        lying = [*game.markers] if target is not None and dice.random() < 0.5 else []
        shapes = [*held.inputs.values(), *(one for group in held.groups.values() for one in group.inputs.values())]
        read = [one for told_of in shapes for one in (*told_of.markers, *told_of.choices) if one in lying]
        scene = [near, *(one.place for one in self.attackers)]
        for marker in dice.sample(read, min(1, len(read))):
            fighters.append(Fighter(f"p{len(fighters)}", marker, "", dice.choice(scene), [], fights=False))
        fighters += invited(game, held, [*scene, *scene, *close], dice, len(fighters))
        self.everyone = fighters
        orders = ["clear"]
        told: dict[str, Any] = {}
        group_told: dict[str, Any] = {}
        for name, told_of in held.inputs.items():
            told[name] = self.answer(name, told_of, None, target, orders)
        seen: set[str] = set()
        for held_group in held.groups.values():
            for name, told_of in held_group.inputs.items():
                if name not in seen and name not in held.inputs:
                    group_told[name] = self.explicit(told_of) if dice.random() < 0.3 else None
                    orders.append(f"tell\ttold_{name}\t{self.word(group_told[name])}")
                seen.add(name)
        for one in fighters:
            role = 1 if one.group == held.attackers else 2
            orders.append("\t".join(["put", one.name, self.lock.gpid(one.unit), MAIN, *map(str, one.place[1:])]))
            orders += [f"set\t{one.name}\tRole\t{role}"] if one.fights else []
            orders += [f"key\t{one.name}\t{self.stroke(one.unit, state)}" for state in one.states]
            if one.group:
                for name, told_of in held.groups[one.group].inputs.items():
                    own = self.explicit(told_of) if dice.random() < 0.3 else None
                    if own is not None:
                        orders.append(f"set\t{one.name}\town_{name}\t{self.word(own)}")
                    given = own if own is not None else group_told[name]
                    one.told[name] = given if given is not None else self.usual(told_of, one, target)
        return self.judged(attack, fighters, orders, told)

    def judged(self, attack: str, fighters: list[Fighter], orders: list[str], told: Mapping[str, Any]) -> Fight:
        """The battle with the assistant's answer."""
        held = self.game.attacks[attack]
        groups = {
            group: [unit_fields(self.game, f.unit, f.states, **f.told) for f in fighters if f.group == group]
            for group in held.groups
        }
        expected, refused = None, ""
        try:
            expected = odds(self.game, attack, groups, told)
        except BadQuestion as problem:
            refused = str(problem)
        asked = [
            f"v_{attack}_{name}" for name in ("attack", "start", "shift", "die", "column", "thrown", "code", "failure")
        ]
        asked += [f"v_{attack}_defense"] if held.defenders else []
        orders += [
            f"press\t{attack}-fight",
            f"ask\tv_{attack}_allowed",
            "chat",
            f"press\t{attack}-anyway",
            *(f"ask\t{name}" for name in asked),
        ]
        for one in fighters:
            if one.group:
                orders += [f"of\t{one.name}\t{name}" for name in ("Strength", "Die", "Failure", "Thrown", "Result")]
        orders += ["chat", "say\tEND"]
        outside = frozenset(self.outside(attack, fighters, told))
        return Fight(attack, fighters, orders, asked, expected, refused, outside)

    def outside(self, attack: str, fighters: list[Fighter], told: Mapping[str, Any]) -> Iterator[str]:
        """The attackers that stand elsewhere than the attack declares; of several targets any counts, where numbers are declared."""
        held = self.game.attacks[attack]
        targets = dict.fromkeys(one.place[0] for one in fighters if one.fights and one.group != held.attackers)
        bounds = [one for one in (held.distance.least, held.distance.most) if one] if held.distance is not None else []
        if not targets or not bounds or (len(targets) > 1 and not all(one.text.isdecimal() for one in bounds)):
            return
        for one in fighters:
            if one.group == held.attackers:
                known = {**unit_fields(self.game, one.unit, one.states, **one.told), **told}
                ways = [away(self.game, self.table, one.place[0], target) for target in targets]
                if all(outside_distance(self.game, attack, FAR if far is None else far, known) for far in ways):
                    yield one.name

    def states(self, unit: str) -> list[str]:
        """Some states of a unit."""
        if unit not in self.game.units:
            return []
        known = [*loose_states(self.game)]
        back = face_state(self.game, self.game.units[unit])
        known += [back] if back in self.game.states else []
        return [state for state in known if self.dice.random() < 0.15]

    def stroke(self, unit: str, state: str) -> str:
        """The keystroke that puts a unit in a state."""
        loose = loose_states(self.game)
        if state not in loose:
            return FLIP
        place = loose.index(state)
        return key(str(place + 1), ALT) if place < 9 else f"state{place}"

    def explicit(self, shape: Input) -> Any:
        """An answer that a player might give."""
        kind = input_kind(shape, tuple(self.game.terrain))
        if kind.base == "flag":
            return self.dice.random() < 0.5
        if kind.choices:
            return self.dice.choice(sorted(kind.choices))
        usual = int(shape.default or 1)
        return Fraction(max(0, usual + self.dice.randint(-3, 5)))

    def answer(self, name: str, shape: Input, unit: Fighter | None, target: Place | None, orders: list[str]) -> Any:
        """The answer to an input of the battle; the order that tells it where it isn't the usual one."""
        must = (shape.default is None and shape.kind != "flag" and not shape.read) or mixed(
            self.game, shape, self.attackers
        )
        given = self.explicit(shape) if must or self.dice.random() < 0.5 else None
        orders.append(f"tell\ttold_{name}\t{self.word(given)}")
        return given if given is not None else self.usual(shape, unit, target)

    def usual(self, shape: Input, unit: Fighter | None, target: Place | None) -> Any:
        """The usual answer: what the map shows or the default."""
        kind = input_kind(shape, tuple(self.game.terrain))
        places = self.meant(shape, unit, target)
        if shape.read == "terrain" and kind.base == "flag":
            return any(self.terrain(place) in shape.terrain for place in places)
        if shape.read == "terrain" and places:
            ground = self.terrain(places[0])
            return ground if ground in (kind.choices or ()) else shape.default
        if shape.read == "units":
            found = counted(self.game, self.table, shape, self.attackers, target, self.everyone)
            return found if found is not None else Fraction(shape.default or 0)
        if shape.read == "distance" and target is not None and unit is not None:
            far = away(self.game, self.table, unit.place[0], target[0])
            return Fraction(FAR if far is None else far)
        if shape.read == "hexes":
            return Fraction(len({one.place for one in self.attackers}))
        if shape.read == "adjacent" and target is not None and unit is not None:
            return away(self.game, self.table, unit.place[0], target[0]) == 1
        if shape.read in ("sight", "shielded"):
            return self.looked(shape, unit, target)
        if shape.read == "nation":
            return shape.default
        if shape.read == "hexside":
            crossed = self.crossed(shape, [unit] if unit is not None else self.attackers, target)
            return bool(crossed) if kind.base == "flag" else crossed or shape.default
        if shape.read == "markers":
            there = self.lying(shape, unit, target)
            found = [choice for choice in shape.choices if choice in there]
            return bool(there & {*shape.markers}) if kind.base == "flag" else (found[-1] if found else shape.default)
        if shape.read == "turn":
            return Fraction(self.turn)
        if shape.read == "first_turn":
            return self.turn == 1
        if shape.read == "effect":
            special = self.game.scenarios[self.scenario].special
            return any(effect.effect == shape.effect for one in special for effect in one.effects)
        year = self.game.scenarios[self.scenario].year
        if shape.read == "year" and year is not None:
            return Fraction(year)
        if shape.default is None:
            return {"flag": False, "number": Fraction(0)}.get(
                kind.base, min(shape.choices, key=shape.choices.index, default="")
            )
        return (
            {"flag": shape.default == "true", "text": shape.default}.get(kind.base)
            if kind.base != "number"
            else Fraction(shape.default)
        )

    @staticmethod
    def word(given: Any) -> str:
        """An answer as the module has it."""
        if given is None:
            return USUAL
        return (YES if given else NO) if isinstance(given, bool) else str(given)
