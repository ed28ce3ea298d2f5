"""The counters and markers of the pack. Copies of a piece become one counter, marks its factors, layers its states."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from modgen.importing.definitions import Definition
from modgen.importing.faces import ImportedFace, Layer, PieceFaces, looks
from modgen.importing.names import Ids, clean, slug
from modgen.importing.pictures import Pictures
from modgen.importing.report import Report
from modgen.importing.sides import NATION_WORDS, Sides
from modgen.vmod.files.loaded_module import kind_of

MARKER = re.compile(r"\bmarkers?$", re.I)
"""Matches folders and prototypes of pieces that don't fight."""
MOST_FACTORS, MOST_STATES, LONGEST = 40, 16, 40
FLIPPED_STATE = "flipped"
OWN_COMMANDS = {
    "unit", "copy", "group", "enters", "nation", "side", "name", "id", "class", "type", "size", "steps", "state", "states", "count",
    "formation",
}  # fmt: skip
"""Names that a pack uses itself. A mark with such a name gets the prefix `mark_`."""
TRAITS = {
    "label": "text labels", "rotate": "rotation", "obs": "masks", "hide": "invisibility", "sendto": "send to a place",
    "return": "return to deck", "macro": "trigger actions", "globalkey": "global key commands",
    "globalhotkey": "global hotkeys", "placemark": "place marker", "replace": "replace with other",
    "report": "reports", "restrict": "restricted access", "restrictCommands": "restricted commands",
    "hideCmd": "restricted commands", "calcProp": "calculated properties", "setprop": "global property changes",
    "translate": "move fixed distance", "footprint": "movement trails", "markmoved": "marks when moved",
    "AreaOfEffect": "areas of effect", "pivot": "pivots", "nonRect2": "shapes", "nonRect": "shapes",
    "submenu": "submenus", "table": "tables", "propertysheet": "property sheets", "locmsg": "location messages",
    "button": "action buttons", "immob": "does not stack", "clone": "clone", "delete": "delete",
    "emb": "layers of VASSAL 2", "playSound": "sounds", "mat": "mats", "matPiece": "mats", "cargo": "mat cargo",
    "attach": "attachments", "deselect": "deselect", "basicName": "basic names", "border": "borders",
    "locCommand": "multi-location commands", "cmt": "comments", "username": "user names",
}  # fmt: skip
"""Traits that a pack can't express, with their names in VASSAL's editor."""


