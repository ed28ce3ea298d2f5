"""What a scenario gives a side off the map: pieces with its numbers, which fight from their tray."""

from __future__ import annotations

from unittest.mock import patch

from modgen.vmod import pieces, support
from modgen.vmod.lock import Lock
from modgen.vmod.places import in_play
from modgen.vmod.setups import commands, positions
from modgen.vmod.traits import named
from modgen.vmod.turns import phases, state
from scenarios import load
from scenarios.vassal.commands import flatten, read_added
from scenarios.vassal.reading import read_position
from scenarios.vassal.windows import OFF_MAP, setup_sheets
from tests.bsh import Scope, evaluated
from tests.machine import Machine
from tests.test_vmod_sight import fired, put

GAME = load("arab_israeli_wars")


def machine(scenario: str, kind: str, number: int) -> Machine:
    """Some of a scenario's support as attackers in their tray."""
    lock = Lock()
    made = Machine(GAME, scenario, {key: lock.gpid(key) for key in (*GAME.units, *GAME.markers)}, 1)
    held = next(one for _, _, one in support.of_side(GAME, scenario) if one.kind == kind)
    own = support.piece(GAME, held, "1")
    with patch.object(pieces, "piece", lambda *_: own):
        for i in range(number):
            made.pieces[f"s{i}"] = made.put("support", "Set-up", "0", "0", "Israeli: support") | {
                "Role": "1",
                "unit": "support",
            }
    return made


def test_batteries_off_the_map_fire_with_the_situations_points() -> None:
    """S-2 gives the Israelis three batteries of ten points; two of them at infantry of 8 are 2-1."""
    held = machine("S-2", "artillery", 2)
    put(held, GAME, "b", "infantry_egypt", "B-Y-7", 2)
    told = fired(held, "indirect_fire-odds")
    assert "Strength 20 against 8: column 2-1" in told
    assert "out of range" not in told and "off-board battery" not in told


def test_an_air_strike_has_its_points_and_its_weapon() -> None:
    """S-6: 21 points of type A, doubled against armour at one hex."""
    held = machine("S-6", "air_strike", 1)
    put(held, GAME, "b", "t_55", "B-Y-7", 2)
    held.press(named("air_strike-odds"))
    assert float(held.values["v_air_strike_attack"]) == 42


def test_every_situation_with_support_has_its_pieces_in_a_tray() -> None:
    lock = Lock()
    gpids = {key: lock.gpid(key) for key in (*GAME.units, *GAME.markers, *support.listed(GAME))}
    known = pieces.prototypes(GAME)
    starts, count = positions(GAME), 0
    for key in ("S-2", "S-3", "A-1", "A-5"):
        text = commands(GAME, starts[key], gpids, known, state(GAME, GAME.scenarios[key], phases(GAME)))
        placed: dict[str, int] = {}
        for command in flatten(text):
            added = read_added(command) if command.startswith("+/") else None
            for trait in added.traits if added else ():
                if trait.type.startswith("mark;support,"):
                    placed[trait.state.partition(",")[0]] = placed.get(trait.state.partition(",")[0], 0) + 1
        wanted: dict[str, int] = {}
        for _, _, one in support.of_side(GAME, key):
            wanted[one.kind] = wanted.get(one.kind, 0) + one.count
        assert placed == wanted
        count += sum(placed.values())
        trays = [tray for sheet in setup_sheets(GAME, key) for tray in sheet.trays if tray.location.startswith(OFF_MAP)]
        assert len(trays) == len({side for side, _, _ in support.of_side(GAME, key)})
        assert set(read_position(GAME, text, key).pieces) == set(starts[key].pieces), (
            "the assistant takes none for a counter"
        )
    assert count == 3 + 16 + 29 + 22


def test_support_is_in_play_wherever_it_lies() -> None:
    said = in_play(GAME)
    assert evaluated(said, Scope({"CurrentMap": "Set-up", "CurrentZone": "", "support": "artillery"})) is True
    assert evaluated(said, Scope({"CurrentMap": "Set-up", "CurrentZone": "", "support": ""})) is False
