"""What a turn brings: cease-fires, tanks, reserves."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from assistant.answers import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    Column,
    Line,
    Node,
    Ours,
    Places,
    Table,
    Value,
)
from assistant.games.yom_kippur.asking import ON_ITS_MAP, asked_field, counter, place
from assistant.games.yom_kippur.printed import STEPS, ours, ours_tables
from assistant.games.yom_kippur.reserves import (
    ghq_called,
    last_turn,
    next_check,
    recovery,
    releases,
    replacements,
    tank_steps,
    waiting,
)
from assistant.questions import Input, Question, Told
from scenarios.dice import dice
from scenarios.game import Game

# --- cease-fires ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CeaseFire:
    """One turn's end: the number to throw, its chance, and the chances seen from the first turn asked about."""

    turn: int
    needed: int | None
    chance: Fraction
    first: Fraction
    """That the first cease-fire comes now."""
    second: Fraction
    """That the second comes now, the first having been ignored (1.15b)."""


def cease_fires(game: Game, first: int = 1, last: int | None = None) -> tuple[CeaseFire, ...]:
    """The chance of a cease-fire at the end of each turn (1.15), and of the first and second one overall."""
    track = game.tables["turn_track"]
    column = track.named_column("cease_fire")
    turns = [int(turn) for turn in track.cells if first <= int(turn) <= (last or 99)]
    if not turns and last is not None and str(first) in track.cells:
        raise BadQuestion(f"turn {first} is past the scenario's last turn, {last}")
    if not turns:
        raise BadQuestion(f"the turn track has the turns {', '.join(track.cells)}")
    none, one = Fraction(1), Fraction(0)
    found = []
    for turn in turns:
        cell = track.cell(str(turn), column).code
        needed = None if cell == "NA" else int(cell)
        chance = sum((p for total, p in dice("2d6").items() if needed is not None and total >= needed), Fraction(0))
        found.append(CeaseFire(turn, needed, chance, none * chance, one * chance))
        none, one = none * (1 - chance), one * (1 - chance) + none * chance
    return tuple(found)


def _cease_fire(game: Game, told: Told) -> Answer:
    now, last = 1, None
    if "scenario" in told or "position" in told:
        field = asked_field(game, told)
        now, last = field.position.turn, last_turn(field)
    turns = cease_fires(game, int(told.get("turn", now)), last)
    rows: list[dict[str, Cell]] = [
        {"turn": one.turn, "needed": one.needed, "throw": one.needed and f"{one.needed}+", "chance": Chance(one.chance),
         "first": Chance(one.first), "second": Chance(one.second)}
        for one in turns
    ]  # fmt: skip
    columns = [
        Column("turn", "turn"), Column("needed"), Column("throw", "throw", told=False), Column("chance", "chance"),
        Column("first", "the first one now"), Column("second", "the second now"),
    ]  # fmt: skip
    never = 1 - sum((one.first for one in turns), Fraction())
    return Answer("cease_fire", game.id, [
        Table("turns", columns, rows),
        Value("no_cease_fire", Chance(never), "No cease-fire at all"),
        *ours_tables(game, "turn_track"),
    ])  # fmt: skip


CEASE_FIRE = Question(
    name="cease_fire", about="the chance of a cease-fire turn by turn, from this turn on (1.15)", inputs=ON_ITS_MAP, answer=_cease_fire,
    bare=("scenario",),
)  # fmt: skip


# --- tanks ------------------------------------------------------------------------------------------------------------


def _recovery(game: Game, told: Told) -> Answer:
    field = asked_field(game, told)
    found = recovery(field, int(told["turns"]))
    return Answer("recovery", game.id, [
        Value("dead", list(found.dead), "Dead armor"),
        Table("headquarters", [Column("name", "headquarters that can")], [{"name": name} for name in found.headquarters]),
        Chances("chances", {str(steps): chance for steps, chance in found.chances.items()}, "Steps back"),
        Places("places", {place(field, hex): {} for hex in found.places}, "To be placed in (2.3)"),
        *ours_tables(game, "tank_recovery"),
    ])  # fmt: skip


