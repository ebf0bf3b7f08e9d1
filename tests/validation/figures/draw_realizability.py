"""[AS] Fig. 11: the loads under which a ball in a right-angled trough rolls on, from two OBJ files.

Left the body that all faces cut, as [AS] describes it; right the body of the limit directions, with the part that lies
beyond the planes in a colour of its own.
"""

import argparse
import os
from typing import Dict, List, Tuple

import matplotlib

matplotlib.use("Agg")

import numpy as np  # noqa: E402
from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.patches import Patch  # noqa: E402
from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # noqa: E402

INERTIA_RATIO = 0.4
COLORS = {"RS": "#4477aa", "SR": "#66ccee", "SS": "#ccbb44", "bulge": "#ee6677"}
NAMES = {"RS": "RS: slips at the second wall", "SR": "SR: slips at the first wall", "SS": "SS: slips at both",
         "bulge": "SS beyond the planes of RS and SR"}


def read_obj(path: str) -> Dict[str, np.ndarray]:
    """Triangles (n, 3, 3) by group."""
    vertices: List[List[float]] = []
    faces: Dict[str, List[Tuple[int, ...]]] = {}
    group = ""
    with open(path, encoding="ascii") as file:
        for line in file:
            kind, *rest = line.split()
            if kind == "v":
                vertices.append([float(number) for number in rest])
            elif kind == "g":
                group = rest[0]
                faces[group] = []
            elif kind == "f":
                faces[group].append(tuple(int(number) - 1 for number in rest))
    points = np.array(vertices)
    return {name: points[np.array(indices)] for name, indices in faces.items() if indices}


def split_bulge(groups: Dict[str, np.ndarray], friction: float) -> Dict[str, np.ndarray]:
    j = INERTIA_RATIO
    middles = groups["SS"].mean(axis=1)
    first = np.abs((1 + j) * middles[:, 0] + j * middles[:, 1]) / (1 + 2 * j)
    second = np.abs((1 + j) * middles[:, 1] + j * middles[:, 0]) / (1 + 2 * j)
    # Flat triangles of a curved surface: what is in the plane by less than 1e-6 is not beyond it.
    beyond = np.maximum(first - friction * (1 - middles[:, 2]), second - friction * (1 + middles[:, 2])) > 1e-6
    return {**groups, "SS": groups["SS"][~beyond], "bulge": groups["SS"][beyond]}


def draw_body(axes, groups: Dict[str, np.ndarray]) -> None:
    # One collection, as only within one are near triangles drawn over far ones.
    triangles = np.concatenate(list(groups.values()))
    color = np.concatenate([np.tile(matplotlib.colors.to_rgb(COLORS[name]), (len(part), 1))
                            for name, part in groups.items()])
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    shown = lengths > 0
    light = np.array([0.35, -0.6, 0.7])
    shade = 0.7 + 0.3 * (normals[shown] / lengths[shown, None]) @ (light / np.linalg.norm(light))
    color = np.clip(shade[:, None] * color[shown], 0, 1)
    axes.add_collection3d(Poly3DCollection(triangles[shown], facecolors=color, edgecolors=color, linewidths=0.3))
    reach = np.abs(triangles).max()
    for set_limits in (axes.set_xlim, axes.set_ylim, axes.set_zlim):
        set_limits(-reach, reach)
    axes.set_xlabel("$m_x$")
    axes.set_ylabel("$m_y$")
    axes.set_zlabel("$m_z$")
    axes.set_box_aspect((1, 1, 1))
    axes.view_init(elev=16, azim=-48)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="of all_faces.obj and limit_directions.obj")
    parser.add_argument("friction", type=float)
    parser.add_argument("picture")
    arguments = parser.parse_args()
    figure = plt.figure(figsize=(9, 4.6), dpi=100)
    titles = {"all_faces": "cut by all faces", "limit_directions": "by limit directions"}
    drawn = {}
    for place, (name, title) in enumerate(titles.items(), start=1):
        groups = read_obj(os.path.join(arguments.folder, f"{name}.obj"))
        if name == "limit_directions":
            groups = split_bulge(groups, arguments.friction)
        axes = figure.add_subplot(1, 2, place, projection="3d")
        draw_body(axes, groups)
        axes.set_title(title, fontsize=10)
        drawn.update(groups)
    patches = [Patch(color=COLORS[name], label=NAMES[name]) for name in COLORS if name in drawn]
    figure.legend(handles=patches, loc="lower center", ncol=4, fontsize=8, frameon=False)
    figure.suptitle(f"A ball in a trough rolls on, $\\mu$ = {arguments.friction:g}, $j$ = 2/5", fontsize=11)
    figure.subplots_adjust(left=0.0, right=0.95, bottom=0.12, top=0.88, wspace=0.08)
    # No date and no version in the file, so that the same packages write the same bytes.
    figure.savefig(arguments.picture, metadata={"Software": None})
    print(f"{arguments.picture}: {os.path.getsize(arguments.picture)} bytes")


if __name__ == "__main__":
    main()
