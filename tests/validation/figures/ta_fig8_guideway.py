"""[TA] §6.2: the force that moves a block on four rows of balls, over their rolling friction."""

import math

from book.drawing import COLORS, PAPER_COLOR, canvas, save
from book.figure import Row, Run, numbers

TITLE = "Linear guideway: force over rolling friction"
SOURCE = "TA §6.2, Fig. 8"
TEXT = """
A block rolls on a rail on four rows of nine steel balls of 6.4 mm at 45°; a load F_y of 490 N closes the two upper rows, the
lower ones stand in a clearance of 10 µm at each face. 36 balls, 72 contacts, joints for guide, drive, load and seal
([decision 16](decisions/0016-joints.md)); 0.1 m/s, μ 0.15. Two readings of ρ: with ρ = ζ R_b the force is F_x = √2 ζ F_y + S,
3.465 N at the maker's ζ = 0.005, because rows at 45° press with √2 F_y together; the maker's law F_x = ζ F_y + S counts the
load itself and comes out with ρ = ζ R_b/√2. NCP runs at 1 ms under a force. CCP lifts each contact by h A_r, which
needs something that resists to be felt: a preloaded block, here a spring of Hertz' tangent stiffness of the loaded rows,
at 0.01 s. There it wants 8.28 N where NCP gives the right 3.465 N. How much depends on the stiffness (a prototype's
9.64 N is the same formula with one 1.28 times as large), and it shrinks with h
(claims `guideway-ccp-closed-h10` and `-h1`). Preloaded runs get 2000 iterations a step to come to 10⁻⁶; the
first one, in which CCP lifts all contacts at once, takes the most, 416 to 691.
"""

LOAD_N, SEAL_N, BALL_RADIUS_M = 490.0, 5.3, 3.2e-3
ROOT2 = math.sqrt(2.0)
MAKERS_ZETA = 0.005
ZETAS = tuple(round(0.001 * k, 3) for k in range(11))
SEALS = {"": 0.0, "-seal": SEAL_N}
CCP_STEP = 0.01
# Impulses are right to 10⁻¹⁰ of what drives the step; a hundredfold of the load's for forces.
FORCE_ERROR_N = 1e-8 * LOAD_N
# tests/scenes/guideway.h: the residual leaves 6e-5 of the rolling force of a preloaded block.
PRELOADED_ERROR = 1e-4


def _name(law, zeta, seal):
    return f"{law}-zeta{zeta:g}{seal}"


def runs():
    for seal, force in SEALS.items():
        yield Run(f"maker{seal}", _command(MAKERS_ZETA / ROOT2, force), 0.1)
        for zeta in ZETAS:
            yield Run(_name("ncp", zeta, seal), _command(zeta, force), 0.1)
            yield Run(_name("ccp", zeta, seal), _preloaded(zeta, force, ccp=1), 1.0)
    yield Run("ncp-preloaded", _preloaded(MAKERS_ZETA, 0.0, ccp=0), 1.0)


def _command(rho_over_radius, seal_n, **more):
    return numbers("talus_figures", "guideway", rolling_m=rho_over_radius * BALL_RADIUS_M, seal_n=seal_n, **more)


def _preloaded(zeta, seal_n, ccp):
    return _command(zeta, seal_n, ccp=ccp, preloaded=1, time_step_s=CCP_STEP)


def _force(data, name):
    return data[name]["values"]["drive_force_n"]


def _lifted(data, zeta, seal_n):
    """What CCP comes to: the lift h ρ |ω| of each contact, and what the spring adds to the load for it."""
    values = data[_name("ccp", zeta, "")]["values"]
    rho = zeta * BALL_RADIUS_M
    turn = CCP_STEP * rho * values["speed_m_s"]
    # The ball turns about the middle of its gaps, half a gap from its surface.
    arm = BALL_RADIUS_M + 0.5 * turn / (2.0 * BALL_RADIUS_M)
    height = ROOT2 * turn / arm
    return ROOT2 * rho / arm * (LOAD_N + values["stiffness_n_m"] * height) + seal_n


def _preloaded_error(data, seal_n):
    """Relative to the rolling force. The residual is relative to what drives the step: the spring's deflection, F_y/(k h) in
    the block's row; a seal that slips counts with its h S/m too."""
    values = data[_name("ccp", MAKERS_ZETA, "")]["values"]
    deflection = LOAD_N / (values["stiffness_n_m"] * CCP_STEP)
    return PRELOADED_ERROR * math.hypot(1.0, CCP_STEP * seal_n / values["block_mass_kg"] / deflection)


