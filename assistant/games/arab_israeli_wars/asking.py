"""What the commands share: files, places and lists of words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.ground import Ground, from_position
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.opening import open_position
from scenarios.position import Position
from scenarios.reading.findings import instead

Words = Sequence[str]


def read_position(game: Game, position: Path | Position, rulings: Words = ()) -> tuple[Position, Ground]:
    """A position, or one from a file, and its ground."""
    held = position if isinstance(position, Position) else open_position(game, position)
    return held, from_position(game, held, rulings=switched(rulings))


def hex_of(ground: Ground, name: str) -> Hex:
    """The hex of a name; BadQuestion where the Situation or map has none."""
    try:
        return ground.hex(name)
    except BadQuestion as error:
        where = f"; Situation {ground.scenario} is played on {_boards(ground)}" if ground.scenario else ""
        raise BadQuestion(f"{error}{where} (Basic III.A)") from None


def _boards(ground: Ground) -> str:
    names = [placed.board.id for placed in ground.table.placed]
    return f"board{'s' * (len(names) > 1)} {' and '.join(names)}"


def switched(rulings: Words) -> Mapping[str, str]:
    """ID=READING words."""
    result = {}
    for word in rulings:
        ruling, equals, reading = word.partition("=")
        if not equals:
            raise BadQuestion(f"write a ruling as ID=READING, not {word!r}")
        result[ruling] = reading
    return result


def split(text: str) -> list[str]:
    """The parts of a list with commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def ground_of(
    game: Game, map: str, scenario: str, position: Path | Position | None, works: Words, rulings: Words
) -> tuple[Ground, Position | None]:
    """The ground that a question is asked on, with markers added by --with MARKER@HEX."""
    held: Position | None = None
    if position is not None:
        held, ground = read_position(game, position, rulings)
    elif scenario or map:
        if scenario and scenario not in game.scenarios:
            raise BadQuestion(f"there is no Situation {scenario!r}; {instead(scenario, game.scenarios)}")
        ground = Ground.of(game, scenario or map, rulings=switched(rulings))
    else:
        raise BadQuestion("say where: --map BOARDS, --scenario SITUATION or --position FILE (Basic III.A.3)")
    more: dict[Hex, set[str]] = {}
    for word in works:
        marker, at, place = word.partition("@")
        if not at:
            raise BadQuestion(f"write what stands where as MARKER@HEX, not {word!r}")
        hex = hex_of(ground, place)
        more.setdefault(hex, set(ground.works.get(hex, ()))).add(marker)
    return ground.with_works(more), held
