"""The lock: the names and ids that saves use, kept for good. A build adds to it and never changes an entry."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scenarios.files import read_inside, write_text

LOCK = "module.lock.json"


class CannotBuild(ValueError):
    """A module can't be built; the text says why."""


class LockChanged(CannotBuild):
    """A build would change the lock, or contradict it."""


@dataclass
class Lock:
    """Ids of palette slots, and lists of names in the order of their arrival."""

    gpids: dict[str, int] = field(default_factory=dict)
    next: int = 1
    names: dict[str, list[str]] = field(default_factory=dict)
    boards: dict[str, list[int]] = field(default_factory=dict)
    id: str = ""
    """The prefix of an extension's ids."""

    def gpid(self, slot: str, was: Iterable[str] = ()) -> str:
        """The id of a slot: its own, or the one under a former name, or the next free one."""
        old_slot = next((old for old in was if old in self.gpids), None)
        if slot not in self.gpids and old_slot is not None:
            self.gpids = {slot if name == old_slot else name: gpid for name, gpid in self.gpids.items()}
        if slot not in self.gpids:
            self.gpids[slot] = self.next
            self.next += 1
        return str(self.gpids[slot])

    def keep(self, kind: str, names: Iterable[str]) -> list[str]:
        """Names of a kind in their permanent order. New names go to the end; unused old ones stay."""
        kept_names = self.names.setdefault(kind, [])
        kept_names += [name for name in dict.fromkeys(names) if name not in kept_names]
        return kept_names

    def board(self, name: str, *numbers: int) -> None:
        """Record a board's size and grid. Raises ValueError with a sentence if they were different before."""
        old_numbers = self.boards.setdefault(name, list(numbers))
        if old_numbers != list(numbers):
            raise LockChanged(
                f"the board {name} was {old_numbers} and would be {list(numbers)}: pieces of old saves would stand elsewhere;"
                f" make it as it was, or delete {LOCK} where no save needs to last, and build with --new-lock"
            )

    def as_text(self) -> str:
        """The content of the lock file."""
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
    """The locks of a module and its extension. A slot that the module lacks gets an id of the extension."""

    lock: Lock = field(default_factory=Lock)

    def gpid(self, slot: str, was: Iterable[str] = ()) -> str:
        """The module's id of a slot, or else the extension's."""
        if any(name in self.gpids for name in (slot, *was)):
            return super().gpid(slot, was)
        return f"{self.lock.id}:{self.lock.gpid(slot, was)}"

    def board(self, name: str, *numbers: int) -> None:
        """Keep the sizes of the module's boards, whatever the extension's trays need."""
        if name not in self.boards:
            super().board(name, *numbers)


def read_lock(folder: Path, name: str = LOCK) -> Lock:
    """The lock of a pack; an empty one if there is none yet. Raises CannotBuild with a sentence if it is damaged."""
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


def write_lock(folder: Path, lock: Lock, name: str = LOCK) -> None:
    """Write the lock of a pack. Raises CannotBuild with a sentence on failure, because the next build would assign new ids."""
    path = folder / name
    try:
        write_text(path, lock.as_text())
    except OSError as error:
        raise CannotBuild(
            f"{path} can't be written ({error.strerror}), and without it the saves of this module wouldn't open in the next one;"
            " make the folder writable, or copy the pack to a folder of your own and build it there"
        ) from None


def missing(path: Path, reason: str) -> str:
    """The sentence about a lock that has disappeared."""
    return (
        f"{path} is missing, though {reason}: every piece would get another id, and saves would break; put it back from your"
        " last commit or copy, or build with --new-lock where no save needs to last"
    )


def no_clash(faces: Iterable[str], badges: Iterable[str]) -> None:
    """Raise CannotBuild with a sentence if a picture of a counter and one of the module have the same name."""
    clash = sorted(set(faces) & set(badges))
    if clash:
        piece_id = clash[0].removesuffix(".png")
        raise CannotBuild(
            f"{piece_id} can't be the id of a counter or marker: the module has a picture {clash[0]} of its own"
        )
