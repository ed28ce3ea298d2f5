"""Six Day War, rule by rule: who follows up, who may stay, what markers tell, arrivals, transfers, sudden death."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest

from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import distance, hexside, neighbours
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position
from scenarios.vassal.playing import TablePiece
from scenarios.vassal.reading import _piece, _Places
from tests.net.adapter import ask, position

QUIET = {"sinai_defense": "0", "eastern_defense": "0"}
"""No air defense is left, so that it counts for nothing."""


@pytest.fixture(scope="module")
def game() -> Game:
    return load("six_day_war", with_config_overlays=False)


@pytest.fixture(scope="module")
def table(game: Game) -> HexMap:
    return cast(HexMap, game.maps["main"])


def put(game: Game, *pieces: str, turn: int = 2) -> Position:
    """A position with these pieces; a place may be called by its id."""
    table = cast(HexMap, game.maps["main"])

    def piece_text(piece: str) -> str:
        unit, _, place = piece.partition("@")
        place, plus, states = place.partition("+")
        return f"{unit}@{table.name(table.places[place].hexes[0]) if place in table.places else place}{plus}{states}"

    on_map = position(game, "standard", [piece_text(piece) for piece in pieces if "@dead:" not in piece], turn=turn)
    piles = [piece.split("@") for piece in pieces if "@dead:" in piece]  # as a save has them
    return replace(
        on_map, pieces=(*on_map.pieces, *(Piece(unit, "1", game.units[unit].nation, place) for unit, place in piles))
    )


def results(game: Game, board_position: Position, **inputs: Any) -> Mapping[str, Mapping[str, Any]]:
    """What each result does, on the first table that may be chosen."""
    tables = ask(game, "odds", board_position, **inputs)["attacks"]
    return cast(Mapping[str, Mapping[str, Any]], next(iter(tables.values()))["results"])


def test_nobody_follows_up_who_is_dead_or_static(game: Game) -> None:
    """13.15, 15.1, 19.1: after an MD that kills the only attacker, or the only recon; after an AR from a garrison."""

    def advances(*pieces: str, target: str = "4621", origin: str = "4622") -> dict[str, tuple[Any, ...]]:
        keys = ("advance", "recon_advance", "defender_advance")
        outcomes = results(game, put(game, *pieces), from_=origin, target=target)
        return {code: tuple(outcome[key] for key in keys) for code, outcome in outcomes.items()}

    lone_stack = advances("is_granit_recon@4622", "eg_7_11@4621")
    assert lone_stack["MD"][:2] == (0, 0) and lone_stack["DR"][:2] == (1, 2)
    pair = advances("is_7_armor@4622", "is_granit_recon@4622", "eg_14_armor@4621", "eg_7_11@4621")
    assert pair["MD"][:2] == (1, 0), "the weakest attacker is the recon"
    wall = advances("eg_7_11@5030", "is_militia_sinai@5031", target="5031", origin="5030")
    assert all(advance[2] == 0 for advance in wall.values()), "15.1"


def test_of_equals_the_owner_chooses(game: Game) -> None:
    """13.16."""
    answer = ask(
        game,
        "odds",
        scenario="none",
        turn=2,
        put="is_7_armor@4622,is_60_armor@4622,eg_7_11@4621",
        from_="4622",
        at="eg_7_11",
    )
    effects = game.tables["mobile"].results
    for code, result in answer["attacks"]["mobile"]["results"].items():
        assert len(result["equals"]) == (effects[code].effects.get("attacker_loses", "") in ("weakest", "strongest"))
    assert answer["attacks"]["assault"]["percent"] == 800


def test_surprise_nullifies_one_fortification(game: Game) -> None:
    """20.5: the shift, the ban on the Mobile table and the shelter are gone; only for an airborne unit, only a fortification."""
    fort = put(game, "is_202_airborne@4425", "is_7_armor@4425", "eg_2_10@abu_agheila")
    plain_attacks = ask(game, "odds", fort, from_="4425", target="abu_agheila")["attacks"]
    free = ask(game, "odds", fort, from_="4425", target="abu_agheila", airborne_surprise="yes")["attacks"]
    assert {table: battle["shift"] for table, battle in plain_attacks.items()} == {"assault": -2}
    assert {table: battle["shift"] for table, battle in free.items()} == {"mobile": 0, "assault": 0}
    retreats = [
        retreat
        for attack in free.values()
        for result in attack["results"].values()
        for retreat in result["defender_back"].values()
    ]
    assert retreats and not any("14.5" in retreat["rules"] for retreat in retreats), "nobody may stay"
    for pieces, target in (
        (("is_202_airborne@4622", "eg_2_10@4621"), "4621"),
        (("is_202_airborne@5328", "eg_2_10@gaza"), "gaza"),
    ):
        refusal = ask(
            game, "odds", put(game, *pieces), attackers="is_202_airborne", target=target, airborne_surprise="yes"
        )
        assert refusal.rules == {"20.5"}


def test_closed_country(game: Game) -> None:
    """25.4: Israelis fight across the Jordan before turn 4 but don't follow; 8.2: a line doesn't enter such country."""
    board_position = put(game, "is_45_armor@5838", "jo_kw@5839", turn=3)
    answer = ask(game, "odds", board_position, attackers="is_45_armor", defenders="jo_kw")
    assert answer["attacks"]["mobile"]["no_advance"] == {"5839"}
    astray = ask(game, "supply", scenario="none", put="is_7_armor@4001,is_60_armor@4622")
    assert (astray["out"], astray["supplied"]) == ({"is_7_armor"}, {"is_60_armor"})


def test_who_may_stay(game: Game) -> None:
    """14.3, 14.5, 21.3: works let even a garrison stay, unless its front has disintegrated."""
    inputs = {"scenario": "none", "put": "eg_garrison_gaza@gaza,eg_garrison_el_arish@el_arish,jo_kw@east_jerusalem"}
    units = {**inputs, "unit": "eg_garrison_gaza,eg_garrison_el_arish,jo_kw"}
    answer = ask(game, "retreat", **units)
    dies = {unit: risk["dies"] for unit, risk in answer["risks"].items()}
    assert dies == {"eg_garrison_gaza": 0, "eg_garrison_el_arish": 1, "jo_kw": 0}
    assert answer["risks"]["jo_kw"]["may_stay"] and answer["back"]["jo_kw"], "at its player's option"
    answer = ask(game, "retreat", **units, kind="panic", sinai_broken="yes", eastern_broken="yes")
    dies = {unit: risk["dies"] for unit, risk in answer["risks"].items()}
    assert dies == {"eg_garrison_gaza": 1, "eg_garrison_el_arish": 1, "jo_kw": 0}, "Jordanians are immune (21.4)"


def test_a_panic_ends_in_works_beside_the_way(game: Game) -> None:
    """14.5: the retreat ends in a fortification however the unit got there."""
    assert "4424" in ask(game, "retreat", put(game, "eg_7_11@4523"), unit="eg_7_11", hexes="4")["back"]["eg_7_11"]


def test_advances(game: Game, table: HexMap) -> None:
    """15.2 to 15.4, 12.7, 25.4: zones don't stop an advance, an unbridged river does, closed country is out."""
    zones = table.zones
    a, b = next(
        (side.a, side.b)
        for side, side_kinds in sorted(table.hexsides.items(), key=str)
        if "river" in side_kinds
        and "road" not in table.path_sides.get(side, frozenset())
        and {table.terrain[side.a], table.terrain[side.b]} == {"clear"}
        and {side.a, side.b} <= zones["jordan_west_bank"] | zones["jordan_east_bank"]
    )

    def ways(unit: str, board_position: Position, hexes: int) -> dict[Any, tuple[Any, ...]]:
        paths = ask(game, "advance", board_position, unit=unit, hexes=hexes)["ways"][unit]
        return {table.hex(end): tuple(map(table.hex, path)) for end, path in paths.items()}

    paths = ways("is_45_armor", put(game, f"is_45_armor@{table.name(a)}", turn=4), 3)
    for hex, path in paths.items():
        assert len(path) <= 4 and distance(a, hex) <= 3
        for from_hex, to_hex in pairwise(path[:-1]):
            side = hexside(from_hex, to_hex)
            assert "river" not in table.hexsides.get(side, ()) or "road" in table.path_sides.get(side, ()), (
                "stopped at once (15.4)"
            )
    assert paths[b] == (a, b)
    east = zones["jordan_east_bank"]
    assert a in east or not set(ways("is_45_armor", put(game, f"is_45_armor@{table.name(a)}", turn=3), 3)) & east
    full = [f"{unit}@4621" for unit in ("is_60_armor", "is_14_armor", "is_200_armor")]
    ends = set(map(table.name, ways("is_7_armor", put(game, "is_7_armor@4622", "eg_7_11@4620", *full), 2)))
    assert "4621" not in ends, "not into a full hex"
    assert "4620" not in ends and "4521" in ends, "an enemy's zone is no bar"
    assert ask(game, "advance", put(game, "is_militia_sinai@5031"), unit="is_militia_sinai", hexes=1).rules == {"15.1"}


