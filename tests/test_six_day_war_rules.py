"""Six Day War, rule by rule: who follows up, who may stay, what markers tell, arrivals, transfers, sudden death."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from assistant.attacks import BadQuestion
from assistant.games.six_day_war import QUESTIONS
from assistant.games.six_day_war.advances import advances
from assistant.games.six_day_war.arrivals import arab_arrival, arab_events
from assistant.games.six_day_war.battle import battles
from assistant.games.six_day_war.field import Field
from assistant.games.six_day_war.movement import airborne
from assistant.games.six_day_war.score import holder, outcome, standing
from assistant.games.six_day_war.stacks import too_many
from scenarios import load
from scenarios.game import Game
from scenarios.hexes import distance, hexside, neighbours
from scenarios.position import Piece, Position
from scenarios.vassal.playing import OnTable
from scenarios.vassal.reading import _piece, _Places
from scenarios.vassal.windows import BOXES
from tests.asking import ask
from tests.six_day_war_field import put


@pytest.fixture(scope="module")
def game() -> Game:
    return load("six_day_war", standing=False)


def with_marks(field: Field, *marks: tuple[str, str, str]) -> Field:
    """The field with markers: id, where, state."""
    pieces = [Piece(unit, "1", "", at if ":" in at else field.table.hex(at), frozenset(filter(None, [state]))) for unit, at, state in marks]
    held = field.position
    return Field.of(field.game, Position(held.game, held.scenario, held.turn, pieces=(*held.pieces, *pieces)))


def test_nobody_follows_up_who_is_dead_or_static(game: Game) -> None:
    """13.15, 15.1, 19.1: after an MD that kills the only attacker, or the only recon; after an AR from a garrison."""
    alone = put(game, ("is_granit_recon", "4622"), ("eg_7_11", "4621"))
    by_code = {one.code: one for one in battles(alone, alone.stands[:1], [alone.stands[1].hex])[0].results}
    assert (by_code["MD"].advance, by_code["MD"].recon_advance) == (0, 0)
    assert (by_code["DR"].advance, by_code["DR"].recon_advance) == (1, 2)
    pair = put(game, ("is_7_armor", "4622"), ("is_granit_recon", "4622"), ("eg_14_armor", "4621"), ("eg_7_11", "4621"))
    by_code = {one.code: one for one in battles(pair, pair.stands[:2], [pair.stands[2].hex])[0].results}
    assert (by_code["MD"].advance, by_code["MD"].recon_advance) == (1, 0), "the weakest attacker is the recon"
    wall = put(game, ("eg_7_11", "5030"), ("is_militia_sinai", "5031"))
    (battle,) = battles(wall, wall.stands[:1], [wall.stands[1].hex])
    assert all(one.defender_advance == 0 for one in battle.results), "15.1"


def test_of_equals_the_owner_chooses(game: Game) -> None:
    """13.16."""
    options = {"scenario": "none", "turn": "2", "put": "is_7_armor@4622,is_60_armor@4622,eg_7_11@4621", "from": "4622", "at": "eg_7_11"}
    told, lines = ask(game, QUESTIONS["odds"], options)
    results = {one["result"]: one for one in told["tables"]["mobile"]["results"]}
    table = game.tables["mobile"]
    for code, one in results.items():
        assert len(one["equals"]) == (table.results[code].effects.get("attacker_loses", "") in ("weakest", "strongest"))
    assert told["tables"]["assault"]["percent"] == "800" and any("800 %" in line for line in lines)


def test_surprise_nullifies_one_fortification(game: Game) -> None:
    """20.5: the shift, the ban on the Mobile table and the shelter are gone; only for an airborne unit, only a fortification."""
    fort = put(game, ("is_202_airborne", "4425"), ("is_7_armor", "4425"), ("eg_2_10", "abu_agheila"))
    target = [fort.stands[2].hex]
    (plain,) = battles(fort, fort.stands[:2], target)
    free = battles(fort, fort.stands[:2], target, airborne_surprise=True)
    assert [one.table for one in free] == ["mobile", "assault"] and plain.answer.shift == -2 and free[1].answer.shift == 0
    assert not any(back.stays for one in free for result in one.results for back in result.defender_retreats)
    with pytest.raises(BadQuestion, match=r"20\.5"):
        open_field = put(game, ("is_202_airborne", "4622"), ("eg_2_10", "4621"))
        battles(open_field, open_field.stands[:1], [open_field.stands[1].hex], airborne_surprise=True)
    walls = put(game, ("is_202_airborne", "5328"), ("eg_2_10", "gaza"))
    with pytest.raises(BadQuestion, match=r"20\.5"):
        battles(walls, walls.stands[:1], [walls.stands[1].hex], airborne_surprise=True)


def test_closed_country(game: Game) -> None:
    """25.4: Israelis fight across the Jordan before turn 4 but don't follow; 8.2: a line doesn't enter such country."""
    told, lines = ask(game, QUESTIONS["odds"], {"scenario": "none", "turn": "3", "put": "is_45_armor@5838,jo_kw@5839",
                                                "attackers": "is_45_armor", "defenders": "jo_kw"})  # fmt: skip
    assert told["tables"]["mobile"]["no_advance_into"] == ["5839"] and any("not into 5839 (25.4)" in line for line in lines)
    astray, _ = ask(game, QUESTIONS["supply"], {"scenario": "none", "put": "is_7_armor@4001,is_60_armor@4622"})
    assert [one["refit"] for one in astray["units"]] == [False, True]


def test_who_may_stay(game: Game) -> None:
    """14.3, 14.5, 21.3: works let even a garrison stay, unless its front has disintegrated."""
    told = {"scenario": "none", "put": "eg_garrison_gaza@gaza,eg_garrison_el_arish@el_arish,jo_kw@east_jerusalem"}
    units = {**told, "unit": "eg_garrison_gaza,eg_garrison_el_arish,jo_kw"}
    answer, _ = ask(game, QUESTIONS["retreat"], units)
    dies = {unit: one["dies"] for unit, one in answer["risks"].items()}
    assert dies == {"eg_garrison_gaza": "0", "eg_garrison_el_arish": "1", "jo_kw": "0"}
    assert answer["risks"]["jo_kw"]["may_stay"] and answer["ways"]["jo_kw"], "at its player's option"
    answer, _ = ask(game, QUESTIONS["retreat"], {**units, "hexes": "panic", "disintegrated": "sinai,eastern"})
    dies = {unit: one["dies"] for unit, one in answer["risks"].items()}
    assert dies == {"eg_garrison_gaza": "1", "eg_garrison_el_arish": "1", "jo_kw": "0"}, "Jordanians are immune (21.4)"


def test_a_panic_ends_in_works_beside_the_way(game: Game) -> None:
    """14.5: the retreat ends in a fortification however the unit got there."""
    field = put(game, ("eg_7_11", "4523"))
    ends, _ = ask(game, QUESTIONS["retreat"], {"position": field.position, "unit": "eg_7_11", "hexes": "4"})
    assert "4424" in ends["ways"]["eg_7_11"]


def test_advances(game: Game) -> None:
    """15.2 to 15.4, 12.7, 25.4: zones don't stop an advance, an unbridged river does, closed country is out."""
    table = put(game).table
    zones = table.zones
    wet = next(
        (side.a, side.b)
        for side, kinds in sorted(table.hexsides.items(), key=str)
        if "river" in kinds and "road" not in table.path_sides.get(side, frozenset())
        and {table.terrain[side.a], table.terrain[side.b]} == {"clear"}
        and {side.a, side.b} <= zones["jordan_west_bank"] | zones["jordan_east_bank"]
    )  # fmt: skip
    field = put(game, ("is_45_armor", table.name(wet[0])), turn=4)
    ways = advances(field, field.stands[0], 3)
    for hex, path in ways.items():
        assert len(path) <= 4 and distance(wet[0], hex) <= 3
        for a, b in pairwise(path[:-1]):
            side = hexside(a, b)
            assert "river" not in table.hexsides.get(side, ()) or "road" in table.path_sides.get(side, ()), "stopped at once (15.4)"
    assert wet[1] in ways and ways[wet[1]] == wet
    early = put(game, ("is_45_armor", table.name(wet[0])), turn=3)
    east = zones["jordan_east_bank"]
    assert wet[0] in east or not set(advances(early, early.stands[0], 3)) & east
    full = [(unit, "4621") for unit in ("is_60_armor", "is_14_armor", "is_200_armor")]
    crowd = put(game, ("is_7_armor", "4622"), ("eg_7_11", "4620"), *full)
    ends = advances(crowd, crowd.stands[0], 2)
    assert crowd.table.hex("4621") not in ends, "not into a full hex"
    assert crowd.stands[1].hex not in ends and crowd.table.hex("4521") in ends, "an enemy's zone is no bar"
    wall = put(game, ("is_militia_sinai", "5031"))
    with pytest.raises(BadQuestion, match=r"15\.1"):
        advances(wall, wall.stands[0], 1)


