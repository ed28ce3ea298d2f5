"""The `assistant` command."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scenarios.command import Command, Suggesting, json_option, load_game, overlay_options, print_json, run, wrong

if TYPE_CHECKING:
    from scenarios.game import Game


@click.group(cls=Suggesting, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="mitla", prog_name="assistant")
def cli() -> None:
    """Answers at the table: odds, sight, moves, morale, points and table results.

    GAME is the id of a pack (see `modgen list`) or a folder with a pack of your own.
    """


@cli.command()
@click.argument("game")
@click.argument("table", required=False)
@click.option("--row", help="The row: a name, or a die roll.")
@click.option("--column", help="The column: its label, or a number (odds such as 7:2, a percentage, a strength).")
@click.option("--shift", type=int, default=0, help="Columns to the right (or left, if negative).")
@click.option("--die", "modifier", type=int, default=0, help="What is added to the die.")
@overlay_options
@json_option
def table(
    game: str,
    table: str | None,
    row: str | None,
    column: str | None,
    shift: int,
    modifier: int,
    overlays: tuple[Path, ...],
    no_overlay: bool,
    as_json: bool,
) -> None:
    """Look something up in a table; without a row, the chance of each result."""
    from assistant.lookup import lookup
    from assistant.text import lookup_text

    loaded = load_game(game, overlays, no_overlay)
    if table is None:
        names = {key: held.title for key, held in loaded.tables.items()}
        if as_json:
            print_json({"game": loaded.id, "tables": names})
        else:
            click.echo(
                "\n".join(f"{key}: {title}" for key, title in names.items()) or f"{loaded.title} has no tables yet"
            )
        return
    try:
        answer = lookup(loaded, table, row, column, shift, modifier)
    except ValueError as error:
        raise wrong(str(error)) from None
    if as_json:
        print_json(answer)
    else:
        click.echo("\n".join(lookup_text(answer)))


FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


def ground_options(command: Command) -> Command:
    """Where a question is asked: boards, a Situation or a position, with markers added and rulings switched."""
    for option in (
        click.option("--ruling", "rulings", multiple=True, metavar="ID=READING", help="Read a ruling the other way."),
        click.option("--with", "works", multiple=True, metavar="MARKER@HEX", help="A marker that stands in a hex."),
        click.option("--position", type=FILE, help="A position file."),
        click.option("--scenario", default="", help="A scenario (Situation)."),
        click.option("--map", default="", help="A map, or boards: A, or rows of boards as in 'B / A turned'."),
    ):
        command = option(command)
    return command


@cli.command()
@click.argument("game")
@click.argument("words", nargs=-1, metavar="[ATTACK] [GROUP=UNIT,UNIT+STATE... INPUT=VALUE]...")
@click.option("--battle", type=FILE, help="A battle file.")
@click.option("--position", type=FILE, help="A position file; then:")
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
@overlay_options
@json_option
def odds(
    game: str, words: tuple[str, ...], overlays: tuple[Path, ...], no_overlay: bool, as_json: bool, **options: Any
) -> None:
    """The odds of an attack, with every modifier and the chance of each result.

    \b
    A group is given by its units, each with its states and what is told of it; or by two bare strengths:
      assistant odds GAME assault attackers=cars,infantry_red+dry defenders=infantry_blue+dug_in terrain=hill
      assistant odds GAME direct_fire firers=t_62:distance=4,t_62:distance=5 targets=m60a1
      assistant odds GAME 11:3
      assistant odds GAME --position FILE --from HEX,HEX --at HEX
    """
    from assistant.attacks import BadQuestion
    from assistant.attacks import odds as evaluate
    from assistant.lookup import ratio
    from assistant.parts import has
    from assistant.text import lookup_text, odds_json, odds_text
    from assistant.words import read_words

    loaded = load_game(game, overlays, no_overlay)
    if words and "=" not in words[0]:
        try:
            bare = ratio(loaded, words[0])
        except ValueError as error:
            raise wrong(str(error)) from None
        if bare is not None:
            _say(lambda: lookup_text(bare), lambda: bare, as_json)
            return
    if has(loaded, "odds"):
        _ask(loaded, "odds", as_json, words=words, **options)
        return
    if given := [key for key, value in options.items() if value not in ("", None, False, ())]:
        raise wrong(f"{loaded.title} has no answer with --{given[0].replace('_', '-').rstrip('-')} (yet)")
    if not words:
        raise wrong(f"say which attack: {', '.join(loaded.attacks)}")
    try:
        groups, inputs = read_words(loaded, words[0], words[1:])
        answer = evaluate(loaded, words[0], groups, inputs)
    except BadQuestion as error:
        raise wrong(str(error)) from None
    _say(lambda: odds_text(loaded, answer), lambda: odds_json(loaded, answer), as_json)


@cli.command()
@click.argument("game")
@click.argument("hexes", nargs=-1, metavar="[HEX [HEX]]")
@click.option("--viewer", default="ground", help="Who looks: ground, infantry or air.")
@click.option("--target", default="ground", help="Who is looked at: ground, infantry or air.")
@ground_options
@overlay_options
@json_option
def los(game: str, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool, **options: Any) -> None:
    """The line of sight between two hexes, with what blocks it; or all that one hex sees; or every pair of the map."""
    _ask(load_game(game, overlays, no_overlay), "los", as_json, **options)


@cli.command()
@click.argument("game")
@click.option("--unit", required=True, help="The counter that moves.")
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
def move(game: str, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool, **options: Any) -> None:
    """Where a unit can go and at what price; along a path, what threatens it."""
    _ask(load_game(game, overlays, no_overlay), "move", as_json, **options)


@cli.command()
@click.argument("game")
@click.option("--position", type=FILE, required=True, help="A position file.")
@click.option("--tell", multiple=True, metavar="EVENT=NUMBER", help="What a position can't show.")
@overlay_options
@json_option
def score(game: str, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool, **options: Any) -> None:
    """The victory points of a position, line by line, and who wins."""
    _ask(load_game(game, overlays, no_overlay), "score", as_json, **options)


@cli.command()
@click.argument("game")
@click.option("--unit", default="", help="The counter.")
@click.option("--level", default="", help="Its morale level.")
@click.option("--scenario", default="", help="Or the scenario (Situation) that gives it.")
@click.option("--position", type=FILE, help="Or a position: all its dispersed units.")
@click.option("--with", "works", multiple=True, metavar="MARKER", help="A marker in its hex.")
@click.option("--turns", default=6, help="How many turns to look ahead.")
@overlay_options
@json_option
def morale(game: str, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool, **options: Any) -> None:
    """The chance that dispersed units recover, now and over the turns."""
    _ask(load_game(game, overlays, no_overlay), "morale", as_json, **options)


@cli.command()
@click.argument("game")
@click.option("--scenario", help="The start of a scenario.")
@click.option("--position", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A position file.")
@overlay_options
@json_option
def supply(
    game: str,
    scenario: str | None,
    position: Path | None,
    overlays: tuple[Path, ...],
    no_overlay: bool,
    as_json: bool,
) -> None:
    """Who is in supply, by which path, what cuts it, and which single place would cut most."""
    given = {"scenario": scenario, "position": position}
    _answer(load_game(game, overlays, no_overlay), "supply", {k: v for k, v in given.items() if v is not None}, as_json)


@cli.command()
@click.argument("game")
@click.argument("question")
@click.argument("words", nargs=-1, metavar="[NAME=VALUE]...")
@overlay_options
@json_option
def ask(
    game: str, question: str, words: tuple[str, ...], overlays: tuple[Path, ...], no_overlay: bool, as_json: bool
) -> None:
    """Any other question that a game answers: cease_fire, refit, escalation, mobilization ...

    A wrong QUESTION is answered with the list of right ones.
    """
    loaded = load_game(game, overlays, no_overlay)
    options: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        options[name] = value if equals else True
    _answer(loaded, question, options, as_json)


def _answer(game: Game, question: str, options: dict[str, Any], as_json: bool) -> None:
    """A question of a game's own list."""
    from assistant.attacks import BadQuestion
    from assistant.parts import answer
    from scenarios import PackError

    try:
        reply = answer(game, question, options)
    except (BadQuestion, PackError) as error:
        raise wrong(str(error)) from None
    _say(reply.text, reply.json, as_json)


def _ask(game: Game, command: str, as_json: bool, **options: Any) -> None:
    """A game's own answer; a sentence and exit code 2 where the question, or a file of it, was wrong."""
    from assistant.attacks import BadQuestion
    from assistant.parts import ask
    from scenarios import PackError

    try:
        reply = ask(game, command, **options)
        _say(reply.text, reply.json, as_json)
    except PackError as error:
        raise wrong("\n".join(map(str, error.findings))) from None
    except BadQuestion as error:
        raise wrong(str(error)) from None


def _say(text: Callable[[], Iterable[str]], json: Callable[[], Any], as_json: bool) -> None:
    if as_json:
        print_json(json())
    else:
        click.echo("\n".join(text()))


def main() -> None:
    """Run `assistant`."""
    run(cli)


if __name__ == "__main__":
    main()
