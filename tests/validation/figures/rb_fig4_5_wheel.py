"""[RB] table 1: a wheel that slips and then rolls, under friction laws with flat sides and under Coulomb's."""

import numpy as np
from book.drawing import COLORS, canvas, save
from book.figure import Row, Run, numbers

TITLE = "The wheel: friction force and misalignment by law"
SOURCE = "RB table 1, Figs. 4 and 5"
TEXT = """
R 0.5 m, m 1 kg, J 0.6 and 0.3 kg m², μ 0.3, bristles of 10¹⁰ N/m with v_th 0.01 m/s, tilt 20°, 6 m/s, −2 rad/s about the
vertical; h 1 ms, the reference NCP at 0.1 ms. Chosen where the paper is silent: 4.5 s, 4 facets, which way the wheel
leans, no gap term ([decision 15](decisions/0015-lcp-laws.md)). NRMSD: root mean square of the difference of the force's
size from the reference, relative to the range of sizes in the reference, over the first 2.3 s, shaded in the picture. The
paper gives neither the length nor what its error is relative to: **both were fitted**, such that polygon and box come near
their print, and two fitted choices for two numbers prove little. The notes have every other measure. The force of a step
is its impulse over 1 ms, a mean, and so it is compared with the mean of the reference over that millisecond. Misalignment:
angle between friction and −u_T, root mean square over the steps that slip faster than v_th. The printed misalignments of
polygon and box come out exchanged.
"""

STEP, FINE_STEP, SECONDS = 1e-3, 1e-4, 4.5
# Name: (number of the law, label, colour).
LAWS = {"box": (3, "box", COLORS[4]), "polygonal": (2, "polygonal, 4 facets", COLORS[2]),
        "bristle": (1, "bristles", COLORS[0]), "ncp": (0, "NCP", COLORS[1])}
SLIP_SHOWN_S = 2.1
COMPARED_S = 2.3
PRINTED = {"bristle": 1.67, "polygonal": 3.76, "box": 9.70}
BANDS = {"polygonal": (3.4, 4.5), "box": (9.5, 10.3)}  # that are accepted, as the print gives no measure
OTHER_LENGTHS_S = np.arange(2.0, SECONDS + 0.005, 0.01)  # that the print may be of


def runs():
    yield Run("reference", numbers("talus_figures", "wheel", law=0, time_step_s=FINE_STEP, seconds=SECONDS), 1.0)
    for name, (law, _, _) in LAWS.items():
        yield Run(name, numbers("talus_figures", "wheel", law=law, time_step_s=STEP, seconds=SECONDS), 0.2)


def _vectors(run, quantity, unit):
    columns = run["columns"]
    return np.array([columns[f"{quantity}_x_{unit}"], columns[f"{quantity}_y_{unit}"]])


def _forces(run):
    return _vectors(run, "force", "n")


def _times(data):
    """Of the steps: those of one time stand in one place in every run of 1 ms."""
    return np.array(data["ncp"]["columns"]["time_s"])


def _reference(data, at_end=False):
    """The reference's force in each step of 1 ms: its mean over the step, or what it is at the step's end."""
    fine = _forces(data["reference"]).reshape(2, -1, round(STEP / FINE_STEP))
    return fine[:, :, -1] if at_end else fine.mean(axis=2)


def _error(data, name, length_s=COMPARED_S, relative="range", at_end=False, vector=False):
    """%: of the force's size, or of the force as a vector."""
    compared = _times(data) < length_s + 0.5 * STEP
    right, ours = _reference(data, at_end)[:, compared], _forces(data[name])[:, compared]
    sizes = np.hypot(*right)
    off = np.hypot(*(ours - right)) if vector else np.hypot(*ours) - sizes
    return 100.0 * float(np.sqrt(np.mean(off**2)) / (np.ptp(sizes) if relative == "range" else sizes.max()))


