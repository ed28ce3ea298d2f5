"""Every key of `rules` is carried out: with it the answer is what the rule says, worked out by hand; without it, it is another.

Two Wells has twelve hexes; 0102 and 0402 are hills, 0301 is the village, 0202 and 0302 are wells, a wadi parts columns 02 and 03,
and a track leads 0102, 0201, 0301, 0401. Infantry has attack 3 and movement 3 (defense 4, of Blue 5) and two steps, cars 5, 3 and 6
with one step, the gun 6, 1 and 2.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

import pytest

from scenarios import load
from tests.rule_keys import asked, keys, lacking, part, small
from tests.test_rules_clauses import CLAUSES


class Case(NamedTuple):
    """Keys, rules that use them, a question, where its answer holds the proof, and what has to stand there."""

    keys: str
    rules: str
    asked: str
    path: str
    answer: object
    more: str = ""


GROUND = '{text: the ground, rule: "1", cost: 1}'
WALK = f"movement: {{move: {{title: Walk, allowance: movement, steps: [{GROUND}]}}}}"
CARS, GUN = "unit=cars/14@0101 scenario=none", "unit=gun@0101 scenario=none"
BLUE = "unit=infantry_blue/21@0202 scenario=none"
FIGHT = "odds from=0201 at=0202 scenario=none put=infantry_red/11@0201,cars/14@0201,infantry_blue/21@0202"
"""8 against 5 are odds of 1-1: D1 on 1 and 2, nothing on 3 and 4, A1 on 5 and 6."""
FLAG = "markers: {flag: {name: Flag, side: red, count: 2}}\nsource: {mine: a test}\n"
LEVELS = """source: {mine: a test}
tables:
  levels:
    title: Levels
    columns: {names: [level]}
    row_title: Lead
    cells: {"0-": none, "1-5": narrow, "6+": crushing}
