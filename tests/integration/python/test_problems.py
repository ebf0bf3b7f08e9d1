"""Contact problems without a scene, and those that steps keep."""

import math

import numpy as np
import pytest
import talus
from conftest import wait_until
from talus.v1 import analysis_service_pb2 as analysis
from talus.v1 import geometry_pb2 as geometry

SLIDE = np.array([[-2.0, 3.0, 0, 0, 0, 0]])


def test_a_sliding_contact(client):
    """Presses with 2 m/s, slides with 3 m/s, mu 0.5: 2 N s and 1 N s."""
    problem = talus.problems.problem(np.eye(6), SLIDE, 0.5, name="slide")
    solution = client.solve(problem)
    assert solution.outcome == talus.Outcome.CONVERGED and solution.residual <= 1e-8
    assert solution.impulses[0, :2] == pytest.approx([2.0, -1.0], abs=1e-7)
    assert solution.velocities[0, :2] == pytest.approx([0.0, 2.0], abs=1e-7)
    assert client.solve(problem, law="ccp", solver="admm").impulses.shape == (1, 6)


def test_two_contacts_that_share_a_body(client):
    """Coupled blocks: the answer obeys u = W gamma + q."""
    random = np.random.default_rng(5)
    directions = random.normal(size=(12, 12))
    delassus = directions.T @ directions
    free_rows = random.normal(size=(2, 6)) - np.array([3.0, 0, 0, 0, 0, 0])
    problem = talus.problems.problem(delassus, free_rows, [0.4, 0.2], rolling=0.01, spinning=0.02)
    solution = client.solve(problem)
    velocities = delassus @ solution.impulses.reshape(-1) + free_rows.reshape(-1)
    assert solution.velocities.reshape(-1) == pytest.approx(velocities, abs=1e-9)
    normal, sliding = solution.impulses[:, 0], np.linalg.norm(solution.impulses[:, 1:3], axis=1)
    assert (sliding <= np.array([0.4, 0.2]) * normal + 1e-7).all()


def test_psor_iterates_as_it_is_told(client):
    problem = talus.problems.problem(np.eye(6), SLIDE, 0.5)
    plain = client.solve(problem, law="ccp", solver="psor")
    relaxed = client.solve(problem, law="ccp", solver="psor", psor=talus.PsorSettings(relaxation=0.5))
    assert relaxed.sweep_count > plain.sweep_count
    assert relaxed.impulses == pytest.approx(plain.impulses, abs=1e-7)
    with pytest.raises(talus.InvalidFieldError, match=r"psor\.averaging = 0 must be in \(0, 1\]"):
        client.solve(problem, law="ccp", solver="psor", psor=talus.PsorSettings(averaging=0.0))
    with pytest.raises(talus.InvalidFieldError, match="psor = given"):
        client.solve(problem, psor=talus.PsorSettings())


def test_laws_with_flat_sides_are_solved_as_they_are_told(client):
    diagonal = [[-1.0, 2.0, 2.0, 0.0, 0.0, 0.0]]
    problem = talus.problems.problem(np.eye(6), diagonal, 0.5)
    friction = {law: np.hypot(*client.solve(problem, law=law).impulses[0][1:3])
                for law in ("ncp", "box", "polygonal", "bristle")}
    assert friction == pytest.approx({"ncp": 0.5, "box": 0.5**0.5, "polygonal": 0.5, "bristle": 0.5}, abs=1e-7)
    assert math.isnan(client.solve(problem, law="box", solver="lemke").siconos_error)
    soft = talus.FlatLawSettings(bristle_stiffness_n_m=1e6, time_step_s=1e-3)
    crept = client.solve(talus.problems.problem(np.eye(6), [[-1.0, 1e-3, 0, 0, 0, 0]], 0.5), law="bristle", flat_law=soft)
    assert crept.impulses[0][1] == pytest.approx(-5e-4, abs=1e-9)
    with pytest.raises(talus.InvalidFieldError, match=r"flat_law\.facet_count = 3 must be even"):
        client.solve(problem, law="polygonal", flat_law=talus.FlatLawSettings(facet_count=3))
    with pytest.raises(talus.InvalidFieldError, match="flat_law = given"):
        client.solve(problem, flat_law=talus.FlatLawSettings())


