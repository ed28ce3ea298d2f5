"""A move as a player plans it: hex by hex, with loading, overruns and other work, and what each part costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol

from assistant.answers import BadQuestion
from assistant.games.arab_israeli_wars.canal import bridged, on_bridge
from assistant.games.arab_israeli_wars.forces import CANAL, debouchments, east_bank, level_of
from assistant.games.arab_israeli_wars.hazards import Leg, mine_at
from assistant.games.arab_israeli_wars.movement import (
    HALF,
    ZERO,
    Bar,
    Mover,
    Part,
    Step,
    Steps,
    barred,
    room,
    wrecked,
)
from assistant.games.arab_israeli_wars.questions import hex_of
from assistant.rules.carrying import carry_failures
from assistant.rules.field import Field, Standing
from assistant.rules.kinds import kinds_for
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex, distance, neighbours
from scenarios.position import Piece, Position
from scenarios.reading.findings import instead
from scenarios.resolve import Location

# --- carriers and passengers -----------------------------------------------------------------------------------------


class Seated(Protocol):
    """A piece with its counter, place and states."""

    @property
    def unit(self) -> str: ...

    @property
    def at(self) -> Location | None: ...

    @property
    def states(self) -> frozenset[str]: ...


def seats(game: Game, pieces: Sequence[Seated], advanced: bool) -> dict[int, int]:
    """Who rides with whom, by their places in the list: a passenger lies right under its carrier (Basic V.B.5), so it
    comes after it; where that one is full, with the nearest one before it that has room."""
    aboard: dict[int, list[Unit]] = {}
    found: dict[int, int] = {}
    for place, piece in enumerate(pieces):
        if "loaded" not in piece.states or not isinstance(piece.at, Hex):
            continue
        rider = game.units.get(piece.unit)
        for before in range(place - 1, -1, -1):
            other = pieces[before]
            carrier = game.units.get(other.unit)
            if other.at != piece.at or carrier is None or "loaded" in other.states:
                continue
            riders = aboard.setdefault(before, [])
            if rider is None and "carries_bridge" not in carrier.abilities:
                continue
            if rider is not None and carry_bar(game, carrier, [*riders, rider], advanced):
                continue
            riders += [rider] if rider is not None else []
            found[place] = before
            break
    return found


def with_carrier(rider: frozenset[str], carrier: frozenset[str]) -> frozenset[str]:
    """A passenger's states: it is inverted and dispersed with its carrier (Basic V.B.6.d, V.B.6.e)."""
    return rider | (carrier & {"inverted", "dispersed"})


def carry_bar(game: Game, carrier: Unit, passengers: Sequence[Unit], advanced: bool = True) -> Bar | None:
    """Why a carrier can't have these passengers together, by the pack's demands (Basic V.B.1-4, Advanced I.E.9, II.E, IV.B.2)."""
    scenario, table = next(iter(game.scenario_maps.items()))
    field = Field(kinds_for(game, table, scenario), Position(game.id), readings={"level": "" if advanced else "standard"})
    mine, *load = (field.as_if(Piece(unit.id, "1", "", field.kinds.places[0])) for unit in (carrier, *passengers))
    broken = carry_failures(field, field.walker(mine), [standing.fields for standing in load])
    return Bar(f"{carrier.name}: {broken[0].text}", broken[0].rule) if broken else None


def handling(mover: Mover, passengers: Sequence[Unit]) -> tuple[Fraction, str]:
    """What it costs the carrier to load or unload, and the rule.

    Half the printed allowance for infantry class (Basic V.B.7.c, Standard III.B), all of it for towed guns (V.B.7.d),
    and all of it for helicopters and ferries (Advanced I.E.9.b, IV.B.2.d).
    """
    full = mover.allowance
    if mover.air:
        return full, "Advanced I.E.9.b"
    if mover.has("ferry"):
        return full, "Advanced IV.B.2.d"
    if any("passenger_towed" in one.abilities for one in passengers):
        return full, "Basic V.B.7.d"
    return full * HALF, "Basic V.B.7.c"


