"""The small pictures of a module: faces of pieces, badges of states, marks of moves and battles."""

from __future__ import annotations

from art import svg
from art.counters.face import NoRoom, Side, face_group
from art.counters.markers import colors_of_side, marker_group
from art.counters.slots import SIZE
from art.text import centred_text, width
from modgen.cache import Cache, key_of
from modgen.kit.views import face_view, faces_view
from modgen.render import CannotDraw
from modgen.vmod.pieces.faces import back_picture, badge, counted_steps, cover, front, loose_states
from modgen.vmod.pieces.pictures import SvgPicture, draw_picture
from scenarios.model.game import Game
from scenarios.vassal.windows import counter_size

EDGE = 0.34


def faces(game: Game, cache: Cache | None = None) -> dict[str, SvgPicture]:
    """Both sides of every counter and marker, at twice their display size. Pictures in the cache aren't drawn again."""
    pixels, face_cache = 2 * counter_size(game), cache or Cache(None)
    base_view = faces_view(game)
    pictures: dict[str, SvgPicture] = {}
    for piece in (*game.units, *game.markers):
        piece_view = face_view(base_view, game, piece)
        key = key_of("module-face", piece_view.key, piece, str(pixels))
        face_bytes = face_cache.get_or_make(
            key,
            lambda view=piece_view, piece=piece: b"\n".join(_sides(view.game, piece, pixels)),  # type: ignore[misc]
        )
        for name, content in zip((front(piece), back_picture(piece)), face_bytes.split(b"\n"), strict=True):
            pictures[name] = SvgPicture(content, pixels, pixels)
    return pictures


def _sides(game: Game, piece: str, pixels: int) -> list[bytes]:
    """A piece's front and back as SVG, each on a single line."""
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
        result.append(draw_picture([body, edge], pixels, pixels, (0, 0, SIZE, SIZE)).svg.replace(b"\n", b"&#10;"))
    return result


def tag(words: str, fill: str, ink: str = "#ffffff", size: float = 17) -> SvgPicture:
    """A small tag with a text, at twice its display size."""
    tag_width = max(26, int(width(words, size, "bold") + 12) // 2 * 2)
    body = svg.rect(1, 1, tag_width - 2, 22, rx=5, fill=fill, stroke="#ffffff", stroke_width=1.5)
    return draw_picture([body, centred_text(words, tag_width / 2, 12, size, "bold", fill=ink)], tag_width, 24)


def badges(game: Game) -> dict[str, SvgPicture]:
    """Tags for states, step losses and sides of a battle, and the mark of a piece that has moved."""
    pictures = {}
    for state in loose_states(game):
        word = game.states[state]
        pictures[badge(state)] = tag(word.short or word.name[:8], "#8a2f1d")
    for n in range(1, max(counted_steps(game), default=1)):
        pictures[f"loss-{n}.png"] = tag(f"-{n}", "#a3161d")
    size = 2 * counter_size(game)
    for name, color in (("attacker", "#c0261c"), ("defender", "#1c55c0")) if game.attacks else ():
        frame = svg.rect(4, 4, size - 8, size - 8, rx=8, fill="none", stroke=color, stroke_width=8)
        pictures[f"{name}.png"] = draw_picture([frame], size, size)
    for side in game.sides if game.card.fog else ():
        pictures[cover(side)] = concealed_picture(game, side)
    arrow = svg.path("M2 6H8V2L14 8L8 14V10H2Z", fill="#f2c230", stroke="#5f3d00", stroke_width=1)
    pictures["moved.png"] = draw_picture([arrow], 16, 16)
    return pictures


def concealed_picture(game: Game, side: str) -> SvgPicture:
    """What other players see of a side's concealed piece: its color and a question mark."""
    size = counter_size(game)
    colors = colors_of_side(game, side)
    ground = svg.rect(0.5, 0.5, size - 1, size - 1, fill=colors.fill, stroke="#00000088", stroke_width=1)
    return draw_picture(
        [ground, centred_text("?", size / 2, size / 2, size * 0.6, "bold", fill=colors.ink)], size, size
    )
