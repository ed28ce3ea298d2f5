"""An extension: what an overlay adds to a game, as a .vmdx file that the game's own module loads.

The builder compares the module of the game with that of the game with the overlay. What the second adds becomes the
extension. If the second differs in any other way, the extension is refused, because it can't change a module.
Scenarios and tables are added separately. Expressions of the module list scenarios, so a new scenario uses the name
of one that is played on the same map.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.etree import ElementTree

from modgen.cache import Cache
from modgen.vmod.check.module_faults import bases
from modgen.vmod.files.component_paths import ENGINE, path, words
from modgen.vmod.files.loaded_module import BUILD, Element, kind_of, name_of, traits_of
from modgen.vmod.files.lock import LOCK, CannotBuild, ExtensionLock, Lock, no_clash, read_lock
from modgen.vmod.files.module import (
    VASSAL,
    compose,
    metadata,
    setup,
    setup_picture,
    sheet_file,
    slots,
    stamp,
    version,
    window_sizes,
)
from modgen.vmod.files.patch import steps
from modgen.vmod.files.xml import MODULE, WIDGET, XmlPart, document
from modgen.vmod.maps.board_pictures import layout_names
from modgen.vmod.maps.charts import charts
from modgen.vmod.maps.trays import zoned_board
from modgen.vmod.pieces import pieces, support
from modgen.vmod.pieces.face_pictures import badges
from modgen.vmod.pieces.faces import back_picture, counted_steps, front
from modgen.vmod.pieces.palette import MARKERS, SUPPORT, slot
from modgen.vmod.pieces.pictures import SvgPicture, render_all
from modgen.vmod.setups.setups import commands, kind, positions, save, setup_file
from modgen.vmod.setups.turns import phases, state
from modgen.vmod.sight.sight_tables import layouts, setup_values
from modgen.vmod.text.briefing import page, scenario_name
from scenarios.model.game import Game
from scenarios.pack.overlays import ABOUT, ADD
from scenarios.pack.pack_folder import shipped_games
from scenarios.reading.findings import Finding, PackError
from scenarios.reading.nodes import Node
from scenarios.reading.yaml_tree import read_nodes
from scenarios.vassal.archive import pack_zip
from scenarios.vassal.playing import EXTENSION, SAVE_DATA
from scenarios.vassal.sequence import join
from scenarios.vassal.windows import TraySheet, box_sheets, counter_size, map_of, setup_sheets, windows_of

EXTENSION_SECTIONS = ("counters", "markers", "tables", "scenarios", "classes", "types", "abilities", "effects")
"""The sections of a pack to which an extension can add."""
KEPT_ATTRIBUTES = {
    "GameModule": {"nextPieceSlotId"},
    "ListWidget": {"width", "height", "divider"},
    "BoxWidget": {"width", "height"},
    "PieceSlot": {"entryName", "width", "height"},
}
"""Attributes that may differ in a module with the extension: sizes, and names that distinguish counters. The module keeps its own."""
ID_LENGTH = 6


@dataclass(frozen=True)
class Overlay:
    """The files of an overlay as written."""

    files: Mapping[Path, Node]

    def own_text(self, key: str) -> str:
        """A text that the files give about themselves. The first file that has it wins."""
        return next((node.child(key).text or "" for node in self.files.values() if node.get(key) is not None), "")

    def added_entries(self, section: str) -> Mapping[str, Node]:
        """The entries that are added to a section, each with the node of its id."""
        nodes = (node.child(ADD).get(section) for node in self.files.values() if node.get(ADD) is not None)
        return {key: pair[0] for node in nodes if node is not None for key, pair in (node.entries or {}).items()}

    def node_below(self, section: str, key: str, *names: str) -> Node:
        """A part of an added entry, or the nearest node that exists."""
        for node in self.files.values():
            section_node = node.child(ADD).get(section)
            if section_node is not None and key in (section_node.entries or {}):
                part = section_node.child(key, *names)
                return part if part is not section_node.child(key) else (section_node.entries or {})[key][0]
        return next(iter(self.files.values()))


@dataclass
class Extension:
    """An extension under construction: its additions with their places, its files and its pictures."""

    parts: list[tuple[str, Element]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    pictures: dict[str, SvgPicture] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, target: str, part: XmlPart | Element) -> None:
        """Attach a part to a component of the module."""
        self.parts.append((target, _element(part)))


def read_overlay(game_id: str, paths: Sequence[Path]) -> Overlay:
    """The files of an overlay. Raises PackError with every line that no extension can contain."""
    files: dict[Path, Node] = {}
    findings: list[Finding] = []
    for file in paths:
        node, file_findings = read_nodes(file)
        findings += file_findings
        if node is not None:
            files[file] = node
    for node in files.values():
        for section, (key, value) in (node.entries or {}).items():
            if section == ADD:
                findings += [
                    name.find(
                        f"an extension can't carry {part_name} ({', '.join(EXTENSION_SECTIONS)} it can); {instead_of(game_id, paths)}"
                    )
                    for part_name, (name, _) in (value.entries or {}).items()
                    if part_name not in EXTENSION_SECTIONS
                ]
            elif section not in ABOUT:
                message = (
                    f"{section} that the module has can't be changed by an extension; {instead_of(game_id, paths)}"
                )
                findings.append(key.find(message))
    overlay = Overlay(files)
    if not findings and not any(overlay.added_entries(section) for section in EXTENSION_SECTIONS):
        first_node = next(iter(files.values()))
        findings.append(first_node.find(f"it adds nothing; write what the extension shall bring under `{ADD}`"))
    if findings:
        raise PackError(sorted(set(findings)))
    return overlay


def instead_of(game_id: str, paths: Iterable[Path]) -> str:
    """What a player can do if an extension isn't possible."""
    return f"build a module instead: modgen build {game_id} {' '.join(f'--overlay {file}' for file in paths)}"


