"""What a turn brings: cease-fires, tanks, reserves."""

from __future__ import annotations

from fractions import Fraction

from assistant.assumptions import turn_or
from assistant.chances import by_turn, convolve, gather
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import cant_be
from assistant.engine.stacking import failures
from assistant.engine.turn import dice_chances
from assistant.engine.zones import zones_of
from assistant.games.yom_kippur.questions import ON_ITS_MAP, STEPS, able, asked_field, limit, ours
from assistant.games.yom_kippur.supply import in_supply
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    Node,
    PlaceList,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
)
from assistant.questions.question import Input, Inputs, Question
from assistant.unofficial import unofficial_addresses as ours_of
from scenarios.model.game import Game, phases
from scenarios.model.position import Piece
from scenarios.model.tables import span
from scenarios.reading.findings import suggest


def last_turn(field: Field) -> int:
    """The last turn of the scenario, or of the turn track."""
    last = field.scenario.turns.last if field.scenario and field.scenario.turns else None
    return last or len(field.game.tables["turn_track"].cells)


# --- cease-fires ------------------------------------------------------------------------------------------------------


def _cease_fire(game: Game, told: Inputs) -> Answer:
    """The chance of a cease-fire at the end of each turn (1.15), and of the first and second one overall (1.15b)."""
    now, last = 1, None
    if "scenario" in told or "position" in told:
        field = asked_field(game, told)
        now, last = field.position.turn, last_turn(field)
    track, first = game.tables["turn_track"], now if told.keys() & {"scenario", "position"} else turn_or(told, now)
    column = track.named_column("cease_fire")
    turns = [int(turn) for turn in track.cells if first <= int(turn) <= (last or 99)]
    if not turns and last is not None and str(first) in track.cells:
        raise BadQuestion(f"turn {first} is past the scenario's last turn, {last}")
    if not turns:
        raise BadQuestion(f"the turn track has the turns {', '.join(track.cells)}")
    none, ignored = Fraction(1), Fraction(0)
    rows: list[dict[str, Cell]] = []
    for turn in turns:
        cell = track.cell(str(turn), column).code
        needed = None if cell == "NA" else int(cell)
        chance = sum(
            (p for total, p in dice_chances("2d6").items() if needed is not None and total >= needed), Fraction(0)
        )
        rows.append(
            {
                "turn": turn,
                "needed": needed,
                "throw": needed and f"{needed}+",
                "chance": Chance(chance),
                "first": Chance(none * chance),
                "second": Chance(ignored * chance),
            }
        )
        none, ignored = none * (1 - chance), ignored * (1 - chance) + none * chance
    columns = [
        TableColumn("turn", "turn"),
        TableColumn("needed"),
        TableColumn("throw", "throw", for_programs=False),
        TableColumn("chance", "chance"),
        TableColumn("first", "the first one now"),
        TableColumn("second", "the second now"),
    ]
    return Answer(
        "cease_fire",
        game.id,
        [
            RowTable("turns", columns, rows),
            Value("no_cease_fire", Chance(none), "No cease-fire at all"),
            Unofficial(ours_of(game, tables=["turn_track"])),
        ],
    )


CEASE_FIRE = Question(
    name="cease_fire",
    about="the chance of a cease-fire turn by turn, from this turn on (1.15)",
    inputs=ON_ITS_MAP,
    answer=_cease_fire,
    positional=("scenario",),
)


# --- tanks ------------------------------------------------------------------------------------------------------------


