"""What the chat tells of a battle: each unit's strength, totals, column, shifts, die, result and its meaning.

The engine shows a line that begins with a stroke as HTML.
"""

from __future__ import annotations

from modgen.vmod import chances
from modgen.vmod.battle import UNITS, Battle, chosen, said
from modgen.vmod.beanshell import AND, NEAR, OR, PRODUCT, SUM, Words, number_of, text_of
from modgen.vmod.buttons import bare
from modgen.vmod.fighters import USUAL
from modgen.vmod.places import HIDES, SOURCES, TARGET, default, part, reads_targets
from modgen.vmod.rolls import result
from modgen.vmod.sight import LAYOUT
from scenarios.attacks import Distance, Formula, Input, Modifier, Requirement
from scenarios.expressions.syntax import Number
from scenarios.game import Game

ATTACK, DEFENSE, WARNING, RESULT, QUIET = "#9c1f14", "#1c4fa0", "#c0261c", "#14602c", "#55524a"
SIGHT_UNKNOWN = f'{text_of(LAYOUT)}.equals("")||{text_of(TARGET)}.equals("")||{text_of(TARGET)}.endsWith("*")'
"""A test of whether sight can't be looked up: no set-up of ours, no target, or several hexes."""
Effects = list[tuple[Modifier, str, Formula]]


def line(words: str, color: str, indent: int = 0) -> str:
    """An expression (its text already one) as a line of the chat in a colour."""
    return f'"|{"&nbsp;" * 3 * indent}<font color={color}>"+{words}+"</font>"'


def text(words: str) -> str:
    """A text of the pack in an expression."""
    return f'"{bare(words)}"'


def shown(number: str) -> str:
    """A number as a player reads it."""
    return f'String.valueOf(Math.round({number}*100.0)/100.0+" ").replace(".0 "," ").trim()'


def stored(name: str) -> str:
    """A strength in whole units as a player reads it."""
    return shown(f"{number_of(name)}/{UNITS}.0")


def signed(number: str) -> str:
    """A whole number with its sign."""
    return f'({number}>0?"+":"")+(int)Math.round({number})'


def ruled(words: str, rule: str) -> str:
    """A reason and the rule it stands on."""
    return f"{words} ({rule})" if rule else words


def reasons(words: Words, effects: Effects, before: str = ", ") -> str:
    """An expression that lists the modifiers that apply, with what they do."""
    parts = ['""']
    for modifier, effect, amount in effects:
        by = words.said(amount.expression, PRODUCT)
        if isinstance(amount.expression, Number):
            value = amount.expression.value
            number = f'"{"" if effect == "multiply" or value < 0 else "+"}{value}"'
        else:
            number = shown(by) if effect == "multiply" else f'({by}>0?"+":"")+{shown(by)}'
        told = (
            f'"{before}{"x " if effect == "multiply" else ""}"+{number}+" {bare(ruled(modifier.text, modifier.rule))}"'
        )
        tests = [said(words, modifier.when, AND)] if modifier.when is not None else []
        if not isinstance(amount.expression, Number):
            tests.append(f"Math.abs({by}{'-1.0' if effect == 'multiply' else ''})>{NEAR}")
        parts.append(f'({"&&".join(tests)}?{told}:"")' if tests else f"({told})")
    return "+".join(parts)


def broken(words: Words, listed: list[Requirement]) -> str:
    """An expression that lists what isn't met."""
    parts = [f'({said(words, one.that, OR)}?"":{text(ruled(one.text, one.rule))}+". ")' for one in listed]
    return "+".join(['""', *parts])


def too_far(battle: Battle, group: str) -> str:
    """An expression for what a player is told of a unit that isn't as far from the target as the attack declares.

    Its distance is to the first target. Where targets stand elsewhere too, any of them counts: on hexes the engine counts those in range,
    on points those in the unit's own.
    """
    distance = battle.attack.distance
    if distance is None or group != battle.attack.attackers or (distance.least is None and distance.most is None):
        return ""
    words, away = battle.units[group], text_of("Hexes")
    least, most = (None if one is None else words.said(one.expression, SUM) for one in (distance.least, distance.most))
    tests = [f"{number_of('Hexes')}>={least}-{NEAR}"] if least is not None else []
    tests += [f"{number_of('Hexes')}<={most}+{NEAR}"] if most is not None else []
    fits, told = "&&".join(tests), text(ruled(distance.text, distance.rule)) + '+". "'
    elsewhere = f'{text_of(TARGET)}.endsWith("*")'
    several = _several(battle, distance)
    if not several:
        return f'({away}.equals("")||{elsewhere}?"":{fits}?"":{told})'
    return f'({away}.equals("")?"":{elsewhere}?({several}?"":{told}):{fits}?"":{told})'


