"""Learning from files, iterators and boards; evidence; checks. The command line gives the same bytes."""

from __future__ import annotations

import gzip
import io
import pickle

import pytest

import onlooker


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    paths = []
    for seed in (1, 2, 3):
        path = folder / f"{seed}.log.gz"
        onlooker.simulate("checkers", path, games=12, seed=seed)
        paths.append(path)
    return paths


def test_the_command_line_writes_the_same_logs(cli, tmp_path, logs):
    cli("simulate", "checkers", "--games", 12, "--moves", "all", "--seed", 2, "-o", tmp_path / "log.gz")
    assert (tmp_path / "log.gz").read_bytes() == logs[1].read_bytes()
    text = cli("simulate", "breakthrough", "--games", 9, "--moves", "some", "--seed", 3)
    parts = [onlooker.simulate_bytes("breakthrough", count, moves="some", seed=3, first=first) for first, count in ((0, 4), (4, 5))]
    assert b"".join(parts) == text


@pytest.mark.parametrize("method", ["shortest", "grl"])
def test_the_command_line_learns_the_same_rules(cli, logs, method):
    text = cli("learn", *logs, "--method", method, "--name", "draughts")
    lesson = onlooker.learn(logs, method=method, name="draughts")
    assert lesson.rules.text.encode() == text
    assert lesson.is_consistent and lesson.unexplained == [] and lesson.contradictions == []
    assert onlooker.learn(list(reversed(logs)), method=method, name="draughts").rules == lesson.rules


def test_lessons_are_pickled(logs):
    for lesson in (onlooker.learn(logs), onlooker.learn(onlooker.game(onlooker.game("tic-tac-toe").rules.to_gdl()), games=20)):
        again = pickle.loads(pickle.dumps(lesson))
        assert (again.rules, again.evidence, str(again)) == (lesson.rules, lesson.evidence, str(lesson))
        assert [repr(piece) for piece in again.pieces] == [repr(piece) for piece in lesson.pieces]
        assert [piece.given_up for piece in again.pieces] == [piece.given_up for piece in lesson.pieces]
        for name in ("is_consistent", "unexplained", "contradictions", "comparison"):
            assert getattr(again, name) == getattr(lesson, name)
        assert again.game() == lesson.game()


def test_evidence_merges_pickles_and_is_saved_as_the_command_line_does(cli, logs, tmp_path):
    parts = [onlooker.observe(path) for path in logs]
    all_ = onlooker.observe(logs)
    assert parts[0] + parts[1] + parts[2] == all_ == parts[2] + parts[0] + parts[1]
    assert pickle.loads(pickle.dumps(all_)) == all_
    assert onlooker.learn(all_).rules == onlooker.learn(logs).rules == onlooker.learn(parts).rules
    all_.save(tmp_path / "own.evidence")
    cli("observe", *logs, "-o", tmp_path / "cli.evidence")
    assert (tmp_path / "own.evidence").read_bytes() == (tmp_path / "cli.evidence").read_bytes()
    all_.save(tmp_path / "own.evidence.gz")
    assert onlooker.Evidence.load(tmp_path / "own.evidence.gz") == all_
    assert all_.games == 36 and all_.positions > 1000 and 0 < all_.distinct_positions <= all_.positions and all_.nbytes > 0
    with pytest.raises(onlooker.EvidenceError) as caught:
        onlooker.Evidence.load(io.BytesIO(b"onlooker evidence 3\nboard 2 2\n"))
    assert caught.value.line is not None
    with pytest.raises(onlooker.EvidenceError, match="board of"):
        all_.merge(onlooker.observe(onlooker.simulate_bytes("tic-tac-toe", 2)))
    alone = all_.copy()
    alone.merge(alone)
    assert alone.games == 72 and all_.games == 36


def test_logs_may_be_bytes_and_files_of_python(logs):
    plain = gzip.decompress(logs[0].read_bytes())
    rules = onlooker.learn(logs[0]).rules
    assert onlooker.learn(plain).rules == rules
    assert onlooker.learn(io.BytesIO(plain)).rules == rules
    with gzip.open(logs[0]) as file:
        assert onlooker.learn(file).rules == rules


def test_games_of_python_are_learnt_from():
    game = onlooker.game("breakthrough")
    states = []
    for seed in range(30):
        state = game.initial_state()
        ply = 0
        while not state.is_terminal():
            state.play_random(1000 * seed + ply)
            ply += 1
        states.append(state)
    lesson = onlooker.learn(states)
    assert lesson.rules.movements[0].expression == game.rules.movements[0].expression
    assert onlooker.check(lesson.rules, onlooker.simulate_bytes(game, 20, seed=5))
    records = [
        onlooker.Record(["p..", "...", "P.."], 0, ["a1 (0 1 e)", "0 (1 1 e)"]),
        onlooker.Record("p../P../...", 1, ["6 (1 -1 e)"]),
        onlooker.Record(["...", "Pp.", "..."], 0, [], outcome=1),
    ]
    evidence = onlooker.observe(records)
    assert (evidence.games, evidence.positions, evidence.moves) == (1, 3, 3)


