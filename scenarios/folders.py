"""The folders of a user: the cache and the settings."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from scenarios.reading.findings import surely


def cache_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path | None:
    """The cache folder on this system. MITLA_CACHE names another one; `off` disables the cache."""
    cache_setting = environment.get("MITLA_CACHE")
    if cache_setting:
        return None if cache_setting == "off" else Path(cache_setting)
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "mitla" / "cache"
    if platform == "darwin":
        return home / "Library" / "Caches" / "mitla"
    return Path(environment.get("XDG_CACHE_HOME") or home / ".cache") / "mitla"


def config_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The folder of the user's settings on this system."""
    try:
        home = Path.home()
    except RuntimeError:
        home = Path()
    if platform == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming") / "mitla"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "mitla"
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / "mitla"


def standing_overlays(folder: Path | None = None) -> list[Path]:
    """The overlay files that the user keeps in the config folder."""
    overlays = (config_folder() if folder is None else folder) / "overlays"
    return sorted(overlays.glob("*.yaml")) if surely(overlays.is_dir) else []
