"""A whole scenario played in the engine: set-up, moves, battles, losses, undo, saves, a load, a log; the assistant reads every save.

Whoever moves is chosen at random. What a piece should be after each turn is kept here, step by step, and compared with what
the assistant reads from the engine's own save; each battle's numbers are compared with the assistant's.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from modgen.cache import Cache, cache_folder
from modgen.vmod.faces import loose_states
from modgen.vmod.keys import BACK, ELIMINATE, FLIP, state_key
from modgen.vmod.lock import read_lock
from modgen.vmod.module import module_bytes
from modgen.vmod.pieces import face_state
from modgen.vmod.setups import setup_file
from scenarios import load, shipped
from scenarios.game import Game
from scenarios.hexes import neighbours
from scenarios.loading import samples
from scenarios.maps import HexMap
from scenarios.position import armies, from_scenario
from scenarios.resolve import Location, Resolver
from scenarios.vassal.archive import read_save
from scenarios.vassal.reading import read_position
from tests.engine import asked
from tests.engine.asked import Asked, attacks
from tests.engine.battles import Fight, Ring
from tests.engine.bystanders import Fighter, Place
from tests.engine.run import differences, drive, replies

TURNS = 20
"""How many turns are played at most: only campaigns are longer."""
MOVES, LOSSES, ASSAULTS = 8, 2, 3
WATER = {"sea", "lake", "water", "gulf", "ocean"}
"""No unit is put on such terrain: the assistant answers nothing about a map that can't be."""


@dataclass
class Counter:
    """A piece as it should be."""

    name: str
    unit: str
    copy: str
    group: str
    at: Location
    states: set[str] = field(default_factory=set)
    gone: bool = False


