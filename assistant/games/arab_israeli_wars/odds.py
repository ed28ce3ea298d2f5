"""Attacks as a question: in words, from a battle file or from a position; what if; the best plan."""

from __future__ import annotations

import re
from collections import Counter as Bag
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from assistant.answers import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    Column,
    Line,
    Node,
    Ours,
    Place,
    Refusal,
    Section,
    Several,
    Table,
    Value,
    Warning,
)
from assistant.asking import Named, named_unit
from assistant.assumptions import NOTES, assume_inputs, assume_of_units
from assistant.attack import Answer as Odds
from assistant.attack import Strength, read_answer
from assistant.attack import Value as Told_
from assistant.games.arab_israeli_wars.battle import Asked, battle_file, battle_from, on_the_map
from assistant.games.arab_israeli_wars.combat import Fate, Together, Toll, expected, label
from assistant.games.arab_israeli_wars.fire import Fire, fire
from assistant.games.arab_israeli_wars.forces import OTHER_NAMES, Battle, Fighter, checked
from assistant.games.arab_israeli_wars.los import by_the_rules
from assistant.games.arab_israeli_wars.opportunity import moving_battle
from assistant.games.arab_israeli_wars.plans import ANY, Change, Shares, asked_plan, changes, next_column
from assistant.games.arab_israeli_wars.questions import (
    CHANGED,
    FIRED_AT,
    FIRING,
    MAP,
    ON_THE_GROUND,
    RULING,
    SCENARIO,
    WITH,
    asked_field,
    assume_rules,
    counter,
    hex_of,
    ours_of,
    place,
)
from assistant.games.arab_israeli_wars.targets import Volley
from assistant.odds import attack_input, effect_text, meanings, number_text, odds_nodes, signed
from assistant.questions import POSITION, Input, Question, Told
from assistant.rules.field import Field
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.reading.findings import instead

ADVANCED = frozenset(("interdiction", "neutralization", "quick_march", "anti_aircraft"))
"""The attacks that only the Advanced Rules have (Advanced I.D, II.C, III)."""
BARE = {"air_strike": "points", "indirect_fire": "off_board", "interdiction": "off_board"}
"""Attacks by what has no counter (Standard II.B, II.F), and what tells its points."""
SORT = {"air_strike": "strike", "indirect_fire": "battery", "interdiction": "battery"}
BARE_PART = re.compile(r"(\d+)(A|G|H|\(H\)|M)((?::[^:]*)*)")
CHART = "Basic VI.D"
"""The rule of the Weapons Effectiveness Chart, WEC to players."""
GROUPS = ("attackers", "strikes", "engineers")
"""What the pack calls the firers of some attacks."""
PICKS = ("from", "at", "support", "side", "destructive", "overrun", "seen", "aim", "path", "best")
"""What is told of a position only."""


# --- the question -----------------------------------------------------------------------------------------------------


def odds_question(game: Game) -> Question:
    """The question with all that the pack's attacks ask."""
    shapes = [(key, attack.inputs) for key, attack in game.attacks.items()]
    shapes += [(key, attack.groups[attack.attackers].inputs) for key, attack in game.attacks.items()]
    asked: dict[str, Input] = {}
    of: dict[str, list[str]] = {}
    for key, inputs in shapes:
        also = [other for other, meant in OTHER_NAMES.items() if meant == key] + [""] * (key == "direct_fire")
        for name, shape in inputs.items():
            asked[name] = attack_input(game, name, shape)
            of.setdefault(name, []).extend((key, *also))
    asked = {name: replace(one, only=("attack", tuple(of[name]))) for name, one in asked.items()}
    own = {one.name: one for one in INPUTS}
    return Question(
        name="odds",
        about="an attack: who may fire, the odds, each target's fate; what if; the best plan",
        answer=odds_answer,
        # On a map these are read from it, and what is told instead is a change in thought: the page keeps them apart.
        bare=("attack",),
        inputs=(*INPUTS, *(replace(one, what_if=True) for name, one in asked.items() if name not in own)),
    )


