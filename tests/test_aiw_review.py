"""The Arab-Israeli Wars: what a review of the answers found wrong, each from its rule."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.asking import ask_text, run_assistant
from tests.questions import base


def run(command: str, *words: str, code: int = 0, game: str = "arab_israeli_wars") -> str:
    return ask_text(command, game, *words, code=code) if code else run_assistant(command, game, *words)


def json_answer(*words: str, game: str = "arab_israeli_wars") -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run(*words, "--json", game=game))
    return answer


def refusal_of(*words: str) -> str:
    return run(*words, code=2)


def position(folder: Path, scenario: str, *pieces: str) -> str:
    path = folder / "position.yaml"
    lines = "".join(f"  - {{unit: {piece}}}\n" for piece in pieces)
    path.write_text(f"game: arab_israeli_wars\nscenario: {scenario}\npieces:\n{lines}", encoding="utf-8")
    return str(path)


# Advanced III.D: interdiction fire.

PIECES = (
    "infantry_egypt, at: B-H-5", "t_55, at: B-H-6", "infantry_egypt, at: B-H-8", "m60a1, at: B-G-5", "m60a1, at: B-R-5",
    "jet_arab, at: B-H-5",
)  # fmt: skip


def interdiction(folder: Path, *words: str) -> dict[str, Any]:
    position_path = position(folder, "A-5", *PIECES)
    answer = json_answer(
        "odds",
        "--position",
        position_path,
        "--attack",
        "interdiction",
        "--support",
        "155 mm battery",
        "--side",
        "israeli",
        "--at",
        "B-H-5",
        *words,
    )
    assert answer["attackers"][0]["side"] == "israeli"
    return answer


def chances(answer: dict[str, Any]) -> dict[tuple[str, str], dict[str, Fraction]]:
    return {
        (base(row), row["place"]): {word: Fraction(str(chance)) for word, chance in row["chances"].items()}
        for row in answer["targets"]
    }


def test_interdiction_hits_its_hex_and_those_around(tmp_path: Path) -> None:
    """III.D.2.c: everybody who moves in the marker's hex or next to it, friend or foe; III.D.5: infantry at 1-1, tanks at
    1-2; III.D.6: no unit is dispersed, and the die isn't modified."""
    chances_by_unit = chances(interdiction(tmp_path, "--seen", "yes"))
    assert set(chances_by_unit) == {("infantry_egypt", "B-H-5"), ("t_55", "B-H-6"), ("m60a1", "B-G-5")}
    columns = {"infantry_egypt": "1-1", "t_55": "1-2", "m60a1": "1-2"}
    for (unit, _), unit_chances in chances_by_unit.items():
        roll_chances = json_answer("odds", columns[unit].replace("-", ":"))["chances"]
        stop_chance = sum(
            (Fraction(chance) for code, chance in roll_chances.items() if code in ("D", "DD")), Fraction(0)
        )
        assert unit_chances["stopped"] == stop_chance > 0 and "dispersed" not in unit_chances


def test_interdiction_that_nobody_sees_drifts_next_to_its_hex(tmp_path: Path) -> None:
    """III.D.2.b: it always drifts one hex, so who is in the hex is next to the marker whatever is thrown; who is next to
    the hex is within one hex of three of the six places; two hexes off in line, next to one of them, else to two."""
    seen_chances, unseen = (chances(interdiction(tmp_path, "--seen", word)) for word in ("yes", "no"))
    target_key = ("infantry_egypt", "B-H-5")
    assert unseen[target_key] == seen_chances[target_key]
    for neighbour_key in (("t_55", "B-H-6"), ("m60a1", "B-G-5")):
        assert unseen[neighbour_key]["stopped"] == seen_chances[neighbour_key]["stopped"] / 2
    assert ("infantry_egypt", "B-H-8") not in unseen
    answer = interdiction(tmp_path, "--seen", "no")
    assert [fall["how"] for fall in answer["falls"]] == ["drift"] * 6
    assert all(
        set(loss_row) == {"eliminated", "stopped", "chance"}
        for key in ("own_losses", "losses")
        for loss_row in answer[key]
    )
    text = run(
        "odds",
        "--position",
        position(tmp_path, "A-5", *PIECES),
        "--attack",
        "interdiction",
        "--support",
        "155 mm battery",
        "--side",
        "israeli",
        "--at",
        "B-H-5",
        "--seen",
        "no",
    )
    assert "own M-60A1" in text and "dispersed on average" not in text


