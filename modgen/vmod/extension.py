"""An extension: what an overlay adds to a game, as a .vmdx that the game's own module loads.

The module of the game and that of the game with the overlay are put together and compared: what the second has more becomes the
extension, and where the second would have anything else, the extension is refused, because it can't change a module. Scenarios
and tables are added by themselves: expressions of the module list scenarios, so a new one goes by the name of one that is played
on the same map.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.etree import ElementTree

from modgen.cache import Cache
from modgen.vmod import pieces, support
from modgen.vmod.art import badges
from modgen.vmod.briefing import page, scenario_name
from modgen.vmod.charts import charts
from modgen.vmod.faces import back, counted_steps, front
from modgen.vmod.laying import laid
from modgen.vmod.lock import NAME as LOCK
from modgen.vmod.lock import CannotBuild, ExtensionLock, Lock, no_clash, read_lock
from modgen.vmod.looks import bases
from modgen.vmod.module import VASSAL, compose, metadata, setup, setup_picture, sheet_file, slots, version, window_sizes
from modgen.vmod.module import stamp as stamp_of
from modgen.vmod.opened import BUILD, Element, kind_of, name_of, traits_of
from modgen.vmod.palette import MARKERS, SUPPORT, slot
from modgen.vmod.patch import steps
from modgen.vmod.pictures import Drawn, rendered
from modgen.vmod.setups import commands, kind, positions, save, setup_file
from modgen.vmod.sheets import zoned_board
from modgen.vmod.sight import layouts, written
from modgen.vmod.targets import ENGINE, path, words
from modgen.vmod.turns import phases, state
from modgen.vmod.xml import MODULE, WIDGET, Part, document
from scenarios.game import Game
from scenarios.loading import shipped
from scenarios.overlays import ABOUT, ADD
from scenarios.reading.composing import read_nodes
from scenarios.reading.findings import Finding, PackError
from scenarios.reading.nodes import Node
from scenarios.vassal.archive import packed
from scenarios.vassal.playing import ABOUT as TELLING
from scenarios.vassal.playing import EXTENSION
from scenarios.vassal.sequence import join
from scenarios.vassal.windows import TraySheet, box_sheets, counter_size, map_of, setup_sheets, windows

CARRIED = ("counters", "markers", "tables", "scenarios", "classes", "types", "abilities", "effects")
"""What an extension can add."""
KEPT = {
    "GameModule": {"nextPieceSlotId"},
    "ListWidget": {"width", "height", "divider"},
    "BoxWidget": {"width", "height"},
    "PieceSlot": {"entryName", "width", "height"},
}
"""What may be otherwise in a module with all that the extension brings: sizes, and names that tell counters apart. The
module keeps its own."""
ID_LENGTH = 6


@dataclass(frozen=True)
class Overlay:
    """The files of an overlay as they are written."""

    files: Mapping[Path, Node]

    def told(self, key: str) -> str:
        """What the files say of themselves: the first that does."""
        return next((node.at(key).text or "" for node in self.files.values() if node.get(key) is not None), "")

    def added(self, section: str) -> Mapping[str, Node]:
        """The things that are added to a section, each with the place of its id."""
        nodes = (node.at(ADD).get(section) for node in self.files.values() if node.get(ADD) is not None)
        return {key: pair[0] for node in nodes if node is not None for key, pair in (node.entries or {}).items()}

    def below(self, section: str, key: str, *names: str) -> Node:
        """A part of something that is added, or as near to it as there is."""
        for node in self.files.values():
            whole = node.at(ADD).get(section)
            if whole is not None and key in (whole.entries or {}):
                found = whole.at(key, *names)
                return found if found is not whole.at(key) else (whole.entries or {})[key][0]
        return next(iter(self.files.values()))


@dataclass
class Extension:
    """An extension in the making: where each thing is added, its files and its pictures."""

    parts: list[tuple[str, Element]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    pictures: dict[str, Drawn] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, target: str, part: Part | Element) -> None:
        """Something that hangs on a component of the module."""
        self.parts.append((target, _element(part)))


def read_overlay(game_id: str, paths: Sequence[Path]) -> Overlay:
    """The files of an overlay; PackError with every line that no extension can carry."""
    files: dict[Path, Node] = {}
    findings: list[Finding] = []
    for file in paths:
        node, found = read_nodes(file)
        findings += found
        if node is not None:
            files[file] = node
    for node in files.values():
        for section, (key, value) in (node.entries or {}).items():
            if section == ADD:
                findings += [
                    name.find(
                        f"an extension can't carry {what} ({', '.join(CARRIED)} it can); {instead_of(game_id, paths)}"
                    )
                    for what, (name, _) in (value.entries or {}).items()
                    if what not in CARRIED
                ]
            elif section not in ABOUT:
                message = (
                    f"{section} that the module has can't be changed by an extension; {instead_of(game_id, paths)}"
                )
                findings.append(key.find(message))
    overlay = Overlay(files)
    if not findings and not any(overlay.added(section) for section in CARRIED):
        at = next(iter(files.values()))
        findings.append(at.find(f"it adds nothing; write what the extension shall bring under `{ADD}`"))
    if findings:
        raise PackError(sorted(set(findings)))
    return overlay


def instead_of(game_id: str, paths: Iterable[Path]) -> str:
    """What to do where an extension won't do."""
    return f"build a module instead: modgen build {game_id} {' '.join(f'--overlay {file}' for file in paths)}"


