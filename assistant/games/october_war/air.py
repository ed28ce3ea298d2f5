"""Air missions of October War, solved exactly: superiority, strategic and ground attacks, reconnaissance (18.0 to 20.0, 26.3, 27.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, lcm
from typing import NamedTuple

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
from assistant.attack import Fields, Value, odds, unit_fields
from assistant.chances import gather
from assistant.games.october_war.field import asked_sites
from assistant.games.october_war.questions import (
    ENEMY,
    POINT,
    asked_point,
    declared,
    fought_in,
    start_field,
    told_field,
)
from assistant.games.october_war.stacking import AIR_GROUP, FREED, counters, limit
from assistant.odds import meanings
from assistant.questions import ON_A_MAP, TURN, Input, Question, Told, whole
from assistant.sourced import ours
from assistant.specials import all_effects
from scenarios.game import Game

# --- superiority: both fires, and what is left of both sides (19.1 to 19.4) -------------------------------------------


class Wing(NamedTuple):
    """Strikes of one side: tactical air, Wild Weasels, missiles."""

    tac: int = 0
    weasels: int = 0
    ssm: int = 0
    others: int = 0
    """TAC on other missions or ready, hit when no strike that flew is left (19.4)."""

    def less(self, count: int) -> Wing:
        """The wing with so many strikes gone: TAC, Wild Weasels, the others (19.4); missiles are never hit (18.9)."""
        tac = min(self.tac, count)
        weasels = min(self.weasels, count - tac)
        others = min(self.others, count - tac - weasels)
        return Wing(self.tac - tac, self.weasels - weasels, self.ssm, self.others - others)

    @property
    def flying(self) -> int:
        return self.tac + self.weasels

    @property
    def within_reach(self) -> int:
        """Strikes that air superiority can hit."""
        return self.flying + self.others


class Losses(NamedTuple):
    """Strikes sent to refit, and strikes eliminated."""

    refit: int = 0
    eliminated: int = 0


class Duel(NamedTuple):
    """What is left of both sides after air superiority, and their losses."""

    left: tuple[Wing, Wing]
    losses: tuple[Losses, Losses]


def asked_wing(game: Game, told: Told, side: str) -> Wing:
    """The strikes that are told, no more than the counters."""
    kinds = (("tac", "tac"), ("weasels", "wild_weasel"), ("ssm", "ssm"))
    return Wing(*(whole(told, key, 0, 0, counters(game, side, kind)) for key, kind in kinds))


@dataclass(frozen=True)
class Superiority:
    """Air superiority in a theater, solved."""

    first: int | None
    """Which of the two sides fires first; None where they fire together."""
    duels: Mapping[Duel, Fraction]
    freed: tuple[int, int]
    """TAC that may fly ground attacks instead, where nobody came up against them (19.3 (7))."""

    def holder(self) -> dict[int | None, Fraction]:
        """Who has more left of what flew (the ruling on air superiority); None for equals."""

        def more(duel: Duel) -> int | None:
            a, b = (wing.flying for wing in duel.left)
            return None if a == b else 0 if a > b else 1

        return gather(self.duels, more)

    def lost(self, side: int) -> dict[Losses, Fraction]:
        """The chances of a side's losses."""
        return dict(sorted(gather(self.duels, lambda duel: duel.losses[side]).items()))


