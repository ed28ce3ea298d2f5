"""Air missions and airmobile moves as they are asked."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion, Value
from assistant.games.october_war.air import Superiority, Wing, asked_wing, superiority
from assistant.games.october_war.battle_asked import asked_ground, asked_point, fought_in
from assistant.games.october_war.field import sites
from assistant.games.october_war.ground import ENEMY, bare
from assistant.games.october_war.limits import counters
from assistant.games.october_war.strikes import Mission, mission, mixed, shot_at, suppressed
from assistant.shared.asking import Options, Said, chances_json, percent
from assistant.shared.options import choice, whole, word, yes
from assistant.shared.sourced import ours, ours_text
from assistant.shared.specials import all_effects
from assistant.words import read_words
from scenarios.game import Game

MISSIONS = ("superiority", "strategic", "ground", "recon")
NAMES = {
    "mission": f"what is flown: {', '.join(MISSIONS)}",
    "israel": "superiority: Israeli TAC that fly it",
    "weasels": "superiority: Israeli Wild Weasels; else those that fly with the mission",
    "egypt": "superiority: Egyptian TAC against them",
    "syria": "superiority: or Syrian TAC",
    "israel_others": "superiority: Israeli TAC on other missions or ready, hit last",
    "arab_others": "superiority: Arab TAC on other missions or ready, hit last",
    "turn": "the turn; on turn 1 few Israelis fly, and none aims at air defense",
    "nation": "else: whose strikes fly",
    "tac": "else: TAC strikes",
    "ssm": "else: missile strikes",
    "ew": "an Israeli EW marker flies with them (yes or no)",
    "sites": "ground, recon: enemy SAM units that reach the point",
    "sites_here": "ground, recon: of these, in the point itself",
    "sead": "ground: Wild Weasels that strike the SAM units of the point first",
    "position": "a position file; with point it tells the terrain and the SAM units",
    "scenario": "the start of a scenario, instead of a position",
    "point": "ground, recon: the point",
    "terrain": "ground: the kind of point, if none is named",
    "overstacked": "ground: the enemy is over the stacking limit (yes or no)",
    "at_air_defense": "ground: the strike is on air defense units (yes or no)",
    "breached": "ground: a breach marker lies on the fort (yes or no)",
}
GROUND_ATTACK, STRATEGIC = "2", "3"
"""The columns of the air defense table."""
GROUND = ("terrain", "overstacked", "at_air_defense", "breached")


def air_answer(game: Game, options: Options) -> Said:
    """One air mission with its losses."""
    kind = choice(options, "mission", MISSIONS)
    if not kind:
        raise BadQuestion(f"say which mission: mission={', mission='.join(MISSIONS)}")
    if kind == "superiority":
        return _superiority(game, options)
    nation = choice(options, "nation", [n for n in game.nations if n != "israel"], "israel")
    side = game.nations[nation].side
    wing = asked_wing(game, options, side)
    if not any(wing):
        raise BadQuestion("say how many strikes fly: tac=NUMBER, weasels=NUMBER or ssm=NUMBER")
    ew = yes(options, "ew")
    if ew and nation != "israel":
        raise BadQuestion("only Israelis add EW markers to air missions (26.3)")
    if kind == "strategic":
        found = mission(game, "strategic_attack", nation, wing, ew=ew)
        return _mission_said(game, kind, found, _ours(game, nation, wing, STRATEGIC))
    here = asked_ground(game, options)
    point = asked_point(game, here, word(options, "point"))
    reach, inside = sites(here, point, ENEMY[side]) if here is not None and point else ([], [])
    many = whole(options, "sites", len(reach), 0, counters(game, ENEMY[side], "mobile_sam", "static_sam"))
    inner = whole(options, "sites_here", min(len(inside), many), 0, many)
    if kind == "recon":
        return _recon(game, wing, inner if wing.weasels else many, ew)
    inputs = _inputs(game, options)
    if point and "terrain" not in inputs:
        inputs["terrain"] = fought_in(here or bare(game), point)
    inputs["umbrella_over"] = many > 0
    if inputs.get("at_air_defense") is True or word(options, "sead", "0") != "0":
        _aimed(game, whole(options, "turn", 2, 1), side)
    found = _ground(game, nation, wing, many, inner, ew, inputs, whole(options, "sead", 0, 0, counters(game, "israeli", "wild_weasel")))
    return _mission_said(game, kind, found, _ours(game, nation, wing, GROUND_ATTACK if many else ""))


def _ours(game: Game, nation: str, wing: Wing, line: str) -> dict[str, str]:
    """What isn't the rulebook's of the strikes' strengths and of the line that fires at them."""
    kinds = [kind for kind, count in zip(("tac", "wild_weasel", "ssm"), wing, strict=False) if count]
    flown = [unit for unit in game.units.values() if unit.nation == nation and unit.type in kinds]
    cells = [("air_defense", row, line) for row in game.tables["air_defense"].cells] if line else []
    return ours(game, ((unit, "strength") for unit in flown), cells=cells)


