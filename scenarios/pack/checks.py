"""Checks that the parts of a pack fit together. Each finding says where, what is wrong and what would be right."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Any

from scenarios.expressions import ValueType
from scenarios.grammar import count_text
from scenarios.model.attacks import UNIT_TEXTS, Vocabulary, check_attack
from scenarios.model.counters import PLACE, Counter, Factor, Marker, numbers, parse_factor, prints
from scenarios.model.definitions import Phase
from scenarios.model.dice import DICE
from scenarios.model.game import Game
from scenarios.model.tables import check_table
from scenarios.pack.pack_file import SIDE_WORDS, PackFile
from scenarios.pack.phase_effect_checks import check_clean_up
from scenarios.pack.scenario_checks import check_scenarios
from scenarios.reading.findings import suggest
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, Record, check_known, place
from scenarios.rules.checks import check_rules

MAX_COUNT = 999
"""The maximum number of copies of a counter, or of spaces on a track. No game has more."""
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def check_pack(game: Game, pack: PackFile, root: Node, findings: Findings) -> None:
    """Run every check on a whole pack."""
    _check_card(pack, findings)
    _check_nations(pack, findings)
    _check_terrain(pack, findings)
    if not pack.terrain and (pack.boards or pack.maps):
        section_node = root.child("boards" if pack.boards else "maps")
        findings.add(section_node, "a map needs `terrain`; add the kinds there are, plain ground first")
    _check_sequences(pack, findings)
    _check_factors(pack, findings)
    _check_layouts(pack, findings)
    _check_counters(pack, findings)
    _check_backs(game, findings)
    _check_markers(pack, findings)
    _check_renamed(pack, findings)
    for key, table in pack.tables.items():
        if table.node is not None and table.columns is not None:
            check_table(table, root.child("tables", key), findings)
    _check_places(pack, findings)
    _check_tracks(pack, findings)
    words = vocabulary(pack, root, findings)
    for attack in pack.attacks.values():
        check_attack(attack, words, findings)
        for shape in attack.all_inputs if pack.rules is None else ():
            if shape.by_rules is not None:
                findings.add(place(shape, "by_rules"), "the pack has no `rules` to ask; add them, or leave this out")
    if pack.rules is not None:
        check_rules(pack, pack.rules, words, findings)
    check_scenarios(game, findings)
    _check_rulings(pack, findings)
    _check_sources(game, root, findings)


def _check_card(pack: PackFile, findings: Findings) -> None:
    card = pack.game
    if card is None or card.node is None:
        return
    if card.release and not _is_date(card.release):
        findings.add(place(card, "release"), f"{card.release!r} is no date since 1980; write one such as 2026-11-16")
    if card.dice and not DICE.fullmatch(card.dice):
        findings.add(place(card, "dice"), f"{card.dice!r} is no throw of dice; write one such as 1d6 or 2d6")


def _is_date(text: str) -> bool:
    """Whether a text is a date that a zip file can store."""
    try:
        return DATE.fullmatch(text) is not None and 1980 <= datetime.date.fromisoformat(text).year <= 2099
    except ValueError:
        return False


def _check_nations(pack: PackFile, findings: Findings) -> None:
    for nation in pack.nations.values():
        check_known(nation, "side", nation.side, pack.sides, "side", findings)


def _check_terrain(pack: PackFile, findings: Findings) -> None:
    marks: dict[str, str] = {}
    for key, terrain in pack.terrain.items():
        if terrain.mark and terrain.mark in marks:
            findings.add(
                place(terrain, "mark"), f"the mark {terrain.mark!r} is {marks[terrain.mark]}'s already; choose another"
            )
        marks.setdefault(terrain.mark, key)


def _check_sequences(pack: PackFile, findings: Findings) -> None:
    def walk(phases: tuple[Phase, ...], phase_ids: set[str]) -> None:
        for phase in phases:
            if phase.id and phase.id in phase_ids:
                findings.add(
                    place(phase, "id"), f"the phase id {phase.id!r} is used twice in this sequence; choose another"
                )
            phase_ids.add(phase.id)
            check_known(phase, "side", phase.side, [*pack.sides, *SIDE_WORDS], "side", findings)
            for clean_up in phase.clean_up:
                check_clean_up(pack, clean_up, findings)
            walk(phase.phases, phase_ids)

    for sequence in pack.sequence.values():
        walk(sequence.phases, set())


def _check_factors(pack: PackFile, findings: Findings) -> None:
    for factor in pack.factors.values():
        if factor.default is not None:
            _check_value(factor, factor.default, place(factor, "default"), findings)


SPOTS = (
    "top_left",
    "top",
    "top_right",
    "badge",
    "left",
    "right",
    "caption",
    "low_left",
    "low_right",
    "bottom_left",
    "bottom",
    "bottom_right",
)
SPOT_WORDS = ("name", "formation", "number", "setup", "size", "steps", "front")


def _check_layouts(pack: PackFile, findings: Findings) -> None:
    for layout in pack.layouts.values():
        for i, word in enumerate(layout.classes):
            check_known(layout, "classes", word, pack.classes, "class", findings, i)
        for i, word in enumerate(layout.types):
            check_known(layout, "types", word, pack.types, "type", findings, i)
        for spot, words in layout.spots.items():
            node = place(layout, "spots", spot)
            if spot not in SPOTS:
                findings.add(node, f"no spot is called {spot!r}; {suggest(spot, SPOTS)}")
            for word, mark in re.findall(r"\{([^}?]*)(\?[^}]*)?\}", words):
                choices = [*pack.factors, *SPOT_WORDS, *(pack.abilities if mark else ())]
                if word not in choices:
                    findings.add(node, f"nothing is called {word!r}; {suggest(word, choices)}")


def _check_backs(game: Game, findings: Findings) -> None:
    """Check backs: in a state that loses no steps, a counter of several steps would have all its steps on its back."""
    for unit in game.units.values():
        back = unit.counter.back
        state = game.states.get(unit.back_state) if back is not None else None
        if back is not None and state is not None and unit.steps > 1 and not state.steps_lost:
            name = f"{unit.name}, a counter of {count_text(unit.steps, 'step')},"
            findings.add(
                place(back, "state"),
                f"{name} has its back in the state {unit.back_state}, in which it has lost none; add `steps_lost: 1` to "
                "the state, or give the counter 1 step",
            )


def _check_value(factor: Factor, text: str, node: Node, findings: Findings) -> None:
    try:
        parse_factor(factor, text)
    except ValueError as error:
        findings.add(node, str(error))


def _check_values(pack: PackFile, record: Record, factors: Mapping[str, str], findings: Findings) -> None:
    node = place(record, "factors")
    for key, text in factors.items():
        pair = (node.entries or {}).get(key)
        if pair is None:
            continue
        if key not in pack.factors:
            findings.add(pair[0], f"no factor is called {key!r}; {suggest(key, pack.factors)}")
        else:
            _check_value(pack.factors[key], text, pair[1], findings)


def _check_counters(pack: PackFile, findings: Findings) -> None:
    skip = bool(pack.game and pack.game.skip_zeros)
    units = [unit_id for key, counter in pack.counters.items() for unit_id, _ in prints(key, counter)]
    for counter_id, counter in pack.counters.items():
        if counter.node is None:
            continue
        if not counter.nation and not counter.variants:
            findings.add(counter.node, f"the counter {counter_id} has no nation; add `nation` or `variants`")
        if counter.nation and counter.variants:
            findings.add(place(counter, "nation"), "a counter has a nation or variants by nation, not both; remove one")
        check_known(counter, "nation", counter.nation, pack.nations, "nation", findings)
        check_known(counter, "class", counter.class_, pack.classes, "class", findings)
        check_known(counter, "type", counter.type, pack.types, "type", findings)
        for part in counter.breaks_into:
            check_known(counter, "breaks_into", part, units, "counter", findings, part)
        if counter.back is not None:
            for part in counter.back.breaks_into:
                check_known(counter.back, "breaks_into", part, units, "counter", findings, part)
        for i, ability in enumerate(counter.abilities):
            check_known(counter, "abilities", ability, pack.abilities, "ability", findings, i)
        _check_values(pack, counter, counter.factors, findings)
        if counter.steps < 1:
            findings.add(
                place(counter, "steps"), f"a counter has one step or more, not {counter.steps}; write 1 or more"
            )
        if counter.back is not None and counter.back.node is not None:
            check_known(counter.back, "state", counter.back.state, pack.states, "state", findings)
            _check_values(pack, counter.back, counter.back.factors, findings)
        for nation, variant in counter.variants.items():
            if nation not in pack.nations:
                key = (place(counter, "variants").entries or {})[nation][0]
                findings.add(key, f"there is no nation {nation!r}; {suggest(nation, pack.nations)}")
            _check_values(pack, variant, variant.factors, findings)
        _check_count(counter_id, counter, skip, findings)


def _bad_count(count: int, number_count: int) -> str:
    """What is wrong with a number of copies. `number_count` numbers don't agree with it. Empty if nothing is wrong."""
    if number_count:
        return f"but has {number_count} numbers; make them agree"
    if count < 1:
        return "which is none; write 1 or more"
    return f"which is more than any sheet has; write up to {MAX_COUNT}" if count > MAX_COUNT else ""


