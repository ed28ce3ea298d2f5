"""The answer of a procedure: who goes first, what each fire rolls on, the outcomes, the counters, and what becomes of each group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from assistant.attack_nodes import effect_text, meanings
from assistant.chances import mean
from assistant.engine.battle.results import results_table
from assistant.engine.procedures.case import evaluate, holds
from assistant.engine.procedures.effects import counter_shape
from assistant.engine.procedures.groups import Group, decisions
from assistant.engine.procedures.outcomes import GroupResult, Solution
from assistant.engine.procedures.program import ProcedureProgram
from assistant.engine.procedures.requirements import OpeningShot
from assistant.questions.answer import (
    Cell,
    Chance,
    Chances,
    Node,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    chances_cell,
    chances_of,
    remark,
)
from assistant.unofficial import modifier_sources, unofficial_addresses
from scenarios.expressions import EvaluationError, Name, Text, names, unparse
from scenarios.grammar import number_text
from scenarios.model.attack_inputs import Formula
from scenarios.rules.names import calls_in
from scenarios.rules.procedures import ProcedureGroup

SHOTS = [TableColumn(key) for key in ("count", "name", "stage", "attack", "column", "shift", "applied")]
"""The first fires, for programs. People read a sentence for each stage."""


def answer_nodes(solution: Solution, opening: list[OpeningShot], further: Sequence[Node] = ()) -> list[Node]:
    """The nodes of an answer; the unofficial numbers are the last. `further` nodes come before the list of stages."""
    program = solution.program
    nodes: list[Node] = []
    if program.procedure.first is not None:
        first = program.base["goes_first"]
        nodes.append(Value("goes_first", first, for_people=False))
        if not _fires_at_once(program):
            nodes.append(remark(f"{program.groups[first].shape.title} go first."))
    nodes += list(_inputs(solution))
    nodes += list(_notes(solution))
    nodes += list(_retreats(solution))
    nodes += list(_outcomes(solution))
    if program.procedure.scores:
        wins = {side: Chance(chance) for side, chance in solution.winners.items()}
        nodes.append(Value("wins", wins, "Wins the game by what it costs", for_people=any(solution.winners.values())))
    nodes += list(_turns(solution))
    free_fires = [_free_fire(solution, shot) for shot in opening if not shot.group and _is_certain(solution, shot)]
    nodes += [Sections("fires", free_fires)] if free_fires else []
    nodes.append(Sections("forces", [_group(solution, name, opening) for name in solution.groups]))
    nodes.append(Sections("counter_values", [_counter(solution, name) for name in solution.counters]))
    nodes += further
    nodes += _stages(solution)
    game = program.case.game
    main = [shot for shot in opening if shot.group in program.opponents] or opening
    nodes += [results_table(game, shot.stage.fire) for shot in main[-1:]]
    nodes.append(Unofficial(unofficial_numbers(solution, opening)))
    return nodes


def _inputs(solution: Solution) -> Iterator[Node]:
    """What the inputs of the procedure are, and what was chosen for those that have a largest choice."""
    program = solution.program
    used = {name: program.base[f"input.{name}"] for name in program.procedure.inputs}
    yield Value("inputs", {name: _cell(value) for name, value in used.items() if value is not None}, for_people=False)
    for name, shape in program.procedure.inputs.items():
        if name not in program.case.inputs and len(program.largest_values.get(name, ())) > 1:
            yield remark(f"{shape.title}: {used[name]}")


def _retreats(solution: Solution) -> Iterator[Node]:
    """That retreats are walked, or that what they cost is left out."""
    program = solution.program
    walk = next(iter(program.case.program.rules.retreat.values()), None)
    fired = {(program.group_of(s.of), program.group_of(s.at)) for s in program.stages if s.fire and s.at and s.of}
    fleeing = [
        (at, of)
        for of, at in sorted(fired)
        if any(program.effects_of_stage(s).walks for s in program.stages if s.fire and program.group_of(s.at) == at)
    ]
    if walk is None or not fleeing:
        return
    rule = walk.no_path.rule if walk.no_path is not None else walk.rule
    walked = [at for at, of in fleeing if program.walked(of, at) is not None]
    left_out = [program.groups[at].shape.title for at, of in fleeing if at not in walked and _may_leave(solution, at)]
    if walked:
        yield Sentence("retreats are walked at once, each unit as if it went alone", rule)
    if left_out:
        who = " and the ".join(title.lower() for title in left_out)
        yield Sentence(
            f"left out: what retreats cost the {who}; a position with at=PLACE tells", rule, key="not_counted"
        )


def _may_leave(solution: Solution, name: str) -> bool:
    """Whether a unit of a group may be gone by a retreat at the end."""
    result = solution.groups.get(name)
    return result is not None and any(result.worth_left)


def _fires_at_once(program: ProcedureProgram) -> bool:
    """Whether the fires of the two sides are simultaneous, so that it doesn't matter who goes first."""
    nums = tuple(group.start for group in program.groups.values())
    return any(
        stage.simultaneous is not None
        and program.holds(stage.simultaneous, nums, program.counters, program.group_of(stage.of), program.case.turn)
        for stage in program.stages
        if stage.of in program.aliases
    )


