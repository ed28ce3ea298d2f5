"""`modgen list` on the command line."""

from __future__ import annotations

import click

from scenarios.command import (
    json_option,
    load_game,
    print_json,
)
from scenarios.grammar import count_text
from scenarios.pack.export import card
from scenarios.pack.pack_folder import shipped_games


@click.command("list")
@json_option
def list_games(as_json: bool) -> None:
    """List the games that come with Mitla."""
    cards = [card(load_game(game, (), True)) for game in shipped_games()]
    if as_json:
        print_json({"games": cards})
        return
    id_width = max(len(c["id"]) for c in cards)
    for c in cards:
        counts = ", ".join(count_text(c[f"{noun}s"], noun) for noun in ("counter", "table", "scenario"))
        click.echo(f"{c['id']:{id_width}}  {c['title']} ({c['year']}): {counts}")