def superiority(game: Game, nations: tuple[str, str], wings: tuple[Wing, Wing], ew: bool = False) -> Superiority:
    """Both sides' fire (19.3, 19.4): who has more TAC fires first, equals together. `ew`: an Israeli marker is added.

    A side with nobody against it fires too, at strikes on other missions and on the ground (19.1).
    """
    for wing in wings:
        if wing.ssm or min(wing) < 0:
            raise BadQuestion("missiles don't fly air superiority (18.9), and nobody has fewer than no strikes")
    first = None if wings[0].tac == wings[1].tac else 0 if wings[0].tac > wings[1].tac else 1
    states = {Duel(wings, (Losses(), Losses())): Fraction(1)}
    for side in (first, 1 - first) if first is not None else (0, 1):
        after: dict[Duel, Fraction] = {}
        fires: dict[Wing, dict[Losses, Fraction]] = {}
        for duel, chance in states.items():
            shooters = (wings if first is None else duel.left)[side]
            if not shooters.flying or not duel.left[1 - side].within_reach:
                after[duel] = after.get(duel, Fraction(0)) + chance
                continue
            if shooters not in fires:
                fires[shooters] = _fire(game, nations[side], shooters, ew and nations[side] == "israel")
            for hit, share in fires[shooters].items():
                hurt = _hurt(duel, 1 - side, hit)
                after[hurt] = after.get(hurt, Fraction(0)) + chance * share
        states = after
    freed = tuple(
        ceil(wing.tac * limit(game, FREED, game.nations[nation].side)) if not enemy.flying else 0
        for nation, wing, enemy in zip(nations, wings, wings[::-1], strict=True)
    )
    return Superiority(first, states, (freed[0], freed[1]))


def _hurt(duel: Duel, side: int, hit: Losses) -> Duel:
    wing, had = duel.left[side], duel.losses[side]
    eliminated = min(hit.eliminated, wing.within_reach)
    refit = min(hit.refit, wing.within_reach - eliminated)
    left, losses = list(duel.left), list(duel.losses)
    left[side] = wing.less(eliminated + refit)
    losses[side] = Losses(had.refit + refit, had.eliminated + eliminated)
    return Duel((left[0], left[1]), (losses[0], losses[1]))


def _fire(game: Game, nation: str, wing: Wing, ew: bool) -> dict[Losses, Fraction]:
    """The losses that a wing inflicts: one throw for each ten points and the rest; an EW marker shifts them all."""
    result = {Losses(): Fraction(1)}
    for group in _groups(game, nation, wing):
        chances = odds(game, "air_superiority", {"firing": group}, {"ew": ew}).chances
        after: dict[Losses, Fraction] = {}
        for losses, chance in result.items():
            for code, share in chances.items():
                refit, eliminated = _superiority(game, code)
                hit = Losses(losses.refit + refit, losses.eliminated + eliminated)
                after[hit] = after.get(hit, Fraction(0)) + chance * share
        result = after
    return result


def _superiority(game: Game, code: str) -> tuple[int, int]:
    words = game.tables["air"].results[code].effects.get("superiority", "").split()
    if not words:
        return 0, 0
    return (int(words[0]), 0) if words[1] == "refit" else (0, int(words[0]))


def _groups(game: Game, nation: str, wing: Wing) -> list[list[Fields]]:
    """A wing in groups of at most so many points for each throw, as full as they can be (19.3)."""
    most = limit(game, AIR_GROUP, game.nations[nation].side)
    strikes = strikes_of(game, nation, wing)
    groups: list[list[Fields]] = []
    room = Fraction(0)
    for strike in sorted(strikes, key=_points, reverse=True):
        if _points(strike) > room:
            groups.append([])
            room = most
        groups[-1].append(strike)
        room -= _points(strike)
    return groups


def _points(strike: Fields) -> Fraction:
    value = strike["strength"]
    assert isinstance(value, Fraction | int)
    return Fraction(value)


def strikes_of(game: Game, nation: str, wing: Wing) -> list[Fields]:
    """The strikes of a wing, as expressions see them."""
    result: list[Fields] = []
    for kind, count in (("tac", wing.tac), ("wild_weasel", wing.weasels), ("ssm", wing.ssm)):
        if count:
            found = next((u for u in game.units.values() if u.nation == nation and u.type == kind), None)
            if found is None:
                raise BadQuestion(f"{nation} has no strikes of the kind {kind}")
            result += [unit_fields(game, found)] * count
    return result


