"""From the files of a pack to a Game, with everything that is wrong with them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scenarios.boards import Board, make_board
from scenarios.checks import check_pack
from scenarios.counters import Unit, formations, numbers, prints, typed
from scenarios.data import data
from scenarios.files import OUTSIDE, leads_out
from scenarios.game import Game, Map
from scenarios.growing import grow_attacks, grow_rules
from scenarios.images import stamp
from scenarios.loading import SAMPLES, pack_files, samples, sheet_files
from scenarios.maps import put_together
from scenarios.overlays import gather_cells, lay_over, overlay_for, spread_cells, standing_overlays
from scenarios.pack import SOURCED_SECTIONS, PackFile
from scenarios.points import make_points
from scenarios.reading.composing import read_nodes
from scenarios.reading.findings import Finding, surely
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, place, reader
from scenarios.rulebook import check_rulebook
from scenarios.scenario import Scenario, grown, spread
from scenarios.sheets import fill
from scenarios.turns import with_turns
from scenarios.vassal import MEGABYTE, MOST


def read_game(folder: Path, overlays: Sequence[Path], standing: bool) -> tuple[Game | None, list[Finding]]:
    """A game as far as it could be read, with all findings."""
    findings = Findings()
    root, used = read_tree(folder, overlays, standing, findings)
    if root is None:
        return None, findings
    pack: PackFile = reader(PackFile)(root, findings)
    game = _build(pack, root, folder, used, findings)
    check_pack(game, pack, root, findings)
    findings.extend(check_rulebook(game, folder))
    return game, findings


def read_tree(
    folder: Path, overlays: Sequence[Path], standing: bool, findings: Findings
) -> tuple[Node | None, tuple[Path, ...]]:
    """All that a pack's files, spreadsheets and overlays hold, as one tree, with the overlays used; None where a file can't be read."""
    root = _merged(folder, findings)
    if root is None:
        return None, ()
    used = list(overlays)
    game_id = root.at("game", "id").text or folder.name
    if standing:
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
    """The rules of a sample, as they stand in its files."""
    root = _merged(SAMPLES / name, Findings()) if name in samples() else None
    return root.get("rules") if root is not None else None


def _merged(folder: Path, findings: Findings) -> Node | None:
    """All files of a pack as one tree. Ids must be unique across files."""
    if not os.access(folder, os.R_OK | os.X_OK):
        findings.append(Finding(str(folder), 1, 1, "this folder can't be read; check its rights"))
        return None
    if not surely((folder / "game.yaml").is_file):
        message = "a pack needs this file, which says what the game is; name the folder that has it, or add it"
        findings.append(Finding(str(folder / "game.yaml"), 1, 1, message))
        return None
    files = pack_files(folder)
    if sum(path.stat().st_size for path in (*files, *sheet_files(folder)) if path.is_file()) > MOST:
        message = f"the files of this pack have more than {MOST // MEGABYTE} MB together; remove what isn't the game's"
        findings.append(Finding(str(folder), 1, 1, message))
        return None
    read: list[Node] = []
    unread = False
    for path in files:
        if path.exists() and not path.is_file():
            findings.append(Finding(str(path), 1, 1, "this is no file, though its name says so; rename or remove it"))
            continue
        if leads_out(folder, path):
            findings.append(Finding(str(path), 1, 1, f"this {OUTSIDE}"))
            continue
        node, found = read_nodes(path)
        findings.extend(found)
        unread = unread or node is None
        if node is None or node.empty:
            continue
        if node.entries is None:
            findings.at(
                node, f"a pack file is a mapping of sections, not {node.kind}; begin with `counters:` or the like"
            )
            continue
        read.append(node)
    unread = not fill(read, folder, findings) or unread
    whole: Node | None = None
    for node in read:
        _give_source(node)
        if whole is None:
            whole = Node(node.path, node.line, node.column, entries={})
        _add(whole, node, findings)
    if unread:  # what stands in it would be missed everywhere else
        return None
    if whole is None and not findings:
        return Node(str(folder / "game.yaml"), 1, 1, entries={})
    return whole


def _give_source(node: Node) -> None:
    """Hand a file's own source down to its records."""
    given = (node.entries or {}).pop("source", None)
    if given is None:
        return
    for section in SOURCED_SECTIONS:
        held = node.get(section)
        for _, record in (held.entries or {}).values() if held is not None else ():
            if record.entries is not None and "source" not in record.entries:
                record.entries["source"] = given


