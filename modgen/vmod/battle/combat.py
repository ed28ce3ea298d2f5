"""Battles in the module, translated from the pack's declared attacks.

A player marks attackers and defenders and changes the conditions that differ from the default. A battle is then a row
of keystrokes: the map tells the targets' place, units take their answers, then values are worked out in the pack's order (counting over
units what a formula needs just before it), then strengths, totals and column; the chat tells all of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from modgen.vmod.battle import attack_rules, chances, nearby_units
from modgen.vmod.battle.attack_expressions import (
    UNITS,
    BattleTranslator,
    apply_modifiers,
    checked_formula,
    format_units,
    modifiers_of,
    round_strength,
    summed_up,
    translate_formula,
)
from modgen.vmod.battle.beanshell import (
    ATOM,
    OR,
    RANGE_SUFFIX,
    JavaExpression,
    Untranslatable,
    column_of,
    number_of,
    text_of,
)
from modgen.vmod.battle.conditions import conditions
from modgen.vmod.battle.places import (
    CROSSED_PROPERTY,
    HEXSIDE_PROPERTY,
    ON_MAP,
    OWN_PLACE,
    SOURCES,
    TARGET,
    crossings,
    hexside_expression,
    in_play,
    place,
    place_slots,
    to_target,
)
from modgen.vmod.battle.rolls import code_of, entries, throw
from modgen.vmod.files.buttons import (
    ENGINE_PROPERTIES,
    Buttons,
    all_units,
    change,
    choose,
    matching,
    menu,
    plain_text,
    press,
    prop,
    set_to,
)
from modgen.vmod.files.keys import UNMARKED
from modgen.vmod.files.xml import XmlPart
from modgen.vmod.maps.icons import icon
from modgen.vmod.pieces.fighting import COUNT_KEY, DISMISS, IS_MARKED, LARGEST, LIST_KEY, SMALLEST, TELL, TOTAL
from modgen.vmod.pieces.traits import named_key
from modgen.vmod.sight import battle_sight
from modgen.vmod.sight.sight_tables import READS, read_here
from modgen.vmod.text import battle_reports
from scenarios.expressions.syntax import Aggregate
from scenarios.model.attacks import AttackInput
from scenarios.model.game import Game

FORGET, LOCATE = named_key("forget"), named_key("locate")
MAX_GROUPS = 4
"""With more attacks than this, the Battle menu has one submenu for odds and one for attacks."""
ANYBODY = matching("Role", "[12]", "MATCH")
"""Matches all attackers and defenders."""
MARKS, STAY, GO = "MarksAfter", "stay", "come off"
"""Whether marks stay after an attack, so that the same units can roll again."""
MARKS_ENTRY = "Marks after an attack"
ANYWAY = "Resolve anyway"
"""Rolls the dice for the attack that the module refused last."""
NOT_WAITING = named_key("not-waiting")
"""Clears the refused attack that waits for a player to resolve it anyway."""


def of_role(role: int) -> str:
    """The fast match for attackers or for defenders."""
    return matching("Role", str(role))


@dataclass
class BattleSteps:
    """The keystrokes of a battle and what each does."""

    battle: BattleTranslator
    props: list[XmlPart] = field(default_factory=list)
    parts: list[XmlPart] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def value(self, name: str, expression: str) -> None:
        """Compute a value and keep it in a property."""
        self.count_first()
        stroke = named_key(f"{self.battle.key}-{name}")
        self.props.append(prop(self.battle.prop(name), "0", change(stroke, set_to(f"{{{expression}}}"))))
        self.keys.append(stroke)

    def units(self, name: str, group: str, parameters: list[tuple[str, str]], command_key: str = COUNT_KEY) -> None:
        """Let each unit of a group compute values, one unit after the other."""
        self.count_first()
        stroke = named_key(f"{self.battle.key}-{name}-{group}")
        slot_values = [(slot, f"{{{expression}}}") for slot, expression in parameters]
        self.parts.append(all_units(stroke, "", command_key, slot_values, of_role(self.battle.roles[group])))
        self.keys.append(stroke)

    def read(self, name: str, shape: AttackInput) -> None:
        """Let the units on the map that an input asks about answer it."""
        game, stroke = self.battle.game, named_key(f"{self.battle.key}-meant-{name}")
        slot_values = [("Fold", f"{{{nearby_units.worth(game, shape)}}}")]
        self.parts.append(
            all_units(
                stroke,
                nearby_units.units_filter(game, shape),
                nearby_units.fold_key(shape),
                slot_values,
                nearby_units.match(game, shape),
            )
        )
        self.keys += [FORGET, stroke]
        self.value(f"near_{name}", text_of("Best"))

    def count_first(self) -> None:
        """Compute the counts that the formulas translated since the last call need."""
        while self.battle.waiting:
            node = self.battle.waiting.pop(0)
            self.value(self.battle.aggregate_properties[node], self._count_expression(node))

    def _count_expression(self, node: Aggregate) -> str:
        group, name = node.group.name, self.battle.aggregate_properties[node]
        if node.argument is None:
            return self.total(name, group, [], "1")
        of_unit = self.battle.units[group].say(node.argument)
        if node.function in ("largest", "smallest"):
            self.count_first()
            self.keys.append(FORGET)
            self.units(name, group, [("Fold", of_unit.text)], LARGEST if node.function == "largest" else SMALLEST)
            return f'{text_of("Best")}.equals("")?"0":{text_of("Best")}'
        if node.function == "sum":
            return f"{self.total(name, group, [], format_units(of_unit))}/{UNITS}.0"
        flags = "0:1" if node.function == "all" else "1:0"
        return self.total(name, group, [], f"{of_unit.with_level(OR)}?{flags}")

    def total(self, name: str, group: str, parameters: list[tuple[str, str]], addend: str) -> str:
        """Let each unit of a group compute values and add one of them up.

        Returns an expression for the total, a whole number.
        """
        self.count_first()
        self.keys.append(FORGET)
        self.units(name, group, [*parameters, ("Fold", addend)], TOTAL)
        return f'({text_of("Best")}.equals("")?0:{number_of("Best")})'


def location_steps(game: Game) -> Buttons:
    """The steps that find the target and everybody's distance from it."""
    copy, location = named_key("locate-copy"), place(game)
    own_place = text_of(OWN_PLACE) if place_slots(game) else location
    props = [
        prop("Best", "", change(FORGET, set_to(""))),
        prop(TARGET, "", change(copy, set_to(f"{{{text_of('Best')}}}"))),
    ]
    removal_line = battle_reports.line(
        f'{battle_reports.piece_and_place()}+" isn\'t on the map and is no longer marked."', battle_reports.WARNING
    )
    parts = [
        all_units(
            named_key("locate-away"), f"{{!({in_play(game)})}}", DISMISS, [("Told", f"{{{removal_line}}}")], ANYBODY
        ),
        all_units(named_key("locate-target"), f"{{{ON_MAP}}}", IS_MARKED, [("Fold", f"{{{own_place}}}")], of_role(2)),
        all_units(named_key("locate-hexes"), "", COUNT_KEY, [("Hexes", f"{{{to_target(game)}}}")], ANYBODY),
    ]
    keystrokes = [named_key("locate-away"), FORGET, named_key("locate-target"), copy, named_key("locate-hexes")]
    if place_slots(game):
        place_values = [(OWN_PLACE, f'{{{ON_MAP}?{location}:""}}')]
        parts.append(all_units(named_key("locate-places"), "", COUNT_KEY, place_values, of_role(2)))
        keystrokes.insert(1, named_key("locate-places"))
    if nearby_units.asks_attackers(game):
        source_place = f'{{{ON_MAP}?{location}:";;;;;;"}}'
        parts.append(all_units(named_key("locate-sources"), "", LIST_KEY, [("Fold", source_place)], of_role(1)))
        props.append(prop(SOURCES, "", change(named_key("locate-from"), set_to(f"{{{text_of('Best')}}}"))))
        keystrokes += [FORGET, named_key("locate-sources"), named_key("locate-from")]
    if crossings(game):
        crossing_values = [
            (HEXSIDE_PROPERTY, f"{{{hexside_expression(game)}}}"),
            ("Fold", f'{{{text_of(HEXSIDE_PROPERTY)}+";"}}'),
        ]
        parts.append(all_units(named_key("locate-sides"), "", IS_MARKED, crossing_values, of_role(1)))
        props.append(prop(CROSSED_PROPERTY, "", change(named_key("locate-crossed"), set_to(f"{{{text_of('Best')}}}"))))
        keystrokes += [FORGET, named_key("locate-sides"), named_key("locate-crossed")]
    if read_here(game):
        (sight_props, commands), keys = battle_sight.sight_steps(game, FORGET)
        props, parts, keystrokes = [*props, *sight_props], [*parts, *commands], [*keystrokes, *keys]
    return props, [*parts, press("Locate", keystrokes, stroke=LOCATE)]


