"""Victory: points, the objectives of October 8th, and the level."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assistant.answers import Answer, Cell, Column, Place, Table, Value
from assistant.answers import Line as Sentence
from assistant.games.yom_kippur.asking import ON_ITS_MAP, SIDES, asked_field, asked_hex, counter, effects, place
from assistant.games.yom_kippur.supply import in_supply
from assistant.questions import Input, Question, Told
from assistant.rules.field import Field, Standing
from assistant.rules.scoring import Line, Score, counted, scenario_of, score_nodes
from scenarios.game import Game
from scenarios.reading.shapes import number
from scenarios.resolve import Location, Resolver
from scenarios.scenario import Scenario, Victory


def standing(
    field: Field, *, control: Mapping[int, str] | None = None, ignored: Mapping[str, int] | None = None,
    world_war: str = "", schnell_abdul: bool = False,
) -> Score:  # fmt: skip
    """The score of a position (1.15, 4.5).

    A hex belongs to who stands on it, else to `control`, else to the side whose bank it lies on. `ignored` counts
    cease-fires, `world_war` names the side that began it, `schnell_abdul` is the price of 3.8.
    """
    game, kinds = field.game, field.kinds
    scenario = scenario_of(game, field.position)
    owner = _owners(field, control or {})

    def there(line: Victory) -> tuple[Standing, ...]:
        """The units in supply that a line speaks of."""
        classes = line.who.classes if line.who else ()
        area = areas(field, scenario, line)
        units = [s for s in field.of(line.side) if s.at in area and (not classes or s.unit.class_ in classes)]
        return in_supply(field, units)

    def told(line: Victory) -> int:
        if line.event == "supplied":
            return int(bool(there(line)))
        if line.rule == "1.15b":
            return (ignored or {}).get(line.side, 0)
        return int(line.rule == "1.15c" and world_war == line.side)

    def holds(side: str, spot: Location) -> bool:
        return owner.get(kinds.number.get(spot, -1)) == side

    lines = counted(game, scenario, kinds.map, holds, holds, (), told)
    for effect in effects(field, "may_cross_east") if schnell_abdul else ():
        lines += (Line("israeli", "Egyptian headquarters and SAMs may cross", "3.8", number(effect.value), 1),)
    goals = _goals(scenario)
    if goals:
        winners = [line.side for line in goals if len({s.at for s in there(line)}) >= line.least]
        return Score(lines, f"{game.sides[winners[0]].name} victory" if len(winners) == 1 else "Draw")
    return Score(lines, level(field, difference(lines)))


def _goals(scenario: Scenario) -> list[Victory]:
    return [line for line in scenario.victory if line.wins and line.event == "occupied"]


def areas(field: Field, scenario: Scenario, line: Victory) -> frozenset[int]:
    """The hexes that a line speaks of."""
    places = Resolver(field.kinds.map, dict(scenario.zones)).places(line.at) if line.at is not None else frozenset()
    return frozenset(field.kinds.number[place] for place in places if place in field.kinds.number)


def objectives(field: Field) -> dict[int, tuple[str, tuple[Standing, ...]]]:
    """Each hex that wins the scenario, the side that holds it with units in supply, or none, and those units (4.5)."""
    scenario = scenario_of(field.game, field.position)
    hexes = {hex for line in _goals(scenario) for hex in areas(field, scenario, line)}
    found: dict[int, tuple[str, tuple[Standing, ...]]] = dict.fromkeys(sorted(hexes), ("", ()))
    for hex in hexes:
        for side in SIDES:
            if units := in_supply(field, field.stack(hex, side)):
                found[hex] = side, units
    return found


def difference(lines: tuple[Line, ...]) -> Fraction:
    """Israeli points less Egyptian points (1.15)."""
    return sum((line.points if line.side == "israeli" else -line.points for line in lines), Fraction(0))


def level(field: Field, ahead: Fraction) -> str:
    """What a difference is called (1.15)."""
    table = field.game.tables["victory"]
    column = table.find_column(ahead)
    return table.cell("level", 0 if column is None else column).code


def if_ignored(field: Field, score: Score) -> dict[str, str]:
    """The level there would be if a side, or both, ignored a cease-fire now (1.15b; ruling vp_both)."""
    prices = {line.side: line.each for line in score.lines if line.rule == "1.15b"}
    if set(prices) != set(SIDES):
        return {}
    ahead = difference(score.lines)
    return {
        "israeli": level(field, ahead + prices["israeli"]),
        "egyptian": level(field, ahead - prices["egyptian"]),
        "both": level(field, ahead + prices["israeli"] - prices["egyptian"]),
    }


def _owners(field: Field, control: Mapping[int, str]) -> dict[int, str]:
    number, regions = field.kinds.number, field.kinds.regions
    banks = {"west_of_canal": "egyptian", "east_of_canal": "israeli"}
    owner = {number[hex]: side for region, side in banks.items() for hex in regions[region]} | dict(control)
    return owner | {standing.at: standing.side for standing in field.standings}


# --- the question -----------------------------------------------------------------------------------------------------


def score_answer(game: Game, told: Told) -> Answer:
    """The points of both sides, the objectives, and what ignoring a cease-fire would make of the level."""
    paid = bool(told.get("schnell_abdul") or told.get("may_cross_east"))
    field = asked_field(game, {**told, "may_cross_east": paid})
    control = {asked_hex(field, hex): side for hex, side in told.get("control", {}).items()}
    ignored = {side: int(count) for side, count in told.get("ignored", {}).items()}
    score = standing(field, control=control, ignored=ignored, world_war=told.get("world_war", ""), schnell_abdul=paid)

    def name(spot: Location) -> Place:
        return place(field, field.kinds.number[spot]) if spot in field.kinds.number else Place(str(spot))

    goals = objectives(field)
    held: list[dict[str, Cell]] = [
        {"place": place(field, n), "side": side or None, "units": [counter(s) for s in units]} for n, (side, units) in goals.items()
    ]
    ignoring: list[dict[str, Cell]] = [{"who": who, "level": level} for who, level in if_ignored(field, score).items()]
    more = [] if goals else [Sentence("which hexes give points is ours; the book marks them on its map", "1.15")]
    return Answer("score", game.id, [
        Table("objectives", [Column("place", "hex"), Column("side", "held by"), Column("units", "in supply there")], held),
        *score_nodes(game, score, name),
        Value("difference", difference(score.lines), shown=False),
        Table("if_ignored", [Column("who", "who ignores a cease-fire now"), Column("level", "then")], ignoring),
        *more,
    ])  # fmt: skip


SCORE = Question(
    name="score", about="the points of both sides and the level of victory (1.15)", answer=score_answer, bare=("scenario",),
    inputs=(
        *ON_ITS_MAP,
        Input(name="control", about="who was last in empty hexes", kind="pairs", values="side", example="33.10:israeli"),
        Input(name="ignored", about="cease-fires ignored", kind="pairs", of="side"),
        Input(name="world_war", about="the side that began it", kind="choice", of="side"),
        Input(name="schnell_abdul", about="3.8 is played", kind="flag"),
    ),
)  # fmt: skip
