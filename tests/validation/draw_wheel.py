"""Draws figures 4 and 5 of [RB]: the wheel's friction force and its misalignment, by law.

    talus_validation --wheel-curves curves.csv
    /usr/bin/python3 tests/validation/draw_wheel.py curves.csv docs/figures
"""

import csv
import pathlib
import sys
from typing import Dict, List

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

# Law in the file, label, colour.
LAWS = (
    ("box", "box", "tab:orange"),
    ("polygonal", "polygonal, 4 facets", "tab:green"),
    ("bristle", "bristles", "tab:blue"),
    ("ncp", "NCP", "tab:red"),
)
SLIP_END_S = 2.1

Rows = Dict[str, List[Dict[str, str]]]


def read(path: str) -> Rows:
    rows: Rows = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            rows.setdefault(row["law"], []).append(row)
    return rows


def column(rows: List[Dict[str, str]], name: str) -> List[float]:
    return [float(row[name] or "nan") for row in rows]


def draw_forces(rows: Rows, folder: pathlib.Path) -> None:
    figure, grid = plt.subplots(2, 2, figsize=(8.4, 4.8), sharex=True, sharey=True)
    reference = rows["reference"]
    for axes, (law, label, color) in zip(grid.flat, LAWS):
        for name, style in (("force_x_n", "-"), ("force_y_n", "--")):
            axes.plot(column(reference, "time_s"), column(reference, name), style, color="0.6", linewidth=2.2)
            axes.plot(column(rows[law], "time_s"), column(rows[law], name), style, color=color, linewidth=0.9)
        axes.set_title(label, fontsize=10)
        axes.grid(alpha=0.3)
    for axes in grid[1]:
        axes.set_xlabel("t, s")
    for axes in grid[:, 0]:
        axes.set_ylabel("friction force, N")
    figure.suptitle("along x (full) and y (dashed); grey: NCP at 0.1 ms", fontsize=10)
    save(figure, folder / "rb-fig4.png")


def draw_misalignments(rows: Rows, folder: pathlib.Path) -> None:
    figure, axes = plt.subplots(figsize=(9.0, 3.6))
    for law, label, color in LAWS:
        axes.plot(column(rows[law], "time_s"), column(rows[law], "misalignment_deg"), color=color, linewidth=1.0,
                  label=label)
    axes.set_xlim(0.0, SLIP_END_S)
    axes.set_xlabel("t, s")
    axes.set_ylabel("angle of friction to −slip, °")
    axes.legend(fontsize=9, ncol=4, loc="upper center")
    axes.set_ylim(-1.0, 52.0)
    axes.grid(alpha=0.3)
    save(figure, folder / "rb-fig5.png")


def save(figure: plt.Figure, path: pathlib.Path) -> None:
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    rows = read(sys.argv[1])
    folder = pathlib.Path(sys.argv[2])
    draw_forces(rows, folder)
    draw_misalignments(rows, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
