"""Attacks as a question: as text, from a battle file or from a position; what if; the best plan."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from assistant.assumptions import NOTES
from assistant.attack import AttackValue, Odds, UnitStrength, read_answer
from assistant.attack_nodes import effect_text, format_signed, meanings, odds_nodes
from assistant.engine.field import Field
from assistant.engine.sight.line_of_sight import side_name
from assistant.games.arab_israeli_wars.battle import AttackRequest, battle_from, on_the_map
from assistant.games.arab_israeli_wars.battle_file import battle_file
from assistant.games.arab_israeli_wars.combat import DefenderChances, DefenderLosses, LossChances, label, mean_losses
from assistant.games.arab_israeli_wars.fire import Fire, fire
from assistant.games.arab_israeli_wars.forces import (
    OTHER_NAMES,
    AskedAttack,
    Fighter,
    attack_kind,
    bare_fighter,
    blocked_text,
    check_rulings,
    counter_fighter,
    unit_word,
)
from assistant.games.arab_israeli_wars.opportunity import moving_battle
from assistant.games.arab_israeli_wars.plans import ANY_TARGET, Change, Shares, asked_plan, changes, next_column
from assistant.games.arab_israeli_wars.questions import (
    CHANGE_INPUTS,
    FIRED_AT,
    FIRING,
    MAP,
    ON_THE_GROUND,
    RULING,
    SCENARIO,
    WITH,
    asked_field,
    assume_rules,
    chance_table,
    counter,
    hex_of,
    place,
    silent,
    unofficial_numbers,
)
from assistant.games.arab_israeli_wars.targets import Volley
from assistant.odds import assume_attack, attack_input
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    Node,
    PlaceRef,
    Refusal,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    Warning,
)
from assistant.questions.question import POSITION, Input, Inputs, Question
from assistant.questions.references import UnitRef, named_unit
from scenarios.grammar import amount_text
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.reading.findings import suggest

ADVANCED_ATTACKS = frozenset(("interdiction", "neutralization", "quick_march", "anti_aircraft"))
"""The attacks that only the Advanced Rules have (Advanced I.D, II.C, III)."""
BARE_ATTACKS = ("air_strike", "indirect_fire", "interdiction")
"""Attacks that something without a counter may make (Standard II.B, II.F)."""
BARE_PART = re.compile(r"(\d+)(A|G|H|\(H\)|M)((?::[^:]*)*)")
CHART = "Basic VI.D"
"""The rule of the Weapons Effectiveness Chart, which players call WEC."""
GROUPS = ("attackers", "strikes", "engineers")
"""The pack's names for the firers of some attacks."""
PICKS = ("from", "at", "support", "side", "destructive", "overrun", "seen", "aim", "path", "best")
"""Inputs that only a position has."""


# --- the question -----------------------------------------------------------------------------------------------------


def odds_question(game: Game) -> Question:
    """Return the question with all inputs of the pack's attacks."""
    shapes = [(key, attack.inputs) for key, attack in game.attacks.items()]
    shapes += [(key, attack.groups[attack.attackers].inputs) for key, attack in game.attacks.items()]
    attack_inputs: dict[str, Input] = {}
    attacks_by_input: dict[str, list[str]] = {}
    for key, inputs in shapes:
        attack_names = [other_name for other_name, attack_key in OTHER_NAMES.items() if attack_key == key] + [""] * (
            key == "direct_fire"
        )
        for name, shape in inputs.items():
            attack_inputs[name] = attack_input(game, name, shape)
            attacks_by_input.setdefault(name, []).extend((key, *attack_names))
    attack_inputs = {
        name: replace(input_, condition=("attack", tuple(attacks_by_input[name])))
        for name, input_ in attack_inputs.items()
    }
    common_inputs = {input_.name: input_ for input_ in INPUTS}
    return Question(
        name="odds",
        about="an attack: which units may fire, the odds, and the result for each target; changes; the best plan",
        answer=odds_answer,
        # On a map these are read from it, and an input changes them for this question only: the page keeps these inputs
        # separate.
        positional=("attack",),
        inputs=(
            *INPUTS,
            *(replace(input_, what_if=True) for name, input_ in attack_inputs.items() if name not in common_inputs),
        ),
    )


def _flag(name: str, about: str) -> Input:
    return Input(name=name, about=about, kind="flag")


