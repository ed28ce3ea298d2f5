"""What an attack comes to, as nodes of an answer."""

from __future__ import annotations

from fractions import Fraction

from assistant.attack import AppliedModifier, DefenderOdds, Odds, UnitStrength
from assistant.questions.answer import (
    Cell,
    Chances,
    Node,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Value,
    Warning,
    remark,
)
from scenarios.grammar import amount_text
from scenarios.model.game import Game
from scenarios.model.tables import Table


def odds_nodes(game: Game, answer: Odds, *, chances: bool = True) -> list[Node]:
    """What an attack comes to: who counts how much, the strengths, the modifiers, the column and the chances."""
    table = game.tables[game.attacks[answer.attack].table]
    nodes: list[Node] = [Warning(f"not allowed: {failure}") for failure in answer.failures]
    nodes.append(RowTable("refused", [TableColumn("text")], [failure._asdict() for failure in answer.violations]))
    nodes.append(
        RowTable(
            "units",
            [
                TableColumn("group", "group"),
                TableColumn("name", "unit"),
                TableColumn("counts", "counts", for_programs=False),
            ],
            [_strength(unit) for unit in answer.units],
            heads=False,
        )
    )
    if answer.missing:
        nodes += [remark(text) for text in dict.fromkeys(missing_factor.text for missing_factor in answer.missing)]
        nodes.append(
            Value("missing_factors", [missing_factor._asdict() for missing_factor in answer.missing], for_people=False)
        )
    if answer.notes:
        nodes += [Sentence(note.text, note.rule, for_programs=False) for note in answer.notes]
        rows: list[dict[str, Cell]] = [{"text": note.text, "rule": note.rule} for note in answer.notes]
        nodes.append(RowTable("remarks", [TableColumn("text"), TableColumn("rule")], rows))
    if answer.values:
        nodes.append(Value("values", dict(answer.values), for_people=False))
    nodes.append(Value("attack_strength", answer.attack_strength, "Strength"))
    if answer.defense_strength is not None:
        nodes += [
            Value("defense_strength", answer.defense_strength, "Against"),
            Value("ratio", answer.ratio, for_people=False),
        ]
    nodes.append(
        RowTable(
            "applied",
            [
                TableColumn("text", "modifier"),
                TableColumn("change", "change", for_programs=False),
                TableColumn("rule", "rule"),
            ],
            [
                {**applied_modifier._asdict(), "change": effect_text(applied_modifier)}
                for applied_modifier in answer.modifiers
            ],
            heads=False,
        )
    )
    if answer.column is None:
        silent: dict[str, Cell] = {
            "column": None,
            "start": answer.start,
            "shift": answer.shift,
            "die": answer.die,
            "chances": {},
            "targets": [],
        }
        nodes += [Value(key, value, for_people=False) for key, value in silent.items()]
        return [*nodes, Warning(f"below {table.columns.labels[0]}: no attack is possible")]
    nodes.append(Value("column", answer.column, "Column"))
    nodes.append(Value("start", answer.start, "Column before shifts", for_people=answer.start != answer.column))
    nodes += [
        Value("shift", answer.shift, for_people=False),
        Value("die", answer.die, "Die", for_people=bool(answer.die)),
    ]
    nodes.append(Sections("targets", [_target(target, table) for target in answer.targets]))
    if chances and not answer.targets:
        nodes.append(Chances("chances", answer.chances, meanings=meanings(table)))
    elif answer.targets:
        nodes.append(Value("chances", {code: str(chance) for code, chance in answer.chances.items()}, for_people=False))
    return nodes


def meanings(table: Table) -> dict[str, str]:
    """What each result of a table means."""
    return {code: outcome.meaning for code, outcome in table.results.items()}


def _strength(unit: UnitStrength) -> dict[str, Cell]:
    explanation = "; ".join(
        f"{applied_modifier.text} {effect_text(applied_modifier)}" for applied_modifier in unit.modifiers
    )
    counts = amount_text(unit.value) + (f" ({amount_text(unit.printed_value)}; {explanation})" if explanation else "")
    modifier_rows = [applied_modifier._asdict() for applied_modifier in unit.modifiers]
    return {
        "group": unit.group,
        "name": unit.name,
        "counts": counts,
        "printed": unit.printed_value,
        "value": unit.value,
        "applied": modifier_rows,
        "values": dict(unit.values),
    }


def _target(target: DefenderOdds, table: Table) -> Section:
    reasons = ", ".join(
        f"{applied_modifier.text} {format_signed(applied_modifier.amount)}" for applied_modifier in target.modifiers
    )
    title = f"{target.name}: die {target.die:+d}" + (f" ({reasons})" if reasons else "")
    return Section(
        [
            Value("name", target.name, for_people=False),
            Value("die", target.die, for_people=False),
            Value("applied", [applied_modifier._asdict() for applied_modifier in target.modifiers], for_people=False),
            Chances("chances", target.chances, meanings=meanings(table)),
        ],
        title,
    )


def effect_text(applied_modifier: AppliedModifier) -> str:
    """What a modifier does, such as ×1/2, +1 or shift -1."""
    if applied_modifier.effect == "multiply":
        return f"×{amount_text(applied_modifier.amount)}"
    return (
        format_signed(applied_modifier.amount)
        if applied_modifier.effect == "add"
        else f"{applied_modifier.effect} {format_signed(applied_modifier.amount)}"
    )


def format_signed(value: Fraction) -> str:
    """A number with its sign."""
    return f"+{amount_text(value)}" if value > 0 else amount_text(value)
