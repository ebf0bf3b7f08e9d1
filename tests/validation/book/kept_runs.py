"""Runs that are kept beside the picture they are drawn in, PAGE/figures/NAME.json: those of figures that take hours.

A line a run: its record, and of what the program left that which the book shows.
"""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Dict, Optional


# What is not here is in the command, or large.
_SHOWN = ("state_hash", "steps", "unconverged_steps", "worst_residual", "values")


class KeptRuns:
    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self._figures: Dict[str, Dict[str, Any]] = {}

    def find(self, figure: str, key: str) -> Optional[Dict[str, Any]]:
        """{"record", "data"} of a run; None when it is not kept."""
        if figure not in self._figures:
            path = self._path(figure)
            self._figures[figure] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return self._figures[figure].get(key)

    def write(self, figure: str, runs: Dict[str, Dict[str, Any]]) -> None:
        """`runs` by their keys. Replaces what is kept."""
        lines = [f"{json.dumps(key)}: {json.dumps({'record': run['record'], 'data': _shown(run['data'])})}"
                 for key, run in sorted(runs.items())]
        path = self._path(figure)
        part = path.with_suffix(".part")
        part.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        os.replace(part, path)

    def _path(self, figure: str) -> pathlib.Path:
        return self._folder / f"{figure}.json"


def _shown(data: Dict[str, Any]) -> Dict[str, Any]:
    return {name: data[name] for name in _SHOWN if name in data}
