"""Build a Game from the files of a pack, and collect everything that is wrong with them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scenarios.files import OUTSIDE, leads_out
from scenarios.model.boards import Board, make_board
from scenarios.model.counters import Unit, formations, numbers, parse_factor, prints
from scenarios.model.definitions import Card
from scenarios.model.game import Game, Map
from scenarios.model.maps import put_together
from scenarios.model.points import make_points
from scenarios.model.scenario import Scenario, inherit_scenario, spread
from scenarios.model.turn_tracks import with_turns
from scenarios.pack.checks import check_pack
from scenarios.pack.images import stamp
from scenarios.pack.inheritance import grow_attacks, grow_rules
from scenarios.pack.overlays import gather_cells, lay_over, overlay_for, spread_cells, standing_overlays
from scenarios.pack.pack_file import SOURCED_SECTIONS, PackFile
from scenarios.pack.pack_folder import SAMPLES, pack_files, samples, sheet_files
from scenarios.pack.rulebook import check_rulebook
from scenarios.pack.sourced_numbers import data
from scenarios.pack.spreadsheets import fill
from scenarios.reading.findings import Finding, surely
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, place, reader
from scenarios.reading.yaml_tree import read_nodes
from scenarios.vassal import MAX_BYTES, MEGABYTE


def read_game(folder: Path, overlays: Sequence[Path], with_config_overlays: bool) -> tuple[Game | None, list[Finding]]:
    """Read as much of a game as possible, with all findings."""
    findings = Findings()
    root, used = read_tree(folder, overlays, with_config_overlays, findings)
    if root is None:
        return None, findings
    pack: PackFile = reader(PackFile)(root, findings)
    game = _build(pack, root, folder, used, findings)
    check_pack(game, pack, root, findings)
    findings.extend(check_rulebook(game, folder))
    return game, findings


def read_tree(
    folder: Path, overlays: Sequence[Path], with_config_overlays: bool, findings: Findings
) -> tuple[Node | None, tuple[Path, ...]]:
    """All files, spreadsheets and overlays of a pack as one tree, with the overlays used. None if a file can't be read."""
    root = _merge_files(folder, findings)
    if root is None:
        return None, ()
    used = list(overlays)
    game_id = root.child("game", "id").text or folder.name
    if with_config_overlays:
        used = [path for path in standing_overlays() if overlay_for(path) == game_id] + used
    grow_attacks(root, findings)
    grow_rules(root, _sample_rules, samples(), findings)
    if used:
        spread_cells(root)
        for path in used:
            lay_over(root, game_id, path, findings)
        gather_cells(root)
    stamp(root, folder, findings)
    return root, tuple(used)


def _sample_rules(name: str) -> Node | None:
    """The rules of a sample, as its files have them."""
    root = _merge_files(SAMPLES / name, Findings()) if name in samples() else None
    return root.get("rules") if root is not None else None


def _merge_files(folder: Path, findings: Findings) -> Node | None:
    """Merge all files of a pack into one tree. Ids must be unique across files."""
    if not os.access(folder, os.R_OK | os.X_OK):
        findings.append(Finding(str(folder), 1, 1, "this folder can't be read; check its rights"))
        return None
    if not surely((folder / "game.yaml").is_file):
        message = "a pack needs this file, which says what the game is; name the folder that has it, or add it"
        findings.append(Finding(str(folder / "game.yaml"), 1, 1, message))
        return None
    files = pack_files(folder)
    if sum(path.stat().st_size for path in (*files, *sheet_files(folder)) if path.is_file()) > MAX_BYTES:
        message = (
            f"the files of this pack have more than {MAX_BYTES // MEGABYTE} MB together; remove what isn't the game's"
        )
        findings.append(Finding(str(folder), 1, 1, message))
        return None
    read: list[Node] = []
    unread = False
    for path in files:
        if path.exists() and not path.is_file():
            findings.append(
                Finding(str(path), 1, 1, "this is no regular file, though its name says so; rename or remove it")
            )
            continue
        if leads_out(folder, path):
            findings.append(Finding(str(path), 1, 1, f"this {OUTSIDE}"))
            continue
        node, file_findings = read_nodes(path)
        findings.extend(file_findings)
        unread = unread or node is None
        if node is None or node.empty:
            continue
        if node.entries is None:
            findings.add(
                node, f"a pack file is a mapping of sections, not {node.kind}; begin with `counters:` or the like"
            )
            continue
        read.append(node)
    unread = not fill(read, folder, findings) or unread
    pack_node: Node | None = None
    for node in read:
        _give_source(node)
        if pack_node is None:
            pack_node = Node(node.path, node.line, node.column, entries={})
        _add(pack_node, node, findings)
    if unread:  # every reference to the unread part would give a false finding
        return None
    if pack_node is None and not findings:
        return Node(str(folder / "game.yaml"), 1, 1, entries={})
    return pack_node


