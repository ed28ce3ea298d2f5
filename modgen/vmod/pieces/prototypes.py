"""Prototypes: the traits that pieces share, by side, class and kind. No chain of traits is written twice."""

from __future__ import annotations

from modgen.vmod.battle.beanshell import text_of
from modgen.vmod.battle.places import has_support
from modgen.vmod.files import keys
from modgen.vmod.files.buttons import plain_text
from modgen.vmod.maps.point_ranges import told_points
from modgen.vmod.maps.stacking import STEPS_LEFT, asks_steps, stacking
from modgen.vmod.maps.zones import has_zone, zone_of_control
from modgen.vmod.pieces import traits
from modgen.vmod.pieces.faces import SCALE, ability, badge, counted_steps, cover, loose_states, lower, ranges, reaches
from modgen.vmod.pieces.fighting import BATTLE_KEYS, answering, fighting
from modgen.vmod.pieces.losses import losses, sent_to_zone, taken_out
from modgen.vmod.pieces.traits import named_key
from modgen.vmod.pieces.unit_fields import steps_left
from modgen.vmod.setups.turns import turn_names
from modgen.vmod.sight.shading import asking
from modgen.vmod.sight.visibility import has_eyes
from modgen.vmod.text import piece_reports
from scenarios.model.counters import Unit
from scenarios.model.definitions import CleanUp
from scenarios.model.game import Game, phases
from scenarios.vassal.commands import Trait
from scenarios.vassal.windows import BELOW_TITLE, MAIN, SOLITAIRE, counter_size, turn_markers, windows_of

FIGHTER, ANSWERS, SUPPORTING, SUPPORT_BACK = "Fighter", "Battle answers", "Support", "Back of support"
ZONE = "Zone of control"
GROUND, UNITS = "Ground", "Units"
"""Pieces on the ground form stacks of their own, under the units."""


