"""Six Day War: percentages, results spelled out, airpower, reserve points, lines, events, score."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.attacks import BadQuestion
from assistant.games.six_day_war import QUESTIONS
from assistant.games.six_day_war.air import Sky, air_phase, strike
from assistant.games.six_day_war.arrivals import arrivals
from assistant.games.six_day_war.battle import battles, column
from assistant.games.six_day_war.events import disintegrates, disintegration, event_chances
from assistant.games.six_day_war.field import Field
from assistant.games.six_day_war.lines import HAVENS, replacement_lines
from assistant.games.six_day_war.reserves import budget
from assistant.games.six_day_war.retreats import may_retreat, retreat, ways_back
from assistant.games.six_day_war.score import HOMES, outcome, standing
from scenarios import load
from scenarios.game import Game
from scenarios.hexes import Hex, distance, neighbours
from scenarios.maps import HexMap
from scenarios.position import Piece, Position


@pytest.fixture(scope="module")
def game() -> Game:
    return load("six_day_war", standing=False)


def put(game: Game, *units: tuple[str, str], turn: int = 2, states: tuple[str, ...] = ()) -> Field:
    """A field with these units: id and hex (or place, or box)."""
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    pieces = []
    for unit, where in units:
        at: Hex | str = where
        if not where.startswith("box:"):
            at = table.places[where].hexes[0] if where in table.places else table.hex(where)
        nation = game.units[unit].nation if unit in game.units else ""
        pieces.append(Piece(unit, "1", nation, at, frozenset(states)))
    return Field.of(game, Position("six_day_war", "standard", turn, pieces=tuple(pieces)))


def test_the_examples_of_the_book(game: Game) -> None:
    assert column(game, 20, 12) == "150-199"
    assert column(game, 10, 12) == "50-99"
    assert column(game, 10, 1, -1) == "500-599", "1000 % starts at 600 and goes one left (13.12)"
    assert column(game, 1, 10, -3) == "0-49"
    with pytest.raises(BadQuestion, match="defense strength is 0"):
        column(game, 1, 0)


def test_who_may_choose_which_table(game: Game) -> None:
    field = put(game, ("is_7_armor", "4622"), ("is_11_infantry", "4622"), ("eg_7_11", "4621"))
    armor, foot = field.stands[:2]
    target = field.stands[2].hex
    assert [battle.table for battle in battles(field, [armor, foot], [target])] == ["mobile", "assault"]
    assert [battle.table for battle in battles(field, [foot], [target])] == ["assault"], "infantry has no Mobile table"
    fort = put(game, ("is_7_armor", "4425"), ("eg_2_10", "abu_agheila"))
    assert [battle.table for battle in battles(fort, [fort.stands[0]], [fort.stands[1].hex])] == ["assault"]
    with pytest.raises(BadQuestion, match=r"fortification .* \(13\.13\)"):
        battles(fort, [fort.stands[0]], [fort.stands[1].hex], table="mobile")
    arab = put(game, ("eg_7_11", "4621"), ("is_7_armor", "4622"))
    assert [battle.table for battle in battles(arab, [arab.stands[0]], [arab.stands[1].hex])] == ["assault"]


def test_shock_shifts_twice_or_once(game: Game) -> None:
    field = put(game, ("is_7_armor", "4622"), ("eg_7_11", "4620"), turn=1)
    target = field.table.hex("4621")
    field = put(game, ("is_7_armor", "4622"), ("eg_7_11", "4621"), turn=1)
    mobile = battles(field, [field.stands[0]], [target])[0]
    calm = battles(field, [field.stands[0]], [target], shock_turn=False)[0]
    one = battles(field, [field.stands[0]], [target], shock_and_enhanced=False)[0]
    assert mobile.answer.shift == calm.answer.shift + 2 == one.answer.shift + 1
    advance = {result.code: result.advance for result in mobile.results}
    assert all(advance.get(code, 2) == 2 for code in ("DR", "MD", "DD")), "an enhanced attack advances twice as far (15.5)"


def test_losses_by_printed_strength_and_every_throw(game: Game) -> None:
    field = put(game, ("is_7_armor", "4622"), ("is_granit_recon", "4622"), ("eg_7_11", "4621"), ("eg_14_armor", "4621"))
    for battle in battles(field, list(field.stands[:2]), [field.stands[2].hex]):
        counted = {stand.key: Fraction(0) for stand in field.stands}
        table = game.tables[battle.table]
        assert battle.answer.column is not None
        place = table.named_column(battle.answer.column)
        by_code = {result.code: result for result in battle.results}
        for face in range(1, 7):
            result = by_code[table.cell(face, place).code]
            for stand in (*result.attackers_lost, *result.defenders_lost):
                counted[stand.key] += Fraction(1, 6)
            for back in (*result.attacker_retreats, *result.defender_retreats):
                counted[back.stand.key] += Fraction(1, 6) * back.dies
        assert battle.gone == counted
        assert sum(result.chance for result in battle.results) == 1
        for result in battle.results:
            if table.results[result.code].effects.get("attacker_loses") == "strongest":
                assert [stand.name for stand in result.attackers_lost] == ["7 Armored"]
            if table.results[result.code].effects.get("defender_loses") == "strongest":
                strongest = max(field.stands[2:], key=field.strength)
                assert result.defenders_lost == (strongest,)


def test_works_hold_and_static_units_die(game: Game) -> None:
    gaza = put(game, ("is_7_armor", "5328"), ("eg_garrison_gaza", "gaza"))
    (battle,) = battles(gaza, [gaza.stands[0]], [gaza.stands[1].hex])
    assert all(back.dies == 0 for result in battle.results for back in result.defender_retreats), "14.5"
    garrison = gaza.stands[1]
    assert retreat(gaza, garrison, "1", False).dies == 0
    assert retreat(gaza, garrison, "1", True).dies == 1, "a retreat is a panic now, and it is static (21.3)"
    assert retreat(gaza, garrison, "1d6", True).dies == 1
    open_field = put(game, ("eg_garrison_el_arish", "el_arish"), ("eg_7_11", "4621"))
    assert retreat(open_field, open_field.stands[0], "1", False).dies == 1, "14.3"
    assert retreat(open_field, open_field.stands[1], "1", False).dies == 0
    loyal = put(game, ("is_45_armor", "5836"), ("jo_kw", "5837"))
    for one in battles(loyal, [loyal.stands[0]], [loyal.stands[1].hex], disintegrated=frozenset(["eastern"])):
        assert all("disintegrated" not in back.why for result in one.results for back in result.defender_retreats), "21.4"


def test_retreats_one_by_one(game: Game) -> None:
    """A plain walk over every path agrees on where a unit may end up."""
    dice = random.Random(7)
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    land = sorted(table.zones["egypt_sinai"])
    for _ in range(12):
        middle = dice.choice(land)
        near = [hex for hex in neighbours(middle) if hex in table.zones["egypt_sinai"]]
        if len(near) < 4:
            continue
        names = [table.name(hex) for hex in dice.sample(near, 2)]
        field = put(game, ("eg_7_11", table.name(middle)), ("is_7_armor", names[0]), ("is_60_armor", names[1]))
        unit = field.stands[0]
        for length in (1, 2, 3):
            ends = set()
            paths: list[tuple[Hex, ...]] = [(middle,)]
            for _ in range(length):
                paths = [(*path, b) for path in paths for b in neighbours(path[-1]) if may_retreat(field, unit, path[-1], b)]
            for path in paths:
                if distance(middle, path[-1]) == length:
                    ends.add(path[-1])
            assert {hex for hex in ways_back(field, unit, length) if distance(middle, hex) == length} == ends


def test_air_phase_against_every_pair_of_dice(game: Game) -> None:
    table = game.tables["air_superiority"]
    for strikes, forces, ground, level, barrages, shock in [(7, 0, 0, 5, 4, False), (3, 2, 2, 3, 0, True), (0, 0, 1, 2, 1, False)]:
        found = air_phase(
            game, superiority=strikes, special_forces=forces, ground=ground, level=level, barrages=barrages, shock_turn=shock
        )
        counted: dict[Sky, Fraction] = {}
        for first, second in product(range(1, 7), repeat=2):
            left, guns = level, barrages
            if strikes:
                start = table.find_column(Fraction(strikes + forces))
                assert start is not None
                code = table.cell(first, table.shifted(start, int(shock))).code
                hits = {"EE": strikes + forces, "EH": (strikes + forces) // 2}.get(code, 0)
                off = min(hits, left)
                left -= off
                guns -= min(hits - off, guns)
            column_ = table.find_column(Fraction(left))
            assert column_ is not None
            code = table.cell(second, table.shifted(column_, -int(shock))).code
            flying = strikes + ground
            dead = min(flying, 1) if code == "EE" else 0
            refit = min(flying - dead, 1) if code in ("EE", "EH") else 0
            sky = Sky(left, guns, refit, dead)
            counted[sky] = counted.get(sky, Fraction(0)) + Fraction(1, 36)
        assert found.chances == counted
    with pytest.raises(BadQuestion, match=r"16\.5"):
        air_phase(game, superiority=0, special_forces=1, level=5)


def test_strikes_roll_for_each_unit(game: Game) -> None:
    """16.15, and the example of 16.17: two Arab units under three airstrikes have a throw each on column 3."""
    field = put(game, ("eg_7_11", "4621"), ("eg_14_armor", "4621"))
    found = strike(field, field.stands[0].hex, 3)
    assert [one.stand.unit.id for one in found.units] == ["eg_7_11", "eg_14_armor"]
    assert all(sum(target.chances.values()) == 1 for target in found.answer.targets)
    assert found.answer.column == "3" and not found.answer.failures
    table = game.tables["strike"]
    for one in found.units:
        counted = Fraction(0)
        for face in range(1, 7):
            code = table.cell(face, table.named_column("3")).code
            if code == "T2":
                counted += Fraction(1, 6)
            elif code == "T1":
                counted += sum((Fraction(1, 36) for far in range(1, 7) if not ways_back(field, one.stand, far)), Fraction(0))
        assert one.eliminated == counted
    holy = put(game, ("jo_kw", "east_jerusalem"))
    assert strike(holy, holy.stands[0].hex, 1).answer.failures, "16.14"
    crowd = strike(field, field.stands[0].hex, 4).answer.failures
    assert any("16.15" in failure for failure in crowd)
    walls = put(game, ("eg_garrison_gaza", "gaza"))
    assert strike(walls, walls.stands[0].hex, 3).units[0].retreat.dies == 0, "16.19"
    assert strike(walls, walls.stands[0].hex, 3, disintegrated={"sinai"}).units[0].retreat.dies == 1, "21.3"


def test_reserve_points(game: Game) -> None:
    found = budget(game, {"purchase_airstrike_or_sf": 6, "purchase_ground_unit": 4, "enhanced_attack": 1}, spent=10)
    assert found.cost == 15 and found.left == 25
    with pytest.raises(BadQuestion, match="can't be bought"):
        budget(game, {"replace_static": 1})
    _, lines = QUESTIONS["reserve"].answer(game, {"plan": {"purchase_ground_unit": 8}, "spent": 40})
    assert any("6 points too many" in line for line in lines)


def test_where_units_arrive(game: Game) -> None:
    """7.2 and 8.3: kibbutzes for those bought, not for those from Refit; no terrorized hex (18.8), none that Arabs control,
    but a full one, for stacks aren't counted then (11.4)."""
    field = put(
        game, ("terrorized", "beersheba"), ("is_7_armor", "5628"), ("is_60_armor", "5628"), ("is_14_armor", "5628"),
        ("control_arab", "eilat"), ("eg_7_11", "dimona"),
    )  # fmt: skip
    new, again = arrivals(field, "sinai", HOMES), arrivals(field, "sinai", HAVENS)
    assert set(again) < set(new)
    assert not {field.table.places[name].hexes[0] for name in ("beersheba", "eilat", "dimona")} & set(new)
    assert field.table.hex("5628") in again
    kinds = {field.table.terrain[hex] for hex in set(new) - set(again)}
    assert kinds == {"kibbutz"} and all(field.front(hex) == "sinai" for hex in new)


