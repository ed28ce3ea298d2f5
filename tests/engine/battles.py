"""Random battles, as orders for the engine and as questions to the assistant."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from assistant.attack import Odds, odds, unit_fields
from assistant.engine.battle.requirements import outside_distance
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.sight.visibility import sights_of
from assistant.questions.answer import BadQuestion
from modgen.vmod.battle.attack_rules import attack_rules
from modgen.vmod.files.keys import FLIP
from modgen.vmod.files.lock import Lock
from modgen.vmod.maps.point_ranges import MAX_DISTANCE
from modgen.vmod.pieces.faces import loose_states
from modgen.vmod.pieces.fighting import NO, USUAL, YES, fights
from modgen.vmod.pieces.traits import ALT, key
from modgen.vmod.sight.battle_sight import unshielded_inputs
from scenarios.model.attacks import AttackInput, input_kind
from scenarios.model.game import Game
from scenarios.model.hexes import hexside, neighbours
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position
from scenarios.unit_view import face_state
from scenarios.vassal.geometry import BoardSheet, PointSheet
from scenarios.vassal.windows import MAIN
from tests.engine.bystanders import Fighter, Place, add_bystanders, count_answer, is_ambiguous, steps_between
from tests.sights import field_of, look


@dataclass
class Fight:
    """A battle: its pieces, what is told, and what the assistant says of it."""

    attack: str
    fighters: list[Fighter]
    orders: list[str]
    question_lines: list[str]
    expected_answer: Odds | None
    refusal: str
    outside: frozenset[str] = frozenset()
    """The attackers that aren't as far from the target as the attack declares, or that a rule about attackers refuses."""


