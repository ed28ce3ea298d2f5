"""Attacks have a declared distance that assistant, module and check read; the module refuses what is against a rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.cli import cli as assistant
from modgen.cli import cli as modgen
from modgen.vmod.files.lock import Lock
from scenarios import load
from scenarios.vassal.windows import MAIN
from tests.asking import run_command
from tests.engine.battles import Ring
from tests.engine.run import replies
from tests.machine import Machine
from tests.packs import copy

DISTANT_ATTACKS = [
    # game, scenario, attack, attacker, defender, how many hexes apart it is tried, the rule
    ("yom_kippur", "4.5", "ground", "nir_arm_bde_a", "inf_7_11", 2, "1.2"),
    ("six_day_war", "", "mobile", "is_7_armor", "eg_7_11", 2, "13.5"),
    ("musketeer", "", "ground_fire", "armd_25_britain", "bde_4_egypt", 2, "14.2, 29.5"),
    ("arab_israeli_wars", "", "close_assault", "infantry_israel", "infantry_egypt", 2, "Standard II.C.1.b"),
    ("arab_israeli_wars", "", "overrun", "infantry_israel", "infantry_egypt", 3, "Standard II.D.2.b"),
    ("october_war", "", "ground", "infantry_battalion", "armored_brigade_egypt", 1, "15.1"),
]


class Field:
    """A module with two pieces some hexes or points apart."""

    def __init__(self, game_id: str, scenario: str, attacker: str, defender: str, hex_distance: int) -> None:
        from scenarios.model.maps import HexMap
        from tests.engine.bystanders import steps_between

        game, lock = load(game_id), Lock()
        scenario = scenario or next(iter(game.scenarios))
        gpids = {key: lock.gpid(key) for key in (*game.units, *game.markers)}
        ring = Ring(game, scenario, lock, seed=1)
        table = game.scenario_maps[scenario]
        start, end = next(
            (a, b) for a in ring.places for b in ring.places if steps_between(game, table, a[0], b[0]) == hex_distance
        )
        self.names = {
            (str(x), str(y)): table.name(key) if isinstance(table, HexMap) else table.points[key].name
            for key, x, y in ring.places
        }
        self.machine = Machine(game, scenario, gpids, ring.turn)
        self.orders = ["clear"]
        for name, unit, role, place in (("a", attacker, 1, start), ("d", defender, 2, end)):
            self.orders += [f"put\t{name}\t{gpids[unit]}\t{MAIN}\t{place[1]}\t{place[2]}", f"set\t{name}\tRole\t{role}"]

    def press(self, *orders: str) -> tuple[dict[str, str], list[str]]:
        """What was worked out, and the chat."""
        properties, chat = next(iter(replies(list(self.machine.obey([*orders, "chat", "say\tEND"], self.names)))))
        return properties, chat


@pytest.mark.parametrize("game_id, scenario, attack, attacker, defender, hex_distance, rule", DISTANT_ATTACKS)
def test_the_module_refuses_an_attack_from_afar(
    game_id: str, scenario: str, attack: str, attacker: str, defender: str, hex_distance: int, rule: str
) -> None:
    field = Field(game_id, scenario, attacker, defender, hex_distance)
    _, chat = field.press(*field.orders, f"press\t{attack}-fight")
    assert any(f"({rule})" in line and "against the rule" in line for line in chat), chat
    assert any("isn't resolved" in line for line in chat)
    assert not any(" = " in line and "d6" in line for line in chat), "nothing is thrown"
    assert field.machine.pieces["a"]["Role"] == "1", "marks stay"


def test_resolve_anyway_throws_the_dice_once() -> None:
    field = Field("yom_kippur", "4.5", "nir_arm_bde_a", "inf_7_11", 2)
    assert not any("2d6 = " in line for line in field.press(*field.orders, "press\tground-fight")[1])
    assert any("2d6 = " in line for line in field.press("press\tground-anyway")[1])
    assert field.press("press\tground-anyway")[1] == []


def test_an_attack_without_attackers_is_refused() -> None:
    field = Field("yom_kippur", "4.5", "nir_arm_bde_a", "inf_7_11", 1)
    _, chat = field.press(*field.orders, "set\ta\tRole\t0", "press\tground-fight")
    assert any("isn't resolved" in line for line in chat) and not any("2d6 = " in line for line in chat), chat


def test_an_attack_of_neighbours_is_resolved() -> None:
    field = Field("yom_kippur", "4.5", "nir_arm_bde_a", "inf_7_11", 1)
    _, chat = field.press(*field.orders, "press\tground-fight")
    assert not any("next to a hex" in line for line in chat), chat


def test_the_assistant_reads_the_same_distance() -> None:
    """Two Wells: a gun three hexes off is too far for any attack (3), and for a gun (3.4)."""
    words = ["odds", "two_wells", "at=0102", "side=blue", "attackers=gun", "put=cars/14@0102,gun@0402", "--json"]
    result = run_command(assistant, *words)
    assert result.exit_code == 0, result.output
    assert {refusal["rule"] for refusal in json.loads(result.stdout)["refused"]} == {"3", "3.4"}


def without_distance(folder: Path, instead: str = "") -> Path:
    """Two Wells, where the attack declares no distance, or `instead`."""
    pack = copy(folder)
    counters = pack / "counters.yaml"
    lines = counters.read_text(encoding="utf-8").splitlines()
    old = [line for line in lines if line.startswith("    distance: {text: only adjacent units may attack it")]
    assert len(old) == 1
    kept = [instead if line in old else line for line in lines]
    counters.write_text("\n".join(line for line in kept if line) + "\n", encoding="utf-8")
    return pack


@pytest.mark.parametrize(
    ("instead", "attacker", "refused"),
    [
        ("", "gun@0402", True),
        ("", "cars/15@0202", False),
        ("    distance: {}", "gun@0402", False),
    ],
    ids=["left out, from afar", "left out, next to it", "any distance"],
)
def test_an_attack_without_a_distance_is_made_from_next_to_the_target(
    tmp_path: Path, instead: str, attacker: str, refused: bool
) -> None:
    """Loading, check, the assistant, its list of attacks and the module take a distance that is left out alike."""
    pack = without_distance(tmp_path, instead)
    result = run_command(modgen, "check", str(pack), "--no-overlay")
    assert result.exit_code == 0, result.output
    unit = attacker.partition("@")[0].partition("/")[0]
    words = ["odds", str(pack), "at=0102", "side=blue", f"attackers={unit}", f"put=camels@0102,{attacker}", "--json"]
    answer = json.loads(run_command(assistant, *words).stdout)
    rules = [refusal["text"] for refusal in answer["refused"]]
    assert ("only units adjacent to a place may attack it" in rules) is refused, rules


def test_the_module_requires_it_too(tmp_path: Path) -> None:
    from zipfile import ZipFile

    text = "only units adjacent to a place may attack it"
    for name, instead, is_required in (("left_out", "", True), ("any", "    distance: {}", False)):
        (folder := tmp_path / name).mkdir()
        words = ["build", str(without_distance(folder, instead)), "--only", "module", "--out", str(folder)]
        result = run_command(modgen, *words, "--no-overlay")
        assert result.exit_code == 0, result.output
        module = next(folder.rglob("*.vmod"))
        assert (text in ZipFile(module).read("buildFile.xml").decode()) is is_required
