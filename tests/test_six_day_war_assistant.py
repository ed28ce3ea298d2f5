"""Six Day War: percentages, results spelled out, airpower, reserve points, lines, events, score."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance, neighbours
from scenarios.model.maps import HexMap
from tests.net.adapter import GameAnswer, ask, position
from tests.net.board import Board
from tests.net.board import put as placed
from tests.test_six_day_war_moves import COSTS, zones
from tests.test_six_day_war_oracle import Table


@pytest.fixture(scope="module")
def game() -> Game:
    return load("six_day_war", with_config_overlays=False)


def put(game: Game, *units: tuple[str, str], turn: int = 2) -> Board:
    """A board with these units: id and hex (or place)."""
    return placed(game, *units, turn=turn, scenario="standard")


def attack(board: Board, *attackers: str, target: str, **inputs: str) -> GameAnswer:
    return board.ask("odds", attackers=",".join(attackers), target=target, **inputs)


def test_the_examples_of_the_book() -> None:
    def columns(strengths: str, shift: int = 0) -> set[str]:
        answer = ask("six_day_war", "odds", strengths=strengths, shift=str(shift))
        return {battle["column"] for battle in answer["tables"].values()}

    assert columns("20:12") == {"150-199"}
    assert columns("10:12") == {"50-99"}
    assert columns("10:1", -1) == {"500-599"}, "1000 % starts at 600 and goes one left (13.12)"
    assert columns("1:10", -3) == {"0-49"}
    assert "defense strength is 0" in ask("six_day_war", "odds", strengths="1:0").refusal


def test_who_may_choose_which_table(game: Game) -> None:
    board = put(game, ("is_7_armor", "4622"), ("is_11_infantry", "4622"), ("eg_7_11", "4621"))
    assert list(attack(board, "is_7_armor", "is_11_infantry", target="4621")["tables"]) == ["mobile", "assault"]
    assert list(attack(board, "is_11_infantry", target="4621")["tables"]) == ["assault"], "infantry has no Mobile table"
    fort = put(game, ("is_7_armor", "4425"), ("eg_2_10", "abu_agheila"))
    assert list(attack(fort, "is_7_armor", target="abu_agheila")["tables"]) == ["assault"]
    assert "13.13" in attack(fort, "is_7_armor", target="abu_agheila", table="mobile").rules
    arab = put(game, ("eg_7_11", "4621"), ("is_7_armor", "4622"))
    assert list(attack(arab, "eg_7_11", target="4622")["tables"]) == ["assault"]


def test_shock_shifts_twice_or_once(game: Game) -> None:
    units = [("is_7_armor", "4622"), ("eg_7_11", "4621")]
    shock, calm = put(game, *units, turn=1), put(game, *units, turn=2)
    mobile = attack(shock, "is_7_armor", target="4621")["tables"]["mobile"]
    single_shift = attack(shock, "is_7_armor", target="4621", shock_and_enhanced="no")["tables"]["mobile"]
    assert (
        mobile["shift"]
        == attack(calm, "is_7_armor", target="4621")["tables"]["mobile"]["shift"] + 2
        == single_shift["shift"] + 1
    )
    advance = {code: result["advance"] for code, result in mobile["results"].items()}
    assert all(advance.get(code, 2) == 2 for code in ("DR", "MD", "DD")), (
        "an enhanced attack advances twice as far (15.5)"
    )


def test_losses_by_printed_strength_and_every_throw(game: Game) -> None:
    board = put(game, ("is_7_armor", "4622"), ("is_granit_recon", "4622"), ("eg_7_11", "4621"), ("eg_14_armor", "4621"))
    for kind, battle in attack(board, "is_7_armor", "is_granit_recon", target="4621")["tables"].items():
        expected_losses = {man.id: Fraction(0) for man in board.men}
        table = game.tables[kind]
        place = table.named_column(battle["column"])
        for face in range(1, 7):
            result = battle["results"][table.cell(face, place).code]
            for unit in (*result["attackers_lost"], *result["defenders_lost"]):
                expected_losses[unit] += Fraction(1, 6)
            for unit, retreat in (*result["attacker_back"].items(), *result["defender_back"].items()):
                expected_losses[unit] += Fraction(1, 6) * retreat["dies"]
        assert battle["eliminated"] == expected_losses
        assert sum(result["chance"] for result in battle["results"].values()) == 1
        for code, result in battle["results"].items():
            effects = table.results[code].effects
            assert effects.get("attacker_loses") != "strongest" or result["attackers_lost"] == ("is_7_armor",)
            assert effects.get("defender_loses") != "strongest" or result["defenders_lost"] == ("eg_14_armor",)


def test_works_hold_and_static_units_die(game: Game) -> None:
    def dies(board: Board, unit: str, kind: str = "retreat", broken_front: str = "") -> Fraction:
        inputs = {f"{broken_front}_broken": "yes"} if broken_front else {}
        chance: Fraction = board.ask("retreat", unit=unit, kind=kind, **inputs)["risks"][unit]["dies"]
        return chance

    gaza = put(game, ("is_7_armor", "5328"), ("eg_garrison_gaza", "gaza"))
    (battle,) = attack(gaza, "is_7_armor", target="gaza")["tables"].values()
    assert all(
        retreat["dies"] == 0 for result in battle["results"].values() for retreat in result["defender_back"].values()
    ), "14.5"
    assert dies(gaza, "eg_garrison_gaza") == 0
    assert dies(gaza, "eg_garrison_gaza", broken_front="sinai") == 1, (
        "a retreat is a panic now, and it is static (21.3)"
    )
    assert dies(gaza, "eg_garrison_gaza", "panic", "sinai") == 1
    open_field = put(game, ("eg_garrison_el_arish", "el_arish"), ("eg_7_11", "4621"))
    assert dies(open_field, "eg_garrison_el_arish") == 1, "14.3"
    assert dies(open_field, "eg_7_11") == 0
    loyal = put(game, ("is_45_armor", "5836"), ("jo_kw", "5837"))
    for attack_result in attack(loyal, "is_45_armor", target="5837", disintegrated="eastern")["tables"].values():
        assert all(
            "21.3" not in retreat["rules"]
            for result in attack_result["results"].values()
            for retreat in result["defender_back"].values()
        ), "21.4"


def test_retreats_one_by_one(game: Game) -> None:
    """A plain walk over every path agrees on where a unit may end up."""
    dice = random.Random(7)
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    land = sorted(table.zones["egypt_sinai"])
    for _ in range(12):
        middle = dice.choice(land)
        neighbour_hexes = [hex for hex in neighbours(middle) if hex in table.zones["egypt_sinai"]]
        if len(neighbour_hexes) < 4:
            continue
        names = [table.name(hex) for hex in dice.sample(neighbour_hexes, 2)]
        board = put(game, ("eg_7_11", table.name(middle)), ("is_7_armor", names[0]), ("is_60_armor", names[1]))
        rules = Table(board, 2, "")
        for length in (1, 2, 3):
            paths: list[tuple[Hex, ...]] = [(middle,)]
            for _ in range(length):
                paths = [
                    (*path, b) for path in paths for b in neighbours(path[-1]) if rules.step(path[-1], b, "arab", ())
                ]
            ends = {table.name(path[-1]) for path in paths if distance(middle, path[-1]) == length}
            retreat_ends = board.ask("retreat", unit="eg_7_11", hexes=str(length))["back"]["eg_7_11"]
            assert {place for place in retreat_ends if distance(middle, table.hex(place)) == length} == ends


def test_air_phase_against_every_pair_of_dice(game: Game) -> None:
    table = game.tables["air_superiority"]
    for strikes, forces, ground, level, barrages, shock in [
        (7, 0, 0, 5, 4, False),
        (3, 2, 2, 3, 0, True),
        (0, 0, 1, 2, 1, False),
    ]:
        answer = ask(
            game,
            "air",
            superiority=str(strikes),
            special_forces=str(forces),
            ground=str(ground),
            level=str(level),
            barrages=str(barrages),
            shock_turn="yes" if shock else "no",
        )
        expected_chances: dict[str, dict[str, Fraction]] = {"level": {}, "barrages": {}, "refit": {}, "dead": {}}
        for first, second in product(range(1, 7), repeat=2):
            level_left, guns = level, barrages
            if strikes:
                start = table.find_column(Fraction(strikes + forces))
                assert start is not None
                code = table.cell(first, table.shift_column(start, int(shock))).code
                hits = {"EE": strikes + forces, "EH": (strikes + forces) // 2}.get(code, 0)
                level_loss = min(hits, level_left)
                level_left -= level_loss
                guns -= min(hits - level_loss, guns)
            column_ = table.find_column(Fraction(level_left))
            assert column_ is not None
            code = table.cell(second, table.shift_column(column_, -int(shock))).code
            flying = strikes + ground
            dead = min(flying, 1) if code == "EE" else 0
            refit = min(flying - dead, 1) if code in ("EE", "EH") else 0
            for name, count in (("level", level_left), ("barrages", guns), ("refit", refit), ("dead", dead)):
                expected_chances[name][str(count)] = expected_chances[name].get(str(count), Fraction(0)) + Fraction(
                    1, 36
                )
        assert {name: answer[name] for name in expected_chances} == expected_chances
    assert "16.5" in ask(game, "air", superiority="0", special_forces="1", level="5").rules


def test_strikes_roll_for_each_unit(game: Game) -> None:
    """16.15, and the example of 16.17: two Arab units under three airstrikes have a throw each on column 3."""
    board = put(game, ("eg_7_11", "4621"), ("eg_14_armor", "4621"))
    answer = board.ask("strike", hex="4621", airstrikes="3")
    assert list(answer["struck"]) == ["eg_7_11", "eg_14_armor"]
    assert all(sum(chances.values()) == 1 for chances in answer["targets"])
    assert answer["column"] == "3" and answer["allowed"]
    table = game.tables["strike"]
    for unit, strike_result in answer["struck"].items():
        stuck = sum(not board.ask("retreat", unit=unit, hexes=str(length))["back"][unit] for length in range(1, 7))
        codes = [table.cell(face, table.named_column("3")).code for face in range(1, 7)]
        assert strike_result["eliminated"] == Fraction(codes.count("T2"), 6) + Fraction(codes.count("T1") * stuck, 36)
    assert not put(game, ("jo_kw", "east_jerusalem")).ask("strike", hex="east_jerusalem", airstrikes="1")["allowed"], (
        "16.14"
    )
    assert "16.15" in board.ask("strike", hex="4621", airstrikes="4").rules | board.ask(
        "strike", hex="4621", airstrikes="4"
    ).get("forbidden", set())
    walls = put(game, ("eg_garrison_gaza", "gaza"))
    twos = Fraction([table.cell(face, table.named_column("3")).code for face in range(1, 7)].count("T2"), 6)
    assert walls.ask("strike", hex="gaza", airstrikes="3")["struck"]["eg_garrison_gaza"]["eliminated"] == twos, "16.19"
    broken_front = walls.ask("strike", hex="gaza", airstrikes="3", disintegrated="sinai")["struck"]["eg_garrison_gaza"]
    assert broken_front["eliminated"] > twos, "21.3"


def test_reserve_points(game: Game) -> None:
    answer = ask(
        game,
        "reserve",
        plan="purchase_airstrike_or_sf:6,purchase_ground_unit:4,enhanced_attack:1",
        sinai_spent="10",
        turn="2",
    )
    assert answer["cost"] == 15 and answer["left"] == 25
    assert ask(game, "reserve", plan="replace_static:1")["forbidden"] == {"8.1", "19.2"}
    excess_plan = ask(game, "reserve", plan="purchase_ground_unit:8", sinai_spent="40", turn="2")
    assert excess_plan["actions"]["purchase_ground_unit"]["count"] == 5, "10 points buy 5"
    assert excess_plan["left"] == 0 and excess_plan["forbidden"] == {"6.1"}


def test_where_units_arrive(game: Game) -> None:
    """7.2 and 8.3: kibbutzes for those bought, not for those from Refit; no terrorized hex (18.8), none that Arabs control,
    but a full one, for stacks aren't counted then (11.4)."""
    table = game.maps["main"]
    assert isinstance(table, HexMap)

    def hex_name(place: str) -> str:
        return table.name(table.places[place].hexes[0])

    placements = [
        f"terrorized@{hex_name('beersheba')}",
        "is_7_armor@5628",
        "is_60_armor@5628",
        "is_14_armor@5628",
        f"control_arab@{hex_name('eilat')}",
        f"eg_7_11@{hex_name('dimona')}",
    ]
    answer = ask(game, "reserve", position(game, "standard", placements, turn=2), front="sinai")
    new, replacement_places = answer["purchases_at"], answer["replacements_at"]
    assert replacement_places < new
    assert not {hex_name(name) for name in ("beersheba", "eilat", "dimona")} & new
    assert "5628" in replacement_places
    assert {table.terrain[table.hex(place)] for place in new - replacement_places} == {"kibbutz"}
    assert all(table.hex(place) in table.zones["sinai_sector"] for place in new)


