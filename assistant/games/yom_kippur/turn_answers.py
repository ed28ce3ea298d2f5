"""What a turn brings, as text and JSON: missiles, cease-fires, tanks, reserves, points."""

from __future__ import annotations

from fractions import Fraction

from assistant.answers import Answer, Chance, Column, Table, Value
from assistant.games.yom_kippur.air_units import air_units
from assistant.games.yom_kippur.chances import cease_fires, suppression
from assistant.games.yom_kippur.field import SIDES
from assistant.games.yom_kippur.printed import STEPS, ours, ours_tables, table_notes
from assistant.games.yom_kippur.questions import asked_field, asked_hex
from assistant.games.yom_kippur.reserves import (
    ghq_called,
    last_turn,
    next_check,
    recovery,
    releases,
    replacements,
    tank_steps,
    waiting,
)
from assistant.games.yom_kippur.score import difference, if_ignored, objectives, standing
from assistant.games.yom_kippur.umbrella import umbrellas
from assistant.questions import ON_A_MAP, Question, Told
from assistant.shared.asking import Options, Said, chances_json
from assistant.shared.folding import spread_text
from assistant.shared.options import choice, counted, given, one_of, paired, whole, yes
from assistant.shared.scoring import score_json, score_text
from assistant.shared.sourced import ours_text
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.resolve import Location


def sam_answer(game: Game, options: Options) -> Said:
    """Who covers a `hex` with missiles (1.10), and what suppression brings with the air units of the turn (1.12c)."""
    field = asked_field(game, options)
    name, turn = field.ground.table.name, field.position.turn
    available = whole(options, "available", air_units(field, "israeli"), most=99)
    choices = suppression(game, available)
    lines, covers = [], []
    if given(options, "hex"):
        hex = asked_hex(field, str(options["hex"]))
        covers = [*umbrellas(field, "egyptian", hex), *umbrellas(field, "israeli", hex)]
        lines.append(f"{name(hex)}: " + (", ".join(f"{s.name} in {name(s.hex)}" for s in covers) or "no missiles in range"))
    else:
        every = [s for side in SIDES for s in field.missiles[side]]
        lines += [f"{s.name} in {name(s.hex)} covers {s.factor('sam_range')} hexes around (1.10)" for s in every]
    lines.append(f"turn {turn}, {available} Israeli air units; set aside: how many others may fly under the missiles")
    lines += [f"  {one.allocated}: {spread_text(one.chances)}; on average {float(one.expected):.2f}" for one in choices]
    told = [
        {"allocated": one.allocated, "others": one.others, "chances": chances_json(one.chances), "expected": str(one.expected)}
        for one in choices
    ]
    notes = table_notes(game, "sam_suppression", "turn_track")
    json = {"game": game.id, "turn": turn, "covered_by": [s.key for s in covers], "suppression": told, "notes": notes}
    return json, [*lines, *notes]


def _cease_fire(game: Game, told: Told) -> Answer:
    now, last = Fraction(1), None
    if "scenario" in told or "position" in told:
        field = asked_field(game, told)
        now, last = Fraction(field.position.turn), last_turn(field)
    turns = cease_fires(game, int(told.get("turn", now)), last)
    rows = [
        {"turn": one.turn, "needed": one.needed and f"{one.needed}+", "chance": Chance(one.chance), "first": Chance(one.first),
         "second": Chance(one.second)}
        for one in turns
    ]  # fmt: skip
    columns = [
        Column("turn", "turn"), Column("needed", "throw"), Column("chance", "chance"), Column("first", "the first one now"),
        Column("second", "the second now"),
    ]  # fmt: skip
    never = 1 - sum((one.first for one in turns), Fraction())
    return Answer("cease_fire", game.id, [
        Table("turns", columns, rows),
        Value("never", Chance(never), "No cease-fire at all"),
        *ours_tables(game, "turn_track"),
    ])  # fmt: skip


CEASE_FIRE = Question(
    name="cease_fire", about="the chance of a cease-fire turn by turn, from this turn on (1.15)", inputs=ON_A_MAP, answer=_cease_fire,
    bare=("scenario",),
)  # fmt: skip


def recovery_answer(game: Game, options: Options) -> Said:
    """Israeli tank recovery in the next `turns` (2.3)."""
    field = asked_field(game, options)
    found = recovery(field, whole(options, "turns", 1, least=1, most=12))
    name = field.ground.table.name
    lines = [
        f"dead armor: {', '.join(found.dead) or 'none'}",
        f"headquarters: {', '.join(found.headquarters) or 'none that can'}",
        f"steps back: {spread_text(found.chances)}",
        f"to be placed in {', '.join(name(hex) for hex in found.places) or 'no hex'} (2.3)",
    ]
    told = {"dead": list(found.dead), "headquarters": list(found.headquarters), "places": [name(h) for h in found.places]}
    notes = table_notes(game, "tank_recovery")
    return {"game": game.id, **told, "chances": chances_json(found.chances), "notes": notes}, [*lines, *notes]


