"""Air superiority and bombardments as they are asked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from assistant.attacks import Answer, BadQuestion, Fields, Value
from assistant.games.musketeer.air import Sky, bombardment, superiority
from assistant.games.musketeer.asked import PLACE, asked_hex, asked_support, told
from assistant.games.musketeer.combat_asked import flak_near, listed_units, standing_in
from assistant.games.musketeer.contingents import check_special, nation_of
from assistant.games.musketeer.field import Field
from assistant.games.musketeer.fighters import fighter
from assistant.shared.asking import Options, Said, chances_json, percent
from assistant.shared.chains import gather
from assistant.shared.options import choice, given, whole, word, yes
from assistant.shared.sourced import ours, ours_text
from assistant.words import read_words
from scenarios.game import Game
from scenarios.hexes import Hex, distance
from scenarios.maps import HexMap
from scenarios.position import Position

MISSIONS = ("superiority", "bombardment")
NAMES = {
    "mission": "superiority or bombardment",
    "attacker": "superiority: the contingent that attacks and its airstrikes, israel:3",
    "defender": "superiority: the contingent attacked and its airstrikes, egypt:2",
    "special_command": "the impulse is a special command (yes or no)",
    "units": "bombardment: airstrikes, gunfire, rockets: 3*airstrike_britain,gunfire_britain:distance=1",
    "terrain": "bombardment: the terrain of the hex",
    "enemy_flak": "bombardment: an enemy AAA unit is in or next to the hex (yes or no)",
    "targets": "bombardment: the ground units in the hex",
    "hex": "bombardment: the hex, for its terrain and the reach of gunfire; with a position also flak, rockets, targets",
    **PLACE,
}
INPUTS = ("terrain", "special_command", "enemy_flak")


def air_answer(game: Game, options: Options) -> Said:
    """Air superiority over an Available Box, or a bombardment."""
    guess = "bombardment" if given(options, "units") else "superiority" if given(options, "attacker") else ""
    kind = choice(options, "mission", MISSIONS, guess)
    if kind == "superiority":
        return _superiority(game, options)
    if kind == "bombardment":
        return _bombardment(game, options)
    raise BadQuestion("say which mission: mission=superiority or mission=bombardment")


def _superiority(game: Game, options: Options) -> Said:
    names, counts = [], []
    for role in ("attacker", "defender"):
        nation, _, count = word(options, role).partition(":")
        names.append(nation)
        counts.append(whole({role: count or "1"}, role, 1, 1, 60))
    if nation_of(names[0]) in game.nations:
        check_special(game, nation_of(names[0]), yes(options, "special_command"))
    fight = superiority(game, names[0], names[1], Sky(*counts), yes(options, "special_command"))
    lost = {role: fight.lost(role) for role in ("attacker", "defender")}
    json: dict[str, Any] = {"game": game.id, "question": "air superiority", "first_fire": fight.first}
    json["columns"] = {role: answer.column for role, answer in fight.fires.items()}
    json["lost"] = {role: chances_json(chances) for role, chances in lost.items()}
    json["not_the_rulebooks"] = ours(game, tables=["air"])
    lines = [f"the {fight.first} fires first (19.2); the other with what is left"]
    lines += [f"the {role}, all of it: {_fire(answer)}" for role, answer in fight.fires.items()]
    for role, chances in lost.items():
        lines += [f"the {role} loses {count}: {percent(chance)}" for count, chance in chances.items()]
    return json, [*lines, *ours_text(json["not_the_rulebooks"])]


def _fire(answer: Answer) -> str:
    """A column with its shifts."""
    how = ", ".join(f"{a.text} {int(a.amount):+d} ({a.rule})" for a in answer.applied)
    return f"column {answer.column}" + (f": {how}" if how else "")


def _bombardment(game: Game, options: Options) -> Said:
    words = {key: word(options, key) for key in INPUTS if word(options, key)}
    _, inputs = read_words(game, "bombardment", [f"{key}={text}" for key, text in words.items()])
    units = listed_units(game, word(options, "units"), "bombardment", "attackers")
    if not units:
        raise BadQuestion("say what bombards: units=2*airstrike_israel")
    here = asked_support(game, options) if told(options) else None
    table = here.table if here is not None else next(iter(game.maps.values()))
    assert isinstance(table, HexMap)
    hex = asked_hex(table, options, "hex")
    targets = listed_units(game, word(options, "targets"))
    mapped: dict[str, Value] = {}
    if hex is not None:
        ground = here or Field(game, table, Position(game.id))
        mapped, units = _aimed(ground, hex, units)
        if here is not None:
            targets = targets or standing_in(here, hex, {unit["side"] for unit in units})
    check_special(game, str(units[0]["nation"]), inputs.get("special_command") is True)
    hits, flak, answer = bombardment(game, units, {**mapped, **inputs})
    json: dict[str, Any] = {"game": game.id, "question": "bombardment", "column": answer.column, "shift": answer.shift}
    lines = [_fire(answer)]
    if targets:
        whole_ = sum(fighter(game, unit).steps > 1 for unit in targets)
        hits = gather(hits, lambda count: min(count, len(targets)))
        gone = gather(hits, lambda count: max(0, count - whole_))
        json["eliminated"] = chances_json(gone)
    json |= {"steps": chances_json(hits), "airstrike_lost": str(flak)}
    strikes = [(game.units[str(unit["id"])], "strike") for unit in units]
    terrain = {**mapped, **inputs}.get("terrain")
    json["not_the_rulebooks"] = ours(game, strikes, ["air"], [("terrain", str(terrain), "shift")] if terrain else [])
    lines += [f"{count} unit{'s' * (count != 1)} lose{'s' * (count == 1)} a step: {percent(c)}" for count, c in hits.items()]
    if targets:
        lines += [f"{count} eliminated, the whole ones hit first: {percent(c)}" for count, c in gone.items() if count]
    return json, [*lines, f"an airstrike is lost: {percent(flak)}", *ours_text(json["not_the_rulebooks"])]


def _aimed(ground: Field, hex: Hex, units: list[Fields]) -> tuple[dict[str, Value], list[Fields]]:
    """What the map tells of a bombardment: terrain, flak, and how far gunfire and rockets have to reach (20.3, 24.1)."""
    table, nation, side = ground.table, str(units[0]["nation"]), str(units[0]["side"])
    if hex not in ground.open_to(nation):
        raise BadQuestion(f"{units[0]['name']} can't attack into {table.name(hex)} (28.1)")
    coast = table.zones["mediterranean_coast"]
    spotters = [at for _, one, at in ground.units if one.nation == "ussr" and one.class_ == "mechanized"]
    if any(unit["class"] == "rocket" for unit in units) and ground.units and not spotters:
        raise BadQuestion("no Soviet mechanized unit is on the map to fire rockets by (20.3)")
    reach = {"gunfire": coast, "rocket": spotters}
    aimed = []
    for unit in units:
        near = [distance(hex, at) for at in reach.get(str(unit["class"]), ())]
        aimed.append({**unit, "distance": Fraction(min(near))} if near else unit)
    other = next(enemy for enemy in ground.game.sides if enemy != side)
    return {"terrain": table.terrain[hex], "enemy_flak": flak_near(ground, hex, other)}, aimed
