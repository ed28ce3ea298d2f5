"""Attacks of The Arab-Israeli Wars: the rulebook's examples, and an oracle written from the rules alone."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.attack import AttackValue, Odds, odds, unit_fields
from scenarios import load

GAME = load("arab_israeli_wars")
ONE_HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)

# The counters, typed from the sheets: attack, weapon, range, defense, target, hull down, nation, class.
UNITS: dict[str, tuple[int, str, int, int, str, int, str, str]] = {
    "t_62": (14, "A", 8, 10, "A", 1, "egypt", "tank"),
    "t_55": (10, "A", 8, 10, "A", 1, "egypt", "tank"),
    "su_100": (16, "A", 8, 15, "A", 2, "egypt", "td"),
    "centurion_iii": (16, "A", 12, 14, "A", 2, "jordan", "tank"),
    "infantry_jordan": (6, "I", 6, 8, "NA", 2, "jordan", "infantry"),
    "infantry_egypt": (6, "I", 6, 8, "NA", 2, "egypt", "infantry"),
    "sagger": (30, "G", 12, 2, "NA", 2, "egypt", "infantry"),
    "how_122": (13, "(H)", 48, 1, "NA", 2, "egypt", "towed"),
    "mortar_120_arab": (9, "M", 23, 2, "NA", 2, "egypt", "towed"),
    "btr_60": (5, "I", 8, 5, "A", 2, "egypt", "transport"),
    "infantry_israel": (7, "I", 4, 8, "NA", 2, "israel", "infantry"),
    "m60a1": (25, "A", 14, 16, "A", 2, "israel", "tank"),
    "sherman_51hv": (22, "A", 10, 11, "A", 2, "israel", "tank"),
    "tow_m113": (50, "G", 12, 5, "A", 2, "israel", "td"),
    "cobra": (30, "G", 8, 2, "NA", 2, "israel", "infantry"),
    "combat_engineer_israel": (3, "I", 2, 7, "NA", 2, "israel", "infantry"),
}
COMBAT = {
    Fraction(1, 4): "D - - - - - - - -",
    Fraction(1, 3): "DD D D - - - - - -",
    ONE_HALF: "X DD D D - - - - -",
    Fraction(1): "X DD DD D D - - - -",
    Fraction(2): "X X X DD DD D D - -",
    Fraction(3): "X X X X X DD DD - -",
    Fraction(4): "X X X X X X X X -",
}


def direct(weapon: str, target: str, distance: int, nation: str, year: int, tow: bool) -> Fraction:
    """The direct fire block of the Weapons Effectiveness Chart."""
    if target == "F":
        return Fraction(0)
    if weapon == "I":
        if target == "A":
            return Fraction(1) if distance <= 2 else Fraction(0)
        return Fraction(1) if distance <= 4 else ONE_HALF
    if weapon == "A":
        if target == "NA":
            return ONE_HALF if distance <= 4 else QUARTER
        twice = (nation == "israel" and year > 1960) or (nation == "jordan" and year > 1967)
        return Fraction(2) if distance <= 2 else (Fraction(2) if twice else Fraction(1)) if distance <= 6 else ONE_HALF
    if weapon in ("H", "M", "(H)"):
        if target == "A":
            return Fraction(1) if distance <= 2 else ONE_HALF
        return Fraction(2)
    if weapon == "G":
        return Fraction(1) if target == "A" and (distance > 2 or tow) else Fraction(0)
    return Fraction(0)


def result(ratio: Fraction, shift: int, modifier: int) -> dict[str, Fraction]:
    columns = [column for column in COMBAT if column <= ratio]
    if not columns:
        return {}
    names = list(COMBAT)
    cells = COMBAT[names[min(len(names) - 1, names.index(max(columns)) + shift)]].split()
    chances: dict[str, Fraction] = {}
    for die in range(1, 7):
        code = cells[max(-1, min(7, die + modifier)) + 1]
        chances[code] = chances.get(code, Fraction(0)) + Fraction(1, 6)
    return chances


def type_of(targets: list[str]) -> str:
    target_types = [UNITS[t][4] for t in targets]
    for kind in ("A", "NA"):
        if target_types.count(kind) * 2 > len(target_types):
            return kind
    return "tie"


def fields(unit: str, states: tuple[str, ...] = (), **extra_values: AttackValue) -> dict[str, AttackValue]:
    return unit_fields(GAME, unit, states, **extra_values)


firers = st.lists(st.tuples(st.sampled_from(sorted(UNITS)), st.integers(1, 12)), min_size=1, max_size=5)
stack = st.lists(st.tuples(st.sampled_from(sorted(UNITS)), st.booleans(), st.booleans()), min_size=1, max_size=4)
grounds = st.sampled_from(["clear", "woods", "town", "slope"])
works = st.sampled_from(["none", "improved_position", "fort"])


def test_the_typed_counters_are_the_packs() -> None:
    for unit, (attack, weapon, reach, defense, target, hull_down, nation, _) in UNITS.items():
        unit_record = GAME.units[unit]
        factors = unit_record.factors
        assert (factors["attack"], factors["weapon"], factors["range"], factors["defense"]) == (
            attack,
            weapon,
            reach,
            defense,
        )
        assert (factors["target"], factors["hull_down"], unit_record.nation) == (target, hull_down, nation)


@given(firers, stack, grounds, works, st.sampled_from([1956, 1967, 1970, 1973]), st.booleans())
def test_direct_fire(
    shooters: list[tuple[str, int]],
    targets: list[tuple[str, bool, bool]],
    terrain: str,
    work: str,
    year: int,
    smoke: bool,
) -> None:
    answer = odds(
        GAME,
        "direct_fire",
        {
            "firers": [fields(u, distance=d) for u, d in shooters],
            "targets": [
                fields(u, ("dispersed",) if is_dispersed else (), shielded=hull) for u, is_dispersed, hull in targets
            ],
        },
        {"terrain": terrain, "works": work, "year": year, "in_smoke": smoke},
    )
    kind = type_of([u for u, _, _ in targets])
    attack = Fraction(0)
    for unit, distance in shooters:
        strength, weapon, _, _, _, _, nation, _ = UNITS[unit]
        options = [
            direct(weapon, k, distance, nation, year, unit == "tow_m113")
            for k in (["A", "NA"] if kind == "tie" else [kind])
        ]
        attack += strength * min(options)
    defense = sum(UNITS[u][3] + (10 if work == "fort" else 0) for u, _, _ in targets) + (5 if terrain == "town" else 0)
    assert answer.attack_strength == attack and answer.defense_strength == defense
    for (unit, is_dispersed, hull), target in zip(targets, answer.targets, strict=False):
        modifier = (
            (terrain in ("woods", "town"))
            + 2 * (work != "none")
            + smoke
            - is_dispersed
            + (UNITS[unit][5] if hull else 0)
        )
        assert target.die == modifier
        assert target.chances == result(attack / defense, 0, modifier)
    assert bool(answer.targets) == (attack / defense >= QUARTER)


@given(
    st.lists(
        st.sampled_from(["infantry_egypt", "infantry_jordan", "infantry_israel", "combat_engineer_israel"]),
        min_size=1,
        max_size=4,
    ),
    stack,
    grounds,
    works,
    st.sampled_from([1967, 1970, 1973]),
)
def test_close_assault(
    attackers: list[str], targets: list[tuple[str, bool, bool]], terrain: str, work: str, year: int
) -> None:
    answer = odds(
        GAME,
        "close_assault",
        {
            "attackers": [fields(u) for u in attackers],
            "targets": [fields(u, ("dispersed",) if is_dispersed else ()) for u, is_dispersed, _ in targets],
        },
        {"terrain": terrain, "works": work, "year": year},
    )
    against_armor = type_of([u for u, _, _ in targets]) == "A"
    attack = Fraction(0)
    for unit in attackers:
        triple = UNITS[unit][6] == "egypt" and year > 1970
        attack += UNITS[unit][0] * ((3 if triple else 2) if against_armor else 1)
    defense = sum(UNITS[u][3] + (10 if work == "fort" else 0) for u, _, _ in targets) + (5 if terrain == "town" else 0)
    assert answer.attack_strength == attack and answer.defense_strength == defense
    base = -3 if "combat_engineer_israel" in attackers else -2
    for (_, is_dispersed, _), target in zip(targets, answer.targets, strict=False):
        modifier = base + (terrain in ("woods", "town")) + 2 * (work != "none") - is_dispersed
        assert target.chances == result(attack / defense, 0, modifier)


@given(
    st.lists(st.sampled_from(["t_62", "m60a1", "btr_60"]), min_size=1, max_size=4),
    stack,
    st.sampled_from(["none", "improved_position"]),
)
def test_overrun(attackers: list[str], targets: list[tuple[str, bool, bool]], work: str) -> None:
    answer = odds(
        GAME,
        "overrun",
        {
            "attackers": [fields(u) for u in attackers],
            "targets": [fields(u, ("dispersed",) if is_dispersed else ()) for u, is_dispersed, _ in targets],
        },
        {"works": work},
    )
    soft = type_of([u for u, _, _ in targets]) == "NA"
    attack = Fraction(sum(UNITS[u][0] for u in attackers if soft or UNITS[u][1] == "A"))
    defense = sum(UNITS[u][3] for u, _, _ in targets)
    assert answer.attack_strength == attack and answer.defense_strength == defense
    for (_, is_dispersed, _), target in zip(targets, answer.targets, strict=False):
        assert target.chances == result(attack / defense, 1, -2 + 2 * (work != "none") - is_dispersed)
    has_armor = any(UNITS[u][4] == "A" for u, _, _ in targets)
    weapon_failures = [f for f in answer.failures if "only A weapons" in f]
    assert len(weapon_failures) == (sum(u == "btr_60" for u in attackers) if has_armor else 0)


def ask(attack: str, groups: dict[str, list[dict[str, AttackValue]]], **inputs: AttackValue) -> Odds:
    return odds(GAME, attack, groups, inputs)


def test_town_and_fort_example() -> None:
    """Basic VIII.C.3: three units of defense 2 are 11 in a town and 36 in a fort."""
    three = [fields("sagger")] * 3
    groups = {"firers": [fields("t_62")], "targets": three}
    assert ask("direct_fire", groups, terrain="town").defense_strength == 11
    assert ask("direct_fire", groups, works="fort").defense_strength == 36


def test_majority_example() -> None:
    """Basic VI.D.3.b: against a balanced group a G fires as at infantry, an I as at armor, in the same attack."""
    groups = {
        "firers": [fields("sagger", distance=3), fields("infantry_egypt", distance=3)],
        "targets": [fields("m60a1"), fields("infantry_israel")],
    }
    answer = ask("direct_fire", groups)
    assert [u.value for u in answer.units[:2]] == [0, 0]
    assert sum("Chart doesn't allow" in f for f in answer.failures) == 2


def test_minimum_range_example() -> None:
    """Standard II.A.2.c: an (H) attacker can't fire indirectly at less than a quarter of its range."""
    for distance, is_allowed in ((12, True), (11, False), (48, True), (49, False)):
        answer = ask("indirect_fire", {"firers": [fields("how_122", distance=distance)], "targets": [fields("t_62")]})
        assert (not answer.failures) == is_allowed
    adjacent_answer = ask(
        "indirect_fire", {"firers": [fields("mortar_120_arab", distance=1)], "targets": [fields("t_62")]}
    )
    assert not adjacent_answer.failures and adjacent_answer.attack_strength == Fraction(9, 2)