def load_bar(field: Field, mover: Mover, hex: Hex, taken: Sequence[Standing], origin: Hex) -> Bar | None:
    """Why these units, standing in `origin`, can't be loaded by a carrier in `hex` (Basic V.B.7, Advanced IV.B.2)."""
    held = [one.unit for one in mover.passengers]
    bar = carry_bar(field.game, mover.unit, [*held, *(one.unit for one in taken)], level_of(field) == "advanced")
    if bar is not None:
        return bar
    if mover.has("ferry"):
        if field.kinds.terrain(hex) != CANAL:
            return Bar("a ferry carries only while it is in the canal", "Advanced IV.B.2.b")
        if origin not in debouchments(field, hex):
            return Bar("the passenger starts in one of the two bank hexes of the cut", "Advanced IV.B.2.d")
        if mover.hex != hex:
            return Bar("the ferry starts its turn in the canal hex", "Advanced IV.B.2.d")
    elif origin != hex:
        return Bar("passenger and carrier must be in one hex", "Basic V.B.7.a")
    if any({"inverted", "dispersed", "loaded"} & one.piece.states for one in taken):
        return Bar("a passenger must be face up to load", "Basic V.B.7.e")
    return None


def unload_bar(field: Field, mover: Mover, hex: Hex, put: Sequence[Standing], to: Hex) -> Bar | None:
    """Why these passengers can't be put down in `to` by a carrier in `hex` (Basic V.B.7, V.B.8; Advanced I.E.9.c)."""
    for one in put:
        if "dispersed" in one.piece.states:
            return Bar("a dispersed passenger can't unload", "Basic V.B.7.e")
        if "inverted" in one.piece.states and not ("special_infantry" in one.unit.abilities and level_of(field) == "advanced"):
            return Bar("a passenger must be face up to unload", "Basic V.B.7.e, Advanced II.A.3")
    if mover.has("ferry"):
        if to not in debouchments(field, hex):
            return Bar("a ferry unloads into one of its two bank hexes", "Advanced IV.B.2.e")
    elif to != hex:
        return Bar("a passenger is put down in the carrier's own hex", "Basic V.B.7.b")
    carrier = field.as_if(mover.standing.piece._replace(at=hex, states=frozenset()))
    after = field if mover.air or mover.has("ferry") else field.changed(come=[carrier])
    for one in put:
        standing = field.as_if(one.piece._replace(at=to, states=one.piece.states - {"loaded"}))
        bar = _put_bar(after, standing, to)
        if bar is not None:
            return bar
        after = after.changed(come=[standing])
    return None


def _put_bar(field: Field, standing: Standing, hex: Hex) -> Bar | None:
    """Why a unit may not stand in a hex next to those already there."""
    if field.kinds.terrain(hex) != CANAL:
        return room(field, standing, hex)
    if not bridged(field, hex) or barred(field, hex, standing.side):
        return Bar("it can't be put down in the canal", "Standard VI.A.1")
    if wrecked(field, hex) or on_bridge(field, hex, standing.side):
        return Bar("a canal bridge holds one stacking point", "Standard VI.D.2")
    return None


def mover_in(field: Field, unit: str, at: Hex | None = None, copy: str = "", quick: bool = False) -> Mover:
    """The unit of a position that is to move, with the passengers and the bridge it carries.

    A loaded piece belongs to the carrier listed before it in the same hex (see `seats`).
    """
    game, position = field.game, field.position
    if unit not in game.units:
        raise BadQuestion(f"no counter of {game.id} is called {unit!r}; {instead(unit, game.units)}")
    fitting = [
        piece for piece in position.pieces
        if piece.unit == unit and copy in ("", piece.copy) and isinstance(piece.at, Hex) and at in (None, piece.at)
    ]  # fmt: skip
    if not fitting:
        known = {piece.unit for piece in position.pieces if piece.unit in game.units and at in (None, piece.at)}
        near = instead(unit, known) if known else "nobody is"
        raise BadQuestion(f"no {unit}{'#' * bool(copy)}{copy} is there in this position; {near} (Basic V.A)")
    piece = fitting[0]
    if len({one.at for one in fitting}) > 1:
        raise BadQuestion(f"there are {len(fitting)} pieces of {unit} on the map; say from which hex")
    aboard = _aboard(game, position, piece)
    riders = tuple(
        field.as_if(one._replace(states=with_carrier(one.states, piece.states))) for one in aboard if one.unit in game.units
    )
    return Mover(field.as_if(piece), riders, any(one.unit == BRIDGE for one in aboard), quick)


