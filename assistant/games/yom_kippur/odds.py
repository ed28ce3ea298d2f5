"""Ground combat as a question: from a position or in words, what if, the best plan."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from assistant.attack_nodes import odds_nodes
from assistant.engine.battle.battle import Battle, assume_readings
from assistant.engine.battle.requirements import unmet
from assistant.engine.battle.results import ROLES, Consequence, GroupOutcome, Role, rules_of
from assistant.engine.battle.what_if import next_column
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_place, name_chosen
from assistant.engine.retreat.paths import RetreatPath, RetreatPaths
from assistant.games.yom_kippur.air import asked_air
from assistant.games.yom_kippur.combat import (
    Combat,
    attacking,
    fight,
    fights,
    helpers,
    in_words,
    on_the_map,
)
from assistant.games.yom_kippur.fire import INPUTS as BARRAGE_INPUTS
from assistant.games.yom_kippur.fire import barrage_answer
from assistant.games.yom_kippur.plans import Front, variants
from assistant.games.yom_kippur.questions import (
    ON_ITS_MAP,
    STEPS,
    asked_field,
    asked_target,
    asked_units,
    other,
    ours,
)
from assistant.odds import assume_attack, read_attack_inputs
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Node,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    chances_cell,
)
from assistant.questions.question import Input, Inputs, Question
from scenarios.model.game import Game

TOGETHER = "who goes back together shares the room of a hex (1.3), and keeps no enemy zone off the others"


def odds_answer(game: Game, told: Inputs) -> Answer:
    """An attack by `attackers` on the hex `target`, or on `defenders` in words; `what_if` for changes, `best` for a plan."""
    if told.get("attack") == "barrage":
        return barrage_answer(game, told)
    if "defenders" in told:
        asked_air(game, None, told)
        battle, waiting = in_words(game, told), []
        assume_attack(game, "ground", told)
    else:
        if not any(one.name in told for one in ON_ITS_MAP):
            raise BadQuestion(
                "say who attacks whom: attackers=UNIT,UNIT and defenders=UNIT; or on the map, as in "
                "scenario=4.5 attackers=UNIT target=HEX"
            )
        field = asked_field(game, told)
        if told.get("best"):
            return _best(field, told)
        battle = _placed(field, told)
        waiting = _left_out(battle, told)
        assume_readings(told, battle)
        name_chosen(told, (*battle.attackers, *battle.defenders))
    combat = fight(battle)
    nodes = [*waiting, *combat_nodes(combat)]
    return Answer("odds", game.id, [*nodes, *(_what_if(combat) if told.get("what_if") else ())])


def _placed(field: Field, told: Inputs) -> Battle:
    """The attack where the units stand; what is told besides wins over what the map says."""
    asked_air(field.game, field, told)
    target = asked_target(field, told)
    units = attacking(field, asked_units(field, told, "attackers"), told, [target])
    return on_the_map(field, units, target, read_attack_inputs(field.game, "ground", told))


def _left_out(battle: Battle, told: Inputs) -> list[Node]:
    """Who stands in the hexes that are named with `from`, could fight and may not attack the target."""
    field, (target,) = battle.field, battle.targets
    hexes = [asked_place(field.map_index, name) for name in told.get("from", ())]
    units = [unit for hex in hexes for unit in field.stack(hex, battle.side) if unit not in battle.attackers]
    demands = [(unit, unmet(field, unit, [target])) for unit in units if unit.fields["attack"] > 0]
    return [
        Sentence(f"{unit.name} doesn't attack: {broken[0].text}", broken[0].rule) for unit, broken in demands if broken
    ]


# --- a battle ---------------------------------------------------------------------------------------------------------


def combat_nodes(combat: Combat) -> list[Node]:
    """A battle: the odds, each result spelled out, and the chances of steps and retreats."""
    battle = combat.battle
    # The chances stand with what each result does to these units, not with what it means in general.
    nodes = odds_nodes(battle.field.game, combat.odds, chances=False)
    nodes.append(Value("chances", chances_cell(combat.odds.chances), for_people=False))
    nodes += [Sentence(text, "3.6") for text in [saggers(combat)] if text]
    nodes.append(Value("saggers", combat.stars, for_people=False))
    bound = bound_engineers(battle)
    nodes.append(
        Value(
            "no_bridge",
            [s.ref for s in bound],
            "Gives the column, and can't become a bridge this turn",
            "1.5, 1.14a",
            for_people=bool(bound),
        )
    )
    helping = {group: [s.ref for s in helpers(battle, group)] for group in ("attackers", "defenders")}
    nodes.append(Value("helpers", helping, for_people=False))
    nodes.append(_results(combat))
    spreads: list[tuple[str, str, Mapping[int, Fraction]]] = [
        ("attacker_steps", "attacker's steps lost", combat.spread(lambda one: int(one.attackers.steps))),
        ("defender_steps", "defender's steps lost", combat.spread(lambda one: int(one.defenders.steps))),
        ("attacker_retreat", "attacker's hexes back", combat.spread(lambda one: combat.due(one, "attacker_retreat"))),
        ("defender_retreat", "defender's hexes back", _pushed(combat)),
    ]
    rows: list[dict[str, Cell]] = [{"of": title, "chances": chances_cell(spread)} for _, title, spread in spreads]
    nodes.append(
        RowTable(
            "shown_spread",
            [TableColumn("of", "how many"), TableColumn("chances", "chances")],
            rows,
            heads=False,
            for_programs=False,
        )
    )
    nodes.append(Value("spread", {key: chances_cell(spread) for key, _, spread in spreads}, for_people=False))
    nodes.append(Value("hex_falls", Chance(combat.falls), "The hex falls"))
    nodes.append(Value("hex_taken", Chance(combat.advance_chance), "An attacker is left to take it"))
    if battle.targets and any(
        len(share.going) > 1 for one in combat.results for share in (one.attackers, one.defenders)
    ):
        nodes.append(Sentence(TOGETHER))
    return [*nodes, Unofficial(rebuilt(combat))]


def _results(combat: Combat) -> RowTable:
    rows: list[dict[str, Cell]] = []
    for one in combat.results:
        texts = ((role, _share_text(combat, one, role)) for role in ROLES)
        rows.append(
            {
                "result": one.code,
                "exact": str(one.chance),
                "chance": Chance(one.chance),
                "what": ", ".join(f"{role} {text}" for role, text in texts if text) or "nothing",
                **{role: _share(combat, one, role) for role in ROLES},
                "hex_falls": one.falls,
                "hex_taken": combat.is_taken(one),
            }
        )
    columns = [
        TableColumn("result", "result"),
        TableColumn("exact", "exactly", for_programs=False),
        TableColumn("chance", "chance"),
        TableColumn("what", "what happens", for_programs=False),
    ]
    return RowTable("results", columns, rows, heads=False)


def _pushed(combat: Combat) -> Mapping[int, Fraction]:
    """How many hexes the defender goes back; forts alone none, they take a retreat as losses (2.1)."""
    rooted = all("stands_fast" in s.counter.abilities for s in combat.battle.defenders)
    return combat.spread(lambda one: 0 if rooted else combat.due(one, "defender_retreat"))


def _share(combat: Combat, one: Consequence, role: Role) -> dict[str, Cell]:
    """What a result does to one side."""
    share, field = one.share_of(role), combat.battle.field
    losses: list[Cell] = [
        {
            "unit": fate.unit.ref,
            "name": fate.unit.name,
            "steps": fate.steps,
            "left": fate.unit.steps - fate.steps,
            "rule": rules_of([fate]),
        }
        for fate in share.fates
        if fate.steps
    ]
    ways: list[Cell] = [
        {
            "unit": fate.unit.ref,
            "name": fate.unit.name,
            "steps": fate.steps - fate.steps_lost,
            "to": [field.place(way.end) for way in ways],
            "path": [field.place(n) for n in ways[0].path] if ways else [],
        }
        for fate in share.going
        if fate.retreat_paths is not None
        for ways in [_ways(fate.retreat_paths)]
    ]
    return {
        "steps": combat.due(one, f"{role}_steps"),
        "sagger": int(_by_saggers(combat, share, role)),
        "retreat": combat.due(one, f"{role}_retreat"),
        "losses": losses,
        "back": ways,
        "crowded": share.is_crowded,
        "is_best": share.sure,
    }


def _by_saggers(combat: Combat, share: GroupOutcome, role: Role) -> bool:
    """Whether a star cost a step (3.6)."""
    stars = combat.battle.field.program.rules.results[f"{role}_star"]
    return any(record is star for fate in share.fates for record in fate.records for star in stars)


def _ways(back: RetreatPaths) -> list[RetreatPath]:
    """The ways that a unit may go, in the map's order."""
    return sorted(next(iter(back.ways.values()), ()), key=lambda way: way.end)


