"""What the owner of a force does where the rules let him choose (16.0, 16.3)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from assistant.attacks import BadQuestion
from scenarios.reading.findings import instead

LOSSES = {
    "weakest": "large units break down first, then the weakest small unit goes; headquarters and engineers last",
    "keep_large": "small units go first, the weakest before the others, then large units break down",
    "strongest": "the strongest unit breaks down or goes first, as the enemy would wish",
    "listed": "units go in the order they are listed, the parts of a large unit right after it",
}
RETREATS = {
    "obey": "who must retreat does, where he can",
    "stand": "a loss is taken instead of every retreat",
}
DODGES = {
    "never": "no numerical loss is avoided by retreating",
    "last": "losses that would end the force are avoided by retreating, as far as 16.3 allows",
    "always": "the first numerical loss is answered by retreating",
}


@dataclass(frozen=True)
class Policy:
    """What the owner of a force does when he may choose (16.0, 16.3)."""

    losses: str = "weakest"
    retreats: str = "obey"
    dodge: str = "never"
    leave: Fraction = Fraction(0)
    """He leaves at the end of a round when his strength is less than this share of the enemy's."""
    can_retreat: bool = True
    """Whether a point to retreat to exists (16.4)."""
    stuck: frozenset[str] = frozenset()
    """The units, by their id, for whom there is none though there is for others."""

    def __post_init__(self) -> None:
        for what, known in (("losses", LOSSES), ("retreats", RETREATS), ("dodge", DODGES)):
            value = getattr(self, what)
            if value not in known:
                raise BadQuestion(f"{value!r} is no policy for {what}; {instead(value, known)}")

    def lines(self) -> tuple[str, ...]:
        """The policy in words."""
        words = [LOSSES[self.losses], RETREATS[self.retreats] if self.can_retreat else "nowhere to retreat to"]
        if self.can_retreat and self.dodge != "never":
            words.append(DODGES[self.dodge])
        if self.can_retreat and self.leave:
            words.append(f"leaves after a round with less than {self.leave} of the enemy's strength")
        return tuple(words)
