"""Battles from positions and files, and the best plan, against brute force."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from assistant.engine.battle.assignment import AttackOption, TooManyAssignments, UnitStack, best_plan
from assistant.engine.field import Field
from assistant.games.arab_israeli_wars import forces
from assistant.games.arab_israeli_wars.battle import AttackRequest, battle_from, on_the_map
from assistant.games.arab_israeli_wars.battle_file import battle_file
from assistant.games.arab_israeli_wars.combat import mean_losses
from assistant.games.arab_israeli_wars.fire import Fire, fire
from assistant.games.arab_israeli_wars.forces import (
    AskedAttack,
    Fighter,
    counter_fighter,
    field_of,
    field_on,
    sight_between,
)
from assistant.games.arab_israeli_wars.plans import best_shares, changes
from assistant.questions.answer import BadQuestion
from scenarios import PackError, load
from scenarios.model.counters import Unit
from scenarios.model.hexes import Hex, distance, neighbours
from scenarios.model.position import Piece, Position

GAME = load("arab_israeli_wars")


def position(
    scenario: str, *pieces: tuple[str, str, str] | tuple[str, str], nation: str = ""
) -> tuple[Field, tuple[Fighter, ...]]:
    """A position of UNIT, HEX and states; a nation for Arab counters of another army."""
    table = field_on(GAME, scenario)
    placed_pieces = []
    for n, (unit, place_name, *states) in enumerate(pieces):
        unit_record = GAME.units.get(unit)
        own_nation = unit_record.nation if unit_record else ""
        piece_nation = nation if nation and unit_record and unit_record.side == "arab" else own_nation
        placed_pieces.append(
            Piece(
                unit,
                str(n),
                piece_nation,
                table.hex_map.hex(place_name),
                frozenset(states[0].split()) if states else frozenset(),
            )
        )
    held_position = Position(GAME.id, scenario, pieces=tuple(placed_pieces))
    field = field_of(GAME, held_position)
    return field, on_the_map(field, held_position)


def ask(
    setting: tuple[Field, tuple[Fighter, ...]],
    sources: str,
    target: str,
    attack: str = "direct_fire",
    choose: bool = True,
    **extra_inputs: object,
) -> Fire:
    field, everyone = setting
    hexes = tuple(field.hex_map.hex(name) for name in sources.split(",") if name)
    scope = AttackRequest(attack, hexes, field.hex_map.hex(target), **extra_inputs)  # type: ignore[arg-type]
    return fire(battle_from(GAME, field, everyone, scope), choose=choose)


def clear_pair(scenario: str, separation: int, board: str = "") -> tuple[str, str]:
    """Two hexes of clear ground that see each other, with nobody hull down."""
    field = field_on(GAME, scenario)
    table = field.hex_map
    clear_hexes = [
        hex for hex in table.hexes if field.map_index.terrain(hex) == "clear" and table.name(hex).startswith(board)
    ]
    for a in clear_hexes:
        for b in clear_hexes:
            if distance(a, b) == separation:
                look = sight_between(field, Fighter("", "", hex=a), Fighter("", "", hex=b))
                return_look = sight_between(field, Fighter("", "", hex=b), Fighter("", "", hex=a))
                if look.clear and not look.shields and not return_look.shields:
                    return table.name(a), table.name(b)
    raise AssertionError("no such pair")


A, B = clear_pair("S-6", 4)


def test_everything_is_worked_out() -> None:
    result = ask(position("S-6", ("m60a1", A), ("m60a1", A), ("t_62", B), ("t_62", B, "dispersed")), A, B)
    answer = result.answers[0]
    assert result.battle.inputs()["year"] == 1973 and answer.column == "4-1"
    assert [unit.value for unit in answer.units] == [50, 50, 10, 10]
    assert [fate.die for fate in result.fates] == [0, -1] and not result.left_out
    assert str(answer.units[0].values["row"]) == "direct/A after 1960 israel"


@pytest.mark.parametrize(
    ("pieces", "attack", "message", "rule"),
    [
        ((("t_62", A, "inverted"), ("m60a1", B)), "direct_fire", "inverted or dispersed", "Basic VI.C.2"),
        ((("t_62", A, "loaded"), ("m60a1", B)), "direct_fire", "no unit is in", "Basic VI.A.1"),
        (
            (("t_62", A, "committed"), ("m60a1", B)),
            "direct_fire",
            "it has recorded indirect fire",
            "Standard II.A.1.a",
        ),
        ((("truck_egypt", A), ("m60a1", B)), "direct_fire", "may not make this attack", "Unit Function Table"),
        ((("sagger", A, "spent"), ("m60a1", B)), "direct_fire", "out of missiles", "Advanced II.F"),
        ((("sagger", A), ("infantry_israel", B)), "direct_fire", "doesn't allow it", "Basic VI.D.4"),
        ((("rg_107", A), ("m60a1", B)), "opportunity_fire", "", ""),
        ((("t_62", A), ("m60a1", B)), "overrun", "isn't next to the target", "Standard II.D.2.b"),
        ((("infantry_egypt", A), ("m60a1", B)), "close_assault", "isn't next to the target", "Standard II.C.1.b"),
        ((("t_62", A), ("t_55", B)), "direct_fire", "no enemy is in", "Basic VI.A.1"),
        ((("m60a1", B),), "direct_fire", "no unit is in", "Basic VI.A.1"),
        ((("t_62", A), ("m60a1", B)), "indirect_fire", "may not make indirect fire", "Standard II.A.2.a"),
    ],
)
def test_why_not(pieces: tuple[tuple[str, str], ...], attack: str, message: str, rule: str) -> None:
    if not message:
        ask(position("S-6", *pieces), A, B, attack)
        return
    with pytest.raises(BadQuestion) as error:
        ask(position("S-6", *pieces), A, B, attack)
    assert message in str(error.value) and rule in str(error.value)


def test_those_that_can_not_are_left_out() -> None:
    setting = position("S-6", ("t_62", A), ("infantry_egypt", A), ("t_62", A, "inverted"), ("m60a1", B))
    result = ask(setting, A, B)
    assert [firer.unit for firer in result.battle.firers] == ["t_62"]
    assert {reason.rule for exclusion in result.left_out for reason in exclusion.reasons} == {
        "Basic VI.D.4",
        "Basic VI.C.2",
    }
    with pytest.raises(BadQuestion, match=r"Infantry \(.*, 4 hexes away\): the Weapons .* \(Basic VI.D.4\)"):
        ask(setting, A, B, choose=False, firers=("t_62", "infantry_egypt"))
    with pytest.raises(BadQuestion, match="no 'sagger' stands in those hexes"):
        ask(setting, A, B, firers=("sagger",))


def woods_and_views() -> tuple[str, str, str]:
    """A woods hex, a hex two or more off that sees it, and a hex next to it."""
    field = field_on(GAME, "S-6")
    for hex in field.hex_map.hexes:
        if field.map_index.terrain(hex) != "woods":
            continue
        for seen_hex in field.hex_map.hexes:
            look = sight_between(field, Fighter("", "", hex=seen_hex), Fighter("", "", hex=hex))
            if 3 <= distance(hex, seen_hex) <= 6 and look.clear and not look.shields:
                clear_hex = next(
                    h for h in neighbours(hex) if h in field.hex_map and field.map_index.terrain(h) == "clear"
                )
                name = field.hex_map.name
                return name(hex), name(seen_hex), name(clear_hex)
    raise AssertionError("no woods")


def test_spotting_in_woods() -> None:
    """Basic VII.D.3: a marker or an undispersed enemy next to it; trucks don't spot (D.5)."""
    woods, enemy_place, adjacent_place = woods_and_views()
    units = (("m60a1", woods), ("t_62", enemy_place))
    with pytest.raises(BadQuestion, match=r"it isn't spotted \(Basic VII.D.3\)"):
        ask(position("S-6", *units), enemy_place, woods)
    for extra in (
        ("truck_egypt", adjacent_place),
        ("t_55", adjacent_place, "dispersed"),
        ("infantry_egypt", adjacent_place, "loaded"),
        ("m48a5", adjacent_place),
    ):
        with pytest.raises(BadQuestion, match=r"it isn't spotted"):
            ask(position("S-6", *units, extra), enemy_place, woods)
    assert ask(position("S-6", *units, ("t_55", adjacent_place)), enemy_place, woods).fates[0].die == 1
    assert (
        ask(position("S-6", ("m60a1", woods, "spotted"), ("t_62", enemy_place)), enemy_place, woods).fates[0].die == 1
    )
    result = ask(
        position("S-6", ("m60a1", woods, "spotted"), ("m60a1", woods), ("t_62", enemy_place)), enemy_place, woods
    )
    assert len(result.fates) == 1 and result.left_out[0].reasons[0].rule == "Basic VII.D.3"  # VIII.B.1.b


