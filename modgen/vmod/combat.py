"""Battles in the module, translated from the pack's declared attacks.

A player marks attackers and defenders and changes the conditions that aren't as usual. A battle is then a row of
keystrokes: units work out what is counted of them, the battle its values, units their strengths, the battle its
totals, column and throw; the chat tells all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from modgen.vmod.beanshell import NEAR, Untranslatable, Words, column_of
from modgen.vmod.pieces import COUNTED, NEITHER, SLOTS, TELL_FAILURE, TELL_RESULT, TELL_STRENGTH, ability, loose_states
from modgen.vmod.rolls import Buttons, ask, bare, cell_text, change, choose, menu, press, prop, set_to, throw
from modgen.vmod.traits import named
from modgen.vmod.xml import MODULE, Part
from scenarios.attacks import Attack, Formula, Input, Modifier, input_kind
from scenarios.expressions.syntax import Aggregate, Base, Binary, Call, Expression, Membership, Name, Number, Unary
from scenarios.game import Game
from scenarios.vassal.sequence import join
from scenarios.vassal.windows import BOXES, MAIN, SETUP

UNITS = 5040
"""The engine adds whole numbers only: strengths are kept in 5040ths, which halves, thirds and sevenths are whole in."""


@dataclass
class Battle:
    """One declared attack in translation."""

    game: Game
    key: str
    attack: Attack
    aggregates: dict[Aggregate, str] = field(default_factory=dict)

    @property
    def roles(self) -> Mapping[str, int]:
        """1 for the attackers, 2 for the other group."""
        others = [group for group in self.attack.groups if group != self.attack.attackers]
        if len(others) > 1:
            raise Untranslatable("more than two groups")
        return {self.attack.attackers: 1, **dict.fromkeys(others, 2)}

    def told(self) -> Mapping[str, Input]:
        """Everything a player can tell: of the battle, and of units, where one answer holds for all of a group."""
        result = dict(self.attack.inputs)
        for group in self.attack.groups.values():
            result |= group.inputs
        return result

    def words(self, group: str = "") -> Words:
        """The names in a formula of the battle, or of a unit of a group."""
        kinds: dict[str, Base] = {}
        reads: dict[str, str] = {}
        for name, shape in self.told().items():
            kinds[name], reads[name] = input_kind(shape, tuple(self.game.terrain)).base, f"told_{name}"
        bare_words = Words(kinds, reads, self.game.tables, self.aggregate)
        for name, formula in self.attack.values.items():
            assert formula is not None
            kinds[name] = bare_words.kind(formula.expression)
            reads[name] = f"v_{self.key}_own_{name}"
        if group:
            unit_kinds, unit_reads = unit_words(self.game)
            kinds |= {name: kind for name, kind in unit_kinds.items() if name not in kinds}
            reads |= {name: read for name, read in unit_reads.items() if name not in reads}
            for slot, (name, formula) in enumerate(self.attack.groups[group].values.items()):
                assert formula is not None
                kinds[name] = bare_words.kind(formula.expression)
                reads[name] = f"value{slot + 1}"
        return bare_words

    def unit_values(self, group: str) -> frozenset[str]:
        """The names of what is worked out for each unit of a group."""
        return frozenset(self.attack.groups[group].values)

    def aggregate(self, node: Aggregate) -> str:
        """What an aggregate reads as: a sum of what the units of its group have worked out."""
        role = self.roles[node.group.name]
        if node.argument is None:
            return f"(1.0*{summed('one', role)})"
        own = self.words(node.group.name)
        if node.function in ("largest", "smallest"):
            if not names(node.argument) - self.told().keys():
                return own.said(node.argument)
            return self._largest(node, role)
        slot = self.aggregates.setdefault(node, f"agg{len(self.aggregates) + 1}")
        total = summed(slot, role)
        if node.function == "sum":
            return f"({total}/{UNITS}.0)"
        if node.function == "count":
            return f"(1.0*{total})"
        return f"({total}>0)" if node.function == "any" else f"({total}=={summed('one', role)})"

    def _largest(self, node: Aggregate, role: int) -> str:
        """The largest of a factor: how many of the values that counters have are reached by any unit."""
        if (
            node.function != "largest"
            or not isinstance(node.argument, Name)
            or node.argument.name not in self.game.factors
        ):
            raise Untranslatable(f"{node.function} of what differs from unit to unit")
        name = node.argument.name
        found = {unit.factors.get(name) for unit in self.game.units.values()}
        values = sorted(v for v in found if isinstance(v, Fraction) and v > 0)
        said = "0.0"
        for held in values:
            reached = Aggregate("any", node.group, Binary(">=", node.argument, Number(held)))
            said = f"({self.aggregate(reached)}?{float(held)}:{said})"
        return said

    def counted(self, late: bool) -> Iterator[tuple[str, str, str]]:
        """Group, slot and expression of each aggregate; late ones need what units have worked out before."""
        for node, slot in list(self.aggregates.items()):
            group = node.group.name
            assert node.argument is not None
            if bool(names(node.argument) & self.unit_values(group)) != late:
                continue
            said = self.words(group).said(node.argument)
            yield group, slot, f"{{{whole(said)}}}" if node.function == "sum" else f"{{{said}?1:0}}"


def names(node: Expression) -> frozenset[str]:
    """Every name in an expression."""
    match node:
        case Name(name):
            return frozenset([name])
        case Unary(_, operand):
            return names(operand)
        case Binary(_, left, right):
            return names(left) | names(right)
        case Membership(operand):
            return names(operand)
        case Call(_, arguments):
            return frozenset().union(*map(names, arguments)) if arguments else frozenset()
        case Aggregate(_, _, argument):
            return names(argument) if argument is not None else frozenset()
    return frozenset()


def whole(said: str) -> str:
    """A number in whole units."""
    return f"(int)Math.round({said}*{UNITS}.0)"


def summed(slot: str, role: int) -> str:
    """The sum of a property over the units of a role, wherever they are."""
    return "(" + "+".join(f'SumMap("{slot}","{window}","{{Role=={role}}}")' for window in (MAIN, BOXES, SETUP)) + ")"


def unit_words(game: Game) -> tuple[dict[str, Base], dict[str, str]]:
    """The names of what a unit is, and how the engine reads them; the back of a counter has factors of its own."""
    kinds: dict[str, Base] = dict.fromkeys(("id", "name", "nation", "side", "class", "type", "size"), "text")
    reads = {"id": "unit", "name": "BasicName", "steps": "steps"}
    kinds["steps"] = "number"
    backed = {name for unit in game.units.values() if unit.back is not None for name in unit.back}
    for name, factor in game.factors.items():
        kinds[name] = factor.kind
        reads[name] = (
            f'(Face_Level==2&&!String.valueOf({name}_back).equals("")?{name}_back:{name})' if name in backed else name
        )
    loose = loose_states(game)
    for state in game.states:
        kinds[state] = "flag"
        reads[state] = (
            f"{state}_Active" if state in loose else f'(Face_Level==2&&String.valueOf(face_state).equals("{state}"))'
        )
    for word in game.abilities:
        kinds[word] = "flag"
        reads[word] = ability(word)
    return kinds, reads


def all_units(stroke: str, condition: str, sent: str, parameters: list[tuple[str, str]]) -> Part:
    """A command to units: first each works out the parameters, then it is sent a keystroke."""
    listed = join([join([name, value], ":") for name, value in parameters], ",")
    return Part(
        MODULE + "GlobalKeyCommand",
        name=f"Units {stroke.rpartition(',')[2]}",
        buttonText="",
        tooltip="",
        icon="",
        buttonHotkey=stroke,
        hotkey=sent,
        filter=condition,
        deckCount=0,
        reportSingle=False,
        reportFormat="",
        parameters=listed,
        suppressSounds=False,
    )


def formula(words: Words, held: Formula | None) -> str:
    """A formula for the engine."""
    assert held is not None
    return words.said(held.expression)


def modified(words: Words, start: str, modifiers: list[Modifier]) -> str:
    """A strength with what multiplies it and what is added, in order."""
    result = start
    for modifier in modifiers:
        assert modifier.effect is not None
        name, amount = modifier.effect
        said = words.said(amount.expression)
        neutral = "1.0" if name == "multiply" else "0.0"
        if modifier.when is not None:
            said = f"({formula(words, modifier.when)}?{said}:{neutral})"
        result = f"({result}{'*' if name == 'multiply' else '+'}{said})"
    return result


def summed_up(words: Words, modifiers: list[Modifier]) -> str:
    """Shifts or die modifiers added up."""
    parts = []
    for modifier in modifiers:
        assert modifier.effect is not None
        said = words.said(modifier.effect[1].expression)
        parts.append(f"({formula(words, modifier.when)}?{said}:0.0)" if modifier.when is not None else said)
    return "(int)Math.round(" + "+".join([*parts, "0.0"]) + ")"


def chosen(attack: Attack, to: str, *effects: str) -> list[Modifier]:
    """The modifiers of these effects on something."""
    return [m for m in attack.modifiers if m.to == to and m.effect is not None and m.effect[0] in effects]


def translated(game: Game, key: str) -> Buttons:
    """The properties and buttons of one attack; Untranslatable where the engine can't be told it."""
    attack = game.attacks[key]
    battle = Battle(game, key, attack)
    table = game.tables[attack.table]
    props: list[Part] = []
    steps: list[str] = []
    commands: list[Part] = []
    words = battle.words()

    def value(name: str, said: str) -> None:
        stroke = named(f"{key}-value-{name}")
        props.append(prop(f"v_{key}_{name}", "0", change(stroke, set_to(f"{{{said}}}"))))
        steps.append(stroke)

    def units(step: str, group: str, parameters: list[tuple[str, str]]) -> None:
        if parameters:
            stroke = named(f"{key}-{step}-{group}")
            commands.append(all_units(stroke, f"{{Role=={battle.roles[group]}}}", COUNTED, parameters))
            steps.append(stroke)

    early = len(steps)
    for name, held in attack.values.items():
        value(f"own_{name}", formula(words, held))
    for group, shape in attack.groups.items():
        own = battle.words(group)
        if len(shape.values) > SLOTS:
            raise Untranslatable(f"{group} has more than {SLOTS} values")
        worked = [(f"value{i}", f"{{{formula(own, held)}}}") for i, held in enumerate(shape.values.values(), 1)]
        strength = modified(own, formula(own, shape.strength), chosen(attack, group, "multiply", "add"))
        if shape.round != "none":
            strength = f"Math.floor({strength}+{NEAR})" if shape.round == "down" else f"Math.ceil({strength}-{NEAR})"
        worked.append(("Strength", f"{{{whole(strength)}}}"))
        worked.append(("Die", f"{{{summed_up(own, chosen(attack, group, 'die'))}}}"))
        broken = [f'({formula(own, r.that)}?"":"{bare(r.text)}. ")' for r in attack.requires if r.to == group]
        worked.append(("Failure", "{" + "+".join(['""', *broken]) + "}"))
        units("units", group, worked)
    late = len(steps)
    total = modified(words, f"({summed('Strength', 1)}/{UNITS}.0)", chosen(attack, "attack", "multiply", "add"))
    value("attack", total)
    strengths = f'"strength "+Math.round(100*Double.parseDouble(String.valueOf(v_{key}_attack)))/100.0'
    read = f"Double.parseDouble(String.valueOf(v_{key}_attack))"
    if attack.defenders:
        value(
            "defense",
            modified(words, f"({summed('Strength', 2)}/{UNITS}.0)", chosen(attack, "defense", "multiply", "add")),
        )
        against = f"Double.parseDouble(String.valueOf(v_{key}_defense))"
        strengths += f'+" against "+Math.round(100*{against})/100.0'
        if table.columns.kind in ("odds", "percent"):
            read = f"({against}<{NEAR}?0.0:{read}/{against}{'*100' if table.columns.kind == 'percent' else ''})"
    start = words.column(table, attack.column.expression) if attack.column is not None else column_of(table, read)
    value("start", start)
    value("shift", summed_up(words, chosen(attack, "", "shift")))
    value("die", summed_up(words, chosen(attack, "", "die")))
    last = len(table.columns.labels) - 1
    value("column", f"(v_{key}_start<0?(0-1):Math.max(0,Math.min({last},v_{key}_start+v_{key}_shift)))")
    broken = [f'({formula(words, r.that)}?"":"{bare(r.text)}. ")' for r in attack.requires if not r.to]
    value("failure", "+".join(['""', *broken]))
    # What units count is known only now, when every formula has been read.
    first: dict[bool, list[str]] = {False: [], True: []}
    for when in (False, True):
        by_group: dict[str, list[tuple[str, str]]] = {}
        for group, slot, said in battle.counted(when):
            if int(slot[3:]) > SLOTS:
                raise Untranslatable(f"more than {SLOTS} things are counted")
            by_group.setdefault(group, []).append((slot, said))
        for group, parameters in by_group.items():
            stroke = named(f"{key}-count{int(when)}-{group}")
            commands.append(all_units(stroke, f"{{Role=={battle.roles[group]}}}", COUNTED, parameters))
            first[when].append(stroke)
    steps = [*steps[:early], *first[False], *steps[early:late], *first[True], *steps[late:]]
    return props, [*commands, *_tellers(game, key, battle, steps, strengths)]


