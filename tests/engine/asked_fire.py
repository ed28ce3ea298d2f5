"""The attacks of The Arab-Israeli Wars, chosen on the table, and what module and assistant say of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from modgen.vmod.battle.attack_expressions import UNITS
from scenarios.areas.resolving import Location
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance
from scenarios.model.scenario import Support
from tests.engine.asked import BattleQuestion, chances_told, column_of, numbers, percent, word
from tests.engine.run import Told, is_close
from tests.engine.table import Counter, Table

MINES = ("mine_1_1", "mine_2_1", "mine_3_1")
USUAL_RANGE = 8
"""How far off most of those stand that are chosen to fire, in hexes."""


def hex_distance(a: Location, b: Location) -> int:
    assert isinstance(a, Hex) and isinstance(b, Hex)
    return distance(a, b)


class Fires:
    """Chooses attacks among the pieces on the table, those of a side or of any."""

    def __init__(self, table: Table, dice: random.Random, side: str = "") -> None:
        self.table, self.game, self.dice, self.side = table, table.game, dice, side

    def choose_attack(self, kind: str) -> BattleQuestion | None:
        """An attack of a kind; None where nobody can make it."""
        builders: Mapping[str, Callable[[], BattleQuestion | None]] = {
            "direct_fire": self.direct,
            "opportunity_fire": self.opportunity,
            "indirect_fire": self.indirect,
            "interdiction": self.interdiction,
            "overrun": self.overrun,
            "close_assault": self.assault,
            "air_strike": self.strike,
            "minefield": self.mines,
            "clear_mines": self.engineers,
            "quick_march": self.march,
        }
        return builders[kind]()

    def ability(self, counter: Counter, *names: str) -> bool:
        unit = self.game.units[counter.unit]
        return bool(unit.abilities & set(names))

    def weapon(self, counter: Counter) -> str:
        return str(self.game.units[counter.unit].factors.get("weapon", ""))

    def target(self) -> list[Counter]:
        """All units of a side in some hex but for passengers."""
        units = [
            unit for unit in self.table.units() if "loaded" not in unit.states and self.table.side(unit) != self.side
        ]
        if not units:
            return []
        target_unit = self.dice.choice(units)
        return [
            companion
            for companion in units
            if companion.at == target_unit.at and self.table.side(companion) == self.table.side(target_unit)
        ]

    def against(self, targets: Sequence[Counter], fit: Callable[[Counter], bool], max_count: int = 4) -> list[Counter]:
        """Some of those who could attack the targets, mostly near ones; now and then anybody."""
        side, target_place = self.table.side(targets[0]), targets[0].at
        foes = [unit for unit in self.table.units() if self.table.side(unit) != side and "loaded" not in unit.states]
        foes = [foe for foe in foes if self.side in ("", self.table.side(foe))]
        candidates = (
            [foe for foe in foes if fit(foe) and hex_distance(foe.at, target_place) <= USUAL_RANGE]
            if self.dice.random() < 0.85
            else foes
        )
        candidates = candidates or [foe for foe in foes if fit(foe)]
        first = self.dice.choice(candidates) if candidates else None
        # Of one side: in a Situation with three they don't fire together.
        same_side = [
            candidate
            for candidate in candidates
            if first is not None and self.table.side(candidate) == self.table.side(first)
        ]
        return self.dice.sample(same_side, min(len(same_side), self.dice.randint(1, max_count)))

    def words(
        self, attack: str, firers: Sequence[Counter], place: Location, targets: Sequence[Counter], *options: str
    ) -> tuple[str, ...]:
        command_words = ["odds", f"attack={attack}", f"at={self.table.name(place)}"]
        if firers:
            sources = dict.fromkeys(self.table.name(firer.at) for firer in firers)
            command_words += [
                f"from={','.join(sources)}",
                f"side={self.table.side(firers[0])}",
                f"firers={','.join(map(word, firers))}",
            ]
        command_words += [f"targets={','.join(map(word, targets))}"] if targets else []
        return (*command_words, "anyway=yes", *options)

    def direct(self) -> BattleQuestion | None:
        targets = self.target()
        if targets and self.dice.random() < 0.3:
            targets = self.dice.sample(targets, self.dice.randint(1, len(targets)))
        firers = (
            self.against(targets, lambda counter: self.ability(counter, "direct_fire", "anti_aircraft_fire"))
            if targets
            else []
        )
        if not firers:
            return None
        flying = all(self.game.units[target.unit].factors["target"] == "F" for target in targets)
        attack = "anti_aircraft" if flying and self.dice.random() < 0.5 else "direct_fire"
        return BattleQuestion("direct_fire", firers, targets, self.words(attack, firers, targets[0].at, targets))

    def opportunity(self) -> BattleQuestion | None:
        targets = self.target()[:1]
        firers = (
            self.against(targets, lambda counter: self.ability(counter, "opportunity_fire", "anti_aircraft_fire"))
            if targets
            else []
        )
        if not firers:
            return None
        adjacent_firers = [firer for firer in firers if firer.at in self.table.neighbours(targets[0].at)]
        if adjacent_firers and self.dice.random() < 0.6:  # at a unit that is just overrunning a hex
            overrun = self.dice.choice(adjacent_firers).at
            words = self.words(
                "opportunity_fire", firers, targets[0].at, targets, f"overrun={self.table.name(overrun)}"
            )
            unit_inputs = [(firer, "overrun_by_them") for firer in firers if firer.at == overrun]
            return BattleQuestion(
                "opportunity_fire", firers, targets, words, {"overrunning": "yes"}, unit_inputs=unit_inputs
            )
        return BattleQuestion(
            "opportunity_fire", firers, targets, self.words("opportunity_fire", firers, targets[0].at, targets)
        )

    def supports(self, kind: str) -> list[tuple[str, Support]]:
        """What a side has off the map."""
        forces = self.game.scenarios[self.table.scenario].forces
        return [
            (side, support)
            for side, force in forces.items()
            for support in force.support
            if support.kind == kind and self.side in ("", side)
        ]

    def choose_planned_fire(self, attack: str) -> BattleQuestion | None:
        """Fire written down for a hex; the module is asked about one unit there, the assistant about all, or about the one that
        destructive fire is written for."""
        targets = self.target()
        batteries = [
            (side, battery)
            for side, battery in self.supports("artillery")
            if targets and side != self.table.side(targets[0])
        ]
        if batteries and self.dice.random() < 0.4:
            side, support = self.dice.choice(batteries)
            words = self.words(attack, (), targets[0].at, (), f"side={side}", f"support={support.name}")
            return BattleQuestion(
                attack, [self.table.support(support)], targets, words, targets=[self.dice.choice(targets)]
            )
        firers = self.against(targets, lambda counter: self.weapon(counter) in ("M", "(H)"), 3) if targets else []
        if not firers:
            return None
        words, target = self.words(attack, firers, targets[0].at, ()), self.dice.choice(targets)
        if attack == "indirect_fire" and self.dice.random() < 0.2:
            return BattleQuestion(
                attack,
                firers,
                targets,
                (*words, f"destructive={word(target)}"),
                {"destructive": "yes"},
                targets=[target],
            )
        return BattleQuestion(attack, firers, targets, words, targets=[target])

    def indirect(self) -> BattleQuestion | None:
        return self.choose_planned_fire("indirect_fire")

    def interdiction(self) -> BattleQuestion | None:
        return self.choose_planned_fire("interdiction")

    def attack_neighbours(self, attack: str, fit: Callable[[Counter], bool]) -> BattleQuestion | None:
        """An attack from next to a hex on all who are there; attackers are brought there if none are."""
        targets = self.target()
        if not targets:
            return None
        adjacent_places = self.table.neighbours(targets[0].at)
        attackers = self.against(targets, fit, 3)
        empty = [place for place in adjacent_places if not any(unit.at == place for unit in self.table.units())]
        for attacker in attackers:
            if attacker.at not in adjacent_places and empty:
                self.table.put(attacker, self.dice.choice(empty))
        attackers = [attacker for attacker in attackers if attacker.at in adjacent_places]
        flying = [
            target for target in targets if self.game.units[target.unit].class_ == "air" and "down" not in target.states
        ]
        targets = [target for target in targets if target not in flying] or targets
        if not attackers:
            return None
        return BattleQuestion(attack, attackers, targets, self.words(attack, attackers, targets[0].at, ()))

    def overrun(self) -> BattleQuestion | None:
        return self.attack_neighbours("overrun", lambda counter: self.ability(counter, "overrun"))

    def assault(self) -> BattleQuestion | None:
        return self.attack_neighbours("close_assault", lambda counter: self.ability(counter, "close_assault"))

    def strike(self) -> BattleQuestion | None:
        """An air strike of the Situation, which has a piece and no counter."""
        air_supports = self.supports("air_strike")
        if not air_supports:
            return None
        side, support = self.dice.choice(air_supports)
        targets = [target for target in self.target() if self.table.side(target) != side]
        if not targets or support.weapon == "(H)":
            targets = targets[:1]
        if not targets:
            return None
        words = self.words("air_strike", (), targets[0].at, targets, f"side={side}", f"support={support.name}")
        return BattleQuestion("air_strike", [self.table.support(support)], targets, words)

    def mines(self) -> BattleQuestion | None:
        """A minefield that a unit enters from the next hex, or leaves."""
        fields = [counter for counter in self.table.on_map() if counter.unit in MINES]
        units = [unit for unit in self.table.units() if "loaded" not in unit.states]
        if not fields or not units:
            return None
        minefield, mover = self.dice.choice(fields), self.dice.choice(units)
        if any(field.at == minefield.at for field in fields if field is not minefield):
            return None
        leaves = self.dice.random() < 0.3
        self.table.put(mover, minefield.at if leaves else self.dice.choice(self.table.neighbours(minefield.at)))
        words = [
            "odds",
            "attack=minefield",
            f"at={self.table.name(minefield.at)}",
            f"targets={word(mover)}",
            "anyway=yes",
        ]
        words += [] if leaves else [f"from={self.table.name(mover.at)}"]
        return BattleQuestion("minefield", [minefield], [mover], tuple(words), {"entering": "no"} if leaves else {})

    def engineers(self) -> BattleQuestion | None:
        """Combat engineers who clear the mines of their hex."""
        fields = [counter for counter in self.table.on_map() if counter.unit in MINES]
        engineer_units = [unit for unit in self.table.units() if self.ability(unit, "engineer_standard")]
        if not fields or not engineer_units:
            return None
        minefield = self.dice.choice(fields)
        if any(field.at == minefield.at for field in fields if field is not minefield):
            return None
        clearing_units = self.dice.sample(engineer_units, min(len(engineer_units), self.dice.randint(1, 2)))
        for engineer in clearing_units:
            self.table.put(engineer, minefield.at)
        words = (
            "odds",
            "attack=clear_mines",
            f"at={self.table.name(minefield.at)}",
            f"firers={','.join(map(word, clearing_units))}",
            "anyway=yes",
        )
        return BattleQuestion("clear_mines", clearing_units, [minefield], words)

    def march(self) -> BattleQuestion | None:
        units = [unit for unit in self.table.units() if "loaded" not in unit.states]
        if not units:
            return None
        mover = self.dice.choice(units)
        words = (
            "odds",
            "attack=quick_march",
            f"at={self.table.name(mover.at)}",
            f"targets={word(mover)}",
            "anyway=yes",
        )
        return BattleQuestion("quick_march", [], [mover], words)


# --- what both say ----------------------------------------------------------------------------------------------------


def fire_differences(
    game: Game,
    table: Table,
    battle: BattleQuestion,
    full_answer: Mapping[str, Any],
    readings: Told,
    chat: Sequence[str],
) -> Iterator[str]:
    """Where the module's attack and the assistant's answer differ, in totals, unit by unit, and in what isn't allowed."""
    shape = game.attacks[battle.attack]
    target_pieces = list(battle.targets or battle.defenders)
    target_names = [str(target_row["unit"]) for target_row in full_answer["targets"]]
    answer = full_answer
    if "attacks" in full_answer:  # each defender alone
        answer = full_answer["attacks"][target_names.index(key(target_pieces[0]))]
    expected_values = {"column": column_of(game, battle.attack, answer["column"]), "shift": answer["shift"]}
    expected_values |= {"attack": answer["attack_strength"], "defense": answer["defense_strength"]}
    yield from numbers(battle, expected_values, readings)
    firing = [unit_row for unit_row in answer["units"] if unit_row["group"] == shape.attackers]
    for row, unit_row in zip(full_answer["attackers"], firing, strict=False):
        piece = next(
            (piece for piece in battle.attackers if row["unit"] in (None, key(piece), piece.unit) or not piece.unit),
            None,
        )
        heard = readings.get(f"{piece.name}.Strength", "") if piece is not None else ""
        if not is_close(heard, float(numeric(unit_row["value"])) * UNITS):
            yield f"{row['unit']} has {heard} / {UNITS}, {unit_row['value']} says the assistant"
    for piece in target_pieces:
        dice = (
            answer["target_dice"][target_names.index(key(piece)) if answer is full_answer else 0]
            if answer["target_dice"]
            else None
        )
        if dice is not None:
            yield from _target(game, battle, answer, piece, dice, readings, chat)
    yield from compare_refusals(game, table, battle, full_answer, readings)


