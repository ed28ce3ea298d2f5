"""A whole scenario played in the engine: set-up, moves, battles, losses, undo, saves, a load, a log; the assistant reads every save.

Half of it is play as people play: units go where the assistant lets them, attack whom they stand next to or see, and take what the result
says; the chores are done phase by phase. The other half is chance: pieces put anywhere, flipped, marked, lost. What a piece should be is
kept step by step (`table.py`) and compared with what the assistant reads from each save; each battle's numbers are compared with the
assistant's, worked out from the same inputs (`battles.py`) or asked from the save (`asked*.py`).
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import zipfile
from collections import Counter as Bag
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from modgen.cache import Cache, cache_folder
from modgen.vmod.faces import loose_states
from modgen.vmod.fighters import YES
from modgen.vmod.lock import read_lock
from modgen.vmod.module import module_bytes
from modgen.vmod.setups import setup_file
from scenarios import load, shipped
from scenarios.game import Game
from scenarios.hexes import hexside
from scenarios.loading import samples
from scenarios.maps import HexMap
from scenarios.position import armies
from scenarios.resolve import Location, Resolver
from tests.engine.asked import (
    Asked,
    attacks,
    general_answer,
    general_differences,
    general_words,
    question,
    taking_part,
    word,
)
from tests.engine.asked_fire import Fires, fire_differences
from tests.engine.asked_rounds import battle_differences, battle_in, combat, combat_differences, combat_told, dismissed
from tests.engine.battles import Ring
from tests.engine.bystanders import Fighter
from tests.engine.conduct import carry_out, out_of_supply, reach, standing_questions
from tests.engine.run import Told, differences, replies
from tests.engine.session import Session, Stopped
from tests.engine.table import Counter, Table

ROADS = {"road", "pcb_road"}
TURNS = 20
"""How many turns are played at most: only campaigns are longer."""
MOVES, STROLLS, LOSSES, BATTLES, ASSAULTS, BY_INPUTS = 4, 3, 1, 4, 3, 2
WATER = {"sea", "lake", "water", "gulf", "ocean"}
"""No unit is put on such terrain: the assistant answers nothing about a map that can't be."""
FIRES, COMBATS, ROUNDS = "arab_israeli_wars", "musketeer", "october_war"
Compared = Iterator[str] | str