def _share_text(combat: Combat, one: Consequence, role: Role) -> str:
    share, battle = one.share_of(role), combat.battle
    name, hexes = battle.field.map_index.name, combat.due(one, f"{role}_retreat")
    told = []
    for fate in share.fates:
        if fate.steps:
            left = fate.unit.steps - fate.steps
            told.append(f"{fate.unit.name} {'gone' if not left else f'loses {fate.steps}, {left} left'}")
    for fate in share.going:
        ways = _ways(fate.retreat_paths) if fate.retreat_paths is not None else []
        if ways:
            ends = [name(way.end) for way in ways]
            where = " or ".join(ends[:4]) + (f" or {len(ends) - 4} more" if len(ends) > 4 else "")
            price = f" ({ways[0].harm} by enemy zones)" if ways[0].harm else ""
            told.append(f"{fate.unit.name} back {hexes} to {where}{price}")
        elif fate.retreat_paths is not None:
            told.append(f"{fate.unit.name} has no retreat path")
    if share.is_crowded:
        told.append("not all to one hex" if share.sure else "not all to one hex; there may be a better plan")
    if not battle.targets and share.going:
        told.append(f"{', '.join(fate.unit.name for fate in share.going)} back {hexes}")
    told += ["one step by Saggers"] if _by_saggers(combat, share, role) else []
    return "; ".join(told)


