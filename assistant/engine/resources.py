"""What points buy: purchases in the player's order, each as early as the points allow, and why others can't be made.

The question has the name of the resource.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Any

from assistant.chances import gather
from assistant.engine.field import Field
from assistant.engine.forecast import last_turn
from assistant.engine.map_index import program_of
from assistant.engine.notes import Subject, note_nodes
from assistant.engine.placed_units import Mover
from assistant.engine.question_field import asked_field
from assistant.engine.scope import TableCell
from assistant.engine.signatures import places_where
from assistant.engine.turn import acting_side, bounded, turn_phases
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    CounterRef,
    Node,
    PlaceList,
    RowTable,
    Section,
    Sections,
    TableColumn,
    Unofficial,
    Value,
    Warning,
    chances_of,
)
from assistant.questions.question import ON_ANY_MAP, Input, Inputs, Question, counter_input, question_input
from assistant.unofficial import unofficial_addresses
from scenarios.model.attack_inputs import Formula
from scenarios.model.game import Game
from scenarios.rules.records import RuleRecord
from scenarios.rules.resources import PurchaseWay, Resource
from scenarios.rules.shapes import TurnRule

NEVER = "never"


@dataclass(frozen=True)
class Wish:
    """One purchase that the player wants: a unit, or just something to do."""

    unit: str
    way: str
    """The way to buy it; empty where any way will do."""


@dataclass(frozen=True)
class Purchase:
    """A wish that comes true, in a turn and for a price."""

    wish: Wish
    way: str
    purse: str
    turn: int
    price: Fraction


@dataclass
class Plan:
    """What the wishes come to."""

    purchases: list[Purchase] = field(default_factory=list)
    refused: list[tuple[Wish, str, str]] = field(default_factory=list)
    """The wishes that never come true: why not, and the rule."""
    incomes: dict[int, dict[str, Fraction]] = field(default_factory=dict)
    """The points that come in, by turn and counter."""
    spent: dict[int, dict[str, Fraction]] = field(default_factory=dict)
    """The points spent, by turn and counter."""
    left: dict[int, dict[str, Fraction]] = field(default_factory=dict)
    """The points that are left after each turn, by counter."""


class Shop:
    """A resource in a position: what its points buy."""

    def __init__(self, field: Field, name: str) -> None:
        self.field, self.resource = field, field.program.rules.resources[name]
        self.cells: set[TableCell] = set()
        """The table cells that prices rest on."""
        self._pieces = Counter((piece.unit, piece.at) for piece in field.position.pieces)
        self._movers: dict[str, Mover] = {}

    def mover(self, unit: str) -> Mover:
        """Return a unit or marker as rules ask for it; nobody in particular where there is none."""
        if unit not in self._movers:
            counter = self.field.game.units.get(unit)
            if not unit:
                self._movers[unit] = self.anybody(self.resource.side)
            elif counter is not None:
                self._movers[unit] = self.field.off_map(counter)
            else:
                marker = self.field.marker_fields(unit)
                self._movers[unit] = Mover(marker["side"], marker)
        return self._movers[unit]

    def anybody(self, side: str) -> Mover:
        """Return nobody in particular of a side."""
        return Mover(side, {**self.field.unknown_unit.fields, "side": side})

    def value(self, formula: Formula | None, unit: str, field: Field | None = None) -> Any:
        """Return the value of an expression for a unit, and remember the table cells that it rests on."""
        assert formula is not None
        scope = (field or self.field).scope(self.mover(unit), {})
        value = self.field.value_of(formula, scope)
        self.cells |= scope.cells
        return value

    def holds(self, formula: Formula | None, unit: str, field: Field) -> bool:
        """Whether a condition holds for a unit. Without a unit, a condition about units doesn't."""
        if formula is not None and not unit and self.asks_unit(formula):
            return False
        return field.holds(formula, self.mover(unit))

    @cached_property
    def _unit_names(self) -> frozenset[str]:
        return frozenset(self.field.unknown_unit.fields) - {"side"}

    def asks_unit(self, formula: Formula | None) -> bool:
        """Whether an expression asks for something of a unit."""
        return bool(self.field.program.names(formula) & self._unit_names)

    def purse(self, unit: str, field: Field) -> str:
        """Return the counter that pays for a unit; empty if none does."""
        names = self.resource.paid_by.items()
        return next((name for name, formula in names if self.holds(formula, unit, field)), "")

    def stock(self, way: PurchaseWay, unit: str) -> int:
        """Return how many of a unit lie in the boxes of a way."""
        return sum(self._pieces[unit, f"box:{box}"] for box in way.from_)

    def total_stock(self, way: PurchaseWay) -> int | None:
        """Return how many units lie in the boxes of a way that it may buy; None where the position shows no such unit."""
        if not way.from_:
            return None
        kinds = {unit for unit, _ in self._pieces if self._is_of(way, unit)}
        return sum(self.stock(way, unit) for unit in kinds) if kinds else None

    def _is_of(self, way: PurchaseWay, unit: str) -> bool:
        """Whether a way may buy a unit, as far as that depends on the unit."""
        known = unit in self.field.game.units or unit in self.field.game.markers
        records = [record for record in (*self.resource.barred, *way.barred) if self.asks_unit(record.when)]
        return known and not any(self.holds(record.when, unit, self.field) for record in records)

    def bar(self, way: PurchaseWay, unit: str, field: Field) -> RuleRecord | None:
        """Return the record that bars a purchase in a turn."""
        records = (*self.resource.barred, *way.barred)
        return next((record for record in records if self.holds(record.when, unit, field)), None)


