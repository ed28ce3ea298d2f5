"""Where units retreat (16.4), and what a position tells of a battle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import pytest

from assistant.answers import BadQuestion
from assistant.games.october_war.battle import ATTACKER, DEFENDER, Battle
from assistant.games.october_war.field import able
from assistant.games.october_war.forces import army, can_all_leave, does, leave_one, suffer
from assistant.games.october_war.odds import ODDS, told_battle
from assistant.questions import read
from assistant.registry import questions
from assistant.rules.field import Field
from assistant.rules.kinds import kinds_of
from scenarios import load
from scenarios.game import Game
from scenarios.points import PointMap
from scenarios.position import Piece, Position
from tests.net.adapter import ask, position
from tests.october_war_law import CODES
from tests.questions import ask as said

GAME = load("october_war")
QUESTIONS = questions(GAME)
MAP = cast(PointMap, GAME.maps["main"])


def asked_battle(game: Game, told: Mapping[str, Any]) -> Battle:
    """The battle that a player's words tell."""
    return told_battle(game, read(ODDS, game, told))


def put(*pieces: tuple[str, str]) -> Field:
    held = tuple(Piece(unit, str(i), "", at) for i, (unit, at) in enumerate(pieces))
    kinds = kinds_of(GAME, "standard")
    assert kinds is not None
    return Field(kinds, Position("october_war", "standard", pieces=held))


def open_to(here: Field) -> set[str]:
    """Where the first unit can go."""
    first = here.standings[0]
    told = ask(GAME, "retreat", here.position, unit=f"{first.unit.id}@{first.piece.at}")
    return set(next(iter(told["back"].values()))["to"])


def test_where_units_retreat() -> None:
    """16.4: not to enemies or what they control, not over the canal without a bridge, never beyond the limit."""
    tasa = put(("armor_battalion", "tasa"), ("armored_brigade_egypt", "hamutal"), ("control_arab", "chinese_farm"))
    around = set(MAP.adjacent("tasa"))
    assert open_to(tasa) == around - {"hamutal", "chinese_farm"}
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
    here = put(("armored_brigade_egypt", "milano"), ("armor_battalion", "milano"), ("hq_252", "artillery_north"))
    asked = {"position": here.position, "point": "Milano", "side": "israeli"}
    battle = asked_battle(GAME, asked)
    assert battle.inputs["terrain"] == "israeli_fort_sinai" and battle.near[0] == {"": 2}
    assert battle.defenders[0]["out_of_supply"] is True and not battle.policies[1].can_retreat
    assert able(here, "milano", battle.defenders) == {"armored_brigade_egypt": False}
    assert able(here, "milano", battle.attackers) == {"armor_battalion": True}
    json, lines = said(GAME, QUESTIONS["odds"], asked)
    shown = json["sides"][DEFENDER]["volleys"][0]
    assert shown["shift"] == -2 and "nowhere to retreat to" in "\n".join(lines)
    with pytest.raises(BadQuestion, match="no israeli unit"):
        asked_battle(GAME, {**asked, "point": "tasa"})
    with pytest.raises(BadQuestion, match="whose units"):
        asked_battle(GAME, {"position": here.position, "point": "milano"})


def test_a_fort_spares_the_line_to_its_holders_only() -> None:
    """11.2, 15.6 and the ruling on forts: the same two units, now one and now the other the attacker."""
    cut = [("armored_brigade_egypt", point) for point in ("budapest", "orkal", "baluza")]
    here = put(*cut, ("armor_battalion", "budapest"))
    asked = {"position": here.position, "point": "budapest"}
    assert asked_battle(GAME, {**asked, "side": "arab"}).defenders[0]["out_of_supply"] is False
    assert asked_battle(GAME, {**asked, "side": "israeli"}).attackers[0]["out_of_supply"] is True


