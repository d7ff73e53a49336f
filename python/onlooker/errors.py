"""What can go wrong: every error says what was found, what was expected and, where there is one, the place."""

from __future__ import annotations

from typing import Any, Dict, Optional, Type


class Error(ValueError):
    """Something is wrong with what was given.

    ``file``, ``line`` and ``column`` (counted from 1) say where, as far as that is known.
    """

    def __init__(
        self,
        message: str,
        *,
        file: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        return f"{':'.join(place)}: {self.message}" if place else self.message

    def __reduce__(self) -> Any:
        return (_again, (type(self), dict(self.__dict__)))


def _again(kind: Type[Error], attributes: Dict[str, Any]) -> Error:
    error = kind(attributes["message"])
    for name, value in attributes.items():
        setattr(error, name, value)
    return error


class LogError(Error):
    """A game of a log is damaged. ``game`` and ``record`` say which, both counted from 1."""

    def __init__(
        self,
        message: str,
        *,
        file: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        game: Optional[int] = None,
        record: Optional[int] = None,
    ) -> None:
        super().__init__(message, file=file, line=line, column=column)
        self.game = game
        self.record = record

    def __str__(self) -> str:
        place = [f"{name} {number}" for name, number in (("game", self.game), ("record", self.record)) if number is not None]
        return f"{super().__str__()} ({', '.join(place)})" if place else super().__str__()


class RulesError(Error):
    """A text is none of rules, or they cannot be run."""


class SheetError(Error):
    """A text is no rule sheet, or it cannot be run."""


class UnknownGame(Error):
    """There is no game and no file of this name."""


class IllegalMove(Error):
    """A move is not legal in this state."""


class NoRules(Error):
    """Nothing could be learnt: there are no games, or they make no rules, or a sheet does not fit on a board."""


class EvidenceError(Error):
    """Evidence is damaged, or does not belong to the evidence it is merged with."""


class PlanError(Error):
    """A plan cannot be read, or does not fit the model."""


class AgentError(Error):
    """There is no such player, or a file that it needs cannot be used."""


class ConceptsError(Error):
    """A text is none of concepts."""


class OpponentError(Error):
    """A text is no model of an opponent, or the model does not fit the game."""


class TacticsError(Error):
    """A text is none of tactics, or the tactics do not fit the game."""


class TooLarge(Error):
    """A state of a game is too large to be worked out."""
