"""A progress bar on standard error: one line redrawn on a terminal, a line a tenth elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Optional, TextIO

_CELLS = 24
_REDRAW_S = 0.1


class ProgressBar:
    """Shows how much of `total` is done, when it will be, and a note."""

    def __init__(self, total: float, stream: Optional[TextIO] = None) -> None:
        self._total = total
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._begin = time.monotonic()
        self._drawn = 0.0
        self._tenth = 0

    def update(self, done: float, left_s: float, note: str) -> None:
        """`done` of `total`; `left_s` is the caller's estimate of the wall time to come."""
        share = min(1.0, done / self._total)
        now = time.monotonic()
        if self._live:
            if now - self._drawn >= _REDRAW_S or share >= 1.0:
                self._drawn = now
                width = shutil.get_terminal_size().columns - 1
                line = f"{bar(share)} {share:4.0%}  {clock(left_s)} left  {note}"
                self._stream.write("\r" + line[:width].ljust(width))
                self._stream.flush()
        elif int(share * 10) > self._tenth:
            self._tenth = int(share * 10)
            self._stream.write(f"{share:4.0%} after {clock(now - self._begin)}, {clock(left_s)} left: {note}\n")
            self._stream.flush()

    def close(self) -> None:
        """Ends the line."""
        if self._live:
            self._stream.write("\n")
            self._stream.flush()


def bar(share: float) -> str:
    """`share` of the cells filled, in eighths."""
    eighths = int(share * _CELLS * 8)
    full, rest = divmod(eighths, 8)
    partial = " ▏▎▍▌▋▊▉"[rest] if full < _CELLS else ""
    return "▕" + ("█" * full + partial).ljust(_CELLS) + "▏"


def clock(seconds: float) -> str:
    """m:ss, or h:mm:ss."""
    whole = max(0, int(seconds + 0.5))
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"
