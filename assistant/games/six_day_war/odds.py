"""An attack as a question: percentage, tables, each result spelled out for the units at hand, what if."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.attack_nodes import meanings, odds_nodes
from assistant.engine.battle.battle import Battle, assume_readings
from assistant.engine.battle.results import rules_of
from assistant.engine.battle.what_if import next_column
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import name_chosen
from assistant.engine.retreat.joint_retreat import without_room
from assistant.engine.retreat.paths import RetreatPaths
from assistant.games.six_day_war.battle import neglect
from assistant.games.six_day_war.combat import TABLES, Combat, advances, column, combats, variants
from assistant.games.six_day_war.forces import SIDES, entering, foe, static
from assistant.games.six_day_war.questions import (
    DISINTEGRATED,
    ON_THE_MAP,
    asked_field,
    asked_hexes,
    asked_stack,
)
from assistant.games.six_day_war.retreat import crowd_text, ends_of, why
from assistant.questions.answer import (
    Answer,
    BadQuestion,
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
    Warning,
    chances_cell,
)
from assistant.questions.question import Input, Inputs, Question
from assistant.tables import two_strengths
from assistant.unofficial import unofficial_addresses
from scenarios.model.game import Game

OF_UNITS = ("target", "defenders", "attackers", "from", "enhanced", "airborne_surprise", "disintegrated", "what_if")
"""What means nothing beside two bare strengths."""


def _odds(game: Game, told: Inputs) -> Answer:
    """An attack on each table that may be chosen; or two bare strengths."""
    if "strengths" in told:
        return _bare(game, told)
    if "shift" in told:
        raise BadQuestion(
            "shift goes with two bare strengths, as in strengths=20:12; between units the rules give the shifts"
        )
    field = asked_field(game, told)
    targets = [*asked_hexes(field, told, "target"), *(s.place for s in asked_stack(field, told.get("defenders", ())))]
    targets = list(dict.fromkeys(targets))
    attackers = tuple(asked_stack(field, told.get("attackers", ())) or _standing(field, told, targets))
    if targets and not attackers and told.get("from"):
        title = field.map_index.title(targets[0])
        if not any(field.by_place.get(n) for n in targets):
            raise BadQuestion(
                f"nobody stands in {title}, so there is nobody to attack; to ask all the same, put=UNIT@{title}"
            )
        raise BadQuestion(
            f"no unit in the hexes of `from` can attack {title}: say attackers=UNIT,UNIT, or put=UNIT@HEX"
        )
    if not attackers or not targets:
        raise BadQuestion(
            "say which hex is attacked: target=HEX" if attackers else "say who attacks: attackers=UNIT,UNIT"
        )
    both = told.get("shock_and_enhanced", game.rulings["shock_turn_shifts"].choice == "both")
    inputs = {key: told.get(key, False) for key in ("enhanced", "airborne_surprise")}
    found = combats(field, attackers, targets, {**inputs, "shock_and_enhanced": both}, told.get("table", ""))
    undone = neglect(field, attackers, targets)
    nodes: list[Node] = [Warning(f"not allowed: {text}", rule) for text, rule in undone.why]
    nodes.append(
        RowTable("refused", [TableColumn("text")], [{"text": text, "rule": rule} for text, rule in undone.why])
    )
    nodes += [
        Value("not_attacking", [s.ref for s in undone.left_out], for_people=False),
        Value("must_join", [s.ref for s in undone.must_join], for_people=False),
        Value("unattacked", field.places_at(undone.unattacked), for_people=False),
    ]
    nodes.append(Sections("attacks", [_battle(field, combat, told.get("what_if", False)) for combat in found]))
    for combat in found:
        assume_readings(told, combat.battle)
    name_chosen(told, (*attackers, *found[0].battle.defenders))
    return Answer("odds", game.id, nodes)


def _standing(field: Field, told: Inputs, targets: Sequence[int]) -> list[PlacedUnit]:
    """All who can attack out of the hexes `from`: the mobile units of whoever is the enemy of the target's (13.10)."""
    side = "israeli" if any(field.is_occupied(n, "arab") for n in targets) else "arab"
    return [s for n in asked_hexes(field, told, "from") for s in field.stack(n, side) if not static(s)]


# --- two bare strengths -----------------------------------------------------------------------------------------------


