"""What the page needs to know about a game to offer its questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.page.save_export import can_save
from assistant.questions.question import form
from assistant.questions.registry import EVERYWHERE, questions
from scenarios.model.attacks import Attack, AttackInput, input_kind
from scenarios.model.counters import Unit
from scenarios.model.game import Game, phases
from scenarios.pack.pack_folder import find_pack
from scenarios.reading.yaml_tree import read_nodes
from scenarios.unit_view import view_unit


def title_of(game: str) -> str:
    """Return a game's title, read from its card alone; its id where the card has no title."""
    node, _ = read_nodes(find_pack(game) / "game.yaml")
    title = node.child("game", "title").text if node is not None else None
    return title or game


def about_game(game: Game) -> dict[str, Any]:
    """Return the counters, attacks, tables, questions and scenarios of a game, for forms."""
    return {
        "id": game.id,
        "title": game.title,
        "sides": {key: side.name for key, side in game.sides.items()},
        "nations": {key: _nation(game, key) for key in game.nations},
        "states": {key: state.name for key, state in game.states.items()},
        "factors": {key: factor.name for key, factor in game.factors.items()},
        "units": [_unit(game, unit) for unit in game.units.values()],
        "markers": {key: marker.name for key, marker in game.markers.items()},
        "attacks": [_attack(game, key, attack) for key, attack in game.attacks.items()],
        "tables": [
            {
                "id": key,
                "title": table.title,
                "dice": table.dice,
                "kind": table.columns.kind,
                "columns": list(table.columns.labels),
                "rows": list(table.cells),
                "cells": {row: [str(cell) for cell in cells] for row, cells in table.cells.items()},
            }
            for key, table in game.tables.items()
        ],
        "questions": [
            {
                "id": key,
                "about": question.about,
                "placed": not {"scenario", "position"}.isdisjoint(question.names),
                "starts": "scenario" in question.names,
                "fields": form(question, game),
            }
            for key, question in questions(game).items()
            if key not in EVERYWHERE  # these have tabs of their own
        ],
        "sequences": {
            key: [
                {"id": phase.id, "name": phase.name, "note": phase.note, "turn": phase.turn, "since": phase.since}
                for phase in phases(sequence)
            ]
            for key, sequence in game.sequence.items()
        },
        "starts": {
            key: {"turn": scenario.turns.first if scenario.turns else 1, "sequence": scenario.level}
            for key, scenario in game.scenarios.items()
        },
        "scenarios": {key: scenario.title for key, scenario in game.scenarios.items()},
        "vassal": can_save(),
    }


def _nation(game: Game, key: str) -> dict[str, str]:
    nation = game.nations[key]
    return {"name": nation.name, "side": nation.side, "fill": nation.colors.fill, "ink": nation.colors.ink}


def _unit(game: Game, unit: Unit) -> dict[str, Any]:
    view = view_unit(game, unit)
    factors = {key: str(value) for key, value in view.printed_factors.items()}
    return {
        "id": unit.id,
        "name": view.display_name,
        "nation": unit.nation,
        "formation": unit.formation,
        "back": view.back_state,
        "back_states": [state for state in game.states if view_unit(game, unit, [state]).shows_back],
        "factors": factors,
    }


def _attack(game: Game, key: str, attack: Attack) -> dict[str, Any]:
    groups = {
        name: {
            "title": group.title,
            "markers": group.markers,
            "least": group.at_least,
            "most": group.at_most,
            "inputs": _inputs(game, group.inputs),
        }
        for name, group in attack.groups.items()
    }
    return {
        "id": key,
        "title": attack.title,
        "rule": attack.rule,
        "note": attack.note,
        "table": attack.table,
        "groups": groups,
        "inputs": _inputs(game, attack.inputs),
    }


def _inputs(game: Game, shapes: Mapping[str, AttackInput]) -> dict[str, Any]:
    fields = {}
    for name, shape in shapes.items():
        kind = input_kind(shape, tuple(game.terrain))
        choices = [c for choice in shape.choices for c in (game.terrain if choice == "terrain" else (choice,))]
        fields[name] = {
            "title": shape.title,
            "kind": kind.base,
            "choices": choices,
            "default": shape.default,
            "read": shape.read,
        }
    return fields
