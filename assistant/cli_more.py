"""The commands that go on: any question of a game, and a game in play."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assistant.saying import FILE, answer, place_options, say
from scenarios.command import json_option, limit_option, load_game, overlay_options, print_json, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scenarios.game import Game
    from scenarios.position import Position


DRAFT = "https://json-schema.org/draft/2020-12/schema"


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.argument("game", required=False)
@click.argument("question", required=False)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[NAME=VALUE | --NAME VALUE]...")
@click.option("-h", "--help", "helped", is_flag=True, help="This help; of a QUESTION, its inputs.")
@click.option("--schema", is_flag=True, help="The questions and answers as JSON Schema.")
@place_options
@overlay_options
@json_option
@click.pass_context
def ask(
    ctx: click.Context,
    game: str | None,
    question: str | None,
    words: tuple[str, ...],
    helped: bool,
    schema: bool,
    scenario: str,
    position: Path | None,
    most: int,
    overlays: tuple[Path, ...],
    no_overlay: bool,
    as_json: bool,
) -> None:
    """Any question that a game answers: cease_fire, refit, escalation, mobilization ...

    Without a QUESTION: the list of them, with what each may be told.
    """
    if game is None or (helped and question is None):
        click.echo(ctx.get_help())
        ctx.exit(0 if helped else 2)
    from assistant.parts import questions
    from assistant.questions import Question, help_rows
    from assistant.questions import schema as schema_of
    from assistant.text import questions_text
    from assistant.verbs import help_lines
    from assistant.verbs import say as say_answer

    loaded = load_game(game, overlays, no_overlay)
    known = questions(loaded)
    typed = {name: one for name, one in known.items() if isinstance(one, Question)}
    if schema:
        from assistant.keys import schema as answer_schema

        defined = {name: schema_of(one, loaded) for name, one in typed.items()}
        print_json({"$schema": DRAFT, "questions": defined, "answer": answer_schema()})
        return
    if question in typed:
        if helped:
            click.echo("\n".join(help_lines(loaded, typed[question])))
            return
        places = {"scenario": scenario, "position": position} if typed[question].input("scenario") else {}
        say_answer(loaded, typed[question], words, as_json, most, **places)
        return
    if question is None:
        told = {
            name: {"about": one.about, "names": dict(help_rows(one, loaded) if isinstance(one, Question) else one.names)}
            for name, one in known.items()
        }
        say(lambda: questions_text(loaded, known), lambda: {"game": loaded.id, "questions": told}, as_json)
        return
    answer(loaded, question, as_json, words, most, scenario=scenario, position=position)


@click.command("open")
@click.argument("save", type=FILE, metavar="FILE.vsav|FILE.vlog")
@click.option("--game", default="", help="The game, where the save is of a pack of your own.")
@click.option("--write", type=click.Path(path_type=Path, dir_okay=False), help="Write it as a position file.")
@limit_option
@overlay_options
@json_option
def open_(
    save: Path, game: str, write: Path | None, most: int, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool
) -> None:
    """What a save or log of VASSAL shows: the scenario, the turn, and which piece stands where.

    Any command with --position takes the save as it is.
    """
    from assistant.opened import opened_json, opened_text
    from scenarios import shipped
    from scenarios.opening import game_of, write_position

    try:
        told = game or game_of(save, most)
    except ValueError as error:
        raise wrong(str(error)) from None
    if not game and told not in shipped():
        raise wrong(f"this save is of {told!r}, which doesn't come with Mitla; name its pack: --game FOLDER")
    loaded = load_game(told, overlays, no_overlay)
    position = _open(loaded, save, most)
    if write is not None:
        try:
            write_position(loaded, position, write)
        except OSError as error:
            raise wrong(f"{write} can't be written: {error.strerror}; name another with --write") from None
    say(lambda: opened_text(loaded, position), lambda: opened_json(loaded, position), as_json)


def _game_of(save: Path, named: Mapping[str, str], most: int) -> str:
    """Which of the games that are served a save or position is of."""
    from scenarios.opening import game_of

    if len(named) == 1:
        return next(iter(named))
    try:
        told = game_of(save, most)
    except ValueError as error:
        raise wrong(f"{error}; or name the game: assistant serve GAME --save {save}") from None
    if told not in named:
        raise wrong(f"this save is of {told!r}; name its pack: assistant serve FOLDER --save {save}")
    return told


def _open(game: Game, save: Path, most: int) -> Position:
    from scenarios import PackError
    from scenarios.opening import open_position

    try:
        return open_position(game, save, most)
    except (ValueError, PackError) as error:
        raise wrong(str(error)) from None


@click.command()
@click.argument("game", nargs=-1)
@click.option("--host", default="127.0.0.1", help="Where to listen; 0.0.0.0 opens it to your network, for a phone.")
@click.option("--port", default=8731, type=click.IntRange(0, 65535), help="The port; 0 takes a free one.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="Another name that the page is reached by; may be given again.")
@click.option("--save", type=FILE, help="A save of VASSAL or a position file to show, read again whenever it changes.")
@limit_option
@overlay_options
def serve(
    game: tuple[str, ...],
    host: str,
    port: int,
    names: tuple[str, ...],
    save: Path | None,
    most: int,
    overlays: tuple[Path, ...],
    no_overlay: bool,
) -> None:
    """The assistant as a page in your browser: for all games, or for those you name.

    With a --host that others can reach, the address that is printed has a token in it, and nobody is answered without.
    """
    import functools

    from assistant.page.about import title_of
    from assistant.page.saves import Saves
    from assistant.page.server import Server
    from assistant.page.site import Site
    from scenarios import shipped

    @functools.cache
    def load(key: str) -> Game:
        return load_game(key, overlays, no_overlay)

    named = {load(key).id: key for key in game} or {key: key for key in shipped()}
    titles = {key: title_of(pack) for key, pack in named.items()}
    saves = Saves(most=most)
    if save is not None:
        saves = Saves(save, key := _game_of(save, named, most), most)
        titles = {key: titles[key], **titles}
        _open(load(named[key]), save, most)
    try:
        server = Server(host, port, Site(titles, lambda key: load(named[key]), saves=saves), names)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or "that is no host"
        raise wrong(f"can't listen on {host}:{port}: {why}; choose another --host or --port") from None
    click.echo(f"the page is at {server.url} (stop with Ctrl+C)")
    if server.token:
        click.echo("whoever has this address can ask and open saves; nobody else is answered")
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()