def _bare(game: Game, told: Inputs) -> Answer:
    """Two strengths, as in 20:12, with a net shift (13.12, 13.14)."""
    text, shift = told["strengths"], int(told.get("shift", 0))
    if strange := next((key for key in OF_UNITS if told.get(key)), None):
        raise BadQuestion(f"{strange} goes with units; two bare strengths take only shift and table")
    pair = two_strengths(text)
    if pair is None:
        raise BadQuestion(f"strengths: {text!r} should look like 20:12")
    attack, defense = pair
    shifted = f", shifted {shift:+d}" if shift else ""
    sections = []
    for key in [told["table"]] if "table" in told else TABLES:
        table, label = game.tables[key], column(game, attack, defense, shift, key)
        spread = table.distribution(table.named_column(label))
        sections.append(
            Section(
                [
                    Value("attack", key, for_people=False),
                    Value("column", label, for_people=False),
                    Value("shift", shift, for_people=False),
                    Value("attack_strength", attack, for_people=False),
                    Value("defense_strength", defense, for_people=False),
                    Value("percent", 100 * attack / defense, for_people=False),
                    Chances("chances", spread, meanings=meanings(table)),
                    Unofficial(unofficial_addresses(game, cells=((key, row, label) for row in table.cells))),
                ],
                f"{table.title}, column {label}",
            )
        )
    head = Sentence(f"{attack} to {defense} is {int(100 * attack / defense)} %{shifted}")
    return Answer("odds", game.id, [head, Sections("attacks", sections)])


# --- a battle ---------------------------------------------------------------------------------------------------------


def _battle(field: Field, combat: Combat, what_if: bool) -> Section:
    """An attack on one of the tables."""
    odds, battle = combat.odds, combat.battle
    percent = 100 * odds.attack_strength / odds.defense_strength if odds.defense_strength else None
    barred = _shut(field, battle)
    # The chances stand with what each result does to these units, not with what it means in general.
    nodes: list[Node] = [
        Value("attack", battle.attack, for_people=False),
        Value("percent", percent, for_people=False),
        *odds_nodes(field.game, odds, chances=False),
        Value("chances", chances_cell(odds.chances), for_people=False),
        _results(field, combat, barred),
    ]
    fought = (*battle.attackers, *battle.defenders)
    fates: list[dict[str, Cell]] = [
        {
            "unit": unit.ref,
            "eliminated": Chance(low),
            "eliminated_at_most": Chance(high),
            "equals": [other.ref for other in combat.equals.get(unit, ())],
        }
        for unit in fought
        for low, high in [combat.gone[unit]]
    ]
    differ = any(low != high for low, high in combat.gone.values())
    columns = [
        TableColumn("unit", "unit"),
        TableColumn("eliminated", "eliminated, at least" if differ else "eliminated"),
        TableColumn("eliminated_at_most", "at most, as the owner chooses" if differ else ""),
        TableColumn("equals", "one of these, as the owner chooses" if combat.equals else ""),
    ]
    nodes.append(RowTable("outcomes", columns, fates))
    nodes.append(Value("cleared", Chance(combat.clears), "No defender left in place"))
    shut: list[dict[str, Cell]] = [{"place": field.place(n), "rule": rule} for n, rule in barred.items()]
    nodes += [RowTable("barred", [TableColumn("place"), TableColumn("rule")], shut), Unofficial(_ours(field, battle))]
    nodes += _what_if(combat) if what_if else []
    title = field.game.tables[battle.attack].title
    return Section(nodes, title if percent is None else f"{title}: {int(percent)} %")


def _results(field: Field, combat: Combat, shut: Mapping[int, str]) -> RowTable:
    """Each result with what it does to these units; `shut` are hexes that attackers may not enter."""
    barred = (
        f", not into {' '.join(map(field.map_index.name, shut))} ({', '.join(sorted(set(shut.values())))})"
        if shut
        else ""
    )
    rows: list[dict[str, Cell]] = []
    for one in combat.results:
        lost = {
            share: [fate.unit for fate in share.fates if not fate.steps_left]
            for share in (one.attackers, one.defenders)
        }
        equals = [standing for choice in one.choices for standing in choice.equals]
        back = {
            share: [fate.retreat_paths for fate in share.going if fate.retreat_paths]
            for share in (one.attackers, one.defenders)
        }
        no_room = without_room([*back[one.attackers], *back[one.defenders]])
        (advance, recon), follow = advances(one.attackers), advances(one.defenders)[0]
        parts = [_lost(standing, equals) for standing in (*lost[one.defenders], *lost[one.attackers])]
        parts += [_back_text(field, retreat) for share in (one.attackers, one.defenders) for retreat in back[share]]
        parts += [f"{crowd_text(no_room)} (11.5, 14.2)"] if any(no_room) else []
        parts += [f"advance {advance}{f', recon {recon}' if recon else ''}{barred}"] if advance else []
        parts += [f"the defender may advance {follow}"] if follow else []
        rows.append(
            {
                "result": one.code,
                "exact": str(one.chance),
                "chance": Chance(one.chance),
                "what": "; ".join(parts) or "nothing",
                "attackers_lost": [s.ref for s in lost[one.attackers]],
                "defenders_lost": [s.ref for s in lost[one.defenders]],
                "equals": [s.ref for s in equals],
                "attacker_retreats": [_back(field, retreat) for retreat in back[one.attackers]],
                "defender_retreats": [_back(field, retreat) for retreat in back[one.defenders]],
                "no_room": chances_cell(no_room),
                "advance": advance,
                "recon_advance": recon,
                "defender_advance": follow,
                "rule": rules_of(one.fates),
            }
        )
    columns = [
        TableColumn("result", "result"),
        TableColumn("exact", "exactly", for_programs=False),
        TableColumn("chance", "chance"),
        TableColumn("what", "what happens", for_programs=False),
    ]
    return RowTable("results", columns, rows, heads=False)


