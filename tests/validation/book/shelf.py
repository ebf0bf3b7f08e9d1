"""The figures of a folder: each file *.py of it is one, and says so by four names (README.md beside the figures)."""

from __future__ import annotations

import importlib.util
import pathlib
import re
from types import ModuleType
from typing import Dict, List, Set

from book.figure import Data, Row, Run

_NAMES = ("TITLE", "SOURCE", "TEXT", "runs", "draw", "compare")


class Figure:
    """A loaded file."""

    def __init__(self, name: str, module: ModuleType) -> None:
        missing = [wanted for wanted in _NAMES if not hasattr(module, wanted)]
        if missing:
            raise ValueError(f"{module.__file__}: a figure needs {', '.join(missing)} too")
        self.name = name
        self.title: str = module.TITLE
        self.source: str = module.SOURCE
        self.text: str = module.TEXT.strip()
        self.runs: List[Run] = list(module.runs())
        self.keeps_runs: bool = getattr(module, "KEEPS_RUNS", False)
        self._module = module
        names = [run.name for run in self.runs]
        twice = {run_name for run_name in names if names.count(run_name) > 1} if len(set(names)) < len(names) else set()
        if twice or not names:
            raise ValueError(f"{module.__file__}: runs named twice: {sorted(twice)}" if twice else
                             f"{module.__file__}: no runs")

    def is_enough(self, done: Set[str]) -> bool:
        """Whether draw and compare can work with the runs of these names."""
        if len(done) == len(self.runs):
            return True
        return bool(done) and hasattr(self._module, "enough") and bool(self._module.enough(done))

    def draw(self, data: Data, path: pathlib.Path) -> None:
        self._module.draw(data, path)

    def compare(self, data: Data) -> List[Row]:
        rows = list(self._module.compare(data))
        if not rows:
            raise ValueError(f"{self.name}: compare gave no row")
        return rows


def load(folder: pathlib.Path) -> List[Figure]:
    """In the order of their names, numbers in them by value: figure 4 stands before figure 13."""
    found: Dict[str, Figure] = {}
    for path in folder.glob("*.py"):
        name = path.stem.replace("_", "-")
        spec = importlib.util.spec_from_file_location(f"figure_{path.stem}", path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found[name] = Figure(name, module)
    return [found[name] for name in sorted(found, key=_order)]


def _order(name: str) -> List[object]:
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", name) if part]
