"""The page as an ASGI application: who gets an answer, how much it accepts, what it sends.

Answers need no state, so any number of these can run behind a proxy. Open saves and live tables belong to the
process that opened them.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hmac
import ipaddress
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, quote, unquote

from assistant.page.jobs import GameSource, Job
from assistant.page.mount import Mount
from assistant.page.response import Response, text_response, wrong
from assistant.page.site import CHANGES, Site, parse_route, split_url
from assistant.page.workers import Workers

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
News = Callable[[str], Coroutine[Any, Any, str]]
"""Returns the next line of news after the last one seen."""

WORTH = 2000
"""Answers of at least this many bytes are compressed, for a phone on a slow network."""
SMALL = 100_000
"""Questions up to this many bytes are accepted at any time; longer ones, which are saves, one after the other."""
PATIENCE = 20.0
"""The seconds that a save may wait for its turn, and that a body may take beyond the time for its length."""
SLOWEST = 50_000
"""The minimum speed of a body, in bytes per second."""
MOST_RECEIVED = 64_000_000
"""The maximum size of all unfinished bodies together, in bytes."""
MOST_LISTENERS = 200
"""The maximum number of pages that follow the news."""
LOOK = 1.0
"""The seconds between two checks of a watched save."""
KEEP_ALIVE = 15.0
POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SAFE = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "content-security-policy": POLICY}
EVENTS = {**SAFE, "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no"}
BUSY = "another save is being read; try again in a moment"
LATE = "the question did not arrive in time; try again"
CROWDED = "{} pages follow this server already; close one and load this page again"
LENGTH = "a question must give its length, at most {} bytes; ask a shorter question"
STRANGER = "this page isn't served under the name {!r}; open the address that `assistant serve` printed, or add --name"
OTHER_SITE = "this server only answers its own page, not {}"
NO_TOKEN = "this page asks for a token; open the whole address that `assistant serve` printed, with ?token= in it"
ONLY_LOOKING = "this link is for spectators; open the address with the other token to change anything"


class Disconnected(Exception):
    """The browser disconnected early."""


class Unread(Exception):
    """A body that isn't read to its end, and the response to it."""

    def __init__(self, response: Response) -> None:
        self.response = response


