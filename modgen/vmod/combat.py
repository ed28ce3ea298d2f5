"""Battles in the module, translated from the pack's declared attacks.

A player marks attackers and defenders and changes what isn't as usual. A battle is then a row of keystrokes: the map
tells the targets' place, units take their answers, then values are worked out in the pack's order (counting over
units what a formula needs just before it), then strengths, totals and column; the chat tells all of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from modgen.vmod import around, chances, looking, telling
from modgen.vmod.battle import UNITS, Battle, chosen, modified, parsed, rounded, said, summed_up, whole
from modgen.vmod.beanshell import ATOM, NEAR, OR, Said, Untranslatable, column_of, number_of, text_of
from modgen.vmod.buttons import TAKEN, Buttons, all_units, bare, change, choose, matching, menu, press, prop, set_to
from modgen.vmod.conditions import conditions
from modgen.vmod.fighters import COUNTED, DISMISS, LARGEST, LISTED, SAME, SMALLEST, TELL, TOTAL
from modgen.vmod.icons import icon
from modgen.vmod.keys import NEITHER
from modgen.vmod.places import (
    ACROSS,
    CROSSED,
    ON_MAP,
    SOURCES,
    TARGET,
    across,
    crossings,
    in_play,
    place,
    to_target,
)
from modgen.vmod.rolls import code_of, entries, throw
from modgen.vmod.sight import READS as SIGHT
from modgen.vmod.sight import read_here
from modgen.vmod.traits import named
from modgen.vmod.xml import Part
from scenarios.attacks import Input
from scenarios.expressions.syntax import Aggregate
from scenarios.game import Game

FORGET, LOCATE = named("forget"), named("locate")
MANY = 4
"""With more attacks than these the Battle menu has one menu for odds and one for attacks."""
ANYBODY = matching("Role", "[12]", "MATCH")
"""Everybody who fights."""
MARKS, STAY, GO = "MarksAfter", "stay", "come off"
"""Whether marks stay after an attack, so that the same units can throw again."""
MARKS_ENTRY = "Marks after an attack"
ANYWAY = "Resolve anyway"
"""Throws the dice for the attack that was refused last."""
NOT_WAITING = named("not-waiting")
"""No refused attack waits to be resolved all the same."""


def of_role(role: int) -> str:
    """The fast match of attackers or defenders."""
    return matching("Role", str(role))


@dataclass
class Steps:
    """The keystrokes of a battle, and what each does."""

    battle: Battle
    props: list[Part] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def value(self, name: str, expression: str) -> None:
        """Work something out and keep it."""
        self.count_first()
        stroke = named(f"{self.battle.key}-{name}")
        self.props.append(prop(self.battle.prop(name), "0", change(stroke, set_to(f"{{{expression}}}"))))
        self.keys.append(stroke)

    def units(self, name: str, group: str, parameters: list[tuple[str, str]], sent: str = COUNTED) -> None:
        """Let the units of a group work things out, one after the other."""
        self.count_first()
        stroke = named(f"{self.battle.key}-{name}-{group}")
        listed = [(slot, f"{{{expression}}}") for slot, expression in parameters]
        self.parts.append(all_units(stroke, "", sent, listed, of_role(self.battle.roles[group])))
        self.keys.append(stroke)

    def read(self, name: str, shape: Input) -> None:
        """Let the units on the map that a question means answer it."""
        game, stroke = self.battle.game, named(f"{self.battle.key}-meant-{name}")
        told = [("Fold", f"{{{around.worth(game, shape)}}}")]
        self.parts.append(
            all_units(stroke, around.meant(game, shape), around.folded(shape), told, around.match(game, shape))
        )
        self.keys += [FORGET, stroke]
        self.value(f"near_{name}", text_of("Best"))

    def count_first(self) -> None:
        """Count what formulas read since have to know."""
        while self.battle.waiting:
            node = self.battle.waiting.pop(0)
            self.value(self.battle.found[node], self._counted(node))

    def _counted(self, node: Aggregate) -> str:
        group, name = node.group.name, self.battle.found[node]
        if node.argument is None:
            return self.total(name, group, [], "1")
        of_unit = self.battle.units[group].say(node.argument)
        if node.function in ("largest", "smallest"):
            self.count_first()
            self.keys.append(FORGET)
            self.units(name, group, [("Fold", of_unit.text)], LARGEST if node.function == "largest" else SMALLEST)
            return f'{text_of("Best")}.equals("")?"0":{text_of("Best")}'
        if node.function == "sum":
            return f"{self.total(name, group, [], whole(of_unit))}/{UNITS}.0"
        flags = "0:1" if node.function == "all" else "1:0"
        return self.total(name, group, [], f"{of_unit.at(OR)}?{flags}")

    def total(self, name: str, group: str, parameters: list[tuple[str, str]], summed: str) -> str:
        """Let the units of a group work things out and add one of them up: an expression for the whole number it comes to."""
        self.count_first()
        self.keys.append(FORGET)
        self.units(name, group, [*parameters, ("Fold", summed)], TOTAL)
        return f'({text_of("Best")}.equals("")?0:{number_of("Best")})'


def located(game: Game) -> Buttons:
    """The steps that find the target and how far everybody is from it."""
    copy, here = named("locate-copy"), place(game)
    props = [
        prop("Best", "", change(FORGET, set_to(""))),
        prop(TARGET, "", change(copy, set_to(f"{{{text_of('Best')}}}"))),
    ]
    away = telling.line(f'{telling.whose()}+" isn\'t on the map: its mark is taken off."', telling.WARNING)
    parts = [
        all_units(named("locate-away"), f"{{!({in_play(game)})}}", DISMISS, [("Told", f"{{{away}}}")], ANYBODY),
        all_units(named("locate-target"), f"{{{ON_MAP}}}", SAME, [("Fold", f"{{{here}}}")], of_role(2)),
        all_units(named("locate-hexes"), "", COUNTED, [("Hexes", f"{{{to_target(game)}}}")], ANYBODY),
    ]
    pressed = [named("locate-away"), FORGET, named("locate-target"), copy, named("locate-hexes")]
    if around.asks_attackers(game):
        stood = f'{{{ON_MAP}?{here}:";;;;;;"}}'
        parts.append(all_units(named("locate-sources"), "", LISTED, [("Fold", stood)], of_role(1)))
        props.append(prop(SOURCES, "", change(named("locate-from"), set_to(f"{{{text_of('Best')}}}"))))
        pressed += [FORGET, named("locate-sources"), named("locate-from")]
    if crossings(game):
        every = [(ACROSS, f"{{{across(game)}}}"), ("Fold", f'{{{text_of(ACROSS)}+";"}}')]
        parts.append(all_units(named("locate-sides"), "", SAME, every, of_role(1)))
        props.append(prop(CROSSED, "", change(named("locate-crossed"), set_to(f"{{{text_of('Best')}}}"))))
        pressed += [FORGET, named("locate-sides"), named("locate-crossed")]
    if read_here(game):
        (more, commands), keys = looking.looked(game, FORGET)
        props, parts, pressed = [*props, *more], [*parts, *commands], [*pressed, *keys]
    return props, [*parts, press("Locate", pressed, stroke=LOCATE)]


def translated(game: Game, key: str) -> Buttons:
    """The properties and buttons of one attack; Untranslatable where the engine can't be told it."""
    battle = Battle(game, key)
    steps = Steps(battle, keys=[LOCATE])
    _answers(battle, steps)
    words, attack = battle.words, battle.attack
    for name, formula in attack.values.items():
        steps.value(f"own_{name}", said(words, formula))
    for group in attack.groups:
        _strengths(battle, steps, group)
    _totals(battle, steps)
    steps.value("failure", f"{telling.sizes(battle)}+{telling.broken(words, [r for r in attack.requires if not r.to])}")
    everybody = ANYBODY if len(battle.roles) > 1 else of_role(1)
    refused = named(f"{key}-refused-units")
    fold = [("Fold", f'{{{text_of("Failure")}.equals("")?0:1}}')]
    steps.parts.append(all_units(refused, "", TOTAL, fold, everybody))
    steps.keys += [FORGET, refused]
    none = (
        f'{text_of(battle.prop("failure"))}.equals("")&&({text_of("Best")}.equals("")||{text_of("Best")}.equals("0"))'
    )
    steps.value("allowed", none)
    steps.value("unread", telling.unread(battle))
    if thrown_once(battle):
        column, die = text_of(battle.prop("column")), number_of(battle.prop("die"))
        steps.value("likely", chances.key(battle.table, column, die))
    tellers = _tellers(battle, steps)
    return steps.props, [*steps.parts, *tellers]