def test_a_moving_unit_is_spotted() -> None:
    """Standard II.E.1.b."""
    woods, enemy_place, _ = woods_and_views()
    setting = position("S-6", ("m60a1", woods), ("t_62", enemy_place))
    assert ask(setting, enemy_place, woods, "opportunity_fire").fates[0].die == 1


def test_attacks_on_everybody() -> None:
    field = field_on(GAME, "S-6")
    adjacent_hex = next(
        h for h in neighbours(field.hex_map.hex(B)) if h in field.hex_map and field.map_index.terrain(h) == "clear"
    )
    name = field.hex_map.name(adjacent_hex)
    setting = position(
        "S-6", ("infantry_egypt", name), ("t_62", name), ("mortar_120_arab", A), ("m60a1", B), ("m48a5", B), ("uh_1", B)
    )
    for attack, source, rule in (
        ("close_assault", name, "II.C.3.b"),
        ("overrun", name, "II.D.4.b"),
        ("indirect_fire", A, "II.A.5.d"),
    ):
        with pytest.raises(BadQuestion, match=rule):
            ask(setting, source, B, attack, targets=("m60a1",))
        result = ask(setting, source, B, attack)
        assert [fate.fighter.unit for fate in result.fates] == ["m60a1", "m48a5"]  # not what flies over them


