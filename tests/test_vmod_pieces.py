"""Pieces of modules: keys that never collide, prototypes that are all used, reports, ranges, pools, reinforcements."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from functools import cache

import pytest

from art.spots import SIZE, SPOTS, WIDE_BOTTOM
from art.text import CAPITAL
from modgen.vmod import keys, pieces, support
from modgen.vmod.lock import Lock
from modgen.vmod.near import near, reached
from modgen.vmod.prototypes import tag_place
from modgen.vmod.setups import commands, layer_of
from modgen.vmod.turns import phases, state
from scenarios import load, shipped
from scenarios.game import Game
from scenarios.points import PointMap
from scenarios.position import from_scenario
from scenarios.vassal.commands import Added, Trait, flatten, read_added
from scenarios.vassal.sequence import split
from scenarios.vassal.windows import map_of, pools, setup_sheets
from tests import shared

# Where the engine keeps keystrokes in a trait's type, counted after its name (VASSAL.counters, mySetType).
STROKES = {
    "emb2": (10, 26, 27, 28),
    "delete": (1,),
    "clone": (1,),
    "footprint": (0, 12, 13, 14),
    "markmoved": (4, 10),
    "sendto": (1, 7),
    "AreaOfEffect": (5,),
    "macro": (2,),
    "obs": (0,),
}
SILENT = {keys.TRAIL, keys.MOVED, *keys.AREAS, keys.ZONE}
"""What only one player sees, or what marks a move that was told already."""


@pytest.fixture(scope="module", params=shipped())
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


def chain(game: Game, piece_id: str, known: dict[str, tuple[Trait, ...]] | None = None) -> tuple[Trait, ...]:
    return pieces.expanded(pieces.piece(game, piece_id, "1").traits, known or shared.prototypes(game))


def strokes(trait: Trait) -> list[str]:
    name, _, rest = trait.type.partition(";")
    fields = split(rest, ";")
    if name == "PROP":
        return [split(command, ":")[1] for command in split(fields[2], ",") if command]
    return [fields[i] for i in STROKES.get(name, ()) if fields[i]]


def test_keys_of_a_piece_never_collide(game: Game) -> None:
    seen = 0
    for piece_id in (*game.units, *game.markers):
        found = [stroke for trait in chain(game, piece_id) for stroke in strokes(trait)]
        seen += len(found)
        # Several traits may hear one keystroke that has a name and no key.
        found = [stroke for stroke in found if stroke.count(",") == 1]
        # The way back is the same from every pile.
        found = [stroke for stroke in found if stroke != keys.BACK]
        assert len(found) == len(set(found)), piece_id
    assert seen > 8 * len(game.units)


def test_no_key_of_a_piece_is_a_windows(game: Game) -> None:
    windows = [value for name, value in vars(keys).items() if name.endswith("_KEY")]
    assert len(windows) == len(set(windows)) > 10
    for unit in game.units:
        assert not {stroke for trait in chain(game, unit) for stroke in strokes(trait)} & set(windows)


def test_every_prototype_is_used_and_every_one_used_is_there(game: Game) -> None:
    known = shared.prototypes(game)
    used: set[str] = set()
    todo = [t for key in (*game.units, *game.markers) for t in pieces.piece(game, key, "1").traits]
    todo += [t for held in support.listed(game).values() for t in support.piece(game, held, "1").traits]
    while todo:
        name = todo.pop().type.removeprefix("prototype;")
        if name in known and name not in used:
            used.add(name)
            todo += known[name]
    assert used == set(known)


def test_every_action_is_told_to_the_chat(game: Game) -> None:
    for piece_id in (*game.units, *game.markers):
        told: set[str] = set()
        for trait in chain(game, piece_id):
            if trait.type.startswith("report;"):
                told |= set(split(split(trait.type[7:], ";")[0], ","))
            # A report hears only what lies inside it.
            for stroke in strokes(trait):
                plain = stroke.split(",")
                if len(plain) == 2 and stroke not in SILENT and not trait.type.startswith("macro;"):
                    assert stroke in told, (piece_id, trait.type)


def test_a_range_is_on_the_counters_that_have_one() -> None:
    game = load("yom_kippur")
    for unit in game.units.values():
        types = " ".join(trait.type for trait in chain(game, unit.id))
        assert ("Show SAM range" in types) == ("sam_range" in unit.factors)
        assert ("Show barrage range" in types) == ("range" in unit.factors)
        attack = unit.factors.get("attack", 0)
        assert ("Show zone of control" in types) == (not isinstance(attack, str) and attack >= 1)


def test_a_loss_is_counted_only_where_a_flipped_counter_cannot_tell_it() -> None:
    for name in ("musketeer", "yom_kippur"):
        game = load(name)
        assert not [unit for unit in game.units if keys.LOSS in [s for t in chain(game, unit) for s in strokes(t)]]
        assert not any("lose a step" in does for _, _, does in keys.listed(game))
    # Three steps need a third way to show them: a state of the pack, or else a badge.
    stateless = replace(game, states={key: state for key, state in game.states.items() if key != "step_loss"})
    known = pieces.prototypes(stateless)
    losing = [
        unit for unit in game.units if keys.LOSS in [s for t in chain(stateless, unit, known) for s in strokes(t)]
    ]
    assert losing == [key for key, unit in game.units.items() if unit.steps > 1]
    plain = load("musketeer")
    key, unit = next((key, unit) for key, unit in plain.units.items() if unit.steps == 2)
    bare = replace(plain, units={**plain.units, key: replace(unit, back=None)})
    assert keys.LOSS in [s for t in chain(bare, key) for s in strokes(t)]


def test_only_games_with_fog_conceal(game: Game) -> None:
    masked = any(trait.type.startswith("obs;") for unit in game.units for trait in chain(game, unit))
    assert masked == (game.id in ("october_war", "musketeer"))


def test_points_near_are_those_of_a_walk() -> None:
    game = load("october_war")
    table = map_of(game)
    assert isinstance(table, PointMap)
    reserve = {"israeli_reserve", "egyptian_reserve", "syrian_reserve"}
    for start in table.points:
        far, queue = {start: 0}, deque([start])
        while queue:
            here = queue.popleft()
            for route in table.routes:
                if here in (route.a, route.b) and here not in reserve and not here.startswith("gulf_of_suez"):
                    there = route.b if here == route.a else route.a
                    if there not in far and there not in reserve:
                        far[there] = far[here] + 1
                        queue.append(there)
        assert reached(game, table, start) == far
    texts = near(game)
    assert set(texts) == {"Near1", "Near2", "Distances"}
    assert "|Bir Hasana=Bir Hasana, " in texts["Near2"]


@pytest.mark.parametrize("half", [27, 33])
@pytest.mark.parametrize("many", range(1, 10))
def test_tags_of_states_leave_every_factor_free(half: int, many: int) -> None:
    scale = 2 * half / SIZE
    corner, low = SPOTS["top_left"], WIDE_BOTTOM
    top = (corner.y + corner.size * CAPITAL) * scale - half
    bottom = (low.y - low.size * CAPITAL) * scale - half
    places = [tag_place(number, many, half) for number in range(many)]
    assert len(set(places)) == many
    assert all(top - 1 <= y - 6 and y + 6 <= bottom and abs(x) <= half for x, y in places)


@cache
def saved(name: str, scenario: str) -> list[Added]:
    game, lock = load(name), Lock()
    gpids = {key: lock.gpid(key) for key in (*game.units, *game.markers)}
    position = from_scenario(game, scenario)
    turn = state(game, game.scenarios[scenario], phases(game))
    text = commands(game, position, gpids, shared.prototypes(game), turn)
    return [added for command in flatten(text) if (added := read_added(command)) is not None]


def marks(added: Added) -> dict[str, str]:
    held: dict[str, str] = {}
    for trait in added.traits:
        if trait.type.startswith("mark;"):
            held |= dict(zip(split(trait.type[5:], ","), split(trait.state, ","), strict=True))
        elif trait.type.startswith("PROP;"):
            held[split(trait.type, ";")[1]] = trait.state
    return held


def test_every_reinforcement_stands_in_the_tray_of_its_turn_and_entry(game: Game) -> None:
    for scenario in game.scenarios:
        sheets = {sheet.window: sheet for sheet in setup_sheets(game, scenario)}
        coming = {(p.unit, p.copy): str(p.at) for p in from_scenario(game, scenario).pieces if "turn:" in str(p.at)}
        for added in saved(game.id, scenario):
            held = marks(added)
            turn = coming.pop((held.get("unit", ""), held.get("copy", "")), "")
            if not turn:
                continue
            window, x, y = split(added.traits[-1].state, ";")[:3]
            assert re.search(r"\b[Tt]urn \d", held["Enters"])
            tray = sheets[window].at(int(x), int(y))
            assert tray is not None and (tray.location, tray.group) == (turn, held["group"])
            assert (int(x), int(y)) in tray.cells
        assert not coming


def test_stacks_and_decks_hold_every_piece_once(game: Game) -> None:
    for scenario in list(game.scenarios)[:4]:
        listed = saved(game.id, scenario)
        units = {added.id: marks(added)["unit"] for added in listed if marks(added)}
        held: list[str] = []
        decks = 0
        for added in listed:
            trait = added.traits[0]
            if trait.type == "stack":
                inside = split(trait.state, ";")[3:-1]
                assert len({layer_of(game, units[key]) for key in inside}) == 1
                held += inside
            elif trait.type.startswith("deck;"):
                decks += 1
                fields = split(trait.state, ";")
                held += split(fields[4], ",") if len(fields) > 4 else []
        assert sorted(held) == sorted(units)
        assert decks == len(pools(map_of(game)))


def test_a_phase_of_turn_1_is_left_out_where_a_scenario_begins_later() -> None:
    game = load("yom_kippur")
    listed = phases(game)
    barrage = next(i for i, name in enumerate(listed) if name.endswith("Pre-Game Barrage Phase"))
    for key, scenario in game.scenarios.items():
        assert scenario.turns is not None, key
        inner = split(split(split(state(game, scenario, listed), "\t")[1], "|")[1], ";")[-1]
        start, _, _, active = split(inner, ";")
        on = split(active, ",")
        assert (on[barrage] == "true") == (scenario.turns.first == 1), key
        assert on[int(start)] == "true" and "true" not in on[: int(start)], key
    assert {scenario.turns.first == 1 for scenario in game.scenarios.values() if scenario.turns} == {True, False}


def test_a_number_is_called_by_its_nation_too() -> None:
    musketeer = load("musketeer")
    names = {made.name for made in (pieces.piece(musketeer, key, "1") for key in musketeer.units)}
    assert {"Israeli 27", "British 19", "Egyptian 1"} <= names