def _recovery(game: Game, told: Inputs) -> Answer:
    """Steps of armor that come back in so many turns, this one first, with those who are dead now (2.3).

    A headquarters in supply, east of the canal, out of enemy zones; on it or next to it, out of them too, where armor may stand
    and has room (1.3, 1.4a).
    """
    field = asked_field(game, told)
    kinds, zones, west = (
        field.map_index,
        zones_of(field).coverage("zoc", "egyptian"),
        field.map_index.region("west_of_canal"),
    )
    staffs = [
        s
        for s in able(field, "israeli", "supplies")
        if s.counter.nation == "israel" and s.place not in zones and s.place not in west
    ]
    chiefs = in_supply(field, staffs)
    near = {n for chief in chiefs for n in (chief.place, *(m for m, _ in kinds.neighbours(chief.place)))}
    armor = {
        unit.id: unit for unit in game.units.values() if "pure_armor" in unit.abilities and unit.nation == "israel"
    }
    recovered = field.as_if(Piece(next(iter(armor)), "recovered", "israel", kinds.places[0]))
    places = sorted(
        n for n in near - set(zones) if not field.is_occupied(n, "egyptian") and _has_room(field, recovered, n)
    )
    dead = [armor[p.unit] for p in field.position.pieces if p.at == "box:israeli_dead" and p.unit in armor]
    hurt = sum(s.counter.steps - s.steps for s in field.units_of("israeli") if s.counter.id in armor)
    most = sum(unit.steps for unit in dead) + hurt if places else 0
    table, first = game.tables["tank_recovery"], limit(game, "recovery_first_turn")
    throw = {int(table.results[code].effects["steps"]): p for code, p in table.distribution(0).items()}
    throws = sum(field.position.turn + n >= first for n in range(int(told["turns"])))
    chances = gather(convolve([throw] * throws), lambda steps: min(most, steps))
    return Answer(
        "recovery",
        game.id,
        [
            Value("dead", [unit.name for unit in dead], "Dead armor"),
            RowTable(
                "headquarters",
                [TableColumn("name", "headquarters that can")],
                [{"name": chief.name} for chief in chiefs],
            ),
            *([] if throws else [Sentence(f"there is no recovery before turn {first}", "2.3")]),
            Chances("chances", {str(steps): chance for steps, chance in sorted(chances.items())}, "Steps back"),
            PlaceList("places", {field.place(hex): {} for hex in places}, "To be placed in (2.3)"),
            Unofficial(ours_of(game, tables=["tank_recovery"])),
        ],
    )


def _has_room(field: Field, unit: PlacedUnit, at: int) -> bool:
    """Whether a unit may stand in a hex, and its stack has room for it (1.3, 1.4a)."""
    return not cant_be(field, unit, at) and not failures(field, field.mover(unit), at)


RECOVERY = Question(
    name="recovery",
    about="Israeli tank recovery (2.3)",
    answer=_recovery,
    positional=("scenario",),
    inputs=(
        *ON_ITS_MAP,
        Input(name="turns", about="how many turns ahead", kind="number", minimum=1, maximum=12, default=Fraction(1)),
    ),
)


def _replacement(game: Game, told: Inputs) -> Answer:
    """Egyptian armor that has lost steps and lives (3.7); the ones that would exploit again come first (3.1)."""
    field = asked_field(game, told)
    # Markers in their box, else what the scenario gives.
    markers = sum(piece.at == "box:egyptian_tank_steps" for piece in field.position.pieces)
    left = int(told.get("steps", markers or sum(int(effect.value) for effect in field.in_force("tank_steps"))))
    hurt = [
        s for s in able(field, "egyptian", "pure_armor") if s.counter.nation == "egypt" and s.steps < s.counter.steps
    ]
    rows: list[dict[str, Cell]] = []
    for standing in hurt:
        missing, why = standing.counter.steps - standing.steps, _why_not(field, standing)
        again = "exploits_at_full" in standing.counter.abilities and missing == 1
        rows.append(
            {
                "unit": standing.ref,
                "place": field.place(standing.place),
                "missing": missing,
                "why": why or None,
                "exploits_again": again,
                "may_take": 0 if why else min(missing, left),
            }
        )
    rows.sort(key=lambda row: (bool(row["why"]), not row["exploits_again"], str(row["unit"])))
    columns = [
        TableColumn("unit", "unit"),
        TableColumn("place", "hex"),
        TableColumn("missing", "steps lost"),
        TableColumn("may_take", "may take"),
        TableColumn("exploits_again", "exploits again (3.1)"),
        TableColumn("why", "why not"),
    ]
    nodes: list[Node] = [Value("steps_left", left, "Replacement steps left; the dead never come back", "3.7")]
    nodes += [RowTable("units", columns, rows)]
    nodes += [] if rows else [Sentence("no Egyptian armor on the map has lost a step")]
    return Answer("replacement", game.id, [*nodes, Unofficial(ours(game, ((standing, STEPS) for standing in hurt)))])


def _why_not(field: Field, standing: PlacedUnit) -> str:
    """Why a unit can't have replacements now (3.7)."""
    if zones_of(field).zones_over("zoc", "israeli", standing.place):
        return "it is in an enemy zone of control"
    if "disorganized" in standing.piece.states:
        return "it is disorganized"
    supplied = "out_of_supply" not in standing.piece.states and in_supply(field, [standing])
    return "" if supplied else "it is out of supply"


REPLACEMENT = Question(
    name="replacement",
    about="Egyptian tank step replacements (3.7)",
    answer=_replacement,
    positional=("scenario",),
    inputs=(
        *ON_ITS_MAP,
        Input(name="steps", about="replacement steps left, where they aren't the scenario's", kind="number"),
    ),
)


# --- reserves ---------------------------------------------------------------------------------------------------------