def test_interdiction_of_an_empty_hex_keeps_the_rules(tmp_path: Path) -> None:
    """III.D.1, III.D.4: any hex in range, with 14 points or more; III.A.2.b: no nearer than a quarter of the range."""
    position_path = position(
        tmp_path, "A-6", "mortar_120_arab, at: B-H-5", *["how_122, at: B-H-5"] * 2, "m60a1, at: B-R-5"
    )
    fire = ("odds", "--position", position_path, "--attack", "interdiction", "--from", "B-H-5", "--side", "arab")
    assert "Advanced III.D.4" in refusal_of(*fire, "--at", "B-V-5", "--firers", "how_122")
    assert json_answer(*fire, "--at", "B-V-5", "--firers", "how_122,how_122")["targets"] == []
    assert "Advanced III.A.2.b" in refusal_of(*fire, "--at", "B-L-5", "--firers", "how_122,how_122")
    assert "Advanced III.A.2.b" in refusal_of(*fire, "--at", "B-FF-5", "--firers", "mortar_120_arab,how_122")


# Advanced II.A.2: mounted infantry fire.


def test_who_carries_whom_decides_mounted_fire(tmp_path: Path) -> None:
    """II.A.2.c: of two platoons in one hex the one in the truck keeps still, whichever is listed first."""
    apc, truck, rider = "m113a1, at: A-M-8", "truck_israel, at: A-M-8", "infantry_israel, at: A-M-8, states: [loaded]"
    for stack in ((apc, rider, truck, rider), (truck, rider, apc, rider)):
        position_path = position(tmp_path, "A-5", *stack, "truck_egypt, at: A-M-7")
        answer = json_answer("odds", "--position", position_path, "--from", "A-M-8", "--at", "A-M-7")
        assert [base(attacker) for attacker in answer["attackers"]] == ["m113a1", "infantry_israel"]
        unable_rows = [row for row in answer["unable"] if base(row) == "infantry_israel"]
        assert len(unable_rows) == 1 and unable_rows[0]["refused"][0]["rule"] == "Basic V.B.6.b"
        plan = json_answer("odds", "--position", position_path, "--best", "--side", "israeli", "--at", "A-M-7")
        assert [base(attacker) for attacker in plan["attacks"][0]["attackers"]] == ["m113a1", "infantry_israel"]
    command = (
        "odds",
        "--position",
        position_path,
        "--from",
        "A-M-8",
        "--at",
        "A-M-7",
        "--firers",
        "truck_israel,infantry_israel",
    )
    assert "Basic V.B.6.b" in refusal_of(*command)
    second_path = position(tmp_path, "A-5", apc, rider, apc, rider, "infantry_egypt, at: A-M-7")
    answer = json_answer("odds", "--position", second_path, "--from", "A-M-8", "--at", "A-M-7")
    assert [base(attacker) for attacker in answer["attackers"]].count("infantry_israel") == 2


def test_a_truck_lends_no_fire_in_a_battle_file(tmp_path: Path) -> None:
    path = tmp_path / "battle.yaml"
    for carrier, strength in (("m113a1", 12), ("truck_israel", 0)):
        path.write_text(
            f"scenario: A-5\nfirers:\n  - {{unit: {carrier}, at: A-M-8}}\n"
            "  - {unit: infantry_israel, at: A-M-8, states: [loaded]}\ntargets: [{unit: infantry_egypt, at: A-M-7}]\n",
            encoding="utf-8",
        )
        words = ("odds", "--battle", str(path))
        if strength:
            assert json_answer(*words)["attack_strength"] == strength
        else:
            assert "Basic V.B.6.b" in refusal_of(*words)


# Rulings and flags in every way to ask.

IN_SMOKE = ("odds", "direct_fire", "firers=t_62:distance=2", "targets=m60a1+spotted", "in_smoke=yes")


def die(answer: dict[str, Any]) -> int:
    return int(answer["targets"][0]["die"])