def _check_count(counter_id: str, counter: Counter, skip: bool, findings: Findings) -> None:
    for unit_id, unit_counter in prints(counter_id, counter):
        number_count = len(numbers(unit_counter.numbers, skip))
        if unit_counter.count is not None and (
            problem := _bad_count(unit_counter.count, number_count if number_count != unit_counter.count else 0)
        ):
            nation = unit_counter.nation if counter.variants else ""
            record = counter.variants[nation] if nation else counter
            count_node = place(record, "count")
            findings.add(count_node, f"{unit_id} counts {unit_counter.count}, {problem}")


def _check_markers(pack: PackFile, findings: Findings) -> None:
    for state in pack.states.values():
        for i, word in enumerate(state.abilities):
            check_known(state, "abilities", word, pack.abilities, "ability", findings, i)
    for marker_id, marker in pack.markers.items():
        if marker_id in pack.counters:
            key = place(marker)
            findings.add(key, f"the id {marker_id!r} is a counter's too; choose another")
        check_known(marker, "side", marker.side, pack.sides, "side", findings)
        check_known(marker, "state", marker.state, pack.states, "state", findings)
        for i, excluded_marker in enumerate(marker.excludes):
            check_known(marker, "excludes", excluded_marker, pack.markers, "marker", findings, i)
        _check_values(pack, marker, marker.factors, findings)
        _check_words(pack, marker, findings)
        number_count = len(numbers(marker.numbers, bool(pack.game and pack.game.skip_zeros)))
        if marker.count is not None and (
            problem := _bad_count(marker.count, number_count if number_count > marker.count else 0)
        ):
            findings.add(place(marker, "count"), f"{marker_id} counts {marker.count}, {problem}")


