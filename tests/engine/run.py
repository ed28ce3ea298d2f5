"""Fights random battles in an installed VASSAL and compares each with what the assistant says of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from assistant.attack import Answer
from modgen.cache import Cache, cache_folder
from modgen.vmod.battle import UNITS
from modgen.vmod.lock import read_lock
from modgen.vmod.module import module_bytes
from modgen.vmod.setups import setup_file
from scenarios import load, shipped
from scenarios.game import Game
from tests.engine.battles import Fight, Ring

DRIVER = Path(__file__).with_name("drive.bsh")
Told = dict[str, str]


def command(engine: Path, module: Path, orders: str, folder: Path, screen: tuple[int, int] = (1600, 1200)) -> list[str]:
    """The command that starts the engine in a home of its own; a window manager frames its windows where there is one."""
    home = folder / "home"
    (home / "conf" / "prefs").mkdir(parents=True, exist_ok=True)
    (home / "conf" / "prefs" / "V_Global").write_text("welcomeWizard=false\n", encoding="utf-8")
    words = ["java", "-Xmx2g", f"-Duser.home={home}", f"-DVASSAL.conf={home / 'conf'}"]
    words += ["--add-exports=java.desktop/sun.java2d.cmm=ALL-UNNAMED", "-cp", str(engine / "lib" / "Vengine.jar")]
    words += ["bsh.Interpreter", str(DRIVER), str(module), orders, str(folder / "answers.txt")]
    if shutil.which("xvfb-run") and not os.environ.get("SHOW"):
        framed = (
            []
            if shutil.which("openbox") is None
            else ["sh", "-c", 'openbox & "$@"; code=$?; kill $!; exit $code', "sh"]
        )
        words = ["xvfb-run", "-a", "-s", f"-screen 0 {screen[0]}x{screen[1]}x24", *framed, *words]
    return words


def drive(
    engine: Path,
    module: Path,
    orders: list[str],
    folder: Path,
    seconds: int = 2400,
    screen: tuple[int, int] = (1600, 1200),
) -> list[str]:
    """What the engine answers to orders that are known beforehand."""
    listed, answers = folder / "orders.txt", folder / "answers.txt"
    listed.write_text("\n".join(orders), encoding="utf-8")
    with (folder / "engine.log").open("w") as log:
        words = command(engine, module, str(listed), folder, screen)
        subprocess.run(words, cwd=folder / "home", stdout=log, stderr=log, timeout=seconds, check=False)
    if not answers.exists():
        raise SystemExit(f"the engine wrote no answers; see {folder / 'engine.log'}")
    return answers.read_text(encoding="utf-8").splitlines()


def replies(lines: list[str]) -> Iterator[tuple[Told, list[str]]]:
    """The answers to each battle, and what the chat said."""
    told: Told = {}
    chat: list[str] = []
    for line in lines:
        name, _, value = line.partition("\t")
        if name == "END":
            yield told, chat
            told, chat = {}, []
        elif name == "chat":
            chat.append(value)
        elif name == "failed":
            chat.append(f"FAILED {value}")
        else:
            told[name] = value


def near(text: str, wanted: object) -> bool:
    """Whether a number of the engine's is the assistant's."""
    try:
        return abs(float(text) - float(wanted)) < 1e-6  # type: ignore[arg-type]
    except ValueError:
        return False


def differences(game: Game, fight: Fight, told: Told, chat: list[str]) -> Iterator[str]:
    """Where engine and assistant differ."""
    yield from (line for line in chat if line.startswith("FAILED") or "Bad Data" in line)
    prop = f"v_{fight.attack}_"
    answer = fight.expected
    if answer is None:
        if not told.get(prop + "failure") and told.get(prop + "start") != "-1":
            yield f"the assistant refuses ({fight.refused}), the engine doesn't"
        return
    yield from _numbers(game, prop, answer, told)
    yield from _units(game, fight, answer, told)
    wide = [one for one in answer.refused if not one.group]
    if (told[prop + "allowed"] == "true") != (not answer.refused and not fight.outside):
        yield f"allowed is {told[prop + 'allowed']}, not {[str(one) for one in answer.refused]}, {sorted(fight.outside)}"
    if bool(wide) != bool(told[prop + "failure"]):
        yield f"not allowed: {told[prop + 'failure']!r}, not {[str(one) for one in wide]}"


def _numbers(game: Game, prop: str, answer: Answer, told: Told) -> Iterator[str]:
    table = game.tables[game.attacks[answer.attack].table]
    labels = [*table.columns.labels]
    wanted = {"attack": answer.attack_strength, "shift": answer.shift, "die": answer.die}
    wanted["start"] = labels.index(answer.start) if answer.start is not None else -1
    wanted["column"] = labels.index(answer.column) if answer.column is not None else -1
    if answer.defense_strength is not None:
        wanted["defense"] = answer.defense_strength
    for name, value in wanted.items():
        if not near(told[prop + name], value):
            yield f"{name} is {told[prop + name]}, not {value}"
    if answer.column is not None:
        thrown = int(told[prop + "thrown"])
        code = table.cell(thrown + answer.die, labels.index(answer.column)).code
        if told[prop + "code"] != code:
            yield f"the result of {thrown} is {told[prop + 'code']}, not {code}"


def _units(game: Game, fight: Fight, answer: Answer, told: Told) -> Iterator[str]:
    held = game.attacks[fight.attack]
    table = game.tables[held.table]
    in_order = [f for group in held.groups for f in fight.fighters if f.group == group]
    for fighter, strength in zip(in_order, answer.units, strict=True):
        if not near(told[f"{fighter.name}.Strength"], strength.value * UNITS):
            got = float(told[f"{fighter.name}.Strength"]) / UNITS
            yield f"{fighter.unit} has {got}, not {strength.value}"
    for group in held.groups:
        listed = [f for f in fight.fighters if f.group == group]
        refused = {one.place for one in answer.refused if one.group == group}
        for place, fighter in enumerate(listed):
            if bool(told[f"{fighter.name}.Failure"]) != (place in refused or fighter.name in fight.outside):
                yield f"{fighter.unit} may not: {told[fighter.name + '.Failure']!r}"
    for fighter, target in zip([f for f in in_order if f.group == held.defenders], answer.targets, strict=False):
        thrown = int(told[f"{fighter.name}.Thrown"])
        assert answer.column is not None
        code = table.cell(thrown + target.die, table.named_column(answer.column)).code
        if told[f"{fighter.name}.Result"] != code:
            yield f"{fighter.unit}: {thrown} gives {told[fighter.name + '.Result']}, not {code}"


def widest(game: Game) -> str:
    """The scenario with most boards."""
    return max(game.scenarios, key=lambda key: len(getattr(game.scenario_maps[key], "placed", ())))


def check(
    engine: Path, game: Game, number: int, seed: int, scenario: str = "", keep: Path | None = None
) -> tuple[int, list[str]]:
    """How many battles were fought, and every difference."""
    folder = keep or Path(tempfile.mkdtemp(prefix="mitla-engine-"))
    folder.mkdir(parents=True, exist_ok=True)
    module = folder / f"{game.id}.vmod"
    lock = read_lock(game.folder)
    module.write_bytes(module_bytes(game, lock, Cache(cache_folder())))
    scenario = scenario or widest(game)
    start = folder / "start.vsav"
    with zipfile.ZipFile(module) as archive:
        start.write_bytes(archive.read(setup_file(game, scenario)))
    ring = Ring(game, scenario, lock, seed)
    fights = [ring.fight(attack) for attack in game.attacks for _ in range(number)]
    orders = [f"load\t{start}", *(order for fight in fights for order in fight.orders)]
    lines = drive(engine, module, orders, folder)
    found: list[str] = [] if lines and lines[-1].startswith("DONE") else ["the engine stopped early"]
    done = 0
    for fight, (told, chat) in zip(fights, replies(lines), strict=False):
        done += 1
        for difference in differences(game, fight, told, chat):
            found.append(f"{game.id} {fight.attack} (battle {done}): {difference}")
    if keep is None and not os.environ.get("KEEP"):
        shutil.rmtree(folder, ignore_errors=True)
    return done, found


def main() -> int:
    """`python -m tests.engine.run ENGINE [NUMBER [SEED [GAME ...]]]`"""
    if len(sys.argv) < 2 or not (Path(sys.argv[1]) / "lib" / "Vengine.jar").exists():
        print(
            "name the folder of an installed VASSAL (the one that has lib/Vengine.jar): make check-engine ENGINE=folder"
        )
        return 2
    engine = Path(sys.argv[1])
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    bad = 0
    for name in sys.argv[4:] or shipped():
        done, found = check(engine, load(name), number, seed)
        print(f"{name}: {done} battles, {len(found)} differences", *found[:20], sep="\n  ", flush=True)
        bad += len(found) + (done == 0)
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