def test_boards_before_and_after_are_enough(logs):
    game = onlooker.game("breakthrough")
    games = []
    for seed in range(60):
        state = game.initial_state()
        boards = [state.board]
        while not state.is_terminal():
            state.play_random(100 * seed + len(boards))
            boards.append(state.board)
        mover = (len(boards) - 2) % 2
        outcome = {1.0: 1, 0.0: 0, -1.0: -1}[state.returns()[mover]]
        games.append(onlooker.records_of_boards(boards, outcome=outcome))
    lesson = onlooker.learn(games)
    report = onlooker.check(lesson.rules, onlooker.simulate_bytes(game, 20, seed=5))
    assert report.holds and report.precision == report.recall == 1
    assert onlooker.infer_moves("P./..", "../P.", 0) == ["2 (0 -1 e)"]
    with pytest.raises(onlooker.Error, match="board 2"):
        onlooker.records_of_boards(["P..", "Q.Q"])


def test_damaged_games_are_reported_with_their_place(cli, logs, tmp_path):
    lines = gzip.decompress(logs[0].read_bytes()).splitlines(keepends=True)
    starts = [at for at, line in enumerate(lines) if line == b"1\n" and lines[at + 1].startswith(b".c")]
    lines[starts[4] + 3] = b"x...\n"
    bad = tmp_path / "bad.log"
    bad.write_bytes(b"".join(lines))
    with pytest.raises(onlooker.LogError) as caught:
        onlooker.learn(bad)
    error = caught.value
    assert (error.file, error.line, error.game, error.record) == (str(bad), starts[4] + 4, 5, 1) and error.column == 1
    rules = cli("learn", bad, logs[1], "--keep-going")
    assert f"{bad}:{error.line}:{error.column}" in cli.errors
    lesson = onlooker.learn([bad, logs[1]], keep_going=True)
    assert lesson.rules.text.encode() == rules
    assert [str(one) for one in lesson.damaged] == [str(error)]
    evidence = onlooker.Evidence()
    with pytest.raises(onlooker.LogError):
        evidence.observe([logs[1], bad])
    assert evidence.games == 0


def test_checks_are_those_of_the_command_line(cli, logs):
    report = onlooker.check("checkers", logs[0])
    assert report and report.exact == report.positions == report.words_exact and report.mismatches == []
    report = onlooker.check("breakthrough", logs[0])
    assert not report.holds and len(report.mismatches) == 5 and report.recall == 0
    cli("check", "breakthrough", logs[0], status=1)
    assert report.mismatches == [line for line in cli.errors.splitlines() if line.startswith("game ")]


def test_rule_sheets_are_learnt(cli, tmp_path):
    text = onlooker.game("breakthrough").rules.to_gdl()
    sheet = tmp_path / "sheet.kif"
    sheet.write_text(text)
    rules = cli("learn", sheet, "--games", 60, "--check-games", 10, "--speed", 0)
    lesson = onlooker.learn(sheet, games=60, check_games=10)
    assert lesson.rules.text.encode() == rules and lesson.is_consistent and lesson.comparison.startswith("checked on 10")
    evidence = onlooker.observe_game(onlooker.game(sheet), games=20, seed=3)
    cli("observe", sheet, "--games", 20, "--seed", 3, "-o", tmp_path / "cli.evidence")
    assert evidence == onlooker.Evidence.load(tmp_path / "cli.evidence")
    assert onlooker.simulate_bytes(sheet, 5, seed=2) == cli("simulate", sheet, "--games", 5, "--moves", "all", "--seed", 2)
    with pytest.raises(onlooker.NoRules, match="at the same time"):
        onlooker.learn(onlooker.game("racetrack"))
    with pytest.raises(onlooker.NoRules, match="no game"):
        onlooker.learn(onlooker.Evidence())


def test_contradictions_name_their_records(logs):
    good = onlooker.simulate_bytes("breakthrough", 30, seed=1)
    # One of the moves of a record is left out, so that it is legal here and not there.
    lines = good.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith(b"w all 2"))
    count = int(lines[at].split()[2])
    lines[at] = b"w all %d" % (count - 1)
    del lines[at + count]
    lesson = onlooker.learn(b"\n".join(lines) + b"\n")
    assert not lesson.is_consistent and any("game 1, record" in line for line in lesson.contradictions)
    assert lesson._repr_markdown_().count("\n- ") >= 1


def test_a_learning_curve_shows_itself():
    curve = onlooker.learning_curve("breakthrough", [2, 10], test_games=10)
    assert curve.games == [2, 10] and 0 <= curve.exact[0] <= curve.exact[1] == 1
    assert curve._repr_svg_().startswith("<svg")
