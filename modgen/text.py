"""A game's parts as text for a terminal."""

from __future__ import annotations

import csv
import io
import itertools
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from scenarios.grammar import count_text
from scenarios.model.definitions import Phase
from scenarios.model.drawn_boards import draw
from scenarios.model.game import Game
from scenarios.model.sources import WORDS
from scenarios.pack.export import blanks, count_sources, field, number_sources

WIDTH = 100


def wrap_lines(text: str, indent: str = "  ") -> list[str]:
    """A text wrapped to lines that fit."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def columns(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Rows of cells, aligned in columns."""
    if not rows:
        return []
    widths = [max(len(row[i]) if i < len(row) else 0 for row in rows) for i in range(max(map(len, rows)))]
    return [indent + "  ".join(cell.ljust(widths[i]) for i, cell in enumerate(row)).rstrip() for row in rows]


def overview(game: Game) -> Iterable[str]:
    """An overview of the game."""
    about = game.card
    imprint = ", ".join(filter(None, [about.publisher, str(about.year or "")]))
    yield f"{game.title} ({imprint})" if imprint else game.title
    yield from wrap_lines(about.summary)
    yield ""
    facts = [(key, value) for key, value in about.scale.items()]
    facts += [("sides", ", ".join(side.name for side in game.sides.values()))]
    facts += [("nations", ", ".join(nation.name for nation in game.nations.values()))]
    facts += [("terrain", ", ".join(f"{t.name} {t.mark}" for t in game.terrain.values()))]
    for name in ("hexsides", "paths", "routes"):
        records = getattr(game, name)
        if records:
            facts.append((name, ", ".join(kind.name for kind in records.values())))
    facts += [("counters", f"{sum(u.count for u in game.units.values())} of {len(game.units)} kinds")]
    facts += [("tables", ", ".join(game.tables) or "none"), ("scenarios", ", ".join(game.scenarios) or "none")]
    for name, value in facts:
        first, *further_lines = textwrap.wrap(value, WIDTH - 12) or [""]
        yield f"  {name:9} {first}"
        yield from (f"  {'':9} {line}" for line in further_lines)
    for sequence in game.sequence.values():
        yield ""
        yield sequence.title
        yield from _phases(sequence.phases, "  ", itertools.count(1))


def _phases(phases: Sequence[Phase], indent: str, numbers: Iterator[int]) -> Iterable[str]:
    """Phases and their subphases. Phases without subphases are numbered."""
    for phase in phases:
        rule = f" ({phase.rule})" if phase.rule else ""
        yield f"{indent}{phase.name}{rule}" if phase.phases else f"{indent}{next(numbers):2} {phase.name}{rule}"
        yield from _phases(phase.phases, indent + "   ", numbers)


def counters(game: Game) -> Iterable[str]:
    """The counters with their factors, by nation, and the sources of these numbers."""
    numbers = number_sources(game)
    for nation_id, nation in game.nations.items():
        units = [unit for unit in game.units.values() if unit.nation == nation_id]
        if not units:
            continue
        yield f"{nation.name}: {count_text(sum(unit.count for unit in units), 'counter')}"
        used = [key for key in game.factors if any(key in unit.factors for unit in units)]
        rows = [["id", "name", "count", *(game.factors[key].name.lower() for key in used), "source"]]
        for unit in units:
            values = [str(unit.factors.get(key, "")) for key in used]
            source = unit.counter.source
            source_word = _by_word(numbers[unit.id]) or (source.word if source else "")
            rows.append([unit.id, unit.name, str(unit.count), *values, source_word])
        yield from columns(rows, "  ")
        yield ""
    if game.markers:
        yield "Markers"
        rows = [["id", "name", "count"]]
        rows += [[key, marker.name, str(marker.count or "any")] for key, marker in game.markers.items()]
        yield from columns(rows, "  ")


def _by_word(sources: Mapping[str, str]) -> str:
    """The sources of a counter's numbers: one word, or each word with its numbers.

    An example is `reconstructed attack; rest rulebook`.
    """
    words = sorted(set(sources.values()), key=lambda word: -WORDS.index(word))
    if len(words) < 2:
        return "".join(words)
    parts = [f"{word} {', '.join(name for name, source in sources.items() if source == word)}" for word in words[:-1]]
    return "; ".join([*parts, f"rest {words[-1]}"])


def tables(game: Game) -> Iterable[str]:
    """The tables as they are printed."""
    # Imported late: the other parts are shown without the assistant.
    from modgen.answer_texts import table_lines

    return table_lines(game)