def test_terror(game: Game) -> None:
    """18.3: T1 and T2 alike terrorize a place; 18.5: not Cairo."""
    told, lines = QUESTIONS["barrage"].answer(game, {"hex": "beersheba", "place": "yes"})
    assert Fraction(told["terrorized"]) == Fraction(1, 3) and lines[-2].startswith("terrorized")
    with pytest.raises(BadQuestion, match=r"18\.5"):
        QUESTIONS["barrage"].answer(game, {"hex": "el_arish", "place": "yes"})


ISRAELIS = ["is_7_armor", "is_60_armor", "is_granit_recon", "is_11_infantry"]


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    mine=st.lists(st.sampled_from(ISRAELIS), min_size=1, max_size=3, unique=True),
    theirs=st.lists(st.sampled_from(["eg_7_11", "eg_14_armor"]), min_size=1, max_size=2, unique=True),
    turn=st.integers(1, 6), broken=st.sets(st.sampled_from(["sinai", "eastern"])),
    where=st.sampled_from([("4622", "4621"), ("4425", "abu_agheila"), ("5328", "gaza")]),
)  # fmt: skip
def test_any_battle_adds_up(
    game: Game, mine: list[str], theirs: list[str], turn: int, broken: set[str], where: tuple[str, str]
) -> None:
    field = put(game, *((unit, where[0]) for unit in mine), *((unit, where[1]) for unit in theirs), turn=turn)
    attackers = [s for s in field.stands if s.side == "israeli"]
    target = next(s.hex for s in field.stands if s.side == "arab")
    for battle in battles(field, attackers, [target], disintegrated=broken):
        assert sum(one.chance for one in battle.results) == 1
        assert all(0 <= chance <= 1 for chance in battle.gone.values()) and 0 <= battle.clears <= 1
        assert battle.lost("israeli") + battle.lost("arab") == sum(battle.gone.values())