def bound_engineers(battle: Battle) -> list[PlacedUnit]:
    """Engineers of whom one gave a shift, and so can't become a bridge in this turn (1.14a, ruling shift_turn).

    Where a headquarters is stacked with them too, the shift can be its own. An Egyptian engineer that helps to defend has
    its Bridging Phase of the turn behind it.
    """
    found: list[PlacedUnit] = []
    for group, units in (("attackers", battle.attackers), ("defenders", battle.defenders)):
        helping = helpers(battle, group)
        late = group == "defenders" and units[0].side == "egyptian"
        if not late and all("builds_bridge" in s.counter.abilities for s in helping):
            found += helping
    return found


def rebuilt(combat: Combat) -> dict[str, str]:
    """What a battle rests on that isn't the rulebook's: strengths, steps, a few cells of the table."""
    battle, column = combat.battle, combat.odds.column
    used = [*((s, "attack") for s in battle.attackers), *((s, "defense") for s in battle.defenders)]
    used += [(s, STEPS) for s in (*battle.attackers, *battle.defenders)]
    return ours(battle.field.game, used, [("combat", row, column) for row in combat.table.cells] if column else [])


def saggers(combat: Combat) -> str:
    """Whether Saggers count, and if not, why; nothing where no Israeli armor fights (3.6)."""
    values, limits = combat.odds.values, combat.battle.field.game.tables["limits"]
    if not values["armor_attacks"] and not values["armor_defends"]:
        return ""
    if combat.stars:
        return "Saggers: a star in the Israeli result costs a step of armor more"
    if not values["saggers"]:
        return "no Saggers: no Egyptian infantry is in it"
    return f"no Saggers: they count up to turn {limits.cell('sagger_last_turn', 0).code} only"


# --- what if, and the best plan ---------------------------------------------------------------------------------------


def _what_if(combat: Combat) -> list[Node]:
    more = next_column(combat.table, combat.odds)
    columns = [
        TableColumn("change", "change"),
        TableColumn("column", "column"),
        TableColumn("hex_falls", "the hex falls"),
        TableColumn("hex_taken", "taken"),
        TableColumn("attacker_steps", "own steps"),
        TableColumn("defender_steps", "enemy steps"),
    ]
    rows: list[dict[str, Cell]] = [
        {
            "change": change,
            "column": column,
            "hex_falls": Chance(found.falls),
            "hex_taken": Chance(found.advance_chance),
            "attacker_steps": found.attacker_steps,
            "defender_steps": found.defender_steps,
        }
        for change, column, found in variants(combat)
    ]
    return [
        Value("next_column", more, "Points more that would start a column further right", for_people=more is not None),
        RowTable("what_if", columns, rows),
    ]


