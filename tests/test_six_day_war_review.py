"""Six Day War: what a review found, asked on the command line and answered from the rulebook."""

from __future__ import annotations

import functools
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from assistant.cli import cli
from scenarios.command import load_game
from scenarios.model.hexes import distance, neighbours
from scenarios.model.maps import HexMap
from tests.asking import ask_json, run_assistant, run_command

# A game never changes once it is loaded, so one will do for all questions.
CACHED_LOADER = functools.cache(load_game)


@pytest.fixture(autouse=True)
def loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("ask", "verbs", "open_save"):
        monkeypatch.setattr(f"assistant.commands.{module}.load_game", CACHED_LOADER)


@pytest.fixture(scope="module")
def table() -> HexMap:
    return cast(HexMap, CACHED_LOADER("six_day_war", (), False).maps["main"])


def json_answer(question: str, *words: str, game: str = "six_day_war") -> dict[str, Any]:
    return ask_json("ask", game, question, *words)


def refusal_of(question: str, *words: str, game: str = "six_day_war") -> str:
    return run_assistant("ask", game, question, *words, code=2)


# Several of one counter (item 9)

QUIET = ("sinai_defense=0", "eastern_defense=0")


@pytest.mark.parametrize(
    ("put", "points"),
    [
        ("terrorized@eilat", -3),
        ("terrorized@eilat,terrorized@beersheba", -6),
        ("2*terrorized@eilat", -6),
        ("terrorized/2@eilat,terrorized/1@beersheba,terrorized@sde_boker", -9),
        ("2*terrorized@eilat,terrorized@beersheba,3*terrorized@negba", -18),
    ],
)
def test_every_terrorized_marker_costs_three(put: str, points: int) -> None:
    """23.2, Victory Points Chart."""
    assert json_answer("score", "scenario=none", f"put={put}", *QUIET)["totals"] == {"sinai": points, "eastern": 0}


def test_several_units_of_a_counter_stand_where_they_were_put() -> None:
    """In every game that takes `put`: two Egyptian garrisons are two (4.3), and so are two batteries."""
    answer = json_answer(
        "supply", "scenario=none", "put=2*garrison_egypt+disrupted@cairo,garrison_egypt@alexandria", game="musketeer"
    )
    places = [unit["place"] for side in answer["sides"] if side["side"] == "east" for unit in side["units"]]
    assert sorted(map(places.count, set(places))) == [1, 2]
    answer = json_answer("supply", "put=2*sam@39.29,sam/5@39.30", "side=egyptian", game="yom_kippur")
    units = {unit["unit"]: unit["place"] for unit in _units(answer)}
    assert len(units) == 3 and sorted(units.values()) == ["39.29", "39.29", "39.30"] and units["sam/5"] == "39.30"


def _units(node: Any) -> Iterator[dict[str, Any]]:
    """All units of an answer, wherever they stand in it."""
    if isinstance(node, dict):
        if "unit" in node and "place" in node:
            yield node
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            yield from _units(child)


@pytest.mark.parametrize(
    ("game", "words", "reason"),
    [
        ("six_day_war", ["put=is_7_armor@eilat,is_7_armor@beersheba"], "only one counter of is_7_armor"),
        ("six_day_war", ["put=2*is_7_armor@eilat"], "only one counter of is_7_armor"),
        ("six_day_war", ["put=terrorized/1@eilat,terrorized/1@beersheba"], "only one counter of terrorized/1"),
        ("six_day_war", ["put=13*airstrike@eilat"], "only 12 counters of airstrike"),  # 24.1
        ("six_day_war", ["put=zrp_sinai@box:sinai_zrp/3,zrp_sinai@box:sinai_zrp/4"], "only one counter of zrp_sinai"),
        ("six_day_war", ["put=is_7_armor@eilat", "put=is_7_armor@beersheba"], "only one counter of is_7_armor"),
        ("six_day_war", ["remove=is_7_armor", "put=is_7_armor@eilat"], "only one counter of is_7_armor"),
        (
            "six_day_war",
            ["put=is_7_armor+neutral@eilat", "mark=is_7_armor+disintegrated"],
            "name the states of a piece once",
        ),
        ("six_day_war", ["mark=is_7_armor+neutral,is_7_armor+disintegrated"], "only one counter of is_7_armor"),
        ("six_day_war", ["counts=1:2,1:3"], "given twice"),
        ("six_day_war", ["put=2*terrorized/1@eilat"], "terrorized/1"),
        ("musketeer", ["scenario=none", "put=bde_7_israel@5508,bde_7_israel@5509"], "only one counter of bde_7_israel"),
        ("yom_kippur", ["scenario=4.5", "put=9*sam@39.29"], "only 8 counters of sam"),
    ],
)
def test_a_contradiction_is_refused(game: str, words: list[str], reason: str) -> None:
    assert reason in refusal_of("score", *words, game=game)