def _slip_end_s(data):
    return float(data["reference"]["columns"]["time_s"][int(np.argmin(_slips(data["reference"])))])


def _measures(data, at_end, vector):
    """(length, what it is called, relative to) of each, at one reference and one kind of difference."""
    lengths = ((_slip_end_s(data), "the slip alone"), (COMPARED_S, ""), (SECONDS, "the whole run"))
    for length, called in lengths:
        for relative in ("range", "maximum"):
            yield {"length_s": length, "relative": relative, "at_end": at_end, "vector": vector}, called


def _nearest(data, measure):
    return min(LAWS, key=lambda name: _error(data, name, **measure))


def _measures_and_best(data, at_end, vector):
    """How many measures there are, and in how many NCP is the nearest."""
    measures = [measure for measure, _ in _measures(data, at_end, vector)]
    return len(measures), sum(_nearest(data, measure) == "ncp" for measure in measures)


def _in_bands(data, **measure):
    return all(low <= _error(data, name, **measure) <= high for name, (low, high) in BANDS.items())


def _slips(run):
    return np.hypot(*_vectors(run, "slip", "m_s")) > run["values"]["slip_threshold_m_s"]


def _angles(run):
    """Degrees; nan where nothing slips: there is no direction."""
    (force_x, force_y), (slip_x, slip_y) = _forces(run), -_vectors(run, "slip", "m_s")
    angles = np.degrees(np.arctan2(np.abs(slip_x * force_y - slip_y * force_x), slip_x * force_x + slip_y * force_y))
    return np.where(_slips(run), angles, np.nan)


def _misalignment(data, name):
    return float(np.sqrt(np.nanmean(_angles(data[name])**2)))


def draw(data, path):
    figure, grid = canvas(3, 2, width=10.0, height=8.0)
    time, reference = _times(data), _reference(data)
    largest = 1.05 * float(np.abs(reference).max())
    for axes, (name, (_, label, color)) in zip(grid.flat, LAWS.items()):
        axes.axvspan(0.0, COMPARED_S, color="#f2f2f2", zorder=0)
        for right, ours, style in zip(reference, _forces(data[name]), ("-", "--")):
            axes.plot(time, right, style, color="#bbbbbb", lw=3.0)
            axes.plot(time, ours, style, color=color, lw=1.0)
        axes.set(title=f"{label}: {_error(data, name):.2f} % over {COMPARED_S:g} s, {_error(data, name, SECONDS):.2f} % over "
                       f"{SECONDS:g} s", xlabel="t  (s)", ylabel="friction  (N)", xlim=(0.0, SECONDS), ylim=(-largest, largest))
    for axes in grid[2]:
        axes.remove()
    axes = figure.add_subplot(grid[2, 0].get_gridspec()[2, :])
    for name, (_, label, color) in LAWS.items():
        axes.plot(data[name]["columns"]["time_s"], _angles(data[name]), color=color, lw=1.2,
                  label=f"{label}: {_misalignment(data, name):.2f}°")
    axes.set(title="Angle of friction to −u_T while the wheel slips", xlabel="t  (s)", ylabel="angle  (°)",
             xlim=(0.0, SLIP_SHOWN_S), ylim=(-2.0, 60.0))
    axes.legend(ncol=4, loc="upper center")
    figure.suptitle(f"Friction force along x (full) and y (dashed) and its NRMSD relative to the range; grey: NCP at 0.1 ms; "
                    f"shaded: {COMPARED_S:g} s", fontsize=10)
    save(figure, path)