def _tellers(game: Game, key: str, battle: Battle, steps: list[str], strengths: str) -> list[Part]:
    """The buttons that a player sees, and what they tell."""
    attack, table = battle.attack, game.tables[battle.attack.table]
    title = bare(attack.title)
    labels = "".join(f'v_{key}_column=={i}?"{bare(label)}":' for i, label in enumerate(table.columns.labels))
    column = f'({labels}"no column: too weak")'
    told = f'"<b>{title}</b>: "+{strengths}+", column "+{column}+(v_{key}_shift==0?"":" (shift "+v_{key}_shift+")")'
    told += f'+(v_{key}_die==0?"":", die "+v_{key}_die)+(String.valueOf(v_{key}_failure).equals("")?"":". Not allowed: "+v_{key}_failure)'
    odds_key, throw_key, tell_key = named(f"{key}-odds"), named(f"{key}-throw"), named(f"{key}-tell")
    show = named(f"{key}-show")
    parts = [
        press(
            f"Odds {title}",
            [*steps, named("tell-strengths"), named("tell-failures"), show],
            text=f"Odds: {title}",
            stroke=odds_key,
        ),
        press(f"Show {title}", [], stroke=show, report=f"{{{told}}}"),
        prop_button(key, throw(table.dice), throw_key),
    ]
    if attack.each:
        each = f'{{v_{key}_column<0?"no attack":{cell_text(table, f"v_{key}_column", f"(v_{key}_thrown+v_{key}_die+Die)")}}}'
        result = all_units(named(f"{key}-results"), "{Role==2}", TELL_RESULT, [("Result", each)])
        report = f'{{"{title}: {table.dice} = "+v_{key}_thrown}}'
        parts += [press(f"Tell {title}", [named(f"{key}-results")], stroke=tell_key, report=report), result]
    else:
        cell = cell_text(table, f"v_{key}_column", f"(v_{key}_thrown+v_{key}_die)")
        report = f'{{"{title}: {table.dice} = "+v_{key}_thrown+" -> "+(v_{key}_column<0?"no attack":{cell})}}'
        parts.append(press(f"Tell {title}", [], stroke=tell_key, report=report))
    parts.append(press(title, [odds_key, throw_key, tell_key], text=f"Attack: {title}", stroke=named(f"{key}-fight")))
    return parts