def _check_words(pack: PackFile, marker: Marker, findings: Findings) -> None:
    """Check that a marker's chat sentences have only the place in braces."""
    if (marker_words := marker.says) is None:
        return
    boxes = {key for shape in pack.maps.values() for key in shape.boxes}
    texts: dict[tuple[str, ...], str] = {
        ("put",): marker_words.put,
        ("back",): marker_words.back,
        ("front",): marker_words.front,
        ("gone",): marker_words.gone,
    }
    for box, text in marker_words.boxes.items():
        texts["boxes", box] = text
        node = (place(marker_words, "boxes").entries or {}).get(box)
        if box not in boxes and node:
            findings.add(node[0], f"there is no box {box!r}; {suggest(box, boxes)}")
    for steps, text in texts.items():
        for word in re.findall(r"{[^{}]*}|[{}]", text):
            if word != PLACE:
                findings.add(
                    place(marker_words, *steps),
                    f"{word} stands for nothing; write {PLACE} for where the marker lies, and no other braces",
                )


def _check_renamed(pack: PackFile, findings: Findings) -> None:
    """Check former ids: no present counter may have the same id, and each belongs to one counter only."""
    records: dict[str, Record] = {}
    for key, counter in pack.counters.items():
        records |= {unit_id: counter for unit_id, _ in prints(key, counter)}
    records |= pack.markers
    key_of_old_name = dict.fromkeys(records, "")
    for key, piece_record in (*pack.counters.items(), *pack.markers.items()):
        for record in (piece_record, *(piece_record.variants.values() if isinstance(piece_record, Counter) else ())):
            for i, old in enumerate(record.was):
                nations = piece_record.variants if isinstance(piece_record, Counter) and record is piece_record else ()
                for name in [f"{old}_{nation}" for nation in nations] or [old]:
                    if name in key_of_old_name:
                        reason = (
                            f"{key_of_old_name[name]} was called so too"
                            if key_of_old_name[name]
                            else "a counter or marker is called so today"
                        )
                        findings.add(place(record, "was", i), f"{key} can't have been {name!r}: {reason}; remove one")
                    key_of_old_name.setdefault(name, key)