def _answers(battle: Battle, steps: Steps) -> None:
    """What was told or read, of the battle and of each unit."""
    for name, shape in battle.attack.inputs.items():
        if shape.read == "units":
            steps.read(name, shape)
        steps.value(f"in_{name}", battle.answer(name, shape))
    for group, held in battle.attack.groups.items():
        listed = [(f"value{i}", battle.answer(n, one, own=True)) for i, (n, one) in enumerate(held.inputs.items(), 1)]
        if listed:
            steps.units("told", group, listed)


def _strengths(battle: Battle, steps: Steps, group: str) -> None:
    """What each unit of a group works out: its values, strength, die modifier and what it may not do."""
    attack, shape, words = battle.attack, battle.attack.groups[group], battle.units[group]
    worked = [
        (f"value{i}", said(words, formula)) for i, formula in enumerate(shape.values.values(), 1 + len(shape.inputs))
    ]
    base = words.say(parsed(shape.strength).expression)
    strength = rounded(modified(words, base, chosen(attack, group, "multiply", "add")), shape.round)
    worked += [("Base", whole(base)), ("Strength", whole(strength))]
    worked.append(("Die", summed_up(words, chosen(attack, group, "die"))))
    broken = telling.broken(words, [r for r in attack.requires if r.to == group])
    outside = telling.too_far(battle, group)
    worked.append(("Failure", f"{outside}+{broken}" if outside else broken))
    steps.value(f"sum_{group}", f"{steps.total('units', group, worked, text_of('Strength'))}/{UNITS}.0")