# --- buying -----------------------------------------------------------------------------------------------------------


class Buyer:
    """The wishes of a question, bought turn by turn."""

    def __init__(self, shop: Shop, more: Mapping[int, Fraction]) -> None:
        self.shop, self.more = shop, more
        self.resource: Resource = shop.resource
        self.plan = Plan()
        self.bought: Counter[tuple[str, str]] = Counter()
        """How many were bought so far, by way and unit."""
        self.this_turn: Counter[tuple[str, str]] = Counter()

    @property
    def turns(self) -> Sequence[int]:
        """The turns to buy in: from this one to the last where points come in, else this one only."""
        field = self.shop.field
        now, last = field.position.turn, last_turn(field)
        return range(now, last + 1) if any(_income_records(field, self.resource)) and last is not None else [now]

    def buy(self, wishes: Sequence[Wish]) -> Plan:
        """Buy wishes in their order, each as early as the points allow."""
        plan, start = self.plan, self.shop.field
        waiting, reasons = list(wishes), dict[int, tuple[str, str]]()
        points = {name: self._points(name) for name in self.resource.paid_by}
        for turn in self.turns:
            field, self.this_turn = start.on_turn(turn), Counter()
            plan.incomes[turn] = {}
            for name in points:
                before = points[name]
                points[name] = self._with_income(field, name, before)
                plan.incomes[turn][name] = points[name] - before
            free = [record for way in self.resource.ways.values() for record in way.free]
            gifts = {id(record): record.count for record in free}
            spent = dict.fromkeys(points, Fraction(0))
            short: set[str] = set()
            still: list[Wish] = []
            for wish in waiting:
                offer = self._offer(wish, field)
                if isinstance(offer, tuple):
                    reasons[id(wish)] = offer
                    still.append(wish)
                    continue
                gift = next(
                    (r for r in self.resource.ways[offer.way].free if self._is_gift(r, gifts, wish, field)), None
                )
                price = Fraction(0) if gift is not None else offer.price
                # A wish waits for those before it that the same points pay for, unless it is free.
                if gift is None and (
                    offer.purse in short or self._cost(spent[offer.purse] + price) > points[offer.purse]
                ):
                    short.add(offer.purse)
                    reasons[id(wish)] = ("there are too few points", self.resource.rule)
                    still.append(wish)
                    continue
                if gift is not None:
                    gifts[id(gift)] -= 1
                spent[offer.purse] += price
                self.bought[offer.way, wish.unit] += 1
                self.this_turn[offer.way, wish.unit] += 1
                plan.purchases.append(Purchase(wish, offer.way, offer.purse, turn, price))
            waiting = still
            plan.spent[turn] = {name: self._cost(price) for name, price in spent.items()}
            for name, price in plan.spent[turn].items():
                points[name] -= price
            plan.left[turn] = dict(points)
        plan.refused = [(wish, *reasons[id(wish)]) for wish in waiting]
        return plan

    def _cost(self, price: Fraction) -> Fraction:
        return Fraction(ceil(price)) if self.resource.whole_points else price

    def _is_gift(self, record: RuleRecord, gifts: Mapping[int, int], wish: Wish, field: Field) -> bool:
        return gifts[id(record)] > 0 and self.shop.holds(record.when, wish.unit, field)

    def _points(self, name: str) -> Fraction:
        """Return the points that a counter stands for at the start."""
        count = Fraction(self.shop.field.inputs[name])
        if self.resource.spends_up_to is None:
            return count
        return max(Fraction(0), self._limit - count)

    @cached_property
    def _limit(self) -> Fraction:
        return Fraction(self.shop.value(self.resource.spends_up_to, ""))

    def _with_income(self, field: Field, name: str, points: Fraction) -> Fraction:
        """Return the points with what a turn brings, and with what the player says of it."""
        spends = self.resource.spends_up_to is not None
        counter = field.program.rules.counters[name]
        for record, side in _records_of_turn(field, self.resource):
            formula = record.change.get(name)
            count = self._limit - points if spends else points
            mover = Mover(side, field.unknown_unit.fields)
            scope = field.telling(**{name: count}).scope(mover, {})
            if formula is not None and field.holds_of(record.when, scope):
                count = Fraction(bounded(counter, Fraction(field.value_of(formula, scope))))
                self.shop.cells |= scope.cells
                points = self._limit - count if spends else count
        points = max(Fraction(0), points + self.more.get(field.position.turn, 0))
        return min(points, self._limit) if spends else points

    def _offer(self, wish: Wish, field: Field) -> Purchase | tuple[str, str]:
        """Return the purchase that a wish would be in a turn, or why there is none and the rule."""
        ways = self.resource.ways
        names = [wish.way] if wish.way else [name for name, way in ways.items() if way.from_]
        reasons: list[tuple[str, str]] = []
        barred: list[tuple[str, str]] = []
        for name in names:
            bar = self.shop.bar(ways[name], wish.unit, field)
            offer = (bar.text, bar.rule) if bar is not None else self._offer_by(wish, name, field)
            if isinstance(offer, Purchase):
                return offer
            (reasons if bar is None else barred).append(offer)
        return (*reasons, *reversed(barred))[0]

    def _offer_by(self, wish: Wish, name: str, field: Field) -> Purchase | tuple[str, str]:
        shop, way = self.shop, self.resource.ways[name]
        if wish.unit and not way.from_:
            return "no unit is bought this way", way.rule
        stock = shop.stock(way, wish.unit) if wish.unit else shop.total_stock(way)
        taken = self.bought[name, wish.unit] if wish.unit else sum(n for (w, _), n in self.bought.items() if w == name)
        refills = way.refills is not None and bool(wish.unit) and shop.holds(way.refills, wish.unit, field)
        if stock is not None and taken >= stock and not refills:
            return f"the position has {stock or 'none'} of them {self._boxes(way)}", way.rule or self.resource.rule
        for limit in way.limits:
            if shop.holds(limit.when, wish.unit, field) and not (not wish.unit and shop.asks_unit(limit.at_most)):
                before = Fraction(shop.value(limit.before, wish.unit, field)) if limit.before is not None else 0
                count = (self.this_turn if limit.each_turn else self.bought)[name, wish.unit]
                if before + count >= shop.value(limit.at_most, wish.unit, field):
                    return limit.text, limit.rule
        purse = shop.purse(wish.unit, field)
        if not purse:
            return "no points pay for it" if wish.unit else "name the units to buy", self.resource.rule
        return Purchase(wish, name, purse, field.position.turn, Fraction(shop.value(way.price, wish.unit, field)))

    def _boxes(self, way: PurchaseWay) -> str:
        boxes = self.shop.field.map_index.map.boxes
        names = [boxes[box].name if box in boxes else box for box in way.from_]
        return f"in the box {names[0]}" if len(names) == 1 else f"in the boxes {', '.join(names)}"

    def more_of(self, name: str) -> int | None:
        """Return how often a way can still be bought in the first turn; None where that depends on the unit."""
        way, field, shop = self.resource.ways[name], self.shop.field, self.shop
        if shop.asks_unit(way.price):
            return None
        purse, turn = shop.purse("", field), field.position.turn
        if not purse or shop.bar(way, "", field) is not None:
            return 0 if purse else None
        price = Fraction(shop.value(way.price, "", field))
        stock = shop.total_stock(way)
        limits = [] if stock is None else [stock - sum(n for (w, _), n in self.bought.items() if w == name)]
        limits += [int(self.plan.left[turn][purse] / price)] if price else []
        return max(0, min(limits)) if limits else None