INPUTS = (
    Input(name="attack", about="the kind of attack; direct fire by default", kind="choice", vocabulary="attack",
          choices=tuple(OTHER_NAMES)),
    Input(name="firers", about="the attacking units; on a map, only these of the units in the hexes", kind="units", aliases=GROUPS,
          extra_pattern=BARE_PART.pattern, example="t_62:distance=4,t_55#5411,15(H)"),
    Input(name="targets", about="the attacked units; on a map, only these of the units in the hex", kind="units",
          example="m60a1+dispersed,m60a1"),
    Input(
        name="mine", about="without a map: the minefield", kind="units", example="mine_2_1",
        condition=("attack", ("minefield", "clear_mines")),
    ),
    Input(name="march", about="without a map: the unit at the end of a quick march", kind="units", condition=("attack", ("quick_march",))),
    Input(name="from", about="on a map: the hexes of the attackers", kind="places", example="A-L-9,A-L-10"),
    Input(name="at", about="on a map: the hex attacked; with best, several", kind="places", example="A-M-7"),
    *(SCENARIO, POSITION, MAP, *CHANGE_INPUTS, replace(WITH, aliases=()), RULING),
    Input(name="battle", about="instead: a battle file", kind="file"),
    Input(name="side", about="the attacking side", kind="choice", vocabulary="side"),
    Input(name="support", about="batteries and air strikes of the Situation, by name", multiple=True, example="155 mm battery"),
    Input(name="destructive", about=f"the recorded target of destructive fire; with best, {ANY_TARGET}", example="t_62"),
    Input(name="overrun", about="opportunity fire: the hex that the targets overrun", kind="place",
          condition=("attack", ("opportunity_fire",))),
    Input(name="path", about="opportunity fire: the path of the target, from its hex", kind="places", example="A-H-3,A-H-4",
          condition=("attack", ("opportunity_fire",))),
    replace(_flag("seen", "indirect fire: whether a friendly unit sees the hex"),
            condition=("attack", ("indirect_fire", "neutralization"))),
    _flag("what_if", "also show the next column, and one unit more or fewer"),
    _flag("best", "find the best assignment of attackers to targets"),
    Input(name="aim", about="with best: the aim: kills (the default), a HEX of at, or HEX:UNIT", example="A-M-7:t_62"),
    _flag("anyway", "show the numbers even if the attack isn't allowed"),
)  # fmt: skip


def odds_answer(game: Game, inputs: Inputs) -> Answer:
    """Answer the odds of an attack that is given as text, by a battle file, or from a position."""
    on_a_map = any(input_.name in inputs for input_ in ON_THE_GROUND if input_ is not RULING)
    if "battle" in inputs and on_a_map:
        raise BadQuestion("give the battle with --battle or a --position, not both")
    if on_a_map:
        return _from_position(game, inputs)
    if strange := next((name for name in PICKS if (name in inputs if name == "seen" else inputs.get(name))), ""):
        source = "in the battle file" if "battle" in inputs else "without a map"
        raise BadQuestion(f"--{strange} needs a position; give it {source}, or add --position FILE")
    rulings = inputs.get("ruling", {})
    if "battle" in inputs:
        allowed_names = ("battle", "ruling", "what_if", "anyway", NOTES)
        if strange := next((name for name in inputs if name not in allowed_names), ""):
            raise BadQuestion(f"{strange!r} can't be combined with --battle; write it into the file")
        battle = battle_file(game, inputs["battle"], rulings)
    else:
        battle = _in_words(game, inputs, check_rulings(game, rulings))
    return _attack_answer(fire(battle, anyway=bool(inputs.get("anyway"))), inputs)