def test_what_nobody_sees_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """On an east-bank position infantry may be hidden where a tank is seen (Standard VI.E.2.b)."""
    field, everyone = position("S-6", ("t_62", A), ("m60a1", B), ("infantry_israel", B))

    clear_line = sight_between(field, *everyone[:2])
    hidden_line = next(
        line
        for hex in field.hex_map.hexes
        if not (line := sight_between(field, everyone[0], Fighter("", "", hex=hex))).clear
    )
    monkeypatch.setattr(
        forces, "sight_between", lambda _, firer, target: clear_line if target.unit == "m60a1" else hidden_line
    )

    scope = AttackRequest("direct_fire", (field.hex_map.hex(A),), field.hex_map.hex(B))
    result = fire(battle_from(GAME, field, everyone, scope), choose=True)
    assert [fate.fighter.unit for fate in result.fates] == ["m60a1"]
    assert result.left_out[0].fighter.unit == "infantry_israel"


def test_works_and_smoke() -> None:
    for marker, die, defense in (("fort", 2, 26), ("improved_position", 2, 16)):
        result = ask(position("S-6", ("t_62", A), ("m60a1", B), (marker, B)), A, B)
        assert result.fates[0].die == die and result.answers[0].defense_strength == defense
    smoke = ask(position("S-6", ("t_62", A), ("m60a1", B, "spotted"), ("smoke", B)), A, B)
    assert smoke.fates[0].die == 1


def test_the_army_is_the_groups() -> None:
    """S-9: nine Jordanian counters fight as Egyptians, and triple in close assault (WEC note 7)."""
    field = field_on(GAME, "S-9")
    a = next(
        h
        for h in field.hex_map.hexes
        if field.map_index.terrain(h) == "clear" and field.hex_map.name(h).startswith("B-P")
    )
    b = next(h for h in neighbours(a) if h in field.hex_map and field.map_index.terrain(h) == "clear")
    names = field.hex_map.name(a), field.hex_map.name(b)
    pieces = (("infantry_jordan", names[0]), ("m60a1", names[1]))
    egyptian = ask(position("S-9", *pieces, nation="egypt"), *names, "close_assault")
    assert egyptian.answers[0].attack_strength == 18
    assert ask(position("S-9", *pieces), *names, "close_assault").answers[0].attack_strength == 12