def identity(game: Game, name: str) -> str:
    """What stands before the ids of an extension's pieces."""
    return hashlib.sha256(f"{game.id}/{name}".encode()).hexdigest()[:ID_LENGTH]


class Making:
    """Puts an extension together; what can't be done is found with its line."""

    def __init__(self, base: Game, whole: Game, overlay: Overlay, name: str, own: Lock, cache: Cache) -> None:
        self.base, self.whole, self.overlay, self.name, self.own, self.cache = base, whole, overlay, name, own, cache
        self.findings: list[Finding] = []
        self.made = Extension()
        lock = read_lock(base.folder)
        self.lock = ExtensionLock(dict(lock.gpids), lock.next, copy.deepcopy(lock.names), dict(lock.boards), own=own)
        own.id = own.id or identity(base, name)

    def refuse(self, node: Node, what: str) -> None:
        """Something that an extension can't do."""
        end = "" if what.endswith(" or") else ";"
        self.findings.append(node.find(f"{what}{end} {instead_of(self.base.id, self.overlay.files)}"))

    def make(self) -> Extension:
        """The whole extension; PackError with everything that it can't carry."""
        number = len(self.own.gpids)
        before = compose(self.base, self.lock, self.cache)
        if len(self.own.gpids) != number:
            named = self.base.folder if self.base.id not in shipped() else self.base.id
            raise CannotBuild(
                f"{self.base.folder / LOCK} lacks pieces of the module; build that first: modgen build {named} --only module"
            )
        # Scenarios and tables come by themselves.
        game, base = self.whole, self.base
        more = replace(
            game,
            scenarios={key: game.scenarios[key] for key in base.scenarios},
            scenario_maps={key: game.scenario_maps[key] for key in base.scenario_maps},
            tables={key: game.tables[key] for key in base.tables},
        )
        no_clash((name(key) for key in (*more.units, *more.markers) for name in (front, back)), badges(more))
        after = compose(more, self.lock, self.cache)
        self._compare(ElementTree.fromstring(before.files[BUILD]), ElementTree.fromstring(after.files[BUILD]), ())
        self.made.parts = list(_needed(self.made.parts))
        self.made.pictures |= {file: picture for file, picture in after.pictures.items() if file not in before.pictures}
        self._tables()
        self._scenarios(more)
        if self.findings:
            raise PackError(sorted(set(self.findings)))
        return self.made

    def _compare(self, old: Element, new: Element, way: tuple[Element, ...]) -> None:
        """What the second has more is added; what it has otherwise is refused."""
        if name_of(old) == TELLING:  # which ids counters had before: the overlay tells that to whoever reads its saves
            return
        changed = {key for key in {*old.attrib, *new.attrib} if old.get(key) != new.get(key)} - KEPT.get(
            kind_of(old), set()
        )
        if changed or ((old.text or "").strip() != (new.text or "").strip() and kind_of(old) != "PieceSlot"):
            self._changed(way)
        before, after = steps(old), steps(new)
        for step, child in after.items():
            if step in before:
                self._compare(before[step], child, (*way, before[step]))
            elif child.tag.startswith(ENGINE):
                self.made.add(path(way), child)
            else:
                self._changed(way)
        if any(step not in after for step in before):
            self._changed(way)

    def _changed(self, way: tuple[Element, ...]) -> None:
        for node in self.overlay.files.values():
            if (add := (node.entries or {}).get(ADD)) is not None:
                self.refuse(add[0], f"what is added would change {words(way)} of the module, which an extension can't")
                return

    def _tables(self) -> None:
        """A chart for each table."""
        window, pictures = charts(self.whole)
        _, known = charts(self.base)
        fresh = {file: picture for file, picture in pictures.items() if file not in known}
        for chart in window[0].parts[0].parts:
            if chart.attributes["fileName"] in fresh:
                self.made.add(f"{MODULE}ChartWindow:Charts/{WIDGET}ListWidget:Charts", chart)
                self.made.pictures[str(chart.attributes["fileName"])] = fresh[str(chart.attributes["fileName"])]
        for key in self.overlay.added("tables"):
            if self.whole.tables[key].dice:
                self.made.notes.append(f"the table {key} is a chart; the button that rolls on it needs a module")

    def _scenarios(self, more: Game) -> None:
        """Set-up, page and trays of each scenario."""
        added = self.overlay.added("scenarios")
        if not added:
            return
        game = self.whole
        gpids, prototypes = slots(more, self.lock) | self._support(more), pieces.prototypes(more)
        listed = self.lock.names.get("phases") or ["Play"]
        starts = positions(game)
        kinds = {
            piece: kind(self.base, piece, gpids, pieces.prototypes(self.base))
            for piece in (*self.base.units, *self.base.markers)
        }
        old = [sheet for key in self.base.scenarios for sheet in setup_sheets(self.base, key)]
        for number, (key, node) in enumerate(added.items(), 1):
            if not self._playable(key, node, more):
                continue
            place = self._stands_for(key)
            if place is None:
                continue
            table = map_of(game, key)
            own_starts = [starts[other] for other in self.base.scenarios if map_of(game, other) is table]
            boxed = box_sheets(game, table, own_starts)
            if boxed != box_sheets(game, table, [*own_starts, starts[key]]):
                self.refuse(
                    node, "it puts more kinds of counters into a box or on a track than the module's have room for"
                )
                continue
            held = game.scenarios[key]
            layout = written(self.base).get(place, "")
            turn = state(game, held, listed)
            text = commands(
                game, starts[key], gpids, prototypes, turn, boxed, kinds, layout, place, [self._registered()]
            )
            data = metadata(self.base)
            self.made.files[setup_file(game, key)] = save(
                text, data, version(self.base), VASSAL, stamp_of(self.base), held.title
            )
            self._trays(key, old)
            file = f"{game.id}-{self.name}-{number}.html"
            self.made.files[file] = page(game, key).encode("utf-8")
            chart = Part(WIDGET + "HtmlChart", chartName=scenario_name(game, key), fileName=file, description="")
            self.made.add(f"{MODULE}ChartWindow:Scenarios/{WIDGET}ListWidget:Scenarios", chart)
            self.made.add("", setup(game, key))

    def _registered(self) -> str:
        """The command by which a save tells that it needs this extension, as the engine writes it."""
        return EXTENSION + join([f"{self.base.id}-{self.name}", released(self.base, self.overlay)], "\t")

    def _support(self, more: Game) -> dict[str, str]:
        """Slots of the palette for support that the module's scenarios don't have, by their ids."""
        known, drawn = support.listed(more), support.pictures(self.whole)
        gpids: dict[str, str] = {}
        for key, held in support.listed(self.whole).items() if known else ():
            if key not in known:
                gpids[key] = self.lock.gpid(key)
                way = f"{MODULE}PieceWindow:Pieces/{WIDGET}BoxWidget:Pieces/{WIDGET}BoxWidget:{MARKERS}/{WIDGET}ListWidget:{SUPPORT}"
                self.made.add(way, slot(support.piece(self.whole, held, gpids[key]), None, counter_size(self.whole)))
                self.made.pictures |= {file: drawn[file] for file in (front(key), back(key))}
        return gpids

    def _trays(self, key: str, old: Sequence[TraySheet]) -> None:
        """The boards with a scenario's trays, as large as the module's in the same windows."""
        own = setup_sheets(self.whole, key)
        sizes = window_sizes([*own, *old])
        for tight in own:
            sheet = replace(tight, width=sizes[tight.window][0], height=sizes[tight.window][1])
            picture = setup_picture(self.whole, key, sheet)
            file = sheet_file(sheet, picture)
            self.made.pictures[file] = picture
            window = Part(MODULE + "Map", mapName=sheet.window)
            self.made.add(f"{path([_element(window)])}/{MODULE}map.BoardPicker", zoned_board(sheet, file))

    def _playable(self, key: str, node: Node, more: Game) -> bool:
        """Whether the module has all that a scenario needs but its pieces and trays."""
        game, held, count = self.whole, self.whole.scenarios[key], len(self.findings)
        there = {*windows(more).trays}
        if new := sorted({sheet.window for sheet in setup_sheets(game, key)} - there):
            self.refuse(
                node,
                f"its trays need the window {new[0]}, which the module hasn't; let fewer groups choose their place, or",
            )
        sides = {side.name for side in game.sides_in(held).values()}
        if new := [] if game.card.players else sorted(sides - {*self.lock.names["sides"]}):
            at = self.overlay.below("scenarios", key, "sides")
            self.refuse(at, f"nobody can play {new[0]} in the module")
        known = support.listed(more)
        new = [one.name for _, _, one in support.of_side(game, key) if support.slot_of(one) not in known]
        if new and not known:
            self.refuse(
                self.overlay.below("scenarios", key, "forces"), f"the module has no place for support such as {new[0]}"
            )
        if counted_steps(game) != counted_steps(more):
            self.refuse(node, "its units begin with lost steps, and the module's counters can't show them")
        if phases(game) != phases(more):
            self.refuse(node, "its sequence of play isn't the module's")
        return len(self.findings) == count

    def _stands_for(self, key: str) -> str | None:
        """The scenario of the module that is played on the same map, as expressions see it; None where there is none."""
        game, held = self.whole, self.whole.scenarios[key]
        same = [other for other in self.base.scenarios if game.scenario_maps.get(other) is game.scenario_maps[key]]
        same = [other for other in same if laid(game, other) == laid(game, key)]
        if not same:
            at = self.overlay.below("scenarios", key, "arrangement")
            self.refuse(at, "no scenario of the module lies on this map")
            return None
        if _reads_year(game):
            same = [other for other in same if game.scenarios[other].year == held.year]
            if not same:
                at = self.overlay.below("scenarios", key, "year")
                self.refuse(
                    at, f"battles ask for the year, and no scenario of the module on this map is of {held.year}"
                )
                return None
        if sights := layouts(game):
            keys = {other: [layout.key for layout in sights[other]] for other in (*same, key)}
            # The last table holds for every later turn.
            turns = max(map(len, keys.values()))
            filled = {other: own + own[-1:] * (turns - len(own)) for other, own in keys.items()}
            same = [other for other in same if filled[other] == filled[key]]
            if not same:
                self.refuse(
                    self.overlay.below("scenarios", key, "turns"), "its sight changes on other turns than in the module"
                )
                return None
        return same[0]