def prop_button(key: str, thrown: str, stroke: str) -> Part:
    """The property that keeps an attack's throw."""
    return prop(f"v_{key}_thrown", "1", change(stroke, set_to(f"{{{thrown}}}")))


def conditions(game: Game, keys: list[str]) -> Buttons:
    """A property for everything a player can tell, a menu to change it, and one that sets all as usual."""
    shapes: dict[str, list[Input]] = {}
    for key in keys:
        for name, shape in Battle(game, key, game.attacks[key]).told().items():
            shapes.setdefault(name, []).append(shape)
    props: list[Part] = []
    items: list[str] = []
    resets: list[str] = []
    taken: set[str] = set()
    for name, listed in shapes.items():
        shape = listed[0]
        choices = list(
            dict.fromkeys(
                c
                for one in listed
                for choice in one.choices
                for c in (game.terrain if choice == "terrain" else (choice,))
            )
        )
        title = re.sub(r"[,;:]", "", bare(shape.title))
        title = title if title not in taken else f"{title} ({name})"
        taken.add(title)
        usual = (
            shape.default
            if shape.default is not None
            else "false"
            if shape.kind == "flag"
            else choices[0]
            if choices
            else "0"
        )
        changer = (
            choose(title, ["false", "true"])
            if shape.kind == "flag"
            else choose(title, choices)
            if choices
            else ask(title)
        )
        reset = named(f"usual-{name}")
        text = f"{title}"
        props.append(
            prop(f"told_{name}", usual, change("", changer, text, f"{title}: $newValue$"), change(reset, set_to(usual)))
        )
        items.append(text)
        resets.append(reset)
    buttons = [press("All as usual", resets, text="All as usual", report="All conditions are as usual")]
    return props, [*buttons, *menu("Conditions", ["All as usual", *items], "What isn't as usual in this battle")]