def _aboard(game: Game, position: Position, carrier: Piece) -> tuple[Piece, ...]:
    scenario = game.scenarios.get(position.scenario)
    pieces = [piece for piece in position.pieces if piece.at == carrier.at]
    found = seats(game, pieces, scenario is None or scenario.level == "advanced")
    for number, piece in enumerate(pieces):
        if "loaded" in piece.states and number not in found and piece.unit in game.units:
            name = game.units[piece.unit].name
            raise BadQuestion(f"{name} is loaded, and no carrier listed before it there has room for it "
                              "(Basic V.B.1, V.B.5; pairs of missile units Advanced II.E)")  # fmt: skip
    return tuple(pieces[number] for number, mine in found.items() if pieces[mine] is carrier)

# --- what else points are spent on -----------------------------------------------------------------------------------


DeedKind = Literal[
    "quick", "load", "unload", "overrun", "clear_mine", "clear_wreck", "smoke", "lay_mine", "pick_up", "build"
]
DEEDS: tuple[DeedKind, ...] = (
    "quick", "load", "unload", "overrun", "clear_mine", "clear_wreck", "smoke", "lay_mine", "pick_up", "build",
)  # fmt: skip
BRIDGE = "bridge"


class Deed(NamedTuple):
    """Something else than a step that costs points: with which units, or toward which hex."""

    kind: DeedKind
    units: tuple[str, ...] = ()
    hex: Hex | None = None


class State(NamedTuple):
    """A unit in the middle of its move."""

    mover: Mover
    hex: Hex
    spent: Fraction
    taken: int
    """How many hexes it has moved."""
    done: bool


class Doing(NamedTuple):
    """What a deed costs and changes, or why it can't be done."""

    cost: Fraction
    rule: str
    bar: Bar | None = None
    note: str = ""
    after: Mover | None = None
    to: Hex | None = None
    """The hex it moves to as part of the deed."""


def doing(steps: Steps, state: State, deed: Deed) -> Doing:
    """A deed of a unit where it stands."""
    match deed.kind:
        case "quick":
            bar = Bar("it is announced before the unit moves: the first word of the path", "Advanced II.C.2")
            return Doing(ZERO, "Advanced II.C.2", bar)
        case "load":
            return _load_bridge(steps, state) if deed.units == (BRIDGE,) else _load(steps, state, deed)
        case "unload":
            return _unload_bridge(steps, state) if deed.units == (BRIDGE,) else _unload(steps, state, deed)
        case "overrun":
            return _overrun(steps, state, deed)
        case "clear_mine":
            return _clear_mine(steps, state)
        case "clear_wreck":
            return _clear_wreck(steps, state)
        case "smoke":
            return _smoke(steps, state)
        case "lay_mine":
            return _lay_mine(steps, state, deed)
        case "pick_up":
            return _pick_up(steps, state, deed)
        case "build":
            return _build(steps, state)


def _load(steps: Steps, state: State, deed: Deed) -> Doing:
    """Basic V.B.7; ferries Advanced IV.B.2.d; missile teams two at a time Advanced II.E.3."""
    mover, origin = state.mover, deed.hex or state.hex
    there = steps.field.stack(steps.field.kinds.number[origin], mover.side) if origin in steps.field.hex_map else ()
    waiting = [one for one in there if "loaded" not in one.piece.states]
    if not deed.units:
        return Doing(ZERO, "", Bar("say whom it loads, as in load:infantry_egypt", "Basic V.B.7"))
    taken = []
    for wanted in deed.units:
        found = next((one for one in waiting if one.unit.id == wanted and one not in taken), None)
        if found is None:
            return Doing(ZERO, "", Bar(f"there is no {wanted} in {steps.field.hex_map.name(origin)}", "Basic V.B.7.a"))
        taken.append(found)
    cost, rule = handling(mover, [one.unit for one in taken])
    bar = load_bar(steps.field, mover, state.hex, taken, origin)
    after = replace(mover, passengers=(*mover.passengers, *taken))
    return Doing(cost, rule, bar, ", ".join(one.unit.name for one in taken), after)


