"""The pieces of a game that is played in the engine, each as it should be; every save is read back and compared with that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from modgen.vmod.files.keys import CLEAN_UP_KEY, ELIMINATE, FLIP, LOSS, RETURN_TO_PLAY, state_key
from modgen.vmod.pieces.faces import counted_steps, loose_states
from modgen.vmod.setups.phase_effects import all_clean_ups
from scenarios.areas.resolving import Location
from scenarios.model.definitions import CleanUp, Phase
from scenarios.model.hexes import neighbours
from scenarios.model.maps import HexMap
from scenarios.model.position import from_scenario
from scenarios.model.scenario import Support
from scenarios.unit_view import face_state
from scenarios.vassal.archive import read_save
from scenarios.vassal.reading import STEP_LOSS, read_position
from scenarios.vassal.windows import MAIN
from tests.engine.battles import Ring
from tests.engine.bystanders import Place
from tests.engine.session import Session

MOST_PHASES = 80


@dataclass
class Counter:
    """A piece as it should be."""

    name: str
    unit: str
    copy: str
    group: str
    nation: str
    at: Location
    states: set[str] = field(default_factory=set)
    lost_steps: int = 0
    gone: bool = False


Wanted = dict[tuple[str, str], tuple[object, ...]]


class Table:
    """What a player does to the pieces, and what is true afterwards. Orders wait until an answer is needed."""

    def __init__(self, session: Session, ring: Ring, folder: Path) -> None:
        self.session, self.ring, self.folder = session, ring, folder
        self.game, self.scenario, self.places = ring.game, ring.scenario, ring.places
        self.at = {place[0]: place for place in self.places}
        start = from_scenario(self.game, self.scenario)
        self.counters = [
            Counter(
                f"c{i}",
                piece.unit,
                piece.copy,
                piece.group,
                piece.nation,
                piece.at,
                set(piece.states),
                piece.steps_lost,
            )
            for i, piece in enumerate(start.pieces)
        ]
        self.turn, self.saves, self.turn_label = start.turn, 0, ""
        self.orders: list[str] = []
        self.problems: list[str] = []
        self.supports: dict[str, Counter] = {}
        """Batteries and air strikes of the scenario, which no counter stands for, by their names."""
        self.take()

    # --- orders -------------------------------------------------------------------------------------------------------

    def ask(self, orders: Iterable[str] = ()) -> list[str]:
        """What the engine answers to these orders, after all that wait."""
        waiting, self.orders = [*self.orders, *orders], []
        return self.session.ask(waiting)

    def take(self) -> None:
        """Every piece by name; they are others after a load."""
        self.orders += [f"take\t{counter.name}\t{counter.unit}\t{counter.copy}" for counter in self.counters]
        self.orders += [f"find\t{counter.name}\t{title}" for title, counter in self.supports.items()]

    def support(self, air_support: Support) -> Counter:
        """The piece of a battery or an air strike."""
        nation = self.game.nations.get(air_support.nation)
        title = f"{nation.adjective or nation.name} {air_support.name}" if nation else air_support.name
        if title not in self.supports:
            self.supports[title] = Counter(f"s{len(self.supports)}", "", "", "", air_support.nation, "box:support")
            self.orders.append(f"find\t{self.supports[title].name}\t{title}")
        return self.supports[title]

    def add(self, unit: str, place: Location) -> Counter:
        """A marker out of the palette."""
        _, x, y = self.at[place]
        counter = Counter(f"c{len(self.counters)}", unit, "", "", "", place)
        self.counters.append(counter)
        self.orders.append(f"put\t{counter.name}\t{self.ring.lock.gpid(unit)}\t{MAIN}\t{x}\t{y}")
        return counter

    def put(self, counter: Counter, place: Location) -> None:
        """A piece dragged to a place."""
        _, x, y = self.at[place]
        self.orders.append(f"go\t{counter.name}\t{x}\t{y}")
        counter.at = place

    def undone(self, counter: Counter, place: Location) -> None:
        """A move that is taken back."""
        _, x, y = self.at[place]
        self.orders += [f"go\t{counter.name}\t{x}\t{y}", "undo"]

    def flip(self, counter: Counter) -> None:
        """A counter turned over."""
        self.orders.append(f"do\t{counter.name}\t{FLIP}")
        counter.states ^= {face_state(self.game, self.game.units[counter.unit])} & set(self.game.states)

    def mark(self, counter: Counter, state: str) -> None:
        """A unit put in a state, if it isn't in it."""
        if state in counter.states:
            return
        if state in loose_states(self.game):
            self.toggle(counter, state)
        elif state == face_state(self.game, self.game.units[counter.unit]):
            self.flip(counter)

    def toggle(self, counter: Counter, state: str) -> None:
        """A state that a badge shows, on or off."""
        self.orders.append(f"do\t{counter.name}\t{state_key(loose_states(self.game).index(state))}")
        counter.states ^= {state}

    def eliminate(self, counter: Counter) -> None:
        """A piece sent to the pile of its side's losses."""
        self.orders.append(f"do\t{counter.name}\t{ELIMINATE}")
        counter.gone = True

    def undo_loss(self, counter: Counter) -> None:
        """A loss that was none: once by the piece's own command, once by undo."""
        self.orders += [f"do\t{counter.name}\t{ELIMINATE}", f"do\t{counter.name}\t{RETURN_TO_PLAY}"]
        self.orders += [f"do\t{counter.name}\t{ELIMINATE}", "undo"]

    def lose_step(self, counter: Counter) -> None:
        """A step lost: by a badge that counts steps, by the back, by the state of a further step; else the piece is gone."""
        unit = self.game.units[counter.unit]
        back_state = face_state(self.game, unit)
        if unit.steps in counted_steps(self.game) and counter.lost_steps + 1 < unit.steps:
            self.orders.append(f"do\t{counter.name}\t{LOSS}")
            counter.lost_steps += 1
        elif unit.steps in counted_steps(self.game) or unit.back is None or unit.steps < 2:
            self.eliminate(counter)
        elif back_state not in counter.states:
            self.flip(counter)
        elif STEP_LOSS in self.game.states and unit.steps > 2 and STEP_LOSS not in counter.states:
            self.toggle(counter, STEP_LOSS)
        else:
            self.eliminate(counter)

    # --- who is where -------------------------------------------------------------------------------------------------

    def on_map(self) -> list[Counter]:
        return [counter for counter in self.counters if counter.at in self.at and not counter.gone]

    def units(self) -> list[Counter]:
        """The units on the map."""
        return [counter for counter in self.on_map() if counter.unit in self.game.units]

    def side(self, counter: Counter) -> str:
        """Whose a piece is in this scenario."""
        nation = self.game.nations.get(counter.nation)
        counter_type = self.game.units.get(counter.unit) or self.game.markers[counter.unit]
        label = counter.group.partition("/")[0]
        return label or (nation.side if nation is not None else getattr(counter_type, "side", ""))

    def enemies(self, counter: Counter, place: Location) -> list[Counter]:
        """The other side's units in a place."""
        return [enemy for enemy in self.units() if enemy.at == place and self.side(enemy) != self.side(counter)]

    def name(self, place: Location) -> str:
        """A place as the assistant is asked for it."""
        table = self.ring.table
        return table.name(place) if isinstance(table, HexMap) and not isinstance(place, str) else str(place)

    def find_place(self, text: str) -> Location | None:
        """The place that the assistant means by a name."""
        table = self.ring.table
        place: Location = table.hex(text) if isinstance(table, HexMap) else text
        return place if place in self.at else None

    def neighbours(self, place: Location) -> list[Location]:
        table = self.ring.table
        adjacent_places: Iterable[Location] = table.adjacent(str(place)) if not isinstance(table, HexMap) else ()
        if not isinstance(place, str) and isinstance(table, HexMap):
            adjacent_places = neighbours(place)
        return [neighbour for neighbour in adjacent_places if neighbour in self.at]

    def squared_distance(self, a: Location, b: Location) -> float:
        """How far two places are from each other, in pixels squared."""
        (_, x, y), (_, right, second_y) = self.at[a], self.at[b]
        return (x - right) ** 2 + (y - second_y) ** 2

    def place(self, location: Location) -> Place:
        return self.at[location]

    # --- saves --------------------------------------------------------------------------------------------------------

    def save(self, name: str) -> Path:
        """The game saved, and the save read back."""
        self.saves += 1
        path = self.folder / f"{self.scenario}-{name}-{self.saves}.vsav"
        self.ask([f"save\t{path}"])
        self.problems += self.read_back(path)
        return path

    def load(self, path: Path) -> None:
        """A save opened in the middle of the game."""
        self.orders.append(f"load\t{path}")
        self.take()

    def expected_pieces(self) -> Wanted:
        """Where every piece on the map is, in which states, with how many steps lost."""
        return {
            (counter.unit, counter.copy): (
                counter.at,
                frozenset(counter.states & set(self.game.states)),
                self._lost_steps(counter),
            )
            for counter in self.on_map()
        }

    def _lost_steps(self, counter: Counter) -> int:
        """The steps that a piece has lost, where badges count them or states tell."""
        unit = self.game.units.get(counter.unit)
        if unit is None or unit.steps in counted_steps(self.game):
            return counter.lost_steps
        if unit.back is not None and unit.steps > 1 and STEP_LOSS in self.game.states:
            return len({unit.back_state, STEP_LOSS} & counter.states)
        return 0

    def read_back(self, path: Path) -> Iterator[str]:
        """Where the assistant reads something else from a save or log than was played."""
        if not path.exists():
            yield f"{path.name}: the engine wrote no such file"
            return
        position = read_position(self.game, read_save(path)[0])
        if position.turn != self.turn:
            yield f"{path.name}: turn {position.turn}, not {self.turn}"
        expected_pieces = self.expected_pieces()
        actual_pieces = {
            (piece.unit, piece.copy): (piece.at, piece.states, piece.steps_lost)
            for piece in position.pieces
            if piece.at in self.at
        }
        for key in sorted({*actual_pieces, *expected_pieces}):
            if actual_pieces.get(key) != expected_pieces.get(key):
                yield f"{path.name}: {' '.join(key)} is {actual_pieces.get(key)}, not {expected_pieces.get(key)}"

    # --- turns --------------------------------------------------------------------------------------------------------

    def end_turn(self) -> None:
        """On to the next turn, phase by phase, with the clean-ups of each as the button does them."""
        last_time = self.turn_label
        for _ in range(MOST_PHASES):
            _, self.turn_label, phase = self.ask(["phase"])[-1].split("\t")
            self.clean_ups(phase)
            if last_time not in ("", self.turn_label):
                self.turn += 1
                return
            last_time = self.turn_label
        self.problems.append(f"turn {self.turn} doesn't end")

    def clean_ups(self, name: str) -> None:
        """The clean-ups of a phase: the engine's button, and what it should do to the pieces on the map."""
        sequence = self.game.scenarios[self.scenario].sequence or next(iter(self.game.sequence))
        phase_clean_ups = [
            (phase, clean_up)
            for key, phase_name, phase, clean_up in all_clean_ups(self.game)
            if phase_name == name and key == sequence
        ]
        if phase_clean_ups:
            self.orders.append(f"hotkey\t{CLEAN_UP_KEY}")
        for phase, clean_up in phase_clean_ups:
            for unit in self.units() if clean_up.clear else ():
                is_exempt = clean_up.unless and clean_up.unless in unit.states
                if clean_up.clear in unit.states and not is_exempt and self._applies_to(unit, phase, clean_up):
                    unit.states.remove(clean_up.clear)

    def _applies_to(self, counter: Counter, phase: Phase, clean_up: CleanUp) -> bool:
        """Whether a clean-up is for a unit."""
        side, first = clean_up.side or phase.side, self.game.scenarios[self.scenario].first
        unit = self.game.units[counter.unit]
        anybody = side in ("", "both", "neither", self.side(counter))
        is_right_side = {"first": self.side(counter) == first, "second": self.side(counter) != first}.get(side, anybody)
        return is_right_side and (not clean_up.of or bool({unit.id, unit.class_} & set(clean_up.of)))
