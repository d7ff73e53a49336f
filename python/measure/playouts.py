"""Random playouts from Python beside those of ``onlooker bench``, one thread each, in turns; the best of each counts.

Rates are per second of processor time, so that other work on the machine makes little difference.

    cargo build --release -p onlooker-cli && pip install ./python
    python python/measure/playouts.py target/release/onlooker
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time

import onlooker


def children() -> float:
    """Seconds of processor time that children took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(program: str, name: str, seconds: float, rounds: int) -> None:
    """Prints states a second of both."""
    game = onlooker.game(name)
    batch = 256
    while True:
        begun = time.process_time()
        game.playouts(batch, threads=1)
        if time.process_time() - begun > seconds / 2:
            break
        batch *= 2
    best_bench = best_python = 0.0
    for number in range(rounds):
        before = children()
        printed = subprocess.run([program, "bench", name, "--seconds", str(seconds), "--json"], capture_output=True, check=True)
        states = json.loads(printed.stdout)["states_per_s"] * seconds
        best_bench = max(best_bench, states / (children() - before))
        begun = time.process_time()
        states = int(game.playouts(batch, seed=number + 1, threads=1).plies.sum())
        best_python = max(best_python, states / (time.process_time() - begun))
    print(f"| {name} | {best_bench:,.0f} | {best_python:,.0f} | {best_python / best_bench:.2f} |", flush=True)


if __name__ == "__main__":
    print("| game | bench, states/s | Python, states/s | ratio |\n|---|---|---|---|")
    for each in sys.argv[2:] or ["breakthrough", "connect-four", "checkers", "tic-tac-toe", "racetrack"]:
        measure(sys.argv[1], each, 1.0, 5)
