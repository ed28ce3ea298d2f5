"""The page's server under load: clients that ask the odds of a small battle, one after the other."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator, Mapping

from assistant.page.jobs import GameSource
from assistant.page.server import Server
from assistant.page.site import Site
from assistant.page.workers import Workers
from scenarios import load

GAME = "yom_kippur"
BATTLE = {
    "attack": "ground",
    "groups": {
        "attackers": [{"unit": "reshef_arm_bde_a"}, {"unit": "shom_arm_bde_a"}],
        "defenders": [{"unit": "inf_2_4"}],
    },
}
SUPPLY = {"question": "supply", "inputs": {"scenario": "4.5"}}
SECONDS = 4.0


def figures() -> Iterator[str]:
    """Answers a second, waiting times and lost connections."""
    for clients in (50, 200):
        rate, slow_ms, lost_count = _measure_load(2, clients, "odds", BATTLE)
        limit_text = "promised 300, 250, 0" if clients == 50 else "promised 0 lost"
        speed = f"{rate:.0f} answers a second, 95 in 100 within {slow_ms:.0f} ms"
        yield f"page, odds, {clients} clients: {speed}, {lost_count} lost ({limit_text})"
    single_rate, two = (_measure_load(workers, 10, "ask", SUPPLY)[0] for workers in (1, 2))
    yield f"page, supply, 10 clients: {single_rate:.0f} answers a second by one worker, {two / single_rate:.1f} times that by two"


def _measure_load(workers: int, clients: int, question: str, inputs: Mapping[str, object]) -> tuple[float, float, int]:
    site = Site({GAME: GAME}, load)
    server = Server("127.0.0.1", 0, site, (), {GAME: GameSource(GAME)}, Workers(workers))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    asyncio.run(_ask(server.address, question, inputs, workers, 1.0))  # so that every worker has loaded the game
    times, lost_count, run_time = asyncio.run(_ask(server.address, question, inputs, clients, SECONDS))
    server.shutdown()
    thread.join(10)
    return len(times) / run_time, sorted(times)[int(len(times) * 0.95)] * 1000, lost_count


async def _ask(
    address: tuple[str, int], question: str, inputs: Mapping[str, object], clients: int, seconds: float
) -> tuple[list[float], int, float]:
    body = json.dumps(inputs).encode()
    head = (
        f"POST /api/{GAME}/{question} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\nContent-Type: application/json\r\n"
    )
    request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    times: list[float] = []
    lost_count = 0
    began = time.perf_counter()

    async def client() -> None:
        nonlocal lost_count
        try:
            reader, writer = await asyncio.open_connection(*address)
            while (start := time.perf_counter()) < began + seconds:
                writer.write(request)
                status = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line[15:]) for line in status.lower().split(b"\r\n") if line.startswith(b"content-length:")
                )
                await reader.readexactly(length)
                times.append(time.perf_counter() - start)
                lost_count += b" 200 " not in status[:20]
            writer.close()
        except (OSError, asyncio.IncompleteReadError):
            lost_count += 1

    await asyncio.gather(*(client() for _ in range(clients)))
    return times, lost_count, time.perf_counter() - began
