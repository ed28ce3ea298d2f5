"""Battles that the module fights and the assistant reads from the engine's save: what both say of them, side by side."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from assistant.cli import cli
from modgen.vmod.pieces.fighting import USUAL, YES
from scenarios.model.game import Game
from tests.engine.run import Told, is_close
from tests.engine.table import Counter

READ = {"yom_kippur": ("ground",), "six_day_war": ("mobile", "assault")}
"""The attacks that the assistant reads from a map alone, in games with procedures of their own; in other packs all are."""
CHANCES = re.compile(r"(?:\S+ \d+%)(?:, \S+ \d+%)*$")
NUMBERS = ("attack", "shift", "die", "column", "failure", "thrown", "code")
OF_UNITS = ("Strength", "Die", "Failure", "Thrown", "Result")


@dataclass(frozen=True)
class BattleQuestion:
    """A battle: who fights, what is told to the module, and the question to the assistant."""

    attack: str
    attackers: Sequence[Counter]
    defenders: Sequence[Counter]
    words: tuple[str, ...]
    """The question in words, but for the game and the save."""
    module_inputs: Mapping[str, str] = field(default_factory=dict)
    """What a player tells the module besides, input by input."""
    place_markers: Sequence[Counter] = ()
    """Whoever is marked as defender only to show the place."""
    unit_inputs: Sequence[tuple[Counter, str]] = ()
    """What a player says yes to in the menu of a single unit."""
    targets: Sequence[Counter] = ()
    """The defenders that the module is asked about, where the assistant answers for others too."""

    def marks(self) -> list[str]:
        """Orders that mark who fights, and tell the rest."""
        roles = [(attacker, 1) for attacker in self.attackers] + [
            (counter, 2) for counter in (*(self.targets or self.defenders), *self.place_markers)
        ]
        orders = [f"tell\ttold_{name}\t{value}" for name, value in self.module_inputs.items()]
        orders += [f"set\t{counter.name}\town_{name}\t{YES}" for counter, name in self.unit_inputs]
        return [*orders, *(f"set\t{counter.name}\tRole\t{role}" for counter, role in roles)]

    def press(self, action: str, has_defenders: bool) -> list[str]:
        """Orders that press *Odds* or *Attack*, and ask for all that was worked out."""
        questions = [f"ask\tv_{self.attack}_{name}" for name in (*NUMBERS, *["defense"] * has_defenders)]
        questions += [
            f"of\t{counter.name}\t{name}"
            for counter in (*self.attackers, *(self.targets or self.defenders))
            for name in OF_UNITS
        ]
        anyway = ["chat", f"press\t{self.attack}-anyway"] if action == "fight" else []
        return [f"press\t{self.attack}-{action}", *anyway, *questions, "chat", "say\tEND"]

    def done(self) -> list[str]:
        """Orders that take marks and told answers away."""
        resets = [f"set\t{counter.name}\town_{name}\t{USUAL}" for counter, name in self.unit_inputs]
        return ["press\tend-battle", *(f"tell\ttold_{name}\t{USUAL}" for name in self.module_inputs), *resets]

    def __str__(self) -> str:
        return " ".join((self.attack, *self.words))


def question(game: Game, save: Path, words: Sequence[str]) -> Mapping[str, Any] | str:
    """What the assistant answers to a question about a save; a text where it refuses it."""
    verb, *arguments = words
    # The game is loaded once: what is worked out of it is kept with it.
    with (
        patch("assistant.commands.ask.load_game", lambda *_: game),
        patch("assistant.commands.verbs.load_game", lambda *_: game),
    ):
        result = CliRunner().invoke(cli, [verb, game.id, f"position={save}", *arguments, "--json"])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output.strip() if result.exit_code else json.loads(result.output)


def nodes(tree: Any) -> Iterator[Mapping[str, Any]]:
    """Every object in an answer."""
    if isinstance(tree, dict):
        yield tree
    for branch in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from nodes(branch)


def word(counter: Counter) -> str:
    """A piece as the assistant is asked about it."""
    return f"{counter.unit}#{counter.copy}" if counter.copy else counter.unit


# --- what is compared -------------------------------------------------------------------------------------------------


def column_of(game: Game, attack: str, label: object) -> int:
    """The number of a column, -1 where there is none."""
    labels = [*game.tables[game.attacks[attack].table].columns.labels]
    return labels.index(str(label)) if str(label) in labels else -1


def numbers(battle: BattleQuestion, expected_values: Mapping[str, object], readings: Told) -> Iterator[str]:
    """Where numbers of the module aren't the assistant's."""
    for name, value in expected_values.items():
        heard = readings.get(f"v_{battle.attack}_{name}", "")
        if not is_close(heard, float(Fraction(str(value)))):
            yield f"{name} is {heard} in the module, {value} says the assistant"


def chances_told(line: str) -> dict[str, int]:
    """The chances at the end of a line of the chat, in percent."""
    match = CHANCES.search(line.strip())
    return (
        {code: int(share[:-1]) for code, share in (chance.rsplit(" ", 1) for chance in match[0].split(", "))}
        if match
        else {}
    )


def percent(chances: Mapping[str, str]) -> dict[str, int]:
    """Exact chances as the module shows them."""
    return {code: int(f"{float(100 * Fraction(chance)):.0f}") for code, chance in chances.items()}


def of_the_table(game: Game, attack: str, label: str, die: int = 0) -> dict[str, int]:
    """The chances of a column, from the pack's table."""
    table = game.tables[game.attacks[attack].table]
    return percent({code: str(chance) for code, chance in table.distribution(table.named_column(label), die).items()})


