"""A whole scenario played in the engine: set-up, moves, battles, losses, undo, saves, a load, a log; the assistant reads every save.

Half of it is play as people play: units go where the assistant lets them, attack whom they stand next to or see, and take what the result
says; the clean-ups are done phase by phase. The other half is chance: pieces put anywhere, flipped, marked, lost. What a piece should be is
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
from modgen.vmod.files.lock import read_lock
from modgen.vmod.files.module import module_bytes
from modgen.vmod.pieces.faces import loose_states
from modgen.vmod.pieces.fighting import YES
from modgen.vmod.setups.setups import setup_file
from scenarios import load, shipped_games
from scenarios.areas.resolving import Location, Resolver
from scenarios.model.game import Game
from scenarios.model.hexes import hexside
from scenarios.model.maps import HexMap
from scenarios.model.position import armies
from scenarios.pack.pack_folder import samples
from tests.engine.asked import (
    BattleQuestion,
    attacks,
    general_answer,
    general_differences,
    general_words,
    question,
    taking_part,
    word,
)
from tests.engine.asked_fire import Fires, fire_differences
from tests.engine.asked_rounds import (
    battle_differences,
    battle_in,
    combat,
    combat_differences,
    combat_told,
    remove_helpers,
)
from tests.engine.battles import Ring
from tests.engine.bystanders import Fighter
from tests.engine.conduct import carry_out, out_of_supply, reach, standing_questions
from tests.engine.run import Told, differences, replies
from tests.engine.session import EngineExit, Session
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
        scenario_record = game.scenarios[scenario]
        last = (
            scenario_record.turns.last
            if scenario_record.turns and scenario_record.turns.last
            else self.table.turn + turns
        )
        self.last = min(last, self.table.turn + turns - 1)
        self.areas = Resolver(game.scenario_maps[scenario], dict(scenario_record.zones))
        self.sides = [
            side
            for side in game.sides_in(scenario_record)
            if any(counter.group.startswith(f"{side}/") for counter in self.table.counters)
        ]
        self.battle_count, self.read = 0, Bag[str]()
        """Battles in all, and those that the assistant read from a save, by attack."""
        self.refusals: list[str] = []
        """Why the assistant doesn't answer a battle that it is asked from a save: the rules don't allow it."""
        self.complaints: list[str] = []
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
        places = self.areas.places(area) if area is not None else frozenset()
        return [place for place in sorted(places, key=str) if place in self.table.at] or [*self.table.at]

    def choose_place(self, counter: Counter, places: Sequence[Location]) -> Location:
        """One of these places without an enemy in it, where there is one."""
        if counter.unit not in self.game.units:
            return self.dice.choice(places)
        free = [place for place in places if not self.table.enemies(counter, place)] or [*self.table.at]
        occupancy = Bag(unit.at for unit in self.table.units())
        fewest = min(occupancy[place] for place in free)
        return self.dice.choice([place for place in free if occupancy[place] == fewest])

    def set_up(self) -> None:
        for counter in self.table.counters:
            if str(counter.at).startswith("setup:"):
                self.table.put(counter, self.choose_place(counter, self.area(counter, False)))

    def arrive(self) -> None:
        for counter in self.table.counters:
            if counter.at == f"turn:{self.table.turn}":
                self.table.put(counter, self.choose_place(counter, self.area(counter, True)))

    def march(self, side: str) -> None:
        """Units of a side go where the assistant lets them, mostly towards the enemy."""
        own_units = [unit for unit in self.table.units() if self.table.side(unit) == side]
        foes = [unit.at for unit in self.table.units() if self.table.side(unit) != side]
        save, occupied_places = self.table.save("move"), set[Location]()
        for unit in self.dice.sample(own_units, min(MOVES, len(own_units))):
            # All are asked from one save, so no two go to the same place: together they might not fit.
            places = [place for place in reach(self.table, unit, save, self.dice) if place not in occupied_places]
            if places and foes and self.dice.random() < 0.7:
                places = [min(places, key=lambda place: min(self.table.squared_distance(place, foe) for foe in foes))]
            if places:
                self.table.put(unit, self.dice.choice(places))
                occupied_places.add(unit.at)
                if self.game.id == FIRES:
                    self.table.mark(unit, "inverted")  # Basic V.A: who has moved is turned over

    def stroll(self) -> None:
        """Units put next to where they are by chance, some flipped; a move taken back."""
        units = self.table.units()
        for unit in self.dice.sample(units, min(STROLLS, len(units))):
            adjacent_places = self.table.neighbours(unit.at)
            if adjacent_places:
                self.table.put(unit, self.choose_place(unit, adjacent_places))
            if self.dice.random() < 0.3:
                self.table.flip(unit)
        if units:
            self.table.undone(units[0], self.dice.choice([*self.table.at]))

    def lose(self) -> None:
        """Losses and states by chance; a loss that was none."""
        units = self.table.units()
        for unit in self.dice.sample(units, min(LOSSES, len(units))):
            self.table.eliminate(unit)
        if units and not units[-1].gone:
            self.table.undo_loss(units[-1])
        loose = loose_states(self.game)
        for unit in self.dice.sample(units, min(LOSSES, len(units))) if loose else ():
            if not unit.gone:
                self.table.toggle(unit, self.dice.choice(loose))

    def mark_supply(self) -> None:
        """Who is out of supply is marked so, as the assistant tells it."""
        answer = question(self.game, self.table.save("supply"), ["supply"])
        if isinstance(answer, str):
            self.complaints.append(answer)
            return
        cut = out_of_supply(answer)
        for unit in self.table.units():
            if ({unit.unit, f"{unit.unit}/{unit.copy}"} & cut != set()) != ("out_of_supply" in unit.states):
                self.table.toggle(unit, "out_of_supply")

    # --- battles ------------------------------------------------------------------------------------------------------

    def by_inputs(self) -> None:
        """Units of one side at one hex of the other's, with everything as usual; the assistant is told the same."""
        attack = self.dice.choice([*self.game.attacks])
        definition, table = self.game.attacks[attack], self.table
        units = table.units()
        foes = [unit for unit in units if any(table.side(other_unit) != table.side(unit) for other_unit in units)]
        # Who sees whom in packs of hexes and rules is left to the battles that the assistant reads from a save.
        needs_sight = (
            any(shape.read in ("sight", "shielded") for shape in definition.all_inputs) and self.ring.field is None
        )
        told_only = any(
            shape.default is None and shape.kind != "flag" and not shape.read for shape in definition.inputs.values()
        )
        if not foes or len(definition.groups) > 2 or needs_sight or told_only:
            return
        target = self.dice.choice(foes)
        enemies = [unit for unit in units if table.side(unit) != table.side(target)]
        attackers = sorted(enemies, key=lambda enemy: table.squared_distance(enemy.at, target.at))[
            : self.dice.randint(1, 3)
        ]
        fighters = [
            Fighter(
                counter.name,
                counter.unit,
                definition.attackers if counter in attackers else definition.defenders if counter is target else "",
                table.place(counter.at),
                sorted(counter.states & set(self.game.states)),
                fights=counter in attackers or counter is target,
            )
            for counter in table.on_map()
        ]
        fighters = [
            fighter for fighter in fighters if fighter.group or not definition.defenders or fighter.name != target.name
        ]
        ring, place = self.ring, table.place(target.at)
        ring.everyone, ring.is_scattered, ring.turn = fighters, False, table.turn
        ring.attackers = [fighter for fighter in fighters if fighter.group == definition.attackers]
        inputs = {name: ring.usual(shape, None, place) for name, shape in definition.inputs.items()}
        for fighter in fighters:
            if fighter.group:
                fighter.told |= {
                    name: ring.usual(shape, fighter, place)
                    for name, shape in definition.groups[fighter.group].inputs.items()
                }
        orders = [
            f"set\t{fighter.name}\tRole\t{1 if fighter.group == definition.attackers else 2}"
            for fighter in fighters
            if fighter.group
        ]
        orders += [] if definition.defenders else [f"set\t{target.name}\tRole\t2"]
        fight = ring.judge_fight(attack, fighters, orders, inputs)
        heard, chat = next(replies(table.ask([*fight.orders, "press\tend-battle"])))
        self.battle_count += 1
        self.complaints += [
            f"{attack} (turn {table.turn}): {difference}" for difference in differences(self.game, fight, heard, chat)
        ]

    def assault(self, side: str) -> None:
        """A hex of the enemy's attacked from around it: by a side's units that stand there, or by who is brought there by chance."""
        table, units = self.table, self.table.units()
        enemy_places = {
            unit.name: [place for place in table.neighbours(unit.at) if table.enemies(unit, place)] for unit in units
        }
        enemy_places = (
            {unit.name: [unit.at] for unit in units if table.enemies(unit, unit.at)}
            if self.game.id == ROUNDS
            else enemy_places
        )
        # Nobody fights in a reserve area (October War 25.5).
        units = [unit for unit in units if self.ring.terrain(table.place(unit.at)) != "reserve_area"]
        exposed_units = [unit for unit in units if enemy_places.get(unit.name) and table.side(unit) != side]
        if not (exposed_units if side else units):
            return
        target = self.dice.choice(exposed_units if side else units)
        foes = [unit for unit in units if table.side(unit) != table.side(target)]
        if side:
            sources = self.dice.sample(enemy_places[target.name], self.dice.randint(1, len(enemy_places[target.name])))
        else:
            empty = [place for place in table.neighbours(target.at) if not any(unit.at == place for unit in units)]
            empty = [target.at] if self.game.id == ROUNDS else empty
            sources = self.dice.sample(empty, min(self.dice.randint(1, 3), len(empty)))
            for source in sources if foes else ():
                table.put(self.dice.choice(foes), source)
        foes = [foe for foe in foes if foe.at in sources and side in ("", table.side(foe))]
        sources = list(dict.fromkeys(foe.at for foe in foes))
        if foes:
            self.attack(target, table.side(self.dice.choice(foes)), sources, bool(side))

    def attack(self, target: Counter, side: str, sources: Sequence[Location], sensible: bool) -> None:
        """The attack on a place, by the game's own question."""
        table = self.table
        if self.game.id == COMBATS:
            battle = combat(table, self.dice, target.at, side, sources)
        elif self.game.id == ROUNDS:
            self.mark_supply()
            battle = battle_in(table, self.dice, target.at, side)
        else:
            self.general(target, sources, sensible)
            return
        if battle is not None:
            self.play_question(battle, sensible)
        if self.game.id == COMBATS:
            remove_helpers(table)

    def general(self, target: Counter, sources: Sequence[Location], sensible: bool) -> None:
        """An attack that the general question reads from a map; those that it counts are marked."""
        table, units = self.table, self.table.units()
        if not attacks(self.game):
            return
        attack_keys = self.dice.sample([*attacks(self.game)], len(attacks(self.game)))
        words = general_words(
            self.game, attack_keys[0], [table.name(place) for place in sources], table.name(target.at), target
        )
        reply = question(self.game, table.save("battle"), words)
        if isinstance(reply, str):
            self.refusals.append(reply)
            return
        # Six Day War answers for both of its tables, where both may be used.
        attack, answer = next(
            ((key, node) for key in attack_keys if (node := general_answer(reply, key)) is not None), ("", None)
        )
        if answer is None:
            self.refusals.append("no column in the answer")
            return
        shape = self.game.attacks[attack]
        foes = [unit for unit in units if unit.at in sources and table.side(unit) != table.side(target)]
        attackers = taking_part(self.game, answer, shape.attackers, foes)
        local_counters = [counter for counter in table.on_map() if counter.at == target.at and counter not in foes]
        inputs = {"road": YES} if "road" in shape.inputs and self.by_road(attackers, target.at) else {}
        battle = BattleQuestion(
            attack, attackers, taking_part(self.game, answer, shape.defenders, local_counters), words, inputs
        )
        piece_count = len(battle.attackers) + len(battle.defenders)
        if piece_count != len(answer["units"]):
            names = [str(row["name"]) for row in answer["units"]]
            self.complaints.append(
                f"{battle}: {names} is the answer, {[word(counter) for counter in (*foes, *local_counters)]} stand there"
            )
            return
        self.fight(
            battle, sensible, lambda readings, chat: general_differences(self.game, battle, answer, readings, chat)
        )

    def by_road(self, attackers: Sequence[Counter], place: Location) -> bool:
        """Whether a road leads all but infantry to a hex: players tell the module, which knows no roads."""
        board = self.table.ring.table
        if not isinstance(board, HexMap) or isinstance(place, str):
            return False
        road_sides = [
            board.path_sides.get(hexside(attacker.at, place), frozenset()) & ROADS
            for attacker in attackers
            if self.game.units[attacker.unit].class_ != "infantry" and not isinstance(attacker.at, str)
        ]
        return bool(road_sides) and all(road_sides)

    def fire(self, kind: str, side: str) -> None:
        """An attack of The Arab-Israeli Wars, past a smoke marker that is now here, now there (Optional II.B)."""
        units = self.table.units()
        if not units:
            return
        self.table.put(self.smoke(), self.dice.choice(units).at)
        battle = Fires(self.table, self.dice, side).choose_attack(kind)
        if battle is not None:
            self.play_question(battle, bool(side))

    def smoke(self) -> Counter:
        """The one smoke marker."""
        lying = [counter for counter in self.table.counters if counter.unit == "smoke"]
        return lying[0] if lying else self.table.add("smoke", next(iter(self.table.at)))

    def play_question(self, battle: BattleQuestion, sensible: bool) -> None:
        """A battle by a game's own question."""
        answer = question(self.game, self.table.save("battle"), battle.words)
        if isinstance(answer, str) or (self.game.id == FIRES and not answer.get("attacks") and "column" not in answer):
            self.refusals.append(answer if isinstance(answer, str) else "nobody in the hex can be hit")
            return
        if self.game.id == COMBATS:
            battle = combat_told(battle, answer)

        def compare_answer(readings: Told, chat: list[str]) -> Compared:
            if self.game.id == COMBATS:
                return combat_differences(self.game, battle, answer, readings, chat)
            if self.game.id == ROUNDS:
                return battle_differences(self.game, battle, answer, readings, chat)
            return fire_differences(self.game, self.table, battle, answer, readings, chat)

        self.fight(battle, sensible, compare_answer)

    def fight(self, battle: BattleQuestion, sensible: bool, comparer: Callable[[Told, list[str]], Compared]) -> None:
        """The odds in the module, compared; then the attack, taken back once, and what its result asks for."""
        table = self.table
        has_defenders = bool(self.game.attacks[battle.attack].defenders)
        heard, chat = next(replies(table.ask([*battle.marks(), *battle.press("odds", has_defenders)])))
        self.battle_count += 1
        differences = comparer(heard, chat)
        if isinstance(differences, str):
            self.refusals.append(differences)
        else:
            self.read[battle.attack] += 1
            self.complaints += [
                f"{battle} (turn {table.turn}, {table.saves}): {difference}" for difference in differences
            ]
        if not sensible:
            table.ask(battle.done())
            return
        if self.dice.random() < 0.25:
            self.taken_back(battle, heard)
        fight_readings, _ = next(replies(table.ask(battle.press("fight", has_defenders))))
        table.ask(battle.done())
        carry_out(table, battle, fight_readings, self.dice)

    def taken_back(self, battle: BattleQuestion, heard: Told) -> None:
        """An attack undone: marks and numbers are those of the odds again."""
        column, roles = (
            f"v_{battle.attack}_column",
            [f"of\t{counter.name}\tRole" for counter in (*battle.attackers, *battle.defenders)],
        )
        old_roles = self.table.ask(roles)
        undone = self.table.ask([f"press\t{battle.attack}-fight", "undo", *roles, f"ask\t{column}"])
        self.undone += 1
        if undone != [*old_roles, f"{column}\t{heard[column]}"]:
            self.complaints.append(f"{battle}: undone it is {undone}, not {old_roles} and column {heard[column]}")

    # --- the game -----------------------------------------------------------------------------------------------------

    def battles(self, side: str = "") -> None:
        """Battles of a side as people fight them; without one, battles by chance."""
        for _ in range(BATTLES if side else ASSAULTS):
            if self.game.id == FIRES:
                self.fire(self.dice.choice(["direct_fire", *self.game.attacks]), side)
            else:
                self.assault(side)

    def play_game(self, log: Path) -> None:
        """The whole game."""
        table = self.table
        self.set_up()
        table.save("set-up")
        is_logging = False
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
            if not is_logging and table.turn >= 2:
                table.load(path)
                table.ask([f"log\t{log}"])
                is_logging = True
            table.end_turn()
        if is_logging:
            table.ask(["log"])
            self.complaints += table.read_back(log)
        self.complaints += standing_questions(table, path)