def _flag(name: str, about: str) -> Input:
    return Input(name=name, about=about, kind="flag")


INPUTS = (
    Input(name="attack", about="what it is; direct fire, if not told", kind="choice", of="attack", choices=tuple(OTHER_NAMES)),
    Input(name="firers", about="who attacks; on a map only these of who is there", kind="units", aliases=GROUPS,
          besides=BARE_PART.pattern, example="t_62:distance=4,t_55#5411,15(H)"),
    Input(name="targets", about="who is attacked; on a map only these of who is there", kind="units", example="m60a1+dispersed,m60a1"),
    Input(name="mine", about="in words: the minefield", kind="units", example="mine_2_1", only=("attack", ("minefield", "clear_mines"))),
    Input(name="march", about="in words: what attacks at the end of a quick march", kind="units", only=("attack", ("quick_march",))),
    Input(name="from", about="on a map: the hexes of the attackers", kind="places", example="A-L-9,A-L-10"),
    Input(name="at", about="on a map: the hex attacked; with best, several", kind="places", example="A-M-7"),
    *(SCENARIO, POSITION, MAP, *CHANGED, replace(WITH, aliases=()), RULING),
    Input(name="battle", about="instead: a battle file", kind="file"),
    Input(name="side", about="whose units attack", kind="choice", of="side"),
    Input(name="support", about="batteries and air strikes of the Situation, by name", many=True, example="155 mm battery"),
    Input(name="destructive", about=f"the unit that destructive fire is written for; with best, {ANY}", example="t_62"),
    Input(name="overrun", about="opportunity fire: the hex that the targets are just overrunning", kind="place",
          only=("attack", ("opportunity_fire",))),
    Input(name="path", about="opportunity fire: the way of the target, from its hex", kind="places", example="A-H-3,A-H-4",
          only=("attack", ("opportunity_fire",))),
    replace(_flag("seen", "indirect fire: whether a friend sees the hex"), only=("attack", ("indirect_fire", "neutralization"))),
    _flag("what_if", "also the next column, and one unit more or less"),
    _flag("best", "the best way to share the attackers out among the targets"),
    Input(name="aim", about="with best: what it is for, else kills: a HEX of at, or HEX:UNIT", example="A-M-7:t_62"),
    _flag("anyway", "the numbers even if it isn't allowed"),
)  # fmt: skip


def odds_answer(game: Game, told: Told) -> Answer:
    """The odds of an attack told by words, by a battle file, or from a position."""
    on_a_map = any(one.name in told for one in ON_THE_GROUND if one is not RULING)
    if "battle" in told and on_a_map:
        raise BadQuestion("give the battle by --battle or from a --position, not both")
    if on_a_map:
        return _from_position(game, told)
    if strange := next((name for name in PICKS if (name in told if name == "seen" else told.get(name))), ""):
        where = "in the battle file" if "battle" in told else "in words"
        raise BadQuestion(f"--{strange} picks from a position; say it {where}, or give --position FILE")
    rulings = told.get("ruling", {})
    if "battle" in told:
        other = ("battle", "ruling", "what_if", "anyway", NOTES)
        if strange := next((name for name in told if name not in other), ""):
            raise BadQuestion(f"{strange!r} doesn't go with --battle; write it into the file")
        return _fought(
            fire(battle_file(game, told["battle"], rulings), by_the_rules, anyway=bool(told.get("anyway"))), told
        )
    return _fought(fire(_in_words(game, told, checked(game, rulings)), anyway=bool(told.get("anyway"))), told)


