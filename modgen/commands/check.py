"""`modgen check` on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from modgen.crowding import crowded_setups
from modgen.notices import comes_with_mitla
from modgen.printable import similar_colors, unprintable
from scenarios.command import (
    EXIT_DONE,
    EXIT_FAILED,
    json_option,
    overlay_options,
    print_json,
    wrong,
)
from scenarios.pack.loading import read_pack
from scenarios.pack.pack_folder import shipped_games
from scenarios.pack.rulebook import missing_sections
from scenarios.reading.findings import Finding, NoSuchGame
from scenarios.rules.play_checks import effects_without_record


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME|DIR]...")
@overlay_options
@json_option
def check(games: tuple[str, ...], overlays: tuple[Path, ...], no_overlay: bool, as_json: bool) -> None:
    """Check packs and list every mistake with its line and the fix."""
    answers = []
    for game in games or shipped_games():
        try:
            loaded_game, game_findings = read_pack(game, overlays, with_config_overlays=not no_overlay)
        except NoSuchGame as error:
            raise wrong(str(error)) from None
        warnings: list[Finding] = []
        if loaded_game is not None and not game_findings:
            game_findings = [
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
