"""The set-ups of a module as scenarios: each counter with its place and state, and the boards."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from modgen.importing.definitions import Definition, gpid_of, piece_name
from modgen.importing.faces import Layer, layers, looks
from modgen.importing.kinds import FLIPPED_STATE, PieceKind, PieceKinds
from modgen.importing.maps import Layout, Window, key_of
from modgen.importing.names import clean, slug
from modgen.importing.places import ImportedPlaces, Location, MapOut
from modgen.importing.report import Report
from modgen.vmod.files.loaded_module import LoadedModule, kind_of, name_of
from scenarios.vassal.archive import ENTRY, read_zip, unveil
from scenarios.vassal.commands import Trait
from scenarios.vassal.playing import NOWHERE, PlayedGame, play_text

STACKS = ("SetupStack", "DrawPile", "Deck")
START = "As the module starts"


@dataclass
class ImportedPiece:
    """A counter in its starting place."""

    kind: PieceKind
    location: Location
    states: frozenset[str]


@dataclass
class ImportedScenario:
    """A scenario."""

    title: str
    map: MapOut
    standing: list[ImportedPiece] = field(default_factory=list)


@dataclass
class SetUps:
    """Reads the set-ups of a module."""

    module: LoadedModule
    windows: Sequence[Window]
    kinds: PieceKinds
    places: ImportedPlaces
    states: dict[str, str]
    report: Report
    max_pieces: int

    def setups(self) -> Iterator[ImportedScenario]:
        """Every predefined set-up, and the pieces on the maps if the module starts without one."""
        setup_parts = [part for part in self.module.elements("PredefinedSetup") if part.get("isMenu") != "true"]
        files = [part for part in setup_parts if part.get("useFile", "true") == "true"]
        for part in files:
            # A title becomes a file name, which can't contain these.
            title, name = clean(re.sub(r"[/\\|]", "-", name_of(part))) or "Set-up", part.get("file", "")
            if name not in self.module.files:
                self.report.left_out("set-ups whose file isn't in the module", title)
                continue
            try:
                text = unveil(
                    read_zip(io.BytesIO(self.module.files[name]), "VASSAL save", name, self.max_pieces).get(ENTRY, b""),
                    self.max_pieces,
                )
                table = play_text(text)
            except ValueError as error:
                self.report.left_out("set-ups that can't be read", f"{title} ({error})")
                continue
            yield self._of_save(title, table)
        if len(files) == len(setup_parts) and files:
            return
        start_setup = self._of_stacks()
        if start_setup is not None:
            yield start_setup

    def _of_save(self, title: str, table: PlayedGame) -> ImportedScenario:
        layouts: dict[str, Layout] = {}
        for window in self.windows:
            saved_layout = window.read_layout(table.boards.get(window.name, ()))
            layouts[window.name] = saved_layout or window.start
        for window in self.windows:
            window.layouts[key_of(layouts[window.name])] = layouts[window.name]
            self.places.add_decks(window)
        setup = ImportedScenario(title, self.places.map_of(layouts[self.places.main.name]))
        for key, piece in table.pieces.items():
            traits = piece.traits
            kind = self._kind(traits, title)
            if kind is None:
                continue
            if piece.window == NOWHERE:
                self.report.left_out("pieces of set-ups that lie on no map", f"{title}: {kind.name}")
                continue
            deck = table.deck_of.get(key)
            if deck is not None and clean(deck.name):
                location = self.places.box(clean(deck.name), "pool")
            else:
                location = self.places.location_at(piece.window, layouts.get(piece.window, ()), piece.x, piece.y)
            setup.standing.append(ImportedPiece(kind, location, self._states_of(kind, layers(traits))))
        return setup

    def _kind(self, traits: Sequence[Trait], title: str) -> PieceKind | None:
        """The counter of a piece of a save: by its slot, else by name and look, else a new one."""
        gpid = gpid_of(traits)
        if gpid in self.kinds.by_gpid:
            return self.kinds.by_gpid[gpid]
        if gpid in self.kinds.unseen:
            return None
        faces = looks(traits, self.kinds.pictures)
        name = piece_name(traits)
        if not faces.front.parts:
            self.report.left_out("pieces of set-ups without any picture", f"{title}: {name or gpid}")
            return None
        kind = self.kinds.by_look.get((clean(name), faces.front.key))
        if kind is None:
            piece = Definition(name, gpid, (), tuple(traits), ())
            kind = self.kinds.make(piece, "", faces)
            self.kinds.by_look[kind.name, kind.front.key] = kind
            self.report.chose("pieces that only set-ups have: they are markers now", kind.name)
        self.kinds.by_gpid[gpid] = kind
        return kind

    def _states_of(self, kind: PieceKind, state_layers: Iterator[Layer]) -> frozenset[str]:
        """The states of a piece, from its layers."""
        if kind.marker:
            return frozenset()
        states = set()
        for layer in state_layers:
            if kind.turns is not None and (layer.name, layer.pictures) == (kind.turns.name, kind.turns.pictures):
                if layer.level == 2 if layer.always else layer.level > 0:
                    states.add(FLIPPED_STATE)
            elif not layer.always and layer.level > 0 and slug(clean(layer.title, 30)) in self.states:
                states.add(slug(clean(layer.title, 30)))
        return frozenset(states)

    def _of_stacks(self) -> ImportedScenario | None:
        """The pieces on the maps when a game starts without a save: stacks of the main map's boards, and decks."""
        main = self.places.main
        if not main.start:
            return None
        setup = ImportedScenario(START, self.places.map_of(main.start))
        for window in self.windows:
            self.places.add_decks(window)
            for stack in window.element.iter():
                if kind_of(stack) not in STACKS:
                    continue
                spot = self.places.stack_spot(window, stack, window.start)
                for slot in stack:
                    kind = self.kinds.by_gpid.get(slot.get("gpid", ""))
                    if kind is not None and spot is not None:
                        location = self.places.location_at(window.name, window.start, *spot)
                        setup.standing.append(ImportedPiece(kind, location, frozenset()))
                    elif kind is not None:
                        self.report.left_out(
                            "pieces on boards that don't lie in the map when the module starts", kind.name
                        )
        return setup
