"""[AS] Fig. 11: the loads under which a ball in a right-angled trough rolls on at both walls, as a surface."""

import math

import matplotlib
import numpy as np
from book.drawing import canvas, save
from book.figure import Row, Run, numbers
from matplotlib.patches import Patch
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

TITLE = "Ball in a trough: the loads under which it rolls on"
SOURCE = "AS §6, Fig. 11"
TEXT = """
A solid ball (j = 2/5), μ = 0.3; loads are torques without unit. RS: slipping starts at the second wall, SR: at the first,
SS: at both. Left the body that all faces cut, as the paper describes it, right the body of the limit directions, which
holds the left one and a thin bulge of SS beyond the planes: there no motion leaves rolling, and the largest acceleration is
2.2 % larger. [Decision 14](decisions/0014-two-point-contact.md) says why both are there. Marks and accelerations are read
off the triangles; the claims AS-… find the same marks from the general analysis, which knows no trough.
"""

FRICTION = 0.3
CELLS = 12
BODIES = {"all_faces": "cut by all faces", "limit_directions": "by limit directions"}
EXITS = {1: "RS", 2: "SR", 3: "SS"}
COLORS = {"RS": "#0072b2", "SR": "#56b4e9", "SS": "#e69f00", "bulge": "#d55e00"}
NAMES = {"RS": "RS: slips at the second wall", "SR": "SR: slips at the first wall", "SS": "SS: slips at both",
         "bulge": "SS beyond the planes of RS and SR"}
# Sums of some numbers of size 1.
ROUNDING = 1e-14
# A difference of squares over m_z, which is 10⁻³ at the lowest slice.
CURVE_ROUNDING = 1e-12


def runs():
    for name in BODIES:
        yield Run(name, numbers("talus_figures", "trough_surface", sliding=FRICTION, cells=CELLS,
                                all_faces=int(name == "all_faces")), 0.1)


def _faces(run):
    """Triangles (n, 3 corners, 3) by what happens beyond them."""
    columns = run["columns"]
    loads = np.array([columns["m_x"], columns["m_y"], columns["m_z"]]).T
    corners = np.array([columns["corner_a"], columns["corner_b"], columns["corner_c"]], dtype=np.intp).T
    exits = np.array(columns["exit"], dtype=np.intp)
    return {name: loads[corners[exits == exit_]] for exit_, name in EXITS.items()}


def _demands(run, loads):
    """|A| and |B| of NOTATION.md: friction along z that rolling asks for."""
    j = run["values"]["inertia_ratio"]
    x, y = loads[..., 0], loads[..., 1]
    return np.abs((1 + j) * x + j * y) / (1 + 2 * j), np.abs((1 + j) * y + j * x) / (1 + 2 * j)


def _plane_excess(run, loads):
    """How far beyond the planes of SR and RS."""
    first, second = _demands(run, loads)
    return np.maximum(first - FRICTION * (1 - loads[..., 2]), second - FRICTION * (1 + loads[..., 2]))


def _split_bulge(run, faces):
    # Flat triangles of a curved surface: what is in the plane by less than 1e-6 is not beyond it.
    beyond = _plane_excess(run, faces["SS"].mean(axis=1)) > 1e-6
    return {**faces, "SS": faces["SS"][~beyond], "bulge": faces["SS"][beyond]}


def _draw_body(axes, faces):
    # One collection, as only within one are near triangles drawn over far ones.
    triangles = np.concatenate(list(faces.values()))
    color = np.concatenate([np.tile(matplotlib.colors.to_rgb(COLORS[name]), (len(part), 1))
                            for name, part in faces.items()])
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    shown = lengths > 0
    light = np.array([0.35, -0.6, 0.7])
    shade = 0.7 + 0.3 * (normals[shown] / lengths[shown, None]) @ (light / np.linalg.norm(light))
    color = np.clip(shade[:, None] * color[shown], 0, 1)
    axes.add_collection3d(Poly3DCollection(triangles[shown], facecolors=color, edgecolors=color, linewidths=0.3))
    reach = np.abs(triangles).max()
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), zlim=(-reach, reach), xlabel="$m_x$", ylabel="$m_y$",
             zlabel="$m_z$")
    axes.set_box_aspect((1, 1, 1))
    axes.view_init(elev=16, azim=-48)


