"""The site: a request in, a response out, or the job that produces one. It has no sockets, so that a test can ask it
anything."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from assistant.engine.battle.battle import scenario_inputs
from assistant.engine.question_field import asked_field
from assistant.page.answers import QUESTIONS
from assistant.page.game_info import about_game
from assistant.page.jobs import Job
from assistant.page.response import HTML, SCRIPT, STYLE, SVG, Response, json_response, or_error, wrong
from assistant.page.save_export import vassal_save
from assistant.page.saves import Saves
from assistant.questions.answer import BadQuestion
from assistant.questions.answering import answer_question
from assistant.questions.rendering import as_nodes
from assistant.scenario import SCENARIO
from scenarios.model.game import Game
from scenarios.model.position import WAITING, Piece, Position, format_location, from_scenario
from scenarios.opening_positions import as_text
from scenarios.reading.findings import suggest
from scenarios.unit_view import view_piece

ASSETS: Mapping[str, str] = {
    "page.html": HTML,
    "page.css": STYLE,
    "page.js": SCRIPT,
    "ask.js": SCRIPT,
    "fight.js": SCRIPT,
    "nodes.js": SCRIPT,
    "api.js": SCRIPT,
    "engine.js": SCRIPT,
    "offline.js": SCRIPT,
    "map.js": SCRIPT,
    "position.js": SCRIPT,
    "tools.js": SCRIPT,
    "turn.js": SCRIPT,
    "tables.js": SCRIPT,
    "texts.js": SCRIPT,
    "units.js": SCRIPT,
    "icon.svg": SVG,
}
MAX_BODY = 8_000_000
"""The maximum size of an uploaded save, in bytes."""
MOST_ASKED = 100_000
"""The maximum size of any other question."""
MOST_DRAWN = 5000
"""The number of pictures that are kept."""
CHANGES = ("open", "play")
"""Requests that change what others see: to open a save, to change a live table."""
OTHER_ROUTES = ("faces", *CHANGES)
"""Requests besides questions: to draw faces, and the changes."""
MOST_FACES = 2000
"""The maximum number of counter faces in one request."""


def parse_route(target: str) -> tuple[str, ...]:
    """Return the parts of an address's path, decoded. Permission, limits and answers all use these.

    An empty part, from a double or a trailing slash, is kept and so names nothing.
    """
    path = target.partition("?")[0].partition("#")[0]
    return tuple(unquote(part) for part in path.removeprefix("/").split("/"))


def split_url(text: str) -> SplitResult:
    """Return the parts of an address; an empty one for invalid text."""
    try:
        return urlsplit(text)
    except ValueError:
        return urlsplit("//nowhere/nothing")


@dataclass(frozen=True)
class Site:
    """The page of some games, titles by id; `load` loads a game by its id."""

    games: Mapping[str, str]
    load: Callable[[str], Game]
    drawing_cache: dict[str, Response] = field(default_factory=dict)
    """A cache of pictures."""
    saves: Saves = field(default_factory=Saves)
    scenario: str = ""
    """The scenario to show first."""

    def longest(self, target: str) -> int:
        """Return the maximum size of a question, in bytes: a save is long, others aren't."""
        return MAX_BODY if self.question(target) == "open" else MOST_ASKED

    def question(self, target: str) -> str:
        """Return the name of the question in an address; empty where there is no such question."""
        match parse_route(target):
            case ["api", key, name] if key in self.games and (name in QUESTIONS or name in OTHER_ROUTES):
                return name
        return ""

    def may_look(self, target: str) -> bool:
        """Whether a question changes nothing, so that read-only devices may ask it."""
        name = self.question(target)
        return name in QUESTIONS or name == "faces"

    def get(self, target: str) -> Response:
        """Return a page, an asset, a picture, or information about a game, computed at once."""
        return self._done(self.plan_get(target))

    def post(self, target: str, body: bytes) -> Response:
        """Return the answer to a question, computed at once."""
        return self._done(self.plan_post(target, body))

    def _done(self, plan: Response | Job) -> Response:
        return plan if isinstance(plan, Response) else self.keep(plan, plan.done(self.load(plan.game)))

    def plan_get(self, target: str) -> Response | Job:
        """Return the response to a request, or the job that produces it."""
        parts = parse_route(target)
        cache_key = "\0".join(parts)
        if cache_key in self.drawing_cache:
            return self.drawing_cache[cache_key]
        match parts:
            case [""]:
                return asset("page.html")
            case [name] if name in ASSETS:
                return asset(name)
            case ["font", weight]:
                return font(weight)
            case ["data", "games.json"]:
                return json_response(
                    [{"id": key, "title": title, "scenario": self.scenario} for key, title in self.games.items()]
                )
            case ["data", key, "about.json"] if key in self.games:
                return Job(key, about, (), cache_key)
            case ["data", key, "map", file] if key in self.games and file.endswith(".svg"):
                return Job(key, map_of, (file.removesuffix(".svg"),), cache_key)
            case ["data", key, "spots", file] if key in self.games and file.endswith(".json"):
                return Job(key, spots, (file.removesuffix(".json"),), cache_key)
            case ["data", key, "pieces", file] if key in self.games and file.endswith(".json"):
                return Job(key, pieces, (file.removesuffix(".json"),), cache_key)
            case ["api", key, "pieces", scenario, save] if key in self.games:
                return or_error(lambda: Job(key, pieces, (scenario, self.saves.position(self.load(key), save))))
            case ["api", key, "waiting", scenario, turn] if key in self.games:
                return Job(key, waiting, (scenario, turn))
            case ["api", key, "waiting", scenario, turn, save] if key in self.games:
                return or_error(lambda: Job(key, waiting, (scenario, turn, self.saves.position(self.load(key), save))))
            case ["api", key, "away", scenario, save] if key in self.games:
                return or_error(lambda: Job(key, pieces_off_map, (scenario, self.saves.position(self.load(key), save))))
            case ["api", key, "given", scenario] if key in self.games:
                return Job(key, given, (scenario,))
            case ["api", key, "given", scenario, save] if key in self.games:
                return or_error(lambda: Job(key, given, (scenario, self.saves.position(self.load(key), save))))
            case ["api", key, "position", save] if key in self.games:
                return or_error(lambda: Job(key, position_file, (self.saves.position(self.load(key), save),)))
            case ["api", key, "vassal", save] if key in self.games:
                return or_error(lambda: Job(key, vassal_save, (self.saves.position(self.load(key), save),)))
            case ["api", key, "saves"] if key in self.games:
                return json_response(self.saves.list_saves(self.load(key)))
            case ["api", key, "scenario", scenario] if key in self.games:
                return Job(key, scenario_card, (scenario,))
        return wrong("there is no such page", 404)

    def plan_post(self, target: str, body: bytes) -> Response | Job:
        """Return the response to a question, or the job that produces it."""
        parts = parse_route(target)
        if len(parts) != 3 or parts[0] != "api":
            return wrong("there is no such page", 404)
        _, key, name = parts
        if key not in self.games:
            return wrong(f"there is no game {key!r}; {suggest(key, self.games)}", 404)
        if name not in QUESTIONS and name not in OTHER_ROUTES:
            return wrong(f"there is no question {name!r}; {suggest(name, [*QUESTIONS, *OTHER_ROUTES])}", 404)
        try:
            request_body = json.loads(body)
        except (ValueError, RecursionError):
            return wrong("a question must be JSON and not nested too deeply")
        if not isinstance(request_body, dict):
            return wrong("a question must be a JSON object")
        if name == "faces":
            return Job(key, faces, (request_body.get("faces"),))
        return or_error(lambda: self._ask(key, name, request_body))

    def _ask(self, key: str, name: str, body: dict[str, Any]) -> Response | Job:
        """Plan a question. `position`, in the question itself or among its inputs, names an opened save."""
        if name == "open":
            return json_response(self.saves.open(self.load(key), body))
        if name == "play":
            return self._table(self.load(key), body)
        body = self._with_position(key, body)
        if name == "ask" and isinstance(inputs := body.get("inputs"), dict):
            body = {**body, "inputs": self._with_position(key, inputs)}
        return Job(key, answer, (name, body))

    def _table(self, game: Game, body: dict[str, Any]) -> Response:
        """Start a live table (`begin`: a scenario or an open save), change it (`table`, `version`, `change`) or end
        it (`end`)."""
        if "begin" in body:
            start = body["begin"]
            is_scenario = isinstance(start, str) and start in game.scenarios
            position = from_scenario(game, str(start)) if is_scenario else self.saves.position(game, start)
            name = str(body.get("name") or (game.scenarios[str(start)].title if is_scenario else "Table"))[:60]
            return json_response(self.saves.table(game, self.saves.live.begin(game, position, name)))
        if "end" in body:
            self.saves.live.end(game, body["end"])
            return json_response({})
        table = self.saves.live.change(game, body.get("table"), body.get("version"), body.get("change"))
        return json_response(self.saves.table(game, table))

    def _with_position(self, key: str, fields: dict[str, Any]) -> dict[str, Any]:
        if fields.get("position") in (None, ""):
            return fields
        return {**fields, "position": self.saves.position(self.load(key), fields["position"])}

    def keep(self, job: Job, response: Response) -> Response:
        """Keep a response that has a name; each has one name, however its address is spelled."""
        if job.name and response.status == 200 and len(self.drawing_cache) < MOST_DRAWN:
            self.drawing_cache[job.name] = response
        return response


