"""Where units retreat (16.4), and what a position tells of a battle."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from typing import Any, cast

from assistant.questions.registry import questions
from scenarios import load
from scenarios.model.points import PointMap
from scenarios.model.position import Position
from tests.asking import ask as said
from tests.net.adapter import GameAnswer, ask, position
from tests.october_war_law import ATTACKER, CODES, DEFENDER, Man, Side, War
from tests.test_october_war_battle import every_sequence, tolls

GAME = load("october_war")
QUESTIONS = questions(GAME)
MAP = cast(PointMap, GAME.maps["main"])


def put(*pieces: tuple[str, str], turn: int = 1) -> Position:
    """A position with these counters."""
    return position(GAME, "standard", list(pieces), turn=turn)


def battle(position: Position | None, point: str, side: str = "", **inputs: str) -> GameAnswer:
    """The battle in a point, as a player asks it."""
    return ask(GAME, "odds", position, point=point, side=side, **inputs)


def shifts(answer: GameAnswer, role: str) -> dict[str, int]:
    """The shifts of the first unit of a side, by their rules."""
    return {reason["rule"]: int(reason["shift"]) for reason in answer["sides"][role]["volleys"][0]["why"]}


def open_to(position: Position) -> set[str]:
    """Where the first unit can go."""
    first = position.pieces[0]
    answer = ask(GAME, "retreat", position, unit=f"{first.unit}@{first.at}")
    return set(next(iter(answer["back"].values()))["to"])


def test_where_units_retreat() -> None:
    """16.4: not to enemies or what they control, not over the canal without a bridge, never beyond the limit."""
    tasa = put(("armor_battalion", "tasa"), ("armored_brigade_egypt", "hamutal"), ("control_arab", "chinese_farm"))
    adjacent_points = set(MAP.adjacent("tasa"))
    assert open_to(tasa) == adjacent_points - {"hamutal", "chinese_farm"}
    bank = ("armored_brigade_egypt", "milano")
    assert open_to(put(bank)) == set()
    assert open_to(put(bank, ("bridge_arab", "milano"))) == {"qantara"}
    foot = ("infantry_brigade_egypt", "milano")
    # On the far bank of the canal nobody has a line; where a bridge gives one, an engineer is not needed.
    assert open_to(put(foot, ("engineer_egypt", "milano"))) == {"qantara"}
    full = [("armor_brigade", "lateral_north")] * 3
    assert "lateral_north" not in open_to(put(("armor_battalion", "tasa"), *full))
    assert "lateral_north" in open_to(put(("recon_battalion", "tasa"), *full))
    assert open_to(put(("garrison", "budapest"))) == set()


def test_across_the_lake_and_into_reserve() -> None:
    """16.4 (4), (6): amphibious units go on to the far shore; a unit at its edge may leave the map."""
    swims = put(("amphibious_brigade_egypt", "kabrit_east"))
    assert "kabrit" in open_to(swims) or "fayid" in open_to(swims)
    edge = next(iter(MAP.adjacent("egyptian_reserve")))
    assert "egyptian_reserve" in open_to(put(("armored_brigade_egypt", edge)))


def test_a_position_tells_the_battle() -> None:
    """Who is in the point, who is cut off, which headquarters is near, and whether anybody can go (11.2, 15.6, 16.4)."""
    position = put(("armored_brigade_egypt", "milano"), ("armor_battalion", "milano"), ("hq_252", "artillery_north"))
    answer = battle(position, "Milano", "israeli")
    assert shifts(answer, ATTACKER) == {"15.6, 17.2": 2}  # the fort shifts no Israeli
    assert shifts(answer, DEFENDER) == {"15.6": -2}
    json, lines = said(GAME, QUESTIONS["odds"], {"position": position, "point": "Milano", "side": "israeli"})
    policies = {force["group"].removesuffix("s"): force["policy"] for force in json["forces"]}
    stuck = {role: {"text": "nowhere to retreat to"} in policies[role] for role in (ATTACKER, DEFENDER)}
    assert stuck == {ATTACKER: False, DEFENDER: True}
    assert "nowhere to retreat to" in "\n".join(lines)
    assert "no israeli unit" in battle(position, "tasa", "israeli").refusal
    assert "whose units" in battle(position, "milano").refusal


def test_a_fort_spares_the_line_to_its_holders_only() -> None:
    """11.2, 15.6 and the ruling on forts: the same two units, now one and now the other the attacker."""
    cut = [("armored_brigade_egypt", point) for point in ("budapest", "orkal", "baluza")]
    position = put(*cut, ("armor_battalion", "budapest"))
    assert "15.6" not in shifts(battle(position, "budapest", "arab"), DEFENDER)
    assert shifts(battle(position, "budapest", "israeli"), ATTACKER)["15.6"] == -2


def test_the_surprise_of_the_first_turn() -> None:
    """6.3 (1): Syrians south of the line fire first on turn 1."""
    stack_position = put(
        *[(unit, "hushniya") for unit in ("armored_brigade_syria", "mech_brigade_morocco", "armor_battalion")]
    )
    assert battle(stack_position, "hushniya", "arab")["first_fire"] == ATTACKER
    assert battle(stack_position, "hushniya", "arab", contingent="morocco")["first_fire"] == DEFENDER
    for point, turn, first in (("hushniya", 1, ATTACKER), ("hushniya", 2, DEFENDER), ("masada", 1, DEFENDER)):
        first_position = put(("armored_brigade_syria", point), ("armor_battalion", point), turn=turn)
        assert battle(first_position, point, "arab")["first_fire"] == first


def notes(position: Position, point: str, side: str) -> list[str]:
    """What is told beside the numbers of a battle."""
    json, _ = said(GAME, QUESTIONS["odds"], {"position": position, "point": point, "side": side})
    first = json.get("lines", ())
    return [line["text"] for line in first if not line["text"].endswith("go first.")]


def test_the_listening_post_is_remembered() -> None:
    """23.1: a free EW marker north of the line, as long as the signals unit is on the map."""
    fight = [("armored_brigade_syria", "jubata"), ("armor_battalion", "jubata")]
    (note,) = notes(put(*fight, ("signals_unit", "mount_hermon")), "jubata", "israeli")
    assert "free EW marker" in note
    assert not notes(put(*fight), "jubata", "israeli")
    south = put(("armored_brigade_syria", "kudne"), ("armor_battalion", "kudne"), ("signals_unit", "mount_hermon"))
    assert not notes(south, "kudne", "arab")


def test_who_directs_a_barrage() -> None:
    """24.2: a unit of the nation in the point or next to it, with a line; in the second echelon in command."""
    inputs = {
        "attackers": "infantry_brigade_egypt+out_of_supply",
        "defenders": "garrison",
        "barrage": "yes",
        "across": "suez_canal",
    }
    inputs["helped"] = "yes"
    lone_position = put(("garrison", "milano"), ("armored_brigade_libya", "qantara"))
    assert "directs the fire" in battle(lone_position, "milano", **inputs).refusal
    observed_position = put(("garrison", "milano"), ("mobile_sam_egypt", "qantara"), ("hq_2a", "ismailia"))
    assert list(battle(observed_position, "milano", **inputs)["blows"]) == ["barrage"]
    assert "in command" in battle(observed_position, "milano", **inputs, echelon="2").refusal
    assert battle(lone_position, "milano", **{**inputs, "attackers": "infantry_brigade_egypt"})[
        "blows"
    ]  # it sees itself
    commanded_position = put(("garrison", "milano"), ("mobile_sam_egypt", "qantara"), ("hq_2a", "el_firdan"))
    assert battle(commanded_position, "milano", **inputs, echelon="2")["blows"]


def test_a_bridge_without_anybody_is_gone() -> None:
    """21.4: with nobody of its side on either bank; also when the enemy takes the bank of the last one."""
    far_position = put(("armored_brigade_egypt", "qantara"), ("bridge_arab", "milano"))
    assert ask(GAME, "supply", far_position)["bridges"]["arab"] == {"milano@qantara": True}
    empty_position = put(("armored_brigade_egypt", "salihiya"), ("bridge_arab", "milano"))
    assert ask(GAME, "supply", empty_position)["bridges"]["arab"] == {"milano@qantara": False}


def test_what_could_fall_on_a_point() -> None:
    """24.3, 20.8: no Arab barrage beyond the front line; aircraft fly through the missiles that reach the point."""
    inputs = {"attackers": "armored_brigade_egypt", "defenders": "armor_battalion", "what_if": "yes"}

    def offers(answer: GameAnswer) -> list[str]:
        return [text for text in answer["changes"] if "first" in text and "EW" not in text]

    assert offers(battle(None, "chinese_farm", **inputs)) == ["one TAC strike first"]
    position = put(("armor_battalion", "milano"), ("air_defense_battalion", "baluza"))
    assert offers(battle(position, "milano", **inputs)) == [
        "one TAC strike first",
        "a barrage first",
    ]


def blow(**inputs: str) -> Mapping[str, Any]:
    """The chances of what falls on the defender first."""
    (code_chances,) = ask(GAME, "odds", **inputs)["blows"].values()
    return cast(Mapping[str, Any], code_chances)


def test_aircraft_over_a_crowd() -> None:
    """Air CRT: one column to the right against a force over the stacking limit (12.1)."""
    four, five = (blow(attackers="armor_battalion", tac="3", defenders=f"{n}*armored_brigade_egypt") for n in (4, 5))
    assert four == {"-": Fraction(1, 2), "R": Fraction(1, 6), "1": Fraction(1, 3)}  # column 3
    assert five == {"-": Fraction(1, 3), "R": Fraction(1, 6), "1": Fraction(1, 3), "2": Fraction(1, 6)}  # column 4


def test_a_breach_helps_guns_and_aircraft_too() -> None:
    """Terrain Effects Chart: a breach marker undoes the fort, three columns on the Golan."""
    inputs = {
        "attackers": "armored_brigade_syria",
        "defenders": "armor_battalion",
        "terrain": "israeli_fort_golan",
        "barrage": "yes",
    }
    whole_codes, breach_codes = (blow(**inputs, breached=breach_input) for breach_input in ("no", "yes"))
    guns = int(str(GAME.markers["barrage_syria"].factors["strength"]))
    assert whole_codes == CODES[guns - 3 - 1] and breach_codes == CODES[guns - 1]


def test_who_alone_cannot_retreat_stays() -> None:
    """16.4 (1), (5): without a line only airmobile units go back, to any friendly point; the others fight on. 16.3: by choice all go or
    none; and once nobody can go, a retreat is a loss (16.4)."""
    units = ["commando_brigade_egypt", "armored_brigade_egypt"]
    position = put(*((unit, "milano") for unit in units), ("armor_battalion", "milano"), ("control_arab", "drora"))
    (note,) = notes(position, "milano", "israeli")
    assert note.startswith("Armored brigade can't retreat")
    for dodge in ("never", "always"):
        defenders = Side(
            [Man(unit, cut=True) for unit in units], dodge=dodge, stays=frozenset(["armored_brigade_egypt"])
        )
        law = War({ATTACKER: Side([Man("armor_battalion")]), DEFENDER: defenders}, terrain="israeli_fort_sinai")
        brute = every_sequence(lambda throw: deepcopy(law).play(throw), 20000)  # noqa: B023
        assert tolls(battle(position, "milano", "israeli", defender_dodge=dodge, attacker_can_retreat="yes")) == brute
    assert not notes(position, "milano", "arab")[1:] and "can't retreat" in notes(position, "milano", "arab")[0]


def test_columns_of_ones_own() -> None:
    """15.6: another reading of a ruling is a column more or less; `at` is the point."""
    inputs = {"attackers": "paratroop_battalion", "defenders": "infantry_brigade_egypt"}
    json, lines = said(
        GAME, QUESTIONS["odds"], {**inputs, "at": "gidi_pass", "attackers_shift": "1", "defenders_shift": "-1"}
    )
    fires = {force["group"]: force["opening_fire"] for force in json["forces"]}
    printed_columns = [fires[group][0]["column"] for group in ("attackers", "defenders")]
    assert printed_columns == ["2", "1"] and "Attackers fire +1 columns, as the question says" in lines


def test_where_nobody_can_be_and_sides_that_a_counter_lacks() -> None:
    """21.6: no move starts on the water; 9.9: a position may not show a combined arms side that isn't there."""
    for question in ("move", "airmobile"):
        answer = ask(GAME, question, unit="commando_brigade_egypt", from_="gulf_of_suez_north", scenario="standard")
        assert answer.rules == {"21.6"}
    odd = position(GAME, "standard", ["armored_division_egypt@tasa+combined_arms", "armor_battalion@tasa"])
    assert ask(GAME, "odds", odd, point="tasa", side="arab").rules == {"9.9"}
