"""Counters, tables, attacks, scenario and rulings of Six Day War 1967 against facts typed from its rulebook."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from assistant.attack import Odds, odds, unit_fields
from scenarios.areas.resolving import Location, Resolver
from scenarios.model.areas import Area
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap
from scenarios.model.position import from_scenario
from scenarios.model.scenario import Group
from scenarios.model.sources import Source
from scenarios.model.tables import span
from scenarios.pack.loading import read_game
from scenarios.pack.pack_folder import find_pack
from scenarios.reading.shapes import Findings, reader
from scenarios.reading.yaml_tree import parse_nodes

CODES = {"AA", "AD", "AE", "AP", "AR", "AZ", "BB", "DA", "DD", "DE", "DP", "DR", "MD", "OR"}

# From worst to best for the attacker. A bloodbath costs both their best, so it has no place of its own in the row.
ORDER = ["AE", "AZ", "AD", "AP", "AA", "AR", "MD", "DR", "DA", "DP", "DD", "OR", "DE"]

# 13.15: attacker loses, defender loses, attacker retreats, defender retreats, attacker advances, defender advances.
EXPLAINED_RESULTS = {
    "AA": "weakest - 0 0 0 0", "AD": "strongest - 1 0 0 1", "AE": "all - 0 0 0 1", "AP": "- - 1d6 0 0 1",
    "AR": "- - 1 0 0 1", "AZ": "strongest - 1d6 0 0 2", "BB": "strongest strongest 0 0 1 0",
    "DA": "- weakest 0 0 0 0", "DD": "- strongest 0 1 1 0", "DE": "- all 0 0 1 0", "DP": "- - 0 1d6 2 0",
    "DR": "- - 0 1 1 0", "MD": "weakest - 0 1 1 0", "OR": "- strongest 0 1d6 3 0",
}  # fmt: skip

EVENTS = {
    2: "Lebanon", 3: "Streets", 4: "Liberty", 5: "LBJ", 6: "Political Crisis", 7: "Disintegration",
    8: "Disintegration", 9: "Volunteers", 10: "Iraqi", 11: "East Bloc", 12: "Ceasefire",
}  # fmt: skip

ZRP = {
    "purchase_airstrike_or_sf": "1 reinforcement", "transfer_airstrike_or_sf": "2 reinforcement",
    "purchase_ground_unit": "2 reinforcement", "transfer_ground_unit": "4 movement",
    "replace_armor_airborne_mechanized": "2 reinforcement", "replace_other_mobile": "1 reinforcement",
    "replace_static": "no reinforcement", "replace_airstrike": "1 reinforcement", "forced_march": "1 movement",
    "airborne_move": "1 movement", "enhanced_attack": "1 combat", "remove_terrorized": "1 reinforcement",
}  # fmt: skip

VP = {
    "east_jerusalem": 25, "sharm_el_sheikh_or_gaza": 10, "other_objective": 5, "arab_mobile_dead": 1,
    "reserve_point_spent": -1, "city_lost": -20, "terror_marker": -3, "air_defense": -2,
}  # fmt: skip
INFERRED_POINTS = {"kibbutz_lost": -5, "israeli_mobile_refit": -3}


@pytest.fixture(scope="module")
def game() -> Game:
    parsed_game, _ = read_game(find_pack("six_day_war"), [], False)
    assert parsed_game is not None
    return parsed_game


def column(game: Game, table: str, index: int) -> list[str]:
    return [game.tables[table].cell(die, index).code for die in range(1, 7)]


def word(game: Game, table: str, row: str, column: str) -> str:
    """The source word of one cell."""
    (source,) = [d.source for d in game.data if d.address == ("tables", table, "cells", row, column)]
    assert source is not None
    return source.word


def losses(game: Game, table: str, role: str, units: int) -> list[int]:
    """Units lost over the six faces, column by column."""
    steps = {"-": 0, "weakest": 1, "strongest": 1, "all": units}
    place = game.tables["results"].columns.labels.index(role)
    rows = game.tables["results"].cells
    width = len(game.tables[table].columns.labels)
    return [sum(steps[rows[code][place]] for code in column(game, table, i)) for i in range(width)]


def attack(game: Game, kind: str, attackers: str, defenders: str, **inputs: str | int | bool) -> Odds:
    groups = {"attackers": attackers.split(), "defenders": defenders.split()}
    return odds(game, kind, {k: [unit_fields(game, unit) for unit in v] for k, v in groups.items()}, inputs)


# The combat tables.


def test_results_are_those_explained(game: Game) -> None:
    cells = game.tables["results"].cells
    assert {code: " ".join(row) for code, row in cells.items()} == EXPLAINED_RESULTS
    assert game.tables["results"].source == Source("rulebook", "13.15")


def test_every_code_stands_on_a_table(game: Game) -> None:
    used = {code for table in ("mobile", "assault") for row in game.tables[table].cells.values() for code in row}
    assert used == CODES


@pytest.mark.parametrize("table", ["mobile", "assault"])
def test_columns_of_the_examples(game: Game, table: str) -> None:
    odds_table = game.tables[table]
    labels = odds_table.columns.labels
    assert odds_table.columns.kind == "percent"

    def column_label(percent: Fraction) -> str:
        column_index = odds_table.find_column(percent)
        assert column_index is not None
        return labels[column_index]

    assert column_label(Fraction(20, 12) * 100) == "150-199"
    assert column_label(Fraction(10, 12) * 100) == "50-99"
    assert column_label(Fraction(1000)) == labels[-1] == "600+"
    assert column_label(Fraction(1)) == labels[0]
    assert column_label(Fraction(149)) == column_label(Fraction(100)) == column_label(Fraction(299, 2)) == "100-149"
    top = odds_table.find_column(Fraction(1000))
    assert top is not None
    assert span(labels[odds_table.shift_column(top, -1)]).low == 500


@pytest.mark.parametrize("table", ["mobile", "assault"])
def test_higher_odds_and_dice_are_better(game: Game, table: str) -> None:
    rows = [list(row) for row in game.tables[table].cells.values()]
    columns = [list(line) for line in zip(*rows, strict=True)]
    for line in rows + columns:
        ranks = [ORDER.index(code) for code in line if code != "BB"]
        assert ranks == sorted(ranks), line


@pytest.mark.parametrize("table", ["mobile", "assault"])
def test_losses_by_column(game: Game, table: str) -> None:
    attacker, defender = losses(game, table, "attacker_loses", 3), losses(game, table, "defender_loses", 2)
    assert attacker == sorted(attacker, reverse=True)
    assert defender == sorted(defender)
    assert attacker[0] > attacker[-1] == 0 == defender[0] < defender[-1]


def test_bloodbath_can_make_lower_odds_better(game: Game) -> None:
    free = {"DR", "DA"}
    rows = game.tables["assault"].cells.values()
    assert any(row[i] in free and row[i + 1] == "BB" for row in rows for i in range(len(row) - 1))
    assert not any("BB" in row for row in game.tables["mobile"].cells.values())


# The other tables.


def test_air_superiority(game: Game) -> None:
    table = game.tables["air_superiority"]
    assert table.columns.labels[0] == "0"
    assert {code for row in table.cells.values() for code in row} == {"-", "EH", "EE"}
    order = ["-", "EH", "EE"]
    rows = [list(row) for row in table.cells.values()]
    for line in rows + [list(c) for c in zip(*rows, strict=True)]:
        assert [order.index(c) for c in line] == sorted(order.index(c) for c in line)
    assert column(game, "air_superiority", 0).count("EH") > 0


def test_strike(game: Game) -> None:
    table = game.tables["strike"]
    assert table.columns.labels == ("1", "2", "3")
    order = ["-", "T1", "T2"]
    rows = [list(row) for row in table.cells.values()]
    assert {code for row in rows for code in row} == set(order)
    for line in rows + [list(c) for c in zip(*rows, strict=True)]:
        assert [order.index(c) for c in line] == sorted(order.index(c) for c in line)


def test_terrain(game: Game) -> None:
    table = game.tables["terrain"]
    cost = {row: cells[0] for row, cells in table.cells.items()}
    assert cost["clear"] == "1" and cost["river"] == "+3"
    assert set(game.terrain) <= set(cost) and set(game.paths) <= set(cost)
    for kind in set(game.terrain) - {"clear"}:
        assert cost[kind] == "no" or int(cost[kind]) > 1, kind
    places = {row: dict(zip(table.columns.labels, cells, strict=True)) for row, cells in table.cells.items()}
    for kind in ("fortified_city", "fortification", "kibbutz"):
        assert places[kind]["enemy_zoc"] == "no" and places[kind]["ignores_retreat"] == "yes"
    assert all(int(row["shift"]) <= 0 for row in places.values())


def test_events(game: Game) -> None:
    table = game.tables["events"]
    assert table.dice == "2d6" and [int(row) for row in table.cells] == list(range(2, 13))
    for throw, word in EVENTS.items():
        assert word in table.cell(throw, 0).code
    chances = table.distribution(0)
    assert chances["Arab Disintegration Check"] == Fraction(11, 36)
    assert sum(chances.values()) == 1


def test_reserve_points(game: Game) -> None:
    assert {key: " ".join(row) for key, row in game.tables["zrp_costs"].cells.items()} == ZRP
    words = {row: word(game, "zrp_costs", row, "cost") for row in ZRP}
    assert {row for row, source in words.items() if source != "rulebook"} == {"remove_terrorized"}


def test_victory_charts(game: Game) -> None:
    points = {key: int(row[0]) for key, row in game.tables["victory_points"].cells.items()}
    loss_points = {"town_lost": points["town_lost"], "israeli_mobile_dead": points["israeli_mobile_dead"]}
    assert points == VP | INFERRED_POINTS | loss_points
    assert -20 < loss_points["town_lost"] < -5 and loss_points["israeli_mobile_dead"] < -3
    for rows, source in ((VP, "rulebook"), (INFERRED_POINTS, "inferred"), (loss_points, "reconstructed")):
        assert {word(game, "victory_points", row, "points") for row in rows} == {source}
    levels = {span(row).low: cells[0] for row, cells in game.tables["victory_levels"].cells.items()}
    assert levels == {30: "Strategic Victory", 20: "Regional Victory", 10: "Local Victory", 0: "Draw"}


def test_what_the_text_lacks_is_never_the_rulebooks(game: Game) -> None:
    for key in ("mobile", "assault", "air_superiority", "strike", "terrain"):
        source = game.tables[key].source
        assert source is not None and source.word == "reconstructed", key
    for datum in game.data:
        if datum.address[0] == "counters" and datum.address[-1] == "combat":
            assert datum.source is not None
            word = "rulebook" if datum.address[1] == "is_militia_eastern" else "reconstructed"
            assert datum.source.word == word, datum.path


def test_the_plots_are_up_to_date(game: Game) -> None:
    text = (Path(__file__).parent.parent / "docs" / "tables-six_day_war.md").read_text(encoding="utf-8")
    for table, heading in (("mobile", "### Mobile"), ("assault", "### Assault")):
        plot = text.split(heading)[1].split("```")[1].strip().splitlines()[1:]
        attacker, defender = losses(game, table, "attacker_loses", 3), losses(game, table, "defender_loses", 2)
        labels = game.tables[table].columns.labels
        for line, label, attacker_loss, defender_loss in zip(plot, labels, attacker, defender, strict=True):
            words = [word for word in line.split() if "/6" in word]
            assert line.startswith(label) and words[:2] == [f"{attacker_loss}/6", f"{defender_loss}/6"]


# The counters.


def test_markers_of_the_set_up(game: Game) -> None:
    assert game.markers["airstrike"].count == 12
    assert game.markers["special_forces"].count == 2
    assert game.markers["airborne_move"].count == 2
    assert game.markers["disintegration_sinai"].count == game.markers["disintegration_eastern"].count == 1


def test_order_of_battle(game: Game) -> None:
    by_nation: dict[str, list[str]] = {}
    for unit in game.units.values():
        by_nation.setdefault(unit.nation, []).append(unit.id)
    assert set(by_nation) == set(game.nations)
    names = {unit.name for unit in game.units.values()}
    assert {"33+35 Cdo", "HA", "KW", "RG", "SAF", "ShSH", "Abn", "1 YEF", "107 PLA"} <= names
    assert len(by_nation["lebanon"]) == 1
    assert {game.units[u].setup for u in by_nation["israel_reserve"]} == {"Reserve"}
    assert {game.units[u].setup for u in by_nation["egypt_optional"]} == {"Optional"}
    assert {game.units[u].setup for u in by_nation["volunteers"]} == {"Reinforcement"}
    assert {game.units[u].setup for u in by_nation["iraq"]} == {"Start", "Reinforcement"}


def test_one_scale_of_strengths(game: Game) -> None:
    base = {"armor": 4, "mechanized": 3, "airborne": 3, "infantry": 2, "recon": 2, "commando": 2, "garrison": 1}
    army = {"israeli": Fraction(2), "jordan": Fraction(3, 2), "palestine": Fraction(1, 2)}
    odd = {"eg_saf": 6, "eg_shsh": 2, "vo_kuwait": 1, "vo_sudan": 1, "vo_yemen": 1, "vo_morocco": 1}
    for unit in game.units.values():
        quality = army.get("israeli" if unit.side == "israeli" else unit.nation, Fraction(1))
        strength = max(1, int((base | {"militia": 1})[unit.type] * quality))
        assert unit.factors["combat"] == odd.get(unit.id, strength), unit.id
    assert game.units["is_militia_eastern"].factors["combat"] == 2


def test_contingents(game: Game) -> None:
    fronts: dict[object, set[object]] = {}
    for unit in game.units.values():
        fronts.setdefault(unit.factors["contingent"], set()).add(unit.factors["front"])
    assert {c for c, f in fronts.items() if "sinai" in f} - {"israel"} == {"egypt", "pla", "volunteers"}
    assert {c for c, f in fronts.items() if "eastern" in f} - {"israel"} == {
        "syria",
        "jordan",
        "iraq",
        "volunteers",
        "egypt_commando",
        "lebanon",
    }


def test_static_units(game: Game) -> None:
    for unit in game.units.values():
        assert (unit.class_ == "static") == (unit.type in ("garrison", "militia"))
        opens = unit.side == "israeli" and unit.type in ("armor", "mechanized", "recon")
        assert ("opens_mobile" in unit.abilities) == opens
        assert ("keeps_order" in unit.abilities) == (unit.nation == "jordan")


# The attacks.


def test_plain_attack(game: Game) -> None:
    answer = attack(game, "mobile", "is_7_armor is_60_armor is_11_infantry", "eg_saf eg_4_2_armor eg_2_10")
    assert answer.attack_strength == 20 and answer.defense_strength == 12
    assert answer.column == "150-199" and answer.shift == 0 and not answer.failures


def test_above_the_top_then_shifts(game: Game) -> None:
    answer = attack(game, "mobile", "is_7_armor is_60_armor is_11_infantry", "eg_2_10", terrain="town")
    assert answer.ratio == 10 and (answer.start, answer.column) == ("600+", "500-599")


def test_shifts_add_up(game: Game) -> None:
    troops = ("is_7_armor", "eg_4_2_armor")
    assert attack(game, "assault", *troops, commanding=True).shift == 1
    assert attack(game, "assault", *troops, enhanced=True, commanding=True).shift == 2
    assert attack(game, "assault", *troops, shock_turn=True).shift == 2
    assert attack(game, "assault", *troops, shock_turn=True, shock_and_enhanced=False).shift == 1
    assert attack(game, "assault", *troops, terrain="fortification", hexside="river").shift == -3


def test_airborne_surprise_takes_airborne_units(game: Game) -> None:
    """20.5: they cancel a fortification, once a front; nobody else does."""
    inputs: dict[str, str | bool] = {"terrain": "fortification", "airborne_surprise": True}
    for kind in ("mobile", "assault"):
        with_them = attack(game, kind, "is_7_armor is_202_airborne", "eg_4_2_armor", **inputs)
        assert with_them.shift == 0 and not with_them.failures
        without = attack(game, kind, "is_7_armor", "eg_4_2_armor", **inputs)
        assert without.shift < 0 and without.failures
        assert attack(
            game, kind, "is_7_armor is_202_airborne", "eg_4_2_armor", terrain="town", airborne_surprise=True
        ).failures


def test_choice_of_the_table(game: Game) -> None:
    assert attack(game, "mobile", "eg_4_2_armor", "is_7_armor").failures
    assert attack(game, "mobile", "is_11_infantry", "eg_2_10").failures
    assert not attack(game, "mobile", "is_11_infantry is_granit_recon", "eg_2_10").failures
    for terrain in ("fortified_city", "fortification"):
        assert attack(game, "mobile", "is_7_armor", "eg_2_10", terrain=terrain).failures
        assert not attack(game, "assault", "is_7_armor", "eg_2_10", terrain=terrain).failures
    arab = attack(game, "assault", "eg_4_2_armor", "is_7_armor", shock_turn=True)
    assert arab.shift == 0 and not arab.failures


def test_who_may_attack(game: Game) -> None:
    assert attack(game, "assault", "eg_shsh", "is_7_armor").failures
    assert attack(game, "assault", "is_7_armor", "jo_talal").failures
    assert attack(game, "assault", "eg_4_2_armor", "is_7_armor", enhanced=True).failures
    assert attack(game, "assault", "is_7_armor", "eg_2_10", enhanced=True, shock_turn=True).failures
    assert not attack(game, "assault", "jo_talal sy_8", "is_16_jerusalem").failures


def test_air(game: Game) -> None:
    def ask_air(kind: str, **inputs: int | bool) -> Odds:
        return odds(game, kind, {}, inputs)

    assert ask_air("air_superiority", airstrikes=7).column == "7+"
    assert ask_air("air_superiority", airstrikes=4, special_forces=1).column == "5-6"
    assert ask_air("air_superiority", airstrikes=2, shock_turn=True).column == "3-4"
    assert ask_air("air_superiority", airstrikes=0, special_forces=2).failures
    assert ask_air("air_defense", level=5, shock_turn=True).column == "3-4"
    assert ask_air("air_defense", level=0, shock_turn=True).column == "0"
    assert ask_air("air_defense", level=3, flying=0).failures


def test_strikes_and_barrages(game: Game) -> None:
    targets = [unit_fields(game, unit) for unit in ("eg_2_10", "eg_2_12")]
    answer = odds(game, "strike", {"targets": targets}, {"airstrikes": 3})
    assert answer.column == "3" and len(answer.targets) == 2 and not answer.failures
    assert odds(game, "strike", {"targets": targets}, {"airstrikes": 4}).failures
    assert odds(game, "strike", {"targets": targets}, {"jerusalem": True}).failures
    assert odds(game, "barrage", {}).column == "1"


# The scenario.


def groups(game: Game) -> dict[str, Group]:
    forces = game.scenarios["standard"].forces.values()
    return {group.id: group for force in forces for group in force.groups}


def locations_of(game: Game, area: Area | None) -> frozenset[Location]:
    assert area is not None
    scenario = game.scenarios["standard"]
    return Resolver(game.scenario_maps["standard"], dict(scenario.zones)).places(area)


def test_every_counter_is_placed_once(game: Game) -> None:
    placed_counts: dict[str, int] = {}
    for group in groups(game).values():
        for unit, count in group.units.items():
            placed_counts[unit] = placed_counts.get(unit, 0) + count
    assert placed_counts == {unit.id: unit.count for unit in game.units.values()}


def test_set_up_codes_fit_the_groups(game: Game) -> None:
    for group in groups(game).values():
        codes = {game.units[unit].setup for unit in group.units}
        if group.id == "aside":
            assert codes == {"Optional", "Reserve"}
        elif group.id == "reserve":
            assert codes == {"Reserve"}
        elif group.enters is not None:
            assert codes == {"Reinforcement"} and group.enters.turn == 2
        else:
            assert codes <= {"Start"}


def test_markers_are_set_up(game: Game) -> None:
    set_up_groups = groups(game)
    assert dict(set_up_groups["strikes"].markers) == {"airstrike": 12, "special_forces": 2}
    assert set_up_groups["strikes"].at is not None and set_up_groups["strikes"].at.box == "reserve"
    assert (
        set_up_groups["sinai_airborne"].markers["airborne_move"]
        == set_up_groups["eastern_airborne"].markers["airborne_move"]
        == 1
    )
    levels = {
        piece.unit: piece.at for piece in from_scenario(game, "standard").pieces if piece.unit.startswith("air_defense")
    }
    assert levels == {
        "air_defense_sinai": "box:sinai_air_defense/5",
        "air_defense_eastern": "box:eastern_air_defense/3",
    }
    findings = Findings()
    node, _ = parse_nodes(b"{box: sinai_air_defense, space: '7'}", "f")
    assert node is not None
    area: Area = reader(Area)(node, findings)
    Resolver(game.scenario_maps["standard"], {}, findings).places(area)
    assert "has no space '7'" in str(findings[0])


def test_where_the_set_up_puts_them(game: Game) -> None:
    set_up_groups = groups(game)
    field = game.scenario_maps["standard"]
    assert isinstance(field, HexMap)
    zones = field.zones
    jordan = zones["jordan_west_bank"] | zones["jordan_east_bank"]
    assert locations_of(game, set_up_groups["pla"].at) == zones["gaza"]
    assert locations_of(game, set_up_groups["egypt"].at) >= zones["gaza"]
    for key in ("jordan", "egypt_commando", "iraq"):
        assert locations_of(game, set_up_groups[key].at) == jordan
    towns = {hex for hex in zones["lebanon"] if field.terrain[hex] == "town"}
    assert locations_of(game, set_up_groups["lebanon"].at) == towns and set_up_groups["lebanon"].states == ("neutral",)
    for front in ("sinai", "eastern"):
        assert locations_of(game, set_up_groups[front].at) == zones["israel"] & zones[f"{front}_sector"]
        terrains = {
            field.terrain[hex]
            for hex in locations_of(game, set_up_groups[f"{front}_militia"].at)
            if isinstance(hex, Hex)
        }
        assert terrains <= {"city", "fortified_city", "town", "kibbutz"}
    assert len(locations_of(game, game.scenarios["standard"].zones["jerusalem"])) == 2


def test_reinforcements_can_arrive(game: Game) -> None:
    zones = game.scenarios["standard"].zones
    for key in ("sinai_arrivals", "eastern_arrivals", "jordan_arrivals"):
        assert len(locations_of(game, zones[key])) > 3
        for part in zones[key].any_:
            assert locations_of(game, part), (key, part)


def test_every_arab_city_takes_reinforcements(game: Game) -> None:
    """7.4: cities west of the canal, and those of Jordan and Syria; event 10 asks for Jordan."""
    field = game.scenario_maps["standard"]
    assert isinstance(field, HexMap)
    zones = game.scenarios["standard"].zones
    for key, names in (
        ("sinai_arrivals", {"port_said", "ismailia", "suez"}),
        ("eastern_arrivals", {"amman", "east_jerusalem", "damascus"}),
        ("jordan_arrivals", {"amman", "east_jerusalem"}),
    ):
        inland = (
            {hex for hex in locations_of(game, zones[key]) if isinstance(hex, Hex)}
            - field.edge("west")
            - field.edge("east")
        )
        assert inland == {hex for name in names for hex in field.places[name].hexes}, key


def test_special_rules(game: Game) -> None:
    """25.1 to 25.7, 9.3, 6.1, 10.2, 11.2, 11.3."""
    effects = [
        (e.effect, e.side, e.value, e.turns) for rule in game.scenarios["standard"].special for e in rule.effects
    ]
    simple = {(effect, side, value) for effect, side, value, _ in effects}
    assert {
        ("column_shift", "israeli", "air_superiority +1"),
        ("column_shift", "arab", "air_defense -1"),
        ("column_shift", "israeli", "ground +1"),
        ("reserve_points", "israeli", "50"),
        ("air_defense_level", "arab", "5"),
        ("air_defense_level", "arab", "3"),
        ("movement_points", "israeli", "6"),
        ("contingent_die", "arab", "1d6"),
        ("stacking", "israeli", "3"),
        ("stacking", "arab", "2"),
    } <= simple
    assert {str(turns) for effect, _, _, turns in effects if effect == "column_shift"} == {"1"}


def test_a_mobile_unit_for_every_fortification(game: Game) -> None:
    set_up_groups = groups(game)
    field = game.scenario_maps["standard"]
    assert isinstance(field, HexMap)
    forts = {hex for hex, kind in field.terrain.items() if kind == "fortification"}
    homes = {"egypt": ("egypt", "pla"), "jordan": ("jordan",), "syria": ("syria",)}
    fort_hexes: set[Location] = set()
    for area, keys in homes.items():
        inside = forts & locations_of(game, set_up_groups[area].at)
        fort_hexes |= inside
        assert len(inside) <= sum(sum(set_up_groups[key].units.values()) for key in keys)
    assert fort_hexes == forts


def test_first_turn(game: Game) -> None:
    first = {
        (effect.effect, effect.side, effect.value)
        for special in game.scenarios["standard"].special
        for effect in special.effects
        if effect.turns == "1"
    }
    assert first == {
        ("no_event_roll", "", ""),
        ("no_movement", "arab", ""),
        ("free_enhanced", "israeli", ""),
        ("column_shift", "israeli", "air_superiority +1"),
        ("column_shift", "arab", "air_defense -1"),
        ("column_shift", "israeli", "ground +1"),
    }


def test_limits(game: Game) -> None:
    values = [(e.effect, e.side, e.value) for s in game.scenarios["standard"].special for e in s.effects]
    assert ("movement_points", "israeli", "6") in values and ("contingent_die", "arab", "1d6") in values
    assert ("stacking", "israeli", "3") in values and ("stacking", "arab", "2") in values
    assert ("reserve_points", "israeli", "50") in values
    assert [v for v in values if v[0] == "air_defense_level"] == [
        ("air_defense_level", "arab", "5"),
        ("air_defense_level", "arab", "3"),
    ]
    turn_ranges = {
        e.turns for s in game.scenarios["standard"].special for e in s.effects if e.effect == "closed_to_ground"
    }
    assert turn_ranges == {"", "1-3"}


def test_turns(game: Game) -> None:
    scenario = game.scenarios["standard"]
    assert scenario.turns is not None and scenario.turns.last == 6
    assert game.turns is not None and (game.turns.names[0], game.turns.names[-1]) == ("5 June", "10 June")
    assert scenario.sets_up_first == "arab" and scenario.first == "israeli"


def test_victory_lines_follow_the_charts(game: Game) -> None:
    chart = {key: int(row[0]) for key, row in game.tables["victory_points"].cells.items()}
    lines = game.scenarios["standard"].victory
    points = {
        front: sorted(int(line.points) for line in lines if line.points is not None and line.text.startswith(front))
        for front in ("Sinai", "Eastern")
    }
    shared_points = [value for key, value in chart.items() if key not in ("east_jerusalem", "sharm_el_sheikh_or_gaza")]
    assert points["Sinai"] == sorted([*shared_points, 10])
    assert points["Eastern"] == sorted([*shared_points, 25])
    assert [line.side for line in lines if line.wins] == ["arab"]


# The rulings.


def test_rulings(game: Game) -> None:
    choices = {key: ruling.choice for key, ruling in game.rulings.items()}
    assert choices["who_leads_the_arabs"] == "opposite"
    assert choices["eh_of_seven"] == "three"
    expected_rulings = {
        "eastern_events_phase",
        "utilized_or_used",
        "pla_or_plo",
        "two_rules_20_2",
        "shock_turn_shifts",
        "air_defense_points",
        "zrp_index",
        "stack_against_many",
        "kibbutz_and_strikes",
        "airbase_terror",
        "air_superiority_column",
        "volunteer_pool",
        "sharm_or_gaza",
        "disintegration_chain",
    }
    assert expected_rulings <= set(choices)
    assert choices["special_forces_on_the_ground"] == "never" and choices["weakest_and_strongest"] == "plain"