def test_the_surprise_of_the_first_turn() -> None:
    """6.3 (1): Syrians south of the line fire first on turn 1."""
    beside = put(*[(unit, "hushniya") for unit in ("armored_brigade_syria", "mech_brigade_morocco", "armor_battalion")])
    asked = {"position": replace(beside.position, turn=1), "point": "hushniya", "side": "arab"}
    assert asked_battle(GAME, asked).first == ATTACKER
    assert asked_battle(GAME, {**asked, "contingent": "morocco"}).first == DEFENDER
    for point, turn, first in (("hushniya", 1, ATTACKER), ("hushniya", 2, DEFENDER), ("masada", 1, DEFENDER)):
        pieces = (Piece("armored_brigade_syria", "1", "", point), Piece("armor_battalion", "1", "", point))
        position = Position("october_war", "standard", turn, pieces=pieces)
        assert asked_battle(GAME, {"position": position, "point": point, "side": "arab"}).first == first


def test_the_listening_post_is_remembered() -> None:
    """23.1: a free EW marker north of the line, as long as the signals unit is on the map."""
    fight = [("armored_brigade_syria", "jubata"), ("armor_battalion", "jubata")]
    asked = {"point": "jubata", "side": "israeli"}
    notes = asked_battle(GAME, {**asked, "position": put(*fight, ("signals_unit", "mount_hermon")).position}).notes
    assert len(notes) == 1 and "ew_attacker=yes" in notes[0]
    assert not asked_battle(GAME, {**asked, "position": put(*fight).position}).notes
    south = put(("armored_brigade_syria", "kudne"), ("armor_battalion", "kudne"), ("signals_unit", "mount_hermon"))
    assert not asked_battle(GAME, {"point": "kudne", "side": "arab", "position": south.position}).notes


def test_who_directs_a_barrage() -> None:
    """24.2: a unit of the nation in the point or next to it, with a line; in the second echelon in command."""
    asked = {"point": "milano", "attackers": "infantry_brigade_egypt+out_of_supply", "defenders": "garrison", "barrage": "yes"}
    asked |= {"across": "suez_canal", "helped": "yes"}
    alone = put(("garrison", "milano"), ("armored_brigade_libya", "qantara")).position
    with pytest.raises(BadQuestion, match="directs the fire"):
        asked_battle(GAME, {**asked, "position": alone})
    seen = put(("garrison", "milano"), ("mobile_sam_egypt", "qantara"), ("hq_2a", "ismailia")).position
    assert [blow.name for blow in asked_battle(GAME, {**asked, "position": seen}).blows] == ["barrage"]
    with pytest.raises(BadQuestion, match="in command"):
        asked_battle(GAME, {**asked, "position": seen, "echelon": "2"})
    assert asked_battle(GAME, {**asked, "position": alone, "attackers": "infantry_brigade_egypt"}).blows  # it sees itself
    led = put(("garrison", "milano"), ("mobile_sam_egypt", "qantara"), ("hq_2a", "el_firdan")).position
    assert asked_battle(GAME, {**asked, "position": led, "echelon": "2"}).blows


def test_a_bridge_without_anybody_is_gone() -> None:
    """21.4: with nobody of its side on either bank; also when the enemy takes the bank of the last one."""
    far = put(("armored_brigade_egypt", "qantara"), ("bridge_arab", "milano"))
    assert ask(GAME, "supply", far.position)["bridges"]["arab"] == {"milano@qantara": True}
    away = put(("armored_brigade_egypt", "salihiya"), ("bridge_arab", "milano"))
    assert ask(GAME, "supply", away.position)["bridges"]["arab"] == {"milano@qantara": False}


def test_what_could_fall_on_a_point() -> None:
    """24.3, 20.8: no Arab barrage beyond the front line; aircraft fly through the missiles that reach the point."""
    asked = {"attackers": "armored_brigade_egypt", "defenders": "armor_battalion", "what_if": "yes"}
    beyond = asked_battle(GAME, {**asked, "point": "chinese_farm"})
    assert [text for text, _ in beyond.offers] == ["one TAC strike first, no SAM"]
    here = put(("armor_battalion", "milano"), ("air_defense_battalion", "baluza"))
    covered = asked_battle(GAME, {**asked, "position": here.position, "point": "milano"})
    assert [text for text, _ in covered.offers] == ["one TAC strike first, through 1 SAM unit", "a barrage first"]