# --- attacks through air defense (19.5 to 20.11) ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Mission:
    """A strategic or ground attack, solved: what gets through and what it does."""

    through: Mapping[tuple[Wing, Losses], Fraction]
    codes: Mapping[str, Fraction]
    points: Mapping[int, Fraction]
    """Strategic: how far the enemy's casualties rise. Ground: how many losses the force takes."""


def mission(
    game: Game, kind: str, nation: str, wing: Wing, sites: int = 0, ew: bool = False,
    inputs: Mapping[str, Value] | None = None, *, sites_here: int = 0,
) -> Mission:  # fmt: skip
    """An air attack of the declared kind `strategic_attack` or `air_ground_attack` after air defense fire.

    Strategic attacks are fired at once in a theater (20.7), ground attacks by `sites` SAM units (20.8); beside Wild
    Weasels only by those in the point, `sites_here` (20.11). An EW marker (Israelis only) and Wild Weasels ignore ELIM
    (20.11, 26.3).
    """
    if kind not in ("strategic_attack", "air_ground_attack"):
        raise BadQuestion(f"{kind!r} is no air attack; ask strategic_attack or air_ground_attack")
    strategic = kind == "strategic_attack"
    shots = int(wing.flying > 0) if strategic else sites_here if wing.weasels else sites
    through = shot_at(game, "strategic_attack" if strategic else "ground_attack", wing, shots, ew)
    codes: dict[str, Fraction] = {}
    for left, chance in gather(through, lambda held: held[0]).items():
        strikes = strikes_of(game, nation, left)
        told = {**(inputs or {}), "ew": ew}
        answer = odds(game, kind, {"firing": strikes}, told) if strikes else None
        if answer is not None and answer.failures and left == wing:
            raise BadQuestion("; ".join(answer.failures))
        none = left.tac + left.ssm == 0 and not (inputs or {}).get("at_air_defense")
        for code, share in {"-": Fraction(1)}.items() if answer is None or none else answer.chances.items():
            codes[code] = codes.get(code, Fraction(0)) + chance * share
    points = gather(codes, lambda code: _worth(game, code, strategic))
    return Mission(through, codes, dict(sorted(points.items())))