def _several(battle: Battle, distance: Distance) -> str:
    """A test of whether any of several targets is as far as it must be; nothing where the engine can't count those."""
    bounds = [None if one is None else one.expression for one in (distance.least, distance.most)]
    numbers = [int(one.value) if isinstance(one, Number) else None for one in bounds]
    if battle.game.boards and all(one is None or isinstance(one, Number) for one in bounds):
        return f'CountRange({numbers[0] or 0},{999 if numbers[1] is None else numbers[1]},"{{Role==2}}")>0'
    return 'CountLocation("{Role==2}")>0' if not battle.game.boards and numbers[1] == 0 else ""


def sizes(battle: Battle) -> str:
    """An expression that lists groups with too few or too many units."""
    parts = ['""']
    for group, shape in battle.attack.groups.items():
        number = battle.how_many(group)
        tests = [f"{number}<{shape.least}"] if shape.least else []
        tests += [f"{number}>{shape.most}"] if shape.most is not None else []
        span = f"{shape.least} or more" if shape.most is None else f"{shape.least} to {shape.most}"
        need = str(shape.least) if shape.most == shape.least else span
        if tests:
            told = f'"{bare(shape.title)}: {need} needed, "+(int){number}+" marked. "'
            parts.append(f'({"||".join(tests)}?{told}:"")')
    return "+".join(parts)


def whose() -> str:
    """A piece and where it stands."""
    return f'"<b>"+{text_of("PieceName")}+"</b> ("+{text_of("LocationName")}+")"'


def unit_line(battle: Battle, group: str) -> str:
    """A unit's strength, from what is printed to what counts, and what it may not do."""
    words, attack = battle.units[group], battle.attack
    effects = chosen(attack, group, "multiply", "add")
    why = reasons(words, effects)
    counts = group in (attack.attackers, attack.defenders)
    strength = f'{stored("Base")}+{why}+({text_of("Strength")}.equals({text_of("Base")})?"":" = "+{stored("Strength")})'
    die = chosen(attack, group, "die")
    modified = f'({number_of("Die")}==0?"":"; die "+{signed(number_of("Die"))})+{reasons(words, die)}' if die else '""'
    refused = f'({text_of("Failure")}.equals("")?"":" <font color={WARNING}>against the rule: "+{text_of("Failure")}+"</font>")'
    told = f'{whose()}+": "+{strength}' if counts else whose()
    if attack.each and group == attack.defenders:
        likely = chances.told(attack.table, "Fold")
        refused += f'+({text_of(battle.prop("column"))}.equals("-1")?"":" <i>"+{likely}+"</i>")'
    return line(f"{told}+{modified}+{refused}", ATTACK if battle.roles[group] == 1 else DEFENSE, 1)


def named_so(game: Game, shape: Input, value: str) -> str:
    """An expression for an answer as players call it: the name of a terrain, a hexside or a marker."""
    listed = [one for choice in shape.choices for one in (game.terrain if choice == "terrain" else (choice,))]
    kinds: dict[str, str] = {}
    for words in (game.markers, game.hexsides, game.terrain):
        kinds |= {key: held.name for key, held in words.items()}
    names = {one: bare(kinds[one]) for one in listed if one in kinds}
    others = {one: name for one, name in names.items() if name != one}
    chained = "".join(f'{value}.equals("{one}")?"{name}":' for one, name in others.items())
    return f'({chained}{value}.replace("_"," "))'


def conditions_line(battle: Battle) -> str:
    """What was told or read of the battle and isn't as usual; the targets' terrain always."""
    game, attack = battle.game, battle.attack
    parts = ['""']
    if reads_targets(attack):
        missing = '"; no target is marked (Ctrl+B) on the map, so nothing is read there"'
        if any(shape.at == "either" for shape in attack.all_inputs):
            own = part(4, SOURCES)
            missing = f'({text_of(SOURCES)}.contains("|;")?"; no target is marked (Ctrl+B): read in "+{own}:{missing})'
        several = f'({text_of(TARGET)}.endsWith("*")?" (targets stand elsewhere too: look at the conditions)":"")'
        parts.append(f'({text_of(TARGET)}.equals("")?{missing}:"; target in "+{part(4)}+{several})')
    for name, shape in attack.inputs.items():
        held, value = default(game, shape), text_of(battle.prop(f"in_{name}"))
        shown_so = named_so(game, shape, value)
        title = bare(shape.title)
        if shape.kind == "flag":
            told = title if held != "true" else f"not: {title}"
            parts.append(f'({value}.equals("{held}")?"":"; {told}")')
        elif shape.read == "terrain":
            parts.append(f'"; {title}: "+{shown_so}')
        else:
            parts.append(f'({value}.equals("{bare(held)}")?"":"; {title}: "+{shown_so})')
    return "+".join(parts)


