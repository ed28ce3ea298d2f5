"""Movement and supply of the selected units: what declared rules and the pieces tell the engine; for the rest the assistant's command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from assistant.questions import LISTS
from assistant.registry import questions
from modgen.vmod.beanshell import CHOICE, OR, PRODUCT, SUM, Said, Untranslatable, Words, text_of
from modgen.vmod.buttons import ADVICE, Buttons, all_units, bare, change, matching, menu, press, prop, set_to
from modgen.vmod.combat import FORGET
from modgen.vmod.fighters import SAME, TELL, TOTAL
from modgen.vmod.icons import icon
from modgen.vmod.keys import ADVICE_KEY
from modgen.vmod.places import ON_MAP
from modgen.vmod.setups import setup_file
from modgen.vmod.stacking import rule_words
from modgen.vmod.telling import QUIET, WARNING, line, ruled, shown, text, whose
from modgen.vmod.traits import named
from modgen.vmod.xml import Part
from modgen.vmod.zones import zone_of_control
from scenarios.expressions import FLAG, NUMBER, TEXT, Kind
from scenarios.game import Game
from scenarios.inputs import Formula
from scenarios.rules.shapes import Amount, RuleRecord, Walk
from scenarios.vassal.geometry import pixels

ENTRIES = dict(zip(("move", "supply", "retreat"), ADVICE, strict=True))
"""The questions that the menu has, and its words for them."""
MENU = "Ask"
TOOLTIP = "Movement, supply and retreats of the units you selected: what the module knows, and the assistant's command for the rest"
SELECTED = matching("Selected", "true")
FILE = "ModuleGameFileName"
"""The engine's property with the name of the file that was loaded or saved last; of a set-up its name in the module."""
SAVE = "SAVE.vsav"
PLACES = "AdvicePlace"
"""The property with the place of the selected units, and a star where they stand in several."""
IS_UNIT = f'{{!"".equals({text_of("nation")})&&!"".equals({text_of("unit")})}}'


def asked(game: Game) -> list[str]:
    """The questions about units that a game answers from a save; none in a game without attacks, whose pieces tell nothing."""
    known = questions(game)
    inputs = {name: {one.name for one in known[name].inputs} for name in ENTRIES if game.attacks and name in known}
    return [
        name
        for name, listed in inputs.items()
        if listed >= ({"position"} if name == "supply" else {"unit", "position"})
    ]


def advice(game: Game) -> Buttons:
    """The menu with its commands; nothing where the assistant has no answer."""
    listed = asked(game)
    if not listed:
        return [], []
    names, places, kept = (named(f"advice-{step}") for step in ("names", "places", "kept"))
    copy = f'("".equals({text_of("copy")})?"":"/"+{text_of("copy")})'
    parts = [
        all_units(places, IS_UNIT, SAME, [("Fold", f"{{{text_of('LocationName')}}}")], SELECTED),
        all_units(names, IS_UNIT, TOTAL, [("Fold", f'{{","+{text_of("unit")}+{copy}}}')], SELECTED),
    ]
    for name in listed:
        parts += _question(game, name, [FORGET, places, kept, FORGET, names])
    held = prop(PLACES, "", change(kept, set_to(f"{{{text_of('Best')}}}")))
    return [held], [*parts, *menu(MENU, [ENTRIES[name] for name in listed], TOOLTIP, icon("ask"))]


def _question(game: Game, name: str, first: list[str]) -> list[Part]:
    """The entry of a question: its heading, what each unit tells, the command."""
    begin, lines, end = (named(f"advice-{name}-{step}") for step in ("begin", "lines", "end"))
    facts = moving(game) if name == "move" else supplied(game) if name == "supply" else []
    told = line(f'{whose()}+": "+String.valueOf({"+".join(facts)}).substring(2)', QUIET, 1) if facts else ""
    return [
        press(f"{ENTRIES[name]}: heading", [], stroke=begin, report=f"{{{_heading(game, name)}}}"),
        *([all_units(lines, IS_UNIT, TELL, [("Told", f"{{{told}}}")], SELECTED)] if told else []),
        press(f"{ENTRIES[name]}: command", [], stroke=end, report=f"{{{_command(game, name)}}}"),
        press(
            ENTRIES[name],
            [*first, begin, *([lines] if told else []), end],
            text=ENTRIES[name],
            stroke=ADVICE_KEY if name == "move" else "",
        ),
    ]


