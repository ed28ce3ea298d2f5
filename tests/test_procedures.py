"""Procedures of a stranger's game (tests/data/procedures/sea) against the same games played out by hand, every die of them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.engine.procedures.case import Case, Participant
from assistant.engine.procedures.chain import Chain
from assistant.engine.procedures.outcomes import Solution, Solver
from assistant.questions.answer import BadQuestion, Refusal
from scenarios import PackError, load
from scenarios.model.game import Game
from tests.rule_keys import ask_words, small

SEA = Path(__file__).parent / "data" / "procedures" / "sea"
SIX = range(1, 7)


@pytest.fixture(name="sea", scope="module")
def _sea() -> Game:
    return load(SEA)


def units(**counts: int) -> tuple[Participant, ...]:
    """So many of some counters."""
    return tuple(Participant(name) for name, count in counts.items() for _ in range(count))


def solve(game: Game, name: str, groups: Mapping[str, tuple[Participant, ...]], **more: Any) -> Solution:
    """A procedure, solved."""
    return Solver(Case(game, None, name, groups, **more)).solve()


def clean(chances: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    """Chances without those that are 0."""
    return {key: chance for key, chance in chances.items() if chance}


# --- a fleet battle by hand -------------------------------------------------------------------------------------------

GUNS = {("cruiser", 2): 2, ("cruiser", 1): 1, ("gunboat", 1): 1, ("monitor", 1): 3}
Ships = tuple[tuple[str, int], ...]
"""Ships with the steps that they have left."""


def hits_of(guns: int, die: int, is_foggy: bool = False) -> int:
    """The gunnery table: a column for each number of guns."""
    column = guns - is_foggy
    if die == 6:
        return 2 if column == 3 else 1
    return int(column >= 1 and die + column >= 6)


def hit(ships: Ships, hits: int, strongest: bool) -> Ships:
    """Each hit takes a step of the weakest ship, or of the strongest."""
    listed = list(ships)
    for _ in range(hits):
        if not listed:
            break
        ordered = sorted(
            range(len(listed)), key=lambda i: (GUNS[listed[i]] * (-1 if strongest else 1), rank(listed[i]))
        )
        name, steps = listed[ordered[0]]
        listed[ordered[0]] = (name, steps - 1)
        listed = [ship for ship in listed if ship[1]]
    return tuple(sorted(listed))


def rank(ship: tuple[str, int]) -> int:
    """Equals are hit as they are listed; here a fresh cruiser is before a hit one, and gunboats before monitors."""
    return [("cruiser", 2), ("cruiser", 1), ("gunboat", 1), ("monitor", 1)].index(ship)


@cache
def volley(firing: Ships, target: Ships, strongest: bool, is_foggy: bool) -> dict[Ships, Fraction]:
    """What one side's fire leaves of the other."""
    reached = {target: Fraction(1)}
    for ship in firing:
        following: dict[Ships, Fraction] = {}
        for state, chance in reached.items():
            for die in SIX:
                after = hit(state, hits_of(GUNS[ship], die, is_foggy), strongest) if state else state
                following[after] = following.get(after, Fraction(0)) + chance / 6
        reached = following
    return reached


def fleet_battle(
    reds: Ships, blues: Ships, strongest: bool = False, surprise: bool = False, fog: bool = False, break_off: int = 0
) -> dict[tuple[str, int, int], Fraction]:
    """Who wins, and how many ships each side loses."""
    start = len(reds), len(blues)
    now = {(tuple(sorted(reds)), tuple(sorted(blues))): Fraction(1)}
    ends: dict[tuple[str, int, int], Fraction] = {}

    def end(winner: str, red: Ships, blue: Ships, chance: Fraction, away: int = 0) -> None:
        key = winner, start[0] - len(red) - away, start[1] - len(blue)
        ends[key] = ends.get(key, Fraction(0)) + chance

    for round_number in range(1, 9):
        following: dict[tuple[Ships, Ships], Fraction] = {}
        for (red, blue), chance in now.items():
            after: dict[tuple[Ships, Ships], Fraction] = {}
            if surprise:
                for red_left, share in volley(blue, red, strongest, fog).items():
                    for blue_left, other in volley(red_left, blue, strongest, fog).items():
                        key = red_left, blue_left
                        after[key] = after.get(key, Fraction(0)) + share * other
            else:
                for red_left, share in volley(blue, red, strongest, fog).items():
                    for blue_left, other in volley(red, blue, strongest, fog).items():
                        key = red_left, blue_left
                        after[key] = after.get(key, Fraction(0)) + share * other
            for (red_left, blue_left), share in after.items():
                total = chance * share
                if not red_left or not blue_left:
                    winner = "red" if red_left else "blue" if blue_left else "nobody"
                    end(winner, red_left, blue_left, total)
                elif len(red_left) <= break_off:
                    end("blue", (), blue_left, total, away=len(red_left))
                elif round_number == 8:
                    end("nobody", red_left, blue_left, total)
                else:
                    following[red_left, blue_left] = following.get((red_left, blue_left), Fraction(0)) + total
        now = following
    return ends