def test_markers_tell(game: Game) -> None:
    """2.14 control, 16.7 air defense, 6.1 points spent, 21.5 disintegration, 7.5 barrages: as they lie in a position."""
    field = with_marks(
        put(game, ("eg_garrison_gaza", "gaza")), ("control_israeli", "4820", ""), ("control_arab", "2532", ""),
        ("air_defense_sinai", "box:sinai_air_defense/2", ""), ("air_defense_eastern", "box:eastern_air_defense", ""),
        ("zrp_sinai", "box:sinai_zrp/12", ""), ("disintegration_sinai", "box:sinai_disintegration", "disintegrated"),
        ("barrage_sinai", "box:sinai_barrage", ""),
    )  # fmt: skip
    assert holder(field, field.table.hex("4820"), {}) == "israeli" and holder(field, field.table.hex("2532"), {}) == "arab"
    found = standing(field)
    assert found.total("sinai") == 5 - 10 - 12 - 4 and found.total("eastern") == 0
    piles = with_marks(put(game), ("eg_7_11", "dead:Arab", ""), ("jo_kw", "dead:Arab", ""), ("is_45_armor", "dead:Israeli", ""))
    assert {front: standing(piles, air_defense={"sinai": 0, "eastern": 0}).total(front) for front in ("sinai", "eastern")} == {
        "sinai": 1, "eastern": 1 - 5,
    }  # fmt: skip
    strike, _ = ask(game, QUESTIONS["strike"], {"position": field.position, "hex": "gaza", "airstrikes": "1"})
    assert strike["units_struck"][0]["eliminated"] == "1/3", "T1 kills on a broken front"
    air, lines = ask(game, QUESTIONS["air"], {"position": field.position, "superiority": "2"})
    assert set(air["barrages"]) == {"1"} or "barrages 1" in lines[0]
    assert "air defense 2" in lines[0]


