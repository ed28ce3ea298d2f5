"""Air missions: superiority, strategic and ground attacks, reconnaissance (18.0 to 20.0, 26.3, 27.1)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from assistant.answers import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    Column,
    Line,
    Node,
    Ours,
    Refusal,
    Section,
    Several,
    Table,
    chances_of,
)
from assistant.answers import Value as Told_
from assistant.attack import meanings
from assistant.attacks import Value
from assistant.games.october_war.air import Superiority, Wing, asked_wing, superiority
from assistant.games.october_war.field import sites
from assistant.games.october_war.ground import ENEMY, bare
from assistant.games.october_war.limits import counters
from assistant.games.october_war.questions import POINT, asked_point, declared, fought_in, told_ground
from assistant.games.october_war.strikes import Mission, mission, mixed, shot_at, suppressed
from assistant.questions import ON_A_MAP, TURN, Input, Question, Told
from assistant.shared.options import whole
from assistant.shared.sourced import ours
from assistant.shared.specials import all_effects
from scenarios.game import Game

MISSIONS = ("superiority", "strategic", "ground", "recon")
GROUND_ATTACK, STRATEGIC = "2", "3"
"""The columns of the air defense table."""
GROUND = ("terrain", "overstacked", "at_air_defense", "breached")
SECOND = Fraction(2)
"""The turn, where none is told: the first has rules of its own."""


def _air(game: Game, told: Told) -> Answer:
    kind = told["mission"]
    if kind == "superiority":
        return _superiority(game, told)
    nation, ew = told["nation"], bool(told.get("ew"))
    side = game.nations[nation].side
    wing = asked_wing(game, told, side)
    if not any(wing):
        raise BadQuestion("say how many strikes fly: tac=NUMBER, weasels=NUMBER or ssm=NUMBER")
    if ew and nation != "israel":
        raise Refusal("only Israelis add EW markers to air missions", "26.3")
    if kind == "strategic":
        found = mission(game, "strategic_attack", nation, wing, ew=ew)
        return _flown(game, kind, found, _ours(game, nation, wing, STRATEGIC))
    here = told_ground(game, {key: value for key, value in told.items() if key != "turn"})
    point = asked_point(game, here, told)
    reach, inside = sites(here, point, ENEMY[side]) if here is not None and point else ([], [])
    many = whole(told, "sites", len(reach), 0, counters(game, ENEMY[side], "mobile_sam", "static_sam"))
    inner = whole(told, "sites_here", min(len(inside), many), 0, many)
    if kind == "recon":
        return _recon(game, wing, inner if wing.weasels else many, ew)
    inputs = declared(game, "air_ground_attack", told, GROUND)
    if point and "terrain" not in inputs:
        inputs["terrain"] = fought_in(here or bare(game), point)
    inputs["umbrella_over"] = many > 0
    sead = whole(told, "sead", 0, 0, counters(game, "israeli", "wild_weasel"))
    if inputs.get("at_air_defense") is True or sead:
        _aimed(game, int(told.get("turn", SECOND)), side)
    found = _ground(game, nation, wing, many, inner, ew, inputs, sead)
    return _flown(game, kind, found, _ours(game, nation, wing, GROUND_ATTACK if many else ""))


AIR = Question(
    name="air", about="one air mission: what gets through, what it does (18.0 to 20.0)", answer=_air, bare=("mission",),
    inputs=(
        Input(name="mission", about="what is flown", kind="choice", choices=MISSIONS, needed=True),
        Input(name="israel", about="superiority: Israeli TAC that fly it", kind="number"),
        Input(name="weasels", about="superiority: Israeli Wild Weasels; else those that fly with the mission", kind="number"),
        Input(name="egypt", about="superiority: Egyptian TAC against them", kind="number"),
        Input(name="syria", about="superiority: or Syrian TAC", kind="number"),
        Input(name="israel_others", about="superiority: Israeli TAC on other missions or ready, hit last", kind="number"),
        Input(name="arab_others", about="superiority: Arab TAC on other missions or ready, hit last", kind="number"),
        replace(TURN, about="the turn; on turn 1 few Israelis fly, and none aims at air defense"),
        Input(name="nation", about="else: whose strikes fly", kind="choice", of="nation", default="israel"),
        Input(name="tac", about="else: TAC strikes", kind="number"),
        Input(name="ssm", about="else: missile strikes", kind="number"),
        Input(name="ew", about="an Israeli EW marker flies with them", kind="flag"),
        Input(name="sites", about="ground, recon: enemy SAM units that reach the point", kind="number"),
        Input(name="sites_here", about="ground, recon: of these, in the point itself", kind="number"),
        Input(name="sead", about="ground: Wild Weasels that strike the SAM units of the point first", kind="number"),
        replace(POINT, about="ground, recon: the point; with a position it tells the terrain and the SAM units"),
        Input(name="terrain", about="ground: the kind of point, if none is named", kind="choice", of="terrain"),
        Input(name="overstacked", about="ground: the enemy is over the stacking limit", kind="flag"),
        Input(name="at_air_defense", about="ground: the strike is on air defense units", kind="flag"),
        Input(name="breached", about="ground: a breach marker lies on the fort", kind="flag"),
        *(one for one in ON_A_MAP if one is not TURN),
    ),
)  # fmt: skip


# --- attacks ----------------------------------------------------------------------------------------------------------


def _ours(game: Game, nation: str, wing: Wing, line: str) -> Ours:
    """What isn't the rulebook's of the strikes' strengths and of the line that fires at them."""
    kinds = [kind for kind, count in zip(("tac", "wild_weasel", "ssm"), wing, strict=False) if count]
    flown = [unit for unit in game.units.values() if unit.nation == nation and unit.type in kinds]
    cells = [("air_defense", row, line) for row in game.tables["air_defense"].cells] if line else []
    return Ours(ours(game, ((unit, "strength") for unit in flown), cells=cells))


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
        raise BadQuestion("Wild Weasels strike SAM units in the point first (20.11): say nation=israel, sites_here=NUMBER")
    ways = suppressed(game, sead, inner, {key: inputs[key] for key in ("terrain",) if key in inputs})
    return mixed({flown(left): chance for left, chance in ways.items()})