def test_special_rules_of_situations() -> None:
    """B-3 has no doubling; S-3 sets Jordan against Syria; in A-4 boards don't touch."""
    a, b = clear_pair("B-3", 4)
    assert ask(position("B-3", ("m60a1", a), ("t_55", b)), a, b).answers[0].attack_strength == 25
    a, b = clear_pair("S-3", 4)
    field, everyone = position("S-3", ("centurion_iii", a), ("t_55", b))
    everyone = tuple(
        replace(fighter, nation="syria", side="syrian") if fighter.unit == "t_55" else fighter for fighter in everyone
    )
    result = ask((field, everyone), a, b)
    assert result.answers[0].attack_strength == 32  # doubled: Jordanians after 1967
    a4 = field_on(GAME, "A-4")
    pairs = (
        (x, y)
        for x in a4.hex_map.on_board("B")
        for y in a4.hex_map.on_board("A")
        if distance(x, y) <= 6 and x not in a4.hex_map.on_board("A") and y not in a4.hex_map.on_board("B")
    )
    x, y = next(pairs)
    names = a4.hex_map.name(x), a4.hex_map.name(y)
    with pytest.raises(BadQuestion, match=r"Situation A-4"):
        ask(position("A-4", ("m48a5", names[0]), ("t_34_85", names[1])), *names)


def test_the_canal() -> None:
    """Standard VI.E: no assault or overrun into or out of the canal, and half the defense on it; bridges keep theirs."""
    pieces = (
        ("trench", "A-L-4"),
        ("bridge", "A-L-4"),
        ("t_55", "A-L-4"),
        ("infantry_israel", "A-L-5"),
        ("m60a1", "A-L-5"),
    )
    setting = position("S-9", *pieces)
    for attack in ("close_assault", "overrun"):
        with pytest.raises(BadQuestion, match="note 9"):
            ask(setting, "A-L-5", "A-L-4", attack)
    with pytest.raises(BadQuestion, match=r"no unit in the canal may make this attack \(Standard VI.E.2\)"):
        ask(setting, "A-L-4", "A-L-5", "overrun")
    assert ask(setting, "A-L-5", "A-L-4").answers[0].defense_strength == 5
    bridge = ask(setting, "A-L-5", "A-L-4", targets=("bridge",))
    assert bridge.answers[0].defense_strength == 24 and bridge.fates[0].die == 2


def test_batteries_and_strikes_of_a_situation() -> None:
    a, b = clear_pair("S-9", 4, "B")
    setting = position("S-9", ("m60a1", a), ("infantry_egypt", b))
    result = ask(setting, "", b, "indirect_fire", support=("155 mm battery",), side="israeli")
    assert result.answers[0].attack_strength == 15 and len(result.landings) == 1
    unseen = ask(setting, "", b, "indirect_fire", support=("155 mm battery",), side="israeli", is_seen=False)
    assert unseen.fates[0].kill_chance == result.fates[0].kill_chance / 3
    with pytest.raises(BadQuestion, match="no support named '155mm battery'; did you mean 155 mm battery"):
        ask(setting, "", b, "indirect_fire", support=("155mm battery",))


def test_armies_that_spot_for_themselves() -> None:
    """S-12: a Palestinian sees nothing for a Syrian mortar."""
    a, b = clear_pair("S-12", 4)
    field, everyone = position("S-12", ("mortar_82_egypt", b), ("infantry_egypt", a), ("m113a1", a), nation="syria")
    target = next(fighter for fighter in everyone if fighter.unit == "m113a1")
    everyone = tuple(
        replace(fighter, hex=field.hex_map.hex(b)) if fighter is target else fighter for fighter in everyone
    )
    distant_hex = next(
        h
        for h in field.hex_map.hexes
        if not sight_between(field, Fighter("", "", hex=h), Fighter("", "", hex=field.hex_map.hex(b))).clear
    )
    for nation, landings in (("syria", 1), ("palestine", 8)):
        fighters = tuple(
            replace(fighter, hex=distant_hex)
            if fighter.unit == "mortar_82_egypt"
            else replace(fighter, nation=nation)
            if fighter.unit == "infantry_egypt"
            else fighter
            for fighter in everyone
        )
        scope = AttackRequest("indirect_fire", (distant_hex,), field.hex_map.hex(b))
        result = fire(battle_from(GAME, field, fighters, scope), anyway=True)
        assert len(result.landings) == landings


def test_strikes_that_helicopters_carry() -> None:
    """A-3: each Mi-8 has a strike of 30 points, type G, good for 12 hexes (Advanced I.C.2.a)."""
    a, b = clear_pair("A-3", 5)
    result = ask(position("A-3", ("mi_8", a), ("m60a1", b)), a, b, "air_strike")
    assert result.answers[0].attack_strength == 30
    with pytest.raises(BadQuestion, match="needs 'points'"):
        ask(position("S-6", ("mi_8", A), ("m60a1", B)), A, B, "air_strike")