RECOVERY = Question(
    name="recovery", about="Israeli tank recovery (2.3)", answer=_recovery, bare=("scenario",),
    inputs=(*ON_ITS_MAP, Input(name="turns", about="how many turns ahead", kind="number", least=1, most=12, default=Fraction(1))),
)  # fmt: skip


def _replacement(game: Game, told: Told) -> Answer:
    field = asked_field(game, told)
    steps = int(told.get("steps", tank_steps(field)))
    found = replacements(field)
    rows: list[dict[str, Cell]] = [
        {"unit": counter(one.standing), "place": place(field, one.standing.at), "missing": one.missing, "why": one.reason or None,
         "exploits_again": one.exploits_again, "may_take": 0 if one.reason else min(one.missing, steps)}
        for one in found
    ]  # fmt: skip
    columns = [
        Column("unit", "unit"), Column("place", "hex"), Column("missing", "steps lost"), Column("may_take", "may take"),
        Column("exploits_again", "exploits again (3.1)"), Column("why", "why not"),
    ]  # fmt: skip
    nodes: list[Node] = [Value("steps_left", steps, "Replacement steps left; the dead never come back", "3.7")]
    nodes += [Table("units", columns, rows)]
    nodes += [] if rows else [Line("no Egyptian armor on the map has lost a step")]
    return Answer("replacement", game.id, [*nodes, Ours(ours(game, ((one.standing, STEPS) for one in found)))])


REPLACEMENT = Question(
    name="replacement", about="Egyptian tank step replacements (3.7)", answer=_replacement, bare=("scenario",),
    inputs=(*ON_ITS_MAP, Input(name="steps", about="replacement steps left, where they aren't the scenario's", kind="number")),
)  # fmt: skip


# --- reserves ---------------------------------------------------------------------------------------------------------


def _reserve(game: Game, told: Told) -> Answer:
    field = asked_field(game, told)
    called, found = ghq_called(field), releases(field)
    kept, held = waiting(field, "exploitation_reserve"), waiting(field, "ghq_holding")
    coming = next_check(field) if called and next_check(field) <= last_turn(field) else None
    nodes: list[Node] = [] if kept else [Line("nobody waits in the Exploitation Reserve, so there is no throw for it", "3.4")]
    nodes += [] if held else [Line("nobody waits in the GHQ Reserve", "3.3")]
    if called and (kept or held):
        which = " and ".join(["the GHQ Reserve"] * held + ["the Exploitation Reserve"] * kept)
        when = "with the next Egyptian turn, without a throw" if coming else "no more: no turn is left"
        nodes.append(Line(f"{which} come{'s' * (held != kept)} {when}", "3.3"))
    elif kept and not found:
        nodes.append(Line("there is no throw for the Exploitation Reserve any more: no turn is left", "3.4"))
    if held and not called:
        nodes.append(Line("no Israeli is west of the canal; one who enters or attacks there frees the GHQ Reserve", "3.3"))
    rows: list[dict[str, Cell]] = [{"turn": one.turn, "now": Chance(one.now), "by_now": Chance(one.by_now)} for one in found]
    thrown = kept and not called
    columns = [Column("turn", "turn"), Column("now", "it comes now"), Column("by_now", "by now")] if thrown else [Column("turn")]
    freed: list[dict[str, Cell]] = [{"unit": counter(s), "place": place(field, s.at)} for s in called]
    return Answer("reserve", game.id, [
        *nodes,
        Table("called_by", [Column("unit", "west of the canal"), Column("place", "hex")], freed),
        Value("ghq_turn", coming if held else None, "The GHQ Reserve comes on turn", shown=bool(held and coming)),
        Table("exploitation", columns, rows, "The Exploitation Reserve (3.4)" if thrown and rows else ""),
    ])  # fmt: skip


RESERVE = Question(
    name="reserve", about="when the Egyptian reserves come (3.3, 3.4)", inputs=ON_ITS_MAP, answer=_reserve, bare=("scenario",)
)  # fmt: skip
