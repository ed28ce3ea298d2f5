"""Texts of a module: about it, its quick guide, its sources."""

from __future__ import annotations

from html import escape

from art import svg
from art.text import paragraph, text
from modgen.vmod.pictures import Drawn, drawn
from scenarios.game import Game

NOTICE = "Mitla is not affiliated with any publisher. Code: MIT. Packs and art: CC BY 4.0."
KEYS = (
    ("Ctrl+F", "flip the counter"),
    ("Ctrl+E", "eliminate it to its side's pile; Ctrl+Shift+E brings it back"),
    ("Ctrl+L", "lose a step; Ctrl+Shift+L restores it"),
    ("Alt+1 ... 9", "put on or take off a state"),
    ("Ctrl+A, Ctrl+B", "mark as attacker, as defender"),
    ("Ctrl+M, Ctrl+T", "moved mark, movement trail"),
    ("Alt+U", "clear all moved marks"),
    ("Alt+L", "line of sight; Alt+O overview; Alt+H hide pieces"),
    ("Alt+N, Alt+P", "next and previous phase"),
    ("Alt+S, Alt+B, Alt+C", "windows: set-up, tracks and boxes, charts"),
)


def description(game: Game) -> str:
    """The module in a sentence."""
    return f"{game.title}: {game.card.summary}".replace("\n", " ").strip()


def guide(game: Game) -> str:
    """The quick guide, in HTML."""
    rows = "".join(f"<tr><td><b>{escape(keys)}</b></td><td>{escape(does)}</td></tr>" for keys, does in KEYS)
    return (
        f"<html><body><h1>{escape(game.title)}</h1><p>{escape(game.card.summary)}</p>"
        "<h2>To begin</h2><p>Choose a scenario from the File menu's list of set-ups. Pieces with one place stand on it. Pieces with a "
        "choice wait in the Set-up window, in a tray for each group that says where they go; reinforcements wait there by turn. "
        "The side Solitaire may handle everything.</p>"
        f"<h2>Keys</h2><table>{rows}</table>"
        "<h2>Fighting</h2><p>Mark attackers with Ctrl+A and defenders with Ctrl+B. Change what isn't as usual in the "
        "Conditions menu (terrain, support, distance). Choose the attack in the Battle menu: Odds shows strengths, "
        "shifts and column; Attack throws as well. The Roll menu has every other table: answer with the column, and "
        "the chat shows throw, result and meaning.</p>"
        f"<p>{escape(NOTICE)}</p></body></html>"
    )


def sources(game: Game) -> str:
    """Where the numbers come from, in HTML."""
    from scenarios.export import sources as counted

    about = counted(game)
    rows = "".join(f"<tr><td>{escape(word)}</td><td>{number}</td></tr>" for word, number in about["sources"].items())
    return (
        f"<html><body><h1>Sources and licence</h1><p>{escape(NOTICE)}</p><p>{escape(game.title)}"
        f"{', ' + escape(game.card.publisher) if game.card.publisher else ''}: rules are needed to play; none are in this module.</p>"
        f"<table><tr><th>source</th><th>data</th></tr>{rows}</table></body></html>"
    )


def about(game: Game) -> Drawn:
    """The picture that the module shows as it opens."""
    body, _ = paragraph(game.card.summary, 24, 96, 552, 17, fill="#1f2328")
    small, _ = paragraph(NOTICE, 24, 300, 552, 13, fill="#55524a")
    card = game.card
    line = ", ".join(part for part in (card.publisher, str(card.year or ""), *card.designers) if part)
    parts = [
        svg.rect(0, 0, 600, 340, fill="#efe9dc"),
        svg.rect(0, 0, 600, 60, fill="#2e4057"),
        text(game.title, 24, 41, 30, "bold", "start", fill="#ffffff"),
        text(line, 24, 82, 14, "italic", "start", fill="#55524a"),
        body,
        small,
    ]
    return drawn(parts, 600, 340)
