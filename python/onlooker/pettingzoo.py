"""Games as environments of PettingZoo (AEC): ``onlooker.pettingzoo.env("tic-tac-toe")``."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from . import _onlooker
from ._observation import Observer
from ._onlooker import Game, State
from .errors import Error


class OnlookerEnv(AECEnv):  # type: ignore[misc,unused-ignore]
    """A game with an agent for each role that somebody plays.

    Observations are dictionaries with ``observation`` and ``action_mask``; actions are numbers (see ``State.legal_actions``). Roles
    that move at the same time are asked one after another, and their moves are played together. Chance draws its own moves. At
    the end each agent is rewarded from -1 (lost) to 1 (won).
    """

    def __init__(self, game: Any, render_mode: Optional[str] = None, max_plies: int = 2000) -> None:
        super().__init__()
        self.game: Game = _onlooker.game(game)
        self.max_plies = max_plies
        self.render_mode = render_mode
        self.metadata: Dict[str, Any] = {
            "name": f"onlooker_{self.game.name}_v0",
            "render_modes": ["human", "ansi"],
            "is_parallelizable": False,
        }
        chance = set(self.game.chance_roles)
        self.possible_agents: List[str] = [role for role in self.game.roles if role not in chance]
        self._chance = chance
        self._numbers = {role: number for number, role in enumerate(self.game.roles)}
        self._observer = Observer(self.game)
        size = self.game.num_actions
        self.observation_spaces: Dict[str, Any] = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, self._observer.shape, np.int8),
                    "action_mask": spaces.Box(0, 1, (size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces: Dict[str, Any] = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self._random = np.random.default_rng()
        self.state_of_game: State = self.game.initial_state()
        self._chosen: Dict[str, str] = {}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        if seed is not None or not hasattr(self, "agents"):
            self._random = np.random.default_rng(seed)
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self.state_of_game = self.game.initial_state()
        self._chosen = {}
        self.agent_selection = self.agents[0]
        self._go_on()

    def observe(self, agent: str) -> Dict[str, Any]:
        waiting = agent in self.state_of_game.to_move and agent not in self._chosen
        # The agent whose turn it is not has no legal actions.
        turn = waiting and self.agent_selection == agent
        mask = self.state_of_game.action_mask(agent) if turn else np.zeros(self.game.num_actions, dtype=np.int8)
        return {"observation": self._observer(self.state_of_game), "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise Error(f"found no action, expected one of {agent}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen[agent] = self.state_of_game.action_to_move(int(action), agent).term
        self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _go_on(self) -> None:
        """Plays what can be played, and asks the next agent."""
        while not self.state_of_game.is_terminal() and self.state_of_game.ply < self.max_plies:
            movers = self.state_of_game.to_move
            for role in movers:
                if role in self._chosen:
                    continue
                if role not in self._chance:
                    self.agent_selection = role
                    return
                legal = self.state_of_game.legal_moves(role)
                self._chosen[role] = legal[int(self._random.integers(len(legal)))].term
            self.state_of_game.play({role: self._chosen[role] for role in movers})
            self._chosen = {}
        over = self.state_of_game.is_terminal()
        returns = self.state_of_game.returns()
        for agent in self.agents:
            self.terminations[agent] = over
            self.truncations[agent] = not over
            self.rewards[agent] = returns[self._numbers[agent]]

    def render(self) -> Optional[str]:
        if self.render_mode == "human":
            print(self.state_of_game, end="\n\n")
            return None
        return str(self.state_of_game)

    def close(self) -> None:
        """Nothing to do."""


def env(game: Any, render_mode: Optional[str] = None, max_plies: int = 2000) -> OnlookerEnv:
    """A game of the catalogue, of rules, or of a rule sheet as an AEC environment. Games that last longer are truncated."""
    return OnlookerEnv(game, render_mode, max_plies)


raw_env = env
