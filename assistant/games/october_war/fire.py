"""One unit's fire, by a counter or by a bare strength read off one (15.3 to 15.7); and what falls on the defender before the ground
fire: an air attack, a barrage (6.2 (2f), 19.9, 24.0)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from assistant.assumptions import assume_inputs
from assistant.attack import AttackValue, Fields, Odds, odds, shift_answer, unit_fields
from assistant.attack_nodes import meanings
from assistant.chances import gather
from assistant.engine.field import Field
from assistant.engine.question_field import on_a_map
from assistant.engine.supply.command import radius
from assistant.engine.supply.supply_lines import supply_of
from assistant.games.october_war.air import Wing, asked_wing, flown
from assistant.games.october_war.combat import Blow
from assistant.games.october_war.forces import GROUND, asked_sites, fighters, near, near_headquarters, within
from assistant.games.october_war.questions import ENEMY, POINT, asked_ground, declared, fighting, start_field
from assistant.questions.answer import Answer, BadQuestion, Cell, Chances, CounterRef, RowTable, TableColumn, Unofficial
from assistant.questions.answer import Value as Told_
from assistant.questions.question import ON_ANY_MAP, Input, Inputs, Question
from assistant.unofficial import modifier_sources, required_factor, unofficial_addresses
from scenarios.model.game import Game

OF_THE_SHOT = (
    "attacking", "terrain", "headquarters", "engineer", "across", "bridge", "helped", "armor", "breached", "morale",
)  # fmt: skip
WATER = ("none", "suez_canal", "lake_crossing", "red_sea_crossing")
CROSSED = (
    Input(name="across", about="water that all attackers came across", kind="choice", choices=WATER),
    Input(name="bridge", about="they came over a bridge", kind="flag"),
    Input(name="helped", about="an engineer helped them across", kind="flag"),
    Input(name="breached", about="a breach marker lies on the fort", kind="flag"),
    Input(name="morale", about="the Israeli Morale Check is in effect", kind="flag"),
)


def _fire(game: Game, told: Inputs) -> Answer:
    field, point = asked_ground(game, told)
    inputs, firing = declared(game, GROUND, told, OF_THE_SHOT, field, point), _firing(game, told)
    if not firing["side"] and inputs.get("terrain") in game.tables["terrain_by_faction"].cells:
        raise BadQuestion(f"{inputs['terrain']} is not the same for both sides: side={' or side='.join(game.sides)}")
    targets = fighting(game, told.get("targets", ()))
    if field is not None and point is not None and firing["id"]:
        firing, targets = _placed(field, point, firing, targets, inputs)
    assume_inputs(told, game.attacks[GROUND].inputs, inputs)
    found = odds(game, GROUND, {"firing": [firing], "targets": targets}, inputs)
    if found.failures:
        raise BadQuestion("; ".join(found.failures))
    table, more = game.tables[game.attacks[GROUND].table], int(told.get("shift", 0))
    found = shift_answer(table, found, more)
    assert found.column is not None
    column = table.named_column(found.column)
    why: list[dict[str, Cell]] = [
        {"text": shift.text, "shift": int(shift.amount), "rule": shift.rule} for shift in found.modifiers
    ]
    why += [{"text": "told", "shift": more, "rule": ""}] if more else []
    faces: list[dict[str, Cell]] = [
        {"throw": face, "result": table.cell(Fraction(face), column).code} for face in table.cells
    ]
    name = found.units[0].name
    return Answer(
        "fire",
        game.id,
        [
            Told_("unit", CounterRef(str(firing["id"]), name) if firing["id"] else name, "Fires"),
            Told_("strength", found.attack_strength, "Strength"),
            Told_("start", found.start, "Starts on column", "15.3"),
            RowTable(
                "applied",
                [TableColumn("text", "because of"), TableColumn("shift", "columns"), TableColumn("rule", "rule")],
                why,
            ),
            Told_("shift", found.shift, for_people=False),
            Told_("column", found.column, "Fires on column"),
            RowTable("rolls", [TableColumn("throw", "throw"), TableColumn("result", "result")], faces),
            Chances("chances", found.chances, meanings=meanings(table)),
            Unofficial({} if "strength" in told else _ours(game, firing, found)),
        ],
    )


FIRE = Question(
    name="fire",
    on_map=on_a_map,
    about="one unit's fire: its column, shift by shift, and each throw (15.3 to 15.7)",
    answer=_fire,
    positional=("unit",),
    inputs=(
        Input(name="unit", about="the counter that fires", kind="units", example="mech_battalion+out_of_supply"),
        Input(
            name="strength",
            about="its strength, if yours has another printed on it; or a bare strength without a unit",
            kind="number",
            integer=False,
        ),
        Input(name="side", about="whose a bare strength is", kind="choice", vocabulary="side"),
        Input(
            name="class",
            about="the class of a bare strength",
            kind="choice",
            choices=("mechanized", "non_mechanized"),
            default="mechanized",
            assumed=True,
            condition=("unit", ("",)),
        ),
        Input(
            name="targets", about="the enemy force, for its armor", kind="units", example="armor_brigade,mech_battalion"
        ),
        Input(name="attacking", about="its side is the attacker (yes, if left out)", kind="flag"),
        Input(name="terrain", about="the kind of point", kind="choice", vocabulary="terrain"),
        replace(
            POINT, about="or the point itself; with a position it tells supply, headquarters, engineers and targets"
        ),
        Input(name="headquarters", about="value of one headquarters with it or next to it", kind="number"),
        Input(name="engineer", about="a friendly engineer is in the point", kind="flag"),
        *CROSSED,
        Input(name="armor", about="the enemy has armor that isn't combined arms, if no targets are given", kind="flag"),
        Input(
            name="shift",
            about="columns besides: 1 to the right, -1 to the left",
            kind="number",
            minimum=-19,
            maximum=19,
        ),
        *ON_ANY_MAP,
    ),
)


def _firing(game: Game, told: Inputs) -> dict[str, AttackValue]:
    """The unit that fires; a bare strength is a unit without any gift."""
    named, strength = fighting(game, told.get("unit", ())), told.get("strength")
    if not named and strength is None:
        raise BadQuestion("say what fires: unit=UNIT, or strength=NUMBER as printed on yours")
    if len(named) > 1:
        raise BadQuestion("each unit fires alone (15.4): tell one unit")
    own: dict[str, AttackValue] = {"strength": strength, "bracket": strength} if strength is not None else {}
    if named:
        required_factor(game, game.units[str(named[0]["id"])], "strength")
        return {**named[0], **own}
    side = told.get("side", "")
    some = next(unit for unit in game.units.values() if side in ("", unit.side) and unit.class_ != "strike")
    bare = {**unit_fields(game, some), **dict.fromkeys((*game.abilities, *game.states), False)}
    bare |= {"id": "", "name": "A unit", "side": side, "type": "", "leader": Fraction(0)}
    return {**bare, **own, "class": told["class"]}


def _placed(
    field: Field, point: int, firing: Fields, targets: list[Fields], inputs: dict[str, AttackValue]
) -> tuple[dict[str, AttackValue], list[Fields]]:
    """What a position tells of a unit in a point: its supply, its headquarters, engineers, the enemy (11.2, 15.6)."""
    side, attacking = str(firing["side"]), inputs.get("attacking", True) is True
    stack = fighters(field, point, side, attacking)
    mine = next((unit for unit in stack if unit["id"] == firing["id"]), None)
    cut = firing["out_of_supply"] or (mine is not None and mine["out_of_supply"] is True)
    led = near_headquarters(field, point, side)
    mates = [int(str(unit["leader"])) for unit in stack if unit["nation"] == firing["nation"]]
    best = max([0, led.get("", 0), led.get(str(firing["nation"]), 0), *mates])
    inputs.setdefault("headquarters", Fraction(best))
    inputs.setdefault("engineer", any(unit["engineering"] is True for unit in stack))
    return {**firing, "out_of_supply": cut}, targets or fighters(field, point, ENEMY[side], not attacking)


def _ours(game: Game, firing: Fields, found: Odds) -> dict[str, str]:
    """The overlay entries of what is used here and is not the rulebook's."""
    unit = game.units[str(firing["id"])]
    used = "strength" if found.units[0].printed_value == firing["strength"] else "bracket"
    led = ["leader"] * (
        bool(firing["leader"]) and any(modifier.amount == firing["leader"] for modifier in found.modifiers)
    )
    return unofficial_addresses(
        game, ((unit, key) for key in (used, *led)), other_sources=modifier_sources(game, GROUND, found.modifiers)
    )


