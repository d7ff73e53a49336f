"""Files that are learnt from: found, measured, and cut into parts for workers."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from typing import Any, Iterable, List, Optional, Tuple, Union

#: How compressed files begin.
_COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")

#: About how much larger a log is than its compressed form.
RATIO = 10

#: The parts of a file that is not compressed have at least and at most so many bytes.
LEAST = 4 << 20
MOST = 128 << 20

Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]


@dataclass(frozen=True)
class File:
    """A file by its address."""

    path: str
    size: int
    compressed: bool


@dataclass(frozen=True)
class Part:
    """A part of a file for one task: a range of bytes, or of a compressed file every so many-th block of its text."""

    file: str
    #: The number of the file among those given.
    number: int
    compressed: bool
    start: int
    #: Where it ends, or of how many tasks for this file it is the ``start``-th.
    end: int
    block: int = 0


def is_remote(path: str) -> bool:
    """Whether an address is one for fsspec."""
    return "://" in path or "::" in path


def open_file(path: str) -> Any:
    """Something to read from: a path of this machine, or a file of fsspec that has to be closed."""
    if not is_remote(path):
        return path
    import fsspec

    file: Any = fsspec.open(path, "rb")
    return file.open()


def find(paths: Paths) -> List[str]:
    """All files that are meant; patterns are looked up."""
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    found: List[str] = []
    for one in given:
        text = os.fspath(one)
        if not any(sign in text for sign in "*?["):
            found.append(text)
        elif is_remote(text):
            import fsspec

            found += [file.full_name for file in fsspec.open_files(text, "rb")]
        else:
            found += sorted(glob.glob(text, recursive=True))
    if not found:
        raise FileNotFoundError(f"no file matches {', '.join(map(str, given))}")
    return found


def look_at(path: str) -> File:
    """How large a file is, and whether it is compressed."""
    if is_remote(path):
        with open_file(path) as remote:
            start = remote.read(4)
            size = remote.seek(0, 2)
    else:
        with open(path, "rb") as file:
            start = file.read(4)
            size = os.fstat(file.fileno()).st_size
    return File(path, size, start.startswith(_COMPRESSED))


def cut(files: List[File], threads: int, block: Optional[int] = None) -> List[Part]:
    """Parts for so many threads, of about the same size, in the order of the files."""
    text = sum(file.size * (RATIO if file.compressed else 1) for file in files)
    wanted = block or max(LEAST, min(MOST, text // (4 * max(1, threads))))
    parts: List[Part] = []
    for number, file in enumerate(files):
        if file.compressed:
            # Every task has to unpack what comes before its blocks: only large files have several, and no more than can work at once.
            tasks = max(1, min(threads, file.size * RATIO // (2 * wanted)))
            small = max(1 << 16, min(wanted, file.size * RATIO // (4 * tasks)) if block is None else block)
            parts += [Part(file.path, number, True, task, tasks, small) for task in range(tasks)]
        else:
            pieces = max(1, round(file.size / wanted))
            edges = [file.size * piece // pieces for piece in range(pieces)] + [file.size]
            parts += [Part(file.path, number, False, start, end) for start, end in zip(edges, edges[1:])]
    return parts


#: What a part had: the number of its file, where it stands in it, its lines and games, and the errors of damaged games.
Seen = Tuple[int, int, int, int, List[Any]]


def place_errors(seen: Iterable[Seen], files: List[str]) -> List[Any]:
    """The errors of all parts, with lines and games counted from the beginning of their files."""
    errors: List[Any] = []
    lines = games = 0
    last = -1
    for number, _, own_lines, own_games, own_errors in sorted(seen, key=lambda part: part[:2]):
        if number != last:
            last, lines, games = number, 0, 0
        for error in own_errors:
            error.file = files[number]
            if error.line is not None:
                error.line += lines
            if getattr(error, "game", None) is not None:
                error.game += games
            errors.append(error)
        lines += own_lines
        games += own_games
    return errors
