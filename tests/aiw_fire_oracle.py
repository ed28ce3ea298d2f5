"""Fire in The Arab-Israeli Wars, slowly and from the rules alone: only numbers are taken from the pack's tables.

Every function names the rule it follows. Nothing here comes from the assistant or from the pack's attacks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import ceil, floor, prod
from pathlib import Path
from typing import Any

import yaml

PACK = Path(__file__).parent.parent / "scenarios" / "packs" / "arab_israeli_wars"
RANGES = {"A": ((1, 2), (3, 6), (7, None)), "NA": ((1, 4), (5, None)), "F": ((1, 4), (5, 6), (7, None))}
STRIKE_RANGE = {"A": 3, "G": 12, "H": 0, "(H)": 0}


def read(name: str) -> Any:
    """A file of the pack with every scalar as text."""
    return yaml.load((PACK / name).read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


TABLES = read("tables.yaml")["tables"]
CRT, WEC = TABLES["combat"], TABLES["weapons"]


@dataclass(frozen=True)
class Piece:
    """A unit as printed, how it is now, and where it stands to the other side."""

    id: str
    attack: int
    weapon: str
    range: int
    defense: int
    target: str
    hull_down: int
    nation: str
    abilities: frozenset[str]
    states: frozenset[str] = frozenset()
    distance: int = 1
    sees: bool = True
    crosses_elevation: bool = False  # its line passes an elevation hexside of the targets' hex
    overrun: bool = False  # it stands in the hex that the targets are overrunning
    army: str = ""
    ammunition: int = 1
    points: int = 0  # of a strike or an off-board battery
    strike: str = ""  # the weapon type of the strike that a helicopter brings into other fire
    destructive: bool = False
    carried: bool = False
    on_road: bool = False
    quick: bool = False
    works_here: bool = False
    afloat: bool = False

    @property
    def owner(self) -> str:
        return self.army or self.nation

    @property
    def flies(self) -> bool:
        return self.target == "F"


def pieces() -> list[Piece]:
    """Every unit of the counter sheets, and the bridge."""
    unit_pieces = []
    for sheet in ("counters_arab.yaml", "counters_israeli.yaml"):
        for id, counter in read(sheet)["counters"].items():
            owners = counter.get("variants") or {"": None}
            for variant in owners:
                name = f"{id}_{variant}" if variant else id
                unit_pieces.append(piece(name, counter, variant or counter["nation"]))
    return [*unit_pieces, piece("bridge", read("markers.yaml")["markers"]["bridge"], "")]


def piece(id: str, counter: Any, nation: str) -> Piece:
    f = counter["factors"]
    attack, max_range, defense, hull_down = (int(f[key]) for key in ("attack", "range", "defense", "hull_down"))
    abilities = frozenset(counter.get("abilities", ()))
    return Piece(id, attack, f["weapon"], max_range, defense, f["target"], hull_down, nation, abilities)


@dataclass(frozen=True)
class Battle:
    attack: str
    firers: tuple[Piece, ...]
    targets: tuple[Piece, ...]
    terrain: str = "clear"
    works: str = "none"
    year: int = 1973
    smoke: bool = False
    next_to: bool = False
    overrunning: bool = False
    quick_march: bool = False
    obstacle: bool = False
    minefield: bool = False
    dim: bool = False  # B-3, special rule 4
    howitzers: bool = False  # Optional I.A
    is_observed: bool = True


@dataclass
class Answer:
    """One of these for an attack, or for each target that is attacked alone."""

    wrong: list[str] = field(default_factory=list)
    strengths: list[Fraction] = field(default_factory=list)
    attack: Fraction = Fraction(0)
    defense: Fraction = Fraction(0)
    column: str | None = None
    dice: list[int] = field(default_factory=list)
    chances: list[dict[str, Fraction]] = field(default_factory=list)
    joint_losses: dict[tuple[int, int], Fraction] = field(default_factory=dict)


# The weapons chart (Basic VI.D)


def band(kind: str, distance: int) -> str:
    for low, upper in RANGES[kind]:
        if max(distance, 1) >= low and (upper is None or max(distance, 1) <= upper):
            return f"{kind} {low}+" if upper is None else f"{kind} {low}-{upper}"
    raise AssertionError(kind)


def weapon(b: Battle, f: Piece) -> str:
    """Optional I.A: Arab 122 mm howitzers are A in direct fire."""
    arab_gun = "anti_tank_howitzer" in f.abilities and b.attack == "direct_fire"
    return "A" if b.howitzers and arab_gun else f.weapon


def row(b: Battle, f: Piece) -> str:
    """The chart's row, its notes 3, 5, 6 and 7 included."""
    kind = weapon(b, f)
    if f.strike:
        return f"air_strike/{f.strike}"  # Advanced I.E.7.c
    if b.attack in ("direct_fire", "opportunity_fire"):
        if kind == "G" and "close_missile" in f.abilities:
            return "direct/G TOW"
        if kind == "I" and b.overrunning and f.overrun and "close_assault" in f.abilities:
            return "close_assault/I" + (" after 1970 egypt" if f.owner == "egypt" and b.year > 1970 else "")
        if kind == "A" and not b.dim and f.owner == "israel" and b.year > 1960:
            return "direct/A after 1960 israel"
        if kind == "A" and f.owner == "jordan" and b.year > 1967:
            return "direct/A after 1967 jordan"
        return f"direct/{kind}"
    if b.attack == "indirect_fire":
        return f"indirect/{kind}"
    if b.attack == "close_assault" and kind == "I" and f.owner == "egypt" and b.year > 1970:
        return "close_assault/I after 1970 egypt"
    return f"{b.attack}/{kind}"