"""
BACK = "retreat: {back: {length: result, steps: [{text: the enemy, when: to.enemy, forbid: true}]}}"


def walk(steps: str = GROUND, allowance: str = "movement", more: str = "") -> str:
    """A kind of move."""
    return f"movement: {{move: {{allowance: {allowance}, steps: [{steps}]{more}}}}}"


def fight(defenders: str, more: str = "") -> str:
    """What a result D1 does."""
    return f"results: {{defender_steps: [{defenders}]}}\n{more}"


CASES = [
    # Records, amounts and steps.
    Case("RuleRecord.text", walk(f'{{text: a hill, rule: "2", when: to.hill, forbid: true}}, {GROUND}'), f"move {CARS} to=0102",
         "refused.0.text", "Armoured cars 14 can't enter 0102: a hill"),
    Case("RuleRecord.when", walk(f"{GROUND}, {{text: a hill, when: to.hill, add: 1}}"), f"move {CARS}", "places.=0201.cost", 1),
    Case("RuleRecord.note", walk("{text: the ground, note: on foot, cost: 1}"), "rules ground", "rules.0.note", "on foot"),
    Case("Amount.set", WALK, f"move {GUN}", "allowance", 2),
    Case("Amount.add", walk(allowance="[{set: movement}, {text: fresh, add: 1}]"), f"move {GUN}", "allowance", 3),
    Case("Amount.multiply", walk(allowance="[{set: movement}, {text: tired, multiply: 1/2}]"), f"move {CARS}", "allowance", 3),
    Case("Amount.throw", walk(allowance="""[{text: a die, throw: '"1d6"'}]"""), f"move {CARS} to=0401", "chance", "2/3"),
    Case("Amount.forbid", walk(allowance='[{set: 2}, {text: stuck, rule: "9", forbid: true}]'), f"move {CARS}", "refused.0.rule", "9"),
    Case("Step.cost", walk("{text: the ground, cost: 2}"), f"move {CARS} to=0102", "cost", 2),
    Case("Step.add", walk(f"{GROUND}, {{text: a hill, when: to.hill, add: 1/2}}"), f"move {CARS} to=0102", "cost", "3/2"),
    Case("Step.multiply", walk("{text: the ground, cost: 2}, {text: a hill, when: to.hill, multiply: 2}"), f"move {CARS}",
         "places.=0102.cost", 4),
    Case("Step.harm", BACK.replace("[{", "[{text: the track, when: to.track, harm: 1}, {"), f"retreat {BLUE} hexes=1",
         "units.0.ways.=0201.harm", 1),
    Case("Step.stop", walk(f"{GROUND}, {{text: the track, when: to.track, stop: true}}"), f"move {CARS}", "places.=0201.stops", True),
    Case("Step.forbid", walk(f'{{text: the wadi, rule: "2", when: over.wadi, forbid: true}}, {GROUND}'), f"move {CARS} to=0301",
         "refused.0.rule", "2"),
    Case("Gate.forbid Walk.who", walk(more=', who: [{text: a gun, rule: "3", when: fires_far, forbid: true}]'), f"move {GUN}",
         "refused.0.rule", "3"),
    Case("Gate.allow Walk.ends", walk(more=", ends: [{text: a well, when: to.well, allow: true}]"), f"move {CARS}",
         "places.=0201.may_end", False),
    Case("Demand.that Rules.stacking", "stacking: [{text: one, rule: '4', that: count(stack) <= 1}]",
         "stack at=0101 unit=cars/15 scenario=none put=cars/14@0101", "may", False),
    # Walks.
    Case("Walk.allowance Rules.movement", WALK, f"move {GUN} to=0303", "refused.0.text",
         "Field gun can't reach 0303: it is 3 points away and there are 2"),
    Case("Walk.steps", WALK, f"move {CARS} to=0401", "cost", 3),
    Case("Walk.length", "advance: {on: {length: 2}}", f"advance {CARS}", "allowance", 2),
    Case("Walk.modes", walk('{text: by road, when: mode == "road", cost: 1/2}, {text: off it, when: mode == "open", cost: 1}',
         more=', modes: {road: over.track, open: "true"}'), "move unit=cars/14@0102 scenario=none to=0401", "cost", "3/2"),
    Case("Walk.minimum Minimum.hexes", walk("{text: mud, cost: 9}", more=", minimum: {text: two hexes, hexes: 2}"), f"move {GUN}",
         "places.=0301.may_end", True),
    Case("Walk.as_", walk("{text: wheels, when: class == \"wheels\", cost: 2}, {text: feet, when: class == \"foot\", cost: 1}",
         more=", as: {class: foot}"), f"move {CARS} to=0102", "cost", 1),
    Case("Walk.harm", "retreat: {back: {length: 1, harm: steps, steps: [{text: fire, harm: 1}]}}", "retreat unit=gun@0202 scenario=none",
         "units.0.eliminated", "1"),
    Case("Walk.prefer", "retreat: {back: {length: 1, prefer: least_harm, steps: [{text: the track, when: to.track, harm: 1}]}}",
         f"retreat {BLUE}", "units.0.fates.0.ends", ["0302", "0103", "0203", "0303"]),
    Case("Walk.title", WALK, "page", "0.parts.0.title", "Walk"),
    Case("Walk.note", walk(more=", note: One each turn."), "rules turn", "rules.0.text", "One each turn."),
    Case("Walk.phases", walk(more=", phases: [red_move]"), "page", "0.parts.0.notes", ["In “Red moves”."]),
    # The whole section.
    Case("Rules.lists", 'lists: {dry: [{text: the wadi, rule: "2", when: over.wadi, forbid: true}]}\n' + walk(f"dry, {GROUND}"),
         f"move {CARS} to=0301", "refused.0.rule", "2"),
    Case("Rules.values", "values: {dear: 'if(to.hill, 3, 1)'}\n" + walk("{text: the ground, cost: dear}"), f"move {CARS} to=0102", "cost", 3),
    Case("Rules.units", "units: {heavy: movement < 3}\n" + walk("{text: the ground, cost: 'if(heavy, 2, 1)'}"), f"move {GUN} to=0102",
         "cost", 2),
    Case("Rules.height", "height: if(to.hill, 2, 0)\n" + walk(f"{GROUND}, {{text: uphill, when: over.rise > 0, add: over.rise}}"),
         f"move {CARS} to=0102", "cost", 3),
    Case("Rules.present", "present: class != \"wheels\"\n" + walk(f"{{text: the enemy, when: to.enemy, forbid: true}}, {GROUND}"),
         "move unit=infantry_blue/21@0101 scenario=none put=cars/14@0102 to=0102", "cost", 1),
    Case("Rules.standing", "standing: [{text: too steep, rule: '8', that: not to.hill}]\n" + WALK,
         "move unit=cars/14@0102 scenario=none", "refused.0.rule", "8"),
    Case("Rules.control", "control: id == \"flag\"\nvictory: {points: [{text: wells, side: red, places: to.well and to.control == \"red\", "
         "points: 1}]}", "score scenario=none put=flag@0202", "scores.=wells.points", 1, FLAG),
    Case("Rules.holder", "holder: if(to.west, \"red\", \"blue\")\nvictory: {points: [{text: wells, side: red, "
         "places: to.well and to.control == \"red\", points: 1}]}", "score scenario=none", "scores.=wells.points", 1),
    Case("Rules.carry", "carry: [{text: only cars carry, rule: '5', that: type == \"cars\"}, {text: one, rule: '6', that: count(load) <= 1}]",
         "carry unit=cars/14 load=infantry_red/11,infantry_red/12", "may", False),
    # What questions are told.
    Case("Rules.inputs Told.title", "inputs: {mud: {title: Is it muddy?}}\n" + walk(f"{GROUND}, {{text: mud, when: told.mud, add: 1}}"),
         f"move {CARS} to=0102 mud=yes", "cost", 2),
    Case("Told.kind Told.default", "inputs: {mud: {title: How deep?, kind: number, default: 2}}\n"
         + walk(f"{GROUND}, {{text: mud, add: told.mud}}"), f"move {CARS} to=0102", "cost", 3),
    Case("Told.choices", "inputs: {sky: {title: Weather?, kind: text, choices: [dry, wet]}}\n"
         + walk(f'{GROUND}, {{text: mud, when: told.sky == "wet", add: 1}}'), f"move {CARS} sky=snow", "said",
         "sky: there is no 'snow'; write one of dry, wet"),
    Case("Told.needed", "inputs: {mud: {title: Is it muddy?, needed: true}}\n" + walk(f"{GROUND}, {{text: mud, when: told.mud, add: 1}}"),
         f"move {CARS}", "said", "move needs mud, Is it muddy?: mud=yes"),
    Case("Told.state", "inputs: {dug: {title: Dug in?, state: dug_in}}\n" + walk(f"{GROUND}, {{text: dug in, when: dug_in, add: 1}}"),
         f"move {CARS} to=0102 dug=yes", "cost", 2),
    Case("Told.track", "inputs: {hour: {title: Which hour?, kind: number, track: turn}}\n" + walk(f"{GROUND}, {{text: late, add: told.hour}}"),
         f"move {CARS} to=0102 put=turn@box:turn/3", "cost", 4),
    # Zones, spans, room.
    Case("Rules.zones", "zones: {zoc: {}}\n" + walk(f"{GROUND}, {{text: the enemy is near, when: to.zoc, stop: true}}"),
         f"move {CARS} put=gun@0302", "places.=0201.stops", True),
    Case("Zone.has", "zones: {zoc: {has: not fires_far}}\n" + walk(f"{GROUND}, {{text: the enemy is near, when: to.zoc, stop: true}}"),
         f"move {CARS} put=gun@0302", "places.=0201.stops", False),
    Case("Zone.steps", "zones: {zoc: {steps: [{text: the wadi, when: over.wadi, forbid: true}]}}\n"
         + walk(f"{GROUND}, {{text: the enemy is near, when: to.zoc, stop: true}}"), f"move {CARS} put=gun@0302", "places.=0201.stops", False),
    Case("Zone.length", "zones: {zoc: {length: 2}}\n" + walk(f"{GROUND}, {{text: the enemy is near, when: to.zoc, stop: true}}"),
         f"move {CARS} put=gun@0302", "places.=0102.stops", True),
    Case("Zone.own_place", "zones: {zoc: {own_place: true}}\n" + walk(f"{GROUND}, {{text: the enemy, when: to.zoc, add: 2}}"),
         f"move {CARS} put=gun@0102", "places.=0102.cost", 3),
    Case("Zone.title", "zones: {zoc: {title: Control}, eyes: {title: Sight}}", "page", "0.parts.0.title", "Control"),
    Case("Zone.note", "zones: {zoc: {note: At night it reaches nobody.}}", "rules night", "rules.0.text", "At night it reaches nobody."),
    Case("Rules.spans Span.of Span.over", "spans: {bridge: {of: 'id == \"flag\"', over: [wadi]}}\n"
         + walk(f"{{text: no bridge, when: over.wadi and not over.own_bridge, forbid: true}}, {GROUND}"),
         "move unit=cars/14@0202 scenario=none put=flag@0202 to=0302", "cost", 1, FLAG),
    Case("Span.toward", "spans: {bridge: {of: 'id == \"flag\"', over: [wadi], toward: [south]}}\n"
         + walk(f'{{text: no bridge, rule: "2", when: over.wadi and not over.own_bridge, forbid: true}}, {GROUND}'),
         "move unit=cars/14@0202 scenario=none put=flag@0202 to=0302", "refused.0.rule", "2", FLAG),
    Case("Span.stands", "spans: {bridge: {of: 'id == \"flag\"', over: [wadi], stands: from.village or to.village}}\n"
         + walk(f'{{text: no bridge, rule: "2", when: over.wadi and not over.own_bridge, forbid: true}}, {GROUND}'),
         "move unit=cars/14@0202 scenario=none put=flag@0202 to=0302", "refused.0.rule", "2", FLAG),
    Case("Span.text", "spans: {bridge: {text: over the wadi, of: 'id == \"flag\"', over: [wadi]}}", "page", "0.parts.0.notes",
         ["Over the wadi."], FLAG),
    Case("Span.note", "spans: {bridge: {note: It burns., of: 'id == \"flag\"', over: [wadi]}}", "rules burns", "rules.0.text", "It burns.", FLAG),
    # Supply and command.
    Case("Rules.supply Supply.traces Origin.places Trace.from_", "supply: {traces: {water: {text: from a well, from: {places: to.well}}}}",
         "supply scenario=none put=cars/14@0203", "sides.0.units.0.path", ["0202", "0203"]),
    Case("Trace.text", "supply: {traces: {water: {text: from a well, from: {places: to.well}}}}", "supply scenario=none put=cars/14@0101",
         "sides.0.units.0.why", "from a well"),
    Case("Trace.for_", "supply: {traces: {water: {text: from a well, for: class == \"foot\", from: {places: to.well}}}}",
         "supply scenario=none put=cars/14@0101", "sides.0.out", ["cars/14"]),
    Case("Trace.near", "supply: {traces: {water: {text: from a well, near: 1, length: 1, from: {places: to.west_well}}}}",
         "supply scenario=none put=cars/14@0101", "sides.0.supplied", ["cars/14"]),
    Case("Origin.units", "supply: {traces: {cars: {text: from the cars, from: {units: type == \"cars\"}}}}",
         "supply scenario=none put=cars/14@0101,infantry_red/11@0403", "sides.0.units.=infantry_red/11.cost", 4),
    Case("Origin.serves", "supply: {traces: {cars: {text: from the cars, from: {units: type == \"cars\", "
         "serves: source.class == class}}}}", "supply scenario=none put=cars/14@0101,infantry_red/11@0403", "sides.0.out", ["infantry_red/11"]),
    Case("Supply.free", "supply: {free: [{text: camels, rule: '6', when: type == \"camels\"}], traces: {water: {text: from a well, length: 1, "
         "from: {places: to.well}}}}", "supply scenario=none put=camels/23@0101", "sides.0.units.0.rule", "6"),
    Case("Supply.out", "supply: {out: dry, traces: {water: {text: from a well, length: 1, from: {places: to.well}}}}",
         "supply scenario=none put=cars/14@0101", "sides.0.state", "dry"),
    Case("Supply.none", "supply: {none: {text: an island, rule: '7'}, traces: {water: {text: from a well, from: {places: to.well}, "
         "steps: [{text: the track, when: to.track, forbid: true}]}}}", "supply scenario=none put=cars/14@0401", "sides.0.units.0.why", "an island"),
    Case("Supply.prefer", "supply: {prefer: cheapest, traces: {far: {text: from the west, from: {places: to.west_well}}, "
         "near: {text: from the east, from: {places: to.east_well}}}}", "supply scenario=none put=cars/14@0401", "sides.0.units.0.by", "near"),
    Case("Supply.cut_by_zones", "zones: {zoc: {}}\nsupply: {cut_by_zones: true, traces: {water: {text: from a well, from: {places: to.east_well}, "
         "steps: [{text: the enemy, when: to.enemy or to.zoc, forbid: true}]}}}", "supply scenario=none put=cars/14@0101",
         "sides.0.cuts.0.place", "0201"),
    Case("Rules.command Command.of", "command: {staff: {of: type == \"cars\", length: 1}}\n"
         + walk(f"{GROUND}, {{text: alone, when: not commanded, add: 1}}"), "move unit=infantry_red/11@0201 scenario=none put=cars/14@0101 to=0202",
         "cost", 1),
    Case("Command.serves", "command: {staff: {of: type == \"cars\", length: 1, serves: source.class == class}}\n"
         + walk(f"{GROUND}, {{text: alone, when: not commanded, add: 1}}"), "move unit=infantry_red/11@0201 scenario=none put=cars/14@0101 to=0202",
         "cost", 2),
    Case("Command.free", "command: {staff: {of: type == \"cars\", length: 1, free: [{text: it acts alone, when: type == \"infantry\"}]}}\n"
         + walk(f"{GROUND}, {{text: alone, when: not commanded, add: 1}}"), "move unit=infantry_red/11@0403 scenario=none put=cars/14@0101 to=0402",
         "cost", 1),
    Case("Command.text", "command: {staff: {text: near the cars, of: type == \"cars\", length: 1}}", "page", "0.parts.0.title", "Near the cars"),
    # Retreats and advances.
    Case("Rules.retreat", BACK, f"retreat {BLUE} hexes=1", "units.0.fates.0.outcome", "unharmed"),
    Case("Retreat.fate Fate.stay", BACK.replace("{length", "{fate: [{text: dug in, rule: '5', when: to.well, stay: true}], length"),
         f"retreat {BLUE}", "units.0.fate.0.rule", "5"),
    Case("Fate.may_stay", BACK.replace("{length", "{fate: [{text: dug in, rule: '5', when: to.well, may_stay: true}], length"),
         f"retreat {BLUE}", "units.0.may_stay.0.rule", "5"),
    Case("Fate.lost", BACK.replace("{length", "{fate: [{text: cut off, rule: '5', when: to.well, lost: true}], length"),
         f"retreat {BLUE}", "units.0.fate.0.rule", "5"),
    Case("Retreat.none NoWay.lose", "retreat: {back: {length: 1, none: {text: no way, rule: '6', lose: 1}, "
         "steps: [{text: no, forbid: true}]}}", f"retreat {BLUE}", "units.0.none.0.text", "no way: it loses 1"),
    Case("Retreat.room", "stacking: [{text: one, that: count(stack) <= 1}]\nretreat: {back: {length: 1, room: any, ends: stacking}}",
         "retreat unit=gun@0101 scenario=none put=camels/23@0102,camels/24@0201", "units.0.fates.0.ends", ["0201", "0102"]),
    Case("Retreat.further", "stacking: [{text: one, that: count(stack) <= 1}]\nretreat: {back: {length: 1, further: 1, ends: stacking, "
         "steps: [{text: closer, when: not farther, forbid: true}]}}", "retreat unit=gun@0403 scenario=none put=camels/23@0402,camels/24@0303",
         "units.0.fates.0.ends", ["0401", "0202", "0302", "0203"]),
    Case("Retreat.toward Goal.one", "retreat: {back: {length: 1, toward: {home: {text: to the village, one: to.village}}}}", f"retreat {BLUE}",
         "units.0.fates.0.ends", ["0201", "0302"]),
    Case("Goal.aims Aim.nearest", "retreat: {back: {length: 1, toward: {home: {text: home, aims: [{nearest: to.hill}]}}}}",
         "retreat unit=gun@0303 scenario=none", "units.0.fates.0.ends", ["0402"]),
    Case("Aim.any", "retreat: {back: {length: 1, toward: {home: {text: home, aims: [{any: to.hill}]}}}}",
         "retreat unit=gun@0303 scenario=none", "units.0.fates.0.ends", ["0202", "0402"]),
    Case("Aim.when", "retreat: {back: {length: 1, toward: {home: {text: home, aims: [{when: from.well, any: to.hill}, {any: to.village}]}}}}",
         "retreat unit=gun@0303 scenario=none", "units.0.fates.0.ends", ["0302"]),
    Case("Retreat.together", "stacking: [{text: one, that: count(stack) <= 1}]\nretreat: {back: {length: 1, together: true, ends: stacking, "
         "steps: [{text: the well, when: to.well, forbid: true}]}}", "retreat unit=gun@0401,camels/23@0401 scenario=none put=camels/24@0402",
         "units.1.eliminated", "1"),
    Case("Rules.advance", "advance: {on: {length: 1}}", f"advance {CARS}", "allowance", 1),
    # Acts and entry.
    Case("Rules.acts Act.title Act.steps", walk() + "\nacts: {overrun: {title: Overrun, steps: [{text: over them, rule: '8', cost: 2}]}}",
         f"move {CARS} put=gun@0201", "acts.0.title", "Overrun"),
    Case("Act.of", "movement: {move: {allowance: movement, steps: [{text: the ground, cost: 1}]}, rush: {allowance: movement, steps: "
         "[{text: the ground, cost: 1}]}}\nacts: {overrun: {title: Overrun, of: [rush], steps: [{text: over them, cost: 2}]}}",
         f"move {CARS} put=gun@0201 kind=move", "acts", []),
    Case("Act.note", walk() + "\nacts: {overrun: {title: Overrun, note: Once a turn., steps: [{text: over them, cost: 2}]}}", "rules once",
         "rules.0.text", "Once a turn."),
    Case("Rules.entry Entries.ways EntryWay.to", "entry: {ways: {ferry: {to: to.west}}}", "entry unit=cars/14 scenario=none", "ways.0.reach.0.place", "0101"),
    Case("EntryWay.title", "entry: {ways: {ferry: {title: by ferry, to: to.west}}}", "entry unit=cars/14 scenario=none", "ways.0.way", "by ferry"),
    Case("EntryWay.note", "entry: {ways: {ferry: {note: at dawn, to: to.west}}}", "entry unit=cars/14 scenario=none", "ways.0.note", "at dawn"),
    Case("EntryWay.who", "entry: {ways: {ferry: {who: [{text: no guns, when: fires_far, forbid: true}], to: to.west}}}",
         "entry unit=gun scenario=none", "ways", []),
    Case("EntryWay.assault", "entry: {ways: {ferry: {assault: fighting, to: to.west}}}", "entry unit=cars/14 scenario=none put=gun@0101",
         "ways.0.assault.0.place", "0101"),
    Case("Entries.limits", "entry: {ways: {ferry: {to: to.west}}, limits: {boats: 2}}", "entry unit=cars/14 scenario=none", "limits.boats", 2),
    Case("Entries.notes", "entry: {ways: {ferry: {to: to.west}}, notes: [{text: by night, rule: '9'}]}", "entry unit=cars/14 scenario=none",
         "lines.1.rule", "9"),
    Case("Entries.lost", "entry: {ways: {ferry: {to: to.west}}, lost: {text: it is gone, rule: '9'}}",
         "entry unit=gun scenario=none put=gun@box:lost", "refused.0.rule", "9"),
    # Battles.
    Case("Rules.results ResultRule.to ResultRule.lose", fight("{text: a step, to: defenders, lose: result}"), FIGHT,
         "results.=D1.units.=infantry_blue/21.steps", 1),
    Case("ResultRule.eliminate", fight("{text: gone, to: defenders, eliminate: true}"), FIGHT,
         "results.=D1.units.=infantry_blue/21.eliminated", True),
    # Blue's attack is worth 3: the infantry alone is worth that. Its defense is worth 5: infantry 4 and cars 3 are needed.
    Case("ResultRule.exchange", fight("{text: gone, to: defenders, eliminate: true}, {text: for it, to: attackers, exchange: attack}"), FIGHT,
         "results.=D1.units.=infantry_red/11.eliminated", True),
    Case("ResultRule.exchange", fight("{text: gone, to: defenders, eliminate: true}, {text: for it, to: attackers, exchange: defense}"), FIGHT,
         "results.=D1.units.=cars/14.eliminated", True),
    Case("ResultRule.set", fight("{text: dry, to: defenders, set: dry}"), FIGHT, "results.=D1.units.=infantry_blue/21.states", ["dry"]),
    Case("ResultRule.clear", fight("{text: dug out, to: defenders, clear: dug_in}"), FIGHT + " mark=infantry_blue/21+dug_in",
         "results.=D1.units.=infantry_blue/21.clears", ["dug_in"]),
    Case("ResultRule.retreat", fight("{text: back, to: defenders, retreat: 1}", BACK), FIGHT, "results.=D1.units.=infantry_blue/21.ends",
         ["0302", "0303", "0203", "0103", "0102"]),
    Case("ResultRule.advance", fight("{text: gone, to: defenders, eliminate: true}, {text: on, to: attackers, advance: true}",
         "advance: {on: {length: 1}}"), FIGHT, "results.=D1.units.=cars/14.advances", ["0202"]),
    Case("ResultRule.hexes", fight("{text: gone, to: defenders, eliminate: true}, {text: on, to: attackers, advance: true, hexes: 2}",
         "advance: {on: {length: result}}"), FIGHT, "results.=D1.units.=cars/14.advances", ["0202", "0102", "0302", "0103", "0203", "0303"]),
    Case("ResultRule.kind", fight("{text: gone, to: defenders, eliminate: true}, {text: on, to: attackers, advance: true, kind: far}",
         "advance: {on: {length: 1, who: [{text: no, forbid: true}]}, far: {length: 1}}"), FIGHT, "results.=D1.units.=cars/14.advances", ["0202"]),
    Case("ResultRule.who", fight("{text: the weakest, to: attackers, lose: 1, who: weakest}"), FIGHT, "results.=D1.units.=cars/14.steps", None),
    Case("ResultRule.by", fight("{text: the quickest, to: attackers, lose: 1, who: weakest, by: 9 - movement}"), FIGHT,
         "results.=D1.units.=cars/14.steps", 1),
    Case("ResultRule.first", fight("{text: the owner, to: attackers, lose: 1, who: strongest, by: '1', first: type == \"infantry\"}"), FIGHT,
         "results.=D1.units.=infantry_red/11.steps", 1),
    Case("ResultRule.many", fight("{text: one of them, to: attackers, set: dry, many: 1}"), FIGHT, "results.=D1.units.1", None),
    Case("ResultRule.instead", fight("{text: back, to: defenders, retreat: 1, instead: 1}",
         "retreat: {back: {length: result, steps: [{text: no, forbid: true}]}}"), FIGHT, "results.=D1.units.=infantry_blue/21.steps", 1),
    Case("Rules.attacking Attacking.may", "attacking: {may: [{text: only cars, rule: '3', that: type == \"cars\"}]}", FIGHT, "refused.0.rule", "3"),
    Case("Attacking.together", "attacking: {together: [{text: one attacker, rule: '4', that: count(attackers) == 1}]}", FIGHT,
         "refused.0.rule", "4"),
    Case("Attacking.must Duty.attack", "attacking: {must: [{text: near a well, rule: '5', when: to.track, attack: true}]}",
         "attacks side=red scenario=none put=cars/14@0201,gun@0202", "sides.0.must.0.rule", "5"),
    Case("Duty.attacked", "attacking: {must: [{text: in a well, rule: '6', when: to.well, attacked: true}]}",
         "attacks side=red scenario=none put=cars/14@0201,gun@0202", "sides.0.must.0.rule", "6"),
    # Turns.
    Case("Rules.turn TurnRule.set", "turn: [{text: no water, when: not to.well, set: dry}]", "turn scenario=none put=cars/14@0201",
         "phases.4.happens.0.sets", "dry"),
    Case("TurnRule.clear", "turn: [{text: water, when: to.well, clear: dry}]", "turn scenario=none put=cars/14@0202 mark=cars/14+dry",
         "phases.4.happens.0.clears", "dry"),
    Case("TurnRule.phases", "turn: [{text: no water, phases: [red_move], set: dry}]", "turn scenario=none put=cars/14@0201",
         "phases.0.happens.0.sets", "dry"),
    Case("TurnRule.side", "turn: [{text: no water, side: blue, set: dry}]", "turn scenario=none put=cars/14@0201,gun@0302",
         "phases.4.happens.0.units", ["gun"]),
    Case("TurnRule.throw TurnRule.needs", "turn: [{text: no water, throw: 1d6, needs: roll <= 2, set: dry}]", "turn scenario=none put=gun@0302",
         "phases.4.happens.0.units.0.chance", "1/3"),
    Case("TurnRule.lose", "turn: [{text: thirst, when: not to.well, lose: 1}]", "turn scenario=none put=cars/14@0201",
         "phases.4.happens.0.units", ["cars/14"]),
    Case("TurnRule.restore", "turn: [{text: fresh men, when: to.well, restore: 2}]",
         "turn scenario=none put=infantry_red/11@0202,infantry_red/12@0202 mark=infantry_red/11+reduced,infantry_red/12+reduced",
         "phases.4.happens.0.restore", "2"),
    Case("TurnRule.gain", "turn: [{text: supplies, gain: turn + 1}]", "turn scenario=none turn=3", "phases.4.happens.0.gain", 4),
    # In the column 3-1 of the table two faces of the die are D2, two D1 and two nothing.
    Case("TurnRule.table TurnRule.column", "turn: [{text: weather, table: combat, column: '\"3-1\"'}]", "turn scenario=none",
         "phases.4.happens.0.chances.D2", "1/3"),
    Case("TurnRule.draw", "turn: [{text: a chit, draw: {red: 3, blue: 1}}]", "turn scenario=none", "phases.4.happens.0.chances.red", "3/4"),
    # Of 36 throws Red's is higher in 15; with 1 more in 21, and 6 are ties.
    Case("TurnRule.contest", "turn: [{text: first, contest: {red: 1d6+1, blue: 1d6}}]", "turn scenario=none",
         "phases.4.happens.0.chances.Red", "7/12"),
    Case("TurnRule.end", "turn: [{text: night, throw: 1d6, needs: roll == 6, end: true}]", "turn scenario=none",
         "phases.4.happens.0.chances.the game ends", "1/6"),
    # Victory.
    Case("Rules.victory VictoryRules.points Points.side Points.of Points.points", "victory: {points: [{text: cars, side: red, "
         "of: type == \"cars\", points: attack}]}", "score scenario=none put=cars/14@0101,cars/15@0102", "scores.=cars.points", 10),
    Case("Points.lost", "victory: {points: [{text: camels, side: red, lost: type == \"camels\", points: 4}]}", "score scenario=none",
         "scores.=camels.points", 8),
    Case("Points.places", "victory: {points: [{text: wells, side: red, places: to.well and to.friend, points: 2}]}",
         "score scenario=none put=cars/14@0202,cars/15@0302", "scores.=wells.points", 4),
    Case("Points.wins", "victory: {points: [{text: all wells, side: red, when: control.west_well == \"red\", wins: true}]}",
         "score scenario=none put=cars/14@0202", "won.0.side", "red"),
    Case("Points.needs Need.that", "victory: {points: [{text: a march, side: red, points: 3, needs: [{text: not at noon, that: turn > 3}]}]}",
         "score scenario=none turn=2", "scores.=a march.points", 0),
    Case("Need.among", "victory: {points: [{text: a march, side: red, points: 3, needs: [{text: on both wells, among: to.well, that: to.friend}]}]}",
         "score scenario=none put=cars/14@0202", "scores.=a march.points", 0),
    Case("Need.least", "victory: {points: [{text: a march, side: red, points: 3, needs: [{text: on a well, among: to.well, that: to.friend, "
         "least: 1}]}]}", "score scenario=none put=cars/14@0202", "scores.=a march.points", 3),
    Case("Need.amount", "victory: {points: [{text: a march, side: red, points: 3, needs: [{text: three units, amount: count(units), least: 3}]}]}",
         "score scenario=none put=cars/14@0202", "scores.=a march.points", 0),
    # All of Red is gone (5) and Blue is at a well (3): a lead of 8, for Red of -8. With two of Blue gone 8 to 2: 6 more, or four times.
    Case("VictoryRules.levels", "victory: {levels: levels}", "score scenario=none put=infantry_blue/21@0101,infantry_blue/22@0101,camels/23@0102,camels/24@0102,gun@0202",
         "level", "crushing", LEVELS),
    Case("VictoryRules.of", "victory: {levels: levels, of: red}", "score scenario=none put=infantry_blue/21@0101,infantry_blue/22@0101,camels/23@0102,camels/24@0102,gun@0202",
         "level", "none", LEVELS),
    Case("VictoryRules.lead", "victory: {levels: levels, lead: ratio}", "score scenario=none put=camels/23@0102,camels/24@0102,gun@0202",
         "level", "narrow", LEVELS),
    Case("VictoryRules.missing", "victory: {missing: unknown}", "score scenario=none put=gun@box:lost", "totals.red", 1),
    # Sight.
    Case("Rules.sight Sight.hexes SightRule.block", "sight: {hexes: [{text: a hill, when: hex.hill, block: true}]}", "los 0101 0103", "clear", False),
    Case("Sight.sides", "sight: {sides: [{text: the wadi, when: over.wadi, block: true}]}", "los 0201 0302", "clear", False),
    Case("Sight.ends", "sight: {ends: [{text: from a hill, when: from.hill, block: true}]}", "los 0102 0103", "clear", False),
    Case("SightRule.shield", "sight: {sides: [{text: the wadi, when: over.wadi, shield: to}]}", "los 0201 0302", "hull_down.target", ["0201/0302"]),
    Case("SightRule.degrade Sight.most", "sight: {most: 0, hexes: [{text: dust, when: hex.hill, degrade: 1}]}", "los 0101 0103", "clear", False),
    Case("Sight.limit", "sight: {limit: 1}", "los 0101 0103", "clear", False),
    Case("Sight.observers", "sight: {observers: {gun: fires_far, man: 'true'}, hexes: [{text: a hill, when: 'hex.hill and viewer == \"gun\"', "
         "block: true}]}", "los 0101 0103 viewer=gun", "clear", False),
    # From 0101 to 0202 the line runs along the hexside of 0102 and 0201: the hill is one of the two beside it.
    Case("Sight.along Meeting.needs", "sight: {along: {needs: 2}, hexes: [{text: a hill, when: hex.hill, block: true}]}", "los 0101 0202",
         "clear", True),
    Case("Sight.spotting", "sight: {spotting: [{text: it hides, rule: '7', when: to.village, that: distance == 1}]}",
         "los 0101 scenario=none put=cars/14@0101,gun@0301", "in_view.0.spotted", False),
    Case("Sight.title", "sight: {title: Lines, limit: 1}", "page", "0.title", "Lines"),
    Case("Sight.note", "sight: {note: Dusk comes early., limit: 1}", "rules dusk", "rules.0.text", "Dusk comes early."),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.keys for case in CASES])
def test_a_key_does_what_it_says(case: Case, tmp_path: Path) -> None:
    game = small(tmp_path, case.rules, case.more)
    words = case.asked.split()
    assert part(asked(game, words), case.path) == case.answer, asked(game, words)
    for key in case.keys.split():
        assert part(asked(lacking(game, key), words), case.path) != case.answer, f"the answer is the same without {key}"
