"""A battle: who fires at whom, on which ground, and what is worked out of that for the pack's attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from assistant.attacks import BadQuestion, Value, unit_fields
from assistant.games.arab_israeli_wars.ground import Ground
from scenarios.attacks import Attack
from scenarios.game import Game
from scenarios.hexes import Hex, distance
from scenarios.reading.findings import instead

MINES = ("mine_1_1", "mine_2_1", "mine_3_1")
SEEN_FIRST = ("direct_fire", "opportunity_fire")
"""Attacks that need a line of sight from every firer (Basic VIII.B.1, Standard II.E.2.c)."""
NEXT_TO = {"close_assault": "Standard II.C.1.b", "overrun": "Standard II.D.2.b"}
"""Attacks on a neighbouring hex only, and the rule that says so."""
WRITTEN = ("indirect_fire", "interdiction")
"""Attacks that are written down a turn ahead (Standard II.A.1, Advanced III.A)."""
OTHER_NAMES = MappingProxyType({"anti_aircraft": "direct_fire", "neutralization": "indirect_fire"})


@dataclass(frozen=True)
class Fighter:
    """A unit in a battle (or a minefield, a bridge, an air strike, a battery off the board)."""

    unit: str
    name: str
    side: str = ""
    nation: str = ""
    at: Hex | None = None
    states: frozenset[str] = frozenset()
    told: Mapping[str, Value] = field(default_factory=dict)
    copy: str = ""
    weapon: str = ""
    """For what has no counter: its weapon type."""
    aim: str = ""
    """For destructive fire: the unit it is written for (Advanced III.C.1)."""
    bar: tuple[str, str] | None = None
    """Why it can't take part, and the rule, where that is known beforehand."""
    carrier: Fighter | None = None
    """For a passenger: who carries it (Basic V.B.5, Advanced II.A.2)."""

    def called(self, word: str) -> bool:
        """Whether a word of the player means this one: its id, or its id and number as in t_62#6421."""
        unit, _, copy = word.partition("#")
        return unit == self.unit and copy in ("", self.copy)


class Look(NamedTuple):
    """What one fighter sees of another."""

    clear: bool
    why: str = ""
    """What blocks, where the line isn't clear."""
    hull_down: bool = False
    by: str = ""
    """The hexside that shields."""


Looks = Callable[[Ground, Fighter, Fighter], Look]


@dataclass(frozen=True)
class Battle:
    """An attack as it is asked about."""

    game: Game
    attack: str
    firers: tuple[Fighter, ...]
    targets: tuple[Fighter, ...]
    ground: Ground | None = None
    told: Mapping[str, Value] = field(default_factory=dict)
    """What the player says of the battle; it goes before what is worked out."""
    everyone: tuple[Fighter, ...] = ()
    """Every unit on the map, for spotting."""
    overrun: Hex | None = None
    """In opportunity fire at units that are just overrunning: the hex they overrun."""
    target_hex: Hex | None = None
    """For indirect fire: the hex written down, where it isn't the targets'."""
    seen: bool | None = None
    """For indirect fire: whether a friend sees that hex; worked out where nobody says."""
    rulings: Mapping[str, str] = field(default_factory=dict)
    """The readings chosen for this question, where no ground has them."""

    @property
    def kind(self) -> str:
        """The pack's attack."""
        return OTHER_NAMES.get(self.attack, self.attack)

    @property
    def shape(self) -> Attack:
        """The pack's declaration; BadQuestion if there is none."""
        if self.kind not in self.game.attacks:
            known = [*self.game.attacks, *OTHER_NAMES]
            raise BadQuestion(f"{self.game.id} has no attack {self.attack!r}; {instead(self.attack, known)}")
        return self.game.attacks[self.kind]

    @cached_property
    def at(self) -> Hex | None:
        """The hex attacked. All defenders are in one (Basic VI.C.4), but for interdiction, which has a hex of its own."""
        if self.kind == "interdiction" and self.target_hex is not None:
            return self.target_hex
        hexes = {target.at for target in self.targets if target.at is not None}
        if len(hexes) > 1:
            raise BadQuestion("all units attacked in one attack are in one hex (Basic VI.C.4)")
        return next(iter(hexes), self.target_hex)

    @property
    def fired_at(self) -> Hex | None:
        """The hex that distances count to: indirect fire keeps the one written down (Standard II.A.4.e)."""
        return self.target_hex or self.at

    @property
    def advanced(self) -> bool:
        """Whether the Advanced Rules hold: in their Situations, and where no Situation is named."""
        scenario = self.game.scenarios.get(self.ground.scenario) if self.ground else None
        return scenario is None or scenario.level == "advanced"

    @property
    def in_situation(self) -> bool:
        """Whether a Situation says whose units are whose (The Situations A.3.b)."""
        return self.ground is not None and bool(self.ground.scenario)

    def reading(self, ruling: str) -> str:
        """The reading of a ruling that holds."""
        if self.ground is not None:
            return self.ground.reading(ruling)
        return self.rulings.get(ruling) or self.game.rulings[ruling].choice

    def overrun_from(self, firer: Fighter) -> bool:
        """Whether a firer is in the hex that the targets are just overrunning: nothing shields them from it (Standard
        II.E.5.e)."""
        return self.overrun is not None and firer.at == self.overrun

    def inputs(self) -> dict[str, Value]:
        """What the attack asks of the battle, as far as the ground tells it; then what the player says."""
        known: dict[str, Value] = dict(_of_the_hex(self)) if self.ground is not None else {}
        if self.reading("smoke_die") == "minus":
            known["smoke_as_printed"] = True
        return {key: value for key, value in known.items() if key in self.shape.inputs} | dict(self.told)

    def firer_fields(self, firer: Fighter, look: Look | None) -> dict[str, Value]:
        """A firer's fields, with distance, sight and army."""
        fields = _fields(self.game, firer, self.in_situation)
        asked = self.shape.groups[self.shape.attackers].inputs
        known: dict[str, Value] = {}
        if firer.at is not None and self.fired_at is not None:
            known["distance"] = distance(firer.at, self.fired_at)
        if look is not None:
            known["sees"] = look.clear
        known["overrun_by_them"] = self.overrun_from(firer)
        if self.kind in NEXT_TO:
            known["carried"] = "loaded" in firer.states
        if self.ground is not None and firer.at is not None:
            known["works_here"] = bool(_obstacles(self.ground, firer.at))
        return fields | {key: value for key, value in known.items() if key in asked} | dict(firer.told)

    def target_fields(self, target: Fighter, shielded: bool) -> dict[str, Value]:
        """A defender's fields. A unit that moves is spotted wherever it is seen (Standard II.E.1.b)."""
        fields = _fields(self.game, target, self.in_situation)
        if self.kind == "opportunity_fire":
            fields["spotted"] = True
        if "shielded" in self.shape.groups[self.shape.defenders].inputs and shielded:
            fields["shielded"] = True
        return fields | dict(target.told)


