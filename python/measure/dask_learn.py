"""Learning through Dask beside the command line with all cores, in time, processor time, memory and bytes.

    cargo build --release -p onlooker-cli && pip install './python[dask]'
    python python/measure/dask_learn.py target/release/onlooker FOLDER --positions 20000000
"""

from __future__ import annotations

import argparse
import glob
import os
import resource
import subprocess
import time

import onlooker
from onlooker import dask as many


def processor_time(who: int = resource.RUSAGE_CHILDREN) -> float:
    """Seconds of processor time that children, or this process, took."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def peak() -> tuple[float, float]:
    """Of a worker: the most memory so far in MB, and processor time."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_maxrss / 1024, own.ru_utime + own.ru_stime


def main() -> None:
    """Writes the logs if they are not there, and measures."""
    from distributed import Client, LocalCluster

    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--game", default="breakthrough")
    parser.add_argument("--moves", default="all")
    parser.add_argument("--positions", type=int, default=20_000_000)
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--suffix", default=".log.gz")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=1)
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    sample = onlooker.observe(onlooker.simulate_bytes(arguments.game, 200, seed=999))
    games = round(arguments.positions / (sample.positions / sample.games) / arguments.files)
    for number in range(arguments.files):
        path = os.path.join(arguments.folder, f"{arguments.game}-{arguments.moves}-{games}-{number}{arguments.suffix}")
        if not os.path.exists(path):
            command = [arguments.program, "simulate", arguments.game, "--games", str(games), "--moves", arguments.moves]
            subprocess.run([*command, "--seed", str(number + 1), "-o", path], check=True, stderr=subprocess.DEVNULL)
    logs = sorted(glob.glob(os.path.join(arguments.folder, f"{arguments.game}-{arguments.moves}-{games}-*{arguments.suffix}")))
    print(f"{len(logs)} logs, {sum(map(os.path.getsize, logs)) / 1e6:,.0f} MB", flush=True)
    for _ in range(arguments.rounds):
        begun, before = time.perf_counter(), processor_time()
        rules = subprocess.run([arguments.program, "learn", *logs], capture_output=True, check=True).stdout
        alone, alone_cpu = time.perf_counter() - begun, processor_time() - before
        print(f"command line: {alone:.1f} s, {alone_cpu:.1f} s of processor time", flush=True)
        with LocalCluster(
            n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        ) as cluster, Client(cluster) as client:
            client.wait_for_workers(arguments.workers)
            start = client.run(peak)
            begun = time.perf_counter()
            lesson = many.learn(logs, client)
            together = time.perf_counter() - begun
            end = client.run(peak)
            used = sum(end[worker][1] - start[worker][1] for worker in end)
            print(f"Dask, {arguments.workers} workers: {together:.1f} s, {used:.1f} s of processor time in workers", flush=True)
            print("peak memory of workers, MB: " + ", ".join(f"{memory:.0f}" for memory, _ in end.values()))
        assert lesson.rules.text.encode() == rules, "the rules differ"
        positions, distinct = lesson.positions, lesson.distinct_positions
        print(f"{lesson.games:,} games, {positions:,} positions, {distinct:,} different ones; the same {len(rules)} bytes of rules")
        print(f"ratio {together / alone:.2f} in time, {used / alone_cpu:.2f} in processor time")
        print(f"{1e6 * used / positions:.2f} s of processor time for a million positions")
    evidence = onlooker.observe(logs[: max(1, len(logs) // 4)])
    begun = time.process_time()
    packed = bytes(evidence)
    packing, begun = time.process_time() - begun, time.process_time()
    target = onlooker.Evidence()
    target._merge_bytes(packed)
    merging, begun = time.process_time() - begun, time.process_time()
    target._merge_bytes(packed)
    again = time.process_time() - begun
    distinct = evidence.distinct_positions
    print(
        f"evidence of {evidence.positions:,} positions ({distinct:,} different): {len(packed) / distinct:.1f} bytes each as bytes, "
        f"{evidence.nbytes / distinct:.0f} in memory; per million different ones {1e6 * packing / distinct:.2f} s to pack, "
        f"{1e6 * merging / distinct:.2f} s to merge what is new, {1e6 * again / distinct:.2f} s what is known"
    )


if __name__ == "__main__":
    main()