def translate_attack(game: Game, key: str) -> Buttons:
    """The properties and buttons of one attack. Raises Untranslatable if the engine can't express it."""
    battle = BattleTranslator(game, key)
    steps = BattleSteps(battle, keys=[LOCATE])
    _answers(battle, steps)
    words, attack = battle.words, battle.attack
    for name, formula in attack.values.items():
        steps.value(f"own_{name}", translate_formula(words, formula))
    if place_values := battle.place_values():
        steps.units("places", attack.defenders, place_values)
    for group in attack.groups:
        _strengths(battle, steps, group)
    _totals(battle, steps)
    steps.value(
        "failure",
        f"{battle_reports.sizes(battle)}+{battle_reports.violations_text(words, [r for r in attack.requires if not r.to])}",
    )
    everybody = ANYBODY if len(battle.roles) > 1 else of_role(1)
    refusal_key = named_key(f"{key}-refused-units")
    fold = [("Fold", f'{{{text_of("Failure")}.equals("")?0:1}}')]
    steps.parts.append(all_units(refusal_key, "", TOTAL, fold, everybody))
    steps.keys += [FORGET, refusal_key]
    allowed_test = (
        f'{text_of(battle.prop("failure"))}.equals("")&&({text_of("Best")}.equals("")||{text_of("Best")}.equals("0"))'
    )
    steps.value("allowed", allowed_test)
    steps.value("unread", battle_reports.unread(battle))
    if thrown_once(battle):
        column, die = text_of(battle.prop("column")), number_of(battle.prop("die"))
        steps.value("likely", chances.key(battle.table, column, die))
    tellers = _tellers(battle, steps)
    return steps.props, [*steps.parts, *tellers]