def _mission_said(game: Game, kind: str, found: Mission, rebuilt: dict[str, str]) -> Said:
    json = {**_mission_json(game, kind, found), "not_the_rulebooks": rebuilt}
    return json, [*_mission_text(kind, found), *ours_text(rebuilt)]


def _inputs(game: Game, options: Options) -> dict[str, Value]:
    told = [f"{key}={word(options, key)}" for key in GROUND if word(options, key)]
    return dict(read_words(game, "air_ground_attack", told)[1])


def _ground(
    game: Game, nation: str, wing: Wing, many: int, inner: int, ew: bool, inputs: dict[str, Value], sead: int
) -> Mission:
    def flown(left: int) -> Mission:
        gone = inner - left
        told = {**inputs, "umbrella_over": many - gone > 0}
        return mission(game, "air_ground_attack", nation, wing, many - gone, ew, told, sites_here=left)

    if not sead:
        return flown(inner)
    if nation != "israel" or not inner:
        raise BadQuestion(
            "Wild Weasels strike SAM units in the point first (20.11): say nation=israel, sites_here=NUMBER"
        )
    ways = suppressed(game, sead, inner, {key: inputs[key] for key in ("terrain",) if key in inputs})
    return mixed({flown(left): chance for left, chance in ways.items()})


def _recon(game: Game, wing: Wing, shots: int, ew: bool) -> Said:
    """27.1: the enemy is seen if an air unit comes through the fire of the SAM units in reach."""
    through = shot_at(game, "recon", wing, shots, ew)
    seen = sum((chance for (left, _), chance in through.items() if left.flying), Fraction(0))
    lost = sum((losses.refit * chance for (_, losses), chance in through.items()), Fraction(0))
    json = {"game": game.id, "question": "air recon", "seen": str(seen), "mean_refit": str(lost)}
    return json, [f"the point is seen: {percent(seen)} (27.1)", f"{float(lost):.2f} strikes go to refit, on average"]


