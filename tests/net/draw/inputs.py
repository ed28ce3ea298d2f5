"""Every input of every question told at least a few times, on top of questions that were drawn without it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from scenarios.model.game import Game
from tests.net.adapter import input_names
from tests.net.draw.sheet import Case, Land, Sheet, WrittenPosition

INPUT_REPEATS = 5
"""How often an input is told."""
YES_OR_NO = ("yes", "no")
FILES = ("battle", "check", "log", "position", "words")
"""What isn't told by a word."""

# {unit}, {key} (a unit with its number), {other}, {place}, {near} and {far} are those of the position.
PUT = {"put": ("{unit}@{near}", "{other}@{far}"), "gone": ("{unit}", "{unit},{other}"), "turn": ("2", "3", "5")}
SOMEBODY = {
    "unit": ("{unit}", "{other}"),
    "from": ("{place}", "{near}"),
    "to": ("{near}", "{far}"),
    "hex": ("{place}", "{near}"),
    "at": ("{place}",),
}
VALUES: Mapping[str, Mapping[str, Sequence[str]]] = {
    "yom_kippur": {
        **PUT, **SOMEBODY, "mark": ("{unit}+disorganized", "{unit}+out_of_supply", "{unit}+reduced", "{unit}+bridge"),
        "target": ("{place}",),
        "attackers": ("{unit},{other}", "nir_arm_bde_a+disorganized,rami_mech_bde_a"), "defenders": ("inf_2_4", "mech_90+reduced,arm_15"),
        "targets": ("{place},{near}",), "scenario": ("4.1", "4.3", "4.6"), "terrain": ("open", "rough", "city", "swamp"),
        "israeli_air": ("2",), "egyptian_air": ("2",), "sam_zone_air": ("1",), "side": ("israeli", "egyptian"), "aim": ("hexes",),
        "price": ("1/2", "2"), "attack": ("ground", "barrage"), "taken": ("{near}",), "phase": ("movement", "exploitation"),
        "control": ("{near}:israeli",), "ignored": ("egyptian:2",), "world_war": ("israeli",), "available": ("3",), "turns": ("1", "3"),
        "steps": ("0", "4"), "shifted": ("{unit}",),
    },
    "six_day_war": {
        **PUT, **SOMEBODY, "mark": ("{unit}+disintegrated", "{unit}+utilized"), "scenario": ("standard", "none"), "target": ("{place}",),
        "attackers": ("{unit},{other}",), "defenders": ("{unit}", "{other}"), "table": ("mobile", "assault"), "strengths": ("20:12",),
        "shift": ("-1", "1"), "disintegrated": ("sinai", "eastern"), "side": ("israeli", "arab"), "front": ("sinai", "eastern"),
        "hexes": ("1", "2", "panic"), "die": ("1", "4"), "control": ("{near}:israeli", "gaza:israeli"), "spent": ("sinai:12,eastern:3",
        "7"),
        "air_defense": ("sinai:0,eastern:2",), "superiority": ("3",), "special_forces": ("1",), "ground": ("2",), "level": ("2",),
        "barrages": ("2",), "first": ("levels", "barrages"), "airstrikes": ("1", "3"), "plan": ("forced_march:1",), "more": ("2:-3",),
        "wishes": ("airstrike",),
        "event": ("3", "9", "10"), "scores": ("2:3,3:5",),
    },
    "musketeer": {
        **PUT, **SOMEBODY, "mark": ("{unit}+disrupted", "{unit}+direct_assault"), "scenario": ("standard", "none"),
        "attackers": ("{unit}", "gd_britain+disrupted,re_britain"), "defenders": ("{other}", "bde_4_egypt"), "terrain": ("city", "rough"),
        "across": ("suez_canal", "river"), "cas": ("1", "2"), "fire_at": ("1", "2"), "attacker_guerrilla": ("1",),
        "defender_guerrilla": ("0", "2"),
        "attacker_losses": ("weakest", "listed"), "defender_losses": ("strongest", "spread"), "mission": ("superiority", "bombardment"),
        "attacker": ("israel:2",), "defender": ("egypt:3",), "units": ("2*airstrike_britain", "3"),
        "targets": ("bde_4_egypt,garrison_egypt",),
        "index": ("35", "48"), "markers": ("command_us,command_ussr",), "later": ("command_us",), "turns": ("2", "3"),
        "committed": ("ussr,us",),
        "used": ("command_musketeer",), "banned": ("command_us",), "libya": ("2",), "roll": ("9", "4"), "cleared": ("{near}",),
        "nation": ("egypt", "us"),
        "kind": ("ground", "air"), "impulses": ("2",), "side": ("west", "east"),
    },
    "october_war": {
        **SOMEBODY, "turn": ("1", "2"), "scenario": ("standard",), "mission": ("ground", "recon"), "israel": ("8",), "weasels": ("1",
        "2"), "egypt": ("4",),
        "syria": ("3",), "israel_others": ("2",), "arab_others": ("2",), "nation": ("israel", "egypt", "syria"), "tac": ("1", "3"),
        "ssm": ("1",),
        "sites": ("1", "2"), "sites_here": ("1",), "sead": ("1",), "point": ("{place}",), "at": ("{place}",), "terrain": ("town",
        "israeli_fort_sinai"),
        "side": ("arab", "israeli"), "strength": ("6", "12"), "class": ("mechanized", "non_mechanized"), "targets": ("armor_brigade",
        "mech_brigade_egypt"),
        "headquarters": ("1", "3"), "across": ("suez_canal", "lake_crossing"), "shift": ("1", "-2"),
        "wishes": ("hq_143,2*armor_battalion",),
        "kept": ("4",), "how": ("mobilize", "refit"), "armor_battalion": ("3",), "mech_battalion": ("2",), "more": ("3:+4",),
        "units": ("2",),
        "turns": ("3",), "attackers": ("armor_brigade,hq_143",), "defenders": ("garrison", "armored_brigade_syria"), "attacker_hq": ("1",),
        "defender_hq": ("2",), "attacker_shift": ("1",), "defender_shift": ("-1",), "contingent": ("egypt", "syria"), "echelon": ("1", "2"),
        **{f"{side}_losses": ("weakest", "keep_large", "strongest", "listed") for side in ("attacker", "defender")},
        **{f"{side}_retreats": ("obey", "stand") for side in ("attacker", "defender")},
        **{f"{side}_dodge": ("never", "last", "always") for side in ("attacker", "defender")},
        **{f"{side}_leave": ("1/2",) for side in ("attacker", "defender")}, "israeli": ("7",), "egyptian": ("9",), "syrian": ("12",),
    },
    "arab_israeli_wars": {
        **SOMEBODY, "at": ("{place}", "{near}"), "firers": ("{unit}", "{key}"), "targets": ("{unit}", "{other}"), "side": ("israeli",
        "arab"),
        "aim": ("kills", "{place}"), "attack": ("direct_fire", "indirect_fire", "close_assault", "interdiction"), "support": ("battery",),
        "path": ("{near}",), "passengers": ("infantry_egypt", "infantry_jordan"), "works": ("improved_position@{near}", "smoke@{near}",
        "fort"),
        "level": ("A", "C"), "turns": ("2", "8"), "tell": ("line:1=2", "line:3=1"), "copy": ("{copy}",), "states": ("inverted",
        "dispersed"),
        "boats": ("{near}=2",), "map": ("A", "B / A turned"), "rulings": ("dispersed_die=plus", "nonsense=1"), "scenario": ("S-9",
        "B-1", "A-3"),
        "viewer": ("infantry", "air"), "target": ("infantry", "air"), "hexes": ("{place},{near}",), "destructive": ("{key}",),
        "overrun": ("{near}",),
        "seen": ("yes", "no"),
    },
}  # fmt: skip


