"""Steps: exact numbers, idempotence, and many scenes at once."""

import threading

import numpy as np
import pytest
import talus
from conftest import busy_spec, pair_spec
from talus import scene as build


def test_numbers_and_parts(pair):
    result = pair.step(4, positions=True, velocities=True, layout=True)
    # v = -1, -2, -3, -4 m/s after each step; z = 100 - (1 + 2 + 3 + 4) / 8.
    assert (result.steps_done, result.step_index, result.time_s) == (4, 4, 0.5)
    ball = result.frame.layout.row("ball")
    assert result.frame.positions[ball].tolist() == [0.0, 0.0, 98.75]
    assert result.frame.linear_velocities[ball].tolist() == [0.0, 0.0, -4.0]
    assert result.frame.orientations.shape == (0, 4)  # not asked for
    assert result.report.step_index == 4 and result.report.state_hash == result.state_hash
    assert result.report.energy.kinetic_translation_j == 16.0
    assert pair.info().state_hash == result.state_hash


def test_a_ball_sleeps_and_is_woken(client):
    """At rest for 0.1 s it sleeps, keeps what it carries, and wakes when another one falls on it."""
    spec = talus.scene.spec(
        bodies=[talus.scene.plane(), talus.scene.sphere(0.5, name="low", position=(0, 0, 0.5), mass=2)],
        settings=talus.scene.settings(time_step=0.01, sleep=talus.scene.sleep(0.01, time=0.1)),
    )
    scene = client.create_scene(spec)
    assert scene.step(10).report.sleeping_body_count == 0
    assert scene.step(1).report.sleeping_body_count == 1
    asleep = scene.step(5, contacts=True, positions=True, velocities=True)
    assert (asleep.report.contact_count, asleep.report.sleeping_contact_count) == (0, 1)
    assert asleep.frame.contacts.forces[0].tolist() == pytest.approx([0, 0, 2 * 9.81])
    assert not asleep.frame.linear_velocities.any()
    scene.add_bodies([talus.scene.sphere(0.5, name="high", position=(0, 0, 1.501), mass=1)])
    woken = scene.step(1, contacts=True)
    assert (woken.report.sleeping_body_count, woken.report.contact_count) == (0, 2)
    with pytest.raises(talus.InvalidFieldError, match="settings.sleep.time_s"):
        spec.settings.sleep.time_s = 1e-9
        client.create_scene(spec)


def test_report_can_be_left_out(pair):
    assert pair.step(report=False).frame.report is None


def test_residual_history(client):
    scene = client.create_scene(busy_spec(10))
    report = scene.step(residual_history=True).report
    assert len(report.residual_history) == report.sweep_count > 0
    assert report.outcome in (talus.Outcome.SWEEP_LIMIT, talus.Outcome.STALLED, talus.Outcome.CONVERGED)
    assert len(scene.step().report.residual_history) == 0


def test_expected_index(pair):
    assert pair.step(2, expected_step_index=0).step_index == 2
    with pytest.raises(talus.StepIndexMismatchError) as caught:
        pair.step(2, expected_step_index=0)
    assert caught.value.step_index == 2 and caught.value.steps_done == 0
    assert pair.info().step_index == 2


def test_request_id_steps_once(pair):
    first = pair.step(3, request_id="once", positions=True)
    again = pair.step(3, request_id="once", positions=True)
    assert again.frame.message == first.frame.message and pair.info().step_index == 3
    with pytest.raises(talus.RequestIdReusedError):
        pair.step(4, request_id="once")
    assert pair.info().step_index == 3