def _income_records(field: Field, resource: Resource) -> Iterator[TurnRule]:
    """Yield the records of `turn` that bring points without dice."""
    for record in field.program.rules.turn:
        if not record.roll and not record.each and record.change.keys() & resource.paid_by.keys():
            yield record


def _records_of_turn(field: Field, resource: Resource) -> Iterator[tuple[TurnRule, str]]:
    """Yield the records that bring points in a turn, in the order of its phases, each with the side that acts."""
    records = list(_income_records(field, resource))
    for phase in turn_phases(field.game, field):
        for record in records:
            if phase.id in record.phases:
                yield record, acting_side(field, record, phase)
    for record in records:
        if not record.phases:
            yield record, acting_side(field, record, None)


# --- the question -----------------------------------------------------------------------------------------------------


def resource_questions(game: Game) -> dict[str, Question]:
    """Return the questions about what points buy, by name."""
    return {name: _question(game, name) for name in program_of(game).rules.resources}


def _question(game: Game, name: str) -> Question:
    program = program_of(game)
    resource = program.rules.resources[name]
    ways = tuple(resource.ways)
    unit_ways = tuple(way for way, shape in resource.ways.items() if shape.from_)
    names = program.resource_names(resource)
    inputs = [
        Input(name="wishes", about="units to buy, in this order", kind="units", example="UNIT,2*UNIT"),
        Input(name="way", about="how the units are bought", kind="choice", choices=unit_ways),
    ]
    inputs = inputs if unit_ways else []
    inputs.append(Input(name="plan", about="what else to buy, after the units: how often", kind="pairs", choices=ways))
    inputs.append(
        Input(
            name="more",
            about="points that events give or take, by turn",
            kind="pairs",
            values="text",
            example="3:+4,4:-3",
        )
    )
    counters = [counter_input(key, shape) for key, shape in program.rules.counters.items() if f"counter.{key}" in names]
    told = [question_input(key, shape) for key, shape in program.rules.inputs.items() if f"input.{key}" in names]

    def answer(asked_game: Game, inputs: Inputs) -> Answer:
        return _answer(asked_game, name, inputs)

    title = resource.title[:1].lower() + resource.title[1:]
    return Question(
        name=name,
        about=f"{title}: what they buy" + (f" ({resource.rule})" if resource.rule else ""),
        answer=answer,
        positional=("wishes",) if unit_ways else ("plan",),
        on_map=lambda inputs: False,
        inputs=(*inputs, *counters, *told, *ON_ANY_MAP),
    )


