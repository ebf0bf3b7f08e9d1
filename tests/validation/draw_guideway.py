"""Draws the drag of the linear guideway over the rolling friction of its balls: [TA] Fig. 8.

    talus_validation --guideway guideway.csv
    /usr/bin/python3 tests/validation/draw_guideway.py guideway.csv docs/figures/ta-fig8.png
"""

import argparse
import csv
import math

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (the backend comes first)

LOAD_N = 490.0
SEAL_N = 5.3
BALL_RADIUS_M = 3.2e-3
MAKERS_ZETA = 0.005


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="CSV that talus_validation --guideway wrote")
    parser.add_argument("figure", help="PNG to write")
    arguments = parser.parse_args()
    with open(arguments.data, encoding="utf-8", newline="") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    draw(rows, arguments.figure)


def draw(rows: list, path: str) -> None:
    rho_mm = [1e3 * BALL_RADIUS_M * row["zeta"] for row in rows]
    figure, axes = pyplot.subplots(figsize=(7.0, 4.4), dpi=110)
    for seal, dash in ((0.0, "--"), (SEAL_N, "-")):
        law = [math.sqrt(2.0) * row["zeta"] * LOAD_N + seal for row in rows]
        axes.plot(rho_mm, law, dash, color="0.6", label=f"√2 ζ F_y + S, S = {seal:g} N")
    for column, marker, color, label in (
        ("ncp_n", "o", "tab:blue", "NCP, no seal"),
        ("ncp_seal_n", "s", "tab:blue", "NCP, seal"),
        ("ccp_n", "^", "tab:red", "CCP, no seal, preloaded, h = 0.01 s"),
        ("ccp_seal_n", "v", "tab:red", "CCP, seal, preloaded, h = 0.01 s"),
    ):
        axes.plot(rho_mm, [row[column] for row in rows], marker, color=color, markersize=5, label=label)
    for rho, name in ((MAKERS_ZETA, "ζ R"), (MAKERS_ZETA / math.sqrt(2.0), "ζ R/√2")):
        axes.axvline(1e3 * BALL_RADIUS_M * rho, color="0.8", linewidth=0.8, zorder=0)
        axes.text(1e3 * BALL_RADIUS_M * rho, 0.2, " " + name, fontsize=8, color="0.4")
    axes.set_xlabel("rolling friction ρ, mm")
    axes.set_ylabel("force to move the block, N")
    axes.set_ylim(bottom=0.0)
    axes.legend(fontsize=8, loc="upper left")
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)


if __name__ == "__main__":
    main()
