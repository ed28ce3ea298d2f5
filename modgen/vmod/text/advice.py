"""Advice on movement and supply of the selected units, from declared rules and the pieces.

For the rest it shows the assistant's command.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from assistant.questions.question import LISTS
from assistant.questions.registry import questions
from modgen.vmod.battle.beanshell import CHOICE, OR, PRODUCT, SUM, JavaExpression, Translator, Untranslatable, text_of
from modgen.vmod.battle.combat import FORGET
from modgen.vmod.battle.places import ON_MAP
from modgen.vmod.files.buttons import (
    ADVICE,
    Buttons,
    all_units,
    change,
    matching,
    menu,
    plain_text,
    press,
    prop,
    set_to,
)
from modgen.vmod.files.keys import ADVICE_KEY
from modgen.vmod.files.xml import XmlPart
from modgen.vmod.maps.icons import icon
from modgen.vmod.maps.stacking import rule_words
from modgen.vmod.maps.zones import zone_of_control
from modgen.vmod.pieces.fighting import IS_MARKED, TELL, TOTAL
from modgen.vmod.pieces.traits import named_key
from modgen.vmod.setups.setups import setup_file
from modgen.vmod.text.battle_reports import QUIET, WARNING, line, number_text, piece_and_place, text, with_rule
from scenarios.expressions import FLAG, NUMBER, TEXT, ValueType
from scenarios.model.attack_inputs import Formula
from scenarios.model.game import Game
from scenarios.rules.counters import start_text
from scenarios.rules.records import RuleRecord
from scenarios.rules.shapes import Amount, Walk
from scenarios.vassal.geometry import pixels

ENTRIES = dict(zip(("move", "supply", "retreat"), ADVICE, strict=True))
"""The questions of the menu, with their menu texts."""
MENU = "Ask"
TOOLTIP = "Movement, supply and retreat of the selected units, with the assistant's command for the full answer"
IS_SELECTED = matching("Selected", "true")
FILE = "ModuleGameFileName"
"""The engine's property with the name of the file loaded or saved last; for a set-up, its name in the module."""
SAVE = "SAVE.vsav"
PLACES = "AdvicePlace"
"""The property with the place of the selected units, and a star if they are in several places."""
IS_UNIT = f'{{!"".equals({text_of("nation")})&&!"".equals({text_of("unit")})}}'


def save_questions(game: Game) -> list[str]:
    """The questions about units that the assistant answers from a save.

    A game without attacks has none, because its pieces report nothing.
    """
    questions_by_name = questions(game)
    inputs = {
        name: {question_input.name for question_input in questions_by_name[name].inputs}
        for name in ENTRIES
        if game.attacks and name in questions_by_name
    }
    return [
        name
        for name, input_names in inputs.items()
        if input_names >= ({"position"} if name == "supply" else {"unit", "position"})
    ]


def advice(game: Game) -> Buttons:
    """The menu with its commands; empty if the assistant has no answers."""
    question_names = save_questions(game)
    if not question_names:
        return [], []
    names, places, store_key = (named_key(f"advice-{step}") for step in ("names", "places", "kept"))
    copy = f'("".equals({text_of("copy")})?"":"/"+{text_of("copy")})'
    parts = [
        all_units(places, IS_UNIT, IS_MARKED, [("Fold", f"{{{text_of('LocationName')}}}")], IS_SELECTED),
        all_units(names, IS_UNIT, TOTAL, [("Fold", f'{{","+{text_of("unit")}+{copy}}}')], IS_SELECTED),
    ]
    for name in question_names:
        parts += _question(game, name, [FORGET, places, store_key, FORGET, names])
    places_property = prop(PLACES, "", change(store_key, set_to(f"{{{text_of('Best')}}}")))
    return [places_property], [*parts, *menu(MENU, [ENTRIES[name] for name in question_names], TOOLTIP, icon("ask"))]


