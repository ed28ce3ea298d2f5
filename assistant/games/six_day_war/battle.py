"""Ground combat: percentage and choice of table."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction

from assistant.attacks import Answer, BadQuestion
from assistant.games.six_day_war.field import Field, Stand, other
from assistant.games.six_day_war.outcomes import Result, Setting, spelled_out
from assistant.games.six_day_war.sums import FORTIFIED, TABLES, Sums, Told
from scenarios.game import Game
from scenarios.hexes import Hex, neighbours


def column(game: Game, attack: Fraction | int, defense: Fraction | int, shift: int = 0, table: str = "assault") -> str:
    """The column of two strengths: percent, from the end column if beyond it, then shifted (13.12, 13.14)."""
    held = game.tables[table]
    if defense <= 0:
        raise BadQuestion("the defense strength is 0: there is no percentage to find")
    start = held.find_column(Fraction(attack) / Fraction(defense) * 100)
    return held.columns.labels[held.shifted(0 if start is None else start, shift)]


@dataclass(frozen=True)
class Battle:
    """An attack on one of the two tables."""

    table: str
    answer: Answer
    sums: Sums
    setting: Setting
    attackers: tuple[Stand, ...]
    defenders: tuple[Stand, ...]
    results: tuple[Result, ...]
    gone: dict[str, Fraction]
    """The chance that each unit is eliminated, by the result or for want of a way back."""

    def lost(self, side: str) -> Fraction:
        """How many units of a side are eliminated on average."""
        return sum((self.gone[s.key] for s in (*self.attackers, *self.defenders) if s.side == side), Fraction(0))

    @property
    def clears(self) -> Fraction:
        """The chance that no defender is left where he was: dead, or sure to have gone back."""
        return sum((one.chance for one in self.results if self._cleared(one)), Fraction(0))

    def _cleared(self, one: Result) -> bool:
        back = {r.stand for r in one.defender_retreats if not r.stays}
        return all(stand in one.defenders_lost or stand in back for stand in self.defenders)


def battles(
    field: Field, attackers: Sequence[Stand], targets: Sequence[Hex], *, enhanced: bool = False,
    airborne_surprise: bool = False, disintegrated: AbstractSet[str] = frozenset(), shock_and_enhanced: bool = True,
    shock_turn: bool | None = None, table: str = "",
) -> tuple[Battle, ...]:  # fmt: skip
    """An attack on a hex (or on several at once, 13.5) on each table the attacker may choose (13.13); if he may choose none,
    on the one with the fewest objections. With `table` on that one only, or BadQuestion tells why not."""
    defenders = _checked(field, attackers, targets)
    if airborne_surprise and [field.table.terrain[hex] for hex in targets] != ["fortification"]:
        raise BadQuestion("airborne surprise is for an attack on one fortification (20.5)")
    told = Told(enhanced, airborne_surprise, shock_and_enhanced, shock_turn)
    sums = Sums(field, attackers[0].side, targets, defenders, told)
    answers = {one: sums.answer(one, attackers) for one in TABLES}
    nullified = answers["assault"].values["nullified"] is True
    walled = [hex for hex in targets if field.table.terrain[hex] in FORTIFIED]
    allowed = [
        one for one in TABLES if not answers[one].failures and (one == "assault" or not walled or nullified)
    ] or [min(reversed(TABLES), key=lambda one: len(answers[one].failures))]
    if table and table not in allowed:
        why = answers[table].failures or ("a fortified city or a fortification is among the hexes attacked (13.13)",)
        raise BadQuestion(f"the {table} table may not be chosen: {'; '.join(why)}")
    bare = frozenset(targets) if nullified else frozenset[Hex]()
    setting = Setting(enhanced or sums.shock, disintegrated, bare)
    return tuple(
        _battle(field, one, answers[one], sums, setting, tuple(attackers), defenders) for one in ([table] if table else allowed)
    )


def _battle(
    field: Field, table: str, answer: Answer, sums: Sums, setting: Setting,
    attackers: tuple[Stand, ...], defenders: tuple[Stand, ...],
) -> Battle:  # fmt: skip
    gone = {stand.key: Fraction(0) for stand in (*attackers, *defenders)}
    chances = answer.chances.items()
    results = tuple(spelled_out(field, table, code, p, setting, attackers, defenders) for code, p in chances)
    for one in results:
        for stand in (*one.attackers_lost, *one.defenders_lost):
            gone[stand.key] += one.chance
        for back in (*one.attacker_retreats, *one.defender_retreats):
            if back.dies:
                gone[back.stand.key] += one.chance * back.dies
    return Battle(table, answer, sums, setting, attackers, defenders, results, gone)


def _checked(field: Field, attackers: Sequence[Stand], targets: Sequence[Hex]) -> tuple[Stand, ...]:
    """The defenders, if everybody is where he has to be (13.5)."""
    if not attackers:
        raise BadQuestion("say who attacks: attackers")
    if not targets:
        raise BadQuestion("say which hex is attacked: target")
    name = field.table.name
    found: list[Stand] = []
    for hex in targets:
        there = field.held[other(attackers[0].side)].get(hex, ())
        if not there:
            raise BadQuestion(f"no enemy of {attackers[0].name} stands in {name(hex)}")
        for stand in attackers:
            if hex not in neighbours(stand.hex):
                raise BadQuestion(f"{stand.name} in {name(stand.hex)} is not next to {name(hex)} (13.5)")
            if field.front(stand.hex) != field.front(hex):
                raise BadQuestion(f"nobody attacks across the front boundary, as from {name(stand.hex)} into {name(hex)} (5.7)")
        found += there
    return tuple(found)

