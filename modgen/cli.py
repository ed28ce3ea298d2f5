"""The `modgen` command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from modgen.cli_docs import docs
from modgen.cli_edit import edit
from modgen.cli_extension import extension
from modgen.cli_import import import_module
from modgen.cli_modules import diff, release, save, verify
from modgen.cli_new import new
from modgen.watch.cli import watch
from scenarios.command import (
    EXIT_DONE,
    EXIT_FAILED,
    WRONG,
    Command,
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
    """Build print-and-play kits and VASSAL modules from plain game files.

    GAME is the id of a pack (see `modgen list`) or the folder of your own pack.
    """


@cli.command("list")
@json_option
def list_games(as_json: bool) -> None:
    """List the games that come with Mitla."""
    from scenarios import shipped_games
    from scenarios.pack.export import card

    cards = [card(load_game(game, (), True)) for game in shipped_games()]
    if as_json:
        print_json({"games": cards})
        return
    id_width = max(len(c["id"]) for c in cards)
    for c in cards:
        counts = f"{c['counters']} counters, {c['tables']} tables, {c['scenarios']} scenarios"
        click.echo(f"{c['id']:{id_width}}  {c['title']} ({c['year']}): {counts}")


@cli.command()
@click.argument("games", nargs=-1, metavar="[GAME|DIR]...")
@overlay_options
@json_option
def check(games: tuple[str, ...], overlays: tuple[Path, ...], no_overlay: bool, as_json: bool) -> None:
    """Check packs and list every mistake with its line and the fix."""
    from modgen.crowding import crowded_setups
    from modgen.notices import comes_with_mitla
    from modgen.printable import similar_colors, unprintable
    from scenarios import NoSuchGame, shipped_games
    from scenarios.model.attacks import attacks_without_distance
    from scenarios.pack.loading import read_pack
    from scenarios.pack.rulebook import missing_sections
    from scenarios.reading.findings import Finding
    from scenarios.rules.play_checks import effects_without_record

    answers = []
    for game in games or shipped_games():
        try:
            loaded_game, game_findings = read_pack(game, overlays, with_config_overlays=not no_overlay)
        except NoSuchGame as error:
            raise wrong(str(error)) from None
        warnings: list[Finding] = []
        if loaded_game is not None and not game_findings:
            game_findings = [
                *attacks_without_distance(loaded_game.attacks),
                *effects_without_record(loaded_game),
                *missing_sections(loaded_game),
                *crowded_setups(loaded_game),
            ]
        if (
            loaded_game is not None
            and not game_findings
            and (loaded_game.overlays or not comes_with_mitla(loaded_game))
        ):
            game_findings = unprintable(loaded_game)
            warnings = similar_colors(loaded_game)
        answers.append(
            {
                "game": str(game),
                "findings": [finding._asdict() for finding in game_findings],
                "warnings": [finding._asdict() for finding in warnings],
            }
        )
        if not as_json:
            for finding in game_findings:
                click.echo(str(finding))
            for finding in warnings:
                click.echo(f"{finding} (a warning)")
            click.echo(
                f"{game}: " + (f"{len(game_findings)} to fix" if game_findings else "fine"), err=bool(game_findings)
            )
    has_failures = any(answer["findings"] for answer in answers)
    if as_json:
        print_json({"ok": not has_failures, "games": answers})
    sys.exit(EXIT_FAILED if has_failures else EXIT_DONE)


@cli.command()
@click.argument("game")
@click.argument("part", default="overview", metavar=f"[{'|'.join(PARTS)}]")
@click.option(
    "--csv",
    "as_csv",
    is_flag=True,
    help="Print CSV; PART may also be tables/ID, boards/ID/places, scenarios/ID/forces ...",
)
@overlay_options
@json_option
def show(game: str, part: str, as_csv: bool, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool) -> None:
    """Show a game, or a part of it."""
    if as_csv:
        if as_json:
            raise wrong("--csv and --json exclude each other; leave one of them out")
        _show_csv(game, part, overlays, no_overlay)
        return
    if part not in PARTS:
        from scenarios.reading.findings import suggest

        raise wrong(f"there is no part {part!r}; {suggest(part, PARTS)}")
    loaded_game = load_game(game, overlays, no_overlay)
    if as_json:
        from scenarios.pack.export import PARTS as exports

        print_json(exports[part](loaded_game))
        return
    from modgen.text import PARTS as texts

    click.echo("\n".join(texts[part](loaded_game)).rstrip())


def _show_csv(game: str, part: str, overlays: tuple[Path, ...], no_overlay: bool) -> None:
    """Print a part of a pack as CSV."""
    from scenarios.pack.building import read_tree
    from scenarios.pack.pack_folder import find_pack
    from scenarios.pack.spreadsheet_writing import to_csv
    from scenarios.reading.shapes import Findings

    load_game(game, overlays, no_overlay)  # reports the game's faults
    root, _ = read_tree(find_pack(game), list(overlays), not no_overlay, Findings())
    assert root is not None
    try:
        click.echo(to_csv(root, part), nl=False)
    except ValueError as error:
        raise wrong(str(error)) from None


@cli.command()
@click.argument("what", default="pack", type=click.Choice(["pack", "overlay", "position"]))
@json_option
def schema(what: str, as_json: bool) -> None:
    """Print the JSON Schema of pack files, for editors that complete and check.

    The output is always JSON; --json changes nothing.
    """
    from modgen.schemas import SCHEMAS

    print_json(SCHEMAS[what]())


def _kit_options(command: Command) -> Command:
    """The options that decide the look of a kit. `modgen.kit.options` parses them."""
    for option in reversed(
        (
            click.option("--paper", default="a4", show_default=True, help="a4, letter, a3 or tabloid."),
            click.option(
                "--backs", default="duplex-long", show_default=True, help="duplex-long, duplex-short, fold or none."
            ),
            click.option(
                "--back-offset", default="0,0", metavar="X,Y", help="Move backs by so many mm to the right and down."
            ),
            click.option(
                "--margin",
                default=10.0,
                show_default=True,
                metavar="MM",
                help="The margin that your printer leaves blank.",
            ),
        )
    ):
        command = option(command)
    return command


@cli.command()
@click.argument("games", nargs=-1, metavar="[GAME|DIR]...")
@click.option(
    "--only",
    multiple=True,
    metavar="WHAT",
    help="What to build: kit, module, cut, png, json, calibration, page, tabletop or tts. Repeatable.  [kit, module, json]",
)
@click.option("--locked", is_flag=True, help="Fail if a module's lock file would change.")
@click.option("--new-lock", is_flag=True, help="Create a missing lock file; saves of earlier modules will not open.")
@_kit_options
@click.option("--ink-saver", is_flag=True, help="Print light surfaces and dark lines.")
@click.option("--grey", is_flag=True, help="Print for a printer without colours.")
@click.option(
    "--counter-size", type=float, metavar="MM", help="Size of a counter; the map and boxes follow.  [the pack's]"
)
@click.option("--large-print", is_flag=True, help="Counters of 25 mm and larger charts.")
@click.option("--travel", is_flag=True, help="Counters of 13 mm.")
@click.option("--cuts", default="separate", show_default=True, help="separate, or shared (no gutter between counters).")
@click.option("--roll", type=float, metavar="MM", help="Width of the paper roll for posters, for example 914.")
@click.option("--scenario", default="", metavar="ID", help="Print only what this scenario needs.")
@click.option("--pieces", metavar="NAME,NAME", help="Print only these counters and markers, to replace lost ones.")
@click.option("--dpi", default=300, show_default=True, help="Resolution of PNG pictures.")
@click.option(
    "--template", type=click.Path(path_type=Path), metavar="FILE", help="Print only counters, on your own sheet layout."
)
@click.option(
    "--runtime",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="With --only page: the unpacked npm package of Pyodide. By default npm fetches it.",
)
@click.option(
    "--images-at",
    default="",
    metavar="URL",
    help="With --only tts: web address of the pictures, if they are not in Mods/Images.",
)
@click.option("--bleed", is_flag=True, help="Add 1 mm of colour beyond the cut to PNG pictures of pieces.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("dist"), show_default=True, help="The folder to write to."
)
@overlay_options
@json_option
def build(
    games: tuple[str, ...],
    only: tuple[str, ...],
    locked: bool,
    new_lock: bool,
    runtime: Path | None,
    images_at: str,
    out: Path,
    overlays: tuple[Path, ...],
    no_overlay: bool,
    as_json: bool,
    **print_choices: Any,
) -> None:
    """Check and build games into dist/GAME/.

    By default this writes a print-and-play kit (PDF), a VASSAL module, and the whole game as JSON with its charts as text.
    --only chooses the outputs. Others are cut files for cutting machines (cut), PNG pictures (png), a calibration sheet,
    pictures with a manifest for other tabletops (tabletop), saves of Tabletop Simulator (tts), and the assistant's page as a
    folder that needs no server (page).
    """
    from modgen.build import DEFAULT, BuildJob, build_games
    from modgen.kit.options import FORMATS, options
    from modgen.kit.paper import WrongOption
    from scenarios import NoSuchGame, shipped_games
    from scenarios.pack.pack_folder import find_pack
    from scenarios.reading.findings import suggest

    for output_name in only:
        if output_name not in (*FORMATS, "page"):
            raise wrong(f"there is nothing called {output_name!r} to build; {suggest(output_name, (*FORMATS, 'page'))}")
    try:
        read = options(**print_choices)
        for game in games:
            find_pack(game)
    except (WrongOption, NoSuchGame) as error:
        raise wrong(str(error)) from None
    if "page" in only:
        _build_page(games or tuple(shipped_games()), out / "page", runtime, overlays, no_overlay, as_json)
        only = tuple(output_name for output_name in only if output_name != "page")
        if not only:
            return
    is_partial = read.pieces or read.layout or print_choices.get("scenario")
    parts = tuple(
        output_name for output_name in FORMATS if output_name in (only or (("kit",) if is_partial else DEFAULT))
    )
    jobs = [
        BuildJob(game, overlays, not no_overlay, parts, read, locked, new_lock, images_at)
        for game in games or shipped_games()
    ]
    try:
        answer = build_games(jobs, out, quiet=as_json)
    except OSError as error:
        raise wrong(f"can't write to {error.filename or out}: {error.strerror}; choose another --out") from None
    findings, failures = answer.pop("findings", ()), answer.pop("failed", ())
    for finding in (*findings, *failures):
        click.echo(finding, err=True)
    mistakes = answer.pop("wrong", None)
    if mistakes:
        raise wrong(mistakes[0])
    if findings or failures:
        sys.exit(WRONG if findings else EXIT_FAILED)
    if as_json:
        print_json(answer)
    else:
        for path, parts in answer["paper"].items():
            part_counts = ", ".join(f"{count} {part}" for part, count in parts.items())
            count = sum(parts.values())
            click.echo(f"{path}: {count} sheet{'s' * (count != 1)} of paper to play ({part_counts})")
        click.echo(f"wrote {len(answer['files'])} files to {out} in {answer['seconds']} s")


def _build_page(
    games: tuple[str, ...],
    folder: Path,
    runtime: Path | None,
    overlays: tuple[Path, ...],
    no_overlay: bool,
    as_json: bool,
) -> None:
    """Build the assistant's page as a folder."""
    import time

    from modgen.page import NoRuntime, build_page

    start = time.perf_counter()
    loaded_games = [load_game(game, overlays, no_overlay) for game in games]
    is_hidden = as_json or not sys.stdout.isatty()
    try:
        with click.progressbar(
            length=len(loaded_games) + 1, label="building the page", hidden=is_hidden, show_eta=False
        ) as bar:
            files = build_page(loaded_games, folder, runtime, lambda phase: bar.update(1))
    except NoRuntime as error:
        raise wrong(str(error)) from None
    except OSError as error:
        raise wrong(f"can't write to {error.filename or folder}: {error.strerror}; choose another --out") from None
    seconds = round(time.perf_counter() - start, 2)
    if as_json:
        print_json({"files": [str(path) for path in files], "seconds": seconds})
    else:
        size = sum(path.stat().st_size for path in files)
        click.echo(
            f"wrote {len(files)} files, {size / 1e6:.0f} MB, to {folder} in {seconds} s; put them on any web host, or try them:"
        )
        click.echo(f"  python -m http.server --directory {folder}")


@cli.command()
@_kit_options
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("dist"), show_default=True, help="The folder to write to."
)
def calibrate(out: Path, **print_choices: Any) -> None:
    """Make a sheet that shows how far your printer shifts the back of a page (for --back-offset)."""
    from modgen.build import writable
    from modgen.cache import Cache
    from modgen.kit.calibration import calibration_pdf
    from modgen.kit.options import options, suffix
    from modgen.kit.paper import WrongOption
    from scenarios.files import write

    try:
        read = options(**print_choices)
    except WrongOption as error:
        raise wrong(str(error)) from None
    path = out / f"calibration{suffix(read)}.pdf"
    try:
        writable(out)
        write(path, calibration_pdf(read, Cache(None)))
    except OSError as error:
        raise wrong(f"can't write to {error.filename or out}: {error.strerror}; choose another --out") from None
    click.echo(f"wrote {path}")


for _command in (docs, edit, extension, import_module, verify, diff, save, release, new, watch):
    cli.add_command(_command)


def main() -> None:
    """Run `modgen`."""
    run(cli)


if __name__ == "__main__":
    main()