def _from_position(game: Game, told: Told) -> Answer:
    field, position = asked_field(game, told)
    if position is None:
        raise BadQuestion(
            "an attack is worked out from a position: open a save, tell position=FILE, or put units there (Basic VI.A.1)"
        )
    assume_rules(field, told)
    everyone = on_the_map(game, position)
    attack = str(told.get("attack", "direct_fire"))
    best, path, at = bool(told.get("best")), told.get("path", ()), told.get("at", ())
    if len(at) > 1 and not best:
        raise BadQuestion("one hex is attacked at a time; with --best they may be several (Basic VI.C.4)")
    inputs, of_firers = _told(game, OTHER_NAMES.get(attack, attack), told)
    destructive = str(told.get("destructive", ""))
    asked = Asked(
        attack,
        tuple(hex_of(field, name) for name in told.get("from", ())),
        hex_of(field, at[0]) if at and not best else None,
        _words(told.get("firers", ())),
        _words(told.get("targets", ())),
        tuple(told.get("support", ())),
        destructive if destructive in ("", ANY) else _words([named_unit(game, destructive, what="destructive")])[0],
        hex_of(field, told["overrun"]) if "overrun" in told else None,
        str(told.get("side", "")),
        told.get("seen"),
        inputs,
        of_firers,
    )
    _check_level(field, attack, bool(told.get("anyway")))
    if best:
        pattern, plan = asked_plan(game, field, everyone, asked, at, str(told.get("aim", "")))
        targets = [one for volley in plan.volleys for one in volley.targets]
        rests = _ours(pattern, targets, any(volley.scatters for volley in plan.volleys))
        return Answer("odds", game.id, [*plan_nodes(pattern, plan), rests])
    anyway = bool(told.get("anyway"))
    if path:
        walked = moving_battle(game, field, everyone, asked, path)
        return _levelled(
            field, attack, _fought(fire(walked, by_the_rules, choose=not asked.firers, anyway=anyway), told)
        )
    if asked.at is None:
        raise BadQuestion("say which hex is attacked: --at HEX (Basic VI.C.4)")
    battle = battle_from(game, field, everyone, asked)
    found = _fought(fire(battle, by_the_rules, choose=not asked.firers and not asked.targets, anyway=anyway), told)
    return _levelled(field, attack, found)


def _beyond_level(field: Field, attack: str) -> str:
    """Why the Situation's rules don't have an attack; "" where they have it."""
    level = field.scenario.level if field.scenario is not None else ""
    needed = "Advanced" if attack in ADVANCED else "Standard" if attack != "direct_fire" else ""
    if (level == "basic" and needed) or (level == "standard" and needed == "Advanced"):
        return f"{field.position.scenario} is a Situation of the {level.title()} Rules, and this attack is in the {needed} Rules"
    return ""


def _check_level(field: Field, attack: str, anyway: bool) -> None:
    """Refusal of an attack that the Situation's rules don't have, unless the numbers are wanted all the same."""
    reason = _beyond_level(field, attack)
    # Advanced rules may be added to a Standard Situation (The Situations D); Basic Situations know no overruns and assaults.
    if reason and not anyway and field.scenario is not None and field.scenario.level == "basic":
        raise Refusal(reason, "The Situations A.1")


def _levelled(field: Field, attack: str, found: Answer) -> Answer:
    """An answer with what is said of an attack that the Situation's rules don't have."""
    reason = _beyond_level(field, attack)
    return replace(found, nodes=[Warning(reason, "The Situations A.1"), *found.nodes]) if reason else found


def _words(named: Sequence[Named | str]) -> tuple[str, ...]:
    """Units as the rules of battles name them: UNIT, or UNIT#NUMBER."""
    if strange := next((one for one in named if isinstance(one, str)), ""):
        raise BadQuestion(
            f"{strange!r} has no counter; name batteries and strikes of the Situation with --support NAME (Standard II.B)"
        )
    return tuple(
        f"{one.id}#{one.copy}" if one.copy else one.id
        for one in named
        if isinstance(one, Named)
        for _ in range(one.count)
    )


def _told(game: Game, kind: str, told: Told) -> tuple[dict[str, Told_], dict[str, Told_]]:
    """What is told of the battle, and what is told of every firer."""
    shape, own = game.attacks[kind], {one.name for one in INPUTS}
    asked, of_firers = shape.inputs, shape.groups[shape.attackers].inputs
    mine = {name: value for name, value in told.items() if name not in (*own, NOTES)}
    if strange := next((name for name in mine if name not in asked and name not in of_firers), ""):
        raise BadQuestion(f"{kind} asks nothing called {strange!r}; {instead(strange, [*asked, *of_firers])}")
    battle = {name: value for name, value in mine.items() if name in asked}
    return battle, {name: value for name, value in mine.items() if name not in asked}