def _question(game: Game, name: str, first: list[str]) -> list[XmlPart]:
    """The entry of a question: its heading, the report of each unit, the assistant's command."""
    begin, lines, end = (named_key(f"advice-{name}-{step}") for step in ("begin", "lines", "end"))
    facts = moving(game) if name == "move" else supply_expressions(game) if name == "supply" else []
    unit_report = (
        line(f'{piece_and_place()}+": "+String.valueOf({"+".join(facts)}).substring(2)', QUIET, 1) if facts else ""
    )
    return [
        press(f"{ENTRIES[name]}: heading", [], stroke=begin, report=f"{{{_heading(game, name)}}}"),
        *([all_units(lines, IS_UNIT, TELL, [("Told", f"{{{unit_report}}}")], IS_SELECTED)] if unit_report else []),
        press(f"{ENTRIES[name]}: command", [], stroke=end, report=f"{{{_command(game, name)}}}"),
        press(
            ENTRIES[name],
            [*first, begin, *([lines] if unit_report else []), end],
            text=ENTRIES[name],
            stroke=ADVICE_KEY if name == "move" else "",
        ),
    ]


def _heading(game: Game, name: str) -> str:
    heading = f'"|<b>{plain_text(ENTRIES[name])}</b>{plain_text(traces(game)) if name == "supply" else ""}"'
    missing = (f"{test}?{line(text(words), WARNING)}:" for test, words in _missing(game, name).items())
    return "".join(missing) + heading


def _missing(game: Game, name: str) -> dict[str, str]:
    """Tests for a missing selection, each with its message. With no unit selected, the supply question covers all units."""
    if name == "supply":
        return {}
    best, tests = text_of("Best"), dict[str, str]()
    tests[f'{best}.equals("")'] = "First select units: click one, or draw a box around several."
    if name == "move":
        tests[f'{text_of(PLACES)}.endsWith("*")'] = "Select units in one place; only they can move together."
    unit = next(question_input for question_input in questions(game)[name].inputs if question_input.name == "unit")
    if not unit.multiple and unit.kind not in LISTS:
        tests[f'{best}.lastIndexOf(",")>0'] = "Select one unit; units move one by one."
    return tests


def traces(game: Game) -> str:
    """The supply lines that can supply a unit, by their names in the rules."""
    supply = game.rules.supply if game.rules is not None else None
    return (
        ": " + "; ".join(with_rule(trace.text, trace.rule) for trace in supply.traces.values())
        if supply is not None
        else ""
    )


def _command(game: Game, name: str) -> str:
    """An expression for the line with the assistant's command. Without a unit, only supply can be asked."""
    file, best = text_of(FILE), text_of("Best")
    starts = "||".join([f'{file}.equals("")', *(f'{file}.equals("{setup_file(game, key)}")' for key in game.scenarios)])
    quoted_file = f'({file}.contains(" ")?"\\""+{file}+"\\"":{file})'
    has_unit_input = any(question_input.name == "unit" for question_input in questions(game)[name].inputs)
    unit = f'({best}.equals("")?"":" unit="+{best}.substring(1))' if has_unit_input else '""'
    prefix = f'({starts}?"Save the game, then ask the assistant: ":"For the full answer, based on your last save: ")'
    command_line = f'{prefix}+"<b>assistant {name} {game.id} position="+({starts}?"{SAVE}":{quoted_file})+{unit}+"</b>"'
    return "".join(f'{test}?"":' for test in _missing(game, name)) + line(command_line, QUIET, 1)


