"""The pictures of the tutorial, made from its own files: python -m tests.tutorial_pictures"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image

from tests.examples import run
from tests.test_tutorial import PAGES, STEP

PICTURE_FOLDER = PAGES[0].parent
SHOWN_COUNTERS = ("infantry_north-1", "guns-5", "infantry_south-11", "tanks-14")
GAP = 8


def join_pictures(pictures: list[Image.Image], is_vertical: bool = False) -> Image.Image:
    """Pictures in a row, or one below the other."""
    width, height = max(picture.width for picture in pictures), max(picture.height for picture in pictures)
    count = len(pictures)
    size = (width, count * (height + GAP) - GAP) if is_vertical else (count * (width + GAP) - GAP, height)
    image = Image.new("RGB", size, "#ffffff")
    for number, picture in enumerate(pictures):
        image.paste(picture, (0, number * (height + GAP)) if is_vertical else (number * (width + GAP), 0))
    return image


def keep(name: str, picture: Image.Image, colors: int) -> None:
    """Write a picture with few colours, which makes it small."""
    picture.quantize(colors).save(PICTURE_FOLDER / name, optimize=True)


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
        build_folder = Path("dist/marsh_road")
        faces = [
            join_pictures(
                [Image.open(build_folder / f"png/counters/{name}-{side}.png").convert("RGB") for name in SHOWN_COUNTERS]
            )
            for side in ("front", "back")
        ]
        keep("counters.png", join_pictures(faces, is_vertical=True), 128)
        sheet = Image.open(build_folder / "png/maps/main.png").convert("RGB")
        x_scale, y_scale = sheet.width / 589, sheet.height / 1140
        board = sheet.crop((int(40 * x_scale), int(210 * y_scale), int(550 * x_scale), int(580 * y_scale)))
        keep("map.png", board.resize((510, 370), Image.Resampling.LANCZOS), 96)
        with pypdfium2.PdfDocument(build_folder / "marsh_road-kit-a4.pdf") as kit:
            texts = [page.get_textpage().get_text_range() for page in kit]
            counters = next(number for number, text in enumerate(texts) if "Counter sheet 1 of 1: fronts" in text)
            rulebook = next(number for number, text in enumerate(texts) if text.startswith("Marsh Road: the rules"))
            pages = [
                kit[number].render(scale=0.9).to_pil().convert("RGB").crop((12, 0, 300, 520))
                for number in (counters, rulebook)
            ]
        keep("kit.png", join_pictures(pages), 64)
        os.chdir(PICTURE_FOLDER)


if __name__ == "__main__":
    main()
