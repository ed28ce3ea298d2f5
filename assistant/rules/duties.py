"""Who may attack what, and who must: the question `attacks`."""

from __future__ import annotations

from assistant.answers import Answer, Cell, Column, Line, Node, Section, Several, Table, Value
from assistant.attack import Answer as Odds
from assistant.questions import Input, Question, Told
from assistant.rules.attacking import duties, fought, possible
from assistant.rules.battle import Told as ToldOfBattle
from assistant.rules.battle import battle_of
from assistant.rules.field import Field, Standing
from assistant.rules.odds import side_names
from assistant.rules.placed import asked_field
from assistant.rules.questions import MAP
from scenarios.game import Game


def _attacks(game: Game, told: Told) -> Answer:
    field = asked_field(game, told)
    sides = [told["side"]] if "side" in told else list(field.sides)
    return Answer("attacks", game.id, [Several("sides", [_side(field, side) for side in sides])])


def _side(field: Field, side: str) -> Section:
    rows: list[dict[str, Cell]] = []
    for n, units in possible(field, side).items():
        defenders = [standing for standing in field.by_place[n] if standing.side != side]
        row: dict[str, Cell] = {
            "place": field.place(n),
            "units": [unit.counter for unit in units],
            "defenders": [unit.counter for unit in defenders],
        }
        odds = _odds(field, side, n, units, defenders)
        if odds is not None:
            row |= {"column": odds.column or "no attack", "refused": [str(failure) for failure in odds.refused]}
        rows.append(row)
    columns = [
        Column("place", "at"),
        Column("defenders", "against"),
        Column("units", "who may attack"),
        Column("column", "all together"),
        Column("refused", "but" if any(row.get("refused") for row in rows) else ""),
    ]
    nodes: list[Node] = [Value("side", side, shown=False), Table("attacks", columns, rows)]
    for duty, standing in duties(field, side):
        where = field.place(standing.at)
        verb = "must attack" if duty.attack else "must be attacked"
        nodes.append(Line((standing.counter, " in ", where, f" {verb}: {duty.text}"), duty.rule, "must"))
    if not rows:
        nodes.append(Line("nobody may attack"))
    return Section(nodes, side_names(field.game, field.scenario).get(side, side))


def _odds(field: Field, side: str, n: int, units: tuple[Standing, ...], defenders: list[Standing]) -> Odds | None:
    """What everybody together would attack at, where nothing else has to be told.

    It is the pack's first attack; or, where the rules refuse that, the first that they allow of those that ask for the same.
    """
    first: Odds | None = None
    for key in _alike(field.game):
        try:
            odds = fought(battle_of(field, key, side, (n,), units, defenders, ToldOfBattle({}, {}, {})))
        except ValueError:
            return first
        if not odds.refused:
            return odds
        first = first or odds
    return first


def _alike(game: Game) -> list[str]:
    """The pack's first attack, and the others with its groups and inputs: other tables for the same battle."""
    known = {
        key: (attack.attackers, attack.defenders, frozenset(attack.inputs)) for key, attack in game.attacks.items()
    }
    first = next(iter(known.values()), None)
    return [key for key, shape in known.items() if shape == first]


def attacks_question(game: Game) -> Question | None:
    """The question `attacks`, where a pack says who may attack or must."""
    if game.rules is None or game.rules.attacking is None:
        return None
    side = Input(name="side", about="whose attacks", kind="choice", of="side")
    about = "who may attack what, who must attack, and who must be attacked"
    return Question(name="attacks", about=about, inputs=(side, *MAP), answer=_attacks, bare=("side",))