def test_indirect_fire_is_halved_against_armor_and_tripled_when_destructive() -> None:
    soft = ask(
        "indirect_fire",
        {"firers": [fields("how_122", distance=20)], "targets": [fields("infantry_israel")]},
        terrain="town",
        works="none",
    )
    assert (soft.attack_strength, soft.defense_strength, soft.targets[0].die) == (Fraction(13), Fraction(13), 1)
    hard = ask(
        "indirect_fire",
        {
            "firers": [fields("how_122", distance=20, destructive=True), fields("how_122", off_board=12)],
            "targets": [fields("m60a1")],
        },
    )
    assert hard.attack_strength == Fraction(39, 2) + 6 and hard.column == "1-1"


def test_interdiction_has_fixed_odds() -> None:
    guns = [fields("how_122"), fields("how_122")]
    assert ask("interdiction", {"firers": guns, "targets": [fields("t_62")]}).column == "1-2"
    assert ask("interdiction", {"firers": guns, "targets": [fields("sagger")]}).column == "1-1"
    assert ask("interdiction", {"firers": guns[:1], "targets": [fields("sagger")]}).failures


def test_air_strikes() -> None:
    """Standard II.F.5.b: combined with others, (H) points count once for each defender."""
    stack = [fields("t_62"), fields("t_55"), fields("infantry_egypt")]
    strikes = [fields("jet_israel", points=21, kind="A"), fields("jet_israel", points=20, kind="(H)")]
    answer = ask("air_strike", {"strikes": strikes, "targets": stack})
    assert answer.attack_strength == 42 + 10 * 3 and answer.defense_strength == 28 and not answer.failures
    single_answer = ask("air_strike", {"strikes": strikes[1:], "targets": stack})
    assert any("one defender at a time" in f for f in single_answer.failures)
    woods_answer = ask("air_strike", {"strikes": strikes[:1], "targets": [fields("t_62")]}, terrain="woods")
    assert woods_answer.targets[0].die == 1 and woods_answer.column == "4-1"


