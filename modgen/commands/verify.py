"""`modgen verify` on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from modgen.vmod.check.engine_report import ask
from modgen.vmod.check.extension_check import in_its_place, is_extension, module_beside, verify_extension
from modgen.vmod.check.verify import verify_module
from scenarios.command import EXIT_FAILED, json_option, limit_option, load_game, print_json, wrong

MODULE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("file", type=MODULE)
@click.option(
    "--engine", type=click.Path(path_type=Path), metavar="PATH", help="An installed VASSAL that opens it too."
)
@click.option(
    "--game", default="", metavar="GAME|DIR", help="The pack that it was built from, where that isn't one of Mitla's."
)
@click.option(
    "--module", type=MODULE, metavar="FILE", help="Of an extension (.vmdx): its module, where that isn't beside it."
)
@click.option(
    "--overlay", "overlays", multiple=True, type=MODULE, help="Of an extension: the overlay that it was made of."
)
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
    """Look a VASSAL module over: pictures, prototypes, ids, keys, expressions, grids and set-ups against the game.

    An extension (.vmdx) is looked over together with its module, as VASSAL would load it.

    --engine PATH (the folder of a VASSAL, with lib/Vengine.jar in it) opens it in the real engine as well, starts every
    set-up and compares where the engine says that pieces stand. That takes up to a minute.
    """
    try:
        pack = load_game(game, overlays, True) if game else None
        if is_extension(file):
            module = module or module_beside(file)
            answer = verify_extension(file, module, pack, most)
            if engine is not None:
                with in_its_place(file, module) as extension_file:
                    answer["engine"] = ask(extension_file, engine, pack, most)
        else:
            answer = verify_module(file, pack, most)
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