def test_markers_tell(game: Game) -> None:
    """2.14 control, 16.7 air defense, 6.1 points spent, 21.5 disintegration, 7.5 barrages: as they lie in a position."""
    board_position = put(
        game,
        "eg_garrison_gaza@gaza",
        "control_israeli@4820",
        "control_arab@2532",
        "air_defense_sinai@box:sinai_air_defense/2",
        "air_defense_eastern@box:eastern_air_defense",
        "zrp_sinai@box:sinai_zrp/12",
        "disintegration_sinai@box:sinai_disintegration+disintegrated",
        "barrage_sinai@box:sinai_barrage",
    )
    assert ask(game, "score", board_position)["points"] == {"sinai": 5 - 10 - 12 - 4, "eastern": 0}, (
        "4820 is taken, 2532 is lost"
    )
    piles = put(game, "eg_7_11@dead:Arab", "jo_kw@dead:Arab", "is_45_armor@dead:Israeli")
    assert ask(game, "score", piles, **QUIET)["points"] == {"sinai": 1, "eastern": 1 - 5}
    struck_units = ask(game, "strike", board_position, hex="gaza", airstrikes=1)["struck"]
    assert struck_units["eg_garrison_gaza"]["eliminated"] == Fraction(1, 3), "T1 kills on a broken front"
    air = ask(game, "air", board_position)
    assert (air["level"], air["barrages"]) == ({"2": 1}, {"1": 1}), "nothing flies, nothing is taken off"


