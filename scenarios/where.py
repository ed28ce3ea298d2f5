"""Areas in words, for set-up instructions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from scenarios.areas import Area, Within
from scenarios.game import Game, Map
from scenarios.maps import HexMap
from scenarios.scenario import Entry, Scenario

ARTICLED = ("Canal", "Line", "Sea", "Gulf", "Sinai", "Golan", "Strip", "Delta")
"""Names that end like this have an article."""
COUNTED = ("town", "city", "kibbutz", "fort", "fortification", "airbase", "port", "pass", ")")
"""Kinds of ground that end like this have single hexes: 'in a town'."""
COMPASS = ("east of", "west of", "north of", "south of")


def either(words: Iterable[str], joint: str = "or") -> str:
    """'a', 'a or b', 'a, b or c'."""
    listed = list(words)
    return f"{', '.join(listed[:-1])} {joint} {listed[-1]}" if len(listed) > 1 else "".join(listed)


def spoken(key: str) -> str:
    """An id as words."""
    return key.replace("_", " ")


class Where:
    """Says areas of one scenario."""

    def __init__(self, game: Game, scenario_id: str) -> None:
        self.game = game
        self.scenario: Scenario = game.scenarios[scenario_id]
        self.field: Map | None = game.scenario_maps.get(scenario_id) or game.maps.get(self.scenario.map)

    def words(self, area: Area) -> str:
        """An area as half a sentence: 'on board A, east of row K', 'in Gaza'."""
        parts = ["anywhere"] if area.anywhere else [*self._named(area), *self._lying(area), *self._near(area)]
        if area.any_:
            parts.append(_joined([self.words(part) for part in area.any_]))
        said = ", ".join(part for part in parts if part) or "anywhere"
        return f"{said}, but not {self.words(area.except_)}" if area.except_ else said

    def _named(self, area: Area) -> list[str]:
        parts = []
        if area.hex:
            parts.append(f"in {area.hex}")
        if area.hexes:
            parts.append(f"in {either(area.hexes)}")
        points = [point for point in (area.point, *area.points) if point]
        if points:
            parts.append(f"at {either(self._point(point) for point in points)}")
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
            kinds = (self._ground(self.game.terrain[kind].name) for kind in area.terrain if kind in self.game.terrain)
            parts.append(f"in {either(_a(kind) for kind in kinds)}")
        if area.path:
            kind = self.game.paths.get(area.path)
            across = f" that crosses {area.sides} of the hexsides" if area.sides else ""
            parts.append(f"on a {kind.name.lower() if kind else spoken(area.path)}{across}")
        if area.marker:
            held = self.game.markers.get(area.marker) or self.game.units.get(area.marker)
            parts.append(f"with {_a(held.name.lower() if held else spoken(area.marker))}")
        if area.rows:
            parts.append(self._rows(area.rows))
        if area.edge:
            boards = [board for board in (area.board, *area.boards) if board]
            of = f" of board {either(boards)}" if boards else ""
            parts.append(f"on the {area.edge} edge{of}")
        elif area.board or area.boards:
            parts.append(f"on board {either([b for b in (area.board, *area.boards) if b])}")
        if area.beyond:
            beyond = area.beyond
            of = (
                f"row {beyond.row}" if beyond.row else beyond.hex or (_bare(self.words(beyond.of)) if beyond.of else "")
            )
            parts.append(f"in {of} or {beyond.toward} of it" if beyond.inclusive else f"{beyond.toward} of {of}")
        return parts

    def _ground(self, name: str) -> str:
        """A kind of ground in a sentence: 'woods', 'the Suez Canal', 'Egyptian city'."""
        first, _, rest = name.partition(" ")
        proper = rest != rest.lower() or any(first == nation.adjective for nation in self.game.nations.values())
        return _called(name) if proper else name[:1].lower() + name[1:]

    def _rows(self, rows: tuple[str, ...]) -> str:
        if len(rows) == 1:
            return f"in row {rows[0]}"
        joined = f"{rows[0]} to {rows[-1]}" if len(rows) > 2 and _in_order(rows) else either(rows, "and")
        return f"in rows {joined}"

    def _near(self, area: Area) -> list[str]:
        parts = []
        if area.within:
            parts.append(f"at most {self._far(area.within)}")
        if area.at_least:
            parts.append(f"at least {self._far(area.at_least)}")
        if area.adjacent:
            beside = _bare(self.words(area.adjacent))
            if area.board and area.adjacent.board == area.board:
                beside = beside.removesuffix(f", on board {area.board}")
            parts.append(f"next to {beside}")
        return parts

    def _far(self, within: Within) -> str:
        # From an edge the edge hexes are the first, as in "within 6 hexes of the west edge": six hexes deep.
        far = within.distance + (within.of is not None and within.of.edge is not None)
        unit = "hex" if isinstance(self.field, HexMap) else "point"
        if unit == "hex":
            unit = "hex" if far == 1 else "hexes"
        elif far != 1:
            unit = "points"
        of = (
            f"any {self._who(within.units)} unit" if within.units else _bare(self.words(within.of)) if within.of else ""
        )
        return f"{far} {unit} from {of}"

    def _who(self, key: str) -> str:
        if key in self.game.nations:
            return self.game.nations[key].adjective or self.game.nations[key].name
        held = self.game.sides_in(self.scenario).get(key)
        return held.name if held else spoken(key)

    def _point(self, key: str) -> str:
        points: Mapping[str, object] = getattr(self.field, "points", {})
        return str(getattr(points.get(key), "name", spoken(key)))

    def _box(self, key: str) -> str:
        if self.field and key in self.field.tracks:
            return f"on the track “{self.field.tracks[key].name}”"
        held = self.field.boxes.get(key) if self.field else None
        if held and held.name.endswith(" Box"):
            return f"in the {held.name}"
        return f"in the box “{held.name}”" if held else f"in {spoken(key)}"

    def _place(self, key: str) -> str:
        places: Mapping[str, object] = getattr(self.field, "places", {})
        return str(getattr(places.get(key), "name", spoken(key)))

    def _zone(self, key: str) -> str:
        named = self._zone_name(key)
        if named and named.endswith(" Road") and not named.lower().startswith(COMPASS):
            ends = self._ends(key)
            return f"on the {named}" + (f", {ends[0]} to {ends[-1]}" if ends else "")
        if named:
            return named[0].lower() + named[1:] if named.lower().startswith(COMPASS) else f"in {_called(named)}"
        own = self.scenario.zones.get(key)
        return self.words(own) if own and own.zone != key else spoken(key)

    def _ends(self, key: str) -> tuple[str, ...]:
        """The hexes of a zone, in the order in which the pack gives them."""
        if isinstance(self.field, HexMap):
            for placed in self.field.placed:
                if key in placed.board.shape.zones:
                    return placed.board.shape.zones[key].hexes
        return ()

    def _zone_name(self, key: str) -> str | None:
        if isinstance(self.field, HexMap):
            for placed in self.field.placed:
                if key in placed.board.shape.zones:
                    return placed.board.shape.zones[key].name
        areas: Mapping[str, object] = getattr(self.field, "areas", {})
        return getattr(areas.get(key), "name", None)


def entry_words(where: Where, entry: Entry, joint: str = " ") -> str:
    """When and where a group arrives, with its owner's other choices: 'turn 3 in Gaza, or turn 5 in Rafa'."""
    ways = []
    for way in entry.ways:
        turns = f"turns {way.turn} to {way.until}" if way.until not in (None, way.turn) else f"turn {way.turn}"
        ways.append(turns + (f"{joint}{where.words(way.at)}" if way.at else ""))
    return ", or ".join(ways)