class Play:
    """One game, and what isn't right in it."""

    def __init__(self, session: Session, game: Game, scenario: str, folder: Path, seed: int, turns: int) -> None:
        self.game, self.scenario = game, scenario
        self.ring = Ring(game, scenario, read_lock(game.folder), seed)
        self.dice = random.Random(f"{seed} {game.id} {scenario}")
        self.ring.places = [place for place in self.ring.places if not set(self.ring.terrain(place).split("_")) & WATER]
        self.table = Table(session, self.ring, folder)
        held = game.scenarios[scenario]
        last = held.turns.last if held.turns and held.turns.last else self.table.turn + turns
        self.last = min(last, self.table.turn + turns - 1)
        self.areas = Resolver(game.scenario_maps[scenario], dict(held.zones))
        self.sides = [
            side for side in game.sides_in(held) if any(one.group.startswith(f"{side}/") for one in self.table.counters)
        ]
        self.fought, self.read = 0, Bag[str]()
        """Battles in all, and those that the assistant read from a save, by attack."""
        self.refused: list[str] = []
        """Why the assistant doesn't answer a battle that it is asked from a save: the rules don't allow it."""
        self.found: list[str] = []
        self.undone = 0

    # --- pieces -------------------------------------------------------------------------------------------------------

    def area(self, counter: Counter, entering: bool) -> list[Location]:
        """Where a piece may be put as it sets up or comes."""
        group = armies(self.game, self.scenario).groups.get(counter.group)
        area = (
            (group.enters.at if group.enters else None)
            if group is not None and entering
            else group.at
            if group is not None
            else None
        )
        found = self.areas.places(area) if area is not None else frozenset()
        return [place for place in sorted(found, key=str) if place in self.table.at] or [*self.table.at]

    def chosen(self, counter: Counter, places: Sequence[Location]) -> Location:
        """One of these places without an enemy in it, where there is one."""
        if counter.unit not in self.game.units:
            return self.dice.choice(places)
        free = [place for place in places if not self.table.enemies(counter, place)] or [*self.table.at]
        taken = Bag(one.at for one in self.table.units())
        fewest = min(taken[place] for place in free)
        return self.dice.choice([place for place in free if taken[place] == fewest])

    def set_up(self) -> None:
        for one in self.table.counters:
            if str(one.at).startswith("setup:"):
                self.table.put(one, self.chosen(one, self.area(one, False)))

    def arrive(self) -> None:
        for one in self.table.counters:
            if one.at == f"turn:{self.table.turn}":
                self.table.put(one, self.chosen(one, self.area(one, True)))

    def march(self, side: str) -> None:
        """Units of a side go where the assistant lets them, mostly towards the enemy."""
        own = [one for one in self.table.units() if self.table.side(one) == side]
        foes = [one.at for one in self.table.units() if self.table.side(one) != side]
        save, taken = self.table.save("move"), set[Location]()
        for one in self.dice.sample(own, min(MOVES, len(own))):
            # All are asked from one save, so no two go to the same place: together they might not fit.
            places = [place for place in reach(self.table, one, save, self.dice) if place not in taken]
            if places and foes and self.dice.random() < 0.7:
                places = [min(places, key=lambda place: min(self.table.far(place, foe) for foe in foes))]
            if places:
                self.table.put(one, self.dice.choice(places))
                taken.add(one.at)
                if self.game.id == FIRES:
                    self.table.mark(one, "inverted")  # Basic V.A: who has moved is turned over

    def stroll(self) -> None:
        """Units put next to where they are by chance, some flipped; a move taken back."""
        units = self.table.units()
        for one in self.dice.sample(units, min(STROLLS, len(units))):
            near = self.table.neighbours(one.at)
            if near:
                self.table.put(one, self.chosen(one, near))
            if self.dice.random() < 0.3:
                self.table.flip(one)
        if units:
            self.table.undone(units[0], self.dice.choice([*self.table.at]))

    def lose(self) -> None:
        """Losses and states by chance; a loss that was none."""
        units = self.table.units()
        for one in self.dice.sample(units, min(LOSSES, len(units))):
            self.table.eliminate(one)
        if units and not units[-1].gone:
            self.table.spared(units[-1])
        loose = loose_states(self.game)
        for one in self.dice.sample(units, min(LOSSES, len(units))) if loose else ():
            if not one.gone:
                self.table.toggle(one, self.dice.choice(loose))

    def supplied(self) -> None:
        """Who is out of supply is marked so, as the assistant tells it."""
        said = question(self.game, self.table.save("supply"), ["supply"])
        if isinstance(said, str):
            self.found.append(said)
            return
        cut = out_of_supply(said)
        for one in self.table.units():
            if ({one.unit, f"{one.unit}/{one.copy}"} & cut != set()) != ("out_of_supply" in one.states):
                self.table.toggle(one, "out_of_supply")

    # --- battles ------------------------------------------------------------------------------------------------------

    def by_inputs(self) -> None:
        """Units of one side at one hex of the other's, with everything as usual; the assistant is told the same."""
        attack = self.dice.choice([*self.game.attacks])
        held, table = self.game.attacks[attack], self.table
        units = table.units()
        foes = [one for one in units if any(table.side(other) != table.side(one) for other in units)]
        # Who sees whom in packs of hexes and rules is left to the battles that the assistant reads from a save.
        looked = any(shape.read in ("sight", "shielded") for shape in held.all_inputs) and self.ring.field is None
        told_only = any(
            shape.default is None and shape.kind != "flag" and not shape.read for shape in held.inputs.values()
        )
        if not foes or len(held.groups) > 2 or looked or told_only:
            return
        target = self.dice.choice(foes)
        enemies = [one for one in units if table.side(one) != table.side(target)]
        attackers = sorted(enemies, key=lambda one: table.far(one.at, target.at))[: self.dice.randint(1, 3)]
        fighters = [
            Fighter(
                one.name,
                one.unit,
                held.attackers if one in attackers else held.defenders if one is target else "",
                table.place(one.at),
                sorted(one.states & set(self.game.states)),
                fights=one in attackers or one is target,
            )
            for one in table.on_map()
        ]
        fighters = [one for one in fighters if one.group or not held.defenders or one.name != target.name]
        ring, place = self.ring, table.place(target.at)
        ring.everyone, ring.scattered, ring.turn = fighters, False, table.turn
        ring.attackers = [one for one in fighters if one.group == held.attackers]
        told = {name: ring.usual(shape, None, place) for name, shape in held.inputs.items()}
        for one in fighters:
            if one.group:
                one.told |= {
                    name: ring.usual(shape, one, place) for name, shape in held.groups[one.group].inputs.items()
                }
        orders = [f"set\t{one.name}\tRole\t{1 if one.group == held.attackers else 2}" for one in fighters if one.group]
        orders += [] if held.defenders else [f"set\t{target.name}\tRole\t2"]
        fight = ring.judged(attack, fighters, orders, told)
        heard, chat = next(replies(table.ask([*fight.orders, "press\tend-battle"])))
        self.fought += 1
        self.found += [f"{attack} (turn {table.turn}): {one}" for one in differences(self.game, fight, heard, chat)]

    def assault(self, side: str) -> None:
        """A hex of the enemy's attacked from around it: by a side's units that stand there, or by who is brought there by chance."""
        table, units = self.table, self.table.units()
        beside = {one.name: [place for place in table.neighbours(one.at) if table.enemies(one, place)] for one in units}
        beside = (
            {one.name: [one.at] for one in units if table.enemies(one, one.at)} if self.game.id == ROUNDS else beside
        )
        # Nobody fights in a reserve area (October War 25.5).
        units = [one for one in units if self.ring.terrain(table.place(one.at)) != "reserve_area"]
        touched = [one for one in units if beside.get(one.name) and table.side(one) != side]
        if not (touched if side else units):
            return
        target = self.dice.choice(touched if side else units)
        foes = [one for one in units if table.side(one) != table.side(target)]
        if side:
            sources = self.dice.sample(beside[target.name], self.dice.randint(1, len(beside[target.name])))
        else:
            empty = [place for place in table.neighbours(target.at) if not any(one.at == place for one in units)]
            empty = [target.at] if self.game.id == ROUNDS else empty
            sources = self.dice.sample(empty, min(self.dice.randint(1, 3), len(empty)))
            for source in sources if foes else ():
                table.put(self.dice.choice(foes), source)
        foes = [one for one in foes if one.at in sources and side in ("", table.side(one))]
        sources = list(dict.fromkeys(one.at for one in foes))
        if foes:
            self.attack(target, table.side(self.dice.choice(foes)), sources, bool(side))

    def attack(self, target: Counter, side: str, sources: Sequence[Location], sensible: bool) -> None:
        """The attack on a place, by the game's own question."""
        table = self.table
        if self.game.id == COMBATS:
            battle = combat(table, self.dice, target.at, side, sources)
        elif self.game.id == ROUNDS:
            self.supplied()
            battle = battle_in(table, self.dice, target.at, side)
        else:
            self.general(target, sources, sensible)
            return
        if battle is not None:
            self.asked(battle, sensible)
        if self.game.id == COMBATS:
            dismissed(table)

    def general(self, target: Counter, sources: Sequence[Location], sensible: bool) -> None:
        """An attack that the general question reads from a map; those that it counts are marked."""
        table, units = self.table, self.table.units()
        if not attacks(self.game):
            return
        listed = self.dice.sample([*attacks(self.game)], len(attacks(self.game)))
        words = general_words(
            self.game, listed[0], [table.name(place) for place in sources], table.name(target.at), target
        )
        said = question(self.game, table.save("battle"), words)
        if isinstance(said, str):
            self.refused.append(said)
            return
        # Six Day War answers for both of its tables, where both may be used.
        attack, answer = next(
            ((key, found) for key in listed if (found := general_answer(said, key)) is not None), ("", None)
        )
        if answer is None:
            self.refused.append("no column in the answer")
            return
        shape = self.game.attacks[attack]
        foes = [one for one in units if one.at in sources and table.side(one) != table.side(target)]
        attackers = taking_part(self.game, answer, shape.attackers, foes)
        here = [one for one in table.on_map() if one.at == target.at and one not in foes]
        told = {"road": YES} if "road" in shape.inputs and self.by_road(attackers, target.at) else {}
        battle = Asked(attack, attackers, taking_part(self.game, answer, shape.defenders, here), words, told)
        counted = len(battle.attackers) + len(battle.defenders)
        if counted != len(answer["units"]):
            names = [str(row["name"]) for row in answer["units"]]
            self.found.append(f"{battle}: {names} is the answer, {[word(one) for one in (*foes, *here)]} stand there")
            return
        self.fight(battle, sensible, lambda told, chat: general_differences(self.game, battle, answer, told, chat))

    def by_road(self, attackers: Sequence[Counter], at: Location) -> bool:
        """Whether a road leads all but infantry to a hex: players tell the module, which knows no roads."""
        board = self.table.ring.table
        if not isinstance(board, HexMap) or isinstance(at, str):
            return False
        crossed = [
            board.path_sides.get(hexside(one.at, at), frozenset()) & ROADS
            for one in attackers
            if self.game.units[one.unit].class_ != "infantry" and not isinstance(one.at, str)
        ]
        return bool(crossed) and all(crossed)

    def fire(self, kind: str, side: str) -> None:
        """An attack of The Arab-Israeli Wars, past a smoke marker that is now here, now there (Optional II.B)."""
        units = self.table.units()
        if not units:
            return
        self.table.put(self.smoke(), self.dice.choice(units).at)
        battle = Fires(self.table, self.dice, side).chosen(kind)
        if battle is not None:
            self.asked(battle, bool(side))

    def smoke(self) -> Counter:
        """The one smoke marker."""
        lying = [one for one in self.table.counters if one.unit == "smoke"]
        return lying[0] if lying else self.table.add("smoke", next(iter(self.table.at)))

    def asked(self, battle: Asked, sensible: bool) -> None:
        """A battle by a game's own question."""
        said = question(self.game, self.table.save("battle"), battle.words)
        if isinstance(said, str) or (self.game.id == FIRES and not said.get("attacks") and "column" not in said):
            self.refused.append(said if isinstance(said, str) else "nobody in the hex can be hit")
            return
        if self.game.id == COMBATS:
            battle = combat_told(battle, said)

        def compared(told: Told, chat: list[str]) -> Compared:
            if self.game.id == COMBATS:
                return combat_differences(self.game, battle, said, told, chat)
            if self.game.id == ROUNDS:
                return battle_differences(self.game, battle, said, told, chat)
            return fire_differences(self.game, self.table, battle, said, told, chat)

        self.fight(battle, sensible, compared)

    def fight(self, battle: Asked, sensible: bool, compared: Callable[[Told, list[str]], Compared]) -> None:
        """The odds in the module, compared; then the attack, taken back once, and what its result asks for."""
        table = self.table
        defended = bool(self.game.attacks[battle.attack].defenders)
        heard, chat = next(replies(table.ask([*battle.marks(), *battle.press("odds", defended)])))
        self.fought += 1
        found = compared(heard, chat)
        if isinstance(found, str):
            self.refused.append(found)
        else:
            self.read[battle.attack] += 1
            self.found += [f"{battle} (turn {table.turn}, {table.saves}): {one}" for one in found]
        if not sensible:
            table.ask(battle.done())
            return
        if self.dice.random() < 0.25:
            self.taken_back(battle, heard)
        fought, _ = next(replies(table.ask(battle.press("fight", defended))))
        table.ask(battle.done())
        carry_out(table, battle, fought, self.dice)

    def taken_back(self, battle: Asked, heard: Told) -> None:
        """An attack undone: marks and numbers are those of the odds again."""
        column, roles = (
            f"v_{battle.attack}_column",
            [f"of\t{one.name}\tRole" for one in (*battle.attackers, *battle.defenders)],
        )
        marked = self.table.ask(roles)
        undone = self.table.ask([f"press\t{battle.attack}-fight", "undo", *roles, f"ask\t{column}"])
        self.undone += 1
        if undone != [*marked, f"{column}\t{heard[column]}"]:
            self.found.append(f"{battle}: undone it is {undone}, not {marked} and column {heard[column]}")

    # --- the game -----------------------------------------------------------------------------------------------------

    def battles(self, side: str = "") -> None:
        """Battles of a side as people fight them; without one, battles by chance."""
        for _ in range(BATTLES if side else ASSAULTS):
            if self.game.id == FIRES:
                self.fire(self.dice.choice(["direct_fire", *self.game.attacks]), side)
            else:
                self.assault(side)

    def whole(self, log: Path) -> None:
        """The whole game."""
        table = self.table
        self.set_up()
        table.save("set-up")
        logged = False
        while True:
            self.arrive()
            for side in self.sides:
                for deed in (self.battles, self.march) if self.game.id == FIRES else (self.march, self.battles):
                    deed(side)
            self.stroll()
            for _ in range(BY_INPUTS):
                self.by_inputs()
            self.battles()
            self.lose()
            path = table.save("turn")
            if table.turn >= self.last:
                break
            if not logged and table.turn >= 2:
                table.load(path)
                table.ask([f"log\t{log}"])
                logged = True
            table.end_turn()
        if logged:
            table.ask(["log"])
            self.found += table.read_back(log)
        self.found += standing_questions(table, path)


