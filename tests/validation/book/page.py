"""Writes VALIDATION.md: the claims, what there is to say of the pages of tables, then each figure with its picture, its
table and what its runs say of themselves."""

from __future__ import annotations

import hashlib
import json
import pathlib
from collections import Counter
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

from book.claims import CLAIMS
from book.figure import Row, Run
from book.kept_page import KeptPage
from book.run_store import RunStore
from book.shelf import Figure
from book.table_page import TablePage
from book.time_spent import say, took

_HEAD = """# Validation

Written by `tests/validation/book.sh`, which builds, makes every run, draws every picture and checks every row. What a run
gave is never written by hand: it stands in pictures, in rows and in the notes below them. By hand are the paragraphs
above the pictures: what is simulated, what was chosen and, in words, what is seen. First the claims: numbers that the solver must reach, which the test `validation.claims`
computes anew each time. Then the figures of the papers: ours beside what the paper says or, where a closed form exists,
beside that. [NOTATION.md](NOTATION.md) says what TA, AB, AS and RB are. The numbers are those of the release preset;
they do not depend on the number of threads. A figure's *state hash* is a digest of the hashes of the states in which its
runs ended: the same build repeats it. Runs are kept and not repeated: beside them stands the digest of the program that
made them, and `--renew` repeats those that another build made. A figure of which runs are missing stays
on the page as it was; runs that take hours are kept beside their picture. What a run took is in seconds of one core
of the machine that made it; runs whose times count are made with no other run beside them.
"""

_CLAIMS_HEAD = """
## Claims

`tests/validation/run.sh` computes these alone. Why a tolerance is what it is stands in a comment beside the case, in
`tests/validation/*_cases.cc`.
"""


@dataclass(frozen=True)
class Entry:
    """A figure as the page shows it: `rows` is None when there are not enough runs for it. `notes` stands below them."""

    figure: Figure
    finished: List[Run]
    rows: Optional[List[Row]]
    notes: str = ""

    @property
    def missing(self) -> int:
        return len(self.figure.runs) - len(self.finished)


def number(value: float) -> str:
    """As a table shows it."""
    text = f"{value:.6g}"
    return "0" if text == "-0" else text


def write(path: pathlib.Path, store: RunStore, entries: Sequence[Entry], tables: Sequence[TablePage]) -> None:
    """The whole page; what there are too few runs of stays as the page has it."""
    kept = KeptPage(path)
    claims = _claims(store, kept)
    figures = [_stays(entry, kept) or _section(store, entry) for entry in entries]
    timed: List[Tuple[Sequence[Run], str]] = [(CLAIMS.runs, claims)]
    timed += [(entry.figure.runs, text) for entry, text in zip(entries, figures)]
    timed += [([run], page.section(run)) for page in tables for run in page.table.runs]
    parts = [_HEAD, f"\n{say(timed)}\n", _links(tables), _summary(entries, kept), claims,
             *(_table_section(page) for page in tables), *figures]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(parts), encoding="utf-8")


def _links(tables: Sequence[TablePage]) -> str:
    lines = [f"- [{page.table.title}]({_link(page)}): {page.table.about}\n" for page in tables if page.printed()]
    return "\nTables that programs print stand on pages of their own:\n\n" + "".join(lines) if lines else ""


def _link(page: TablePage) -> str:
    return f"validation/{page.path.name}"


def _table_section(page: TablePage) -> str:
    """What the page of tables comes to, where it can be said in short."""
    text = page.table.summary(page.printed())
    if not text:
        return ""
    return (f'\n<a id="{page.table.name}"></a>\n## {page.table.title}\n{text}'
            f"\n[The complete table]({_link(page)}) has every solver.\n")


def _summary(entries: Sequence[Entry], kept: KeptPage) -> str:
    lines = ["\n| figure | source | state |\n|---|---|---|\n"]
    for entry in entries:
        name = entry.figure.name
        state = kept.state(name) if _stays(entry, kept) else _state(entry)
        lines.append(f"| [{entry.figure.title}](#{name}) | {entry.figure.source} | {state} |\n")
    return "".join(lines)


def _stays(entry: Entry, kept: KeptPage) -> str:
    """The section of a figure that there are too few runs of to show it anew."""
    return kept.section(entry.figure.name) if entry.rows is None else ""


