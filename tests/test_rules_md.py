"""A pack's own rulebook: its Markdown, references to the pack's numbers, wrong ones told with their place, its pages in the kit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modgen.cli import cli
from modgen.kit.rulebook import rulebook
from modgen.notices import credits_of
from scenarios import check, load
from scenarios.pack.pack_folder import samples
from scenarios.pack.rulebook import blocks_of, read_rulebook, references, resolve
from scenarios.reading.findings import display_path
from tests.asking import run_command
from tests.packs import copy


def block_rows(text: str) -> list[tuple[str, int, str, str]]:
    """Every block of a text: its kind, level, mark and words."""
    return [
        (block.kind, block.level, block.mark, "".join(span.text for span in block.spans)) for block in blocks_of(text)
    ]


def test_headings_paragraphs_and_lists_that_number_as_rulebooks_do() -> None:
    text = """# Title

Some words
that go on.

1. **Turn.** First,
   then second.
2. Moving.
   1. A road
   2. A hill
      - steep
      - flat
10) Last.

- a dot

  and a paragraph of it
> said
> twice
***
"""
    assert block_rows(text) == [
        ("heading", 1, "", "Title"),
        ("paragraph", 0, "", "Some words that go on."),
        ("item", 1, "1", "Turn. First, then second."),
        ("item", 1, "2", "Moving."),
        ("item", 2, "2.1", "A road"),
        ("item", 2, "2.2", "A hill"),
        ("item", 3, "", "steep"),
        ("item", 3, "", "flat"),
        ("item", 1, "10", "Last."),
        ("item", 1, "", "a dot"),
        ("paragraph", 1, "", "and a paragraph of it"),
        ("quote", 0, "", "said twice"),
        ("ruler", 0, "", ""),
    ]


def test_styles_escapes_and_links() -> None:
    (block,) = blocks_of(
        r"**bold** and *slanted*, snake_case, 2 * 3, `{{x}} *`, \*star\*, [a link](http://example.com)"
    )
    styles = [(span.text, span.bold, span.italic, span.code) for span in block.spans if span.text.strip()]
    assert styles[0] == ("bold", True, False, False)
    assert ("slanted", False, True, False) in styles and ("{{x}} *", False, False, True) in styles
    assert "".join(span.text for span in block.spans) == "bold and slanted, snake_case, 2 * 3, {{x}} *, *star*, a link"
    assert not list(references([block]))


def test_tables_and_code() -> None:
    table, code = blocks_of("| a | {{number x}} |\n|---|:-:|\n| **1** | 2 |\n```\n{{table y}}\n# no heading\n```\n")
    assert table.kind == "table" and [[len(cell) for cell in row] for row in table.rows] == [[1, 1], [1, 1]]
    assert table.rows[0][1][0].reference == ("number x", 1, 7) and table.rows[1][0][0].bold
    assert code.kind == "code" and [text for _, _, text in code.lines] == ["{{table y}}", "# no heading"]


@given(st.text(st.sampled_from("#*_`-|>{}[]() \n\t1.a\\"), max_size=80))
def test_any_text_is_read_and_every_reference_has_its_place(text: str) -> None:
    blocks = list(blocks_of(text))
    lines = [line.expandtabs(4) for line in text.splitlines()]
    for reference in references(blocks):
        assert lines[reference.line - 1][reference.column - 1 :].startswith("{{")


GAME = load("two_wells")


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("table combat", "Combat"),
        ("counter cars", "Armoured cars"),
        ("counter infantry_red back", "Infantry"),
        ("marker turn", "Turn"),
        ("number movement.hill", "2"),
        ("number movement.wadi.cost", "+1"),
        ("number combat.3.3-1", "D1"),
        ("number combat/6/1-2", "A1"),
        ("number infantry_blue.defense", "5"),
        ("number infantry_blue.back.defense", "2"),
        ("number infantry_red.steps", "2"),
        ("number infantry_red.count", "3"),
        ("number noon.turns", "6"),
        ("name red", "Red Coast"),
        ("name hill", "Hill"),
        ("name noon", "Noon"),
    ],
)
def test_references_are_the_packs_own(reference: str, text: str) -> None:
    assert resolve(GAME, reference).text == text


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("tabel combat", "'tabel' is no kind of reference; did you mean table?"),
        ("table", "{{table}} names nothing; write what you mean behind it, as in {{table combat}}"),
        ("table combt", "there is no table 'combt'; did you mean combat?"),
        ("counter carz", "there is no counter or marker 'carz'; did you mean cars?"),
        (
            "counter cars top",
            "a counter has a front and a back, not 'top'; write {{counter cars back}} or leave it out",
        ),
        ("number movment.hill", "'movment' is no table, counter or scenario with numbers; did you mean movement?"),
        ("number movement.hil", "the table movement has no row 'hil'; did you mean hill?"),
        ("number combat.3", "the table combat has several columns; name one, as in combat.3.1-2"),
        ("number combat.3.9-1", "the table combat has no column '9-1'; did you mean 4-1, 3-1 or 2-1?"),
        ("number cars.atack", "the counter cars has no number 'atack'; did you mean attack?"),
        ("number cars.back.attack", "the counter cars has no back with numbers; leave out `back`"),
        ("number noon", "of the scenario noon the number of its `turns` can be told; write {{number noon.turns}}"),
        ("name redd", "nothing is called 'redd'; did you mean red or reduced?"),
        ("{{", "these braces aren't closed; write }} where the reference ends"),
    ],
)
def test_a_wrong_reference_is_told(tmp_path: Path, reference: str, message: str) -> None:
    pack = copy(tmp_path)
    markup = reference if reference == "{{" else f"{{{{{reference}}}}}"
    (pack / "RULES.md").write_text(f"# Rules\n\nOne line,\n  and then {markup} more.\n", encoding="utf-8")
    (finding,) = check(pack)
    assert str(finding) == f"{display_path(str(pack))}/RULES.md:4:12: {message}"


def test_a_rulebook_that_is_no_text_gets_a_sentence(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / "RULES.md").write_bytes(b"# Rules\n\xff")
    assert "RULES.md:2:1: byte 0xff is not UTF-8" in str(check(pack)[0])
    (pack / "RULES.md").write_bytes(b"a" * 1_000_001)
    assert "a rulebook has at most 1,000,000 bytes" in str(check(pack)[0])


def test_numbers_in_the_text_follow_the_pack(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / "RULES.md").write_text(
        "A hill costs {{number movement.hill}}.\n\n{{table movement}}\n\n{{counter cars}}\n", encoding="utf-8"
    )

    def words() -> str:
        return "".join(span["text"] for span in rulebook(load(pack), 180)[0]["spans"])

    assert words() == "A hill costs 2."
    path = pack / "counters.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("hill: 2,", "hill: 3,"), encoding="utf-8")
    assert words() == "A hill costs 3."
    _, chart, piece = rulebook(load(pack), 180)
    assert chart["kind"] == "chart" and chart["card"]["title"] == "Movement costs" and not chart["wide"]
    assert piece == {"kind": "piece", "picture": "face/cars", "text": "Armoured cars"}


@pytest.mark.parametrize("name", samples())
def test_every_sample_has_a_rulebook_whose_sections_its_rules_name(name: str) -> None:
    """The marks of a sample's lists are the numbers that its records cite."""
    game = load(name)
    blocks, findings = read_rulebook(game.folder / "RULES.md")
    marks = {block.mark for block in blocks if block.mark}
    section_numbers = {part for table in game.tables.values() for part in re.findall(r"\d+(?:\.\d+)?", table.rule)}
    assert not findings and section_numbers <= marks


def test_the_kit_sets_it(tmp_path: Path) -> None:
    import pypdfium2

    pack = copy(tmp_path)
    text = (pack / "RULES.md").read_text(encoding="utf-8")
    appendix = "A {{counter infantry_red back}} costs {{number movement.hill}} on a hill.\n\n{{table combat}}\n"
    (pack / "RULES.md").write_text(f"{text}\n\n{appendix}", encoding="utf-8")
    answer = run_command(cli, "build", str(pack), "--only", "kit", "--out", str(tmp_path / "dist"))
    assert answer.exit_code == 0 and "rulebook" in answer.stdout, answer.output
    pdf = pypdfium2.PdfDocument(tmp_path / "dist" / "two_wells" / "two_wells-kit-a4.pdf")
    pages = [" ".join(page.get_textpage().get_text_range().split()) for page in pdf]
    assert any("costs 2 on a hill." in page for page in pages)
    assert not any("{{" in page for page in pages)
    assert credits_of(load(pack), "Two Wells")[0] == "Two Wells."
    (pack / "RULES.md").unlink()
    assert credits_of(load(pack), "Two Wells")[0] == "Two Wells. You need its rules to play."
