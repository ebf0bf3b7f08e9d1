"""How long the whole book takes: what its sections say they took, and estimates where they do not."""

from __future__ import annotations

import re
from typing import Iterable, Sequence, Tuple

from book.figure import Run
from book.run_queue import duration

_TOOK = re.compile(r"\b[Tt]ook (\d+) s\b")


def took(seconds: float) -> str:
    """As a section says it, and `say` reads it."""
    return f"Took {seconds:.0f} s"


def say(sections: Iterable[Tuple[Sequence[Run], str]]) -> str:
    """A sentence, from the runs and the text of each section."""
    measured = estimated = 0.0
    for runs, text in sections:
        found = _TOOK.search(text)
        if found:
            measured += float(found.group(1))
        else:
            estimated += sum(run.seconds for run in runs)
    rest = f", {duration(measured)} of it measured and the rest estimated" if estimated else ", as measured"
    return f"The whole book takes {duration(measured + estimated)} on one core{rest}."