def _lost(standing: PlacedUnit, equals: Sequence[PlacedUnit]) -> str:
    """Who is gone; of equals the owner chooses (13.16)."""
    others = [s.name for s in equals if s.side == standing.side]
    return (
        f"one of {', '.join([standing.name, *others])} gone, the owner's choice" if others else f"{standing.name} gone"
    )


def _back(field: Field, back: RetreatPaths) -> dict[str, Cell]:
    reason, rule = why(back)
    return {
        "unit": back.unit.ref,
        "name": back.unit.name,
        "eliminated": Chance(back.chance_gone),
        "to": field.places_at(ends_of(back)),
        "why": reason,
        "rule": rule,
    }


def _back_text(field: Field, back: RetreatPaths) -> str:
    """Where a unit goes back to, or why it doesn't or dies."""
    name, (reason, rule), dies = back.unit.name, why(back), back.chance_gone
    if dies == 1:
        return f"{name} gone, {reason} ({rule})"
    risk = f", gone by {float(dies):.0%}" if dies else ""
    return (
        name
        + (f": {reason} ({rule})" if reason else " back to " + " or ".join(map(field.map_index.name, ends_of(back))))
        + risk
    )


def _shut(field: Field, battle: Battle) -> dict[int, str]:
    """Hexes of the defenders that the attackers may fight but not enter, each with its rule (25.2, 25.4)."""
    empty = field.with_changes(removed_units=battle.defenders)
    stepper = entering(empty, battle.attackers[0])
    barred = {
        n: stepper.start_refusal(n) for n in sorted({s.place for s in battle.defenders}, key=field.map_index.name)
    }
    return {n: record.rule for n, record in barred.items() if record is not None}


def _ours(field: Field, battle: Battle) -> dict[str, str]:
    """What a battle rests on that isn't the rulebook's: strengths, the table, and the shifts of the terrain."""
    strengths = [(s.counter, "combat") for s in (*battle.attackers, *battle.defenders)]
    kinds = [str(kind) for key in ("terrain", "hexside") if (kind := battle.inputs[key]) != "none"]
    cells = [("terrain", kind, "shift") for kind in kinds if int(field.game.tables["terrain"].looked_up(kind, "shift"))]
    return unofficial_addresses(field.game, strengths, [battle.attack], cells)


def _what_if(combat: Combat) -> list[Node]:
    """What a column further right takes, and what each change would come to."""
    battle = combat.battle
    more = next_column(battle.field.game.tables[battle.attack], combat.odds)
    rows: list[dict[str, Cell]] = []
    for change, label, found in variants(combat):
        lost = {battle.side: found.attacker_steps, foe(battle.side): found.defender_steps}
        shown = {side: f"{float(lost[side]):.2f}" for side in SIDES}
        rows.append({"change": change, "column": label, "cleared": Chance(found.falls), "lost": lost, **shown})
    columns = [
        TableColumn("change", "what if"),
        TableColumn("column", "column"),
        TableColumn("cleared", "cleared"),
        TableColumn("israeli", "Israelis lost", for_programs=False),
        TableColumn("arab", "Arabs lost", for_programs=False),
    ]
    return [
        Value("next_column", more, "Points more that would start a column further right", for_people=more is not None),
        RowTable("what_if", columns, rows),
    ]


ODDS = Question(
    name="odds",
    about="an attack: percentage, tables, shifts, results spelled out; what if",
    answer=_odds,
    positional=("target",),
    inputs=(
        Input(name="attackers", about="who attacks", kind="units", example="is_7_armor,is_60_armor"),
        Input(
            name="from",
            about="or the hexes they stand in, with all who can attack there",
            kind="places",
            example="4622,4521",
        ),
        Input(
            name="target", about="the hex attacked, or several at once, or a unit there", kind="places", aliases=("at",)
        ),
        Input(name="defenders", about="or who is attacked", kind="units"),
        *ON_THE_MAP,
        Input(name="table", about="where only one table is wanted", kind="choice", choices=TABLES),
        Input(name="enhanced", about="an enhanced attack, for a reserve point", kind="flag"),
        Input(
            name="airborne_surprise", about="the first airborne assault of the front on a fortification", kind="flag"
        ),
        DISINTEGRATED,
        Input(
            name="shock_and_enhanced", about="on turn 1 shock and enhancement both shift, as we read it", kind="flag"
        ),
        Input(name="what_if", about="also each change to the attack", kind="flag"),
        Input(name="strengths", about="instead of units: two bare strengths", example="20:12"),
        Input(name="shift", about="their net shift, right if positive", kind="number", minimum=-20, maximum=20),
    ),
)