class Play:
    """The orders of one game, and what has to be true after each save."""

    def __init__(self, game: Game, scenario: str, folder: Path, seed: int) -> None:
        self.game, self.scenario, self.folder = game, scenario, folder
        self.ring = Ring(game, scenario, read_lock(game.folder), seed)
        self.dice = self.ring.dice
        dry = [place for place in self.ring.places if not set(self.ring.terrain(place).split("_")) & WATER]
        self.ring.places = dry
        self.at = {place[0]: place for place in dry}
        start = from_scenario(game, scenario)
        self.counters = [
            Counter(f"c{i}", piece.unit, piece.copy, piece.group, piece.at, set(piece.states)) for i, piece in enumerate(start.pieces)
        ]
        held = game.scenarios[scenario]
        self.turn = held.turns.first if held.turns else 1
        last = held.turns.last if held.turns and held.turns.last else self.turn + TURNS
        self.last = min(last, self.turn + TURNS - 1)
        self.areas = Resolver(game.scenario_maps[scenario], dict(held.zones))
        self.orders: list[str] = []
        self.fights: list[Fight | Asked] = []
        self.asked: list[Asked] = []
        self.refused: list[str] = []
        """Why the assistant doesn't answer a battle that it is asked from a save: the rules don't allow it."""
        self.saves: list[tuple[Path, int, dict[tuple[str, str], tuple[object, ...]]]] = []

    def taken(self) -> None:
        """Every piece by name; they are others after a load."""
        self.orders += [f"take\t{one.name}\t{one.unit}\t{one.copy}" for one in self.counters]

    def put(self, counter: Counter, place: Place) -> None:
        self.orders.append(f"go\t{counter.name}\t{place[1]}\t{place[2]}")
        counter.at = place[0]

    def area(self, counter: Counter, entering: bool) -> list[Place]:
        """Where a piece may be put as it sets up or comes."""
        group = armies(self.game, self.scenario).groups.get(counter.group)
        area = (group.enters.at if group.enters else None) if group is not None and entering else group.at if group is not None else None
        found = self.areas.places(area) if area is not None else frozenset()
        return [self.at[place] for place in sorted(found, key=str) if place in self.at] or self.ring.places

    def chosen(self, counter: Counter, places: Sequence[Place]) -> Place:
        """One of these places without an enemy in it, where there is one."""
        if counter.unit not in self.game.units:
            return self.dice.choice(places)
        enemies = {one.at for one in self.on_map() if one.unit in self.game.units and self.side(one) != self.side(counter)}
        return self.dice.choice([place for place in places if place[0] not in enemies] or self.ring.places)

    def on_map(self) -> list[Counter]:
        return [one for one in self.counters if one.at in self.at and not one.gone]

    def set_up(self) -> None:
        for one in self.counters:
            if str(one.at).startswith("setup:"):
                self.put(one, self.chosen(one, self.area(one, False)))

    def arrive(self) -> None:
        for one in self.counters:
            if one.at == f"turn:{self.turn}":
                self.put(one, self.chosen(one, self.area(one, True)))

    def move(self) -> None:
        units = [one for one in self.on_map() if one.unit in self.game.units]
        for one in self.dice.sample(units, min(MOVES, len(units))):
            here = self.at[one.at]
            near = sorted(self.ring.places, key=lambda p: (p[1] - here[1]) ** 2 + (p[2] - here[2]) ** 2)[1:7]
            self.put(one, self.chosen(one, near))
            if self.dice.random() < 0.3 and one.unit in self.game.units:
                state = face_state(self.game, self.game.units[one.unit])
                self.orders.append(f"do\t{one.name}\t{FLIP}")
                one.states ^= {state} & set(self.game.states)
        if units:  # a move that is taken back
            place = self.dice.choice(self.ring.places)
            self.orders += [f"go\t{units[0].name}\t{place[1]}\t{place[2]}", "undo"]

    def battle(self) -> None:
        """Units of one side at one hex of the other's, with everything as usual."""
        attack = self.dice.choice([*self.game.attacks])
        held = self.game.attacks[attack]
        units = [one for one in self.on_map() if one.unit in self.game.units]
        sides = {one.name: self.game.units[one.unit].side for one in units}
        foes = [one for one in units if any(sides[other.name] != sides[one.name] for other in units)]
        # Who sees whom in packs of hexes and rules is left to the battles that the assistant reads from a save.
        looked = any(shape.read in ("sight", "shielded") for shape in held.all_inputs) and self.ring.field is None
        if not foes or len(held.groups) > 2 or looked:
            return
        target = self.dice.choice(foes)
        place = self.at[target.at]
        attackers = sorted(
            (one for one in units if sides[one.name] != sides[target.name]),
            key=lambda one: (self.at[one.at][1] - place[1]) ** 2 + (self.at[one.at][2] - place[2]) ** 2,
        )[: self.dice.randint(1, 3)]
        if any(shape.default is None and shape.kind != "flag" and not shape.read for shape in held.inputs.values()):
            return
        fighters = [
            Fighter(one.name, one.unit, held.attackers if one in attackers else held.defenders if one is target else "",
                    self.at[one.at], sorted(one.states & set(self.game.states)), fights=one in attackers or one is target)
            for one in self.on_map()
        ]  # fmt: skip
        fighters = [one for one in fighters if one.group or not held.defenders or one.name != target.name]
        ring = self.ring
        ring.everyone, ring.scattered = fighters, False
        ring.attackers = [one for one in fighters if one.group == held.attackers]
        ring.turn = self.turn
        told = {name: ring.usual(shape, None, place) for name, shape in held.inputs.items()}
        for one in fighters:
            if one.group:
                one.told |= {name: ring.usual(shape, one, place) for name, shape in held.groups[one.group].inputs.items()}
        orders = [f"set\t{one.name}\tRole\t{1 if one.group == held.attackers else 2}" for one in fighters if one.group]
        if not held.defenders:
            orders.append(f"set\t{target.name}\tRole\t2")
        fight = ring.judged(attack, fighters, orders, told)
        self.fights.append(fight)
        self.orders += [*fight.orders, "press\tend-battle"]

    def assault(self) -> None:
        """Everybody next to a hex of the enemy's attacks it; the assistant reads the same from a save."""
        units = [one for one in self.on_map() if one.unit in self.game.units]
        listed = attacks(self.game)
        if not listed or not units:
            return
        target = self.dice.choice(units)
        foes = [one for one in units if self.side(one) != self.side(target)]
        beside = [place for place in self.neighbours(target.at) if not any(one.at == place for one in units)]
        if not foes or not beside:
            return
        attack, sources = self.dice.choice([*listed]), self.dice.sample(beside, min(3, len(beside)))
        for source in sources:
            self.put(self.dice.choice(foes), self.at[source])
        attackers = [one for one in units if one.at in sources and self.side(one) != self.side(target)]
        defenders = [one for one in units if one.at == target.at and self.side(one) == self.side(target)]
        roles = [f"set\t{one.name}\tRole\t{role}" for role, group in ((1, attackers), (2, defenders)) for one in group]
        save = self.folder / f"battle-{len(self.asked)}.vsav"
        names = [f"v_{attack}_{name}" for name in ("attack", "defense", "die", "column")]
        self.orders += [f"save\t{save}", *roles, f"press\t{attack}-odds", *(f"ask\t{name}" for name in names), "chat", "say\tEND"]
        self.orders.append("press\tend-battle")
        held = tuple(dict.fromkeys(self.name(one.at) for one in attackers))
        self.asked.append(Asked(attack, save, held, self.name(target.at), len(attackers)))
        self.fights.append(self.asked[-1])

    def side(self, one: Counter) -> str:
        return self.game.units[one.unit].side

    def name(self, place: Location) -> str:
        """A place as the assistant is asked for it."""
        table = self.ring.table
        return table.name(place) if isinstance(table, HexMap) and not isinstance(place, str) else str(place)

    def neighbours(self, place: Location) -> list[Location]:
        table = self.ring.table
        near: Iterable[Location] = table.adjacent(str(place)) if not isinstance(table, HexMap) else ()
        if not isinstance(place, str) and isinstance(table, HexMap):
            near = neighbours(place)
        return [one for one in near if one in self.at]

    def lose(self) -> None:
        units = [one for one in self.on_map() if one.unit in self.game.units]
        for one in self.dice.sample(units, min(LOSSES, len(units))):
            self.orders.append(f"do\t{one.name}\t{ELIMINATE}")
            one.gone = True
        if units:  # a loss that was none
            self.orders += [f"do\t{units[-1].name}\t{ELIMINATE}", f"do\t{units[-1].name}\t{BACK}"] if not units[-1].gone else []
            loose = loose_states(self.game)
            for one in self.dice.sample(units, min(LOSSES, len(units))) if loose else ():
                number = self.dice.randrange(len(loose))
                if not one.gone:
                    self.orders.append(f"do\t{one.name}\t{state_key(number)}")
                    one.states ^= {loose[number]}

    def save(self) -> None:
        path = self.folder / f"turn-{self.turn}-{len(self.saves)}.vsav"
        self.orders.append(f"save\t{path}")
        self.saves.append((path, self.turn, self.wanted()))

    def wanted(self) -> dict[tuple[str, str], tuple[object, ...]]:
        """Where every piece on the map is, and in which states."""
        return {(one.unit, one.copy): (one.at, frozenset(one.states & set(self.game.states))) for one in self.on_map()}

    def whole(self, log: Path) -> list[str]:
        """The orders of the whole game."""
        self.taken()
        self.set_up()
        self.save()
        while True:
            self.arrive()
            self.move()
            for _ in range(3):
                self.battle()
            for _ in range(ASSAULTS):
                self.assault()
            self.lose()
            self.save()
            if self.turn >= self.last:
                break
            if len(self.saves) == 3:
                self.orders.append(f"load\t{self.saves[-1][0]}")
                self.taken()
                self.orders.append(f"log\t{log}")
            self.orders.append("turn")
            self.turn += 1
        self.orders.append("log")
        return self.orders