def _heading(game: Game, name: str) -> str:
    said = f'"|<b>{bare(ENTRIES[name])}</b>{bare(traces(game)) if name == "supply" else ""}"'
    missing = (f"{test}?{line(text(words), WARNING)}:" for test, words in _missing(game, name).items())
    return "".join(missing) + said


def _missing(game: Game, name: str) -> dict[str, str]:
    """What a player has to select first: tests of what isn't, and the words. The supply of all is asked where nobody is selected."""
    if name == "supply":
        return {}
    best, tests = text_of("Best"), dict[str, str]()
    tests[f'{best}.equals("")'] = "Select units first, by a click or with a box around them."
    if name == "move":
        tests[f'{text_of(PLACES)}.endsWith("*")'] = "Select units in one place: only those move together."
    unit = next(one for one in questions(game)[name].inputs if one.name == "unit")
    if not unit.many and unit.kind not in LISTS:
        tests[f'{best}.lastIndexOf(",")>0'] = "Select one unit: each moves by itself."
    return tests


def traces(game: Game) -> str:
    """By which lines a unit is supplied, as the rules call them."""
    supply = game.rules.supply if game.rules is not None else None
    return ": " + "; ".join(ruled(one.text, one.rule) for one in supply.traces.values()) if supply is not None else ""


def _command(game: Game, name: str) -> str:
    """An expression for the line with the assistant's command; of nobody only supply can be asked."""
    file, best = text_of(FILE), text_of("Best")
    starts = "||".join([f'{file}.equals("")', *(f'{file}.equals("{setup_file(game, key)}")' for key in game.scenarios)])
    known = f'({file}.contains(" ")?"\\""+{file}+"\\"":{file})'
    several = any(one.name == "unit" for one in questions(game)[name].inputs)
    unit = f'({best}.equals("")?"":" unit="+{best}.substring(1))' if several else '""'
    before = f'({starts}?"Save the game, then the assistant tells the rest: ":"The rest, for the game as it was last saved: ")'
    said = f'{before}+"<b>assistant {name} {game.id} position="+({starts}?"{SAVE}":{known})+{unit}+"</b>"'
    return "".join(f'{test}?"":' for test in _missing(game, name)) + line(said, QUIET, 1)


def words(game: Game) -> Words:
    """What a record may say of a unit: its fields, the pack's values of them, and of the question what it is told if nobody says."""
    base = rule_words(game)
    kinds, reads = dict(base.kinds), dict(base.reads)
    made = Words(kinds, reads, base.tables, base.aggregate)
    rules = game.rules
    for name, one in rules.inputs.items() if rules is not None else ():
        default = {"flag": (FLAG, "false"), "number": (NUMBER, "0"), "text": (TEXT, "")}.get(one.kind)
        if default is not None and not one.state:
            kinds[f"told.{name}"], reads[f"told.{name}"] = default[0], f'"{bare(one.default or default[1])}"'
    for name, formula in rules.values.items() if rules is not None else ():
        with suppress(Untranslatable):
            assert formula is not None
            kind, said = made.kind(formula.expression), made.said(formula.expression)
            kinds[name] = Kind(kind)
            reads[name] = f"({said})" if kind == "text" else f"String.valueOf({said})"
    return made


def moving(game: Game) -> list[str]:
    """Expressions for what a unit knows of its moves: whether it may, with how many points, and whose zone it may stand in."""
    held, rules = words(game), game.rules
    found: list[str] = []
    said: set[str] = set()
    for number, walk in enumerate(rules.movement.values() if rules is not None else ()):
        found += _move(game, held, walk, number == 0, said)
    return [*found, *_zones(game)]


def _move(game: Game, held: Words, walk: Walk, usual: bool, said: set[str]) -> list[str]:
    """What a unit knows of a kind of move; of another than the usual one only where a rule that the engine can judge says who makes it.

    What the engine can't judge is named once.
    """
    assert game.rules is not None
    amounts = walk.allowance or walk.length
    gates = [one for one in (*game.rules.spread(walk.who), *amounts) if getattr(one, "forbid", False)]
    judged, others = _told_apart(held, gates)
    start = f"; {bare(ruled((walk.title or 'movement').lower(), walk.rule))}"
    barred = ""
    for one, when in judged:
        reason = f'"{start}: no, {bare(ruled(one.text, one.rule))}"' if usual else '""'
        barred += f"{when}?{reason}:"
    if not usual and not barred:
        return []
    try:
        points, reasons, more = _points(held, [one for one in amounts if not one.forbid])
    except Untranslatable:
        return [f'({barred}"")'] if usual and barred else []
    unjudged = [
        one
        for one in dict.fromkeys(bare(ruled(one.text, one.rule)) for one in (*others, *more) if one.text)
        if one not in said
    ]
    said.update(unjudged)
    unless = f'+" (not looked at: {"; ".join(unjudged)})"' if unjudged else ""
    return [f'({barred}"{start}: "+{shown(points)}+{reasons}{unless})']