def _totals(battle: Battle, steps: Steps) -> None:
    """Total strengths, the column they make, shifts and die modifiers."""
    attack, table, words = battle.attack, battle.table, battle.words

    def total(group: str, which: str) -> str:
        units = Said(number_of(battle.prop(f"sum_{group}")), ATOM)
        return modified(words, units, chosen(attack, which, "multiply", "add")).text

    steps.value("attack", total(attack.attackers, "attack"))
    read = number_of(battle.prop("attack"))
    weak = "false"
    if attack.defenders:
        steps.value("defense", total(attack.defenders, "defense"))
        if table.columns.kind in ("odds", "percent"):
            against = number_of(battle.prop("defense"))
            weak = f"Math.abs({against})<{NEAR}"
            read = f"{read}/{against}{'*100.0' if table.columns.kind == 'percent' else ''}"
    by_name = attack.column is not None and words.column(table, parsed(attack.column).expression)
    steps.value("start", by_name or f"{weak}?-1:{column_of(table, read)}")
    steps.value("shift", summed_up(words, chosen(attack, "", "shift")))
    steps.value("die", summed_up(words, chosen(attack, "", "die")))
    begun, shift = number_of(battle.prop("start")), number_of(battle.prop("shift"))
    last = len(table.columns.labels) - 1
    steps.value("column", f"{begun}<0?-1:(int)Math.max(0.0,Math.min({last}.0,{begun}+{shift}))")