def _unload(steps: Steps, state: State, deed: Deed) -> Doing:
    """Basic V.B.7 and V.B.8; the passenger is a target together with its carrier (Standard II.E.3.h)."""
    mover, to = state.mover, deed.hex or state.hex
    left = list(mover.passengers)
    put = []
    for wanted in deed.units or tuple(one.unit.id for one in left):
        found = next((one for one in left if one.unit.id == wanted), None)
        if found is None:
            return Doing(ZERO, "", Bar(f"it carries no {wanted}", "Basic V.B.5"))
        left.remove(found)
        put.append(found)
    if not put:
        return Doing(ZERO, "", Bar("it carries nobody", "Basic V.B.5"))
    cost, rule = handling(mover, [one.unit for one in put])
    bar = unload_bar(steps.field, mover, state.hex, put, to)
    return Doing(cost, rule, bar, ", ".join(one.unit.name for one in put), replace(mover, passengers=tuple(left)))


def _load_bridge(steps: Steps, state: State) -> Doing:
    """A bridge on the ground is taken in tow for a whole allowance (Advanced V.D.1, V.D.2)."""
    mover, rule = state.mover, "Advanced V.D"
    bar = _towing_bar(steps, mover)
    if bar is None and mover.bridge:
        bar = Bar("it carries a bridge already", "Advanced V.D")
    elif bar is None and not _overland(steps.field, state.hex):
        bar = Bar("no bridge lies there on the ground", "Advanced V.D")
    return Doing(mover.allowance, rule, bar, "bridge", replace(mover, bridge=True))


def _unload_bridge(steps: Steps, state: State) -> Doing:
    """A bridge is put down for a whole allowance; a PMP only where it goes straight into the canal (Advanced V.D.1)."""
    mover, field, rule = state.mover, steps.field, "Advanced V.D"
    bar = _towing_bar(steps, mover)
    canals = [hex for hex in neighbours(state.hex) if state.hex in debouchments(field, hex) and "trench" in field.markers_at(hex)]
    if bar is None and not mover.bridge:
        bar = Bar("it carries no bridge", "Advanced V.D")
    elif bar is None and mover.has("bridge_transport") and not canals:
        bar = Bar("it unloads only at a cut, into the canal", "Advanced V.D.1")
    return Doing(mover.allowance, rule, bar, "bridge", replace(mover, bridge=False))


def _overland(field: Field, hex: Hex) -> bool:
    """Whether a bridge lies on the ground in a hex: on land, without a trench, not in tow."""
    bridges = [marker for marker in field.markers.get(field.kinds.number[hex], ()) if marker["id"] == BRIDGE]
    land = field.kinds.terrain(hex) != CANAL and "trench" not in field.markers_at(hex)
    return bool(bridges) and land and not any(marker["loaded"] for marker in bridges)


def _towing_bar(steps: Steps, mover: Mover) -> Bar | None:
    if level_of(steps.field) != "advanced":
        return Bar("bridges move overland in the Advanced Rules only", "Advanced V.D")
    return None if mover.has("carries_bridge") else Bar(f"{mover.unit.name} carries no bridges", "Advanced V.D")


def _overrun(steps: Steps, state: State, deed: Deed) -> Doing:
    """Two points next to the enemy (Standard II.D.1.c)."""
    target, rule = deed.hex, "Standard II.D"
    if target is None or distance(state.hex, target) != 1:
        return Doing(ZERO, rule, Bar("say which neighbouring hex is overrun: overrun@HEX", "Standard II.D.2.b"))
    cost = steps.act("overrun", state.hex, target)
    note = steps.field.hex_map.name(target)
    return Doing(ZERO, rule, cost, note) if isinstance(cost, Bar) else Doing(cost, rule, None, note)


def _clear_mine(steps: Steps, state: State) -> Doing:
    """A flail pays half its allowance (Standard VII.B.1.b)."""
    bar = None
    if not state.mover.has("flail"):
        bar = Bar("only flails clear mines as they move", "Standard VII.B.1")
    elif not mine_at(steps.field, state.hex):
        bar = Bar("there is no minefield", "Standard VII.B.1.b")
    return Doing(state.mover.allowance * HALF, "Standard VII.B.1.b", bar)


def _clear_wreck(steps: Steps, state: State) -> Doing:
    """A battle tank pays its whole allowance for one wreck (Neutral Counters Chart, note 6)."""
    rule = "Neutral Counters Chart, note 6"
    bar = None
    if state.mover.unit.class_ != "battle_tank":
        bar = Bar("only battle tanks clear wrecks", rule)
    elif not wrecked(steps.field, state.hex):
        bar = Bar("there is no wreck", rule)
    return Doing(state.mover.allowance, rule, bar)


