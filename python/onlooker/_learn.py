"""Learning rules from whatever there is: logs, evidence, games of Python, rule sheets."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Iterable, List, Optional, Union

from . import _onlooker
from ._onlooker import Evidence, Game, Lesson, State
from .records import Record, bytes_of

Progress = Union[bool, Callable[[int, Optional[int]], None], None]

_SHEETS = (".kif", ".gdl")


def _is_path(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike))


def _is_sheet(source: Any) -> bool:
    if isinstance(source, Game):
        return source.is_sheet
    return _is_path(source) and os.fspath(source).endswith(_SHEETS)


def observe(source: Any, *, keep_going: bool = False, progress: Progress = None) -> Evidence:
    """The evidence of logs (paths, binary files, bytes) or of games that were gathered in Python.

    With ``keep_going``, damaged games are skipped; use :meth:`Evidence.observe` to be told which.
    """
    evidence = Evidence()
    _gather(evidence, source, keep_going, progress)
    return evidence


def _gather(evidence: Evidence, source: Any, keep_going: bool, progress: Progress) -> tuple[List[Any], List[Any]]:
    """Adds a source to evidence; says which logs can be looked through again, and what was skipped."""
    if isinstance(source, Evidence):
        evidence.merge(source)
        return [], []
    if _is_path(source) or isinstance(source, (bytes, bytearray)) or hasattr(source, "read"):
        source = [source]
    if isinstance(source, State):
        source = [source]
    sources = list(source)
    logs: List[Any] = []
    games: List[Any] = []
    if sources and all(isinstance(one, Record) for one in sources):
        sources = [sources]
    for one in sources:
        if isinstance(one, Evidence):
            evidence.merge(one)
        elif _is_path(one) or isinstance(one, (bytes, bytearray)) or hasattr(one, "read"):
            logs.append(one)
        else:
            games.append(one)
    if games:
        logs.append(bytes_of(games))
    damaged = evidence.observe(logs, keep_going=keep_going, progress=progress) if logs else []
    return logs, damaged


def learn(
    source: Any,
    *,
    name: Optional[str] = None,
    method: str = "shortest",
    noise: float = 0.0,
    floor: float = 0.1,
    effort: int = 500,
    distance: int = 2,
    expansions: int = 20,
    keep_going: bool = False,
    games: Optional[int] = None,
    check_games: Optional[int] = None,
    seed: int = 1,
    progress: Progress = None,
) -> Lesson:
    """Learns the rules of a game.

    ``source`` may be

    * a log of games, or several: paths, binary files, ``bytes``, plain or compressed;
    * :class:`Evidence`, or several;
    * games of Python: :class:`State` objects with what was played before them, or lists of :class:`Record` (see
      :func:`records_of_boards` where only boards are known);
    * a rule sheet (a :class:`Game`, or a path to a ``.kif`` file): it is played at random, and what is learnt is checked on other
      games of it.

    The same games give the same bytes as the command line, in any order.
    """
    options: Dict[str, Any] = dict(
        name=name, method=method, noise=noise, floor=floor, effort=effort, distance=distance, expansions=expansions, progress=progress
    )
    if _is_sheet(source):
        sheet = source if isinstance(source, Game) else _onlooker.game(source)
        return _onlooker._learn_sheet(sheet, games=games, check_games=check_games, seed=seed, **options)
    if isinstance(source, Evidence):
        return _onlooker._learn_evidence(source, **options)
    evidence = Evidence()
    logs, damaged = _gather(evidence, source, keep_going, progress)
    again = [log for log in logs if _is_path(log) or isinstance(log, bytes)]
    return _onlooker._learn_evidence(evidence, logs=again, damaged=damaged, **options)


class LearningCurve:
    """How well rules do that were learnt from ever more games; shows itself as a picture."""

    def __init__(self, games: List[int], exact: List[float], title: str = "") -> None:
        self.games = games
        #: The share of the test's positions whose moves are reproduced.
        self.exact = exact
        self.title = title

    def __repr__(self) -> str:
        return f"LearningCurve(games={self.games!r}, exact={self.exact!r})"

    def _repr_svg_(self) -> str:
        points = [(float(games), 100.0 * exact) for games, exact in zip(self.games, self.exact)]
        return _onlooker.curves_svg(
            [("exact", points)], title=self.title, x="games", y="positions with exactly the legal moves, %"
        )


def learning_curve(
    game: Any, sizes: Iterable[int], *, moves: str = "some", test_games: int = 50, seed: int = 1, **options: Any
) -> LearningCurve:
    """Plays a game at random, learns from ever more games, and checks the rules on others."""
    known = _onlooker.game(game)
    wanted = sorted(set(sizes))
    test = _onlooker.simulate_bytes(known, test_games, moves="all", seed=seed + 1)
    evidence = Evidence()
    exact: List[float] = []
    seen = 0
    for size in wanted:
        evidence.observe(_onlooker.simulate_bytes(known, size - seen, moves=moves, seed=seed, first=seen))
        seen = size
        report = _onlooker.check(learn(evidence, **options).rules, test)
        exact.append(report.exact / report.positions)
    return LearningCurve(wanted, exact, f"Learning {known.name}")
