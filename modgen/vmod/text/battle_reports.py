"""What the chat reports of a battle: each unit's strength, totals, column, shifts, die, result and its meaning.

The engine shows a line that begins with a vertical bar as HTML.
"""

from __future__ import annotations

from modgen.vmod.battle import chances
from modgen.vmod.battle.attack_expressions import UNITS, BattleTranslator, modifiers_of, translate_formula
from modgen.vmod.battle.attack_rules import rule_inputs
from modgen.vmod.battle.beanshell import AND, OR, PRODUCT, RANGE_SUFFIX, SIGN, SUM, Translator, number_of, text_of
from modgen.vmod.battle.places import HIDES, SOURCES, TARGET, default, part, place_inputs, reads_targets
from modgen.vmod.battle.rolls import result
from modgen.vmod.files.buttons import plain_text
from modgen.vmod.pieces.faces import lower
from modgen.vmod.pieces.fighting import USUAL, YES
from modgen.vmod.pieces.unit_fields import (
    BACK_FACE,
    BOTH_FACES,
    FRONT_FACE,
    back_test,
    missing_factors,
    missing_mark,
    strength_factors,
)
from modgen.vmod.sight.sight_tables import LAYOUT
from scenarios.expressions.syntax import Binary, Call, Expression, Membership, Name, Number, Unary
from scenarios.model.attacks import AttackInput, Distance, Formula, Modifier, Requirement
from scenarios.model.counters import Marker, Unit
from scenarios.model.game import Game

ATTACK, DEFENSE, WARNING, RESULT, QUIET = "#9c1f14", "#1c4fa0", "#c0261c", "#14602c", "#55524a"
SIGHT_UNKNOWN = f'{text_of(LAYOUT)}.equals("")||{text_of(TARGET)}.equals("")||{text_of(TARGET)}.endsWith("*")'
"""A test of whether sight is unknown: no set-up of this module, no target, or targets in several hexes."""
Effects = list[tuple[Modifier, str, Formula]]


def line(words: str, color: str, indent: int = 0) -> str:
    """An expression for a line of the chat in a color. `words` is already an expression."""
    return f'"|{"&nbsp;" * 3 * indent}<font color={color}>"+{words}+"</font>"'


def text(words: str) -> str:
    """A text of the pack as it is written in an expression."""
    return f'"{plain_text(words)}"'


def number_text(number: str) -> str:
    """An expression for a number as a player reads it."""
    return f'String.valueOf(Math.round({number}*100.0)/100.0+" ").replace(".0 "," ").trim()'


def strength_text(name: str) -> str:
    """An expression for a strength, given in 5040ths, as a player reads it."""
    return number_text(f"{number_of(name)}/{UNITS}.0")


def signed_text(number: str) -> str:
    """An expression for a whole number with its sign."""
    return f'({number}>0?"+":"")+(int)Math.round({number})'


def with_rule(words: str, rule: str) -> str:
    """A reason with its rule."""
    return f"{words} ({rule})" if rule else words


def reasons(words: Translator, effects: Effects, separator: str = ", ") -> str:
    """An expression that lists the modifiers that apply, with their effects."""
    parts = ['""']
    for modifier, effect, amount in effects:
        operand = words.translate(amount.expression, PRODUCT)
        if isinstance(amount.expression, Number):
            value = amount.expression.value
            number = f'"{"" if effect == "multiply" or value < 0 else "+"}{value}"'
        else:
            number = number_text(operand) if effect == "multiply" else f'({operand}>0?"+":"")+{number_text(operand)}'
        reason = f'"{separator}{"x " if effect == "multiply" else ""}"+{number}+" {plain_text(with_rule(modifier.text, modifier.rule))}"'
        tests = [translate_formula(words, modifier.when, AND)] if modifier.when is not None else []
        if not isinstance(amount.expression, Number):
            tests.append(f"Math.abs({operand}{'-1.0' if effect == 'multiply' else ''})>{RANGE_SUFFIX}")
        parts.append(f'({"&&".join(tests)}?{reason}:"")' if tests else f"({reason})")
    return "+".join(parts)