def test_lines_to_a_city_by_exhaustive_search(game: Game) -> None:
    dice = random.Random(3)
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    land = sorted(table.zones["egypt_sinai"] | table.zones["israel"])
    arabs = [unit.id for unit in game.units.values() if unit.side == "arab" and unit.class_ == "mobile"][:20]
    cut = 0
    for _ in range(6):
        home = dice.choice(land)
        around = [hex for hex in land if 0 < abs(hex.q - home.q) + abs(hex.r - home.r) <= 4]
        spots = dice.sample(around, min(10, len(around)))
        field = put(
            game, ("is_7_armor", table.name(home)), *((u, table.name(h)) for u, h in zip(arabs, spots, strict=False) if h != home)
        )
        ((line,), _) = replacement_lines(field)
        shut = set(field.held["arab"]) | set(field.zones["arab"]) | field.closed("israeli")
        seen, todo = {home}, [home]
        while todo:
            here = todo.pop()
            for near in neighbours(here):
                if near in table and near not in seen and near not in shut and field.enterable(near):
                    seen.add(near)
                    todo.append(near)
        homes = {h for h in table.zones["israel"] if table.terrain[h] in ("city", "fortified_city", "town")}
        assert line.refit == bool(seen & homes & (table.field - shut | {home}))
        cut += not line.refit
        for a, b in zip(line.path, line.path[1:], strict=False):
            assert b in neighbours(a) and b not in shut
    assert cut < 6


