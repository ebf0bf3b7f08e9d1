"""The claims of talus_validation as one run of the book. It ends with 1 when a claim fails, and says which in its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

from book.figure import Run


@dataclass(frozen=True)
class Claims:
    """What the queue and the page need to know of them."""

    name: str
    runs: Tuple[Run, ...]


CLAIMS = Claims("claims", (Run("claims", ("talus_validation",), 150.0, option="--json", codes=(0, 1)),))
