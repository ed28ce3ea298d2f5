"""Damaged packs, rules, overlays, spreadsheets, pictures and positions."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import yaml
from PIL import Image as Pictures

from art.images import NoPicture, PictureBox, dots, place_image, stretch_image
from scenarios import check
from scenarios.model.game import Game
from scenarios.model.images import Image
from scenarios.model.position import from_scenario
from scenarios.opening_positions import as_text, game_of, open_position
from scenarios.pack.images import looked_at
from scenarios.pack.loading import read_pack
from scenarios.pack.overlays import SECTIONS
from scenarios.pack.pack_folder import samples
from scenarios.reading.findings import Finding
from tests.fuzz.mutating import ODD_TEXTS, bytes_damaged, text_damaged, tree_damaged
from tests.fuzz.running import Case, Part
from tests.fuzz.world import DUMPER, LOADER, Wordless, files, folder, game, pack, sentence, tree, words, yaml_damaged


@contextmanager
def exchange_file(name: str, file: str, content: bytes) -> Iterator[Path]:
    """A sample with one file exchanged."""
    path = pack(name) / file
    original = files(name).get(file)
    path.write_bytes(content)
    try:
        yield pack(name)
    finally:
        if original is None:
            path.unlink()
        else:
            path.write_bytes(original)


def findings_kind(findings: list[Finding]) -> str:
    """Findings have a place and a sentence."""
    for finding in findings:
        if finding.line < 1 or finding.column < 1 or len(finding.message) < 8:
            raise Wordless(f"a finding without place or words: {finding!r}")
        str(finding).encode("utf-8", "replace")
    return "sentence" if findings else "answer"


def used(loaded_game: Game) -> None:
    """What a pack without findings must bear."""
    from assistant.page.game_info import about_game
    from modgen.printable import unprintable

    unprintable(loaded_game)
    about_game(loaded_game)
    for scenario in loaded_game.scenarios:
        as_text(loaded_game, from_scenario(loaded_game, scenario))


def _pack(random: Random, only_file: str = "") -> Case:
    name = random.choice([name for name in samples() if not only_file or only_file in files(name)])
    file = only_file or random.choice([file for file in files(name) if file.endswith(".yaml")])
    return {"sample": name, "file": file, "content": yaml_damaged(random, name, file)}


def _try_pack(case: Case) -> str:
    with exchange_file(case["sample"], case["file"], case["content"]) as path:
        loaded_game, findings = read_pack(path, (), False)
        if loaded_game is not None and not findings:
            used(loaded_game)
        return findings_kind(findings)


def _rules(random: Random) -> Case:
    return {**_pack(random, "rules.yaml"), "asked": random.randrange(2**32)}


def _try_rules(case: Case) -> str:
    from tests.fuzz.parts_asking import question

    with exchange_file(case["sample"], case["file"], case["content"]) as path:
        loaded_game, findings = read_pack(path, (), False)
        if loaded_game is not None and not findings:
            random = Random(case["asked"])
            for _ in range(3):
                question(loaded_game, *_draw_question(loaded_game, random))
        return findings_kind(findings)


def _draw_question(loaded_game: Game, random: Random) -> tuple[str, dict[str, Any]]:
    from tests.fuzz.parts_asking import told_at_random

    return told_at_random(loaded_game, random)


def _rulebook(random: Random) -> Case:
    name = random.choice(samples())
    text = text_damaged(random, files(name)["RULES.md"].decode("utf-8"), "\n {}[]|")
    return {"sample": name, "file": "RULES.md", "content": text.encode("utf-8", "replace")}


def _overlay(random: Random) -> Case:
    name = random.choice(samples())
    source = random.choice([file for file in files(name) if file.endswith(".yaml")])
    document: Any = tree(name, source)
    sections = sorted(key for key in document if key in SECTIONS)
    keys = random.sample(sections, min(len(sections), random.choice((1, 1, 2))))
    mutation = tree_damaged(random, {key: document[key] for key in keys}, words())
    overlay = {"overlay": name, **mutation} if isinstance(mutation, dict) else mutation
    text = yaml.dump(overlay, Dumper=DUMPER, allow_unicode=True, sort_keys=False)
    return {
        "sample": name,
        "content": (text if random.random() < 0.7 else text_damaged(random, text)).encode("utf-8", "replace"),
    }


def _try_overlay(case: Case) -> str:
    path = folder() / "mine.yaml"
    path.write_bytes(case["content"])
    return findings_kind(check(pack(case["sample"]), [path]))


def _csv(random: Random) -> Case:
    content = files("island")["counters.csv"]
    if random.random() < 0.2:
        content = content.replace(b",", random.choice((b";", b"\t")))
    if random.random() < 0.1:
        content = content.decode("utf-8").encode(random.choice(("utf-16", "latin-1", "utf-8-sig", "utf-32")), "replace")
    is_complete = random.random() < 0.7
    return {
        "sample": "island",
        "file": "counters.csv",
        "content": text_damaged(random, content.decode("utf-8", "replace"), ',;\n\t"').encode("utf-8", "replace")
        if is_complete
        else bytes_damaged(random, content),
    }


@functools.cache
def _seeds() -> dict[str, bytes]:
    pictures = {}
    for kind, mode in (
        ("PNG", "RGBA"),
        ("PNG", "P"),
        ("PNG", "L"),
        ("PNG", "1"),
        ("JPEG", "RGB"),
        ("JPEG", "CMYK"),
        ("WEBP", "RGB"),
        ("WEBP", "RGBA"),
        ("JPEG", "L"),
    ):
        buffer = io.BytesIO()
        Pictures.linear_gradient("L").resize((24, 16)).convert(mode).save(buffer, kind)
        pictures[f"{kind}-{mode}.{kind.lower().replace('jpeg', 'jpg')}"] = buffer.getvalue()
    svgs = {name: content for name, content in files("island").items() if name.endswith(".svg")}
    return {**pictures, **{Path(name).name: content for name, content in svgs.items()}}


def _picture(random: Random) -> Case:
    name = random.choice(sorted(_seeds()))
    content = _seeds()[name]
    for _ in range(random.choice((1, 1, 3))):
        content = bytes_damaged(random, content)
    if name.endswith(".svg") and random.random() < 0.7:
        content = text_damaged(random, _seeds()[name].decode("utf-8"), ' "<>=\n').encode("utf-8", "replace")
    if random.random() < 0.05:
        name = Path(name).stem + random.choice((".png", ".svg", ".jpg", ".webp"))
    return {"name": name, "content": content}


def _try_picture(case: Case) -> str:
    from modgen.editing.straighten import CannotStraighten, open_photo

    path = folder() / case["name"]
    path.write_bytes(case["content"])
    try:
        sentence(lambda: open_photo(case["content"]).load(), CannotStraighten)
        digests: list[str] = []
        ending = sentence(lambda: digests.append(looked_at(path)), ValueError)
        if digests:
            image = Image(file=case["name"], digest=digests[0])
            ends = [
                sentence(lambda: place_image(folder(), image, PictureBox(0, 0, 20, 10)), NoPicture),
                sentence(lambda: stretch_image(folder(), image, PictureBox(0, 0, 20, 10)), NoPicture),
                sentence(lambda: dots(folder(), image), NoPicture),
            ]
            ending = "sentence" if "sentence" in ends else "answer"
        return ending
    finally:
        path.unlink()


@functools.cache
def _positions() -> tuple[tuple[str, str], ...]:
    game_names = (*samples(), "yom_kippur", "arab_israeli_wars")
    return tuple(
        (name, as_text(game(name), from_scenario(game(name), scenario)))
        for name in game_names
        for scenario in list(game(name).scenarios)[:3]
    )


def _position(random: Random) -> Case:
    name, text = random.choice(_positions())
    if random.random() < 0.4 and len(text) < 4000:
        text = yaml.dump(
            tree_damaged(random, yaml.load(text, LOADER), words()), Dumper=DUMPER, allow_unicode=True, sort_keys=False
        )
    else:
        text = text_damaged(random, text, "\n:,{}[] ")
    return {"game": name, "content": text.encode("utf-8", "replace")}


def _try_position(case: Case) -> str:
    path = folder() / "position.yaml"
    path.write_bytes(case["content"])
    sentence(lambda: game_of(path), ValueError)

    def read() -> None:
        loaded_game = game(case["game"])
        as_text(loaded_game, open_position(loaded_game, path))

    return sentence(read)


# What is made of a pack.

PRODUCTS = ("tabletop", "tts", "kit", "module", "cut", "json")
SMALL = ("two_wells", "ridge")


def _build(random: Random) -> Case:
    """Small damage, after which most packs still load."""
    name = random.choice(SMALL)
    file = random.choice([file for file in files(name) if file.endswith(".yaml")])
    text = files(name)[file].decode("utf-8")
    places = list(re.finditer(r"(?<=: )[\w .-]+|(?<=\[)[\w .-]+|(?<=, )[\w .-]+", text))
    for match in sorted(random.sample(places, random.choice((1, 1, 2))), key=lambda match: -match.start()):
        literal = match.group()
        new = random.choice(
            (
                random.choice(places).group(),
                random.choice(ODD_TEXTS),
                str(random.randrange(1000)),
                literal.upper(),
                literal * 9,
            )
        )
        text = text[: match.start()] + (new if random.random() < 0.6 else repr(new)) + text[match.end() :]
    return {"sample": name, "file": file, "content": text.encode("utf-8", "replace"), "only": random.choice(PRODUCTS)}


def _try_build(case: Case) -> str:
    from modgen.build_jobs import BuildJob
    from modgen.cache import Cache
    from modgen.kit.options import options
    from modgen.products import make

    with exchange_file(case["sample"], case["file"], case["content"]) as path:
        result = make(BuildJob(str(path), (), False, (case["only"],), options()), Cache(folder() / "cache"))
        (path / "module.lock.json").unlink(missing_ok=True)
    messages = (*result.findings, result.wrong, result.failure)
    if not result.outputs and not any(messages):
        raise Wordless("nothing was made, and nothing was said")
    return "answer" if result.outputs else "sentence"


FILES = {
    "packs": Part(_pack, _try_pack),
    "rules": Part(_rules, _try_rules),
    "rulebooks": Part(_rulebook, _try_pack),
    "overlays": Part(_overlay, _try_overlay),
    "csv": Part(_csv, _try_pack),
    "pictures": Part(_picture, _try_picture),
    "positions": Part(_position, _try_position),
    "builds": Part(_build, _try_build),
}