def site_of(game: Game | None) -> Site:
    """Return the page of one game, or of none yet."""
    games = {game.id: game} if game is not None else {}
    return Site({key: listed_game.title for key, listed_game in games.items()}, games.__getitem__)


# The jobs: work for a game.


def about(game: Game) -> Response:
    """Return what the page needs to know about a game."""
    return json_response(about_game(game))


def answer(game: Game, name: str, body: dict[str, Any]) -> Response:
    """Return the answer to a question."""
    return json_response(QUESTIONS[name](game, body))


def scenario_card(game: Game, scenario: str) -> Response:
    """Return a scenario as text."""
    if scenario not in game.scenarios:
        return wrong(f"there is no scenario {scenario!r}; {suggest(scenario, game.scenarios)}", 404)
    return json_response({"nodes": as_nodes(answer_question(SCENARIO, game, {"scenario": scenario}))})


def faces(game: Game, names: Any) -> Response:
    """Return many faces at once, each written `counter/front` or `counter/back`; faces that don't exist or can't be
    drawn are left out."""
    if not isinstance(names, list) or len(names) > MOST_FACES or not all(isinstance(name, str) for name in names):
        raise BadQuestion(f"faces must be a list of at most {MOST_FACES} names such as 'UNIT/front'")
    from assistant.page.pictures import counter_picture  # a browser has no art

    svg_by_name = {}
    for name in names:
        piece, _, side = name.rpartition("/")
        with contextlib.suppress(ValueError):  # a name that is too wide for its counter: the page writes it instead
            if side in ("front", "back") and (picture := counter_picture(game, piece, side == "back")) is not None:
                svg_by_name[name] = picture.decode("utf-8")
    return json_response(svg_by_name)