def _smoke(steps: Steps, state: State) -> Doing:
    """Smoke in the unit's own hex takes the whole allowance (Optional II.B.2)."""
    rule = "Optional II.B.2"
    able = state.mover.has("smoke")
    return Doing(state.mover.allowance, rule, None if able else Bar(f"{state.mover.unit.name} makes no smoke", rule))


def _lay_mine(steps: Steps, state: State, deed: Deed) -> Doing:
    """The minelayer moves one hex for its whole allowance and leaves a mine behind (Optional II.A)."""
    mover, rule = state.mover, "Optional II.A"
    bar = Bar("only the minelayer lays mines", rule) if not mover.has("minelayer") else _mine_bar(steps.field, state.hex)
    return _one_hex(steps, state, deed, rule, bar, "leaves a 1-1 minefield behind")


def _mine_bar(field: Field, hex: Hex) -> Bar | None:
    """Why no mine may lie in a hex (Standard V.E.1; on a canal bridge it may, VI.D.1.d)."""
    works, kind = field.markers_at(hex), field.kinds.terrain(hex)
    if kind == "town" or (kind == CANAL and BRIDGE not in works):
        return Bar("no mine in a town or in the canal", "Standard V.E.1")
    if works & {"fort", "improved_position"} or mine_at(field, hex):
        return Bar("no mine with a fort, an improved position or another mine", "Standard V.E.1.a")
    return None


def _pick_up(steps: Steps, state: State, deed: Deed) -> Doing:
    """A bridge layer takes its bridge up as it drives off (Standard VII.B.2.c)."""
    field, rule = steps.field, "Standard VII.B.2.c"
    bar = None
    if not state.mover.has("bridging"):
        bar = Bar("only bridge layers pick bridges up", rule)
    elif field.kinds.terrain(state.hex) == CANAL or not (BRIDGE in field.markers_at(state.hex) and "trench" in field.markers_at(state.hex)):
        bar = Bar("there is no bridge over a trench on land", rule)
    return _one_hex(steps, state, deed, rule, bar, "picks the bridge up")


def _one_hex(steps: Steps, state: State, deed: Deed, rule: str, bar: Bar | None, note: str) -> Doing:
    """A step to the next hex that takes the whole allowance."""
    full = state.mover.allowance
    if bar is None and deed.hex is None:
        bar = Bar(f"say to which hex: {deed.kind}@HEX", rule)
    if bar is None and (state.taken or state.spent):
        bar = Bar("it takes the whole allowance, from the start of the move", rule)
    if bar is None and deed.hex is not None:
        found = steps.ways(state.hex, deed.hex)
        bar = found if isinstance(found, Bar) else None
    return Doing(full, rule, bar, note, to=deed.hex)


def _build(steps: Steps, state: State) -> Doing:
    """A construction engineer builds for a turn: a cut from its east bank hex, a bridge on the canal (Advanced V.A)."""
    field, rule, bar = steps.field, "Advanced V.A.1", None
    if not state.mover.has("engineer_advanced"):
        bar = Bar("only construction and pontoon engineers build", "Advanced V")
    elif level_of(steps.field) != "advanced":
        bar = Bar("building is an Advanced Rule", "Advanced V")
    elif not (east_bank(field, state.hex) or (field.kinds.terrain(state.hex) == CANAL and BRIDGE in field.markers_at(state.hex))):
        bar = Bar("it builds on the east bank or with a bridge on the canal", "Advanced V.B, V.C.3")
    return Doing(state.mover.allowance, rule, bar, "a turn of building")

# --- the whole plan --------------------------------------------------------------------------------------------------


def read_plan(field: Field, words: Iterable[str]) -> tuple[Hex | Deed, ...]:
    """A plan in words: hexes, and deeds such as quick, load:sagger+sagger, unload@A-H-5, overrun@D-R-7, clear_mine."""
    plan: list[Hex | Deed] = []
    for word in words:
        head, at, place = word.partition("@")
        kind, _, units = head.partition(":")
        deed = next((one for one in DEEDS if one == kind), None)
        if deed is None:
            plan.append(_place(field, word))
        else:
            named = tuple(unit for unit in units.split("+") if unit)
            for unit in named:
                if unit not in field.game.units and unit != BRIDGE:
                    raise BadQuestion(f"no counter is called {unit!r}; {instead(unit, field.game.units)}")
            plan.append(Deed(deed, named, hex_of(field, place) if at else None))
    return tuple(plan)