def _in_words(game: Game, told: Told, rulings: Mapping[str, str]) -> Battle:
    """The battle that words tell of by itself, without a map."""
    attack = told.get("attack", "direct_fire" if told.get("firers") and told.get("targets") else None)
    if attack is None:
        raise BadQuestion(f"say which attack: {', '.join([*game.attacks, *OTHER_NAMES])}; or give --position FILE")
    kind = OTHER_NAMES.get(attack, attack)
    shape = game.attacks[kind]
    known = (
        "firers" if shape.attackers in GROUPS else "attack",
        "attack",
        "ruling",
        "what_if",
        "anyway",
        NOTES,
        *shape.groups,
        *shape.inputs,
    )
    if strange := next((name for name in told if name not in known), ""):
        raise BadQuestion(f"{kind} knows no {strange!r}; {instead(strange, [*shape.groups, *shape.inputs])}")
    groups = {name: told.get("firers" if name in GROUPS else name, ()) for name in shape.groups}
    firers = tuple(one for part in groups[shape.attackers] for one in _fighters(game, kind, shape.attackers, part))
    targets = tuple(one for part in groups[shape.defenders] for one in _fighters(game, kind, shape.defenders, part))
    assume_inputs(told, shape.inputs, told)
    for name, group in shape.groups.items():
        assume_of_units(told, group.inputs, (one.details for one in groups[name] if isinstance(one, Named)))
    return Battle(
        game, attack, firers, targets, None, {key: told[key] for key in shape.inputs if key in told}, rulings=rulings
    )


def _fighters(game: Game, kind: str, group: str, named: Named | str) -> Iterator[Fighter]:
    """A unit with its states and what is told of it, as often as it takes part; or what has no counter, by its points and type, as
    15(H):ammunition=2."""
    shape = game.attacks[kind]
    if isinstance(named, str):
        found = BARE_PART.fullmatch(named)
        if found is None or kind not in BARE or group != shape.attackers:
            raise BadQuestion(f"{named!r} has no counter, and {kind} is made by counters; {instead(named, game.units)}")
        points, weapon, more = found.groups()
        details = {
            name: value or "true" for one in filter(None, more.split(":")) for name, _, value in [one.partition("=")]
        }
        told: dict[str, Told_] = {BARE[kind]: int(points)} | ({"kind": weapon} if kind == "air_strike" else {})
        yield Fighter(
            "support", f"{weapon} {SORT[kind]}", told=told | _of_unit(game, kind, group, details), weapon=weapon
        )
        return
    one = Fighter(
        named.id,
        counter(game, named.id).name,
        states=frozenset(named.states),
        told=_of_unit(game, kind, group, named.details),
        nation=game.units[named.id].nation if named.id in game.units else "",
    )
    yield from [one] * named.count


def _of_unit(game: Game, kind: str, group: str, details: Mapping[str, str]) -> dict[str, Told_]:
    """What is told of one unit."""
    asked = game.attacks[kind].groups[group].inputs
    if strange := next((name for name in details if name not in asked), ""):
        raise BadQuestion(f"nothing called {strange!r} is asked of {group}; {instead(strange, asked)}")
    return {name: read_answer(game, name, asked[name], text) for name, text in details.items()}


# --- an attack --------------------------------------------------------------------------------------------------------


def _fought(held: Fire, told: Told) -> Answer:
    nodes = fire_nodes(held)
    if told.get("what_if"):
        nodes += _what_if(held)
    return Answer(
        "odds",
        held.battle.game.id,
        [*nodes, _ours(held.battle, [fate.fighter for fate in held.fates], len(held.landings) > 1)],
    )


