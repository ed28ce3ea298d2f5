"""The site: a request in, a response out. No sockets here, so that a test can ask it anything."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from assistant.attacks import BadQuestion
from assistant.page.about import about_game
from assistant.page.answers import QUESTIONS
from assistant.page.saves import Saves
from scenarios.cards import card
from scenarios.game import Game
from scenarios.reading.findings import PackError, instead

HTML, JSON, SVG = "text/html; charset=utf-8", "application/json; charset=utf-8", "image/svg+xml"
ASSETS: Mapping[str, str] = {
    "page.html": HTML,
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "ask.js": "text/javascript; charset=utf-8",
    "fight.js": "text/javascript; charset=utf-8",
    "nodes.js": "text/javascript; charset=utf-8",
    "map.js": "text/javascript; charset=utf-8",
    "tables.js": "text/javascript; charset=utf-8",
    "units.js": "text/javascript; charset=utf-8",
    "icon.svg": SVG,
}
MOST = 8_000_000
"""The longest save that is sent, in bytes."""
MOST_ASKED = 100_000
"""The longest question of any other kind."""
MOST_DRAWN = 5000
"""How many pictures are kept."""


class Response(NamedTuple):
    """What is sent back."""

    status: int
    kind: str
    body: bytes


def json_response(value: Any, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(status, JSON, json.dumps(value, ensure_ascii=False).encode("utf-8"))


def split_url(text: str) -> SplitResult:
    """An address in its parts; an empty one where it is none."""
    try:
        return urlsplit(text)
    except ValueError:
        return urlsplit("//nowhere/nothing")


def wrong(message: str, status: int = 400) -> Response:
    """A sentence that tells what was wrong."""
    return json_response({"wrong": message}, status)


def plain(message: str, status: int) -> Response:
    """A sentence for a person who looks at it without our page."""
    return Response(status, "text/plain; charset=utf-8", f"{message}\n".encode())


def longest(target: str) -> int:
    """How many bytes a question may have: a save is long, others aren't."""
    return MOST if split_url(target).path.endswith("/open") else MOST_ASKED


@dataclass(frozen=True)
class Site:
    """The page of some games, titles by id; `load` gives a game by its id."""

    games: Mapping[str, str]
    load: Callable[[str], Game]
    drawn: dict[str, Response] = field(default_factory=dict)
    """Pictures that were drawn before."""
    saves: Saves = field(default_factory=Saves)

    def get(self, target: str) -> Response:
        """A page, an asset, a picture, or what is known of a game."""
        parts = [unquote(part) for part in split_url(target).path.strip("/").split("/")]
        named = "\0".join(parts)
        match parts:
            case [""]:
                return asset("page.html")
            case [name] if name in ASSETS:
                return asset(name)
            case ["font", weight]:
                return font(weight)
            case ["api", "games"]:
                return json_response([{"id": key, "title": title} for key, title in self.games.items()])
            case ["api", key, "about"] if key in self.games:
                return self._kept(named, lambda: json_response(about_game(self.load(key))))
            case ["api", key, "places", scenario] if key in self.games:
                return self._kept(named, lambda: self._places(key, scenario))
            case ["api", key, "places", scenario, save] if key in self.games:
                return self._answered(lambda: self._places(key, scenario, save))
            case ["api", key, "saves"] if key in self.games:
                return json_response(self.saves.listed(self.load(key)))
            case ["api", key, "scenario", scenario] if key in self.games:
                return self._scenario(key, scenario)
            case ["counter", key, piece, side] if key in self.games and side in ("front", "back"):
                return self._kept(named, lambda: self._counter(key, piece, side == "back"))
            case ["map", key, scenario] if key in self.games:
                return self._kept(named, lambda: self._map(key, scenario))
        return wrong("there is no such page", 404)

    def post(self, target: str, body: bytes) -> Response:
        """A question."""
        parts = split_url(target).path.strip("/").split("/")
        if len(parts) != 3 or parts[0] != "api":
            return wrong("there is no such page", 404)
        _, key, name = parts
        if key not in self.games:
            return wrong(f"there is no game {key!r}; {instead(key, self.games)}", 404)
        if name not in QUESTIONS and name != "open":
            return wrong(f"there is no question {name!r}; {instead(name, [*QUESTIONS, 'open'])}", 404)
        try:
            asked = json.loads(body)
        except (ValueError, RecursionError):
            return wrong("a question is written in JSON; this isn't, or is nested too deep")
        if not isinstance(asked, dict):
            return wrong("a question holds answers by name")
        return self._answered(lambda: json_response(self._asked(self.load(key), name, asked)))

    def _asked(self, game: Game, name: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to a question; `position`, asked itself or in what is told, names an opened save."""
        if name == "open":
            return self.saves.open(game, body)
        body = self._placed(game, body)
        if isinstance(told := body.get("told"), dict):
            body = {**body, "told": self._placed(game, told)}
        return QUESTIONS[name](game, body)

    def _placed(self, game: Game, told: dict[str, Any]) -> dict[str, Any]:
        if told.get("position") in (None, ""):
            return told
        return {**told, "position": self.saves.position(game, told["position"])}

    def _answered(self, make: Callable[[], Response]) -> Response:
        """What was asked, or a sentence that tells what was wrong."""
        try:
            return make()
        except PackError as error:
            return wrong("\n".join(map(str, error.findings)))
        except (BadQuestion, ValueError) as error:
            return wrong(str(error))

    def _kept(self, named: str, make: Callable[[], Response]) -> Response:
        """What was made before under the name; one name for each, however its address is spelled."""
        if named not in self.drawn:
            made = make()
            if made.status != 200 or len(self.drawn) > MOST_DRAWN:
                return made
            self.drawn[named] = made
        return self.drawn[named]

    def _scenario(self, key: str, scenario: str) -> Response:
        game = self.load(key)
        if scenario not in game.scenarios:
            return wrong(f"there is no scenario {scenario!r}; {instead(scenario, game.scenarios)}", 404)
        return json_response({"lines": list(card(game, scenario, game.scenarios[scenario], width=100_000))})

    def _counter(self, key: str, piece: str, back: bool) -> Response:
        from assistant.page.pictures import counter_picture

        return _picture(counter_picture(self.load(key), piece, back))

    def _map(self, key: str, scenario: str) -> Response:
        from assistant.page.pictures import map_picture

        return _picture(map_picture(self.load(key), scenario))

    def _places(self, key: str, scenario: str, save: str = "") -> Response:
        from assistant.page.pictures import map_places

        game = self.load(key)
        found = map_places(game, scenario, self.saves.position(game, save) if save else None)
        return wrong(f"there is no scenario {scenario!r}", 404) if found is None else json_response(found)


def _picture(drawn: bytes | None) -> Response:
    return wrong("there is no such picture", 404) if drawn is None else Response(200, SVG, drawn)


@functools.cache
def asset(name: str) -> Response:
    """A file of the page itself."""
    return Response(200, ASSETS[name], (resources.files("assistant.page") / "assets" / name).read_bytes())


@functools.cache
def font(weight: str) -> Response:
    """The font that counters and maps are drawn with."""
    from art.text import font_files

    files = {f"{key}.ttf": path for key, path in font_files().items()}
    if weight not in files:
        return wrong("there is no such font", 404)
    return Response(200, "font/ttf", files[weight].read_bytes())
