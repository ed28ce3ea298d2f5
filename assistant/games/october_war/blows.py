"""What falls on the defender before the ground fire: an air attack, a barrage (6.2 (2f), 19.9, 24.0)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from assistant.attacks import BadQuestion, Fields, Value, odds, unit_fields
from assistant.games.october_war.air import Wing, asked_wing
from assistant.games.october_war.field import sites, spotting
from assistant.games.october_war.fire import Blow
from assistant.games.october_war.ground import ENEMY, Ground, bare
from assistant.games.october_war.limits import counters, within
from assistant.games.october_war.reach import commanded
from assistant.games.october_war.strikes import mission
from assistant.questions import Told
from assistant.shared.options import whole
from scenarios.game import Game

GUNS_REACH = ("africa", "bar_lev_line", "east_of_purple_line", "purple_line_forts")
"""Where Arab guns may fire: behind their own front line, and at the forts along it (24.3)."""


class Scene(NamedTuple):
    """Where a battle is: the position and the point as far as they are told, and who attacks."""

    game: Game
    here: Ground | None
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
    enemy = ENEMY[scene.side]
    seen = sites(scene.here, scene.point, enemy) if scene.here is not None and scene.point else ([], [])
    many = whole(told, "sites", len(seen[0]), 0, counters(scene.game, enemy, "mobile_sam", "static_sam"))
    return many, whole(told, "sites_here", min(len(seen[1]), many), 0, many)


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
        areas = (scene.here or bare(game)).map
        inputs["within_control"] = any(scene.point in areas.in_area(area) for area in GUNS_REACH)
    fired = odds(game, "barrage", {"firing": [unit_fields(game, marker)]}, inputs)
    if fired.failures:
        raise BadQuestion("; ".join(fired.failures))
    return Blow("barrage", fired.chances)


def _directed(scene: Scene, echelon: int) -> dict[str, Value]:
    """Who directs a barrage (24.2), where a position shows it."""
    inputs: dict[str, Value] = {"echelon": Fraction(echelon), "spotter_commanded": True}
    if scene.here is not None and scene.point:
        seen = spotting(scene.here, scene.point, scene.attackers)
        led = commanded(scene.here, scene.nation) | {scene.point for unit in scene.attackers if unit["leader"]}
        inputs |= {"spotter": bool(seen), "spotter_commanded": bool(seen & led)}
    return inputs


def _hermon(scene: Scene) -> bool:
    """Whether the attackers fight on the Golan and control Mount Hermon (24.4)."""
    here = scene.here
    return here is not None and scene.point in here.map.in_area("golan") and here.control["mount_hermon"] == scene.side