def _answers(battle: BattleTranslator, steps: BattleSteps) -> None:
    """The answers for the battle and for each unit, from a player's input or from the map."""
    for name, shape in battle.attack.inputs.items():
        if shape.read == "units":
            steps.read(name, shape)
        steps.value(f"in_{name}", battle.answer(name, shape))
    for group, group_shape in battle.attack.groups.items():
        unit_answers = [
            (f"value{i}", battle.answer(n, unit_input, for_unit=True))
            for i, (n, unit_input) in enumerate(group_shape.inputs.items(), 1)
        ]
        if unit_answers:
            steps.units("told", group, unit_answers)


def _strengths(battle: BattleTranslator, steps: BattleSteps, group: str) -> None:
    """What each unit of a group computes: its values, strength, die modifier and violations."""
    attack, shape, words = battle.attack, battle.attack.groups[group], battle.units[group]
    slot_values = [
        (f"value{i}", translate_formula(words, formula))
        for i, formula in enumerate(shape.values.values(), 1 + len(shape.inputs))
    ]
    base = words.say(checked_formula(shape.strength).expression)
    strength = round_strength(apply_modifiers(words, base, modifiers_of(attack, group, "multiply", "add")), shape.round)
    slot_values += [("Base", format_units(base)), ("Strength", format_units(strength))]
    slot_values.append(("Die", summed_up(words, modifiers_of(attack, group, "die"))))
    broken_rules = battle_reports.violations_text(words, [r for r in attack.requires if r.to == group])
    outside = battle_reports.too_far(battle, group)
    of_rules = attack_rules.violations(battle.game, battle.key) if group == attack.attackers else ()
    slot_values.append(("Failure", "+".join(filter(None, (outside, broken_rules, *of_rules)))))
    steps.value(f"sum_{group}", f"{steps.total('units', group, slot_values, text_of('Strength'))}/{UNITS}.0")


def _totals(battle: BattleTranslator, steps: BattleSteps) -> None:
    """Total strengths, the column that they give, shifts and die modifiers."""
    attack, table, words = battle.attack, battle.table, battle.words

    def total(group: str, which: str) -> str:
        units = JavaExpression(number_of(battle.prop(f"sum_{group}")), ATOM)
        return apply_modifiers(words, units, modifiers_of(attack, which, "multiply", "add")).text

    steps.value("attack", total(attack.attackers, "attack"))
    read = number_of(battle.prop("attack"))
    weak = "false"
    if attack.defenders:
        steps.value("defense", total(attack.defenders, "defense"))
        if table.columns.kind in ("odds", "percent"):
            against = number_of(battle.prop("defense"))
            weak = f"Math.abs({against})<{RANGE_SUFFIX}"
            read = f"{read}/{against}{'*100.0' if table.columns.kind == 'percent' else ''}"
    by_name = attack.column is not None and words.column(table, checked_formula(attack.column).expression)
    steps.value("start", by_name or f"{weak}?-1:{column_of(table, read)}")
    steps.value("shift", summed_up(words, modifiers_of(attack, "", "shift")))
    steps.value("die", summed_up(words, modifiers_of(attack, "", "die")))
    start_column, shift = number_of(battle.prop("start")), number_of(battle.prop("shift"))
    last = len(table.columns.labels) - 1
    steps.value("column", f"{start_column}<0?-1:(int)Math.max(0.0,Math.min({last}.0,{start_column}+{shift}))")


