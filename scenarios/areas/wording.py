"""The wording of areas, for set-up instructions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from scenarios.grammar import count_text, with_article
from scenarios.model.areas import Area, Within
from scenarios.model.game import Game, Map
from scenarios.model.maps import HexMap
from scenarios.model.scenario import Entry, Scenario

WITH_ARTICLE = ("Canal", "Line", "Sea", "Gulf", "Sinai", "Golan", "Strip", "Delta")
"""Endings of names that need an article."""
COUNTABLE = ("town", "city", "kibbutz", "fort", "fortification", "airbase", "port", "pass", ")")
"""Endings of terrain names with single hexes: 'in a town'."""
COMPASS = ("east of", "west of", "north of", "south of")


def join_alternatives(words: Iterable[str], joint: str = "or") -> str:
    """Join words: 'a', 'a or b', 'a, b or c'."""
    word_list = list(words)
    return f"{', '.join(word_list[:-1])} {joint} {word_list[-1]}" if len(word_list) > 1 else "".join(word_list)


def words_of_id(key: str) -> str:
    """Write an id as words."""
    return key.replace("_", " ")


class AreaDescriber:
    """Describes the areas of one scenario."""

    def __init__(self, game: Game, scenario_id: str) -> None:
        self.game = game
        self.scenario: Scenario = game.scenarios[scenario_id]
        self.field: Map | None = game.scenario_maps.get(scenario_id) or game.maps.get(self.scenario.map)

    def words(self, area: Area) -> str:
        """Describe an area as a phrase: 'on board A, east of row K', 'in Gaza'."""
        parts = (
            ["anywhere"] if area.anywhere else [*self._named_areas(area), *self._lying(area), *self._near_text(area)]
        )
        if area.any_:
            parts.append(_join_areas([self.words(part) for part in area.any_]))
        text = ", ".join(part for part in parts if part) or "anywhere"
        return f"{text}, but not {self.words(area.except_)}" if area.except_ else text

    def _named_areas(self, area: Area) -> list[str]:
        parts = []
        if area.hex:
            parts.append(f"in {area.hex}")
        if area.hexes:
            parts.append(f"in {join_alternatives(area.hexes)}")
        points = [point for point in (area.point, *area.points) if point]
        if points:
            parts.append(f"at {join_alternatives(self._point(point) for point in points)}")
        if area.box:
            parts.append(self._box(area.box) + (f", on {area.space}" if area.space else ""))
        if area.place:
            parts.append(f"in {self._place(area.place)}")
        if area.zone:
            parts.append(self._zone(area.zone))
        return parts

    def _lying(self, area: Area) -> list[str]:
        parts = []
        if area.terrain:
            grounds = (self._ground(self.game.terrain[kind].name) for kind in area.terrain if kind in self.game.terrain)
            parts.append(f"in {join_alternatives(_a(kind) for kind in grounds)}")
        if area.path:
            kind = self.game.paths.get(area.path)
            crossing_text = f" that crosses {area.sides} of the hexsides" if area.sides else ""
            parts.append(f"on a {kind.name.lower() if kind else words_of_id(area.path)}{crossing_text}")
        if area.marker:
            piece_record = self.game.markers.get(area.marker) or self.game.units.get(area.marker)
            parts.append(f"with {_a(piece_record.name.lower() if piece_record else words_of_id(area.marker))}")
        if area.rows:
            parts.append(self._rows(area.rows))
        if area.edge:
            boards = [board for board in (area.board, *area.boards) if board]
            area_text = f" of board {join_alternatives(boards)}" if boards else ""
            parts.append(f"on the {area.edge} edge{area_text}")
        elif area.board or area.boards:
            parts.append(f"on board {join_alternatives([b for b in (area.board, *area.boards) if b])}")
        if area.beyond:
            limit = area.beyond
            area_text = (
                f"row {limit.row}"
                if limit.row
                else limit.hex or (_without_preposition(self.words(limit.of)) if limit.of else "")
            )
            parts.append(
                f"in {area_text} or {limit.toward} of it" if limit.inclusive else f"{limit.toward} of {area_text}"
            )
        return parts

    def _ground(self, name: str) -> str:
        """A kind of terrain in a sentence: 'woods', 'the Suez Canal', 'Egyptian city'."""
        first, _, remainder = name.partition(" ")
        proper = remainder != remainder.lower() or any(
            first == nation.adjective for nation in self.game.nations.values()
        )
        return _with_article(name) if proper else name[:1].lower() + name[1:]

    def _rows(self, rows: tuple[str, ...]) -> str:
        if len(rows) == 1:
            return f"in row {rows[0]}"
        row_list = f"{rows[0]} to {rows[-1]}" if len(rows) > 2 and _in_order(rows) else join_alternatives(rows, "and")
        return f"in rows {row_list}"

    def _near_text(self, area: Area) -> list[str]:
        parts = []
        if area.within:
            parts.append(f"at most {self._distance_text(area.within)}")
        if area.at_least:
            parts.append(f"at least {self._distance_text(area.at_least)}")
        if area.adjacent:
            neighbour_text = _without_preposition(self.words(area.adjacent))
            if area.board and area.adjacent.board == area.board:
                neighbour_text = neighbour_text.removesuffix(f", on board {area.board}")
            parts.append(f"next to {neighbour_text}")
        return parts

    def _distance_text(self, within: Within) -> str:
        # Edge hexes are the first of those within a distance of an edge: "within 6 hexes of the west edge" is six deep.
        distance = within.distance + (within.of is not None and within.of.edge is not None)
        distance_text = count_text(distance, "hex" if isinstance(self.field, HexMap) else "point")
        origin = (
            f"any {self._unit_text(within.units)} unit"
            if within.units
            else _without_preposition(self.words(within.of))
            if within.of
            else ""
        )
        return f"{distance_text} from {origin}"

    def _unit_text(self, key: str) -> str:
        if key in self.game.nations:
            return self.game.nations[key].adjective or self.game.nations[key].name
        side = self.game.sides_in(self.scenario).get(key)
        return side.name if side else words_of_id(key)

    def _point(self, key: str) -> str:
        points: Mapping[str, object] = getattr(self.field, "points", {})
        return str(getattr(points.get(key), "name", words_of_id(key)))

    def _box(self, key: str) -> str:
        if self.field and key in self.field.tracks:
            return f"on the track “{self.field.tracks[key].name}”"
        box = self.field.boxes.get(key) if self.field else None
        if box and box.name.endswith(" Box"):
            return f"in the {box.name}"
        return f"in the box “{box.name}”" if box else f"in {words_of_id(key)}"

    def _place(self, key: str) -> str:
        places: Mapping[str, object] = getattr(self.field, "places", {})
        return str(getattr(places.get(key), "name", words_of_id(key)))

    def _zone(self, key: str) -> str:
        zone_name = self._zone_name(key)
        if zone_name and zone_name.endswith(" Road") and not zone_name.lower().startswith(COMPASS):
            ends = self._ends(key)
            return f"on the {zone_name}" + (f", {ends[0]} to {ends[-1]}" if ends else "")
        if zone_name:
            return (
                zone_name[0].lower() + zone_name[1:]
                if zone_name.lower().startswith(COMPASS)
                else f"in {_with_article(zone_name)}"
            )
        zone_area = self.scenario.zones.get(key)
        return self.words(zone_area) if zone_area and zone_area.zone != key else words_of_id(key)

    def _ends(self, key: str) -> tuple[str, ...]:
        """The hexes of a zone, in the order of the pack."""
        if isinstance(self.field, HexMap):
            for placed_board in self.field.placed:
                if key in placed_board.board.shape.zones:
                    return placed_board.board.shape.zones[key].hexes
        return ()

    def _zone_name(self, key: str) -> str | None:
        if isinstance(self.field, HexMap):
            for placed_board in self.field.placed:
                if key in placed_board.board.shape.zones:
                    return placed_board.board.shape.zones[key].name
        areas: Mapping[str, object] = getattr(self.field, "areas", {})
        return getattr(areas.get(key), "name", None)


def entry_words(phrases: AreaDescriber, entry: Entry, joint: str = " ") -> str:
    """The times and places of a group's arrival, with all choices of its owner: 'turn 3 in Gaza, or turn 5 in Rafa'."""
    ways = []
    for way in entry.ways:
        turns = f"turns {way.turn} to {way.until}" if way.until not in (None, way.turn) else f"turn {way.turn}"
        ways.append(turns + (f"{joint}{phrases.words(way.at)}" if way.at else ""))
    return ", or ".join(ways)