def violations_text(words: Translator, requirements: list[Requirement]) -> str:
    """An expression that lists the requirements that aren't met."""
    parts = [
        f'({translate_formula(words, requirement.that, OR)}?"":{text(with_rule(requirement.text, requirement.rule))}+". ")'
        for requirement in requirements
    ]
    return "+".join(['""', *parts])


def too_far(battle: BattleTranslator, group: str) -> str:
    """An expression for the message about a unit whose distance from the target isn't what the attack declares.

    The unit measures the distance to the first target. If targets are also in other places, any of them counts. On
    hexes the engine counts the targets in range; on points it counts those in the unit's own place.
    """
    distance = battle.attack.required_distance
    if distance is None or group != battle.attack.attackers or (distance.at_least is None and distance.at_most is None):
        return ""
    words, hexes = battle.units[group], text_of("Hexes")
    min_distance, max_distance = (
        None if limit is None else words.translate(limit.expression, SUM)
        for limit in (distance.at_least, distance.at_most)
    )
    tests = [f"{number_of('Hexes')}>={min_distance}-{RANGE_SUFFIX}"] if min_distance is not None else []
    tests += [f"{number_of('Hexes')}<={max_distance}+{RANGE_SUFFIX}"] if max_distance is not None else []
    fits, message = "&&".join(tests), text(with_rule(distance.text, distance.rule)) + '+". "'
    elsewhere = f'{text_of(TARGET)}.endsWith("*")'
    range_test = _several(battle, distance)
    if not range_test:
        return f'({hexes}.equals("")||{elsewhere}?"":{fits}?"":{message})'
    return f'({hexes}.equals("")?"":{elsewhere}?({range_test}?"":{message}):{fits}?"":{message})'


def _several(battle: BattleTranslator, distance: Distance) -> str:
    """A test of whether any of several targets is at the required distance; empty if the engine can't count them."""
    bounds = [None if limit is None else limit.expression for limit in (distance.at_least, distance.at_most)]
    numbers = [int(limit.value) if isinstance(limit, Number) else None for limit in bounds]
    if battle.game.boards and all(limit is None or isinstance(limit, Number) for limit in bounds):
        return f'CountRange({numbers[0] or 0},{999 if numbers[1] is None else numbers[1]},"{{Role==2}}")>0'
    return 'CountLocation("{Role==2}")>0' if not battle.game.boards and numbers[1] == 0 else ""


def sizes(battle: BattleTranslator) -> str:
    """An expression that lists groups with too few or too many units."""
    parts = ['""']
    for group, shape in battle.attack.groups.items():
        number = battle.how_many(group)
        tests = [f"{number}<{shape.at_least}"] if shape.at_least else []
        tests += [f"{number}>{shape.at_most}"] if shape.at_most is not None else []
        span = f"{shape.at_least} or more" if shape.at_most is None else f"{shape.at_least} to {shape.at_most}"
        need = str(shape.at_least) if shape.at_most == shape.at_least else span
        if tests:
            message = f'"{plain_text(shape.title)}: {need} needed, "+(int){number}+" marked. "'
            parts.append(f'({"||".join(tests)}?{message}:"")')
    return "+".join(parts)


def piece_and_place() -> str:
    """An expression for a piece and its place."""
    return f'"<b>"+{text_of("PieceName")}+"</b> ("+{text_of("LocationName")}+")"'


