"""The runs that are there: one folder a figure, two files a run.

KEY.json is what the program left, KEY.record.json what the book knows of it: command, seconds, and the digest of the
program. A run is finished when both are there; the record is written last, and each file appears whole or not at all.
What is not there may be kept beside its picture (kept_runs.py).
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
from typing import Any, Dict, List, Optional, Tuple

from book.figure import Data, Run
from book.kept_runs import KeptRuns


# Of the build folder, where programs are.
_PROGRAM_FOLDERS = ("tests/validation", "tests/solver_table", "tests")


class RunStore:
    def __init__(self, folder: pathlib.Path, build: pathlib.Path, root: pathlib.Path, kept: KeptRuns) -> None:
        self.folder = folder
        self._kept = kept
        self._programs = [build / name for name in _PROGRAM_FOLDERS]
        self._root = root
        self._digests: Dict[Tuple[pathlib.Path, int], str] = {}

    def program(self, run: Run) -> pathlib.Path:
        """Where it is, or would be looked for first."""
        name = run.command[0]
        if name.endswith(".py"):
            return self._root / name
        places = [folder / name for folder in self._programs]
        return next((place for place in places if place.is_file()), places[0])

    def digest(self, run: Run) -> str:
        """Of the program as it is on disk now; empty when it is not there."""
        path = self.program(run)
        if not path.is_file():
            return ""
        key = (path, path.stat().st_mtime_ns)
        if key not in self._digests:
            self._digests[key] = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        return self._digests[key]

    def part_path(self, figure: str, run: Run) -> pathlib.Path:
        """Where the program writes; keep() moves it to where it is found."""
        return self.folder / figure / f"{run.key}.part"

    def keep(self, figure: str, run: Run, seconds: float, digest: str) -> None:
        """`digest` is of the program that was started. Raises ValueError when what the program left is no JSON."""
        part = self.part_path(figure, run)
        try:
            json.loads(part.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ValueError(f"left no JSON: {error}") from None
        os.replace(part, self._data_path(figure, run))
        record = {"command": list(run.command), "seconds": round(seconds, 3), "program": digest}
        path = self._record_path(figure, run)
        part.write_text(json.dumps(record) + "\n", encoding="utf-8")
        os.replace(part, path)

    def record(self, figure: str, run: Run) -> Optional[Dict[str, Any]]:
        """None when the run is not finished."""
        try:
            record = json.loads(self._record_path(figure, run).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            record = None
        if isinstance(record, dict) and self._data_path(figure, run).is_file():
            return record
        kept = self._kept.find(figure, run.key)
        return kept["record"] if kept else None

    def data(self, figure: str, run: Run) -> Any:
        """What the program left of a finished run; a kept one has what is shown of it, no columns."""
        path = self._data_path(figure, run)
        kept = self._kept.find(figure, run.key)
        return kept["data"] if kept and not path.is_file() else json.loads(path.read_text(encoding="utf-8"))

    def keep_beside_picture(self, figure: str, finished: List[Run], data: Data) -> None:
        """`data` of the finished runs, by their names."""
        self._kept.write(figure, {run.key: {"record": self.record(figure, run), "data": data[run.name]}
                                  for run in finished})

    def missing(self, figure: str, runs: List[Run], renew: bool) -> List[Run]:
        """Those not finished; with `renew` also those made by another build of their program."""
        found = []
        for run in runs:
            record = self.record(figure, run)
            if record is None or (renew and record.get("program") != self.digest(run)):
                found.append(run)
        return found

    def _data_path(self, figure: str, run: Run) -> pathlib.Path:
        return self.folder / figure / f"{run.key}.json"

    def _record_path(self, figure: str, run: Run) -> pathlib.Path:
        return self.folder / figure / f"{run.key}.record.json"
