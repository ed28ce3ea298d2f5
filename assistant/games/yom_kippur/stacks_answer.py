"""Stacks as text and JSON: who stands where, and the limit of steps."""

from __future__ import annotations

from assistant.games.yom_kippur.field import SIDES, Stand
from assistant.games.yom_kippur.printed import STEPS, ours
from assistant.games.yom_kippur.questions import asked_field, asked_hex, asked_side
from assistant.shared.asking import Options, Said
from assistant.shared.options import given
from assistant.shared.sourced import ours_text
from scenarios.game import Game


def stacks_answer(game: Game, options: Options) -> Said:
    """The units of a `hex`, or all stacks of `side`, with their steps and the room that is left (1.3)."""
    field = asked_field(game, options)
    name, most = field.ground.table.name, int(field.ground.limit("stack_steps"))
    hex = asked_hex(field, str(options["hex"])) if given(options, "hex") else None
    lines, told = [], []
    shown: list[Stand] = []
    for side in (asked_side(options),) if given(options, "side") else SIDES:
        for spot, stands in sorted(field.held[side].items(), key=lambda item: field.ground.table.spot(item[0])):
            if (hex is not None and spot != hex) or (hex is None and len(stands) < 2):
                continue
            steps = sum(stand.steps for stand in stands)
            shown += stands
            who = ", ".join(f"{stand.name} ({stand.steps})" for stand in stands)
            verdict = f"room for {most - steps}" if steps <= most else f"{steps - most} TOO MANY (1.3)"
            lines.append(f"{name(spot):6} {game.sides[side].name}: {steps} of {most} steps, {verdict}: {who}")
            told.append(
                {"hex": name(spot), "side": side, "units": [s.key for s in stands], "steps": steps, "room": most - steps}
            )
    rebuilt = ours(game, ((stand, STEPS) for stand in shown))
    lines = [*lines, *ours_text(rebuilt)] or ["nobody stands there" if hex else "nobody is stacked"]
    return {"game": game.id, "most": most, "stacks": told, "not_the_rulebooks": rebuilt}, lines