def test_terror(game: Game) -> None:
    """18.3: T1 and T2 alike terrorize a place; 18.5: not Cairo."""
    assert ask(game, "barrage", hex="beersheba", place="yes")["terrorized"] == Fraction(1, 3)
    assert "18.5" in ask(game, "barrage", hex="el_arish", place="yes").rules


ISRAELIS = ["is_7_armor", "is_60_armor", "is_granit_recon", "is_11_infantry"]


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    attackers=st.lists(st.sampled_from(ISRAELIS), min_size=1, max_size=3, unique=True),
    defenders=st.lists(st.sampled_from(["eg_7_11", "eg_14_armor"]), min_size=1, max_size=2, unique=True),
    turn=st.integers(1, 6), broken_fronts=st.sets(st.sampled_from(["sinai", "eastern"])),
    places=st.sampled_from([("4622", "4621"), ("4425", "abu_agheila"), ("5328", "gaza")]),
)  # fmt: skip
def test_any_battle_adds_up(
    game: Game, attackers: list[str], defenders: list[str], turn: int, broken_fronts: set[str], places: tuple[str, str]
) -> None:
    board = put(game, *((unit, places[0]) for unit in attackers), *((unit, places[1]) for unit in defenders), turn=turn)
    answer = attack(board, *attackers, target=places[1], disintegrated=",".join(sorted(broken_fronts)))
    for battle in answer["tables"].values():
        assert sum(result["chance"] for result in battle["results"].values()) == 1
        assert all(0 <= chance <= 1 for chance in battle["eliminated"].values()) and 0 <= battle["clears"] <= 1
        assert set(battle["eliminated"]) == {*attackers, *defenders}


