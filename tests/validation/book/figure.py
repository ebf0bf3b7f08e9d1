"""What a figure of the book is made of: runs, and rows of comparison. tests/validation/figures/README.md has the rest."""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import dataclass
from typing import Any, Mapping, Tuple

RunData = Mapping[str, Any]  # the JSON object that a run left
Data = Mapping[str, RunData]  # by the name of the run

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


@dataclass(frozen=True)
class Run:
    """One run of a sweep: a program, its arguments, and about how long it takes on one idle core.

    The program is one of the build folder's (RunStore.program says where) or, ending in .py, a script of the repository.
    It is called with `option FILE` after its arguments, leaves one JSON value in FILE, and ends with one of `codes`.
    With an empty option it is called without, and what it prints is kept, as a JSON string.
    """

    name: str  # unique in its figure; a file name
    command: Tuple[str, ...]
    seconds: float
    option: str = "--out"
    codes: Tuple[int, ...] = (0,)
    alone: bool = False  # its times count: no other run is made beside it

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"run name {self.name!r} must be letters, digits, '.', '_', '+', '-'")

    @property
    def key(self) -> str:
        """Names the run's file: another command is another run, even under the same name."""
        text = json.dumps([*self.command, self.option])
        return f"{self.name}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def numbers(program: str, run: str, **parameters: float) -> Tuple[str, ...]:
    """The command `program run name=value...`, values printed so that they read back to the same number."""
    return (program, run, *(f"{name}={value!r}" for name, value in parameters.items()))


@dataclass(frozen=True)
class Row:
    """One line of a figure's table: what the paper says, what came out, how far apart they may be, and why that far.

    `relation` is "=" for |ours - paper| <= tolerance, "<=" and ">=" for bounds that `tolerance` relaxes.
    """

    quantity: str
    paper: float
    ours: float
    tolerance: float
    unit: str
    reason: str
    relation: str = "="

    @property
    def difference(self) -> float:
        return self.ours - self.paper

    @property
    def passed(self) -> bool:
        """False where anything is not finite, too."""
        if not (math.isfinite(self.difference) and math.isfinite(self.tolerance)):
            return False
        if self.relation == "=":
            return abs(self.difference) <= self.tolerance
        if self.relation == "<=":
            return self.difference <= self.tolerance
        if self.relation == ">=":
            return self.difference >= -self.tolerance
        raise ValueError(f"relation {self.relation!r} must be =, <= or >=")
