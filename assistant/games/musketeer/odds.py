"""A combat with both fires: who is left, who pursues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from assistant.assumptions import assume_inputs
from assistant.attack import Fields
from assistant.attack_nodes import format_signed
from assistant.engine.battle.results import results_table
from assistant.engine.question_field import on_a_map
from assistant.engine.questions import fates
from assistant.engine.retreat.paths import retreat
from assistant.games.musketeer.battle import asked_combat, asked_hexes, fought
from assistant.games.musketeer.combat import AWAY, FATES, WORN, Outcome, Shot, solve
from assistant.games.musketeer.forces import ATTACK, ATTACKER, DEFENDER, POLICIES, ROLES, Combat, Fighter
from assistant.games.musketeer.questions import contingent, counter, crowding, pursuit_hexes
from assistant.games.musketeer.retreat import Retreats, chances_of_going, marked, retreats_of
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Node,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    chances_of,
)
from assistant.questions.question import ON_ANY_MAP, Input, Inputs, Question
from assistant.unofficial import unofficial_addresses
from scenarios.model.game import Game


def _odds(game: Game, told: Inputs) -> Answer:
    combat, field = asked_combat(game, told)
    assume_inputs(told, game.attacks[ATTACK].inputs, combat.inputs)
    fled, retreats = None, list[dict[str, Cell]]()
    if field is not None:
        target, starts = asked_hexes(field, told)
        field = fought(field, combat, target, starts)
        fled = retreats_of(field, combat, target, starts) if target is not None else None
        retreats = list(_retreats(fled, combat)) if fled is not None else []
    outcome = solve(combat, watched=fled is not None)
    outcome = fled.folded(outcome) if fled is not None else outcome
    nodes = [*_fought(game, outcome), *_not_counted(outcome, fled)]
    if fled is not None:
        nodes.append(Sentence("what becomes of the units is after their retreats, each as if it went alone", "16.4"))
    if field is not None:
        columns = [
            TableColumn("unit", "if it must retreat"),
            TableColumn("how", "it", for_programs=False),
            TableColumn("eliminated", "lost"),
            TableColumn("disrupted", "disrupted"),
            TableColumn("lost_after_dr", "lost after DR"),
        ]
        nodes.append(RowTable("retreats", columns, retreats))
    if told.get("what_if"):
        nodes.append(_what_if(outcome, fled))
    return Answer(
        "odds", game.id, [*nodes, results_table(game, game.attacks[ATTACK].table), Unofficial(_ours(game, combat))]
    )


def _fought(game: Game, outcome: Outcome) -> list[Node]:
    """Who fires first, on which columns, and what it comes to."""
    combat = outcome.combat
    terrain = game.terrain[combat.terrain].name
    aimed = [unit.name for unit in combat.attackers if unit.stack == combat.aim]
    nodes: list[Node] = [
        Sentence(f"{terrain}: the {outcome.first} fires first", "14.4"),
        Value("first_fire", outcome.first, for_people=False),
        Value("fired_at", combat.aim + 1, for_people=False),
        Value("inputs", {**combat.inputs}, for_people=False),
    ]
    if len({unit.stack for unit in combat.attackers}) > 1:
        nodes.append(Sentence(f"the defenders fire at one stack, here {combat.aim + 1}: {', '.join(aimed)}", "14.4"))
    nodes.append(Sections("sides", [_side(outcome, number) for number in (0, 1)]))
    began, (cleared, may, must) = combat.support[0].cas, outcome.chances
    lost = chances_of(
        "airstrikes_lost",
        dict(sorted(outcome.gathered(0, lambda end: began - end.support.cas).items())),
        "Airstrikes lost",
    )
    return [
        *nodes,
        Value("cleared", Chance(cleared), "The hex is cleared"),
        Value("may_pursue", Chance(may), "Attackers may pursue", "17.1"),
        Value("must_pursue", Chance(must), "Attackers must pursue", "17.6"),
        lost
        if began
        else Value(lost.key, {key: Chance(chance) for key, chance in lost.chances.items()}, for_people=False),
    ]


def _side(outcome: Outcome, number: int) -> Section:
    """The units of a side, each with its column, its shifts and what may become of it."""
    combat, role = outcome.combat, ROLES[number]
    rows = [
        _unit(outcome, number, place, unit, shot)
        for place, (unit, shot) in enumerate(zip(combat.sides[number], outcome.shots[number], strict=True))
    ]
    known = [fate for fate in FATES if any(row[fate] for row in rows)]
    fates_ = [TableColumn(fate, fate.replace("disrupted and retreated", "both"), for_programs=False) for fate in known]
    unused = [TableColumn(fate, for_programs=False) for fate in FATES if fate not in known]
    pursues = [TableColumn("pursuit", "pursues")] * (number == 0)
    columns = [TableColumn("unit", "unit"), TableColumn("column", "column"), *fates_, *unused, *pursues]
    losses: list[Cell] = [
        {"eliminated": gone, "disrupted": worn, "retreated": away, "chance": Chance(chance)}
        for (gone, worn, away), chance in outcome.losses(number).items()
    ]
    policy = combat.policies[number]
    return Section(
        [
            Value("role", role, for_people=False),
            Value("policy", policy, for_people=False),
            RowTable("units", columns, rows),
            *_shifts(combat.sides[number], outcome.shots[number]),
            Sentence(f"losses: {POLICIES[policy]}"),
            Value("losses", losses, for_people=False),
        ],
        f"the {role}",
    )


def _shifts(units: Sequence[Fighter], shots: Sequence[Shot]) -> Iterator[Sentence]:
    """Why units fire on other columns: in a line where it is the same for all of them."""
    told = {
        unit.name: ", ".join(f"{one.text} {format_signed(one.amount)} ({one.rule})" for one in shot.applied)
        for unit, shot in zip(units, shots, strict=True)
    }
    if len(set(told.values())) == 1:
        told = {"shifts": next(iter(told.values()))}
    yield from (Sentence(f"{name}: {text}") for name, text in told.items() if text)


def _unit(outcome: Outcome, side: int, place: int, unit: Fighter, shot: Shot) -> dict[str, Cell]:
    game, fate = outcome.combat.game, outcome.fate(side, place)
    return {
        "unit": counter(game, game.units[unit.id]),
        "stack": unit.stack + 1,
        "column": shot.column,
        "shift": shot.shift,
        "applied": [one._asdict() for one in shot.applied],
        "chances": {name: Chance(chance) for name, chance in fate.items()},
        **({"pursuit": 0 if unit.landed else pursuit_hexes(game, unit.id)} if side == 0 else {}),  # 17.2, 29.5
        **{name: Chance(fate[name]) if name in fate else None for name in FATES},
    }


def _not_counted(outcome: Outcome, fled: Retreats | None) -> list[Node]:
    """What the chances don't count, for nobody says where the units stand."""
    going = [
        name
        for number, (name, units) in enumerate(zip(ROLES, outcome.combat.sides, strict=True))
        if fled is None or any(fled.hex(number, unit) is None for unit in units)
        if any(code in (AWAY, AWAY + WORN) for end in outcome.ends[number] for code in end.codes)
    ]
    where = "a position with hex=HEX from=HEX tells" if fled is None else "from=HEX tells where they stand"
    return (
        [Sentence(f"left out: what retreats cost the {' and the '.join(going)}; {where}", "16.4", key="not_counted")]
        if going
        else []
    )