# --- before a battle --------------------------------------------------------------------------------------------------


class Scene(NamedTuple):
    """Where a battle is: the position and the point as far as they are told, and who attacks."""

    game: Game
    field: Field | None
    point: int | None
    attackers: Sequence[Fields]
    defenders: Sequence[Fields]
    ground: Fields
    """The terrain, and whether a breach marker lies on it."""
    at_home: int
    """How many city brigades aren't counted for stacking there (5.2 (2))."""
    told: Inputs

    @property
    def side(self) -> str:
        return str(self.attackers[0]["side"])

    @property
    def nation(self) -> str:
        return str(self.attackers[0]["nation"])

    def blows(self) -> tuple[Blow, ...]:
        """The blows that are told."""
        wing = asked_wing(self.game, self.told, self.side)
        air = [self._air(wing, bool(self.told.get("air_ew")))] if any(wing) else []
        return (*air, *([self._barrage()] if self.told.get("barrage") else []))

    def offers(self) -> Iterator[tuple[str, Blow]]:
        """The blows that could fall besides, each with its words."""
        flies = any(unit.nation == self.nation and unit.type == "tac" for unit in self.game.units.values())
        if flies and not any(asked_wing(self.game, self.told, self.side)):
            many, _ = self._sites()
            against = f"through {many} SAM unit{'s' * (many > 1)}" if many else "no SAM"
            with suppress(BadQuestion):  # it may not fly there (18.5)
                yield f"one TAC strike first, {against}", self._air(Wing(1), False)
        if not self.told.get("barrage"):
            try:
                yield "a barrage first", self._barrage()
            except BadQuestion:
                return

    def _sites(self) -> tuple[int, int]:
        return asked_sites(self.game, self.field, self.point, ENEMY[self.side], self.told)

    def _air(self, wing: Wing, ew: bool) -> Blow:
        """An air ground attack through the missiles (19.9, 20.8), by what it does on the ground."""
        sites, units = self._sites(), self.game.units
        over = within(self.game, self.defenders, lambda unit: units[str(unit["id"])], ENEMY[self.side], self.at_home)[1]
        place = declared(self.game, "air_ground_attack", {}, (), self.field, self.point)
        inputs = {**place, **self.ground, "umbrella_over": sites[0] > 0, "overstacked": bool(over)}
        flights = flown(self.game, "air_ground_attack", self.nation, wing, sites, ew, inputs)
        results = self.game.tables["air"].results
        strikes = [(units[str(strike["id"])], "strength") for strike in wing.strikes(self.game, self.nation)]
        cells = [("air_defense", row, "2") for row in self.game.tables["air_defense"].cells] if sites[0] else []
        codes = gather(flights, lambda flight: results[flight.code].effects.get("ground", "-"))
        return Blow("air attack", codes, ew, unofficial_addresses(self.game, strikes, cells=cells))

    def _barrage(self) -> Blow:
        """One barrage marker (24.1), with what a position shows of its restrictions (24.2 to 24.4)."""
        game, marker, field = self.game, f"barrage_{self.nation}", self.field
        if marker not in game.markers:
            raise BadQuestion(f"{game.nations[self.nation].name} has no barrage markers (24.0)")
        inputs: dict[str, AttackValue] = {
            **self.ground,
            "echelon": Fraction(int(self.told.get("echelon", 1))),
            "spotter_commanded": True,
        }
        hermon = False
        if field is not None and self.point is not None:
            inputs["spotter"], inputs["spotter_commanded"] = _spotting(field, self.point, self.attackers)
            held = field.control(field.map_index.number["mount_hermon"]) == self.side  # 24.4
            hermon = held and field.map_index.places[self.point] in field.map_index.regions["golan"]
        inputs["hermon"] = bool(self.told.get("hermon", hermon))
        if self.point is not None:
            kinds = (field or start_field(game)).map_index
            inputs["within_control"] = kinds.places[self.point] in kinds.regions["arab_barrage"]
        fired = odds(game, "barrage", {"firing": [unit_fields(game, marker)]}, inputs)
        if fired.failures:
            raise BadQuestion("; ".join(fired.failures))
        source = {f"markers/{marker}/factors/strength": game.markers[marker].sources.get("strength")}
        return Blow("barrage", fired.chances, unofficial=unofficial_addresses(game, other_sources=source))


def _spotting(field: Field, n: int, attackers: Sequence[Fields]) -> tuple[bool, bool]:
    """Whether a unit may direct a barrage on a point (24.2): in it or next to it, of the nation, with a line; and one in command.

    Attackers that are told count as being in the point.
    """
    nation, side = str(attackers[0]["nation"]), str(attackers[0]["side"])
    around, lines = near(field, n) | {n}, supply_of(field, side)
    own = [s for s in field.placed_units if s.fields["nation"] == nation]
    seen = {s.place for s in own if s.place in around and lines.is_served(s, "supplied")}
    seen |= {n} if any(unit["nation"] == nation and not unit["out_of_supply"] for unit in attackers) else set()
    led = {
        place for head in own if head.fields["leader"] for root in radius(field, head).values() for place in root.places
    }
    led |= {n for unit in attackers if unit["leader"]}
    return bool(seen), bool(seen & led)
