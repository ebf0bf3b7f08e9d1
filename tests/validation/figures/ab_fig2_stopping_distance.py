"""[AB] §6.1, Fig. 2: how far a sphere comes, over sliding and rolling friction."""

import numpy as np
from book.drawing import canvas, save
from book.figure import Row, Run, numbers
from matplotlib import colors as matplotlib_colors

TITLE = "Sphere on a plane: stopping distance over μ and μ_r"
SOURCE = "AB §6.1, Fig. 2"
TEXT = """
R 0.5 m, U₀ 2.5 m/s, Ω₀ = U₀/R (the sphere begins rolling, as in Fig. 3 (a) and (c)), g 9.81 m/s², h 1 ms; 20 × 20
values of μ ∈ [0.02, 0.4] and μ_r ∈ [0.01, 0.2] m. In closed form X_max = U₀²/(2 g min(μ, 5μ_r/(7R))): below the ridge
μ = 5μ_r/(7R) the sphere rolls to the end with (5/7) μ_r g/R; above it the spin ends first, since friction cannot drive
it against the rolling torque, and the centre brakes with μ g all the way. The form holds for this Ω₀ only: with another
the sphere first slides. Errors are relative to each value.
"""

RADIUS, SPEED, GRAVITY, STEP = 0.5, 2.5, 9.81, 1e-3
SLIDING = [round(0.02 * k, 2) for k in range(1, 21)]
ROLLING = [round(0.01 * k, 2) for k in range(1, 21)]


def _name(mu, rho):
    return f"mu{mu:.2f}-rho{rho:.2f}"


def _deceleration(mu, rho):
    return GRAVITY * min(mu, 5.0 * rho / (7.0 * RADIUS))


def runs():
    for mu in SLIDING:
        for rho in ROLLING:
            yield Run(_name(mu, rho), numbers("talus_figures", "sphere_on_plane", spin_rad_s=SPEED / RADIUS, sliding=mu,
                                              rolling_m=rho, time_step_s=STEP), 0.04)


def _surfaces(data):
    """(ours, closed form), rows over μ."""
    ours = np.array([[data[_name(mu, rho)]["values"]["distance_m"] for rho in ROLLING] for mu in SLIDING])
    closed = np.array([[SPEED**2 / (2.0 * _deceleration(mu, rho)) for rho in ROLLING] for mu in SLIDING])
    return ours, closed


def draw(data, path):
    ours, closed = _surfaces(data)
    figure, (left, right, surface) = canvas(1, 3, width=14.0, height=4.4)
    mesh = left.pcolormesh(ROLLING, SLIDING, ours, norm=matplotlib_colors.LogNorm(), cmap="viridis", shading="nearest")
    ticks = [1, 2, 3, 5, 10, 15]
    bar = figure.colorbar(mesh, ax=left, label="X_max  (m)", ticks=ticks)
    bar.ax.set_yticklabels([str(tick) for tick in ticks])
    bar.ax.minorticks_off()
    # The closed form's own lines: each turns at the ridge.
    for distance in ticks[1:]:
        mu = SPEED**2 / (2.0 * GRAVITY * distance)
        rho = 7.0 * RADIUS * mu / 5.0
        left.plot([rho, rho, ROLLING[-1]], [SLIDING[-1], mu, mu], color="white", lw=0.8)
    ridge = np.array([ROLLING[0], ROLLING[-1]])
    left.plot(ridge, 5.0 * ridge / (7.0 * RADIUS), color="#d55e00", ls="--", lw=1.2, label="ridge μ = 5 μ_r / (7 R)")
    left.legend(loc="upper right", labelcolor="white")
    left.set(title="Stopping distance (lines: closed form)", xlabel="μ_r  (m)", ylabel="μ")
    mesh = right.pcolormesh(ROLLING, SLIDING, 100.0 * np.abs(ours - closed) / closed, cmap="magma", shading="nearest")
    figure.colorbar(mesh, ax=right, label="|error|  (%)")
    right.set(title="Relative error", xlabel="μ_r  (m)", ylabel="μ")
    for axes in (left, right):
        axes.grid(False)
    _draw_surface(figure, surface, ours)
    save(figure, path)


def _draw_surface(figure, place, ours):
    """As the paper draws it; the distance on a scale of decades, as on the map."""
    place.axis("off")
    axes = figure.add_axes((0.75, 0.02, 0.25, 0.86), projection="3d")
    rho, mu = np.meshgrid(ROLLING, SLIDING)
    axes.plot_surface(rho, mu, np.log10(ours), cmap="viridis", edgecolor="#ffffff", linewidth=0.2)
    heights = [1, 3, 10]
    place.set_title("The same as a surface: X_max in m")
    axes.set(xlabel="μ_r  (m)", ylabel="μ", xticks=[0.05, 0.1, 0.15, 0.2],
             yticks=[0.1, 0.2, 0.3, 0.4], zticks=np.log10(heights))
    axes.patch.set_alpha(0.0)
    axes.set_zticklabels([str(height) for height in heights])
    axes.view_init(elev=24, azim=42)
    axes.xaxis.labelpad = axes.yaxis.labelpad = 8.0  # beside the numbers, not upon them
    axes.set_box_aspect(None, zoom=0.88)


def compare(data):
    ours, closed = _surfaces(data)
    error = (ours - closed) / closed
    worst = np.unravel_index(np.abs(error).argmax(), error.shape)
    yield Row(f"largest relative error of {error.size} values (at μ = {SLIDING[worst[0]]}, μ_r = {ROLLING[worst[1]]} m)",
              0.0, float(np.abs(error).max()), 0.01, "-", "1 % of each value")
    # Positions advance with v⁺: short by h U₀/2 and, in the step of the stop, by less than a h²/8 of that.
    first_order = ours - (closed - 0.5 * STEP * SPEED)
    largest = max(_deceleration(mu, rho) for mu in SLIDING for rho in ROLLING)
    yield Row("largest error beside the scheme's h U₀/2", 0.0, float(np.abs(first_order).max()),
              largest * STEP**2 / 8.0 + 1e-9, "m", "the step of the stop: a h²/8")
    yield Row("spheres that stopped", 400.0, sum(run["values"]["stopped"] for run in data.values()), 0.0, "-", "all")