def _ours(battle: Battle, targets: Sequence[Fighter], drifts: bool) -> Ours:
    """What an attack rests on: its table, the factors of who takes part, the drift diagram, the boards."""
    factors: dict[tuple[str, ...], list[str]] = {
        FIRING: [one.unit for one in battle.firers],
        FIRED_AT: [one.unit for one in targets],
    }
    return Ours(ours_of(battle.game, battle.field, (battle.shape.table, *["drift"] * drifts), factors))


def fire_nodes(held: Fire) -> list[Node]:
    """An attack: who takes part, strengths, odds, column, every defender's chances, and those of all together."""
    battle = held.battle
    harm = _harm(battle)
    kills, hurt = expected(held.together)
    at = _place(battle, battle.fired_at)
    nodes: list[Node] = [
        _head(battle),
        Value("attack", battle.attack, shown=False),
        Value("place", at, shown=False),
        Value("inputs", battle.inputs(), shown=False),
        *(Warning(f"not allowed: {one.text}", one.rule) for one in held.refused),
        Value("refused", [one._asdict() for one in held.refused], shown=False),
        Value("attackers", [_row(battle, one) for one in battle.firers], shown=False),
        *_left_out(held),
    ]
    if len(held.answers) == 1:
        nodes += _odds(held, held.answers[0])
    elif held.answers:
        sections = [
            Section(
                [*_odds(held, answer), Value("refused", [one._asdict() for one in answer.refused], shown=False)],
                f"on {target.name}",
            )
            for answer, target in zip(held.answers, battle.targets, strict=True)
        ]
        nodes.append(
            Several("attacks", [replace(one, shown=one not in sections[:n]) for n, one in enumerate(sections)])
        )
    nodes += [*_shields(held), *_falls(held), Several("targets", list(_fates(held, held.fates)))]
    nodes += [Value("eliminated", kills, shown=False), Value(harm, hurt, shown=False)]
    shown = battle.kind != "interdiction"
    nodes.append(_losses("losses", held.together, "together", harm, shown and len(held.fates) > 1))
    nodes.append(
        _losses(
            "own_losses", held.friends, "own units", harm, shown and any(toll != Toll(0, 0) for toll in held.friends)
        )
    )
    return [*nodes, *map(Line, held.notes)]


def _harm(battle: Battle) -> str:
    """What becomes of a unit that is hurt but stays."""
    return "stopped" if battle.kind == "interdiction" else "dispersed"


def _place(battle: Battle, hex: Hex | None) -> Place | None:
    return place(battle.field, hex) if battle.field is not None and hex is not None else None


def _head(battle: Battle) -> Line:
    told, at = battle.inputs(), _place(battle, battle.fired_at)
    kinds = ", ".join(
        str(told[key]).replace("_", " ") for key in ("terrain", "works") if told.get(key, "none") != "none"
    )
    where = (" at ", at) if at is not None else ()
    return Line(
        (battle.shape.title, *where, f": {kinds}" * bool(kinds), f" ({told['year']})" if "year" in told else "")
    )


def _row(battle: Battle, one: Fighter) -> dict[str, Cell]:
    """A unit in a battle; what has no counter has a name alone."""
    unit = counter(battle.game, one.unit, one.copy) if not one.weapon else None
    return {
        "unit": unit,
        "name": one.name,
        "place": _place(battle, one.at),
        "side": one.side,
        "nation": one.nation,
        "states": sorted(one.states),
    }


def _left_out(held: Fire) -> Iterator[Node]:
    rows: list[dict[str, Cell]] = [
        {
            **_row(held.battle, out.fighter),
            "who": label(held.battle, out.fighter),
            "why": "; ".join(map(str, out.reasons)),
            "refused": [one._asdict() for one in out.reasons],
        }
        for out in held.left_out
    ]
    yield Table("unable", [Column("who", "left out", told=False), Column("why", "why")], rows)


