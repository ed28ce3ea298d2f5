"""Areas: sets of places on a map, as data. A place must meet all conditions of an area."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar, Literal

from scenarios.model.sources import IdField
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, Form, Record, Schema, documented_field, reader, record

Compass = Literal["north", "east", "south", "west", "northeast", "southeast", "southwest", "northwest"]
Edge = Literal["north", "east", "south", "west"]


class _AreaForm(Form):
    """An area, or the bare id of a hex."""

    empty: ClassVar[Area | None] = None

    @staticmethod
    def read(node: Node, findings: Findings) -> Area:
        if node.text and not node.empty:
            inner = Node(node.path, node.line, node.column, entries={"hex": (node, node)})
            return Area(hex=node.text, node=inner)
        if node.items is not None:
            first = next((item.text for item in node.items if item.text), "0101")
            which = f'write {{hexes: ["{first}", ...]}} or {{points: [...]}} for any of them'
            findings.add(
                node,
                f"here stands a list; {which}, and for a group with a unit in each of them `at_each` instead of `at`",
            )
            return Area(node=node)
        area: Area = reader(Area)(node, findings)
        return area

    @staticmethod
    def schema(define: Callable[[Any], Schema]) -> Schema:
        return {"anyOf": [define(Area), {"type": ["string", "number"]}]}


@record
class Within(Record):
    """A maximum or minimum distance in hexes (or points) from an area or from a side's units."""

    distance: int = documented_field("How many hexes; 0 is the hex itself.")
    of: Annotated[Area | None, _AreaForm] = documented_field("From which area.", None)
    units: IdField = documented_field("From any unit of this side or nation, where it stands.", "")


@record
class Beyond(Record):
    """The far side of a row of hexes (or of a hex), in a given direction."""

    row: str = documented_field("A lettered or numbered row of hexes, such as N.", "")
    hex: str = documented_field("Or a hex.", "")
    of: Annotated[Area | None, _AreaForm] = documented_field("Or an area: farther that way than any hex of it.", None)
    toward: Compass = documented_field("The direction that counts as beyond.")
    inclusive: bool = documented_field("True when the row itself counts too.", False)


@record
class Area(Record):
    """Places on a map. A place must satisfy every key."""

    hex: str = documented_field("Just this hex.", "")
    hexes: tuple[str, ...] = documented_field("Any of these hexes.", ())
    point: IdField = documented_field("Just this point.", "")
    points: tuple[IdField, ...] = documented_field("Any of these points.", ())
    box: IdField = documented_field("A box, display or track beside the map.", "")
    space: str = documented_field("The space of that track, by its label; else the first.", "")
    board: IdField = documented_field("On this board; seam hexes lie on both.", "")
    boards: tuple[IdField, ...] = documented_field("On any of these boards.", ())
    rows: tuple[str, ...] = documented_field(
        "In any of these rows of hexes (columns of the grid), such as [V, W, X].", ()
    )
    beyond: Beyond | None = documented_field("Beyond a row or hex, toward a direction.", None)
    edge: Edge | None = documented_field("Along this edge of the map, or of `board` where one is given.", None)
    zone: IdField = documented_field("In this named zone of the map, theater or reserve area.", "")
    place: IdField = documented_field("In this named place.", "")
    terrain: tuple[IdField, ...] = documented_field("In hexes of these kinds.", ())
    path: IdField = documented_field("On a path of this kind (a road hex).", "")
    sides: int = documented_field("For `path`: it crosses at least so many sides of the hex; 3 at a junction.", 0)
    marker: IdField = documented_field("Where this marker or counter stands now.", "")
    within: Within | None = documented_field("At most so far from something.", None)
    at_least: Within | None = documented_field("At least so far from something.", None)
    adjacent: Annotated[Area | None, _AreaForm] = documented_field("Next to an area, not in it.", None)
    any_: tuple[Annotated[Area, _AreaForm], ...] = documented_field("In any of these areas.", ())
    except_: Annotated[Area | None, _AreaForm] = documented_field("But not here.", None)
    anywhere: bool = documented_field("True: anywhere on the map.", False)


AreaField = Annotated[Area, _AreaForm]


def inside(area: Area) -> Iterator[Area]:
    """An area and every area nested in it."""
    yield area
    limit_areas = (limit.of for limit in (area.within, area.at_least, area.beyond) if limit is not None)
    for part in (*area.any_, area.except_, area.adjacent, *limit_areas):
        if part is not None:
            yield from inside(part)
