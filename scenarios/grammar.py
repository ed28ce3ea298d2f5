"""Small rules of English for texts with numbers and names: plurals, articles, fractions."""

from __future__ import annotations

from fractions import Fraction

FRACTION_SIGNS = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}


def number_text(value: Fraction | int) -> str:
    """A number as players write it: 4, 1½, 2 1/3."""
    if value < 0:
        return f"-{number_text(-value)}"
    whole_part, rest = divmod(value, 1)
    if not rest:
        return str(whole_part)
    fraction_text = FRACTION_SIGNS.get(Fraction(rest), f" {rest}")
    return f"{whole_part}{fraction_text}" if whole_part else fraction_text.strip()


def amount_text(value: Fraction | int) -> str:
    """A number that was worked out: as players write it if it is simple, with two decimals otherwise."""
    return number_text(value) if Fraction(value).denominator in (1, 2, 3, 4) else f"{float(value):.2f}"


def plural_noun(noun: str) -> str:
    """The plural of a noun: points, hexes."""
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def count_text(count: Fraction | int, noun: str) -> str:
    """A number with its noun: 1 point, 2 points, 1½ points, ½ point, 0 hexes."""
    return f"{number_text(count)} {noun if 0 < count <= 1 else plural_noun(noun)}"


def with_article(noun: str) -> str:
    """A noun with its indefinite article: a fort, an improved position."""
    return f"{'an' if noun[0] in 'aeiouAEIOU' else 'a'} {noun}"
