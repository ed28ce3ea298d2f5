"""Bridges: those that lie, where an engineer may build one, and which armor can launch the PCB bridge now."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from assistant.engine.field import Field
from assistant.engine.movement.reach import reach
from assistant.engine.movement.walk import SCALE
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.spans import spans_of
from assistant.engine.zones import zones_of
from assistant.games.yom_kippur.questions import (
    ON_ITS_MAP,
    SIDE,
    SIDES,
    UNITS,
    asked_field,
    asked_units,
    other,
    ours,
)
from assistant.questions.answer import Answer, Cell, Node, RowTable, Sentence, TableColumn, Unofficial
from assistant.questions.question import Input, Inputs, Question
from scenarios.grammar import count_text, number_text
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, hexside
from scenarios.model.maps import HexMap

CANAL = frozenset(("suez_canal", "suez_canal_no_bridge"))
WATER = CANAL | {"minor_canal", "river"}


def sites(field: Field, standing: PlacedUnit, *, shifted: bool = False) -> Iterator[tuple[int, str]]:
    """The neighbours to which an engineer could become a bridge, or why it may not: straight east or west over water, not at a
    no-bridge symbol (1.14c, 1.14g, 2.5).

    Enemies and their zones beyond don't matter. Israel has one engineer bridge at a time (ruling israeli_bridges). Not if
    it has `shifted` a combat this turn (1.14a).
    """
    for to in _straight(field, standing.place) if "builds_bridge" in standing.counter.abilities else ():
        water = field.map_index.lies(standing.place, to)
        if not water & WATER:
            continue
        if "suez_canal_no_bridge" in water:
            yield to, "no bridge may be built there (1.14g)"
        elif shifted:
            yield to, "it gave a combat shift this turn (1.5, 1.14a)"
        elif standing.side == "israeli" and any(
            "bridge" in piece.states for _, piece, side, _ in field.spanning if side == "israeli"
        ):
            yield to, "another Israeli engineer is a bridge already; it has to stop being one (2.5)"
        else:
            yield to, ""


def _straight(field: Field, n: int) -> list[int]:
    """The neighbours straight west and east of a hex."""
    return [m for compass in ("west", "east") if (m := field.map_index.toward(n, compass)) is not None]


def launches(field: Field, standing: PlacedUnit, phase: str) -> Iterator[tuple[str, int, Fraction | None, str]]:
    """Each PCB road, where it leads to, and the points that this armor needs to tow the bridge down it in the phase, or why it can't
    (2.2).

    It goes to the road's eastern end and along it at the road's rate, through no enemy zone, against no Egyptian in the
    hex beyond; one such bridge in the game.
    """
    kinds, foe = field.map_index, other(standing.side)
    assert isinstance(kinds.map, HexMap)
    found = reach(field, standing, "exploitation" if phase == "exploitation" else "move")
    for path in kinds.map.paths:
        if path.kind == "pcb_road":
            road = [kinds.number[hex] for hex in path.hexes]
            # The road's last step points over the canal, straight west.
            to = next(n for n in _straight(field, road[-1]) if kinds.lies(road[-1], n) & CANAL)
            # Who begins in a zone of control at the road's end doesn't enter it.
            entered = road[1:] if standing.place == road[0] else road
            barred = [n for n in entered if zones_of(field).zones_over("zoc", foe, n) or field.is_occupied(n, foe)]
            points, why = None, ""
            if any(piece.unit == "pcb_bridge" for _, piece, _, _ in field.spanning):
                why = "the PCB bridge is in place already"
            elif found.refusals:
                why = f"it can't exploit: {found.refusals[0].text} ({found.refusals[0].rule})"
            elif field.is_occupied(to, foe):
                why = f"Egyptians stand in {kinds.name(to)}"
            elif barred:
                why = f"{kinds.name(barred[0])} is held by the enemy or in his zone of control"
            elif road[0] not in found.costs:
                why = f"it can't reach {kinds.name(road[0])}"
            else:
                verdicts = [
                    found.stepper.verdict(n, m, step)
                    for n, m in pairwise(road)
                    if (step := kinds.step(n, m)) is not None
                ]
                points = found.costs[road[0]] + sum((Fraction(one.cost or 0) / SCALE for one in verdicts), Fraction(0))
                have = found.allowance.maximum if found.allowance is not None else 0
                why = (
                    ""
                    if points <= have
                    else f"it takes {count_text(points, 'point')}, but the unit has {number_text(have)}"
                )
            yield path.name, to, points, why


def bridges_answer(game: Game, told: Inputs) -> Answer:
    """Bridges that lie and who may cross them, where engineers may build, which armor can launch the PCB bridge (1.14, 2.2)."""
    field = asked_field(game, told)
    named, shifted = asked_units(field, told, "unit"), asked_units(field, told, "shifted")
    lying, side = _lying(field), told.get("side")
    lines: list[Node] = []
    built: list[dict[str, Cell]] = []
    towed: list[dict[str, Cell]] = []
    pulling: list[tuple[PlacedUnit, str]] = []
    for standing in named or (field.units_of(side) if side else field.placed_units):
        if named and (idle := _idle(field, standing)):
            lines.append(Sentence(f"{standing.name} {idle}"))
        for to, why in sites(field, standing, shifted=standing in shifted):
            over = _over(field, standing.place, to)
            built.append(
                {"unit": standing.ref, "place": field.place(standing.place), "over": over, "may": not why, "why": why}
            )
        for road, to, points, why in (
            launches(field, standing, told["phase"]) if "tows_pcb" in standing.counter.abilities else ()
        ):
            pulling += [] if why else [(standing, "movement")]
            towed.append(
                {
                    "unit": standing.ref,
                    "road": road,
                    "to": field.place(to),
                    "cost": points,
                    "may": not why,
                    "why": why,
                }
            )
    shown = [row for row in towed if named or row["may"]]
    if not lying and not built and not shown:
        lines.append(Sentence("no bridge lies, and nobody can build one now"))
    may = (TableColumn("may", "may"), TableColumn("why", "why not"))
    roads = [
        TableColumn("unit", "PCB bridge by"),
        TableColumn("road", "road"),
        TableColumn("to", "to"),
        TableColumn("cost", "points"),
        *may,
    ]
    return Answer(
        "bridges",
        game.id,
        [
            RowTable(
                "bridges",
                [
                    TableColumn("owner", "bridge of", for_programs=False),
                    TableColumn("over", "over"),
                    TableColumn("users", "open to", for_programs=False),
                    TableColumn("side"),
                    TableColumn("open_to"),
                ],
                lying,
            ),
            RowTable(
                "sites",
                [TableColumn("unit", "could build"), TableColumn("place", "in"), TableColumn("over", "over"), *may],
                built,
            ),
            RowTable("shown_launches", roads, shown, for_programs=False),
            RowTable("launches", [TableColumn(column.key) for column in roads], towed),
            *lines,
            Unofficial(ours(game, pulling, ground=True) if pulling else {}),
        ],
    )


def _lying(field: Field) -> list[dict[str, Cell]]:
    """The bridges that lie, with who may cross them: their side, and the enemy where nobody of it stands at either end (1.14e)."""
    rows: list[dict[str, Cell]] = []
    spans = spans_of(field).owners("bridge")
    for side in SIDES:
        for n, m in sorted(((n, m) for (n, m), sides in spans.items() if side in sides and n < m)):
            free = not field.is_occupied(n, side) and not field.is_occupied(m, side)
            users = [user for user in SIDES if user in spans[n, m] or free]
            names = [field.game.sides[user].name for user in users]
            row: dict[str, Cell] = {"side": side, "over": _over(field, n, m), "open_to": users}
            rows.append({**row, "owner": field.game.sides[side].name, "users": names})
    return rows


def _over(field: Field, n: int, m: int) -> str:
    """A hexside as players write it."""
    a, b = field.map_index.places[n], field.map_index.places[m]
    assert isinstance(a, Hex) and isinstance(b, Hex)
    side, number = hexside(a, b), field.map_index.number
    return f"{field.map_index.name(number[side.a])}/{field.map_index.name(number[side.b])}"


def _idle(field: Field, standing: PlacedUnit) -> str:
    """Why a unit has nothing to do with bridges; empty if it has."""
    abilities = standing.counter.abilities
    if "builds_bridge" not in abilities and "tows_pcb" not in abilities:
        return "builds no bridges: engineers do, and armor tows the PCB bridge (1.14, 2.2)"
    if "builds_bridge" in abilities and not any(sites(field, standing)):
        return f"in {field.map_index.name(standing.place)} has no water straight east or west of it to bridge (1.14c)"
    return ""


BRIDGES = Question(
    name="bridges",
    about="bridges that lie, that could be built, and the PCB bridge (1.14, 2.2)",
    answer=bridges_answer,
    positional=("unit",),
    inputs=(
        UNITS,
        SIDE,
        Input(
            name="phase",
            about="the phase",
            kind="choice",
            choices=("movement", "exploitation"),
            default="movement",
            assumed=True,
        ),
        Input(name="shifted", about="engineers that gave a combat shift this turn", kind="units"),
        *ON_ITS_MAP,
    ),
)