class Application:
    """The page of a site.

    With a `token` every request needs it: in the address, and from then on in a cookie; `look` is a token for
    read-only access. `names` are the names of this machine that requests may use, besides its own address. Without
    `workers` all work is done in this process.
    """

    def __init__(
        self,
        site: Site,
        names: Collection[str] = ("localhost",),
        token: str = "",
        look: str = "",
        sources: Mapping[str, GameSource] | None = None,
        workers: Workers | None = None,
        mounts: Mapping[str, Mount] | None = None,
    ) -> None:
        self.site, self.token, self.look = site, token, look
        self.mounts = mounts or {}
        self.names = {name.lower() for name in names}
        self.sources, self.workers = sources or {}, workers
        self.closing: Callable[[], bool] = lambda: False
        """Whether the server is about to end; pages that follow the news are then disconnected."""
        self._saves = asyncio.Lock()
        self._received = 0
        """The number of bytes of unfinished bodies now."""
        self._listeners = 0
        self._news = asyncio.Event()
        """Set when somebody opens a save or changes a table."""
        self._making: dict[str, asyncio.Future[Response]] = {}
        """What is being computed under a name: later requests wait for the same result."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an HTTP request."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        try:
            response = self.refusal(request)
            news = self._news_source(request) if response is None else None
            if news is not None:
                response = await self._listen(request, news, send)
                if response is None:
                    return
            response = response or await self._answer(request)
        except Disconnected:
            return
        if request.method == "POST" and self.site.question(request.target) in CHANGES:
            self._news.set()
            self._news = asyncio.Event()
        await self._send(request, response, send)

    # Access.

    def refusal(self, request: Request) -> Response | None:
        """Refuse requests that another site sends through the player's browser, and requests of strangers on the
        network."""
        host, origin = request.header("host"), request.header("origin", None)
        if not self._is_own_host(split_url(f"//{host}").hostname or "", request):
            return wrong(STRANGER.format(host), 403)
        if origin is not None and split_url(origin).netloc != host:
            return wrong(OTHER_SITE.format(origin), 403)
        if self.token and not self._knows(request, self.token):
            if not self._knows(request, self.look):
                return text_response(NO_TOKEN, 403) if request.path == "/" else wrong(NO_TOKEN, 403)
            if request.method not in ("GET", "HEAD") and not self.site.may_look(request.target):
                return wrong(ONLY_LOOKING, 403)
        return None

    def _is_own_host(self, host: str, request: Request) -> bool:
        """Whether a host is this server: one of its names, or the very address of the connection.

        A name that another site has pointed at this machine is neither.
        """
        try:
            return _address(host) == _address(request.server[0])
        except ValueError:
            return host.lower() in self.names

    def _knows(self, request: Request, token: str) -> bool:
        """Whether the request has a token, in its address or in the cookie."""
        tokens = parse_qs(request.query).get("token", [])
        try:
            cookie = SimpleCookie(request.header("cookie")).get(request.cookie)
        except CookieError:
            cookie = None
        tokens += [cookie.value] if cookie is not None else []
        return bool(token) and any(hmac.compare_digest(given_token.encode(), token.encode()) for given_token in tokens)

    # News.

    def _news_source(self, request: Request) -> News | None:
        """Return the source of the news that a request wants to follow: GET api/GAME/live, or events of a mounted
        page.

        It gives the next line, or after a moment the last one again.
        """
        if request.method != "GET":
            return None
        name, path = request.split_mount
        if (mount := self.mounts.get(name)) is not None:
            return (lambda last_line: asyncio.to_thread(mount.news, last_line, LOOK)) if path == "events" else None
        match parse_route(request.target):
            case ["api", game, "live"] if game in self.site.games:
                return self._saves_news(game)
        return None

    def _saves_news(self, game: str) -> News:
        """Return the versions of the saves and tables of a game."""
        change = self._news

        async def next_line(last_line: str) -> str:
            nonlocal change
            if last_line:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(change.wait(), LOOK)
            change = self._news  # before reading the list, so that no change is missed
            saves = await asyncio.to_thread(lambda: self.site.saves.list_saves(self.site.load(game)))
            return json.dumps([[save["id"], save["version"]] for save in saves])

        return next_line

    async def _listen(self, request: Request, next_line: News, send: Send) -> Response | None:
        """Send news to a device for as long as it listens; or return the refusal if there are too many listeners."""
        if self._listeners >= MOST_LISTENERS:
            return wrong(CROWDED.format(MOST_LISTENERS), 503)
        self._listeners += 1
        disconnect_task = asyncio.ensure_future(request.wait_for_disconnect())
        last_line, quiet = "", 0.0
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _pairs(EVENTS)})
            while not (disconnect_task.done() or self.closing()):
                news = asyncio.ensure_future(next_line(last_line))
                await asyncio.wait({disconnect_task, news}, return_when=asyncio.FIRST_COMPLETED)
                if not news.done():
                    news.cancel()
                    break
                line = news.result()
                quiet = quiet + LOOK if line == last_line else 0.0
                if line != last_line or quiet > KEEP_ALIVE:
                    text = f"data: {line}\n\n" if line != last_line else ": still here\n\n"
                    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
                    last_line, quiet = line, 0.0
            if not disconnect_task.done():
                await send({"type": "http.response.body", "body": b""})
        finally:
            self._listeners -= 1
            disconnect_task.cancel()
        return None

    # Answers.

    async def _answer(self, request: Request) -> Response:
        mount = self.mounts.get(request.split_mount[0])
        if request.method in ("GET", "HEAD"):
            if mount is not None:
                return await self._done(await asyncio.to_thread(self._safely, mount.get, request.split_mount[1]))
            return await self._done(await asyncio.to_thread(self._safely, self.site.plan_get, request.target))
        if request.method != "POST":
            return wrong("this page takes GET and POST", 405)
        max_length = mount.longest(request.split_mount[1]) if mount is not None else self.site.longest(request.target)
        length = request.header("content-length")
        if not length.isdecimal() or len(length) > len(str(max_length)) or int(length) > max_length:
            return wrong(LENGTH.format(max_length), 413)
        if request.header("content-type").partition(";")[0].strip().lower() != "application/json":
            return wrong("a question must be JSON", 415)
        try:
            body = await self._body(request, int(length))
        except Unread as unread:
            return unread.response
        if int(length) <= SMALL and self.site.question(request.target) != "open":
            return await self._answer_request(request, body)
        try:
            await asyncio.wait_for(self._saves.acquire(), PATIENCE)
        except TimeoutError:
            return wrong(BUSY, 503)
        try:
            return await self._answer_request(request, body)
        finally:
            self._saves.release()

    async def _body(self, request: Request, length: int) -> bytes:
        """Read the body, `length` bytes and no more. It must arrive in time, and no other request waits for it."""
        pieces: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(PATIENCE + length / SLOWEST):
                async for piece in request.pieces():
                    pieces.append(piece)
                    size += len(piece)
                    self._received += len(piece)
                    if size > length:
                        raise Disconnected
                    if self._received > MOST_RECEIVED:
                        raise Unread(wrong(BUSY, 503))
        except TimeoutError:
            raise Unread(wrong(LATE, 408)) from None
        finally:
            self._received -= size
        return b"".join(pieces)

    async def _answer_request(self, request: Request, body: bytes) -> Response:
        if (mount := self.mounts.get(request.split_mount[0])) is not None:
            return await self._done(await asyncio.to_thread(self._safely, mount.post, request.split_mount[1], body))
        return await self._done(await asyncio.to_thread(self._safely, self.site.plan_post, request.target, body))

    async def _done(self, plan: Response | Job) -> Response:
        """Return a response as it is, or the response that a job produces."""
        if isinstance(plan, Response):
            return plan
        if not plan.name:
            return await self._run_job(plan)
        if plan.name not in self._making:
            making = asyncio.ensure_future(self._run_job(plan))
            self._making[plan.name] = making
            making.add_done_callback(lambda _: self._making.pop(plan.name, None))
        return await asyncio.shield(self._making[plan.name])

    async def _run_job(self, job: Job) -> Response:
        if self.workers is not None and job.game in self.sources:
            response = await asyncio.wrap_future(self.workers.ask(self.sources[job.game], job))
        else:
            response = await asyncio.to_thread(lambda: job.done(self.site.load(job.game)))
        return self.site.keep(job, response)

    def _safely(self, plan: Callable[..., Response | Job], *arguments: Any) -> Response | Job:
        """Return the plan; an internal error becomes an error response, and the page goes on."""
        try:
            return plan(*arguments)
        except Exception as error:
            return wrong(f"an error in the program: {type(error).__name__}: {error}", 500)

    async def _send(self, request: Request, response: Response, send: Send) -> None:
        body = response.body
        headers = {**SAFE, "content-type": response.kind, "vary": "Accept-Encoding", "cache-control": "no-cache"}
        if len(body) > WORTH and "gzip" in request.header("accept-encoding"):
            body = await asyncio.to_thread(gzip.compress, body, 5)
            headers["content-encoding"] = "gzip"
        if self.token and response.status == 200 and "token" in parse_qs(request.query):
            token = self.token if self._knows(request, self.token) else self.look
            headers["set-cookie"] = f"{request.cookie}={token}; Path=/; HttpOnly; SameSite=Strict"
        if response.status in (408, 413, 503):  # the body may not have been read
            headers["connection"] = "close"
        headers["content-length"] = str(len(body))
        await send({"type": "http.response.start", "status": response.status, "headers": _pairs(headers)})
        await send({"type": "http.response.body", "body": b"" if request.method == "HEAD" else body})


class Request:
    """An HTTP request, as ASGI gives it."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.method: str = scope["method"]
        self.query: str = scope["query_string"].decode("latin-1")
        raw = scope.get("raw_path") or quote(scope["path"]).encode("ascii")
        self.path: str = raw.decode("latin-1").partition("?")[0]
        self.target = f"{self.path}?{self.query}" if self.query else self.path
        self.server: tuple[str, int] = tuple(scope.get("server") or ("", 0))
        self._headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        self._receive = receive

    def header(self, name: str, missing: Any = "") -> Any:
        """Return a header by its lowercase name."""
        return self._headers.get(name, missing)

    @property
    def split_mount(self) -> tuple[str, str]:
        """The first name of the path, and the rest."""
        name, slash, subpath = self.path.removeprefix("/").partition("/")
        return (name, unquote(subpath)) if slash else ("", "")

    @property
    def cookie(self) -> str:
        """The name of the cookie; browsers share cookies between all ports."""
        return f"mitla_{self.server[1]}"

    async def wait_for_disconnect(self) -> None:
        """Wait until the browser disconnects."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the pieces of the body, as they arrive."""
        has_more = True
        while has_more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise Disconnected
            yield message.get("body", b"")
            has_more = message.get("more_body", False)


def _pairs(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return an address; an IPv4 address written as IPv6 becomes IPv4."""
    address = ipaddress.ip_address(host)
    return getattr(address, "ipv4_mapped", None) or address