def key(piece: Counter) -> str:
    """A piece as an answer names it."""
    return f"{piece.unit}/{piece.copy}"


def numeric(value: object) -> float:
    text, _, denominator = str(value).partition("/")
    return float(text) / float(denominator or 1)


def _target(
    game: Game,
    battle: BattleQuestion,
    answer: Mapping[str, Any],
    piece: Counter,
    dice: Mapping[str, Any],
    readings: Told,
    chat: Sequence[str],
) -> Iterator[str]:
    """The die of a defender and its chances."""
    heard = readings.get(f"{piece.name}.Die", "")
    if not is_close(heard, float(dice["die"]) - float(answer.get("die", 0))):
        yield f"{key(piece)}: die {heard}, {dice['die']} in all says the assistant"
    if answer["column"] is not None:
        name = (game.units.get(piece.unit) or game.markers[piece.unit]).name
        lines = [chances_told(line) for line in chat if f"{name} {piece.copy} (" in line or f"{name} (" in line]
        if percent(dice["codes"]) not in lines:
            yield f"{key(piece)}: chances {lines}, not {percent(dice['codes'])}"


def compare_refusals(
    game: Game, table: Table, battle: BattleQuestion, answer: Mapping[str, Any], readings: Told
) -> Iterator[str]:
    """What the module doesn't allow, the assistant doesn't; and what it doesn't by the pack's conditions, the module doesn't."""
    texts = {requirement.text for requirement in game.attacks[battle.attack].requires}
    refusals = [str(refusal["text"]) for refusal in answer["refused"]]
    for piece in (*battle.attackers, *(battle.targets or battle.defenders)):
        counter = game.units.get(piece.unit) or game.markers.get(piece.unit)
        supports = [argument.removeprefix("support=") for argument in battle.words if argument.startswith("support=")]
        name = counter.name if counter is not None else supports[0]
        label = f"{name} ({table.name(piece.at)}" if piece.at in table.at else name
        twins = [
            combatant
            for combatant in (*battle.attackers, *battle.defenders)
            if (combatant.unit, combatant.at) == (piece.unit, piece.at)
        ]
        piece_refusals = [
            refusal.partition("): ")[2] or refusal.partition(": ")[2]
            for refusal in refusals
            if refusal.startswith((label, f"{name}: "))
        ]
        by_pack = [refusal for refusal in piece_refusals if any(refusal.startswith(text) for text in texts)]
        heard = readings.get(f"{piece.name}.Failure", "")
        if heard and not piece_refusals:
            yield f"{key(piece)} may not in the module: {heard}"
        if by_pack and not any(readings.get(f"{twin.name}.Failure") for twin in twins):
            yield f"{key(piece)} may not says the assistant: {by_pack}"
    battle_refusals = [refusal for refusal in refusals if any(refusal.startswith(text) for text in texts)]
    heard = readings.get(f"v_{battle.attack}_failure", "")
    if bool(heard) != bool(battle_refusals):
        yield f"not allowed: {heard!r} in the module, {battle_refusals} says the assistant"