def _phase(field: Field, told: Inputs) -> str:
    """The phase that is told, else the position's; none: nothing says it."""
    phase = str(told.get("phase", field.position.phase))
    if phase and phase not in _order(field):
        raise BadQuestion(f"phase: the turn has no {phase!r}; {suggest(phase, _order(field))}")
    return phase


def _order(field: Field) -> list[str]:
    """The phases of a turn, in order."""
    sequences, scenario = field.game.sequence, field.scenario
    sequence = sequences[scenario.sequence] if scenario and scenario.sequence else next(iter(sequences.values()))
    return [phase.id for phase in phases(sequence)]


def _next_check(field: Field, phase: str) -> int:
    """The turn of the next Egyptian turn's start, where reserves come: this one, unless the phase is past it (1.2)."""
    order = _order(field)
    past = phase in order and order.index(phase) > order.index("egyptian_reserve_release")
    return field.position.turn + past


def releases(field: Field, called: bool, phase: str) -> list[tuple[int, Fraction, Fraction]]:
    """When the Exploitation Reserve comes: by throws, turn by turn (3.4), or surely, where the GHQ Reserve does (3.3).

    None where there is nobody to be freed, or no turn left.
    """
    first, last = _next_check(field, phase), last_turn(field)
    if called:
        return by_turn([(first, Fraction(1))] if first <= last else [])
    special = field.scenario.special if field.scenario else ()
    rolls = next((effect for one in special for effect in one.effects if effect.effect == "reserve_roll"), None)
    chance = field.game.tables["reserve_release"].distribution(0).get("yes", Fraction(0))
    turns = range(first, last + 1) if rolls is not None else ()
    return by_turn(
        (turn, chance * span(rolls.turns if rolls is not None else "").holds(Fraction(turn))) for turn in turns
    )


def _reserve(game: Game, told: Inputs) -> Answer:
    field = asked_field(game, told)
    west = field.map_index.region("west_of_canal")
    called = [standing for standing in field.units_of("israeli") if standing.place in west]
    kept, held = (
        any(p.at == f"box:{box}" for p in field.position.pieces) for box in ("exploitation_reserve", "ghq_holding")
    )
    phase = _phase(field, told)
    check = _next_check(field, phase)
    found = releases(field, bool(called), phase) if kept else []
    coming = check if called and check <= last_turn(field) else None
    nodes: list[Node] = []
    if not phase and (kept or held):
        nodes.append(
            Sentence(f"no phase is told: this is the start of turn {field.position.turn}, before Egypt's half", "3.3")
        )
    nodes += [] if kept else [Sentence("nobody waits in the Exploitation Reserve, so there is no throw for it", "3.4")]
    nodes += [] if held else [Sentence("nobody waits in the GHQ Reserve", "3.3")]
    if called and (kept or held):
        which = " and ".join(["the GHQ Reserve"] * held + ["the Exploitation Reserve"] * kept)
        when = "with the next Egyptian turn, without a throw" if coming else "no more: no turn is left"
        nodes.append(Sentence(f"{which} come{'s' * (held != kept)} {when}", "3.3"))
    elif kept and not found:
        nodes.append(Sentence("there is no throw for the Exploitation Reserve any more: no turn is left", "3.4"))
    if held and not called:
        nodes.append(
            Sentence("no Israeli is west of the canal; one who enters or attacks there frees the GHQ Reserve", "3.3")
        )
    rows: list[dict[str, Cell]] = [
        {"turn": turn, "now": Chance(now), "by_now": Chance(by_now)} for turn, now, by_now in found
    ]
    by_throw = kept and not called
    columns = (
        [TableColumn("turn", "turn"), TableColumn("now", "it comes now"), TableColumn("by_now", "by now")]
        if by_throw
        else [TableColumn("turn")]
    )
    freed: list[dict[str, Cell]] = [{"unit": s.ref, "place": field.place(s.place)} for s in called]
    return Answer(
        "reserve",
        game.id,
        [
            *nodes,
            RowTable("called_by", [TableColumn("unit", "west of the canal"), TableColumn("place", "hex")], freed),
            Value("phase", phase or None, for_people=False),
            Value(
                "ghq_turn", coming if held else None, "The GHQ Reserve comes on turn", for_people=bool(held and coming)
            ),
            RowTable("exploitation", columns, rows, "The Exploitation Reserve (3.4)" if by_throw and rows else ""),
        ],
    )


RESERVE = Question(
    name="reserve",
    about="when the Egyptian reserves come (3.3, 3.4)",
    inputs=(
        *ON_ITS_MAP,
        Input(
            name="phase",
            about="the phase now: from egyptian_movement on, reserves wait for the next turn",
            example="israeli_movement",
        ),
    ),
    answer=_reserve,
    positional=("scenario",),
)
