"""What attacks a unit for moving at all: mines, interdiction fire, the price of a quick march."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, NamedTuple

from assistant.attack import Fields, odds, unit_fields
from assistant.games.arab_israeli_wars.movement import ZERO, Mover
from assistant.rules.field import Field
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex, neighbours

MINES = ("mine_3_1", "mine_2_1", "mine_1_1")
Fate = Literal["through", "stopped", "dispersed", "eliminated"]


def mine_at(field: Field, hex: Hex) -> str:
    """The minefield in a hex, or ""."""
    return next((mine for mine in MINES if mine in field.markers_at(hex)), "")


def mine_attacks(field: Field, mover: Mover, hex: Hex, entering: bool) -> bool:
    """Whether a minefield attacks the unit (Standard V.E.2): not air units, flails, or engineers that enter."""
    if not mine_at(field, hex) or mover.air or mover.has("flail"):
        return False
    return not (entering and mover.has("engineer_standard"))


def interdicted(field: Field, hex: Hex) -> bool:
    """Whether points spent in a hex draw interdiction fire (Advanced III.D.3)."""
    return any("interdiction" in field.markers_at(near) for near in (hex, *neighbours(hex)))


class Blast(NamedTuple):
    """One attack on the way: by what, where the unit stands when it is hit, and the chances."""

    kind: str
    hex: Hex
    chances: Mapping[str, Fraction]
    rule: str


class Ending(NamedTuple):
    """How a move may end, and in which hex."""

    fate: Fate
    hex: Hex


@dataclass(frozen=True)
class Hazards:
    """The attacks a path meets, and how likely each ending is. The chances add up to 1."""

    blasts: tuple[Blast, ...]
    endings: Mapping[Ending, Fraction]

    @property
    def through(self) -> Fraction:
        """The chance to finish the move, undispersed before any quick-march attack."""
        return sum((chance for ending, chance in self.endings.items() if ending.fate == "through"), ZERO)


class Leg(NamedTuple):
    """One spending of points: from one hex to the next, or in one hex."""

    start: Hex
    end: Hex


def mine_chances(game: Game, mine: str, mover: Mover, entering: bool) -> Mapping[str, Fraction]:
    """What a minefield does to a unit (Standard V.E.2, Advanced II.G)."""
    answer = odds(
        game,
        "minefield",
        {"mine": [unit_fields(game, mine)], "targets": [unit_fields(game, mover.unit)]},
        {"entering": entering},
    )
    return answer.targets[0].chances


def interdiction_chances(game: Game, mover: Mover) -> Mapping[str, Fraction]:
    """What interdiction fire does to a unit (Advanced III.D.5): fixed odds, so any battery strong enough will do."""
    batteries = (u for u in game.units.values() if "indirect_fire" in u.abilities and u.factors["weapon"] == "(H)")
    battery: Fields = unit_fields(game, max(batteries, key=lambda u: (Fraction(str(u.factors["attack"])), u.id)))
    target: Fields = unit_fields(game, mover.unit)
    return odds(game, "interdiction", {"firers": [battery], "targets": [target]}).targets[0].chances


def hazards(field: Field, mover: Mover, legs: Iterable[Leg]) -> Hazards:
    """The attacks along a path in their order: interdiction, the mine left, the mine entered; last the quick march.

    Interdiction stops a unit before it spends (Advanced III.D.6), a mine disperses it where it lies (Standard V.E.2);
    either ends a quick march, which has its price then and there (Advanced II.C.2.d).
    """
    blasts: list[Blast] = []
    endings: dict[Ending, Fraction] = {}
    alive = Fraction(1)
    here = mover.hex
    moved = False
    for start, end in legs:
        here = end
        near = interdicted(field, start) or (
            field.value("ruling.interdiction_hex") == "either" and interdicted(field, end)
        )
        if near and not mover.air:
            chances = interdiction_chances(field.game, mover)
            blasts.append(Blast("interdiction", start, chances, "Advanced III.D"))
            alive = _split(endings, alive, chances, start, "stopped", _price(field, mover, moved, False))
        for hex, entering in ((start, False), (end, True)):
            if start != end and mine_attacks(field, mover, hex, entering):
                chances = mine_chances(field.game, mine_at(field, hex), mover, entering)
                blasts.append(Blast(mine_at(field, hex), hex, chances, "Standard V.E.2"))
                price = _price(field, mover, moved or entering, True)
                alive = _split(endings, alive, chances, hex, "dispersed", price)
        moved = moved or start != end
    if mover.quick and here != mover.hex:
        chances = quick_march_chances(field.game, mover.unit)
        blasts.append(Blast("quick march", here, chances, "Advanced II.C.2.d"))
        alive = _split(endings, alive, chances, here, "dispersed")
    if alive:
        endings[Ending("through", here)] = alive
    return Hazards(tuple(blasts), MappingProxyType(endings))


def quick_march_chances(game: Game, unit: Unit, dispersed: bool = False) -> Mapping[str, Fraction]:
    """The attack on a unit that has quick-marched, dispersed on the way or not (Advanced II.C.2.d)."""
    target = unit_fields(game, unit, ["dispersed"] if dispersed else [])
    return odds(game, "quick_march", {"march": [], "targets": [target]}).targets[0].chances


def _price(field: Field, mover: Mover, moved: bool, dispersed: bool) -> Mapping[str, Fraction]:
    """What the end of a quick march does to a unit that is stopped on its way; nothing if it marched no hex."""
    if mover.quick and moved and field.value("ruling.quick_march_stopped") == "paid":
        return quick_march_chances(field.game, mover.unit, dispersed)
    return {"-": Fraction(1)}


def _split(
    endings: dict[Ending, Fraction],
    alive: Fraction,
    chances: Mapping[str, Fraction],
    hex: Hex,
    hit: Fate,
    price: Mapping[str, Fraction] = MappingProxyType({"-": Fraction(1)}),
) -> Fraction:
    """Share the chance to be still moving among what the attack does; what is left goes on. Who is hit and ends its
    move pays the price: dispersed already, DD kills it."""
    onward = ZERO
    for code, chance in chances.items():
        if code == "-":
            onward += alive * chance
            continue
        for then, its_chance in price.items() if code != "X" else (("-", Fraction(1)),):
            fate = hit if then == "-" else "dispersed"
            if "X" in (code, then) or (then == "DD" and hit == "dispersed"):
                fate = "eliminated"
            ending = Ending(fate, hex)
            endings[ending] = endings.get(ending, ZERO) + alive * chance * its_chance
    return onward