def thrown_once(battle: BattleTranslator) -> bool:
    """Whether the attack can have one result for all defenders: always, or where it may have no defenders."""
    return not battle.attack.per_defender or not battle.attack.groups[battle.attack.defenders].at_least


def _tellers(battle: BattleTranslator, steps: BattleSteps) -> list[XmlPart]:
    """The buttons that a player sees, and their reports."""
    attack, table, key = battle.attack, battle.table, battle.key
    title = plain_text(attack.title)
    parts: list[XmlPart] = []
    tell: list[str] = []

    def teller(name: str, report: str) -> None:
        tell.append(named_key(f"{key}-{name}"))
        parts.append(press(f"{title} {name}", [], stroke=tell[-1], report=f"{{{report}}}"))

    heading = f'"<b>{plain_text(battle_reports.with_rule(attack.title, attack.rule))}</b>"+{battle_reports.conditions_line(battle)}'
    teller("begin", battle_reports.line(heading, battle_reports.QUIET))
    for group in attack.groups:
        stroke = named_key(f"{key}-line-{group}")
        tell.append(stroke)
        line_values = [("Told", f"{{{battle_reports.unit_line(battle, group)}}}")]
        if attack.per_defender and group == attack.defenders:
            die = f"{number_of(battle.prop('die'))}+{number_of('Die')}"
            line_values.insert(0, ("Fold", f"{{{chances.key(table, text_of(battle.prop('column')), die)}}}"))
        parts.append(all_units(stroke, "", TELL, line_values, of_role(battle.roles[group])))
    teller("unchecked", battle_reports.unread_line(battle))
    if rule_texts := attack_rules.unchecked(battle.game, key):
        teller("rules", battle_reports.unchecked_line(rule_texts))
    if (
        read_here(battle.game)
        and battle_sight.unchecked_markers(battle.game)
        and any(shape.read in READS for shape in attack.all_inputs)
    ):
        teller("hidden", battle_reports.hidden_line())
    teller("totals", battle_reports.line(battle_reports.summary(battle), battle_reports.QUIET, 1))
    if thrown_once(battle):
        teller("likelihood", battle_reports.chances_line(battle))
    failure = text_of(battle.prop("failure"))
    refusal_line = battle_reports.line(f'"<b>Against the rules:</b> "+{failure}', battle_reports.WARNING, 1)
    teller("refused", f'{failure}.equals("")?"":{refusal_line}')
    assert not battle.waiting
    odds, roll = named_key(f"{key}-odds"), number_of(battle.prop("thrown"))
    keys = [named_key(f"{key}-throw")]
    parts.append(press(f"Odds {title}", [*steps.keys, *tell], text=f"Odds: {title}", stroke=odds))
    steps.props.append(
        prop(battle.prop("thrown"), "1", change(named_key(f"{key}-throw"), set_to(f"{{{throw(table.dice)}}}")))
    )
    column = number_of(battle.prop("column"))
    die = number_of(battle.prop("die"))
    if attack.per_defender:
        unit_roll = number_of("Thrown")
        unit_modifier = f"{die}+{number_of('Die')}"
        unit_values = [("Thrown", throw(table.dice) if attack.rolls == "each" else f"(int){roll}")]
        unit_values.append(("Result", code_of(table, column, f"{unit_roll}+{unit_modifier}")))
        line = f'{battle_reports.piece_and_place()}+": "+{battle_reports.outcome(battle, text_of("Result"), unit_roll, unit_modifier)}'
        unit_values.append(("Told", battle_reports.line(line, battle_reports.RESULT, 1)))
        stroke = named_key(f"{key}-results")
        slot_values = [(slot, f"{{{expression}}}") for slot, expression in unit_values]
        parts.append(all_units(stroke, f"{{{column}>=0}}", TELL, slot_values, of_role(2)))
        keys.append(stroke)
    code, show = battle.prop("code"), named_key(f"{key}-result")
    steps.props.append(
        prop(code, "", change(named_key(f"{key}-code"), set_to(f"{{{code_of(table, column, f'{roll}+{die}')}}}")))
    )
    if thrown_once(battle):
        result = battle_reports.line(battle_reports.outcome(battle, text_of(code), roll, die), battle_reports.RESULT, 1)
        defenders_test = f"{battle.how_many(attack.defenders)}==0" if attack.per_defender else "true"
        parts.append(press(f"{title} result", [], stroke=show, report=f'{{{column}>=0&&{defenders_test}?{result}:""}}'))
        keys += [named_key(f"{key}-code"), show]
    else:
        keys.append(named_key(f"{key}-code"))
    ending_test = f'{{{column}>=0&&!{text_of(MARKS)}.equals("{STAY}")}}'
    parts.append(all_units(named_key(f"{key}-over"), ending_test, UNMARKED, [], ANYBODY))
    keys.append(named_key(f"{key}-over"))
    allowed_test = f'{text_of(battle.prop("allowed"))}.equals("true")'
    resolve, refuse, anyway_key = (named_key(f"{key}-{name}") for name in ("resolve", "refuse", "anyway"))
    steps.props.append(prop(battle.prop("waits"), "", change(named_key(f"{key}-wait"), set_to("true"))))
    steps.props[-1].parts.append(change(NOT_WAITING, set_to("")))
    explanation = f'"The attack breaks the rules and isn\'t resolved. Battle: {ANYWAY} rolls the dice all the same."'
    tell_refused = named_key(f"{key}-tell-refused")
    parts += [
        press(
            f"{title} refused",
            [],
            stroke=tell_refused,
            report=f"{{{battle_reports.line(explanation, battle_reports.WARNING)}}}",
        ),
        press(f"{title} allowed", keys, stroke=resolve, condition=allowed_test),
        press(
            f"{title} not allowed",
            [tell_refused, named_key(f"{key}-wait")],
            stroke=refuse,
            condition=f"!{allowed_test}",
        ),
        press(title, [NOT_WAITING, odds, resolve, refuse], text=f"Attack: {title}", stroke=named_key(f"{key}-fight")),
        press(
            f"{title} anyway",
            [NOT_WAITING, odds, *keys],
            stroke=anyway_key,
            condition=f'{text_of(battle.prop("waits"))}.equals("true")',
        ),
    ]
    return parts