@settings(max_examples=25, deadline=None)
@given(
    cruisers=st.integers(1, 2),
    gunboats=st.integers(0, 2),
    monitors=st.integers(0, 1),
    strongest=st.booleans(),
    surprise=st.booleans(),
    fog=st.booleans(),
    break_off=st.integers(0, 1),
)
def test_a_fleet_battle_is_the_one_played_by_hand(
    cruisers: int, gunboats: int, monitors: int, strongest: bool, surprise: bool, fog: bool, break_off: int
) -> None:
    if not gunboats + monitors:
        return
    sea = load(SEA)
    policy = {"losses": "strong" if strongest else "weak"}
    solution = solve(
        sea,
        "fight",
        {"reds": units(cruiser=cruisers), "blues": units(gunboat=gunboats, monitor=monitors)},
        inputs={"surprise": surprise, "fog": fog},
        policies={"reds": {**policy, "break_off": Fraction(break_off)}, "blues": policy},
    )
    by_hand = fleet_battle(
        (("cruiser", 2),) * cruisers,
        (("gunboat", 1),) * gunboats + (("monitor", 1),) * monitors,
        strongest,
        surprise,
        fog,
        break_off,
    )
    assert clean(solution.together) == clean(by_hand)
    assert sum(solution.outcomes.values()) == 1
    assert sum(solution.counters["rounds"].values()) == 1


def test_a_squadron_breaks_down_until_counters_run_short(sea: Game) -> None:
    """A squadron is two cruisers in one counter. With three of the four cruisers elsewhere there is none for its parts, so the first hit
    eliminates it whole: it counts as two losses."""
    groups = {"reds": units(squadron=1), "blues": units(gunboat=1)}
    policies = {"reds": {"losses": "weak", "break_off": Fraction(0)}, "blues": {"losses": "weak"}}
    whole = solve(sea, "fight", groups, policies=policies)
    short = solve(sea, "fight", groups, policies=policies, elsewhere={"cruiser": 3})
    # A gunboat hits on 5 and 6. Broken down, a squadron takes a break-down and two steps of each cruiser: five hits.
    assert whole.chance_of("winner", "blue") < short.chance_of("winner", "blue")
    first_hit = Fraction(1, 3)
    # Per round: blue hits with 1/3; the squadron (3 guns) sinks the gunboat on 3 to 6. Both fire at once.
    stays = (1 - first_hit) * Fraction(1, 3)
    assert short.chance_of("winner", "blue") == sum(first_hit * Fraction(1, 3) * stays**n for n in range(8))


# --- an air raid ------------------------------------------------------------------------------------------------------


