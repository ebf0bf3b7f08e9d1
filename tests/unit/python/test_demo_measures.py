"""The demo's fits find the angle of cones made up for the purpose, wherever they stand and whatever lies around."""

import math

import numpy as np
import pytest
from talus.demo.measures import Cone, find_surface, fit_cone, fit_moments
from talus.demo.pile import find_pile, largest_heap
from talus.frames import Contacts, Frame
from talus.v1 import frame_pb2

RADIUS = 0.0225


def make_cone(angle_deg, count, x=0.0, y=0.0, half_length=math.inf, seed=1):
    """`count` sphere centres evenly spread in a cone of 0.6 packing, its part within the half length."""
    generator = np.random.default_rng(seed)
    tangent = math.tan(math.radians(angle_deg))
    volume = count * 4 / 3 * math.pi * RADIUS**3 / 0.6
    foot = (3 * volume / (math.pi * tangent)) ** (1 / 3)
    points = np.empty((0, 3))
    while len(points) < count:
        trial = generator.uniform([-foot, -foot, 0], [foot, foot, foot * tangent], (4 * count, 3))
        inside = trial[:, 2] < (foot - np.hypot(trial[:, 0], trial[:, 1])) * tangent
        points = np.concatenate([points, trial[inside]])
    points = points[:count] + [x, y, 0.0]
    return points[(np.abs(points[:, :2]) < half_length).all(axis=1)]


def surface_of(angle_deg, count, x=0.0, y=0.0, noise=0.0):
    """Centres one below another on a cone's side, so that all of them are surface."""
    generator = np.random.default_rng(3)
    r = 0.6 * np.sqrt(generator.uniform(0, 1, count))
    angle = generator.uniform(0, 2 * math.pi, count)
    z = (0.6 - r) * math.tan(math.radians(angle_deg)) - RADIUS + noise * generator.normal(size=count)
    return np.stack([x + r * np.cos(angle), y + r * np.sin(angle), z], axis=1)


@pytest.mark.parametrize("angle", [5.0, 15.0, 25.0, 35.0])
@pytest.mark.parametrize("place", [(0.0, 0.0), (0.07, -0.04)])
def test_conical_fit_of_a_clean_side(angle, place):
    points = surface_of(angle, 400, *place)
    # Spheres far smaller than their spacing hide nobody.
    cone = fit_cone(points, np.full(len(points), 1e-6))
    assert abs(cone.angle_deg - angle) < 0.01
    assert math.hypot(cone.x_m - place[0], cone.y_m - place[1]) < 1e-3 and cone.rms_m < 1e-4


def test_conical_fit_is_not_flattened_by_scatter():
    # Cutting a band by measured heights would lose about 2 degrees here.
    points = surface_of(25.0, 3000, noise=0.03)
    assert abs(fit_cone(points, np.full(3000, 1e-6)).angle_deg - 25.0) < 0.7


@pytest.mark.parametrize("angle", [10.0, 20.0, 35.0])
@pytest.mark.parametrize("place", [(0.0, 0.0), (0.05, 0.03)])
def test_moment_fit_of_a_whole_cone(angle, place):
    # Mean z and mean r of 6000 random points scatter by 1.0 % and 0.6 %, the slope by 1.2 %: three times that.
    cone = fit_moments(make_cone(angle, 6000, *place), 5.0, 5.0)
    assert abs(cone.slope / math.tan(math.radians(angle)) - 1) < 0.036


def test_moment_fit_of_a_cone_cut_by_the_edges():
    points = make_cone(25.0, 10_000, half_length=0.8)
    assert len(points) < 10_000
    assert abs(fit_moments(points, 0.8, 0.8).angle_deg - 25.0) < 0.5


def test_a_flat_layer_has_no_slope():
    generator = np.random.default_rng(2)
    points = np.concatenate([generator.uniform(-1, 1, (2000, 2)), np.full((2000, 1), RADIUS)], axis=1)
    assert fit_moments(points, 1.0, 1.0).angle_deg < 3.0
    assert abs(fit_cone(points, np.full(2000, RADIUS)).angle_deg) < 1.0


def test_too_few_particles_give_no_fit():
    points, radii = np.zeros((5, 3)), np.full(5, RADIUS)
    assert fit_cone(points, radii) is None and fit_moments(points, 1.0, 1.0) is None
    assert fit_cone(points[:0], radii[:0]) is None


def test_surface_is_what_one_sees_from_above():
    positions = np.array([[0, 0, 0.02], [0.01, 0, 0.06], [0.1, 0, 0.02], [0.1, 0.023, 0.06]])
    assert find_surface(positions, np.full(4, RADIUS)).tolist() == [False, True, True, True]


def test_cone_properties():
    cone = Cone(0.0, 0.0, 0.5, 0.5)
    assert cone.radius_m == 1.0 and cone.angle_deg == pytest.approx(26.565, abs=1e-3)
    assert cone.height(np.array([0.0, 1.0])).tolist() == [0.5, 0.0]
    assert Cone(0.0, 0.0, 0.1, 0.0).radius_m == 0.0


def contacts(pairs):
    a, b = np.array(pairs, dtype="<u4").reshape(-1, 2).T
    return Contacts(frame_pb2.ContactColumns(body_a_rows=a.tobytes(), body_b_rows=b.tobytes()))


def test_the_heap_is_the_largest_set_that_touches():
    rows = np.arange(1, 9)  # row 0 is the floor, which connects nobody
    touching = contacts([(0, k) for k in range(1, 9)] + [(1, 2), (2, 3), (5, 7), (7, 8), (8, 6), (6, 5)])
    assert np.flatnonzero(largest_heap(rows, 9, touching)).tolist() == [4, 5, 6, 7]


def test_a_long_chain_is_one_heap():
    count = 500
    order = np.random.default_rng(4).permutation(count) + 1
    pairs = [(min(p), max(p)) for p in zip(order[:-1].tolist(), order[1:].tolist())]
    assert largest_heap(np.arange(1, count + 1), count + 1, contacts(pairs)).all()


def test_no_particles_no_heap():
    assert len(largest_heap(np.zeros(0, dtype=int), 1, contacts([]))) == 0


def test_strays_are_left_out_of_a_heap_but_a_spread_is_taken_whole():
    message = frame_pb2.Frame(layout_version=1)
    message.layout.layout_version = 1
    message.layout.body_ids.extend(range(1, 7))
    message.layout.body_kinds.extend([frame_pb2.BODY_KIND_CODE_STATIC] + [frame_pb2.BODY_KIND_CODE_DYNAMIC] * 5)
    message.layout.sphere_radii_m.extend([0.0] + [RADIUS] * 5)
    message.bodies.positions_world_m = np.full(18, RADIUS).tobytes()
    for pairs, inside in (([(1, 2), (2, 3)], [0, 1, 2]), ([(1, 2)], [0, 1, 2, 3, 4])):
        message.contacts.CopyFrom(contacts(pairs).message)
        pile = find_pile(Frame(message))
        assert pile.rows.tolist() == [1, 2, 3, 4, 5] and np.flatnonzero(pile.inside).tolist() == inside
    fallen = np.full((6, 3), RADIUS)
    fallen[4, 2] = -0.3  # off the edge
    message.bodies.positions_world_m = fallen.tobytes()
    assert np.flatnonzero(find_pile(Frame(message)).inside).tolist() == [0, 1, 2, 4]