def test_mounted_fire() -> None:
    """Advanced II.A: special infantry fires with its carrier in an advanced Situation late enough, never from a truck."""
    a, b = clear_pair("A-7", 2)
    pieces = (("m113a1", a), ("infantry_israel", a, "loaded"), ("t_62", b))
    assert len(ask(position("A-7", *pieces), a, b).battle.firers) == 2
    a, b = clear_pair("S-6", 2)
    pieces = (("m113a1", a), ("infantry_israel", a, "loaded"), ("t_62", b))
    assert len(ask(position("S-6", *pieces), a, b).battle.firers) == 1


@pytest.mark.parametrize(("scenario", "carrier", "fires"), [
    ("A-7", "btr_60", True), ("A-7", "btr_50", True), ("A-7", "btr_152", True), ("A-4", "btr_152", False),
])  # fmt: skip
def test_arab_mounted_fire(scenario: str, carrier: str, fires: bool) -> None:
    """Advanced II.A.1.b: Egyptians from 1970 on, aboard any I carrier, wheeled ones too (UFT key)."""
    a, b = clear_pair(scenario, 2)
    result = ask(position(scenario, (carrier, a), ("infantry_egypt", a, "loaded"), ("m60a1", b)), a, b)
    assert [firer.unit for firer in result.battle.firers] == ([carrier, "infantry_egypt"] if fires else [carrier])
    return_fire = ask(position(scenario, (carrier, a), ("infantry_egypt", a, "loaded"), ("m60a1", b)), b, a)
    assert any("bail out" in note for note in return_fire.notes)


def test_nobody_assaults_out_of_a_minefield() -> None:
    """Standard II.C.6: who stands in one is left out, the others assault."""
    field = field_on(GAME, "S-6")
    target_hex = field.hex_map.hex("B-P-6")
    clear_hex, mine_hex = neighbours(target_hex)[:2]
    names = [field.hex_map.name(hex) for hex in (target_hex, clear_hex, mine_hex)]
    setting = position(
        "S-6",
        ("infantry_israel", names[1]),
        ("machine_gun", names[2]),
        ("mine_2_1", names[2]),
        ("infantry_egypt", names[0]),
    )
    result = ask(setting, f"{names[1]},{names[2]}", names[0], "close_assault")
    assert [firer.unit for firer in result.battle.firers] == ["infantry_israel"]
    assert "minefield" in str(result.left_out[0].reasons[0])


# Files.