def test_an_air_raid_is_the_one_played_by_hand(sea: Game) -> None:
    """Two bombers, one escort, two fighters: escorts and fighters at once, then the fighters that are left, then the bombs."""
    solution = solve(
        sea, "raid", {"bombers": units(bomber=2), "escorts": units(escort=1), "fighters": units(fighter=2)}
    )
    escort_hits, fighter_hits = Fraction(3, 6), Fraction(2, 6)
    bombs = {2: [0, 0, 0, 1, 1, 2], 4: [0, 1, 1, 2, 2, 3]}
    damage: dict[int, Fraction] = {}
    first, second = Fraction(0), Fraction(0)
    for fighters_left, chance in ((1, escort_hits), (2, 1 - escort_hits)):
        downed = {0: (1 - fighter_hits) ** fighters_left, fighters_left: fighter_hits**fighters_left}
        if fighters_left == 2:
            downed[1] = 2 * fighter_hits * (1 - fighter_hits)
        for bombers_lost, share in downed.items():
            first += chance * share * (bombers_lost > 0)
            second += chance * share * (bombers_lost > 1)
            for result in bombs.get(4 - 2 * bombers_lost, [0] * 6):
                damage[result] = damage.get(result, Fraction(0)) + chance * share / 6
    assert clean(solution.counters["damage"]) == clean(damage)
    fates = solution.groups["bombers"].fates
    assert [fate.chances.get("eliminated", 0) for fate in fates] == [first, second]
    assert solution.groups["fighters"].worth_lost == {0: 1 - escort_hits, 1: escort_hits}
    assert solution.groups["escorts"].chance_gone == 1 - (1 - fighter_hits) ** 2


# --- a year of events -------------------------------------------------------------------------------------------------


def play_year(
    cup: tuple[str, ...], turns: int, oil: int
) -> tuple[Fraction, dict[int, dict[tuple[int, bool], Fraction]]]:
    """The chance that the tanks run empty, and how things stand at the end of each turn if they haven't."""
    now = {(cup, oil, False): Fraction(1)}
    empty, by_turn = Fraction(0), {}
    for turn in range(1, turns + 1):
        following: dict[tuple[tuple[str, ...], int, bool], Fraction] = {}
        for (chits, level, war), chance in now.items():
            draws = [(chits[:i] + chits[i + 1 :], chit) for i, chit in enumerate(chits)] or [((), "")]
            for rest, chit in draws:
                for tanker in SIX if chit == "tanker" else (0,):
                    for weather in SIX:
                        for well in SIX:
                            after = min(12, level + tanker) if tanker else level
                            after = max(0, after - 2)
                            after = max(0, after - (weather >= 5))
                            after = min(12, after + 6) if well == 6 else after
                            share = chance / len(draws) / (6 if tanker else 1) / 36
                            if after == 0:
                                empty += share
                            else:
                                key = rest, after, war or chit == "treaty"
                                following[key] = following.get(key, Fraction(0)) + share
        now = following
        table: dict[tuple[int, bool], Fraction] = {}
        for (_, level, war), chance in now.items():
            table[level, war] = table.get((level, war), Fraction(0)) + chance
        by_turn[turn] = table
    return empty, by_turn


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2), st.integers(0, 1), st.integers(1, 2), st.integers(1, 4), st.integers(1, 9))
def test_a_year_of_events_is_the_one_played_by_hand(
    tankers: int, treaties: int, calm: int, turns: int, oil: int
) -> None:
    cup = ("tanker",) * tankers + ("treaty",) * treaties + ("calm",) * calm
    solution = solve(load(SEA), "year", {"cup": tuple(map(Participant, cup))}, counters={"oil": oil}, turns=turns)
    empty, by_turn = play_year(cup, turns, oil)
    assert solution.chance_of("fleet", "stuck") == empty
    for turn, table in by_turn.items():
        levels: dict[int, Fraction] = {}
        wars: dict[bool, Fraction] = {}
        for (level, war), chance in table.items():
            levels[level] = levels.get(level, Fraction(0)) + chance
            wars[war] = wars.get(war, Fraction(0)) + chance
        assert clean(solution.turns.get(turn, {}).get("oil", {})) == levels
        assert clean(solution.turns.get(turn, {}).get("war", {})) == wars


# --- rounds without an end of their own -------------------------------------------------------------------------------