def _place(field: Field, word: str) -> Hex:
    """The hex of a word that is no deed; where it is neither, both are told."""
    if "-" not in word:
        raise BadQuestion(f"{word!r} is neither a hex nor anything else to do; {instead(word, DEEDS)} (Basic V.A)")
    return hex_of(field, word)


class Spending(NamedTuple):
    """Points spent at once: the unit is in `end` when they are."""

    kind: Literal["move"] | DeedKind
    start: Hex
    end: Hex
    points: Fraction
    total: Fraction
    parts: tuple[Part, ...]
    road: bool = False
    note: str = ""


@dataclass(frozen=True)
class Walk:
    """A legal move, spending by spending."""

    mover: Mover
    """The unit as it began."""
    after: Mover
    """The unit as it ends, with the passengers it has then."""
    points: Fraction
    spendings: tuple[Spending, ...]

    @property
    def spent(self) -> Fraction:
        return self.spendings[-1].total if self.spendings else ZERO

    @property
    def legs(self) -> tuple[Leg, ...]:
        """The spendings as hazards see them."""
        return tuple(Leg(one.start, one.end) for one in self.spendings)


def walk(field: Field, mover: Mover, plan: Sequence[Hex | Deed]) -> Walk:
    """What a planned move costs; BadQuestion with the rule where it isn't allowed (Basic V).

    The road rate is used wherever it is cheaper, unless the plan has an overrun (Standard II.D.2.d).
    """
    steps = Steps(field, mover)
    points = steps.budget
    if isinstance(points, Bar):
        raise BadQuestion(f"{mover.unit.name} stays: {points}")
    roads = not any(isinstance(item, Deed) and item.kind == "overrun" for item in plan)
    state = State(mover, mover.hex, ZERO, 0, False)
    spendings: list[Spending] = []
    for item in plan:
        if state.done:
            raise BadQuestion(f"the move ends in {field.hex_map.name(state.hex)}: {spendings[-1].note or 'overrun'}")
        steps = steps if state.mover is steps.mover else Steps(field, state.mover)
        if isinstance(item, Deed):
            state, one = _deed(steps, state, item, points)
        else:
            state, one = _step(steps, state, item, points, roads)
        spendings.append(one)
    there = field.as_if(state.mover.standing.piece._replace(at=state.hex))
    return Walk(mover, replace(state.mover, standing=there), points, tuple(spendings))


def _step(steps: Steps, state: State, to: Hex, points: Fraction, roads: bool) -> tuple[State, Spending]:
    table = steps.field.hex_map
    found = steps.ways(state.hex, to, not state.taken)
    where = f"{table.name(state.hex)} to {table.name(to) if to in table else 'nowhere'}"
    if isinstance(found, Bar):
        raise BadQuestion(f"{where}: {found}")
    paid = [steps.affordable(way, state.spent, state.taken, points) for way in found if roads or not way.road]
    legal = [step for step in paid if isinstance(step, Step)]
    if not legal:
        raise BadQuestion(f"{where}: {paid[0] if paid else Bar('only the road leads there', 'Standard II.D.2.d')}")
    step = min(legal, key=lambda one: one.cost)
    total = state.spent + step.cost
    one = Spending("move", state.hex, to, step.cost, total, step.parts, step.road, step.note)
    return State(state.mover, to, total, state.taken + 1, step.only), one


def _deed(steps: Steps, state: State, deed: Deed, points: Fraction) -> tuple[State, Spending]:
    name, word = steps.field.hex_map.name(state.hex), deed.kind.replace("_", " ")
    cost, rule, bar, note, after, to = doing(steps, state, deed)
    if bar is None and state.spent + cost > points:
        bar = Bar(f"it takes {cost} points, and {points - state.spent} are left", rule)
    if bar is not None:
        raise BadQuestion(f"{word} in {name}: {bar}")
    total, end = state.spent + cost, to or state.hex
    one = Spending(deed.kind, state.hex, end, cost, total, (Part(word, cost, rule),), False, note)
    return State(after or state.mover, end, total, state.taken + (to is not None), deed.kind == "overrun"), one