def _told_apart(held: Words, records: Iterable[RuleRecord]) -> tuple[list[tuple[RuleRecord, str]], list[RuleRecord]]:
    """The records whose conditions the engine can judge, each with its condition, and the others."""
    judged: list[tuple[RuleRecord, str]] = []
    others: list[RuleRecord] = []
    for record in records:
        try:
            judged.append((record, "true" if record.when is None else held.said(record.when.expression, OR)))
        except Untranslatable:
            others.append(record)
    return judged, others


def _points(held: Words, amounts: Sequence[Amount]) -> tuple[str, str, list[RuleRecord]]:
    """An expression for an amount, one for the reasons of what changes it, and the records that the engine can't judge."""
    judged, others = _told_apart(held, amounts)
    so_far, reasons = Said("0.0", SUM), ['""']
    for one, when in judged:
        assert isinstance(one, Amount)
        effect: Formula | None = one.set or one.add or one.multiply
        if effect is None:
            raise Untranslatable("a throw of dice")
        amount = held.say(effect.expression)
        if one.set is not None:
            so_far = amount if one.when is None else Said(f"{when}?{amount.at(CHOICE + 1)}:{so_far.at(CHOICE)}", CHOICE)
        elif one.multiply is not None:
            by = amount.at(PRODUCT + 1) if one.when is None else f"({when}?{amount.text}:1.0)"
            so_far = Said(f"{so_far.at(PRODUCT)}*{by}", PRODUCT)
        else:
            by = amount.at(PRODUCT) if one.when is None else f"({when}?{amount.text}:0.0)"
            so_far = Said(f"{so_far.at(SUM)}+{by}", SUM)
        if one.when is not None and one.text:
            reasons.append(f'({when}?", {bare(ruled(one.text, one.rule))}":"")')
    if not amounts:
        raise Untranslatable("no amount")
    return so_far.at(PRODUCT), "+".join(reasons), others


def _zones(game: Game) -> list[str]:
    """How many enemy units next to a unit have a zone of control, on a map of hexes."""
    zone = zone_of_control(game)
    if zone is None or not game.boards:
        return []
    asked = [one for one in (zone.has, game.rules.present if game.rules is not None else None) if one is not None]
    try:
        has = "".join(f"&&({words(game).said(one.expression)})" for one in asked)
    except Untranslatable:
        return []
    grid = pixels(next(iter(game.boards.values())).grid)
    flat = grid.grid.orientation == "flat"
    wide, high = (grid.lane, grid.high / 2) if flat else (grid.high / 2, grid.lane)
    away = [
        f"Math.round(Math.abs(Double.parseDouble({text_of(name)})-Double.parseDouble(@{name}@))/{float(size)})"
        for name, size in (("CurrentX", wide), ("CurrentY", high))
    ]
    lanes, rows = away if flat else reversed(away)
    enemy = f'!"".equals({text_of("nation")})&&!{text_of("side")}.equals(@side@){has}'
    filtered = f"{enemy}&&Math.max({lanes},({lanes}+{rows})/2)==1".replace("\\", "\\\\").replace('"', '\\"')
    # The engine puts nothing between dollar signs here: the unit that asks writes its own place into the filter.
    for name in ("CurrentX", "CurrentY", "side"):
        filtered = filtered.replace(f"@{name}@", f'\\""+{text_of(name)}+"\\"')
    told = f'"; enemy zones next to it: "+CountMap("{{{filtered}}}")+" ({bare(zone.title or "zone of control")}, {bare(zone.rule)})"'
    return [f'({ON_MAP}?{told}:"; not on the map")']


def supplied(game: Game) -> list[str]:
    """Expressions for what a unit knows of its supply: whether it needs none, and how it is marked."""
    supply = game.rules.supply if game.rules is not None else None
    if supply is None:
        return []
    held = words(game)
    judged, _ = _told_apart(held, supply.free)
    found = [f'({when}?"; needs none, {bare(ruled(one.text, one.rule))}":"")' for one, when in judged]
    if supply.out in game.states:
        marked = f'"true".equals({held.reads[supply.out]})'
        found.append(f'({marked}?"; is":"; isn\'t")+" marked {bare(game.states[supply.out].name).lower()}"')
    return found
