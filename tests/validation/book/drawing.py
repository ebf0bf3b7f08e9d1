"""The look that all figures share, and how a picture is written: small enough to live in the repository."""

from __future__ import annotations

import io
import pathlib
from typing import Any

import matplotlib
import matplotlib.colors

matplotlib.use("Agg")

from matplotlib import pyplot as plt  # noqa: E402
from PIL import Image  # noqa: E402

LARGEST_BYTES = 150_000
INK = "#2b2b2b"
PAPER_COLOR = "#2b2b2b"  # closed forms, and what a paper says
# Distinct for all eyes, dark to light (after Okabe and Ito).
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")

_STYLE = {
    "font.size": 10.0, "axes.titlesize": 11.0, "axes.titlelocation": "left", "axes.edgecolor": "#555555",
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#e5e5e5",
    "xtick.color": "#555555", "ytick.color": "#555555", "legend.frameon": False, "legend.fontsize": 9.0,
    "figure.constrained_layout.use": True, "figure.dpi": 100.0, "lines.linewidth": 1.6,
}


def canvas(rows: int = 1, columns: int = 1, width: float = 10.0, height: float = 4.2, **keywords: Any) -> Any:
    """(figure, axes) as matplotlib's subplots, in the book's look; inches."""
    plt.rcParams.update(_STYLE)
    return plt.subplots(rows, columns, figsize=(width, height), **keywords)


def save(figure: Any, path: pathlib.Path) -> None:
    """Writes the picture with a palette; raises ValueError when it is too large even so."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    plt.close(figure)
    buffer.seek(0)
    image = _with_palette(Image.open(buffer).convert("RGB"))
    packed = io.BytesIO()
    image.save(packed, format="png", optimize=True)
    if packed.tell() > LARGEST_BYTES:
        raise ValueError(f"{path.name}: {packed.tell()} bytes, at most {LARGEST_BYTES}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed.getvalue())


def _with_palette(image: Image.Image) -> Image.Image:
    """256 colours, those of lines among them as they are: a curve has the colour of the others that it belongs to."""
    kept = [channel for color in (*COLORS, INK) for channel in matplotlib.colors.to_rgb(color)]
    kept = [round(255 * channel) for channel in kept]
    found = image.quantize(256 - len(kept) // 3).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette(kept + found[:768 - len(kept)])
    return image.quantize(palette=palette, dither=Image.Dither.NONE)