def identity(game: Game, name: str) -> str:
    """The prefix of the ids of an extension's pieces."""
    return hashlib.sha256(f"{game.id}/{name}".encode()).hexdigest()[:ID_LENGTH]


class ExtensionBuilder:
    """Builds an extension and records everything that isn't possible, with its line."""

    def __init__(
        self, base: Game, extended_game: Game, overlay: Overlay, name: str, own_lock: Lock, cache: Cache
    ) -> None:
        self.base, self.extended_game, self.overlay, self.name, self.own_lock, self.cache = (
            base,
            extended_game,
            overlay,
            name,
            own_lock,
            cache,
        )
        self.findings: list[Finding] = []
        self.extension = Extension()
        lock = read_lock(base.folder)
        self.lock = ExtensionLock(
            dict(lock.gpids), lock.next, copy.deepcopy(lock.names), dict(lock.boards), lock=own_lock
        )
        own_lock.id = own_lock.id or identity(base, name)

    def refuse(self, node: Node, reason: str) -> None:
        """Record something that an extension can't do."""
        end = "" if reason.endswith(" or") else ";"
        self.findings.append(node.find(f"{reason}{end} {instead_of(self.base.id, self.overlay.files)}"))

    def make(self) -> Extension:
        """The whole extension. Raises PackError with everything that it can't contain."""
        number = len(self.own_lock.gpids)
        base_module = compose(self.base, self.lock, self.cache)
        if len(self.own_lock.gpids) != number:
            pack_name = self.base.folder if self.base.id not in shipped_games() else self.base.id
            raise CannotBuild(
                f"{self.base.folder / LOCK} lacks pieces of the module; build that first: modgen build {pack_name} --only module"
            )
        # Scenarios and tables are added separately.
        game, base = self.extended_game, self.base
        module_game = replace(
            game,
            scenarios={key: game.scenarios[key] for key in base.scenarios},
            scenario_maps={key: game.scenario_maps[key] for key in base.scenario_maps},
            tables={key: game.tables[key] for key in base.tables},
        )
        no_clash(
            (name(key) for key in (*module_game.units, *module_game.markers) for name in (front, back_picture)),
            badges(module_game),
        )
        extended_module = compose(module_game, self.lock, self.cache)
        self._compare(
            ElementTree.fromstring(base_module.files[BUILD]), ElementTree.fromstring(extended_module.files[BUILD]), ()
        )
        self.extension.parts = list(_without_unused(self.extension.parts))
        self.extension.pictures |= {
            file: picture for file, picture in extended_module.pictures.items() if file not in base_module.pictures
        }
        self._tables()
        self._scenarios(module_game)
        if self.findings:
            raise PackError(sorted(set(self.findings)))
        return self.extension

    def _compare(self, old: Element, new: Element, way: tuple[Element, ...]) -> None:
        """Add what only the second element has, and refuse what differs."""
        if name_of(old) == SAVE_DATA:  # the former ids of counters: the overlay gives them to the reader of its saves
            return
        changed_keys = {
            key for key in {*old.attrib, *new.attrib} if old.get(key) != new.get(key)
        } - KEPT_ATTRIBUTES.get(kind_of(old), set())
        if changed_keys or ((old.text or "").strip() != (new.text or "").strip() and kind_of(old) != "PieceSlot"):
            self._record_change(way)
        old_steps, new_steps = steps(old), steps(new)
        for step, child in new_steps.items():
            if step in old_steps:
                self._compare(old_steps[step], child, (*way, old_steps[step]))
            elif child.tag.startswith(ENGINE):
                self.extension.add(path(way), child)
            else:
                self._record_change(way)
        if any(step not in new_steps for step in old_steps):
            self._record_change(way)

    def _record_change(self, way: tuple[Element, ...]) -> None:
        for node in self.overlay.files.values():
            if (add := (node.entries or {}).get(ADD)) is not None:
                self.refuse(add[0], f"what is added would change {words(way)} of the module, which an extension can't")
                return

    def _tables(self) -> None:
        """Add a chart for each table."""
        window, pictures = charts(self.extended_game)
        _, base_pictures = charts(self.base)
        fresh = {file: picture for file, picture in pictures.items() if file not in base_pictures}
        for chart in window[0].parts[0].parts:
            if chart.attributes["fileName"] in fresh:
                self.extension.add(f"{MODULE}ChartWindow:Charts/{WIDGET}ListWidget:Charts", chart)
                self.extension.pictures[str(chart.attributes["fileName"])] = fresh[str(chart.attributes["fileName"])]
        for key in self.overlay.added_entries("tables"):
            if self.extended_game.tables[key].dice:
                self.extension.notes.append(f"the table {key} is a chart; the button that rolls on it needs a module")

    def _scenarios(self, module_game: Game) -> None:
        """Add the set-up, page and trays of each scenario."""
        added_nodes = self.overlay.added_entries("scenarios")
        if not added_nodes:
            return
        game = self.extended_game
        gpids, prototypes = slots(module_game, self.lock) | self._support(module_game), pieces.prototypes(module_game)
        phase_names = self.lock.names.get("phases") or ["Play"]
        starts = positions(game)
        base_prototypes = pieces.prototypes(self.base)
        piece_kinds = {
            piece: kind(self.base, pieces.piece_entry(self.base, piece, gpids[piece]), base_prototypes)
            for piece in (*self.base.units, *self.base.markers)
        }
        old = [sheet for key in self.base.scenarios for sheet in setup_sheets(self.base, key)]
        for number, (key, node) in enumerate(added_nodes.items(), 1):
            if not self._playable(key, node, module_game):
                continue
            place = self._stands_for(key)
            if place is None:
                continue
            table = map_of(game, key)
            own_starts = [starts[base_id] for base_id in self.base.scenarios if map_of(game, base_id) is table]
            shared_boxes = box_sheets(game, table, own_starts)
            if shared_boxes != box_sheets(game, table, [*own_starts, starts[key]]):
                self.refuse(
                    node, "it puts more kinds of counters into a box or on a track than the module's have room for"
                )
                continue
            scenario = game.scenarios[key]
            layout = setup_values(self.base).get(place, "")
            turn = state(game, scenario, phase_names)
            text = commands(
                game,
                starts[key],
                gpids,
                prototypes,
                turn,
                shared_boxes,
                piece_kinds,
                layout,
                place,
                [self._registration()],
            )
            data = metadata(self.base)
            self.extension.files[setup_file(game, key)] = save(
                text, data, version(self.base), VASSAL, stamp(self.base), scenario.title
            )
            self._trays(key, old)
            file = f"{game.id}-{self.name}-{number}.html"
            self.extension.files[file] = page(game, key).encode("utf-8")
            chart = XmlPart(WIDGET + "HtmlChart", chartName=scenario_name(game, key), fileName=file, description="")
            self.extension.add(f"{MODULE}ChartWindow:Scenarios/{WIDGET}ListWidget:Scenarios", chart)
            self.extension.add("", setup(game, key))

    def _registration(self) -> str:
        """The command by which a save requires this extension, as the engine writes it."""
        return EXTENSION + join([f"{self.base.id}-{self.name}", extension_version(self.base, self.overlay)], "\t")

    def _support(self, module_game: Game) -> dict[str, str]:
        """Palette slots for support that the module's scenarios don't have, by id."""
        base_support, support_pictures = support.all_support(module_game), support.pictures(self.extended_game)
        gpids: dict[str, str] = {}
        for key, new_support in support.all_support(self.extended_game).items() if base_support else ():
            if key not in base_support:
                gpids[key] = self.lock.gpid(key)
                way = f"{MODULE}PieceWindow:Pieces/{WIDGET}BoxWidget:Pieces/{WIDGET}BoxWidget:{MARKERS}/{WIDGET}ListWidget:{SUPPORT}"
                self.extension.add(
                    way,
                    slot(
                        support.piece(self.extended_game, new_support, gpids[key]),
                        None,
                        counter_size(self.extended_game),
                    ),
                )
                self.extension.pictures |= {file: support_pictures[file] for file in (front(key), back_picture(key))}
        return gpids

    def _trays(self, key: str, old: Sequence[TraySheet]) -> None:
        """Add the boards with a scenario's trays, as large as the module's boards in the same windows."""
        tray_sheets = setup_sheets(self.extended_game, key)
        sizes = window_sizes([*tray_sheets, *old])
        for tight in tray_sheets:
            sheet = replace(tight, width=sizes[tight.window][0], height=sizes[tight.window][1])
            picture = setup_picture(self.extended_game, key, sheet)
            file = sheet_file(sheet, picture)
            self.extension.pictures[file] = picture
            window = XmlPart(MODULE + "Map", mapName=sheet.window)
            self.extension.add(f"{path([_element(window)])}/{MODULE}map.BoardPicker", zoned_board(sheet, file))

    def _playable(self, key: str, node: Node, module_game: Game) -> bool:
        """Whether the module has everything that a scenario needs except its pieces and trays."""
        game, scenario, count = self.extended_game, self.extended_game.scenarios[key], len(self.findings)
        window_names = {*windows_of(module_game).trays}
        if new := sorted({sheet.window for sheet in setup_sheets(game, key)} - window_names):
            self.refuse(
                node,
                f"its trays need the window {new[0]}, which the module hasn't; let fewer groups choose their place, or",
            )
        sides = {side.name for side in game.sides_in(scenario).values()}
        if new := [] if game.card.players else sorted(sides - {*self.lock.names["sides"]}):
            sides_node = self.overlay.node_below("scenarios", key, "sides")
            self.refuse(sides_node, f"nobody can play {new[0]} in the module")
        base_support = support.all_support(module_game)
        new = [
            new_support.name
            for _, _, new_support in support.of_side(game, key)
            if support.slot_of(new_support) not in base_support
        ]
        if new and not base_support:
            self.refuse(
                self.overlay.node_below("scenarios", key, "forces"),
                f"the module has no place for support such as {new[0]}",
            )
        if counted_steps(game) != counted_steps(module_game):
            self.refuse(node, "its units begin with lost steps, and the module's counters can't show them")
        if phases(game) != phases(module_game):
            self.refuse(node, "its sequence of play isn't the module's")
        return len(self.findings) == count

    def _stands_for(self, key: str) -> str | None:
        """The module's scenario on the same map that expressions see in place of the new one; None if there is none."""
        game, scenario = self.extended_game, self.extended_game.scenarios[key]
        candidates = [
            candidate
            for candidate in self.base.scenarios
            if game.scenario_maps.get(candidate) is game.scenario_maps[key]
        ]
        candidates = [candidate for candidate in candidates if layout_names(game, candidate) == layout_names(game, key)]
        if not candidates:
            overlay_node = self.overlay.node_below("scenarios", key, "arrangement")
            self.refuse(overlay_node, "no scenario of the module lies on this map")
            return None
        if _reads_year(game):
            candidates = [candidate for candidate in candidates if game.scenarios[candidate].year == scenario.year]
            if not candidates:
                overlay_node = self.overlay.node_below("scenarios", key, "year")
                self.refuse(
                    overlay_node,
                    f"battles ask for the year, and no scenario of the module on this map is of {scenario.year}",
                )
                return None
        if sights := layouts(game):
            keys = {candidate: [layout.key for layout in sights[candidate]] for candidate in (*candidates, key)}
            # The last table applies to every later turn.
            turns = max(map(len, keys.values()))
            turn_keys = {
                candidate: layout_keys + layout_keys[-1:] * (turns - len(layout_keys))
                for candidate, layout_keys in keys.items()
            }
            candidates = [candidate for candidate in candidates if turn_keys[candidate] == turn_keys[key]]
            if not candidates:
                self.refuse(
                    self.overlay.node_below("scenarios", key, "turns"),
                    "its sight changes on other turns than in the module",
                )
                return None
        return candidates[0]


