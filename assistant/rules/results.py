"""What a result of a battle does: who loses what, who goes back and where to, who may advance. By the records of `rules.results`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as data_field
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal

from assistant.answers import Cell, Column, Table
from assistant.attack import Answer as Odds
from assistant.rules.asked import Asked
from assistant.rules.battle import Battle
from assistant.rules.field import Field, Standing
from assistant.rules.kinds import program_of
from assistant.rules.movement import reach
from assistant.rules.retreat import Back
from assistant.rules.together import retreat_together
from scenarios.game import Game
from scenarios.rules.shapes import ResultRule, Rules

ALL = 99
"""What the effect `all` counts."""
ALWAYS = "always"
"""The records that hold after every result."""
MOST_CHOSEN = 14
"""Of more units than this the cheapest for an exchange are taken one after the other."""
Role = Literal["attacker", "defender"]


@dataclass
class Fate:
    """What becomes of one unit."""

    standing: Standing
    role: Role
    worth: Fraction
    lost: int = 0
    eliminated: bool = False
    states: frozenset[str] = frozenset()
    retreat: tuple[int, str] | None = None
    """How many hexes it goes back, and by which walk."""
    instead: int = 0
    """The steps that it loses where it can't go back."""
    back: Back | None = None
    advances: tuple[int, ...] = ()
    records: list[ResultRule] = data_field(default_factory=list)
    """The records that did it, in order."""

    @property
    def left(self) -> int:
        """The steps it has left after the battle itself."""
        return 0 if self.eliminated else max(0, self.standing.steps - self.lost)

    @property
    def gone(self) -> bool:
        """Whether it is gone, on its way back too."""
        return not self.left or (self.back is not None and self.back.fate is not None and self.back.fate.lost) or self.no_way

    @property
    def no_way(self) -> bool:
        """Whether it has to go back and can't, and that is its end."""
        back = self.back
        if back is None or back.fate is not None or any(back.ways.values()):
            return False
        return back.none is None or back.none.lose == "all"

    @property
    def leaves(self) -> bool:
        """Whether it is no longer where it fought; who may stay or go stays."""
        return self.gone or (self.back is not None and self.back.fate is None and self.back.choice is None)

    @property
    def steps(self) -> int:
        """The steps that it loses in all, going the best way back."""
        if self.gone:
            return self.standing.steps
        harm = 0
        if self.back is not None and self.back.walk.harm == "steps":
            harm = min((way.harm for ways in self.back.ways.values() for way in ways), default=0)
            if not any(self.back.ways.values()) and self.back.fate is None and self.back.none is not None:
                harm = int(self.back.none.lose) if self.back.none.lose.isdecimal() else 0
        return min(self.standing.steps, self.lost + harm)


@dataclass(frozen=True)
class Consequence:
    """What a result does."""

    code: str
    chance: Fraction
    fates: tuple[Fate, ...]
    falls: bool
    """Whether no defender is left in the places attacked."""
    choosers: tuple[tuple[ResultRule, str], ...] = ()
    """Records that leave a choice, and whose it is."""

    def of(self, role: Role) -> tuple[Fate, ...]:
        """What becomes of one group."""
        return tuple(fate for fate in self.fates if fate.role == role)

    def steps(self, role: Role) -> int:
        """The steps that a group loses."""
        return sum(fate.steps for fate in self.of(role))


def records_of(rules: Rules, effects: Mapping[str, str]) -> Iterator[tuple[ResultRule, int]]:
    """The records that the effects of a result call for, in their order, each with the number of its effect."""
    for name, outcomes in rules.results.items():
        if name in effects or name == ALWAYS:
            for outcome in outcomes:
                yield outcome, _number(effects.get(name, "0"))


def results_table(game: Game, table: str) -> Table:
    """What each result of a table does by the rules, for battles whose units fire one by one."""
    program, rows = program_of(game), list[dict[str, Cell]]()

    def fits(record: ResultRule, number: int, code: str) -> bool:
        """Whether a record may hold after this result; what else it asks for, the battle tells."""
        told = {"result": number, "code": code}
        return record.when is None or not program.names(record.when) <= told.keys() or record.when.work(told, program.lookup, None) is True

    for code, result in game.tables[table].results.items():
        records = [record for record, number in records_of(program.rules, result.effects) if fits(record, number, code)]
        if records:
            rules = ", ".join(dict.fromkeys(part for record in records for part in record.rule.split(", ") if part))
            does: list[Cell] = [{"text": record.text, "rule": record.rule} for record in records]
            rows.append({"result": code, "meaning": result.meaning, "does": does, "rule": rules})
    return Table("results", [Column("result", "result"), Column("meaning", "what it does"), Column("rule", "rule"), Column("does")], rows)


