"""The texts of a module: its description, its quick guide, its sources."""

from __future__ import annotations

from fractions import Fraction
from html import escape

from art import svg
from art.counters.face import face_group
from art.counters.slots import SIZE
from art.svg import Element
from art.text import fitting, paragraph, text
from modgen.notices import notice
from modgen.vmod.files import keys
from modgen.vmod.files.keys import display_key
from modgen.vmod.files.xml import html_page
from modgen.vmod.maps.stacking import stacking, unchecked
from modgen.vmod.maps.zones import zone_of_control
from modgen.vmod.pieces.faces import lower, ranges
from modgen.vmod.pieces.pictures import SvgPicture, draw_picture
from modgen.vmod.setups import phase_effects
from modgen.vmod.text import advice
from scenarios.model.game import Game
from scenarios.pack.export import count_sources
from scenarios.vassal.windows import pools, windows_of


def description(game: Game) -> str:
    """The module in a sentence."""
    return f"{game.title}: {game.card.summary}".replace("\n", " ").strip()


def guide(game: Game) -> str:
    """The quick guide, in HTML."""
    parts = [
        ("Getting started", _begin(game)),
        ("Pieces", _pieces(game)),
        ("Turn and phases", _turn(game)),
        *([("Hidden pieces", _concealed_text())] if game.card.fog else []),
        *([("Fighting", _fighting())] if game.attacks else []),
        *([("Movement and supply", _asking())] if advice.save_questions(game) else []),
    ]
    body = "".join(f"<h2>{escape(title)}</h2><p>{escape(words)}</p>" for title, words in parts)
    return html_page(
        f"<h1>{escape(game.title)}</h1><p>{escape(game.card.summary)}</p>{body}<p>{escape(notice(game))}</p>"
    )


def _begin(game: Game) -> str:
    return (
        "Choose a scenario from the list of set-ups in the File menu, then a side. Solitaire may move all pieces. Pieces with "
        f"a printed place start there. Pieces with a choice wait in the Set-up window ({display_key(keys.SETUP_KEY)}), in a tray "
        "for each group; the tray says where they may go. Reinforcements wait beside them, by turn and place of entry. Hold "
        "the pointer over a stack to read its factors."
    )


def _pieces(game: Game) -> str:
    sentences = ["Right-click a piece to see its commands. The chat reports what players do."]
    for stroke, (_, factor) in zip(keys.AREAS, ranges(game), strict=False):
        verb = "shades" if game.boards else "lists the points within"
        sentences.append(f"{display_key(stroke)} {verb} its {lower(factor.name)}.")
    if zone_of_control(game) is not None and game.boards:
        sentences.append(f"{display_key(keys.ZONE)} shades its zone of control.")
    window_names = windows_of(game)
    pile_place = f"the window {window_names.boxes[0]}" if len(window_names.boxes) == 1 else "a window of the Boxes menu"
    sentences.append(
        f"{display_key(keys.ELIMINATE)} moves it to its pile of eliminated units, in {pile_place}; "
        f"{display_key(keys.RETURN_TO_PLAY)} returns it."
    )
    drawn_from = dict.fromkeys(
        window_names.of_zone[table.boxes[key].name] for table in game.maps.values() for key in pools(table)
    )
    if drawn_from:
        sentences.append(
            f"Pools (window {', '.join(drawn_from)}) are shuffled: drag a marker out to draw one at random."
        )
    sentences.append(
        "Markers on the ground lie below the units and form stacks of their own. The button with hills shows only these markers."
    )
    if stacking(game):
        sentences.append("The chat warns when you put a piece into a stack that breaks the rules.")
    if unchecked_rules := unchecked(game):
        sentences.append(
            f"The module doesn't check these stacking rules; check them yourselves: {'; '.join(unchecked_rules)}."
        )
    return " ".join(sentences)


def _turn(game: Game) -> str:
    sentences = [
        f"{display_key(keys.NEXT_KEY)} starts the next phase and skips phases that this scenario or turn doesn't have. "
        "Right-click the turn to set it."
    ]
    clean_up_texts: dict[str, list[str]] = {}
    for _, name, _, clean_up in phase_effects.all_clean_ups(game):
        if phase_effects.words(game, clean_up) not in clean_up_texts.setdefault(name, []):
            clean_up_texts[name].append(phase_effects.words(game, clean_up))
    if clean_up_texts:
        sentences.append(
            f"In some phases {display_key(keys.CLEAN_UP_KEY)} cleans up many units at once. The Clean-up menu makes this automatic at the "
            "start of such a phase."
        )
        sentences += [f"{name}: {'; '.join(words)}." for name, words in clean_up_texts.items()]
    return " ".join(sentences)


def _concealed_text() -> str:
    return (
        f"{display_key(keys.CONCEAL)} conceals a piece. Its owner still sees it, under a small cover; other players see only the "
        "cover until the piece is revealed. Each side has a hand, a window that only this side can open, for secret plans "
        "and draws."
    )


