"""The pictures of the tutorial, made from its own files: python -m tests.tutorial_pictures"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image

from tests.examples import run
from tests.test_tutorial import PAGES, STEP

OUT = PAGES[0].parent
SHOWN = ("infantry_north-1", "guns-5", "infantry_south-11", "tanks-14")
GAP = 8


def beside(pictures: list[Image.Image], down: bool = False) -> Image.Image:
    """Pictures in a row, or one below the other."""
    wide, high = max(picture.width for picture in pictures), max(picture.height for picture in pictures)
    count = len(pictures)
    size = (wide, count * (high + GAP) - GAP) if down else (count * (wide + GAP) - GAP, high)
    whole = Image.new("RGB", size, "#ffffff")
    for number, picture in enumerate(pictures):
        whole.paste(picture, (0, number * (high + GAP)) if down else (number * (wide + GAP), 0))
    return whole


def keep(name: str, picture: Image.Image, colors: int) -> None:
    """Write a picture with few colours, which makes it small."""
    picture.quantize(colors).save(OUT / name, optimize=True)


def main() -> None:
    """Write the game of the tutorial into a throwaway folder, build it and keep parts of what comes out."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        assert run("modgen", ["new", "marsh_road"]).exit_code == 0
        for page in PAGES:
            for step in STEP.finditer(page.read_text("utf-8")):
                if step["file"]:
                    Path(step["file"]).write_text(step["text"], "utf-8")
        for words in (["png", "--dpi", "110"], ["kit"]):
            assert run("modgen", ["build", "marsh_road", "--only", *words]).exit_code == 0
        built = Path("dist/marsh_road")
        faces = [
            beside([Image.open(built / f"png/counters/{name}-{side}.png").convert("RGB") for name in SHOWN])
            for side in ("front", "back")
        ]
        keep("counters.png", beside(faces, down=True), 128)
        sheet = Image.open(built / "png/maps/main.png").convert("RGB")
        across, down = sheet.width / 589, sheet.height / 1140
        board = sheet.crop((int(40 * across), int(210 * down), int(550 * across), int(580 * down)))
        keep("map.png", board.resize((510, 370), Image.Resampling.LANCZOS), 96)
        with pypdfium2.PdfDocument(built / "marsh_road-kit-a4.pdf") as kit:
            texts = [page.get_textpage().get_text_range() for page in kit]
            counters = next(number for number, text in enumerate(texts) if "Counter sheet 1 of 1: fronts" in text)
            rulebook = next(number for number, text in enumerate(texts) if text.startswith("Marsh Road: the rules"))
            pages = [
                kit[number].render(scale=0.9).to_pil().convert("RGB").crop((12, 0, 300, 520))
                for number in (counters, rulebook)
            ]
        keep("kit.png", beside(pages), 64)
        os.chdir(OUT)


if __name__ == "__main__":
    main()