def _state(entry: Entry) -> str:
    partly = f" ({len(entry.finished)} of {len(entry.figure.runs)} runs)" if entry.missing and entry.finished else ""
    if entry.rows is None:
        return f"not run{partly}"
    failed = sum(not row.passed for row in entry.rows)
    return f"{len(entry.rows)} rows, {failed} outside their tolerance{partly}"


def _claims(store: RunStore, kept: KeptPage) -> str:
    run = CLAIMS.runs[0]
    record = store.record(CLAIMS.name, run)
    if record is None:
        return kept.claims() or _CLAIMS_HEAD + "\nNot run.\n"
    rows: List[Any] = store.data(CLAIMS.name, run)
    failed = sum(not row["pass"] for row in rows)
    lines = [_CLAIMS_HEAD, f"\n{len(rows)} claims, {failed} failed. {took(record['seconds'])}. {_builds([record])}\n",
             "\n| claim | source | value | expected | tolerance | unit |\n|---|---|---|---|---|---|\n"]
    for row in rows:
        cells = [row["id"] + ("" if row["pass"] else " **failed**"), row["source"], number(row["value"]),
                 number(row["expected"]), number(row["tolerance"]), row["unit"]]
        lines.append("| " + " | ".join(cells) + " |\n")
    return "".join(lines)


def _section(store: RunStore, entry: Entry) -> str:
    figure = entry.figure
    parts = [f'\n<a id="{figure.name}"></a>\n## {figure.title}\n\n{figure.source}. {figure.text}\n']
    if entry.rows is None:
        return "".join(parts) + f"\nNot run: {len(entry.finished)} of {len(figure.runs)} runs are there.\n"
    if entry.missing:
        parts.append(f"\n**In part: {entry.missing} of {len(figure.runs)} runs are not run yet**; picture and table hold the "
                     "others.\n")
    parts.append(f"\n![{figure.title}](figures/{figure.name}.png)\n")
    parts.append("\n| quantity | paper | ours | difference | tolerance | unit | reason of the tolerance |\n"
                 "|---|---|---|---|---|---|---|\n")
    for row in entry.rows:
        bound = {"=": "", "<=": "≤ ", ">=": "≥ "}[row.relation]
        cells = [row.quantity + ("" if row.passed else " **outside**"), bound + number(row.paper), number(row.ours),
                 number(row.difference), number(row.tolerance), row.unit, row.reason]
        parts.append("| " + " | ".join(cells) + " |\n")
    if entry.notes:
        parts.append(f"\n{entry.notes}\n")
    return "".join(parts) + "\n" + _runs_line(store, entry) + "\n"


def _runs_line(store: RunStore, entry: Entry) -> str:
    figure = entry.figure
    hashes = []
    records: List[Dict[str, Any]] = []
    steps = unconverged = 0
    worst = 0.0
    for run in entry.finished:
        record, data = store.record(figure.name, run), store.data(figure.name, run)
        assert record is not None
        records.append(record)
        if isinstance(data, dict):
            hashes.append(f"{run.name} {data.get('state_hash', '')}")
            steps += data.get("steps", 0)
            unconverged += data.get("unconverged_steps", 0)
            worst = max(worst, data.get("worst_residual", 0.0))
    digest = hashlib.sha256(json.dumps(hashes).encode()).hexdigest()[:16]
    count = f"{len(entry.finished)} runs, " + (f"{steps} steps, " if steps else "")
    line = f"{count}state hash `{digest}`. "
    if steps:
        line += (f"Worst residual {worst:.1e}; {unconverged} steps stopped above their tolerance. " if unconverged else
                 f"Worst residual {worst:.1e}; every step reached its tolerance. ")
    return f"{line}{took(sum(record['seconds'] for record in records))} on one core. {_builds(records)}"


def _builds(records: Sequence[Dict[str, Any]]) -> str:
    """Which programs made the runs, by the digests of the programs."""
    builds = Counter((record["command"][0], record["program"]) for record in records)
    names = [f"{program} `{digest}`" + (f" ({count} run{'s' * (count > 1)})" if len(builds) > 1 else "")
             for (program, digest), count in sorted(builds.items())]
    return "Made by " + " and ".join(names) + "."