def _retreats(fled: Retreats, combat: Combat) -> Iterator[dict[str, Cell]]:
    """What a retreat would do to each unit as it is, and after a DR, all who fight in place (16.0)."""
    field = fled.field
    spots = [(unit, fled.target) for unit in combat.defenders]
    spots += [(unit, fled.starts[unit.stack]) for unit in combat.attackers if unit.stack < len(fled.starts)]
    for unit, at in spots:
        standing = fled.standing(unit, at)
        if unit.landed:
            standing = marked(field, standing, "direct_assault")
        back = retreat(field, standing)
        stays = back.choice is not None or bool(back.fate is not None and back.fate.stay)
        row: dict[str, Cell] = {"unit": counter(field.game, standing.counter), "stays": stays}
        if stays:
            yield {**row, "how": "ignores R here and takes DR as D (16.5)"}
            continue
        worn = chances_of_going(field, standing, disrupted=True).eliminated if unit.steps > 1 else Fraction(1)
        routs = not back.length.sure
        how = f"is lost ({back.fate.rule})" if back.fate is not None else "routs" if routs else "withdraws"
        yield {
            **row,
            "how": how,
            "routs": routs,
            "eliminated": Chance(back.chance_of_loss),
            "disrupted": Chance(back.chance_worn),
            "lost_after_dr": Chance(worn),
            "outcomes": fates(field, back),
        }


def _what_if(outcome: Outcome, fled: Retreats | None) -> RowTable:
    """What one thing more or less would change; after the retreats, where these are known."""
    rows: list[dict[str, Cell]] = []
    for text, other in _variations(outcome.combat):
        try:
            found = solve(other, watched=fled is not None)
        except BadQuestion:
            continue  # what the rules don't allow is no alternative
        found = fled.folded(found) if fled is not None else found
        cleared = found.chances[0]
        better = f"{float(cleared - outcome.chances[0]):+.1%}"
        rows.append(
            {
                "change": text,
                "cleared": Chance(cleared),
                "better": better,
                ATTACKER: found.lost(0),
                DEFENDER: found.lost(1),
            }
        )
    columns = [
        TableColumn("change", "what if"),
        TableColumn("cleared", "cleared"),
        TableColumn("better", "better", for_programs=False),
        TableColumn(ATTACKER, "attackers lost"),
        TableColumn(DEFENDER, "defenders lost"),
    ]
    return RowTable("what_if", columns, rows)


def _ours(game: Game, combat: Combat) -> dict[str, str]:
    strengths = [(game.units[one.id], "combat") for side in combat.sides for one in side]
    cells = [("terrain", combat.terrain, "shift"), ("terrain", combat.terrain, "first")]
    across = str(combat.inputs.get("across", ""))
    cells += [("terrain", across, "shift")] if across in game.tables["terrain"].cells else []
    return unofficial_addresses(game, strengths, ["ground"], cells)


