"""Games in the shape of OpenSpiel, so that its algorithms run on them: ``onlooker.openspiel.load_game("connect-four")``.

Nothing of OpenSpiel is needed. Roles that move at the same time move one after another, as in its ``turn_based_simultaneous_game``.
"""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple

from . import _onlooker
from ._observation import Observer
from .errors import Error, IllegalMove

#: The numbers that OpenSpiel gives to those who are no players.
CHANCE_PLAYER = -1
TERMINAL_PLAYER = -4
INVALID_PLAYER = -3


class _Kind:
    """What ``GameType`` has of enumerations, where OpenSpiel is not installed."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


def _kind(kind: str, name: str) -> Any:
    """A member of one of OpenSpiel's enumerations, for algorithms that compare it."""
    try:
        import pyspiel
    except ImportError:
        return _Kind(name)
    return getattr(getattr(pyspiel.GameType, kind), name)


class GameType:
    """What kind of game it is, with the names of OpenSpiel's ``GameType``."""

    def __init__(self, game: "SpielGame") -> None:
        self.short_name = game.game.name
        self.long_name = game.game.about or game.game.name
        self.min_num_players = self.max_num_players = game.num_players()
        self.dynamics = _kind("Dynamics", "SEQUENTIAL")
        self.chance_mode = _kind("ChanceMode", "EXPLICIT_STOCHASTIC" if game.game.chance_roles else "DETERMINISTIC")
        self.information = _kind("Information", "PERFECT_INFORMATION")
        self.utility = _kind("Utility", "ZERO_SUM" if game.num_players() == 2 else "GENERAL_SUM")
        self.reward_model = _kind("RewardModel", "TERMINAL")
        self.provides_information_state_string = True
        self.provides_information_state_tensor = True
        self.provides_observation_string = True
        self.provides_observation_tensor = True


class SpielGame:
    """A game with the methods of ``pyspiel.Game``."""

    def __init__(self, game: Any, max_length: int = 10_000) -> None:
        self.game: _onlooker.Game = _onlooker.game(game)
        chance = set(self.game.chance_roles)
        #: The roles of the players, in the order of their numbers.
        self.players = [role for role in self.game.roles if role not in chance]
        self._numbers = {role: number for number, role in enumerate(self.players)}
        self._length = max_length
        self._observer = Observer(self.game)

    def new_initial_state(self) -> "SpielState":
        return SpielState(self, self.game.initial_state())

    def num_players(self) -> int:
        return len(self.players)

    def num_distinct_actions(self) -> int:
        return self.game.num_actions

    def max_chance_outcomes(self) -> int:
        return self.game.num_actions if self.game.chance_roles else 0

    def max_game_length(self) -> int:
        return self._length

    def min_utility(self) -> float:
        return -1.0

    def max_utility(self) -> float:
        return 1.0

    def utility_sum(self) -> Optional[float]:
        return 0.0 if self.num_players() == 2 else None

    def observation_tensor_shape(self) -> List[int]:
        return list(self._observer.shape)

    def observation_tensor_size(self) -> int:
        size = 1
        for side in self._observer.shape:
            size *= side
        return size

    information_state_tensor_shape = observation_tensor_shape
    information_state_tensor_size = observation_tensor_size

    def get_type(self) -> GameType:
        return GameType(self)

    def get_parameters(self) -> dict[str, Any]:
        return {}

    def __str__(self) -> str:
        return f"onlooker({self.game.name})"

    def __repr__(self) -> str:
        return str(self)