def _without_unused(parts: Sequence[tuple[str, Element]]) -> Iterator[tuple[str, Element]]:
    """All parts except prototypes that no piece of the extension uses. A later module may have its own prototype of that name."""
    bases_by_name = {
        name_of(part): bases(traits_of(part.text or "")) for _, part in parts if kind_of(part) == "PrototypeDefinition"
    }
    slots = (slot for _, part in parts for slot in part.iter() if kind_of(slot) == "PieceSlot")
    waiting_names = [name for slot in slots for name in bases(traits_of(slot.text or ""))]
    used: set[str] = set()
    while waiting_names:
        name = waiting_names.pop()
        if name in bases_by_name and name not in used:
            used.add(name)
            waiting_names += bases_by_name[name]
    yield from (
        (target, part) for target, part in parts if kind_of(part) != "PrototypeDefinition" or name_of(part) in used
    )


def _reads_year(game: Game) -> bool:
    """Whether battles depend on a scenario's year."""
    inputs = (
        shape
        for attack in game.attacks.values()
        for input_group in (attack.inputs, *(group.inputs for group in attack.groups.values()))
        for shape in input_group.values()
    )
    return any(shape.read == "year" for shape in inputs)


def _element(part: XmlPart | Element) -> Element:
    return ElementTree.fromstring("\n".join(part.lines())) if isinstance(part, XmlPart) else part


