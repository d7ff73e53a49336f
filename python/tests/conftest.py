"""What all tests share: the built command line, and two workers."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess

import pytest

# Whoever starts the tests in the background may have them ignore Ctrl-C, which some of them send.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = pathlib.Path(__file__).resolve().parents[2]


def command_line() -> pathlib.Path:
    """The built command line, or the one that ONLOOKER names."""
    return pathlib.Path(os.environ.get("ONLOOKER", ROOT / "target" / "debug" / "onlooker"))


@pytest.fixture(scope="session")
def cli():
    """Runs the command line and gives back what it printed."""
    program = command_line()
    if not program.exists():
        subprocess.run(["cargo", "build", "-p", "onlooker-cli"], cwd=ROOT, check=True)

    def run(*words, status=0, cwd=None):
        done = subprocess.run([str(program), *map(str, words)], capture_output=True, cwd=cwd)
        assert done.returncode == status, done.stderr.decode()
        run.errors = done.stderr.decode()
        return done.stdout

    return run


@pytest.fixture(scope="session")
def client():
    """Two workers on loopback."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", memory_limit=0
    ) as cluster, distributed.Client(cluster) as client:
        yield client