def test_smoke_is_read_either_way(tmp_path: Path) -> None:
    """Optional II.B.1.c prints -1 on the die, where we read +1: in words, in a battle file, from a position and from an
    overlay."""
    battle = tmp_path / "battle.yaml"
    battle.write_text(
        "map: B\nworks: {B-H-6: [smoke]}\nfirers: [{unit: t_62, at: B-H-5}]\n"
        "targets: [{unit: m60a1, at: B-H-6, states: [spotted]}]\n",
        encoding="utf-8",
    )
    battle_path = tmp_path / "bare.yaml"
    battle_path.write_text(
        "firers: [{unit: t_62}]\ntargets: [{unit: m60a1, states: [spotted]}]\ninputs: {in_smoke: yes}\n",
        encoding="utf-8",
    )
    position_path = position(
        tmp_path, "A-6", "t_62, at: B-H-5", "m60a1, at: B-H-6, states: [spotted]", "smoke, at: B-H-6"
    )
    ways = (
        IN_SMOKE,
        ("odds", "--battle", str(battle)),
        ("odds", "--battle", str(battle_path)),
        ("odds", "--position", position_path, "--from", "B-H-5", "--at", "B-H-6"),
    )
    overlay = tmp_path / "mine.yaml"
    overlay.write_text("overlay: arab_israeli_wars\nrulings: {smoke_die: minus}\n", encoding="utf-8")
    for words in ways:
        plain_die = die(json_answer(*words))
        assert die(json_answer(*words, "--ruling", "smoke_die=plus")) == plain_die
        assert die(json_answer(*words, "--ruling", "smoke_die=minus")) == plain_die - 2
    assert die(json_answer(*IN_SMOKE)) == 1
    assert die(json_answer(*IN_SMOKE, "--overlay", str(overlay))) == -1


@pytest.mark.parametrize(
    "words",
    [
        IN_SMOKE,
        ("odds", "--battle", "docs/examples/ambush.yaml"),
        ("odds", "--position", "docs/examples/el_firdan.yaml", "--from", "A-L-9", "--at", "A-M-7"),
        ("morale", "--unit", "t_62", "--level", "B"),
        ("morale", "--position", "docs/examples/el_firdan.yaml"),
        ("move", "--scenario", "S-8", "--unit", "t_62", "--from", "D-R-5"),
        ("los", "--map", "A", "A-H-3", "A-H-5"),
    ],
)
def test_an_unknown_ruling_is_told(words: tuple[str, ...]) -> None:
    assert "did you mean smoke_die?" in refusal_of(*words, "--ruling", "smok_die=minus")
    assert "no reading 'off'" in refusal_of(*words, "--ruling", "smoke_die=off")
    assert "has a fixed reading" in refusal_of(*words, "--ruling", "dispersed_die=plus")
    run(*words, "--ruling", "smoke_die=minus")


def test_flags_that_would_be_ignored_are_told() -> None:
    assert "odds of two strengths" in refusal_of("odds", "11:3", "--ruling", "smoke_die=minus")
    assert "--at needs a position" in refusal_of(*IN_SMOKE, "--at", "A-M-7")
    assert "--seen needs a position" in refusal_of("odds", "--battle", "docs/examples/ambush.yaml", "--seen", "no")
    assert "can't be combined with --battle" in refusal_of(
        "odds", "--battle", "docs/examples/ambush.yaml", "terrain=woods"
    )


def test_a_dispersed_passenger_by_either_ruling(tmp_path: Path) -> None:
    """Basic V.B.6 against Standard IV (ruling passenger_morale)."""
    states = "states: [dispersed, loaded]"
    position_path = position(
        tmp_path, "A-6", "m113a1, at: B-H-5, states: [dispersed]", f"infantry_israel, at: B-H-5, {states}"
    )
    assert len(json_answer("morale", "--position", position_path)["units"]) == 1
    assert len(json_answer("morale", "--position", position_path, "--ruling", "passenger_morale=own")["units"]) == 2


# Carriers and passengers.