def _is_certain(solution: Solution, shot: OpeningShot) -> bool:
    """Whether a fire rolls on the same column whatever has happened before it."""
    return not solution.program.counters_of_fire(shot.stage)


def _free_fire(solution: Solution, shot: OpeningShot) -> Section:
    """A fire that no unit makes: its column, the reasons, and the chance of each result."""
    table = solution.program.case.game.tables[solution.program.case.game.attacks[shot.odds.attack].table]
    reasons = ", ".join(f"{m.text} {effect_text(m)}" + (f", {m.rule}" if m.rule else "") for m in shot.odds.modifiers)
    text = shot.stage.text[:1].upper() + shot.stage.text[1:]
    nodes: list[Node] = [
        Value("attack", shot.odds.attack, for_people=False),
        Value("column", shot.odds.column, for_people=False),
        Chances("codes", shot.odds.chances, meanings=meanings(table)),
    ]
    return Section(nodes, f"{text}: column {shot.odds.column}" + f" ({reasons})" * bool(reasons))


def _notes(solution: Solution) -> Iterator[Node]:
    program = solution.program
    values = program.starting_values
    for text in program.case.remarks:
        yield Sentence(text)
    for name, columns in program.case.shifts.items():
        yield Sentence(f"{program.groups[name].shape.title} fire {columns:+d} columns, as the question says")
    for group in program.groups.values():
        stuck = [group.kinds[number].name for number in dict.fromkeys(group.kinds.listed) if number in group.immobile]
        if stuck and group.name not in program.case.cannot_leave:
            yield Sentence(
                f"{', '.join(dict.fromkeys(stuck))} can't retreat: when the others of {group.shape.title} have to, it stays; while it is "
                "there, nobody of them leaves by choice"
            )
    for note in program.procedure.notes:
        if note.each:
            units = list(program.groups[note.each].units(program.groups[note.each].start))
            listed = dict.fromkeys(str(u["name"]) for u in units if holds(note.when, {**values, **u}, program.lookup))
            if listed:
                yield Sentence(f"{', '.join(listed)}: {note.text}", note.rule)
        elif holds(note.when, values, program.lookup):
            amount = "" if note.amount is None else f": {evaluate(note.amount, values, program.lookup)}"
            yield Sentence(f"{note.text}{amount}", note.rule)


# --- groups -----------------------------------------------------------------------------------------------------------


def _group(solution: Solution, name: str, opening: list[OpeningShot]) -> Section:
    """One group: its owner's policy, its first fires, and what it loses."""
    program, result = solution.program, solution.groups[name]
    group = program.groups[name]
    shots = [shot for shot in opening if shot.group == name]
    alike = [list(same) for _, same in groupby(shots, _shot_key)]
    nodes: list[Node] = [remark(f"At first: {_members(group)}")]
    nodes += [Sentence(text, key="policy") for text in _policy(solution, name)]
    nodes += [remark(text) for text in _first_fires(alike)]
    nodes.append(RowTable("opening_fire", SHOTS, [_shot(same) for same in alike]))
    is_drawn = any(stage.draw and program.group_of(stage.draw) == name for stage in program.stages)
    what = f"{_worth(group.shape)} lost"
    if len(result.worth_lost) > 1 or 0 not in result.worth_lost:
        nodes.append(chances_of("worth_lost", result.worth_lost, what))
        nodes += _average("mean_worth_lost", result.worth_lost, what)
    else:
        nodes.append(Value("worth_lost", chances_cell(result.worth_lost), for_people=False))
        nodes.append(Value("mean_worth_lost", Fraction(0), for_people=False))
        if not is_drawn and _can_lose(program, name):
            nodes.append(remark(f"{what}: none"))
    if any(result.worth_left):
        departed = "Drawn" if is_drawn else f"{_worth(group.shape)} that withdrew"
        nodes.append(chances_of("worth_left", result.worth_left, departed))
    nodes.append(
        Value(
            "chance_gone",
            Chance(result.chance_gone),
            "Nobody is left",
            for_people=bool(result.chance_gone) and not is_drawn,
        )
    )
    most = group.steps(group.start)
    nodes.append(Value("steps_remaining", chances_cell(result.steps_left), for_people=False))
    if most > len(group.kinds.listed) and len(result.steps_left) > 1:
        average = mean(result.steps_left, lambda n: n)
        nodes.append(remark(f"Steps left, on average: {_decimal(average)} of {most}"))
    nodes.append(Value("remaining", dict(result.remaining), for_people=False))
    nodes.append(_fates(result, is_drawn))
    side = next((kind.fields["side"] for kind in group.kinds), "")
    named = [Value("group", name, for_people=False), Value("side", str(side), for_people=False)]
    if result.tallies:
        tallies: list[Cell] = [
            {"eliminated": gone, "left": left, "changed": changed, "chance": Chance(chance)}
            for (gone, left, changed), chance in result.tallies.items()
        ]
        nodes.append(Value("losses", tallies, for_people=False))
    return Section([*named, *nodes], group.shape.title)


