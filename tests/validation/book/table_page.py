"""A page of tables, PAGE/validation/NAME.md: what is said of them, and a section a run with what its program printed.

A run that is not there leaves its section as the page has it; of a table that keeps its runs such a section counts as
the run.
"""

from __future__ import annotations

import pathlib
import re
from typing import Any, Dict, List, Optional

from book.figure import Run
from book.run_store import RunStore
from book.shelf import Table
from book.time_spent import took

_SECTION = re.compile(r'^<a id="([^"]+)"></a>\n', re.MULTILINE)
_NOT_RUN = "\nNot run."
_DIGEST = re.compile(r"^Took .* Made by \S+ `([0-9a-f]*)`\.$", re.MULTILINE)


class TablePage:
    def __init__(self, folder: pathlib.Path, table: Table) -> None:
        self.table = table
        self.path = folder / "validation" / f"{table.name}.md"
        text = self.path.read_text(encoding="utf-8") if self.path.is_file() else ""
        _, *rest = _SECTION.split(text)
        self._sections: Dict[str, str] = dict(zip(rest[::2], rest[1::2]))

    def missing(self, store: RunStore, renew: bool) -> List[Run]:
        """The runs to make."""
        found = store.missing(self.table.name, self.table.runs, renew)
        if not self.table.keeps_runs:
            return found
        return [run for run in found if store.record(self.table.name, run) is not None or not self.section(run)
                or (renew and self._digest(run) != store.digest(run))]

    def section(self, run: Run) -> str:
        """What the page shows of a run, heading included; empty where it shows none, or that of another command."""
        text = self._sections.get(run.name, "").strip()
        return text if text.startswith(_heading(run)) and not text.endswith(_NOT_RUN) else ""

    def printed(self) -> Dict[str, str]:
        """What the programs printed, by the name of the run, as far as the page shows it."""
        return {run.name: text for run in self.table.runs if (text := self.section(run))}

    def write(self, store: RunStore) -> bool:
        """False, and nothing changes, where there is nothing to show."""
        for run in self.table.runs:
            record = store.record(self.table.name, run)
            if record is not None:
                self._sections[run.name] = _write_section(run, record, store.data(self.table.name, run))
        if not self.printed():
            return False
        parts = [f"# {self.table.title}\n\n{self.table.text}\n"]
        for run in self.table.runs:
            section = self.section(run) or f"{_heading(run)}{_NOT_RUN}"
            parts.append(f'\n<a id="{run.name}"></a>\n{section}\n')
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("".join(parts), encoding="utf-8")
        return True

    def _digest(self, run: Run) -> Optional[str]:
        found = _DIGEST.search(self.section(run))
        return found.group(1) if found else None


def _heading(run: Run) -> str:
    return f"## `{' '.join(run.command)}`\n"


def _write_section(run: Run, record: Dict[str, Any], printed: str) -> str:
    return (f"{_heading(run)}\n{took(record['seconds'])}. Made by {run.command[0]} `{record['program']}`.\n\n"
            f"{printed.strip()}")