def draw(data, path):
    figure, all_axes = canvas(1, 2, width=10.0, height=5.2, constrained_layout=False, subplot_kw={"projection": "3d"})
    for axes, (name, title) in zip(all_axes, BODIES.items()):
        faces = _faces(data[name])
        _draw_body(axes, faces if name == "all_faces" else _split_bulge(data[name], faces))
        axes.set_title(title)
    figure.legend(handles=[Patch(color=COLORS[name], label=label) for name, label in NAMES.items()],
                  loc="lower center", ncol=4, fontsize=8)
    figure.subplots_adjust(left=0.0, right=0.94, bottom=0.12, top=0.94, wspace=0.12)
    save(figure, path)


def _largest_acceleration(run):
    """v̇ = g (m_x − m_y)/(√2 (1 + 2j)) is linear in the load: the largest of a triangle is at a corner."""
    return float(_accelerations(run).max())


def _accelerations(run):
    columns, values = run["columns"], run["values"]
    spread = np.array(columns["m_x"]) - np.array(columns["m_y"])
    return spread * values["gravity_m_s2"] / (math.sqrt(2.0) * (1 + 2 * values["inertia_ratio"]))


def _missed_between_slices(run):
    """What the largest of v̇ over m_z may exceed that of all slices by: near its top v̇ is a parabola, and half a slice's
    distance off it has fallen by a quarter of what it falls by in a whole one."""
    heights = np.array(run["columns"]["m_z"])
    accelerations = _accelerations(run)
    tops = [float(accelerations[heights == height].max()) for height in np.unique(heights)]
    at = int(np.argmax(tops))
    return (tops[at] - 0.5 * (tops[at - 1] + tops[at + 1])) / 4.0


def _largest_error(run, name):
    """Of a face's corners from its equation."""
    loads = _faces(run)[name].reshape(-1, 3)
    first, second = _demands(run, loads)
    z, mu = loads[:, 2], FRICTION
    if name != "SS":
        return float(np.abs(first - mu * (1 - z) if name == "SR" else second - mu * (1 + z)).max())
    flat = z == 0.0
    first, second, z = first[~flat], second[~flat], z[~flat]
    q = (first**2 - second**2 + 2 * mu**2 * z - (1 + mu**2) * z**2) / (2 * (1 + mu**2) * z)
    return float(np.abs(first**2 + q**2 - mu**2 * (1 - q - z)**2).max())


def compare(data):
    mu, square = FRICTION, FRICTION**2
    cut, limit = data["all_faces"], data["limit_directions"]
    faces = _faces(cut)
    gravity = cut["values"]["gravity_m_s2"]
    yield Row("m_z1 = 2μ²/(1 + μ²): SS begins", 2 * square / (1 + square), float(np.abs(faces["SS"][..., 2]).min()),
              ROUNDING, "-", "a slice lies there: rounding")
    yield Row("m_z2 = (μ² + μ)/(2μ² − μ + 1): SR ends", (square + mu) / (2 * square - mu + 1),
              float(faces["SR"][..., 2].max()), ROUNDING, "-", "the same")
    yield Row("m_z3 = 2μ/(1 + μ²): the tip", 2 * mu / (1 + square), float(faces["SS"][..., 2].max()), ROUNDING, "-",
              "the same")
    yield Row("largest v̇, cut by all faces: √2 μ g", math.sqrt(2.0) * mu * gravity, _largest_acceleration(cut),
              gravity * ROUNDING, "m/s²", "on an edge of the mesh: rounding")
    root = math.sqrt(1 + square)
    yield Row("largest v̇, limit directions: μ (1 + √(1 + μ²)) g/√2", mu * (1 + root) * gravity / math.sqrt(2.0),
              _largest_acceleration(limit), _missed_between_slices(limit), "m/s²",
              "slices miss the top: a quarter of what v̇ falls by from one to the next")
    for name, run in data.items():
        for face in EXITS.values():
            yield Row(f"corners of {face} off its equation, {BODIES[name]}", 0.0, _largest_error(run, face),
                      CURVE_ROUNDING if face == "SS" else ROUNDING, "-",
                      "a difference of squares over m_z ≥ 10⁻³" if face == "SS" else "sums of numbers of size 1")