def test_lines_to_a_city_by_exhaustive_search(game: Game) -> None:
    dice = random.Random(3)
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    land = sorted(table.zones["egypt_sinai"] | table.zones["israel"])
    arabs = [unit.id for unit in game.units.values() if unit.side == "arab" and unit.class_ == "mobile"][:20]
    cut = 0
    for _ in range(6):
        home = dice.choice(land)
        nearby_hexes = [hex for hex in land if 0 < abs(hex.q - home.q) + abs(hex.r - home.r) <= 4]
        spots = dice.sample(nearby_hexes, min(10, len(nearby_hexes)))
        board = put(
            game,
            ("is_7_armor", table.name(home)),
            *((u, table.name(h)) for u, h in zip(arabs, spots, strict=False) if h != home),
        )
        answer, rules = board.ask("supply"), Table(board, board.turn, "")
        shut = set(board.units_by_hex["arab"]) | zones(board, "arab")
        visited_hexes, todo = {home}, [home]
        while todo:
            for neighbour in neighbours(todo.pop()):
                open_ = (
                    neighbour in table
                    and neighbour not in visited_hexes
                    and neighbour not in shut
                    and table.terrain[neighbour] in COSTS
                )
                if open_ and not rules.is_closed(neighbour, "israeli"):
                    visited_hexes.add(neighbour)
                    todo.append(neighbour)
        homes = {h for h in table.zones["israel"] if table.terrain[h] in ("city", "fortified_city", "town")}
        refit = bool(visited_hexes & homes & (table.field - shut | {home}))
        assert answer["supplied"] == ({"is_7_armor"} if refit else set())
        cut += not refit
        way = [table.hex(place) for place in answer["ways"]["is_7_armor"]]
        assert all(b in neighbours(a) and b not in shut for a, b in pairwise(way))
    assert cut < 6