def _from_position(game: Game, question_inputs: Inputs) -> Answer:
    field, position = asked_field(game, question_inputs)
    if position is None:
        raise BadQuestion(
            "an attack needs a position: open a save, give position=FILE, or put units on the map (Basic VI.A.1)"
        )
    assume_rules(field, question_inputs)
    everyone = on_the_map(field, position)
    attack = str(question_inputs.get("attack", "direct_fire"))
    best, anyway = bool(question_inputs.get("best")), bool(question_inputs.get("anyway"))
    path, hex_names = question_inputs.get("path", ()), question_inputs.get("at", ())
    if len(hex_names) > 1 and not best:
        raise BadQuestion("name one hex; only with --best may there be several (Basic VI.C.4)")
    inputs, firer_inputs = _split_inputs(game, attack_kind(attack), question_inputs)
    destructive = str(question_inputs.get("destructive", ""))
    if destructive not in ("", ANY_TARGET):
        destructive = _words([named_unit(game, destructive, label="destructive")])[0]
    request = AttackRequest(
        attack,
        tuple(hex_of(field, name) for name in question_inputs.get("from", ())),
        hex_of(field, hex_names[0]) if hex_names and not best else None,
        _words(question_inputs.get("firers", ())),
        _words(question_inputs.get("targets", ())),
        tuple(question_inputs.get("support", ())),
        destructive,
        hex_of(field, question_inputs["overrun"]) if "overrun" in question_inputs else None,
        str(question_inputs.get("side", "")),
        question_inputs.get("seen"),
        inputs,
        firer_inputs,
    )
    _check_level(field, attack, anyway)
    if best:
        pattern, plan = asked_plan(game, field, everyone, request, hex_names, str(question_inputs.get("aim", "")))
        targets = [target for volley in plan.volleys for target in volley.targets]
        sources = _unofficial(pattern, targets, any(volley.scatters for volley in plan.volleys))
        return Answer("odds", game.id, [*plan_nodes(pattern, plan), sources])
    if path:
        battle = moving_battle(game, field, everyone, request, path)
    elif request.hex is None:
        raise BadQuestion("name the attacked hex: --at HEX (Basic VI.C.4)")
    else:
        battle = battle_from(game, field, everyone, request)
    chooses = not request.firers and (bool(path) or not request.targets)
    answer = _attack_answer(fire(battle, choose=chooses, anyway=anyway), question_inputs)
    reason = _beyond_level(field, attack)
    return replace(answer, nodes=[Warning(reason, "The Situations A.1"), *answer.nodes]) if reason else answer


def _beyond_level(field: Field, attack: str) -> str:
    """Return why the Situation's rules don't have an attack; "" where they have it."""
    level = field.scenario.level if field.scenario is not None else ""
    needed_level = "Advanced" if attack in ADVANCED_ATTACKS else "Standard" if attack != "direct_fire" else ""
    if (level == "basic" and needed_level) or (level == "standard" and needed_level == "Advanced"):
        return f"{field.position.scenario} is a Situation of the {level.title()} Rules, and this attack is in the {needed_level} Rules"
    return ""


def _check_level(field: Field, attack: str, anyway: bool) -> None:
    """Refuse an attack that the Situation's rules don't have, unless the player wants the numbers all the same."""
    reason = _beyond_level(field, attack)
    # Players may add Advanced Rules to a Standard Situation (The Situations D). Basic Situations have no overruns and
    # assaults.
    if reason and not anyway and field.scenario is not None and field.scenario.level == "basic":
        raise Refusal(reason, "The Situations A.1")


def _words(unit_refs: Sequence[UnitRef | str]) -> tuple[str, ...]:
    """Return units as the battle rules name them: UNIT, or UNIT#NUMBER."""
    if strange := next((unit_ref for unit_ref in unit_refs if isinstance(unit_ref, str)), ""):
        raise BadQuestion(
            f"{strange!r} has no counter; name batteries and strikes of the Situation with --support NAME (Standard II.B)"
        )
    return tuple(
        unit_word(unit_ref.id, unit_ref.copy)
        for unit_ref in unit_refs
        if isinstance(unit_ref, UnitRef)
        for _ in range(unit_ref.count)
    )


def _split_inputs(game: Game, kind: str, inputs: Inputs) -> tuple[dict[str, AttackValue], dict[str, AttackValue]]:
    """Return the inputs of the battle, and the inputs of every firer."""
    shape, common_names = game.attacks[kind], {input_.name for input_ in INPUTS}
    attack_inputs, firer_inputs = shape.inputs, shape.groups[shape.attackers].inputs
    given_values = {name: value for name, value in inputs.items() if name not in (*common_names, NOTES)}
    if strange := next((name for name in given_values if name not in attack_inputs and name not in firer_inputs), ""):
        raise BadQuestion(f"{kind} has no input {strange!r}; {suggest(strange, [*attack_inputs, *firer_inputs])}")
    battle = {name: value for name, value in given_values.items() if name in attack_inputs}
    return battle, {name: value for name, value in given_values.items() if name not in attack_inputs}


