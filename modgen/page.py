"""The assistant's page as a folder that needs no server: any static host, or a phone by itself, can open it.

The assistant runs in the browser on Pyodide (CPython for browsers, fetched from npm when the page is built). Packs
are precompiled, and maps and counters are drawn in advance. The device keeps everything after the first visit.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from urllib.parse import quote

import yaml

from art.text import font_files
from assistant.page.site import ASSETS, Site, asset
from modgen.render import Picture, draw
from scenarios.files import write
from scenarios.model.game import Game
from scenarios.pack import pack_cache

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of Pyodide that a page needs. A version may lack some of them."""
VERSION = "314.0.7"
"""The version of Pyodide to fetch from npm."""
ROOMS = ("scenarios", "assistant")
LEFT_OUT = re.compile(
    r"^scenarios/command\.py$|(^|/)(cli|cli_\w+|command_line|server|application|connections|workers|pictures)\.py$|/(packs|samples)/"
)
ICONS = (192, 512)
EPOCH = (1980, 1, 1, 0, 0, 0)
NO_RUNTIME = (
    "the page needs Pyodide, and npm couldn't fetch it ({}); install Node.js with npm, or fetch the npm package `pyodide` yourself, "
    "unpack it and name its folder: --runtime FOLDER"
)


class NoRuntime(Exception):
    """Pyodide isn't available; the text says how to get it."""


