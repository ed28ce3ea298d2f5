"""A module's battles say what they take for granted, and keep the pack's rules about who may attack what."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.cli import cli
from modgen.vmod.files.lock import Lock
from scenarios import load
from scenarios.model.maps import HexMap
from scenarios.vassal.windows import MAIN
from tests.asking import run_command
from tests.engine.battles import Ring
from tests.engine.run import replies
from tests.machine import Machine
from tests.test_fix_unit_fields import NO_ATTACK, change_pack


class Table:
    """The module of a pack, with pieces on named hexes: `a` attacks, `d` defends."""

    def __init__(self, pack: str, scenario: str, pieces: dict[str, tuple[str, str]]) -> None:
        game, lock = load(pack), Lock()
        gpids = {key: lock.gpid(key) for key in (*game.units, *game.markers)}
        ring = Ring(game, scenario, lock, seed=1)
        table = game.scenario_maps[scenario]
        assert isinstance(table, HexMap)
        places = {table.name(key): (x, y) for key, x, y in ring.places}
        self.names = {(str(x), str(y)): name for name, (x, y) in places.items()}
        self.machine = Machine(game, scenario, gpids, ring.turn)
        self.orders = ["clear"]
        for name, (unit, hex_name) in pieces.items():
            x, y = places[hex_name]
            self.orders += [
                f"put\t{name}\t{gpids[unit]}\t{MAIN}\t{x}\t{y}",
                f"set\t{name}\tRole\t{1 + (name[0] == 'd')}",
            ]

    def press(self, *orders: str) -> list[str]:
        """The chat."""
        return next(iter(replies(list(self.machine.obey([*orders, "chat", "say\tEND"], self.names)))))[1]


LACKS = "Field gun has no attack factor; it counts as 0"


def test_a_factor_that_a_counter_lacks_is_said_as_the_assistant_says_it(tmp_path: Path) -> None:
    pack = change_pack(tmp_path, NO_ATTACK)
    words = run_command(cli, "odds", pack, "attackers=camels/23,gun", "defenders=cars/14").output
    assert LACKS in " ".join(words.split())
    table = Table(
        pack, next(iter(load(pack).scenarios)), {"a1": ("camels", "0401"), "a2": ("gun", "0302"), "d": ("cars", "0402")}
    )
    chat = table.press(*table.orders, "press\tassault-odds")
    assert sum(line.count(LACKS) for line in chat) == 1, chat
    assert not any("Camel riders has no" in line or "cars has no" in line for line in chat)


@pytest.mark.parametrize(("flag", "is_said"), [("fires_far", True), ("not fires_far", False)])
def test_a_factor_that_a_strength_does_not_read_is_not_missed(flag: str, is_said: bool, tmp_path: Path) -> None:
    pack = change_pack(
        tmp_path,
        (NO_ATTACK[0], NO_ATTACK[1], "factors: {defense: 1, movement: 2}\n    abilities: [fires_far]"),
        ("counters.yaml", "strength: attack,", f"strength: 'if({flag}, attack, 2)',"),
    )
    table = Table(pack, next(iter(load(pack).scenarios)), {"a": ("gun", "0302"), "d": ("cars", "0402")})
    assert any(LACKS in line for line in table.press(*table.orders, "press\tassault-odds")) is is_said


HQ = "Egyptian headquarters and SAMs may not enter the east bank"


@pytest.mark.parametrize(
    ("start", "target", "unit", "is_refused"),
    [("5.18", "5.17", "hq_3_army", True), ("5.18", "5.17", "inf_7_11", False), ("6.18", "5.18", "hq_3_army", False)],
)
def test_an_egyptian_headquarters_does_not_attack_over_the_canal(
    start: str, target: str, unit: str, is_refused: bool
) -> None:
    """1.4a, 3.5a: it may not enter the east bank, and nobody attacks where he may not go."""
    table = Table("yom_kippur", "4.1", {"a": (unit, start), "d": ("nir_arm_bde_a", target)})
    chat = table.press(*table.orders, "press\tground-fight")
    assert any(HQ in line for line in chat) is is_refused, chat
    if is_refused:
        assert any("isn't resolved" in line for line in chat)
        paid = table.press("tell\ttold_may_cross_east\tyes", "press\tground-odds")
        assert not any(HQ in line for line in paid) and any("3.8 is paid" in line for line in paid), paid


@pytest.mark.parametrize(("village", "clear"), [("d1", "d2"), ("d2", "d1")])
def test_each_defender_is_judged_in_its_own_place(village: str, clear: str) -> None:
    """0301 is a village, which doubles the defense of who is in it (RULES.md 3.1); 0302 is clear."""
    scenario = next(iter(load("two_wells").scenarios))
    pieces = {
        village: ("infantry_blue", "0301"),
        clear: ("camels", "0302"),
        "a1": ("cars", "0401"),
        "a2": ("cars", "0401"),
    }
    table = Table("two_wells", scenario, dict(sorted(pieces.items())))
    chat = table.press(*table.orders, "press\tassault-odds")
    assert table.machine.values["v_assault_defense"] == "13.0", chat
    assert any("each defender is judged in its own" in line for line in chat)
    for terrain, strength in (("clear", "8.0"), ("village", "16.0")):
        table.press(f"tell\ttold_terrain\t{terrain}", "press\tassault-odds")
        assert table.machine.values["v_assault_defense"] == strength