def test_a_position_without_a_scenario(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text("game: six_day_war\nturn: 2\npieces:\n  - {unit: is_7_armor, at: '5031'}\n", encoding="utf-8")
    assert ask(game, "move", unit="is_7_armor", position=str(file))["allowance"] == {"6": 1}


def test_arab_arrivals(game: Game, table: HexMap) -> None:
    """7.4, 25.7, events 3, 9 and 10."""
    board_position = put(
        game,
        "iq_6_armor@box:eastern_arab_reinforcement",
        "iq_1@box:eastern_arab_reinforcement",
        "iq_27@amman",
        "vo_saudi@box:eastern_arab_reinforcement",
        "vo_yemen@box:pool",
        "vo_kuwait@box:sinai_arab_reinforcement",
        "eg_14_armor@box:sinai_dead",
        "eg_garrison_gaza@box:sinai_dead",
        "is_7_armor@box:sinai_dead",
        "is_45_armor@haifa",
        "eg_7_11@dead:Arab",
    )
    arrivals = ask(game, "arrivals", board_position)["arrivals"]
    assert set(arrivals) == {f"{event}@{front}" for event in ("3", "9", "10") for front in ("sinai", "eastern")}
    jordan = {table.name(hex) for hex in table.zones["jordan_west_bank"] | table.zones["jordan_east_bank"]}
    iraq = arrivals["10@eastern"]
    assert iraq["units"] == ("iq_1", "iq_6_armor") and iraq["chance"] == 1 and iraq["at"] <= jordan
    assert not arrivals["10@sinai"]["units"]
    draw = arrivals["9@eastern"]
    assert draw["units"] == ("vo_saudi", "vo_yemen") and draw["chance"] == Fraction(1, 2)
    returns = arrivals["3@sinai"]
    assert returns["units"] == ("eg_7_11",), "the weakest mobile one"
    assert {table.name(table.places[name].hexes[0]) for name in ("port_said", "ismailia", "suez")} <= returns["at"]
    edge = [hex for hex in map(table.hex, returns["at"]) if table.terrain[hex] != "city"]
    assert edge and all(any(neighbour not in table for neighbour in neighbours(hex)) for hex in edge)
    occupied_place = min(draw["at"])
    second_answer = ask(
        game,
        "arrivals",
        put(game, f"is_45_armor@{occupied_place}", "vo_saudi@box:eastern_arab_reinforcement", turn=5),
        event="9",
    )
    assert (
        occupied_place not in second_answer["arrivals"]["9@eastern"]["at"]
        and second_answer["arrivals"]["9@eastern"]["in_enemy_zone"]
    ), "in his zone they may"


def test_a_city_that_the_enemy_controls_takes_no_arabs(game: Game, table: HexMap) -> None:
    board_position = put(game, "vo_saudi@box:eastern_arab_reinforcement", turn=5)
    amman = table.name(table.places["amman"].hexes[0])
    assert amman in ask(game, "arrivals", board_position, event="9")["arrivals"]["9@eastern"]["at"]
    assert (
        amman
        not in ask(game, "arrivals", board_position, event="9", control="amman:israeli")["arrivals"]["9@eastern"]["at"]
    )


def test_who_is_too_many(game: Game, table: HexMap) -> None:
    """11.2, 11.3, 11.5: three Israelis, two Arabs of one contingent, a static unit beside either."""
    crowd = [f"{unit}@5030" for unit in ("is_7_armor", "is_60_armor", "is_14_armor", "is_200_armor")]
    mixed_stack = [f"{unit}@jenin" for unit in ("jo_kw", "sy_8", "sy_19", "jo_garrison_nablus")]
    fine = ["is_45_armor@haifa", "is_militia_eastern@haifa", "eg_2_10@abu_agheila", "eg_2_12@abu_agheila"]
    violations = ask(game, "stacks", put(game, *crowd, *mixed_stack, *fine))["too_many"]
    jenin = table.name(table.places["jenin"].hexes[0])
    assert len(violations) == 2 and all("'must_go': 1" in violation for violation in violations)
    assert [("5030" in violation, jenin in violation) for violation in sorted(violations)] == [
        (True, False),
        (False, True),
    ]


def test_a_transfer_by_air(game: Game, table: HexMap) -> None:
    """6.2: a reserve brigade, from a hex and to a hex without an enemy zone; 4 points and 1 for the airborne move."""
    board_position = put(game, "is_55_airborne@5031", "is_202_airborne@5031", "jo_kw@jenin")
    answer = ask(game, "move", board_position, unit="is_55_airborne", kind="airborne", transfer="yes")
    assert (
        answer["landings"]
        and set(map(table.hex, answer["landings"])) <= table.zones["eastern_sector"]
        and not answer["in_enemy_zone"]
    )
    assert answer["price"] == 5
    assert ask(game, "move", board_position, unit="is_202_airborne", kind="airborne", transfer="yes").rules == {"6.2"}


def test_what_can_be_bought(game: Game) -> None:
    """6.1, 6.2, 8.3, 24.1: 12 airstrikes, 2 special forces and the brigades of the Reserve box, no static unit."""
    answer = ask(game, "reserve", plan="purchase_airstrike_or_sf:15", turn=2)
    assert answer["actions"]["purchase_airstrike_or_sf"]["affordable"] == 0 and answer["forbidden"] == {"6.2"}
    assert not ask(game, "reserve", plan="purchase_airstrike_or_sf:14", turn=2)["forbidden"]
    assert ask(game, "reserve", plan="replace_static:1")["forbidden"] == {"8.1", "19.2"}


def test_the_game_ends_at_once(game: Game, table: HexMap) -> None:
    """23.1: Arabs on every city lose it for both; Israelis on every objective of a front count points."""
    cities = [hex for hex in table.zones["israel"] if table.terrain[hex] in ("city", "fortified_city")]
    arabs = [unit.id for unit in game.units.values() if unit.side == "arab" and unit.class_ == "mobile"]
    board_position = put(
        game,
        *(f"{unit}@{table.name(hex)}" for unit, hex in zip(arabs, cities, strict=False)),
        "is_45_armor@east_jerusalem",
    )
    answer = ask(game, "score", board_position)
    assert answer["level"] == "Both players lose" and answer["winner"] == "" and answer["won"] == ("arab",)
    israeli_units = [unit.id for unit in game.units.values() if unit.side == "israeli" and unit.class_ == "mobile"]
    goals = sorted(table.zones["eastern_objectives"])
    won = put(game, *(f"{unit}@{table.name(hex)}" for unit, hex in zip(israeli_units, goals, strict=False)))
    answer = ask(game, "score", won, **QUIET)
    assert len(israeli_units) >= len(goals) and answer["won"] == ("israeli",)
    assert (
        answer["winner"] == "eastern"
        and answer["difference"] == 25 + 5 * (len(goals) - 1)
        and answer["level"] == "Strategic Victory"
    )


def test_a_turned_marker_of_a_save_tells_its_state(game: Game) -> None:
    """21.5: the disintegration marker lies in its box, on its intact side or turned."""
    places = _Places(game, "standard")
    tray_windows = [(window, tray) for window, sheet in places.trays.items() for tray in sheet.trays]
    window, tray = next((window, tray) for window, tray in tray_windows if tray.location == "box:sinai_disintegration")
    face = "emb2;" + ";".join([*[""] * 18, "Face"])
    for side, states in (("1", set()), ("2", {"disintegrated"})):
        table_piece = TablePiece("1", (face, "mark;unit"), [side, "disintegration_sinai"], window, *tray.cells[0])
        piece = _piece(game, table_piece, places)
        assert piece is not None and piece.at == "box:sinai_disintegration" and piece.states == states


@pytest.mark.parametrize(
    ("spending", "level", "winner"),
    [
        (("5", "0"), "Draw", ""), (("0", "35"), "Strategic Victory", "sinai"),
        (("10", "5"), "Both players lose", ""),
        (("0", "0"), "Local Victory", "sinai"),
    ],
)  # fmt: skip
def test_levels_of_victory(game: Game, spending: tuple[str, str], level: str, winner: str) -> None:
    """23.5, 23.6: Gaza alone is worth 10; who has nothing more than 0 loses, and a few points apart is a draw."""
    sinai, eastern = spending
    answer = ask(game, "score", put(game, "is_7_armor@gaza"), sinai_spent=sinai, eastern_spent=eastern, **QUIET)
    assert answer["points"] == {"sinai": 10 - int(sinai), "eastern": -int(eastern)}
    assert (answer["level"], answer["winner"]) == (level, winner)