def _odds(held: Fire, answer: Odds) -> list[Node]:
    """The strengths and the column of one attack; what each defender's own die does stands with the defender."""
    battle = held.battle
    names = [label(battle, one) for one in battle.firers]
    firing = [unit for unit in answer.units if unit.group == battle.shape.attackers]
    named = dict(zip(map(id, firing), names, strict=True)) if len(names) == len(firing) else {}
    rows: list[dict[str, Cell]] = [
        {
            "group": unit.group,
            "name": unit.name,
            "who": named.get(id(unit), unit.name),
            "counts": _counts(unit),
            "printed": unit.printed,
            "value": unit.value,
            "applied": [one._asdict() for one in unit.applied],
            "values": dict(unit.values),
        }
        for unit in answer.units
    ]
    shown = [
        {
            "many": f"{many} x" if (many := len(list(alike))) > 1 else "",
            "side": "+" if group == battle.shape.attackers else "-",
            "who": who,
            "counts": counts,
        }
        for (group, who, counts), alike in groupby(rows, lambda row: (row["group"], row["who"], row["counts"]))
    ]
    columns = [Column("side", " "), Column("many", " "), Column("who", "unit"), Column("counts", "counts")]
    left = [node for node in odds_nodes(battle.game, answer, chances=False) if _kept(node)]
    targets: list[Cell] = [
        {"name": one.name, "die": one.die, "applied": [a._asdict() for a in one.applied], "codes": _exact(one.chances)}
        for one in answer.targets
    ]
    return [
        Table("shown", columns, shown, heads=False, told=False),
        Table("units", [Column("who", told=False), Column("counts", told=False)], rows),
        *left,
        Value("target_dice", targets, shown=False),
        Value("chances", _exact(answer.chances), shown=False),
        Value("meanings", meanings(battle.game.tables[battle.shape.table]), shown=False),
    ]


def _kept(node: Node) -> bool:
    """Of what any pack's attack shows: not what is told of single units, nor refusals, which are told for the whole attack."""
    refused = isinstance(node, Warning) and str(node.text).startswith("not allowed")
    return not refused and getattr(node, "key", "") not in ("units", "refused", "targets", "chances")


def _exact(chances: Mapping[str, Fraction]) -> dict[str, Cell]:
    return {outcome: Chance(chance) for outcome, chance in chances.items()}


def _counts(unit: Strength) -> str:
    """A strength from what is printed to what counts, with each step and the row of the chart it comes from."""
    steps: list[str] = []
    for one in unit.applied:
        row = str(unit.values.get("row", "")).partition("/")[2] if one.rule == CHART and not steps else ""
        at = f" at {unit.values['away']}" if "away" in unit.values else ""
        weapon, after, since = row.partition(" after ")
        year, _, nation = since.partition(" ")
        whose = f", {nation.title()} after {year}" if after else ""
        steps.append(f"{effect_text(one)} " + (f"WEC ({weapon}{at}{whose})" if row else one.text))
    return number_text(unit.value) + (f" = {number_text(unit.printed)} {', '.join(steps)}" if steps else "")


def _shields(held: Fire) -> Iterator[Node]:
    battle = held.battle
    behind = {
        label(battle, battle.firers[i]): look.by
        for (i, _), look in held.looks.items()
        if look.hull_down and not battle.overrun_from(battle.firers[i])
    }
    yield from (Line(f"hull down from {name}, behind {by}", "Basic VII.F.1") for name, by in behind.items())
    rows: list[Cell] = [
        {
            "attacker": i,
            "target": j,
            "clear": look.clear,
            "why": look.why or None,
            "hull_down": look.hull_down,
            "behind": look.by or None,
        }
        for (i, j), look in held.looks.items()
    ]
    yield Value("looks", rows, shown=False)