def thrown_once(battle: Battle) -> bool:
    """Whether the attack can have one result for all: always, or where it may have no defenders."""
    return not battle.attack.each or not battle.attack.groups[battle.attack.defenders].least


def _tellers(battle: Battle, steps: Steps) -> list[Part]:
    """The buttons that a player sees, and what they tell."""
    attack, table, key = battle.attack, battle.table, battle.key
    title = bare(attack.title)
    parts: list[Part] = []
    tell: list[str] = []

    def teller(name: str, report: str) -> None:
        tell.append(named(f"{key}-{name}"))
        parts.append(press(f"{title} {name}", [], stroke=tell[-1], report=f"{{{report}}}"))

    heading = f'"<b>{bare(telling.ruled(attack.title, attack.rule))}</b>"+{telling.conditions_line(battle)}'
    teller("begin", telling.line(heading, telling.QUIET))
    for group in attack.groups:
        stroke = named(f"{key}-line-{group}")
        tell.append(stroke)
        told = [("Told", f"{{{telling.unit_line(battle, group)}}}")]
        if attack.each and group == attack.defenders:
            die = f"{number_of(battle.prop('die'))}+{number_of('Die')}"
            told.insert(0, ("Fold", f"{{{chances.key(table, text_of(battle.prop('column')), die)}}}"))
        parts.append(all_units(stroke, "", TELL, told, of_role(battle.roles[group])))
    teller("unchecked", telling.unread_line(battle))
    if (
        read_here(battle.game)
        and looking.unchecked(battle.game)
        and any(shape.read in SIGHT for shape in attack.all_inputs)
    ):
        teller("hidden", telling.hidden_line())
    teller("totals", telling.line(telling.summary(battle), telling.QUIET, 1))
    if thrown_once(battle):
        teller("likelihood", telling.chances_line(battle))
    failure = text_of(battle.prop("failure"))
    refused = telling.line(f'"<b>Against the rule:</b> "+{failure}', telling.WARNING, 1)
    teller("refused", f'{failure}.equals("")?"":{refused}')
    assert not battle.waiting
    odds, thrown = named(f"{key}-odds"), number_of(battle.prop("thrown"))
    keys = [named(f"{key}-throw")]
    parts.append(press(f"Odds {title}", [*steps.keys, *tell], text=f"Odds: {title}", stroke=odds))
    steps.props.append(
        prop(battle.prop("thrown"), "1", change(named(f"{key}-throw"), set_to(f"{{{throw(table.dice)}}}")))
    )
    column = number_of(battle.prop("column"))
    die = number_of(battle.prop("die"))
    if attack.each:
        mine = number_of("Thrown")
        own = f"{die}+{number_of('Die')}"
        worked = [("Thrown", throw(table.dice) if attack.throws == "each" else f"(int){thrown}")]
        worked.append(("Result", code_of(table, column, f"{mine}+{own}")))
        line = f'{telling.whose()}+": "+{telling.outcome(battle, text_of("Result"), mine, own)}'
        worked.append(("Told", telling.line(line, telling.RESULT, 1)))
        stroke = named(f"{key}-results")
        listed = [(slot, f"{{{one}}}") for slot, one in worked]
        parts.append(all_units(stroke, f"{{{column}>=0}}", TELL, listed, of_role(2)))
        keys.append(stroke)
    code, show = battle.prop("code"), named(f"{key}-result")
    steps.props.append(
        prop(code, "", change(named(f"{key}-code"), set_to(f"{{{code_of(table, column, f'{thrown}+{die}')}}}")))
    )
    if thrown_once(battle):
        result = telling.line(telling.outcome(battle, text_of(code), thrown, die), telling.RESULT, 1)
        there = f"{battle.how_many(attack.defenders)}==0" if attack.each else "true"
        parts.append(press(f"{title} result", [], stroke=show, report=f'{{{column}>=0&&{there}?{result}:""}}'))
        keys += [named(f"{key}-code"), show]
    else:
        keys.append(named(f"{key}-code"))
    over = f'{{{column}>=0&&!{text_of(MARKS)}.equals("{STAY}")}}'
    parts.append(all_units(named(f"{key}-over"), over, NEITHER, [], ANYBODY))
    keys.append(named(f"{key}-over"))
    allowed = f'{text_of(battle.prop("allowed"))}.equals("true")'
    resolve, refuse, again = (named(f"{key}-{name}") for name in ("resolve", "refuse", "anyway"))
    steps.props.append(prop(battle.prop("waits"), "", change(named(f"{key}-wait"), set_to("true"))))
    steps.props[-1].parts.append(change(NOT_WAITING, set_to("")))
    explanation = (
        f'"The attack is against the rules and isn\'t resolved. Battle: {ANYWAY} throws the dice all the same."'
    )
    tell_refused = named(f"{key}-tell-refused")
    parts += [
        press(f"{title} refused", [], stroke=tell_refused, report=f"{{{telling.line(explanation, telling.WARNING)}}}"),
        press(f"{title} allowed", keys, stroke=resolve, when=allowed),
        press(f"{title} not allowed", [tell_refused, named(f"{key}-wait")], stroke=refuse, when=f"!{allowed}"),
        press(title, [NOT_WAITING, odds, resolve, refuse], text=f"Attack: {title}", stroke=named(f"{key}-fight")),
        press(
            f"{title} anyway",
            [NOT_WAITING, odds, *keys],
            stroke=again,
            when=f'{text_of(battle.prop("waits"))}.equals("true")',
        ),
    ]
    return parts