def _best(field: Field, told: Inputs) -> Answer:
    """`best`: all units of `side` (or `attackers`) shared out among `targets`."""
    inputs: dict[str, Any] = {key: Fraction(count) for key, count in asked_air(field.game, field, told).items()}
    inputs["overrun"] = bool(told.get("overrun"))
    if "allied_saggers" in told:
        inputs["allied_saggers"] = told["allied_saggers"]
    at = [told["target"]] if "target" in told else []
    targets = list(dict.fromkeys(asked_place(field.map_index, name) for name in (*told.get("targets", ()), *at)))
    if not targets:
        raise BadQuestion("say which hexes may be attacked: targets")
    side = told.get("side", "israeli")
    units = attacking(field, asked_units(field, told, "attackers"), told, targets) or [
        s for s in field.units_of(side) if fights(s)
    ]
    side = units[0].side if units else side
    for hex in targets:
        if not field.is_occupied(hex, other(side)):
            raise BadQuestion(f"no enemy stands in {field.map_index.name(hex)}")
    aim, price = told.get("aim", "steps"), told.get("price", Fraction(0))
    plan = Front(field, units, targets, "places" if aim == "hexes" else "steps", inputs, price).plan()
    attacks = [(hex, found) for hex, (_, found) in plan.attacks.items() if isinstance(found, Combat)]
    rows: list[dict[str, Cell]] = [
        {
            "place": field.place(hex),
            "column": combat.odds.column,
            "hex_falls": Chance(combat.falls),
            "hex_taken": Chance(combat.advance_chance),
            "defender_steps": combat.defender_steps,
            "units": [s.ref for s in combat.battle.attackers],
        }
        for hex, combat in attacks
    ]
    columns = [
        TableColumn("place", "target"),
        TableColumn("column", "column"),
        TableColumn("hex_falls", "falls"),
        TableColumn("hex_taken", "taken"),
        TableColumn("defender_steps", "enemy steps"),
        TableColumn("units", "by"),
    ]
    what = "hexes taken" if aim == "hexes" else "enemy steps lost"
    less = f", less {price} for each step of one's own" if price else ""
    used = {entry: word for _, combat in attacks for entry, word in rebuilt(combat).items()}
    nothing: list[Node] = [] if rows else [Sentence("nobody named can attack there")]
    return Answer(
        "odds",
        field.game.id,
        [
            *nothing,
            RowTable("attacks", columns, rows),
            Value("aim", aim, for_people=False),
            Value("worth", plan.worth, f"On average {what}{less}; no plan does better"),
            Value("not_needed", [s.ref for s in plan.idle], "Not needed", for_people=bool(plan.idle)),
            Unofficial(used),
        ],
    )


def _flag(name: str, about: str) -> Input:
    return Input(name=name, about=about, kind="flag")


ODDS = Question(
    name="odds",
    about="an attack: odds, results, losses, retreats; what if; the best plan",
    answer=odds_answer,
    inputs=(
        *BARRAGE_INPUTS,
        Input(name="from", about="or all who can attack from these hexes", kind="places"),
        Input(name="defenders", about="in words, without a map: who is attacked", kind="units"),
        _flag("road", "in words: tanks come along a road"),
        _flag("attacker_helper", "a headquarters or engineer helps the attack"),
        _flag("defender_helper", "a headquarters or engineer helps the defense"),
        _flag("overrun", "it is an overrun"),
        _flag("best", "share the attackers out among targets"),
        Input(name="targets", about="with best: the hexes that may be attacked", kind="places"),
        Input(name="aim", about="with best: what counts", kind="choice", choices=("steps", "hexes")),
        Input(
            name="price",
            about="with best: what a step of one's own counts",
            kind="number",
            integer=False,
            example="1/2",
        ),
        Input(name="attack", about="which attack", kind="choice", choices=("ground", "barrage")),
        _flag("allied_saggers", "the allies of Egypt have Saggers too, as we read 3.6"),
    ),
)
