"""A module's battles without the engine: pieces, properties and buttons, obeying the orders that the engine gets."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from modgen.vmod import chances, keys, pieces
from modgen.vmod.combat import combat
from modgen.vmod.near import near
from modgen.vmod.places import SCENARIO
from modgen.vmod.sight import LAYOUT, messages, written
from modgen.vmod.traits import named
from modgen.vmod.xml import Part
from scenarios.game import Game
from scenarios.hexes import distance
from scenarios.maps import HexMap
from scenarios.vassal.sequence import split
from tests import shared
from tests.bsh import Scope, evaluated, java

Piece = dict[str, str]


class Machine:
    """The module of a game."""

    def __init__(self, game: Game, scenario: str, gpids: dict[str, str], turn: int, seed: int = 1) -> None:
        self.game, self.dice = game, random.Random(seed)
        self.known = shared.prototypes(game)
        self.by_gpid = {gpid: key for key, gpid in gpids.items()}
        props, parts, _ = combat(game)
        self.values: dict[str, str] = {str(p.attributes["name"]): str(p.attributes["initialValue"]) for p in props}
        self.values |= {SCENARIO: scenario, **near(game), LAYOUT: written(game).get(scenario, "")}
        held = [*messages(game, shared.DRAWN), *chances.messages(game)]
        self.values |= {str(part.attributes["name"]): str(part.attributes["initialValue"]) for part in held}
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
            "CountLocation": lambda said: sum(
                evaluated(said[1:-1], self.scope(one)) is True
                for one in self.pieces.values()
                if piece is not None and one["LocationName"] == piece["LocationName"]
            ),
            "CountRange": lambda least, most, said: sum(
                evaluated(said[1:-1], self.scope(one)) is True
                for one in self.pieces.values()
                if piece is not None
                and one["CurrentMap"] == piece["CurrentMap"]
                and least <= distance(self.hexes[piece["LocationName"]], self.hexes[one["LocationName"]]) <= most
            ),
            "CountMap": lambda said: sum(
                evaluated(said[1:-1], self.scope(one)) is True
                for one in self.pieces.values()
                if piece is not None and one["CurrentMap"] == piece["CurrentMap"]
            ),
        }
        return Scope(self.values | (piece or {}), functions)

    def worked(self, said: str, piece: Piece | None = None) -> str:
        """A value or expression, worked out."""
        return java(evaluated(said[1:-1], self.scope(piece))) if said.startswith("{") else said

    def press(self, stroke: str) -> None:
        """Press a keystroke."""
        if stroke in self.changes:
            for name, changer in self.changes[stroke]:
                self.values[name] = self.worked(split(changer, ",")[1])
            return
        part = self.buttons[stroke]
        if "parameters" in part.attributes:
            self._command(part)
            return
        report = self.worked(str(part.attributes["reportFormat"])) if part.attributes["reportFormat"] else ""
        self.chat += [report] if report else []
        times = str(part.attributes.get("loopCount", 1))
        if part.attributes.get("doLoop") and self.worked(times, None) == "0":
            return
        for one in filter(None, split(str(part.attributes["hotkeys"]), ",")):
            self.press(one)

    def _command(self, part: Part) -> None:
        pairs = [split(pair, ":") for pair in split(str(part.attributes["parameters"]), ",") if pair]
        for piece in self.pieces.values():
            if not self._meant(part, piece):
                continue
            for name, said in pairs:
                assert name in piece, f"no piece keeps {name}"
                piece[name] = self.worked(said, piece)
            self.send(str(part.attributes["hotkey"]), piece)

    def _meant(self, part: Part, piece: Piece) -> bool:
        """Whether a command is for a piece: by its fast match, then by its filter."""
        fields = split(str(part.attributes.get("target", "")), "|")
        if fields[10:11] == ["true"]:
            name, value, mode = fields[11:14]
            held, value = piece.get(name), self.worked(value)
            if held is None or not (held == value if mode == "EQUALS" else re.fullmatch(value, held)):
                return False
        said = str(part.attributes["filter"])
        return not said or evaluated(said[1:-1], self.scope(piece)) is True

    def send(self, stroke: str, piece: Piece, first: int = 0) -> None:
        """A keystroke on its way through a piece's traits, from the outside in, as the engine's source has it."""
        traits = self.traits[piece["unit"]]
        for place in range(first, len(traits)):
            kind, fields = traits[place]
            if kind == "hideCmd" and stroke in split(fields[3], ","):
                if not fields[2] or evaluated(fields[2][1:-1], self.scope(piece)):
                    return
            elif kind == "report" and stroke in split(fields[0], ","):
                self.send(stroke, piece, place + 1)
                told = re.sub(r"\$(\w+)\$", lambda name: piece.get(name[1], ""), fields[1])
                self.chat += [told] if told else []
                return
            elif kind == "macro" and stroke in (fields[2], *split(fields[4], ",")):
                self.send(stroke, piece, place + 1)
                for key in split(fields[5], ","):
                    self.send(key, piece)
                return
            elif kind in ("PROP", "setprop"):
                held = piece if kind == "PROP" else self.values
                for _, key, how in (split(command, ":") for command in split(fields[2], ",") if command):
                    way, *said = split(how, ",")
                    if key == stroke and way == "P":
                        held[fields[0]] = self.worked(said[0], piece)

    def put(self, key: str, window: str, x: str, y: str, place: str) -> Piece:
        """A piece with everything its traits give it."""
        made: Piece = {"CurrentMap": window, "CurrentX": x, "CurrentY": y, "LocationName": place, "Face_Level": "1"}
        traits = pieces.expanded(pieces.piece(self.game, key, "1").traits, self.known)
        self.traits[key] = [(kind, split(rest, ";")) for kind, _, rest in (one.type.partition(";") for one in traits)]
        for trait in traits:
            kind, _, rest = trait.type.partition(";")
            if kind == "mark":
                made |= dict(zip(split(rest, ","), split(trait.state, ","), strict=True))
            elif kind == "PROP":
                made[split(rest, ";")[0]] = trait.state
            elif kind == "piece":
                made["BasicName"] = made["PieceName"] = split(rest, ";")[3]
        return made

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
                    self.press(named(stroke))
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
        loose: list[Any] = pieces.loose_states(self.game)
        number = int(stroke.partition(",")[0]) - ord("1") if "," in stroke else int(stroke.removeprefix("state"))
        piece[f"{loose[number]}_Active"] = "true"