def _check_tracks(pack: PackFile, findings: Findings) -> None:
    if pack.turns is not None and pack.turns.count is not None and not 1 <= pack.turns.count <= MAX_COUNT:
        findings.add(
            place(pack.turns, "count"),
            f"a game has 1 to {MAX_COUNT} turns, not {pack.turns.count}; write how many there are",
        )
    for shape in pack.maps.values():
        for track in shape.tracks.values():
            if track.last is not None and not 0 <= track.last - track.first <= MAX_COUNT:
                spaces = f"a track has up to {MAX_COUNT} spaces, and its last comes after its first"
                findings.add(
                    place(track, "last"), f"the track {track.name} runs from {track.first} to {track.last}; {spaces}"
                )


def _check_places(pack: PackFile, findings: Findings) -> None:
    for board in pack.boards.values():
        for spot in board.places.values():
            check_known(spot, "side", spot.side, [*pack.sides, *pack.nations], "side or nation", findings)
    for shape in pack.maps.values():
        place_shapes: list[Any] = [*shape.points.values(), *shape.areas.values(), *shape.boxes.values()]
        for place_shape in place_shapes:
            check_known(place_shape, "side", place_shape.side, [*pack.sides, *pack.nations], "side or nation", findings)


def vocabulary(pack: PackFile, root: Node, findings: Findings) -> Vocabulary:
    """The names that expressions may use. Each must have one meaning."""
    factors: dict[str, ValueType] = {}
    section_of_name: dict[str, str] = dict.fromkeys((*UNIT_TEXTS, "steps"), "a unit's own")
    for section in ("factors", "abilities", "states"):
        words: Mapping[str, Any] = getattr(pack, section)
        for key in words:
            if key in section_of_name:
                pair = (root.child(section).entries or {}).get(key)
                if pair:
                    findings.add(pair[0], f"the name {key!r} is {section_of_name[key]} already; choose another")
            section_of_name[key] = f"one of `{section}`"
    for key, factor in pack.factors.items():
        choices = frozenset(factor.choices) if factor.kind == "text" and factor.choices else None
        factors[key] = ValueType(factor.kind, choices)
    flags = frozenset({*pack.abilities, *pack.states} - set(factors))
    hexsides, effects = frozenset(pack.hexsides), frozenset(pack.effects)
    return Vocabulary(factors, flags, tuple(pack.terrain), pack.tables, frozenset(pack.markers), hexsides, effects)


def _check_rulings(pack: PackFile, findings: Findings) -> None:
    for ruling in pack.rulings.values():
        if len(ruling.readings) < 2 and ruling.node is not None:
            findings.add(place(ruling, "readings"), "a ruling weighs two readings or more; add the other")
        check_known(ruling, "choice", ruling.choice, ruling.readings, "reading", findings)


def _check_sources(game: Game, root: Node, findings: Findings) -> None:
    """Check that every datum has a source, its own or an inherited one."""
    unsourced_records: dict[str, list[tuple[str, Node]]] = {}
    unsourced_addresses = {datum.address[:2] for datum in game.data if datum.source is None and len(datum.address) > 1}
    for section, key in sorted(unsourced_addresses):
        pair = (root.child(section).entries or {}).get(key)
        record_node = pair[0] if pair else root.child(section)
        unsourced_records.setdefault(record_node.path, []).append((f"{section}/{key}", record_node))
    for records in unsourced_records.values():
        name, record_node = min(records, key=lambda record: (record[1].line, record[1].column))
        rest_of_sentence = f" and {len(records) - 1} more here have" if len(records) > 1 else " has"
        findings.add(
            record_node,
            f"{name}{rest_of_sentence} data without a source; put `source: {{rulebook: ...}}`, or for a game of your own "
            "`source: {mine: ...}`, at the top of the file",
        )
