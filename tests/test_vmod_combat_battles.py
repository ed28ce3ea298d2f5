"""Random battles by a module's own expressions come to what the assistant says. (In the real engine: make check-engine.)"""

from __future__ import annotations

import pytest

from modgen.vmod.lock import Lock
from scenarios import load, shipped
from scenarios.maps import HexMap
from tests.engine.battles import Ring
from tests.engine.run import differences, replies, widest
from tests.machine import Machine


@pytest.mark.parametrize("name", shipped())
def test_random_battles_come_to_the_assistants_numbers(name: str) -> None:
    game = load(name)
    lock = Lock()
    gpids = {key: lock.gpid(key) for key in (*game.units, *game.markers)}
    scenario = widest(game)
    ring = Ring(game, scenario, lock, seed=7)
    table = game.scenario_maps[scenario]
    names = {
        (str(x), str(y)): table.name(key) if isinstance(table, HexMap) else table.points[key].name
        for key, x, y in ring.places
    }
    machine = Machine(game, scenario, gpids, ring.turn)
    met = 0
    for attack in game.attacks:
        fights = [ring.fight(attack) for _ in range(12)]
        lines = list(machine.obey((order for fight in fights for order in fight.orders), names))
        for fight, (told, chat) in zip(fights, replies(lines), strict=True):
            assert list(differences(game, fight, told, chat)) == [], (attack, fight.orders)
            met += fight.expected is not None
            assert any(game.attacks[attack].title in line for line in chat)
    assert met > 5 * len(game.attacks)
