"""What workers do. Every task gives the same result whenever it is done, and changes nothing that it is given."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Tuple

from .. import _onlooker
from .._onlooker import Evidence, MatchResult, TraceEvidence
from ._files import Part, Seen, open_file

#: Evidence as bytes, and what the parts it was made of had.
Observed = Tuple[bytes, List[Seen]]


def observe(part: Part, keep_going: bool) -> Observed:
    """The evidence of a part of a log."""
    evidence = Evidence()
    source = open_file(part.file)
    try:
        if part.compressed:
            blocks = evidence._observe_blocks(source, part.block, part.start, part.end)
        else:
            blocks = evidence._observe_range(source, part.start, part.end)
    except Exception as error:
        # Remote files have no names of their own.
        if getattr(error, "file", "") is None:
            error.file = part.file  # type: ignore[attr-defined]
        raise
    finally:
        if source is not part.file:
            source.close()
    # Blocks of a compressed file have numbers of their own; a part of another one has the place where it begins.
    seen = [(part.number, number if part.compressed else part.start, lines, games, errors) for number, lines, games, errors in blocks]
    return bytes(evidence), seen


def merge(parts: List[Observed]) -> Observed:
    """The evidence of several parts together."""
    evidence = Evidence()
    seen: List[Seen] = []
    for packed, of_part in parts:
        evidence._merge_bytes(packed)
        seen += of_part
    return bytes(evidence), seen


def induce(parts: List[Observed], options: Dict[str, Any]) -> Tuple[Dict[str, Any], List[Seen]]:
    """Rules from all evidence, and what they do not account for; the evidence itself stays where it is."""
    evidence = Evidence()
    seen: List[Seen] = []
    for packed, of_part in parts:
        evidence._merge_bytes(packed)
        seen += of_part
    lesson = _onlooker._learn_evidence(evidence, **options)
    return {
        "rules": lesson.rules,
        "games": evidence.games,
        "positions": evidence.positions,
        "distinct_positions": evidence.distinct_positions,
        "moves": evidence.moves,
        "is_consistent": lesson.is_consistent,
        "unexplained": lesson.unexplained,
        "contradictions": lesson.contradictions,
    }, seen


def gather(parts: List[Observed]) -> Observed:
    """All evidence, for those who want to have it."""
    return merge(parts)


def simulate(game: Any, first: int, games: int, options: Dict[str, Any]) -> bytes:
    """Some games of a simulation as a log."""
    return _onlooker.simulate_bytes(game, games, first=first, **options)


def play(game: Any, players: List[Any], first: int, games: int, options: Dict[str, Any]) -> MatchResult:
    """Some games of a match."""
    return _onlooker.match(game, players, games=games, first=first, **options)


_BLANK = re.compile(rb"\n[ \t\r]*\n")


def _trace_start(source: Any, offset: int, size: int) -> int:
    """Where the first trace begins at or after an offset: behind an empty line."""
    if offset == 0:
        return 0
    source.seek(offset - 1)
    room = b""
    while True:
        more = source.read(1 << 16)
        room += more
        found = _BLANK.search(room)
        if found is not None:
            return offset - 1 + found.end()
        if not more:
            return size


def observe_plans(part: Part, statics: bool) -> Tuple[TraceEvidence, List[Seen]]:
    """The evidence of a part of a file of plans."""
    evidence = TraceEvidence(statics=statics)
    path = open_file(part.file)
    source = open(path, "rb") if isinstance(path, str) else path
    lines = 0
    errors: List[Any] = []
    try:
        if part.compressed:
            data = source.read()
        else:
            size = source.seek(0, 2)
            start, end = _trace_start(source, part.start, size), _trace_start(source, part.end, size)
            source.seek(start)
            data = source.read(end - start)
            lines = data.count(b"\n")
    finally:
        source.close()
    if data.strip():
        try:
            evidence.observe(data)
        except _onlooker_errors() as error:
            errors.append(error)
    return evidence, [(part.number, part.start, lines, 0, errors)]


def _onlooker_errors() -> Any:
    from ..errors import PlanError

    return PlanError


def merge_plans(parts: List[Tuple[TraceEvidence, List[Seen]]], statics: bool) -> Tuple[TraceEvidence, List[Seen]]:
    """The evidence of several parts together."""
    evidence = TraceEvidence(statics=statics)
    seen: List[Seen] = []
    for other, of_part in parts:
        evidence.merge(other)
        seen += of_part
    return evidence, seen
