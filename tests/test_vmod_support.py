"""What a scenario gives a side off the map: pieces with its numbers, which fight from their tray."""

from __future__ import annotations

from unittest.mock import patch

from modgen.vmod.battle.places import in_play
from modgen.vmod.files.lock import Lock
from modgen.vmod.pieces import pieces, support
from modgen.vmod.pieces.traits import named_key
from modgen.vmod.setups.setups import commands, positions
from modgen.vmod.setups.turns import phases, state
from scenarios import load
from scenarios.vassal.commands import flatten, read_added
from scenarios.vassal.reading import read_position
from scenarios.vassal.windows import OFF_MAP, setup_sheets
from tests.bsh import Scope, evaluate_text
from tests.machine import Machine
from tests.test_vmod_sight import fire_report, put

GAME = load("arab_israeli_wars")


def machine(scenario: str, kind: str, number: int) -> Machine:
    """Some of a scenario's support as attackers in their tray."""
    lock = Lock()
    engine = Machine(GAME, scenario, {key: lock.gpid(key) for key in (*GAME.units, *GAME.markers)}, 1)
    support_record = next(candidate for _, _, candidate in support.of_side(GAME, scenario) if candidate.kind == kind)
    support_piece = support.piece(GAME, support_record, "1")
    with patch.object(pieces, "piece_entry", lambda *_: support_piece):
        for i in range(number):
            engine.pieces[f"s{i}"] = engine.put("support", "Set-up", "0", "0", "Israeli: support") | {
                "Role": "1",
                "unit": "support",
            }
    return engine


def test_batteries_off_the_map_fire_with_the_situations_points() -> None:
    """S-2 gives the Israelis three batteries of ten points; two of them at infantry of 8 are 2-1."""
    engine = machine("S-2", "artillery", 2)
    put(engine, GAME, "b", "infantry_egypt", "B-Y-7", 2)
    report = fire_report(engine, "indirect_fire-odds")
    assert "Strength 20 against 8: column 2-1" in report
    assert "out of range" not in report and "off-board battery" not in report


def test_an_air_strike_has_its_points_and_its_weapon() -> None:
    """S-6: 21 points of type A, doubled against armour at one hex."""
    engine = machine("S-6", "air_strike", 1)
    put(engine, GAME, "b", "t_55", "B-Y-7", 2)
    engine.press(named_key("air_strike-odds"))
    assert float(engine.values["v_air_strike_attack"]) == 42


def test_every_situation_with_support_has_its_pieces_in_a_tray() -> None:
    lock = Lock()
    gpids = {key: lock.gpid(key) for key in (*GAME.units, *GAME.markers, *support.all_support(GAME))}
    prototypes = pieces.prototypes(GAME)
    starts, count = positions(GAME), 0
    for key in ("S-2", "S-3", "A-1", "A-5"):
        text = commands(GAME, starts[key], gpids, prototypes, state(GAME, GAME.scenarios[key], phases(GAME)))
        actual_counts: dict[str, int] = {}
        for command in flatten(text):
            addition = read_added(command) if command.startswith("+/") else None
            for trait in addition.traits if addition else ():
                if trait.type.startswith("mark;support,"):
                    actual_counts[trait.state.partition(",")[0]] = (
                        actual_counts.get(trait.state.partition(",")[0], 0) + 1
                    )
        expected_counts: dict[str, int] = {}
        for _, _, support_record in support.of_side(GAME, key):
            expected_counts[support_record.kind] = expected_counts.get(support_record.kind, 0) + support_record.count
        assert actual_counts == expected_counts
        count += sum(actual_counts.values())
        trays = [tray for sheet in setup_sheets(GAME, key) for tray in sheet.trays if tray.location.startswith(OFF_MAP)]
        assert len(trays) == len({side for side, _, _ in support.of_side(GAME, key)})
        assert set(read_position(GAME, text, key).pieces) == set(starts[key].pieces), (
            "the assistant takes none for a counter"
        )
    assert count == 3 + 16 + 29 + 22


def test_support_is_in_play_wherever_it_lies() -> None:
    expression = in_play(GAME)
    assert evaluate_text(expression, Scope({"CurrentMap": "Set-up", "CurrentZone": "", "support": "artillery"})) is True
    assert evaluate_text(expression, Scope({"CurrentMap": "Set-up", "CurrentZone": "", "support": ""})) is False