def _in_words(game: Game, inputs: Inputs, rulings: Mapping[str, str]) -> AskedAttack:
    """Return the battle that the text describes by itself, without a map."""
    attack = inputs.get("attack", "direct_fire" if inputs.get("firers") and inputs.get("targets") else None)
    if attack is None:
        raise BadQuestion(f"name the attack: {', '.join([*game.attacks, *OTHER_NAMES])}; or give --position FILE")
    kind = attack_kind(attack)
    shape = game.attacks[kind]
    known_names = (
        "firers" if shape.attackers in GROUPS else "attack",
        "attack",
        "ruling",
        "what_if",
        "anyway",
        NOTES,
        *shape.groups,
        *shape.inputs,
    )
    if strange := next((name for name in inputs if name not in known_names), ""):
        raise BadQuestion(f"{kind} has no input {strange!r}; {suggest(strange, [*shape.groups, *shape.inputs])}")
    groups = {name: inputs.get("firers" if name in GROUPS else name, ()) for name in shape.groups}
    firers, targets = (
        tuple(fighter for part in groups[group] for fighter in _fighters(game, kind, group, part))
        for group in (shape.attackers, shape.defenders)
    )
    assume_attack(game, kind, {**inputs, **groups})
    battle_inputs = {key: inputs[key] for key in shape.inputs if key in inputs}
    return AskedAttack(game, attack, firers, targets, None, battle_inputs, rulings=rulings)


def _fighters(game: Game, kind: str, group: str, unit_ref: UnitRef | str) -> Iterator[Fighter]:
    """Yield a unit with its states and inputs, as often as it takes part; or something without a counter, by its
    points and type, as 15(H):ammunition=2."""
    shape = game.attacks[kind]
    if isinstance(unit_ref, str):
        match = BARE_PART.fullmatch(unit_ref)
        if match is None or kind not in BARE_ATTACKS or group != shape.attackers:
            raise BadQuestion(
                f"{unit_ref!r} has no counter, and {kind} is made by counters; {suggest(unit_ref, game.units)}"
            )
        points, weapon, detail_text = match.groups()
        details = {
            name: value or "true"
            for detail in filter(None, detail_text.split(":"))
            for name, _, value in [detail.partition("=")]
        }
        yield bare_fighter(int(points), weapon, kind == "air_strike", _of_unit(game, kind, group, details))
        return
    nation = game.units[unit_ref.id].nation if unit_ref.id in game.units else ""
    inputs = _of_unit(game, kind, group, unit_ref.details)
    yield from [
        counter_fighter(game, unit_ref.id, nation=nation, states=unit_ref.states, inputs=inputs)
    ] * unit_ref.count


def _of_unit(game: Game, kind: str, group: str, details: Mapping[str, str]) -> dict[str, AttackValue]:
    """Return the inputs of one unit."""
    input_shapes = game.attacks[kind].groups[group].inputs
    if strange := next((name for name in details if name not in input_shapes), ""):
        raise BadQuestion(f"{group} has no input {strange!r}; {suggest(strange, input_shapes)}")
    return {name: read_answer(game, name, input_shapes[name], text) for name, text in details.items()}


# --- an attack --------------------------------------------------------------------------------------------------------


def _attack_answer(fire_result: Fire, inputs: Inputs) -> Answer:
    battle = fire_result.battle
    targets = [fate.fighter for fate in fire_result.fates]
    what_if = _what_if(fire_result) if inputs.get("what_if") else ()
    sources = _unofficial(battle, targets, len(fire_result.landings) > 1)
    return Answer("odds", battle.game.id, [*fire_nodes(fire_result), *what_if, sources])


def _unofficial(battle: AskedAttack, targets: Sequence[Fighter], drifts: bool) -> Unofficial:
    """Return what an attack depends on: its table, the factors of its units, the drift diagram, the boards."""
    factors: dict[tuple[str, ...], list[str]] = {
        FIRING: [firer.unit for firer in battle.firers],
        FIRED_AT: [target.unit for target in targets],
    }
    tables = (battle.shape.table, *["drift"] * drifts)
    return Unofficial(unofficial_numbers(battle.game, battle.field, tables, factors))