def test_events_and_disintegration(game: Game) -> None:
    chances = event_chances(game)
    assert sum(chances.values()) == 1
    assert chances["Arab Disintegration Check"] == Fraction(11, 36)
    assert [disintegrates(game, n) for n in (-1, 0, 3, 9)] == [0, 0, Fraction(1, 2), 1]
    first, second = disintegration(game, {1: 6, 2: 6})
    assert first.now == 0
    assert second.now == 1 - Fraction(25, 36) ** 2


def test_score_of_both_players(game: Game) -> None:
    field = put(
        game, ("is_7_armor", "gaza"), ("is_202_airborne", "sharm_el_sheikh"), ("is_60_armor", "el_arish"),
        ("is_45_armor", "east_jerusalem"),
        ("eg_7_11", "box:sinai_dead"), ("eg_garrison_gaza", "box:sinai_dead"), ("is_14_armor", "box:sinai_refit"),
        ("jo_kw", "jenin"), ("sy_8", "haifa"), ("terrorized", "tel_aviv"),
    )  # fmt: skip
    found = standing(field, spent={"sinai": 12, "eastern": 3}, air_defense={"sinai": 0, "eastern": 2})
    assert found.total("sinai") == 10 + 10 + 5 + 1 - 12 - 3
    assert found.total("eastern") == 25 - 3 - 20 - 3 - 4
    assert found.level == "Local Victory"
    assert outcome(field, {"sinai": Fraction(0), "eastern": Fraction(-5)})[0] == "Both players lose"
    assert outcome(field, {"sinai": Fraction(45), "eastern": Fraction(10)}) == ("Strategic Victory", "sinai")
    assert outcome(field, {"sinai": Fraction(10), "eastern": Fraction(19)}) == ("Draw", "")


def test_answers(game: Game) -> None:
    assert QUESTIONS["score"].answer(game, {})[1][-1].startswith("Both players lose")
    assert len(QUESTIONS["events"].answer(game, {"scores": {"2": "3", "3": "5"}})[1]) == 17
    assert len(QUESTIONS["air"].answer(game, {"superiority": 6, "level": 5, "barrages": 4, "shock_turn": True})[1]) == 7
    field = put(game, ("is_7_armor", "4622"), ("eg_7_11", "4621"))
    told, lines = QUESTIONS["odds"].answer(
        game, {"position": field.position, "attackers": "is_7_armor", "target": "bir_lahfan", "what_if": "yes"}
    )
    assert set(told["tables"]) == {"mobile", "assault"} and lines
    assert told["tables"]["mobile"]["what_if"]
    with pytest.raises(BadQuestion, match="not next to"):
        QUESTIONS["odds"].answer(game, {"position": put(game, ("is_7_armor", "5031"), ("eg_7_11", "4621")).position,
                                        "attackers": "is_7_armor", "target": "4621"})  # fmt: skip
