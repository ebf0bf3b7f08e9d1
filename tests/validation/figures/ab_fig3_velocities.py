"""[AB] §6.1, Fig. 3: velocity and spin over time, against the exact solution."""

import numpy as np
from book.drawing import COLORS, PAPER_COLOR, canvas, save
from book.figure import Row, Run, numbers

TITLE = "Sphere on a plane: velocities over time"
SOURCE = "AB §6.1, Fig. 3 (a), (b), (c)"
TEXT = """
R 0.5 m, U₀ 2.5 m/s, μ_r 0.04 m, g 9.81 m/s², h 1 ms: (a) Ω₀ 5 rad/s, μ 0.2, rolls to rest; (b) Ω₀ 2.5, μ 0.2, slips and
then rolls; (c) Ω₀ 5, μ 0.05, the spin ends before the sphere stops. Exact: while it slips, U' = −μ g sgn(s) and
Ω' = (5/(2R²))(R μ g sgn(s) − μ_r g sgn Ω) with s = U − RΩ; while it rolls, U' = −(5/7) μ_r g/R.
"""

RADIUS, SPEED, GRAVITY, ROLLING, STEP = 0.5, 2.5, 9.81, 0.04, 1e-3
# (Ω₀, μ, stop time, distance), the last two exact.
CASES = {"a": (5.0, 0.2, 4.459734964, 5.574668705), "b": (2.5, 0.2, 3.822629969, 4.141182467),
         "c": (5.0, 0.05, 5.096839959, 6.371049949)}


def runs():
    for name, (spin, mu, _, _) in CASES.items():
        yield Run(name, numbers("talus_figures", "sphere_on_plane", spin_rad_s=spin, sliding=mu, rolling_m=ROLLING,
                                time_step_s=STEP, record_every=5), 0.05)


def _exact(name):
    """The corners of the exact solution, straight between them: times, U, R Ω."""
    spin, mu, stop, _ = CASES[name]
    surface = RADIUS * spin
    if name == "a":
        return np.array([0.0, stop]), np.array([SPEED, 0.0]), np.array([surface, 0.0])
    if name == "b":
        turning = 2.5 / RADIUS * (RADIUS * mu * GRAVITY - ROLLING * GRAVITY)
        grip = (SPEED - surface) / (turning + mu * GRAVITY)
        rolling = SPEED - mu * GRAVITY * grip
        return np.array([0.0, grip, stop]), np.array([SPEED, rolling, 0.0]), np.array([surface, rolling, 0.0])
    braking = 2.5 / RADIUS * (ROLLING * GRAVITY - RADIUS * mu * GRAVITY)
    spun = surface / braking
    return (np.array([0.0, spun, stop]), np.array([SPEED, SPEED - mu * GRAVITY * spun, 0.0]),
            np.array([surface, 0.0, 0.0]))


def draw(data, path):
    figure, all_axes = canvas(1, 3, width=12.0, height=3.8, sharey=True)
    for axes, name in zip(all_axes, CASES):
        columns = data[name]["columns"]
        time = np.array(columns["time_s"])
        axes.plot(time, columns["speed_m_s"], color=COLORS[0], lw=2.4, label="U")
        axes.plot(time, RADIUS * np.array(columns["spin_rad_s"]), color=COLORS[1], lw=2.4, label="RΩ")
        corners, speed, surface = _exact(name)
        axes.plot(corners, speed, color=PAPER_COLOR, lw=1.0, ls="--", label="exact")
        axes.plot(corners, surface, color=PAPER_COLOR, lw=1.0, ls="--")
        spin, mu, _, _ = CASES[name]
        axes.set(title=f"({name})  Ω₀ = {spin:g} rad/s, μ = {mu:g}", xlabel="t  (s)")
        axes.legend()
    all_axes[0].set_ylabel("velocity  (m/s)")
    save(figure, path)


def compare(data):
    for name, (_, mu, stop, distance) in CASES.items():
        columns = data[name]["columns"]
        time = np.array(columns["time_s"])
        corners, speed, surface = _exact(name)
        # A change of motion within a step is made at the step's end: by then the old accelerations have acted for
        # up to h more, sliding friction on the centre, both frictions on the spin.
        late = STEP * mu * GRAVITY
        late_spin = STEP * 2.5 * (mu * GRAVITY + ROLLING * GRAVITY / RADIUS)
        yield Row(f"({name}) largest error of U", 0.0,
                  float(np.abs(columns["speed_m_s"] - np.interp(time, corners, speed)).max()), late, "m/s",
                  "one step of sliding friction, h μ g")
        yield Row(f"({name}) largest error of RΩ", 0.0,
                  float(np.abs(RADIUS * np.array(columns["spin_rad_s"]) - np.interp(time, corners, surface)).max()),
                  late_spin, "m/s", "one step of both, (5/2) h (μ g + μ_r g/R)")
        yield Row(f"({name}) stop time", stop, data[name]["values"]["stop_time_s"], 0.01 * stop, "s", "1 %")
        yield Row(f"({name}) distance", distance, data[name]["values"]["distance_m"], 0.01 * distance, "m", "1 %")