def fire_nodes(fire_result: Fire) -> list[Node]:
    """Return an attack: the units that take part, strengths, odds, column, every defender's chances, and those of
    all together."""
    battle, refusals, harm = fire_result.battle, fire_result.refusals, _harm(fire_result.battle)
    kills, hurt = mean_losses(fire_result.losses)
    shows_losses = battle.kind != "interdiction"
    has_own_losses = any(toll != DefenderLosses(0, 0) for toll in fire_result.friendly_losses)
    return [
        _head(battle),
        *silent(attack=battle.attack, place=_place(battle, battle.aim_hex), inputs=battle.inputs()),
        *(Warning(f"not allowed: {bar.text}", bar.rule) for bar in refusals),
        *silent(
            refused=[bar._asdict() for bar in refusals], attackers=[_row(battle, firer) for firer in battle.firers]
        ),
        _left_out(fire_result),
        *_all_odds(fire_result),
        *_shields(battle),
        _falls(fire_result),
        Sections("targets", list(_fates(fire_result, fire_result.fates))),
        *silent(**{"eliminated": kills, harm: hurt}),
        _losses("losses", fire_result.losses, "together", harm, shows_losses and len(fire_result.fates) > 1),
        _losses("own_losses", fire_result.friendly_losses, "own units", harm, shows_losses and has_own_losses),
        *map(Sentence, fire_result.notes),
    ]


def _harm(battle: AskedAttack) -> str:
    """Return the outcome for a unit that is hit but stays."""
    return "stopped" if battle.kind == "interdiction" else "dispersed"


def _place(battle: AskedAttack, hex: Hex | None) -> PlaceRef | None:
    return place(battle.field, hex) if battle.field is not None and hex is not None else None


def _head(battle: AskedAttack) -> Sentence:
    inputs, attacked_place = battle.inputs(), _place(battle, battle.aim_hex)
    conditions = [
        str(inputs[key]).replace("_", " ") for key in ("terrain", "works") if inputs.get(key, "none") != "none"
    ]
    place_parts = (" at ", attacked_place) if attacked_place is not None else ()
    year = f" ({inputs['year']})" if "year" in inputs else ""
    return Sentence((battle.shape.title, *place_parts, f": {', '.join(conditions)}" * bool(conditions), year))


def _row(battle: AskedAttack, fighter: Fighter) -> dict[str, Cell]:
    """Return a unit in a battle; something without a counter has only a name."""
    return {
        "unit": counter(battle.game, fighter.unit, fighter.copy) if not fighter.weapon else None,
        "name": fighter.name,
        "place": _place(battle, fighter.hex),
        "side": fighter.side,
        "nation": fighter.nation,
        "states": sorted(fighter.states),
    }


def _left_out(fire_result: Fire) -> RowTable:
    rows: list[dict[str, Cell]] = [
        {
            **_row(fire_result.battle, exclusion.fighter),
            "who": label(fire_result.battle, exclusion.fighter),
            "why": "; ".join(map(str, exclusion.reasons)),
            "refused": [reason._asdict() for reason in exclusion.reasons],
        }
        for exclusion in fire_result.left_out
    ]
    return _unable_table("not taking part", rows)


def _unable_table(title: str, rows: Sequence[Mapping[str, Cell]]) -> RowTable:
    return RowTable("unable", [TableColumn("who", title, for_programs=False), TableColumn("why", "why")], rows)


def _all_odds(fire_result: Fire) -> list[Node]:
    """Return the odds of the attack, or of each where each defender is attacked alone; equal ones are shown once."""
    if len(fire_result.answers) < 2:
        return [node for answer in fire_result.answers for node in _odds(fire_result, answer)]
    sections: list[Section] = []
    for answer, target in zip(fire_result.answers, fire_result.battle.targets, strict=True):
        refusals = silent(refused=[failure._asdict() for failure in answer.violations])
        section = Section([*_odds(fire_result, answer), *refusals], f"on {target.name}")
        sections.append(replace(section, for_people=section not in sections))
    return [Sections("attacks", sections)]


