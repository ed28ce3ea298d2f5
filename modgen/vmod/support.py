"""What a scenario gives a side off the map, as pieces: batteries, air strikes, boats.

No counter stands for them. Each has its kind, strength and weapon as properties, and inputs of attacks with `read: support` ask for them;
so it fights from its tray, or from wherever a player puts it. Its back says that it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from art import svg
from art.color import contrast
from art.text import centred, fitting, lines
from modgen.vmod import traits
from modgen.vmod.faces import SCALE, back, front, value
from modgen.vmod.fighters import usual
from modgen.vmod.keys import FLIP
from modgen.vmod.pictures import Drawn, drawn
from modgen.vmod.pieces import COPY, NATION, Made
from modgen.vmod.places import SUPPORT, SUPPORT_STRENGTH, SUPPORT_WEAPON
from modgen.vmod.prototypes import ANSWERS, SUPPORT_BACK, SUPPORTING, UNITS
from modgen.vmod.reports import REMOVAL
from scenarios.game import Game
from scenarios.scenario import Support
from scenarios.vassal.windows import counter_size


def slot_of(held: Support) -> str:
    """What tells one kind of support from another: the id of its slot and its pictures."""
    strength = value(held.strength) if held.strength is not None else ""
    return "support-" + re.sub(r"[^a-z0-9]+", "-", f"{held.nation} {held.name} {held.weapon} {strength}".lower()).strip(
        "-"
    )


def listed(game: Game) -> dict[str, Support]:
    """Every kind of support that a scenario has, once."""
    forces = (force for held in game.scenarios.values() for force in held.forces.values())
    return {slot_of(one): one for force in forces for one in force.support}


def of_side(game: Game, scenario: str) -> Iterator[tuple[str, int, Support]]:
    """A scenario's support: whose, its place in the side's tray, what it is."""
    for side, force in game.scenarios[scenario].forces.items():
        for number, held in enumerate(force.support):
            yield side, number, held


def words(held: Support) -> str:
    """Its numbers in words."""
    strength = f"attack {value(held.strength)}, weapon {held.weapon}" if held.strength is not None else ""
    return ". ".join(part for part in (strength, held.note) if part)


def piece(game: Game, held: Support, gpid: str, copy: str = "") -> Made:
    """A piece of support."""
    nation = game.nations.get(held.nation)
    name = f"{nation.adjective or nation.name} {held.name}" if nation else held.name
    strength = value(held.strength) if held.strength is not None else "0"
    factors = {key: usual(factor) for key, factor in game.factors.items()}
    factors |= {key: given for key, given in (("attack", strength), ("weapon", held.weapon)) if key in factors}
    told = {SUPPORT: held.kind, SUPPORT_STRENGTH: strength, SUPPORT_WEAPON: held.weapon}
    lines_ = [
        *(
            [traits.prototype(name) for name in (ANSWERS, SUPPORTING)]
            if game.attacks and held.strength is not None
            else []
        ),
        *([traits.prototype(f"Side {game.sides[nation.side].name}")] if nation else []),
        traits.prototype(SUPPORT_BACK),
        traits.layer(
            "Face",
            [front(slot_of(held)), back(slot_of(held))],
            labels=["", "+ (used)"],
            up="Flip (used)",
            up_key=FLIP,
            scale=SCALE,
        ),
        traits.prototype(REMOVAL),
        traits.dynamic(COPY, copy, []),
        traits.dynamic(NATION, held.nation, []),
        traits.marks(told | factors | {"printed": held.name, "steps": "1", "Factors": words(held), "Layer": UNITS}),
        traits.basic(name, gpid),
    ]
    return Made(slot_of(held), name, gpid, tuple(lines_))


def pictures(game: Game) -> dict[str, Drawn]:
    """Both sides of every kind: its name over its numbers, in its nation's colours; the back says that it is used."""
    size = 2 * counter_size(game)
    made: dict[str, Drawn] = {}
    for key, held in listed(game).items():
        nation = game.nations.get(held.nation)
        fill, ink = (nation.colors.fill, nation.colors.ink) if nation else ("#e6e0d2", "#1f2328")
        dark = max(ink, "#ffffff", key=lambda color: contrast(ink, color))
        frame = svg.rect(1, 1, size - 2, size - 2, fill=fill, stroke="#00000088", stroke_width=2)
        band = svg.rect(1, 1, size - 2, size * 0.2, fill=ink)
        title = centred("OFF MAP", size / 2, size * 0.105, size * 0.12, "bold", fill=dark)
        rows = lines(held.name, size - 14, size * 0.145, "bold")[:2]
        name = [
            centred(
                row,
                size / 2,
                size * (0.33 + 0.17 * i),
                fitting(row, size - 10, size * 0.145, 8, "bold"),
                "bold",
                fill=ink,
            )
            for i, row in enumerate(rows)
        ]
        numbers = f"{value(held.strength)} {held.weapon}" if held.strength is not None else "boat"
        below = centred(
            numbers, size / 2, size * 0.8, fitting(numbers, size - 12, size * 0.27, 8, "bold"), "bold", fill=ink
        )
        used = [centred("USED", size / 2, size * 0.8, size * 0.24, "bold", fill=ink)]
        made[front(key)] = drawn([frame, band, title, *name, below], size, size)
        made[back(key)] = drawn([svg.group([frame, band, title, *name], opacity=0.55), *used], size, size)
    return made