def draw(data, path):
    figure, axes = canvas(width=9.0, height=4.8)
    rho_mm = [1e3 * BALL_RADIUS_M * zeta for zeta in ZETAS]
    for (seal, force), dash, ncp, ccp in zip(SEALS.items(), ("--", "-"), "os", "^v"):
        sealed = "seal" if force else "no seal"
        axes.plot(rho_mm, [ROOT2 * zeta * LOAD_N + force for zeta in ZETAS], dash, color=PAPER_COLOR, lw=1.0,
                  label=f"√2 ζ F_y + S, {sealed}")
        axes.plot(rho_mm, [_force(data, _name("ncp", zeta, seal)) for zeta in ZETAS], ncp, color=COLORS[0], ms=6,
                  label=f"NCP, {sealed}")
        axes.plot(rho_mm, [_force(data, _name("ccp", zeta, seal)) for zeta in ZETAS], ccp, color=COLORS[1], ms=6,
                  label=f"CCP, {sealed}, preloaded, h = {CCP_STEP:g} s")
    for zeta, name in ((MAKERS_ZETA, "ζ R_b"), (MAKERS_ZETA / ROOT2, "ζ R_b/√2")):
        axes.axvline(1e3 * BALL_RADIUS_M * zeta, color="#bbbbbb", lw=0.8)
        axes.text(1e3 * BALL_RADIUS_M * zeta, 0.3, f" {name}", fontsize=9, color="#555555")
    axes.set(title=f"F_y = {LOAD_N:g} N, S = {SEAL_N:g} N; the maker's ζ = {MAKERS_ZETA:g}", xlabel="ρ  (mm)",
             ylabel="force to move the block  (N)", ylim=(0.0, None))
    axes.legend(loc="upper left")
    save(figure, path)


def compare(data):
    impulses = "impulses to 10⁻¹⁰, a hundredfold for sums: 10⁻⁸ F_y"
    maker = data[_name("ncp", MAKERS_ZETA, "")]["values"]
    yield Row("load of the upper rows, √2 F_y", ROOT2 * LOAD_N, maker["upper_rows_n"], FORCE_ERROR_N, "N", impulses)
    yield Row("load of the lower rows", 0.0, maker["lower_rows_n"], FORCE_ERROR_N, "N", impulses)
    yield Row("steps above their tolerance, of all runs", 0.0, sum(run["unconverged_steps"] for run in data.values()), 0.0, "-",
              "the other rows count on it")
    for seal, force in SEALS.items():
        sealed = "seal" if force else "no seal"
        yield Row(f"F_x, ρ = ζ R_b, {sealed}, NCP: √2 ζ F_y + S", ROOT2 * MAKERS_ZETA * LOAD_N + force,
                  _force(data, _name("ncp", MAKERS_ZETA, seal)), FORCE_ERROR_N, "N", impulses)
        yield Row(f"F_x, ρ = ζ R_b/√2, {sealed}, NCP: the maker's ζ F_y + S", MAKERS_ZETA * LOAD_N + force,
                  _force(data, f"maker{seal}"), FORCE_ERROR_N, "N", impulses)
        lifted, off = _lifted(data, MAKERS_ZETA, force), _preloaded_error(data, force)
        residual = (f"what the residual of 10⁻⁶ leaves: {off:.1e} of the rolling force"
                    + (", as the seal counts in what it is relative to" if force else ""))
        yield Row(f"F_x, ρ = ζ R_b, {sealed}, CCP, preloaded, h = 0.01 s: with the lift", lifted,
                  _force(data, _name("ccp", MAKERS_ZETA, seal)), off * (lifted - force), "N", residual)
        yield Row(f"largest error of F_x over ζ, {sealed}, NCP", 0.0,
                  max(abs(_force(data, _name("ncp", zeta, seal)) - ROOT2 * zeta * LOAD_N - force) for zeta in ZETAS),
                  FORCE_ERROR_N, "N", impulses)
        yield Row(f"largest relative error of F_x − S over ζ > 0, {sealed}, CCP", 0.0,
                  max(abs((_force(data, _name("ccp", zeta, seal)) - force) / (_lifted(data, zeta, force) - force) - 1.0)
                      for zeta in ZETAS if zeta > 0.0), off, "-", "the same")
    right = ROOT2 * MAKERS_ZETA * LOAD_N
    yield Row("F_x, ρ = ζ R_b, no seal, NCP, preloaded, h = 0.01 s", right, _force(data, "ncp-preloaded"),
              PRELOADED_ERROR * right, "N", f"what the residual of 10⁻⁶ leaves: {PRELOADED_ERROR:g} of the force")
