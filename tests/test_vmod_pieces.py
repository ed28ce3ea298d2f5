"""Pieces of modules: keys that never collide, prototypes that are all used, reports, ranges, pools, reinforcements."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from functools import cache

import pytest

from art.counters.slots import SIZE, SPOTS, WIDE_BOTTOM
from art.text import CAPITAL
from modgen.vmod.files import keys
from modgen.vmod.files.lock import Lock
from modgen.vmod.maps.point_ranges import points_in_range, range_texts
from modgen.vmod.pieces import pieces, support
from modgen.vmod.pieces.prototypes import tag_place
from modgen.vmod.setups.setups import commands, layer_of
from modgen.vmod.setups.turns import phases, state
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.model.points import PointMap
from scenarios.model.position import from_scenario
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
SILENT = {keys.TRAIL, keys.MARK_MOVED, *keys.AREAS, keys.ZONE}
"""What only one player sees, or what marks a move that was told already."""


@pytest.fixture(scope="module", params=shipped_games())
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


def chain(game: Game, piece_id: str, prototypes: dict[str, tuple[Trait, ...]] | None = None) -> tuple[Trait, ...]:
    return pieces.expand_prototypes(
        pieces.piece_entry(game, piece_id, "1").traits, prototypes or shared.prototypes(game)
    )


def strokes(trait: Trait) -> list[str]:
    name, _, arguments = trait.type.partition(";")
    fields = split(arguments, ";")
    if name == "PROP":
        return [split(command, ":")[1] for command in split(fields[2], ",") if command]
    return [fields[i] for i in STROKES.get(name, ()) if fields[i]]


def test_keys_of_a_piece_never_collide(game: Game) -> None:
    stroke_count = 0
    for piece_id in (*game.units, *game.markers):
        keystrokes = [stroke for trait in chain(game, piece_id) for stroke in strokes(trait)]
        stroke_count += len(keystrokes)
        # Several traits may hear one keystroke that has a name and no key.
        keystrokes = [stroke for stroke in keystrokes if stroke.count(",") == 1]
        # The way back is the same from every pile.
        keystrokes = [stroke for stroke in keystrokes if stroke != keys.RETURN_TO_PLAY]
        assert len(keystrokes) == len(set(keystrokes)), piece_id
    assert stroke_count > 8 * len(game.units)


def test_no_key_of_a_piece_is_a_windows(game: Game) -> None:
    windows = [value for name, value in vars(keys).items() if name.endswith("_KEY")]
    assert len(windows) == len(set(windows)) > 10
    for unit in game.units:
        assert not {stroke for trait in chain(game, unit) for stroke in strokes(trait)} & set(windows)


def test_every_prototype_is_used_and_every_one_used_is_there(game: Game) -> None:
    prototypes = shared.prototypes(game)
    used: set[str] = set()
    todo = [t for key in (*game.units, *game.markers) for t in pieces.piece_entry(game, key, "1").traits]
    todo += [
        t
        for support_record in support.all_support(game).values()
        for t in support.piece(game, support_record, "1").traits
    ]
    while todo:
        name = todo.pop().type.removeprefix("prototype;")
        if name in prototypes and name not in used:
            used.add(name)
            todo += prototypes[name]
    assert used == set(prototypes)


def test_every_action_is_told_to_the_chat(game: Game) -> None:
    for piece_id in (*game.units, *game.markers):
        reported_keys: set[str] = set()
        for trait in chain(game, piece_id):
            if trait.type.startswith("report;"):
                reported_keys |= set(split(split(trait.type[7:], ";")[0], ","))
            # A report hears only what lies inside it.
            for stroke in strokes(trait):
                stroke_parts = stroke.split(",")
                if len(stroke_parts) == 2 and stroke not in SILENT and not trait.type.startswith("macro;"):
                    assert stroke in reported_keys, (piece_id, trait.type)


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
        assert not any("lose a step" in does for _, _, does in keys.all_keys(game))
    # Three steps need a third way to show them: a state of the pack, or else a badge.
    stateless = replace(game, states={key: state for key, state in game.states.items() if key != "step_loss"})
    prototypes = pieces.prototypes(stateless)
    losing = [
        unit for unit in game.units if keys.LOSS in [s for t in chain(stateless, unit, prototypes) for s in strokes(t)]
    ]
    assert losing == [key for key, unit in game.units.items() if unit.steps > 1]
    printed_game = load("musketeer")
    key, unit = next((key, unit) for key, unit in printed_game.units.items() if unit.steps == 2)
    backless_game = replace(printed_game, units={**printed_game.units, key: replace(unit, back=None)})
    assert keys.LOSS in [s for t in chain(backless_game, key) for s in strokes(t)]


def test_only_games_with_fog_conceal(game: Game) -> None:
    has_mask = any(trait.type.startswith("obs;") for unit in game.units for trait in chain(game, unit))
    assert has_mask == (game.id in ("october_war", "musketeer"))


def test_points_near_are_those_of_a_walk() -> None:
    game = load("october_war")
    table = map_of(game)
    assert isinstance(table, PointMap)
    reserve = {"israeli_reserve", "egyptian_reserve", "syrian_reserve"}
    for start in table.points:
        distances, queue = {start: 0}, deque([start])
        while queue:
            point = queue.popleft()
            for route in table.routes:
                if point in (route.a, route.b) and point not in reserve and not point.startswith("gulf_of_suez"):
                    neighbour = route.b if point == route.a else route.a
                    if neighbour not in distances and neighbour not in reserve:
                        distances[neighbour] = distances[point] + 1
                        queue.append(neighbour)
        assert points_in_range(game, table, start) == distances
    texts = range_texts(game)
    assert set(texts) == {"Near1", "Near2", "Distances"}
    assert "|Bir Hasana=Bir Hasana, " in texts["Near2"]


@pytest.mark.parametrize("half_size", [27, 33])
@pytest.mark.parametrize("count", range(1, 10))
def test_tags_of_states_leave_every_factor_free(half_size: int, count: int) -> None:
    scale = 2 * half_size / SIZE
    corner, low = SPOTS["top_left"], WIDE_BOTTOM
    top = (corner.y + corner.size * CAPITAL) * scale - half_size
    bottom = (low.y - low.size * CAPITAL) * scale - half_size
    places = [tag_place(number, count, half_size) for number in range(count)]
    assert len(set(places)) == count
    assert all(top - 1 <= y - 6 and y + 6 <= bottom and abs(x) <= half_size for x, y in places)


@cache
def read_saved_pieces(name: str, scenario: str) -> list[Added]:
    game, lock = load(name), Lock()
    gpids = {key: lock.gpid(key) for key in (*game.units, *game.markers)}
    position = from_scenario(game, scenario)
    turn = state(game, game.scenarios[scenario], phases(game))
    text = commands(game, position, gpids, shared.prototypes(game), turn)
    return [addition for command in flatten(text) if (addition := read_added(command)) is not None]


def marks(addition: Added) -> dict[str, str]:
    mark_values: dict[str, str] = {}
    for trait in addition.traits:
        if trait.type.startswith("mark;"):
            mark_values |= dict(zip(split(trait.type[5:], ","), split(trait.state, ","), strict=True))
        elif trait.type.startswith("PROP;"):
            mark_values[split(trait.type, ";")[1]] = trait.state
    return mark_values


def test_every_reinforcement_stands_in_the_tray_of_its_turn_and_entry(game: Game) -> None:
    for scenario in game.scenarios:
        sheets = {sheet.window: sheet for sheet in setup_sheets(game, scenario)}
        coming = {(p.unit, p.copy): str(p.at) for p in from_scenario(game, scenario).pieces if "turn:" in str(p.at)}
        for addition in read_saved_pieces(game.id, scenario):
            mark_values = marks(addition)
            turn = coming.pop((mark_values.get("unit", ""), mark_values.get("copy", "")), "")
            if not turn:
                continue
            window, x, y = split(addition.traits[-1].state, ";")[:3]
            assert re.search(r"\b[Tt]urn \d", mark_values["Enters"])
            tray = sheets[window].tray_at(int(x), int(y))
            assert tray is not None and (tray.location, tray.group) == (turn, mark_values["group"])
            assert (int(x), int(y)) in tray.cells
        assert not coming


def test_stacks_and_decks_hold_every_piece_once(game: Game) -> None:
    for scenario in list(game.scenarios)[:4]:
        additions = read_saved_pieces(game.id, scenario)
        units = {addition.id: marks(addition)["unit"] for addition in additions if marks(addition)}
        piece_ids: list[str] = []
        decks = 0
        for addition in additions:
            trait = addition.traits[0]
            if trait.type == "stack":
                inside = split(trait.state, ";")[3:-1]
                assert len({layer_of(game, units[key]) for key in inside}) == 1
                piece_ids += inside
            elif trait.type.startswith("deck;"):
                decks += 1
                fields = split(trait.state, ";")
                piece_ids += split(fields[4], ",") if len(fields) > 4 else []
        assert sorted(piece_ids) == sorted(units)
        assert decks == len(pools(map_of(game)))


def test_a_phase_of_turn_1_is_left_out_where_a_scenario_begins_later() -> None:
    game = load("yom_kippur")
    phase_names = phases(game)
    barrage = next(i for i, name in enumerate(phase_names) if name.endswith("Pre-Game Barrage Phase"))
    for key, scenario in game.scenarios.items():
        assert scenario.turns is not None, key
        inner = split(split(split(state(game, scenario, phase_names), "\t")[1], "|")[1], ";")[-1]
        start, _, _, active = split(inner, ";")
        flags = split(active, ",")
        assert (flags[barrage] == "true") == (scenario.turns.first == 1), key
        assert flags[int(start)] == "true" and "true" not in flags[: int(start)], key
    assert {scenario.turns.first == 1 for scenario in game.scenarios.values() if scenario.turns} == {True, False}


def test_a_number_is_called_by_its_nation_too() -> None:
    musketeer = load("musketeer")
    names = {piece.name for piece in (pieces.piece_entry(musketeer, key, "1") for key in musketeer.units)}
    assert {"Israeli 27", "British 19", "Egyptian 1"} <= names