def unit_line(battle: BattleTranslator, group: str) -> str:
    """An expression for a unit's line: its strength from the printed value to the final one, and its violations."""
    words, attack = battle.units[group], battle.attack
    effects = modifiers_of(attack, group, "multiply", "add")
    strength_reasons = reasons(words, effects)
    counts = group in (attack.attackers, attack.defenders)
    total = f'({text_of("Strength")}.equals({text_of("Base")})?"":" = "+{strength_text("Strength")})'
    strength = f"{strength_text('Base')}+{strength_reasons}+{total}"
    die = modifiers_of(attack, group, "die")
    die_text = (
        f'({number_of("Die")}==0?"":"; die "+{signed_text(number_of("Die"))})+{reasons(words, die)}' if die else '""'
    )
    refusal_text = f'({text_of("Failure")}.equals("")?"":" <font color={WARNING}>against the rules: "+{text_of("Failure")}+"</font>")'
    heading = f'{piece_and_place()}+": "+{strength}' if counts else piece_and_place()
    if attack.per_defender and group == attack.defenders:
        likely = chances.chances_expression(attack.table, "Fold")
        refusal_text += f'+({text_of(battle.prop("column"))}.equals("-1")?"":" <i>"+{likely}+"</i>")'
    return line(
        f"{heading}+{die_text}{missing_text(battle, group)}+{refusal_text}",
        ATTACK if battle.roles[group] == 1 else DEFENSE,
        1,
    )


def missing_text(battle: BattleTranslator, group: str) -> str:
    """An expression to append to a unit's line: the factors that its strength reads and it lacks, in the assistant's words."""
    game, formula = battle.game, battle.attack.groups[group].strength
    parts = []
    for factor in strength_factors(game):
        counters: list[Unit | Marker] = [*game.units.values(), *game.markers.values()]
        lacking_faces = {missing_factors(game, counter).get(factor, "") for counter in counters}
        reading_test = None if formula is None else reads_factor(battle.units[group], formula.expression, factor)
        if reading_test is None or not any(lacking_faces):
            continue
        faces = text_of(missing_mark(factor))
        lacks = f'{faces}.equals("{BOTH_FACES}")'
        if lacking_faces & {FRONT_FACE, BACK_FACE}:
            lacks = f'({lacks}||{faces}.equals({back_test(game)}?"{BACK_FACE}":"{FRONT_FACE}"))'
        sentence = f'"; "+{text_of("PieceName")}+" has no {lower(game.factors[factor].name)} factor; it counts as 0"'
        parts.append(f'+({"&&".join(filter(None, (lacks, reading_test)))}?{sentence}:"")')
    return "".join(parts)


def reads_factor(words: Translator, node: Expression, factor: str) -> str | None:
    """A test of whether a formula reads a factor of the unit: empty if it always does, None if it never does."""
    tests: list[str] = []

    def collect(node: Expression, conditions: tuple[str, ...]) -> None:
        match node:
            case Name(name) if name == factor:
                tests.append("&&".join(conditions))
            case Call("if", (condition, consequence, alternative)):
                collect(condition, conditions)
                collect(consequence, (*conditions, words.translate(condition, AND)))
                collect(alternative, (*conditions, f"!{words.translate(condition, SIGN)}"))
            case Binary("and" | "or" as operator, left, right):
                collect(left, conditions)
                guard = words.translate(left, AND) if operator == "and" else f"!{words.translate(left, SIGN)}"
                collect(right, (*conditions, guard))
            case Binary(_, left, right):
                collect(left, conditions)
                collect(right, conditions)
            case Unary(_, operand) | Membership(operand):
                collect(operand, conditions)
            case Call(_, arguments):
                for argument in arguments:
                    collect(argument, conditions)

    collect(node, ())
    if not tests:
        return None
    return "" if "" in tests else f"({'||'.join(dict.fromkeys(tests))})"


