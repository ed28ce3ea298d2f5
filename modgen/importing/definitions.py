"""The pieces that a module defines: the place of each definition, its traits with prototypes expanded, its properties."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from modgen.importing.report import Report
from modgen.vmod.files.loaded_module import Element, LoadedModule, kind_of, name_of
from scenarios.vassal.commands import Trait, read_added
from scenarios.vassal.sequence import split

SLOTS = ("PieceSlot", "CardSlot")
MOST_TRAITS = 3_000
"""More traits than any piece has, including those of its prototypes."""
MOST_PIECES = 20_000
DEEPEST = 60
"""The greatest depth of nested prototypes; real modules reach ten at most."""
PLACING_TRAITS = ("placemark", "replace")
"""Traits that contain the definition of another piece."""


class CannotImport(ValueError):
    """The module can't be imported; the text says why."""


@dataclass(frozen=True)
class Definition:
    """A piece as the module defines it."""

    name: str
    gpid: str
    path: tuple[Element, ...]
    """The elements that contain it, from the outside in."""
    traits: tuple[Trait, ...]
    """From the outside in, with prototypes expanded. The last trait is the piece itself."""
    prototypes: tuple[str, ...]

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """The names of the elements that contain it."""
        return tuple(name for element in self.path if (name := name_of(element)))

    @cached_property
    def properties(self) -> Mapping[str, str]:
        """The properties of the piece: marks, and initial values of other properties. The outermost wins."""
        value_by_name: dict[str, str] = {}
        for trait in reversed(self.traits):
            kind, _, arguments = trait.type.partition(";")
            if kind == "mark":
                value_by_name |= dict(zip(split(arguments, ","), split(trait.state, ","), strict=False))
            elif kind == "PROP" and (name := split(arguments, ";")[0]):
                value_by_name[name] = trait.state
        return {name: value.strip() for name, value in value_by_name.items() if name}

    @property
    def identity(self) -> tuple[object, ...]:
        """A key that copies of one piece share: everything except the id."""
        return self.name, tuple(t.type for t in self.traits), tuple(t.state for t in self.traits[:-1])


@dataclass
class Prototypes:
    """The prototypes of a module, expanded as the engine does when a player takes a piece from the palette."""

    definitions: Mapping[str, tuple[Trait, ...]]
    report: Report

    def expand(self, traits: Sequence[Trait]) -> tuple[tuple[Trait, ...], tuple[str, ...]]:
        """Traits with every prototype replaced by its own, and the names of the prototypes."""
        result: list[Trait] = []
        prototype_names: list[str] = []
        self._expand(traits, result, prototype_names, 0)
        return tuple(result), tuple(dict.fromkeys(prototype_names))

    def _expand(self, traits: Sequence[Trait], result: list[Trait], prototype_names: list[str], depth: int) -> None:
        for trait in traits:
            if len(result) > MOST_TRAITS or depth > DEEPEST:
                raise CannotImport(
                    "a piece has thousands of traits, or a prototype is built on itself; mend it in VASSAL's editor"
                )
            kind, _, arguments = trait.type.partition(";")
            if kind != "prototype":
                result.append(trait)
                continue
            name = split(arguments, ";")[0]
            prototype_names.append(name)
            if name in self.definitions:
                self._expand(self.definitions[name], result, prototype_names, depth + 1)
            else:
                self.report.left_out("prototypes that pieces name and the module doesn't have", name)


def prototypes(module: LoadedModule, report: Report) -> Prototypes:
    """The prototypes of a module, each without the empty piece at its end."""
    traits_by_name: dict[str, tuple[Trait, ...]] = {}
    for element in module.elements("PrototypeDefinition"):
        definition = read_added((element.text or "").strip())
        traits_by_name[name_of(element)] = definition.traits[:-1] if definition is not None else ()
    return Prototypes(traits_by_name, report)


def definitions(module: LoadedModule, prototype_table: Prototypes, report: Report) -> list[Definition]:
    """Every piece and card that the module defines: in palettes, in stacks of maps, in decks, and inside traits."""
    pieces: list[Definition] = []
    for path, slot in _slots(module.root, ()):
        piece = read_added((slot.text or "").strip())
        if piece is None or not piece.traits:
            report.left_out("pieces whose definition can't be read", name_of(slot) or slot.get("gpid", "?"))
            continue
        pieces.append(_definition(piece.traits, name_of(slot), slot.get("gpid", ""), path, prototype_table))
        if len(pieces) > MOST_PIECES:
            raise CannotImport(f"the module has more than {MOST_PIECES:,} pieces, more than any game; name another")
    return [*pieces, *_inside(pieces, prototype_table)]


def _slots(element: Element, path: tuple[Element, ...]) -> Iterator[tuple[tuple[Element, ...], Element]]:
    for part in element:
        if kind_of(part) in SLOTS:
            yield path, part
        else:
            yield from _slots(part, (*path, part))


def _definition(
    traits: Sequence[Trait], name: str, gpid: str, path: tuple[Element, ...], prototype_table: Prototypes
) -> Definition:
    all_traits, prototype_names = prototype_table.expand(traits)
    return Definition(piece_name(all_traits) or name, gpid, path, all_traits, prototype_names)


def _inside(outer_pieces: Sequence[Definition], prototype_table: Prototypes) -> Iterator[Definition]:
    """Pieces that other pieces place or turn into, if the traits contain the whole definition."""
    specs: set[str] = set()
    for definition in outer_pieces:
        for trait in definition.traits:
            if not trait.type.startswith(PLACING_TRAITS):
                continue
            fields = split(trait.type, ";")
            spec, gpid = next((field for field in fields if field.startswith("+/")), ""), next(reversed(fields), "")
            piece = read_added(spec) if spec and spec not in specs else None
            specs.add(spec)
            if piece is not None and piece.traits:
                yield _definition(piece.traits, "", gpid_of(piece.traits) or gpid, definition.path, prototype_table)


def piece_name(traits: Sequence[Trait]) -> str:
    """The piece's name in its innermost trait."""
    fields = split(traits[-1].type, ";") if traits else []
    name = fields[4] if len(fields) > 4 and fields[0] == "piece" else ""
    return " ".join(re.sub(r"[\x00-\x1f]", " ", name).split())


def gpid_of(traits: Sequence[Trait]) -> str:
    """The id of the palette slot that a piece of a save comes from."""
    fields = split(traits[-1].state, ";") if traits else []
    return fields[3] if len(fields) > 3 else ""
