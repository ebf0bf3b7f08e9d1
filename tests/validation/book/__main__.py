"""Runs the book."""

from __future__ import annotations

import sys
from typing import List, Optional, Sequence, Tuple, Union

from book import options as book_options
from book import page, shelf
from book.claims import CLAIMS, Claims
from book.interrupt import Interrupt
from book.kept_runs import KeptRuns
from book.options import ROOT, Options
from book.run_queue import Failure, RunQueue, Task, duration, wall_seconds
from book.run_store import RunStore
from book.shelf import Figure, Table
from book.table_page import TablePage

Subject = Union[Claims, Figure, Table]


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit status 0; 1 when a run failed or a row lies outside; 2 when there is nothing to do; 130 when interrupted."""
    options = book_options.parse(arguments)
    interrupt = Interrupt()
    try:
        return _run(options, interrupt)
    except (OSError, ValueError) as error:
        print(f"book: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nbook: interrupted; finished runs are kept, the same command goes on from there", file=sys.stderr)
        return 130


def _run(options: Options, interrupt: Interrupt) -> int:
    figures = shelf.load(options.figures)
    tables = [TablePage(options.page, table) for table in shelf.load_tables(options.tables)]
    subjects: List[Subject] = [CLAIMS, *figures, *(page.table for page in tables)]
    chosen = [subject for subject in subjects if options.only is None or options.only.search(subject.name)]
    if not chosen:
        raise ValueError(f"--only {options.only.pattern if options.only else ''}: no figure is named so; there are "
                         + ", ".join(subject.name for subject in subjects))
    store = RunStore(options.out / "runs", options.build, ROOT, KeptRuns(options.page / "figures"))
    tasks = [Task(subject.name, run) for subject in chosen if not isinstance(subject, Table)
             for run in store.missing(subject.name, list(subject.runs), options.renew)]
    of_tables = [Task(page.table.name, run) for page in tables if page.table in chosen
                 for run in page.missing(store, options.renew)]
    absent, of_tables = _part_absent(store, of_tables)
    # The longest first, that it does not go on when all others are done; last those that are made alone.
    beside = sorted((task for task in of_tables if not task.run.alone), key=lambda task: -task.run.seconds)
    tasks = beside + tasks + [task for task in of_tables if task.run.alone]
    _say_plan(options, chosen, tasks, absent)
    if options.list_only:
        return 0
    failures: List[Failure] = []
    if tasks and not options.draw_only:
        failures = RunQueue(store, options.jobs, interrupt).make(tasks)
    entries = _draw(options, store, figures, interrupt)
    for table_page in tables:
        if table_page.write(store):
            print(f"written: {table_page.path}", file=sys.stderr)
    path = options.page / "VALIDATION.md"
    page.write(path, store, entries, tables)
    print(f"written: {path}", file=sys.stderr)
    return _judge(store, chosen, entries, failures)


def _part_absent(store: RunStore, tasks: List[Task]) -> Tuple[List[Task], List[Task]]:
    """Those whose program was not built, as where another library is not installed; and the others."""
    absent = [task for task in tasks if not store.digest(task.run)]
    return absent, [task for task in tasks if task not in absent]


def _say_plan(options: Options, chosen: List[Subject], tasks: List[Task], absent: List[Task]) -> None:
    for subject in chosen:
        mine = [task.run for task in tasks if task.figure == subject.name]
        print(f"{subject.name}: {len(subject.runs)} runs, {len(mine)} to make"
              + (f", {duration(sum(run.seconds for run in mine))} on one core" if mine else ""), file=sys.stderr)
    for task in absent:
        print(f"{task.figure} {task.run.name}: {task.run.command[0]} is not built; the page stays as it is",
              file=sys.stderr)
    if tasks and not options.draw_only:
        print(f"{len(tasks)} runs, about {duration(wall_seconds(tasks, options.jobs))} on {options.jobs} idle core(s)",
              file=sys.stderr)


def _draw(options: Options, store: RunStore, figures: List[Figure], interrupt: Interrupt) -> List[page.Entry]:
    """Draws what there are enough runs for, and compares it; the page always shows all figures."""
    entries = []
    for figure in figures:
        interrupt.check()
        finished = [run for run in figure.runs if store.record(figure.name, run) is not None]
        rows, notes = None, ""
        if figure.is_enough({run.name for run in finished}):
            data = {run.name: figure.condense(store.data(figure.name, run)) for run in finished}
            figure.draw(data, options.page / "figures" / f"{figure.name}.png")
            rows, notes = figure.compare(data), figure.notes(data)
            if figure.keeps_runs:
                store.keep_beside_picture(figure.name, finished, data)
        entries.append(page.Entry(figure, finished, rows, notes))
    return entries


def _judge(store: RunStore, chosen: List[Subject], entries: List[page.Entry], failures: List[Failure]) -> int:
    outside = [f"{entry.figure.name}: {row.quantity}: {row.ours:.6g}, paper {row.paper:.6g} (± {row.tolerance:.3g})"
               for entry in entries for row in (entry.rows or []) if not row.passed]
    if CLAIMS in chosen and store.record(CLAIMS.name, CLAIMS.runs[0]) is not None:
        outside += [f"claims: {row['id']}: {row['value']:.6g}, expected {row['expected']:.6g}"
                    for row in store.data(CLAIMS.name, CLAIMS.runs[0]) if not row["pass"]]
    absent = [f"{entry.figure.name}: {entry.missing} of {len(entry.figure.runs)} runs" for entry in entries
              if entry.missing]
    for title, lines in (("failed runs", [str(failure) for failure in failures]), ("outside their tolerance", outside), ("not run", absent)):
        if lines:
            print(f"{title}:\n" + "\n".join(f"  {line}" for line in lines), file=sys.stderr)
    return 1 if failures or outside else 0


if __name__ == "__main__":
    sys.exit(main())
