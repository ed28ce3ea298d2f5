"""Random battles by a module's own expressions come to what the assistant says. (In the real engine: make check-engine.)"""

from __future__ import annotations

import pytest

from modgen.vmod.files.lock import Lock
from scenarios import load, shipped_games
from scenarios.model.maps import HexMap
from tests.engine.battles import Fight, Ring
from tests.engine.run import differences, replies, widest
from tests.machine import Machine


def likeliest(fight: Fight) -> list[str]:
    """The likeliest result as the chat gives it, of the attack or of each target."""
    answer = fight.expected_answer
    if answer is None or answer.column is None:
        return []
    all_chances = [target.chances for target in answer.targets] if answer.targets else [answer.chances]
    return [f"{float(100 * max(chances.values())):.0f}%" for chances in all_chances if chances]


@pytest.mark.parametrize("name", shipped_games())
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
    comparison_count = 0
    for attack in game.attacks:
        fights = [ring.fight(attack) for _ in range(12)]
        lines = list(machine.obey((order for fight in fights for order in fight.orders), names))
        for fight, (values, chat) in zip(fights, replies(lines), strict=True):
            assert list(differences(game, fight, values, chat)) == [], (attack, fight.orders)
            comparison_count += fight.expected_answer is not None
            for chance in likeliest(fight):
                assert any(chance in line for line in chat), (chance, chat)
            assert any(game.attacks[attack].title in line for line in chat)
    assert comparison_count > 5 * len(game.attacks)
