"""Replay a save or a log: apply each command as the engine does, to the last one.

A log is a save, followed by the commands of play in order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from scenarios.vassal.archive import SAVE_AGAIN
from scenarios.vassal.commands import Trait, flatten, read_added, split_traits
from scenarios.vassal.sequence import split

LOG, PROPERTY, PROPERTY_CHANGE, TURN, EXTENSION = "LOG\t", "GlobalProperty\t;", "MutableProperty\t", "TURN", "EXT\t"
NOWHERE = "null"
NAME_FIELD, PICTURES = 18, 15
"""The index of the name in the type of a layer, and that of the pictures."""
DECK = "deck;"
"""The prefix of the type of a deck."""
DECK_NAME = 12
"""The index of the name in the rest of a deck's type."""
BADGE = "state-"
"""The prefix of the names of state pictures."""
LEVEL = re.compile(r"-?\d{0,4}")
SAVE_DATA = "Mitla"
"""The property with the game, release and grids of a save."""


@dataclass
class TablePiece:
    """A piece in play: its present traits and its position."""

    id: str
    types: tuple[str, ...]
    states: list[str]
    window: str = NOWHERE
    x: int = 0
    y: int = 0

    @property
    def traits(self) -> list[Trait]:
        """The type and state of each trait, from the outside in."""
        return [Trait(*pair) for pair in zip(self.types, self.states, strict=False)]

    @cached_property
    def _dynamic_properties(self) -> Mapping[int, str]:
        """The dynamic properties, by the index of their trait."""
        return {i: (*split(text, ";"), "")[1] for i, text in enumerate(self.types) if text.startswith("PROP;")}

    @property
    def properties(self) -> dict[str, str]:
        """The properties of the piece: the constant ones, then the dynamic ones."""
        value_by_name: dict[str, str] = {}
        for trait in self.traits:
            if trait.type.startswith("mark;"):
                value_by_name |= dict(zip(split(trait.type[5:], ","), split(trait.state, ","), strict=False))
        return value_by_name | {
            name: self.states[i] for i, name in self._dynamic_properties.items() if i < len(self.states)
        }

    @property
    def of_extension(self) -> bool:
        """Whether the piece belongs to an extension: its palette ids begin with the extension's id."""
        return ":" in (*split(self.states[-1], ";"), "", "", "", "")[3]

    @property
    def name(self) -> str:
        """The name of the piece in its palette."""
        return (*split(self.types[-1], ";"), "", "", "", "", "")[4]

    @property
    def layers(self) -> dict[str, int]:
        """The number of the visible picture of each layer, from one. Zero or less if the layer is hidden."""
        level_of_layer: dict[str, int] = {}
        for trait in self.traits:
            if trait.type.startswith("emb2;"):
                trait_fields, level = split(trait.type[5:], ";"), split(trait.state, ";")[0]
                if len(trait_fields) > NAME_FIELD and LEVEL.fullmatch(level):
                    level_of_layer[trait_fields[NAME_FIELD]] = int(level or 0)
        return level_of_layer

    @property
    def badges(self) -> set[str]:
        """The states that the piece shows, from the pictures of its layers."""
        return {
            trait_fields[NAME_FIELD]
            for trait in self.traits
            if trait.type.startswith("emb2;")
            and len(trait_fields := split(trait.type[5:], ";")) > NAME_FIELD
            and trait_fields[PICTURES].startswith(BADGE)
            and self.layers.get(trait_fields[NAME_FIELD], 0) > 0
        }


@dataclass
class Deck:
    """A deck: its name, its position, and the ids of its pieces."""

    name: str
    window: str = NOWHERE
    x: int = 0
    y: int = 0
    pieces: tuple[str, ...] = ()