def _fighting() -> str:
    return (
        f"Mark attackers with {display_key(keys.ATTACKER)} and defenders with {display_key(keys.DEFENDER)}. Choose the attack in the "
        "Battle menu: Odds shows strengths, shifts and column; Attack also rolls the dice. The module reads terrain, distance, "
        "works, turn and year from the map, and the chat lists them. Set anything else under Conditions; there you can also "
        "override what the module read. A condition stays until you choose its default; Reset conditions resets all of them. "
        "For a single unit, mark it and choose from In this battle in its right-click menu; this lasts until End the battle. "
        "The Roll menu has all other tables: enter the column, and the chat shows roll, result and meaning."
    )


def _asking() -> str:
    return (
        "Select units and choose from the Ask menu. The chat lists what the module knows: movement points, enemy zones next "
        "to a unit, units that need no supply. For the full answer it prints a command of the assistant with the name of "
        "your save: save the game, and run the command in the folder of the save."
    )


def keys_page(game: Game) -> str:
    """Every key of this module, in HTML."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for section, stroke, does in keys.all_keys(game):
        sections.setdefault(section, []).append((stroke, does))
    tables = "".join(
        f"<h2>{escape(section)}</h2><table>"
        + "".join(f"<tr><td><b>{escape(stroke)}</b></td><td>{escape(does)}</td></tr>" for stroke, does in rows)
        + "</table>"
        for section, rows in sections.items()
    )
    return html_page(f"<h1>Keys</h1>{tables}")


MEANS = {
    "rulebook": "printed in the rulebook",
    "inferred": "inferred from the rulebook or from a closely related game",
    "reconstructed": "not in the rulebook: reconstructed to fit everything that is",
    "mine": "from a player's own overlay",
}
"""The meaning for players of each word for a source."""


def sources(game: Game) -> str:
    """Where the numbers come from, in HTML."""
    rows = "".join(
        f"<tr><td><b>{escape(word)}</b></td><td>{escape(MEANS[word])}</td><td align=right>{number:,}</td></tr>"
        for word, number in count_sources(game)["sources"].items()
        if number
    )
    return html_page(
        f"<h1>Sources and licence</h1><p>{escape(notice(game))}</p><p>{escape(game.title)}"
        f"{', ' + escape(game.card.publisher) if game.card.publisher else ''}: you need its rules, which this module does not contain.</p>"
        f"<h2>Where its numbers and names come from</h2><table>{rows}</table>"
        "<p>modgen show and the files of the pack name the source of each number.</p>"
    )


MOST_SHOWN = 5
"""The number of counters on the opening picture."""


def about(game: Game) -> SvgPicture:
    """The picture that the module shows as it opens. Its upper part is empty, because the engine writes on it."""
    width, height, top = 400, 455, 150
    body, summary_height = paragraph(game.card.summary, 16, top + 96, width - 32, 15, fill="#1f2328")
    origin_note = (
        "Maps, counters and charts are our own drawings. "
        "Numbers that the rulebook leaves out are inferred or reconstructed, and marked so."
    )
    credit, credit_height = paragraph(
        f"{origin_note} More in the Help menu.", 16, top + 112 + summary_height, width - 32, 12, fill="#55524a"
    )
    small, _ = paragraph(notice(game), 16, height - 30, width - 32, 11, fill="#55524a")
    card = game.card
    line = ", ".join(part for part in (card.publisher, str(card.year or ""), *card.designers) if part)
    bands = [nation.colors.fill for nation in game.nations.values()]
    band = width / max(1, len(bands))
    parts = [
        svg.rect(0, 0, width, height, fill="#efe9dc"),
        svg.rect(0, top, width, 56, fill="#2e4057"),
        *(svg.rect(i * band, top + 56, band + 0.5, 8, fill=fill) for i, fill in enumerate(bands)),
        text(game.title, 16, top + 38, fitting(game.title, width - 32, 27, 8, "bold"), "bold", "start", fill="#ffffff"),
        text(line, 16, top + 84, fitting(line, width - 32, 13, 6, "italic"), "italic", "start", fill="#55524a"),
        body,
        credit,
        small,
        *_counters(game, width, top + 112 + summary_height + credit_height, height - 40),
    ]
    return draw_picture(parts, width, height)


def _counters(game: Game, width: int, top_edge: float, bottom_edge: float) -> list[Element]:
    """The strongest counter of each nation, side by side in the space available."""
    strongest = [
        max(units, key=lambda unit: sum(value for value in unit.factors.values() if isinstance(value, Fraction)))
        for nation in game.nations
        if (units := [unit for unit in game.units.values() if unit.nation == nation])
    ][:MOST_SHOWN]
    size = min(60, bottom_edge - top_edge - 12)
    if size < 30:
        return []
    left, top = (width - len(strongest) * (size + 8) + 8) / 2, (top_edge + bottom_edge - size) / 2
    return [
        svg.translate(face_group(game, unit, "front", ""), left + i * (size + 8), top, size / SIZE)
        for i, unit in enumerate(strongest)
    ]