def words(game: Game) -> Translator:
    """A translator for records about a unit: its fields, the pack's values for it, and the defaults of the question's inputs."""
    base = rule_words(game)
    name_kinds, reads = dict(base.kinds), dict(base.reads)
    translator = Translator(name_kinds, reads, base.tables, base.aggregate)
    rules = game.rules
    for name, rule_input in rules.inputs.items() if rules is not None else ():
        default = {"flag": (FLAG, "false"), "number": (NUMBER, "0"), "text": (TEXT, "")}.get(rule_input.kind)
        if default is not None and not rule_input.state:
            name_kinds[f"input.{name}"], reads[f"input.{name}"] = (
                default[0],
                f'"{plain_text(rule_input.default or default[1])}"',
            )
    for name, counter in rules.counters.items() if rules is not None else ():
        name_kinds[f"counter.{name}"] = {"flag": FLAG, "number": NUMBER, "text": TEXT}[counter.kind]
        reads[f"counter.{name}"] = f'"{plain_text(start_text(counter))}"'
    for name, formula in rules.values.items() if rules is not None else ():
        with suppress(Untranslatable):
            assert formula is not None
            kind, expression = translator.kind(formula.expression), translator.translate(formula.expression)
            name_kinds[name] = ValueType(kind)
            reads[name] = f"({expression})" if kind == "text" else f"String.valueOf({expression})"
    return translator


def moving(game: Game) -> list[str]:
    """Expressions for a unit's movement: whether it may move, its movement points, and the zones of control that it may be in."""
    translator, rules = words(game), game.rules
    expressions: list[str] = []
    reported_texts: set[str] = set()
    for number, walk in enumerate(rules.movement.values() if rules is not None else ()):
        expressions += _move(game, translator, walk, number == 0, reported_texts)
    return [*expressions, *_zones(game)]


def _move(game: Game, translator: Translator, walk: Walk, usual: bool, reported_texts: set[str]) -> list[str]:
    """A unit's report on one kind of move.

    A kind other than the first has a report only if the engine can judge a rule on who makes it.
    A record that the engine can't judge is named once.
    """
    assert game.rules is not None
    amounts = walk.allowance or walk.length
    gates = [record for record in (*game.rules.spread(walk.who), *amounts) if getattr(record, "forbid", False)]
    judged_gates, unjudged_gates = _told_apart(translator, gates)
    start = f"; {plain_text(with_rule((walk.title or 'movement').lower(), walk.rule))}"
    refusal_cases = ""
    for gate, condition in judged_gates:
        reason = f'"{start}: no, {plain_text(with_rule(gate.text, gate.rule))}"' if usual else '""'
        refusal_cases += f"{condition}?{reason}:"
    if not usual and not refusal_cases:
        return []
    try:
        points, reasons, unjudged_amounts = _points(translator, [amount for amount in amounts if not amount.forbid])
    except Untranslatable:
        return [f'({refusal_cases}"")'] if usual and refusal_cases else []
    unjudged_texts = [
        rule_text
        for rule_text in dict.fromkeys(
            plain_text(with_rule(rule_record.text, rule_record.rule))
            for rule_record in (*unjudged_gates, *unjudged_amounts)
            if rule_record.text
        )
        if rule_text not in reported_texts
    ]
    reported_texts.update(unjudged_texts)
    unless = f'+" (not checked: {"; ".join(unjudged_texts)})"' if unjudged_texts else ""
    return [f'({refusal_cases}"{start}: "+{number_text(points)}+{reasons}{unless})']


def _told_apart(
    translator: Translator, records: Iterable[RuleRecord]
) -> tuple[list[tuple[RuleRecord, str]], list[RuleRecord]]:
    """The records whose conditions the engine can judge, each with its condition, and the other records."""
    judged_records: list[tuple[RuleRecord, str]] = []
    unjudged_records: list[RuleRecord] = []
    for record in records:
        try:
            judged_records.append(
                (record, "true" if record.when is None else translator.translate(record.when.expression, OR))
            )
        except Untranslatable:
            unjudged_records.append(record)
    return judged_records, unjudged_records