def _superiority(game: Game, options: Options) -> Said:
    if word(options, "egypt") and word(options, "syria"):
        raise BadQuestion("each theater has its own air superiority (19.1): tell egypt=NUMBER or syria=NUMBER")
    arab = "syria" if word(options, "syria") else "egypt"
    nations = ("israel", arab)
    most = {side: counters(game, side, "tac") for side in ("israeli", "arab")}
    ours = (whole(options, key, 0, 0, most["israeli"]) for key in ("israel", "israel_others"))
    theirs = (whole(options, key, 0, 0, most["arab"]) for key in (arab, "arab_others"))
    weasels = whole(options, "weasels", 0, 0, counters(game, "israeli", "wild_weasel"))
    wings = (Wing(next(ours), weasels, 0, next(ours)), Wing(next(theirs), 0, 0, next(theirs)))
    if not wings[0].flying and not wings[1].flying:
        raise BadQuestion(f"say who flies: israel=NUMBER {arab}=NUMBER")
    _limited(game, whole(options, "turn", 2, 1), wings[0].tac)
    found = superiority(game, nations, wings, yes(options, "ew"))
    first = None if found.first is None else nations[found.first]
    holder = {nations[side] if side is not None else "nobody": chance for side, chance in found.holder().items()}
    json: dict[str, Any] = {"game": game.id, "question": "air superiority", "first": first}
    json["holder"] = chances_json(holder)
    json["lost"] = {
        nation: [
            {"refit": lost.refit, "eliminated": lost.eliminated, "chance": str(chance)}
            for lost, chance in found.lost(side).items()
        ]
        for side, nation in enumerate(nations)
    }
    json["freed"] = dict(zip(nations, found.freed, strict=True))
    return json, list(_superiority_text(game, nations, first, found, holder))


def _limited(game: Game, turn: int, tac: int) -> None:
    """6.3 (2): on turn 1 only some of the Israeli TAC fly."""
    for effect in all_effects(game, "strikes_limited", turn):
        if tac > int(effect.value):
            raise BadQuestion(f"on turn {turn} no more than {effect.value} Israeli TAC fly (6.3)")


def _aimed(game: Game, turn: int, side: str) -> None:
    """6.3 (3): on turn 1 nobody aims at Arab air defense."""
    if any(effect.side == side for effect in all_effects(game, "no_aimed_loss", turn)):
        raise BadQuestion(f"on turn {turn} air defense units can't be aimed at (6.3)")


def _superiority_text(
    game: Game, nations: tuple[str, str], first: str | None, found: Superiority, holder: dict[str, Fraction]
) -> Iterator[str]:
    yield "both fire together (19.3)" if first is None else f"{game.nations[first].name} fires first (19.3)"
    for side, nation in enumerate(nations):
        lost = found.lost(side)
        gone = sum(losses.eliminated * chance for losses, chance in lost.items())
        back = sum(losses.refit * chance for losses, chance in lost.items())
        yield f"{game.nations[nation].name} loses {float(gone):.2f} strikes and {float(back):.2f} to refit, on average"
        if found.freed[side]:
            yield f"  nobody is against it: {found.freed[side]} TAC may fly ground attacks instead (19.3)"
    for name, chance in sorted(holder.items(), key=lambda item: -item[1]):
        yield f"more strikes left: {game.nations[name].name if name in game.nations else name} {percent(chance)}"


def _mission_json(game: Game, kind: str, found: Mission) -> dict[str, Any]:
    return {
        "game": game.id,
        "question": f"air {kind}",
        "codes": chances_json(found.codes),
        "points": chances_json(found.points),
        "through": [
            {"tac": wing.tac, "weasels": wing.weasels, "ssm": wing.ssm, **losses._asdict(), "chance": str(chance)}
            for (wing, losses), chance in sorted(found.through.items())
        ],
    }


def _mission_text(kind: str, found: Mission) -> Iterator[str]:
    for (wing, lost), chance in sorted(found.through.items(), reverse=True):
        names = ("TAC", "Wild Weasels", "SSM")
        flying = ", ".join(f"{count} {name}" for count, name in zip(wing[:3], names, strict=True) if count)
        yield f"{flying or 'nothing'} through, {lost.eliminated} lost, {lost.refit} to refit: {percent(chance)}"
    own = sum((lost.eliminated * chance for (_, lost), chance in found.through.items()), Fraction(0))
    if own:
        yield f"own casualty points for strikes lost: {float(own):.2f} on average (7.4)"
    what = "the enemy's casualties rise by" if kind == "strategic" else "losses of the force:"
    for points, chance in found.points.items():
        yield f"{what} {points}: {percent(chance)}"
    if kind == "ground" and "A" in found.codes:
        yield f"all retreat, or one loss instead (A): {percent(found.codes['A'])}"