def read_back(play: Play, log: Path) -> Iterator[str]:
    """Where the assistant reads something else from a save than was played."""
    files = [*play.saves, *([(log, play.turn, play.wanted())] if log.exists() else [])]
    for path, turn, wanted in files:
        if not path.exists():
            yield f"{path.name}: the engine wrote no such file"
            continue
        position = read_position(play.game, read_save(path)[0])
        if position.turn != turn:
            yield f"{path.name}: turn {position.turn}, not {turn}"
        found = {(piece.unit, piece.copy): (piece.at, piece.states) for piece in position.pieces if piece.at in play.at}
        for key in sorted({*found, *wanted}):
            if found.get(key) != wanted.get(key):
                yield f"{path.name}: {' '.join(key)} is {found.get(key)}, not {wanted.get(key)}"


def check(engine: Path, game: Game, scenario: str, seed: int, folder: Path) -> tuple[Play, list[str]]:
    """A scenario played, and everything that isn't right."""
    module, start, log = folder / f"{game.id}.vmod", folder / "start.vsav", folder / "game.vlog"
    module.write_bytes(module_bytes(game, read_lock(game.folder), Cache(cache_folder())))
    with zipfile.ZipFile(module) as archive:
        start.write_bytes(archive.read(setup_file(game, scenario)))
    play = Play(game, scenario, folder, seed)
    lines = drive(engine, module, [f"load\t{start}", *play.whole(log)], folder)
    found = [line for line in lines if line.startswith(("unknown", "failed"))]
    found += [] if lines and lines[-1].startswith("DONE") else ["the engine stopped early"]
    done = 0
    for fight, (told, chat) in zip(play.fights, replies(lines), strict=False):
        done += 1
        if isinstance(fight, Asked):
            said = asked.answer(game, fight)
            play.refused += [said] if isinstance(said, str) else []
            unlike = [*asked.differences(game, fight, said, told)] if not isinstance(said, str) else []
        else:
            unlike = [*differences(game, fight, told, chat)]
        found += [f"{fight.attack} (battle {done}): {one}" for one in unlike]
    if done < len(play.fights):
        found.append(f"{done} of {len(play.fights)} battles were answered")
    return play, [*found, *read_back(play, log)]


def main() -> int:
    """`python -m tests.engine.scenario ENGINE [GAME ...]`"""
    engine, bad = Path(sys.argv[1]), 0
    for name in sys.argv[2:] or [*shipped(), *samples()]:
        game = load(name)
        scenario = next((key for key in game.scenarios if isinstance(game.scenario_maps[key], HexMap)), next(iter(game.scenarios)))
        folder = Path(tempfile.mkdtemp(prefix="mitla-scenario-"))
        play, found = check(engine, game, scenario, 1, folder)
        battles = f"{len(play.fights)} battles, {len(play.asked) - len(play.refused)} of them read from a save"
        told = f"{game.id} {scenario}: turns to {play.turn}, {len(play.saves)} saves, {battles}, {len(found)} differences"
        print(told, *found[:15], sep="\n  ", flush=True)
        bad += len(found)
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
