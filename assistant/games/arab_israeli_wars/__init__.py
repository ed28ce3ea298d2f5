"""What the rules of The Arab-Israeli Wars decide."""

from assistant.games.arab_israeli_wars.questions import QUESTIONS

__all__ = ["QUESTIONS"]
