"""Air missions of October War, solved exactly: superiority, strategic and ground attacks, reconnaissance (18.0 to 20.0, 26.3, 27.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil, lcm
from typing import NamedTuple

from assistant.assumptions import assume_inputs, turn_or, without_notes
from assistant.attack import AttackValue, Fields, odds, refusal, unit_fields
from assistant.attack_nodes import meanings
from assistant.chances import chain, gather, mean
from assistant.engine.question_field import on_a_map
from assistant.games.october_war.forces import asked_sites, counters, limit
from assistant.games.october_war.questions import ENEMY, POINT, asked_ground, declared
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    Node,
    Refusal,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Unofficial,
    chances_of,
)
from assistant.questions.answer import Value as Told_
from assistant.questions.question import ON_ANY_MAP, TURN, Input, Inputs, Question, read_integer
from assistant.special_rules import all_effects
from assistant.unofficial import unofficial_addresses
from scenarios.model.game import Game

STRIKES = {"tac": "tac", "weasels": "wild_weasel", "ssm": "ssm"}
"""The kinds of strike by their names in questions."""
GROUP, FREED = "air points of one throw for superiority", "TAC that may turn to ground attack if unopposed"
SECOND = Fraction(2)
"""The turn, where none is told: the first has rules of its own."""


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

    def strikes(self, game: Game, nation: str) -> list[Fields]:
        """Its strikes as expressions see them."""
        result: list[Fields] = []
        for key, kind in STRIKES.items():
            if getattr(self, key):
                found = next((u for u in game.units.values() if u.nation == nation and u.type == kind), None)
                if found is None:
                    raise BadQuestion(f"{nation} has no strikes of the kind {kind}")
                result += [unit_fields(game, found)] * getattr(self, key)
        return result


class Losses(NamedTuple):
    """Strikes sent to refit, and strikes eliminated."""

    refit: int = 0
    eliminated: int = 0

    def more(self, refit: int, eliminated: int) -> Losses:
        return Losses(self.refit + refit, self.eliminated + eliminated)


def asked_wing(game: Game, told: Inputs, side: str) -> Wing:
    """The strikes that are told, no more than the counters."""
    return Wing(*(read_integer(told, key, 0, 0, counters(game, side, kind)) for key, kind in STRIKES.items()))


# --- superiority: both fires, and what is left of both sides (19.1 to 19.4) -------------------------------------------


class Duel(NamedTuple):
    """What is left of both sides after air superiority, and their losses."""

    left: tuple[Wing, Wing]
    losses: tuple[Losses, Losses] = (Losses(), Losses())

    def hit(self, side: int, hit: Losses) -> Duel:
        """After losses of a side; strikes that are eliminated come first."""
        wing, (refit, eliminated) = self.left[side], hit
        eliminated = min(eliminated, wing.flying + wing.others)
        refit = min(refit, wing.flying + wing.others - eliminated)
        left, losses = list(self.left), list(self.losses)
        left[side], losses[side] = wing.less(eliminated + refit), losses[side].more(refit, eliminated)
        return Duel((left[0], left[1]), (losses[0], losses[1]))


def _duels(
    game: Game, nations: tuple[str, str], wings: tuple[Wing, Wing], first: int | None, ew: bool
) -> dict[Duel, Fraction]:
    """Both sides' fire (19.3, 19.4): equals fire together. `ew`: an Israeli marker is added. A side with nobody against it fires too,
    at strikes on other missions and on the ground (19.1)."""
    states = {Duel(wings): Fraction(1)}
    for side in (first, 1 - first) if first is not None else (0, 1):
        fires: dict[Wing, dict[Losses, Fraction]] = {}

        def fired(
            duel: Duel, side: int = side, fires: dict[Wing, dict[Losses, Fraction]] = fires
        ) -> dict[Duel, Fraction]:
            shooters, enemy = (wings if first is None else duel.left)[side], duel.left[1 - side]
            if not shooters.flying or not enemy.flying + enemy.others:
                return {duel: Fraction(1)}
            if shooters not in fires:
                fires[shooters] = _fire(game, nations[side], shooters, ew and nations[side] == "israel")
            return gather(fires[shooters], lambda hit: duel.hit(1 - side, hit))

        states = chain(states, fired)
    return states


def _fire(game: Game, nation: str, wing: Wing, ew: bool) -> dict[Losses, Fraction]:
    """The losses that a wing inflicts: one throw for each ten points and the rest, in groups as full as they can be; an EW marker shifts
    them all (19.3)."""
    most = limit(game, GROUP, game.nations[nation].side)
    groups: list[list[Fields]] = []
    room = Fraction(0)
    for strike in sorted(wing.strikes(game, nation), key=_points, reverse=True):
        if _points(strike) > room:
            groups.append([])
            room = most
        groups[-1].append(strike)
        room -= _points(strike)

    def hits(code: str) -> Losses:
        count, what = (game.tables["air"].results[code].effects.get("superiority") or "0 refit").split()
        return Losses(int(count)) if what == "refit" else Losses(0, int(count))

    result = {Losses(): Fraction(1)}
    for group in groups:
        thrown = gather(odds(game, "air_superiority", {"firing": group}, {"ew": ew}).chances, hits)
        result = chain(result, lambda losses: {losses.more(*hit): share for hit, share in thrown.items()})  # noqa: B023
    return result


def _points(strike: Fields) -> Fraction:
    return Fraction(str(strike["strength"]))


def _superiority(game: Game, told: Inputs) -> Answer:
    """Who has more TAC fires first; who has more left of what flew holds the sky (the ruling on air superiority)."""
    if "egypt" in told and "syria" in told:
        raise BadQuestion("each theater has its own air superiority (19.1): tell egypt=NUMBER or syria=NUMBER")
    arab = "syria" if "syria" in told else "egypt"
    nations = ("israel", arab)

    def count(side: str, kind: str, key: str) -> int:
        return read_integer(told, key, 0, 0, counters(game, side, kind))

    weasels = count("israeli", "wild_weasel", "weasels")
    own = Wing(count("israeli", "tac", "israel"), weasels, 0, count("israeli", "tac", "israel_others"))
    enemy = Wing(count("arab", "tac", arab), 0, 0, count("arab", "tac", "arab_others"))
    if not own.flying and not enemy.flying:
        raise BadQuestion(f"say who flies: israel=NUMBER {arab}=NUMBER")
    turn = turn_or(told, int(SECOND))
    for effect in all_effects(game, "strikes_limited", turn):  # 6.3 (2)
        if own.tac > int(effect.value):
            raise Refusal(f"on turn {turn} no more than {effect.value} Israeli TAC fly", "6.3")
    first = None if own.tac == enemy.tac else int(enemy.tac > own.tac)
    duels = _duels(game, nations, (own, enemy), first, bool(told.get("ew")))

    def holder(duel: Duel) -> str:
        a, b = (wing.flying for wing in duel.left)
        return "nobody" if a == b else nations[b > a]

    names = {nation: game.nations[nation].name for nation in nations}
    sections = []
    for side, (nation, wing, other) in enumerate(((nations[0], own, enemy), (nations[1], enemy, own))):
        # 19.3 (7): TAC that may fly ground attacks instead, where nobody came up against them.
        freed = 0 if other.flying else ceil(wing.tac * limit(game, FREED, game.nations[nation].side))
        sections.append(_side(gather(duels, lambda duel: duel.losses[side]), freed, nation, names[nation]))  # noqa: B023
    return Answer(
        "air",
        game.id,
        [
            Told_("mission", "superiority", for_people=False),
            Told_("first", None if first is None else nations[first], for_people=False),
            Sentence("both fire together" if first is None else f"{names[nations[first]]} fires first", "19.3"),
            Sections("nations", sections),
            Chances(
                "holder",
                dict(sorted(gather(duels, holder).items(), key=lambda item: -item[1])),
                "More strikes left",
                names,
            ),
        ],
    )


def _side(lost: Mapping[Losses, Fraction], freed: int, nation: str, name: str) -> Section:
    rows: list[dict[str, Cell]] = [
        {"eliminated": losses.eliminated, "refit": losses.refit, "chance": Chance(chance)}
        for losses, chance in sorted(lost.items())
    ]
    nodes: list[Node] = [
        Told_("nation", nation, for_people=False),
        Told_("mean_eliminated", mean(lost, lambda losses: losses.eliminated), "Strikes lost, on average"),
        Told_("mean_refit", mean(lost, lambda losses: losses.refit), "Strikes to refit, on average"),
        RowTable(
            "losses",
            [TableColumn("eliminated", "lost"), TableColumn("refit", "to refit"), TableColumn("chance", "chance")],
            rows,
        ),
        Told_(
            "freed",
            freed,
            "Nobody is against it: TAC that may fly ground attacks instead",
            "19.3",
            for_people=bool(freed),
        ),
    ]
    return Section(nodes, name)


# --- attacks through air defense (19.5 to 20.11) ----------------------------------------------------------------------


class Flight(NamedTuple):
    """What gets through air defense, what is lost to it, and the result on the air table."""

    left: Wing
    losses: Losses
    code: str


def flown(
    game: Game,
    kind: str,
    nation: str,
    wing: Wing,
    sites: tuple[int, int] = (0, 0),
    ew: bool = False,
    inputs: Mapping[str, AttackValue] | None = None,
) -> dict[Flight, Fraction]:
    """An air attack of the declared kind `strategic_attack` or `air_ground_attack` after air defense fire.

    Strategic attacks are fired at once in a theater (20.7), ground attacks by the SAM units that reach the point (20.8); beside Wild
    Weasels only by those in it, the second of `sites` (20.11).
    """
    strategic, told = kind == "strategic_attack", {**(inputs or {}), "ew": ew}
    shots = int(wing.flying > 0) if strategic else sites[bool(wing.weasels)]
    fired: dict[Wing, Mapping[str, Fraction]] = {}

    def strike(through: tuple[Wing, Losses]) -> dict[Flight, Fraction]:
        left, losses = through
        if left not in fired:
            strikes = left.strikes(game, nation)
            answer = odds(game, kind, {"firing": strikes}, told) if strikes else None
            if answer is not None and answer.failures and left == wing:
                raise BadQuestion("; ".join(dict.fromkeys(answer.failures)))
            none = left.tac + left.ssm == 0 and not told.get("at_air_defense")
            fired[left] = {"-": Fraction(1)} if answer is None or none else answer.chances
        return {Flight(left, losses, code): share for code, share in fired[left].items()}

    return chain(shot_at(game, kind.removeprefix("air_"), wing, shots, ew), strike)


def shot_at(game: Game, target: str, wing: Wing, shots: int, ew: bool) -> dict[tuple[Wing, Losses], Fraction]:
    """What is left of a wing after so many throws of air defense against a mission (20.9), and what is lost. ELIM hits TAC only, AR any
    strike, TAC first (20.11); an EW marker ignores ELIM (26.3)."""
    site = next(u for u in game.units.values() if u.type == "static_sam")
    firing = [] if target == "strategic_attack" else [unit_fields(game, site)]
    fire = odds(game, "air_defense", {"firing": firing}, {"mission": target}).chances
    of, results = lcm(*(chance.denominator for chance in fire.values())), game.tables["air_defense"].results
    through = {(wing, Losses()): 1}
    for _ in range(shots):
        after: dict[tuple[Wing, Losses], int] = {}
        for (left, lost), ways in through.items():
            for code, share in fire.items():
                effects = results[code].effects
                eliminated = min(int(effects.get("eliminate", "0")) * (not ew), left.tac)
                refit = min(int(effects.get("refit", "0")), left.flying - eliminated)
                state = left.less(eliminated + refit), lost.more(refit, eliminated)
                after[state] = after.get(state, 0) + ways * int(share * of)
        through = after
    return {state: Fraction(ways, of**shots) for state, ways in through.items()}


def _suppressed(game: Game, weasels: int, sites_here: int, inputs: Mapping[str, AttackValue]) -> dict[int, Fraction]:
    """How many SAM units of a point are left to fire after Wild Weasels have struck them first (20.11 (3)).

    They are not fired at. Where all would have to retreat their owner takes the loss instead: the others still fire.
    """
    told = {**inputs, "at_air_defense": True, "umbrella_over": True}
    answer = odds(game, "air_ground_attack", {"firing": Wing(0, weasels).strikes(game, "israel")}, told)
    if answer.failures:
        raise BadQuestion("; ".join(answer.failures))
    results = game.tables["air"].results

    def left(code: str) -> int:
        effect = results[code].effects.get("ground", "0")
        return max(0, sites_here - (int(effect) if effect.isdecimal() else 1))

    return gather(answer.chances, left)


# --- the question -----------------------------------------------------------------------------------------------------


MISSIONS = ("superiority", "strategic", "ground", "recon")
OF_THE_STRIKE = ("terrain", "overstacked", "at_air_defense", "breached")


def _air(game: Game, told: Inputs) -> Answer:
    kind, nation, ew = told["mission"], told["nation"], bool(told.get("ew"))
    if kind == "superiority":
        return _superiority(game, told)
    side = game.nations[nation].side
    wing = asked_wing(game, told, side)
    if not any(wing):
        raise BadQuestion("say how many strikes fly: tac=NUMBER, weasels=NUMBER or ssm=NUMBER")
    if ew and nation != "israel":
        raise Refusal("only Israelis add EW markers to air missions", "26.3")
    if kind == "strategic":
        return _told(game, kind, nation, wing, flown(game, "strategic_attack", nation, wing, ew=ew), "3")
    field, point = asked_ground(game, without_notes(told, "turn"))
    many, inner = asked_sites(game, field, point, ENEMY[side], told)
    inputs = declared(game, "air_ground_attack", told, OF_THE_STRIKE, field, point)
    strikes = wing.strikes(game, nation)
    if barred := [one for one in odds(game, "air_ground_attack", {"firing": strikes}, inputs).violations if one.group]:
        raise refusal(barred)
    if kind == "recon":
        return _recon(game, wing, inner if wing.weasels else many, ew)
    assume_inputs(told, game.attacks["air_ground_attack"].inputs, inputs)
    sead = read_integer(told, "sead", 0, 0, counters(game, "israeli", "wild_weasel"))
    aimed = inputs.get("at_air_defense") is True or sead
    turn = turn_or(told, int(SECOND)) if aimed else int(SECOND)
    if aimed and any(effect.side == side for effect in all_effects(game, "no_aimed_loss", turn)):  # 6.3 (3)
        raise Refusal(f"on turn {turn} air defense units can't be aimed at", "6.3")
    if sead and (nation != "israel" or not inner):
        raise BadQuestion(
            "Wild Weasels strike SAM units in the point first (20.11): say nation=israel, sites_here=NUMBER"
        )
    ground = {key: inputs[key] for key in ("terrain",) if key in inputs}

    def through(left: int) -> dict[Flight, Fraction]:
        over = many - inner + left
        return flown(game, "air_ground_attack", nation, wing, (over, left), ew, {**inputs, "umbrella_over": over > 0})

    found = chain(_suppressed(game, sead, inner, ground) if sead else {inner: Fraction(1)}, through)
    return _told(game, kind, nation, wing, found, "2" if many else "")


def _told(game: Game, kind: str, nation: str, wing: Wing, found: Mapping[Flight, Fraction], line: str) -> Answer:
    """What gets through and what it does: how far the enemy's casualties rise, or how many losses the force takes; and what isn't the
    rulebook's, of the strikes' strengths and of the `line` of the air defense table."""
    through = gather(found, lambda flight: (flight.left, flight.losses))
    codes, results = gather(found, lambda flight: flight.code), game.tables["air"].results

    def worth(code: str) -> int:
        value = results[code].effects.get(kind, "0")
        return int(value) if value.isdecimal() else 0

    rows: list[dict[str, Cell]] = [
        {"tac": left.tac, "weasels": left.weasels, "ssm": left.ssm, **losses._asdict(), "chance": Chance(chance)}
        for (left, losses), chance in sorted(through.items(), reverse=True)
    ]
    heads = {
        "tac": "TAC through",
        "weasels": "Wild Weasels",
        "ssm": "SSM",
        "eliminated": "lost",
        "refit": "to refit",
        "chance": "chance",
    }
    own = mean(found, lambda flight: flight.losses.eliminated)
    kinds = [strike for key, strike in STRIKES.items() if getattr(wing, key)]
    units = [unit for unit in game.units.values() if unit.nation == nation and unit.type in kinds]
    cells = [("air_defense", row, line) for row in game.tables["air_defense"].cells] if line else []
    return Answer(
        "air",
        game.id,
        [
            Told_("mission", kind, for_people=False),
            RowTable("through", [TableColumn(key, head) for key, head in heads.items()], rows),
            Told_(
                "mean_casualty_points",
                own,
                "Own casualty points for strikes lost, on average",
                "7.4",
                for_people=bool(own),
            ),
            Chances("codes", codes, "Results", meanings(game.tables["air"])),
            chances_of(
                "points",
                dict(sorted(gather(codes, worth).items())),
                "The enemy's casualties rise by" if kind == "strategic" else "Losses of the force",
            ),
            Unofficial(unofficial_addresses(game, ((unit, "strength") for unit in units), cells=cells)),
        ],
    )


def _recon(game: Game, wing: Wing, shots: int, ew: bool) -> Answer:
    """27.1: the enemy is seen if an air unit comes through the fire of the SAM units in reach."""
    through = shot_at(game, "recon", wing, shots, ew)
    return Answer(
        "air",
        game.id,
        [
            Told_("mission", "recon", for_people=False),
            Told_("seen", Chance(mean(through, lambda held: held[0].flying > 0)), "The point is seen", "27.1"),
            Told_("mean_refit", mean(through, lambda held: held[1].refit), "Strikes to refit, on average"),
        ],
    )


AIR = Question(
    name="air",
    on_map=on_a_map,
    about="one air mission: what gets through, what it does (18.0 to 20.0)",
    answer=_air,
    positional=("mission",),
    inputs=(
        Input(name="mission", about="what is flown", kind="choice", choices=MISSIONS, required=True),
        Input(name="israel", about="superiority: Israeli TAC that fly it", kind="number"),
        Input(
            name="weasels",
            about="superiority: Israeli Wild Weasels; other missions: those that fly with it",
            kind="number",
        ),
        Input(name="egypt", about="superiority: Egyptian TAC against them", kind="number"),
        Input(name="syria", about="superiority: or Syrian TAC", kind="number"),
        Input(
            name="israel_others", about="superiority: Israeli TAC on other missions or ready, hit last", kind="number"
        ),
        Input(name="arab_others", about="superiority: Arab TAC on other missions or ready, hit last", kind="number"),
        replace(TURN, about="the turn; on turn 1 few Israelis fly, and none aims at air defense"),
        Input(
            name="nation",
            about="other missions: whose strikes fly",
            kind="choice",
            vocabulary="nation",
            default="israel",
            assumed=True,
            condition=("mission", tuple(mission for mission in MISSIONS if mission != "superiority")),
        ),
        Input(name="tac", about="other missions: TAC strikes", kind="number"),
        Input(name="ssm", about="other missions: missile strikes", kind="number"),
        Input(name="ew", about="an Israeli EW marker flies with them", kind="flag"),
        Input(name="sites", about="ground, recon: enemy SAM units that reach the point", kind="number"),
        Input(name="sites_here", about="ground, recon: of these, in the point itself", kind="number"),
        Input(name="sead", about="ground: Wild Weasels that strike the SAM units of the point first", kind="number"),
        replace(POINT, about="ground, recon: the point; with a position it tells the terrain and the SAM units"),
        Input(name="terrain", about="ground: the kind of point, if none is named", kind="choice", vocabulary="terrain"),
        Input(name="overstacked", about="ground: the enemy is over the stacking limit", kind="flag"),
        Input(name="at_air_defense", about="ground: the strike is on air defense units", kind="flag"),
        Input(name="breached", about="ground: a breach marker lies on the fort", kind="flag"),
        *(shared for shared in ON_ANY_MAP if shared is not TURN),
    ),
)
