"""Two workers learn what one machine learns: files in any order, damaged ones, a worker that is killed."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest

import onlooker

distributed = pytest.importorskip("distributed")
from onlooker import dask as many  # noqa: E402


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Plain, gzip and zstd; 60 games of checkers."""
    folder = tmp_path_factory.mktemp("dask")
    paths = [folder / name for name in ("a.log", "b.log.gz", "c.log.zst", "d.log")]
    for seed, path in enumerate(paths, 1):
        onlooker.simulate("checkers", path, games=15, seed=seed)
    return paths


@pytest.fixture(scope="module")
def rules(cli, logs):
    return cli("learn", *logs)


def test_the_same_bytes_in_any_order_and_in_any_parts(client, logs, rules):
    for seed, block in enumerate([None, 5_000, 60_000, 10**9]):
        shuffled = list(logs)
        random.Random(seed).shuffle(shuffled)
        lesson = many.learn(shuffled, client, block_size=block)
        assert lesson.rules.text.encode() == rules and lesson.is_consistent and lesson.damaged == []
        assert (lesson.games, lesson.positions) == (60, onlooker.observe(logs).positions)
    assert many.observe(logs, client, block_size=20_000) == onlooker.observe(logs)
    pattern = str(logs[0].parent / "*.log*")
    seen = []
    assert many.learn(pattern, client, progress=lambda done, total: seen.append((done, total))).rules.text.encode() == rules
    assert seen[-1][0] == seen[-1][1] - 1


def test_addresses_of_fsspec_are_read(client, logs, rules):
    pytest.importorskip("fsspec")
    addresses = [f"file://{path}" for path in logs]
    assert many.learn(addresses, client, block_size=50_000).rules.text.encode() == rules
    assert many.learn(f"file://{logs[0].parent}/*.log*", client).rules.text.encode() == rules


def damage(path, target, games):
    """Spoils some games; gives back the lines that are wrong."""
    lines = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    lines = lines.splitlines(keepends=True)
    starts = [at for at, line in enumerate(lines) if line == b"1\n" and lines[at + 1].startswith(b".c")]
    for game in games:
        lines[starts[game - 1] + 3] = b"x...\n"
    data = b"".join(lines)
    target.write_bytes(gzip.compress(data) if target.suffix == ".gz" else data)
    return [starts[game - 1] + 4 for game in games]


@pytest.mark.parametrize("name, block", [("bad.log", 30_000), ("bad.log", None), ("bad.log.gz", 30_000)])
def test_damaged_games_are_reported_with_their_place_and_the_rest_is_learnt(client, cli, logs, tmp_path, name, block):
    bad = tmp_path / name
    places = damage(logs[0], bad, [3, 7, 12])
    printed = cli("learn", bad, *logs[1:], "--keep-going")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        lesson = many.learn([logs[1], bad, *logs[2:]], client, block_size=block)
    assert lesson.rules.text.encode() == printed
    found = [(error.file, error.line, error.column, error.game, error.record) for error in lesson.damaged]
    assert found == [(str(bad), place, 1, game, 1) for place, game in zip(places, (3, 7, 12))]
    assert len([one for one in warned if "skipped" in str(one.message)]) == 3
    with pytest.raises(onlooker.LogError) as caught:
        many.learn([logs[1], bad], client, keep_going=False)
    assert caught.value.line == places[0]


