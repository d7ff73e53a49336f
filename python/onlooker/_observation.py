"""States as arrays of a fixed shape, for environments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Tuple

import numpy as np

if TYPE_CHECKING:
    from ._onlooker import Game, State

#: For games whose facts have no numbers: facts are spread over so many columns.
HASHED = 1024


class Observer:
    """Makes arrays of states: for boards a plane for each kind of piece, otherwise a column for each fact."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.roles = game.roles
        self.board = game.board_shape
        self.pieces = len(game.pieces)
        self.facts = len(game.fact_names)
        if self.board is not None and not game.is_sheet:
            self.shape: Tuple[int, ...] = (*self.board, self.pieces)
        else:
            self.board = None
            self.shape = (self.facts or HASHED,)

    def __call__(self, state: State) -> Any:
        if self.board is not None:
            codes = state.to_numpy()
            return (codes[..., None] == np.arange(self.pieces, dtype=np.uint8)).astype(np.int8)
        if self.facts:
            return state.facts_vector().astype(np.int8)
        columns = np.zeros(HASHED, dtype=np.int8)
        for fact in state.facts():
            # Unlike hash(), the same in every process.
            number = 0
            for byte in fact.encode():
                number = (number * 31 + byte) % HASHED
            columns[number] = 1
        return columns