def likely(battle: BattleQuestion, chances: Mapping[str, int], chat: Sequence[str]) -> Iterator[str]:
    """Whether the chat tells the chances of a battle with one throw."""
    heard = [shares for line in chat if (shares := chances_told(line))]
    if chances not in heard:
        yield f"the chances are {heard}, not {chances}"


# --- any pack's attacks, from places at a place -----------------------------------------------------------------------


def attacks(game: Game) -> Sequence[str]:
    """The attacks of a game whose odds the general question reads from a map."""
    two = [key for key, attack in game.attacks.items() if attack.defenders and len(attack.groups) == 2]
    return READ.get(game.id, two)


def general_words(game: Game, attack: str, sources: Sequence[str], place: str, target: Counter) -> tuple[str, ...]:
    """The question about an attack on all in a place, or on one of them where that is the rule, from places around it."""
    words: tuple[str, ...] = ("odds", f"from={','.join(sources)}", f"at={place}")
    defenders = game.attacks[attack].defenders
    words += (f"{defenders}={word(target)}",) if game.attacks[attack].groups[defenders].at_most == 1 else ()
    return words if game.id == "six_day_war" else (*words, f"attack={attack}")


def general_answer(answer: Mapping[str, Any], attack: str) -> Mapping[str, Any] | None:
    """What an answer says of one attack."""
    return next(
        (
            node
            for node in nodes(answer)
            if node.get("attack", attack) == attack and "column" in node and "units" in node
        ),
        None,
    )


def taking_part(game: Game, answer: Mapping[str, Any], group: str, counters: Sequence[Counter]) -> list[Counter]:
    """Those of the pieces in a place that an answer counts in a group, by their names."""
    names = [str(row["name"]) for row in answer["units"] if row["group"] == group]
    participants = []
    for counter in counters:
        name = (game.units.get(counter.unit) or game.markers[counter.unit]).name
        # With whose it is before it, where both sides have one of that name.
        matching_name = next(
            (text for word_ in (f"{name} {counter.copy}", name) for text in names if f" {text}".endswith(f" {word_}")),
            None,
        )
        if matching_name is not None:
            names.remove(matching_name)
            participants.append(counter)
    return participants


def general_differences(
    game: Game, battle: BattleQuestion, answer: Mapping[str, Any], readings: Told, chat: Sequence[str]
) -> Iterator[str]:
    """Where the module's battle and the assistant's answer from the save differ."""
    expected_values = {"column": column_of(game, battle.attack, answer["column"]), "die": answer.get("die", 0)}
    expected_values |= {key: answer[f"{key}_strength"] for key in ("attack", "defense") if f"{key}_strength" in answer}
    expected_values |= {"shift": answer["shift"]} if "shift" in answer else {}
    yield from numbers(battle, expected_values, readings)
    if (
        isinstance(answer.get("chances"), dict)
        and not game.attacks[battle.attack].per_defender
        and answer["column"] is not None
    ):
        yield from likely(battle, percent(answer["chances"]), chat)
    # What the pack's rules say of attacks besides is for people to keep.
    texts = {requirement.text for requirement in game.attacks[battle.attack].requires}
    refusals = [refusal for refusal in answer.get("refused", ()) if refusal["text"] in texts]
    for subject, heard, reasons in (
        (
            "the attack",
            readings.get(f"v_{battle.attack}_failure", ""),
            [refusal["text"] for refusal in refusals if not refusal.get("group")],
        ),
        (
            "a unit",
            "".join(readings.get(f"{counter.name}.Failure", "") for counter in (*battle.attackers, *battle.defenders)),
            [refusal["text"] for refusal in refusals if refusal.get("group")],
        ),
    ):
        if bool(heard) != bool(reasons):
            yield f"{subject} isn't allowed: {heard!r} in the module, {reasons} says the assistant"
