"""What falls on the defender before the ground fire: an air attack, a barrage (6.2 (2f), 19.9, 24.0)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from assistant.answers import BadQuestion
from assistant.attack import Fields, Value, odds, unit_fields
from assistant.games.october_war.air import Wing, asked_wing, mission
from assistant.games.october_war.battle import Blow
from assistant.games.october_war.field import asked_sites, spotting
from assistant.games.october_war.questions import ENEMY, start_field
from assistant.games.october_war.stacking import within
from assistant.questions import Told
from assistant.rules.field import Field
from scenarios.game import Game


class Scene(NamedTuple):
    """Where a battle is: the position and the point as far as they are told, and who attacks."""

    game: Game
    field: Field | None
    point: str
    attackers: Sequence[Fields]
    defenders: Sequence[Fields]
    ground: Fields
    """The terrain, and whether a breach marker lies on it."""
    at_home: int = 0
    """How many city brigades aren't counted for stacking there (5.2 (2))."""

    @property
    def side(self) -> str:
        return str(self.attackers[0]["side"])

    @property
    def nation(self) -> str:
        return str(self.attackers[0]["nation"])


def asked_blows(scene: Scene, told: Told) -> tuple[Blow, ...]:
    """The blows that are told."""
    wing = asked_wing(scene.game, told, scene.side)
    result = [_air(scene, told, wing, bool(told.get("air_ew")))] if any(wing) else []
    return (*result, *([_barrage(scene, told)] if told.get("barrage") else []))


def offers(scene: Scene, told: Told) -> tuple[tuple[str, Blow], ...]:
    """The blows that could fall besides, each with its words."""
    return tuple(_offers(scene, told))


def _offers(scene: Scene, told: Told) -> Iterator[tuple[str, Blow]]:
    flies = any(unit.nation == scene.nation and unit.type == "tac" for unit in scene.game.units.values())
    if flies and not any(asked_wing(scene.game, told, scene.side)):
        many, _ = _sites(scene, told)
        against = f"through {many} SAM unit{'s' * (many > 1)}" if many else "no SAM"
        yield f"one TAC strike first, {against}", _air(scene, told, Wing(1), False)
    if not told.get("barrage"):
        try:
            yield "a barrage first", _barrage(scene, told)
        except BadQuestion:
            return


def _sites(scene: Scene, told: Told) -> tuple[int, int]:
    """The SAM units that reach the point, and those in it (20.8): told, or seen in the position."""
    return asked_sites(scene.game, scene.field, scene.point, ENEMY[scene.side], told)


def _air(scene: Scene, told: Told, wing: Wing, ew: bool) -> Blow:
    """An air ground attack through the missiles (19.9, 20.8), by what it does on the ground."""
    many, inside = _sites(scene, told)
    units = scene.game.units
    over = within(scene.game, scene.defenders, lambda unit: units[str(unit["id"])], ENEMY[scene.side], scene.at_home)[1]
    inputs = {**scene.ground, "umbrella_over": many > 0, "overstacked": bool(over)}
    flown = mission(scene.game, "air_ground_attack", scene.nation, wing, many, ew, inputs, sites_here=inside)
    codes: dict[str, Fraction] = {}
    for code, chance in flown.codes.items():
        meant = scene.game.tables["air"].results[code].effects.get("ground", "-")
        codes[meant] = codes.get(meant, Fraction(0)) + chance
    return Blow("air attack", codes, ew)


def _barrage(scene: Scene, told: Told) -> Blow:
    """One barrage marker (24.1), with what a position shows of its restrictions (24.2 to 24.4)."""
    game, marker = scene.game, f"barrage_{scene.nation}"
    if marker not in game.markers:
        raise BadQuestion(f"{game.nations[scene.nation].name} has no barrage markers (24.0)")
    inputs: dict[str, Value] = {**scene.ground, "hermon": bool(told.get("hermon", _hermon(scene)))}
    inputs |= _directed(scene, int(told.get("echelon", 1)))
    if scene.point:
        regions = (scene.field or start_field(game)).kinds.regions
        inputs["within_control"] = scene.point in regions["arab_barrage"]
    fired = odds(game, "barrage", {"firing": [unit_fields(game, marker)]}, inputs)
    if fired.failures:
        raise BadQuestion("; ".join(fired.failures))
    return Blow("barrage", fired.chances)


def _directed(scene: Scene, echelon: int) -> dict[str, Value]:
    """Who directs a barrage (24.2), where a position shows it."""
    inputs: dict[str, Value] = {"echelon": Fraction(echelon), "spotter_commanded": True}
    if scene.field is not None and scene.point:
        seen, led = spotting(scene.field, scene.point, scene.attackers)
        inputs |= {"spotter": seen, "spotter_commanded": led}
    return inputs


def _hermon(scene: Scene) -> bool:
    """Whether the attackers fight on the Golan and control Mount Hermon (24.4)."""
    field = scene.field
    if field is None or scene.point not in field.kinds.regions["golan"]:
        return False
    return field.control(field.kinds.number["mount_hermon"]) == scene.side