def test_aircraft_over_a_crowd() -> None:
    """Air CRT: one column to the right against a force over the stacking limit (12.1)."""
    asked = {"attackers": "armor_battalion", "tac": "3", "defenders": "4*armored_brigade_egypt"}
    four, five = (asked_battle(GAME, {**asked, "defenders": f"{n}*armored_brigade_egypt"}).blows[0].codes for n in (4, 5))
    assert four == {"-": Fraction(1, 2), "R": Fraction(1, 6), "1": Fraction(1, 3)}  # column 3
    assert five == {"-": Fraction(1, 3), "R": Fraction(1, 6), "1": Fraction(1, 3), "2": Fraction(1, 6)}  # column 4


def test_a_breach_helps_guns_and_aircraft_too() -> None:
    """Terrain Effects Chart: a breach marker undoes the fort, three columns on the Golan."""
    asked = {"attackers": "armored_brigade_syria", "defenders": "armor_battalion", "terrain": "israeli_fort_golan", "barrage": "yes"}
    whole, breached = (asked_battle(GAME, {**asked, "breached": told}).blows[0].codes for told in ("no", "yes"))
    guns = int(str(GAME.markers["barrage_syria"].factors["strength"]))
    assert whole == CODES[guns - 3 - 1] and breached == CODES[guns - 1]


def test_who_alone_cannot_retreat_stays() -> None:
    """16.4 (1), (5): without a line only airmobile units go back, to any friendly point; the others fight on."""
    fight = [("commando_brigade_egypt", "milano"), ("armored_brigade_egypt", "milano"), ("armor_battalion", "milano")]
    here = put(*fight, ("control_arab", "drora"))
    asked = {"position": here.position, "point": "milano", "side": "israeli"}
    battle = asked_battle(GAME, asked)
    (note,) = battle.notes
    assert note.startswith("Armored brigade can't retreat (16.4)")
    own = army(GAME, battle.defenders, battle.policies[1], "arab", {})
    assert own.names(suffer(own, own.start, does(GAME, "R"))) == {"Armored brigade": 1}
    assert own.names(suffer(own, own.start, does(GAME, "r"))) == {"Armored brigade": 1}
    # 16.3: by choice all go or none; and once nobody can go, a retreat is a loss (16.4).
    by_choice = army(GAME, battle.defenders, replace(battle.policies[1], dodge="always"), "arab", {})
    assert sum(suffer(by_choice, own.start, does(GAME, "1")).present) == 1 and not can_all_leave(own, own.start)
    alone = leave_one(own, own.start)
    assert not any(suffer(own, alone, does(GAME, "R")).present)
    assert not asked_battle(GAME, {**asked, "defender_can_retreat": "yes"}).policies[1].stuck


def test_columns_of_ones_own() -> None:
    """15.6: another reading of a ruling is a column more or less; `at` is the point."""
    asked = {"attackers": "paratroop_battalion", "defenders": "infantry_brigade_egypt"}
    json, lines = said(GAME, QUESTIONS["odds"], {**asked, "at": "gidi_pass", "attacker_shift": "1", "defender_shift": "-1"})
    shown = [json["sides"][side]["volleys"][0]["column"] for side in (ATTACKER, DEFENDER)]
    assert shown == ["2", "1"] and "the attacker fires +1 columns, as told" in lines


def test_where_nobody_can_be_and_sides_that_a_counter_lacks() -> None:
    """21.6: no move starts on the water; 9.9: a position may not show a combined arms side that isn't there."""
    for question in ("move", "airmobile"):
        told = ask(GAME, question, unit="commando_brigade_egypt", from_="gulf_of_suez_north", scenario="standard")
        assert told.rules == {"21.6"}
    odd = position(GAME, "standard", ["armored_division_egypt@tasa+combined_arms", "armor_battalion@tasa"])
    assert ask(GAME, "odds", odd, point="tasa", side="arab").rules == {"9.9"}
