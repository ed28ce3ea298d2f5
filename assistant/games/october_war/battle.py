"""A whole battle of October War, solved exactly: who holds the point, and what it costs each side (15.0, 16.0)."""

from __future__ import annotations

from collections.abc import Mapping
from math import lcm

from assistant.attacks import BadQuestion
from assistant.games.october_war.fire import Battle, armies, firing_nation, other
from assistant.games.october_war.flow import by_points, by_rounds, weighed
from assistant.games.october_war.forces import Army
from assistant.games.october_war.guns import Guns
from assistant.games.october_war.ledger import Ledger
from assistant.games.october_war.result import ATTACKER, DEFENDER, Result, Toll, Volley, Weight
from assistant.games.october_war.rounds import WIDE, Opened, Rounds
from assistant.games.october_war.rows import GROUND


def first_fire(ew_attacker: bool = False, ew_defender: bool = False, surprise: bool = False) -> str:
    """Who fires first (15.2, 26.2): the defender, unless the attacker's EW goes unanswered or it is 6.3 (1)."""
    return ATTACKER if surprise or (ew_attacker and not ew_defender) else DEFENDER


def solve(battle: Battle) -> Result:
    """The chance of every end of a battle."""
    return Solver(battle).result()


class Solver:
    """A battle and what is known of its fires, which battles much like it share."""

    def __init__(self, battle: Battle, kin: Solver | None = None) -> None:
        self.battle = battle
        self.armies = armies(battle, {} if kin is None else kin.as_in(battle))
        if kin is not None and not all(kin.armies[side].knows(army) for side, army in self.armies.items()):
            kin = None
        if kin is not None:
            self.armies = {side: kin.armies[side].like(army) for side, army in self.armies.items()}
            self.ledgers: Mapping[str, Ledger] = kin.ledgers
        else:
            table = battle.game.tables[battle.game.attacks[GROUND].table]
            self.ledgers = {side: Ledger(army, table) for side, army in self.armies.items()}
        self.nation = firing_nation(battle.attackers, battle.contingent)
        self.guns = {side: self._guns(side, kin) for side in self.armies}

    def as_in(self, battle: Battle) -> dict[str, Army]:
        """The armies that are the very same in another battle."""
        same = battle.elsewhere is self.battle.elsewhere and battle.policies is self.battle.policies
        kept = {ATTACKER: battle.attackers is self.battle.attackers, DEFENDER: battle.defenders is self.battle.defenders}
        return {side: army for side, army in self.armies.items() if same and kept[side]}

    def _guns(self, side: str, kin: Solver | None) -> Guns:
        """One side's fire: that of the kindred battle, if nothing changes it."""
        nation = self.nation if side == ATTACKER else ""
        if kin is not None and kin.guns[side].serves(self.battle, nation):
            return kin.guns[side]
        return Guns(self.battle, side, self.ledgers[side], self.ledgers[other(side)], nation)

    def result(self) -> Result:
        """The battle with all its ends."""
        volleys = self._volleys()
        rounds = self._fought()
        spread = by_points(rounds)
        ends: dict[tuple[str, str], int] = {}
        paid: dict[Toll, int] = {}
        present: dict[str, dict[int, int]] = {side: {} for side in self.armies}
        attackers, defenders = self.ledgers[ATTACKER], self.ledgers[DEFENDER]
        began = [army.points(army.start) for army in self.armies.values()]
        for (holder, why, attacker, defender), held in spread.ends.items():
            lost = began[0] - attackers.points(attacker), began[1] - defenders.points(defender)
            for away, ways in held.items():
                gone = divmod(away, WIDE)
                told = why or ("retreated" if gone[holder == ATTACKER] else "eliminated")
                ends[holder, told] = ends.get((holder, told), 0) + ways
                toll = Toll(holder, lost[0] - gone[0], lost[1] - gone[1])
                paid[toll] = paid.get(toll, 0) + ways
            total = sum(held.values())
            for side, force in ((ATTACKER, attacker), (DEFENDER, defender)):
                present[side][force] = present[side].get(force, 0) + total
        return Result(
            self.armies[ATTACKER], self.armies[DEFENDER], self.battle.first, tuple(volleys), tuple(self._notes()),
            ends, paid, {side: self._standing(side, forces) for side, forces in present.items()}, spread.of,
            by_rounds(rounds),
        )  # fmt: skip

    def weigh(self) -> Weight:
        """The battle in three numbers, without the spread of its losses: much quicker."""
        holds, *left = weighed(self._fought())
        began = [army.points(army.start) for army in self.armies.values()]
        return Weight(holds, began[0] - left[0], began[1] - left[1])

    def _standing(self, side: str, forces: Mapping[int, int]) -> dict[str, int]:
        """How many units of each name are left in all ways together."""
        army, ledger = self.armies[side], self.ledgers[side]
        result: dict[str, int] = {}
        for place, kind in enumerate(army.kinds):
            many = sum(ledger.forces[force].present[place] * ways for force, ways in forces.items())
            if many:
                result[kind.name] = result.get(kind.name, 0) + many
        return result

    def _volleys(self) -> list[Volley]:
        """What all fire on in the first round; BadQuestion where one of them may not."""
        found = [
            volley
            for side in (ATTACKER, DEFENDER)
            for volley in self.guns[side].volleys(self.armies[side].start.present, self.armies[other(side)].start.present)
        ]
        refused = [failure for volley in found for failure in volley.answer.failures]
        if refused:
            raise BadQuestion("; ".join(dict.fromkeys(refused)))
        return found

    def _fought(self) -> Rounds:
        """The rounds of the battle, after the blows before it."""
        return Rounds(self.guns, self.battle.first, self._opened())

    def _opened(self) -> list[Opened]:
        """The forces after air attacks and barrages, which nobody answers (6.2 (2f), 19.9, 24.1)."""
        attacker, start = (self.ledgers[side].number(self.armies[side].start) for side in (ATTACKER, DEFENDER))
        ledger = self.ledgers[DEFENDER]
        forces = {(start, 0): 1}
        for blow in self.battle.blows:
            common = lcm(*(chance.denominator for chance in blow.codes.values()))
            after: dict[tuple[int, int], int] = {}
            for (force, away), ways in forces.items():
                for code, chance in blow.codes.items():
                    hit, gone = force, 0
                    if ledger.depths[force] and ledger.table.results[code].effects:
                        hit, gone = ledger.settled(ledger.hit(force, code, blow.feared))
                    key = (hit, away + gone)
                    after[key] = after.get(key, 0) + ways * int(chance * common)
            forces = after
        return [Opened(attacker, force, away, ways) for (force, away), ways in forces.items() if ways]

    def _notes(self) -> list[str]:
        notes = list(self.battle.notes)
        if len({str(unit["nation"]) for unit in self.battle.attackers}) > 1:
            name = self.battle.game.nations[self.nation].name
            notes.append(f"only the units of {name} fire in the attack (12.3, 22.1)")
        for side, held in self.armies.items():
            if held.firing(held.start.present) != held.start.present:
                notes.append(f"the {side} is over the stacking limit: only what is within it fires (12.1, 15.3)")
        return notes