def unread(battle: Battle) -> str:
    """An expression that lists what neither the map nor a player told, and what was taken for it."""
    game, parts = battle.game, ['""']
    for name, shape in told_of(battle):
        test = untold(name, shape)
        if test:
            value = default(game, shape)
            answer = {"true": "yes", "false": "no"}.get(value, value) if shape.kind == "flag" else value
            parts.append(f'({test}?"; {bare(shape.title)}: {bare(answer.replace("_", " "))}":"")')
    return "+".join(parts)


def hidden_line() -> str:
    """A warning where markers on a line may change what the tables of the bare map show; none where none does."""
    named = f"{text_of(HIDES)}.substring(2,{text_of(HIDES)}.length())"
    said = f'"On a line or at its ends: "+{named}+". What is seen and shielded is told for the bare map; the assistant counts it in."'
    told = line(said, WARNING, 1)
    return f'{text_of(HIDES)}.equals("")?"":{told}'


def unread_line(battle: Battle) -> str:
    """The line of what wasn't read; none where all was."""
    listed = text_of(battle.prop("unread"))
    told = line(
        f'"<i>Not read from the map, taken as usual: "+{listed}.substring(2,{listed}.length())+"</i>"', QUIET, 1
    )
    return f'{listed}.equals("")?"":{told}'


def told_of(battle: Battle) -> list[tuple[str, Input]]:
    """Every input of a battle and of its units, each name once."""
    attack = battle.attack
    listed = [attack.inputs, *(group.inputs for group in attack.groups.values())]
    return [*{name: shape for held in listed for name, shape in held.items()}.items()]


def untold(name: str, shape: Input) -> str:
    """A test of whether an answer is only the usual one; nothing where the map always tells it."""
    told = f'{text_of(f"told_{name}")}.equals("{USUAL}")'
    if not shape.read:
        return told
    if shape.read in ("sight", "shielded"):
        return f"{told}&&({SIGHT_UNKNOWN})"
    if shape.read == "hexside":
        return f'{told}&&{text_of(TARGET)}.endsWith("*")'
    near = shape.units
    if near is not None and near.within is not None and near.within.text != "0" and shape.at == "attackers":
        return f'{told}&&{text_of(SOURCES)}.indexOf("#")!={text_of(SOURCES)}.length()-1'
    return ""


def column_name(battle: Battle, name: str, otherwise: str = "none") -> str:
    """The label of a column by its number."""
    number = text_of(battle.prop(name))
    labels = "".join(f'"{i}".equals({number})?"{bare(label)}":' for i, label in enumerate(battle.table.columns.labels))
    return f'({labels}"{otherwise}")'


def summary(battle: Battle) -> str:
    """Totals, column, shifts and die modifiers, with reasons."""
    attack, words = battle.attack, battle.words
    strength = shown(number_of(battle.prop("attack")))
    parts = [f'"<b>Strength "+{strength}', reasons(words, chosen(attack, "attack", "multiply", "add"), " ")]
    if attack.defenders:
        parts.append(f'" against "+{shown(number_of(battle.prop("defense")))}')
        parts.append(reasons(words, chosen(attack, "defense", "multiply", "add"), " "))
    none = ", or there is nothing to defend" if attack.defenders else ""
    column = column_name(battle, "column", f"none: no attack is allowed so weak{none}")
    parts.append(f'": column "+{column}+"</b>"')
    start, now = text_of(battle.prop("start")), text_of(battle.prop("column"))
    parts.append(f'({start}.equals({now})?"":"; from "+{column_name(battle, "start")})')
    parts.append(reasons(words, chosen(attack, "", "shift")))
    die = number_of(battle.prop("die"))
    parts.append(f'({die}==0?"":"; die "+{signed(die)})')
    parts.append(reasons(words, chosen(attack, "", "die")))
    return "+".join(parts)


def chances_line(battle: Battle) -> str:
    """The chances of each result; none where there is no column."""
    likely = chances.told(battle.attack.table, battle.prop("likely"))
    told = line(f'"Chances: "+{likely}', QUIET, 1)
    some = f"||{battle.how_many(battle.attack.defenders)}>0" if battle.attack.each else ""
    return f'{text_of(battle.prop("column"))}.equals("-1"){some}?"":{told}'


def outcome(battle: Battle, code: str, thrown: str, modifier: str) -> str:
    """The throw, what changes it, the result and its meaning."""
    added = f'({modifier}==0?"":" "+{signed(modifier)}+" = "+(int)Math.round({thrown}+{modifier}))'
    start = f'"{battle.table.dice} = "+(int){thrown}+{added}'
    return f'{start}+": "+{result(battle.table, code)}'
