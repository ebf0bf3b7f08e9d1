"""The figures and the tables of a folder: each file *.py of it is one, and says so by its names (README.md beside the
figures)."""

from __future__ import annotations

import importlib.util
import pathlib
import re
from types import ModuleType
from typing import Callable, Dict, List, Mapping, Sequence, Set, TypeVar

from book.figure import Data, Row, Run, RunData

_FIGURE_NAMES = ("TITLE", "SOURCE", "TEXT", "runs", "draw", "compare")
_TABLE_NAMES = ("TITLE", "ABOUT", "TEXT", "runs")
_Kind = TypeVar("_Kind")


class Figure:
    """A loaded file."""

    def __init__(self, name: str, module: ModuleType) -> None:
        _check_names(module, "figure", _FIGURE_NAMES)
        self.name = name
        self.title: str = module.TITLE
        self.source: str = module.SOURCE
        self.text: str = module.TEXT.strip()
        self.runs = _runs_of(module)
        self.keeps_runs: bool = getattr(module, "KEEPS_RUNS", False)
        self._module = module

    def is_enough(self, done: Set[str]) -> bool:
        """Whether draw and compare can work with the runs of these names."""
        if len(done) == len(self.runs):
            return True
        return bool(done) and hasattr(self._module, "enough") and bool(self._module.enough(done))

    def condense(self, data: RunData) -> RunData:
        """With what the figure takes from the columns of a run in the place of its values, where it says so. A kept run,
        which has no columns, was condensed before it was kept."""
        if not hasattr(self._module, "condense") or "columns" not in data:
            return data
        return {**data, "values": self._module.condense(data)}

    def draw(self, data: Data, path: pathlib.Path) -> None:
        self._module.draw(data, path)

    def compare(self, data: Data) -> List[Row]:
        rows = list(self._module.compare(data))
        if not rows:
            raise ValueError(f"{self.name}: compare gave no row")
        return rows

    def notes(self, data: Data) -> str:
        """What is said below the rows, in Markdown: everything of the text that has numbers of the runs."""
        return str(self._module.notes(data)).strip() if hasattr(self._module, "notes") else ""


class Table:
    """A loaded file of a page that programs print."""

    def __init__(self, name: str, module: ModuleType) -> None:
        _check_names(module, "table", _TABLE_NAMES)
        self.name = name
        self.title: str = module.TITLE
        self.about: str = module.ABOUT
        self.text: str = module.TEXT.strip()
        self.runs = _runs_of(module)
        self.keeps_runs: bool = getattr(module, "KEEPS_RUNS", False)
        self._module = module

    def summary(self, printed: Mapping[str, str]) -> str:
        """What VALIDATION.md shows of the page, by what its runs printed; empty where it shows a link alone."""
        return str(self._module.summary(printed)) if hasattr(self._module, "summary") else ""


def load(folder: pathlib.Path) -> List[Figure]:
    """In the order of their names, numbers in them by value: figure 4 stands before figure 13."""
    return _load(folder, Figure)


def load_tables(folder: pathlib.Path) -> List[Table]:
    return _load(folder, Table)


def _load(folder: pathlib.Path, kind: Callable[[str, ModuleType], _Kind]) -> List[_Kind]:
    found: Dict[str, _Kind] = {}
    for path in folder.glob("*.py"):
        name = path.stem.replace("_", "-")
        spec = importlib.util.spec_from_file_location(f"{folder.name}_{path.stem}", path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found[name] = kind(name, module)
    return [found[name] for name in sorted(found, key=_order)]


def _check_names(module: ModuleType, kind: str, names: Sequence[str]) -> None:
    missing = [wanted for wanted in names if not hasattr(module, wanted)]
    if missing:
        raise ValueError(f"{module.__file__}: a {kind} needs {', '.join(missing)} too")


def _runs_of(module: ModuleType) -> List[Run]:
    runs: List[Run] = list(module.runs())
    names = [run.name for run in runs]
    twice = {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else set()
    if twice or not names:
        raise ValueError(f"{module.__file__}: runs named twice: {sorted(twice)}" if twice else
                         f"{module.__file__}: no runs")
    return runs


def _order(name: str) -> List[object]:
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", name) if part]