def _called(name: str) -> str:
    """A name in a sentence: 'the Suez Canal', 'Gaza'."""
    return f"the {name}" if name.endswith(ARTICLED) and not name.startswith("the ") and " of " not in name else name


def _a(kind: str) -> str:
    """A kind of ground of which there are single ones: 'a town', but 'woods'."""
    single = kind.endswith(COUNTED) and not kind.startswith(("a ", "an ", "the "))
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}" if single else kind


def _joined(said: list[str]) -> str:
    """Areas of which any will do: 'in Gaza or El Arish', 'in Entry Area A, B or C', 'in Jordan (West Bank or East Bank)'."""
    if len(said) > 1 and all(
        one.startswith("in ") and ", " not in one.replace(", West", "").replace(", East", "") for one in said
    ):
        names = [one.removeprefix("in ") for one in said]
        words = [name.split() for name in names]
        same = words[0][:-1]
        if same and all(name[:-1] == same for name in words) and all(len(name[-1]) == 1 for name in words):
            return f"in {' '.join(same)} {either(name[-1] for name in words)}"
        countries = {name.partition(", ")[0] for name in names}
        if len(countries) == 1 and all(", " in name for name in names):
            return f"in {countries.pop()} ({either(name.partition(', ')[2] for name in names)})"
        return f"in {either(names)}"
    if len(said) > 1 and any(", " in one for one in said):
        return "; ".join(said[:-1]) + f"; or {said[-1]}"
    return either(said)


def _bare(said: str) -> str:
    """'in Gaza' after 'from' is just 'Gaza'."""
    for word in ("in the box ", "in ", "at ", "on "):
        if said.startswith(word):
            return said.removeprefix(word)
    return said


def _in_order(rows: tuple[str, ...]) -> bool:
    """Whether rows follow each other: A, B, C ... Z, AA, BB; or 1, 2, 3."""
    places = [(len(row) * 26 + ord(row[0])) if row.isalpha() else int(row) if row.isdecimal() else 0 for row in rows]
    return all(b == a + 1 for a, b in pairwise(places))
