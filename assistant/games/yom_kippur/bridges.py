"""Bridges: those that lie, where an engineer may build one, and which armor can launch the PCB bridge now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from assistant.answers import Answer, Cell, Column, Line, Node, Ours, Table
from assistant.games.yom_kippur.movement import PHASE
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
from assistant.questions import Input, Question, Told
from assistant.rules.field import Field, Standing
from assistant.rules.movement import reach
from assistant.rules.walk import SCALE
from scenarios.game import Game
from scenarios.hexes import Hex, hexside
from scenarios.maps import HexMap

CANAL = frozenset(("suez_canal", "suez_canal_no_bridge"))
MINOR = frozenset(("minor_canal", "river"))


@dataclass(frozen=True)
class Site:
    """A neighbour of an engineer's hex to which it could become a bridge, or why not."""

    to: int
    reason: str = ""


def sites(field: Field, standing: Standing, *, shifted: bool = False) -> tuple[Site, ...]:
    """Where an engineer may build: straight east or west over water, not at a no-bridge symbol (1.14c, 1.14g, 2.5).

    Enemies and their zones beyond don't matter. Israel has one engineer bridge at a time (ruling israeli_bridges). Not if
    it has `shifted` a combat this turn (1.14a).
    """
    if "builds_bridge" not in standing.unit.abilities:
        return ()
    found = []
    for to in _straight(field, standing.at):
        water = field.kinds.lies(standing.at, to)
        if not water & (CANAL | MINOR):
            continue
        reason = ""
        if "suez_canal_no_bridge" in water:
            reason = "no bridge may be built there (1.14g)"
        elif shifted:
            reason = "it gave a combat shift this turn (1.5, 1.14a)"
        elif standing.side == "israeli" and any("bridge" in piece.states for _, piece, side, _ in field.spanning if side == "israeli"):
            reason = "another Israeli engineer is a bridge already; it has to stop being one (2.5)"
        found.append(Site(to, reason))
    return tuple(found)


def _straight(field: Field, n: int) -> list[int]:
    """The neighbours straight west and east of a hex."""
    return [m for compass in ("west", "east") if (m := field.kinds.toward(n, compass)) is not None]


@dataclass(frozen=True)
class Launch:
    """A PCB bridge that a unit could put in place: its road, where it leads to, the points it takes, or why it can't."""

    road: str
    to: int
    points: Fraction | None
    reason: str = ""


def launches(field: Field, standing: Standing, phase: str = "movement") -> tuple[Launch, ...]:
    """Each PCB road, and whether this armor can tow the bridge down it in the phase (2.2).

    It goes to the road's eastern end and along it at the road's rate, through no enemy zone, against no Egyptian in the
    hex beyond; one such bridge in the game.
    """
    if "tows_pcb" not in standing.unit.abilities:
        return ()
    kinds, foe = field.kinds, other(standing.side)
    assert isinstance(kinds.map, HexMap)
    built = any(piece.unit == "pcb_bridge" for _, piece, _, _ in field.spanning)
    found = reach(field, standing, "exploitation" if phase == "exploitation" else "move")
    launched = []
    for path in kinds.map.paths:
        if path.kind != "pcb_road":
            continue
        road = [kinds.number[hex] for hex in path.hexes]
        # The road's last step points over the canal, straight west.
        to = next(n for n in _straight(field, road[-1]) if kinds.lies(road[-1], n) & CANAL)
        # Who begins in a zone of control at the road's end doesn't enter it.
        entered = road[1:] if standing.at == road[0] else road
        barred = [n for n in entered if field.zones.at("zoc", foe, n) or field.occupied(n, foe)]
        points, reason = None, ""
        if built:
            reason = "the PCB bridge is in place already"
        elif found.refused:
            reason = f"it can't exploit: {found.refused[0].text} ({found.refused[0].rule})"
        elif field.occupied(to, foe):
            reason = f"Egyptians stand in {kinds.name(to)}"
        elif barred:
            reason = f"{kinds.name(barred[0])} is held by the enemy or in his zone of control"
        elif road[0] not in found.costs:
            reason = f"it can't reach {kinds.name(road[0])}"
        else:
            verdicts = [found.stepper.verdict(n, m, step) for n, m in pairwise(road) if (step := kinds.step(n, m)) is not None]
            points = found.costs[road[0]] + sum((Fraction(one.cost or 0) / SCALE for one in verdicts), Fraction(0))
            have = found.allowance.most if found.allowance is not None else 0
            reason = "" if points <= have else f"it takes {points} points and there are {have}"
        launched.append(Launch(path.name, to, points, reason))
    return tuple(launched)