class Ring:
    """Makes the battles of one game on the map of one scenario."""

    def __init__(self, game: Game, scenario: str, lock: Lock, seed: int) -> None:
        self.game, self.scenario, self.lock = game, scenario, lock
        self.dice = random.Random(f"{seed} {game.id}")
        table = game.scenario_maps[scenario]
        self.table = table
        if isinstance(table, HexMap):
            sheet = BoardSheet(table)
            self.places: list[Place] = [(hex, *sheet.centre(hex)) for hex in table.hexes]
        else:
            self.places = [(point, *spot) for point, spot in PointSheet(table).points.items()]
        # Only The Arab-Israeli Wars has sight.
        self.field = field_of(game, scenario) if game.id == "arab_israeli_wars" else None
        scenario_record = game.scenarios[scenario]
        self.turn = scenario_record.turns.first if scenario_record.turns else 1
        self.everyone: list[Fighter] = []
        self.attackers: list[Fighter] = []
        self.is_scattered = False

    def terrain(self, place: Place) -> str:
        """The kind of a place, as the pack's map has it."""
        if isinstance(self.table, HexMap):
            return self.table.terrain.get(place[0], self.table.plain)
        return self.table.points[place[0]].terrain

    def lying(self, shape: AttackInput, unit: Fighter | None, target: Place | None) -> set[str]:
        """The markers in the places that a question means."""
        return {
            fighter.unit for fighter in self.everyone if fighter.place in self.question_places(shape, unit, target)
        } & set(self.game.markers)

    def question_places(self, shape: AttackInput, unit: Fighter | None, target: Place | None) -> list[Place]:
        """The places that a question means, the targets' first."""
        attacker_places = [unit.place] if unit is not None else [attacker.place for attacker in self.attackers]
        target_places = [target] if target is not None else []
        return {"targets": target_places, "attackers": attacker_places}.get(
            shape.at, [*target_places, *attacker_places]
        )

    def banks(self, attack: str) -> list[tuple[Place, Place]]:
        """Both sides of every hexside that the attack reads."""
        definition = self.game.attacks[attack]
        shapes = [
            *definition.inputs.values(),
            *(shape for group in definition.groups.values() for shape in group.inputs.values()),
        ]
        hexside_kinds = {kind for shape in shapes if shape.read == "hexside" for kind in shape.choices}
        place_by_hex = {place[0]: place for place in self.places}
        if not hexside_kinds or not isinstance(self.table, HexMap):
            return []
        return [
            (place_by_hex[a], place_by_hex[b])
            for (a, b), features in self.table.hexsides.items()
            if features & hexside_kinds and a in place_by_hex and b in place_by_hex
        ]

    def has_sight(self, shape: AttackInput, unit: Fighter | None, target: Place | None) -> bool:
        """Whether a unit sees the targets, or anything shields them from an attacker that does."""
        if target is None or self.is_scattered or self.field is None:
            return shape.default == "true"
        aimed_at = [fighter for fighter in self.everyone if fighter.fights and fighter not in self.attackers]
        observer_kinds = [self.observer(fighter) for fighter in aimed_at]
        if shape.read == "sight":
            assert unit is not None
            return all(
                look(self.field, unit.place[0], target[0], self.observer(unit), kind).clear for kind in observer_kinds
            )
        return any(
            look(self.field, attacker.place[0], target[0], self.observer(attacker)).shields
            for attacker in self.attackers
            if not any(attacker.told.get(name) is True for name in unshielded_inputs(self.game))
            and self.has_sight(replace(shape, read="sight"), attacker, target)
        )

    def observer(self, fighter: Fighter) -> str:
        """How a piece sees."""
        assert self.field is not None
        unit = self.game.units.get(fighter.unit)
        return "ground" if unit is None else sights_of(self.field).observer(self.field.fields_of(unit, fighter.states))

    def crossed_side(self, shape: AttackInput, units: list[Fighter], target: Place | None) -> str:
        """The kind of hexside that all these cross into the target's hex; nothing where they don't, or it is unclear."""
        if target is None or not isinstance(self.table, HexMap) or self.is_scattered:
            return ""
        hexside_kinds = set()
        for fighter in units:
            is_adjacent = target[0] in neighbours(fighter.place[0])
            features = (
                self.table.hexsides.get(hexside(fighter.place[0], target[0]), frozenset())
                if is_adjacent
                else frozenset()
            )
            hexside_kinds.add(next((kind for kind in (*shape.choices, *shape.hexsides) if kind in features), ""))
        return hexside_kinds.pop() if len(hexside_kinds) == 1 else ""

    def candidates(self, attack: str, group: str) -> list[str]:
        """Units for a group: often those that may fight in it, sometimes anybody."""
        markers = [key for key in self.game.markers if fights(self.game, key)]
        return [*self.game.units, *markers]

    def fight(self, attack: str) -> Fight:
        """A random battle."""
        game, dice, definition = self.game, self.dice, self.game.attacks[attack]
        target_place = dice.choice(self.places)
        close = sorted(self.places, key=lambda p: (p[1] - target_place[1]) ** 2 + (p[2] - target_place[2]) ** 2)[:20]
        banks = self.banks(attack)
        if banks and dice.random() < 0.5:
            target_place, *close = dice.choice(banks)
        fighters: list[Fighter] = []
        for group, shape in definition.groups.items():
            max_count = min(shape.at_most if shape.at_most is not None else 4, 4)
            number = dice.randint(min(shape.at_least, max_count), max_count)
            pool = self.candidates(attack, group)
            side = dice.choice(list(game.sides))
            same_side = [unit_key for unit_key in pool if unit_key in game.units and game.units[unit_key].side == side]
            for _ in range(number):
                unit = dice.choice(same_side if same_side and dice.random() < 0.8 else pool)
                place = target_place if group != definition.attackers else dice.choice(close)
                fighters.append(Fighter(f"p{len(fighters)}", unit, group, place, self.states(unit)))
        if len(definition.groups) == 1 and dice.random() < 0.5:
            unit = dice.choice(list(game.units))
            fighters.append(Fighter(f"p{len(fighters)}", unit, "", target_place, []))
        target = next((fighter.place for fighter in fighters if fighter.group != definition.attackers), None)
        self.attackers = [fighter for fighter in fighters if fighter.group == definition.attackers]
        self.is_scattered = len({fighter.place for fighter in fighters if fighter.group != definition.attackers}) > 1
        lying = [*game.markers] if target is not None and dice.random() < 0.5 else []
        shapes = [
            *definition.inputs.values(),
            *(group_input for group in definition.groups.values() for group_input in group.inputs.values()),
        ]
        read = [choice for told_of in shapes for choice in (*told_of.markers, *told_of.choices) if choice in lying]
        scene = [target_place, *(attacker.place for attacker in self.attackers)]
        for marker in dice.sample(read, min(1, len(read))):
            fighters.append(Fighter(f"p{len(fighters)}", marker, "", dice.choice(scene), [], fights=False))
        fighters += add_bystanders(game, definition, [*scene, *scene, *close], dice, len(fighters))
        self.everyone = fighters
        orders = ["clear"]
        inputs: dict[str, Any] = {}
        group_told: dict[str, Any] = {}
        for name, told_of in definition.inputs.items():
            inputs[name] = self.answer(name, told_of, None, target, orders)
        input_names: set[str] = set()
        for held_group in definition.groups.values():
            for name, told_of in held_group.inputs.items():
                if name not in input_names and name not in definition.inputs:
                    group_told[name] = self.explicit(told_of) if dice.random() < 0.3 else None
                    orders.append(f"tell\ttold_{name}\t{self.word(group_told[name])}")
                input_names.add(name)
        for fighter in fighters:
            role = 1 if fighter.group == definition.attackers else 2
            orders.append(
                "\t".join(["put", fighter.name, self.lock.gpid(fighter.unit), MAIN, *map(str, fighter.place[1:])])
            )
            orders += [f"set\t{fighter.name}\tRole\t{role}"] if fighter.fights else []
            orders += [f"key\t{fighter.name}\t{self.stroke(fighter.unit, state)}" for state in fighter.states]
            if fighter.group:
                for name, told_of in definition.groups[fighter.group].inputs.items():
                    override = self.explicit(told_of) if dice.random() < 0.3 else None
                    if override is not None:
                        orders.append(f"set\t{fighter.name}\town_{name}\t{self.word(override)}")
                    value = override if override is not None else group_told[name]
                    fighter.told[name] = value if value is not None else self.usual(told_of, fighter, target)
        return self.judge_fight(attack, fighters, orders, inputs)

    def judge_fight(self, attack: str, fighters: list[Fighter], orders: list[str], inputs: Mapping[str, Any]) -> Fight:
        """The battle with the assistant's answer."""
        definition = self.game.attacks[attack]
        groups = {
            group: [unit_fields(self.game, f.unit, f.states, **f.told) for f in fighters if f.group == group]
            for group in definition.groups
        }
        expected_answer, refusal = None, ""
        try:
            expected_answer = odds(self.game, attack, groups, inputs)
        except BadQuestion as problem:
            refusal = str(problem)
        properties = [
            f"v_{attack}_{name}" for name in ("attack", "start", "shift", "die", "column", "thrown", "code", "failure")
        ]
        properties += [f"v_{attack}_defense"] if definition.defenders else []
        orders += [
            f"press\t{attack}-fight",
            f"ask\tv_{attack}_allowed",
            "chat",
            f"press\t{attack}-anyway",
            *(f"ask\t{name}" for name in properties),
        ]
        for fighter in fighters:
            if fighter.group:
                orders += [f"of\t{fighter.name}\t{name}" for name in ("Strength", "Die", "Failure", "Thrown", "Result")]
        orders += ["chat", "say\tEND"]
        outside = frozenset((*self.outside(attack, fighters, inputs), *self.not_allowed(attack, fighters)))
        return Fight(attack, fighters, orders, properties, expected_answer, refusal, outside)

    def outside(self, attack: str, fighters: list[Fighter], inputs: Mapping[str, Any]) -> Iterator[str]:
        """The attackers that stand elsewhere than the attack declares; of several targets any counts, where numbers are declared."""
        definition = self.game.attacks[attack]
        targets = dict.fromkeys(
            fighter.place[0] for fighter in fighters if fighter.fights and fighter.group != definition.attackers
        )
        bounds = (
            [limit for limit in (required.at_least, required.at_most) if limit]
            if (required := definition.required_distance) is not None
            else []
        )
        if not targets or not bounds or (len(targets) > 1 and not all(limit.text.isdecimal() for limit in bounds)):
            return
        for fighter in fighters:
            if fighter.group == definition.attackers:
                fields = {**unit_fields(self.game, fighter.unit, fighter.states, **fighter.told), **inputs}
                ways = [steps_between(self.game, self.table, fighter.place[0], target) for target in targets]
                if all(
                    outside_distance(self.game, attack, MAX_DISTANCE if distance is None else distance, fields)
                    for distance in ways
                ):
                    yield fighter.name

    def not_allowed(self, attack: str, fighters: list[Fighter]) -> Iterator[str]:
        """The attackers whom a rule forbids to attack the one place of the targets, as the assistant reads the rules on the map."""
        definition, rules = self.game.attacks[attack], self.game.rules
        targets = {f.place[0] for f in fighters if f.fights and f.group != definition.attackers}
        if rules is None or rules.attacking is None or len(targets) != 1 or definition.distance is None:
            return
        checked = [rule.demand for rule in attack_rules(self.game, attack) if rule.violated]
        map_index = map_index_of(self.game, self.scenario)
        assert map_index is not None
        for fighter in fighters if checked else ():
            if fighter.group != definition.attackers or fighter.unit not in self.game.units:
                continue
            counter = self.game.units[fighter.unit]
            start, target = map_index.number[fighter.place[0]], map_index.number[targets.copy().pop()]
            piece = Piece(fighter.unit, "1", counter.nation, fighter.place[0], frozenset(fighter.states))
            field = make_field(map_index, Position(self.game.id, self.scenario, pieces=(piece,)))
            unit = field.as_if(piece)
            scope = field.scope(
                field.mover(unit), {"from": start, "to": target}, {"distance": map_index.distance(start, target)}
            )
            if any(field.holds_of(d.when, scope) and not field.holds_of(d.that, scope) for d in checked):
                yield fighter.name

    def states(self, unit: str) -> list[str]:
        """Some states of a unit."""
        if unit not in self.game.units:
            return []
        state_keys = [*loose_states(self.game)]
        back_state = face_state(self.game, self.game.units[unit])
        state_keys += [back_state] if back_state in self.game.states else []
        return [state for state in state_keys if self.dice.random() < 0.15]

    def stroke(self, unit: str, state: str) -> str:
        """The keystroke that puts a unit in a state."""
        loose = loose_states(self.game)
        if state not in loose:
            return FLIP
        place = loose.index(state)
        return key(str(place + 1), ALT) if place < 9 else f"state{place}"

    def explicit(self, shape: AttackInput) -> Any:
        """An answer that a player might give."""
        kind = input_kind(shape, tuple(self.game.terrain))
        if kind.base == "flag":
            return self.dice.random() < 0.5
        if kind.choices:
            return self.dice.choice(sorted(kind.choices))
        usual = int(shape.default or 1)
        return Fraction(max(0, usual + self.dice.randint(-3, 5)))

    def answer(
        self, name: str, shape: AttackInput, unit: Fighter | None, target: Place | None, orders: list[str]
    ) -> Any:
        """The answer to an input of the battle; the order that tells it where it isn't the usual one."""
        must = (shape.default is None and shape.kind != "flag" and not shape.read) or is_ambiguous(
            self.game, shape, self.attackers
        )
        value = self.explicit(shape) if must or self.dice.random() < 0.5 else None
        orders.append(f"tell\ttold_{name}\t{self.word(value)}")
        return value if value is not None else self.usual(shape, unit, target)

    def usual(self, shape: AttackInput, unit: Fighter | None, target: Place | None) -> Any:
        """The usual answer: what the map shows or the default."""
        kind = input_kind(shape, tuple(self.game.terrain))
        places = self.question_places(shape, unit, target)
        if shape.read == "terrain" and kind.base == "flag":
            return any(self.terrain(place) in shape.terrain for place in places)
        if shape.read == "terrain" and places:
            ground = self.terrain(places[0])
            return ground if ground in (kind.choices or ()) else shape.default
        if shape.read == "units":
            result = count_answer(self.game, self.table, shape, self.attackers, target, self.everyone)
            return result if result is not None else Fraction(shape.default or 0)
        if shape.read == "distance" and target is not None and unit is not None:
            distance = steps_between(self.game, self.table, unit.place[0], target[0])
            return Fraction(MAX_DISTANCE if distance is None else distance)
        if shape.read == "hexes":
            return Fraction(len({attacker.place for attacker in self.attackers}))
        if shape.read == "adjacent" and target is not None and unit is not None:
            return steps_between(self.game, self.table, unit.place[0], target[0]) == 1
        if shape.read in ("sight", "shielded"):
            return self.has_sight(shape, unit, target)
        if shape.read == "nation":
            return shape.default
        if shape.read == "hexside":
            hexside_kind = self.crossed_side(shape, [unit] if unit is not None else self.attackers, target)
            return bool(hexside_kind) if kind.base == "flag" else hexside_kind or shape.default
        if shape.read == "markers":
            local_markers = self.lying(shape, unit, target)
            result = [choice for choice in shape.choices if choice in local_markers]
            return (
                bool(local_markers & {*shape.markers})
                if kind.base == "flag"
                else (result[-1] if result else shape.default)
            )
        if shape.read == "turn":
            return Fraction(self.turn)
        if shape.read == "first_turn":
            return self.turn == 1
        if shape.read == "effect":
            special = self.game.scenarios[self.scenario].special
            return any(effect.effect == shape.effect for special_rule in special for effect in special_rule.effects)
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
    def word(value: Any) -> str:
        """An answer as the module has it."""
        if value is None:
            return USUAL
        return (YES if value else NO) if isinstance(value, bool) else str(value)
