"""Air attacks and barrages before a battle, rounds, stacking and counters to break down into: against the rules by hand."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios import load
from tests.net.adapter import ask
from tests.october_war_law import ATTACKER, CODES, CRT, DEFENDER, Man, Side, War
from tests.test_october_war_air import AIR, SITE
from tests.test_october_war_battle import DODGES, LOSSES, RETREATS, every_sequence, tolls

GAME = load("october_war")


def by_hand(tac: int, sites: int) -> dict[str, Fraction]:
    """6.2 (2f), 20.8: missiles, then aircraft; each throw tried."""
    result: dict[str, Fraction] = {}
    for *shots, die in product(range(1, 7), repeat=sites + 1):
        strikes_left = max(0, tac - sum(SITE[shot - 1] != "-" for shot in shots))
        code = AIR[die].split()[max(0, strikes_left - 2 * (sites > 0))] if strikes_left else "-"
        code = "R" if code == "A" else code
        result[code] = result.get(code, Fraction(0)) + Fraction(1, 6 ** (sites + 1))
    return result


@pytest.mark.parametrize(("tac", "sites", "barrage"), [(2, 0, False), (0, 0, True), (3, 1, False), (2, 0, True)])
def test_blows_before_the_battle(tac: int, sites: int, barrage: bool) -> None:
    """19.9, 20.8, 24.1."""
    attackers, defenders = ["armor_battalion"], ["mech_brigade_egypt", "infantry_brigade_egypt"]
    options = {"attackers": ",".join(attackers), "defenders": ",".join(defenders)}
    options |= {"tac": str(tac), "sites": str(sites), "barrage": "yes" if barrage else "no"}
    answer = ask(GAME, "odds", **options)
    actual_tolls = tolls(answer)
    blows = [(by_hand(tac, sites), False)] * bool(tac) + [(CODES[7], False)] * barrage
    men = [Side([Man(name) for name in names]) for names in (attackers, defenders)]
    war = War(dict(zip((ATTACKER, DEFENDER), men, strict=True)), blows=blows)
    assert actual_tolls == every_sequence(lambda throw: deepcopy(war).play(throw), 3000)
    assert sum(answer["rounds"].values()) == 1


def test_rounds_of_a_duel() -> None:
    """15.3, 15.10: armored brigade against armored battalion; a round without a result is the last."""
    attack, defense = CRT[4], CRT[3]
    end_chance = Fraction(sum(code != "-" for code in defense), 6)  # a lone unit is gone with any result
    end_chance += (1 - end_chance) * Fraction(sum(code != "-" for code in attack), 6)
    miss_chance = (1 - Fraction(sum(c != "-" for c in defense), 6)) * (1 - Fraction(sum(c != "-" for c in attack), 6))
    round_chances = ask(GAME, "odds", attackers="armored_brigade_egypt", defenders="armor_battalion")["rounds"]
    assert end_chance + miss_chance == 1 and round_chances == {"1": 1}
    two = ask(GAME, "odds", attackers="2*armored_brigade_egypt", defenders="armor_battalion")["rounds"]
    assert set(two) >= {"1", "2"} and sum(two.values()) == 1


def test_only_what_is_within_the_stacking_limit_fires() -> None:
    """12.1, 12.5, 15.3, 17.4: four Arab brigades; a division is three; one of each special type and headquarters free."""

    def firing(attackers: str, defenders: str) -> list[str]:
        return [
            volley["unit"]
            for volley in ask(GAME, "odds", attackers=attackers, defenders=defenders)["sides"]["attacker"]["volleys"]
        ]

    crowd = firing("armored_division_egypt,2*armored_brigade_egypt,hq_2a,antitank_regiment_egypt", "mech_battalion")
    assert crowd.count("Armored brigade") == 1 and len(crowd) == 4
    assert len(firing("3*armor_brigade,recon_battalion", "mech_brigade_egypt")) == 4
    assert len(firing("3*armor_brigade,armor_battalion", "mech_brigade_egypt")) == 3


def test_wild_weasels_first() -> None:
    """20.11: factor 2 each against air defense, two columns left under the umbrella; a result costs SAM units."""
    for weasels in (1, 2, 3):
        column = max(0, 2 * weasels - 2)
        brute: dict[int, Fraction] = {}
        for die in range(1, 7):
            code = AIR[die].split()[column]
            sites_left = max(0, 2 - (0 if code == "-" else 1 if code == "A" else int(code)))
            brute[sites_left] = brute.get(sites_left, Fraction(0)) + Fraction(1, 6)
        codes: dict[str, Fraction] = {}
        for sites_left, chance in brute.items():
            code_chances = ask(
                GAME, "air", mission="ground", tac="3", sites=str(sites_left), sites_here=str(sites_left), turn="2"
            )["codes"]
            for code, share in code_chances.items():
                codes[code] = codes.get(code, Fraction(0)) + chance * share
        answer = ask(GAME, "air", mission="ground", tac="3", sites="2", sites_here="2", sead=str(weasels), turn="2")
        assert answer["codes"] == codes


ARABS = (
    "armored_brigade_egypt",
    "mech_brigade_egypt",
    "infantry_division_egypt",
    "hq_2a",
    "engineer_egypt",
    "static_sam_egypt",
)
ISRAELIS = ("armor_battalion", "mech_battalion", "armor_brigade", "hq_143", "garrison", "engineer_battalion")


@settings(max_examples=60, deadline=None)
@given(
    arabs=st.lists(st.sampled_from(ARABS), min_size=1, max_size=3, unique=True),
    israelis=st.lists(st.sampled_from(ISRAELIS), min_size=1, max_size=3, unique=True),
    is_reversed=st.booleans(),
    terrain=st.sampled_from(["open", "rough", "town", "city", "arab_fort", "israeli_fort_golan", "marsh"]),
    policies=st.tuples(*[st.tuples(st.sampled_from(list(LOSSES)), st.sampled_from(list(RETREATS)),
                                   st.sampled_from(list(DODGES)), st.sampled_from(["0", "1/2"])) for _ in range(2)]),
)  # fmt: skip
def test_chances_add_up_whatever_is_asked(
    arabs: list[str],
    israelis: list[str],
    is_reversed: bool,
    terrain: str,
    policies: tuple[tuple[str, ...], tuple[str, ...]],
) -> None:
    attackers, defenders = (israelis, arabs) if is_reversed else (arabs, israelis)
    options = {"attackers": ",".join(attackers), "defenders": ",".join(defenders), "terrain": terrain}
    for name, policy in zip((ATTACKER, DEFENDER), policies, strict=True):
        options |= {
            f"{name}_{policy_name}": value
            for policy_name, value in zip(("losses", "retreats", "dodge", "leave"), policy, strict=True)
        }
    answer = ask(GAME, "odds", **options)
    for chances in (answer["holds"], answer["rounds"], answer["sides"]["attacker"]["points"]):
        assert sum(chances.values()) == 1
    assert sum(toll["chance"] for toll in answer["tolls"]) == sum(ending["chance"] for ending in answer["endings"]) == 1
    assert max(map(int, answer["sides"]["defender"]["points"])) <= 3 * len(defenders)
