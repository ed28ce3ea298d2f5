"""An input of a pack's own from whose units nothing shields the targets: in the assistant, in a module, and where it makes no sense."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from modgen.vmod import looking
from modgen.vmod import sight as tables
from modgen.vmod.places import SEES
from scenarios import PackError, load
from scenarios.game import Game
from scenarios.loading import SAMPLES
from scenarios.maps import HexMap
from scenarios.vassal.geometry import Sheet
from tests.bsh import Scope, evaluated
from tests.rule_keys import asked
from tests.test_vmod_sight import scope, sees

AMONG = "in_among: {title: It is in among them, unshielded: true}"
SEEN = '          sees: {title: It sees the target, default: "true", read: sight}\n'
WALLED, TARGET = "0806", "0906"
"""Both as low, with a wall on the hexside between them; brown guns stand behind it."""


def pack(folder: Path, given: str = AMONG, group: str = "firers") -> Path:
    """The ridge with one input more."""
    made = Path(shutil.copytree(SAMPLES / "ridge", folder / "ridge"))
    text = (made / "counters.yaml").read_text(encoding="utf-8")
    before, after = (
        (SEEN, f"{SEEN}          {given}\n") if group == "firers" else ("most: 1}", f"most: 1, inputs: {{{given}}}}}")
    )
    assert text.count(before) == 1
    (made / "counters.yaml").write_text(text.replace(before, after), encoding="utf-8")
    return made


def shift(game: Game, firers: str) -> int:
    """By how many columns the fire at the guns behind the wall is shifted for it."""
    put = ",".join(f"{unit}@{WALLED}" for unit in ("tanks_blue", "rifles_blue"))
    found = asked(
        game, ["odds", "fire", "scenario=dusk", f"at={TARGET}", f"from={WALLED}", f"firers={firers}", f"put={put}"]
    )
    return sum(modifier["amount"] for modifier in found["applied"] if modifier["text"] == "behind a hedge or wall")


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
    kept = {str(part.attributes["name"]): str(part.attributes["initialValue"]) for part in tables.messages(game)}
    given = scope(
        kept, Sheet(table), tables.written(game)["dusk"], table.hex(WALLED), table.hex(TARGET), TurnNumber="1"
    )
    told = sees(game, given)
    assert told == "true"
    for name, answer, shielded in (
        ("own", "no", True),
        ("own", "yes", False),
        ("told", "no", True),
        ("told", "yes", False),
    ):
        values = {**given.values, SEES: told, f"{name}_in_among": answer}
        assert bool(evaluated(looking.shields(game), Scope(values))) == shielded, (name, answer)


@pytest.mark.parametrize(
    ("given", "group", "wanted"),
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
        (AMONG, "target", "put this input into firers"),
    ],
)
def test_where_it_makes_no_sense_the_pack_is_told_so(tmp_path: Path, given: str, group: str, wanted: str) -> None:
    with pytest.raises(PackError) as caught:
        load(pack(tmp_path, given, group))
    (finding,) = caught.value.findings
    assert wanted in str(finding) and "counters.yaml:" in str(finding)