def _fields(game: Game, fighter: Fighter, in_situation: bool) -> dict[str, Value]:
    """What expressions see of a fighter. Its army is the Situation's, even where that leaves it open; without a Situation
    it is its sheet's."""
    if not fighter.weapon:
        fields = unit_fields(game, fighter.unit, sorted(fighter.states))
        return fields | {"nation": fighter.nation} if fighter.nation or in_situation else fields
    bare: dict[str, Value] = {key: 0 if f.kind == "number" else "" for key, f in game.factors.items()}
    some = unit_fields(game, next(iter(game.units)))
    bare |= {key: False for key, value in some.items() if isinstance(value, bool)}
    texts = {"id": fighter.unit, "name": fighter.name, "nation": fighter.nation, "side": fighter.side}
    return bare | {"class": "", "type": "", "size": "", "steps": 1} | texts | {"weapon": fighter.weapon, "target": "NA"}


def _of_the_hex(battle: Battle) -> Iterator[tuple[str, Value]]:
    """What the ground tells of the hex attacked: terrain, works, smoke, who is next to it; and the year."""
    ground, at = battle.ground, battle.at
    assert ground is not None
    yield "year", ground.year
    yield "reduced_visibility", _effect(ground, "no_doubling")
    if battle.overrun is not None:
        yield "overrunning", True
    if at is None:
        return
    yield "terrain", ground.kind(at)
    yield (
        "works",
        "fort" if ground.has(at, "fort") else "improved_position" if ground.has(at, "improved_position") else "none",
    )
    yield "in_smoke", ground.has(at, "smoke")
    yield "next_to", any(True for one in spotters(battle) if one.at is not None and distance(one.at, at) == 1)
    yield "obstacle", bool(_obstacles(ground, at) - {"fort"})
    yield "minefield", any(ground.has(at, mine) for mine in MINES)


def _obstacles(ground: Ground, hex: Hex) -> frozenset[str]:
    """What forbids overruns into and out of a hex (Standard II.D.3; bridges V.H.4.a)."""
    return ground.works.get(hex, frozenset()) & {*MINES, "trench", "block", "bridge", "fort"}


def _effect(ground: Ground, effect: str) -> bool:
    held = ground.game.scenarios.get(ground.scenario)
    return held is not None and any(one.effect == effect for special in held.special for one in special.effects)


def spot_apart(battle: Battle) -> bool:
    """Whether each army spots for its own indirect fire only (S-12)."""
    return battle.ground is not None and _effect(battle.ground, "no_shared_spotting")


def spotters(battle: Battle) -> Iterator[Fighter]:
    """Undispersed enemies of the targets that can spot: no trucks nor who rides in them (Basic VII.D.5), no airplanes
    (Advanced I.C.3.b)."""
    side = battle.firers[0].side if battle.firers else ""
    for one in battle.everyone or battle.firers:
        unit = battle.game.units.get(one.unit)
        if unit is None or one.side != side or one.at is None or one.states & {"dispersed", "loaded"}:
            continue
        if "no_spotting" in unit.abilities or unit.type == "jet":
            continue
        yield one


def every_look(battle: Battle, looks: Looks | None) -> Mapping[tuple[int, int], Look]:
    """What each firer sees of each target, by their places; nothing where there is no ground to look over."""
    if looks is None or battle.ground is None or battle.kind not in SEEN_FIRST:
        return {}
    pairs: dict[tuple[Hex, str, frozenset[str], Hex, str, frozenset[str]], Look] = {}
    found = {}
    for i, firer in enumerate(battle.firers):
        for j, target in enumerate(battle.targets):
            if firer.at is None or target.at is None:
                continue
            key = (firer.at, firer.unit, firer.states, target.at, target.unit, target.states)
            if key not in pairs:
                pairs[key] = looks(battle.ground, firer, target)
            found[i, j] = pairs[key]
    return found


def picked(fighters: Sequence[Fighter], words: Sequence[str], what: str) -> tuple[Fighter, ...]:
    """Those of the fighters that the player names, each word once; all where none is named."""
    if not words:
        return tuple(fighters)
    left = list(fighters)
    result = []
    for word in words:
        one = next((fighter for fighter in left if fighter.called(word)), None)
        if one is None:
            here = sorted({fighter.unit for fighter in fighters})
            raise BadQuestion(
                f"no {word!r} {what}; {instead(word.partition('#')[0], here) if here else 'nobody is there'}"
            )
        left.remove(one)
        result.append(one)
    return tuple(result)
