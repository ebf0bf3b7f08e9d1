"""Servers and scenes the tests share."""

import contextlib
import itertools
import math
import signal

import pytest
import talus
from talus import scene as build

KILLED = -signal.SIGKILL
_numbers = itertools.count()


@contextlib.contextmanager
def launch(*, status=0, **options):
    """As talus.launch(), for a block whose server must end with `status`: a leak found at its exit is another."""
    with talus.launch(**{"log_level": "error", **options}) as running:
        yield running
        ended = running.stop(timeout=60.0)
        assert ended == status, f"talus_server ended with {ended}:\n{running.log()}"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with a data directory."""
    with launch(data_dir=str(tmp_path_factory.mktemp("data")), workers=2) as running:
        yield running


@pytest.fixture()
def client(server):
    with talus.connect(server.address) as connected:
        yield connected


@pytest.fixture()
def name():
    """A name that no other test uses."""
    return f"test-{next(_numbers)}"


@pytest.fixture()
def pair(client):
    """A ball in free fall above a plane: exact numbers, microseconds a step."""
    return client.create_scene(pair_spec())


@pytest.fixture()
def busy(client):
    """A scene that steps for minutes when told to: many balls that touch."""
    scene = client.create_scene(busy_spec())
    yield scene
    try:
        scene.delete()
    except talus.NotFoundError:
        pass


def pair_spec():
    """A plane, and a ball of 2 kg at a height of 100 m; g = 8 m/s^2, h = 1/8 s."""
    return build.spec(
        materials=[build.material("stone", sliding=0.5)],
        bodies=[
            build.plane(name="ground", material="stone"),
            build.sphere(0.5, name="ball", position=(0, 0, 100), mass=2.0, material="stone"),
        ],
        settings=build.settings(time_step=0.125, gravity=(0, 0, -8)),
    )


def busy_spec(count=100):
    """Balls in a row that lean on each other, never at rest because the tolerance is out of reach."""
    balls = [
        build.sphere(0.1, position=(0.199 * k, 0.01 * (k % 2), 0.1), density=1000, material="stone") for k in range(count)
    ]
    return build.spec(
        materials=[build.material("stone", sliding=0.5, rolling=0.001)],
        bodies=[build.plane(name="ground", material="stone"), *balls],
        settings=build.settings(tolerance=1e-14, max_sweeps=200, warm_start=False),
    )


def cannonballs(layers, **settings):
    """A pyramid of balls, each in the hollow of four; 18 layers are 2109 balls with far more than 3000 contacts."""
    radius, spacing = 0.1, 0.201
    rise = math.sqrt(4 * radius**2 - spacing**2 / 2)
    balls = [
        build.sphere(
            radius,
            position=(spacing * (i + layer / 2), spacing * (j + layer / 2), radius + rise * layer),
            density=1000,
            material="stone",
        )
        for layer in range(layers)
        for i in range(layers - layer)
        for j in range(layers - layer)
    ]
    return build.spec(
        materials=[build.material("stone", sliding=0.5, rolling=0.002, spinning=0.002)],
        bodies=[build.plane(name="ground", material="stone"), *balls],
        settings=build.settings(**settings),
    )


LONG = 1_000_000  # steps that the busy scene takes minutes for


def wait_until(condition, timeout=60.0):
    """Waits for the condition; AssertionError when it does not come true."""
    import time

    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