def write(folder: Path, text: str) -> Path:
    path = folder / "battle.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_battle_file(tmp_path: Path) -> None:
    a, b = clear_pair("S-6", 5)
    path = write(
        tmp_path,
        f"attack: direct_fire\nscenario: S-6\nworks: {{{b}: [fort]}}\n"
        f"firers:\n  - {{unit: t_62, count: 3, at: {a}}}\ntargets:\n  - {{unit: m60a1, at: {b}, states: [dispersed]}}\n",
    )
    result = fire(battle_file(GAME, path))
    assert (
        result.answers[0].attack_strength == 42
        and result.answers[0].defense_strength == 26
        and result.fates[0].die == 1
    )
    plain_path = write(
        tmp_path,
        "attack: air_strike\nfirers:\n  - {strike: A, points: 21, count: 2}\n  - {strike: (H), points: 10}\n"
        "targets: [{unit: t_62, count: 2}]\ninputs: {terrain: clear}\n",
    )
    assert fire(battle_file(GAME, plain_path)).answers[0].attack_strength == 84 + 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "attack: direct_fir\nfirers: [{unit: t_62}]\n",
            "1:9: arab_israeli_wars has no attack 'direct_fir'; did you mean direct_fire",
        ),
        ("firers: [{unit: t_63}]\ntargets: [{unit: m60a1}]\n", "1:17: no counter sheet has 't_63'; did you mean t_62"),
        ("firers: [{unit: t_62, at: B-A-1}]\n", "name the `scenario` or the `map`"),
        ("map: B\nfirers: [{unit: t_62, at: B-A-99}]\n", "there is no hex 'A-99'"),
        ("map: E\nfirers: [{unit: t_62}]\n", "no map, Situation or board 'E'"),
        ("firers: [{unit: t_62, states: [tired]}]\n", "there is no state 'tired'"),
        ("firers: [{unit: t_62, inputs: {range: 3}}]\n", "has no input 'range'"),
        ("firers: [{unit: t_62, inputs: {distance: far}}]\n", "'far' is not a number"),
        ("firers: [{strike: A}]\n", "needs its `points`"),
        ("firers: [{support: Air strike}]\n", "name a Situation"),
        ("game: yom_kippur\nfirers: [{unit: t_62}]\n", "this battle is for yom_kippur"),
        ("firer: [{unit: t_62}]\n", "firers"),
    ],
)
def test_mistakes_in_a_battle_file(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(PackError) as error:
        battle_file(GAME, write(tmp_path, text))
    assert message in str(error.value) and "battle.yaml:" in str(error.value)


# What if.


def test_one_more_or_less() -> None:
    """Each change is what the attack comes to when it is asked about by itself."""
    setting = position(
        "S-6", ("t_62", A), ("t_62", A), ("t_55", A), ("su_100", A), ("truck_egypt", A), ("m60a1", B), ("m60a1", B)
    )
    result = ask(setting, A, B, firers=("t_62", "t_62"))
    variations = changes(result)
    assert {(variation.fighter.unit, variation.is_added) for variation in variations} == {
        ("t_55", True),
        ("su_100", True),
        ("t_62", False),
    }
    for change in variations:
        firers = ["t_62", "t_62", change.fighter.unit] if change.is_added else ["t_62"]
        second_result = ask(setting, A, B, firers=tuple(firers))
        assert (change.column, change.kills, change.hurt) == (
            second_result.answers[0].column,
            *mean_losses(second_result.losses),
        )


# The best plan.


def worth_of(worths: Sequence[Sequence[int]], band: int, traits: int) -> int:
    """More in a higher band, less with traits."""
    return worths[traits][band - 1] // (1 + traits)


def groups_of(units: Sequence[int]) -> Iterator[list[list[int]]]:
    """All ways to put some of the units into groups, the others left alone."""
    if not units:
        yield []
        return
    first, remainder = units[0], units[1:]
    for partition in groups_of(remainder):
        yield partition
        yield [[first], *partition]
        for i in range(len(partition)):
            yield [*partition[:i], [first, *partition[i]], *partition[i + 1 :]]


def test_groups_are_counted_right() -> None:
    assert [len(list(groups_of(range(n)))) for n in range(5)] == [1, 2, 5, 15, 52]  # Bell numbers


def brute(firers: int, stacks: Sequence[UnitStack], firer_kinds: Sequence[int]) -> int:
    """The best worth by trying everything."""
    best = 0
    for division in itertools.product(*(list(groups_of(range(stack.size))) for stack in stacks)):
        attacks = [
            next(o for o in stack.options if o.units == sum(1 << unit for unit in group))
            for stack, groups in zip(stacks, division, strict=True)
            for group in groups
        ]
        for choice in itertools.product(range(len(attacks) + 1), repeat=firers):
            total = 0
            for a, option in enumerate(attacks):
                stack_kinds = [firer_kinds[f] for f, group_number in enumerate(choice) if group_number == a]
                if any(not option.usable_units[k] for k in stack_kinds):
                    total = -1
                    break
                strength = sum(option.strengths[k] for k in stack_kinds)
                traits = 0
                for k in stack_kinds:
                    traits |= option.traits[k]
                band = sum(min_strength <= strength for min_strength in option.bands)
                total += option.worth(band, traits) if stack_kinds and band else 0
            best = max(best, total)
    return best


@pytest.mark.parametrize("seed", range(40))
def test_the_plan_against_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    sizes = rng.choice([[1], [2], [1, 1], [2, 1], [1, 1, 1], [3]])
    firers = rng.randint(1, 5 if sum(sizes) < 3 else 4)
    firer_kinds = sorted(rng.randrange(max(1, firers - 1)) for _ in range(firers))
    firer_kinds = [sorted(set(firer_kinds)).index(k) for k in firer_kinds]
    counts = [firer_kinds.count(k) for k in range(max(firer_kinds) + 1)]
    stacks = []
    for size in sizes:
        options = []
        for units in range(1, 1 << size):
            worths = [sorted(rng.randint(0, 12) for _ in range(4)) for _ in range(4)]
            options.append(
                AttackOption(
                    units,
                    tuple(n if rng.random() < 0.85 else 0 for n in counts),
                    tuple(rng.randint(1, 20) for _ in counts),
                    tuple(rng.choice([0, 0, 1, 2]) for _ in counts),
                    tuple(sorted(rng.sample(range(3, 50), 4))),
                    functools.partial(worth_of, worths),
                )
            )
        stacks.append(UnitStack(size, tuple(options)))
    plan = best_plan(counts, stacks)
    assert plan.worth == brute(firers, stacks, firer_kinds)
    used = [sum(attack.counts[k] for attack in plan.attacks) for k in range(len(counts))]
    assert all(n <= count for n, count in zip(used, counts, strict=True))
    for s in range(len(stacks)):
        hit = [stacks[s].options[attack.option].units for attack in plan.attacks if attack.stack == s]
        assert sum(hit) == sum(1 << i for i in range(stacks[s].size) if any(units >> i & 1 for units in hit))


def test_too_many_kinds() -> None:
    option = AttackOption(1, (1,) * 20, (1,) * 20, (0,) * 20, (1,), lambda band, traits: 1)
    with pytest.raises(TooManyAssignments):
        best_plan([1] * 20, [UnitStack(1, (option,))])
    assert (
        best_plan([40, 30], [UnitStack(1, (AttackOption(1, (40, 30), (1, 1), (0, 0), (65,), lambda b, t: 7),))]).worth
        == 7
    )


def situation(rng: random.Random, firers: int, stacks: Sequence[int]) -> tuple[AskedAttack, list[list[Fighter]]]:
    """Israelis and Arabs at random on the desert board, most of them in sight of each other."""
    field = field_on(GAME, "S-6")
    hexes = [hex for hex in field.hex_map.hexes if 10 <= field.hex_map.spot(hex)[0] <= 24]
    own_units = [
        u for u in GAME.units.values() if u.side == "israeli" and u.class_ != "air" and "direct_fire" in u.abilities
    ]
    enemy_units = [u for u in GAME.units.values() if u.side == "arab" and u.class_ != "air"]

    def fighter(units: Sequence[Unit], place: Hex, states: frozenset[str] = frozenset()) -> Fighter:
        unit = rng.choice(units)
        return counter_fighter(GAME, unit.id, unit.side, unit.nation, place, states)

    targets = []
    for size in stacks:
        target_hex = rng.choice(hexes)
        target_states = frozenset({"spotted"} | ({"dispersed"} if rng.random() < 0.3 else set()))
        targets.append([fighter(enemy_units, target_hex, target_states) for _ in range(size)])
    places = [
        hex
        for hex in hexes
        if any(
            1 <= distance(hex, t[0].hex) <= 6 and sight_between(field, Fighter("", "", hex=hex), t[0]).clear
            for t in targets
            if t[0].hex
        )
    ]
    shooting = tuple(fighter(own_units, rng.choice(places)) for _ in range(firers))
    everyone = (*shooting, *(combatant for stack in targets for combatant in stack))
    return AskedAttack(GAME, "direct_fire", shooting, (), field, {}, everyone), targets


@pytest.mark.parametrize("seed", range(8))
def test_the_best_shares_against_fire_itself(seed: int) -> None:
    """Every way to share three or four firers out among three units in one or two hexes, each worked out in full."""
    rng = random.Random(seed)
    pattern, stacks = situation(rng, rng.choice([3, 4]), rng.choice([[2, 1], [1, 1], [3]]))
    plan = best_shares(pattern, stacks)
    best = Fraction(0)
    kills_by_group: dict[tuple[tuple[int, ...], tuple[int, ...]], Fraction | None] = {}
    flat = [fighter for stack in stacks for fighter in stack]
    spans = list(itertools.accumulate([0, *(len(stack) for stack in stacks)]))
    divisions = itertools.product(*(list(groups_of(range(a, b))) for a, b in itertools.pairwise(spans)))
    for division in divisions:
        groups = [tuple(sorted(group)) for partition in division for group in partition]
        for choice in itertools.product(range(len(groups) + 1), repeat=len(pattern.firers)):
            total: Fraction | None = Fraction(0)
            for g, group in enumerate(groups):
                firer_indexes = tuple(i for i, group_number in enumerate(choice) if group_number == g)
                if not firer_indexes or total is None:
                    continue
                if (firer_indexes, group) not in kills_by_group:
                    question = replace(
                        pattern,
                        firers=tuple(pattern.firers[i] for i in firer_indexes),
                        targets=tuple(flat[t] for t in group),
                    )
                    try:
                        kills_by_group[firer_indexes, group] = mean_losses(fire(question).losses)[0]
                    except BadQuestion:
                        kills_by_group[firer_indexes, group] = None
                worth = kills_by_group[firer_indexes, group]
                total = None if worth is None else total + worth
            if total is not None:
                best = max(best, total)
    assert plan.kills == best
    assert sum(len(v.firers) for v in plan.volleys) + len(plan.idle) + len(plan.unable) == len(pattern.firers)


@pytest.mark.parametrize("seed", range(10))
def test_the_best_assaults_and_overruns(seed: int) -> None:
    """Every way to send four units against the two stacks between them, each stack attacked whole."""
    rng = random.Random(seed)
    attack = ("close_assault", "overrun")[seed % 2]
    field = field_on(GAME, "S-6")
    middle = field.hex_map.hex("B-P-6")
    ring = [neighbour for neighbour in neighbours(middle) if neighbour in field.hex_map]
    places = [ring[0], ring[3]]
    attack_units = [u for u in GAME.units.values() if u.side == "israeli" and attack in u.abilities]
    enemy_units = [u for u in GAME.units.values() if u.side == "arab" and u.class_ not in ("air", "battle_tank")]

    def fighter(units: Sequence[Unit], place: Hex, states: frozenset[str] = frozenset()) -> Fighter:
        unit = rng.choice(units)
        return counter_fighter(GAME, unit.id, unit.side, unit.nation, place, states)

    target_states = [frozenset({"dispersed"} if rng.random() < 0.4 else set()) for _ in range(4)]
    stacks = [[fighter(enemy_units, place, target_states[i]) for i in range(rng.choice((1, 2)))] for place in places]
    shared_hexes = [hex for hex in field.hex_map.hexes if any(distance(hex, place) == 1 for place in places)]
    firers = tuple(fighter(attack_units, middle if rng.random() < 0.7 else rng.choice(shared_hexes)) for _ in range(4))
    pattern = AskedAttack(GAME, attack, firers, (), field, {}, (*firers, *stacks[0], *stacks[1]))
    plan = best_shares(pattern, stacks)
    best = Fraction(0)
    for choice in itertools.product(range(3), repeat=4):
        total = Fraction(0)
        for s, stack in enumerate(stacks):
            stack_firers = tuple(firer for firer, stack_number in zip(firers, choice, strict=True) if stack_number == s)
            try:
                question = replace(pattern, firers=stack_firers, targets=tuple(stack))
                total += mean_losses(fire(question).losses)[0] if stack_firers else 0
            except BadQuestion:
                total = Fraction(-9)
        best = max(best, total)
    assert plan.kills == best
    assert all(len(volley.targets) in (len(stacks[0]), len(stacks[1])) for volley in plan.volleys)


def test_the_chance_at_one_target() -> None:
    """Aiming at one unit gives it its best chance, whatever that costs elsewhere."""
    rng = random.Random(3)
    for _ in range(6):
        pattern, stacks = situation(rng, 4, [1, 2])
        aim = stacks[1][0]
        plan = best_shares(pattern, stacks, [aim])
        got = sum((f.kill_chance for v in plan.volleys for f in v.fates if f.fighter is aim), Fraction(0))
        best = Fraction(0)
        for selection in itertools.product((False, True), repeat=4):
            for targets in ((aim,), tuple(stacks[1])):
                firers = tuple(firer for firer, take in zip(pattern.firers, selection, strict=True) if take)
                if firers:
                    try:
                        result = fire(replace(pattern, firers=firers, targets=targets))
                    except BadQuestion:
                        continue
                    best = max(best, result.fates[0].kill_chance)
        assert got == best


def test_twelve_against_six() -> None:
    for seed, stacks in enumerate(([1] * 6, [3, 3], [4, 2])):
        pattern, targets = situation(random.Random(seed), 12, stacks)
        plan = best_shares(pattern, targets)
        assert sum(len(v.firers) for v in plan.volleys) + len(plan.idle) + len(plan.unable) == 12