def tag_place(number: int, count: int, half_size: int) -> tuple[int, int]:
    """The position of a state's tag: two rows over the symbol, where no layout prints a factor or a name."""
    columns = max(1, -(-count // 2))
    row, column = divmod(number, columns)
    spacing = half_size * 3 // 2 // max(2, columns - 1)
    return round((column - (columns - 1) / 2) * spacing), -half_size // 3 + 9 * row


def states(game: Game, half_size: int) -> tuple[Trait, ...]:
    """A badge for each state that no face shows, in a submenu. The chat reports each change."""
    state_ids = loose_states(game)
    if not state_ids:
        return ()
    badges = []
    for i, state in enumerate(state_ids):
        word = game.states[state]
        badges.append(
            traits.layer(
                state,
                [badge(state)],
                labels=[f"+ ({word.name.lower()})"],
                active=False,
                toggle=word.name,
                toggle_key=keys.state_key(i),
                scale=SCALE,
                shift=tag_place(i, len(state_ids), half_size),
            )
        )
    return (
        *(
            _only_for(game, state, keys.state_key(i))
            for i, state in enumerate(state_ids)
            if game.states[state].abilities
        ),
        piece_reports.states(len(state_ids)),
        traits.submenu("State", [game.states[state].name for state in state_ids]),
        *badges,
    )


def _only_for(game: Game, state: str, stroke: str) -> Trait:
    """Hides a state from counters that can't be in it."""
    ability_tests = "||".join(f'"true".equals({text_of(ability(word))})' for word in game.states[state].abilities)
    return traits.hide_commands(f"No {lower(game.states[state].name)}", f"{{!({ability_tests})}}", [stroke])


def arriving(game: Game) -> tuple[Trait, ...]:
    """What a piece does as a player puts it down on the map: it reports broken rules. During set-up that isn't a move.

    The keystroke goes no further in, nor do those of a battle.
    """
    elsewhere = f'{{OldMap!=""&&OldMap!="{MAIN}"}}'
    arrival_keys = [keys.ARRIVAL, *([keys.BOX_ARRIVAL] if piece_reports.has_box_report(game) else [])]
    return (
        *piece_reports.arrivals(game, len(stacking(game))),
        traits.trigger([keys.ARRIVAL], [named_key("unmove")], elsewhere),
        traits.hide_commands("Arrived", "", [*arrival_keys, *(BATTLE_KEYS if game.attacks else ())]),
    )


def copy_traits(game: Game) -> tuple[Trait, ...]:
    """The number of a copy: small on its face beside the factors, and after its name."""
    spots = [layout.spots for layout in game.layouts.values()]
    has_corner = any("top_left" in spot_texts for spot_texts in spots)
    has_bottom_number = any("{number}" in spot_texts.get("bottom", "") for spot_texts in spots)
    # Three narrow digits fit left of the symbol.
    return (
        traits.label(
            "$copy$", 8 if has_corner else 7, ("bottom" if has_bottom_number else "top") if has_corner else "left"
        ),
    )


def area_name(game: Game, factor: str) -> str:
    """The name of a range's prototype."""
    return f"Range {game.factors[factor].name}"


def areas(game: Game) -> dict[str, tuple[Trait, ...]]:
    """A prototype for each range. A map of hexes shades it; on a point map the chat lists its points."""
    area_traits: dict[str, tuple[Trait, ...]] = {}
    for stroke, (key, factor) in zip(keys.AREAS, ranges(game), strict=False):
        name = lower(factor.name)
        if game.boards:
            area_traits[area_name(game, key)] = (
                traits.area(f"area_{key}", f"Show {name}", stroke, area_name(game, key), f"${key}$"),
            )
        else:
            heard = named_key(f"points-{key}")
            area_traits[area_name(game, key)] = (
                traits.action(f"Points within {name}", stroke, [heard]),
                traits.report([heard], told_points(key, name)),
            )
    zone = zone_of_control(game)
    if zone is not None and game.boards:
        area_traits[ZONE] = (traits.zone(f"Show {lower(zone.title or 'zone of control')}", keys.ZONE, ZONE),)
    return area_traits


def shade_colors(game: Game) -> dict[str, str]:
    """The color of each shading of the map, by name: one for each range that counters show, and one for zones of control."""
    if not game.boards:
        return {}
    area_ranges = zip(keys.AREAS, ranges(game), strict=False)
    colors = {area_name(game, key): rgb(factor.area) for _, (key, factor) in area_ranges}
    return colors | ({ZONE: "60,60,60"} if zone_of_control(game) is not None else {})


def rgb(color: str) -> str:
    """A color as the engine writes it."""
    return ",".join(str(int(color[i : i + 2], 16)) for i in (1, 3, 5))


def clean_ups(game: Game) -> list[CleanUp]:
    """The clean-up steps of every sequence."""
    return [c for sequence in game.sequence.values() for phase in phases(sequence) for c in phase.clean_up]


def returns(game: Game) -> tuple[Trait, ...]:
    """The traits by which clean-up steps send pieces from box to box."""
    targets = dict.fromkeys(clean_up.to for clean_up in clean_ups(game) if clean_up.to)
    named_there = {
        box: {key: table.boxes[box].name for key, table in game.maps.items() if box in table.boxes} for box in targets
    }
    return tuple(sent_to_zone(game, "", keys.sent_to(box), named_there[box], "", "") for box in targets)


def returning(game: Game, piece_id: str, class_: str = "") -> bool:
    """Whether a clean-up step sends this counter or marker to a box."""
    return any(clean_up.to and {piece_id, class_} & set(clean_up.of) for clean_up in clean_ups(game))


def prototypes(game: Game) -> dict[str, tuple[Trait, ...]]:
    """Every prototype by name, with its traits from the outside in."""
    half_size = counter_size(game) // 2
    prototype_traits: dict[str, tuple[Trait, ...]] = {
        "Piece": (
            piece_reports.moved_report(),
            traits.submenu("Movement", ["Movement trail", "Mark moved"]),
            traits.trail(),
            traits.movement_mark("moved.png", half_size - 5, -half_size - 10),
        ),
        piece_reports.REMOVAL: (piece_reports.removed_report(), traits.delete("Delete", keys.DELETE)),
    }
    if game.attacks:
        prototype_traits[ANSWERS] = answering()
        roles = (piece_reports.roles(), traits.submenu("Battle", ["Attacker", "Defender"]))
        prototype_traits[FIGHTER] = (*roles, *fighting(game))
        if has_support(game):
            inner_traits = (*roles, *fighting(game, support=True))
            prototype_traits[SUPPORTING] = (traits.hide_commands("Battle", "", BATTLE_KEYS), *inner_traits)
    prototype_traits["Arrival"] = arriving(game)
    prototype_traits["Unit"] = (
        *([traits.prototype(ANSWERS)] if game.attacks else []),
        traits.prototype("Arrival"),
        *([traits.calculated_property(STEPS_LEFT, f"{{{steps_left(game)}}}")] if asks_steps(game) else []),
        *states(game, half_size),
        *([traits.prototype(FIGHTER)] if game.attacks else []),
        *([asking(game)] if has_eyes(game) else []),
        traits.prototype("Piece"),
    )
    arrival, clone, piece = traits.prototype("Arrival"), traits.clone("Copy", keys.CLONE), traits.prototype("Piece")
    prototype_traits["Marker"] = (arrival, piece_reports.copies(), clone, traits.marks({"Layer": UNITS}), piece)
    if any(marker.kind == "construction" for marker in game.markers.values()):
        prototype_traits["Construction"] = (
            arrival,
            piece_reports.copies(),
            clone,
            traits.marks({"Layer": GROUND}),
            piece,
        )
    if has_support(game):
        prototype_traits[SUPPORT_BACK] = (piece_reports.used(),)
    for state, name in piece_reports.backs(game).items():
        prototype_traits[name] = (piece_reports.flips(game, state),)
    for steps in counted_steps(game):
        prototype_traits[f"Steps {steps}"] = (*piece_reports.steps(steps), lost_steps(steps, half_size))
    for side_id, side in game.sides.items():
        conceal_trait = traits.mask(
            "Conceal",
            keys.CONCEAL,
            cover(side_id),
            f"{piece_reports.CONCEALED_NAME} {side.name} piece",
            [side.name, SOLITAIRE],
        )
        prototype_traits[f"Side {side.name}"] = (
            *(piece_reports.concealed_reports() if game.card.fog else ()),
            traits.marks({"side": side_id, "SideName": side.name}),
            *([conceal_trait] if game.card.fog else []),
        )
    for piece_id in (*game.units, *game.markers):
        if (name := losses(game, piece_id)) and name not in prototype_traits:
            prototype_traits[name] = taken_out(game, piece_id)
    prototype_traits |= areas(game)
    for track in dict.fromkeys(turn_markers(game).values()):
        prototype_traits[f"Marker of {track}"] = (turn_marker(game, track),)
    if any(unit.count > 1 for unit in game.units.values()):
        prototype_traits["Copies"] = copy_traits(game)
    if any(clean_up.to for clean_up in clean_ups(game)):
        prototype_traits["Returns"] = returns(game)
    return prototype_traits


def turn_marker(game: Game, track: str) -> Trait:
    """Moves a marker along its track when the turn advances. The marker stops at the last space."""
    labels = next(
        track_shape.labels
        for table in game.maps.values()
        for track_shape in table.tracks.values()
        if track_shape.name == track
    )
    turn = "TurnName" if turn_names(game) else f"Math.min(TurnNumber,{len(labels)})"
    space = f'{{"{plain_text(track)} "+{turn}}}'
    return traits.send_zone(
        "", keys.TURN_MARKER, windows_of(game).of_zone[f"{track} {labels[0]}"], space, "", "", BELOW_TITLE
    )


def lost_steps(steps: int, half_size: int) -> Trait:
    """The layer with a unit's step losses."""
    return traits.layer(
        "Steps",
        ["", *(f"loss-{n}.png" for n in range(1, steps))],
        labels=["", *(f"+ (-{n})" for n in range(1, steps))],
        up_command="Step loss",
        up_key=keys.LOSS,
        reset="Full strength",
        reset_key=keys.RECOVER,
        scale=SCALE,
        shift=(half_size - 9, half_size // 5),
    )


def of_unit(game: Game, unit: Unit) -> list[str]:
    """The prototypes of a counter, from the outside in."""
    return [
        "Unit",
        f"Side {game.sides[unit.side].name}",
        *([f"Steps {unit.steps}"] if unit.steps in counted_steps(game) else []),
        *(area_name(game, key) for key, _ in ranges(game)[: len(keys.AREAS)] if reaches(unit, key)),
        *([ZONE] if game.boards and has_zone(game, unit) else []),
        *(["Returns"] if returning(game, unit.id, unit.class_) else []),
        *(["Copies"] if unit.count > 1 else []),
    ]