def combat(game: Game) -> tuple[list[Part], list[Part], dict[str, str]]:
    """Properties and buttons of every attack that can be translated; and why the others can't."""
    props: list[Part] = []
    buttons: list[Part] = []
    done: list[str] = []
    missing: dict[str, str] = {}
    for key in game.attacks:
        try:
            made, pressed = translated(game, key)
        except Untranslatable as error:
            missing[key] = str(error)
            continue
        props += made
        buttons += pressed
        done.append(key)
    if not done:
        return [], [], missing
    told, asked = conditions(game, done, {*TAKEN, *entries(game).values()})
    found, locating = located(game)
    end = "End the battle"
    titles = [bare(game.attacks[key].title) for key in done]
    odds, fights = ([f"{word}: {title}" for title in titles] for word in ("Odds", "Attack"))
    listed = [*odds, *fights]
    if len(titles) > MANY:
        asked += [*menu("Odds", odds, "What an attack would come to"), *menu("Attack", fights, "Throw the dice for it")]
        listed = ["Odds", "Attack"]
    waiting = "||".join(f'{text_of(f"v_{key}_waits")}.equals("true")' for key in done)
    marked = change(
        "", choose("After an attack the marks", [GO, STAY]), MARKS_ENTRY, f"|{MARKS_ENTRY}: <b>$newValue$</b>"
    )
    told.append(prop(MARKS, GO, marked))
    buttons += [
        *(looking.button(game, LOCATE) if read_here(game) else []),
        *locating,
        all_units(named("end-battle"), "", NEITHER, [], ANYBODY),
        press(
            ANYWAY,
            [named(f"{key}-anyway") for key in done],
            text=ANYWAY,
            report=f'{{{waiting}?"|<b>The attack is resolved against the rules.</b>":"|No attack has been refused."}}',
        ),
        press(end, [NOT_WAITING, named("end-battle")], text=end, report="|<b>The battle is over.</b>"),
        *asked,
        *menu(
            "Battle",
            [*listed, ANYWAY, end, MARKS_ENTRY],
            "Mark attackers with Ctrl+A and defenders with Ctrl+B, then choose",
            icon("battle"),
        ),
    ]
    return [*props, *found, *told], buttons, missing
