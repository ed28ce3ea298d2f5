"""What a turn brings: missiles, cease-fires, tanks, reserves; and how the points stand."""

from __future__ import annotations

from fractions import Fraction

from assistant.answers import (
    Answer,
    Cell,
    Chance,
    Chances,
    Column,
    Counter,
    Line,
    Node,
    Ours,
    Place,
    Places,
    Table,
    Value,
)
from assistant.games.yom_kippur.air_units import air_units
from assistant.games.yom_kippur.chances import cease_fires, suppression
from assistant.games.yom_kippur.field import SIDES, Field, Stand
from assistant.games.yom_kippur.printed import STEPS, ours, ours_tables
from assistant.games.yom_kippur.questions import asked_field, asked_hex
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
from assistant.games.yom_kippur.score import difference, if_ignored, objectives, standing
from assistant.games.yom_kippur.umbrella import umbrellas
from assistant.questions import ON_A_MAP, Input, Question, Told
from assistant.shared.scoring import score_nodes
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.resolve import Location

PAID = Input(name="may_cross_east", about="3.8 is paid for", kind="flag")
ON_ITS_MAP = (*ON_A_MAP, PAID)


def counter(stand: Stand) -> Counter:
    """A unit in an answer."""
    return Counter(stand.key, stand.name)


def place(field: Field, hex: Hex) -> Place:
    """A hex in an answer."""
    return Place(field.ground.table.name(hex))


# --- missiles ---------------------------------------------------------------------------------------------------------


def _sam(game: Game, told: Told) -> Answer:
    field = asked_field(game, told)
    available = int(told.get("available", air_units(field, "israeli")))
    nodes: list[Node] = []
    if "hex" in told:
        hex = asked_hex(field, told["hex"])
        covers = [*umbrellas(field, "egyptian", hex), *umbrellas(field, "israeli", hex)]
        nodes.append(Value("place", place(field, hex), "Hex"))
        nodes.append(Value("covered_by", [counter(s) for s in covers], "Missiles in range", "1.10", shown=bool(covers)))
        nodes += [] if covers else [Line((place(field, hex), ": no missiles in range"), "1.10")]
    else:
        nodes.append(Value("covered_by", [], shown=False))
        rows: list[dict[str, Cell]] = [
            {"unit": counter(s), "place": place(field, s.hex), "range": s.factor("sam_range")}
            for side in SIDES
            for s in field.missiles[side]
        ]
        nodes.append(Table("missiles", [Column("unit", "missiles"), Column("place", "hex"), Column("range", "covers hexes around")], rows))
    choices: list[dict[str, Cell]] = [
        {"allocated": one.allocated, "others": one.others, "chances": {str(n): Chance(c) for n, c in one.chances.items()},
         "expected": one.expected}
        for one in suppression(game, available)
    ]  # fmt: skip
    columns = [
        Column("allocated", "set aside"), Column("others"), Column("chances", "how many others may fly"), Column("expected", "on average"),
    ]  # fmt: skip
    return Answer("sam", game.id, [
        *nodes,
        Value("turn", field.position.turn, "Turn"),
        Value("available", available, "Israeli air units"),
        Table("suppression", columns, choices, "Under the missiles (1.12c)"),
        *ours_tables(game, "sam_suppression", "turn_track"),
    ])  # fmt: skip


SAM = Question(
    name="sam", about="whose missiles cover a hex, and what suppression brings (1.10, 1.12c)", answer=_sam, bare=("scenario",),
    inputs=(
        *ON_ITS_MAP,
        Input(name="hex", about="the hex", kind="place"),
        Input(name="available", about="Israeli air units, where they aren't the turn's", kind="number", most=99),
    ),
)  # fmt: skip


# --- cease-fires ------------------------------------------------------------------------------------------------------


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
        {"unit": counter(one.stand), "place": place(field, one.stand.hex), "missing": one.missing, "why": one.reason or None,
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
    return Answer("replacement", game.id, [*nodes, Ours(ours(game, ((one.stand, STEPS) for one in found)))])


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
    freed: list[dict[str, Cell]] = [{"unit": counter(s), "place": place(field, s.hex)} for s in called]
    return Answer("reserve", game.id, [
        *nodes,
        Table("called_by", [Column("unit", "west of the canal"), Column("place", "hex")], freed),
        Value("ghq_turn", coming if held else None, "The GHQ Reserve comes on turn", shown=bool(held and coming)),
        Table("exploitation", columns, rows, "The Exploitation Reserve (3.4)" if thrown and rows else ""),
    ])  # fmt: skip


RESERVE = Question(
    name="reserve", about="when the Egyptian reserves come (3.3, 3.4)", inputs=ON_ITS_MAP, answer=_reserve, bare=("scenario",)
)  # fmt: skip


# --- points -----------------------------------------------------------------------------------------------------------


def _score(game: Game, told: Told) -> Answer:
    paid = bool(told.get("schnell_abdul") or told.get("may_cross_east"))
    field = asked_field(game, {**told, "may_cross_east": paid})
    control = {asked_hex(field, hex): side for hex, side in told.get("control", {}).items()}
    ignored = {side: int(count) for side, count in told.get("ignored", {}).items()}
    found = standing(field, control=control, ignored=ignored, world_war=told.get("world_war", ""), schnell_abdul=paid)

    def name(spot: Location) -> Place:
        return place(field, spot) if isinstance(spot, Hex) else Place(spot)

    goals = objectives(field)
    held: list[dict[str, Cell]] = [
        {"place": name(hex), "side": side or None, "units": [counter(s) for s in stands]} for hex, (side, stands) in goals.items()
    ]
    ignoring: list[dict[str, Cell]] = [{"who": who, "level": level} for who, level in if_ignored(field, found).items()]
    more = [] if goals else [Line("which hexes give points is ours; the book marks them on its map", "1.15")]
    return Answer("score", game.id, [
        Table("objectives", [Column("place", "hex"), Column("side", "held by"), Column("units", "in supply there")], held),
        *score_nodes(game, found, name),
        Value("difference", difference(found.lines), shown=False),
        Table("if_ignored", [Column("who", "who ignores a cease-fire now"), Column("level", "then")], ignoring),
        *more,
    ])  # fmt: skip


SCORE = Question(
    name="score", about="the points of both sides and the level of victory (1.15)", answer=_score, bare=("scenario",),
    inputs=(
        *ON_ITS_MAP,
        Input(name="control", about="who was last in empty hexes", kind="pairs", values="side", example="33.10:israeli"),
        Input(name="ignored", about="cease-fires ignored", kind="pairs", of="side"),
        Input(name="world_war", about="the side that began it", kind="choice", of="side"),
        Input(name="schnell_abdul", about="3.8 is played", kind="flag"),
    ),
)  # fmt: skip
