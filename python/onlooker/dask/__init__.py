"""Learning, simulating and competing on many machines with Dask.

Files are cut into whole games, observed by workers, merged as a tree, and rules are induced once: the same bytes as on one machine,
however many workers there are and whichever die. Every worker needs this package and must be able to read the files: a shared
folder, or any address of fsspec.

>>> from dask.distributed import Client                      # doctest: +SKIP
>>> lesson = onlooker.dask.learn("logs/*.gz", Client(address))  # doctest: +SKIP
"""

from __future__ import annotations

import os
import uuid
import warnings
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

from .. import _onlooker
from .._onlooker import Evidence, Game, MatchResult, PlanningModel, Rules
from ..errors import Error, LogError, NoRules
from . import _files, _tasks
from ._files import Paths

#: So much evidence is merged by one task.
FAN_IN = 16

Progress = Union[bool, Callable[[int, Optional[int]], None], None]


@dataclass
class Lesson:
    """What was learnt by workers; the evidence stayed with them."""

    rules: Rules
    games: int
    positions: int
    distinct_positions: int
    moves: int
    is_consistent: bool
    unexplained: List[str] = field(default_factory=list)
    contradictions: List[str] = field(default_factory=list)
    #: The errors of damaged games, with the places in their files; all other games were learnt from.
    damaged: List[LogError] = field(default_factory=list)

    def game(self) -> Game:
        """The learnt game."""
        return self.rules.game()

    def _repr_markdown_(self) -> str:
        return self.rules._repr_markdown_()


def _threads(client: Any) -> int:
    threads: int = sum(client.nthreads().values())
    return max(1, threads)


def _name(kind: str) -> str:
    """What a kind of task is called on Dask's dashboard, and nowhere else."""
    return f"onlooker-{kind}-{uuid.uuid4().hex}"


def _submit(client: Any, kind: str, function: Callable[..., Any], arguments: Sequence[Sequence[Any]], priority: int = 0) -> List[Any]:
    name = _name(kind)
    return [
        client.submit(function, *one, key=(name, number), pure=False, priority=priority)
        for number, one in enumerate(arguments)
    ]


def _tree(client: Any, leaves: List[Any], kind: str, merge: Callable[..., Any], *more: Any) -> List[Any]:
    """Merges until one task can do the rest."""
    level = leaves
    while len(level) > FAN_IN:
        groups = [level[at : at + FAN_IN] for at in range(0, len(level), FAN_IN)]
        # What is nearer to the end comes first, so that little waits in memory.
        level = _submit(client, kind, merge, [(group, *more) for group in groups], priority=10)
    return level


def _wait(client: Any, futures: List[Any], result: Any, progress: Progress) -> Any:
    """The result, with progress in tasks."""
    show: Any = progress
    if progress is True:
        from .._progress import bar

        show = bar()
    try:
        if callable(show):
            from distributed import as_completed

            total = len(futures) + 1
            show(0, total)
            for done, _ in enumerate(as_completed(futures), 1):
                show(done, total)
        return result.result()
    except BaseException:
        # Ctrl-C, or an error of one task: the others are not wanted any more.
        client.cancel([result, *futures])
        raise
    finally:
        close = getattr(show, "close", None)
        if close is not None:
            close()


def _observe(client: Any, paths: Paths, block: Optional[int], keep_going: bool) -> tuple[List[str], List[Any]]:
    files = _files.find(paths)
    looked = client.gather(_submit(client, "look-at-log", _files.look_at, [(path,) for path in files]))
    parts = _files.cut(looked, _threads(client), block)
    return files, _submit(client, "observe-log", _tasks.observe, [(part, keep_going) for part in parts])


def _report(seen: Any, files: List[str], keep_going: bool) -> List[LogError]:
    damaged = _files.place_errors(seen, files)
    if damaged and not keep_going:
        raise damaged[0]
    for error in damaged:
        warnings.warn(f"skipped: {error}", stacklevel=3)
    return damaged


def learn(
    paths: Paths,
    client: Any,
    *,
    name: Optional[str] = None,
    method: str = "shortest",
    noise: float = 0.0,
    floor: float = 0.1,
    effort: int = 500,
    distance: int = 2,
    expansions: int = 20,
    keep_going: bool = True,
    block_size: Optional[int] = None,
    progress: Progress = None,
) -> Lesson:
    """Learns the rules of a game from logs: the same bytes as ``onlooker learn --keep-going`` with all of them.

    ``paths`` are files, patterns, or addresses of fsspec. Damaged games are reported with their places (as warnings, and in
    ``Lesson.damaged``) and skipped; with ``keep_going=False`` the first is raised. Parts have about ``block_size`` bytes.
    """
    options: Dict[str, Any] = dict(name=name, method=method, noise=noise, floor=floor, effort=effort, distance=distance, expansions=expansions)
    files, leaves = _observe(client, paths, block_size, keep_going)
    level = _tree(client, leaves, "merge-games", _tasks.merge)
    [induced] = _submit(client, "induce-rules", _tasks.induce, [(level, options)], priority=20)
    found, seen = _wait(client, leaves, induced, progress)
    damaged = _report(seen, files, keep_going)
    return Lesson(**found, damaged=damaged)