def test_minefields_and_engineers() -> None:
    for minefield, column, clearing_column in (
        ("mine_1_1", "1-1", "1-1"),
        ("mine_2_1", "2-1", "1-2"),
        ("mine_3_1", "3-1", "1-3"),
    ):
        assert (
            ask("minefield", {"mine": [fields(minefield)], "targets": [fields("t_62", ("dispersed",))]}).column
            == column
        )
        crew = [fields("combat_engineer_israel")] * 2
        assert ask("clear_mines", {"engineers": crew, "mine": [fields(minefield)]}).column == clearing_column
    entering = ask("minefield", {"mine": [fields("mine_2_1")], "targets": [fields("combat_engineer_israel")]})
    assert (
        entering.failures and not ask("minefield", {"mine": [fields("mine_2_1")], "targets": [fields("t_62")]}).failures
    )


def test_flails_never_set_off_mines() -> None:
    """Standard VII.B.1.a, entering or leaving; engineers are safe only on the way in (VII.A.1.a)."""
    for unit, safe in (("sherman_flail", True), ("pt_54_flail", True), ("combat_engineer_arab", False)):
        for entering in (True, False):
            answer = ask("minefield", {"mine": [fields("mine_2_1")], "targets": [fields(unit)]}, entering=entering)
            assert bool(answer.failures) == (safe or entering), (unit, entering)


