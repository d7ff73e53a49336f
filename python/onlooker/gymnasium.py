"""Games for one player as environments of Gymnasium: ``onlooker.gymnasium.env("peg-solitaire")``."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import gymnasium
import numpy as np
from gymnasium import spaces

from . import _onlooker
from ._observation import Observer
from ._onlooker import Game, State
from .errors import Error, IllegalMove


class OnlookerEnv(gymnasium.Env):  # type: ignore[misc,unused-ignore]
    """A game for one player, or one role of a game whose other roles are played by agents.

    Observations are dictionaries with ``observation`` and ``action_mask``. The reward at the end is the goal, from 0 to 1. An action
    that is not legal changes nothing; its reward is -1, and ``info["illegal_action"]`` is set. After ``max_plies`` steps the episode
    is truncated.
    """

    metadata: Dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: Any,
        role: Optional[str] = None,
        opponent: str = "random",
        render_mode: Optional[str] = None,
        max_plies: int = 2000,
    ) -> None:
        self.game: Game = _onlooker.game(game)
        chance = set(self.game.chance_roles)
        played = [name for name in self.game.roles if name not in chance]
        if role is None and len(played) > 1:
            raise Error(f"{self.game.name} is for {len(played)} players, expected a role: one of {', '.join(played)}")
        self.role = played[0] if role is None else role
        if self.role not in played:
            raise Error(f"found role {self.role!r}, expected one of {', '.join(played)}")
        self._others = _onlooker.Agent(opponent)
        self._chance = chance
        self._number = self.game.roles.index(self.role)
        self.render_mode = render_mode
        self.max_plies = max_plies
        self._observer = Observer(self.game)
        size = self.game.num_actions
        self.observation_space: Any = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, self._observer.shape, np.int8),
                "action_mask": spaces.Box(0, 1, (size,), np.int8),
            }
        )
        self.action_space: Any = spaces.Discrete(size)
        self.state: State = self.game.initial_state()
        self._steps = 0

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Any, Dict[str, Any]]:
        super().reset(seed=seed)
        self.state = self.game.initial_state()
        self._steps = 0
        self._go_on(None)
        return self._observe(), {}

    def step(self, action: Any) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        self._steps += 1
        cut = self._steps >= self.max_plies
        try:
            choice = self.state.action_to_move(int(action), self.role)
        except IllegalMove:
            return self._observe(), -1.0, False, cut, {"illegal_action": True}
        self._go_on(choice.term)
        over = self.state.is_terminal()
        goals = self.state.goals()
        goal = goals[self._number] if goals is not None else None
        reward = goal / 100.0 if goal is not None else 0.0
        return self._observe(), reward, over, not over and (cut or self.state.ply >= self.max_plies), {}

    def _go_on(self, chosen: Optional[str]) -> None:
        """Plays until the role is to move again; others and chance move by themselves."""
        while not self.state.is_terminal() and self.state.ply < self.max_plies:
            movers = self.state.to_move
            if self.role in movers and chosen is None:
                return
            joint: Dict[str, str] = {}
            for role in movers:
                if role == self.role and chosen is not None:
                    joint[role] = chosen
                elif role in self._chance:
                    legal = self.state.legal_moves(role)
                    joint[role] = legal[int(self.np_random.integers(len(legal)))].term
                else:
                    joint[role] = self._others.choose(self.state, role, seed=int(self.np_random.integers(2**31))).move.term
            self.state.play(joint)
            if self.role in movers:
                chosen = None

    def _observe(self) -> Dict[str, Any]:
        turn = self.role in self.state.to_move
        mask = self.state.action_mask(self.role) if turn else np.zeros(self.game.num_actions, dtype=np.int8)
        return {"observation": self._observer(self.state), "action_mask": mask}

    def render(self) -> Any:
        return str(self.state) if self.render_mode == "ansi" else None


def env(game: Any, role: Optional[str] = None, **options: Any) -> OnlookerEnv:
    """A game for one player as an environment; of a game for more, the side of one role against an agent."""
    return OnlookerEnv(game, role, **options)