@dataclass
class PieceKind:
    """A counter or marker of the pack."""

    id: str
    name: str
    nation: str
    marker: bool
    front: ImportedFace
    back: ImportedFace
    turns: Layer | None
    layers: tuple[Layer, ...]
    properties: Mapping[str, str]
    copies: int = 0
    used: int = 0
    card: bool = False
    group: str = ""
    """The palette list that contains it."""
    factors: dict[str, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """The number of copies: slots of the module, or the most in any set-up."""
        return max(self.copies, self.used, 1)


@dataclass
class PieceKinds:
    """All counters and markers, and the lookup from a piece to one of them."""

    pictures: Pictures
    report: Report
    sides: Sides
    ids: Ids = field(default_factory=Ids)
    by_key: dict[str, PieceKind] = field(default_factory=dict)
    by_gpid: dict[str, PieceKind] = field(default_factory=dict)
    by_look: dict[tuple[str, str], PieceKind] = field(default_factory=dict)
    unseen: set[str] = field(default_factory=set)
    """The ids of pieces that are invisible."""
    traits: Counter[str] = field(default_factory=Counter)

    def add(self, pieces: Sequence[Definition]) -> None:
        """Add the pieces that the module defines."""
        kinds_by_identity: dict[tuple[object, ...], PieceKind] = {}
        for number, piece in enumerate(pieces):
            faces = looks(piece.traits, self.pictures)
            if not faces.front.parts and not faces.back.parts:
                self.unseen.add(piece.gpid)
                self.report.left_out("pieces that can't be seen, the machinery of the module", piece.name or piece.gpid)
                continue
            kind = kinds_by_identity.get(piece.identity)
            if kind is None:
                kind = kinds_by_identity[piece.identity] = self.make(piece, self.sides.nation(number), faces)
            kind.copies += 1
            self.by_gpid.setdefault(piece.gpid, kind)
            self.by_look.setdefault((kind.name, kind.front.key), kind)

    def make(self, piece: Definition, nation: str, faces: PieceFaces) -> PieceKind:
        """Make a new counter or marker."""
        card = any(kind_of(element) in ("DrawPile", "Deck") for element in piece.path)
        words = (*piece.folders, *piece.prototypes)
        marker = not nation or card or any(MARKER.search(word) for word in words)
        name = (
            clean(piece.name) or next((clean(label) for label in faces.turns.labels if label), "")
            if faces.turns
            else clean(piece.name)
        )
        name = name or "Piece"
        side = self.sides.armies[nation].side if nation in self.sides.armies else ""
        kind = PieceKind(
            self.ids.new_id(name, "piece"),
            name,
            side if marker else nation,
            marker,
            faces.front if faces.front.parts else faces.back,
            faces.back,
            faces.turns,
            faces.other_layers,
            piece.properties,
            card=card,
        )
        palette = any(kind_of(element) == "PieceWindow" for element in piece.path)
        kind.group = clean(piece.folders[-1], 40) if palette and piece.folders and not marker else ""
        self.by_key[kind.id] = kind
        if faces.is_concealed:
            self.report.chose(
                "pieces that show nothing as they begin; their front is a picture that they may show", name
            )
        if faces.extra_faces:
            self.report.left_out("further faces of pieces that have more than two", f"{name} ({faces.extra_faces})")
        for trait in piece.traits:
            self.traits[trait.type.partition(";")[0]] += 1
        return kind

    def told_traits(self) -> None:
        """Report the behavior that a pack can't express."""
        for kind, count in self.traits.most_common():
            if kind in TRAITS:
                self.report.left_out("behaviour of pieces (traits)", f"{TRAITS[kind]} ({count})")
            elif kind not in ("piece", "emb2", "mark", "PROP", "prototype"):
                self.report.left_out("traits of pieces that Mitla doesn't know", f"{kind[:30]} ({count})")

    def factors(self) -> dict[str, tuple[str, str]]:
        """The marks of pieces as factors: name and kind by id. Each counter gets its own values."""
        values: dict[str, dict[str, str]] = {}
        for kind in self.by_key.values():
            for name, value in kind.properties.items():
                if value and name.lower() not in NATION_WORDS:
                    values.setdefault(name, {})[kind.id] = value
        common_names = sorted(values, key=lambda name: (-len(values[name]), name))
        ids, result = Ids(), dict[str, tuple[str, str]]()
        for name in common_names:
            if len(result) == MOST_FACTORS or any(
                len(value) > LONGEST or not value.isprintable() for value in values[name].values()
            ):
                self.report.left_out(
                    "marks of pieces that aren't factors of the pack", f"{clean(name)} ({len(values[name])})"
                )
                continue
            key = ids.new_id(f"mark_{slug(name)}" if slug(name) in OWN_COMMANDS else name, "mark")
            number = all(re.fullmatch(r"-?\d{1,6}", value) for value in values[name].values())
            result[key] = clean(name) or key, "number" if number else "text"
            for piece, value in values[name].items():
                self.by_key[piece].factors[key] = str(int(value)) if number else value
        return result

    def states(self) -> dict[str, str]:
        """Layers that can be switched on, as states: their titles by id."""
        state_counts: Counter[str] = Counter()
        titles: dict[str, str] = {}
        for kind in self.by_key.values():
            for layer in kind.layers:
                title = clean(layer.title, 30)
                if layer.always or not title or slug(title) == FLIPPED_STATE:
                    if len({*layer.pictures} - {""}) > (layer.current_image is not None):
                        self.report.left_out("layers of pieces whose other pictures can't be shown", title or kind.name)
                    continue
                if kind.marker:
                    self.report.left_out("layers of markers, which have no states", title)
                    continue
                state_counts[slug(title)] += 1
                titles.setdefault(slug(title), title)
        common_states = {key: titles[key] for key, _ in state_counts.most_common(MOST_STATES)}
        for key, count in state_counts.items():
            if key not in common_states:
                self.report.left_out("layers of pieces that aren't states of the pack", f"{titles[key]} ({count})")
        return common_states