def _sided(side: str) -> tuple[Input, ...]:
    """What helps a side, and how it takes its losses."""
    return (
        Input(
            name=f"{side}_special_forces",
            about=f"the {side}: special forces take part; left out, those in the hex",
            kind="flag",
        ),
        Input(
            name=f"{side}_guerrilla",
            about=f"the {side}: value of its guerrillas; left out, of those in the hex",
            kind="number",
            maximum=2,
        ),
        Input(
            name=f"{side}_losses",
            about=f"the {side}: who takes a result",
            kind="choice",
            choices=tuple(POLICIES),
            default="spread",
        ),
    )


ODDS = Question(
    name="odds",
    on_map=on_a_map,
    about="a combat with both fires: who is left, who pursues",
    answer=_odds,
    positional=("hex", "from"),
    inputs=(
        Input(
            name="attackers",
            about="units that attack, a semicolon between stacks, or attackers= once for each stack",
            kind="units",
            stacks=True,
            example="bde_7_israel,gol_israel;bde_4_israel",
        ),
        Input(
            name="defenders", about="units that defend", kind="units", example="div_1_egypt,garrison_egypt+disrupted"
        ),
        Input(
            name="hex",
            about="the hex attacked: its terrain, hexsides and angles, and with a position who is there",
            kind="place",
            aliases=("at", "target"),
        ),
        Input(name="from", about="the hexes of the attacking stacks", kind="places", example="5508,5510"),
        *ON_ANY_MAP,
        Input(name="terrain", about="the terrain of the hex, if none is named", kind="choice", vocabulary="terrain"),
        Input(
            name="across",
            about="what every attacker comes across",
            kind="choice",
            choices=("nothing", "suez_canal", "river", "wadi"),
        ),
        Input(name="special_command", about="the impulse is a special command", kind="flag"),
        Input(name="concentric", about="the attack is concentric", kind="flag"),
        Input(name="enemy_flak", about="an enemy AAA unit is in or next to the hex", kind="flag"),
        Input(
            name="cas",
            about="airstrikes in close air support; left out, those of the attackers that a position shows in the hex",
            kind="number",
            maximum=7,
        ),
        Input(
            name="fire_at",
            about="the attacking stack that the defenders fire at: its hex or its number; left out, the strongest",
        ),
        *_sided(ATTACKER),
        *_sided(DEFENDER),
        Input(
            name="spare_air",
            about="an A/G takes the attacker's special forces or guerrillas before an airstrike",
            kind="flag",
        ),
        Input(name="what_if", about="also what one thing more or less would change", kind="flag"),
    ),
)


# --- what one thing more or less would change -------------------------------------------------------------------------


def _variations(combat: Combat) -> Iterator[tuple[str, Combat]]:
    """One unit less on each side or more of the attackers, other support, a column more."""
    game = combat.game
    for side, units in ((ATTACKER, combat.attackers), (DEFENDER, combat.defenders)):
        for place in {(_alike(unit.fields), unit.stack): i for i, unit in reversed(list(enumerate(units)))}.values():
            fewer = units[:place] + units[place + 1 :]
            if fewer:
                # Without a stack it may no longer be concentric, or all come across (14.10).
                seen = {**combat.inputs, **(combat.mapped(fewer) if side == ATTACKER else {})}
                yield f"{side} without {units[place].name}", replace(combat, **{f"{side}s": fewer}, inputs=seen)  # type: ignore[arg-type]
    best = max(combat.attackers, key=lambda unit: unit.strengths[0])
    stack = [game.units[unit.id] for unit in combat.attackers if unit.stack == best.stack]
    used = sum(unit.id == best.id for unit in combat.attackers)
    if used < game.units[best.id].count and not crowding(game, [*stack, game.units[best.id]]):
        yield f"attacker with one more {best.name}", replace(combat, attackers=(*combat.attackers, best))
    own, enemy = combat.support
    if own.cas < int(game.tables["air_stacking"].looked_up(contingent(game, best.nation), "hex")):
        yield "one airstrike more", replace(combat, support=(own._replace(cas=own.cas + 1), enemy))
    if own.cas:
        yield "one airstrike less", replace(combat, support=(own._replace(cas=own.cas - 1), enemy))
    if not own.special_forces and own.guerrilla is None:
        yield "attacker with special forces", replace(combat, support=(own._replace(special_forces=True), enemy))
    for key, text in (("special_command", "a special command"), ("concentric", "a concentric attack")):
        now = combat.inputs.get(key) is True
        yield f"{'without' if now else 'with'} {text}", replace(combat, inputs={**combat.inputs, key: not now})
    yield "attacker one column more", replace(combat, shifts=(combat.shifts[0] + 1, combat.shifts[1]))
    yield "defender one column more", replace(combat, shifts=(combat.shifts[0], combat.shifts[1] + 1))


def _alike(fields: Fields) -> tuple[object, ...]:
    """What the fire of a unit hangs on: units that agree in it fire on the same column."""
    flags = frozenset(name for name, value in fields.items() if value is True)
    return fields["combat"], fields["nation"], fields["class"], fields["type"], fields["size"], flags