def _average(key: str, chances: Mapping[Any, Fraction], what: str) -> list[Node]:
    """The average of a number, in decimals for people."""
    average = mean(chances, lambda n: n)
    nodes: list[Node] = [Value(key, average, for_people=False)]
    if len(chances) > 1:
        nodes.append(remark(f"{what}, on average: {_decimal(average)}"))
    return nodes


def _decimal(number: Fraction) -> str:
    """A number as players write it: 3½, or 0.08."""
    return number_text(number) if number.denominator in (1, 2, 4) else f"{float(number):.2f}"


def _chances(key: str, chances: Mapping[Any, Fraction], title: str) -> list[Node]:
    """The chance of each value; a value that is certain on a line of its own."""
    if len(chances) > 1:
        return [chances_of(key, chances, title)]
    return [Value(key, chances_cell(chances), for_people=False), *(remark(f"{title}: {_value(v)}") for v in chances)]


def _value(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _members(group: Group) -> str:
    """Who is in a group as it begins: 2 Infantry, Armor."""
    counts = Counter(group.kinds[number].name for number in group.kinds.listed)
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in counts.items())


def _can_lose(program: ProcedureProgram, name: str) -> bool:
    """Whether anything in the procedure is fired at a group."""
    return any(
        stage.fire
        and stage.at
        and (program.group_of(stage.at) == name or program.supports.get(program.group_of(stage.at)) == name)
        for stage in program.stages
    )


def _first_fires(alike: list[list[OpeningShot]]) -> Iterator[str]:
    """What each unit rolls on in its first fire, a sentence for each stage."""
    by_stage: dict[str, list[str]] = {}
    for same in alike:
        odds, count = same[0].odds, len(same)
        reasons = ", ".join(f"{m.text} {effect_text(m)}" + (f", {m.rule}" if m.rule else "") for m in odds.modifiers)
        units = same[0].name if count == 1 else f"{count} {same[0].name}"
        text = f"{units} on column {odds.column}" + (f" ({reasons})" if reasons else "")
        by_stage.setdefault(same[0].stage.text, []).append(text)
    for stage, texts in by_stage.items():
        yield f"{stage[:1].upper()}{stage[1:]}: {'; '.join(texts)}"


def _worth(shape: ProcedureGroup) -> str:
    """What the sums of losses count, in a word."""
    if shape.worth is None:
        return "Units"
    return _in_words(shape.worth.text) if isinstance(shape.worth.expression, Name) else "Worth"


WORDS = {"unharmed": "unharmed", "left": "withdrew"}
WORDS_OF_DRAWS = {"unharmed": "not drawn", "left": "drawn"}


def _fates(result: GroupResult, is_drawn: bool) -> RowTable:
    words = WORDS_OF_DRAWS if is_drawn else WORDS
    rows: list[dict[str, Cell]] = [
        {
            "unit": fate.unit,
            "name": fate.name,
            **({"stack": fate.stack_number} if fate.stack_number else {}),
            "becomes": chances_cell(fate.chances),
            "shown": ", ".join(
                f"{words.get(word, word.replace(' and left', ' and withdrew'))} {Chance(chance)}"
                for word, chance in _likeliest_first(fate.chances)
            ),
        }
        for fate in result.fates
    ]
    columns = [TableColumn("name", "unit"), TableColumn("shown", "becomes", for_programs=False), TableColumn("becomes")]
    return RowTable("outcomes", columns, rows)