def _answer(game: Game, name: str, inputs: Inputs) -> Answer:
    field = asked_field(game, inputs, set_up=False)
    shop = Shop(field, name)
    buyer = Buyer(shop, _more(inputs))
    plan = buyer.buy(list(_wishes(shop.resource, inputs)))
    ways = [_way_row(buyer, key) for key in shop.resource.ways]
    nodes: list[Node] = [*_refused(game, shop, plan), *_ways_table(ways)]
    nodes += _purchases(game, shop, plan)
    nodes += _points_left(shop, plan)
    nodes += note_nodes(field, shop.resource.notes, [], [Subject(None, shop.mover(""))])
    nodes += _delays(game, shop, plan)
    nodes += _entries(shop)
    cells = sorted({(cell[0], cell[1], cell[2]) for cell in shop.cells if len(cell) == 3})
    return Answer(name, game.id, [*nodes, Unofficial(unofficial_addresses(game, cells=cells))])


def _wishes(resource: Resource, inputs: Inputs) -> Iterator[Wish]:
    for unit_ref in inputs.get("wishes", ()):
        yield from (Wish(unit_ref.id, inputs.get("way", "")) for _ in range(unit_ref.count))
    for way, count in inputs.get("plan", {}).items():
        if count < 0 or count != int(count):
            raise BadQuestion(f"plan: {way} is bought {count} times; write a whole number")
        yield from (Wish("", way) for _ in range(int(count)))