@dataclass
class PlayedGame:
    """The state of the game: pieces, their stacks, boards, the turn, and the module's properties."""

    pieces: dict[str, TablePiece] = field(default_factory=dict)
    stacks: dict[str, dict[str, None]] = field(default_factory=dict)
    """The pieces of each stack, from the bottom up."""
    homes: dict[str, str] = field(default_factory=dict)
    """The stack of each piece that is in one."""
    decks: dict[str, Deck] = field(default_factory=dict)
    deck_of: dict[str, Deck] = field(default_factory=dict)
    """The deck of each piece that is in one."""
    boards: dict[str, list[str]] = field(default_factory=dict)
    turns: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    extensions: list[str] = field(default_factory=list)

    @property
    def turn(self) -> str:
        """The state of the turn tracker."""
        return next(iter(self.turns.values()), "")

    @property
    def about(self) -> Mapping[str, Any]:
        """The save's own description of its game: pack, release and grids."""
        try:
            details = json.loads(self.properties.get(SAVE_DATA, "{}"))
        except (ValueError, RecursionError):
            return {}
        return details if isinstance(details, dict) else {}

    def do(self, command: str) -> None:
        """Apply one command. Commands on other things, such as the chat, change nothing."""
        done = _DONE.get(command[:2])
        if done is not None:
            done(self, command)
        elif command.startswith(PROPERTY):
            name, value, *_ = [*split(command, ";")[1:], ""]
            self.properties[name] = value
        elif command.startswith(PROPERTY_CHANGE):
            name, _, value, *_ = [*split(command.removeprefix(PROPERTY_CHANGE), "\t"), "", ""]
            self.properties[name] = value
        elif command.startswith(EXTENSION):
            self.extensions.append(split(command.removeprefix(EXTENSION), "\t")[0])
        elif command.startswith(TURN) and "\t" in command:
            tracker, state, *_ = split(command, "\t")
            self.turns[tracker] = state
        elif "BoardPicker\t" in command:
            window, *cells = split(command, "\t")
            self.boards[window.removesuffix("BoardPicker")] = cells

    def add(self, command: str) -> None:
        """Add a piece, a stack or a deck to the game."""
        addition = read_added(command)
        if addition is None:
            return
        if addition.traits[0].type.startswith(DECK):
            fields = split(addition.traits[0].type.removeprefix(DECK), ";")
            self.decks[addition.id] = Deck(fields[DECK_NAME] if len(fields) > DECK_NAME else "")
            self._fill(self.decks[addition.id], addition.traits[0].state)
            return
        if addition.traits[0].type == "stack":
            self._read_stack(addition.id, addition.traits[0].state)
            return
        types, states = zip(*addition.traits, strict=True)
        piece = TablePiece(addition.id, types, list(states))
        self.pieces[addition.id] = piece
        _stand(piece)
        self._put_in_deck(piece)

    def remove(self, command: str) -> None:
        """Remove a piece or a stack from the game."""
        key = command[2:]
        self.pieces.pop(key, None)
        for piece in self.stacks.pop(key, ()):
            self.homes.pop(piece, None)
        self._unstack(key)
        self.deck_of.pop(key, None)
        if key in self.decks:
            self._empty(self.decks.pop(key))

    def change(self, command: str) -> None:
        """Change the state of a piece or a stack, trait by trait, as the command says."""
        key, new, *old = split(command[2:], "/")
        piece = self.pieces.get(key)
        if piece is None:
            if key in self.stacks:
                self._read_stack(key, new)
            elif key in self.decks:
                self._fill(self.decks[key], new)
            return
        new_states = split_traits(new)
        old_states = split_traits(old[0]) if old else [""] * len(new_states)
        for i, (new_state, was) in enumerate(zip(new_states, old_states, strict=False)):
            if i < len(piece.states) and (not old or new_state != was or i == len(new_states) - 1):
                piece.states[i] = new_state
        _stand(piece)
        self._put_in_deck(piece)

    def move(self, command: str) -> None:
        """Move a piece onto what lies at the target, or move a whole stack."""
        key, window, x, y, target_key, *_ = split(command[2:], "/")
        for piece_key in self.stacks.get(key, [key]):
            if piece_key in self.pieces:
                _put(self.pieces[piece_key], window, int(x), int(y))
                self.deck_of.pop(piece_key, None)
        if key in self.pieces:
            self._unstack(key)
            home = target_key if target_key in self.stacks else self.homes.get(target_key)
            if home is not None:
                self._stack(key, home)

    def _read_stack(self, key: str, state: str) -> None:
        window, *stack_fields = split(state, ";")
        for piece in self.stacks.get(key, ()):
            self.homes.pop(piece, None)
        self.stacks[key] = {}
        if window == NOWHERE or len(stack_fields) < 2:
            return
        x, y, *ids = stack_fields
        for piece in ids:
            if piece in self.pieces:
                self._unstack(piece)
                _put(self.pieces[piece], window, int(x), int(y))
                self._stack(piece, key)

    def _fill(self, deck: Deck, state: str) -> None:
        """Put pieces into a deck. They lie at the deck's position; their own state names no map."""
        self._empty(deck)
        window, *rest = split(state, ";")
        if window == NOWHERE or len(rest) < 2:
            return
        deck.window, deck.x, deck.y = window, int(rest[0]), int(rest[1])
        deck.pieces = tuple(split(rest[3], ",")) if len(rest) > 3 else ()
        for key in deck.pieces:
            self.deck_of[key] = deck
            if key in self.pieces:
                self._put_in_deck(self.pieces[key])

    def _empty(self, deck: Deck) -> None:
        for key in deck.pieces:
            if self.deck_of.get(key) is deck:
                del self.deck_of[key]
        deck.pieces = ()

    def _put_in_deck(self, piece: TablePiece) -> None:
        deck = self.deck_of.get(piece.id)
        if deck is not None and piece.window == NOWHERE:
            _put(piece, deck.window, deck.x, deck.y)

    def _stack(self, piece: str, home: str) -> None:
        self.stacks[home][piece] = None
        self.homes[piece] = home

    def _unstack(self, piece: str) -> None:
        home = self.homes.pop(piece, None)
        if home is not None:
            self.stacks[home].pop(piece, None)


_DONE: Mapping[str, Callable[[PlayedGame, str], None]] = {
    "+/": PlayedGame.add,
    "-/": PlayedGame.remove,
    "D/": PlayedGame.change,
    "M/": PlayedGame.move,
}


def _stand(piece: TablePiece) -> None:
    """Put a piece at the position in its innermost state."""
    window, *place_fields = split(piece.states[-1], ";")
    if window == NOWHERE or len(place_fields) < 2:
        piece.window = NOWHERE
    else:
        piece.window, piece.x, piece.y = window, int(place_fields[0]), int(place_fields[1])


def _put(piece: TablePiece, window: str, x: int, y: int) -> None:
    piece.window, piece.x, piece.y = window, x, y


def play(commands: Iterable[str]) -> PlayedGame:
    """The game after every command of a save or log. Logged commands are applied too."""
    table = PlayedGame()
    for command in commands:
        try:
            table.do(command.removeprefix(LOG))
        except (ValueError, IndexError):
            raise ValueError(
                f"this save is damaged (the command {command[:60]!r} can't be read); {SAVE_AGAIN}"
            ) from None
    return table


def play_text(text: str) -> PlayedGame:
    """The game after the whole text of a save or log."""
    return play(flatten(text))