def _with_article(name: str) -> str:
    """A name in a sentence, with its article: 'the Suez Canal', 'Gaza'."""
    return f"the {name}" if name.endswith(WITH_ARTICLE) and not name.startswith("the ") and " of " not in name else name


def _a(kind: str) -> str:
    """A kind of terrain with an article if it has single hexes: 'a town', but 'woods'."""
    single = kind.endswith(COUNTABLE) and not kind.startswith(("a ", "an ", "the "))
    return with_article(kind) if single else kind


def _join_areas(phrases: list[str]) -> str:
    """Join alternative areas: 'in Gaza or El Arish', 'in Entry Area A, B or C', 'in Jordan (West Bank or East Bank)'."""
    if len(phrases) > 1 and all(
        phrase.startswith("in ") and ", " not in phrase.replace(", West", "").replace(", East", "")
        for phrase in phrases
    ):
        names = [phrase.removeprefix("in ") for phrase in phrases]
        words = [name.split() for name in names]
        stem = words[0][:-1]
        if stem and all(name[:-1] == stem for name in words) and all(len(name[-1]) == 1 for name in words):
            return f"in {' '.join(stem)} {join_alternatives(name[-1] for name in words)}"
        countries = {name.partition(", ")[0] for name in names}
        if len(countries) == 1 and all(", " in name for name in names):
            return f"in {countries.pop()} ({join_alternatives(name.partition(', ')[2] for name in names)})"
        return f"in {join_alternatives(names)}"
    if len(phrases) > 1 and any(", " in phrase for phrase in phrases):
        return "; ".join(phrases[:-1]) + f"; or {phrases[-1]}"
    return join_alternatives(phrases)


def _without_preposition(text: str) -> str:
    """Drop a preposition after another one: 'from' and 'in Gaza' become 'from Gaza'."""
    for word in ("in the box ", "in ", "at ", "on "):
        if text.startswith(word):
            return text.removeprefix(word)
    return text


def _in_order(rows: tuple[str, ...]) -> bool:
    """Whether rows follow each other: A, B, C ... Z, AA, BB; or 1, 2, 3."""
    places = [(len(row) * 26 + ord(row[0])) if row.isalpha() else int(row) if row.isdecimal() else 0 for row in rows]
    return all(b == a + 1 for a, b in pairwise(places))