def test_the_army_is_the_situations() -> None:
    """WEC notes 5 and 7 go by nation, and Syrians, Lebanese and even Egyptians fight with counters of others."""
    for unit, army, triple in (
        ("infantry_egypt", "own", True),
        ("infantry_egypt", "syria", False),
        ("infantry_jordan", "own", False),
        ("infantry_jordan", "egypt", True),
    ):
        groups = {"attackers": [fields(unit, army=army)], "targets": [fields("m60a1")]}
        assert ask("close_assault", groups).attack_strength == (18 if triple else 12), (unit, army)
    for army, is_doubled in (("own", True), ("lebanon", False)):
        groups = {"firers": [fields("jeep_106_jordan", distance=3, army=army)], "targets": [fields("m60a1")]}
        assert ask("direct_fire", groups).attack_strength == (32 if is_doubled else 16), army


def test_bridges_and_helicopters_in_an_assault() -> None:
    """A laid bridge is left alone (Standard V.H.4), one carried overland isn't (Advanced V.D.3.c); a helicopter that
    is down is whatever target suits the attacker (WEC note 10) and has no cover (Optional I.C.3)."""
    men = [fields("infantry_israel")]
    for overland in (False, True):
        answer = ask("close_assault", {"attackers": men, "targets": [fields("bridge", overland=overland)]})
        assert bool(answer.failures) != overland and answer.defense_strength == 24
    for states, is_allowed in (((), False), (("down",), True)):
        answer = ask("close_assault", {"attackers": men, "targets": [fields("mi_8", states)]}, terrain="town")
        assert bool(answer.failures) != is_allowed
        tanks = ask("overrun", {"attackers": [fields("m3_halftrack")], "targets": [fields("mi_8", states)]})
        assert bool(tanks.failures) != is_allowed
        shells = ask("indirect_fire", {"firers": [fields("mortar_81")], "targets": [fields("uh_1", states)]})
        assert bool(shells.failures) != is_allowed
    grounded_answer = ask(
        "close_assault", {"attackers": men, "targets": [fields("mi_8", ("down",))]}, terrain="town", works="fort"
    )
    assert (grounded_answer.attack_strength, grounded_answer.defense_strength) == (Fraction(14), Fraction(12))
    assert [t.chances for t in grounded_answer.targets] == [result(Fraction(14, 12), 0, -2)]
    assert ask("direct_fire", {"firers": [fields("uh_1", ("down",))], "targets": [fields("t_62")]}).failures