# Disintegration (item 10)

POCKET = "eg_7_11@4523,is_7_armor@4423,is_60_armor@4723,is_14_armor@4425"


def test_a_rout_of_a_broken_front_does_not_end_in_a_fort(table: HexMap) -> None:
    """21.3, 14.2: whoever can only go back into the fort beside him survives a panic there, but on a broken front only a
    throw of 1, for the fort is one hex away and he has to go as far as the die says."""
    israelis = [table.hex(part.partition("@")[2]) for part in POCKET.split(",")[1:]]
    start, fort = table.hex("4523"), table.hex("4424")
    assert table.terrain[fort] == "fortification"
    for hex in {*neighbours(start), *neighbours(fort)} - {start, fort}:
        assert any(distance(hex, israeli_hex) <= 1 for israeli_hex in israelis), "no other way is open"
    words = ["scenario=none", "turn=2", f"put={POCKET}"]
    for length, broken_front, dies in (
        ("1", "", "0"),
        ("panic", "", "0"),
        ("1", "sinai", "5/6"),
        ("panic", "sinai", "1"),
    ):
        kind = "kind=panic" if length == "panic" else "kind=retreat"
        broken = [f"{broken_front}_broken=yes"] if broken_front else []
        answer = json_answer("retreat", *words, "unit=eg_7_11", kind, *broken)
        (unit,) = answer["units"]
        assert (unit["unit"], unit["eliminated"]) == ("eg_7_11", dies), (length, broken_front)
    battle = json_answer("odds", *words, "attackers=is_7_armor", "target=4523", "table=mobile", "disintegrated=sinai")
    results = battle["attacks"][0]["results"]
    retreats = [retreat for result in results for retreat in result["defender_retreats"] if result["result"] == "DR"]
    assert retreats and {retreat["eliminated"] for retreat in retreats} == {"5/6"}, (
        "the chance of loss in a battle is the same"
    )


# Compulsory attacks (item 11)

LONE = ["scenario=none", "turn=2", "put=is_7_armor@4622,eg_7_11@4621,eg_2_10@4722"]


def test_a_lone_unit_attacks_all_that_it_touches() -> None:
    """13.3, 13.5."""
    answer = json_answer("odds", *LONE, "attackers=is_7_armor", "target=4621")
    assert answer["unattacked"] == ["4722"] and [refusal["rule"] for refusal in answer["refused"]] == ["13.5"]
    joint_attack = json_answer("odds", *LONE, "attackers=is_7_armor", "target=4621,4722")
    assert joint_attack["refused"] == [] and joint_attack["unattacked"] == [] and joint_attack["must_join"] == []
    (stack,) = json_answer("attacks", *LONE, "side=israeli", "front=sinai")["sides"][0]["stacks"]
    assert stack["must"] and sorted(stack["sole_targets"]) == ["4621", "4722"]


def test_who_touches_no_other_enemy_joins() -> None:
    """13.2, 13.3: the enemy is attacked once, so whoever touches only him attacks with the others or never."""
    words = [*LONE[:2], f"{LONE[2]},is_60_armor@4521"]
    answer = json_answer("odds", *words, "attackers=is_7_armor", "target=4621,4722")
    assert answer["must_join"] == ["is_60_armor"] and "4722" in answer["refused"][0]["text"], (
        "nor can it join against both (13.5)"
    )
    assert json_answer("odds", *words, "attackers=is_7_armor", "target=4722")["refused"] == []
    answer = json_answer("odds", *words, "attackers=is_60_armor", "target=4621")
    assert answer["refused"] == [], "the other has somebody else to attack"