def _give_source(node: Node) -> None:
    """Give the records of a file the source that the file declares for all of them."""
    source_entry = (node.entries or {}).pop("source", None)
    if source_entry is None:
        return
    for section in SOURCED_SECTIONS:
        section_node = node.get(section)
        for _, record in (section_node.entries or {}).values() if section_node is not None else ():
            if record.entries is not None and "source" not in record.entries:
                record.entries["source"] = source_entry


def _add(pack_node: Node, node: Node, findings: Findings) -> None:
    assert pack_node.entries is not None and node.entries is not None
    for section, (key, value) in node.entries.items():
        if section not in pack_node.entries or pack_node.entries[section][1].empty:
            pack_node.entries[section] = (key, value)
            continue
        if value.empty:
            continue
        first = pack_node.entries[section][1]
        if first.entries is None or value.entries is None or section in ("game", "turns"):
            findings.add(key, f"{section!r} stands in {Path(first.path).name} too; keep one of them")
            continue
        for item, pair in value.entries.items():
            if item in first.entries:
                first_node = first.entries[item][0]
                findings.add(
                    pair[0],
                    f"the id {item!r} in {section} is taken by {Path(first_node.path).name}:{first_node.line}; choose another",
                )
            else:
                first.entries[item] = pair


def _build(pack: PackFile, root: Node, folder: Path, overlays: tuple[Path, ...], findings: Findings) -> Game:
    marks = {kind: terrain.mark for kind, terrain in pack.terrain.items()}
    plain_terrain = next(iter(pack.terrain), "")
    boards: dict[str, Board] = {}
    for board_id, shape in pack.boards.items():
        board = make_board(board_id, shape, marks, pack.hexsides, pack.paths, findings)
        if board is not None:
            boards[board_id] = board
    maps: dict[str, Map] = {}
    for map_id, map_shape in pack.maps.items():
        shape_with_turns = replace(map_shape, tracks=with_turns(map_shape.tracks, pack.turns, findings))
        if shape_with_turns.image is not None and not shape_with_turns.points:
            findings.add(
                place(shape_with_turns, "image"),
                "a map of boards has its pictures on its boards; move this to `boards`",
            )
        if shape_with_turns.points:
            maps[map_id] = make_points(map_id, shape_with_turns, pack.terrain, pack.routes, findings)
        elif shape_with_turns.arrangement is not None:
            field = put_together(
                map_id,
                shape_with_turns.name,
                shape_with_turns.arrangement,
                boards,
                plain_terrain,
                findings,
                shape_with_turns.boxes,
                shape_with_turns.tracks,
            )
            if field is not None:
                maps[map_id] = field
        elif shape_with_turns.node is not None:
            findings.add(
                shape_with_turns.node, "a map has an `arrangement` of boards, or `points` and `routes`; add one"
            )
    scenarios = {key: spread(inherit_scenario(key, pack.scenarios, findings), findings) for key in pack.scenarios}
    sections = {
        name: getattr(pack, name)
        for name in (
            "sides",
            "nations",
            "states",
            "turns",
            "sequence",
            "terrain",
            "hexsides",
            "paths",
            "routes",
            "classes",
            "types",
            "abilities",
            "effects",
            "factors",
            "layouts",
            "markers",
            "tables",
            "attacks",
            "rulings",
            "rules",
        )
    }
    assert root.entries is not None
    units = _units(pack)
    return Game(
        card=pack.game or _no_card(folder, root, findings),
        folder=folder,
        overlays=overlays,
        units=MappingProxyType(units),
        formations=MappingProxyType(formations(units.values())),
        boards=MappingProxyType(boards),
        maps=MappingProxyType(maps),
        scenarios=MappingProxyType(scenarios),
        scenario_maps=MappingProxyType(_scenario_maps(scenarios, maps, boards, plain_terrain, findings)),
        data=tuple(data(root, frozenset(map(str, overlays)))),
        **sections,
    )


