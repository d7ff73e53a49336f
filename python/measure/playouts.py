"""Random playouts from Python beside those of ``onlooker bench``, one thread each, in turns; the best of each counts.

    cargo build --release -p onlooker-cli && pip install ./python
    python python/measure/playouts.py target/release/onlooker
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

import onlooker


def measure(program: str, name: str, seconds: float, rounds: int) -> None:
    """Prints states a second of both."""
    game = onlooker.game(name)
    batch = 256
    while True:
        begun = time.perf_counter()
        game.playouts(batch, threads=1)
        if time.perf_counter() - begun > seconds / 4:
            break
        batch *= 2
    best_bench = best_python = 0.0
    for number in range(rounds):
        printed = subprocess.run([program, "bench", name, "--seconds", str(seconds), "--json"], capture_output=True, check=True)
        best_bench = max(best_bench, json.loads(printed.stdout)["states_per_s"])
        begun, states = time.perf_counter(), 0
        while time.perf_counter() - begun < seconds:
            states += int(game.playouts(batch, seed=number + 1, threads=1).plies.sum())
        best_python = max(best_python, states / (time.perf_counter() - begun))
    print(f"| {name} | {best_bench:,.0f} | {best_python:,.0f} | {best_python / best_bench:.2f} |", flush=True)


if __name__ == "__main__":
    print("| game | bench, states/s | Python, states/s | ratio |\n|---|---|---|---|")
    for each in sys.argv[2:] or ["breakthrough", "connect-four", "checkers", "tic-tac-toe", "racetrack"]:
        measure(sys.argv[1], each, 1.0, 5)
