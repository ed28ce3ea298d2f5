"""Prototypes: the traits that pieces share, by side, class and kind. No trait chain is written twice."""

from __future__ import annotations

from modgen.vmod import keys, reports, traits
from modgen.vmod.beanshell import text_of
from modgen.vmod.buttons import bare
from modgen.vmod.eyes import has_eyes
from modgen.vmod.faces import SCALE, ability, badge, counted_steps, cover, loose_states, lower, ranges, reaches
from modgen.vmod.fighters import answering, fighting
from modgen.vmod.losses import losses, sent_to_zone, taken_out
from modgen.vmod.near import told_points
from modgen.vmod.places import has_support
from modgen.vmod.shading import asking
from modgen.vmod.stacking import STEPS_LEFT, asks_steps, stacking, steps_left
from modgen.vmod.traits import named
from modgen.vmod.turns import turn_names
from modgen.vmod.zones import has_zone, zone_of_control
from scenarios.counters import Unit
from scenarios.game import Game, phases
from scenarios.pack import Chore
from scenarios.vassal.commands import Trait
from scenarios.vassal.windows import BELOW, MAIN, SOLITAIRE, counter_size, turn_markers, windows

FIGHTER, ANSWERS, SUPPORTING, SUPPORT_BACK = "Fighter", "Battle answers", "Support", "Back of support"
ZONE = "Zone of control"
GROUND, UNITS = "Ground", "Units"
"""What lies on the ground stacks by itself, under the units."""


def tag_place(number: int, many: int, half: int) -> tuple[int, int]:
    """Where the tag of a state stands: two rows over the symbol, where no layout prints a factor or a name."""
    columns = max(1, -(-many // 2))
    row, column = divmod(number, columns)
    apart = half * 3 // 2 // max(2, columns - 1)
    return round((column - (columns - 1) / 2) * apart), -half // 3 + 9 * row


def states(game: Game, half: int) -> tuple[Trait, ...]:
    """A badge for each state that no face shows, in a menu of their own; the chat tells of each."""
    listed = loose_states(game)
    if not listed:
        return ()
    badges = []
    for i, state in enumerate(listed):
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
                shift=tag_place(i, len(listed), half),
            )
        )
    return (
        *(_only_for(game, state, keys.state_key(i)) for i, state in enumerate(listed) if game.states[state].abilities),
        reports.states(len(listed)),
        traits.submenu("State", [game.states[state].name for state in listed]),
        *badges,
    )


def _only_for(game: Game, state: str, stroke: str) -> Trait:
    """Hides a state from counters that can't be in it."""
    able = "||".join(f'"true".equals({text_of(ability(word))})' for word in game.states[state].abilities)
    return traits.hidden(f"No {lower(game.states[state].name)}", f"{{!({able})}}", [stroke])


def arriving(game: Game) -> tuple[Trait, ...]:
    """What a piece does as it is put down on the map: it says what is against the rules, and set-up is no move. The keystroke goes no
    further in."""
    elsewhere = f'{{OldMap!=""&&OldMap!="{MAIN}"}}'
    return (
        *reports.arrivals(game, len(stacking(game))),
        traits.trigger([keys.ARRIVED], [named("unmove")], elsewhere),
        traits.hidden("Arrived", "", [keys.ARRIVED, *([keys.BOXED] if reports.boxed(game) else [])]),
    )


def copied(game: Game) -> tuple[Trait, ...]:
    """The number of a copy, small on its face where no factor stands, and behind its name."""
    spots = [layout.spots for layout in game.layouts.values()]
    cornered = any("top_left" in held for held in spots)
    below = any("{number}" in held.get("bottom", "") for held in spots)
    # Left of the symbol there is room for three narrow figures.
    return (traits.label("$copy$", 8 if cornered else 7, ("bottom" if below else "top") if cornered else "left"),)


def area_name(game: Game, factor: str) -> str:
    """The prototype of a range."""
    return f"Range {game.factors[factor].name}"


def areas(game: Game) -> dict[str, tuple[Trait, ...]]:
    """A prototype for each range: shaded on a map of hexes, told in points on a point map."""
    made: dict[str, tuple[Trait, ...]] = {}
    for stroke, (key, factor) in zip(keys.AREAS, ranges(game), strict=False):
        name = lower(factor.name)
        if game.boards:
            made[area_name(game, key)] = (
                traits.area(f"area_{key}", f"Show {name}", stroke, area_name(game, key), f"${key}$"),
            )
        else:
            heard = named(f"points-{key}")
            made[area_name(game, key)] = (
                traits.action(f"Points within {name}", stroke, [heard]),
                traits.report([heard], told_points(key, name)),
            )
    zone = zone_of_control(game)
    if zone is not None and game.boards:
        made[ZONE] = (traits.zone(f"Show {lower(zone.title or 'zone of control')}", keys.ZONE, ZONE),)
    return made


def shade_colors(game: Game) -> dict[str, str]:
    """The colour of each shading of the map, by its name: one for each range that counters show, and the zones of control."""
    if not game.boards:
        return {}
    listed = zip(keys.AREAS, ranges(game), strict=False)
    colors = {area_name(game, key): rgb(factor.area) for _, (key, factor) in listed}
    return colors | ({ZONE: "60,60,60"} if zone_of_control(game) is not None else {})


