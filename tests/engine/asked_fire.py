"""The attacks of The Arab-Israeli Wars, chosen on the table, and what module and assistant say of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from modgen.vmod.battle import UNITS
from scenarios.game import Game
from scenarios.hexes import Hex, distance
from scenarios.resolve import Location
from scenarios.scenario import Support
from tests.engine.asked import Asked, chances_told, column_of, numbers, percent, word
from tests.engine.run import Told, near
from tests.engine.table import Counter, Table

MINES = ("mine_1_1", "mine_2_1", "mine_3_1")
FAR = 8
"""How far off most of those stand that are chosen to fire, in hexes."""


def away(a: Location, b: Location) -> int:
    assert isinstance(a, Hex) and isinstance(b, Hex)
    return distance(a, b)


class Fires:
    """Chooses attacks among the pieces on the table, those of a side or of any."""

    def __init__(self, table: Table, dice: random.Random, side: str = "") -> None:
        self.table, self.game, self.dice, self.side = table, table.game, dice, side

    def chosen(self, kind: str) -> Asked | None:
        """An attack of a kind; None where nobody can make it."""
        made: Mapping[str, Callable[[], Asked | None]] = {
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
        return made[kind]()

    def ability(self, one: Counter, *names: str) -> bool:
        unit = self.game.units[one.unit]
        return bool(unit.abilities & set(names))

    def weapon(self, one: Counter) -> str:
        return str(self.game.units[one.unit].factors.get("weapon", ""))

    def target(self) -> list[Counter]:
        """All units of a side in some hex but for passengers."""
        units = [one for one in self.table.units() if "loaded" not in one.states and self.table.side(one) != self.side]
        if not units:
            return []
        one = self.dice.choice(units)
        return [other for other in units if other.at == one.at and self.table.side(other) == self.table.side(one)]

    def against(self, targets: Sequence[Counter], fit: Callable[[Counter], bool], most: int = 4) -> list[Counter]:
        """Some of those who could attack the targets, mostly near ones; now and then anybody."""
        side, at = self.table.side(targets[0]), targets[0].at
        foes = [one for one in self.table.units() if self.table.side(one) != side and "loaded" not in one.states]
        foes = [one for one in foes if self.side in ("", self.table.side(one))]
        known = [one for one in foes if fit(one) and away(one.at, at) <= FAR] if self.dice.random() < 0.85 else foes
        known = known or [one for one in foes if fit(one)]
        first = self.dice.choice(known) if known else None
        # Of one side: in a Situation with three they don't fire together.
        same = [one for one in known if first is not None and self.table.side(one) == self.table.side(first)]
        return self.dice.sample(same, min(len(same), self.dice.randint(1, most)))

    def words(
        self, attack: str, firers: Sequence[Counter], at: Location, targets: Sequence[Counter], *more: str
    ) -> tuple[str, ...]:
        held = ["odds", f"attack={attack}", f"at={self.table.name(at)}"]
        if firers:
            sources = dict.fromkeys(self.table.name(one.at) for one in firers)
            held += [
                f"from={','.join(sources)}",
                f"side={self.table.side(firers[0])}",
                f"firers={','.join(map(word, firers))}",
            ]
        held += [f"targets={','.join(map(word, targets))}"] if targets else []
        return (*held, "anyway=yes", *more)

    def direct(self) -> Asked | None:
        targets = self.target()
        if targets and self.dice.random() < 0.3:
            targets = self.dice.sample(targets, self.dice.randint(1, len(targets)))
        firers = (
            self.against(targets, lambda one: self.ability(one, "direct_fire", "anti_aircraft_fire")) if targets else []
        )
        if not firers:
            return None
        flying = all(self.game.units[one.unit].factors["target"] == "F" for one in targets)
        attack = "anti_aircraft" if flying and self.dice.random() < 0.5 else "direct_fire"
        return Asked("direct_fire", firers, targets, self.words(attack, firers, targets[0].at, targets))

    def opportunity(self) -> Asked | None:
        targets = self.target()[:1]
        firers = (
            self.against(targets, lambda one: self.ability(one, "opportunity_fire", "anti_aircraft_fire"))
            if targets
            else []
        )
        if not firers:
            return None
        near = [one for one in firers if one.at in self.table.neighbours(targets[0].at)]
        if near and self.dice.random() < 0.6:  # at a unit that is just overrunning a hex
            overrun = self.dice.choice(near).at
            words = self.words(
                "opportunity_fire", firers, targets[0].at, targets, f"overrun={self.table.name(overrun)}"
            )
            own = [(one, "overrun_by_them") for one in firers if one.at == overrun]
            return Asked("opportunity_fire", firers, targets, words, {"overrunning": "yes"}, own=own)
        return Asked(
            "opportunity_fire", firers, targets, self.words("opportunity_fire", firers, targets[0].at, targets)
        )

    def supports(self, kind: str) -> list[tuple[str, Support]]:
        """What a side has off the map."""
        forces = self.game.scenarios[self.table.scenario].forces
        return [
            (side, one)
            for side, force in forces.items()
            for one in force.support
            if one.kind == kind and self.side in ("", side)
        ]

    def written(self, attack: str) -> Asked | None:
        """Fire written down for a hex; the module is asked about one unit there, the assistant about all, or about the one that
        destructive fire is written for."""
        targets = self.target()
        batteries = [
            (side, one) for side, one in self.supports("artillery") if targets and side != self.table.side(targets[0])
        ]
        if batteries and self.dice.random() < 0.4:
            side, support = self.dice.choice(batteries)
            words = self.words(attack, (), targets[0].at, (), f"side={side}", f"support={support.name}")
            return Asked(attack, [self.table.support(support)], targets, words, targets=[self.dice.choice(targets)])
        firers = self.against(targets, lambda one: self.weapon(one) in ("M", "(H)"), 3) if targets else []
        if not firers:
            return None
        words, target = self.words(attack, firers, targets[0].at, ()), self.dice.choice(targets)
        if attack == "indirect_fire" and self.dice.random() < 0.2:
            return Asked(
                attack,
                firers,
                targets,
                (*words, f"destructive={word(target)}"),
                {"destructive": "yes"},
                targets=[target],
            )
        return Asked(attack, firers, targets, words, targets=[target])

    def indirect(self) -> Asked | None:
        return self.written("indirect_fire")

    def interdiction(self) -> Asked | None:
        return self.written("interdiction")

    def beside(self, attack: str, fit: Callable[[Counter], bool]) -> Asked | None:
        """An attack from next to a hex on all who are there; attackers are brought there if none are."""
        targets = self.target()
        if not targets:
            return None
        near = self.table.neighbours(targets[0].at)
        attackers = self.against(targets, fit, 3)
        empty = [place for place in near if not any(one.at == place for one in self.table.units())]
        for one in attackers:
            if one.at not in near and empty:
                self.table.put(one, self.dice.choice(empty))
        attackers = [one for one in attackers if one.at in near]
        flying = [one for one in targets if self.game.units[one.unit].class_ == "air" and "down" not in one.states]
        targets = [one for one in targets if one not in flying] or targets
        if not attackers:
            return None
        return Asked(attack, attackers, targets, self.words(attack, attackers, targets[0].at, ()))

    def overrun(self) -> Asked | None:
        return self.beside("overrun", lambda one: self.ability(one, "overrun"))

    def assault(self) -> Asked | None:
        return self.beside("close_assault", lambda one: self.ability(one, "close_assault"))

    def strike(self) -> Asked | None:
        """An air strike of the Situation, which has a piece and no counter."""
        listed = self.supports("air_strike")
        if not listed:
            return None
        side, support = self.dice.choice(listed)
        targets = [one for one in self.target() if self.table.side(one) != side]
        if not targets or support.weapon == "(H)":
            targets = targets[:1]
        if not targets:
            return None
        words = self.words("air_strike", (), targets[0].at, targets, f"side={side}", f"support={support.name}")
        return Asked("air_strike", [self.table.support(support)], targets, words)

    def mines(self) -> Asked | None:
        """A minefield that a unit enters from the next hex, or leaves."""
        fields = [one for one in self.table.on_map() if one.unit in MINES]
        units = [one for one in self.table.units() if "loaded" not in one.states]
        if not fields or not units:
            return None
        mine, mover = self.dice.choice(fields), self.dice.choice(units)
        if any(other.at == mine.at for other in fields if other is not mine):
            return None
        leaves = self.dice.random() < 0.3
        self.table.put(mover, mine.at if leaves else self.dice.choice(self.table.neighbours(mine.at)))
        words = ["odds", "attack=minefield", f"at={self.table.name(mine.at)}", f"targets={word(mover)}", "anyway=yes"]
        words += [] if leaves else [f"from={self.table.name(mover.at)}"]
        return Asked("minefield", [mine], [mover], tuple(words), {"entering": "no"} if leaves else {})

    def engineers(self) -> Asked | None:
        """Combat engineers who clear the mines of their hex."""
        fields = [one for one in self.table.on_map() if one.unit in MINES]
        able = [one for one in self.table.units() if self.ability(one, "engineer_standard")]
        if not fields or not able:
            return None
        mine = self.dice.choice(fields)
        if any(other.at == mine.at for other in fields if other is not mine):
            return None
        there = self.dice.sample(able, min(len(able), self.dice.randint(1, 2)))
        for one in there:
            self.table.put(one, mine.at)
        words = (
            "odds",
            "attack=clear_mines",
            f"at={self.table.name(mine.at)}",
            f"firers={','.join(map(word, there))}",
            "anyway=yes",
        )
        return Asked("clear_mines", there, [mine], words)

    def march(self) -> Asked | None:
        units = [one for one in self.table.units() if "loaded" not in one.states]
        if not units:
            return None
        one = self.dice.choice(units)
        words = ("odds", "attack=quick_march", f"at={self.table.name(one.at)}", f"targets={word(one)}", "anyway=yes")
        return Asked("quick_march", [], [one], words)


# --- what both say ----------------------------------------------------------------------------------------------------


def fire_differences(
    game: Game, table: Table, battle: Asked, said: Mapping[str, Any], told: Told, chat: Sequence[str]
) -> Iterator[str]:
    """Where the module's attack and the assistant's answer differ, in totals, unit by unit, and in what isn't allowed."""
    shape = game.attacks[battle.attack]
    asked = list(battle.targets or battle.defenders)
    listed = [str(one["unit"]) for one in said["targets"]]
    answer = said
    if "attacks" in said:  # each defender alone
        answer = said["attacks"][listed.index(key(asked[0]))]
    wanted = {"column": column_of(game, battle.attack, answer["column"]), "shift": answer["shift"]}
    wanted |= {"attack": answer["attack_strength"], "defense": answer["defense_strength"]}
    yield from numbers(battle, wanted, told)
    firing = [one for one in answer["units"] if one["group"] == shape.attackers]
    for row, one in zip(said["attackers"], firing, strict=False):
        piece = next(
            (piece for piece in battle.attackers if row["unit"] in (None, key(piece), piece.unit) or not piece.unit),
            None,
        )
        heard = told.get(f"{piece.name}.Strength", "") if piece is not None else ""
        if not near(heard, float(numeric(one["value"])) * UNITS):
            yield f"{row['unit']} has {heard} / {UNITS}, {one['value']} says the assistant"
    for piece in asked:
        dice = (
            answer["target_dice"][listed.index(key(piece)) if answer is said else 0] if answer["target_dice"] else None
        )
        if dice is not None:
            yield from _target(game, battle, answer, piece, dice, told, chat)
    yield from _refused(game, table, battle, said, told)


