"""PettingZoo, Gymnasium, and the shape of OpenSpiel."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest

import onlooker
from onlooker import openspiel

TWO_PLAYERS = [name for name in onlooker.games() if len(onlooker.game(name).roles) == 2]

CHANCE = """
(role x) (role o) (role random)
(init (step 1)) (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
(<= (legal x (take ?n)) (true (step 1)) (number ?n)) (<= (legal o (take ?n)) (true (step 1)) (number ?n))
(<= (legal x noop) (true (step 2))) (<= (legal o noop) (true (step 2)))
(<= (legal random (draw ?n)) (true (step 2)) (number ?n)) (<= (legal random noop) (true (step 1)))
(number 1) (number 2)
(<= (next (has ?r ?n)) (does ?r (take ?n))) (<= (next (has ?r ?n)) (true (has ?r ?n)))
(<= (next (drawn ?n)) (does random (draw ?n)))
(<= terminal (true (step 3)))
(<= (goal ?r 100) (role ?r) (distinct ?r random) (true (drawn ?n)) (true (has ?r ?n)))
(<= (goal ?r 0) (role ?r) (distinct ?r random) (true (drawn ?n)) (not (true (has ?r ?n))))
(<= (goal random 50) (role random))
"""


@pytest.mark.parametrize("name", [*TWO_PLAYERS, "chance"])
def test_pettingzoo_accepts_every_game_for_two(name):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from onlooker.pettingzoo import env

    source = CHANCE if name == "chance" else name
    # The largest games have a million actions, so that fewer steps must do.
    cycles = 30 if name == "amazons" else 200
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env(source, max_plies=100), num_cycles=cycles)
        if name != "amazons":
            seed_test(lambda: env(source, max_plies=60), num_cycles=100)
        else:
            seed_test(lambda: env(source, max_plies=6), num_cycles=6)


def test_pettingzoo_pays_who_wins():
    pytest.importorskip("pettingzoo")
    from onlooker.pettingzoo import env

    game = env("tic-tac-toe", render_mode="ansi")
    game.reset(seed=1)
    for move in "a1 a2 b1 b2 c1".split():
        game.step(game.state_of_game.move_to_action(move))
    assert game.rewards == {"x": 1.0, "o": -1.0} and all(game.terminations.values())
    assert game.render().startswith(" 3")
    game.reset()
    with pytest.raises(onlooker.IllegalMove):
        game.step(99)


def test_gymnasium_accepts_games_for_one():
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from onlooker.gymnasium import env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env("peg-solitaire"), skip_render_check=True)
        check_env(env("connect-four", "o", opponent="greedy"), skip_render_check=True)
    game = env("peg-solitaire", render_mode="ansi")
    observation, _ = game.reset(seed=1)
    over = False
    while not over:
        action = int(np.flatnonzero(observation["action_mask"])[0])
        observation, reward, over, cut, _ = game.step(action)
        assert not cut
    assert 0 <= reward <= 1 and game.state.is_terminal() and isinstance(game, gymnasium.Env)
    with pytest.raises(onlooker.Error, match="expected a role"):
        env("tic-tac-toe")


@pytest.mark.parametrize("name", [*onlooker.games(), "chance"])
def test_openspiel_states_go_there_and_back(name):
    game = openspiel.load_game(CHANCE if name == "chance" else name)
    state = game.new_initial_state()
    chance = random.Random(2)
    steps = []
    while not state.is_terminal() and len(steps) < 20:
        player = state.current_player()
        legal = state.legal_actions()
        assert legal == sorted(legal) and state.legal_actions(player) == legal and legal
        if state.is_chance_node():
            assert abs(sum(share for _, share in state.chance_outcomes()) - 1) < 1e-9
        action = chance.choice(legal)
        assert state.string_to_action(state.action_to_string(player, action)) == action
        child = state.child(action)
        before = str(state), state.history()
        state.apply_action(action)
        assert child.history() == state.history() and str(child) == str(state)
        state.undo_action(player, action)
        assert (str(state), state.history()) == before
        state.apply_action(action)
        steps.append((player, action))
    assert state.full_history() == steps and len(state.returns()) == game.num_players()
    assert len(state.observation_tensor()) == game.observation_tensor_size()
    while steps:
        state.undo_action(*steps.pop())
    assert str(state) == str(game.new_initial_state())


def test_algorithms_of_openspiel_run_on_a_learnt_game():
    pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import mcts, minimax

    learnt = onlooker.learn(onlooker.simulate_bytes("tic-tac-toe", 300)).game()
    game = openspiel.load_game(learnt)
    value, action = minimax.alpha_beta_search(game, state=game.new_initial_state().child(4).child(0).child(8), maximum_depth=9, maximizing_player_id=1, value_function=None)
    assert value == 0 and action is not None
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 200, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    assert bot.step(state) == 2