def build_page(games: Sequence[Game], folder: Path, runtime: Path | None, tell: Callable[[str], None]) -> list[Path]:
    """Write the page of some games into a folder, whole or not at all. It replaces what was there before."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as name:
        page_folder = Path(name) / "page"
        for path, content in page_files(games, runtime, tell):
            write(page_folder / path, content)
        old = Path(name) / "old"
        if folder.exists():
            if not (folder / "engine.js").exists() and any(folder.iterdir()):
                raise FileExistsError(17, "there is another folder that isn't a page; move it away", str(folder))
            folder.rename(old)
        page_folder.rename(folder)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def page_files(games: Sequence[Game], runtime: Path | None, tell: Callable[[str], None]) -> Iterator[tuple[str, bytes]]:
    """Every file of the page. The last is the worker that stores the others on the device."""
    digests: dict[str, str] = {}
    for path, content in _contents(games, runtime, tell):
        digests[path] = hashlib.sha256(content).hexdigest()
        yield path, content
    version = hashlib.sha256(json.dumps(digests, sort_keys=True).encode()).hexdigest()[:16]
    names = json.dumps(["./", *sorted(quote(path) for path in digests)])
    script = (
        asset("offline.js").body.decode("utf-8").replace('"VERSION"', json.dumps(version)).replace('["FILES"]', names)
    )
    yield "offline.js", script.encode("utf-8")


def _contents(games: Sequence[Game], runtime: Path | None, tell: Callable[[str], None]) -> Iterator[tuple[str, bytes]]:
    site = Site({game.id: game.title for game in games}, {game.id: game for game in games}.__getitem__)
    for name in sorted(ASSETS):
        if name == "page.html":
            yield "index.html", _opening(asset(name).body)
        elif name != "offline.js":
            yield name, asset(name).body
    for weight, path in sorted(font_files().items()):
        yield f"font/{weight}.ttf", path.read_bytes()
    yield "manifest.webmanifest", _manifest(games)
    icons = {f"icon-{size}.png": Picture(asset("icon.svg").body, size, size) for size in ICONS}
    yield from zip(icons, draw(icons), strict=True)
    yield "data/games.json.packed", _compress(site.get("/data/games.json").body)
    for game in games:
        tell(game.title)
        yield from _game(site, game)
    tell("Pyodide")
    yield "python.zip", _sources()
    yield from sorted(_runtime(runtime).items())


def _game(site: Site, game: Game) -> Iterator[tuple[str, bytes]]:
    yield f"data/{game.id}/pack.packed", _compress(pack_cache.encode(game))
    yield f"data/{game.id}/about.json.packed", _compress(site.get(f"/data/{game.id}/about.json").body)
    names = [f"{piece}/{side}" for piece in (*game.units, *game.markers) for side in ("front", "back")]
    faces: dict[str, str] = {}
    for start in range(0, len(names), 1000):
        request = json.dumps({"faces": names[start : start + 1000]}).encode()
        faces |= json.loads(site.post(f"/api/{game.id}/faces", request).body)
    yield f"data/{game.id}/faces.json.packed", _compress(json.dumps(faces, ensure_ascii=False).encode())
    for scenario in game.scenarios:
        for kind in ("map/{}.svg", "spots/{}.json", "pieces/{}.json"):
            path = f"data/{game.id}/{kind.format(scenario)}"
            yield f"{path}.packed", _compress(site.get(f"/{quote(path)}").body)


def _compress(content: bytes) -> bytes:
    """Compressed here and not by the host, so that any host works and devices store little."""
    return gzip.compress(content, 9, mtime=0)


def _opening(html: bytes) -> bytes:
    head = (
        '<link rel="manifest" href="manifest.webmanifest">\n<link rel="apple-touch-icon" href="icon-192.png">\n</head>'
    )
    text = html.decode("utf-8").replace("<html ", '<html data-engine="engine.js" ', 1).replace("</head>", head, 1)
    return text.encode("utf-8")


def _manifest(games: Sequence[Game]) -> bytes:
    name = games[0].title if len(games) == 1 else "Mitla"
    manifest = {
        "name": f"{name}: the assistant" if len(games) == 1 else "Mitla, the assistant at the table",
        "short_name": name[:12],
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "version": metadata.version("mitla"),
        "background_color": "#f4eee1",
        "theme_color": "#2d2a24",
        "icons": [
            {"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": "any"}
            for size in ICONS
        ],
    }
    return json.dumps(manifest, indent=1).encode("utf-8")


def _sources() -> bytes:
    """The parts of the assistant's code that a browser needs, and PyYAML, with which it reads position files."""
    root = Path(pack_cache.__file__).parents[2]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for room in ROOMS:
            for path in sorted((root / room).rglob("*.py")):
                name = path.relative_to(root).as_posix()
                if not LEFT_OUT.search(name):
                    archive.writestr(zipfile.ZipInfo(name, EPOCH), path.read_bytes(), zipfile.ZIP_DEFLATED)
        for path in sorted(Path(yaml.__file__).parent.glob("*.py")):
            archive.writestr(zipfile.ZipInfo(f"yaml/{path.name}", EPOCH), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _runtime(folder: Path | None) -> Mapping[str, bytes]:
    """The files of Pyodide, from a folder or from npm."""
    if folder is not None:
        runtime_files = {
            f"pyodide/{name}": (folder / name).read_bytes() for name in RUNTIME if (folder / name).is_file()
        }
        if "pyodide/pyodide.asm.wasm" not in runtime_files:
            raise NoRuntime(f"{folder} has no pyodide.asm.wasm; name the folder of the unpacked npm package `pyodide`")
        return runtime_files
    npm = shutil.which("npm")
    if npm is None:
        raise NoRuntime(NO_RUNTIME.format("there is no npm"))
    with tempfile.TemporaryDirectory() as name:
        command = [npm, "pack", f"pyodide@{VERSION}", "--silent", "--pack-destination", name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoRuntime(NO_RUNTIME.format(error)) from None
        package = next(iter(Path(name).glob("*.tgz")), None)
        if package is None:
            reason = (done.stderr.strip().splitlines() or ["no reason is given"])[-1]
            raise NoRuntime(NO_RUNTIME.format(reason))
        with tarfile.open(package) as archive:
            path_by_member = {f"package/{file}": f"pyodide/{file}" for file in RUNTIME}
            members = [member for member in archive if member.name in path_by_member and member.isfile()]
            return {path_by_member[member.name]: archive.extractfile(member).read() for member in members}  # type: ignore[union-attr]