def _flown(game: Game, kind: str, found: Mission, rebuilt: Ours) -> Answer:
    rows: list[dict[str, Cell]] = [
        {"tac": wing.tac, "weasels": wing.weasels, "ssm": wing.ssm, **losses._asdict(), "chance": Chance(chance)}
        for (wing, losses), chance in sorted(found.through.items(), reverse=True)
    ]
    columns = [
        Column("tac", "TAC through"), Column("weasels", "Wild Weasels"), Column("ssm", "SSM"), Column("eliminated", "lost"),
        Column("refit", "to refit"), Column("chance", "chance"),
    ]  # fmt: skip
    own = sum((lost.eliminated * chance for (_, lost), chance in found.through.items()), Fraction(0))
    what = "The enemy's casualties rise by" if kind == "strategic" else "Losses of the force"
    return Answer("air", game.id, [
        Told_("mission", kind, shown=False),
        Table("through", columns, rows),
        Told_("mean_casualty_points", own, "Own casualty points for strikes lost, on average", "7.4", shown=bool(own)),
        Chances("codes", found.codes, "Results", meanings(game.tables["air"])),
        chances_of("points", found.points, what),
        rebuilt,
    ])  # fmt: skip


def _recon(game: Game, wing: Wing, shots: int, ew: bool) -> Answer:
    """27.1: the enemy is seen if an air unit comes through the fire of the SAM units in reach."""
    through = shot_at(game, "recon", wing, shots, ew)
    seen = sum((chance for (left, _), chance in through.items() if left.flying), Fraction(0))
    lost = sum((losses.refit * chance for (_, losses), chance in through.items()), Fraction(0))
    return Answer("air", game.id, [
        Told_("mission", "recon", shown=False), Told_("seen", Chance(seen), "The point is seen", "27.1"),
        Told_("mean_refit", lost, "Strikes to refit, on average"),
    ])  # fmt: skip


def _aimed(game: Game, turn: int, side: str) -> None:
    """6.3 (3): on turn 1 nobody aims at Arab air defense."""
    if any(effect.side == side for effect in all_effects(game, "no_aimed_loss", turn)):
        raise Refusal(f"on turn {turn} air defense units can't be aimed at", "6.3")


# --- superiority ------------------------------------------------------------------------------------------------------


def _superiority(game: Game, told: Told) -> Answer:
    if "egypt" in told and "syria" in told:
        raise BadQuestion("each theater has its own air superiority (19.1): tell egypt=NUMBER or syria=NUMBER")
    arab = "syria" if "syria" in told else "egypt"
    nations = ("israel", arab)
    most = {side: counters(game, side, "tac") for side in ("israeli", "arab")}
    flying = [whole(told, key, 0, 0, most["israeli"]) for key in ("israel", "israel_others")]
    against = [whole(told, key, 0, 0, most["arab"]) for key in (arab, "arab_others")]
    weasels = whole(told, "weasels", 0, 0, counters(game, "israeli", "wild_weasel"))
    wings = (Wing(flying[0], weasels, 0, flying[1]), Wing(against[0], 0, 0, against[1]))
    if not wings[0].flying and not wings[1].flying:
        raise BadQuestion(f"say who flies: israel=NUMBER {arab}=NUMBER")
    _limited(game, int(told.get("turn", SECOND)), wings[0].tac)
    found = superiority(game, nations, wings, bool(told.get("ew")))
    first = None if found.first is None else nations[found.first]
    holder = {nations[side] if side is not None else "nobody": chance for side, chance in found.holder().items()}
    names = {nation: game.nations[nation].name for nation in nations}
    return Answer("air", game.id, [
        Told_("mission", "superiority", shown=False), Told_("first", first, shown=False),
        Line("both fire together" if first is None else f"{names[first]} fires first", "19.3"),
        Several("nations", [_side(found, side, nation, names[nation]) for side, nation in enumerate(nations)]),
        Chances("holder", dict(sorted(holder.items(), key=lambda item: -item[1])), "More strikes left", names),
    ])  # fmt: skip


def _side(found: Superiority, side: int, nation: str, name: str) -> Section:
    lost, freed = found.lost(side), found.freed[side]
    rows: list[dict[str, Cell]] = [
        {"eliminated": one.eliminated, "refit": one.refit, "chance": Chance(chance)} for one, chance in lost.items()
    ]
    nodes: list[Node] = [
        Told_("nation", nation, shown=False),
        Told_("mean_eliminated", sum((one.eliminated * c for one, c in lost.items()), Fraction(0)), "Strikes lost, on average"),
        Told_("mean_refit", sum((one.refit * c for one, c in lost.items()), Fraction(0)), "Strikes to refit, on average"),
        Table("losses", [Column("eliminated", "lost"), Column("refit", "to refit"), Column("chance", "chance")], rows),
        Told_("freed", freed, "Nobody is against it: TAC that may fly ground attacks instead", "19.3", shown=bool(freed)),
    ]  # fmt: skip
    return Section(nodes, name)


def _limited(game: Game, turn: int, tac: int) -> None:
    """6.3 (2): on turn 1 only some of the Israeli TAC fly."""
    for effect in all_effects(game, "strikes_limited", turn):
        if tac > int(effect.value):
            raise Refusal(f"on turn {turn} no more than {effect.value} Israeli TAC fly", "6.3")
