"""Games from Python: positions with the moves that were seen, or only the boards one after another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterable, List, Optional, Sequence, Union

from ._onlooker import State, game_log, infer_moves
from .errors import Error

#: A board: rows from the top, or one text of lines or of ranks divided by '/'.
Board = Union[str, Sequence[str]]


@dataclass
class Record:
    """One position of a game, with what was seen of the moves from it.

    ``moves`` are written as in logs: the number of the square where the move starts (counted from the lower left corner, rank by
    rank) or its name, and a word of micro-moves, as in ``"a2 (0 1 e)"``; the first is the one that was played. ``complete`` says
    whether they are all that were legal. ``outcome`` is how the game ended for the player who has *just* moved: 1, 0, -1, or
    ``None`` while it goes on.
    """

    board: Board
    turn: int = 0
    moves: List[str] = field(default_factory=list)
    outcome: Optional[int] = None
    complete: bool = True

    def rows(self) -> List[str]:
        """The rows of the board from the top."""
        return rows_of(self.board)


def rows_of(board: Board) -> List[str]:
    """The rows of a board from the top."""
    if isinstance(board, str):
        return [row.strip() for row in board.strip().replace("/", "\n").splitlines()]
    return list(board)


def _move(text: str, rows: List[str]) -> str:
    """A move whose square has a number."""
    square, _, word = text.strip().partition(" ")
    if square == "pass" or square.isdigit():
        return text.strip()
    letters = square.rstrip("0123456789")
    rank = square[len(letters):]
    width = len(rows[0].split()) if " " in rows[0] else len(rows[0])
    if not rank or len(letters) != 1:
        raise Error(f"found {text!r}, expected a square and a word, as in 'a2 (0 1 e)'")
    return f"{(int(rank) - 1) * width + ord(letters) - ord('a')} {word}"


def log_of(game: Iterable[Record]) -> bytes:
    """A game as the bytes of a log. What is wrong with it is found when they are read."""
    lines: List[str] = []
    for number, record in enumerate(game, 1):
        rows = record.rows()
        if record.turn not in (0, 1):
            raise Error(f"record {number}: found turn {record.turn!r}, expected 0 or 1")
        outcome = "*" if record.outcome is None else str(int(record.outcome))
        listing = "all" if record.complete else "some"
        lines += [str(number), *rows, outcome, f"{'wb'[record.turn]} {listing} {len(record.moves)}"]
        lines += [_move(move, rows) for move in record.moves]
    return ("\n".join(lines) + "\n").encode() if lines else b""


def records_of_boards(
    boards: Iterable[Board],
    *,
    outcome: Optional[int] = None,
    players: int = 2,
    first: int = 0,
    hops: str = "none",
) -> List[Record]:
    """The records of a game of which only the boards before and after each move are known.

    Players move in turn. The moves are read off the boards; ``outcome`` is that of the player who moved last, or ``None`` if the game
    was not played to its end.
    """
    seen = list(boards)
    records: List[Record] = []
    for number, board in enumerate(seen):
        turn = (first + number) % players
        if number + 1 < len(seen):
            moves = infer_moves(board, seen[number + 1], turn, hops=hops)
            if not moves or moves == ["pass"]:
                raise Error(f"board {number + 2}: found no move of player {turn} that leads there from the board before it")
            records.append(Record(board, turn, moves[:1], None, complete=False))
        elif outcome is not None:
            records.append(Record(board, turn, [], outcome, complete=False))
    return records


def bytes_of(games: Iterable[Any]) -> bytes:
    """Games of any kind as the bytes of a log: states with what was played before them, or lists of records."""
    parts: List[bytes] = []
    for game in games:
        if isinstance(game, State):
            parts.append(game_log(game))
        elif isinstance(game, (bytes, bytearray)):
            parts.append(bytes(game))
        else:
            parts.append(log_of(game))
    return b"".join(parts)
