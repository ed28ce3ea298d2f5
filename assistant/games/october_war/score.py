"""Victory points and sudden death in October War (4.0, 7.0)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.attacks import BadQuestion
from assistant.games.october_war.ground import Ground, ground
from assistant.shared.asking import Options, Said, amount, asked_position, told
from assistant.shared.scoring import Score, counted, held, level, scenario_of, score_json, score_text
from scenarios.game import Game
from scenarios.resolve import Location, Resolver
from scenarios.scenario import Scenario, Victory

TRACKS = ("israeli", "egyptian", "syrian")
ISRAELI_LIMIT, ARAB_LIMIT = 70, 60  # 4.1, 7.2, 7.3: casualties above these end the game
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
    over = casualties["israeli"] > ISRAELI_LIMIT
    arab_over = max(casualties["egyptian"], casualties["syrian"]) > ARAB_LIMIT
    for line in scenario.victory:
        if not line.wins:
            continue
        if line.at is None:
            wins = over if line.side == "arab" else arab_over and casualties["israeli"] <= ARAB_LIMIT
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
    """The score of a position; `tell` has the casualty points: israeli=12, egyptian=20, syrian=15."""
    here = ground(game, asked_position(game, options))
    given = told(tuple(options.get("tell") or ()), TRACKS)
    casualties = {track: int(amount(track, given.get(track, "0"))) for track in TRACKS}
    if min(casualties.values()) < 0:
        raise BadQuestion("casualty points are never below 0 (7.5)")
    found = score(here, casualties)

    def name(spot: Location) -> str:
        return here.map.points[str(spot)].name

    json = score_json(game, found, name) | {"casualties": casualties}
    return json, [*score_text(game, found, name), *_asked(given)]


def _asked(given: Mapping[str, str]) -> Iterator[str]:
    missing = [track for track in TRACKS if track not in given]
    if missing:
        yield f"casualty points not told count as 0: --tell {missing[0]}=NUMBER"