def _more(inputs: Inputs) -> dict[int, Fraction]:
    """Return points by turn, as in 3:+4,4:-3."""
    points = {}
    for turn, text in inputs.get("more", {}).items():
        try:
            points[int(turn)] = Fraction(text)
        except ValueError:
            raise BadQuestion(f"more: {turn}:{text} should be a turn and points, as in 4:-3") from None
    return points


def _counter_ref(game: Game, wish: Wish) -> CounterRef | None:
    if not wish.unit:
        return None
    shape = game.units.get(wish.unit) or game.markers.get(wish.unit)
    return CounterRef(wish.unit, shape.name if shape is not None else wish.unit)


def _label(game: Game, shop: Shop, wish: Wish) -> str:
    return str(_counter_ref(game, wish) or shop.resource.ways[wish.way].title)


def _refused(game: Game, shop: Shop, plan: Plan) -> list[Node]:
    """Say which wishes never come true, and why: equal ones together."""
    counts = Counter(plan.refused)
    rows: list[dict[str, Cell]] = [
        {"unit": _counter_ref(game, wish), "action": wish.way, "count": count, "text": text, "rule": rule}
        for (wish, text, rule), count in counts.items()
    ]
    warnings = [
        Warning(f"not bought: {f'{count} × ' * (count > 1)}{_label(game, shop, wish)}: {text}", rule)
        for (wish, text, rule), count in counts.items()
    ]
    columns = [TableColumn(key) for key in ("unit", "action", "count", "text", "rule")]
    return [*warnings, RowTable("refused", columns, rows)]


def _way_row(buyer: Buyer, name: str) -> dict[str, Cell]:
    """Return one way to spend points: its price, what was bought, how often it can still be bought, and its notes."""
    shop, way = buyer.shop, buyer.resource.ways[name]
    notes = [note for note in way.notes if shop.holds(note.when, "", shop.field)]
    gains = {note.text: Fraction(shop.value(note.amount, "")) for note in notes if note.amount is not None}
    price = None if shop.asks_unit(way.price) else Fraction(shop.value(way.price, ""))
    texts = [way.note, *(f"{note.text}{f': {gains[note.text]}' if note.text in gains else ''}" for note in notes)]
    return {
        "action": name,
        "title": way.title,
        "cost": price,
        "count": sum(count for (key, _), count in buyer.bought.items() if key == name),
        "affordable": buyer.more_of(name),
        "net": None if price is None else sum(gains.values()) - price,
        "note": "; ".join(filter(None, texts)),
        "rule": way.rule,
    }


def _ways_table(rows: list[dict[str, Cell]]) -> list[Node]:
    columns = [TableColumn("action"), TableColumn("title", "what"), TableColumn("cost", "each")]
    columns += [TableColumn("count", "bought"), TableColumn("affordable", "more"), TableColumn("net")]
    columns.append(TableColumn("note", "notes" if any(row["note"] for row in rows) else ""))
    return [RowTable("actions", [*columns, TableColumn("rule")], rows)]


