"""`modgen verify` on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from modgen.vmod.check.engine_report import ask
from modgen.vmod.check.extension_check import in_its_place, is_extension, module_beside, verify_extension
from modgen.vmod.check.verify import verify_module
from scenarios.command import EXIT_FAILED, json_option, limit_option, load_game, print_json, wrong
from scenarios.grammar import count_text

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
        click.echo(", ".join(count_text(count, label.removesuffix("s")) for label, count in answer["counts"].items()))
        if engine is not None:
            pieces = sum(setup["pieces"] for setup in engine_answer["set-ups"])
            counts = {
                "set-up": len(engine_answer["set-ups"]),
                "piece": pieces,
                "problem": len(engine_answer["problems"]),
            }
            summary = ", ".join(count_text(count, noun) for noun, count in counts.items())
            click.echo(f"VASSAL {engine_answer['vassal']}: {summary}")
    if answer["problems"] or engine_answer["problems"]:
        sys.exit(EXIT_FAILED)
