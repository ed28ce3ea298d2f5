"""October War in the air, its mobilization and its score, against the charts typed anew."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import NamedTuple

import pytest

from scenarios import load
from scenarios.model.position import Piece, Position
from tests.net.adapter import GameAnswer, ask

GAME = load("october_war")


class Losses(NamedTuple):
    """Strikes that go to refit and that are eliminated."""

    refit: int = 0
    elimination_count: int = 0


# The Air CRT, columns 0 to 10 of each die.
AIR = {
    1: "- - - - - - A A A A A", 2: "- - - - - A 1 1 1 1 2", 3: "- - - - A A 1 2 2 2 2",
    4: "- - A A 1 1 2 2 2 2 2", 5: "- A A 1 1 1 2 2 2 3 3", 6: "A 1 1 1 2 2 2 2 3 3 4",
}  # fmt: skip
STRATEGIC = ["-", "-", "-", "AR", "ELIM", "ELIM+AR"]
SITE = ["-", "-", "-", "-", "AR", "ELIM"]


def fire_flak(points: int, ew: bool, dice: list[int]) -> Losses:
    """What so many points inflict, ten to a throw; the dice are used up. An EW marker is a column to the right."""
    refit = elimination_count = 0
    while points > 0:
        code = AIR[dice.pop(0)].split()[min(10, min(points, 10) + ew)]
        points -= 10
        refit += code == "A"
        elimination_count += int(code) if code.isdigit() else 0
    return Losses(refit, elimination_count)


def take_losses(wing: list[int], hit: Losses) -> Losses:
    """Strikes lost of TAC, Wild Weasels and others, in this order, the eliminated first."""
    elimination_count = min(sum(wing), hit.elimination_count)
    refit = min(sum(wing) - elimination_count, hit.refit)
    for _ in range(elimination_count + refit):
        place = next(place for place, count in enumerate(wing) if count)
        wing[place] -= 1
    return Losses(refit, elimination_count)


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
    brute: tuple[dict[Losses, Fraction], dict[Losses, Fraction]] = ({}, {})
    points = [wing[0] + 2 * wing[1] for wing in (israeli, egyptian)]
    throw_count = sum(-(-wing_points // 10) for wing_points in points)
    for rolls in product(range(1, 7), repeat=throw_count):
        dice, wings, side_losses = list(rolls), [list(israeli), list(egyptian)], [Losses(), Losses()]
        order = (1, 0) if egyptian[0] > israeli[0] else (0, 1)
        is_simultaneous = egyptian[0] == israeli[0]
        for side in order:
            flying = points[side] if is_simultaneous else wings[side][0] + 2 * wings[side][1]
            if flying and sum(wings[1 - side]):
                side_losses[1 - side] = take_losses(wings[1 - side], fire_flak(flying, ew and side == 0, dice))
        for distribution, side_loss in zip(brute, side_losses, strict=True):
            distribution[side_loss] = distribution.get(side_loss, Fraction(0)) + Fraction(1, 6**throw_count)
    answer = ask(
        GAME,
        "air",
        mission="superiority",
        turn="3",
        ew="yes" if ew else "no",
        israel=str(israeli[0]),
        weasels=str(israeli[1]),
        israel_others=str(israeli[2]),
        egypt=str(egyptian[0]),
        arab_others=str(egyptian[2]),
    )
    for nation, expected_chances in zip(("israel", "egypt"), brute, strict=True):
        actual_chances = {
            Losses(int(loss["refit"]), int(loss["eliminated"])): loss["chance"] for loss in answer["lost"][nation]
        }
        assert actual_chances == expected_chances
    assert sum(answer["holder"].values()) == 1


def test_unopposed_strikes_are_freed() -> None:
    """19.3 (7): half of them, rounded up."""
    answer = ask(GAME, "air", mission="superiority", turn="3", israel="5", egypt="0")
    assert answer["freed"] == {"israel": 3, "egypt": 0} and answer["holder"] == {"israel": 1}


@pytest.mark.parametrize("ew", [False, True])
def test_a_strategic_attack_against_every_throw(ew: bool) -> None:
    """19.6, 20.7, 26.3."""
    brute: dict[int, Fraction] = {}
    for flak, die in product(range(1, 7), repeat=2):
        code = STRATEGIC[flak - 1]
        strikes_left = 4 - ("AR" in code) - ("ELIM" in code and not ew)
        number = AIR[die].split()[strikes_left + ew]
        rise = int(number) if number.isdigit() else 0
        brute[rise] = brute.get(rise, Fraction(0)) + Fraction(1, 36)
    answer = ask(GAME, "air", mission="strategic", nation="israel", tac="4", ew="yes" if ew else "no", turn="3")
    assert answer["points"] == {str(rise): chance for rise, chance in brute.items()}


def test_a_ground_attack_through_two_sites() -> None:
    """19.9, 20.8; the umbrella shifts two left."""
    brute: dict[str, Fraction] = {}
    for first_shot, two, die in product(range(1, 7), repeat=3):
        strikes_left = 3 - (SITE[first_shot - 1] != "-") - (SITE[two - 1] != "-")
        code = AIR[die].split()[max(0, strikes_left - 2)]
        brute[code] = brute.get(code, Fraction(0)) + Fraction(1, 216)
    answer = ask(GAME, "air", mission="ground", nation="israel", tac="3", sites="2", turn="3")
    assert answer["codes"] == brute
    assert "too many" in ask(GAME, "air", mission="ground", nation="egypt", tac="4", turn="3").refusal


@pytest.mark.parametrize("ew", [False, True])
@pytest.mark.parametrize(("tac", "weasels", "sites", "local_sites", "sead"), [
    (3, 0, 2, 1, 0), (2, 1, 2, 1, 0), (1, 1, 2, 2, 0), (3, 0, 2, 1, 2), (2, 1, 1, 1, 3),
])  # fmt: skip
def test_a_ground_attack_with_wild_weasels_against_every_throw(
    tac: int, weasels: int, sites: int, local_sites: int, sead: int, ew: bool
) -> None:
    """19.9, 20.8, 20.11, 26.3: weasels strike the sites of the point first, beside them only those fire, EW undoes ELIM."""
    brute: dict[str, Fraction] = {}
    for first, *shots, die in product(range(1, 7), repeat=sites + 2):
        sead_code = AIR[first].split()[max(0, 2 * sead - 2)] if sead else "-"
        lost_sites = min(local_sites, 0 if sead_code == "-" else 1 if sead_code == "A" else int(sead_code))
        jets, wild = tac, weasels
        for shot in shots[: local_sites - lost_sites if weasels else sites - lost_sites]:
            code = SITE[shot - 1]
            if code == "AR" and jets + wild:
                jets, wild = (jets - 1, wild) if jets else (jets, wild - 1)
            elif code == "ELIM" and not ew:
                jets = max(0, jets - 1)
        shift = -2 if sites > lost_sites and not ew else 0
        code = AIR[die].split()[max(0, jets + shift)] if jets else "-"
        brute[code] = brute.get(code, Fraction(0)) + Fraction(1, 6 ** (sites + 2))
    inputs = {"tac": tac, "weasels": weasels, "sites": sites, "sites_here": local_sites, "sead": sead}
    answer = ask(
        GAME, "air", mission="ground", ew="yes" if ew else "no", **{key: str(value) for key, value in inputs.items()}
    )
    assert answer["codes"] == brute


def ask_mobilization(nation: str, wishes: str, turn: int = 2, **more: str) -> GameAnswer:
    return ask(GAME, "mobilization", nation=nation, wishes=wishes, turn=str(turn), **more)


def income(nation: str, turn: int) -> int:
    """The points of a turn, from the pack's chart."""
    table = GAME.tables["mobilization_points"]
    return int(table.cell(str(turn), table.named_column(nation)).code)


