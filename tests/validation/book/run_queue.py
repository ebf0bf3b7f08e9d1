"""Makes the runs that are missing, some at once, and says how long it will take.

An interrupt ends the programs that are running and keeps what is finished. A program that fails, or takes many times
what it should, is listed; the others go on.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Dict, Iterable, List, Set, Tuple

from book.figure import Run
from book.interrupt import Interrupt
from book.run_store import RunStore

_PATIENCE = 60.0  # a run that takes so many times its estimate hangs
_SHORTEST_LIMIT_S = 900.0  # however short the estimate is
_GLANCE_S = 0.1  # how often an interrupt is looked for
_GRACE_S = 10.0  # that an interrupted program has to end by itself


@dataclass(frozen=True)
class Task:
    figure: str  # or table
    run: Run


def wall_seconds(tasks: Iterable[Task], jobs: int) -> float:
    """How long they take when `jobs` are made at once, but those that are made alone."""
    return sum(task.run.seconds / (1 if task.run.alone else jobs) for task in tasks)


@dataclass(frozen=True)
class Failure:
    task: Task
    message: str

    def __str__(self) -> str:
        return f"{self.task.figure} {self.task.run.name} ({' '.join(self.task.run.command)}): {self.message}"


def duration(seconds: float) -> str:
    """As one says it."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"


class RunQueue:
    def __init__(self, store: RunStore, jobs: int, interrupt: Interrupt) -> None:
        self._store = store
        self._jobs = jobs
        self._interrupt = interrupt
        self._running: Set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def make(self, tasks: List[Task]) -> List[Failure]:
        """In the order given, so that an interrupted book has whole figures. Raises KeyboardInterrupt after everything
        has ended."""
        progress = _Progress(tasks, self._jobs)
        failures: List[Failure] = []
        pending: Dict[Future[Tuple[float, str]], Task] = {}
        todo = iter(tasks)
        with ThreadPoolExecutor(self._jobs) as pool:
            try:
                for task in todo:
                    while pending and task.run.alone:
                        self._take(pending, failures, progress)
                    pending[pool.submit(self._make_one, task)] = task
                    if len(pending) >= (1 if task.run.alone else self._jobs):
                        self._take(pending, failures, progress)
                while pending:
                    self._take(pending, failures, progress)
            except KeyboardInterrupt:
                self._stop(pending)
                raise
            finally:
                progress.close()
        return failures

    def _take(self, pending: Dict[Future[Tuple[float, str]], Task], failures: List[Failure],
              progress: _Progress) -> None:
        done: Set[Future[Tuple[float, str]]] = set()
        while not done:
            self._interrupt.check()
            done, _ = wait(pending, _GLANCE_S, FIRST_COMPLETED)
        for future in done:
            task = pending.pop(future)
            seconds, message = future.result()
            if message:
                failures.append(Failure(task, message))
                progress.say(f"failed: {failures[-1]}")
            progress.add(task, seconds)

    def _make_one(self, task: Task) -> Tuple[float, str]:
        """(seconds, what went wrong or nothing)."""
        run = task.run
        part = self._store.part_path(task.figure, run)
        part.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        program = str(self._store.program(run))
        command = [*([sys.executable, "-B"] if program.endswith(".py") else []), program, *run.command[1:],
                   *([run.option, str(part)] if run.option else [])]
        digest = self._store.digest(run)  # of the program before it runs, not of one that is built meanwhile
        begin = time.monotonic()
        try:
            code, printed, errors = self._call(command, max(_SHORTEST_LIMIT_S, _PATIENCE * run.seconds))
        except (OSError, subprocess.TimeoutExpired) as error:
            return time.monotonic() - begin, str(error)
        seconds = time.monotonic() - begin
        if code not in run.codes:
            last = errors.strip().splitlines()[-1:] or ["no message"]
            return seconds, f"exit code {code}: {last[0]}"
        if not run.option:
            part.write_text(json.dumps(printed), encoding="utf-8")
        try:
            self._store.keep(task.figure, run, seconds, digest)
        except ValueError as error:
            return seconds, str(error)
        return seconds, ""

    def _call(self, command: List[str], limit_s: float) -> Tuple[int, str, str]:
        """(exit code, what it printed, what it said went wrong)."""
        with self._lock:
            if self._stopped:
                return -1, "", "interrupted"
            # A session of its own: an interrupt of the terminal reaches the book, and the book ends its programs.
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True, start_new_session=True)
            self._running.add(process)
        try:
            printed, errors = process.communicate(timeout=limit_s)
            return process.returncode, printed, errors
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()
            with self._lock:
                self._running.discard(process)

    def _stop(self, pending: Iterable[Future[Tuple[float, str]]]) -> None:
        with self._lock:
            self._stopped = True
            for process in self._running:
                process.terminate()
        wait(pending, _GRACE_S)
        with self._lock:
            for process in self._running:
                with contextlib.suppress(ProcessLookupError):  # it has ended since
                    os.killpg(process.pid, signal.SIGKILL)


class _Progress:
    """One line that is written over on a terminal, and now and then a line elsewhere."""

    _PERIOD_S = 30.0

    def __init__(self, tasks: List[Task], jobs: int) -> None:
        self._count = len(tasks)
        self._jobs = jobs
        self._left_s = wall_seconds(tasks, jobs)
        self._done = 0
        self._estimated_s = self._measured_s = 0.0
        self._terminal = sys.stderr.isatty()
        self._said = time.monotonic()

    def add(self, task: Task, seconds: float) -> None:
        self._done += 1
        self._left_s -= wall_seconds([task], self._jobs)
        self._estimated_s += task.run.seconds
        self._measured_s += seconds
        # The machine is slower or faster than the one the estimates come from, by as much as the runs so far show.
        pace = (self._measured_s + 1.0) / (self._estimated_s + 1.0)
        line = (f"{self._done}/{self._count} runs, about {duration(self._left_s * pace)} left; "
                f"{task.figure} {task.run.name}")
        if self._terminal:
            sys.stderr.write(f"\r\033[K{line[:110]}")
            sys.stderr.flush()
        elif time.monotonic() - self._said >= self._PERIOD_S or self._done == self._count:
            self.say(line)

    def say(self, text: str) -> None:
        sys.stderr.write(("\r\033[K" if self._terminal else "") + text + "\n")
        sys.stderr.flush()
        self._said = time.monotonic()

    def close(self) -> None:
        if self._terminal and self._done:
            sys.stderr.write("\n")