def map_of(game: Game, scenario: str) -> Response:
    """The map of a scenario."""
    from assistant.page.pictures import map_picture  # a browser has no art

    return _picture(map_picture(game, scenario))


def spots(game: Game, scenario: str) -> Response:
    """Return the positions of a map's places on its picture."""
    from assistant.page.pictures import map_spots  # a browser has no art

    map_places = map_spots(game, scenario)
    return wrong(f"there is no scenario {scenario!r}", 404) if map_places is None else json_response(map_places)


def pieces(game: Game, scenario: str, position: Position | None = None) -> Response:
    """Return the pieces on the map of a scenario; by default at its start."""
    if scenario not in game.scenarios:
        return wrong(f"there is no scenario {scenario!r}; {suggest(scenario, game.scenarios)}", 404)
    map = game.scenario_maps[scenario]
    stacks: dict[str, list[dict[str, Any]]] = {}
    for piece in (position or from_scenario(game, scenario)).pieces:
        place = format_location(map, piece.at)
        if place.partition(":")[0] not in WAITING:
            stacks.setdefault(place, []).append(_piece(game, scenario, piece))
    return json_response(stacks)


def waiting(game: Game, scenario: str, turn: str, position: Position | None = None) -> Response:
    """Return the pieces that are due on a turn."""
    if scenario not in game.scenarios:
        return wrong(f"there is no scenario {scenario!r}; {suggest(scenario, game.scenarios)}", 404)
    position = position or from_scenario(game, scenario)
    return json_response([_piece(game, scenario, piece) for piece in position.pieces if piece.at == f"turn:{turn}"])