def combat(game: Game) -> tuple[list[Part], list[Part], dict[str, str]]:
    """Properties and buttons of every attack that can be translated; and why the others can't."""
    props: list[Part] = []
    buttons: list[Part] = []
    items: list[str] = []
    shown: list[str] = []
    done: list[str] = []
    missing: dict[str, str] = {}
    for key, attack in game.attacks.items():
        try:
            made, pressed = translated(game, key)
        except Untranslatable as error:
            missing[key] = str(error)
            continue
        props += [*made, *(part for part in pressed if part.tag.endswith("GlobalProperty"))]
        buttons += [part for part in pressed if not part.tag.endswith("GlobalProperty")]
        items.append(f"Attack: {bare(attack.title)}")
        shown.append(f"Odds: {bare(attack.title)}")
        done.append(key)
    if not done:
        return [], [], missing
    told, asked = conditions(game, done)
    end = "End the battle"
    buttons += [
        all_units(named("tell-strengths"), "{Role>0}", TELL_STRENGTH, []),
        all_units(named("tell-failures"), '{Role>0&&!String.valueOf(Failure).equals("")}', TELL_FAILURE, []),
        all_units(named("end-battle"), "{Role>0}", NEITHER, []),
        press(end, [named("end-battle")], text=end, report="The battle is over"),
        *asked,
        *menu("Battle", [*shown, *items, end], "Mark attackers with Ctrl+A and defenders with Ctrl+B, then choose"),
    ]
    return [*props, *told], buttons, missing
