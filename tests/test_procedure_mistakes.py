"""Mistakes in procedures, as somebody who writes a first game makes them: one sentence each, with line and column."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assistant.questions.registry import questions
from scenarios import check, load
from scenarios.pack.pack_folder import SAMPLES
from scenarios.rules.procedure_checks import QUESTIONS

VALLEY = SAMPLES / "valley"
MISTAKES = [
    (
        "when: counter.rounds == 3, end: night",
        "when: counter.rounds == 5, end: night",
        "'counter.rounds == 5' never holds: the counter goes from 0 to 3",
    ),
    (
        'talks: {title: Meetings of the diplomats, rule: "6", at_least: 0, at_most: 2}',
        'talks: {title: Meetings of the diplomats, rule: "6"}',
        "the counter 'talks' changes from turn to turn; give it `at_least` and `at_most`",
    ),
    (
        "rounds: {title: Rounds, at_least: 0, at_most: 3}",
        "rounds: {title: Rounds}",
        "the counter 'rounds' changes from round to round, and stages ask for it; give it `at_most`",
    ),
    (
        'north_points: {title: Northern replacement points, rule: "7", at_least: 0, at_most: 12, start: 2}',
        'north_points: {title: Northern replacement points, rule: "7", at_least: 0, start: 2}',
        "the counter 'north_points' changes from turn to turn; give it `at_least` and `at_most`",
    ),
    (
        '    depot:\n      - {text: the depot burns, rule: "5.3", change: {destroyed: counter.destroyed + result}}\n',
        "",
        "nothing carries out the effect depot of this table; add records for it to `results`",
    ),
    (
        '    rain:\n      - {text: it rains, rule: "6", change: {weather: \'"rain"\'}}\n',
        "",
        "nothing carries out the effect rain of this table; add records for it to `results`",
    ),
    (
        "fire: flak, of: defenders",
        "fire: flak, of: defender",
        "there is no group 'defender'; did you mean defenders?",
    ),
    (
        "count(attackers) == 0 or count(defenders) == 0",
        "count(attackers) == 0 or count(defender) == 0",
        "there is no group 'defender'; did you mean 'defenders'?",
    ),
    (
        '{text: a round begins, rule: "4.1", change',
        '{text: a round begins, rule: "4.1", chnge',
        "the key 'chnge' is not known here; did you mean change?",
    ),
    (
        "draw: cup, table: events",
        "throw: events",
        "the key 'throw' is not known here; there are 31 to choose from, such as among, at, by, change, clear",
    ),
    (
        "of: attackers, leave: true, when",
        'of: attackers, leave: true, end: "true", when',
        "a stage has one effect: fire, table, draw, change, set, clear, lose, eliminate, send, leave or end; give one of them",
    ),
    (
        '{text: a round begins, rule: "4.1", change: {rounds: counter.rounds + 1}}',
        '{text: a round begins, rule: "4.1"}',
        "a stage has one effect: fire, table, draw, change, set, clear, lose, eliminate, send, leave or end; give one of them",
    ),
    (
        "{like: volley,",
        "{like: voley,",
        "no stage is called 'voley'; did you mean volley?",
    ),
    (
        "- {like: volley, text: the other side fires, of: second, at: first}",
        "- {id: b, like: c, text: the other side fires, of: second, at: first}\n        - {id: c, like: volley, text: third}",
        "the stage 'c' is itself like another; name a stage that has no `like`",
    ),
    (
        "draw: cup, table",
        "draw: first, table",
        "there is no group 'first'; write one of cup",
    ),
    (
        'first: \'if(input.terrain == "hills", "defenders", "attackers")\'',
        'first: \'if(input.terrain == "hills", "defender", "attackers")\'',
        "there is no group 'defender'; did you mean defenders?",
    ),
    (
        'first: \'if(input.terrain == "hills", "defenders", "attackers")\'',
        'first: input.terrain == "hills"',
        "'input.terrain == \"hills\"' gives a flag; here belongs a text",
    ),
    (
        '        - {text: a round begins, rule: "4.1", change: {rounds: counter.rounds + 1}}',
        "        - rounds:\n            - {text: x, change: {rounds: counter.rounds + 1}}",
        "the key 'rounds' is not known here; there are 31 to choose from, such as among, at, by, change, clear",
    ),
    (
        "      groups:\n        cup: {title: Chits in the cup, markers: true}\n",
        "",
        "there is no group 'cup'; add it to `groups`",
    ),
    (
        'where: class == "land"}}\n        defenders',
        'where: class == "lnd"}}\n        defenders',
        '\'class\' is never "lnd"; did you mean "land"?',
    ),
    (
        "supports: attackers",
        "supports: attacker",
        "there is no group 'attacker'; did you mean attackers?",
    ),
    (
        "supports: attackers",
        "supports: bombers",
        "'bombers' supports a group itself; name a group that opposes another",
    ),
    (
        "groups: [attackers, defenders]}",
        "groups: [attackers, defender]}",
        "there is no group 'defender'; did you mean defenders?",
    ),
    (
        "title: Who loses a step\n",
        "title: Who loses a step\n          default: weekest\n",
        "'weekest' is no choice; did you mean weakest?",
    ),
    (
        'default: "0", groups',
        "default: few, groups",
        "'few' is no number; write one such as 0 or 1/2",
    ),
    (
        "count(own) <= policy.withdraw}\n        - {text: the attackers have",
        "count(own) <= policy.withdrw}\n        - {text: the attackers have",
        "there is no name 'policy.withdrw' here; did you mean 'policy.withdraw'?",
    ),
    (
        "change: {rounds: counter.rounds + 1}",
        "change: {round: counter.rounds + 1}",
        "there is no counter 'round'; did you mean rounds?",
    ),
    (
        "when: counter.rounds == 3",
        "when: counter.round == 3",
        "there is no name 'counter.round' here; did you mean 'counter.rounds' or 'counter.south_points' or 'counter.weather'?",
    ),
    (
        "change: {weather: '\"fair\"'}",
        "change: {weather: 1}",
        "'1' gives a number; here belongs a text",
    ),
    (
        "change: {weather: '\"fair\"'}",
        "change: {weather: '\"sunny\"'}",
        "'sunny' is no choice of 'weather'; write one of fair, rain",
    ),
    (
        "fire: depot, of",
        "fire: depots, of",
        "there is no attack 'depots'; did you mean depot?",
    ),
    (
        "with: {at_town:",
        "with: {in_town:",
        "fire asks nothing called 'in_town'; did you mean at_town?",
    ),
    (
        "change: {rounds: counter.rounds + 1}",
        "roll: 1x6, change: {rounds: counter.rounds + 1}",
        "'1x6' is no roll of dice; write one such as 1d6 or 1d6+1",
    ),
    (
        "change: {rounds: counter.rounds + 1}",
        "needs: roll == 6, change: {rounds: counter.rounds + 1}",
        "`needs` is about a roll; add `roll`, as in roll: 1d6",
    ),
    (
        "of: attackers, leave: true, when: count(own) <= policy.withdraw",
        "leave: true, when: count(attackers) <= 1",
        "`leave` is about a group; add `of`",
    ),
    (
        "of: attackers, leave: true, when",
        'end: "true", when',
        "`own` is about the group `of` the stage; add `of`",
    ),
    (
        "draw: cup, table: events",
        "draw: cup, table: fire",
        "no piece has a result on the table 'fire'; its `results` are the ids of the units or markers that are drawn",
    ),
    (
        "draw: cup, table: events",
        "table: fire",
        "the table 'fire' has 4 columns; name the `column`",
    ),
    (
        "draw: cup, table: events",
        "table: events",
        "the table 'events' isn't rolled on; name one with dice",
    ),
    (
        "- {text: the war goes on, is: {war: goes on}}",
        "- {text: the war goes on, when: counter.talks < 2, is: {war: goes on}}",
        "the last outcome counts where no other does; leave out its `when`",
    ),
    (
        "when: counter.rounds == 3, end: night",
        "when: gone.attackers > 3, end: night",
        "there is no name 'gone.attackers' here; did you mean 'attackers'?",
    ),
    (
        'when: ended == "night"',
        'when: ended == "nihgt"',
        '\'ended\' is never "nihgt"; did you mean "night"?',
    ),
    (
        "      outcomes:\n        - {text: the depot is hit",
        "      together: [depott]\n      outcomes:\n        - {text: the depot is hit",
        "there is no outcome or counter 'depott'; did you mean depot?",
    ),
    (
        "change: {rounds: counter.rounds + 1}",
        'simultaneous: "true", change: {rounds: counter.rounds + 1}',
        "`simultaneous` goes with `fire`; leave it out",
    ),
    (
        "of: bombers, by: all}\n      outcomes",
        "of: bombers, by: volleys}\n      outcomes",
        "say in `most` how much strength fires at once",
    ),
    (
        "of: bombers, by: all}\n      outcomes",
        "of: bombers, by: together}\n      outcomes",
        "'together' is not known here; write one of all, each, volleys",
    ),
    (
        "    events:\n      title: The events",
        "    move:\n      title: The events",
        "'move' is a question of every game; choose another name for the procedure",
    ),
    (
        "cup: {title: Chits in the cup, markers: true}",
        "cup: {title: Chits in the cup, markers: true, at_least: 5, at_most: 2}",
        "`at_most` is 2, and `at_least` is 5; make it smaller",
    ),
    (
        "cup: {title: Chits in the cup, markers: true}",
        "cup: {title: Chits in the cup, markers: true, at_least: 40}",
        "a group has 30 units at most, and `at_least` is 40; make it smaller",
    ),
    (
        "destroyed: {title: Replacement points destroyed, at_least: 0, at_most: 3}",
        "talks: {title: T, at_least: 0, at_most: 3}\n        destroyed: {title: Replacement points destroyed, at_least: 0, at_most: 3}",
        "the game keeps a counter 'talks' already; choose another name",
    ),
    (
        "destroyed: {title: Replacement points destroyed, at_least: 0, at_most: 3}",
        "destroyed: {title: Replacement points destroyed, at_least: 4, at_most: 3}",
        "`at_most` is 3 and below `at_least`, 4; exchange them",
    ),
    (
        "at_most: 12, start: 2}\n    south",
        "at_most: 12, start: 20}\n    south",
        "20 is outside of its limits",
    ),
    (
        "destroyed: {title: Replacement points destroyed, at_least: 0, at_most: 3}",
        "destroyed: {title: Replacement points destroyed, at_least: 0, at_most: 3, start: 9}",
        "9 is outside of its limits",
    ),
    (
        "read: {whose: own,",
        "read: {whose: own, zone: zoc,",
        "there is no zone 'zoc'; there are none yet: add it first, or leave it out",
    ),
    (
        "read: {whose: own,",
        "read: {whose: own, with: friends,",
        "there is no group 'friends'; did you mean defenders?",
    ),
    (
        "of: attackers, leave: true, when: count(own) <= policy.withdraw",
        "of: attackers, send: hospital",
        "there is no box 'hospital'; write one of cup, lost, north_field, south_field",
    ),
    (
        "of: attackers, leave: true, when: count(own) <= policy.withdraw",
        "of: attackers, set: redcued",
        "there is no state 'redcued'; did you mean reduced?",
    ),
    (
        "attackers: {title: Attackers,",
        "attackers: {title: Attackers, worth: type,",
        "'type' gives a text; here belongs a number",
    ),
    (
        "      outcomes:\n        - {text: the depot is hit",
        '      what_if: [{text: x, inputs: {terain: "1"}}]\n      outcomes:\n        - {text: the depot is hit',
        "there is no input 'terain'; there are none yet: add it first, or leave it out",
    ),
    (
        "to: escorts, that",
        "to: escort, that",
        "'escort' is no group; did you mean escorts?",
    ),
    (
        "fire: fire\n",
        "fire: flak\n",
        "flak asks nothing called 'at_town'; there are none yet: add it first, or leave it out",
    ),
    (
        "      outcomes:\n        - {text: the depot is hit",
        "      notes: [{text: x, each: escort}]\n      outcomes:\n        - {text: the depot is hit",
        "there is no group 'escort'; did you mean escorts?",
    ),
    (
        "      title: A battle\n",
        "",
        "the key 'title' is missing; add it",
    ),
    (
        "          of: first\n",
        "          of: first\n          within: {first: [combat]}\n",
        "the key 'that' is missing; add it",
    ),
    (
        'count(attackers) == 0 or count(defenders) == 0, end: "true"',
        'count(attackers) == 0 or count(defenders) == 0, end: "false"',
        "`end` is true, or a word that outcomes ask for as `ended`",
    ),
    (
        "      outcomes:\n        - {text: the depot is hit",
        '      scores: {weather: "1"}\n      outcomes:\n        - {text: the depot is hit',
        "the counter 'weather' is a text; scores are numbers",
    ),
    (
        "      outcomes:\n        - {text: the depot is hit",
        "      scores: {north_pionts: counter.north_points}\n      outcomes:\n        - {text: the depot is hit",
        "there is no counter of the game 'north_pionts'; did you mean north_points or south_points?",
    ),
    (
        "      outcomes:\n        - {text: the depot is hit",
        "      what_if: [{text: x, add: {bombers: '\"bombers_nort\"'}}]\n      outcomes:\n        - {text: the depot is hit",
        "there is no counter 'bombers_nort'; did you mean bombers_north",
    ),
    (
        "read: {whose: own, where",
        "read: {whose: own, same: nation, where",
        "only the units of a support are compared with others; add `supports`",
    ),
]


def findings(folder: Path, changes: list[tuple[str, str]]) -> list[str]:
    """What is found in a copy of the valley with other rules."""
    pack = folder / "valley"
    shutil.copytree(VALLEY, pack)
    text = (pack / "rules.yaml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    (pack / "rules.yaml").write_text(text, encoding="utf-8")
    return [str(finding) for finding in check(pack)]


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES, ids=[message[:60] for _, _, message in MISTAKES])
def test_a_mistake_is_one_sentence_at_its_place(old: str, new: str, message: str, tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, [(old, new)])
    place, _, said = finding.partition(": ")
    assert place.count(":") == 2 and place.partition(":")[0].endswith("rules.yaml")
    assert said.startswith(message)


def test_rounds_and_turns_are_not_both(tmp_path: Path) -> None:
    turns = "      turns:\n        - {text: the weather clears"
    rounds = '      rounds:\n        - {text: a, change: {talks: 1}}\n        - {text: b, end: "true"}\n'
    (finding,) = findings(tmp_path, [(turns, rounds + turns)])
    assert "a procedure has rounds or turns, not both; leave out one of them" in finding


def test_rounds_without_an_end(tmp_path: Path) -> None:
    """Each stage that ends the rounds never holds."""
    never = [
        ("count(attackers) == 0 or count(defenders) == 0, end", "false, end"),
        ("when: count(attackers) == 0, end", "when: false, end"),
        ("when: counter.rounds == 3, end: night", "when: 1 > 2, end: night"),
    ]
    found = findings(tmp_path, never)
    assert len(found) == 3 and all("it never holds, so the stage ends nothing" in finding for finding in found)


def test_stages_that_are_like_each_other(tmp_path: Path) -> None:
    loop = [
        ("- {like: volley, text: the other side fires", "- {like: volley, id: back, text: the other side fires"),
        ("id: volley\n", "id: volley\n          like: back\n"),
    ]
    found = findings(tmp_path, loop)
    assert len(found) == 2 and all(
        "is itself like another; name a stage that has no `like`" in finding for finding in found
    )


def test_the_names_of_questions_are_kept() -> None:
    """A procedure may not take the place of a question that every game answers; `odds` it may."""
    games = [load(name) for name in ("two_wells", "march", "corps")]
    everywhere = {
        name for game in games for name in questions(game) if not game.rules or name not in game.rules.procedures
    }
    zones = {name for game in games if game.rules for name in game.rules.zones}
    assert everywhere - zones - {"odds"} <= QUESTIONS