def consequences(battle: Battle, odds: Odds) -> tuple[Consequence, ...]:
    """What each result that may be thrown does."""
    return tuple(_Result(battle, odds, code, chance).consequence() for code, chance in odds.chances.items() if chance)


class _Result:
    """One result of one battle, carried out."""

    def __init__(self, battle: Battle, odds: Odds, code: str, chance: Fraction) -> None:
        self.battle, self.field, self.code, self.chance = battle, battle.field, code, chance
        attack = battle.field.game.attacks[battle.attack]
        worth = {key: [unit.value for unit in odds.units if unit.group == key] for key in attack.groups}
        groups: list[tuple[Role, Sequence[Standing], str]] = [
            ("attacker", battle.attackers, attack.attackers), ("defender", battle.defenders, attack.defenders),
        ]  # fmt: skip
        self.fates = [
            Fate(standing, role, value, states=standing.piece.states)
            for role, standings, key in groups
            for standing, value in zip(standings, worth.get(key, [Fraction(0)] * len(standings)), strict=True)
        ]
        table = battle.field.game.tables[attack.table]
        self.effects: Mapping[str, str] = table.results[code].effects if code in table.results else {}
        self.choosers: list[tuple[ResultRule, str]] = []
        self.picked: dict[Role, list[int]] = {}
        """Who suffers, where a result touches only so many units of a group."""

    def consequence(self) -> Consequence:
        """Every record in its order; then who has to goes back, and who may goes forward."""
        advancing: list[tuple[Fate, ResultRule]] = []
        for outcome, result in records_of(self.field.program.rules, self.effects):
            advancing += self._carry_out(outcome, result)
        self._go_back()
        falls = bool(self.battle.defenders) and all(fate.leaves for fate in self.fates if fate.role == "defender")
        if falls:
            self._advance(advancing)
        return Consequence(self.code, self.chance, tuple(self.fates), falls, tuple(self.choosers))

    def _carry_out(self, outcome: ResultRule, result: int) -> list[tuple[Fate, ResultRule]]:
        fates = [fate for fate in self.fates if fate.role == outcome.to.removesuffix("s") and fate.left]
        fates = [fate for fate in fates if self.field.holds_of(outcome.when, self._asked(fate, result))]
        if outcome.many is not None and fates:
            fates = self._pick(outcome, fates, result)
        if not fates:
            return []
        before = [(fate.lost, fate.eliminated, fate.states, fate.retreat) for fate in fates]
        advancing: list[tuple[Fate, ResultRule]] = []
        if outcome.lose is not None:
            self._lose(outcome, fates, result)
        elif outcome.eliminate:
            for fate in fates:
                fate.eliminated = True
        elif outcome.exchange is not None:
            self._exchange(outcome, fates, result)
        elif outcome.set or outcome.clear:
            for fate in fates:
                fate.states = (fate.states | {outcome.set}) - {outcome.clear, ""}
        elif outcome.retreat is not None:
            for fate in fates:
                hexes = int(self.field.value_of(outcome.retreat, self._asked(fate, result)))
                fate.retreat = max(fate.retreat or (0, ""), (hexes, outcome.kind)) if hexes > 0 else fate.retreat
                fate.instead = int(self.field.value_of(outcome.instead, self._asked(fate, result))) if outcome.instead else 0
        else:
            advancing = [(fate, outcome) for fate in fates]
        for fate, was in zip(fates, before, strict=True):
            if (fate.lost, fate.eliminated, fate.states, fate.retreat) != was:
                fate.records.append(outcome)
        return advancing

    def _pick(self, outcome: ResultRule, fates: Sequence[Fate], result: int) -> list[Fate]:
        """So many of the units, chosen by their owner, who spares units, then strength; once for the whole result."""
        assert outcome.many is not None
        role = fates[0].role
        if role not in self.picked:
            many = int(self.field.value_of(outcome.many, self._asked(fates[0], result)))
            self.choosers += [(outcome, "owner")] * (0 < many < len(fates))
            self.picked[role] = [id(fate) for fate in sorted(fates, key=_spared)[:many]]
        return [fate for fate in fates if id(fate) in self.picked[role]]

    def _asked(self, fate: Fate, result: int) -> Asked:
        battle = self.battle
        near = [n for n in battle.targets if self.field.kinds.distance(fate.standing.at, n) == 1]
        place = fate.standing.at if fate.role == "defender" else (*near, *battle.targets)[0]
        more: dict[str, Any] = {
            "result": result, "code": self.code, "role": fate.role, "steps_lost": min(fate.lost, fate.standing.steps),
            "attackers": [one.standing.fields for one in self.fates if one.role == "attacker"],
            "defenders": [one.standing.fields for one in self.fates if one.role == "defender"],
        }  # fmt: skip
        return Asked(self.field, self.field.walker(fate.standing), {"from": fate.standing.at, "to": place}, more)

    def _lose(self, outcome: ResultRule, fates: Sequence[Fate], result: int) -> None:
        assert outcome.lose is not None
        if outcome.who == "each":
            for fate in fates:
                fate.lost += int(self.field.value_of(outcome.lose, self._asked(fate, result)))
            return
        steps = int(self.field.value_of(outcome.lose, self._asked(fates[0], result)))
        chosen = outcome.who in ("owner", "enemy") and 0 < steps < sum(fate.left for fate in fates) and len(fates) > 1
        if chosen:
            self.choosers.append((outcome, outcome.who))
        for _ in range(steps):
            standing = [fate for fate in fates if fate.left]
            if not standing:
                return
            _next(outcome.who, standing).lost += 1

    def _exchange(self, outcome: ResultRule, fates: Sequence[Fate], result: int) -> None:
        """Units whose worth is at least that of what the other group has lost, as little as will do."""
        assert outcome.exchange is not None
        formula = outcome.exchange

        def worth(fate: Fate) -> Fraction:
            return Fraction(self.field.value_of(formula, self._asked(fate, result)))

        owed = sum((worth(fate) for fate in self.fates if fate.role != fates[0].role and not fate.left), Fraction(0))
        paid = _paid([worth(fate) for fate in fates], owed)
        if 0 < len(paid) < len(fates):
            self.choosers.append((outcome, "owner"))
        for n in paid:
            fates[n].eliminated = True

    # Where to.

    def _go_back(self) -> None:
        """Defenders first, then attackers, each group as it is after its losses."""
        for role in ("defender", "attacker"):
            field, now = self._after()
            kinds = dict.fromkeys(fate.retreat for fate in self.fates if fate.role == role and fate.left and fate.retreat)
            for hexes, kind in filter(None, kinds):
                going = [fate for fate in self.fates if fate.role == role and fate.left and fate.retreat == (hexes, kind)]
                backs = retreat_together(field, [now[id(fate)] for fate in going], hexes, kind).backs
                for fate, back in zip(going, backs, strict=True):
                    if fate.instead and back.fate is None and not any(back.ways.values()):
                        fate.lost, fate.retreat = fate.lost + fate.instead, None
                    else:
                        fate.back = back

    def _after(self) -> tuple[Field, Mapping[int, Standing]]:
        """The field as it is now: who is gone or on his way back isn't there, others are as the losses leave them."""
        now: dict[int, Standing] = {}
        come = []
        for fate in self.fates:
            if fate.gone or fate.leaves:
                continue
            after = self.field.with_loss(fate.standing, fate.lost)
            if fate.states != fate.standing.piece.states:
                after = self.field.as_if(after.piece._replace(states=fate.states))
            now[id(fate)] = after
            come.append(after)
        return self.field.changed([fate.standing for fate in self.fates], come), now

    def _advance(self, advancing: Iterable[tuple[Fate, ResultRule]]) -> None:
        field, now = self._after()
        for fate, outcome in advancing:
            if fate.leaves or fate.retreat is not None:
                continue
            found = reach(field, now[id(fate)], outcome.kind, section="advance", result=1)
            ends = tuple(n for n in found.ends if n != fate.standing.at) if not found.refused else ()
            # The hex that was fought for first, if it may go there at all.
            taken = tuple(n for n in ends if n in self.battle.targets) or ends
            if taken:
                fate.advances = taken
                fate.records.append(outcome)