def shot_at(game: Game, target: str, wing: Wing, shots: int, ew: bool) -> dict[tuple[Wing, Losses], Fraction]:
    """What is left of a wing after so many throws of air defense against a mission (20.9), and what is lost."""
    through = {(wing, Losses()): 1}
    defense = _defense(game, target)
    of = lcm(*(chance.denominator for chance in defense.values()))
    for _ in range(shots):
        after: dict[tuple[Wing, Losses], int] = {}
        for (left, lost), ways in through.items():
            for (eliminate, refit), share in defense.items():
                state = _shot_down(left, lost, eliminate * (not ew), refit)
                after[state] = after.get(state, 0) + ways * share.numerator * (of // share.denominator)
        through = after
    return {state: Fraction(ways, of**shots) for state, ways in through.items()}


def suppressed(game: Game, weasels: int, sites_here: int, inputs: Mapping[str, Value]) -> dict[int, Fraction]:
    """How many SAM units of a point are left to fire after Wild Weasels have struck them first (20.11 (3)).

    They are not fired at. Where all would have to retreat their owner takes the loss instead: the others still fire.
    """
    told = {**inputs, "at_air_defense": True, "umbrella_over": True}
    answer = odds(game, "air_ground_attack", {"firing": strikes_of(game, "israel", Wing(0, weasels))}, told)
    if answer.failures:
        raise BadQuestion("; ".join(answer.failures))
    results = game.tables["air"].results

    def left(code: str) -> int:
        effect = results[code].effects.get("ground", "0")
        return max(0, sites_here - (int(effect) if effect.isdecimal() else 1))

    return gather(answer.chances, left)


def mixed(parts: Mapping[Mission, Fraction]) -> Mission:
    """A mission that is flown in one of several ways, each with its chance."""
    through: dict[tuple[Wing, Losses], Fraction] = {}
    codes: dict[str, Fraction] = {}
    points: dict[int, Fraction] = {}
    for part, chance in parts.items():
        for held, share in part.through.items():
            through[held] = through.get(held, Fraction(0)) + chance * share
        for code, share in part.codes.items():
            codes[code] = codes.get(code, Fraction(0)) + chance * share
        for count, share in part.points.items():
            points[count] = points.get(count, Fraction(0)) + chance * share
    return Mission(through, codes, dict(sorted(points.items())))


def _defense(game: Game, target: str) -> dict[tuple[int, int], Fraction]:
    """The chances of (eliminated, to refit) of one air defense throw (20.9)."""
    site = next(u for u in game.units.values() if u.type == "static_sam")
    firing = [] if target == "strategic_attack" else [unit_fields(game, site)]
    chances = odds(game, "air_defense", {"firing": firing}, {"mission": target}).chances
    results = game.tables["air_defense"].results

    def toll(code: str) -> tuple[int, int]:
        effects = results[code].effects
        return int(effects.get("eliminate", "0")), int(effects.get("refit", "0"))

    return gather(chances, toll)


def _shot_down(wing: Wing, lost: Losses, eliminate: int, refit: int) -> tuple[Wing, Losses]:
    """Air defense results on a wing: ELIM hits TAC only (20.11), AR any strike, TAC first."""
    eliminated = min(eliminate, wing.tac)
    wing = wing.less(eliminated)
    back = min(refit, wing.flying)
    return wing.less(back), Losses(lost.refit + back, lost.eliminated + eliminated)


def _worth(game: Game, code: str, strategic: bool) -> int:
    effects = game.tables["air"].results[code].effects
    value = effects.get("strategic" if strategic else "ground", "0")
    return int(value) if value.isdecimal() else 0


# --- the question -----------------------------------------------------------------------------------------------------


MISSIONS = ("superiority", "strategic", "ground", "recon")
GROUND_ATTACK, STRATEGIC = "2", "3"
"""The columns of the air defense table."""
OF_THE_STRIKE = ("terrain", "overstacked", "at_air_defense", "breached")
SECOND = Fraction(2)
"""The turn, where none is told: the first has rules of its own."""


def _air(game: Game, told: Told) -> Answer:
    kind = told["mission"]
    if kind == "superiority":
        return _fought_over(game, told)
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
    field = told_field(game, {key: value for key, value in told.items() if key != "turn"})
    point = asked_point(game, field, told)
    many, inner = asked_sites(game, field, point, ENEMY[side], told)
    if kind == "recon":
        return _recon(game, wing, inner if wing.weasels else many, ew)
    inputs = declared(game, "air_ground_attack", told, OF_THE_STRIKE)
    if point and "terrain" not in inputs:
        inputs["terrain"] = fought_in(field or start_field(game), point)
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
        *(shared for shared in ON_A_MAP if shared is not TURN),
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


def _fought_over(game: Game, told: Told) -> Answer:
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
        {"eliminated": losses.eliminated, "refit": losses.refit, "chance": Chance(chance)} for losses, chance in lost.items()
    ]
    nodes: list[Node] = [
        Told_("nation", nation, shown=False),
        Told_("mean_eliminated", sum((losses.eliminated * c for losses, c in lost.items()), Fraction(0)), "Strikes lost, on average"),
        Told_("mean_refit", sum((losses.refit * c for losses, c in lost.items()), Fraction(0)), "Strikes to refit, on average"),
        Table("losses", [Column("eliminated", "lost"), Column("refit", "to refit"), Column("chance", "chance")], rows),
        Told_("freed", freed, "Nobody is against it: TAC that may fly ground attacks instead", "19.3", shown=bool(freed)),
    ]  # fmt: skip
    return Section(nodes, name)


def _limited(game: Game, turn: int, tac: int) -> None:
    """6.3 (2): on turn 1 only some of the Israeli TAC fly."""
    for effect in all_effects(game, "strikes_limited", turn):
        if tac > int(effect.value):
            raise Refusal(f"on turn {turn} no more than {effect.value} Israeli TAC fly", "6.3")