def combat(game: Game) -> tuple[list[XmlPart], list[XmlPart], dict[str, str]]:
    """Properties and buttons of every attack that can be translated, and the reasons why the others can't."""
    props: list[XmlPart] = []
    buttons: list[XmlPart] = []
    done: list[str] = []
    missing: dict[str, str] = {}
    for key in game.attacks:
        try:
            attack_props, attack_buttons = translate_attack(game, key)
        except Untranslatable as error:
            missing[key] = str(error)
            continue
        props += attack_props
        buttons += attack_buttons
        done.append(key)
    if not done:
        return [], [], missing
    condition_props, condition_buttons = conditions(game, done, {*ENGINE_PROPERTIES, *entries(game).values()})
    location_props, locating = location_steps(game)
    end = "End the battle"
    titles = [plain_text(game.attacks[key].title) for key in done]
    odds, fights = ([f"{word}: {title}" for title in titles] for word in ("Odds", "Attack"))
    menu_entries = [*odds, *fights]
    if len(titles) > MAX_GROUPS:
        condition_buttons += [
            *menu("Odds", odds, "Show strengths, shifts and column"),
            *menu("Attack", fights, "Roll the dice"),
        ]
        menu_entries = ["Odds", "Attack"]
    waiting = "||".join(f'{text_of(f"v_{key}_waits")}.equals("true")' for key in done)
    marks_change = change(
        "", choose("After an attack the marks", [GO, STAY]), MARKS_ENTRY, f"|{MARKS_ENTRY}: <b>$newValue$</b>"
    )
    condition_props.append(prop(MARKS, GO, marks_change))
    buttons += [
        *(battle_sight.button(game, LOCATE) if read_here(game) else []),
        *locating,
        all_units(named_key("end-battle"), "", UNMARKED, [], ANYBODY),
        press(
            ANYWAY,
            [named_key(f"{key}-anyway") for key in done],
            text=ANYWAY,
            report=f'{{{waiting}?"|<b>The attack breaks the rules and is resolved anyway.</b>":"|No attack has been refused."}}',
        ),
        press(end, [NOT_WAITING, named_key("end-battle")], text=end, report="|<b>The battle is over.</b>"),
        *condition_buttons,
        *menu(
            "Battle",
            [*menu_entries, ANYWAY, end, MARKS_ENTRY],
            "Mark attackers with Ctrl+A and defenders with Ctrl+B, then choose",
            icon("battle"),
        ),
    ]
    return [*props, *location_props, *condition_props], buttons, missing
