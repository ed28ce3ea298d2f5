"""Who has to attack, where units go after a battle, and who is too many then, as text and JSON."""

from __future__ import annotations

from collections.abc import Callable

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.advances import advances
from assistant.games.six_day_war.duties import Duty, duties, to_attack, unable
from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.ground import FRONTS, SIDES
from assistant.games.six_day_war.odds_answer import crowd_text
from assistant.games.six_day_war.questions import asked_field, asked_fronts, asked_units
from assistant.games.six_day_war.retreats import Ways, back_together, broken
from assistant.games.six_day_war.stacks import too_many as too_high
from assistant.games.six_day_war.together import too_many
from assistant.shared.asking import Options, Said, chances_json, percent
from assistant.shared.options import choice, whole, word
from scenarios.game import Game
from scenarios.hexes import Hex

PANIC = "panic"


def duties_answer(game: Game, options: Options) -> Said:
    """Who must attack in the combat phase of `side` on `front`, and which enemies must be attacked (13.3, 13.4)."""
    field = asked_field(game, options)
    side, front = choice(options, "side", SIDES, "israeli"), choice(options, "front", FRONTS, "sinai")
    name = field.table.name
    found = duties(field, side, front)
    open_ = to_attack(found)
    idle = unable(field, side, front)
    lines = [f"{name(one.hex)}: {', '.join(s.name for s in one.stands)} {_duty(one, name)}" for one in found]
    for one in idle:
        why = "static (13.11)" if all(s.static for s in one.stands) else "neutral (25.2)"
        lines.append(f"{name(one.hex)}: {', '.join(s.name for s in one.stands)} never attacks: {why}")
    lines = lines or ["nobody is next to an enemy"]
    if open_:
        lines.append(f"every one of these has to be attacked: {' '.join(name(hex) for hex in open_)} (13.3)")
    told = [
        {"hex": name(one.hex), "units": [s.key for s in one.stands], "must": one.must, "enemies": [name(h) for h in one.enemies],
         "alone": [name(h) for h in one.alone]}
        for one in found
    ]  # fmt: skip
    never = [{"hex": name(one.hex), "units": [s.key for s in one.stands]} for one in idle]
    answer = {"game": game.id, "side": side, "front": front, "stacks": told, "unable": never}
    return {**answer, "to_attack": [name(h) for h in open_]}, lines


def _duty(duty: Duty, name: Callable[[Hex], str]) -> str:
    enemies = [name(hex) for hex in duty.enemies]
    alone, shared = " and ".join(map(name, duty.alone)), " and ".join(name(h) for h in duty.enemies if h not in duty.alone)
    if duty.must and len(enemies) == 1:
        return f"must attack {enemies[0]}"
    if duty.must and not shared:
        return f"must attack {alone} at once, for nobody else touches them (13.5)"
    if duty.must and alone:
        return f"must attack {alone}, and {shared} too unless others attack there (13.5)"
    if duty.must:
        return f"must attack {shared}, or one of them if others attack the rest (13.5)"
    return f"may attack {' and '.join(enemies)}" + (", all or none (13.4)" if len(enemies) > 1 else "")


def stack_answer(game: Game, options: Options) -> Said:
    """Hexes where too many units stand for the end of a movement or combat phase, and how many must go (11.2 to 11.5)."""
    field = asked_field(game, options)
    found = too_high(field)
    name = field.table.name
    lines = [
        f"{name(one.hex)}: {one.mobile} mobile and {one.static} static of {', '.join(s.name for s in one.stands)} must go "
        "by the owner's choice (11.5)"
        for one in found
    ] or ["no hex is too full (11.2, 11.3)"]
    told = [{"hex": name(one.hex), "units": [s.key for s in one.stands], "mobile": one.mobile, "static": one.static} for one in found]
    return {"game": game.id, "too_many": told}, lines


def retreat_answer(game: Game, options: Options) -> Said:
    """Where `unit` may go if it has to retreat so many `hexes`, or panics, each end with a path (14.2, 14.5, 21.3)."""
    field = asked_field(game, options)
    stands = _asked(field, options, "retreats")
    panic = word(options, "hexes") == PANIC
    hexes = field.limit(PANIC) if panic else str(whole(options, "hexes", 1, least=1, most=6))
    loose = asked_fronts(options, "disintegrated")
    lines, told, risks = [], {}, {}
    backs = [
        one
        for side in SIDES
        for one in back_together(field, [(s, broken(field, s, loose)) for s in stands if s.side == side], hexes)
    ]
    for found in sorted(backs, key=lambda one: stands.index(one.stand)):
        stand = found.stand
        risk = "eliminated" if found.dies == 1 else f"gone with {percent(found.dies)}" if found.dies else ""
        far = "" if len(found.ways) > 1 else f", {hexes} back"
        notes = "; ".join(note for note in (risk, found.why) if note)
        lines.append(f"{stand.name} in {field.table.name(stand.hex)}{far}:" + (f" {notes}" if notes else ""))
        for count, ways in found.ways.items():
            ends = " ".join(sorted(map(field.table.name, ways)))
            lines += _ways(field, ways) if far else [f"  {count} back: {ends or 'no way, eliminated'}"]
        told[stand.key] = {end: path for ways in found.ways.values() for end, path in _paths(field, ways).items()}
        risks[stand.key] = {"dies": str(found.dies), "why": found.why, "may_stay": found.stays}
    crowds = {side: too_many([one for one in backs if one.stand.side == side]) for side in SIDES}
    lines += [crowd_text(found) for found in crowds.values() if any(found)]
    crowd = {side: chances_json(found) for side, found in crowds.items()}
    return {"game": game.id, "hexes": PANIC if panic else int(hexes), "ways": told, "risks": risks, "too_many": crowd}, lines


def advance_answer(game: Game, options: Options) -> Said:
    """Where `unit` may advance after combat, so many `hexes` at most (15)."""
    field = asked_field(game, options)
    stands = _asked(field, options, "advances")
    hexes = whole(options, "hexes", 1, least=1, most=7)
    lines, told = [], {}
    for stand in stands:
        ways = advances(field, stand, hexes)
        lines.append(f"{stand.name} in {field.table.name(stand.hex)}, up to {hexes}:" + ("" if ways else " nowhere"))
        lines += _ways(field, ways)
        told[stand.key] = _paths(field, ways)
    return {"game": game.id, "hexes": hexes, "ways": told}, lines


def _asked(field: Field, options: Options, does: str) -> list[Stand]:
    stands = asked_units(field, options, "unit")
    if not stands:
        raise BadQuestion(f"say which unit {does}: unit")
    return stands


def _ways(field: Field, ways: Ways) -> list[str]:
    name = field.table.name
    return [f"  {name(end)} by {' '.join(map(name, path))}" for end, path in sorted(ways.items())]


def _paths(field: Field, ways: Ways) -> dict[str, list[str]]:
    name = field.table.name
    return {name(end): [name(hex) for hex in path] for end, path in ways.items()}
