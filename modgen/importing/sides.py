"""The owners of pieces: the sides of the module's roster and the nations that pieces name, found from the texts of a piece."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from modgen.importing.definitions import Definition
from modgen.importing.names import Ids, clean, slug
from modgen.importing.report import Report
from modgen.vmod.files.loaded_module import LoadedModule

NOBODY = re.compile(
    r"<?(solitaire|solo|observer|referee|umpire|moderator|judge|spectator|game ?master|gm|both|all)>?s?", re.I
)
"""Entries of a roster that are no sides."""
SIDE_WORDS = ("side", "owner", "player", "team", "faction")
NATION_WORDS = ("nation", "nationality", "country", "army", "power")
MOST_NATIONS = 40
MOST_SIDES = 8
COLORS = (
    (
        ("#dbe7f3", "#10233c", "#2a5d9c"),
        ("#e3ecd2", "#1d2a0c", "#587a24"),
        ("#efe7c0", "#332a05", "#8f7310"),
        ("#e8def0", "#27123a", "#6b3a97"),
    ),
    (
        ("#d39a88", "#2b0d05", "#8a2c12"),
        ("#b9a36a", "#2a2104", "#6d5610"),
        ("#c394b4", "#310d27", "#8a2f6e"),
        ("#a9ab9c", "#20211b", "#5c5f4d"),
    ),
    (
        ("#7fa8a3", "#06211e", "#14564d"),
        ("#8f9fc4", "#0c1733", "#2b4488"),
        ("#a58fb8", "#1c0d2b", "#573080"),
        ("#98a97a", "#152006", "#43601a"),
    ),
)
"""Fill, ink and accent colors of nations, side by side, for counters without a picture. Sides differ in lightness."""


@dataclass(frozen=True)
class ImportedArmy:
    """A nation of the pack."""

    id: str
    name: str
    side: str
    colors: tuple[str, str, str]


@dataclass
class Sides:
    """The sides and nations of a module, and the owner of each piece."""

    sides: Mapping[str, str]
    """Their names by id."""
    armies: Mapping[str, ImportedArmy]
    by_player: Mapping[int, str]
    """The nation of a piece, by the index of its definition; empty for a piece without an owner."""

    def nation(self, number: int) -> str:
        """The nation of a piece."""
        return self.by_player.get(number, "")


def roster(module: LoadedModule) -> list[str]:
    """The sides that players choose from, without referees and the like."""
    entry_names = dict.fromkeys(clean(entry.text or "") for entry in module.elements("entry"))
    return [name for name in entry_names if name and not NOBODY.fullmatch(name)]


def divide(module: LoadedModule, pieces: Sequence[Definition], report: Report) -> Sides:
    """Find sides in the roster, nations in the pieces' own data, and each piece's owner in its texts."""
    names = roster(module)
    if not names:
        names = ["Players"]
        report.chose("the module has no sides; the pack has one, Players")
    side_words = [clean(value) for piece in pieces if (value := _marked_text(piece, SIDE_WORDS))]
    piece_sides = list(dict.fromkeys(side_words))
    if (
        2 <= len(piece_sides) <= MOST_SIDES
        and not any(_names_side(word, names) for word in piece_sides)
        and 2 * len(side_words) > len(pieces)
    ):
        report.chose(
            f"pieces name other sides than the roster ({', '.join(names)}): the pack has the pieces'",
            ", ".join(piece_sides),
        )
        names = piece_sides
    ids = Ids()
    sides = {ids.new_id(name, "side"): name for name in names}
    tokens = {
        key: _tokens(name, [other_name for other_name in names if other_name != name]) for key, name in sides.items()
    }
    owner = {i: _side(piece, tokens) for i, piece in enumerate(pieces)}
    nation_names = {i: _nation(piece) for i, piece in enumerate(pieces)}
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for i, nation in nation_names.items():
        if nation and owner[i]:
            votes[nation][owner[i]] += 1
    common = [nation for nation, _ in Counter(n for n in nation_names.values() if n in votes).most_common(MOST_NATIONS)]
    armies: dict[str, ImportedArmy] = {}
    nations: dict[str, str] = {}
    order = {key: number % len(COLORS) for number, key in enumerate(sides)}
    for key, name in sides.items():
        armies[key] = ImportedArmy(key, name, key, COLORS[order[key]][0])
    for nation in sorted(common):
        side = votes[nation].most_common(1)[0][0]
        same_side = next((key for key in sides if slug(nation) in (key, slug(sides[key]))), "")
        key = same_side or ids.new_id(nation, "nation")
        nations[nation] = key
        colors = COLORS[order[side]]
        armies.setdefault(
            key,
            ImportedArmy(key, nation, side, colors[sum(army.side == side for army in armies.values()) % len(colors)]),
        )
        if len(votes[nation]) > 1:
            report.chose("nations with pieces of several sides: the side with most of them has it", nation)
    nation_by_piece = {}
    for i in range(len(pieces)):
        nation = nations.get(nation_names[i], "")
        nation_by_piece[i] = nation or (owner[i] if owner[i] in armies else "")
    return Sides(sides, armies, nation_by_piece)


def _names_side(word: str, names: Sequence[str]) -> bool:
    """Whether a word on a piece stands for a side of the roster."""
    return any(
        pattern.search(word)
        for name in names
        for pattern in _tokens(name, [other_name for other_name in names if other_name != name])
    )


def _marked_text(piece: Definition, words: Sequence[str]) -> str:
    """The value of the first mark of a piece that has one of these names."""
    properties = {name.lower(): value for name, value in piece.properties.items()}
    return next((properties[word] for word in words if properties.get(word)), "")


def _tokens(name: str, other_names: Sequence[str]) -> list[re.Pattern[str]]:
    """Patterns that stand for a side in a text: its name, words that only it has, its initials."""
    other_words = {word.lower() for other_name in other_names for word in re.findall(r"\w+", other_name)}
    words = [word for word in re.findall(r"\w+", name) if word.lower() not in other_words]
    patterns = [re.compile(rf"(?<![a-z]){re.escape(name)}(?![a-z])", re.I)]
    patterns += [
        re.compile(rf"(?<![a-z]){re.escape(word[: max(4, len(word) - 2)])}", re.I) for word in words if len(word) >= 4
    ]
    patterns += [re.compile(rf"(?<![A-Za-z]){re.escape(word)}(?![a-z])") for word in words if 1 < len(word) < 4]
    initials = "".join(word[0] for word in name.split() if word[0].isupper())
    if len(initials) > 1 and initials not in {
        "".join(w[0] for w in other_name.split() if w) for other_name in other_names
    }:
        patterns.append(re.compile(rf"(?<![A-Za-z]){initials}(?![a-z])"))
    return patterns


def _side(piece: Definition, tokens: Mapping[str, Sequence[re.Pattern[str]]]) -> str:
    for text in _texts(piece):
        matching_sides = [key for key, patterns in tokens.items() if any(pattern.search(text) for pattern in patterns)]
        if len(matching_sides) == 1:
            return matching_sides[0]
    return ""


def _texts(piece: Definition) -> Iterator[str]:
    """Texts that may name a piece's owner, the most reliable first."""
    properties = {name.lower(): value for name, value in piece.properties.items()}
    yield from (properties[word] for word in (*SIDE_WORDS, *NATION_WORDS) if properties.get(word))
    yield from (text for text in piece.prototypes if len(text) < 60)
    yield from reversed(piece.folders)
    yield piece.name


def _nation(piece: Definition) -> str:
    nation_name = _marked_text(piece, NATION_WORDS)
    return clean(nation_name) if re.fullmatch(r"[^\W\d][\w .'-]{0,39}", nation_name) else ""
