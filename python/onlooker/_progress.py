"""Progress for people: a bar of tqdm where that is installed, otherwise a line now and then."""

from __future__ import annotations

import sys
import time
from typing import Any, Optional


class Bar:
    """Is called with what is done and what there is to do."""

    def __init__(self, bar: Any = None) -> None:
        self._bar = bar
        self._last = time.monotonic()

    def __call__(self, done: int, total: Optional[int]) -> None:
        if self._bar is not None:
            if self._bar.total != total:
                self._bar.reset(total=total)
            self._bar.update(done - self._bar.n)
        elif time.monotonic() - self._last >= 5:
            self._last = time.monotonic()
            print(f"{done} of {total}" if total else f"{done}", file=sys.stderr)

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()


def bar() -> Bar:
    """The best there is."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return Bar()
    return Bar(tqdm(unit_scale=True, leave=False))
