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
OTHER = {ATTACKER: DEFENDER, DEFENDER: ATTACKER}
# The Ground CRT, a line for each column: dice 1 to 6.
CRT = [
    "-----r", "-----R", "----r1", "----R1", "---r11", "---R12", "---R12", "--r112", "-rR122", "-R1122",
    "rR1222", "RR1223", "RR1233", "RR1233", "R11234", "R11234", "R12234", "R12334", "R22334", "R22345",
]  # fmt: skip
CODES = [{one: Fraction(line.count(one), 6) for one in dict.fromkeys(line)} for line in CRT]
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

    def __init__(self, id: str, cut: bool = False, mixed: bool = False) -> None:
        unit = GAME.units[id]
        printed = unit.back if mixed and unit.back else unit.factors
        self.id, self.cut, self.mixed, self.type = id, cut, mixed, unit.type
        self.name = (id, cut, mixed)
        self.nation = unit.nation
        self.arab, self.mechanized = unit.side == "arab", unit.class_ == "mechanized"
        self.strength, self.bracket, self.leader = (
            int(str(printed.get(factor, 0))) for factor in ("strength", "bracket", "leader")
        )
        self.can = frozenset(unit.abilities)
        self.armor = unit.type == "armor" and not mixed  # 15.7
        into = {"armor_battalion": 2, "mech_battalion": 1} if mixed else unit.breaks_into  # 9.9
        self.parts = [Man(part, cut) for part, many in into.items() for _ in range(many)]
        self.points = 0 if unit.type == "static_sam" else 3 if self.parts else 1  # 7.4
        self.kept = unit.type in ("headquarters", "engineer")

    def __repr__(self) -> str:
        return "+".join([self.id, *(["cut"] * self.cut), *(["mixed"] * self.mixed)])


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
    led: int = 0
    """The best headquarters next to the point."""
    points: int = 0
    off: list[Man] = field(default_factory=list)
    """Who has retreated alone: still on the map."""

    def __post_init__(self) -> None:
        self.arab = self.men[0].arab
        nations = list(dict.fromkeys(man.nation for man in self.men))
        self.strongest = max(nations, key=lambda one: sum(man.strength for man in self.men if man.nation == one))
        self.listed: dict[tuple[str, bool, bool], int] = {}
        for man in self.men:
            for one in (man, *man.parts):
                self.listed.setdefault(one.name, len(self.listed))

    def place(self, man: Man) -> int:
        """Where it stands in the list; the parts of a large unit come right after it."""
        return self.listed[man.name]

    def weakness(self, man: Man) -> tuple[bool, int, int]:
        """Headquarters and engineers last, the weakest first, else as listed."""
        return man.kept, man.strength, self.place(man)


@dataclass
class War:
    """A battle under way."""

    sides: dict[str, Side]
    terrain: str = "open"
    first: str = DEFENDER
    across: str = ""
    """Water that all attackers came across, without a bridge or help."""
    morale: bool = False
    blows: Sequence[tuple[Mapping[str, Fraction], bool]] = ()
    """What falls on the defender first, and whether the attacker chooses what is lost."""
    elsewhere: Mapping[str, int] = field(default_factory=dict)

    def play(self, throw: Throw) -> End:
        """15.2: fire in turns until somebody is alone, or a round goes by without a result."""
        for codes, chosen in self.blows:
            code = throw(codes)
            if code != "-":
                self.suffer(self.sides[DEFENDER], code, chosen)
            if not self.sides[DEFENDER].men:
                return self.end(ATTACKER)
        while True:
            result = False
            for shooter in (self.first, OTHER[self.first]):
                result |= self.fire(shooter, throw)
                if not self.sides[OTHER[shooter]].men:
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
        side, enemy = self.sides[name], self.sides[OTHER[name]]
        own, theirs = (sum(man.strength for man in one.men) for one in (side, enemy))
        if own < side.leave * theirs and self.willing(side):
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
        side.off += goes

    def fire(self, name: str, throw: Throw) -> bool:
        side, enemy = self.sides[name], self.sides[OTHER[name]]
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
        side, enemy = self.sides[name], self.sides[OTHER[name]]
        attacks, strong = name == ATTACKER, self.terrain in (*FORTS, "city")
        bracket = any(one.armor for one in enemy.men) if "missiles" in man.can else "rockets" in man.can and attacks
        column = max(1, min(20, man.bracket if bracket else man.strength))
        column += max([side.led, *(one.leader for one in side.men if one.nation == man.nation)])  # 22.2
        if man.cut and not (not side.arab and not attacks and self.terrain in FORTS):
            column -= 2
        if attacks:
            ground, which = (BY_SIDE, not side.arab) if self.terrain in BY_SIDE else (BY_CLASS, not man.mechanized)
            column += ground[self.terrain][which]
            if self.across:
                column -= 2 if man.mechanized and self.across == "suez_canal" else 1
            column += strong and any("engineering" in one.can for one in side.men)
            column += strong and "elite" in man.can
            column -= self.morale and not side.arab
        return max(1, min(20, column))

    def suffer(self, side: Side, code: str, chosen: bool = False) -> None:
        """16.1, 16.3: retreat or a loss for r and R; losses, or fewer of them and a retreat."""
        if code in "rR":
            if side.obeys and self.movable(side):
                if code == "R":
                    self.retreat(side)
                else:
                    first = min(self.movable(side), key=side.weakness)
                    side.men.remove(first)
                    side.off.append(first)
            else:
                self.lose(side, 1, chosen)
            return
        before, points = list(side.men), side.points
        willing = self.willing(side)
        self.lose(side, int(code), chosen)
        if not willing or side.dodge == "never" or (side.dodge == "last" and side.men):
            return
        after, cost = side.men, side.points
        side.men, side.points = before, points
        self.lose(side, max(0, int(code) - (1 if side.arab else 2)), chosen)
        if self.willing(side):
            self.retreat(side)
        else:
            side.men, side.points = after, cost

    def lose(self, side: Side, losses: int, chosen: bool) -> None:
        """16.1, 9.8: break down or eliminate, in the owner's order; 26.3: in the attacker's."""
        side.men = list(side.men)
        while losses > 0 and side.men:
            order = sorted(side.men, key=lambda man: self.turn(side, man, chosen))
            man = order[0] if chosen else next((one for one in order if not self.stuck(side, one)), order[0])
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
            used = sum(one.id == name for one in (*side.men, *side.off)) + self.elsewhere.get(name, 0)
            if used + need > GAME.units[name].count:
                return True
        return False

    def turn(self, side: Side, man: Man, chosen: bool) -> tuple[object, ...]:
        """Who goes first by the policies of the assistant."""
        if chosen or side.losses == "strongest":
            return -man.strength, side.place(man)
        if side.losses == "listed":
            return (side.place(man),)
        if side.losses == "weakest":
            return not man.parts, *side.weakness(man)
        return (0 if not man.parts and not man.kept else 1 if man.parts else 2), *side.weakness(man)