def test_scenes_share_the_server(client):
    """Many callers at once, each scene in lock step: every answer is its own scene's."""
    scenes = [client.create_scene(pair_spec()) for _ in range(8)]
    hashes, failures = {}, []

    def drive(scene):
        try:
            for index in range(50):
                hashes[scene.name, index] = scene.step(expected_step_index=index).state_hash
        except talus.TalusError as error:
            failures.append(error)

    threads = [threading.Thread(target=drive, args=(scene,)) for scene in scenes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    for index in range(50):
        assert len({hashes[scene.name, index] for scene in scenes}) == 1


def test_queries_agree_with_the_step(client):
    scene = client.create_scene(talus.gravel_pile(60))
    result = scene.step(130, positions=True, orientations=True, velocities=True, contacts=True, layout=True)
    frame = scene.state(contacts=True, report=True, layout=True)
    assert frame.message == result.frame.message
    contacts = scene.contacts()
    assert len(contacts) == result.report.contact_count > 0 and contacts.message == result.frame.message.contacts
    assert scene.energy() == result.report.energy
    assert scene.layout().message == frame.message.layout and len(scene.layout()) == 61
    diagnostics = scene.diagnostics()
    assert diagnostics.report == result.report
    assert (diagnostics.mailbox_depth, diagnostics.watcher_count, diagnostics.fault) == (0, 0, "")


def test_contacts_carry_the_weight(client):
    """A resting heap presses on the floor with its weight; wrench and force agree."""
    scene = client.create_scene(busy_spec(20))
    scene.step(200)
    contacts, layout = scene.contacts(), scene.layout()
    floor = layout.row("ground")
    below = (contacts.body_a_rows == floor) | (contacts.body_b_rows == floor)
    sign = np.where(contacts.body_b_rows == floor, -1.0, 1.0)
    lift = float((sign[below] * contacts.forces[below, 2]).sum())
    weight = 20 * 1000 * 4 / 3 * np.pi * 0.1**3 * 9.81
    assert lift == pytest.approx(weight, rel=0.02)
    normal = np.einsum("ij,ij->i", contacts.forces, contacts.normals)
    assert np.allclose(normal, contacts.wrenches[:, 0], rtol=1e-9, atol=1e-9)
    assert np.allclose(np.linalg.norm(contacts.forces, axis=1), np.linalg.norm(contacts.wrenches[:, :3], axis=1))
    assert np.allclose(np.linalg.norm(contacts.torques, axis=1), np.linalg.norm(contacts.wrenches[:, 3:], axis=1))
    assert (contacts.wrenches[:, 0] >= 0).all() and contacts.with_mode(talus.ContactMode.CLOSED).any()


def test_answers_tell_of_the_bodies_that_were_asked_for(client):
    balls = [build.sphere(0.1, mass=1.0, name=f"ball{k}", position=(k, 0, 0.1)) for k in range(4)]
    scene = client.create_scene(build.spec(bodies=[build.plane(name="ground"), *balls]))
    result = scene.step(5, positions=True, contacts=True, bodies=["ball3", 2])
    assert result.frame.rows.tolist() == [1, 4] and result.frame.positions[:, 0].tolist() == [0.0, 3.0]
    contacts = result.frame.contacts
    touching = {*contacts.body_a_rows.tolist(), *contacts.body_b_rows.tolist()}
    assert touching == {0, 1, 4}, "contacts of others are left out"
    state = scene.state(bodies=["ball1"])
    assert state.rows.tolist() == [2] and state.positions.shape == (1, 3)
    assert scene.state().rows is None and scene.state().positions.shape == (5, 3)
    until = scene.step_until(most_steps=2, time_s=1e3, positions=True, bodies=[1])
    assert until.frame.rows.tolist() == [0]
    (batched,) = client.batch_step([scene.step_request(1, positions=True, bodies=["ball0"])])
    assert batched.frame.rows.tolist() == [1]
    before = scene.info()
    for ask in (lambda: scene.step(bodies=["nobody"]), lambda: scene.state(bodies=[99])):
        with pytest.raises(talus.NotFoundError):
            ask()
    assert scene.info().state_hash == before.state_hash and scene.info().step_index == before.step_index
    with pytest.raises(talus.NotFoundError):
        scene.remove_bodies("ball3")
        scene.step(bodies=["ball3"])
