"""Why a unit may not take part in an attack, beyond what the pack's attacks check."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from assistant.games.arab_israeli_wars.battle import MINES, NEXT_TO, SEEN_FIRST, WRITTEN, Battle, Fighter
from assistant.games.arab_israeli_wars.deeds import Deed, State, doing
from assistant.games.arab_israeli_wars.ground import CANAL
from assistant.games.arab_israeli_wars.steps import ZERO, Mover, Rates
from assistant.games.arab_israeli_wars.traffic import LEVELS, Bar, Occupant, Traffic
from scenarios.hexes import Hex, distance


def bars(battle: Battle, firer: Fighter) -> Iterator[tuple[str, str]]:
    """Why a unit can't take part, beyond what the pack's attack checks: sentence and rule."""
    if firer.bar is not None:
        yield firer.bar
    if "loaded" in firer.states and not mounted(battle, firer):
        yield "it is a passenger, and passengers are ignored", "Basic V.B.6.b"
    if _drops(battle, firer) and hidden(battle):
        yield "no unit in the woods or town is spotted", "Basic VII.D.3, Advanced I.C.4.b"
    if "committed" in firer.states and battle.kind not in WRITTEN:
        yield "it is written down for indirect fire", "Standard II.A.1.a"
    if firer.side and any(target.side == firer.side for target in battle.targets) and battle.kind in (
        *SEEN_FIRST, *NEXT_TO, "air_strike"
    ):  # fmt: skip
        yield "the target is no enemy of it", "Basic VI.A.1"
    if battle.ground is None or firer.at is None or battle.at is None:
        return
    if battle.kind in NEXT_TO:
        if distance(firer.at, battle.at) != 1:
            yield "it isn't next to the target", NEXT_TO[battle.kind]
        if battle.ground.kind(firer.at) == CANAL:
            yield "nobody attacks so out of the canal", "Standard VI.E.2"
    if battle.kind == "close_assault" and any(battle.ground.has(firer.at, mine) for mine in MINES):
        yield "nobody assaults out of a minefield", "Standard II.C.6"
    if battle.kind == "clear_mines" and firer.at != battle.at:
        yield "it isn't in the minefield's hex", "Standard VII.A.1.b"
    if battle.kind == "interdiction" and isinstance(reach := _range(battle, firer), Fraction):
        away = distance(firer.at, battle.at)
        if away > reach:
            yield "the target is out of range", "Advanced III.A.2.b"
        if battle.game.units[firer.unit].factors["weapon"] == "(H)" and 4 * away < reach:
            yield "the target is nearer than a quarter of its range", "Advanced III.A.2.b"
    if battle.kind not in SEEN_FIRST and not battle.ground.together(firer.at, battle.at):
        yield "the boards don't touch", f"Situation {battle.ground.scenario}"


def overrun_bars(battle: Battle) -> Iterator[tuple[int, Bar]]:
    """Why targets can't be overrunning the hex that they are said to, each by its place (Standard II.D.2, II.D.3)."""
    ground, at, hex = battle.ground, battle.at, battle.overrun
    if ground is None or at is None or hex is None:
        return
    scenario = battle.game.scenarios.get(ground.scenario)
    level = next((one for one in LEVELS if scenario is not None and one == scenario.level), LEVELS[-1])
    stacks: dict[Hex, tuple[Occupant, ...]] = {}
    for one in battle.everyone or (*battle.firers, *battle.targets):
        if one.at is not None and one.unit in battle.game.units:
            held = Occupant(battle.game.units[one.unit], one.copy, one.side, one.states)
            stacks[one.at] = (*stacks.get(one.at, ()), held)
    here = Traffic(stacks, level)
    for place, one in enumerate(battle.targets):
        if one.unit not in battle.game.units:
            continue
        mover = Mover(battle.game.units[one.unit], at, one.side, one.copy, one.states)
        state = State(mover, at, ZERO, 0, False)
        if bar := doing(Rates(ground, mover, here), state, Deed("overrun", (), hex)).bar:
            yield place, bar


def _range(battle: Battle, firer: Fighter) -> object:
    unit = battle.game.units.get(firer.unit)
    return unit.factors.get("range") if unit else None


def _drops(battle: Battle, firer: Fighter) -> bool:
    """Whether an aircraft brings an (H) strike: by itself, or a helicopter into indirect fire (Advanced I.E.7.b)."""
    if battle.kind == "indirect_fire":
        return bool(firer.told.get("points"))
    return battle.kind == "air_strike" and firer.told.get("kind") == "(H)" and bool(firer.told.get("carried"))


def hidden(battle: Battle) -> bool:
    """Whether the hex attacked conceals and none of its units is spotted (Basic VII.D.3.a, Optional II.B.1.b)."""
    told = battle.inputs()
    there = [*battle.targets, *(one for one in battle.everyone if one.at is not None and one.at == battle.at)]
    concealed = told.get("terrain") in ("woods", "town") or bool(told.get("in_smoke"))
    return concealed and not any("spotted" in one.states for one in there)


def mounted(battle: Battle, firer: Fighter) -> bool:
    """Whether a passenger joins its carrier's fire: special infantry of the right army and year, aboard an I carrier
    that fires with it, and so no truck (Advanced II.A; UFT key)."""
    unit = battle.game.units.get(firer.unit)
    if battle.ground is None or unit is None or "special_infantry" not in unit.abilities:
        return False
    since = {"israel": 1967, "egypt": 1970, "syria": 1970}.get(firer.nation)
    if not battle.advanced or since is None or battle.ground.year < since:
        return False
    carrier = firer.carrier
    if carrier is None or "carries_infantry" not in battle.game.units[carrier.unit].abilities:
        return False
    return any((one.unit, one.copy, one.at) == (carrier.unit, carrier.copy, carrier.at) for one in battle.firers)
