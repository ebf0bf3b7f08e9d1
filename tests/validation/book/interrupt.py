"""SIGINT and SIGTERM, remembered until somebody looks.

Python's own way raises KeyboardInterrupt between any two instructions of the main thread: also in the middle of the
locks of its thread pool, which then never ends, and in callbacks whose exceptions are dropped.
"""

from __future__ import annotations

import signal


class Interrupt:
    def __init__(self) -> None:
        self._asked = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask)

    def _ask(self, *_: object) -> None:
        self._asked = True

    def check(self) -> None:
        """Raises KeyboardInterrupt when one was asked for."""
        if self._asked:
            raise KeyboardInterrupt