def _falls(held: Fire) -> Iterator[Node]:
    """Where fire comes down that may drift or scatter."""
    battle, stops = held.battle, held.battle.kind == "interdiction"
    rows: list[dict[str, Cell]] = []
    for landing in held.landings:
        fall = landing.fall
        lost = "lost" if fall.how == "scatter" else "off the map"
        hit = [
            fate.fighter.name + (f" (eliminated {fate.killed})" if fate.killed or not stops else "")
            for fate in landing.fates
        ]
        rows.append(
            {
                "how": fall.how,
                "thrown": f"{fall.how} {fall.thrown}" if fall.thrown else fall.how,
                "where": lost if fall.hex is None else _place(battle, fall.hex),
                "place": _place(battle, fall.hex),
                "chance": Chance(fall.chance),
                "hit": ", ".join(f"{n} x {name}" if n > 1 else name for name, n in Bag(hit).items()),
                "targets": [_fate(battle, one) for one in landing.fates],
            }
        )
    columns = [
        Column("thrown", "throw", told=False),
        Column("where", "hex", told=False),
        Column("chance", "chance"),
        Column("hit", "on", told=False),
    ]
    scatters = len(held.landings) > 1
    yield Table(
        "falls",
        columns if scatters else [Column(one.key, told=one.told) for one in columns],
        rows,
        "where it comes down" if scatters else "",
        heads=False,
    )


def _fate(battle: Battle, one: Fate) -> dict[str, Cell]:
    return {**_row(battle, one.fighter), "die": one.die, "chances": _exact(one.chances)}


def _fates(held: Fire, fates: Sequence[Fate]) -> Iterator[Section]:
    """Each defender with its die and its chances; those alike are shown once."""
    battle = held.battle
    dice = [target for answer in held.answers for target in answer.targets]
    heads = []
    for i, fate in enumerate(fates):
        head = "".join([_named(battle, fate.fighter), *(f", {state}" for state in sorted(fate.fighter.states))])
        if len(dice) == len(fates):
            applied = ", ".join(f"{one.text} {signed(one.amount)}" for one in dice[i].applied)
            head += f": die {dice[i].die:+d}" + (f" ({applied})" if applied else "")
        heads.append((head, tuple(fate.chances.items())))
    many = Bag(heads)
    for i, (fate, key) in enumerate(zip(fates, heads, strict=True)):
        title = f"{many[key]} x {key[0]}, each" if many[key] > 1 else key[0]
        row = [Value(name, value, shown=False) for name, value in _row(battle, fate.fighter).items()]
        yield Section(
            [*row, Value("die", fate.die, shown=False), Chances("chances", fate.chances)],
            title,
            shown=key not in heads[:i],
        )


def _named(battle: Battle, fighter: Fighter) -> str:
    """A defender's name; under interdiction with its hex, and whether it is one's own."""
    if battle.kind != "interdiction" or fighter.at in (None, battle.fired_at):
        return fighter.name
    own = "own " if battle.firers and fighter.side == battle.firers[0].side else ""
    return own + label(battle, fighter)


def _losses(key: str, together: Together, title: str, harm: str, shown: bool) -> Table:
    """The chance of each toll, and what to expect."""
    kills, hurt = expected(together)
    rows: list[dict[str, Cell]] = [
        {
            "toll": _toll(toll, harm),
            "exact": str(chance),
            "chance": Chance(chance),
            "eliminated": toll.eliminated,
            harm: toll.hurt,
        }
        for toll, chance in together.items()
    ]
    columns = [Column("toll", "toll", told=False), Column("exact", "exactly", told=False), Column("chance", "chance")]
    if not shown:
        return Table(key, [Column(one.key, told=one.told) for one in columns], rows)
    return Table(
        key, columns, rows, f"{title}: {_mean(kills)} eliminated and {_mean(hurt)} {harm} on average", heads=False
    )


def _toll(toll: Toll, harm: str) -> str:
    return ", ".join(f"{n} {word}" for n, word in ((toll.eliminated, "eliminated"), (toll.hurt, harm)) if n) or "none"


def _mean(value: Fraction) -> str:
    return f"{float(value):.2f}"


# --- what if, and the best plan ---------------------------------------------------------------------------------------


