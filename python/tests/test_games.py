"""Games, states and moves: what users of python-chess and OpenSpiel ask first."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest

import onlooker


@pytest.mark.parametrize("name", onlooker.games())
def test_every_game_is_played_undone_pickled_and_numbered(name):
    game = onlooker.game(name)
    state = game.initial_state()
    start = state.copy()
    chance = random.Random(1)
    plies = 0
    while not state.is_terminal() and plies < 12:
        joint = {}
        for role in state.to_move:
            legal = state.legal_moves(role)
            assert legal and len({str(move) for move in legal}) == len(legal)
            actions = state.legal_actions(role)
            looked = legal if len(legal) < 50 else chance.sample(legal, 5)
            assert {state.move_to_action(move) for move in looked} <= set(actions)
            assert [str(state.action_to_move(state.move_to_action(move), role)) for move in looked[:5]] == [str(move) for move in looked[:5]]
            assert len(set(actions)) == len(legal) and max(actions) < game.num_actions
            mask = state.action_mask(role)
            assert mask.dtype == np.int8 and np.flatnonzero(mask).tolist() == actions
            joint[role] = state.action_to_move(chance.choice(actions), role)
        before = state.copy()
        state.play(joint)
        plies += 1
        assert state.ply == plies and state != before
        again = state.copy()
        again.undo()
        assert again == before and again.facts() == before.facts()
    assert pickle.loads(pickle.dumps(state)) == state
    assert pickle.loads(pickle.dumps(game)) == game
    while state.ply:
        state.pop()
    assert state == start and hash(state) == hash(start)
    assert game.state(facts=start.facts()) == start


def test_first_questions():
    game = onlooker.game("tic-tac-toe")
    state = game.initial_state()
    assert [str(move) for move in state.legal_moves()] == "a1 b1 c1 a2 b2 c2 a3 b3 c3".split()
    state.play("b2")
    state.push(state.legal_moves()[0])
    assert str(state) == " 3  . . .\n 2  . X .\n 1  o . .\n    a b c"
    assert state.board == ["...", ".X.", "o.."]
    assert state.to_numpy().tolist() == [[0, 0, 0], [0, 1, 0], [2, 0, 0]]
    assert game.pieces[:3] == [".", "X", "o"]
    assert [[str(move) for move in joint] for joint in state.history] == [["b2"], ["a1"]]
    assert state.turn == "x" and state.to_move == ["x"] and state.returns() == [0, 0] and state.goals() is None
    assert str(state.undo()) == "a1" and str(state.pop()) == "b2"
    for move in "b2 a1 c2 a2 a3 c1 b1".split():
        state.play(move)
    assert state.after("b3").turn == "x" and state.turn == "o"
    for move in "b3 c3".split():
        state.play(move)
    assert state.is_terminal() and state.goals() == [50, 50] and state.winner is None and state.legal_moves() == []
    assert "(cell 2 2 X)" in state.facts()
    assert state._repr_svg_().startswith("<svg")
    assert copy.deepcopy(state) == state


def test_names_that_others_would_guess():
    state = onlooker.game("tic-tac-toe").new_initial_state()
    state.apply_action(state.legal_actions()[4])
    assert state.board == ["...", ".X.", "..."] and state.clone() == state and not state.is_game_over()
    with pytest.raises(onlooker.IllegalMove, match="action 4"):
        state.apply_action(4)
    racing = onlooker.game("racetrack").initial_state()
    racing.apply_action(racing.legal_actions("white")[0], racing.legal_actions("black")[0])
    assert racing.ply == 1


def test_states_are_made_of_boards():
    game = onlooker.game("breakthrough")
    state = game.state("7p/P6k/8/8/8/8/8/8".replace("k", "p").translate(str.maketrans({str(n): "." * n for n in range(1, 9)})), "white")
    assert state.turn == "white"
    state.play("a7-a8")
    assert state.winner == "white" and state.returns() == [1, -1]
    with pytest.raises(onlooker.Error, match="player"):
        game.state(["P"] * 8, "green")


def test_wrong_moves_say_what_is_legal():
    state = onlooker.game("tic-tac-toe").initial_state()
    with pytest.raises(onlooker.IllegalMove, match="expected a legal move of x: a1, b1"):
        state.play("d4")
    with pytest.raises(ValueError):
        state.action_to_move(99)
    with pytest.raises(onlooker.IllegalMove):
        state.undo()
    with pytest.raises(onlooker.UnknownGame, match="did you mean"):
        onlooker.game("tictactoe")


def test_numbers_that_cannot_be_are_refused_as_all_else_is(tmp_path):
    game = onlooker.game("tic-tac-toe")
    state = game.initial_state()
    for action in (-1, 10**30):
        with pytest.raises(onlooker.IllegalMove, match=f"action {action}, expected a legal move of x"):
            state.apply_action(action)
        with pytest.raises(onlooker.IllegalMove, match=f"action {action}"):
            state.action_to_move(action)
    assert state.ply == 0
    refused = [
        lambda: onlooker.simulate("tic-tac-toe", tmp_path / "log", games=-1),
        lambda: onlooker.simulate_bytes("tic-tac-toe", -1),
        lambda: game.playouts(-1),
        lambda: game.playouts(1, -1),
        lambda: game.playouts(1, threads=-1),
        lambda: game.states(-1),
        lambda: game.perft(-1),
        lambda: state.playouts(-1),
        lambda: state.play_random(-1),
        lambda: onlooker.match("tic-tac-toe", ["random", "random"], games=-1),
        lambda: onlooker.concepts("tic-tac-toe", playouts=-1),
        lambda: onlooker.OpponentModel.train("tic-tac-toe", "x", player="random", games=-1),
        lambda: onlooker.Agent("random").choose(state, seed=-1),
        lambda: onlooker.learn(onlooker.game("racetrack"), games=-1),
        lambda: onlooker.tactics("tic-tac-toe", against="random", games=-1),
        lambda: onlooker.TraceEvidence().induce(budget=-1),
    ]
    for work in refused:
        with pytest.raises(onlooker.Error, match="found -1, expected at least 0"):
            work()
    with pytest.raises(onlooker.Error, match="expected a smaller number"):
        game.playouts(10**30)
    assert not (tmp_path / "log").exists()
    with pytest.raises(TypeError):
        game.playouts("many")
    assert len(game.playouts(3, seed=np.int64(2), threads=None)) == 3


@pytest.mark.parametrize("name", ["tic-tac-toe", "racetrack", "checkers"])
def test_moves_are_pickled(name):
    state = onlooker.game(name).initial_state()
    role = state.to_move[0]
    for move in state.legal_moves(role):
        again = pickle.loads(pickle.dumps(move))
        assert again == move and hash(again) == hash(move)
        assert (again.name, again.term, again.role) == (move.name, move.term, move.role)
        assert state.move_to_action(again) == state.move_to_action(move)
    joint = {role: pickle.loads(pickle.dumps(state.legal_moves(role)[-1])) for role in state.to_move}
    expected = state.after({role: state.legal_moves(role)[-1] for role in state.to_move})
    assert state.after(joint) == expected
    if len(joint) == 1:
        with pytest.raises(onlooker.IllegalMove):
            expected.play(joint[role])


def test_playouts_are_pickled():
    made = onlooker.game("tic-tac-toe").playouts(20, 3)
    again = pickle.loads(pickle.dumps(made))
    assert np.array_equal(again.plies, made.plies) and np.array_equal(again.goals, made.goals)
    assert (again.roles, len(again), repr(again)) == (made.roles, 20, repr(made)) and again.goals.dtype == np.int16


def test_roles_that_move_together():
    state = onlooker.game("racetrack").initial_state()
    assert state.to_move == ["white", "black"] and state.turn is None
    white, black = state.legal_moves("white")[0], state.legal_moves("black")[0]
    by_name, by_list, by_order = state.copy(), state.copy(), state.copy()
    by_name.play({"white": white, "black": black})
    by_list.play([white, black])
    by_order.play(str(white), black.term)
    assert by_name == by_list == by_order
    with pytest.raises(onlooker.IllegalMove, match="one for each"):
        state.play(white)
    assert len(by_name.undo()) == 2


def test_errors_have_their_place(tmp_path):
    path = tmp_path / "broken.rules"
    text = onlooker.game("breakthrough").text
    path.write_text(text.replace("win when P on far", "win when P in far"))
    with pytest.raises(onlooker.RulesError) as caught:
        onlooker.game(path)
    error = caught.value
    line = path.read_text().splitlines()[error.line - 1]
    assert error.file == str(path) and "win when P in far" in line and line[error.column - 1 :].startswith("in")
    assert str(error).startswith(f"{path}:{error.line}:{error.column}: ")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.line) == (type(error), str(error), error.line)
    sheet = tmp_path / "broken.kif"
    sheet.write_text("(role x)\n(init (cell 1))\n(<= (legal x) (true (cell ?y)))\n")
    with pytest.raises(onlooker.SheetError) as caught:
        onlooker.game(sheet)
    assert caught.value.line is not None and caught.value.file == str(sheet)
    with pytest.raises(FileNotFoundError):
        onlooker.Rules.load(tmp_path / "none.rules")


def test_rules_are_text_and_objects(tmp_path):
    game = onlooker.game("chess-breakthrough")
    rules = game.rules
    assert onlooker.Rules(rules.text) == rules == pickle.loads(pickle.dumps(rules))
    assert rules.players == ["white", "black"] and rules.board[0] == "rnbqkbnr"
    king = next(one for one in rules.movements if one.piece == "K")
    assert king.expression == "any(empty | enemy)" and "square" in king.english[0]
    assert [ending.text for ending in rules.endings][0].startswith("win when")
    game.save(tmp_path / "chess.rules")
    assert onlooker.game(tmp_path / "chess.rules").rules == rules
    assert "chess rook" in rules.explain() and rules.explain("html").startswith("<!DOCTYPE html")
    assert rules._repr_html_().startswith("<iframe") and rules._repr_markdown_().startswith("```")
    assert onlooker.game(rules.to_gdl()).perft(2) == game.perft(2)


def test_automata_are_graphs():
    networkx = pytest.importorskip("networkx")
    rook = next(one for one in onlooker.game("chess-breakthrough").rules.automata() if one.piece == "R")
    graph = rook.to_networkx()
    assert isinstance(graph, networkx.MultiDiGraph) and graph.number_of_nodes() == len(rook)
    assert graph.nodes[0]["accepting"] is False and networkx.is_weakly_connected(graph)
    assert rook._repr_svg_().startswith("<svg")


def test_playouts_are_arrays_and_the_same_on_any_number_of_threads():
    game = onlooker.game("connect-four")
    one, two, all_ = game.playouts(300, 7, threads=1), game.playouts(300, 7, threads=2), game.playouts(300, 7)
    for other in (two, all_):
        assert np.array_equal(one.plies, other.plies) and np.array_equal(one.goals, other.goals)
    assert one.goals.shape == (300, 2) and one.goals.dtype == np.int16 and len(one) == 300
    assert set(np.unique(one.goals)) <= {0, 50, 100} and (one.goals.sum(axis=1) == 100).all()
    assert one.plies.flags.owndata is False  # The memory that Rust made is the array's.
    cut = game.playouts(10, max_plies=3)
    assert (cut.plies == 3).all() and (cut.goals == -1).all()
    state = game.initial_state()
    state.play_random(1)
    assert (state.playouts(50).plies < 42).all()


def test_states_come_in_batches():
    game = onlooker.game("tic-tac-toe")
    states = game.states(100, 3)
    assert states.boards.shape == (len(states), 3, 3) and states.goals.shape == (len(states), 2)
    first = states.ply == 0
    assert first.sum() == 100 and (states.boards[first] == 0).all() and (states.to_move[first] == 0).all()
    assert ((states.boards != 0).sum(axis=(1, 2)) == states.ply).all()
    sheet = onlooker.game("racetrack")
    states = sheet.states(3)
    assert states.boards is None and states.facts.shape == (len(states), len(sheet.fact_names))
    assert (states.facts.sum(axis=1) > 0).all()


def test_progress_is_called():
    seen = []
    onlooker.game("breakthrough").playouts(30_000, threads=1, progress=lambda done, total: seen.append((done, total)))
    assert seen and seen[-1][1] == 30_000 and [done for done, _ in seen] == sorted(done for done, _ in seen)
    onlooker.game("tic-tac-toe").playouts(10, progress=True)

    def fail(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        onlooker.game("amazons").playouts(100_000, progress=fail)
