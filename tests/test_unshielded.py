"""An input of a pack's own from whose units nothing shields the targets: in the assistant, in a module, and where it makes no sense."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from modgen.vmod.battle.places import SEES
from modgen.vmod.sight import battle_sight
from modgen.vmod.sight import sight_tables as tables
from scenarios import PackError, load
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.pack.pack_folder import SAMPLES
from scenarios.vassal.geometry import BoardSheet
from tests.bsh import Scope, evaluate_text
from tests.rule_keys import ask_words
from tests.test_vmod_sight import scope, sees

AMONG_INPUT = "in_among: {title: It is in among them, unshielded: true}"
SIGHT_INPUT = '          sees: {title: It sees the target, default: "true", read: sight}\n'
FIRER_HEX, TARGET = "0806", "0906"
"""Both as low, with a wall on the hexside between them; brown guns stand behind it."""


def pack(folder: Path, input_text: str = AMONG_INPUT, group: str = "firers") -> Path:
    """The ridge with one input more."""
    pack_folder = Path(shutil.copytree(SAMPLES / "ridge", folder / "ridge"))
    text = (pack_folder / "counters.yaml").read_text(encoding="utf-8")
    old_text, new_text = (
        (SIGHT_INPUT, f"{SIGHT_INPUT}          {input_text}\n")
        if group == "firers"
        else ("at_most: 1}", f"at_most: 1, inputs: {{{input_text}}}}}")
    )
    assert text.count(old_text) == 1
    (pack_folder / "counters.yaml").write_text(text.replace(old_text, new_text), encoding="utf-8")
    return pack_folder


def shift(game: Game, firers: str) -> int:
    """By how many columns the fire at the guns behind the wall is shifted for it."""
    put = ",".join(f"{unit}@{FIRER_HEX}" for unit in ("tanks_blue", "rifles_blue"))
    answer = ask_words(
        game, ["odds", "fire", "scenario=dusk", f"at={TARGET}", f"from={FIRER_HEX}", f"firers={firers}", f"put={put}"]
    )
    return sum(modifier["amount"] for modifier in answer["applied"] if modifier["text"] == "behind a hedge or wall")


def test_the_assistant_asks_the_other_attackers_only(tmp_path: Path) -> None:
    game = load(pack(tmp_path))
    assert shift(game, "tanks_blue") == shift(game, "tanks_blue:in_among=no") == -1
    assert shift(game, "tanks_blue:in_among=yes") == 0
    assert shift(game, "tanks_blue:in_among=yes,rifles_blue") == shift(game, "tanks_blue,rifles_blue") == -1
    assert shift(game, "tanks_blue:in_among=yes,rifles_blue:in_among=yes") == 0


def test_so_does_a_module(tmp_path: Path) -> None:
    game = load(pack(tmp_path))
    table = game.scenario_maps["dusk"]
    assert isinstance(table, HexMap)
    property_values = {
        str(part.attributes["name"]): str(part.attributes["initialValue"]) for part in tables.messages(game)
    }
    base_scope = scope(
        property_values,
        BoardSheet(table),
        tables.setup_values(game)["dusk"],
        table.hex(FIRER_HEX),
        table.hex(TARGET),
        TurnNumber="1",
    )
    sight_value = sees(game, base_scope)
    assert sight_value == "true"
    for name, answer, is_shielded in (
        ("own", "no", True),
        ("own", "yes", False),
        ("told", "no", True),
        ("told", "yes", False),
    ):
        values = {**base_scope.values, SEES: sight_value, f"{name}_in_among": answer}
        assert bool(evaluate_text(battle_sight.shields(game), Scope(values))) == is_shielded, (name, answer)


@pytest.mark.parametrize(
    ("input_text", "group", "message"),
    [
        (
            "in_among: {title: It is in among them, unshielded: true, read: adjacent}",
            "firers",
            "isn't read and has no default",
        ),
        (
            'in_among: {title: It is in among them, unshielded: true, default: "true"}',
            "firers",
            "isn't read and has no default",
        ),
        ("in_among: {title: How far in, kind: number, default: 0, unshielded: true}", "firers", "make this a flag"),
        (AMONG_INPUT, "target", "put this input into firers"),
    ],
)
def test_where_it_makes_no_sense_the_pack_is_told_so(tmp_path: Path, input_text: str, group: str, message: str) -> None:
    with pytest.raises(PackError) as error_info:
        load(pack(tmp_path, input_text, group))
    (finding,) = error_info.value.findings
    assert message in str(finding) and "counters.yaml:" in str(finding)
