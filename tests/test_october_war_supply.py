"""Lines of communication, command and umbrellas on point maps, against a search of every way on small random maps."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, cast

import pytest

from scenarios import load
from scenarios.model.game import Game
from scenarios.model.points import PointMap, PointShape, Route
from scenarios.model.position import Piece, Position
from tests.net.adapter import GameAnswer, ask

GAME = load("october_war")
EGYPT = {"armored_brigade_egypt": False, "amphibious_brigade_egypt": True, "commando_brigade_egypt": True}
ISRAEL = {"armor_battalion": False, "sayeret_matkal": True}
TERRAIN = ("open", "open", "town", "israeli_fort_sinai", "lake_crossing")


@dataclass(frozen=True)
class PointTable:
    """A point map with pieces on it."""

    game: Game
    position: Position

    @property
    def map(self) -> PointMap:
        return cast(PointMap, self.game.maps["main"])

    def ask(self, question: str, **inputs: Any) -> GameAnswer:
        return ask(self.game, question, self.position, **inputs)


def key(piece: Piece) -> str:
    """What the answers call a piece, but for the number of the first of several."""
    return f"{piece.unit}/{piece.copy}" if piece.copy != "1" and GAME.units[piece.unit].count > 1 else piece.unit


def draw_table(rng: random.Random) -> PointTable:
    """A small map with a reserve area for each side, some routes of each kind, units, a bridge, control markers."""
    names = [f"p{i}" for i in range(7)]
    points = {
        name: PointShape(name=name, terrain=rng.choice(TERRAIN), side=rng.choice(("arab", "israeli"))) for name in names
    }
    points["home_arab"] = PointShape(name="home", terrain="reserve_area", side="egypt")
    points["home_israeli"] = PointShape(name="home", terrain="reserve_area", side="israeli")
    routes = {
        Route(min(a, b), max(a, b), rng.choice(("road", "road", "road", "suez_canal", "water")))
        for a in names
        for b in names
        if a < b and rng.random() < 0.35
    }
    for home in ("home_arab", "home_israeli"):
        routes |= {Route(home, name, "reserve") for name in rng.sample(names, 2)}
    field = PointMap("m", "M", points, tuple(sorted(routes)), {}, "up", {}, {})
    pieces = [
        Piece(rng.choice([*EGYPT, *ISRAEL]), str(i), "", rng.choice([*names, *names, "home_arab", "home_israeli"]))
        for i in range(6)
    ]
    pieces = [
        p for p in pieces if p.at not in ("home_arab", "home_israeli") or (p.unit in EGYPT) == (p.at == "home_arab")
    ]
    single = [p.unit for p in pieces if GAME.units[p.unit].count == 1]
    pieces = [p for i, p in enumerate(pieces) if p.unit not in single or not any(q.unit == p.unit for q in pieces[:i])]
    pieces += [Piece(rng.choice(("bridge_arab", "bridge_israeli")), "b", "", rng.choice(names))]
    pieces += [Piece(rng.choice(("control_arab", "control_israeli")), "c", "", rng.choice(names))]
    return PointTable(
        replace(GAME, maps={"main": field}, scenario_maps={}), Position("october_war", pieces=tuple(pieces))
    )


def simple_ways(situation: PointTable, start: str) -> Iterator[list[str]]:
    """Every way that visits no point twice."""
    stack = [[start]]
    while stack:
        way = stack.pop()
        yield way
        stack += [[*way, next_point] for next_point in situation.map.adjacent(way[-1]) if next_point not in way]


def side_of(unit: str) -> str:
    return "arab" if unit in EGYPT else "israeli"


def in_supply(
    situation: PointTable, piece: Piece, control: bool, captured_points: Mapping[str, str] = MappingProxyType({})
) -> bool:
    """11.2 and 2.6, read straight; `taken` are points that a side is thought to have taken."""
    side = side_of(piece.unit)
    enemy = "israeli" if side == "arab" else "arab"
    swims = EGYPT.get(piece.unit, False) or ISRAEL.get(piece.unit, False)
    units = [p for p in situation.position.pieces if p.unit in EGYPT or p.unit in ISRAEL]
    marker = next(p for p in situation.position.pieces if p.unit.startswith("control_"))
    bridge = next(p for p in situation.position.pieces if p.unit.startswith("bridge_"))

    def sides(point: str) -> set[str]:
        return (
            {captured_points[point]} if point in captured_points else {side_of(p.unit) for p in units if p.at == point}
        )

    def enters(point: str) -> bool:
        if enemy in sides(point):
            return False
        if point.startswith("home_"):
            return point == f"home_{side}"
        holder = situation.map.points[point].side
        if marker.at == point:
            holder = marker.unit.removeprefix("control_")
        if sides(point) == {side}:
            holder = side
        return not (control and holder == enemy)

    def goes(a: str, b: str) -> bool:
        for kind in situation.map.adjacent(a)[b]:
            if kind in ("road", "reserve") or (kind == "water" and swims):
                return True
            is_bridged = bridge.unit == f"bridge_{side}" and bridge.at in (a, b)
            if kind == "suez_canal" and is_bridged and side in sides(a) | sides(b):  # 21.4
                return True
        return False

    place = str(piece.at)
    fort = side == "israeli" and situation.map.points[place].terrain == "israeli_fort_sinai"
    if fort and (situation.map.points[place].side == "israeli" or "arab" not in sides(place)):
        return True
    for way in simple_ways(situation, place):
        steps = list(zip(way, way[1:], strict=False))  # noqa: RUF007
        if way[-1] == f"home_{side}" and all(goes(a, b) and enters(b) for a, b in steps):
            return True
    return False


@pytest.mark.parametrize("seed", range(60))
def test_lines_of_communication_against_every_way(seed: int) -> None:
    situation = draw_table(random.Random(seed))
    for control in (True, False):
        answer = situation.ask("supply", control="yes" if control else "no")
        for side in ("arab", "israeli"):
            side_pieces = [
                piece for piece in situation.position.pieces if piece.unit in (EGYPT if side == "arab" else ISRAEL)
            ]
            supplied_keys = {key(piece) for piece in side_pieces if in_supply(situation, piece, control)}
            assert answer["supplied"].get(side, set()) == supplied_keys
            assert answer["out"].get(side, set()) == {key(piece) for piece in side_pieces} - supplied_keys
            for piece in side_pieces:
                way = answer["ways"][side][key(piece)]
                assert not way or (way[0] == piece.at and way[-1] == f"home_{side}")
                leads = any(way[-1] == f"home_{side}" for way in simple_ways(situation, str(piece.at)))
                assert key(piece) in supplied_keys or bool(answer["cut_by"][side][key(piece)]) is leads


@pytest.mark.parametrize("seed", range(25))
def test_the_point_that_cuts_most_against_every_way(seed: int) -> None:
    situation = draw_table(random.Random(seed))
    answer = situation.ask("supply")
    for side in ("arab", "israeli"):
        enemy = "israeli" if side == "arab" else "arab"
        units = [p for p in situation.position.pieces if p.unit in (EGYPT if side == "arab" else ISRAEL)]
        worst = 0
        for point in situation.map.points:
            if point.startswith("home_"):
                continue
            captured_points = {point: enemy}
            cut_pieces = [
                p
                for p in units
                if p.at != point
                and in_supply(situation, p, True)
                and not in_supply(situation, p, True, captured_points)
            ]
            worst = max(worst, len(cut_pieces))
        assert (answer["cuts_most"].get(side) or (0,))[0] == worst


def test_the_start_of_the_war() -> None:
    """5.0: every unit and every point that may be set up in has a line; Mount Hermon hangs on Masada."""
    answer = ask(GAME, "supply", scenario="standard")
    for side in ("arab", "israeli"):
        assert answer["supplied"][side] and not answer["out"][side]
        assert answer["waiting"][side] and not any(group["out"] for group in answer["waiting"][side].values())
    assert next(iter(answer["cuts"]["israeli"])) == "masada"


def put(*pieces: tuple[str, str]) -> PointTable:
    placed_pieces = tuple(Piece(unit, str(i + 1), "", place) for i, (unit, place) in enumerate(pieces))
    return PointTable(GAME, Position("october_war", "standard", pieces=placed_pieces))


def test_across_the_canal_a_line_needs_a_bridge() -> None:
    """11.2."""
    bridgeless_answer = put(("armored_brigade_egypt", "milano")).ask("supply")
    assert bridgeless_answer["out"]["arab"] == {"armored_brigade_egypt"}
    assert "no bridge over the canal (11.2) in Milano" in bridgeless_answer["cut_by"]["arab"]["armored_brigade_egypt"]
    bridge_answer = put(("armored_brigade_egypt", "milano"), ("bridge_arab", "milano")).ask("supply")
    assert bridge_answer["ways"]["arab"]["armored_brigade_egypt"][:2] == ("milano", "qantara")
    assert put(("armored_brigade_egypt", "milano"), ("bridge_israeli", "milano")).ask("supply")["out"]["arab"]


def test_what_if_pieces_were_elsewhere() -> None:
    """11.2: a brigade put over the canal is cut off, a bridge put beside it brings its line, and without the bridge it goes."""
    situation = put(("armored_brigade_egypt", "qantara"))
    assert situation.ask("supply", put="armored_brigade_egypt@Milano")["out"]["arab"] == {"armored_brigade_egypt"}
    assert not situation.ask("supply", put="armored_brigade_egypt@milano,bridge_arab@milano")["out"]["arab"]
    bridge_situation = put(("armored_brigade_egypt", "milano"), ("bridge_arab", "milano"))
    assert bridge_situation.ask("supply", gone="bridge_arab")["out"]["arab"] == {"armored_brigade_egypt"}
    assert "box" in situation.ask("move", unit="armored_brigade_egypt", to="box:nowhere").refusal


def test_israelis_in_forts_need_no_line() -> None:
    """11.2."""
    cut = put(("garrison", "budapest"), ("armored_brigade_egypt", "orkal"), ("armored_brigade_egypt", "baluza")).ask(
        "supply"
    )
    assert cut["supplied"]["israeli"] == {"garrison"} and not cut["ways"]["israeli"]["garrison"], "it holds a fort"


def test_umbrellas() -> None:
    """20.3, 20.4: one point or two, over the canal, never across the Red Sea."""
    situation = put(("static_sam_egypt", "suez_city"), ("mobile_sam_egypt", "suez_city"))
    covers = situation.ask("umbrella")["covers"]
    static, mobile = covers["static_sam_egypt@suez_city"], covers["mobile_sam_egypt@suez_city"]
    assert mobile["port_tawfik"] == 1 and max(mobile.values()) == 1
    assert max(static.values()) == 2
    (shore,) = put(("static_sam_egypt", "adabiya")).ask("umbrella")["covers"].values()
    assert "gulf_of_suez_north" in shore
    distant_points = [p for p in situation.map.adjacent("gulf_of_suez_north") if p != "adabiya"]
    assert all(
        p not in shore or situation.map.distance("adabiya", p, ["road", "suez_canal"]) in (1, 2) for p in distant_points
    )


def test_command_radius() -> None:
    """14.1 to 14.3 and 22.2."""

    def ask_command(*pieces: tuple[str, str]) -> dict[str, Any]:
        return {
            name.partition("@")[0]: command_row
            for name, command_row in put(*pieces).ask("command")["commanded"].items()
        }

    def radius(*pieces: tuple[str, str]) -> set[str]:
        (radius_row,) = put(*pieces).ask("command", unit=pieces[0][0])["radius"].values()
        return set(radius_row["costs"])

    commands = ask_command(
        ("hq_143", "tasa"),
        ("armor_battalion", "baluza"),
        ("recon_battalion", "el_arish"),
        ("hq_146", "israeli_reserve"),
    )
    assert commands["armor_battalion"]["by"] == {"HQ 143"}
    assert not commands["recon_battalion"]["by"] and commands["recon_battalion"]["free"]
    assert commands["hq_146"]["free"]
    assert "baluza" not in radius(
        ("hq_143", "tasa"), ("armor_battalion", "baluza"), ("armored_brigade_egypt", "lateral_north")
    )
    assert radius(("hq_143", "tasa"), ("armored_brigade_egypt", "tasa")) == {"tasa"}
    mixed_commands = ask_command(("hq_7", "sasa"), ("mech_brigade_morocco", "sasa"), ("armored_brigade_syria", "sasa"))
    assert not mixed_commands["mech_brigade_morocco"]["by"] and mixed_commands["armored_brigade_syria"]["by"]
