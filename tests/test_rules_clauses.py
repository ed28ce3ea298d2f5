"""What published games ask of a rule language, clause by clause: a game or sample uses each, and a small question proves it.

What the language can't say yet stands in docs/rules.md under "Not yet said".
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from assistant.cli import cli


class Clause(NamedTuple):
    """A clause, the question that proves it, where its answer holds the proof, and what has to stand there."""

    part: str
    says: str
    asked: str
    key: str
    answer: object


PICKET = "horse_league/16@1604"
CLAUSES = [
    Clause("terrain", "seasons by turn", "move corps infantry_north/5 1104 --turn 3", "cost", 2),
    Clause("terrain", "elevation as a number", "move ridge tanks_blue/1 0603 --put tanks_blue/1@0503", "cost", 2),
    Clause("movement", "an allowance from a factor", "move march foot_crown/1", "allowance", 4),
    Clause("movement", "an allowance from a die", "move march foot_crown/1 0804 --kind forced", "chance", "1/2"),
    Clause("movement", "an allowance by state", "move corps infantry_north/3 --mark infantry_north/3+starving", "allowance", 2),
    Clause("movement", "cost by terrain and class: foot", "move march foot_crown/1 0404", "cost", 3),
    Clause("movement", "cost by terrain and class: wheels", "move march wagons_crown/1 0305", "cost", 3),
    Clause("movement", "a hexside costs more", "move march foot_crown/1 0803 --put foot_crown/1@0703,brandt@0703", "cost", 4),
    Clause("movement", "a hexside is forbidden", "move march wagons_crown/1 0803 --put wagons_crown/1@0703", "refused.0.rule", "3"),
    Clause("movement", "a road replaces the cost", "move march foot_crown/1 0704", "cost", 3),
    Clause("movement", "costs in fractions", "move corps cavalry_north 0303 --put cavalry_north@0304", "cost", "1/2"),
    Clause("movement", "a road column that one leaves at a cost", "move march horse_crown/7 0804", "steps.2.cost", 3),
    Clause("movement", "by rail", "move corps infantry_north/6 0102 kind=rail", "path.11", "0102"),
    Clause("movement", "by sea, carried", "move island transport/2,infantry_mainland/3 south_sea --kind sail", "cost", 2),
    Clause("movement", "must begin somewhere", "move corps infantry_north/5 0102 kind=rail", "refused.0.rule", "3.3"),
    Clause("stops", "by a zone", "move march horse_crown/7 0804", "places.0.stops", True),
    Clause("zones", "locked in", "move corps infantry_north/1 0303 --put infantry_south/11@0404", "refused.0.rule", "3.1"),
    Clause("zones", "not across a hexside", "move corps infantry_north/3 0805", "places.0.stops", False),
    Clause("stacking", "by number", "stack corps 0304 --unit infantry_north/3", "may", False),
    Clause("stacking", "by weight and terrain", "stack island kirkeby unit=militia/15", "may", False),
    Clause(
        "stacking", "by terrain: two in the open", "stack two_wells 0302 --unit gun --put infantry_blue/21@0302,infantry_blue/22@0302",
        "may", False,
    ),
    Clause("stacking", "by terrain: three in the village", "stack two_wells 0301 --unit gun", "may", True),
    Clause("stacking", "who is free", "stack march 0405 --unit falk", "may", True),
    Clause("command", "how far a headquarters reaches", "ask corps command side=north", "headquarters.0.length", 5),
    Clause("zones", "asked by name", "ask october_war umbrella unit=mobile_sam_egypt from=suez_city", "covering.0.place", "suez_city"),
    Clause("retreats", "notes", "retreat october_war airmobile_battalion/1 --from tasa", "units.0.lines.0.rule", "16.4, 23.4"),
    Clause("retreats", "all of a side in a place", "retreat october_war --at chinese_farm --side arab --put hq_2a@chinese_farm",
           "units.0.unit", "hq_2a"),
    Clause("supply", "stages: from wagons", "supply march unit=foot_crown/1", "sides.0.units.0.by", "bread"),
    Clause("supply", "stages: from a magazine", "supply march unit=wagons_crown/1", "sides.0.units.0.by", "loading"),
    Clause("supply", "stages: by a path from a source", "supply march unit=magazine_crown/1", "sides.0.units.0.by", "convoy"),
    Clause("supply", "so many points", f"supply march unit=wagons_crown/1 --put wagons_crown/1@0905,{PICKET}", "sides.0.units.0.cost", 6),
    Clause(
        "supply", "blocked by an enemy zone", "supply march unit=magazine_crown/1 --put horse_league/16@0206,wagons_crown/2@0105",
        "sides.0.units.0.rule", "5.4",
    ),
    Clause(
        "supply", "freed by own units", "supply march unit=magazine_crown/1 --put horse_league/16@0206", "sides.0.units.0.supplied", True,
    ),
    Clause(  # next to it across the river, and two hexes by the bridge
        "supply", "water without a bridge", f"supply march unit=foot_crown/1 --put wagons_crown/1@0704,foot_crown/1@0803,{PICKET}",
        "sides.0.units.0.cost", 2,
    ),
    Clause("supply", "a state", "turn march --put foot_crown/1@0604", "phases.4.happens.0.sets", "hungry"),
    Clause(
        "supply", "attrition", "turn march --put foot_crown/1@0604 --mark foot_crown/1+hungry", "phases.4.happens.0.units.0.chance", "1/2",
    ),
    Clause("command", "a radius", "move march foot_crown/5 chit=falk --put foot_crown/5@0105", "allowance", 2),
    Clause("sight", "obstacles in hexes, exact along hexsides", "los ridge 0206 0806", "clear", False),
    Clause("sight", "smoke", "los ridge 0206 0704 --put smoke@0405", "blocked_by.0.rule", "6"),
    Clause("sight", "degrading terrain that adds up", "los ridge 0206 0906", "degraded", 2),
    Clause("sight", "hexsides that shield who is behind them", "los ridge 0206 0906", "hull_down.target", ["0806/0906"]),
    Clause("sight", "night as a limit", "los ridge 0206 0906 --turn 7", "clear", False),
    Clause("pieces on hexsides", "whose, what they let pass", "ask yom_kippur bridges scenario=4.5", "bridges.1.open_to", ["egyptian"]),
    Clause("air and fire", "reconnaissance through flak", "ask october_war air mission=recon tac=1 sites=2", "seen", "25/36"),
    Clause("results", "so many steps", "odds march --from 1305 --at 1204", "results.2.units.0.steps", 1),
    Clause("results", "no retreat out of a town", "odds march --from 1305 --at 1204", "results.1.units", []),
    Clause(
        "retreat", "how far", "retreat corps infantry_south/11 hexes=2 --put infantry_north/3@0907", "units.0.fates.0.ends",
        ["0606", "0607", "0708"],
    ),
    Clause(
        "retreat", "who stays, by state", "retreat two_wells infantry_blue/21 --mark infantry_blue/21+dug_in", "units.0.fate.0.rule", "4.2",
    ),
    Clause("retreat", "who stays", "retreat corps hq_north", "units.0.fate.0.rule", "6"),
    Clause(
        "advance", "into the place left",
        "odds corps --at 0806 --from 0907 --put infantry_north/3@0907,infantry_north/4@0907,infantry_south/12@0607",
        "results.1.units.0.advances", ["0806"],
    ),
    Clause("attack rules", "who must attack", "ask corps attacks side=north --put infantry_north/3@0907", "sides.0.must.0.rule", "5"),
    Clause("attack rules", "who may", "ask march attacks side=league", "sides.0.attacks.0.place", "1204"),
    Clause("state", "a rally by a die", "turn ridge --mark rifles_blue/4+shaken", "phases.1.happens.0.units.0.chance", "2/3"),
    Clause(
        "turn", "replacements by turn and place", "turn corps --turn 3 --mark infantry_north/3+reduced --put infantry_north/3@0603",
        "phases.2.happens.0.restore", "1",
    ),
    Clause("turn", "initiative by a die", "turn march", "phases.0.happens.0.chances.Crown", "7/12"),
    Clause("turn", "chits from a cup", "turn march", "phases.1.happens.0.chances.falk", "1/6"),
    Clause("turn", "a random end", "turn march --turn 9", "phases.6.happens.0.chances.the game ends", "1/2"),
    Clause("victory", "places held", "score island", "totals.islanders", 2),
    Clause("victory", "units lost", "score march --gone magazine_league", "totals.crown", 3),
    Clause("victory", "supply", "score march", "totals.league", 3),
    Clause("victory", "sudden death", "score march --put foot_league/13@1204 --gone garrison_crown", "won.0.side", "league"),
    Clause("victory", "levels", "score march", "level", "narrow"),
]  # fmt: skip


@pytest.mark.parametrize("clause", CLAUSES, ids=[f"{clause.part}: {clause.says}" for clause in CLAUSES])
def test_the_language_says_it(clause: Clause) -> None:
    result = CliRunner().invoke(cli, [*clause.asked.split(), "--json"])
    assert result.exit_code == (2 if clause.key.startswith("refused") else 0), result.output
    proof: Any = json.loads(result.output[: result.output.rindex("}") + 1])
    rest = clause.key
    while rest:
        key, _, rest = rest.partition(".")
        proof = proof[int(key) if isinstance(proof, list) else key]
    assert proof == clause.answer
