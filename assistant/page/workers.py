"""Runs work for the processor in processes of their own: a worker pool with a job limit and a time limit.

A job is a function of a game and some arguments. Each process loads a game when a job first needs it, and keeps it.
A job that takes too long ends its process; the next job gets a new one.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import queue
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from multiprocessing.connection import Connection

from assistant.page.jobs import GameSource, Job
from assistant.page.response import Response, wrong
from scenarios.model.game import Game
from scenarios.pack.loading import load

MOST_WAITING = 400
"""The maximum number of waiting jobs; a further request is told to try again."""
LONGEST = 60.0
"""The seconds that a job may take."""
TOO_LONG = "that takes longer than a minute; ask for less at once"
BUSY = "there are too many questions at once; try again in a moment"


@functools.cache
def load_once(source: GameSource) -> Game:
    """Load a game, once for each process."""
    return load(source.pack, source.overlays, source.standing)


def _work(calls: Connection) -> None:
    """Run a process: read jobs and write answers until its input is closed."""
    while True:
        try:
            source, job = calls.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            response = job.done(load_once(source))
        except Exception as error:  # the pack itself can't be loaded
            response = wrong(str(error))
        calls.send(response)


@dataclass
class _Process:
    """A process and its connection; it starts on demand."""

    process: multiprocessing.process.BaseProcess | None = None
    calls: Connection | None = None

    def ask(self, source: GameSource, job: Job) -> Response:
        """Return the answer to a job; replace a process that takes too long or dies."""
        if self.process is None or self.calls is None or not self.process.is_alive():
            self._start()
        assert self.calls is not None
        try:
            self.calls.send((source, job))
            if self.calls.poll(LONGEST):
                answer: Response = self.calls.recv()
                return answer
        except (EOFError, OSError):
            self.end()
            return wrong("the worker process has stopped; ask again", 500)
        self.end()
        return wrong(TOO_LONG, 503)

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.calls, child_end = context.Pipe()
        self.process = context.Process(target=_work, args=(child_end,), daemon=True)
        self.process.start()
        child_end.close()

    def end(self) -> None:
        """Accept no more jobs."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
        if self.calls is not None:
            self.calls.close()
        self.process = self.calls = None


class Workers:
    """Some processes and the jobs that wait for them."""

    def __init__(self, count: int = 0) -> None:
        self.count = count or max(1, min(8, os.cpu_count() or 1))
        self._waiting: queue.Queue[tuple[GameSource, Job, Future[Response]] | None] = queue.Queue(MOST_WAITING)
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(self.count)]
        for thread in self._threads:
            thread.start()

    def ask(self, source: GameSource, job: Job) -> Future[Response]:
        """Return the answer to a job, within the time limit."""
        future: Future[Response] = Future()
        try:
            self._waiting.put_nowait((source, job, future))
        except queue.Full:
            future.set_result(wrong(BUSY, 503))
        return future

    def _serve(self) -> None:
        process = _Process()
        while (task := self._waiting.get()) is not None:
            source, job, future = task
            if future.set_running_or_notify_cancel():
                future.set_result(process.ask(source, job))
        process.end()

    def close(self) -> None:
        """End every process once its job is done."""
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join(5)
