"""October War in the air, its mobilization and its score, against the charts typed anew."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from assistant.attacks import BadQuestion
from assistant.games.october_war import QUESTIONS
from assistant.games.october_war.air import Losses, Wing, superiority
from assistant.games.october_war.ground import Ground, ground
from assistant.games.october_war.mobilization import cost, in_boxes, income, plan, refit, refit_wait, returned
from assistant.games.october_war.score import score
from assistant.games.october_war.strikes import mission
from assistant.games.october_war.sudden import ways
from scenarios import load
from scenarios.position import Piece, Position, from_scenario

GAME = load("october_war")
# The Air CRT, columns 0 to 10 of each die.
AIR = {
    1: "- - - - - - A A A A A", 2: "- - - - - A 1 1 1 1 2", 3: "- - - - A A 1 2 2 2 2",
    4: "- - A A 1 1 2 2 2 2 2", 5: "- A A 1 1 1 2 2 2 3 3", 6: "A 1 1 1 2 2 2 2 3 3 4",
}  # fmt: skip
STRATEGIC = ["-", "-", "-", "AR", "ELIM", "ELIM+AR"]
SITE = ["-", "-", "-", "-", "AR", "ELIM"]


def fired(points: int, ew: bool, dice: list[int]) -> Losses:
    """What so many points inflict, ten to a throw; the dice are used up. An EW marker is a column to the right."""
    refit = eliminated = 0
    while points > 0:
        code = AIR[dice.pop(0)].split()[min(10, min(points, 10) + ew)]
        points -= 10
        refit += code == "A"
        eliminated += int(code) if code.isdigit() else 0
    return Losses(refit, eliminated)


def taken(wing: list[int], hit: Losses) -> Losses:
    """Strikes lost of TAC, Wild Weasels and others, in this order, the eliminated first."""
    eliminated = min(sum(wing), hit.eliminated)
    refit = min(sum(wing) - eliminated, hit.refit)
    for _ in range(eliminated + refit):
        place = next(place for place, count in enumerate(wing) if count)
        wing[place] -= 1
    return Losses(refit, eliminated)


@pytest.mark.parametrize(
    ("israeli", "egyptian", "ew"),
    [
        ((5, 0, 0), (3, 0, 0), False), ((3, 0, 0), (5, 0, 0), False), ((4, 0, 0), (4, 0, 0), True),
        ((12, 0, 0), (3, 0, 0), False), ((1, 0, 0), (1, 0, 0), False), ((3, 1, 2), (4, 0, 1), False),
        ((2, 2, 0), (2, 0, 3), True), ((11, 1, 0), (5, 0, 9), True), ((5, 0, 0), (0, 0, 2), False),
        ((0, 2, 1), (1, 0, 0), False),
    ],
)  # fmt: skip
def test_air_superiority_against_every_throw(
    israeli: tuple[int, int, int], egyptian: tuple[int, int, int], ew: bool
) -> None:
    """19.1 to 19.4, 26.3: TAC 1, Wild Weasels 2; more TAC fires first; the others are hit last, and also unopposed."""
    brute: dict[tuple[Losses, Losses], Fraction] = {}
    points = [wing[0] + 2 * wing[1] for wing in (israeli, egyptian)]
    most = sum(-(-one // 10) for one in points)
    for thrown in product(range(1, 7), repeat=most):
        dice, wings, lost = list(thrown), [list(israeli), list(egyptian)], [Losses(), Losses()]
        order = (1, 0) if egyptian[0] > israeli[0] else (0, 1)
        together = egyptian[0] == israeli[0]
        for side in order:
            flying = points[side] if together else wings[side][0] + 2 * wings[side][1]
            if flying and sum(wings[1 - side]):
                lost[1 - side] = taken(wings[1 - side], fired(flying, ew and side == 0, dice))
        key = (lost[0], lost[1])
        brute[key] = brute.get(key, Fraction(0)) + Fraction(1, 6**most)
    wings_ = (Wing(israeli[0], israeli[1], 0, israeli[2]), Wing(egyptian[0], 0, 0, egyptian[2]))
    found = superiority(GAME, ("israel", "egypt"), wings_, ew)
    summed: dict[tuple[Losses, Losses], Fraction] = {}
    for duel, chance in found.duels.items():
        summed[duel.losses] = summed.get(duel.losses, Fraction(0)) + chance
    assert summed == brute
    assert sum(found.holder().values()) == 1


def test_unopposed_strikes_are_freed() -> None:
    """19.3 (7): half of them, rounded up."""
    found = superiority(GAME, ("israel", "egypt"), (Wing(5), Wing()))
    assert found.freed == (3, 0) and found.holder() == {0: 1}


@pytest.mark.parametrize("ew", [False, True])
def test_a_strategic_attack_against_every_throw(ew: bool) -> None:
    """19.6, 20.7, 26.3."""
    brute: dict[int, Fraction] = {}
    for flak, die in product(range(1, 7), repeat=2):
        code = STRATEGIC[flak - 1]
        left = 4 - ("AR" in code) - ("ELIM" in code and not ew)
        number = AIR[die].split()[left + ew]
        rise = int(number) if number.isdigit() else 0
        brute[rise] = brute.get(rise, Fraction(0)) + Fraction(1, 36)
    assert dict(mission(GAME, "strategic_attack", "israel", Wing(4), ew=ew).points) == dict(sorted(brute.items()))


def test_a_ground_attack_through_two_sites() -> None:
    """19.9, 20.8; the umbrella shifts two left."""
    brute: dict[str, Fraction] = {}
    for one, two, die in product(range(1, 7), repeat=3):
        left = 3 - (SITE[one - 1] != "-") - (SITE[two - 1] != "-")
        code = AIR[die].split()[max(0, left - 2)]
        brute[code] = brute.get(code, Fraction(0)) + Fraction(1, 216)
    found = mission(GAME, "air_ground_attack", "israel", Wing(3), 2, inputs={"umbrella_over": True})
    assert dict(found.codes) == brute
    with pytest.raises(BadQuestion, match="too many"):
        mission(GAME, "air_ground_attack", "egypt", Wing(4))


@pytest.mark.parametrize("ew", [False, True])
@pytest.mark.parametrize(("tac", "weasels", "sites", "here", "sead"), [
    (3, 0, 2, 1, 0), (2, 1, 2, 1, 0), (1, 1, 2, 2, 0), (3, 0, 2, 1, 2), (2, 1, 1, 1, 3),
])  # fmt: skip
def test_a_ground_attack_with_wild_weasels_against_every_throw(
    tac: int, weasels: int, sites: int, here: int, sead: int, ew: bool
) -> None:
    """19.9, 20.8, 20.11, 26.3: weasels strike the sites of the point first, beside them only those fire, EW undoes ELIM."""
    brute: dict[str, Fraction] = {}
    for first, *shots, die in product(range(1, 7), repeat=sites + 2):
        struck = AIR[first].split()[max(0, 2 * sead - 2)] if sead else "-"
        gone = min(here, 0 if struck == "-" else 1 if struck == "A" else int(struck))
        jets, wild = tac, weasels
        for shot in shots[: here - gone if weasels else sites - gone]:
            code = SITE[shot - 1]
            if code == "AR" and jets + wild:
                jets, wild = (jets - 1, wild) if jets else (jets, wild - 1)
            elif code == "ELIM" and not ew:
                jets = max(0, jets - 1)
        shift = -2 if sites > gone and not ew else 0
        code = AIR[die].split()[max(0, jets + shift)] if jets else "-"
        brute[code] = brute.get(code, Fraction(0)) + Fraction(1, 6 ** (sites + 2))
    told = {"tac": tac, "weasels": weasels, "sites": sites, "sites_here": here, "sead": sead}
    asked = {"mission": "ground", "ew": "yes" if ew else "no", **{key: str(value) for key, value in told.items()}}
    codes = QUESTIONS["air"].answer(GAME, asked)[0]["codes"]
    assert {code: Fraction(chance) for code, chance in codes.items() if chance != "0"} == brute


def test_costs() -> None:
    """Mobilization Charts."""
    assert cost(GAME, "armor_battalion") == 1 and cost(GAME, "infantry_battalion") == Fraction(1, 2)
    assert cost(GAME, "guards_brigade_egypt") == 3 and cost(GAME, "armored_brigade_egypt", "refit") == 1
    assert cost(GAME, "commando_brigade_egypt") == 3 and cost(GAME, "barrage_syria") == 1
    for never in ("armor_brigade", "wild_weasel", "brigade_kuwait", "garrison"):
        with pytest.raises(BadQuestion):
            cost(GAME, never)


def test_a_plan_spends_no_more_than_there_is() -> None:
    """10.1, 10.2, 10.5, 10.6."""
    wishes = ["hq_143", *["infantry_battalion"] * 3, *["armor_battalion"] * 13, "recon_battalion"]
    found = plan(GAME, "israel", wishes, turn=2)
    had = 0
    for turn in range(2, 10):
        spent = sum((one.cost for one in found.bought if one.turn == turn), Fraction(0))
        had += income(GAME, "israel", turn) - int(-(-spent // 1))
        assert had == found.points[turn] >= 0
    assert [one.unit for one in found.bought if one.turn == 2][:4] == ["hq_143", *["infantry_battalion"] * 3]
    assert ("armor_battalion", "no more than 12 are mobilized (10.5)") in found.never
    late = plan(GAME, "israel", ["armor_battalion"] * 9 + ["recon_battalion"], turn=5)
    assert next(one for one in late.bought if one.unit == "recon_battalion").cost == 0
    assert plan(GAME, "egypt", ["armor_battalion"]).never


def test_a_plan_buys_what_lies_in_the_boxes() -> None:
    """10.0, 11.0, 24.0, 28.0: nothing that is on the map; barrages come back with each use; events change the points."""
    boxes = in_boxes(from_scenario(GAME, "standard"))
    found = plan(GAME, "israel", ["hq_143", *["recon_battalion"] * 5, *["barrage_israel"] * 3], boxes=boxes)
    assert [unit for unit, _ in found.never] == ["hq_143", "recon_battalion"]
    assert in_boxes(from_scenario(GAME, "standard"), "refit") == {}
    jordan = plan(GAME, "israel", ["armor_battalion"] * 9, turn=2, more={2: -3, 3: -99})
    assert [sum(one.turn == turn for one in jordan.bought) for turn in (2, 3, 4)] == [income(GAME, "israel", 2) - 3, 0, 5]


def test_refit() -> None:
    """11.4 and the Refit Tables."""
    assert refit(GAME, "israeli") == {None: Fraction(1, 6), 2: Fraction(1, 6), 1: Fraction(1, 3), 0: Fraction(1, 3)}
    assert refit(GAME, "arab")[None] == Fraction(1, 3)
    assert refit_wait(GAME, "arab") == Fraction(3 + 2 + 1 + 0, 4)
    assert returned(GAME, "israeli", 2, 1)[2] == Fraction(4, 9)


def test_a_drop_starts_at_the_edge_or_a_depot() -> None:
    """13.10, 23.5: within eight points of them, by the battalions of the 202nd."""
    asked = {"unit": "paratroop_battalion_202", "scenario": "standard", "to": "tasa", "drop": "yes"}
    for start in ("israeli_reserve", "el_arish"):
        (landing,) = QUESTIONS["airmobile"].answer(GAME, {**asked, "from": start})[0]["landings"]
        assert not landing["not"] and landing["chances"] == {"A": "1/3", "S": "2/3"}
    with pytest.raises(BadQuestion, match="depot"):
        QUESTIONS["airmobile"].answer(GAME, {**asked, "from": "bir_gifgafa"})


def put(*pieces: tuple[str, str]) -> Ground:
    held = tuple(Piece(unit, str(i), "", at) for i, (unit, at) in enumerate(pieces))
    return ground(GAME, Position("october_war", "standard", pieces=held))


NONE = {"israeli": 0, "egyptian": 0, "syrian": 0}


def test_points() -> None:
    """4.2: places held and casualties."""
    found = score(put(("armor_battalion", "abu_suweir"), ("armor_battalion", "suez_city"), ("armor_battalion", "deversoir"),
                      ("armored_brigade_egypt", "milano"), ("armored_brigade_egypt", "mitla_pass")),
                  {"israeli": 7, "egyptian": 10, "syrian": 5})  # fmt: skip
    assert found.total("israeli") == 10 + 1 + 2 + 15
    assert found.total("arab") == 2 + 5 + 14
    assert found.level == "Draw" and not found.won


def test_sudden_death() -> None:
    """4.1, 7.2, 7.3."""
    assert score(put(), {**NONE, "israeli": 71}).won[0][0] == "arab"
    assert score(put(), {**NONE, "syrian": 61}).won[0][0] == "israeli"
    assert not score(put(), {"israeli": 61, "egyptian": 61, "syrian": 0}).won
    golan = [f for f, shape in GAME.maps["main"].points.items() if shape.terrain == "israeli_fort_golan"]  # type: ignore[union-attr]
    taken_ = [("mech_brigade_syria", fort) for fort in golan]
    assert not score(put(*taken_), NONE).won
    assert [side for side, _ in score(put(*taken_, ("mech_brigade_syria", "nafah")), NONE).won] == ["arab"]
    assert not score(put(*taken_, ("mech_brigade_syria", "nafah"), ("armor_battalion", "qantara")), NONE).won


def test_what_sudden_death_lacks() -> None:
    """4.1: every fort of the Golan, a unit in an objective there, no Israeli in an Arab town, city or fort."""
    forts = ["fort_104", "fort_105", "fort_107", "fort_109_110", "fort_111_112", "fort_113_114"]
    here = put(*(("control_arab", fort) for fort in forts), ("armor_battalion", "fayid"))
    golan = ways(here, GAME.scenarios["standard"], NONE)[1]
    assert golan.lacks == ("1 more of 115/116", "a unit in Banias, El Al or Nafah", "no Israeli unit in Fayid")
    tired = ways(put(), GAME.scenarios["standard"], {"israeli": 61, "egyptian": 61, "syrian": 0})
    assert [way.lacks for way in tired if not way.places] == [
        ("10 more israeli casualty points",), ("no more than 60 Israeli casualty points (7.3)",)
    ]  # fmt: skip


def test_aircraft_over_a_point_that_is_only_named() -> None:
    """19.10: Suez City shifts three to the left, four TAC fire on column 1: A on 5, one loss on 6."""
    json, _ = QUESTIONS["air"].answer(GAME, {"mission": "ground", "tac": "4", "point": "Suez City"})
    assert json["codes"] == {"-": "2/3", "A": "1/6", "1": "1/6"}