def test_rounds_that_may_change_nothing_are_solved_by_equations(sea: Game, tmp_path: Path) -> None:
    """Without a night the fight goes on until a side is sunk. A gunboat and a monitor: blue against a hit cruiser of one gun."""
    text = (SEA / "game.yaml").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if "it is night" not in line and "text: night falls" not in line]
    lines = [line.replace("counters: {rounds: {title: Rounds, at_most: 8}}", "counters: {}") for line in lines]
    lines = [line for line in lines if "text: a round," not in line]
    (tmp_path / "game.yaml").write_text("\n".join(lines), encoding="utf-8")
    game = load(tmp_path)
    hit_cruiser = (Participant("cruiser", ("hit",), 1),)
    policies = {"reds": {"losses": "weak", "break_off": Fraction(0)}, "blues": {"losses": "weak"}}
    solution = solve(game, "fight", {"reds": hit_cruiser, "blues": units(gunboat=1)}, policies=policies)
    # Each hits with 1/3, both at once: 4/9 of the rounds change nothing.
    assert solution.chance_of("winner", "red") == Fraction(2, 9) / (1 - Fraction(4, 9))
    assert solution.chance_of("winner", "nobody") == Fraction(1, 9) / (1 - Fraction(4, 9))


# --- what is asked, refused and found ---------------------------------------------------------------------------------


def test_the_question_answers_in_json(sea: Game) -> None:
    answer = ask_words(
        sea, ["fight", "reds=2*cruiser", "blues=monitor,gunboat", "blues_losses=strong", "surprise=yes", "what_if=yes"]
    )
    assert answer["goes_first"] == "blues"
    forces = {force["group"]: force for force in answer["forces"]}
    assert forces["blues"]["policy"] == ["the strongest ship first"] or "the strongest ship first" in str(
        forces["blues"]
    )
    by_hand = fleet_battle((("cruiser", 2),) * 2, (("gunboat", 1), ("monitor", 1)), surprise=True)
    assert answer["named"][0]["name"] == "winner"
    assert any(row["change"] == "Blue surprises red: no" for row in answer["what_if"])
    assert by_hand


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fight", "blues=gunboat"], "The red ships: the question names nobody"),
        (["fight", "reds=31*cruiser", "blues=gunboat"], "are only 4 counters"),
        (["year", "cup=calm", "turns=0"], "turns"),
    ],
)
def test_a_wrong_question_is_told_what_is_wrong(sea: Game, words: list[str], said: str) -> None:
    assert said in str(ask_words(sea, words))