def opened(engine: Path, game: Game, folder: Path) -> Session:
    """The engine with a game's module."""
    module = folder / f"{game.id}.vmod"
    module.write_bytes(module_bytes(game, read_lock(game.folder), Cache(cache_folder())))
    return Session(engine, module, folder)


def check(
    session: Session, game: Game, scenario: str, seed: int, folder: Path, turns: int = TURNS
) -> tuple[Play, list[str]]:
    """A scenario played, and everything that isn't right."""
    start, log = folder / f"start-{seed}.vsav", folder / f"game-{scenario}-{seed}.vlog"
    with zipfile.ZipFile(folder / f"{game.id}.vmod") as archive:
        start.write_bytes(archive.read(setup_file(game, scenario)))
    session.ask([f"load\t{start}"])
    play, before = Play(session, game, scenario, folder, seed, turns), len(session.problems)
    try:
        play.whole(log)
    except Stopped as error:
        play.found.append(str(error))
    return play, [*session.problems[before:], *play.table.problems, *play.found]


def usual_scenario(game: Game) -> str:
    """The first scenario on a map of hexes, else the first."""
    return next(
        (key for key in game.scenarios if isinstance(game.scenario_maps[key], HexMap)), next(iter(game.scenarios))
    )


def summary(play: Play, seed: int, differing: int) -> str:
    """A game in one line."""
    read = ", ".join(f"{number} {attack}" for attack, number in play.read.items())
    battles = f"{play.fought} battles ({play.undone} undone once), {play.read.total()} read from saves ({read})"
    told = f"{play.game.id} {play.scenario}, seed {seed}: turns to {play.table.turn}, {play.table.saves} saves"
    return f"{told}, {battles}, {len(play.refused)} refused, {differing} differences"