def _what_if(held: Fire) -> Iterator[Node]:
    battle, harm = held.battle, _harm(held.battle)
    following = next_column(battle.game.tables[battle.shape.table], held.answers[0]) if len(held.answers) == 1 else None
    if following is not None:
        better = bool(following.column)
        yield Value("next_column", following.needed, f"Points more for column {following.column}", shown=better)
        yield Value("column_after", following.column, shown=False)
        yield Value("to_spare", following.spare, "Points to spare in this column", shown=bool(following.spare))
        yield from [] if better else [Line("there is no better column")]
    now = expected(held.together)
    rows = [_change(battle, one, harm, now) for one in (changes(held, by_the_rules) if held.answers else ())]
    yield Table(
        "what_if",
        [
            Column("change", "what if"),
            Column("column", "column"),
            Column("eliminated", "eliminated"),
            Column(harm, harm),
            Column("same", " ", told=False),
        ],
        rows,
    )


def _change(battle: Battle, one: Change, harm: str, now: tuple[Fraction, Fraction]) -> dict[str, Cell]:
    who = _with_place(battle, one.fighter)
    return {
        **_row(battle, one.fighter),
        "change": f"+ {who} (+{one.strength})" if one.added else f"- {who}",
        "added": one.added,
        "strength": one.strength,
        "column": one.column,
        "eliminated": one.kills,
        harm: one.hurt,
        "same": "no change" if (one.kills, one.hurt) == now else "",
    }


def plan_nodes(pattern: Battle, plan: Shares) -> list[Node]:
    """The best plan: each attack, who makes it, and the chances."""
    nodes: list[Node] = [Value("attack", pattern.attack, shown=False)]
    if not plan.volleys:
        nodes.append(Line("no attack can do anything"))
    nodes.append(Several("attacks", [_volley(pattern, volley, n) for n, volley in enumerate(plan.volleys, 1)]))
    exact = f" ({plan.kills})" if plan.kills.denominator != 1 else ""
    nodes.append(Value("worth", plan.kills, shown=False))
    nodes.append(Line(f"{_mean(plan.kills)}{exact} eliminated on average; no plan does better"))
    nodes.append(Value("idle", [_row(pattern, one) for one in plan.idle], shown=False))
    if plan.idle:
        nodes.append(Line(f"not needed: {_listed(pattern, plan.idle)}"))
    unable: list[dict[str, Cell]] = [
        {**_row(pattern, one), "who": _with_place(pattern, one), "why": why} for one, why in plan.unable
    ]
    nodes.append(Table("unable", [Column("who", "can't", told=False), Column("why", "why")], unable))
    return [*nodes, *map(Line, plan.notes)]


def _volley(pattern: Battle, volley: Volley, number: int) -> Section:
    kills = expected(volley.together)[0]
    chances: list[dict[str, Cell]] = [
        {"name": fate.fighter.name, "chance": Chance(fate.killed), "exact": str(fate.killed)}
        for fate in volley.fates
        if fate.killed
    ]
    columns = [Column("name", "target"), Column("exact", "exactly"), Column("chance", "eliminated")]
    return Section(
        [
            Line(f"by {_listed(pattern, volley.firers)}"),
            Value("attackers", [{**_row(pattern, one), "written_for": one.aim} for one in volley.firers], shown=False),
            Value("column", volley.column, shown=False),
            Value("eliminated", kills, shown=False),
            Value("targets", [_fate(pattern, one) for one in volley.fates], shown=False),
            Table("shown", columns, chances, heads=False, told=False),
            _losses("losses", volley.together, "", "dispersed", False),
        ],
        f"{number}. {_listed(pattern, volley.targets)}: column {volley.column}, {_mean(kills)} eliminated",
    )


def _with_place(battle: Battle, one: Fighter) -> str:
    return f"{one.name} {_place(battle, one.at) or ''}".strip()


def _listed(battle: Battle, fighters: Sequence[Fighter]) -> str:
    aimed = (replace(one, name=f"{one.name} at {one.aim}") if one.aim else one for one in fighters)
    names: Mapping[str, int] = Bag(_with_place(battle, one) for one in aimed)
    return ", ".join(f"{n} x {name}" if n > 1 else name for name, n in names.items())