def test_ammunition() -> None:
    """Optional I.E: two or three turns' worth in any attack, but not for aircraft, Saggers and Cobras."""
    tanks = {"attackers": [fields("t_62", ammunition=3)], "targets": [fields("m60a1")]}
    assert ask("overrun", tanks).attack_strength == 42 and not ask("overrun", tanks).failures
    guns = {"firers": [fields("how_122", distance=20, ammunition=2)], "targets": [fields("infantry_israel")]}
    assert ask("indirect_fire", guns).attack_strength == 26
    for unit in ("sagger", "huey_gunship"):
        assert ask(
            "direct_fire", {"firers": [fields(unit, distance=3, ammunition=2)], "targets": [fields("t_62")]}
        ).failures
    assert ask("direct_fire", {"firers": [fields("t_55", ammunition=4)], "targets": [fields("m60a1")]}).failures


def test_air_strike_range_and_spotting() -> None:
    """Advanced I.C.2: G reaches 12 hexes, A 3, H and (H) none; I.C.3.b: targets in woods or town must be spotted."""
    for kind, reach in (("G", 12), ("A", 3), ("H", 0), ("(H)", 0)):
        for distance in (reach, reach + 1):
            bomb = fields("jet_israel", points=30, kind=kind, distance=distance, carried=True)
            answer = ask("air_strike", {"strikes": [bomb], "targets": [fields("t_62")]})
            assert any("out of its range" in f for f in answer.failures) == (distance > reach), kind
    strike = fields("jet_israel", points=21, kind="A")
    for states, is_allowed in (((), False), (("spotted",), True)):
        answer = ask("air_strike", {"strikes": [strike], "targets": [fields("t_62", states)]}, terrain="woods")
        assert bool(answer.failures) != is_allowed


def test_opportunity_fire_at_an_overrun() -> None:
    """Standard II.E.5: infantry being overrun fires with its assault multiplier, and cover doesn't help the overrunner."""
    groups = {"firers": [fields("infantry_egypt", overrun_by_them=True)], "targets": [fields("m60a1")]}
    answer = ask("opportunity_fire", groups, overrunning=True, terrain="woods", year=1973)
    assert answer.attack_strength == 18 and answer.targets[0].die == 0
    town = ask("opportunity_fire", groups, overrunning=True, terrain="town", year=1967)
    assert town.attack_strength == 12 and town.defense_strength == 16
    assert ask("opportunity_fire", {"firers": [fields("how_122")], "targets": [fields("m60a1")]}).failures


def test_spotting_and_aircraft() -> None:
    groups = {"firers": [fields("t_62", distance=4)], "targets": [fields("infantry_israel")]}
    assert ask("direct_fire", groups, terrain="woods").failures
    assert not ask(
        "direct_fire", {**groups, "targets": [fields("infantry_israel", ("spotted",))]}, terrain="woods"
    ).failures
    airborne_answer = ask(
        "direct_fire",
        {"firers": [fields("shilka", distance=3)], "targets": [fields("uh_1")]},
        terrain="woods",
        works="fort",
    )
    assert (
        airborne_answer.targets[0].die == 0 and airborne_answer.defense_strength == 12 and not airborne_answer.failures
    )
    from_above = ask(
        "direct_fire",
        {"firers": [fields("huey_gunship", distance=3)], "targets": [fields("t_62", ("dispersed",), shielded=True)]},
    )
    assert from_above.targets[0].die == 0


@pytest.mark.parametrize("unit", sorted(GAME.units))
def test_every_counter_can_be_fired_at_and_says_whether_it_can_fire(unit: str) -> None:
    answer = ask("direct_fire", {"firers": [fields(unit)], "targets": [fields("t_62")]})
    unit_record = GAME.units[unit]
    can = (
        "direct_fire" in unit_record.abilities and unit_record.factors["weapon"] in ("I", "A", "H", "M", "(H)")
    ) or unit == "tow_m113"
    assert (not answer.failures) == can, answer.failures
    ask("direct_fire", {"firers": [fields("m60a1")], "targets": [fields(unit)]})
