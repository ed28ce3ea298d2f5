"""The lock: what saves name, kept for good. A build appends to it and never changes what it has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scenarios.files import read_inside, write_text

NAME = "module.lock.json"


class CannotBuild(ValueError):
    """Why a module can't be built."""


class LockChanged(CannotBuild):
    """A build would change the lock, or break what it holds."""


@dataclass
class Lock:
    """Ids of palette slots, and lists of names in the order they came."""

    gpids: dict[str, int] = field(default_factory=dict)
    next: int = 1
    names: dict[str, list[str]] = field(default_factory=dict)
    boards: dict[str, list[int]] = field(default_factory=dict)
    id: str = ""
    """Of an extension: what stands before its ids."""

    def gpid(self, slot: str, was: Iterable[str] = ()) -> str:
        """The id of a slot: the one it has, or had under an earlier name, or the next."""
        old_slot = next((old for old in was if old in self.gpids), None)
        if slot not in self.gpids and old_slot is not None:
            self.gpids = {slot if name == old_slot else name: gpid for name, gpid in self.gpids.items()}
        if slot not in self.gpids:
            self.gpids[slot] = self.next
            self.next += 1
        return str(self.gpids[slot])

    def keep(self, kind: str, names: Iterable[str]) -> list[str]:
        """Names of a kind in their lasting order; new ones go to the end, old ones stay even where nothing uses them."""
        kept_names = self.names.setdefault(kind, [])
        kept_names += [name for name in dict.fromkeys(names) if name not in kept_names]
        return kept_names

    def board(self, name: str, *numbers: int) -> None:
        """A board's size and grid; ValueError with a sentence if they were others before."""
        old_numbers = self.boards.setdefault(name, list(numbers))
        if old_numbers != list(numbers):
            raise LockChanged(
                f"the board {name} was {old_numbers} and would be {list(numbers)}: pieces of old saves would stand elsewhere;"
                f" make it as it was, or delete {NAME} where no save needs to last, and build with --new-lock"
            )

    def as_text(self) -> str:
        """The file."""
        id_entry = {"id": self.id} if self.id else {}
        content: Mapping[str, Any] = {
            **id_entry,
            "next": self.next,
            "gpids": self.gpids,
            "names": self.names,
            "boards": self.boards,
        }
        return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


@dataclass
class ExtensionLock(Lock):
    """The lock of a module with that of an extension: what the module doesn't have gets the extension's own ids."""

    lock: Lock = field(default_factory=Lock)

    def gpid(self, slot: str, was: Iterable[str] = ()) -> str:
        """The module's id of a slot, or the extension's."""
        if any(name in self.gpids for name in (slot, *was)):
            return super().gpid(slot, was)
        return f"{self.lock.id}:{self.lock.gpid(slot, was)}"

    def board(self, name: str, *numbers: int) -> None:
        """The module's boards stay as they are, whatever size the extension's trays would give them."""
        if name not in self.boards:
            super().board(name, *numbers)


def read_lock(folder: Path, name: str = NAME) -> Lock:
    """The lock of a pack; an empty one where there is none yet. CannotBuild with a sentence where it is damaged."""
    path = folder / name
    if not path.exists():
        return Lock()
    try:
        content = json.loads(read_inside(folder, path))
        gpids = {slot: _integer(gpid) for slot, gpid in content["gpids"].items()}
        names = {kind: [str(name) for name in kind_names] for kind, kind_names in content["names"].items()}
        boards = {name: list(board_numbers) for name, board_numbers in content["boards"].items()}
        lock = Lock(gpids, _integer(content["next"]), names, boards, str(content.get("id", "")))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise CannotBuild(f"{path} is damaged; take it from the last commit again") from None
    except OSError as error:
        raise CannotBuild(f"{path} can't be read ({error.strerror}); check that it is a file, and its rights") from None
    slots_by_gpid: dict[int, str] = {}
    for slot, gpid in lock.gpids.items():
        if gpid < 1:
            raise CannotBuild(
                f"{path} gives {slot} the id {gpid}; ids begin with 1: take the lock from the last commit again"
            )
        if slots_by_gpid.setdefault(gpid, slot) != slot:
            raise CannotBuild(
                f"{path} gives the id {gpid} to {slots_by_gpid[gpid]} and to {slot}; the later of the two needs its own"
            )
        if gpid >= lock.next:
            raise CannotBuild(
                f"{path} gives {slot} the id {gpid}, but the next would be {lock.next}; it must be higher"
            )
    return lock


def _integer(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is no whole number")
    return value


def write_lock(folder: Path, lock: Lock, name: str = NAME) -> None:
    """Write the lock of a pack; CannotBuild with a sentence where that can't be done: the next build would number anew."""
    path = folder / name
    try:
        write_text(path, lock.as_text())
    except OSError as error:
        raise CannotBuild(
            f"{path} can't be written ({error.strerror}), and without it the saves of this module wouldn't open in the next one;"
            " make the folder writable, or copy the pack to a folder of your own and build it there"
        ) from None


def missing(path: Path, reason: str) -> str:
    """The sentence about a lock that isn't there any more."""
    return (
        f"{path} is missing, though {reason}: every piece would get another id, and saves would break; put it back from your"
        " last commit or copy, or build with --new-lock where no save needs to last"
    )


def no_clash(faces: Iterable[str], badges: Iterable[str]) -> None:
    """CannotBuild with a sentence where the pictures of counters and those of the module have one name."""
    clash = sorted(set(faces) & set(badges))
    if clash:
        piece_id = clash[0].removesuffix(".png")
        raise CannotBuild(
            f"{piece_id} can't be the id of a counter or marker: the module has a picture {clash[0]} of its own"
        )