def every_input(sheet: Sheet, land: Land) -> None:
    """A few more questions for each input, put together from those that are there."""
    game = sheet.game
    rng = random.Random(f"{game.id} inputs")
    cases_by_question: dict[str, list[Case]] = {}
    for case in sheet.cases:
        cases_by_question.setdefault(case.question, []).append(case)
    for name, inputs in input_names(game).items():
        if name not in cases_by_question:
            continue
        for key in sorted(inputs - set(FILES)):
            for _ in range(INPUT_REPEATS):
                base = rng.choice(cases_by_question[name])
                value = rng.choice(VALUES[game.id].get(key, YES_OR_NO)).format(
                    **_words(rng, game, land, sheet.positions, base)
                )
                case_inputs = {
                    input_name: text
                    for input_name, text in base.inputs.items()
                    if key != "scenario" or input_name != "map"
                }
                sheet.cases.append(
                    Case(name, {**case_inputs, key: value}, -1 if key in ("scenario", "map") else base.at)
                )


def _words(
    rng: random.Random, game: Game, land: Land, positions: Sequence[WrittenPosition], base: Case
) -> dict[str, str]:
    """Units and places of a position, for values to be made of."""
    pieces = (
        [text for text in positions[base.at].pieces if text.partition("/")[0] in game.units] if base.at >= 0 else []
    )
    places = [text.partition("@")[2].partition("+")[0] for text in pieces]
    unit_places = [
        (text.partition("@")[0].partition("~")[0], place)
        for text, place in zip(pieces, places, strict=True)
        if place in land.next
    ]
    unit_places = unit_places or [(f"{rng.choice(list(game.units))}/1", rng.choice(land.dry)) for _ in range(2)]
    (key, place), (other_unit, _) = rng.choice(unit_places), rng.choice(unit_places)
    unit, _, copy = key.partition("/")
    neighbour = rng.choice(land.next.get(place) or land.dry)
    return {
        "unit": unit,
        "copy": copy,
        "key": f"{unit}#{copy}",
        "other": other_unit.partition("/")[0],
        "place": place,
        "near": neighbour,
        "far": rng.choice(land.places_within(place, 3)) if place in land.next else neighbour,
    }