def _needed(parts: Sequence[tuple[str, Element]]) -> Iterator[tuple[str, Element]]:
    """Everything but prototypes that no piece of the extension is built on: a later module may have its own of that name."""
    built = {
        name_of(part): bases(traits_of(part.text or "")) for _, part in parts if kind_of(part) == "PrototypeDefinition"
    }
    slots = (slot for _, part in parts for slot in part.iter() if kind_of(slot) == "PieceSlot")
    left = [name for slot in slots for name in bases(traits_of(slot.text or ""))]
    used: set[str] = set()
    while left:
        name = left.pop()
        if name in built and name not in used:
            used.add(name)
            left += built[name]
    yield from (
        (target, part) for target, part in parts if kind_of(part) != "PrototypeDefinition" or name_of(part) in used
    )


def _reads_year(game: Game) -> bool:
    """Whether battles depend on a scenario's year."""
    inputs = (
        shape
        for attack in game.attacks.values()
        for listed in (attack.inputs, *(group.inputs for group in attack.groups.values()))
        for shape in listed.values()
    )
    return any(shape.read == "year" for shape in inputs)


def _element(part: Part | Element) -> Element:
    return ElementTree.fromstring("\n".join(part.lines())) if isinstance(part, Part) else part


def build_file(base: Game, made: Extension, own: Lock, release: str, description: str) -> bytes:
    """The build file of an extension: each part with the path of the component that it hangs on."""
    root = ElementTree.Element(
        MODULE + "ModuleExtension",
        anyModule="false",
        description=description,
        extensionId=own.id,
        module=base.title,
        moduleVersion=version(base),
        nextPieceSlotId=str(own.next),
        vassalVersion=VASSAL,
        version=release,
    )
    for target, part in made.parts:
        held = ElementTree.SubElement(root, MODULE + "ExtensionElement", target=target)
        alone = copy.deepcopy(part)
        alone.tail = None
        held.append(alone)
    ElementTree.indent(root, " ")
    text: bytes = ElementTree.tostring(root, encoding="utf-8")
    return b'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' + text + b"\n"


