"""A battle of October War played by hand, unit by unit and die by die, straight from 9.0, 12.0, 15.0 and 16.0.

Slow, and written apart from the assistant: it knows counters by what is printed on them and keeps them in plain lists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from scenarios import load

GAME = load("october_war")
ATTACKER, DEFENDER = "attacker", "defender"
OPPONENTS = {ATTACKER: DEFENDER, DEFENDER: ATTACKER}
# The Ground CRT, a line for each column: dice 1 to 6.
CRT = [
    "-----r", "-----R", "----r1", "----R1", "---r11", "---R12", "---R12", "--r112", "-rR122", "-R1122",
    "rR1222", "RR1223", "RR1233", "RR1233", "R11234", "R11234", "R12234", "R12334", "R22334", "R22345",
]  # fmt: skip
CODES = [{code: Fraction(line.count(code), 6) for code in dict.fromkeys(line)} for line in CRT]
# What a point does to the fire of who attacks in it: the mechanized and the others; for some kinds Arabs and Israelis.
BY_CLASS = {"open": (0, 0), "rough": (-1, -1), "pass": (-1, -1), "mountain": (-2, -2), "desert": (0, 0)}
BY_CLASS |= {"marsh": (-1, 0), "objective": (-1, -1)}
BY_SIDE = {"town": (0, -1), "city": (0, -3), "arab_fort": (0, -2), "israeli_fort_sinai": (-1, 0)}
BY_SIDE |= {"israeli_fort_golan": (-3, 0)}
FORTS = ("arab_fort", "israeli_fort_sinai", "israeli_fort_golan")
FREE = ("recon", "mobile_sam", "engineer", "antitank", "rocket_launcher", "garrison")
Throw = Callable[[Mapping[str, Fraction]], str]
"""One of some codes, each with its chance."""
End = tuple[str, int, int]


class Man:
    """A counter in a battle: its id, out of supply or not, on its combined arms side or not."""

    def __init__(self, id: str, cut: bool = False, is_mixed: bool = False) -> None:
        unit = GAME.units[id]
        factors = unit.back if is_mixed and unit.back else unit.factors
        self.id, self.cut, self.is_mixed, self.type = id, cut, is_mixed, unit.type
        self.name = (id, cut, is_mixed)
        self.nation = unit.nation
        self.arab, self.is_mechanized = unit.side == "arab", unit.class_ == "mechanized"
        self.strength, self.bracket, self.leader = (
            int(str(factors.get(factor, 0))) for factor in ("strength", "bracket", "leader")
        )
        self.can = frozenset(unit.abilities)
        self.armor = unit.type == "armor" and not is_mixed  # 15.7
        part_counts = {"armor_battalion": 2, "mech_battalion": 1} if is_mixed else unit.breaks_into  # 9.9
        self.parts = [Man(part, cut) for part, count in part_counts.items() for _ in range(count)]
        self.points = 0 if unit.type == "static_sam" else 3 if self.parts else 1  # 7.4
        self.is_support = unit.type in ("headquarters", "engineer")

    def __repr__(self) -> str:
        return "+".join([self.id, *(["cut"] * self.cut), *(["mixed"] * self.is_mixed)])


@dataclass
class Side:
    """One side's choices and what it has."""

    men: list[Man]
    losses: str = "weakest"
    obeys: bool = True
    dodge: str = "never"
    leave: Fraction = Fraction(0)
    can_retreat: bool = True
    stays: frozenset[str] = frozenset()
    """Counters that have nowhere to go though others have."""
    leader_bonus: int = 0
    """The best headquarters next to the point."""
    points: int = 0
    retreated_men: list[Man] = field(default_factory=list)
    """Who has retreated alone: still on the map."""

    def __post_init__(self) -> None:
        self.arab = self.men[0].arab
        nations = list(dict.fromkeys(man.nation for man in self.men))
        self.strongest = max(nations, key=lambda nation: sum(man.strength for man in self.men if man.nation == nation))
        self.man_indexes: dict[tuple[str, bool, bool], int] = {}
        for man in self.men:
            for member in (man, *man.parts):
                self.man_indexes.setdefault(member.name, len(self.man_indexes))

    def place(self, man: Man) -> int:
        """Where it stands in the list; the parts of a large unit come right after it."""
        return self.man_indexes[man.name]

    def weakness(self, man: Man) -> tuple[bool, int, int]:
        """Headquarters and engineers last, the weakest first, else as listed."""
        return man.is_support, man.strength, self.place(man)