def open_session(engine: Path, game: Game, folder: Path) -> Session:
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
    play, problem_count = Play(session, game, scenario, folder, seed, turns), len(session.problems)
    try:
        play.play_game(log)
    except EngineExit as error:
        play.complaints.append(str(error))
    return play, [*session.problems[problem_count:], *play.table.problems, *play.complaints]


def usual_scenario(game: Game) -> str:
    """The first scenario on a map of hexes, else the first."""
    return next(
        (key for key in game.scenarios if isinstance(game.scenario_maps[key], HexMap)), next(iter(game.scenarios))
    )


def summary(play: Play, seed: int, differing: int) -> str:
    """A game in one line."""
    read = ", ".join(f"{number} {attack}" for attack, number in play.read.items())
    battles = f"{play.battle_count} battles ({play.undone} undone once), {play.read.total()} read from saves ({read})"
    heading = f"{play.game.id} {play.scenario}, seed {seed}: turns to {play.table.turn}, {play.table.saves} saves"
    return f"{heading}, {battles}, {len(play.refusals)} refused, {differing} differences"


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
    arguments = parser.parse_args()
    bad = 0
    for name in arguments.games or [*shipped_games(), *samples()]:
        pack, _, scenarios = name.partition(":")
        game = load(pack)
        folder = Path(tempfile.mkdtemp(prefix="mitla-scenario-"))
        with open_session(arguments.engine, game, folder) as session:
            for scenario in scenarios.split(",") if scenarios else [usual_scenario(game)]:
                for seed in map(int, arguments.seeds.split(",")):
                    play, problems = check(session, game, scenario, seed, folder, arguments.turns)
                    print(summary(play, seed, len(problems)), *problems[:15], sep="\n  ", flush=True)
                    if arguments.refused:
                        print(
                            *(f"  {number} x {reason[-200:]}" for reason, number in Bag(play.refusals).most_common(20)),
                            sep="\n",
                        )
                    bad += len(problems)
        if arguments.keep:
            print(f"  {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
