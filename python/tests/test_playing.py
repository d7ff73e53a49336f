"""Agents, matches, concepts, models of opponents."""

from __future__ import annotations

import json
import pickle

import pytest

import onlooker


def test_agents_choose():
    state = onlooker.game("tic-tac-toe").initial_state()
    for move in "a1 a2 b1 b2".split():
        state.play(move)
    choice = onlooker.Agent("alphabeta:9").choose(state)
    assert str(choice.move) == "c1" and choice.value == 100 and choice.proved and choice.nodes > 0
    agent = onlooker.Agent("mcts:200")
    assert agent.choose(state, seed=3).move == pickle.loads(pickle.dumps(agent)).choose(state, seed=3).move
    with pytest.raises(onlooker.AgentError, match="nobody"):
        onlooker.Agent("nobody")
    with pytest.raises(onlooker.AgentError):
        onlooker.Agent("heuristic:none.concepts").choose(state)


def test_matches_are_those_of_the_command_line(cli):
    printed = json.loads(cli("match", "connect-four", "--players", "mcts:50,greedy", "--games", 12, "--seed", 4, "--json"))
    result = onlooker.match("connect-four", ["mcts:50", onlooker.Agent("greedy")], games=12, seed=4)
    assert (result.games, result.wins, result.draws) == (printed["games"], printed["wins"], printed["draws"])
    assert [[list(score) for score in roles] for roles in result.sides] == printed["sides"]
    parts = [onlooker.match("connect-four", ["mcts:50", "greedy"], games=count, first=first, seed=4) for first, count in ((0, 5), (5, 7))]
    assert parts[0] + parts[1] == result == pickle.loads(pickle.dumps(result))


def test_functions_play():
    def first(state, role):
        assert role in state.to_move
        return state.legal_moves(role)[0]

    result = onlooker.match("tic-tac-toe", [first, "random"], games=20)
    assert result.games == 20 and result.players == ["first", "random"]
    with pytest.raises(onlooker.IllegalMove, match="z9"):
        onlooker.match("tic-tac-toe", [lambda state, role: "z9", "random"], games=2)

    def broken(state, role):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        onlooker.match("tic-tac-toe", [broken, "random"], games=2)
    with pytest.raises(onlooker.Error, match="2 players"):
        onlooker.match("tic-tac-toe", ["random"], games=2)


@pytest.mark.parametrize("method", ["fit", "frequency", "concepts"])
def test_concepts_are_those_of_the_command_line(cli, method, tmp_path):
    concepts = onlooker.concepts("tic-tac-toe", playouts=300, method=method, cutoff=2)
    text = cli("concepts", "tic-tac-toe", "--playouts", 300, "--method", method, "--cutoff", 2, "--format", "rules")
    assert concepts.text.encode() == text
    assert pickle.loads(pickle.dumps(concepts)).text == concepts.text
    assert concepts.rules and concepts.explain("tic-tac-toe")
    concepts.save(tmp_path / "c.concepts")
    by_file = onlooker.match("tic-tac-toe", [f"heuristic:{tmp_path / 'c.concepts'}", "random"], games=10)
    by_name = onlooker.match("tic-tac-toe", [onlooker.Agent("heuristic:mine", mine=concepts), "random"], games=10)
    assert by_file.wins == by_name.wins and by_file.wins[0] > by_file.wins[1]
    with pytest.raises(onlooker.ConceptsError) as caught:
        onlooker.Concepts(concepts.text.replace("game(", "gime(", 1))
    assert caught.value.line


@pytest.mark.parametrize("kind", ["bayes", "moves"])
def test_models_of_opponents_are_those_of_the_command_line(cli, kind, tmp_path):
    model = onlooker.OpponentModel.train("tic-tac-toe", "o", player="alphabeta:2,ties=first", games=30, model=kind)
    text = cli("opponent", "train", "tic-tac-toe", "--player", "alphabeta:2,ties=first", "--role", "o", "--games", 30, "--model", kind)
    assert model.text.encode() == text
    assert pickle.loads(pickle.dumps(model)).text == model.text
    state = onlooker.game("tic-tac-toe").initial_state()
    state.play("a1")
    predicted = model.predict(state)
    assert len(predicted) == 8 and abs(sum(share for _, share in predicted) - 1) < 1e-9
    assert [share for _, share in predicted] == sorted((share for _, share in predicted), reverse=True)
    model.save(tmp_path / "o.model")
    printed = json.loads(cli("opponent", "test", tmp_path / "o.model", "--games", 20, "--json"))
    measures = model.test(games=20)
    assert measures.turns == printed["turns"] and [round(top, 6) for top in measures.top] == printed["top"]
    agent = onlooker.Agent("opponent:them,nodes=200", them=model)
    assert onlooker.match("tic-tac-toe", [agent, "random"], games=4).games == 4
    log = tmp_path / "games.log"
    onlooker.simulate("tic-tac-toe", log, games=20)
    assert onlooker.OpponentModel.train("tic-tac-toe", "x", logs=[log], model=kind).turns > 0


def test_tactics_are_those_of_the_command_line(cli, tmp_path):
    tactics = onlooker.tactics("tic-tac-toe", against="alphabeta:9", games=24, seed=97)
    text = cli("tactics", "learn", "tic-tac-toe", "--against", "alphabeta:9", "--games", 24, "--seed", 97)
    assert tactics.text.encode() == text
    assert tactics.verify() == [] and any(proved for _, proved, _ in tactics.rules)
    again = pickle.loads(pickle.dumps(tactics))
    assert again.text == tactics.text == onlooker.Tactics(tactics.text).text
    tactics.save(tmp_path / "t.tactics")
    agent = onlooker.Agent("tactics:mine,then=random", mine=tactics)
    by_name = onlooker.match("tic-tac-toe", [agent, "random"], games=20)
    by_file = onlooker.match("tic-tac-toe", [f"tactics:{tmp_path / 't.tactics'},then=random", "random"], games=20)
    copied = onlooker.match("tic-tac-toe", [pickle.loads(pickle.dumps(agent)), "random"], games=20)
    assert by_name.wins == by_file.wins == copied.wins and by_name.wins[0] > by_name.wins[1]
    log = tmp_path / "games.log"
    onlooker.simulate("tic-tac-toe", log, games=10)
    assert onlooker.tactics("tic-tac-toe", logs=log).text.encode() == cli("tactics", "learn", "tic-tac-toe", "--log", log)
    with pytest.raises(onlooker.TacticsError):
        onlooker.tactics("checkers", against="random", games=1)
    with pytest.raises(onlooker.TacticsError) as caught:
        onlooker.Tactics("nothing of the kind\n")
    assert caught.value.line == 1
