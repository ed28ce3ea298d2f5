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

from assistant.attack import Odds
from modgen.cache import Cache, cache_folder
from modgen.vmod.battle.attack_expressions import UNITS
from modgen.vmod.files.lock import read_lock
from modgen.vmod.files.module import module_bytes
from modgen.vmod.setups.setups import setup_file
from scenarios import load, shipped_games
from scenarios.model.game import Game
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
        window_manager = (
            []
            if shutil.which("openbox") is None
            else ["sh", "-c", 'openbox & "$@"; code=$?; kill $!; exit $code', "sh"]
        )
        words = ["xvfb-run", "-a", "-s", f"-screen 0 {screen[0]}x{screen[1]}x24", *window_manager, *words]
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
    orders_file, answers = folder / "orders.txt", folder / "answers.txt"
    orders_file.write_text("\n".join(orders), encoding="utf-8")
    with (folder / "engine.log").open("w") as log:
        words = command(engine, module, str(orders_file), folder, screen)
        subprocess.run(words, cwd=folder / "home", stdout=log, stderr=log, timeout=seconds, check=False)
    if not answers.exists():
        raise SystemExit(f"the engine wrote no answers; see {folder / 'engine.log'}")
    return answers.read_text(encoding="utf-8").splitlines()


def replies(lines: list[str]) -> Iterator[tuple[Told, list[str]]]:
    """The answers to each battle, and what the chat said."""
    readings: Told = {}
    chat: list[str] = []
    for line in lines:
        name, _, value = line.partition("\t")
        if name == "END":
            yield readings, chat
            readings, chat = {}, []
        elif name == "chat":
            chat.append(value)
        elif name == "failed":
            chat.append(f"FAILED {value}")
        else:
            readings[name] = value


def is_close(text: str, number: object) -> bool:
    """Whether a number of the engine's is the assistant's."""
    try:
        return abs(float(text) - float(number)) < 1e-6  # type: ignore[arg-type]
    except ValueError:
        return False


def differences(game: Game, fight: Fight, readings: Told, chat: list[str]) -> Iterator[str]:
    """Where engine and assistant differ."""
    yield from (line for line in chat if line.startswith("FAILED") or "Bad Data" in line)
    prop = f"v_{fight.attack}_"
    answer = fight.expected_answer
    if answer is None:
        if not readings.get(prop + "failure") and readings.get(prop + "start") != "-1":
            yield f"the assistant refuses ({fight.refusal}), the engine doesn't"
        return
    yield from _numbers(game, prop, answer, readings)
    yield from _units(game, fight, answer, readings)
    battle_failures = [failure for failure in answer.violations if not failure.group]
    if (readings[prop + "allowed"] == "true") != (not answer.violations and not fight.outside):
        yield f"allowed is {readings[prop + 'allowed']}, not {[str(failure) for failure in answer.violations]}, {sorted(fight.outside)}"
    if bool(battle_failures) != bool(readings[prop + "failure"]):
        yield f"not allowed: {readings[prop + 'failure']!r}, not {[str(failure) for failure in battle_failures]}"


def _numbers(game: Game, prop: str, answer: Odds, readings: Told) -> Iterator[str]:
    table = game.tables[game.attacks[answer.attack].table]
    labels = [*table.columns.labels]
    expected_values = {"attack": answer.attack_strength, "shift": answer.shift, "die": answer.die}
    expected_values["start"] = labels.index(answer.start) if answer.start is not None else -1
    expected_values["column"] = labels.index(answer.column) if answer.column is not None else -1
    if answer.defense_strength is not None:
        expected_values["defense"] = answer.defense_strength
    for name, value in expected_values.items():
        if not is_close(readings[prop + name], value):
            yield f"{name} is {readings[prop + name]}, not {value}"
    if answer.column is not None:
        roll = int(readings[prop + "thrown"])
        code = table.cell(roll + answer.die, labels.index(answer.column)).code
        if readings[prop + "code"] != code:
            yield f"the result of {roll} is {readings[prop + 'code']}, not {code}"


def _units(game: Game, fight: Fight, answer: Odds, readings: Told) -> Iterator[str]:
    definition = game.attacks[fight.attack]
    table = game.tables[definition.table]
    in_order = [f for group in definition.groups for f in fight.fighters if f.group == group]
    for fighter, strength in zip(in_order, answer.units, strict=True):
        if not is_close(readings[f"{fighter.name}.Strength"], strength.value * UNITS):
            got = float(readings[f"{fighter.name}.Strength"]) / UNITS
            yield f"{fighter.unit} has {got}, not {strength.value}"
    for group in definition.groups:
        group_fighters = [f for f in fight.fighters if f.group == group]
        failed_places = {failure.place for failure in answer.violations if failure.group == group}
        for place, fighter in enumerate(group_fighters):
            if bool(readings[f"{fighter.name}.Failure"]) != (place in failed_places or fighter.name in fight.outside):
                yield f"{fighter.unit} may not: {readings[fighter.name + '.Failure']!r}"
    for fighter, target in zip([f for f in in_order if f.group == definition.defenders], answer.targets, strict=False):
        roll = int(readings[f"{fighter.name}.Thrown"])
        assert answer.column is not None
        code = table.cell(roll + target.die, table.named_column(answer.column)).code
        if readings[f"{fighter.name}.Result"] != code:
            yield f"{fighter.unit}: {roll} gives {readings[fighter.name + '.Result']}, not {code}"


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
    problems: list[str] = [] if lines and lines[-1].startswith("DONE") else ["the engine stopped early"]
    done = 0
    for fight, (readings, chat) in zip(fights, replies(lines), strict=False):
        done += 1
        for difference in differences(game, fight, readings, chat):
            problems.append(f"{game.id} {fight.attack} (battle {done}): {difference}")
    if keep is None and not os.environ.get("KEEP"):
        shutil.rmtree(folder, ignore_errors=True)
    return done, problems


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
    for name in sys.argv[4:] or shipped_games():
        done, problems = check(engine, load(name), number, seed)
        print(f"{name}: {done} battles, {len(problems)} differences", *problems[:20], sep="\n  ", flush=True)
        bad += len(problems) + (done == 0)
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