def cell(b: Battle, f: Piece, kind: str) -> Fraction:
    cells = WEC["cells"].get(row(b, f))
    if cells is None:
        return Fraction(0)
    return Fraction(cells[WEC["columns"]["names"].index(band(kind, f.distance))])


def effect(b: Battle, f: Piece, targets: tuple[Piece, ...]) -> Fraction:
    """Basic VI.D.3: the majority's type, else the type worst for this attacker; Optional I.C.3.c for what is down."""
    target_options = [{t.target} for t in targets]
    if b.attack in ("overrun", "close_assault", "indirect_fire"):
        target_options = [{"A", "NA"} if t.flies and "down" in t.states else {t.target} for t in targets]
    return max(as_group(b, f, target_types) for target_types in product(*target_options))


def as_group(b: Battle, f: Piece, target_types: tuple[str, ...]) -> Fraction:
    for kind in set(target_types):
        if 2 * target_types.count(kind) > len(target_types):
            return cell(b, f, kind)
    return min(cell(b, f, kind) for kind in set(target_types))


# Strengths


def strength(b: Battle, f: Piece, targets: tuple[Piece, ...]) -> Fraction:
    """Basic VI.D.4; Optional I.E; Advanced III.C.4; Standard II.F.5.b for (H) strikes among others."""
    total = Fraction(f.points or f.attack) * effect(b, f, targets) * f.ammunition
    if b.attack == "indirect_fire" and f.destructive:
        total *= 3
    if b.attack == "air_strike" and f.weapon == "(H)" and not attacks_singly(b):
        total *= len(targets)
    return total


def can_use_cover(b: Battle, t: Piece) -> bool:
    """Whether the ground can help: never what flies (Advanced I.A.3, Optional I.C.3.d) or overruns (Standard II.E.5.d)."""
    return not t.flies and not b.overrunning


def defense(b: Battle, targets: tuple[Piece, ...]) -> Fraction:
    """Basic VII.E.1.b and VIII.C.3; Standard VI.E (combat in the canal) 4; Advanced II.C.2.c."""
    total = Fraction(0)
    for t in targets:
        unit_defense = Fraction(t.defense)
        if b.terrain == "suez_canal" and not t.flies and t.id != "bridge":
            unit_defense /= 2
        if b.attack == "opportunity_fire" and b.quick_march and "special_infantry" in t.abilities:
            unit_defense /= 2
        total += unit_defense + (10 if b.works == "fort" and can_use_cover(b, t) else 0)
    town = b.terrain == "town" and any(can_use_cover(b, t) for t in targets)
    return total + (5 if town else 0)


def column(attack: Fraction, defense: Fraction) -> str | None:
    """Basic VI.A.1.b: rounded down for the defender; what is worse than 1-4 is no attack."""
    if attack <= 0:
        return None
    if attack >= defense:
        return f"{min(4, floor(attack / defense))}-1"
    odds_denominator = ceil(defense / attack)
    return f"1-{odds_denominator}" if odds_denominator <= 4 else None