def _add(whole: Node, node: Node, findings: Findings) -> None:
    assert whole.entries is not None and node.entries is not None
    for section, (key, value) in node.entries.items():
        if section not in whole.entries or whole.entries[section][1].empty:
            whole.entries[section] = (key, value)
            continue
        if value.empty:
            continue
        first = whole.entries[section][1]
        if first.entries is None or value.entries is None or section in ("game", "turns"):
            findings.at(key, f"{section!r} stands in {Path(first.path).name} too; keep one of them")
            continue
        for item, pair in value.entries.items():
            if item in first.entries:
                other = first.entries[item][0]
                findings.at(
                    pair[0],
                    f"the id {item!r} in {section} is taken by {Path(other.path).name}:{other.line}; choose another",
                )
            else:
                first.entries[item] = pair


def _build(pack: PackFile, root: Node, folder: Path, overlays: tuple[Path, ...], findings: Findings) -> Game:
    marks = {kind: terrain.mark for kind, terrain in pack.terrain.items()}
    plain = next(iter(pack.terrain), "")
    boards: dict[str, Board] = {}
    for board_id, shape in pack.boards.items():
        board = make_board(board_id, shape, marks, pack.hexsides, pack.paths, findings)
        if board is not None:
            boards[board_id] = board
    maps: dict[str, Map] = {}
    for map_id, map_shape in pack.maps.items():
        held = replace(map_shape, tracks=with_turns(map_shape.tracks, pack.turns, findings))
        if held.image is not None and not held.points:
            findings.at(place(held, "image"), "a map of boards has its pictures on its boards; move this to `boards`")
        if held.points:
            maps[map_id] = make_points(map_id, held, pack.terrain, pack.routes, findings)
        elif held.arrangement is not None:
            field = put_together(map_id, held.name, held.arrangement, boards, plain, findings, held.boxes, held.tracks)
            if field is not None:
                maps[map_id] = field
        elif held.node is not None:
            findings.at(held.node, "a map has an `arrangement` of boards, or `points` and `routes`; add one")
    scenarios = {key: spread(grown(key, pack.scenarios, findings), findings) for key in pack.scenarios}
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
        scenario_maps=MappingProxyType(_scenario_maps(scenarios, maps, boards, plain, findings)),
        data=tuple(data(root, frozenset(map(str, overlays)))),
        **sections,
    )


def _no_card(folder: Path, root: Node, findings: Findings) -> Any:
    from scenarios.pack import Card

    findings.at(root, "the section `game` is missing; add it with id, title and release")
    return Card(id=folder.name, title=folder.name, release="2000-01-01", node=root)


def _units(pack: PackFile) -> dict[str, Unit]:
    """Every counter by nation, its factors typed. What is wrong with it is for the checks to say."""
    skip = bool(pack.game and pack.game.skip_zeros)
    units: dict[str, Unit] = {}
    for template, counter in pack.counters.items():
        for unit_id, whole in prints(template, counter):
            nation = pack.nations.get(whole.nation)
            printed = numbers(whole.numbers, skip)
            front = _typed(pack, whole.factors)
            back = whole.back
            units[unit_id] = Unit(
                id=unit_id,
                name=whole.name,
                short=whole.short,
                nation=whole.nation,
                side=nation.side if nation else "",
                class_=whole.class_,
                type=whole.type,
                symbol=whole.symbol,
                size=whole.size,
                formation=whole.formation,
                factors=MappingProxyType(front),
                back=MappingProxyType({**front, **_typed(pack, back.factors)}) if back else None,
                back_name=back.name if back else "",
                back_state=back.state if back else "",
                steps=whole.steps,
                abilities=frozenset(whole.abilities),
                numbers=printed,
                count=whole.count if whole.count is not None else (len(printed) or 1),
                setup=whole.setup,
                breaks_into=whole.breaks_into,
                note=whole.note,
                template=template,
                counter=whole,
                image=whole.image,
                back_image=(back.image if back else None) or (whole.image if back else None),
            )
    return units


def _typed(pack: PackFile, factors: Mapping[str, str]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, text in factors.items():
        kind = pack.factors.get(key)
        if kind is not None:
            try:
                result[key] = typed(kind, text)
            except ValueError:
                continue
    return result


def _scenario_maps(
    scenarios: Mapping[str, Scenario],
    maps: Mapping[str, Map],
    boards: Mapping[str, Board],
    plain: str,
    findings: Findings,
) -> dict[str, Map]:
    """The map of each scenario; scenarios on the same arrangement share one."""
    result: dict[str, Map] = {}
    made: dict[Any, Map | None] = {}
    for key, scenario in scenarios.items():
        if scenario.map in maps:
            result[key] = maps[scenario.map]
        elif scenario.arrangement is not None:
            same = (scenario.arrangement.boards, scenario.arrangement.north)
            if same not in made:
                name = " / ".join(" ".join(row) for row in scenario.arrangement.boards)
                base = next(iter(maps.values()), None)
                made[same] = put_together(
                    key,
                    name,
                    scenario.arrangement,
                    boards,
                    plain,
                    findings,
                    base.boxes if base else None,
                    base.tracks if base else None,
                )
            field = made[same]
            if field is not None:
                result[key] = field
    return result