def bridges_answer(game: Game, told: Told) -> Answer:
    """Bridges that lie and who may cross them, where engineers may build, which armor can launch the PCB bridge (1.14, 2.2)."""
    field = asked_field(game, told)
    named, shifted = asked_units(field, told, "unit"), asked_units(field, told, "shifted")
    lying = _lying(field)
    lines: list[Node] = []
    built: list[dict[str, Cell]] = []
    towed: list[dict[str, Cell]] = []
    pulling: list[tuple[Standing, str]] = []
    side = told.get("side")
    for standing in named or (field.of(side) if side else field.standings):
        if named and (why := _idle(field, standing)):
            lines.append(Line(f"{standing.name} {why}"))
        for site in sites(field, standing, shifted=standing in shifted):
            built.append({
                "unit": standing.counter, "place": field.place(standing.at), "over": _over(field, standing.at, site.to),
                "may": not site.reason, "why": site.reason,
            })  # fmt: skip
        for launch in launches(field, standing, told.get("phase", "movement")):
            pulling += [] if launch.reason else [(standing, "movement")]
            towed.append({
                "unit": standing.counter, "road": launch.road, "to": field.place(launch.to), "cost": launch.points,
                "may": not launch.reason, "why": launch.reason,
            })  # fmt: skip
    shown = [row for row in towed if named or row["may"]]
    if not lying and not built and not shown:
        lines.append(Line("no bridge lies, and nobody can build one now"))
    sites_ = [Column("unit", "could build"), Column("place", "in"), Column("over", "over"), Column("may", "may"), Column("why", "why not")]
    roads = [Column("unit", "PCB bridge by"), Column("road", "road"), Column("to", "to"), Column("cost", "points"), Column("may", "may"),
             Column("why", "why not")]  # fmt: skip
    return Answer("bridges", game.id, [
        Table("bridges", [Column("side", "bridge of"), Column("over", "over"), Column("open_to", "open to")], lying),
        Table("sites", sites_, built),
        Table("shown_launches", roads, shown, told=False),
        Table("launches", [Column(column.key) for column in roads], towed),
        *lines,
        Ours(ours(game, pulling, ground=True) if pulling else {}),
    ])  # fmt: skip


def _lying(field: Field) -> list[dict[str, Cell]]:
    """The bridges that lie, with who may cross them: their side, and the enemy where nobody of it stands at either end (1.14e)."""
    rows: list[dict[str, Cell]] = []
    spans = field.zones.spans("bridge")
    for side in SIDES:
        for n, m in sorted(((n, m) for (n, m), sides in spans.items() if side in sides and n < m)):
            free = not field.occupied(n, side) and not field.occupied(m, side)
            users = [user for user in SIDES if user in spans[n, m] or free]
            rows.append({"side": side, "over": _over(field, n, m), "open_to": users})
    return rows


def _over(field: Field, n: int, m: int) -> str:
    """A hexside as players write it."""
    a, b = field.kinds.places[n], field.kinds.places[m]
    assert isinstance(a, Hex) and isinstance(b, Hex)
    side, number = hexside(a, b), field.kinds.number
    return f"{field.kinds.name(number[side.a])}/{field.kinds.name(number[side.b])}"


def _idle(field: Field, standing: Standing) -> str:
    """Why a unit has nothing to do with bridges; empty if it has."""
    abilities: Sequence[str] = tuple(standing.unit.abilities)
    if "builds_bridge" not in abilities and "tows_pcb" not in abilities:
        return "builds no bridges: engineers do, and armor tows the PCB bridge (1.14, 2.2)"
    if "builds_bridge" in abilities and not sites(field, standing):
        return f"in {field.kinds.name(standing.at)} has no water straight east or west of it to bridge (1.14c)"
    return ""


BRIDGES = Question(
    name="bridges", about="bridges that lie, that could be built, and the PCB bridge (1.14, 2.2)", answer=bridges_answer, bare=("unit",),
    inputs=(
        UNITS, SIDE, PHASE,
        Input(name="shifted", about="engineers that gave a combat shift this turn", kind="units"), *ON_ITS_MAP,
    ),
)  # fmt: skip