def named_so(game: Game, shape: AttackInput, value: str) -> str:
    """An expression for an answer as players call it: the name of a terrain, a hexside or a marker."""
    answers = [answer for choice in shape.choices for answer in (game.terrain if choice == "terrain" else (choice,))]
    names_by_key: dict[str, str] = {}
    for words in (game.markers, game.hexsides, game.terrain):
        names_by_key |= {key: record.name for key, record in words.items()}
    names = {answer: plain_text(names_by_key[answer]) for answer in answers if answer in names_by_key}
    differing_names = {answer: name for answer, name in names.items() if name != answer}
    cases = "".join(f'{value}.equals("{answer}")?"{name}":' for answer, name in differing_names.items())
    return f'({cases}{value}.replace("_"," "))'


def conditions_line(battle: BattleTranslator) -> str:
    """Inputs and map readings that differ from the default; the targets' terrain always."""
    game, attack = battle.game, battle.attack
    parts = ['""']
    if reads_targets(attack):
        missing = '"; no target on the map is marked (Ctrl+B), so its terrain is not read"'
        if any(shape.at == "either" for shape in attack.all_inputs):
            source_place = part(4, SOURCES)
            missing = f'({text_of(SOURCES)}.contains("|;")?"; no target is marked (Ctrl+B): read in "+{source_place}:{missing})'
        note = " (targets are elsewhere too: the conditions are those of this place"
        note += ", but each defender is judged in its own)" if place_inputs(attack) else ")"
        targets_note = f'({text_of(TARGET)}.endsWith("*")?"{note}":"")'
        parts.append(f'({text_of(TARGET)}.equals("")?{missing}:"; target in "+{part(4)}+{targets_note})')
    for name, shape in attack.inputs.items():
        default_answer, value = default(game, shape), text_of(battle.prop(f"in_{name}"))
        shown_so = named_so(game, shape, value)
        title = plain_text(shape.title)
        if shape.kind == "flag":
            condition_text = title if default_answer != "true" else f"not: {title}"
            parts.append(f'({value}.equals("{default_answer}")?"":"; {condition_text}")')
        elif shape.read == "terrain":
            parts.append(f'"; {title}: "+{shown_so}')
        else:
            parts.append(f'({value}.equals("{plain_text(default_answer)}")?"":"; {title}: "+{shown_so})')
    for name, shape in rule_inputs(game, battle.key).items():
        parts.append(f'({text_of(f"told_{name}")}.equals("{YES}")?"; {plain_text(shape.title)}":"")')
    return "+".join(parts)


def unchecked_line(rule_texts: list[str]) -> str:
    """The line with the rules about attackers that the module doesn't check."""
    return line(f'"<i>The module doesn\'t check: {"; ".join(rule_texts)}</i>"', QUIET, 1)


def unread(battle: BattleTranslator) -> str:
    """An expression that lists the inputs that neither the map nor a player gave, with the defaults taken for them."""
    game, parts = battle.game, ['""']
    for name, shape in told_of(battle):
        test = untold(name, shape)
        if test:
            value = default(game, shape)
            answer = {"true": "yes", "false": "no"}.get(value, value) if shape.kind == "flag" else value
            parts.append(f'({test}?"; {plain_text(shape.title)}: {plain_text(answer.replace("_", " "))}":"")')
    return "+".join(parts)


def hidden_line() -> str:
    """A warning that markers on a line may change the sight that the tables of the bare map show; empty if there are none."""
    marker_names = f"{text_of(HIDES)}.substring(2,{text_of(HIDES)}.length())"
    warning = (
        f'"On a line or at its ends: "+{marker_names}+". Sight and cover are shown for the map without pieces; "'
        '+"the assistant includes it."'
    )
    warning_line = line(warning, WARNING, 1)
    return f'{text_of(HIDES)}.equals("")?"":{warning_line}'


def unread_line(battle: BattleTranslator) -> str:
    """The line with the inputs that weren't read; empty if all were."""
    unread_names = text_of(battle.prop("unread"))
    message = line(
        f'"<i>Defaults, not read from the map: "+{unread_names}.substring(2,{unread_names}.length())+"</i>"',
        QUIET,
        1,
    )
    return f'{unread_names}.equals("")?"":{message}'