def about(base: Game, release: str, description: str) -> bytes:
    """What the module manager reads of an extension."""
    return document(
        Part(
            "data",
            Part("version", content=release),
            Part("extra1"),
            Part("extra2"),
            Part("VassalVersion", content=VASSAL),
            Part("dateSaved", content=str(stamp_of(base))),
            Part("description", content=description),
            Part("universal", content="false"),
            version="1",
        )
    )


def extension_bytes(
    base: Game, whole: Game, overlay: Overlay, name: str, own: Lock, cache: Cache
) -> tuple[bytes, list[str]]:
    """The extension as a file, and what there is to say of it; the lock grows."""
    made = Making(base, whole, overlay, name, own, cache).make()
    release = released(base, overlay)
    description = overlay.told("note") or f"{name}, for {base.title}"
    files = {
        BUILD: build_file(base, made, own, release, description),
        "extensiondata": about(base, release, description),
        "moduledata": metadata(base),
        **made.files,
        **{f"images/{file}": content for file, content in rendered(made.pictures, cache, small=True).items()},
    }
    return packed(files), made.notes


def released(base: Game, overlay: Overlay) -> str:
    """The extension's version: the overlay's date, or else the module's version."""
    return overlay.told("release").replace("-", ".") or version(base)


def counted(overlay: Overlay) -> Iterator[str]:
    """What an extension brings, in words."""
    for section in CARRIED[:4]:
        if number := len(overlay.added(section)):
            yield f"{number} {section if number != 1 else section.removesuffix('s')}"