@dataclass
class War:
    """A battle under way."""

    sides: dict[str, Side]
    terrain: str = "open"
    first: str = DEFENDER
    water: str = ""
    """Water that all attackers came across, without a bridge or help."""
    morale: bool = False
    blows: Sequence[tuple[Mapping[str, Fraction], bool]] = ()
    """What falls on the defender first, and whether the attacker chooses what is lost."""
    elsewhere: Mapping[str, int] = field(default_factory=dict)

    def play(self, throw: Throw) -> End:
        """15.2: fire in turns until somebody is alone, or a round goes by without a result."""
        for codes, is_chosen in self.blows:
            code = throw(codes)
            if code != "-":
                self.suffer(self.sides[DEFENDER], code, is_chosen)
            if not self.sides[DEFENDER].men:
                return self.end(ATTACKER)
        while True:
            result = False
            for shooter in (self.first, OPPONENTS[self.first]):
                result |= self.fire(shooter, throw)
                if not self.sides[OPPONENTS[shooter]].men:
                    return self.end(shooter)
                if shooter == self.first == ATTACKER and self.goes(DEFENDER):  # 16.3: before he fires back
                    return self.end(ATTACKER)
            if not result or self.goes(ATTACKER):
                return self.end(DEFENDER)
            if self.goes(DEFENDER):
                return self.end(ATTACKER)

    def end(self, holder: str) -> End:
        return holder, self.sides[ATTACKER].points, self.sides[DEFENDER].points

    def goes(self, name: str) -> bool:
        """16.3: whether a side has had enough, and its retreat."""
        side, enemy = self.sides[name], self.sides[OPPONENTS[name]]
        own_strength, enemy_strength = (sum(man.strength for man in army.men) for army in (side, enemy))
        if own_strength < side.leave * enemy_strength and self.willing(side):
            self.retreat(side)
            return True
        return False

    def movable(self, side: Side) -> list[Man]:
        """16.4: who can retreat."""
        return [man for man in side.men if side.can_retreat and "static" not in man.can and man.id not in side.stays]

    def willing(self, side: Side) -> bool:
        """16.3: all go or none, where nobody makes them; static units are lost then (16.4 (8))."""
        return bool(self.movable(side)) and not any(man.id in side.stays for man in side.men if "static" not in man.can)

    def retreat(self, side: Side) -> None:
        """16.4 (8): static units are eliminated; others that can't go stay."""
        goes = self.movable(side)
        side.points += sum(man.points for man in side.men if "static" in man.can)
        side.men = [man for man in side.men if man not in goes and "static" not in man.can]
        side.retreated_men += goes

    def fire(self, name: str, throw: Throw) -> bool:
        side, enemy = self.sides[name], self.sides[OPPONENTS[name]]
        result = False
        for man in self.firing(side):
            if name == ATTACKER and man.nation != side.strongest:  # 12.3, 22.1
                continue
            if not enemy.men:
                break
            code = throw(CODES[self.column(name, man) - 1])
            if code != "-":
                result = True
                self.suffer(enemy, code)
        return result

    def firing(self, side: Side) -> list[Man]:
        """12.1, 12.5, 15.3: the strongest that the stacking limit lets fire, one of each special kind besides, and in a
        city its own brigade (5.2 (2))."""
        room, free, may = 4 if side.arab else 9, set(FREE), []
        home = self.terrain == "city"
        for man in sorted(side.men, key=lambda man: (-man.strength, side.place(man))):
            size = 3 if man.parts else 1
            if home and man.id == "city_brigade_egypt":
                home, size = False, 0
            elif man.type in free or man.type in ("headquarters", "static_sam"):
                free.discard(man.type)
                size = 0
            if size <= room:
                room -= size
                may.append(man)
        return sorted(may, key=side.place)

    def column(self, name: str, man: Man) -> int:
        """15.3, 15.6, 15.7, 23.2: the strength, then all shifts together."""
        side, enemy = self.sides[name], self.sides[OPPONENTS[name]]
        attacks, strong = name == ATTACKER, self.terrain in (*FORTS, "city")
        bracket = (
            any(enemy_man.armor for enemy_man in enemy.men)
            if "missiles" in man.can
            else "rockets" in man.can and attacks
        )
        column = max(1, min(20, man.bracket if bracket else man.strength))
        column += max([side.leader_bonus, *(ally.leader for ally in side.men if ally.nation == man.nation)])  # 22.2
        if man.cut and not (not side.arab and not attacks and self.terrain in FORTS):
            column -= 2
        if attacks:
            ground, which = (BY_SIDE, not side.arab) if self.terrain in BY_SIDE else (BY_CLASS, not man.is_mechanized)
            column += ground[self.terrain][which]
            if self.water:
                column -= 2 if man.is_mechanized and self.water == "suez_canal" else 1
            column += strong and any("engineering" in ally.can for ally in side.men)
            column += strong and "elite" in man.can
            column -= self.morale and not side.arab
        return max(1, min(20, column))

    def suffer(self, side: Side, code: str, is_chosen: bool = False) -> None:
        """16.1, 16.3: retreat or a loss for r and R; losses, or fewer of them and a retreat."""
        if code in "rR":
            if side.obeys and self.movable(side):
                if code == "R":
                    self.retreat(side)
                else:
                    first = min(self.movable(side), key=side.weakness)
                    side.men.remove(first)
                    side.retreated_men.append(first)
            else:
                self.lose(side, 1, is_chosen)
            return
        old_men, points = list(side.men), side.points
        willing = self.willing(side)
        self.lose(side, int(code), is_chosen)
        if not willing or side.dodge == "never" or (side.dodge == "last" and side.men):
            return
        new_men, cost = side.men, side.points
        side.men, side.points = old_men, points
        self.lose(side, max(0, int(code) - (1 if side.arab else 2)), is_chosen)
        if self.willing(side):
            self.retreat(side)
        else:
            side.men, side.points = new_men, cost

    def lose(self, side: Side, losses: int, is_chosen: bool) -> None:
        """16.1, 9.8: break down or eliminate, in the owner's order; 26.3: in the attacker's."""
        side.men = list(side.men)
        while losses > 0 and side.men:
            order = sorted(side.men, key=lambda man: self.turn(side, man, is_chosen))
            man = (
                order[0]
                if is_chosen
                else next((candidate for candidate in order if not self.stuck(side, candidate)), order[0])
            )
            stuck = self.stuck(side, man)
            side.men.remove(man)
            if man.parts and not stuck:
                side.men += man.parts
                losses -= 1
            else:
                losses -= 3 if man.parts else 1
                side.points += man.points

    def stuck(self, side: Side, man: Man) -> bool:
        """9.4, 9.8: a large unit whose small counters are all on the map."""
        for name in {part.id for part in man.parts}:
            need = sum(part.id == name for part in man.parts)
            used = sum(other_man.id == name for other_man in (*side.men, *side.retreated_men)) + self.elsewhere.get(
                name, 0
            )
            if used + need > GAME.units[name].count:
                return True
        return False

    def turn(self, side: Side, man: Man, is_chosen: bool) -> tuple[object, ...]:
        """Who goes first by the policies of the assistant."""
        if is_chosen or side.losses == "strongest":
            return -man.strength, side.place(man)
        if side.losses == "listed":
            return (side.place(man),)
        if side.losses == "weakest":
            return not man.parts, *side.weakness(man)
        return (0 if not man.parts and not man.is_support else 1 if man.parts else 2), *side.weakness(man)