def told_of(battle: BattleTranslator) -> list[tuple[str, AttackInput]]:
    """Every input of a battle and of its units, each name once."""
    attack = battle.attack
    input_groups = [attack.inputs, *(group.inputs for group in attack.groups.values())]
    return [*{name: shape for group_inputs in input_groups for name, shape in group_inputs.items()}.items()]


def untold(name: str, shape: AttackInput) -> str:
    """A test of whether an answer is only the default; empty if the map always gives it."""
    usual_test = f'{text_of(f"told_{name}")}.equals("{USUAL}")'
    if not shape.read:
        return usual_test
    if shape.read in ("sight", "shielded"):
        return f"{usual_test}&&({SIGHT_UNKNOWN})"
    if shape.read == "hexside":
        return f'{usual_test}&&{text_of(TARGET)}.endsWith("*")'
    near_units = shape.units
    if (
        near_units is not None
        and near_units.within is not None
        and near_units.within.text != "0"
        and shape.at == "attackers"
    ):
        return f'{usual_test}&&{text_of(SOURCES)}.indexOf("#")!={text_of(SOURCES)}.length()-1'
    return ""


def column_name(battle: BattleTranslator, name: str, otherwise: str = "no column", start: str = "") -> str:
    """An expression for the label of a column, after `start`; `otherwise` where the number is of no column."""
    number = text_of(battle.prop(name))
    labels = "".join(
        f'"{i}".equals({number})?"{start}{plain_text(label)}":' for i, label in enumerate(battle.table.columns.labels)
    )
    return f'({labels}"{otherwise}")'


def summary(battle: BattleTranslator) -> str:
    """An expression for totals, column, shifts and die modifiers, with reasons."""
    attack, words = battle.attack, battle.words
    strength = number_text(number_of(battle.prop("attack")))
    parts = [f'"<b>Strength "+{strength}', reasons(words, modifiers_of(attack, "attack", "multiply", "add"), " ")]
    if attack.defenders:
        parts.append(f'" against "+{number_text(number_of(battle.prop("defense")))}')
        parts.append(reasons(words, modifiers_of(attack, "defense", "multiply", "add"), " "))
    reason = (
        "the odds are below the table, or nothing defends" if attack.defenders else "the strength is below the table"
    )
    column = column_name(battle, "column", f". No column: {reason}, so no attack is allowed", ": column ")
    parts.append(f'{column}+"</b>"')
    start, final_column = text_of(battle.prop("start")), text_of(battle.prop("column"))
    parts.append(f'({start}.equals({final_column})?"":"; from "+{column_name(battle, "start")})')
    parts.append(reasons(words, modifiers_of(attack, "", "shift")))
    die = number_of(battle.prop("die"))
    parts.append(f'({die}==0?"":"; die "+{signed_text(die)})')
    parts.append(reasons(words, modifiers_of(attack, "", "die")))
    return "+".join(parts)


def chances_line(battle: BattleTranslator) -> str:
    """An expression for the chances of each result; empty if there is no column."""
    likely = chances.chances_expression(battle.attack.table, battle.prop("likely"))
    message = line(f'"Chances: "+{likely}', QUIET, 1)
    defender_test = f"||{battle.how_many(battle.attack.defenders)}>0" if battle.attack.per_defender else ""
    return f'{text_of(battle.prop("column"))}.equals("-1"){defender_test}?"":{message}'


def outcome(battle: BattleTranslator, code: str, roll: str, modifier: str) -> str:
    """An expression for the roll, its modifiers, the result and its meaning."""
    modifier_text = f'({modifier}==0?"":" "+{signed_text(modifier)}+" = "+(int)Math.round({roll}+{modifier}))'
    start = f'"{battle.table.dice} = "+(int){roll}+{modifier_text}'
    return f'{start}+": "+{result(battle.table, code)}'
