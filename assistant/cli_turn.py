"""The commands of a turn: odds, sight, moves, morale, supply and points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assistant.saying import FILE, WORDS, answer, ground_options, place_options
from scenarios.command import json_option, limit_option, load_game, overlay_options


@click.command()
@click.argument("game")
@click.argument("words", nargs=-1, metavar="[ATTACK] [GROUP=UNIT,UNIT+STATE... INPUT=VALUE]...")
@click.option("--battle", type=FILE, help="A battle file.")
@click.option("--scenario", default="", help="The start of a scenario.")
@click.option("--position", type=FILE, help="A position file, or a save of VASSAL; then:")
@click.option("--from", "from_", default="", metavar="HEX,HEX", help="where the attackers are,")
@click.option("--at", default="", metavar="HEX", help="the hex attacked (with --best, several),")
@click.option("--attack", default="", help="the kind of attack (else direct fire),")
@click.option("--firers", default="", metavar="UNIT,UNIT", help="only these attackers, as in t_62,t_55#5411,")
@click.option("--targets", default="", metavar="UNIT,UNIT", help="only these defenders,")
@click.option("--side", default="", help="whose units attack,")
@click.option("--support", multiple=True, help="a battery or air strike of the scenario, by name,")
@click.option("--destructive", default="", metavar="UNIT", help="the unit that destructive fire is written for,")
@click.option("--overrun", default="", metavar="HEX", help="the hex that the targets are just overrunning,")
@click.option("--path", default="", metavar="HEX,HEX", help="the way of a target under opportunity fire,")
@click.option(
    "--seen", type=click.Choice(["yes", "no"]), default=None, help="whether a friend sees the hex of indirect fire."
)
@click.option("--ruling", "rulings", multiple=True, metavar="ID=READING", help="Read a ruling the other way.")
@click.option("--what-if", is_flag=True, help="Also the next column, and one unit more or less.")
@click.option("--best", is_flag=True, help="The best way to share the attackers out among the targets.")
@click.option("--aim", default="", metavar="kills|HEX|HEX:UNIT", help="What --best is for (else kills).")
@click.option("--anyway", is_flag=True, help="The numbers even if the attack isn't allowed.")
@limit_option
@overlay_options
@json_option
def odds(
    game: str, words: tuple[str, ...], most: int, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool, **options: Any
) -> None:
    """The odds of an attack, with every modifier and the chance of each result.

    \b
    A group is given by its units, each with its states and what is told of it; or by two bare strengths:
      assistant odds GAME assault attackers=cars,infantry_red+dry defenders=infantry_blue+dug_in terrain=hill
      assistant odds GAME direct_fire firers=t_62:distance=4,t_62:distance=5 targets=m60a1
      assistant odds GAME 11:3 shift=-1
      assistant odds GAME --position FILE --from HEX,HEX --at HEX
      assistant odds GAME --scenario S NAME=VALUE ...          (`assistant ask GAME` tells the names)
    """
    answer(load_game(game, overlays, no_overlay), "odds", as_json, words, most, **options)


@click.command()
@click.argument("game")
@click.argument("hexes", nargs=-1, metavar="[HEX [HEX]]")
@click.option("--viewer", default="ground", help="Who looks: ground, infantry or air.")
@click.option("--target", default="ground", help="Who is looked at: ground, infantry or air.")
@ground_options
@overlay_options
@json_option
def los(game: str, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool, **options: Any) -> None:
    """The line of sight between two hexes, with what blocks it; or all that one hex sees; or every pair of the map."""
    answer(load_game(game, overlays, no_overlay), "los", as_json, **options)


@click.command()
@click.argument("game")
@WORDS
@click.option("--unit", default="", help="The counter that moves.")
@click.option("--copy", default="", help="Its printed number, where several are there.")
@click.option("--from", "from_", default="", metavar="HEX", help="Where it is.")
@click.option("--to", default="", metavar="HEX", help="Where it goes: the cheapest path, and who may fire at it.")
@click.option("--path", default="", metavar="HEX,HEX", help="Or the path it takes.")
@click.option("--states", default="", metavar="STATE,STATE", help="The states it is in.")
@click.option("--passengers", default="", metavar="UNIT,UNIT", help="Whom it carries.")
@click.option("--side", default="", help="Whose it is, where that isn't its sheet's.")
@click.option("--quick", is_flag=True, help="It is on a quick march.")
@click.option("--boats", multiple=True, metavar="HEX=NUMBER", help="Assault boats in a canal hex.")
@ground_options
@overlay_options
@json_option
def move(
    game: str, words: tuple[str, ...], overlays: tuple[Path, ...], no_overlay: bool, as_json: bool, **options: Any
) -> None:
    """Where a unit can go and at what price; along a path, what threatens it."""
    answer(load_game(game, overlays, no_overlay), "move", as_json, words, **options)


@click.command()
@click.argument("game")
@WORDS
@place_options
@click.option("--tell", multiple=True, metavar="EVENT=NUMBER", help="What a position can't show.")
@overlay_options
@json_option
def score(
    game: str, words: tuple[str, ...], overlays: tuple[Path, ...], no_overlay: bool, as_json: bool, **options: Any
) -> None:
    """The victory points of a position, line by line, and who wins."""
    answer(load_game(game, overlays, no_overlay), "score", as_json, words, **options)


@click.command()
@click.argument("game")
@WORDS
@click.option("--unit", default="", help="The counter.")
@click.option("--level", default="", help="Its morale level.")
@click.option("--scenario", default="", help="Or the scenario (Situation) that gives it.")
@click.option("--position", type=FILE, help="Or a position: all its dispersed units.")
@click.option("--with", "works", multiple=True, metavar="MARKER", help="A marker in its hex.")
@click.option("--ruling", "rulings", multiple=True, metavar="ID=READING", help="Read a ruling the other way.")
@click.option("--turns", type=click.IntRange(1, 99), help="How many turns to look ahead; 6, if not told.")
@limit_option
@overlay_options
@json_option
def morale(
    game: str, words: tuple[str, ...], overlays: tuple[Path, ...], no_overlay: bool, as_json: bool, **options: Any
) -> None:
    """The chance that dispersed units recover, now and over the turns."""
    answer(load_game(game, overlays, no_overlay), "morale", as_json, words, **options)


@click.command()
@click.argument("game")
@WORDS
@place_options
@overlay_options
@json_option
def supply(
    game: str, words: tuple[str, ...], overlays: tuple[Path, ...], no_overlay: bool, as_json: bool, **options: Any
) -> None:
    """Who is in supply, by which path, what cuts it, and which single place would cut most."""
    answer(load_game(game, overlays, no_overlay), "supply", as_json, words, **options)