def main() -> int:
    """`python -m tests.engine.scenario ENGINE [GAME[:SCENARIO,SCENARIO] ...] [--seeds 1,2]`"""
    parser = argparse.ArgumentParser(prog="tests.engine.scenario")
    parser.add_argument("engine", type=Path)
    parser.add_argument(
        "games", nargs="*", help="GAME or GAME:SCENARIO,SCENARIO; all games and samples, if none are named"
    )
    parser.add_argument("--seeds", default="1", help="such as 1,2,3")
    parser.add_argument("--refused", action="store_true", help="also why the assistant didn't answer")
    parser.add_argument("--turns", type=int, default=TURNS, help="how many turns at most")
    parser.add_argument("--keep", action="store_true", help="keep the saves")
    given = parser.parse_args()
    bad = 0
    for name in given.games or [*shipped(), *samples()]:
        pack, _, scenarios = name.partition(":")
        game = load(pack)
        folder = Path(tempfile.mkdtemp(prefix="mitla-scenario-"))
        with opened(given.engine, game, folder) as session:
            for scenario in scenarios.split(",") if scenarios else [usual_scenario(game)]:
                for seed in map(int, given.seeds.split(",")):
                    play, found = check(session, game, scenario, seed, folder, given.turns)
                    print(summary(play, seed, len(found)), *found[:15], sep="\n  ", flush=True)
                    if given.refused:
                        print(
                            *(f"  {number} x {why[-200:]}" for why, number in Bag(play.refused).most_common(20)),
                            sep="\n",
                        )
                    bad += len(found)
        if given.keep:
            print(f"  {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