def test_events_and_disintegration() -> None:
    """9.1, 21.2: both players roll; 7 and 8 on two dice are a check, a die of no more than the score breaks the front."""
    check = Fraction(11, 36)
    for score, breaks in ((0, Fraction(0)), (3, Fraction(1, 2)), (9, Fraction(1))):
        answer = ask("six_day_war", "forecast", scenario="none", turn="2", turns="1", sinai_score=str(score))
        assert answer["counters"]["2"]["sinai_broken"].get("yes", 0) == 1 - (1 - check * breaks) ** 2
    # 9.3: nobody rolls on turn 1.
    counters = ask("six_day_war", "forecast", scenario="none", turns="2", eastern_score="6")["counters"]
    assert counters["1"]["eastern_broken"] == {"no": 1}
    assert counters["2"]["eastern_broken"]["yes"] == 1 - Fraction(25, 36) ** 2
    # Reserve points (events 4 and 5) and air defense (11) of a turn without a score: 4 is 3/36, 11 is 2/36, each rolled twice.
    turn = ask("six_day_war", "forecast", scenario="none", turn="2", turns="1", sinai_spent="50", sinai_defense="3")[
        "counters"
    ]["2"]
    assert turn["sinai_defense"] == {
        "3": Fraction(34, 36) ** 2,
        "4": 2 * Fraction(34 * 2, 36 * 36),
        "5": Fraction(2, 36) ** 2,
    }
    assert max(map(int, turn["sinai_spent"])) == 50