def pieces_off_map(game: Game, scenario: str, position: Position) -> Response:
    """Return the pieces that aren't on the map, by where they wait."""
    if scenario not in game.scenarios:
        return wrong(f"there is no scenario {scenario!r}; {suggest(scenario, game.scenarios)}", 404)
    places: dict[str, list[dict[str, Any]]] = {}
    for piece in position.pieces:
        if isinstance(piece.at, str) and piece.at.partition(":")[0] in WAITING:
            places.setdefault(piece.at, []).append(_piece(game, scenario, piece))
    return json_response(places)


def given(game: Game, scenario: str, position: Position | None = None) -> Response:
    """Return the inputs that a scenario or a position gives to every attack, by attack, side and input, such as the
    turn."""
    if scenario not in game.scenarios:
        return wrong(f"there is no scenario {scenario!r}; {suggest(scenario, game.scenarios)}", 404)
    if scenario not in game.scenario_maps:
        return json_response({})
    field = asked_field(game, {"position": position or from_scenario(game, scenario)})
    input_values = {key: {side: scenario_inputs(field, key, side) for side in field.sides} for key in game.attacks}
    texts = {
        key: {
            side: {
                name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in of_side.items()
            }
            for side, of_side in sides.items()
        }
        for key, sides in input_values.items()
    }
    return json_response(texts)


def position_file(game: Game, position: Position) -> Response:
    """Return a position as a position file."""
    return Response(200, "application/yaml; charset=utf-8", as_text(game, position).encode("utf-8"))


def _piece(game: Game, scenario: str, piece: Piece) -> dict[str, Any]:
    view = view_piece(game, piece, game.scenarios[scenario])
    return {
        "unit": piece.unit,
        "copy": piece.copy,
        "name": view.display_name,
        "side": view.face,
        "player": view.side,
        "marker": piece.unit not in game.units,
        "turned": view.back_state if view.back_state in piece.states else "",
        "states": sorted(piece.states - {view.back_state}),
        "lost": piece.steps_lost,
    }


def _picture(picture: bytes | None) -> Response:
    return wrong("there is no such picture", 404) if picture is None else Response(200, SVG, picture)


@functools.cache
def asset(name: str) -> Response:
    """Return a file of the page itself."""
    return Response(200, ASSETS[name], (resources.files("assistant.page") / "assets" / name).read_bytes())


@functools.cache
def font(weight: str) -> Response:
    """Return the font of counters and maps."""
    from art.text import font_files  # a browser has no art

    files = {f"{key}.ttf": path for key, path in font_files().items()}
    if weight not in files:
        return wrong("there is no such font", 404)
    return Response(200, "font/ttf", files[weight].read_bytes())