def build_file(base: Game, extension: Extension, own_lock: Lock, release: str, description: str) -> bytes:
    """The build file of an extension: each part with the path of the component that contains it."""
    root = ElementTree.Element(
        MODULE + "ModuleExtension",
        anyModule="false",
        description=description,
        extensionId=own_lock.id,
        module=base.title,
        moduleVersion=version(base),
        nextPieceSlotId=str(own_lock.next),
        vassalVersion=VASSAL,
        version=release,
    )
    for target, part in extension.parts:
        container = ElementTree.SubElement(root, MODULE + "ExtensionElement", target=target)
        part_copy = copy.deepcopy(part)
        part_copy.tail = None
        container.append(part_copy)
    ElementTree.indent(root, " ")
    text: bytes = ElementTree.tostring(root, encoding="utf-8")
    return b'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' + text + b"\n"


def about(base: Game, release: str, description: str) -> bytes:
    """The metadata of an extension, which the module manager reads."""
    return document(
        XmlPart(
            "data",
            XmlPart("version", content=release),
            XmlPart("extra1"),
            XmlPart("extra2"),
            XmlPart("VassalVersion", content=VASSAL),
            XmlPart("dateSaved", content=str(stamp(base))),
            XmlPart("description", content=description),
            XmlPart("universal", content="false"),
            version="1",
        )
    )


def extension_bytes(
    base: Game, extended_game: Game, overlay: Overlay, name: str, own_lock: Lock, cache: Cache
) -> tuple[bytes, list[str]]:
    """The extension as a file, and messages about it. New ids are added to the lock."""
    extension = ExtensionBuilder(base, extended_game, overlay, name, own_lock, cache).make()
    release = extension_version(base, overlay)
    description = overlay.own_text("note") or f"{name}, for {base.title}"
    files = {
        BUILD: build_file(base, extension, own_lock, release, description),
        "extensiondata": about(base, release, description),
        "moduledata": metadata(base),
        **extension.files,
        **{f"images/{file}": content for file, content in render_all(extension.pictures, cache, small=True).items()},
    }
    return pack_zip(files), extension.notes


def extension_version(base: Game, overlay: Overlay) -> str:
    """The extension's version: the overlay's date, or else the module's version."""
    return overlay.own_text("release").replace("-", ".") or version(base)


def summary(overlay: Overlay) -> Iterator[str]:
    """What an extension adds, in words."""
    for section in EXTENSION_SECTIONS[:4]:
        if number := len(overlay.added_entries(section)):
            yield f"{number} {section if number != 1 else section.removesuffix('s')}"