def replacement_answer(game: Game, options: Options) -> Said:
    """Egyptian tank step replacements: who can have one now (3.7)."""
    field = asked_field(game, options)
    steps = whole(options, "steps", tank_steps(field))
    name = field.ground.table.name
    found = replacements(field)
    lines = [f"{steps} replacement steps left; the dead never come back (3.7)"]
    for one in found:
        again = ", and exploits again (3.1)" if one.exploits_again else ""
        told = f"can't: {one.reason} (3.7)" if one.reason else f"may take {min(one.missing, steps)}{again}"
        lines.append(f"  {one.stand.name:16} {name(one.stand.hex):7} lacks {one.missing}: {told}")
    lines += [] if found else ["  no Egyptian armor on the map has lost a step"]
    units = [
        {"unit": one.stand.key, "hex": name(one.stand.hex), "missing": one.missing, "exploits_again": one.exploits_again,
         "reason": one.reason}
        for one in found
    ]  # fmt: skip
    rebuilt = ours(game, ((one.stand, STEPS) for one in found))
    return {"game": game.id, "steps": steps, "units": units, "not_the_rulebooks": rebuilt}, [*lines, *ours_text(rebuilt)]


def reserve_answer(game: Game, options: Options) -> Said:
    """The Egyptian reserves: the chance of release turn by turn, and what frees them at once (3.3, 3.4)."""
    field = asked_field(game, options)
    name = field.ground.table.name
    called, found = ghq_called(field), releases(field)
    kept, held = waiting(field, "exploitation_reserve"), waiting(field, "ghq_holding")
    coming = next_check(field) if called and next_check(field) <= last_turn(field) else None
    lines = [] if kept else ["nobody waits in the Exploitation Reserve, so there is no throw for it (3.4)"]
    lines += [] if held else ["nobody waits in the GHQ Reserve (3.3)"]
    if called and (kept or held):
        which = " and ".join(["the GHQ Reserve"] * held + ["the Exploitation Reserve"] * kept)
        who = ", ".join(f"{s.name} in {name(s.hex)}" for s in called)
        when = f"with the next Egyptian turn, without a throw: {who}" if coming else f"no more, no turn is left: {who}"
        lines.append(f"{which} come{'s' * (held != kept)} {when} (3.3)")
    elif kept:
        lines += [
            f"turn {one.turn:2}: the Exploitation Reserve comes now {float(one.now):6.1%}, by now {float(one.by_now):6.1%}"
            for one in found
        ] or ["there is no throw for the Exploitation Reserve any more: no turn is left"]
    if held and not called:
        lines.append("no Israeli is west of the canal; one who enters or attacks there frees the GHQ Reserve (3.3)")
    told = [{"turn": one.turn, "now": str(one.now), "by_now": str(one.by_now)} for one in found]
    answer = {"exploitation": told, "ghq_called_by": [s.key for s in called], "ghq_turn": coming if held else None}
    return {"game": game.id, **answer}, lines


def score_answer(game: Game, options: Options) -> Said:
    """The score of a position and the level of victory (1.15); what ignoring a cease-fire would make of it."""
    paid = yes(options, "schnell_abdul") or yes(options, "may_cross_east")
    field = asked_field(game, {**options, "may_cross_east": paid})
    control = {
        asked_hex(field, hex): one_of(side.lower(), SIDES, "control")
        for hex, side in paired(options, "control", example="HEX:SIDE").items()
    }
    found = standing(
        field, control=control, ignored=counted(options, "ignored", SIDES, example="SIDE:NUMBER"),
        world_war=choice(options, "world_war", SIDES), schnell_abdul=paid,
    )  # fmt: skip

    def name(spot: Location) -> str:
        return field.ground.table.name(spot) if isinstance(spot, Hex) else spot

    ignoring, goals = if_ignored(field, found), objectives(field)
    lines = [
        f"{name(hex)}: {game.sides[side].name}, by {', '.join(s.name for s in stands)} in supply" if side
        else f"{name(hex)}: nobody in supply"
        for hex, (side, stands) in goals.items()
    ]  # fmt: skip
    lines += score_text(game, found, name)
    lines += [
        f"if {who if who == 'both' else 'the ' + game.sides[who].name} ignored a cease-fire now: {level}"
        for who, level in ignoring.items()
    ]
    held = {name(hex): side for hex, (side, _) in goals.items()}
    notes = [] if goals else ["which hexes give points is ours; the book marks them on its map (1.15)"]
    lines += notes
    more = {"difference": str(difference(found.lines)), "if_ignored": ignoring, "objectives": held, "notes": notes}
    return {**score_json(game, found, name), **more}, lines
