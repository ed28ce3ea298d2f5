"""The `modgen` command."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from scenarios.command import (
    DONE,
    FAILED,
    Suggesting,
    json_option,
    load_game,
    overlay_options,
    print_json,
    run,
    wrong,
)

PARTS = ("overview", "counters", "tables", "map", "scenarios", "sources", "attacks", "blanks")


@click.group(cls=Suggesting, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="mitla", prog_name="modgen")
def cli() -> None:
    """Turn plain game files into what a game ships as.

    GAME is the id of a pack (see `modgen list`) or a folder with a pack of your own.
    """


@cli.command("list")
@json_option
def list_games(as_json: bool) -> None:
    """List the games that come with Mitla."""
    from scenarios import shipped
    from scenarios.export import card

    cards = [card(load_game(game, (), True)) for game in shipped()]
    if as_json:
        print_json({"games": cards})
        return
    wide = max(len(c["id"]) for c in cards)
    for c in cards:
        counts = f"{c['counters']} counters, {c['tables']} tables, {c['scenarios']} scenarios"
        click.echo(f"{c['id']:{wide}}  {c['title']} ({c['year']}): {counts}")


@cli.command()
@click.argument("games", nargs=-1, metavar="[GAME|DIR]...")
@overlay_options
@json_option
def check(games: tuple[str, ...], overlays: tuple[Path, ...], no_overlay: bool, as_json: bool) -> None:
    """Check packs: every mistake with its line, what is wrong and what would be right."""
    from scenarios import NoSuchGame, shipped
    from scenarios import check as check_game

    answers = []
    for game in games or shipped():
        try:
            found = check_game(game, overlays, standing=not no_overlay)
        except NoSuchGame as error:
            raise wrong(str(error)) from None
        answers.append({"game": str(game), "findings": [finding._asdict() for finding in found]})
        if not as_json:
            for finding in found:
                click.echo(str(finding))
            click.echo(f"{game}: " + (f"{len(found)} to fix" if found else "fine"), err=bool(found))
    failed = any(answer["findings"] for answer in answers)
    if as_json:
        print_json({"ok": not failed, "games": answers})
    sys.exit(FAILED if failed else DONE)


@cli.command()
@click.argument("game")
@click.argument("part", default="overview", metavar=f"[{'|'.join(PARTS)}]")
@overlay_options
@json_option
def show(game: str, part: str, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool) -> None:
    """Show a game, or a part of it."""
    if part not in PARTS:
        from scenarios.reading.findings import instead

        raise wrong(f"there is no part {part!r}; {instead(part, PARTS)}")
    loaded = load_game(game, overlays, no_overlay)
    if as_json:
        from scenarios.export import PARTS as exports

        print_json(exports[part](loaded))
        return
    from modgen.text import PARTS as texts

    click.echo("\n".join(texts[part](loaded)).rstrip())


@cli.command()
@click.argument("what", default="pack", type=click.Choice(["pack", "overlay", "position"]))
@json_option
def schema(what: str, as_json: bool) -> None:
    """Print the JSON Schema of pack files, for editors that complete and check.

    It is JSON in any case; --json is taken for the sake of scripts.
    """
    from modgen.schemas import SCHEMAS

    print_json(SCHEMAS[what]())


@cli.command()
@click.argument("games", nargs=-1, metavar="[GAME|DIR]...")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("dist"), show_default=True)
@overlay_options
@json_option
def build(games: tuple[str, ...], out: Path, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool) -> None:
    """Check and build games into dist/GAME/: the whole game as JSON, and its charts as text."""
    from modgen.build import build_games
    from scenarios import shipped

    loaded = [load_game(game, overlays, no_overlay) for game in games or shipped()]
    try:
        answer = build_games(loaded, out, quiet=as_json)
    except OSError as error:
        raise wrong(f"can't write to {error.filename or out}: {error.strerror}; choose another --out") from None
    if as_json:
        print_json(answer)
    else:
        click.echo(f"wrote {len(answer['files'])} files to {out} in {answer['seconds']} s")


def main() -> None:
    """Run `modgen`."""
    run(cli)


if __name__ == "__main__":
    main()