def _points(translator: Translator, amounts: Sequence[Amount]) -> tuple[str, str, list[RuleRecord]]:
    """Expressions for an amount and for the reasons of its changes, and the records that the engine can't judge."""
    judged_amounts, unjudged_amounts = _told_apart(translator, amounts)
    so_far, reasons = JavaExpression("0.0", SUM), ['""']
    for amount_record, condition in judged_amounts:
        assert isinstance(amount_record, Amount)
        effect: Formula | None = amount_record.set or amount_record.add or amount_record.multiply
        if effect is None:
            raise Untranslatable("a die roll")
        amount = translator.say(effect.expression)
        if amount_record.set is not None:
            so_far = (
                amount
                if amount_record.when is None
                else JavaExpression(f"{condition}?{amount.with_level(CHOICE + 1)}:{so_far.with_level(CHOICE)}", CHOICE)
            )
        elif amount_record.multiply is not None:
            operand = (
                amount.with_level(PRODUCT + 1) if amount_record.when is None else f"({condition}?{amount.text}:1.0)"
            )
            so_far = JavaExpression(f"{so_far.with_level(PRODUCT)}*{operand}", PRODUCT)
        else:
            operand = amount.with_level(PRODUCT) if amount_record.when is None else f"({condition}?{amount.text}:0.0)"
            so_far = JavaExpression(f"{so_far.with_level(SUM)}+{operand}", SUM)
        if amount_record.when is not None and amount_record.text:
            reasons.append(f'({condition}?", {plain_text(with_rule(amount_record.text, amount_record.rule))}":"")')
    if not amounts:
        raise Untranslatable("no amount")
    return so_far.with_level(PRODUCT), "+".join(reasons), unjudged_amounts


def _zones(game: Game) -> list[str]:
    """The number of adjacent enemy units with a zone of control, on a map of hexes."""
    zone = zone_of_control(game)
    if zone is None or not game.boards:
        return []
    formulas = [
        formula for formula in (zone.has, game.rules.present if game.rules is not None else None) if formula is not None
    ]
    try:
        has = "".join(f"&&({words(game).translate(formula.expression)})" for formula in formulas)
    except Untranslatable:
        return []
    grid = pixels(next(iter(game.boards.values())).grid)
    flat = grid.grid.orientation == "flat"
    width, height = (grid.lane, grid.height / 2) if flat else (grid.height / 2, grid.lane)
    distances = [
        f"Math.round(Math.abs(Double.parseDouble({text_of(name)})-Double.parseDouble(@{name}@))/{float(size)})"
        for name, size in (("CurrentX", width), ("CurrentY", height))
    ]
    lanes, rows = distances if flat else reversed(distances)
    enemy = f'!"".equals({text_of("nation")})&&!{text_of("side")}.equals(@side@){has}'
    unit_filter = f"{enemy}&&Math.max({lanes},({lanes}+{rows})/2)==1".replace("\\", "\\\\").replace('"', '\\"')
    # The engine replaces no dollar names here, so the asking unit writes its own place into the filter.
    for name in ("CurrentX", "CurrentY", "side"):
        unit_filter = unit_filter.replace(f"@{name}@", f'\\""+{text_of(name)}+"\\"')
    title = plain_text(zone.title or "zone of control")
    message = f'"; enemy zones next to it: "+CountMap("{{{unit_filter}}}")+" ({title}, {plain_text(zone.rule)})"'
    return [f'({ON_MAP}?{message}:"; not on the map")']


def supply_expressions(game: Game) -> list[str]:
    """Expressions for a unit's supply: whether it needs none, and how it is marked."""
    supply = game.rules.supply if game.rules is not None else None
    if supply is None:
        return []
    translator = words(game)
    judged_records, _ = _told_apart(translator, supply.exempt)
    expressions = [
        f'({condition}?"; needs none, {plain_text(with_rule(record.text, record.rule))}":"")'
        for record, condition in judged_records
    ]
    if supply.out in game.states:
        state_test = f'"true".equals({translator.reads[supply.out]})'
        expressions.append(
            f'({state_test}?"; is":"; isn\'t")+" marked {plain_text(game.states[supply.out].name).lower()}"'
        )
    return expressions
