"""[TA] §6.1: the rolling disk comes to rest. See tests/validation/rolling_disk_cases.cc for the first-order error."""

import numpy as np
from book.drawing import COLORS, PAPER_COLOR, canvas, save
from book.figure import Row, Run, numbers

TITLE = "Rolling disk: speed and position over time"
SOURCE = "TA §6.1, Figs. 2 and 3"
TEXT = """
R 1 m, M 10 kg, J 4 kg m², v₀ 1 m/s rolling, ρ 0.02 m, μ 0.9, g 9.8 m/s². In closed form v = v₀ − a t with
a = ρMgR/(J + MR²) = 0.14 m/s² until v₀/a = 7.142857 s and v₀²/(2a) = 3.571429 m, then rest. All under NCP, the largest
step under CCP too, the law of the paper: it lifts the disk by h·A_r, 2 mm at first, which shows as a longer lever.
"""

DECELERATION = 0.02 * 10.0 * 9.8 * 1.0 / (4.0 + 10.0)
SPEED = 1.0
STOP_S = SPEED / DECELERATION
DISTANCE = SPEED * SPEED / (2.0 * DECELERATION)
STEPS = (0.1, 0.01, 0.005, 0.001)
# CCP: the first step also lifts, v_n = ρ ω₀, and its normal impulse brakes by (a/g) v_n more. Then the lever is longer
# by the lift h ρ ω at most, and a = ρ M g R/(J + M R²) smaller by (2 M R²/(J + M R²) - 1) = 3/7 of that, relative to R.
LIFT_JOLT = DECELERATION / 9.8 * 0.02
LIFT_SHARE = 3.0 / 7.0 * 0.1 * 0.02
# Rounding and the solver's tolerance of 1e-13 over some thousand steps.
ROUNDING = 1e-9


def _name(h, law="ncp"):
    return f"{law}-h{h:g}"


def runs():
    for h in STEPS:
        yield Run(_name(h), numbers("talus_figures", "rolling_disk", time_step_s=h), 0.05)
    yield Run(_name(0.1, "ccp"), numbers("talus_figures", "rolling_disk", time_step_s=0.1, ccp=1), 0.05)


def _speed(t):
    return np.maximum(0.0, SPEED - DECELERATION * t)


def _position(t):
    moving = np.minimum(t, STOP_S)
    return SPEED * moving - 0.5 * DECELERATION * moving**2


def _column(data, name, column):
    return np.array(data[name]["columns"][column])


def _runs_drawn():
    """(name, label, style, colour, width)."""
    for color, h in zip(COLORS, STEPS):
        yield _name(h), f"NCP, h = {h:g} s", "-", color, 1.8
    yield _name(0.1, "ccp"), "CCP, h = 0.1 s", ":", COLORS[4], 2.2


def draw(data, path):
    figure, grid = canvas(2, 2, height=6.6)
    drawn = np.linspace(0.0, 9.0, 400)
    for (upper, lower), closed, column, title, unit in zip(
            grid.T, (_speed, _position), ("speed_m_s", "position_m"), ("Speed", "Position"), ("v  (m/s)", "x  (m)")):
        for name, label, style, color, width in _runs_drawn():
            time, values = _column(data, name, "time_s"), _column(data, name, column)
            upper.plot(time, values, style, color=color, lw=width, label=label)
            lower.plot(time, values - closed(time), style, color=color, lw=width, label=label)
        upper.plot(drawn, closed(drawn), color=PAPER_COLOR, lw=1.2, ls="--", label="closed form")
        for axes in (upper, lower):
            axes.axvline(STOP_S, color="#bbbbbb", lw=0.8)
        upper.set(title=title, ylabel=unit)
        lower.set(title=f"{title} less the closed form", xlabel="t  (s)", ylabel=unit)
        upper.legend()
    save(figure, path)


def compare(data):
    for name, h in [(_name(h), h) for h in STEPS] + [(_name(0.1, "ccp"), 0.1)]:
        law = name[:3].upper()
        lifted = law == "CCP"
        time, speed = _column(data, name, "time_s"), _column(data, name, "speed_m_s")
        position = _column(data, name, "position_m")
        slack = ROUNDING + (LIFT_SHARE * DISTANCE if lifted else 0.0)
        plus = ", and the lift" if lifted else ""
        yield Row(f"largest speed error, {law}, h = {h:g} s", 0.0, float(np.abs(speed - _speed(time)).max()),
                  LIFT_JOLT + LIFT_SHARE * SPEED if lifted else ROUNDING, "m/s",
                  "the lift: (a/g) ρ ω₀ + (3/7) h ρ ω₀ v₀/R" if lifted else
                  "a constant deceleration is stepped exactly: rounding")
        yield Row(f"largest position error, {law}, h = {h:g} s", 0.0,
                  float(np.abs(position - _position(time)).max()), 0.5 * h * SPEED + slack, "m",
                  f"positions advance with v⁺: h v₀/2{plus}")
        yield Row(f"distance, {law}, h = {h:g} s", DISTANCE, float(position[-1]), 0.5 * h * SPEED + slack, "m",
                  f"h v₀/2{plus}")
        at_rest = float(time[np.abs(speed) < ROUNDING][0])
        recorded = float(time[1] - time[0])
        yield Row(f"time of rest, {law}, h = {h:g} s", STOP_S, at_rest, max(h, recorded), "s",
                  "one step, or one recorded moment")