def compare(data):
    yield Row("slip ends, s (an independent prototype's value)", 2.006, _slip_end_s(data), 0.01, "s",
              "slip falls from v_th to nothing within 5 ms")
    for name, (low, high) in BANDS.items():
        printed = PRINTED[name]
        for bound, tolerance, relation in (("most", high - printed, "<="), ("least", printed - low, ">=")):
            yield Row(f"NRMSD of the force over the first {COMPARED_S:g} s, {name}, at {bound}", printed, _error(data, name),
                      tolerance, "%", f"{low:g} to {high:g} % is accepted; length and norm are fitted, see the notes", relation)
    yield Row(f"NRMSD of the force over the first {COMPARED_S:g} s, bristles", PRINTED["bristle"], _error(data, "bristle"),
              0.0, "%", "not worse than printed", "<=")
    for vector, kind in ((False, "size"), (True, "vector")):
        yield Row(f"measures of the notes, beside the reference's mean, in which NCP is the nearest: {kind} of the force",
                  *_measures_and_best(data, at_end=False, vector=vector), 0.0, "-", "the exact law is nearer than all three")
        count, best = _measures_and_best(data, at_end=True, vector=vector)
        yield Row(f"the same beside what the reference is at the step's end: {kind}", 1, best, 0.0, "-",
                  f"of {count}: one step, in which the slip ends, decides the others; see the notes", ">=")
    exchanged = "printed to 0.1°, and a gap term in the normal row moves it by 0.1°; exchanged with the other"
    yield Row("misalignment, polygonal (printed as the box's)", 12.6, _misalignment(data, "polygonal"), 0.2, "°", exchanged)
    yield Row("misalignment, box (printed as the polygon's)", 14.0, _misalignment(data, "box"), 0.2, "°", exchanged)
    yield Row("misalignment, bristles", 0.7, _misalignment(data, "bristle"), 0.0, "°", "not worse than printed", "<=")
    yield Row("misalignment, NCP", 0.0, _misalignment(data, "ncp"), 1e-6, "°",
              "the solver's 10⁻¹¹ of impulses of 10⁻² N s, beside slip of v_th and more")


def notes(data):
    lengths = [length for length in OTHER_LENGTHS_S if _in_bands(data, length_s=length)]
    whole = _in_bands(data, length_s=SECONDS)
    before_end = np.hypot(*_forces(data["ncp"])) - np.hypot(*_reference(data, at_end=True))
    worst = int(np.argmax(np.abs(before_end)))
    sizes = np.hypot(*_reference(data))
    lines = [f"Every measure of the error, %. Relative to the range, polygon and box are both within what is accepted for runs of "
             f"{min(lengths):.2f} to {max(lengths):.2f} s (of those that end from {OTHER_LENGTHS_S[0]:g} to {SECONDS:g} s), and over "
             f"the whole run they are {'too' if whole else 'not'}. The row in bold is that of the table and of the picture.\n",
             "| what is compared | reference | over | relative to | bristles | polygonal | box | NCP | nearest | polygon and box as "
             "accepted |\n|---|---|---|---|---|---|---|---|---|---|",
             "| printed | ? | ? | ? | " + " | ".join(f"{value:.2f}" for value in PRINTED.values()) + " | | | |"]
    for vector in (False, True):
        for at_end in (False, True):
            for measure, called in _measures(data, at_end, vector):
                errors = [f"{_error(data, name, **measure):.3g}" for name in (*PRINTED, "ncp")]
                ours = measure == {"length_s": COMPARED_S, "relative": "range", "at_end": False, "vector": False}
                cells = ["vector" if vector else "size", "at the step's end" if at_end else "mean of the step",
                         f"{measure['length_s']:.3g} s" + (f", {called}" if called else ""), measure["relative"], *errors,
                         LAWS[_nearest(data, measure)][1], "yes" if _in_bands(data, **measure) else "no"]
                lines.append("| " + " | ".join(f"**{cell}**" if ours else cell for cell in cells) + " |")
    lines.append(f"\nBeside the reference at the step's end NCP is off by {100 * abs(before_end[worst]) / np.ptp(sizes):.0f} % of "
                 f"the range in one step, at {_times(data)[worst]:.3f} s, in which the slip ends: its impulse is part slip and part "
                 "rolling, and the reference rolls already. Where bristles are the nearest, it is by that step.")
    return "\n".join(lines)
