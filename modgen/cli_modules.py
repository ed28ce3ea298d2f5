"""The commands of `modgen` about finished modules: check one, compare two, write a save, release all."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from scenarios.command import EXIT_FAILED, json_option, limit_option, load_game, overlay_options, print_json, wrong

MODULE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("file", type=MODULE)
@click.option(
    "--engine",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Folder of an installed VASSAL that opens the module too.",
)
@click.option("--game", default="", metavar="GAME|DIR", help="The pack of the module, if it is not one of Mitla's.")
@click.option(
    "--module", type=MODULE, metavar="FILE", help="The module of an extension (.vmdx), if it is not beside it."
)
@click.option("--overlay", "overlays", multiple=True, type=MODULE, help="The overlay that an extension was made from.")
@limit_option
@json_option
def verify(
    file: Path,
    engine: Path | None,
    game: str,
    module: Path | None,
    overlays: tuple[Path, ...],
    most: int,
    as_json: bool,
) -> None:
    """Check a VASSAL module: pictures, prototypes, ids, keys, expressions, grids and set-ups.

    An extension (.vmdx) is checked together with its module, as VASSAL would load it.

    --engine PATH names the folder of an installed VASSAL (with lib/Vengine.jar in it). The command then opens the module
    there, starts every set-up and compares the places of all pieces. That takes up to a minute.
    """
    from modgen.vmod.check.engine_report import ask
    from modgen.vmod.check.extension_check import in_its_place, is_extension, module_beside, verify_extension
    from modgen.vmod.check.verify import verify as look

    try:
        pack = load_game(game, overlays, True) if game else None
        if is_extension(file):
            module = module or module_beside(file)
            answer = verify_extension(file, module, pack, most)
            if engine is not None:
                with in_its_place(file, module) as extension_file:
                    answer["engine"] = ask(extension_file, engine, pack, most)
        else:
            answer = look(file, pack, most)
            if engine is not None:
                answer["engine"] = ask(file, engine, pack, most)
    except ValueError as error:
        raise wrong(str(error)) from None
    engine_answer = answer.get("engine", {"problems": ()})
    if as_json:
        print_json(answer)
    else:
        for problem in (*answer["problems"], *engine_answer["problems"], *answer["notes"]):
            click.echo(problem, err=True)
        click.echo(", ".join(f"{count} {label}" for label, count in answer["counts"].items()))
        if engine is not None:
            pieces = sum(setup["pieces"] for setup in engine_answer["set-ups"])
            summary = (
                f"{len(engine_answer['set-ups'])} set-ups, {pieces} pieces, {len(engine_answer['problems'])} problems"
            )
            click.echo(f"VASSAL {engine_answer['vassal']}: {summary}")
    if answer["problems"] or engine_answer["problems"]:
        sys.exit(EXIT_FAILED)


@click.command()
@click.argument("old", type=MODULE)
@click.argument("new", type=MODULE)
@click.option(
    "--patch", type=click.Path(path_type=Path), metavar="DIR", help="Write the changes into this pack as a patch."
)
@limit_option
@json_option
def diff(old: Path, new: Path, patch: Path | None, most: int, as_json: bool) -> None:
    """Compare two VASSAL modules and say whether old saves and extensions still work.

    With --patch, changes made in VASSAL's editor go into the pack as module.patch.json. Every later build applies them, or
    says where they no longer fit.
    """
    from modgen.vmod.check.diff import compare

    try:
        if patch is not None:
            _keep_patch(old, new, patch, most, as_json)
            return
        answer = compare(old, new, most)
    except ValueError as error:
        raise wrong(str(error)) from None
    if as_json:
        print_json(answer)
    else:
        for section, changes in answer["changes"].items():
            for word in ("added", "changed", "gone"):
                for name in changes[word]:
                    click.echo(f"{section}: {word} {name}")
        for reason in (*answer["breaks"], *answer["extensions"]):
            click.echo(reason, err=True)
        if not answer["extensions_keep"]:
            click.echo("extensions break")
        click.echo("old saves keep" if answer["saves_keep"] else "old saves break")
    if not answer["saves_keep"]:
        sys.exit(EXIT_FAILED)


def _keep_patch(old: Path, new: Path, target: Path, max_bytes: int, as_json: bool) -> None:
    """Write the changes as a patch."""
    from modgen.vmod.files.patch import make_patch, write_patch

    patch, content = make_patch(old, new, max_bytes)
    try:
        path = write_patch(target, patch, content)
    except OSError as error:
        raise wrong(f"{target} can't be written: {error.strerror}; name the pack's folder") from None
    if as_json:
        print_json({"file": str(path), "changes": len(patch["changes"]), "files": len(patch["files"])})
    else:
        click.echo(
            f"wrote {path}: {len(patch['changes'])} changes, {len(patch['files'])} files; the next build applies them"
        )


@click.command()
@click.argument("game")
@click.argument("position", type=MODULE)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="The save to write.  [POSITION.vsav]")
@limit_option
@overlay_options
@json_option
def save(
    game: str, position: Path, out: Path | None, most: int, overlays: tuple[Path, ...], no_overlay: bool, as_json: bool
) -> None:
    """Write a position file as a VASSAL save for the game's module."""
    from modgen.vmod.setups.saving import position_save
    from scenarios import PackError
    from scenarios.files import write
    from scenarios.opening_positions import open_position

    loaded_game = load_game(game, overlays, no_overlay)
    out = out or position.with_suffix(".vsav")
    if out.resolve() == position.resolve():
        raise wrong(f"{out} is the position itself; name another file with --out")
    try:
        opened_position = open_position(loaded_game, position, most)
        write(out, position_save(loaded_game, opened_position))
    except (ValueError, PackError) as error:
        raise wrong(str(error)) from None
    except OSError as error:
        raise wrong(f"can't write {out}: {error.strerror}; choose another --out") from None
    if as_json:
        print_json(
            {
                "file": str(out),
                "scenario": opened_position.scenario,
                "turn": opened_position.turn,
                "pieces": len(opened_position.pieces),
            }
        )
    else:
        click.echo(
            f"wrote {out}: {opened_position.scenario}, turn {opened_position.turn}, {len(opened_position.pieces)} pieces"
        )


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME|DIR]...")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("dist/release"),
    show_default=True,
    help="The folder to replace.",
)
@click.option(
    "--changelog",
    type=click.Path(path_type=Path),
    default=Path("CHANGELOG.md"),
    show_default=True,
    help="Source of the release notes.",
)
@click.option("--unlocked", is_flag=True, help="Allow lock files of modules to grow.")
@click.option(
    "--runtime",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="The unpacked npm package of Pyodide, for the page. By default npm fetches it.",
)
@json_option
def release(
    games: tuple[str, ...], out: Path, changelog: Path, unlocked: bool, runtime: Path | None, as_json: bool
) -> None:
    """Build all files of a release: modules, kits in A4 and Letter, the page, checksums and notes.

    A release uses no overlays and changes no lock file. In Mitla's source folder, a release of all games also holds wheel and
    sdist. The page needs npm or --runtime; otherwise it is left out, and the output says so.
    """
    from modgen.distribution import is_source
    from modgen.release import CannotRelease
    from modgen.release import release as make
    from scenarios import NoSuchGame, shipped_games
    from scenarios.pack.pack_folder import find_pack

    try:
        for game in games:
            find_pack(game)
        sources = Path.cwd() if not games and is_source(Path.cwd()) else None
        answer = make(
            games or shipped_games(),
            out,
            changelog,
            not unlocked,
            quiet=as_json,
            sources=sources,
            page=True,
            runtime=runtime,
        )
    except NoSuchGame as error:
        raise wrong(str(error)) from None
    except CannotRelease as error:
        for finding in error.findings:
            click.echo(finding, err=True)
        sys.exit(EXIT_FAILED)
    except OSError as error:
        raise wrong(f"can't write to {error.filename or out}: {error.strerror}; choose another --out") from None
    if as_json:
        print_json(answer)
    else:
        for sentence in answer["left_out"]:
            click.echo(sentence, err=True)
        click.echo(f"wrote {len(answer['files'])} files to {out}")
