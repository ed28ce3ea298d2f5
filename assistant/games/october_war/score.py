"""Victory points and sudden death in October War (4.0, 7.0)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.games.october_war.ground import Ground, ground
from assistant.games.october_war.limits import LOST, SHIELD, limit
from assistant.shared.asking import Options, Said, asked_position
from assistant.shared.options import whole, word
from assistant.shared.scoring import Score, counted, held, level, scenario_of, score_json, score_text
from scenarios.game import Game
from scenarios.resolve import Location, Resolver
from scenarios.scenario import Scenario, Victory

TRACKS = ("israeli", "egyptian", "syrian")
NAMES = {
    "israeli": "Israeli casualty points",
    "egyptian": "Arab casualty points in the Sinai",
    "syrian": "Arab casualty points on the Golan",
    "position": "a position file",
    "scenario": "the start of a scenario, instead of a position",
}
Casualties = Mapping[str, int]


def score(here: Ground, casualties: Casualties) -> Score:
    """The points of both sides (4.2), the level of victory (4.3), and sudden death if the turn ended now (4.1)."""
    game = here.game
    scenario = scenario_of(game, here.position)
    points = {"arab": casualties["israeli"], "israeli": casualties["egyptian"] + casualties["syrian"]}

    def occupied(side: str, spot: Location) -> bool:
        return here.holds(side, str(spot))

    def controlled(side: str, spot: Location) -> bool:
        return here.control.get(str(spot)) == side

    lines = counted(game, scenario, here.map, occupied, controlled, (), lambda line: points[line.side])
    total = Score(lines, "")
    lead = total.total("arab") - total.total("israeli")
    won = tuple(_sudden(here, scenario, casualties))
    return Score(lines, level(game, lead), won)


def _sudden(here: Ground, scenario: Scenario, casualties: Casualties) -> Iterator[tuple[str, str]]:
    """4.1, read as the ruling on its and and or says."""
    resolver = Resolver(here.map, dict(scenario.zones))

    def zone(name: str) -> frozenset[str]:
        found = scenario.zones.get(name)
        return frozenset(map(str, resolver.places(found))) if found else here.map.in_area(name)

    def any_of(side: str, *names: str) -> bool:
        return any(here.holds(side, point) for name in names for point in zone(name))

    def whole(line: Victory) -> bool:
        holds = here.holds if line.event == "occupied" else lambda side, point: here.control.get(point) == side
        spots = held(scenario, here.map, line, lambda s, p: holds(s, str(p)), lambda s, p: holds(s, str(p)))
        return len(spots) >= line.least

    driven_out = not any_of("israeli", "arab_strongholds")
    over = casualties["israeli"] > limit(here.game, LOST, "israeli")
    arab_over = max(casualties["egyptian"], casualties["syrian"]) > limit(here.game, LOST, "arab")
    shielded = casualties["israeli"] > limit(here.game, SHIELD, "israeli")
    for line in scenario.victory:
        if not line.wins:
            continue
        if line.at is None:
            wins = over if line.side == "arab" else arab_over and not shielded
        elif line.side == "arab":
            sinai = any(point in zone("bar_lev_line") for point in _spots(scenario, here, line))
            front = any_of("arab", "arab_objectives_sinai" if sinai else "arab_objectives_golan")
            wins = whole(line) and front and driven_out
        else:
            forts = all(here.holds("israeli", point) for point in zone("syrian_forts"))
            wins = whole(line) and forts and not any_of("arab", "bar_lev_line", "west_of_purple_line")
        if wins:
            yield line.side, line.text


def _spots(scenario: Scenario, here: Ground, line: Victory) -> frozenset[str]:
    assert line.at is not None
    return frozenset(map(str, Resolver(here.map, dict(scenario.zones)).places(line.at)))


def score_answer(game: Game, options: Options) -> Said:
    """The score of a position, with the casualty points that are told."""
    here = ground(game, asked_position(game, options))
    casualties = {track: whole(options, track) for track in TRACKS}
    found = score(here, casualties)

    def name(spot: Location) -> str:
        return here.map.points[str(spot)].name

    json = score_json(game, found, name) | {"casualties": casualties}
    return json, [*score_text(game, found, name), *_asked(game, options, casualties)]


def _asked(game: Game, options: Options, casualties: Casualties) -> Iterator[str]:
    """How far each track is from its end, and what isn't told."""
    for track, points in casualties.items():
        end = limit(game, LOST, "israeli" if track == "israeli" else "arab")
        yield f"{track} casualty points: {points}, the game ends above {end} (4.1)"
    missing = [track for track in TRACKS if not word(options, track)]
    if missing:
        yield f"casualty points not told count as 0: {missing[0]}=NUMBER"
