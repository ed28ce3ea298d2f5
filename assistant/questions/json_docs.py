"""docs/json.md: every question that the assistant answers, with its inputs, generated from the questions themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.questions.question import Input, Question
from assistant.questions.registry import EVERYWHERE, questions
from assistant.questions.verbs import VERBS
from assistant.save_summary import OPEN
from scenarios import load, shipped_games
from scenarios.model.game import Game

SAMPLE = "corps"
"""The sample whose questions represent those of any pack."""
INTRO = """\
# What the assistant answers with `--json`

Made by `python -m assistant.questions.json_docs`. An answer has `game`, `question` and the keys of [json-keys.md](json-keys.md), where one
key means one thing in all games. Fractions that aren't whole are texts such as `"1/2"`. `assistant ask GAME --schema` prints a
game's questions and the answers as JSON Schema; `assistant ask GAME` lists the questions, with `--json` as `questions`, each with
`about` and `names`. Where a rule says no, `refused` has its `text` and `rule`. Exit codes: 0 done, 1 a check failed, 2 the
question was wrong. What `modgen` answers: [json-modgen.md](json-modgen.md).

Give an input as `name=VALUE` or `--name VALUE`; by its kind it is a unit, units, a place, places, a number, a choice of some
words, a flag, a text, a position (a file or a save of VASSAL), a file to write, pairs (`NAME:VALUE,NAME:VALUE`) or pieces with
their places (`put`). Inputs marked `(needed)` are required.
"""


def page() -> str:
    """Return the whole page."""
    sample = load(SAMPLE)
    lines = [INTRO, "## Questions of every pack", ""]
    lines.append(
        "Some are there where a pack declares rules ([rules.md](rules.md)). The inputs are those of the sample corps."
    )
    all_questions = {**{name: EVERYWHERE[name] for name in EVERYWHERE}, "open": OPEN, **_own_questions(sample)}
    for name, question in sorted(all_questions.items()):
        lines += ["", *_question(sample, name, question)]
    for key in shipped_games():
        game = load(key, with_config_overlays=False)
        lines += ["", f"## {game.title}", ""]
        game_questions = {name: question for name, question in _own_questions(game).items() if name not in EVERYWHERE}
        for name, question in game_questions.items():
            inputs = ", ".join(f"`{input_.name}`" for input_ in question.inputs)
            lines.append(f"- {_usage(name, key)}: {question.about}. Inputs: {inputs}.")
    return "\n".join([*lines, ""])


def _own_questions(game: Game) -> Mapping[str, Question]:
    game_questions = questions(game)
    return {name: question for name in game_questions if isinstance(question := game_questions[name], Question)}


def _usage(name: str, game: str) -> str:
    return f"`assistant {name} {game}`" if name in VERBS else f"`assistant ask {game} {name}`"


def _question(game: Game, name: str, question: Question) -> Iterator[str]:
    command = (
        "assistant open FILE"
        if name == "open"
        else f"assistant {name} GAME"
        if name in VERBS
        else f"assistant ask GAME {name}"
    )
    yield f"### `{command}`"
    yield f"{question.about[:1].upper()}{question.about[1:]}."
    yield ""
    yield "| input | kind | what |"
    yield "|---|---|---|"
    for input_ in question.inputs:
        yield f"| `{input_.name}` | {_kind(game, input_)} | {input_.about}{' (needed)' if input_.required else ''} |"


def _kind(game: Game, input_: Input) -> str:
    words = input_.words(game)
    choices = ", ".join(words) if len(words) <= 6 else f"{', '.join(words[:5])} ..."
    return f"choice: {choices}" if input_.kind == "choice" and words else input_.kind


if __name__ == "__main__":
    import sys

    sys.stdout.write(page())
