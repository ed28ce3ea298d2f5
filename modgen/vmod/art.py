"""The small pictures of a module: faces of pieces, badges of states, marks of moves and battles."""

from __future__ import annotations

from art import svg
from art.counters import NoRoom, Side, face_group
from art.markers import marker_group
from art.spots import SIZE
from art.text import centred, width
from modgen.cache import Cache, key_of
from modgen.kit.views import face_view, faces_view
from modgen.render import CannotDraw
from modgen.vmod.faces import back, badge, counted_steps, cover, front, loose_states
from modgen.vmod.pictures import Drawn, drawn
from scenarios.game import Game
from scenarios.vassal.windows import counter_size

EDGE = 0.34


def faces(game: Game, cache: Cache | None = None) -> dict[str, Drawn]:
    """Both sides of every counter and marker, at twice the size they show; those in the cache aren't drawn again."""
    pixels, kept = 2 * counter_size(game), cache or Cache(None)
    seen = faces_view(game)
    made: dict[str, Drawn] = {}
    for piece in (*game.units, *game.markers):
        own = face_view(seen, game, piece)
        key = key_of("module-face", own.key, piece, str(pixels))
        both = kept.made(key, lambda own=own, piece=piece: b"\n".join(_sides(own.game, piece, pixels)))  # type: ignore[misc]
        for name, content in zip((front(piece), back(piece)), both.split(b"\n"), strict=True):
            made[name] = Drawn(content, pixels, pixels)
    return made


def _sides(game: Game, piece: str, pixels: int) -> list[bytes]:
    """A piece's front and back as SVG, each on a line of its own."""
    sides: tuple[Side, ...] = ("front", "back")
    edge = svg.rect(EDGE / 2, EDGE / 2, SIZE - EDGE, SIZE - EDGE, fill="none", stroke="#00000088", stroke_width=EDGE)
    result = []
    for side in sides:
        try:
            unit = game.units.get(piece)
            body = face_group(game, unit, side, "") if unit else marker_group(game, piece, "", side)
        except NoRoom:
            raise
        except ValueError as error:
            raise CannotDraw(f"the {side} of {piece} can't be drawn: {error}") from error
        result.append(drawn([body, edge], pixels, pixels, (0, 0, SIZE, SIZE)).svg.replace(b"\n", b"&#10;"))
    return result


def tag(words: str, fill: str, ink: str = "#ffffff", size: float = 17) -> Drawn:
    """A small tag with a text, at twice the size it shows."""
    wide = max(26, int(width(words, size, "bold") + 12) // 2 * 2)
    body = svg.rect(1, 1, wide - 2, 22, rx=5, fill=fill, stroke="#ffffff", stroke_width=1.5)
    return drawn([body, centred(words, wide / 2, 12, size, "bold", fill=ink)], wide, 24)


def badges(game: Game) -> dict[str, Drawn]:
    """Tags of states, step losses, sides of a battle, and the mark of a piece that has moved."""
    made = {}
    for state in loose_states(game):
        word = game.states[state]
        made[badge(state)] = tag(word.short or word.name[:8], "#8a2f1d")
    for n in range(1, max(counted_steps(game), default=1)):
        made[f"loss-{n}.png"] = tag(f"-{n}", "#a3161d")
    size = 2 * counter_size(game)
    for name, color in (("attacker", "#c0261c"), ("defender", "#1c55c0")) if game.attacks else ():
        frame = svg.rect(4, 4, size - 8, size - 8, rx=8, fill="none", stroke=color, stroke_width=8)
        made[f"{name}.png"] = drawn([frame], size, size)
    for side in game.sides if game.card.fog else ():
        made[cover(side)] = concealed(game, side)
    arrow = svg.path("M2 6H8V2L14 8L8 14V10H2Z", fill="#f2c230", stroke="#5f3d00", stroke_width=1)
    made["moved.png"] = drawn([arrow], 16, 16)
    return made


def concealed(game: Game, side: str) -> Drawn:
    """What others see of a side's concealed piece: its colour and a question mark."""
    size = counter_size(game)
    colors = next(nation.colors for nation in game.nations.values() if nation.side == side)
    ground = svg.rect(0.5, 0.5, size - 1, size - 1, fill=colors.fill, stroke="#00000088", stroke_width=1)
    return drawn([ground, centred("?", size / 2, size / 2, size * 0.6, "bold", fill=colors.ink)], size, size)
