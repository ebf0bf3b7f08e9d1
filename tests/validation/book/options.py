"""What book.sh can be told."""

from __future__ import annotations

import argparse
import os
import pathlib
import re
from dataclasses import dataclass
from typing import Optional, Pattern, Sequence

ROOT = pathlib.Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Options:
    only: Optional[Pattern[str]]
    jobs: int
    out: pathlib.Path
    page: pathlib.Path
    build: pathlib.Path
    figures: pathlib.Path
    tables: pathlib.Path
    renew: bool
    draw_only: bool
    list_only: bool


def parse(arguments: Optional[Sequence[str]] = None) -> Options:
    """Ends the program with 2 and a reason when the arguments are wrong."""
    parser = argparse.ArgumentParser(
        prog="tests/validation/book.sh", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Makes every run of the validation book that is not there yet, draws every figure and writes "
                    "docs/VALIDATION.md and\nthe pages of tables in docs/validation.",
        epilog="A second call makes only the runs that are missing; Ctrl-C keeps those that are finished. The exit "
               "code is 1 when a\nrun failed or a row lies outside its tolerance, 130 when interrupted.\n\n"
               "book.sh itself also takes --no-build: do not install or build anything first.")
    parser.add_argument("--only", metavar="REGEX", type=_pattern,
                        help="only figures and tables whose name matches (the claims are named 'claims'); the pages then go "
                             "to the folder of --out unless --page says otherwise")
    parser.add_argument("--jobs", metavar="N", type=_count, default=os.cpu_count() or 1,
                        help="runs at once, one core each (default: all cores)")
    parser.add_argument("--out", metavar="DIR", type=pathlib.Path, help="where runs are kept (default: BUILD/book)")
    parser.add_argument("--page", metavar="DIR", type=pathlib.Path,
                        help="where VALIDATION.md, figures/ and validation/ go (default: docs)")
    parser.add_argument("--build", metavar="DIR", type=pathlib.Path, default=ROOT / "build/release",
                        help="the build folder (default: build/release)")
    parser.add_argument("--figures", metavar="DIR", type=pathlib.Path, default=ROOT / "tests/validation/figures",
                        help="the figures (default: tests/validation/figures)")
    parser.add_argument("--tables", metavar="DIR", type=pathlib.Path, default=ROOT / "tests/validation/tables",
                        help="the pages of tables (default: tests/validation/tables)")
    parser.add_argument("--renew", action="store_true", help="also repeat runs that another build of a program made")
    parser.add_argument("--draw-only", action="store_true", help="make no run; draw and write what is there")
    parser.add_argument("--list", action="store_true", help="say what there is and how long it takes, and stop")
    given = parser.parse_args(arguments)
    out = given.out or given.build / "book"
    page = given.page or (out if given.only else ROOT / "docs")
    return Options(given.only, given.jobs, out.resolve(), page.resolve(), given.build.resolve(),
                   given.figures.resolve(), given.tables.resolve(), given.renew, given.draw_only, given.list)


def _pattern(text: str) -> Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no regular expression: {error}") from None


def _count(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,3}", text):
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number from 1 to 9999")
    return int(text)
