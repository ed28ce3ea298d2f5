"""Contingents (2.6, 7.4, 7.5)."""

from __future__ import annotations

ANGLO_FRENCH = "anglo_french"
_NATIONS = {"britain": ANGLO_FRENCH, "france": ANGLO_FRENCH}


def contingent(nation: str) -> str:
    """The contingent of a nation: the British and the French are one."""
    return _NATIONS.get(nation, nation)