def boards(game: Game) -> Iterable[str]:
    """The boards, drawn with one mark for each hex, their content, and the maps made of them."""
    marks = {key: terrain.mark for key, terrain in game.terrain.items()}
    for board in game.boards.values():
        yield f"Board {board.id}: {board.name}"
        yield from wrap_lines(board.shape.note)
        used = [kind for kind in marks if kind in set(board.terrain.values())]
        yield "  " + "   ".join(f"{marks[kind]} {game.terrain[kind].name.lower()}" for kind in used)
        drawing = draw(board.grid, {hex: marks[kind] for hex, kind in board.terrain.items()})
        yield from ("  " + line for line in drawing.splitlines())
        for path in board.paths:
            name = f" ({path.name})" if path.name else ""
            yield from wrap_lines(f"{path.kind}{name}: " + " ".join(board.grid.name(hex) for hex in path.hexes))
        by_kind: dict[str, list[str]] = {}
        for side, side_kinds in board.hexsides.items():
            for kind in sorted(side_kinds):
                by_kind.setdefault(kind, []).append(board.grid.side_name(side))
        for kind, names in by_kind.items():
            yield from wrap_lines(f"{kind}: " + " ".join(names))
        for place in board.places.values():
            yield f"  {place.name}: " + " ".join(board.grid.name(hex) for hex in place.hexes)
        yield ""
    for key, game_map in game.maps.items():
        about = field(key, game_map)
        yield f"Map {key}: {game_map.title} (north is {game_map.north})"
        if about["kind"] == "points":
            for point in game_map.points if hasattr(game_map, "points") else ():
                neighbouring_points = game_map.adjacent(point)  # type: ignore[union-attr]
                ways = ", ".join(
                    f"{neighbour} ({'/'.join(sorted(route_kinds))})"
                    for neighbour, route_kinds in neighbouring_points.items()
                )
                yield from wrap_lines(f"{point}: {ways}")
        else:
            names = [b["board"] + (" turned" if b["turned"] else "") for b in about["boards"]]
            yield f"  boards: {', '.join(names)}"
        for name in ("boxes", "tracks"):
            if about[name]:
                yield f"  {name}: " + ", ".join(box["name"] for box in about[name].values())
    if not game.boards and not game.maps:
        yield f"{game.title} has no map yet."


def scenarios(game: Game) -> Iterable[str]:
    """The scenarios as cards."""
    # Imported late: the other parts are shown without the assistant.
    from modgen.answer_texts import scenario_lines

    return scenario_lines(game)


def origin(game: Game) -> Iterable[str]:
    """The sources of the numbers."""
    about = count_sources(game)
    rows = [["", *WORDS]]
    rows += [[section, *(str(counts[word]) for word in WORDS)] for section, counts in about["by_section"].items()]
    rows.append(["all", *(str(about["sources"][word]) for word in WORDS)])
    yield f"{game.title}: where its data come from"
    yield from columns(rows, "  ")
    for overlay in about["overlays"]:
        yield f"  with the overlay {overlay}"
    for key, ruling in game.rulings.items():
        yield ""
        yield from wrap_lines(f"{key}: {ruling.question}", "")
        for name, reading in ruling.readings.items():
            mark = ">" if name == ruling.choice else " "
            rule = f" ({reading.rule})" if reading.rule else ""
            yield from wrap_lines(f"{mark} {name}: {reading.text}{rule}")
        yield from wrap_lines(f"because {ruling.why}")


def attacks(game: Game) -> Iterable[str]:
    """The declared attacks."""
    for key, attack in game.attacks.items():
        yield f"{attack.title} [{key}] on {attack.table}" + (f" ({attack.rule})" if attack.rule else "")
        for modifier in attack.modifiers:
            effect = modifier.effect
            effect_text = f"{effect[0]} {effect[1].text}" if effect else ""
            condition = f" when {modifier.when.text}" if modifier.when else ""
            target = f" on {modifier.to}" if modifier.to else ""
            rule = f" ({modifier.rule})" if modifier.rule else ""
            yield from wrap_lines(f"{modifier.text}: {effect_text}{target}{condition}{rule}")
        yield ""
    if not game.attacks:
        yield f"{game.title} has no attack declared yet."


def to_fill_in(game: Game) -> Iterable[str]:
    """A CSV of the numbers that an owner may want to replace."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["address", "value", "source", "why", "mine"])
    for row in blanks(game)["blanks"]:
        writer.writerow([row["address"], row["value"], row["source"], row["why"], ""])
    yield buffer.getvalue().rstrip("\n")


PART_TEXTS: Mapping[str, Callable[[Game], Iterable[str]]] = {
    "overview": overview,
    "counters": counters,
    "tables": tables,
    "map": boards,
    "scenarios": scenarios,
    "sources": origin,
    "attacks": attacks,
    "blanks": to_fill_in,
}
