"""One door to the assistant for tests: a position and a question in; numbers, sets, fractions and the refusing rule out.

Nothing here or in its results is a class of a game's code. When questions, inputs or the keys of answers change, `_door` and
`tests/net/facts` change, and no test does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from click import Context

from assistant.cli import cli
from assistant.dice import ROLL
from assistant.odds import attack_question
from assistant.questions.answer import BadQuestion
from assistant.questions.answering import answer_question
from assistant.questions.command_line import bare_words
from assistant.questions.question import from_words
from assistant.questions.registry import questions
from assistant.questions.rendering import answer_json
from assistant.tables import STRENGTHS, TABLE, are_strengths
from scenarios import PackError, load, shipped_games
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position, from_scenario, locate
from tests.net.facts import facts_of
from tests.net.musketeer_combat import combat_words, drop_words, flight_words
from tests.net.reading import WHOLE, rules

ANYWHERE = ("declared", "bare", "table", "roll")
"""Questions that every pack answers: an attack in words, two bare strengths, a table, a throw with a seed."""
INPUTS = {"gone": "remove", "tell": "counts"}
"""What an input is called where the recorded questions have another name for it."""
FLAGS = {"works": "with", "rulings": "ruling", **INPUTS}
"""What a flag is called where the list of questions has another name for it."""


@dataclass(frozen=True)
class GameAnswer(Mapping[str, Any]):
    """An answer: its facts by neutral names; or, where the question was refused, the sentence and the rules it cites."""

    refusal: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    free: frozenset[str] = frozenset()

    @property
    def rules(self) -> frozenset[str]:
        """The rules that a refusal cites."""
        return rules(self.refusal)

    @property
    def settled_facts(self) -> dict[str, Any]:
        """The facts that the rules settle."""
        return {name: value for name, value in self.facts.items() if name not in self.free}

    def __getitem__(self, name: str) -> Any:
        assert not self.refusal, self.refusal
        return self.facts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.facts)

    def __len__(self) -> int:
        return len(self.facts)


def ask(game: str | Game, name: str, position: Position | None = None, /, **inputs: Any) -> GameAnswer:
    """The answer to a question. `from_` is the input `from`; what is None, False or empty isn't told."""
    loaded_game = load(game) if isinstance(game, str) else game
    question_inputs = {
        INPUTS.get(key, key).rstrip("_"): value for key, value in inputs.items() if value not in (None, False, "", ())
    }
    if position is not None:
        question_inputs["position"] = position
    if loaded_game.id == "musketeer" and name == "air":
        name, question_inputs = flight_words(loaded_game, question_inputs)
    try:
        json = _door(loaded_game, name, question_inputs)
    except (BadQuestion, PackError) as error:
        return GameAnswer(refusal=str(error))
    except ValueError as error:
        if name not in ANYWHERE:
            raise
        return GameAnswer(refusal=str(error))
    facts = facts_of(loaded_game.id, name)
    read = {key: fact.read(_part(json, fact.key)) for key, fact in facts.items() if _part(json, fact.key) is not None}
    values = {key: value for key, value in read.items() if value is not None or facts[key].key != WHOLE}
    return GameAnswer("", values, frozenset(key for key, fact in facts.items() if fact.free))


def _part(json: dict[str, Any], key: str) -> Any:
    return json if key == WHOLE else json.get(key)


def position(
    game: str | Game,
    scenario: str,
    pieces: Iterable[str | tuple[str, ...]],
    *,
    turn: int = 1,
    phase: str = "",
    map: str = "",
) -> Position:
    """A position of a game. A piece is `unit@place`, `unit/copy~nation@place+state+state!2` (two steps lost), or a tuple of unit,
    place and states. Copies that aren't named are numbered as a position file's are."""
    loaded_game = load(game) if isinstance(game, str) else game
    table = (
        loaded_game.scenario_maps.get(scenario)
        or loaded_game.maps.get(map)
        or next(iter(loaded_game.maps.values()), None)
    )
    used: dict[str, int] = {}
    piece_list = []
    for text in pieces:
        unit, copy, nation, place, states, steps_lost = _parts(text)
        index = used.get(unit, 0)
        used[unit] = index + 1
        shape = loaded_game.units.get(unit)
        numbers = shape.numbers if shape is not None else ()
        copy = copy or (numbers[index] if index < len(numbers) else str(index + 1))
        piece_list.append(
            Piece(unit, copy, nation or (shape.nation if shape else ""), locate(table, place), states, steps_lost)
        )
    return Position(loaded_game.id, scenario, turn, phase, tuple(piece_list))


def _parts(text: str | tuple[str, ...]) -> tuple[str, str, str, str, frozenset[str], int]:
    if isinstance(text, tuple):
        unit, place, *states = text
        steps_lost = 0
    else:
        unit, _, place_text = text.partition("@")
        place, *states = place_text.split("+")
        *states, last = [place, *states]
        last, _, steps = last.partition("!")
        place, *states = [*states, last]
        steps_lost = int(steps or 0)
    unit, _, nation = unit.partition("~")
    unit, _, copy = unit.partition("/")
    return unit, copy, nation, place, frozenset(filter(None, states)), steps_lost


def format_pieces(game: Game, game_position: Position) -> list[str]:
    """The pieces of a position as `position` reads them."""
    table = game_position.scenario and game.scenario_maps.get(game_position.scenario)
    lines = []
    for piece in game_position.pieces:
        place = table.name(piece.at) if isinstance(table, HexMap) and not isinstance(piece.at, str) else str(piece.at)
        states = "".join(f"+{state}" for state in sorted(piece.states))
        own_nation = game.units[piece.unit].nation if piece.unit in game.units else ""
        nation = f"~{piece.nation}" if piece.nation != own_nation else ""
        loss_text = f"!{piece.steps_lost}" if piece.steps_lost else ""
        lines.append(f"{piece.unit}/{piece.copy}{nation}@{place}{states}{loss_text}")
    return lines