def has_shield(b: Battle) -> bool:
    """Basic VII.F.1.c; helicopters see no shield (Advanced I.E.5), nor who is overrun (Standard II.E.5.e)."""
    return any(f.crosses_elevation and not f.flies and not (b.overrunning and f.overrun) for f in b.firers)


def die(b: Battle, t: Piece) -> int:
    """Basic VI.B.3, VIII.C; Standard II.A.5.f, II.C.4, II.D.5, II.F.3.d; Advanced I.D; Optional II.B.1.c."""
    fire = b.attack in ("direct_fire", "opportunity_fire")
    if t.flies and fire:
        return -1 if "dispersed" in t.states else 0  # only helicopters stay on the board dispersed
    if fire and all(f.flies and not f.strike for f in b.firers):
        return 0  # Basic VIII.C.6; against strikes cover counts (Advanced I.C.6)
    total = -1 if "dispersed" in t.states else 0
    if can_use_cover(b, t):
        total += 1 if b.terrain in ("woods", "town") else 0
        total += 2 if b.works in ("improved_position", "fort") else 0
    if fire and b.smoke and not t.flies:
        total += 1  # the ruling smoke_die
    if fire and has_shield(b):
        total += t.hull_down
    if b.attack == "overrun":
        total -= 2
    if b.attack == "close_assault":
        total -= 3 if any("engineer_standard" in f.abilities for f in b.firers) else 2
    return total


# Results


def result(column: str | None, throw: int) -> str:
    if column is None or throw > 7:
        return "-"
    cells = CRT["cells"][str(max(throw, -1))]
    return str(cells[CRT["columns"]["odds"].index(column)])


def fate(b: Battle, code: str, t: Piece) -> str:
    """Basic VI.A.2: DD kills what was dispersed already; only a finished bridge on the canal is ever dispersed
    (Standard VI.E.5.b; Advanced V.C.5, V.D.3.d)."""
    is_upright = b.terrain == "suez_canal" and "inverted" not in t.states
    if code == "X" or (code == "DD" and "dispersed" in t.states):
        return "eliminated"
    return "dispersed" if code in ("D", "DD") and (t.id != "bridge" or is_upright) else "unharmed"


def attacks_singly(b: Battle) -> bool:
    """Whether each target is attacked by itself (Standard II.A.5.d, II.F.3.c)."""
    strikes = b.attack == "air_strike" and all(f.weapon == "(H)" for f in b.firers)
    return strikes or b.attack == "indirect_fire"


def resolve(b: Battle, targets: tuple[Piece, ...]) -> Answer:
    answer = Answer(strengths=[strength(b, f, targets) for f in b.firers], defense=defense(b, targets))
    answer.attack = sum(answer.strengths, Fraction(0))
    answer.column = column(answer.attack, answer.defense)
    odds = CRT["columns"]["odds"]
    if b.attack == "overrun" and answer.column is not None:
        answer.column = odds[min(odds.index(answer.column) + 1, len(odds) - 1)]
    answer.dice = [die(b, t) for t in targets]
    answer.chances = [{} for _ in targets]
    for throw in range(1, 7):
        fates = [
            fate(b, result(answer.column, throw + modifier), t)
            for modifier, t in zip(answer.dice, targets, strict=True)
        ]
        for chances, outcome in zip(answer.chances, fates, strict=True):
            chances[outcome] = chances.get(outcome, Fraction(0)) + Fraction(1, 6)
        key = (fates.count("eliminated"), fates.count("dispersed"))
        answer.joint_losses[key] = answer.joint_losses.get(key, Fraction(0)) + Fraction(1, 6)
    return answer


def answers(b: Battle) -> list[Answer]:
    return [resolve(b, (t,)) for t in b.targets] if attacks_singly(b) else [resolve(b, b.targets)]


def tolls(answers: list[Answer]) -> dict[tuple[int, int], Fraction]:
    """How many are eliminated and dispersed of all, with every throw tried with every other."""
    total: dict[tuple[int, int], Fraction] = {}
    for parts in product(*(answer.joint_losses.items() for answer in answers)):
        key = (sum(toll[0] for toll, _ in parts), sum(toll[1] for toll, _ in parts))
        total[key] = total.get(key, Fraction(0)) + prod((chance for _, chance in parts), start=Fraction(1))
    return total