def test_units_in_a_kibbutz_attack_all_or_none() -> None:
    """13.4: they needn't, but once they do nobody next to them is spared, whoever else could attack him."""
    words = ["scenario=none", "turn=2", "put=is_7_armor@4925,eg_7_11@4924,eg_2_10@5025,is_60_armor@5026"]
    (front,) = json_answer("attacks", *words, "side=israeli", "front=sinai")["sides"]
    (kibbutz_stack,) = [stack for stack in front["stacks"] if stack["place"] == "4925"]
    assert not kibbutz_stack["must"] and sorted(kibbutz_stack["enemies"]) == ["4924", "5025"]
    answer = json_answer("odds", *words, "attackers=is_7_armor", "target=4924")
    assert answer["unattacked"] == ["5025"] and answer["refused"][0]["rule"] == "13.4"


@pytest.mark.parametrize("seed", range(6))
def test_an_attack_is_allowed_if_the_rest_can_be_done(table: HexMap, seed: int) -> None:
    """13.2, 13.3, 13.5, 13.10: every way to share the stacks out among the enemies is tried. All who touch an enemy attack,
    all enemies touched are attacked once, and in a battle every attacker touches every defender."""
    dice = random.Random(seed)
    middle = table.hex("4521")
    land = [
        h for h in sorted(table.hexes) if distance(h, middle) <= 2 and table.terrain[h] in ("clear", "rough", "dunes")
    ]
    spots = dice.sample(land, 7)
    israeli_hexes = dict(zip(["is_7_armor", "is_60_armor", "is_14_armor", "is_200_armor"], spots, strict=False))
    egyptian_hexes = dict(zip(["eg_7_11", "eg_2_10", "eg_2_12"], spots[4:], strict=True))
    touching = {
        unit: frozenset(foe for foe, enemy_hex in egyptian_hexes.items() if distance(hex, enemy_hex) == 1)
        for unit, hex in israeli_hexes.items()
    }
    targets_by_unit = {unit: foes for unit, foes in touching.items() if foes}
    required_targets = frozenset().union(*targets_by_unit.values())
    put = ",".join(f"{unit}@{table.name(hex)}" for unit, hex in {**israeli_hexes, **egyptian_hexes}.items())

    def is_complete(plan: tuple[frozenset[str], ...]) -> bool:
        groups = set(plan)
        return frozenset().union(*plan) == required_targets and sum(map(len, groups)) == len(required_targets)

    choices = [
        [frozenset(c) for n in range(1, len(foes) + 1) for c in itertools.combinations(sorted(foes), n)]
        for foes in targets_by_unit.values()
    ]
    plans = [dict(zip(targets_by_unit, plan, strict=True)) for plan in itertools.product(*choices) if is_complete(plan)]
    assert plans or not targets_by_unit
    battles = {(frozenset(u for u in plan if plan[u] == plan[unit]), plan[unit]) for plan in plans for unit in plan}
    trials = [
        (frozenset(team), frozenset(foes))
        for size in (1, 2, 3)
        for team in itertools.combinations(targets_by_unit, size)
        for count in (1, 2)
        for foes in itertools.combinations(sorted(frozenset.intersection(*(targets_by_unit[u] for u in team))), count)
    ]
    for team, foes in dice.sample(trials, min(12, len(trials))):
        target = ",".join(table.name(egyptian_hexes[foe]) for foe in sorted(foes))
        answer = json_answer(
            "odds", "scenario=none", "turn=2", f"put={put}", f"attackers={','.join(sorted(team))}", f"target={target}"
        )
        assert (answer["refused"] == []) == ((team, foes) in battles), (put, team, foes, answer["refused"])


# Lebanon, the sea, turn 1, static units, one table (item 12)


