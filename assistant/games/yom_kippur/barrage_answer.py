"""Barrages as text and JSON: from a position or in words, what if."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from assistant.attacks import Answer, BadQuestion, Value, odds
from assistant.games.yom_kippur.air_units import air_units, asked_air
from assistant.games.yom_kippur.chances import barrage
from assistant.games.yom_kippur.field import Field, Stand
from assistant.games.yom_kippur.in_words import groups_told, inputs_told
from assistant.games.yom_kippur.printed import ours, table_notes
from assistant.games.yom_kippur.questions import asked_field, asked_side, asked_target, asked_units, effects
from assistant.shared import sourced
from assistant.shared.asking import Options, Said
from assistant.shared.options import given, yes
from assistant.shared.strengths import modifier_sources
from assistant.text import odds_json, odds_text
from scenarios.game import Game
from scenarios.hexes import Hex, distance
from scenarios.tables import span

Fire = Callable[[Mapping[str, Value]], Answer]


class Change(NamedTuple):
    """A barrage with something changed."""

    change: str
    answer: Answer

    @property
    def hit(self) -> Fraction:
        """The chance that the hex is disorganized or worse."""
        return 1 - self.answer.chances.get("-", Fraction(0))


def barrage_answer(game: Game, options: Options) -> Said:
    """A barrage by `attackers` (guns) and air units on the hex `target`, or in words without one (1.8, 1.12b)."""
    told = {"our_modifiers": game.rulings["barrage_modifiers"].choice == "ours", **inputs_told(game, "barrage", options)}
    if given(options, "target") or given(options, "at"):
        field = asked_field(game, options)
        return _on_the_map(field, asked_target(field, options), told, options)
    air = asked_air(game, None, options)
    groups = groups_told(game, "barrage", options)
    if not groups.get("attackers") and not air["israeli_air"] and not air["egyptian_air"]:
        raise BadQuestion("say who fires: attackers, israeli_air or egyptian_air; and on the map, at which hex: target")
    side = str(groups["attackers"][0]["side"]) if groups.get("attackers") else _flies(air)

    def fire(more: Mapping[str, Value]) -> Answer:
        return odds(game, "barrage", groups, {**told, **more})

    guns = [game.units[str(one["id"])] for one in groups.get("attackers", []) if str(one["id"]) in game.units]
    used = sourced.ours(game, ((gun, "barrage") for gun in guns))
    return _said(game, fire, used, list(_changes(fire, side, told)) if yes(options, "what_if") else None)


def _on_the_map(field: Field, target: Hex, told: Mapping[str, Value], options: Options) -> Said:
    guns, air = asked_units(field, options, "attackers"), asked_air(field.ground.game, field, options)
    if not guns and not air["israeli_air"] and not air["egyptian_air"]:
        raise BadQuestion("say who fires: attackers, israeli_air or egyptian_air")
    side = asked_side(options) or (guns[0].unit.side if guns else _flies(air))
    scenario = {"chemical": bool(list(effects(field, "chemical_shells", "egyptian"))), **told}

    def fire(more: Mapping[str, Value], more_guns: Sequence[Stand] = ()) -> Answer:
        return barrage(field, [*guns, *more_guns], target, side=side, told={**scenario, **more})

    used = ours(field.ground.game, ((gun, "barrage") for gun in guns))
    changes = None
    if yes(options, "what_if"):
        near = [s for s in field.of(side) if s.factor("barrage") and distance(s.hex, target) <= s.factor("range")]
        joined = (Change(f"with {gun.name}", fire({}, [gun])) for gun in near if gun not in guns)
        more = air[f"{side}_air"] < air_units(field, side)
        changes = [*joined, *_changes(fire, side, scenario, more)]
    return _said(field.ground.game, fire, used, changes)


def _flies(air: Mapping[str, int]) -> str:
    return "israeli" if air["israeli_air"] else "egyptian"


def _changes(fire: Fire, side: str, told: Mapping[str, Value], more: bool = True) -> Iterator[Change]:
    """One air unit more if there is one, from the SAM Zone Box if it matters, and a spotter (1.8c, 1.12b)."""
    plain = fire({})
    flown = fire({key: Fraction(told.get(key, 0)) + 1 for key in (f"{side}_air", "sam_zone_air")})
    if more and len(flown.failures) <= len(plain.failures):
        yield Change("with one air unit more", flown)
    spotted = fire({"spotter": True})
    if spotted.column != plain.column:
        yield Change("with a friend next to the target", spotted)


def _said(game: Game, fire: Fire, used: dict[str, str], changes: Sequence[Change] | None) -> Said:
    answer = fire({})
    used = {**used, **sourced.ours(game, more=modifier_sources(game, "barrage", answer.applied))}
    notes = [*sourced.ours_text(used), *table_notes(game, "barrage")]
    told: dict[str, Any] = {**odds_json(game, answer), "notes": list(notes), "not_the_rulebooks": used}
    lines = [*odds_text(game, answer), *notes]
    if changes is not None:
        more = _next_column(game, answer)
        lines += [] if more is None else [f"{more} points more would start a column further right"]
        lines += [
            f"  {one.change:32} column {one.answer.column or '-':6} the hex is hit with {float(one.hit):.1%}"
            for one in changes
        ]
        made = [{"change": one.change, "column": one.answer.column, "hit": str(one.hit)} for one in changes]
        told |= {"next_column": None if more is None else str(more), "what_if": made}
    return told, lines


def _next_column(game: Game, answer: Answer) -> Fraction | None:
    labels = game.tables["barrage"].columns.labels
    if answer.start in (None, labels[-1]):
        return None
    return (span(labels[labels.index(str(answer.start)) + 1]).low or Fraction(0)) - answer.attack_strength
