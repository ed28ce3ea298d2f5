"""The page's server under load: clients that ask the odds of a small battle, one after the other."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator, Mapping

from assistant.page.jobs import Source
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
SUPPLY = {"question": "supply", "told": {"scenario": "4.5"}}
SECONDS = 4.0


def figures() -> Iterator[str]:
    """Answers a second, waiting times and lost connections."""
    for clients in (50, 200):
        rate, late, lost = _loaded(2, clients, "odds", BATTLE)
        promised = "promised 300, 250, 0" if clients == 50 else "promised 0 lost"
        yield f"page, odds, {clients} clients: {rate:.0f} answers a second, 95 in 100 within {late:.0f} ms, {lost} lost ({promised})"
    one, two = (_loaded(workers, 10, "ask", SUPPLY)[0] for workers in (1, 2))
    yield f"page, supply, 10 clients: {one:.0f} answers a second by one worker, {two / one:.1f} times that by two"


def _loaded(workers: int, clients: int, question: str, told: Mapping[str, object]) -> tuple[float, float, int]:
    site = Site({GAME: GAME}, load)
    server = Server("127.0.0.1", 0, site, (), {GAME: Source(GAME)}, Workers(workers))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    asyncio.run(_ask(server.address, question, told, workers, 1.0))  # so that every worker has loaded the game
    times, lost, spent = asyncio.run(_ask(server.address, question, told, clients, SECONDS))
    server.shutdown()
    thread.join(10)
    return len(times) / spent, sorted(times)[int(len(times) * 0.95)] * 1000, lost


async def _ask(
    address: tuple[str, int], question: str, told: Mapping[str, object], clients: int, seconds: float
) -> tuple[list[float], int, float]:
    body = json.dumps(told).encode()
    head = (
        f"POST /api/{GAME}/{question} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\nContent-Type: application/json\r\n"
    )
    request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    times: list[float] = []
    lost = 0
    began = time.perf_counter()

    async def client() -> None:
        nonlocal lost
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
                lost += b" 200 " not in status[:20]
            writer.close()
        except (OSError, asyncio.IncompleteReadError):
            lost += 1

    await asyncio.gather(*(client() for _ in range(clients)))
    return times, lost, time.perf_counter() - began
