"""A module's battles without the engine: pieces, properties and buttons, obeying the orders that the engine gets."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from modgen.vmod.battle import chances
from modgen.vmod.battle.combat import combat
from modgen.vmod.battle.places import SCENARIO
from modgen.vmod.files import keys
from modgen.vmod.files.xml import XmlPart
from modgen.vmod.maps.point_ranges import range_texts
from modgen.vmod.pieces import pieces
from modgen.vmod.pieces.faces import loose_states
from modgen.vmod.pieces.traits import named_key
from modgen.vmod.sight.sight_tables import LAYOUT, messages, setup_values
from scenarios.model.game import Game
from scenarios.model.hexes import distance
from scenarios.model.maps import HexMap
from scenarios.vassal.sequence import split
from tests import shared
from tests.bsh import Scope, evaluate_text, java

Piece = dict[str, str]


class Machine:
    """The module of a game."""

    def __init__(self, game: Game, scenario: str, gpids: dict[str, str], turn: int, seed: int = 1) -> None:
        self.game, self.dice = game, random.Random(seed)
        self.all_prototypes = shared.prototypes(game)
        self.by_gpid = {gpid: key for key, gpid in gpids.items()}
        props, parts, _ = combat(game)
        self.values: dict[str, str] = {str(p.attributes["name"]): str(p.attributes["initialValue"]) for p in props}
        self.values |= {SCENARIO: scenario, **range_texts(game), LAYOUT: setup_values(game).get(scenario, "")}
        value_parts = [*messages(game, shared.DRAWN), *chances.messages(game)]
        self.values |= {str(part.attributes["name"]): str(part.attributes["initialValue"]) for part in value_parts}
        names = game.turns.names if game.turns else ()
        self.values |= {"TurnName": names[turn - 1]} if names else {"TurnNumber": str(turn)}
        self.changes: dict[str, list[tuple[str, str]]] = {}
        for p in props:
            for button in p.parts:
                change = str(p.attributes["name"]), str(button.attributes["propChanger"])
                self.changes.setdefault(str(button.attributes["hotkey"]), []).append(change)
        table = game.scenario_maps[scenario]
        self.hexes = {table.name(hex): hex for hex in table.hexes} if isinstance(table, HexMap) else {}
        self.buttons = {str(p.attributes.get("buttonHotkey") or p.attributes.get("hotkey")): p for p in parts}
        self.pieces: dict[str, Piece] = {}
        self.traits: dict[str, list[tuple[str, list[str]]]] = {}
        self.chat: list[str] = []

    def scope(self, piece: Piece | None = None) -> Scope:
        """What an expression sees, of the module or of a piece."""
        functions: dict[str, Callable[..., Any]] = {
            "Random": lambda sides: self.dice.randint(1, sides),
            "CountLocation": lambda expression: sum(
                evaluate_text(expression[1:-1], self.scope(other_piece)) is True
                for other_piece in self.pieces.values()
                if piece is not None and other_piece["LocationName"] == piece["LocationName"]
            ),
            "CountRange": lambda min_range, max_range, expression: sum(
                evaluate_text(expression[1:-1], self.scope(other_piece)) is True
                for other_piece in self.pieces.values()
                if piece is not None
                and other_piece["CurrentMap"] == piece["CurrentMap"]
                and min_range
                <= distance(self.hexes[piece["LocationName"]], self.hexes[other_piece["LocationName"]])
                <= max_range
            ),
            "CountMap": lambda expression: sum(
                evaluate_text(expression[1:-1], self.scope(other_piece)) is True
                for other_piece in self.pieces.values()
                if piece is not None and other_piece["CurrentMap"] == piece["CurrentMap"]
            ),
        }
        return Scope(self.values | (piece or {}), functions)

    def evaluate(self, expression: str, piece: Piece | None = None) -> str:
        """A value or expression, worked out."""
        return java(evaluate_text(expression[1:-1], self.scope(piece))) if expression.startswith("{") else expression

    def press(self, stroke: str) -> None:
        """Press a keystroke."""
        if stroke in self.changes:
            for name, changer in self.changes[stroke]:
                self.values[name] = self.evaluate(split(changer, ",")[1])
            return
        part = self.buttons[stroke]
        if "parameters" in part.attributes:
            self._command(part)
            return
        report = self.evaluate(str(part.attributes["reportFormat"])) if part.attributes["reportFormat"] else ""
        self.chat += [report] if report else []
        times = str(part.attributes.get("loopCount", 1))
        if part.attributes.get("doLoop") and self.evaluate(times, None) == "0":
            return
        for hotkey in filter(None, split(str(part.attributes["hotkeys"]), ",")):
            self.press(hotkey)

    def _command(self, part: XmlPart) -> None:
        pairs = [split(pair, ":") for pair in split(str(part.attributes["parameters"]), ",") if pair]
        for piece in self.pieces.values():
            if not self._is_target(part, piece):
                continue
            for name, expression in pairs:
                assert name in piece, f"no piece keeps {name}"
                piece[name] = self.evaluate(expression, piece)
            self.send(str(part.attributes["hotkey"]), piece)

    def _is_target(self, part: XmlPart, piece: Piece) -> bool:
        """Whether a command is for a piece: by its fast match, then by its filter."""
        fields = split(str(part.attributes.get("target", "")), "|")
        if fields[10:11] == ["true"]:
            name, value, mode = fields[11:14]
            current_value, value = piece.get(name), self.evaluate(value)
            if current_value is None or not (
                current_value == value if mode == "EQUALS" else re.fullmatch(value, current_value)
            ):
                return False
        filter_text = str(part.attributes["filter"])
        return not filter_text or evaluate_text(filter_text[1:-1], self.scope(piece)) is True

    def send(self, stroke: str, piece: Piece, first: int = 0) -> None:
        """A keystroke on its way through a piece's traits, from the outside in, as the engine's source has it."""
        traits = self.traits[piece["unit"]]
        for place in range(first, len(traits)):
            kind, fields = traits[place]
            if kind == "hideCmd" and stroke in split(fields[3], ","):
                if not fields[2] or evaluate_text(fields[2][1:-1], self.scope(piece)):
                    return
            elif kind == "report" and stroke in split(fields[0], ","):
                self.send(stroke, piece, place + 1)
                message = re.sub(r"\$(\w+)\$", lambda name: piece.get(name[1], ""), fields[1])
                self.chat += [message] if message else []
                return
            elif kind == "macro" and stroke in (fields[2], *split(fields[4], ",")):
                self.send(stroke, piece, place + 1)
                for key in split(fields[5], ","):
                    self.send(key, piece)
                return
            elif kind in ("PROP", "setprop"):
                properties = piece if kind == "PROP" else self.values
                for _, key, change in (split(command, ":") for command in split(fields[2], ",") if command):
                    way, *expressions = split(change, ",")
                    if key == stroke and way == "P":
                        properties[fields[0]] = self.evaluate(expressions[0], piece)

    def put(self, key: str, window: str, x: str, y: str, place: str) -> Piece:
        """A piece with everything its traits give it."""
        new_piece: Piece = {
            "CurrentMap": window,
            "CurrentX": x,
            "CurrentY": y,
            "LocationName": place,
            "Face_Level": "1",
        }
        traits = pieces.expand_prototypes(pieces.piece_entry(self.game, key, "1").traits, self.all_prototypes)
        self.traits[key] = [
            (kind, split(parameters, ";"))
            for kind, _, parameters in (source_trait.type.partition(";") for source_trait in traits)
        ]
        for trait in traits:
            kind, _, parameters = trait.type.partition(";")
            if kind == "mark":
                new_piece |= dict(zip(split(parameters, ","), split(trait.state, ","), strict=True))
            elif kind == "PROP":
                new_piece[split(parameters, ";")[0]] = trait.state
            elif kind == "piece":
                new_piece["BasicName"] = new_piece["PieceName"] = split(parameters, ";")[3]
        return new_piece

    def obey(self, orders: Iterable[str], places: dict[tuple[str, str], str]) -> Iterator[str]:
        """The answers to orders."""
        for order in orders:
            match order.split("\t"):
                case ["clear"]:
                    self.pieces.clear()
                case ["put", name, gpid, window, x, y]:
                    self.pieces[name] = self.put(self.by_gpid[gpid], window, x, y, places[x, y])
                case ["set", name, prop, *value]:
                    self.pieces[name][prop] = value[0] if value else ""
                case ["key", name, stroke]:
                    self._key(self.pieces[name], stroke)
                case ["tell", prop, value]:
                    self.values[prop] = value
                case ["press", stroke]:
                    self.chat.clear()
                    self.press(named_key(stroke))
                case ["ask", prop]:
                    yield f"{prop}\t{self.values[prop]}"
                case ["of", name, prop]:
                    yield f"{name}.{prop}\t{self.pieces[name][prop]}"
                case ["chat"]:
                    yield from (f"chat\t{re.sub('<[^>]*>', '', line)}" for line in self.chat)
                case ["say", words]:
                    yield words

    def _key(self, piece: Piece, stroke: str) -> None:
        if stroke == keys.FLIP:
            piece["Face_Level"] = "2"
            return
        if stroke in (keys.ELIMINATE, keys.ATTACKER, keys.DEFENDER):
            self.send(stroke, piece)
            return
        loose: list[Any] = loose_states(self.game)
        number = int(stroke.partition(",")[0]) - ord("1") if "," in stroke else int(stroke.removeprefix("state"))
        piece[f"{loose[number]}_Active"] = "true"