def observe(
    paths: Paths, client: Any, *, keep_going: bool = True, block_size: Optional[int] = None, progress: Progress = None
) -> Evidence:
    """The evidence of logs, brought here: to be saved, or merged with more."""
    files, leaves = _observe(client, paths, block_size, keep_going)
    level = _tree(client, leaves, "merge-games", _tasks.merge)
    [merged] = _submit(client, "gather-games", _tasks.gather, [(level,)], priority=20)
    packed, seen = _wait(client, leaves, merged, progress)
    _report(seen, files, keep_going)
    evidence = Evidence()
    evidence._merge_bytes(packed)
    if evidence.games == 0:
        raise NoRules("there is no game to learn from, expected at least one complete game")
    return evidence


def _ranges(total: int, pieces: int) -> List[tuple[int, int]]:
    """First numbers and lengths of about equal pieces."""
    edges = [total * piece // pieces for piece in range(pieces + 1)]
    return [(start, end - start) for start, end in zip(edges, edges[1:]) if end > start]


def simulate(
    game: Any,
    path: Union[str, "os.PathLike[str]"],
    client: Any,
    *,
    games: int,
    moves: str = "all",
    seed: int = 1,
    max_plies: int = 10_000,
    progress: Progress = None,
) -> None:
    """Plays games at random and writes them to a file here: the same bytes as ``onlooker simulate``.

    Games of a rule sheet are written by one worker, since what its board looks like is found out game by game.
    """
    known = _onlooker.game(game)
    pieces = 1 if known.is_sheet else min(games, 4 * _threads(client))
    options = dict(moves=moves, seed=seed, max_plies=max_plies)
    arguments = [(known, first, count, options) for first, count in _ranges(games, pieces)]
    futures = _submit(client, "simulate-games", _tasks.simulate, arguments)
    if not futures:
        _onlooker._write_parts(os.fspath(path), [])
        return
    _wait(client, futures[:-1], futures[-1], progress)
    _onlooker._write_parts(os.fspath(path), client.gather(futures))


def match(
    game: Any,
    players: Sequence[Any],
    client: Any,
    *,
    games: int,
    seed: int = 1,
    max_plies: int = 10_000,
    progress: Progress = None,
) -> MatchResult:
    """Lets players compete: the same result as ``onlooker.match``, with the games shared out among workers."""
    if games < 1:
        raise Error(f"found {games} games, expected at least 1")
    known = _onlooker.game(game)
    options = dict(seed=seed, max_plies=max_plies)
    ranges = _ranges(games, min(games, 4 * _threads(client)))
    arguments = [(known, list(players), first, count, options) for first, count in ranges]
    futures = _submit(client, "play-match", _tasks.play, arguments)
    _wait(client, futures[:-1], futures[-1], progress)
    results: List[MatchResult] = client.gather(futures)
    total = results[0]
    for result in results[1:]:
        total = total + result
    return total


def locm(
    paths: Paths,
    client: Any,
    *,
    method: str = "locm2",
    statics: bool = False,
    budget: int = 100_000,
    name: str = "learnt",
    block_size: Optional[int] = None,
    progress: Progress = None,
) -> PlanningModel:
    """Induces a planning domain from files of plans: the same bytes as ``onlooker locm``."""
    files = _files.find(paths)
    looked = client.gather(_submit(client, "look-at-plans", _files.look_at, [(path,) for path in files]))
    parts: List[_files.Part] = []
    for number, part in enumerate(looked):
        if part.compressed:
            parts.append(_files.Part(part.path, number, True, 0, 1))
        else:
            for piece in _files.cut([part], _threads(client), block_size):
                parts.append(_files.Part(piece.file, number, False, piece.start, piece.end))
    leaves = _submit(client, "observe-plans", _tasks.observe_plans, [(part, statics) for part in parts])
    level = _tree(client, leaves, "merge-plans", _tasks.merge_plans, statics)
    [merged] = _submit(client, "merge-plans", _tasks.merge_plans, [(level, statics)], priority=20)
    evidence, seen = _wait(client, leaves, merged, progress)
    damaged = _files.place_errors(seen, files)
    if damaged:
        raise damaged[0]
    model: PlanningModel = evidence.induce(method=method, budget=budget, name=name)
    return model