def _no_card(folder: Path, root: Node, findings: Findings) -> Any:
    findings.add(root, "the section `game` is missing; add it with id, title and release")
    return Card(id=folder.name, title=folder.name, release="2000-01-01", node=root)


def _units(pack: PackFile) -> dict[str, Unit]:
    """Every counter by nation, with typed factors. The checks report what is wrong with them."""
    skip = bool(pack.game and pack.game.skip_zeros)
    units: dict[str, Unit] = {}
    for template, counter in pack.counters.items():
        for unit_id, unit_counter in prints(template, counter):
            nation = pack.nations.get(unit_counter.nation)
            printed_numbers = numbers(unit_counter.numbers, skip)
            front = _typed_factors(pack, unit_counter.factors)
            back_face = unit_counter.back
            units[unit_id] = Unit(
                id=unit_id,
                name=unit_counter.name,
                short=unit_counter.short,
                nation=unit_counter.nation,
                side=nation.side if nation else "",
                class_=unit_counter.class_,
                type=unit_counter.type,
                symbol=unit_counter.symbol,
                size=unit_counter.size,
                formation=unit_counter.formation,
                factors=MappingProxyType(front),
                back=MappingProxyType({**front, **_typed_factors(pack, back_face.factors)}) if back_face else None,
                back_name=back_face.name if back_face else "",
                back_state=back_face.state if back_face else "",
                steps=unit_counter.steps,
                abilities=frozenset(unit_counter.abilities),
                numbers=printed_numbers,
                count=unit_counter.count if unit_counter.count is not None else (len(printed_numbers) or 1),
                setup=unit_counter.setup,
                breaks_into=unit_counter.breaks_into,
                note=unit_counter.note,
                template=template,
                counter=unit_counter,
                image=unit_counter.image,
                back_breaks_into=back_face.breaks_into if back_face else MappingProxyType({}),
                back_image=(back_face.image if back_face else None) or (unit_counter.image if back_face else None),
            )
    return units


def _typed_factors(pack: PackFile, factors: Mapping[str, str]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, text in factors.items():
        kind = pack.factors.get(key)
        if kind is not None:
            try:
                result[key] = parse_factor(kind, text)
            except ValueError:
                continue
    return result


def _scenario_maps(
    scenarios: Mapping[str, Scenario],
    maps: Mapping[str, Map],
    boards: Mapping[str, Board],
    plain_terrain: str,
    findings: Findings,
) -> dict[str, Map]:
    """The map of each scenario. Scenarios on the same arrangement share one map."""
    result: dict[str, Map] = {}
    field_by_layout: dict[Any, Map | None] = {}
    for key, scenario in scenarios.items():
        if scenario.map in maps:
            result[key] = maps[scenario.map]
        elif scenario.arrangement is not None:
            layout = (scenario.arrangement.boards, scenario.arrangement.north)
            if layout not in field_by_layout:
                name = " / ".join(" ".join(row) for row in scenario.arrangement.boards)
                base = next(iter(maps.values()), None)
                field_by_layout[layout] = put_together(
                    key,
                    name,
                    scenario.arrangement,
                    boards,
                    plain_terrain,
                    findings,
                    base.boxes if base else None,
                    base.tracks if base else None,
                )
            field = field_by_layout[layout]
            if field is not None:
                result[key] = field
    return result