def test_lebanon_is_closed_until_it_is_at_war() -> None:
    """25.2: from the first, with or without its unit; after the event for all."""
    start = ["unit=is_1_golani", "turn=3"]
    words = ["scenario=none", "put=is_1_golani@7636"]
    assert "25.2" in refusal_of("move", *words, *start, "to=7737")
    assert "25.2" in refusal_of(
        "move", "scenario=none", "put=is_1_golani@7636,le_lebanon+neutral@7935", *start, "to=7737"
    )
    for unit in ("le_lebanon@7935", "le_lebanon@box:eastern_dead"):
        open_ = json_answer("move", "scenario=none", f"put=is_1_golani@7636,{unit}", *start, "to=7737")
        assert open_["places"][0]["place"] == "7737"
    (unit,) = json_answer("retreat", *words, "unit=is_1_golani")["units"]
    ends = {way["to"] for way in unit["ways"]}
    assert ends and not {"7637", "7735", "7736"} & ends


@pytest.mark.parametrize("hex", ["8601", "5001"])
def test_no_unit_stands_in_the_sea(hex: str) -> None:
    """10.9; markers don't mind."""
    assert "10.9" in refusal_of("supply", "scenario=none", f"put=is_7_armor@{hex}")
    assert not any(side["units"] for side in json_answer("supply", "scenario=none", f"put=airstrike@{hex}")["sides"])


def test_no_enhanced_attack_is_bought_on_the_first_turn() -> None:
    """25.5."""
    first = json_answer("reserve", "plan=enhanced_attack:1")
    assert [refusal["rule"] for refusal in first["refused"]] == ["25.5"] and _affordable(first) == 0
    later = json_answer("reserve", "plan=enhanced_attack:1", "turn=2")
    assert later["refused"] == [] and _affordable(later) == 49


def _affordable(answer: dict[str, Any]) -> int:
    """How many enhanced attacks could be bought."""
    (count,) = [action["affordable"] for action in answer["actions"] if action["action"] == "enhanced_attack"]
    return int(count)


def test_a_static_unit_next_to_an_enemy_is_told() -> None:
    """13.11: it never attacks; but it is there."""
    result = run_command(
        cli, "ask", "six_day_war", "attacks", "scenario=none", "put=is_militia_sinai@4925,eg_7_11@4924"
    )
    assert result.exit_code == 0 and "13.11" in result.output
    (side_answer, _) = json_answer(
        "attacks", "scenario=none", "put=is_militia_sinai@4925,eg_7_11@4924", "side=israeli"
    )["sides"]
    assert side_answer["stacks"] == [] and side_answer["to_attack"] == []
    assert [(stack["place"], stack["units"]) for stack in side_answer["unable"]] == [("4925", ["is_militia_sinai/1"])]


def test_bare_strengths_on_the_table_that_is_wanted() -> None:
    """13.14, both examples."""
    for strengths, column in (("20:12", "150-199"), ("10:12", "50-99")):
        for table in ("mobile", "assault"):
            answer = json_answer("odds", f"strengths={strengths}", f"table={table}")
            assert [(battle["attack"], battle["column"]) for battle in answer["attacks"]] == [(table, column)]
    assert [battle["attack"] for battle in json_answer("odds", "strengths=20:12")["attacks"]] == ["mobile", "assault"]
    assert "enhanced" in refusal_of("odds", "strengths=20:12", "enhanced=yes")