def _likeliest_first(chances: Mapping[str, Fraction]) -> list[tuple[str, Fraction]]:
    return sorted(chances.items(), key=lambda item: -item[1])


def _policy(solution: Solution, name: str) -> Iterator[str]:
    """What the owner of a group decides, in words."""
    program = solution.program
    policies = decisions(program.case, name)
    for key, policy in program.procedure.policies.items():
        if key not in policies or (policy.groups and name not in policy.groups):
            continue
        value = policies[key]
        if policy.kind == "choice":
            if len(policy.choices) > 1:
                yield f"{policy.title}: {policy.choices[value].text}"
        elif value not in (False, 0):
            yield policy.title if value is True else f"{policy.title}: {value}"
    if name in program.case.cannot_leave:
        yield "nowhere to retreat to"


def _shot_key(shot: OpeningShot) -> tuple[object, ...]:
    return shot.stage.text, shot.stage.at, shot.name, shot.odds.column, tuple(shot.odds.modifiers)


def _shot(same: list[OpeningShot]) -> dict[str, Cell]:
    """Units that fire alike, one after the other."""
    odds = same[0].odds
    applied: list[Cell] = [
        {"text": m.text, "rule": m.rule, "effect": m.effect, "amount": m.amount} for m in odds.modifiers
    ]
    return {
        "count": len(same),
        "name": same[0].name,
        "stage": same[0].stage.text,
        "attack": odds.attack,
        "column": odds.column,
        "chances": chances_cell(odds.chances),
        "shift": odds.shift,
        "applied": applied,
    }


# --- outcomes, counters, turns ----------------------------------------------------------------------------------------


def _outcomes(solution: Solution) -> Iterator[Node]:
    """The chance of each outcome, of each of the words that it stands for, and of those that are asked for together."""
    listed = solution.program.procedure.outcomes
    words: dict[str, dict[str, Fraction]] = {}
    rows: list[dict[str, Cell]] = []
    for index, chance in sorted(solution.outcomes.items()):
        outcome = listed[index]
        rows.append({"text": outcome.text, "rule": outcome.rule, "values": dict(outcome.is_), "chance": Chance(chance)})
        for name, value in outcome.is_.items():
            words.setdefault(name, {})[value] = words.get(name, {}).get(value, Fraction(0)) + chance
    columns = [
        TableColumn("text", "how it ends"),
        TableColumn("rule", "rule"),
        TableColumn("chance", "chance"),
        TableColumn("values"),
    ]
    yield RowTable("outcomes", columns, rows)
    yield Sections(
        "named",
        [
            Section([Value("name", name, for_people=False), *_chances("chances", chances, _in_words(name))])
            for name, chances in words.items()
        ],
    )
    if solution.program.procedure.together:
        keys = solution.program.procedure.together
        joint: list[dict[str, Cell]] = [
            {"values": {key: _cell(value) for key, value in zip(keys, values, strict=True)}, "chance": Chance(chance)}
            for values, chance in sorted(solution.together.items(), key=lambda item: tuple(map(str, item[0])))
        ]
        yield RowTable("jointly", [TableColumn("values"), TableColumn("chance")], joint)


def _in_words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _cell(value: Any) -> Cell:
    return value if isinstance(value, (bool, str, int)) else Fraction(value)


def _counter(solution: Solution, name: str) -> Section:
    """The chances of a counter's values."""
    shape = counter_shape(solution.program.case, name)
    chances = solution.counters[name]
    title = f"{shape.title}, at the end" if solution.program.case.turn_count else shape.title
    nodes: list[Node] = [Value("counter", name, for_people=False), *_chances("chances", chances, title)]
    if shape.kind == "number":
        nodes += _average("mean", chances, title)
    return Section(nodes)


def _turns(solution: Solution) -> Iterator[Node]:
    """How the counters of a forecast stand at the end of each turn, and in which turn it ends."""
    program = solution.program
    if not program.case.turn_count:
        return
    columns = [
        TableColumn("turn", "turn"),
        TableColumn("chance", "it ends"),
        TableColumn("by_then", "by then", for_programs=False),
    ]
    by_then = Fraction(0)
    rows: list[dict[str, Cell]] = []
    for turn in range(program.case.turn, program.case.turn + program.case.turn_count):
        ended = sum((c for (at, word), c in solution.ends.items() if at == turn and word), Fraction(0))
        by_then += ended
        counters = solution.turns.get(turn, {})
        rows.append(
            {
                "turn": turn,
                "chance": Chance(ended),
                "by_then": Chance(by_then),
                "counters": {name: chances_cell(chances) for name, chances in counters.items()},
                "shown": "; ".join(_shown(solution, name, chances) for name, chances in counters.items()),
            }
        )
    yield RowTable(
        "by_turn", [*columns, TableColumn("shown", "if it goes on", for_programs=False), TableColumn("counters")], rows
    )