def _purchases(game: Game, shop: Shop, plan: Plan) -> list[Node]:
    rows: list[dict[str, Cell]] = [
        {"unit": _counter_ref(game, buy.wish), "action": buy.way, "turn": buy.turn, "cost": buy.price}
        for buy in plan.purchases
    ]
    columns = [TableColumn(key) for key in ("unit", "action", "turn", "cost")]
    return [RowTable("bought", columns, rows)]


def _points_left(shop: Shop, plan: Plan) -> list[Node]:
    """Say what the purchases cost and what is left: in one turn, or turn by turn."""
    counters, several = shop.field.program.rules.counters, len(plan.left) > 1
    used = {buy.purse for buy in plan.purchases}
    held = shop.purse("", shop.field)
    purses = [name for name in shop.resource.paid_by if name in used or name == held] or list(shop.resource.paid_by)
    rows: list[dict[str, Cell]] = []
    for turn, left in plan.left.items():
        for name in purses:
            buys = [buy for buy in plan.purchases if buy.turn == turn and buy.purse == name]
            rows.append(
                {
                    "turn": turn,
                    "counter": name,
                    "of": counters[name].title,
                    "income": plan.incomes[turn][name],
                    "left": left[name],
                    "purchases": ", ".join(
                        f"{_label(shop.field.game, shop, buy.wish)} ({buy.price or 'free'})" for buy in buys
                    ),
                }
            )
    columns = [
        TableColumn("turn", "turn"),
        TableColumn("counter"),
        TableColumn("of", "points" if len(purses) > 1 else "", for_programs=False),
        TableColumn("income", "come in"),
        TableColumn("left", "left"),
        TableColumn("purchases", "bought", for_programs=False),
    ]
    columns = columns if several else [TableColumn(column.key) for column in columns if column.for_programs]
    nodes: list[Node] = [RowTable("turns", columns, rows)]
    if not several:
        cost = sum((price for price in next(iter(plan.spent.values())).values()), Fraction(0))
        points = sum((next(iter(plan.left.values()))[name] for name in purses), Fraction(0))
        nodes.append(Value("cost", cost, "Cost"))
        nodes.append(Value("left", points, f"Left of {points + cost} in hand"))
    return nodes


def _delays(game: Game, shop: Shop, plan: Plan) -> list[Node]:
    """Say when bought units come, where a roll decides that."""
    names: dict[str, None] = {}
    for buy in plan.purchases:
        way = shop.resource.ways[buy.way]
        if way.delay is not None and buy.wish.unit:
            names[str(shop.value(way.delay, buy.wish.unit))] = None
    sections = []
    for name in names:
        if name not in game.tables:
            raise BadQuestion(f"there is no table {name!r}")
        table = game.tables[name]
        chances = gather(table.distribution(0), lambda code: table.results[code].effects.get("turns", NEVER))  # noqa: B023
        nodes: list[Node] = [
            Value("table", name, for_people=False),
            chances_of("turns", chances, "Turns until a unit comes", {NEVER: "it never comes"}),
        ]
        sections.append(Section(nodes, table.title))
    return [Sections("delays", sections)] if sections else []


def _entries(shop: Shop) -> list[Node]:
    """Say where bought units come onto the map."""
    field, entry = shop.field, shop.field.program.rules.entry
    ways = entry.ways if entry is not None else {}
    sections: list[Section] = []
    for name in dict.fromkeys(way.enters for way in shop.resource.ways.values() if way.enters):
        sides = [shop.resource.side] if shop.resource.side else list(field.game.sides)
        places = {side: places_where(field, ways[name].to, shop.anybody(side)) for side in sides}
        is_same = all(listed == places[sides[0]] for listed in places.values())
        rule = f" ({ways[name].rule})" if ways[name].rule else ""
        for side in sides[:1] if is_same else sides:
            whose = "" if is_same else f", {field.game.sides[side].name}"
            nodes: list[Node] = [Value("way", name, for_people=False)]
            nodes += [] if is_same else [Value("side", side, for_people=False)]
            title = f"{ways[name].title or name}{whose}{rule}"
            nodes.append(PlaceList("places", {field.place(n): {} for n in places[side]}, title))
            sections.append(Section(nodes, ""))
    return [Sections("entries", sections)] if sections else []