def test_a_passenger_is_inverted_with_its_carrier(tmp_path: Path) -> None:
    """Basic V.B.6.e and V.B.7.e: so an inverted carrier that splits its move unloads nobody, but for special infantry in
    the Advanced Rules, which may have fired from it (Advanced II.A.3)."""
    words = ("move", "--unit", "m113a1", "--path", "unload")
    ways: list[tuple[str, ...]] = [
        ("--scenario", "S-8", "--states", "inverted", "--passengers", "infantry_israel", "--from", "D-R-5")
    ]
    position_path = position(
        tmp_path, "S-8", "m113a1, at: D-R-5, states: [inverted]", "infantry_israel, at: D-R-5, states: [loaded]"
    )
    ways.append(("--position", position_path))
    for way in ways:
        assert "Basic V.B.7.e" in refusal_of(*words, *way)
    free = position(tmp_path, "S-8", "m113a1, at: D-R-5", "infantry_israel, at: D-R-5, states: [loaded]")
    run(*words, "--position", free)
    run(*words, "--scenario", "A-6", "--states", "inverted", "--passengers", "infantry_israel", "--from", "B-H-5")
    cobra = ("--states", "inverted", "--passengers", "cobra", "--from", "B-H-5")
    assert "Basic V.B.7.e" in refusal_of(*words, "--scenario", "A-6", *cobra)


def test_two_saggers_ride_together_in_the_advanced_rules_only(tmp_path: Path) -> None:
    """Basic V.B.1: one passenger; Advanced II.E: two Saggers count as one."""
    for scenario, hex, is_allowed in (("S-9", "A-H-7", False), ("A-6", "B-H-5", True)):
        words = ("move", "--unit", "btr_50", "--from", hex)
        two = ("--scenario", scenario, "--passengers", "sagger,sagger")
        position_path = position(
            tmp_path, scenario, f"btr_50, at: {hex}", *[f"sagger, at: {hex}, states: [loaded]"] * 2
        )
        for options in (two, ("--position", position_path)):
            if is_allowed:
                assert json_answer(*words, *options)["passengers"][0].startswith("sagger")
            else:
                assert "Basic V.B.1" in refusal_of(*words, *options)
    three = ("--scenario", "A-6", "--passengers", "sagger,sagger,sagger")
    assert "Basic V.B.1" in refusal_of("move", "--unit", "btr_50", "--from", "B-H-5", *three)


# Spotting and overruns.


@pytest.mark.parametrize("attack", ["direct_fire firers=t_62:distance=4", "air_strike strikes=21A"])
def test_an_unspotted_target_in_words_is_no_target(attack: str) -> None:
    """Basic VII.D.3: in woods and towns only spotted units are fired at; --anyway gives the numbers."""
    words = ("odds", *attack.split(), "targets=m60a1", "terrain=woods")
    assert "isn't spotted (Basic VII.D.3" in refusal_of(*words) and "m60a1+spotted" in refusal_of(*words)
    assert "Basic VII.D.3" in json_answer(*words, "--anyway")["refused"][0]["rule"]
    assert json_answer(*words, "next_to=yes")["refused"] == []
    assert json_answer("odds", *attack.split(), "targets=m60a1+spotted", "terrain=woods")["refused"] == []


def test_fire_at_an_overrun_that_is_not_allowed(tmp_path: Path) -> None:
    """Standard II.D.3.b: no overrun into woods (D-R-6) or towns (D-Q-6); II.D.2.b: only of a hex next to it."""
    position_path = position(
        tmp_path,
        "S-8",
        "patturion, at: D-R-5",
        "infantry_egypt, at: D-R-6",
        "infantry_egypt, at: D-Q-6",
        "infantry_egypt, at: D-Q-5",
        "infantry_egypt, at: D-S-7",
        "infantry_israel, at: D-S-5",
    )
    fire = ("odds", "--position", position_path, "--at", "D-R-5", "--side", "arab", "--from", "D-Q-5", "--overrun")
    opportunity = ("--attack", "opportunity_fire")
    assert "Standard II.D.3.b" in refusal_of(*fire, "D-R-6", *opportunity)
    assert "Standard II.D.3.b" in json_answer(*fire, "D-R-6", *opportunity, "--anyway")["refused"][0]["rule"]
    for hex in ("D-S-7", "D-R-7", "D-S-5"):
        assert "Standard II.D.2.b" in refusal_of(*fire, hex, *opportunity)
    assert "--attack opportunity_fire" in refusal_of(*fire, "D-Q-5")
    answer = json_answer(*fire, "D-Q-5", *opportunity)
    assert answer["attack_strength"] == 12  # Syrians that are overrun fire as in an assault (Standard II.E.5.g)