def _next(who: str, fates: Sequence[Fate]) -> Fate:
    """Who loses the next step: an owner spares units, then strength; the enemy and `strongest` take the strongest."""
    if who in ("enemy", "strongest"):
        return max(fates, key=lambda fate: (fate.worth, -fate.left))
    if who == "weakest":
        return min(fates, key=lambda fate: (fate.worth, fate.left))
    return min(fates, key=_spared)


def _spared(fate: Fate) -> tuple[bool, Fraction]:
    """Whom an owner gives up first."""
    return fate.left == 1, fate.worth


def _paid(worth: Sequence[Fraction], owed: Fraction) -> tuple[int, ...]:
    """The units that are worth at least so much, as little as will do; all where they aren't worth it."""
    if owed <= 0:
        return ()
    if sum(worth) <= owed:
        return tuple(range(len(worth)))
    if len(worth) > MOST_CHOSEN:
        paid, left = [], owed
        for n in sorted(range(len(worth)), key=lambda n: -worth[n]):
            if left > 0:
                paid.append(n)
                left -= worth[n]
        return tuple(sorted(paid))
    sets = (chosen for size in range(1, len(worth) + 1) for chosen in combinations(range(len(worth)), size))
    return min((chosen for chosen in sets if sum(worth[n] for n in chosen) >= owed), key=lambda c: (sum(worth[n] for n in c), len(c)))


def _number(text: str) -> int:
    return ALL if text == "all" else int(text) if text.lstrip("-").isdecimal() else 0