def key(piece: Counter) -> str:
    """A piece as an answer names it."""
    return f"{piece.unit}/{piece.copy}"


def numeric(value: object) -> float:
    text, _, under = str(value).partition("/")
    return float(text) / float(under or 1)


def _target(
    game: Game,
    battle: Asked,
    answer: Mapping[str, Any],
    piece: Counter,
    dice: Mapping[str, Any],
    told: Told,
    chat: Sequence[str],
) -> Iterator[str]:
    """The die of a defender and its chances."""
    heard = told.get(f"{piece.name}.Die", "")
    if not near(heard, float(dice["die"]) - float(answer.get("die", 0))):
        yield f"{key(piece)}: die {heard}, {dice['die']} in all says the assistant"
    if answer["column"] is not None:
        name = (game.units.get(piece.unit) or game.markers[piece.unit]).name
        lines = [chances_told(line) for line in chat if f"{name} {piece.copy} (" in line or f"{name} (" in line]
        if percent(dice["codes"]) not in lines:
            yield f"{key(piece)}: chances {lines}, not {percent(dice['codes'])}"


def _refused(game: Game, table: Table, battle: Asked, said: Mapping[str, Any], told: Told) -> Iterator[str]:
    """What the module doesn't allow, the assistant doesn't; and what it doesn't by the pack's conditions, the module doesn't."""
    texts = {one.text for one in game.attacks[battle.attack].requires}
    refused = [str(one["text"]) for one in said["refused"]]
    for piece in (*battle.attackers, *(battle.targets or battle.defenders)):
        counter = game.units.get(piece.unit) or game.markers.get(piece.unit)
        supports = [one.removeprefix("support=") for one in battle.words if one.startswith("support=")]
        name = counter.name if counter is not None else supports[0]
        label = f"{name} ({table.name(piece.at)}" if piece.at in table.at else name
        alike = [one for one in (*battle.attackers, *battle.defenders) if (one.unit, one.at) == (piece.unit, piece.at)]
        own = [
            one.partition("): ")[2] or one.partition(": ")[2] for one in refused if one.startswith((label, f"{name}: "))
        ]
        by_pack = [one for one in own if any(one.startswith(text) for text in texts)]
        heard = told.get(f"{piece.name}.Failure", "")
        if heard and not own:
            yield f"{key(piece)} may not in the module: {heard}"
        if by_pack and not any(told.get(f"{one.name}.Failure") for one in alike):
            yield f"{key(piece)} may not says the assistant: {by_pack}"
    whole = [one for one in refused if any(one.startswith(text) for text in texts)]
    heard = told.get(f"v_{battle.attack}_failure", "")
    if bool(heard) != bool(whole):
        yield f"not allowed: {heard!r} in the module, {whole} says the assistant"