@pytest.mark.parametrize(
    ("firers", "modifier"),
    [
        ("infantry_egypt:overrun_by_them=yes", 0),
        ("infantry_egypt:overrun_by_them=yes,infantry_egypt:overrun_by_them=yes", 0),
        ("infantry_egypt:overrun_by_them=yes,t_55:distance=2", 2),
        ("t_55:distance=2", 2),
    ],
)
def test_hull_down_under_fire_of_who_is_overrun(firers: str, modifier: int) -> None:
    """Standard II.E.5.e and II.E.5.f, with the example of Basic VII.F.4.b: no shielding from the hex overrun alone, but
    where another joins in."""
    words = ("odds", "opportunity_fire", f"firers={firers}", "targets=m60a1:shielded=yes", "overrunning=yes")
    assert die(json_answer(*words)) == modifier


# Tables, and numbers that aren't the rulebook's.


@pytest.mark.parametrize(
    ("game", "number", "level"),
    [
        ("arab_israeli_wars", "1", "marginal"), ("arab_israeli_wars", "7", "substantial"),
        ("arab_israeli_wars", "30", "major"), ("arab_israeli_wars", "250", "decisive"),
        ("six_day_war", "0", "Draw"), ("six_day_war", "19", "Local Victory"), ("six_day_war", "30", "Strategic Victory"),
    ],
)  # fmt: skip
def test_a_row_is_found_by_a_number_in_its_range(game: str, number: str, level: str) -> None:
    """The Situations B.2; Six Day War 23.6."""
    assert json_answer("table", "victory_levels", number, game=game)["result"] == level
    assert json_answer("table", "victory_levels", "--row", number, game=game)["result"] == level


def test_a_row_out_of_every_range_is_told() -> None:
    for number in ("0", "-3", "seven", "1/2"):
        assert "has no row" in refusal_of("table", "victory_levels", "--row", number)


FIRDAN = ("--position", "docs/examples/el_firdan.yaml")


@pytest.mark.parametrize(
    ("words", "entries"),
    [
        (("odds", "direct_fire", "firers=t_62", "targets=m60a1"), {"tables/combat/cells"}),
        (("odds", "direct_fire", "firers=t_62", "targets=m60a1", "--what-if"), {"tables/combat/cells"}),
        (("odds", "--battle", "docs/examples/ambush.yaml"), {"tables/combat/cells"}),
        (("odds", *FIRDAN, "--from", "A-L-9", "--at", "A-M-7"), {"tables/combat/cells", "boards/A"}),
        (("odds", *FIRDAN, "--best", "--side", "israeli", "--at", "A-M-7"), {"tables/combat/cells", "boards/A"}),
        (("odds", *FIRDAN, "--attack", "indirect_fire", "--support", "155 mm battery", "--at", "A-M-6", "--seen", "no"),
         {"tables/combat/cells", "tables/drift/cells", "boards/A"}),
        (("los", "--map", "A", "A-H-3", "A-H-5"), {"boards/A"}),
        (("los", "--map", "A", "A-H-3"), {"boards/A"}),
        (("move", "--scenario", "S-8", "--unit", "t_62", "--from", "D-R-5"), {"tables/terrain/cells", "boards/D"}),
        (("morale", "--unit", "t_62", "--level", "B"), {"tables/morale/cells"}),
        (("morale", *FIRDAN), {"tables/morale/cells"}),
        (("score", "--scenario", "A-5"), {"scenarios/A-5/victory"}),
        (("score", "--scenario", "S-9"), set()),
        (("ask", "smoke", "position=docs/examples/el_firdan.yaml", "unit=mortar_120_arab", "at=A-N-9"), {"tables/drift/cells"}),
    ],
)  # fmt: skip
def test_an_answer_says_what_is_not_the_rulebooks(words: tuple[str, ...], entries: set[str]) -> None:
    """SOURCES: the CRT, the Morale Chart, the Terrain Effects Chart, the drift diagram and the boards aren't in the text."""
    unofficial_entries = json_answer(*words)["unofficial"]
    assert entries <= set(unofficial_entries) and set(unofficial_entries.values()) <= {"inferred", "reconstructed"}
    assert bool(unofficial_entries) == bool(entries)
    lines = [line for line in run(*words).splitlines() if line.startswith("Uses unofficial numbers")]
    assert len(lines) == bool(entries)