def _odds(fire_result: Fire, answer: Odds) -> list[Node]:
    """Return the strengths and the column of one attack; each defender shows its own die modifier."""
    battle = fire_result.battle
    attackers = battle.shape.attackers
    names = [label(battle, firer) for firer in battle.firers]
    firing = [unit for unit in answer.units if unit.group == attackers]
    labels_by_unit = dict(zip(map(id, firing), names, strict=True)) if len(names) == len(firing) else {}
    rows: list[dict[str, Cell]] = [
        {
            "group": unit.group,
            "name": unit.name,
            "who": labels_by_unit.get(id(unit), unit.name),
            "counts": _counts(unit),
            "printed": unit.printed_value,
            "value": unit.value,
            "applied": [applied_modifier._asdict() for applied_modifier in unit.modifiers],
            "values": dict(unit.values),
        }
        for unit in answer.units
    ]
    shown_rows: list[dict[str, Cell]] = []
    for (group, name, counts), same_rows in groupby(rows, lambda row: (row["group"], row["who"], row["counts"])):
        count = len(list(same_rows))
        side = "+" if group == attackers else "-"
        shown_rows.append({"many": f"{count} x" if count > 1 else "", "side": side, "who": name, "counts": counts})
    columns = [
        TableColumn("side", " "),
        TableColumn("many", " "),
        TableColumn("who", "unit"),
        TableColumn("counts", "counts"),
    ]
    targets: list[Cell] = [
        {
            "name": target.name,
            "die": target.die,
            "applied": [a._asdict() for a in target.modifiers],
            "codes": _exact(target.chances),
        }
        for target in answer.targets
    ]
    return [
        RowTable("shown", columns, shown_rows, heads=False, for_programs=False),
        RowTable("units", [TableColumn("who", for_programs=False), TableColumn("counts", for_programs=False)], rows),
        *(node for node in odds_nodes(battle.game, answer, chances=False) if _is_kept(node)),
        *silent(
            target_dice=targets,
            chances=_exact(answer.chances),
            meanings=meanings(battle.game.tables[battle.shape.table]),
        ),
    ]


def _is_kept(node: Node) -> bool:
    """Whether a node of any pack's attack is kept: not the inputs of single units, nor refusals, which belong to the
    whole attack."""
    is_refusal = isinstance(node, Warning) and str(node.text).startswith("not allowed")
    return not is_refusal and getattr(node, "key", "") not in ("units", "refused", "targets", "chances")


def _exact(chances: Mapping[str, Fraction]) -> dict[str, Cell]:
    return {outcome: Chance(chance) for outcome, chance in chances.items()}


def _counts(unit: UnitStrength) -> str:
    """Return a strength from the printed value to the one that counts, with each step and the chart row it comes
    from."""
    steps: list[str] = []
    for applied_modifier in unit.modifiers:
        text = applied_modifier.text
        row = str(unit.values.get("row", "")).partition("/")[2] if applied_modifier.rule == CHART and not steps else ""
        if row:
            distance_text = f" at {unit.values['away']}" if "away" in unit.values else ""
            weapon, separator, since = row.partition(" after ")
            year, _, nation = since.partition(" ")
            nation_text = f", {nation.title()} after {year}" if separator else ""
            text = f"WEC ({weapon}{distance_text}{nation_text})"
        steps.append(f"{effect_text(applied_modifier)} {text}")
    return amount_text(unit.value) + (f" = {amount_text(unit.printed_value)} {', '.join(steps)}" if steps else "")


def _shields(battle: AskedAttack) -> Iterator[Node]:
    """Yield from whom targets are hull down, and every line of sight."""
    rows: list[Cell] = []
    shields_by_firer: dict[str, str] = {}
    for (i, j), sight in battle.sights.items():
        assert battle.field is not None
        hexsides = [side_name(battle.field, effect.crossing.side) for effect in sight.shields if effect.crossing.side]
        shield = ", ".join(dict.fromkeys(hexsides))
        blocker = None if sight.clear else blocked_text(battle.field, sight)
        row: dict[str, Cell] = {"attacker": i, "target": j, "clear": sight.clear, "why": blocker}
        rows.append({**row, "hull_down": bool(sight.shields), "behind": shield or None})
        if shield and not battle.overrun_from(battle.firers[i]):
            shields_by_firer[label(battle, battle.firers[i])] = shield
    for name, shield in shields_by_firer.items():
        yield Sentence(f"hull down from {name}, behind {shield}", "Basic VII.F.1")
    yield from silent(looks=rows)