class SpielState:
    """A state with the methods of ``pyspiel.State``."""

    def __init__(self, game: SpielGame, state: _onlooker.State) -> None:
        self._game = game
        self._state = state
        #: Moves of roles that move together, while others still have to choose.
        self._chosen: List[str] = []
        #: All actions so far, with who took them.
        self._actions: List[Tuple[int, int]] = []

    def get_game(self) -> SpielGame:
        return self._game

    @property
    def state(self) -> _onlooker.State:
        """The state itself."""
        return self._state

    def _mover(self) -> Optional[str]:
        movers = self._state.to_move
        return movers[len(self._chosen)] if movers else None

    def current_player(self) -> int:
        mover = self._mover()
        if mover is None:
            return TERMINAL_PLAYER
        return self._game._numbers.get(mover, CHANCE_PLAYER)

    def is_terminal(self) -> bool:
        return self._state.is_terminal()

    def is_chance_node(self) -> bool:
        return self.current_player() == CHANCE_PLAYER

    def is_player_node(self) -> bool:
        return self.current_player() >= 0

    def is_simultaneous_node(self) -> bool:
        return False

    def legal_actions(self, player: Optional[int] = None) -> List[int]:
        mover = self._mover()
        if mover is None or (player is not None and player != self.current_player()):
            return []
        return self._state.legal_actions(mover)

    def legal_actions_mask(self, player: Optional[int] = None) -> List[int]:
        mask = [0] * self._game.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def chance_outcomes(self) -> List[Tuple[int, float]]:
        actions = self.legal_actions() if self.is_chance_node() else []
        return [(action, 1.0 / len(actions)) for action in actions]

    def apply_action(self, action: int) -> None:
        mover = self._mover()
        if mover is None:
            raise IllegalMove("the game is over: nothing can be played")
        player = self.current_player()
        chosen = self._state.action_to_move(int(action), mover).term
        self._actions.append((player, int(action)))
        self._chosen.append(chosen)
        if len(self._chosen) == len(self._state.to_move):
            self._state.play(*self._chosen)
            self._chosen = []

    def apply_actions(self, actions: Sequence[int]) -> None:
        for action in actions:
            self.apply_action(action)

    def undo_action(self, player: int, action: int) -> None:
        if not self._actions or self._actions[-1] != (player, action):
            raise Error(f"found action {action} of player {player}, expected the last action, which alone can be taken back")
        self._actions.pop()
        if self._chosen:
            self._chosen.pop()
            return
        taken = self._state.undo()
        moves = taken if isinstance(taken, list) else [taken]
        self._chosen = [move.term for move in moves[:-1]]

    def child(self, action: int) -> "SpielState":
        child = self.clone()
        child.apply_action(action)
        return child

    def clone(self) -> "SpielState":
        clone = SpielState(self._game, self._state.copy())
        clone._chosen = list(self._chosen)
        clone._actions = list(self._actions)
        return clone

    def __copy__(self) -> "SpielState":
        return self.clone()

    def __deepcopy__(self, memo: Any) -> "SpielState":
        return self.clone()

    def action_to_string(self, player: Any, action: Optional[int] = None) -> str:
        number = player if action is None else action
        mover = self._mover()
        return str(self._state.action_to_move(int(number), mover)) if mover is not None else str(number)

    def string_to_action(self, player: Any, text: Optional[str] = None) -> int:
        wanted, mover = player if text is None else text, self._mover()
        for move in self._state.legal_moves(mover) if mover is not None else []:
            if str(move) == wanted or move.term == wanted:
                return self._state.move_to_action(move)
        raise IllegalMove(f"found {wanted!r}, expected a legal move of {mover}")

    def returns(self) -> List[float]:
        all_returns = self._state.returns()
        return [all_returns[self._game.game.roles.index(role)] for role in self._game.players]

    def rewards(self) -> List[float]:
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    player_reward = player_return

    def history(self) -> List[int]:
        return [action for _, action in self._actions]

    def full_history(self) -> List[Tuple[int, int]]:
        return list(self._actions)

    def history_str(self) -> str:
        return ", ".join(str(action) for action in self.history())

    def move_number(self) -> int:
        return len(self._actions)

    def num_players(self) -> int:
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        return self._game.num_distinct_actions()

    def observation_string(self, player: Optional[int] = None) -> str:
        return str(self)

    def information_state_string(self, player: Optional[int] = None) -> str:
        return self.history_str()

    def observation_tensor(self, player: Optional[int] = None) -> List[float]:
        values: List[float] = self._game._observer(self._state).astype(float).ravel().tolist()
        return values

    def information_state_tensor(self, player: Optional[int] = None) -> List[float]:
        return self.observation_tensor(player)

    def __str__(self) -> str:
        return f"{self._state}\n{self.history_str()}" if self._chosen else str(self._state)

    def __repr__(self) -> str:
        return repr(self._state)


def load_game(game: Any, max_length: int = 10_000) -> SpielGame:
    """A game of the catalogue, of rules (learnt ones too), or of a rule sheet in the shape of OpenSpiel."""
    return SpielGame(game, max_length)