def _shown(solution: Solution, name: str, chances: Mapping[Any, Fraction]) -> str:
    shape = counter_shape(solution.program.case, name)
    total = sum(chances.values())
    if not total:
        return ""
    if shape.kind == "number":
        return f"{shape.title} {float(mean(chances, lambda n: n) / total):.1f}"
    if shape.kind == "flag":
        return f"{shape.title} {Chance(chances.get(True, Fraction(0)) / total)}"
    return f"{shape.title} " + ", ".join(f"{value} {Chance(chance / total)}" for value, chance in chances.items())


def _stages(solution: Solution) -> list[Node]:
    """The stages with a rule, but for those of groups that take no part."""
    program = solution.program
    idle = {name for name, group in program.groups.items() if not group.kinds.listed}
    rows: list[dict[str, Cell]] = [
        {"text": stage.text, "rule": stage.rule}
        for stage in program.stages
        if stage.rule and not {program.group_of(name) for name in (stage.of, stage.at, stage.draw)} & idle
    ]
    unique = [row for i, row in enumerate(rows) if row not in rows[:i]]
    listed = [remark(f"{row['text']} ({row['rule']})") for row in unique]
    return [
        RowTable("stages", [TableColumn("text"), TableColumn("rule")], unique),
        *([Section(listed, "Stage by stage")] if listed else []),
    ]


def unofficial_numbers(solution: Solution, opening: list[OpeningShot]) -> dict[str, str]:
    """The numbers in use that the rulebook doesn't give."""
    program = solution.program
    game = program.case.game
    kinds = [kind for group in program.groups.values() for kind in group.kinds]
    units = {kind.counter.id: kind.counter for kind in kinds if kind.counter is not None}
    field = program.case.field
    pieces = [piece for box in sorted(program.boxes_read) for piece in (field.box_pieces(box) if field else ())]
    markers = {str(piece["id"]): game.markers[str(piece["id"])] for piece in pieces if piece["id"] in game.markers}
    counts = {f"markers/{name}/count": marker.sources.get("count") for name, marker in markers.items()}
    found = unofficial_addresses(game, other_sources=counts if not program.case.on_map else {})
    for attack in dict.fromkeys(shot.odds.attack for shot in opening):
        shape = game.attacks[attack]
        formulas = [group.strength for group in shape.groups.values()]
        asked = set().union(*(names(formula.expression) for formula in formulas if formula is not None))
        asked |= {
            name
            for stage in program.stages
            for f in stage.with_.values()
            if f is not None
            for name in names(f.expression)
        }
        used = [(unit, key) for unit in units.values() for key in sorted(asked) if unit.factors.get(key)]
        modifiers = [modifier for shot in opening if shot.odds.attack == attack for modifier in shot.odds.modifiers]
        factors = {
            f"markers/{kind.participant.unit}/factors/{name}": game.markers[kind.participant.unit].sources.get(name)
            for kind in kinds
            if kind.participant.unit in game.markers
            for name in sorted(asked)
            if name in game.markers[kind.participant.unit].factors
        }
        found |= unofficial_addresses(
            game,
            used,
            [shape.table],
            _cells(solution, attack),
            {**factors, **modifier_sources(game, attack, modifiers)},
        )
    return found


def _cells(solution: Solution, attack: str) -> Iterator[tuple[str, str, str]]:
    """The cells that an attack and the procedure look up by an input."""
    program = solution.program
    game, procedure, base = program.case.game, program.procedure, program.base
    shape = game.attacks[attack]
    inputs = {name: base[f"input.{name}"] for name in procedure.inputs}
    values = {**base, **{name: value for name, value in inputs.items() if value is not None}}
    formulas = [procedure.first, *procedure.values.values(), *shape.values.values()]
    formulas += [f for modifier in shape.modifiers for f in (modifier.when, modifier.effect and modifier.effect[1])]
    for formula in formulas:
        for call in calls_in(formula.expression) if formula is not None else ():
            match call.function, call.arguments:
                case "lookup", (Text(table), row, Text(column)):
                    try:
                        label = str(Formula(unparse(row)).work(values, program.lookup, None))
                    except (EvaluationError, KeyError):
                        continue
                    if table in game.tables and label in game.tables[table].cells and label in inputs.values():
                        yield table, label, column
                case _:
                    pass