def _falls(fire_result: Fire) -> RowTable:
    """Return where fire that may drift or scatter lands."""
    battle, scatters = fire_result.battle, len(fire_result.landings) > 1
    rows: list[dict[str, Cell]] = []
    for landing in fire_result.landings:
        fall, fates = landing.fall, landing.fates
        missing_place = "lost" if fall.manner == "scatter" else "off the map"
        hit = _count_names(
            fate.fighter.name
            + (f" (eliminated {fate.kill_chance})" if fate.kill_chance or battle.kind != "interdiction" else "")
            for fate in fates
        )
        rows.append(
            {
                "how": fall.manner,
                "thrown": f"{fall.manner} {fall.roll}" if fall.roll else fall.manner,
                "where": missing_place if fall.hex is None else _place(battle, fall.hex),
                "place": _place(battle, fall.hex),
                "chance": Chance(fall.chance),
                "hit": hit,
                "targets": [_fate(battle, fate) for fate in fates],
            }
        )
    titles = {"thrown": "throw", "where": "hex", "chance": "chance", "hit": "on"}
    columns = [TableColumn(key, title * scatters, key == "chance") for key, title in titles.items()]
    return RowTable("falls", columns, rows, "where the fire lands" if scatters else "", heads=False)


def _count_names(names: Iterable[str]) -> str:
    return ", ".join(f"{count} x {name}" if count > 1 else name for name, count in Counter(names).items())


def _fate(battle: AskedAttack, fate: DefenderChances) -> dict[str, Cell]:
    return {**_row(battle, fate.fighter), "die": fate.die, "chances": _exact(fate.chances)}


def _fates(fire_result: Fire, fates: Sequence[DefenderChances]) -> Iterator[Section]:
    """Yield each defender with its die modifier and its chances; equal ones are shown once."""
    battle = fire_result.battle
    dice = [target for answer in fire_result.answers for target in answer.targets]
    heads = []
    for i, fate in enumerate(fates):
        head = ", ".join([_target_name(battle, fate.fighter), *sorted(fate.fighter.states)])
        if len(dice) == len(fates):
            modifiers = ", ".join(f"{modifier.text} {format_signed(modifier.amount)}" for modifier in dice[i].modifiers)
            head += f": die {dice[i].die:+d}" + (f" ({modifiers})" if modifiers else "")
        heads.append((head, tuple(fate.chances.items())))
    head_counts = Counter(heads)
    for i, (fate, key) in enumerate(zip(fates, heads, strict=True)):
        title = f"{head_counts[key]} x {key[0]}, each" if head_counts[key] > 1 else key[0]
        values = silent(**_row(battle, fate.fighter), die=fate.die)
        yield Section([*values, Chances("chances", fate.chances)], title, for_people=key not in heads[:i])


def _target_name(battle: AskedAttack, fighter: Fighter) -> str:
    """Return a defender's name; under interdiction with its hex, and whether it is a friend."""
    if battle.kind != "interdiction" or fighter.hex in (None, battle.aim_hex):
        return fighter.name
    prefix = "own " if battle.firers and fighter.side == battle.firers[0].side else ""
    return prefix + label(battle, fighter)


def _losses(key: str, loss_chances: LossChances, title: str, harm: str, is_shown: bool) -> RowTable:
    """Return the chance of each toll, and the averages."""
    kills, hurt = mean_losses(loss_chances)
    rows: list[dict[str, Cell]] = [
        {
            "toll": _toll(toll, harm),
            "exact": str(chance),
            "chance": Chance(chance),
            "eliminated": toll.eliminated,
            harm: toll.hurt,
        }
        for toll, chance in loss_chances.items()
    ]
    heading = f"{title}: {_mean(kills)} eliminated and {_mean(hurt)} {harm} on average"
    return chance_table(key, TableColumn("toll", "toll", for_programs=False), rows, heading, is_shown=is_shown)


def _toll(toll: DefenderLosses, harm: str) -> str:
    return ", ".join(f"{n} {word}" for n, word in ((toll.eliminated, "eliminated"), (toll.hurt, harm)) if n) or "none"


def _mean(value: Fraction) -> str:
    return f"{float(value):.2f}"


# --- what if, and the best plan ---------------------------------------------------------------------------------------