def test_a_position_without_a_scenario(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text("game: six_day_war\nturn: 2\npieces:\n  - {unit: is_7_armor, at: '5031'}\n", encoding="utf-8")
    told, _ = ask(game, QUESTIONS["move"], {"position": str(file), "unit": "is_7_armor"})
    assert told["allowance"] == {"6": "1"}


def test_arab_arrivals(game: Game) -> None:
    """7.4, 25.7, events 3, 9 and 10."""
    placed = put(
        game, ("iq_6_armor", "box:eastern_arab_reinforcement"), ("iq_1", "box:eastern_arab_reinforcement"), ("iq_27", "amman"),
        ("vo_saudi", "box:eastern_arab_reinforcement"), ("vo_yemen", "box:pool"), ("vo_kuwait", "box:sinai_arab_reinforcement"),
        ("eg_14_armor", "box:sinai_dead"), ("eg_garrison_gaza", "box:sinai_dead"),
        ("is_7_armor", "box:sinai_dead"), ("is_45_armor", "haifa"),
    )  # fmt: skip
    field = with_marks(placed, ("eg_7_11", "dead:Arab", ""))
    assert list(arab_events(field)) == ["3", "9", "10"]
    table = field.table
    jordan = table.zones["jordan_west_bank"] | table.zones["jordan_east_bank"]
    iraq = arab_arrival(field, "eastern", "10")
    assert [unit.id for unit in iraq.units] == ["iq_6_armor", "iq_1"] and iraq.chance == 1
    assert set(iraq.hexes) <= jordan and not arab_arrival(field, "sinai", "10").units
    drawn = arab_arrival(field, "eastern", "9")
    assert {unit.id for unit in drawn.units} == {"vo_saudi", "vo_yemen"} and drawn.chance == Fraction(1, 2)
    back = arab_arrival(field, "sinai", "3")
    assert [unit.id for unit in back.units] == ["eg_7_11"], "the weakest mobile one"
    assert {table.places[name].hexes[0] for name in ("port_said", "ismailia", "suez")} <= set(back.hexes)
    edge = [hex for hex in back.hexes if table.terrain[hex] != "city"]
    assert edge and all(any(near not in table for near in neighbours(hex)) for hex in edge)
    held = put(game, ("is_45_armor", table.name(drawn.hexes[0])), ("vo_saudi", "box:eastern_arab_reinforcement"), turn=5)
    again = arab_arrival(held, "eastern", "9")
    assert drawn.hexes[0] not in again.hexes and again.hot, "not on an enemy, but in his zone"
    told, lines = ask(game, QUESTIONS["arrivals"], {"position": field.position, "event": "10"})
    assert [one["front"] for one in told["arrivals"]] == ["sinai", "eastern"] and "nobody" in lines[0]


def test_a_city_that_the_enemy_controls_takes_no_arabs(game: Game) -> None:
    field = put(game, ("vo_saudi", "box:eastern_arab_reinforcement"), turn=5)
    amman = field.table.places["amman"].hexes[0]
    assert amman in arab_arrival(field, "eastern", "9").hexes
    assert amman not in arab_arrival(field, "eastern", "9", {amman: "israeli"}).hexes


def test_who_is_too_many(game: Game) -> None:
    """11.2, 11.3, 11.5: three Israelis, two Arabs of one contingent, a static unit beside either."""
    crowd = [(unit, "5030") for unit in ("is_7_armor", "is_60_armor", "is_14_armor", "is_200_armor")]
    mixed = [("jo_kw", "jenin"), ("sy_8", "jenin"), ("sy_19", "jenin"), ("jo_garrison_nablus", "jenin")]
    fine = [("is_45_armor", "haifa"), ("is_militia_eastern", "haifa"), ("eg_2_10", "abu_agheila"), ("eg_2_12", "abu_agheila")]
    field = put(game, *crowd, *mixed, *fine)
    found = {one.hex: (one.mobile, one.static) for one in too_many(field)}
    assert found == {field.table.hex("5030"): (1, 0), field.table.places["jenin"].hexes[0]: (1, 0)}


def test_a_transfer_by_air(game: Game) -> None:
    """6.2: a reserve brigade, from a hex and to a hex without an enemy zone; 4 points and 1 for the airborne move."""
    field = put(game, ("is_55_airborne", "5031"), ("is_202_airborne", "5031"), ("jo_kw", "jenin"))
    drop = airborne(field, field.stands[0], transfer=True)
    assert drop.landings and all(field.front(hex) == "eastern" for hex in drop.landings) and not drop.hot
    with pytest.raises(BadQuestion, match=r"6\.2"):
        airborne(field, field.stands[1], transfer=True)
    told, lines = ask(game, QUESTIONS["move"], {"position": field.position, "unit": "is_55_airborne", "air": "yes", "transfer": "yes"})
    assert told["price"] == "5" and "5 reserve points" in lines[0]


def test_what_can_be_bought(game: Game) -> None:
    """6.1, 6.2, 8.3, 24.1: 12 airstrikes, 2 special forces and the brigades of the Reserve box, no static unit."""
    told, lines = ask(game, QUESTIONS["reserve"], {"plan": "purchase_airstrike_or_sf:15", "turn": "2"})
    assert told["actions"]["purchase_airstrike_or_sf"]["affordable"] == 0
    assert any("the Reserve box has 14" in line for line in lines)
    with pytest.raises(BadQuestion, match="can't be bought"):
        ask(game, QUESTIONS["reserve"], {"plan": "replace_static:1"})


def test_the_game_ends_at_once(game: Game) -> None:
    """23.1: Arabs on every city lose it for both; Israelis on every objective of a front count points."""
    table = put(game).table
    cities = [hex for hex in table.zones["israel"] if table.terrain[hex] in ("city", "fortified_city")]
    arabs = [unit.id for unit in game.units.values() if unit.side == "arab" and unit.class_ == "mobile"]
    field = put(game, *((unit, table.name(hex)) for unit, hex in zip(arabs, cities, strict=False)), ("is_45_armor", "east_jerusalem"))
    told, lines = ask(game, QUESTIONS["score"], {"position": field.position})
    assert told["level"] == "Both players lose" and told["winner"] == "" and "ends at once" in lines[-1]
    mine = [unit.id for unit in game.units.values() if unit.side == "israeli" and unit.class_ == "mobile"]
    goals = sorted(table.zones["eastern_objectives"])
    won = put(game, *((unit, table.name(hex)) for unit, hex in zip(mine, goals, strict=False)))
    told, lines = ask(game, QUESTIONS["score"], {"position": won.position, "air_defense": "sinai:0,eastern:0"})
    assert len(mine) >= len(goals) and [one["side"] for one in told["won"]] == ["israeli"]
    assert told["winner"] == "eastern" and int(told["difference"]) == 25 + 5 * (len(goals) - 1)
    assert any("Strategic Victory of the Eastern Front player" in line for line in lines)


def test_a_turned_marker_of_a_save_tells_its_state(game: Game) -> None:
    """21.5: the disintegration marker lies in its box, on its intact side or turned."""
    places = _Places(game, "standard")
    tray = next(tray for tray in places.trays[BOXES].trays if tray.location == "box:sinai_disintegration")
    face = "emb2;" + ";".join([*[""] * 18, "Face"])
    for side, states in (("1", set()), ("2", {"disintegrated"})):
        held = OnTable("1", (face, "mark;unit"), [side, "disintegration_sinai"], BOXES, *tray.cells[0])
        piece = _piece(game, held, places)
        assert piece is not None and piece.at == "box:sinai_disintegration" and piece.states == states


def test_levels_of_victory(game: Game) -> None:
    field = put(game, ("is_7_armor", "gaza"))
    assert outcome(field, {"sinai": Fraction(0), "eastern": Fraction(-5)})[0] == "Both players lose"
    assert outcome(field, {"sinai": Fraction(45), "eastern": Fraction(10)}) == ("Strategic Victory", "sinai")
    assert outcome(field, {"sinai": Fraction(10), "eastern": Fraction(19)}) == ("Draw", "")