def test_a_cut_off_file_is_reported_and_the_rest_is_learnt(client, cli, logs, tmp_path):
    for path, name in ((logs[1], "cut.log.gz"), (logs[0], "cut.log")):
        cut = tmp_path / name
        data = path.read_bytes()
        cut.write_bytes(data[: len(data) * 2 // 3])
        printed = cli("learn", cut, logs[3], "--keep-going")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            lesson = many.learn([cut, logs[3]], client, block_size=20_000)
        assert lesson.rules.text.encode() == printed and len(lesson.damaged) == 1
        single = onlooker.learn([cut, logs[3]], keep_going=True)
        assert [str(error) for error in lesson.damaged] == [str(error) for error in single.damaged]


def test_a_worker_may_die(logs, rules):
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", memory_limit=0
    ) as cluster, distributed.Client(cluster) as client:
        killed = []

        def kill():
            # In the middle: when the first parts are done and others are not.
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline:
                done = sum("onlooker-observe" in str(key) for keys in client.has_what().values() for key in keys)
                if done >= 3:
                    break
                time.sleep(0.005)
            victim = sorted(client.run(os.getpid).values())[0]
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

        thread = threading.Thread(target=kill)
        thread.start()
        lesson = many.learn(logs * 4, client, block_size=20_000)
        thread.join()
        assert killed and lesson.games == 240
        assert lesson.rules.text == onlooker.learn(logs * 4).rules.text
        assert many.learn(logs, client).rules.text.encode() == rules


def test_simulations_and_matches_and_plans_are_shared_out(client, cli, tmp_path):
    for name in ("log", "log.gz"):
        many.simulate("breakthrough", tmp_path / f"own.{name}", client, games=30, seed=5)
        cli("simulate", "breakthrough", "--games", 30, "--moves", "all", "--seed", 5, "-o", tmp_path / f"cli.{name}")
        assert (tmp_path / f"own.{name}").read_bytes() == (tmp_path / f"cli.{name}").read_bytes()
    players = ["alphabeta:1", onlooker.Agent("mcts:20")]
    assert many.match("breakthrough", players, client, games=13, seed=2) == onlooker.match("breakthrough", players, games=13, seed=2)
    plans = tmp_path / "plans.txt"
    trace = "(board car{0} ferry)\n(sail ferry a b)\n(debark car{0} ferry)\n\n"
    plans.write_text("".join(trace.format(number) for number in range(300)) + "(board x y)\n")
    for statics in (False, True):
        own = many.locm(plans, client, block_size=1_000, statics=statics)
        assert own.to_pddl().encode() == cli("locm", plans, *(["--statics"] if statics else []))
    plans.write_text(plans.read_text().replace("(sail ferry a b)\n(debark car200", "(sail ferry a b\n(debark car200"))
    with pytest.raises(onlooker.PlanError) as caught:
        many.locm(plans, client, block_size=1_000)
    assert (caught.value.file, caught.value.line) == (str(plans), 200 * 4 + 2)


def test_the_command(client, logs, rules, tmp_path):
    address = client.scheduler.address
    pattern = str(logs[0].parent / "*.log*")
    command = [sys.executable, "-m", "onlooker.dask"]
    done = subprocess.run([*command, "learn", pattern, "--scheduler", address, "--quiet"], capture_output=True)
    assert done.returncode == 0 and done.stdout == rules, done.stderr.decode()
    assert b"Learnt from 60 games" in done.stderr
    bad = tmp_path / "bad.log"
    [place] = damage(logs[0], bad, [3])
    done = subprocess.run([*command, "learn", str(bad), "--scheduler", address, "--quiet", "-o", str(tmp_path / "r")], capture_output=True)
    assert done.returncode == 0 and f"{bad}:{place}:1: " in done.stderr.decode(), done.stderr.decode()
    assert (tmp_path / "r").read_text().startswith("game learnt")
    done = subprocess.run([*command, "learn", str(tmp_path / "none*.log"), "--scheduler", address], capture_output=True)
    assert done.returncode == 2 and b"no file matches" in done.stderr


def test_tasks_are_named_for_the_dashboard(client, logs):
    from distributed.utils import key_split

    names = set()
    original = client.submit

    def submit(*arguments, **options):
        names.add(key_split(options["key"]))
        return original(*arguments, **options)

    client.submit = submit
    try:
        many.learn(logs[0], client, block_size=5_000)
    finally:
        client.submit = original
    assert {"onlooker-observe-log", "onlooker-induce-rules", "onlooker-merge-games"} <= names
