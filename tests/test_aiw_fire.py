"""Fire in The Arab-Israeli Wars: the rulebook's examples, and oracles by brute force, in fractions."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.attack import AttackValue
from assistant.engine.field import Field
from assistant.engine.sight.visibility import MetFeature, SightEffect, SightResult, sights_of
from assistant.games.arab_israeli_wars import forces
from assistant.games.arab_israeli_wars.combat import DefenderLosses, mean_losses
from assistant.games.arab_israeli_wars.fire import Fire, drift_hexes, falls, fire
from assistant.games.arab_israeli_wars.forces import AskedAttack, Fighter, counter_fighter, field_on
from assistant.games.arab_israeli_wars.plans import next_column
from assistant.questions.answer import BadQuestion
from scenarios import load
from scenarios.model.hexes import DIRECTIONS, Hex
from scenarios.model.tables import parse_odds as odds_of
from tests.test_aiw_attacks import COMBAT, UNITS, direct, type_of

GAME = load("arab_israeli_wars")
CERTAIN, SIXTH = Fraction(1), Fraction(1, 6)


def unit(
    name: str, place: Hex | None = None, states: Sequence[str] = (), nation: str = "", **inputs: AttackValue
) -> Fighter:
    unit_record = GAME.units.get(name)
    side, own_nation = (unit_record.side, unit_record.nation) if unit_record else ("", "")
    return counter_fighter(GAME, name, side, nation or own_nation, place, states, inputs)


def battle(attack: str, firers: Sequence[Fighter], targets: Sequence[Fighter], **inputs: AttackValue) -> AskedAttack:
    return AskedAttack(GAME, attack, tuple(firers), tuple(targets), None, inputs)


def cells(ratio: Fraction, shift: int = 0) -> list[str] | None:
    """A column of the Combat Results Table, modified die -1 to 7; None where there is no attack."""
    fitting = [i for i, column in enumerate(COMBAT) if column <= ratio]
    return COMBAT[list(COMBAT)[min(len(COMBAT) - 1, fitting[-1] + shift)]].split() if fitting else None


def outcome_of(column: list[str], die: int, is_dispersed: bool) -> str:
    """What the modified die does to a unit."""
    code = column[max(-1, min(7, die)) + 1]
    if code == "X" or (code == "DD" and is_dispersed):
        return "eliminated"
    return "dispersed" if code in ("D", "DD") else "unharmed"


# The rulebook's own examples.


def test_odds_round_down() -> None:
    """Basic VI.A.1: 11 to 3 is 3-1, 3 to 11 is 1-4."""
    table = GAME.tables["combat"]
    labels = table.columns.labels
    assert [labels[table.find_column(Fraction(*pair)) or 0] for pair in ((11, 3), (3, 11))] == ["3-1", "1-4"]
    eleven = unit("sherman_51hv", distance=3)  # 22, halved against what isn't armored
    answer = fire(battle("direct_fire", [eleven], [unit("mortar_82_egypt")])).answers[0]
    assert (answer.attack_strength, answer.defense_strength) == (Fraction(11), Fraction(3)) and answer.column == "3-1"


@pytest.mark.parametrize(("place", "defense"), [({"terrain": "town"}, 11), ({"works": "fort"}, 36), ({}, 6)])
def test_town_and_fort(place: dict[str, AttackValue], defense: int) -> None:
    """Basic VIII.C.3: three units of 2 are 11 in a town and 36 in a fort."""
    result = fire(
        battle("direct_fire", [unit("m60a1")], [unit("sagger", states=["spotted"])] * 3, **place), anyway=True
    )
    assert result.answers[0].defense_strength == defense


def test_range_eight() -> None:
    """Basic II.A.1: a range of 8 reaches 8 hexes and not 9."""
    fire(battle("direct_fire", [unit("t_62", distance=8)], [unit("m60a1")]))
    with pytest.raises(BadQuestion, match=r"T-62: the target is out of range \(Basic VI.C.2\)"):
        fire(battle("direct_fire", [unit("t_62", distance=9)], [unit("m60a1")]))


def test_a_balanced_group() -> None:
    """Basic VI.D.3.b: G takes it as infantry, I as armored, in the same attack."""
    group = [unit("m60a1"), unit("infantry_israel")]
    result = fire(
        battle("direct_fire", [unit("sagger", distance=3), unit("infantry_egypt", distance=3)], group), anyway=True
    )
    assert [strength.value for strength in result.answers[0].units[:2]] == [0, 0]
    adjacent_result = fire(battle("direct_fire", [unit("infantry_egypt", distance=2)], group), anyway=True)
    assert adjacent_result.answers[0].units[0].value == 6


def test_missiles_do_not_overrun() -> None:
    """Basic VI.D.4.d."""
    with pytest.raises(BadQuestion, match=r"it can't overrun \(Standard II.D.2.a\)"):
        fire(battle("overrun", [unit("sagger")], [unit("infantry_israel")]))


def test_an_overrun_goes_up_a_column() -> None:
    """Standard II.D.4.c: 2-1 is resolved as 3-1."""
    result = fire(battle("overrun", [unit("t_62")], [unit("infantry_israel")]))
    assert (result.answers[0].start, result.answers[0].column) == ("1-1", "2-1")
    result = fire(battle("overrun", [unit("m60a1")], [unit("infantry_egypt")]))
    assert (result.answers[0].start, result.answers[0].column, result.answers[0].die) == ("3-1", "4-1", -2)
    result = fire(battle("overrun", [unit("m60a1")], [unit("t_55")]))
    assert (result.answers[0].start, result.answers[0].column) == ("2-1", "3-1")


def test_a_howitzer_of_range_44() -> None:
    """Standard II.A.2.c: 11 to 44 hexes; ours are a 48 and a 35."""
    for name, reach in (("how_122", 48), ("how_25lbr", 35)):
        for distance in range(1, reach + 2):
            question = battle("indirect_fire", [unit(name, distance=distance)], [unit("infantry_israel")])
            if reach <= 4 * distance and distance <= reach:
                fire(question)
            else:
                with pytest.raises(BadQuestion, match="quarter" if 4 * distance < reach else "out of range"):
                    fire(question)


def line(is_shielded: bool) -> SightResult:
    """A clear line of sight, with a hexside that shields the target or without."""
    field = field_on(GAME, "B")
    a, b = (field.map_index.number[field.hex_map.hex(name)] for name in ("B-P-5", "B-P-7"))
    clear_line = sights_of(field).look(a, b)
    shield = SightEffect(MetFeature("crossed", None, None), None, CERTAIN, "")  # type: ignore[arg-type]
    return clear_line._replace(clear=True, blocked_by=(), shields=(shield,) * is_shielded)


def two_firers(by_first: bool, by_second: bool) -> Fire:
    field = field_on(GAME, "B")
    places = [field.hex_map.hex(name) for name in ("B-P-5", "B-P-7", "B-P-8")]

    def sees(_: Field, firer: Fighter, target: Fighter) -> SightResult:
        return line(by_first if firer.hex == places[1] else by_second)

    firers = (unit("t_62", places[1]), unit("t_62", places[2]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forces, "sight_between", sees)
        return fire(AskedAttack(GAME, "direct_fire", firers, (unit("m60a1", places[0]),), field))


def test_hull_down_from_any() -> None:
    """Basic VII.F.1.c and the drawing in F.4.a: one attacker that is shielded from is enough."""
    assert [two_firers(a, b).fates[0].die for a in (False, True) for b in (False, True)] == [0, 2, 2, 2]


def test_fire_at_an_overrun(monkeypatch: pytest.MonkeyPatch) -> None:
    """The drawing in Basic VII.F.4.b: no shielding from the unit overrun alone, but with another that is shielded from."""
    field = field_on(GAME, "B")
    a, b, d = (field.hex_map.hex(name) for name in ("B-P-6", "B-P-8", "B-P-5"))
    overrunning = unit("m60a1", d)
    monkeypatch.setattr(forces, "sight_between", lambda *_: line(True))

    def die(*firers: Fighter) -> int:
        question = AskedAttack(GAME, "opportunity_fire", firers, (overrunning,), field, overrun=a)
        return fire(question).fates[0].die

    assert die(unit("t_62", a)) == 0
    assert die(unit("t_62", a), unit("t_62", b)) == 2
    infantry = AskedAttack(GAME, "opportunity_fire", (unit("infantry_egypt", a),), (overrunning,), field, overrun=a)
    assert fire(infantry).answers[0].attack_strength == 18  # tripled, as in a close assault


# Together, from one throw.

shooting = st.lists(st.tuples(st.sampled_from(sorted(UNITS)), st.integers(1, 8)), min_size=1, max_size=5)
stack = st.lists(st.tuples(st.sampled_from(sorted(UNITS)), st.booleans(), st.booleans()), min_size=1, max_size=4)


@settings(max_examples=150, deadline=None)
@given(
    shooting, stack, st.sampled_from(["clear", "woods", "town"]), st.sampled_from(["none", "improved_position", "fort"])
)
def test_one_throw_for_all(
    shooters: list[tuple[str, int]], targets: list[tuple[str, bool, bool]], terrain: str, work: str
) -> None:
    firers = [unit(name, distance=distance) for name, distance in shooters]
    defenders = [
        unit(n, states=["dispersed"] if is_dispersed else [], shielded=hull) for n, is_dispersed, hull in targets
    ]
    result = fire(battle("direct_fire", firers, defenders, terrain=terrain, works=work), anyway=True)
    kind = type_of([name for name, _, _ in targets])
    strength = Fraction(0)
    for name, distance in shooters:
        attack, weapon, _, _, _, _, nation, _ = UNITS[name]
        target_types = ["A", "NA"] if kind == "tie" else [kind]
        strength += attack * min(direct(weapon, k, distance, nation, 1973, name == "tow_m113") for k in target_types)
    defense = sum(UNITS[n][3] + (10 if work == "fort" else 0) for n, _, _ in targets) + 5 * (terrain == "town")
    column = cells(strength / defense)
    expected_tolls: dict[DefenderLosses, Fraction] = {}
    single: list[dict[str, Fraction]] = [{} for _ in targets]
    for die in range(1, 7):
        fates = []
        for name, is_dispersed, hull in targets:
            change = (terrain != "clear") + 2 * (work != "none") - is_dispersed + (UNITS[name][5] if hull else 0)
            fates.append(outcome_of(column, die + change, is_dispersed) if column else "unharmed")
        toll = DefenderLosses(fates.count("eliminated"), fates.count("dispersed"))
        expected_tolls[toll] = expected_tolls.get(toll, Fraction(0)) + SIXTH
        for i, word in enumerate(fates):
            single[i][word] = single[i].get(word, Fraction(0)) + SIXTH
    assert dict(result.losses) == expected_tolls and sum(result.losses.values()) == 1
    assert [dict(fate.chances) for fate in result.fates] == single
    kills, _ = mean_losses(result.losses)
    assert kills == sum((fate.kill_chance for fate in result.fates), Fraction(0))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(["how_122", "mortar_120_arab", "mortar_82_egypt"]), min_size=1, max_size=4),
    stack,
    st.sampled_from(["clear", "woods", "town"]),
    st.sampled_from(["none", "improved_position", "fort"]),
    st.integers(-1, 3),
)
def test_a_throw_for_each(
    batteries: list[str], targets: list[tuple[str, bool, bool]], terrain: str, work: str, aim_index: int
) -> None:
    """Indirect fire (Standard II.A.5): each alone, with its own 5 or 10; destructive fire triples against its target only."""
    defenders = [
        replace(unit(n, states=["dispersed"] if is_dispersed else []), copy=str(i))
        for i, (n, is_dispersed, _) in enumerate(targets)
    ]
    aim = f"{defenders[aim_index].unit}#{aim_index}" if 0 <= aim_index < len(defenders) else ""
    firers = [
        replace(unit(name, distance=12), aim=aim if i == 0 and len(batteries) > 1 else "")
        for i, name in enumerate(batteries)
    ]
    result = fire(battle("indirect_fire", firers, defenders, terrain=terrain, works=work), anyway=True)
    points = [int(str(GAME.units[name].factors["attack"])) for name in batteries]
    chances: list[dict[str, Fraction]] = []
    for i, (name, is_dispersed, _) in enumerate(targets):
        factor = Fraction(1, 2) if UNITS[name][4] == "A" else CERTAIN
        strength = sum(
            (3 if firers[k].aim and i == aim_index else 0 if firers[k].aim else 1) * p * factor
            for k, p in enumerate(points)
        )
        defense = UNITS[name][3] + 10 * (work == "fort") + 5 * (terrain == "town")
        column = cells(Fraction(strength) / defense)
        change = (terrain != "clear") + 2 * (work != "none") - is_dispersed
        chance: dict[str, Fraction] = {}
        for die in range(1, 7):
            word = outcome_of(column, die + change, is_dispersed) if column else "unharmed"
            chance[word] = chance.get(word, Fraction(0)) + SIXTH
        chances.append(chance)
    assert [dict(fate.chances) for fate in result.fates] == chances
    expected_tolls: dict[DefenderLosses, Fraction] = {}
    for outcome in itertools.product(*(chance.items() for chance in chances)):
        words = [word for word, _ in outcome]
        weight = CERTAIN
        for _, chance_ in outcome:
            weight *= chance_
        toll = DefenderLosses(words.count("eliminated"), words.count("dispersed"))
        expected_tolls[toll] = expected_tolls.get(toll, Fraction(0)) + weight
    assert dict(result.losses) == expected_tolls and sum(result.losses.values()) == 1


def test_air_strikes_together() -> None:
    """Standard II.F.5.b: (H) points count once for each defender when others strike with them, else each is hit alone."""
    bombs = Fighter("support", "bombs", inputs={"points": 20, "kind": "(H)"}, weapon="(H)")
    guns = Fighter("support", "guns", inputs={"points": 21, "kind": "A"}, weapon="A")
    tanks = [unit("t_62"), unit("t_62"), unit("t_55")]
    result = fire(battle("air_strike", [bombs, guns], tanks))
    assert result.answers[0].attack_strength == 20 * Fraction(1, 2) * 3 + 21 * 2 and len(result.answers) == 1
    single_result = fire(battle("air_strike", [bombs], tanks))
    assert [a.attack_strength for a in single_result.answers] == [10, 10, 10] and len(single_result.fates) == 3
    assert sum(single_result.losses.values()) == 1
    with pytest.raises(BadQuestion, match=r"Advanced I.C.2"):
        fire(battle("air_strike", [replace(guns, inputs={**guns.inputs, "distance": 4})], tanks))


def test_anti_aircraft() -> None:
    """Advanced I.D: the die is modified for a dispersed helicopter and for nothing else."""
    result = fire(
        battle("anti_aircraft", [unit("shilka", distance=3)], [unit("huey_gunship")], terrain="town", works="fort")
    )
    assert result.fates[0].die == 0 and result.answers[0].defense_strength == 18
    dispersed_result = fire(
        battle("anti_aircraft", [unit("shilka", distance=3)], [unit("huey_gunship", states=["dispersed"])])
    )
    assert dispersed_result.fates[0].die == -1
    with pytest.raises(BadQuestion, match=r"Advanced I.D"):
        fire(battle("anti_aircraft", [unit("shilka")], [unit("m60a1")]))


def test_mines_and_engineers() -> None:
    """Standard V.E.2, VII.A.1; Advanced II.G.3."""
    result = fire(battle("minefield", [unit("mine_3_1")], [unit("m60a1"), unit("t_62", states=["dispersed"])]))
    assert [dict(fate.chances) for fate in result.fates] == [
        {"eliminated": Fraction(1, 2), "dispersed": Fraction(1, 3), "unharmed": SIXTH},
        {"eliminated": Fraction(5, 6), "unharmed": SIXTH},
    ]
    for states, word in (([], "inverted"), (["inverted"], "eliminated")):
        clearing_result = fire(
            battle("clear_mines", [unit("combat_engineer_israel")] * 2, [unit("mine_2_1", states=states)])
        )
        assert clearing_result.answers[0].column == "1-2" and clearing_result.fates[0].chances[word] == Fraction(1, 3)
    with pytest.raises(BadQuestion, match=r"Standard V.E.2.b"):
        fire(battle("minefield", [unit("mine_1_1")], [unit("combat_engineer_israel")]))


def test_interdiction_stops() -> None:
    """Advanced III.D.5, D.6: 1-2 against armor, 1-1 else; D and DD stop, nothing is modified."""
    firers = [unit("mortar_120_arab")] * 2
    result = fire(battle("interdiction", firers, [unit("m60a1", states=["dispersed"]), unit("infantry_israel")]))
    assert [a.column for a in result.answers] == ["1-2", "1-1"]
    assert [dict(f.chances) for f in result.fates] == [
        {"stopped": Fraction(1, 3), "unharmed": Fraction(2, 3)},
        {"stopped": Fraction(1, 2), "unharmed": Fraction(1, 2)},
    ]
    with pytest.raises(BadQuestion, match="fewer than 14"):
        fire(battle("interdiction", firers[:1], [unit("m60a1")]))


# Scatter and drift.


@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_drift_goes_as_the_diagram_says(scenario: str) -> None:
    """The neighbour found by degrees is the one with the diagram's compass name, wherever north is."""
    field = field_on(GAME, scenario)
    quarters = {"up": 0, "right": 90, "down": 180, "left": 270}
    table = GAME.tables["drift"]
    column = "arrow north" if field.hex_map.north in ("left", "right") else "arrow east"
    compass = {"n": 0, "ne": 30, "e": 90, "se": 150, "s": 180, "sw": 210, "w": 270, "nw": 330}
    if column == "arrow east":
        compass |= {"ne": 60, "se": 120, "sw": 240, "nw": 300}
    middle = Hex(5, 5)
    for roll, hex in drift_hexes(field, middle).items():
        word = table.cell(roll, table.named_column(column)).code
        on_sheet = (compass[word] + quarters[field.hex_map.north]) % 360
        assert DIRECTIONS[on_sheet // 60] == hex.minus(middle), (scenario, roll)
    assert len(set(drift_hexes(field, middle).values())) == 6


def test_where_fire_comes_down() -> None:
    field = field_on(GAME, "S-6")
    for hex in field.hex_map.hexes:
        for is_seen, interdiction in itertools.product((True, False), repeat=2):
            impacts = falls(field, hex, is_seen=is_seen, interdiction=interdiction)
            assert sum(fall.chance for fall in impacts) == 1
            assert all(fall.hex is None or fall.hex in field.hex_map for fall in impacts)
            if is_seen:
                assert [(f.manner, f.hex) for f in impacts] == [("hit", hex)]
            elif interdiction:
                assert [f.chance for f in impacts] == [SIXTH] * 6 and all(f.hex != hex for f in impacts)
            else:
                assert [f.chance for f in impacts] == [Fraction(1, 3), *[Fraction(1, 12)] * 6, SIXTH]


def test_drifting_fire_by_brute_force() -> None:
    """The whole tree: the Scatter Chart, the Drift Diagram, a die for each unit; friends are hit too."""
    field = field_on(GAME, "S-6")
    aim = field.hex_map.hex("B-P-5")
    rng = random.Random(7)
    for _ in range(6):
        other_units = [
            unit(rng.choice(["m60a1", "infantry_israel", "infantry_egypt", "sagger"]), hex)
            for hex in drift_hexes(field, aim).values()
            if rng.random() < 0.6
        ]
        targets = (unit("infantry_israel", aim), unit("m3_halftrack", aim, ["dispersed"]))
        firers = tuple(unit("mortar_120_arab", field.hex_map.hex("B-P-10")) for _ in range(3))
        question = AskedAttack(
            GAME, "indirect_fire", firers, targets, field, {}, (*firers, *targets, *other_units), None, aim, False
        )
        result = fire(question)
        expected_tolls: dict[tuple[DefenderLosses, DefenderLosses], Fraction] = {}
        for scatter in range(1, 7):
            for drift in range(1, 7):
                impact_hex = aim if scatter <= 2 else drift_hexes(field, aim)[drift] if scatter <= 5 else None
                hit = [
                    fighter
                    for fighter in (*targets, *other_units)
                    if impact_hex is not None and fighter.hex == impact_hex
                ]
                for dice in itertools.product(range(1, 7), repeat=len(hit)):
                    tolls = {"arab": [0, 0], "israeli": [0, 0]}
                    for fighter, die in zip(hit, dice, strict=True):
                        factors = GAME.units[fighter.unit].factors
                        strength = 27 * (Fraction(1, 2) if factors["target"] == "A" else CERTAIN)
                        terrain = field.map_index.terrain(fighter.hex) if fighter.hex else "clear"
                        column = cells(strength / (Fraction(str(factors["defense"])) + 5 * (terrain == "town")))
                        is_dispersed = "dispersed" in fighter.states
                        word = (
                            outcome_of(column, die - is_dispersed + (terrain in ("woods", "town")), is_dispersed)
                            if column
                            else "unharmed"
                        )
                        tolls[fighter.side][0] += word == "eliminated"
                        tolls[fighter.side][1] += word == "dispersed"
                    key = DefenderLosses(*tolls["israeli"]), DefenderLosses(*tolls["arab"])
                    expected_tolls[key] = expected_tolls.get(key, Fraction(0)) + Fraction(1, 36 * 6 ** len(hit))
        enemy: dict[DefenderLosses, Fraction] = {}
        own_tolls: dict[DefenderLosses, Fraction] = {}
        for (enemy_toll, two), chance in expected_tolls.items():
            enemy[enemy_toll] = enemy.get(enemy_toll, Fraction(0)) + chance
            own_tolls[two] = own_tolls.get(two, Fraction(0)) + chance
        assert dict(result.losses) == enemy and dict(result.friendly_losses) == own_tolls
        assert sum(result.losses.values()) == sum(result.friendly_losses.values()) == 1


def test_destructive_fire_never_drifts() -> None:
    """Advanced III.C.2.c: unseen it does nothing; seen it triples against its own target and spares the others."""
    field = field_on(GAME, "S-6")
    aim = field.hex_map.hex("B-P-5")
    targets = (unit("infantry_israel", aim), unit("machine_gun", aim))
    firers = tuple(replace(unit("mortar_120_arab", field.hex_map.hex("B-P-10")), aim="machine_gun") for _ in range(2))
    question = AskedAttack(GAME, "indirect_fire", firers, targets, field, {}, (), None, aim, False)
    assert dict(fire(question, anyway=True).losses) == {DefenderLosses(0, 0): CERTAIN}
    seen_result = fire(replace(question, is_seen=True), anyway=True)
    assert [fate.fighter.unit for fate in seen_result.fates] == ["machine_gun"] and seen_result.answers[
        0
    ].attack_strength == 54
    with pytest.raises(BadQuestion, match=r"Advanced III.C.2.c"):
        fire(replace(question, targets=targets[:1]))


# What the next column takes.


@settings(max_examples=60, deadline=None)
@given(shooting, stack)
def test_the_next_column(shooters: list[tuple[str, int]], targets: list[tuple[str, bool, bool]]) -> None:
    firers = [unit(name, distance=distance) for name, distance in shooters]
    answer = fire(battle("direct_fire", firers, [unit(n) for n, _, _ in targets]), anyway=True).answers[0]
    table = GAME.tables["combat"]
    following = next_column(table, answer)
    assert following is not None and answer.defense_strength
    if following.column:
        new_odds = (answer.attack_strength + following.points_needed) / answer.defense_strength
        assert new_odds == odds_of(following.column)
        lower_odds = (answer.attack_strength + following.points_needed - Fraction(1, 1000)) / answer.defense_strength
        column = table.find_column(lower_odds)
        assert (None if column is None else table.columns.labels[column]) == answer.column
    if answer.column is not None:
        assert (answer.attack_strength - following.spare) / answer.defense_strength == odds_of(answer.column)


def test_an_answer_is_quick() -> None:
    """An odds answer from a map: under 5 ms, sight, hull down and the chances included."""
    field = field_on(GAME, "S-6")
    firers = tuple(unit("t_62", field.hex_map.hex(name)) for name in ("B-P-5", "B-P-5", "B-O-6", "B-Q-5"))
    targets = (unit("m60a1", field.hex_map.hex("B-P-8")), unit("infantry_israel", field.hex_map.hex("B-P-8")))
    question = AskedAttack(GAME, "direct_fire", firers, targets, field, {}, firers + targets)
    first = fire(question, anyway=True)
    assert fire(question, anyway=True) == first


@pytest.mark.parametrize(
    ("tanks", "next_", "needed_strength", "spare"),
    [(1, "3-1", 15, 5), (2, "4-1", 10, 10), (3, "", 0, 15), (4, "", 0, 40)],
)
def test_the_next_column_of_an_overrun(tanks: int, next_: str, needed_strength: int, spare: int) -> None:
    """Standard II.D.4.c: at 25 points each to 20, odds of 1-1, 2-1, 3-1 and 4-1 are 2-1, 3-1 and twice 4-1."""
    result = fire(battle("overrun", [unit("m60a1")] * tanks, [unit("t_55")] * 2))
    following = next_column(GAME.tables["combat"], result.answers[0])
    assert following is not None and tuple(following) == (next_, needed_strength, spare)