def rgb(color: str) -> str:
    """A colour as the engine writes it."""
    return ",".join(str(int(color[i : i + 2], 16)) for i in (1, 3, 5))


def chores(game: Game) -> list[Chore]:
    """Every chore of every sequence."""
    return [c for sequence in game.sequence.values() for phase in phases(sequence) for c in phase.chores]


def returns(game: Game) -> tuple[Trait, ...]:
    """How chores send pieces from box to box."""
    targets = dict.fromkeys(chore.to for chore in chores(game) if chore.to)
    named_there = {
        box: {key: held.boxes[box].name for key, held in game.maps.items() if box in held.boxes} for box in targets
    }
    return tuple(sent_to_zone(game, "", keys.sent_to(box), named_there[box], "", "") for box in targets)


def returning(game: Game, piece_id: str, class_: str = "") -> bool:
    """Whether a chore sends this counter or marker somewhere."""
    return any(chore.to and {piece_id, class_} & set(chore.of) for chore in chores(game))


def prototypes(game: Game) -> dict[str, tuple[Trait, ...]]:
    """Every prototype by name, its traits from the outside in."""
    half = counter_size(game) // 2
    made: dict[str, tuple[Trait, ...]] = {
        "Piece": (
            reports.moved(),
            traits.submenu("Movement", ["Movement trail", "Mark moved"]),
            traits.trail(),
            traits.moved("moved.png", half - 5, -half - 10),
        ),
        reports.REMOVAL: (reports.removed(), traits.delete("Delete", keys.DELETE)),
    }
    if game.attacks:
        made[ANSWERS] = answering()
        roles = (reports.roles(), traits.submenu("Battle", ["Attacker", "Defender"]))
        made[FIGHTER] = (*roles, *fighting(game))
        if has_support(game):
            made[SUPPORTING] = (*roles, *fighting(game, support=True))
    made["Arrival"] = arriving(game)
    made["Unit"] = (
        *([traits.prototype(ANSWERS)] if game.attacks else []),
        traits.prototype("Arrival"),
        *([traits.calculated(STEPS_LEFT, steps_left(game))] if asks_steps(game) else []),
        *states(game, half),
        *([traits.prototype(FIGHTER)] if game.attacks else []),
        *([asking(game)] if has_eyes(game) else []),
        traits.prototype("Piece"),
    )
    arrival, clone, piece = traits.prototype("Arrival"), traits.clone("Copy", keys.CLONE), traits.prototype("Piece")
    made["Marker"] = (arrival, reports.copies(), clone, traits.marks({"Layer": UNITS}), piece)
    if any(marker.kind == "construction" for marker in game.markers.values()):
        made["Construction"] = (arrival, reports.copies(), clone, traits.marks({"Layer": GROUND}), piece)
    if has_support(game):
        made[SUPPORT_BACK] = (reports.used(),)
    for state, name in reports.backs(game).items():
        made[name] = (reports.flips(game, state),)
    for steps in counted_steps(game):
        made[f"Steps {steps}"] = (*reports.steps(steps), lost_steps(steps, half))
    for side_id, side in game.sides.items():
        hidden = traits.mask(
            "Conceal", keys.CONCEAL, cover(side_id), f"{reports.CONCEALED} {side.name} piece", [side.name, SOLITAIRE]
        )
        made[f"Side {side.name}"] = (
            *(reports.concealed() if game.card.fog else ()),
            traits.marks({"side": side_id, "SideName": side.name}),
            *([hidden] if game.card.fog else []),
        )
    for piece_id in (*game.units, *game.markers):
        if (name := losses(game, piece_id)) and name not in made:
            made[name] = taken_out(game, piece_id)
    made |= areas(game)
    for track in dict.fromkeys(turn_markers(game).values()):
        made[f"Marker of {track}"] = (turn_marker(game, track),)
    if any(unit.count > 1 for unit in game.units.values()):
        made["Copies"] = copied(game)
    if any(chore.to for chore in chores(game)):
        made["Returns"] = returns(game)
    return made


def turn_marker(game: Game, track: str) -> Trait:
    """Moves a marker along its track as the turn goes on; past the last space it stays."""
    labels = next(held.labels for table in game.maps.values() for held in table.tracks.values() if held.name == track)
    turn = "TurnName" if turn_names(game) else f"Math.min(TurnNumber,{len(labels)})"
    space = f'{{"{bare(track)} "+{turn}}}'
    return traits.send_zone("", keys.TURN_MARKER, windows(game).of_zone[f"{track} {labels[0]}"], space, "", "", BELOW)


def lost_steps(steps: int, half: int) -> Trait:
    """The layer of a unit's step losses."""
    return traits.layer(
        "Steps",
        ["", *(f"loss-{n}.png" for n in range(1, steps))],
        labels=["", *(f"+ (-{n})" for n in range(1, steps))],
        up="Step loss",
        up_key=keys.LOSS,
        reset="Full strength",
        reset_key=keys.RECOVER,
        scale=SCALE,
        shift=(half - 9, half // 5),
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