def test_score_of_both_players(game: Game) -> None:
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    units = {
        "is_7_armor": "gaza",
        "is_202_airborne": "sharm_el_sheikh",
        "is_60_armor": "el_arish",
        "is_45_armor": "east_jerusalem",
        "jo_kw": "jenin",
        "sy_8": "haifa",
        "terrorized": "tel_aviv",
    }
    placements = [f"{unit}@{table.name(table.places[place].hexes[0])}" for unit, place in units.items()]
    placements += ["eg_7_11@box:sinai_dead", "eg_garrison_gaza@box:sinai_dead", "is_14_armor@box:sinai_refit"]
    answer = ask(
        game,
        "score",
        position(game, "standard", placements, turn=2),
        sinai_spent="12",
        eastern_spent="3",
        sinai_defense="0",
        eastern_defense="2",
    )
    assert answer["points"] == {"sinai": 10 + 10 + 5 + 1 - 12 - 3, "eastern": 25 - 3 - 20 - 3 - 4}
    assert answer["level"] == "Local Victory"


def test_answers(game: Game) -> None:
    assert ask(game, "score")["level"] == "Both players lose"
    assert not ask(game, "air", superiority="6", level="5", barrages="4", shock_turn="yes").refusal
    board = put(game, ("is_7_armor", "4622"), ("eg_7_11", "4621"))
    answer = attack(board, "is_7_armor", target="bir_lahfan", what_if="yes")
    assert set(answer["tables"]) == {"mobile", "assault"} and answer["tables"]["mobile"]["what_if"]
    distant_board = put(game, ("is_7_armor", "5031"), ("eg_7_11", "4621"))
    assert "not next to" in attack(distant_board, "is_7_armor", target="4621").refusal
