"""What the questions of Operation Musketeer have in common: contingents, places and counters in answers, units on the map or off it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.answers import BadQuestion, Counter, Place, Refusal
from assistant.asking import named_place
from assistant.questions import Input, Told, whole
from assistant.rules.amounts import amount
from assistant.rules.asked import Asked
from assistant.rules.field import Field
from assistant.rules.kinds import Kinds, kinds_of, once
from assistant.rules.movement import gate_failures
from assistant.rules.program import Ready
from assistant.rules.questions import FROM, MAP
from assistant.rules.stacking import failures
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.position import Piece, Position

UNIT = Input(name="unit", about="the counter", kind="unit", needed=True)
DISRUPTED = Input(name="disrupted", about="it is disrupted", kind="flag")
PLACED = (UNIT, FROM, DISRUPTED, *MAP)
CONTINGENT = Input(name="nation", about="whose units", kind="choice", of="nation", rows="contingents", example="egypt")


def last_turn(game: Game) -> int:
    """The number of the last turn."""
    return game.turns.count if game.turns and game.turns.count else 1


def asked_turn(game: Game, told: Told, now: int = 1) -> int:
    """The turn that is told."""
    return whole(told, "turn", now, 1, last_turn(game))


def the_kinds(game: Game) -> Kinds:
    """The game's only map, as its rules see it."""
    kinds = kinds_of(game, next(iter(game.scenarios)))
    assert kinds is not None
    return kinds


def empty_field(game: Game) -> Field:
    """The map without pieces."""
    return once(game, _empty_field)


def _empty_field(game: Game) -> Field:
    return Field(the_kinds(game), Position(game.id, next(iter(game.scenarios))))


def the_map(kinds: Kinds) -> HexMap:
    """The map itself."""
    assert isinstance(kinds.map, HexMap)
    return kinds.map


# --- contingents ------------------------------------------------------------------------------------------------------


def _contingents(game: Game) -> Mapping[str, str]:
    field = empty_field(game)
    units = {unit.nation: unit for unit in game.units.values()}
    pieces = {nation: Piece(unit.id, "", nation, field.kinds.places[0]) for nation, unit in units.items()}
    return {nation: field.as_if(piece).fields["contingent"] for nation, piece in pieces.items()}


def contingent(game: Game, nation: str) -> str:
    """The contingent of a nation, as the pack's rules have it (2.6, 7.4)."""
    return once(game, _contingents).get(nation, nation)


def nation_of(game: Game, name: str) -> str:
    """A nation of a contingent, or the nation itself."""
    return next((nation for nation, whose in once(game, _contingents).items() if whose == name), name)


def called(game: Game, name: str) -> str:
    """What a contingent or a nation is called."""
    return game.nations[name].name if name in game.nations else game.tables["contingents"].labels[name]


def ability(game: Game, nation: str, column: str) -> str:
    """What the contingent of a nation can do, by the table of contingents."""
    table = game.tables["contingents"]
    return table.cell(contingent(game, nation), table.named_column(column)).code


def has_special(game: Game, nation: str) -> bool:
    """Whether a nation's contingent has a special command marker; the Arab League has none (7.0)."""
    table = game.tables["escalation"]
    who, use = table.named_column("contingent"), table.named_column("use")
    own = contingent(game, nation)
    return any(table.cell(row, who).code == own and table.cell(row, use).code == "once" for row in table.cells)


def check_special(game: Game, nation: str, played: bool) -> None:
    """Refusal for a special command of a contingent that has none."""
    if played and not has_special(game, nation):
        raise Refusal(f"{game.nations[nation].name} has no special command marker", "7.0")


# --- counters and places ----------------------------------------------------------------------------------------------


def label(game: Game, unit: Unit) -> str:
    """A unit beside those of other nations: Israeli 7, Egyptian 4."""
    nation = game.nations[unit.nation]
    return f"{nation.adjective or nation.name} {unit.name}"


def counter(game: Game, unit: Unit, copy: str = "") -> Counter:
    """A unit in an answer; with its copy, where there are several of it."""
    return Counter(f"{unit.id}/{copy}" if copy and unit.count > 1 else unit.id, label(game, unit))


def place(kinds: Kinds, n: int) -> Place:
    """A hex in an answer."""
    return Place(kinds.name(n))


def named_hex(kinds: Kinds, text: str, what: str) -> int:
    """A hex by its number or the name of its place."""
    found = named_place(kinds.map, text, what)
    if found not in kinds.number:
        raise BadQuestion(f"{what} is a hex or a place on the map, not {text!r}")
    return kinds.number[found]


def asked_hex(kinds: Kinds, told: Told, key: str) -> int | None:
    """The hex that is told; None where nothing is."""
    return named_hex(kinds, told[key], key) if key in told else None


def crowding(game: Game, units: Sequence[Unit]) -> tuple[Ready, ...]:
    """The demands on stacking that units of one side in one hex don't meet (12.1, 12.2, 12.5)."""
    field = empty_field(game)
    pieces = [Piece(unit.id, str(number), unit.nation, field.kinds.places[0]) for number, unit in enumerate(units)]
    standings = [field.as_if(piece) for piece in pieces]
    return failures(field, field.walker(standings[0]), 0, (), standings)


def flak_near(field: Field, target: int, side: str) -> bool:
    """Whether an AAA unit of a side is in a hex or next to it (24.1)."""
    near = (target, *(n for n, _ in field.kinds.near(target)))
    return any(standing.fields["flak"] for n in near for standing in field.stack(n, side))


def pursuit_hexes(game: Game, unit: str) -> int:
    """How many hexes a unit pursues (17.2); a static one doesn't (17.5)."""
    field = empty_field(game)
    walk = next(iter(field.program.rules.advance.values()))
    walker = field.off_map(game.units[unit])
    refused = gate_failures(field, field.program.ready(walk.who), Asked(field, walker, {"start": 0}, {}))
    return 0 if refused else int(amount(field, walk.length, walker, start=0).most)