def test_what_is_wrong_is_named(client, tmp_path):
    with pytest.raises(ValueError, match="law 'coulomb'"):
        client.solve(b"", law="coulomb")
    with pytest.raises(ValueError, match="square"):
        talus.problems.problem(np.eye(5), SLIDE, 0.5)
    with pytest.raises(talus.InvalidFieldError, match="file"):
        client.solve(b"{}")
    with pytest.raises(FileNotFoundError):
        client.solve(tmp_path / "none.json")
    with pytest.raises(talus.InvalidFieldError, match=r"sliding_frictions\[0\] = -1"):
        client.solve(talus.problems.problem(np.eye(6), SLIDE, -1.0))


def test_a_step_keeps_its_problem(client):
    scene = client.create_scene(
        talus.scene.spec(
            bodies=[talus.scene.plane(), talus.scene.sphere(0.5, position=(0, 0, 0.5), mass=2)],
            settings=talus.scene.settings(time_step=0.01, gravity=(0, 0, -10)),
        )
    )
    with pytest.raises(talus.NotFoundError):
        scene.step_problem()
    with pytest.raises(ValueError, match="keep_problem"):
        scene.step(keep_problem="sometimes")
    scene.step(3, keep_problem="always")
    kept = scene.step_problem()
    assert kept.step_index == 3
    assert kept.impulses[0, 0] == pytest.approx(0.2, abs=1e-5)  # 20 N for 0.01 s
    assert client.solve(kept.problem).impulses[0, 0] == pytest.approx(0.2, abs=1e-9)
    scene.step_until(time_s=0.05, keep_problem="always")
    assert scene.step_problem().step_index == 5
    with scene.control(keep_problem="always") as control:
        control.step()
    assert scene.step_problem().step_index == 6
    scene.run(step_limit=2, keep_problem="always")
    wait_until(lambda: scene.info().step_index == 8)
    assert scene.step_problem().step_index == 8


def test_the_loads_a_body_rolls_under(client):
    side = 10.0 / np.sqrt(2.0)
    ball = analysis.AnalyzeRollingTransitionRequest(
        mass_kg=1.0, inertia_world_kg_m2=(0.4 * np.eye(3)).flat, force_world_n=geometry.Vector3(x=-side, y=-side)
    )
    for arm in (geometry.Vector3(y=-1.0), geometry.Vector3(x=-1.0)):
        normal = geometry.Vector3(x=-arm.x, y=-arm.y)
        ball.contacts.add(arm_world_m=arm, normal_world=normal, sliding_friction=0.5)
    axes = [((0, 0, 0), (side, 0, 0)), ((0, 0, 0), (0, side, 0)), ((0, 0, 0), (0, 0, side))]
    surface = client.rolling_loads(ball, axes, reach=3.0, cells=2)
    assert surface.vertices.shape == (18, 3) and surface.triangles.shape == (32, 3) and len(surface.exits) == 32
    assert np.abs(surface.vertices[:, 2]).max() == pytest.approx(0.8, abs=1e-7)  # m_z3 = 2 mu / (1 + mu^2)
    assert set(surface.exits) <= {"RS", "SR", "SS"} and surface.obj.count(b"\nf ") == 32
    assert set(client.rolling_loads(ball, axes, reach=0.01, cells=1).exits) == {"none"}
    with pytest.raises(ValueError, match="of three numbers"):
        client.rolling_loads(ball, [((0, 0), (0, 0, 1))] * 3)
    with pytest.raises(talus.InvalidFieldError, match="axes"):
        client.rolling_loads(ball, axes[:2])


def test_the_surface_of_the_trough(client):
    surface = client.trough_surface(sliding_friction=0.5, cells=3)
    assert surface.vertices.shape[1] == 3 and len(surface.exits) == len(surface.triangles)
    assert np.abs(surface.vertices[:, 2]).max() == pytest.approx(0.8)  # m_z3 = 2 mu / (1 + mu^2)
    assert set(surface.exits) == {"RS", "SR", "SS"}
    assert surface.triangles.max() == len(surface.vertices) - 1
    assert surface.obj.count(b"\nf ") == len(surface.triangles)
    published = client.trough_surface(sliding_friction=0.5, body="all_faces", cells=3)
    assert np.abs(published.vertices[:, 0]).max() <= np.abs(surface.vertices[:, 0]).max()
    with pytest.raises(ValueError, match="body 'cube'"):
        client.trough_surface(body="cube")
    with pytest.raises(talus.InvalidFieldError, match="cells"):
        client.trough_surface(cells=65)