def start(game: str | Game, scenario: str) -> Position:
    """The start of a scenario; who is set up by area waits in its tray."""
    return from_scenario(load(game) if isinstance(game, str) else game, scenario)


def input_names(game: Game) -> dict[str, set[str]]:
    """The questions that a game answers by name, each with the names of its inputs."""
    recorded_names = {new: old for old, new in INPUTS.items()}
    return {
        name: {recorded_names.get(key, key) for key in question.names} for name, question in questions(game).items()
    }


def verbs() -> dict[str, set[str]]:
    """The verbs of the command line with their flags and arguments; where these are a question's inputs, those of every game."""
    context = Context(cli)
    spellings_by_verb = {
        name: {spelling for param in verb.params for spelling in param.opts}
        for name in cli.list_commands(context)
        if (verb := cli.get_command(context, name)) is not None
    }
    for game in map(load, shipped_games()):
        for name, inputs in input_names(game).items():
            input_spellings = {spelling for key in inputs for spelling in (key, _flag(key))}
            spellings_by_verb["ask"] |= {spelling for spelling in input_spellings if spelling.startswith("--")}
            spellings_by_verb[name] = spellings_by_verb.get(name, set()) | input_spellings
    return spellings_by_verb


def _flag(key: str) -> str:
    return "--" + FLAGS.get(key, key).replace("_", "-")


def _door(game: Game, name: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Today's JSON: the same functions as behind the command line's `--json`."""
    if (game.id, name) == ("october_war", "odds"):
        inputs = battle_inputs(game, inputs)
    if name == "declared":
        question = attack_question(game)
        result = answer_json(
            answer_question(question, game, from_words(question, bare_words(game, question, _words(inputs))))
        )
        # The recordings cite whatever looks like a rule in a refusal, names of units among it.
        return {**result, "refused": [list(refusal.values()) for refusal in result["refused"]]}
    if name == "bare":
        words = _words(inputs)
        if not words or not are_strengths(game, words[0]):
            raise BadQuestion("these are no bare strengths")
        return answer_json(answer_question(STRENGTHS, game, from_words(STRENGTHS, words)))
    if name in ("table", "roll"):
        return answer_json(answer_question({"table": TABLE, "roll": ROLL}[name], game, inputs))
    if name not in questions(game):
        raise BadQuestion(f"there is no question {name!r}")
    question = questions(game)[name]
    if game.id == "musketeer" and name == "odds":
        inputs = combat_words(game, inputs)
    if game.id == "musketeer" and name == "paradrop":
        inputs = drop_words(inputs)
    in_words = from_words(question, _words(inputs)) if "words" in inputs else {}
    return answer_json(
        answer_question(question, game, {**{key: value for key, value in inputs.items() if key != "words"}, **in_words})
    )


OF_THE_BATTLE = {
    "point": "at",
    "attacker_hq": "attackers_led",
    "defender_hq": "defenders_led",
    "surprise": "attackers_surprise",
} | {
    f"{role}_{name}": f"{role}s_{name}"
    for role in ("attacker", "defender")
    for name in ("losses", "retreats", "dodge", "leave", "can_retreat", "shift")
}
"""Inputs of October War's battle by the names that the recordings have for them."""
MISSILES = {"arab": "static_sam_egypt", "israeli": "air_defense_battalion"}


def battle_inputs(game: Game, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """A battle of October War as it is asked today: strikes, SAM units and barrages are units of groups, not numbers."""
    numbers = ("tac", "weasels", "ssm", "sites", "sites_here")
    today = {OF_THE_BATTLE.get(key, key): value for key, value in inputs.items() if key not in (*numbers, "barrage")}
    army = _attacking_nation(game, inputs)
    side = game.nations[army].side if army else ""
    strikes = {"tac": f"tac_{army}", "weasels": "wild_weasel", "ssm": f"ssm_{army}"}
    wing = [f"{inputs[key]}*{unit}" for key, unit in strikes.items() if int(inputs.get(key) or 0)]
    sites, inside = int(inputs.get("sites") or 0), int(inputs.get("sites_here") or 0)
    missiles = MISSILES[next(other for other in MISSILES if other != side)]
    near = [f"{inside}*{missiles}:near=yes"] * (inside > 0) + [f"{sites - inside}*{missiles}"] * (sites > inside)
    groups = {"wing": wing, "sites": near, "guns": [f"barrage_{army}"] * (inputs.get("barrage") in ("yes", True))}
    return today | {name: ",".join(units) for name, units in groups.items() if units}


def _attacking_nation(game: Game, inputs: Mapping[str, Any]) -> str:
    """The nation of the first attacker, named or in the point."""
    named = str(inputs.get("attackers") or "").split(",")[0].rpartition("*")[2].partition("+")[0]
    if named in game.units:
        return game.units[named].nation
    pieces = inputs["position"].pieces if isinstance(inputs.get("position"), Position) else ()
    point = str(inputs.get("point", "")).lower().replace(" ", "_")
    units = [game.units[piece.unit] for piece in pieces if piece.unit in game.units and piece.at == point]
    return next((unit.nation for unit in units if unit.side == inputs.get("side") and unit.class_ != "strike"), "")


def _words(inputs: Mapping[str, Any]) -> tuple[str, ...]:
    value = inputs.get("words", "")
    return tuple(value.split()) if isinstance(value, str) else tuple(value)