def _what_if(fire_result: Fire) -> Iterator[Node]:
    battle, answers, harm = fire_result.battle, fire_result.answers, _harm(fire_result.battle)
    following = next_column(battle.game.tables[battle.shape.table], answers[0]) if len(answers) == 1 else None
    if following is not None:
        better, points = bool(following.column), following.points_needed
        yield Value("next_column", points, f"More strength points for column {following.column}", for_people=better)
        yield from silent(column_after=following.column)
        yield Value("to_spare", following.spare, "Spare points in this column", for_people=bool(following.spare))
        yield from [] if better else [Sentence("this is the best column")]
    losses = mean_losses(fire_result.losses)
    rows = [_change(battle, change, harm, losses) for change in (changes(fire_result) if answers else ())]
    columns = [TableColumn("change", "what if"), *(TableColumn(key, key) for key in ("column", "eliminated", harm))]
    yield RowTable("what_if", [*columns, TableColumn("same", " ", for_programs=False)], rows)


def _change(
    battle: AskedAttack, change: Change, harm: str, current_losses: tuple[Fraction, Fraction]
) -> dict[str, Cell]:
    unit_text = _with_place(battle, change.fighter)
    return {
        **_row(battle, change.fighter),
        "change": f"+ {unit_text} (+{change.strength})" if change.is_added else f"- {unit_text}",
        "added": change.is_added,
        "strength": change.strength,
        "column": change.column,
        "eliminated": change.kills,
        harm: change.hurt,
        "same": "no change" if (change.kills, change.hurt) == current_losses else "",
    }


def plan_nodes(pattern: AskedAttack, plan: Shares) -> list[Node]:
    """Return the best plan: each attack, its firers, and the chances."""
    exact = f" ({plan.kills})" if plan.kills.denominator != 1 else ""
    unable: list[dict[str, Cell]] = [
        {**_row(pattern, fighter), "who": _with_place(pattern, fighter), "why": reason}
        for fighter, reason in plan.unable
    ]
    return [
        *silent(attack=pattern.attack),
        *([] if plan.volleys else [Sentence("no attack has any effect")]),
        Sections("attacks", [_volley(pattern, volley, n) for n, volley in enumerate(plan.volleys, 1)]),
        *silent(worth=plan.kills),
        Sentence(f"{_mean(plan.kills)}{exact} eliminated on average; this is the best possible plan"),
        *silent(not_needed=[_row(pattern, fighter) for fighter in plan.idle]),
        *([Sentence(f"not needed: {_list_names(pattern, plan.idle)}")] if plan.idle else []),
        _unable_table("can't", unable),
        *map(Sentence, plan.notes),
    ]


def _volley(pattern: AskedAttack, volley: Volley, number: int) -> Section:
    kills = mean_losses(volley.losses)[0]
    chances: list[dict[str, Cell]] = [
        {"name": fate.fighter.name, "chance": Chance(fate.kill_chance), "exact": str(fate.kill_chance)}
        for fate in volley.fates
        if fate.kill_chance
    ]
    columns = [TableColumn("name", "target"), TableColumn("exact", "exactly"), TableColumn("chance", "eliminated")]
    nodes = [
        Sentence(f"by {_list_names(pattern, volley.firers)}"),
        *silent(
            attackers=[{**_row(pattern, firer), "written_for": firer.aim} for firer in volley.firers],
            column=volley.column,
            eliminated=kills,
            targets=[_fate(pattern, fate) for fate in volley.fates],
        ),
        RowTable("shown", columns, chances, heads=False, for_programs=False),
        _losses("losses", volley.losses, "", "dispersed", False),
    ]
    targets = _list_names(pattern, volley.targets)
    return Section(nodes, f"{number}. {targets}: column {volley.column}, {_mean(kills)} eliminated")


def _with_place(battle: AskedAttack, fighter: Fighter) -> str:
    return f"{fighter.name} {_place(battle, fighter.hex) or ''}".strip()


def _list_names(battle: AskedAttack, fighters: Sequence[Fighter]) -> str:
    aimed_fighters = (
        replace(fighter, name=f"{fighter.name} at {fighter.aim}") if fighter.aim else fighter for fighter in fighters
    )
    return _count_names(_with_place(battle, fighter) for fighter in aimed_fighters)