def test_too_many_states_name_what_to_make_smaller(sea: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.engine.procedures.chain.MAX_STATES", 20)
    with pytest.raises(Refusal, match=r"more than 20 states can come about; make the (group|counter) .* smaller"):
        solve(sea, "fight", {"reds": units(cruiser=4), "blues": units(gunboat=4, monitor=2)})


def test_thirty_units_a_group_are_the_most(sea: Game) -> None:
    with pytest.raises(BadQuestion, match="30 units at most, and the question names 31"):
        solve(sea, "fight", {"reds": units(cruiser=31), "blues": units(gunboat=1)})


def test_a_group_that_only_fires_is_kept_by_its_volley(sea: Game) -> None:
    """What becomes of the escorts needs neither the bombers nor their bombs."""
    groups = {"bombers": units(bomber=4), "escorts": units(escort=2), "fighters": units(fighter=2)}
    solver = Solver(Case(sea, None, "raid", groups))
    chain = Chain(solver.program, {"escorts"})
    assert {key.nums[0] for key in chain.nodes} == {-1}
    assert {key.nums[1:] for key in chain.nodes if key.position == 1} <= {(0, -1)}


BROKEN = [
    ("fire: gunnery, of: first", "fire: gunnry, of: first", "gunnry"),
    ("of: first, at: second, simultaneous", "of: frist, at: second, simultaneous", "there is no group 'frist'"),
    ("change: {rounds: counter.rounds + 1}", "change: {round: counter.rounds + 1}", "there is no counter 'round'"),
    ("counter.rounds + 1}", "counter.round + 1}", "counter.round"),
    ("when: count(own) <= policy.break_off", "when: count(own) <= policy.breakoff", "policy.breakoff"),
    ("end: night}", "leave: true, end: night}", "a stage has one effect"),
    ("simultaneous: not input.surprise", "simultaneous: not input.surprize", "input.surprize"),
    ("when: ended == \"night\"", "when: endet == \"night\"", "endet"),
    ("is: {winner: nobody}}\n      together", "is: {winner: nobody}, when: count(reds) == 0}\n      together", "the last outcome"),
    ("together: [winner, gone.reds", "together: [winer, gone.reds", "winer"),
    ("oil: {title: Oil, at_least: 0, at_most: 12", "oil: {title: Oil, at_least: 0", "give it `at_least` and `at_most`"),
    ("oil: {title: Oil, at_least: 0, at_most: 12", "oil: {title: Oil, at_least: 20, at_most: 12", "below `at_least`"),
    ('fire: gunnery, of: escorts', 'fire: gunnery, by: volleys, of: escorts', "say in `most`"),
    ('of: bombers, by: all}', 'of: bombers, by: all, most: 3, when: true, roll: 1d6}', "`roll` goes with"),
    ("roll: 1d6, needs: roll == 6", "roll: six, needs: roll == 6", "'six' is no roll of dice"),
    ("draw: cup, table: events", "draw: cups, table: events", "there is no group 'cups'"),
    ("losses: {title: Who is hit", "guess: {title: Who is hit", "put units in order"),
    ("{like: fire, text", "{like: fires, text", "no stage is called 'fires'"),
    ("damage: [{text: damage", "dammage: [{text: damage", "no result of a table has the effect 'dammage'"),
    ("change: {damage: counter.damage + result}", "change: {damage: counter.damge + result}", "counter.damge"),
    ("to: defenders, lose: result", "lose: result", "say `to` whom it happens"),
    ("keep: units}", "keep: unit}", "unit"),
    ("      together: [winner", "      scores: {fuel: gone.reds}\n      together: [winner", "'fuel'"),
    ("      together: [winner", "      places: [{text: at sea, that: to.see}]\n      together: [winner", "'to.see'"),
    ("      together: [winner", "      what_if: [{text: help, add: {greens: id}}]\n      together: [winner", "'greens'"),
    ("      together: [winner", "      what_if: [{text: help, when: count(greens) == 1}]\n      together: [winner", "'greens'"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "said"), BROKEN, ids=[said for _, _, said in BROKEN])
def test_a_mistake_in_a_procedure_is_found_where_it_stands(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = (SEA / "game.yaml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "game.yaml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(Exception, match=r"game\.yaml") as caught:
        load(tmp_path)
    findings = [line for line in str(caught.value).splitlines() if said in line]
    assert findings, str(caught.value)
    assert all(len(line.split(":")) >= 4 for line in findings)


def test_a_table_whose_effects_nothing_carries_out_is_found(tmp_path: Path) -> None:
    text = (SEA / "game.yaml").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("    damage: [")]
    (tmp_path / "game.yaml").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(Exception, match="nothing carries out the effect damage of this table"):
        load(tmp_path)


def test_rounds_that_nothing_ends_are_found(tmp_path: Path) -> None:
    text = (SEA / "game.yaml").read_text(encoding="utf-8")
    lines = [
        line
        for line in text.splitlines()
        if not (line.strip().startswith("- {text") and "end:" in line and "tanks" not in line)
    ]
    (tmp_path / "game.yaml").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(Exception, match="no stage ends the rounds"):
        load(tmp_path)


def test_counters_begin_as_tracks_and_boxes_show_or_as_a_question_says(tmp_path: Path) -> None:
    """One gun is lost and the turn marker stands on 4: the raid begins with 1 and adds 4; told 3, it ends with 7."""
    rules = """counters: {hour: {title: Hour, track: turn, start: 1}}
procedures:
  raid:
    title: A raid
    counters: {lost: {title: Lost, at_most: 20, start: count(box.lost)}}
    stages: [{text: more, change: {lost: counter.lost + counter.hour}}]
"""
    game = small(tmp_path, rules)
    words = ["raid", "scenario=none", "put=gun@box:lost,turn@box:turn/4"]
    for told, end in ((["lost=3"], "7"), ([], "5"), (["hour=2"], "3")):
        assert ask_words(game, [*words, *told])["counter_values"][0]["chances"] == {end: "1"}


def test_a_box_that_the_map_lacks_is_found(tmp_path: Path) -> None:
    counters = "{lost: {title: Lost, start: count(box.lots)}}"
    with pytest.raises(PackError) as error:
        small(
            tmp_path,
            f"procedures: {{raid: {{title: A raid, side: rde, counters: {counters}, stages: [{{text: x, end: 'true'}}]}}}}",
        )
    assert "there is no side 'rde'" in str(error.value) and "box.lots" in str(error.value)
