"""``python -m onlooker.dask learn 'logs/*.gz' --scheduler ADDRESS``"""

from __future__ import annotations

import argparse
import sys
import warnings
from typing import Any, List, Optional

from .. import _onlooker
from ..errors import Error
from . import learn, locm, match, simulate


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--scheduler", metavar="ADDRESS", help="the scheduler, as in tcp://host:8786; workers of this machine if left out")
    common.add_argument("--workers", metavar="N", type=int, help="without --scheduler: how many workers; one for each core if left out")
    common.add_argument("--quiet", action="store_true", help="show no progress")
    parser = argparse.ArgumentParser(prog="python -m onlooker.dask", description="Onlooker on many machines, with Dask.")
    verbs = parser.add_subparsers(dest="verb", required=True)

    verb = verbs.add_parser("learn", parents=[common], help="learn the rules of a game from logs")
    verb.add_argument("logs", nargs="+", help="files, patterns, or addresses of fsspec")
    verb.add_argument("-o", "--output", metavar="RULES", help="where to write the rules; standard output if left out")
    verb.add_argument("--name", help="what to call the game")
    verb.add_argument("--method", default="shortest", choices=["shortest", "paper", "grl", "paper-grl"])
    verb.add_argument("--noise", type=float, default=0.0, help="the share of records that may be false")
    verb.add_argument("--effort", type=int, default=500, help="million steps after which a search is given up")
    verb.add_argument("--block-size", type=int, metavar="BYTES", help="about how large the parts are that workers get")
    verb.add_argument("--strict", action="store_true", help="end at the first damaged game instead of skipping it")

    verb = verbs.add_parser("simulate", parents=[common], help="play games at random and write them as a log")
    verb.add_argument("game")
    verb.add_argument("--games", type=int, required=True)
    verb.add_argument("--moves", choices=["all", "some"], required=True)
    verb.add_argument("--seed", type=int, default=1)
    verb.add_argument("-o", "--output", metavar="LOG", required=True)

    verb = verbs.add_parser("locm", parents=[common], help="induce a planning domain from plans")
    verb.add_argument("plans", nargs="+")
    verb.add_argument("-o", "--output", metavar="FILE")
    verb.add_argument("--name", default="learnt")
    verb.add_argument("--method", default="locm2", choices=["locm", "locm2"])
    verb.add_argument("--statics", action="store_true")

    verb = verbs.add_parser("match", parents=[common], help="let players compete")
    verb.add_argument("game")
    verb.add_argument("--players", nargs="+", required=True)
    verb.add_argument("--games", type=int, required=True)
    verb.add_argument("--seed", type=int, default=1)
    return parser


def _write(output: Optional[str], text: str) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        _onlooker._write_parts(output, [text.encode()])


def _run(arguments: argparse.Namespace, client: Any) -> int:
    progress = not arguments.quiet
    if arguments.verb == "learn":
        lesson = learn(
            arguments.logs,
            client,
            name=arguments.name,
            method=arguments.method,
            noise=arguments.noise,
            effort=arguments.effort,
            keep_going=not arguments.strict,
            block_size=arguments.block_size,
            progress=progress,
        )
        for line in lesson.contradictions + [f"not accounted for: {what}" for what in lesson.unexplained]:
            print(line, file=sys.stderr)
        if lesson.damaged:
            count = len(lesson.damaged)
            print(f"{count} damaged {'game' if count == 1 else 'games'} skipped", file=sys.stderr)
        print(f"Learnt from {lesson.games} games, {lesson.positions} positions and {lesson.moves} moves.", file=sys.stderr)
        _write(arguments.output, lesson.rules.text)
        return 0 if lesson.is_consistent else 1
    if arguments.verb == "simulate":
        simulate(
            arguments.game, arguments.output, client, games=arguments.games, moves=arguments.moves, seed=arguments.seed, progress=progress
        )
        return 0
    if arguments.verb == "locm":
        model = locm(
            arguments.plans, client, method=arguments.method, statics=arguments.statics, name=arguments.name, progress=progress
        )
        _write(arguments.output, model.to_pddl())
        return 0
    result = match(arguments.game, arguments.players, client, games=arguments.games, seed=arguments.seed, progress=progress)
    for player, wins in zip(result.players, result.wins):
        print(f"{player:16} won {wins:>6}")
    print(f"{'draws':16}     {result.draws:>6}")
    return 0


def main(words: Optional[List[str]] = None) -> int:
    """Runs a command; the exit status is 0 (done), 1 (done, and something does not hold), 2 (bad input), 130 (interrupted)."""
    from distributed import Client, LocalCluster

    arguments = _parser().parse_args(words)
    # Damaged games are reported, a line each.
    warnings.showwarning = lambda message, *_, **__: print(message, file=sys.stderr)
    warnings.simplefilter("always", UserWarning)
    try:
        if arguments.scheduler is not None:
            with Client(arguments.scheduler) as client:
                return _run(arguments, client)
        local: Any = LocalCluster
        with local(n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            return _run(arguments, client)
    except (Error, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