# Reasons (item 16)


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("unit=is_45_armor put=is_45_armor@5838 to=5839 turn=2", "25.4"),  # east of the Jordan before turn 4
        ("unit=is_7_armor put=is_7_armor@2333 to=1733 turn=2", "25.1"),  # Saudi Arabia
        ("unit=is_1_golani put=is_1_golani@7636 to=7737 turn=2", "25.2"),  # Lebanon
        ("unit=is_7_armor put=is_7_armor@4622 to=7635 turn=2", "5.4"),  # the other front
        ("unit=eg_7_11 put=eg_7_11@4621 to=7140 turn=2", "5.3"),  # Arabs keep to their sector
        ("unit=is_7_armor put=is_7_armor@4622 to=2025 turn=2", "10.7"),  # too far
        ("unit=is_7_armor put=is_7_armor@4622 to=8601 turn=2", "10.9"),  # the sea
        ("unit=is_7_armor put=is_7_armor@4622,eg_7_11@4620 to=4620 turn=2", "10.9"),  # an enemy
        ("unit=is_7_armor put=is_7_armor@4622,eg_7_11@4621,eg_2_10@4623 to=4522 turn=2", "12.4"),  # from zone to zone
        ("unit=is_202_airborne put=is_202_airborne@4622 kind=airborne to=7635 turn=2", "20.2"),  # the other front
        ("unit=is_202_airborne put=is_202_airborne@4622,eg_7_11@4621 kind=airborne to=4520 turn=2", "20.2"),  # an extraction
        ("unit=is_202_airborne put=is_202_airborne@4622 kind=airborne to=4001 turn=2", "25.4"),  # west of the canal
        ("unit=is_202_airborne put=is_202_airborne@4622,is_7_armor@4520,is_60_armor@4520,is_14_armor@4520 kind=airborne to=4520 turn=2",
         "11.2, 11.3"),
    ],
)  # fmt: skip
def test_a_move_that_cannot_be_made_names_its_rule(words: str, rule: str) -> None:
    message = refusal_of("move", "scenario=none", *words.split())
    assert f"({rule})" in message, message


# Numbers that aren't the rulebook's (item 17)


@pytest.mark.parametrize(
    ("question", "words", "entries"),
    [
        ("odds", "strengths=20:12 table=mobile", []),
        ("odds", "scenario=none turn=2 put=is_7_armor@4622,eg_7_11@4621 from=4622 at=4621 table=mobile", []),
        ("air", "front=sinai superiority=6 barrages=0", ["tables/air_superiority/cells"]),
        ("air", "front=sinai superiority=6", ["tables/air_superiority/cells", "markers/barrage_sinai/count"]),
        ("strike", "hex=4923 airstrikes=3", ["tables/strike/cells"]),
        ("barrage", "hex=beersheba place=yes", ["tables/strike/cells"]),
        ("reserve", "", ["tables/zrp_costs/cells/remove_terrorized/cost", "tables/victory_points/cells/israeli_mobile_refit/points"]),
        ("score", "scenario=none put=is_7_armor@box:sinai_dead", ["scenarios/standard/victory/10/points"]),
        ("score", "", []),
        ("arrivals", "event=3 put=eg_7_11@box:sinai_dead", ["counters/eg_7_11/factors/combat"]),
        ("move", "scenario=none turn=2 put=is_7_armor@4322 unit=is_7_armor to=4323", ["boards/main/terrain"]),  # clear is 1 (10.12)
    ],
)  # fmt: skip
def test_an_answer_says_which_numbers_are_ours(question: str, words: str, entries: list[str]) -> None:
    answer = json_answer(question, *words.split())
    if question == "odds":
        (answer,) = answer["attacks"]
        entries = [entry for entry in answer["unofficial"] if entry.startswith("counters/")] + ["tables/mobile/cells"]
        assert ("put" in words) == (len(entries) > 1)
    assert sorted(answer["unofficial"]) == sorted(entries)
    assert set(answer["unofficial"].values()) <= {"inferred", "reconstructed"}
    lines = run_command(cli, "ask", "six_day_war", question, *words.split()).output
    assert ("Uses unofficial numbers" in lines) == bool(entries)


def test_an_overlay_makes_a_number_the_users_own(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.yaml"
    text = 'overlay: six_day_war\ntables:\n  zrp_costs:\n    cells:\n      remove_terrorized: {cost: "2"}\n'
    overlay.write_text(text, encoding="utf-8")
    result = run_command(cli, "ask", "six_day_war", "reserve", "--overlay", str(overlay), "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.output)
    assert [action["cost"] for action in answer["actions"] if action["action"] == "remove_terrorized"] == [2]
    assert "tables/zrp_costs/cells/remove_terrorized/cost" not in answer["unofficial"]