def test_costs() -> None:
    """Mobilization Charts."""
    for unit, price in (("armor_battalion", 1), ("infantry_battalion", Fraction(1, 2))):
        assert ask_mobilization("israel", unit)["bought"][0]["cost"] == price
    for unit, price in (("guards_brigade_egypt", 3), ("commando_brigade_egypt", 3)):
        assert ask_mobilization("egypt", unit)["bought"][0]["cost"] == price
    assert ask_mobilization("egypt", "armored_brigade_egypt", how="refit")["bought"][0]["cost"] == 1
    assert ask_mobilization("syria", "barrage_syria")["bought"][0]["cost"] == 1
    for unavailable_unit, nation in (
        ("armor_brigade", "israel"),
        ("wild_weasel", "israel"),
        ("brigade_kuwait", "egypt"),
        ("garrison", "israel"),
    ):
        assert [row["unit"] for row in ask_mobilization(nation, unavailable_unit)["never"]] == [unavailable_unit]


def test_a_plan_spends_no_more_than_there_is() -> None:
    """10.1, 10.2, 10.5, 10.6."""
    plan = ask_mobilization("israel", "hq_143,3*infantry_battalion,13*armor_battalion,recon_battalion")
    had = 0
    for turn in range(2, 10):
        total_cost = sum((purchase["cost"] for purchase in plan["bought"] if purchase["turn"] == turn), Fraction(0))
        had += income("israel", turn) - int(-(-total_cost // 1))
        assert had == plan["left"].get(str(turn), had) >= 0
    assert [purchase["unit"] for purchase in plan["bought"] if purchase["turn"] == 2][:4] == [
        "hq_143",
        *["infantry_battalion"] * 3,
    ]
    assert {"unit": "armor_battalion", "rules": {"10.5"}} in plan["never"]
    late_plan = ask_mobilization("israel", "9*armor_battalion,recon_battalion", turn=5)
    assert next(purchase for purchase in late_plan["bought"] if purchase["unit"] == "recon_battalion")["cost"] == 0
    assert ask_mobilization("egypt", "armor_battalion")["never"]


def test_a_plan_buys_what_lies_in_the_boxes() -> None:
    """10.0, 11.0, 24.0, 28.0: nothing that is on the map; barrages come back with each use; events change the points."""
    plan = ask_mobilization("israel", "hq_143,5*recon_battalion,3*barrage_israel", scenario="standard")
    assert sorted(row["unit"] for row in plan["never"]) == ["hq_143", "recon_battalion"]
    jordan = ask_mobilization("israel", "9*armor_battalion", more="2:-3,3:-99")
    assert [sum(purchase["turn"] == turn for purchase in jordan["bought"]) for turn in (2, 3, 4)] == [
        income("israel", 2) - 3,
        0,
        5,
    ]


def test_refit() -> None:
    """11.4 and the Refit Tables."""
    israeli = ask(GAME, "refit", side="israeli", units="2", turns="1")
    assert israeli["turns"] == {"never": Fraction(1, 6), "2": Fraction(1, 6), "1": Fraction(1, 3), "0": Fraction(1, 3)}
    assert israeli["back"]["2"] == Fraction(4, 9)
    arab = ask(GAME, "refit", side="arab")
    assert arab["turns"]["never"] == Fraction(1, 3) and arab["mean_turns"] == Fraction(3 + 2 + 1 + 0, 4)


def test_a_drop_starts_at_the_edge_or_a_depot() -> None:
    """13.10, 23.5: within eight points of them, by the battalions of the 202nd."""
    inputs = {"unit": "paratroop_battalion_202", "scenario": "standard", "to": "tasa", "drop": "yes"}
    for start in ("israeli_reserve", "el_arish"):
        (landing,) = ask(GAME, "airmobile", **inputs, from_=start)["landings"].values()
        assert not landing["forbidden"] and landing["chances"] == {"A": Fraction(1, 3), "S": Fraction(2, 3)}
    assert "depot" in ask(GAME, "airmobile", **inputs, from_="bir_gifgafa").refusal


def score(*pieces: tuple[str, str], **casualties: int) -> GameAnswer:
    placed_pieces = tuple(Piece(unit, str(i), "", place) for i, (unit, place) in enumerate(pieces))
    casualty_inputs = {side: str(casualties.get(side, 0)) for side in ("israeli", "egyptian", "syrian")}
    return ask(GAME, "score", Position("october_war", "standard", pieces=placed_pieces), **casualty_inputs)


def test_points() -> None:
    """4.2: places held and casualties."""
    result = score(
        ("armor_battalion", "abu_suweir"),
        ("armor_battalion", "suez_city"),
        ("armor_battalion", "deversoir"),
        ("armored_brigade_egypt", "milano"),
        ("armored_brigade_egypt", "mitla_pass"),
        israeli=7,
        egyptian=10,
        syrian=5,
    )
    assert result["points"] == {"israeli": 10 + 1 + 2 + 15, "arab": 2 + 5 + 14}
    assert result["level"] == "Draw" and not result["won"]


def test_sudden_death() -> None:
    """4.1, 7.2, 7.3."""
    assert score(israeli=71)["won"] == ("arab",)
    assert score(syrian=61)["won"] == ("israeli",)
    assert not score(israeli=61, egyptian=61)["won"]
    golan = [f for f, shape in GAME.maps["main"].points.items() if shape.terrain == "israeli_fort_golan"]  # type: ignore[union-attr]
    captures = [("mech_brigade_syria", fort) for fort in golan]
    assert not score(*captures)["won"]
    assert score(*captures, ("mech_brigade_syria", "nafah"))["won"] == ("arab",)
    assert not score(*captures, ("mech_brigade_syria", "nafah"), ("armor_battalion", "qantara"))["won"]


def test_what_sudden_death_lacks() -> None:
    """4.1: every fort of the Golan, a unit in an objective there, no Israeli in an Arab town, city or fort."""
    forts = ["fort_104", "fort_105", "fort_107", "fort_109_110", "fort_111_112", "fort_113_114"]
    golan = score(*(("control_arab", fort) for fort in forts), ("armor_battalion", "fayid"))["lacks"][1]
    assert golan == (
        "1 more of 115/116",
        "a unit on an Arab objective on the Golan: Banias, El Al or Nafah",
        "no Israeli unit in an Arab stronghold: not true in Fayid",
    )
    missing_goals = score(israeli=61, egyptian=61)["lacks"]
    assert ("10 more Israeli casualty points",) in missing_goals, "Israel loses above 70"
    assert ("no more Israeli casualty points than those that undo it",) in missing_goals, "above 60 of its own"


def test_aircraft_over_a_point_that_is_only_named() -> None:
    """19.10: Suez City shifts three to the left, four TAC fire on column 1: A on 5, one loss on 6."""
    answer = ask(GAME, "air", mission="ground", tac="4", point="Suez City")
    assert answer["codes"] == {"-": Fraction(2, 3), "A": Fraction(1, 6), "1": Fraction(1, 6)}
