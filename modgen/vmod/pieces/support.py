"""Off-map support of a scenario as pieces: batteries, air strikes, boats.

These have no printed counters. Each piece has its kind, strength and weapon as properties, which inputs of attacks
with `read: support` ask for. So it fights from its tray, or from any other place. Its back shows that it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from art import svg
from art.color import contrast
from art.text import centred_text, fitting, lines
from modgen.vmod.battle.places import SUPPORT, SUPPORT_STRENGTH, SUPPORT_WEAPON
from modgen.vmod.files.keys import FLIP
from modgen.vmod.pieces import traits
from modgen.vmod.pieces.faces import SCALE, back_picture, front, value
from modgen.vmod.pieces.pictures import SvgPicture, draw_picture
from modgen.vmod.pieces.pieces import COPY, NATION, PaletteEntry
from modgen.vmod.pieces.prototypes import ANSWERS, SUPPORT_BACK, SUPPORTING, UNITS
from modgen.vmod.pieces.unit_fields import marks_of_support
from modgen.vmod.text.piece_reports import REMOVAL
from scenarios.model.game import Game
from scenarios.model.scenario import Support
from scenarios.vassal.windows import counter_size


def slot_of(support: Support) -> str:
    """The id of a kind of support, for its palette slot and its pictures."""
    strength = value(support.strength) if support.strength is not None else ""
    return "support-" + re.sub(
        r"[^a-z0-9]+", "-", f"{support.nation} {support.name} {support.weapon} {strength}".lower()
    ).strip("-")


def all_support(game: Game) -> dict[str, Support]:
    """Every kind of support that any scenario has, once."""
    forces = (force for scenario in game.scenarios.values() for force in scenario.forces.values())
    return {slot_of(support): support for force in forces for support in force.support}


def of_side(game: Game, scenario: str) -> Iterator[tuple[str, int, Support]]:
    """A scenario's support: its side, its place in the side's tray, and the support itself."""
    for side, force in game.scenarios[scenario].forces.items():
        for number, support in enumerate(force.support):
            yield side, number, support


def words(support: Support) -> str:
    """The numbers of a support piece in words."""
    strength = f"attack {value(support.strength)}, weapon {support.weapon}" if support.strength is not None else ""
    return ". ".join(part for part in (strength, support.note) if part)


def piece(game: Game, support: Support, gpid: str, copy: str = "") -> PaletteEntry:
    """The palette entry of a support piece."""
    nation = game.nations.get(support.nation)
    name = f"{nation.adjective or nation.name} {support.name}" if nation else support.name
    strength = value(support.strength) if support.strength is not None else "0"
    own_marks = marks_of_support(game, support.name, {"attack": strength, "weapon": support.weapon})
    support_marks = {SUPPORT: support.kind, SUPPORT_STRENGTH: strength, SUPPORT_WEAPON: support.weapon}
    lines_ = [
        *(
            [traits.prototype(name) for name in (ANSWERS, SUPPORTING)]
            if game.attacks and support.strength is not None
            else []
        ),
        *([traits.prototype(f"Side {game.sides[nation.side].name}")] if nation else []),
        traits.prototype(SUPPORT_BACK),
        traits.layer(
            "Face",
            [front(slot_of(support)), back_picture(slot_of(support))],
            labels=["", "+ (used)"],
            up_command="Flip (used)",
            up_key=FLIP,
            scale=SCALE,
        ),
        traits.prototype(REMOVAL),
        traits.dynamic(COPY, copy, []),
        traits.dynamic(NATION, support.nation, []),
        traits.marks(support_marks | own_marks | {"Factors": words(support), "Layer": UNITS}),
        traits.basic(name, gpid),
    ]
    return PaletteEntry(slot_of(support), name, gpid, tuple(lines_))


def pictures(game: Game) -> dict[str, SvgPicture]:
    """The front and back of every kind: its name over its numbers, in its nation's colors. The back shows that it is used."""
    size = 2 * counter_size(game)
    drawings: dict[str, SvgPicture] = {}
    for key, support in all_support(game).items():
        nation = game.nations.get(support.nation)
        fill, ink = (nation.colors.fill, nation.colors.ink) if nation else ("#e6e0d2", "#1f2328")
        dark = max(ink, "#ffffff", key=lambda color: contrast(ink, color))
        frame = svg.rect(1, 1, size - 2, size - 2, fill=fill, stroke="#00000088", stroke_width=2)
        band = svg.rect(1, 1, size - 2, size * 0.2, fill=ink)
        title = centred_text("OFF MAP", size / 2, size * 0.105, size * 0.12, "bold", fill=dark)
        rows = lines(support.name, size - 14, size * 0.145, "bold")[:2]
        name = [
            centred_text(
                row,
                size / 2,
                size * (0.33 + 0.17 * i),
                fitting(row, size - 10, size * 0.145, 8, "bold"),
                "bold",
                fill=ink,
            )
            for i, row in enumerate(rows)
        ]
        numbers = f"{value(support.strength)} {support.weapon}" if support.strength is not None else "boat"
        number_text = centred_text(
            numbers, size / 2, size * 0.8, fitting(numbers, size - 12, size * 0.27, 8, "bold"), "bold", fill=ink
        )
        used = [centred_text("USED", size / 2, size * 0.8, size * 0.24, "bold", fill=ink)]
        drawings[front(key)] = draw_picture([frame, band, title, *name, number_text], size, size)
        drawings[back_picture(key)] = draw_picture(
            [svg.group([frame, band, title, *name], opacity=0.55), *used], size, size
        )
    return drawings
