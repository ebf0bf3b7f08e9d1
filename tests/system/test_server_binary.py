"""talus_server as users run it: start, serve over loopback and unix socket, drain, be killed and carry on."""

import collections
import contextlib
import ctypes
import json
import os
import pathlib
import platform
import re
import signal
import socket
import struct
import subprocess
import threading
import time

import pytest

import talus
from talus import scene as describe

BINARY = os.environ["TALUS_SERVER"]
KILLED = -signal.SIGKILL


@contextlib.contextmanager
def launch(*, statuses=(0,), **options):
    """As talus.launch(), for a block whose server must have ended with one of `statuses`: a leak is another."""
    with talus.launch(**options) as server:
        yield server
        ended = server.stop(timeout=60.0)
        assert ended in statuses, f"talus_server ended with {ended}:\n{server.log()}"


def ten_balls():
    stone = describe.material("stone", sliding=0.5, rolling=0.01)
    balls = [
        describe.sphere(0.25, material="stone", name=f"ball{i}", position=(0.7 * i, 0.1 * i, 0.5 + 0.05 * i), density=1000.0)
        for i in range(10)
    ]
    return describe.spec(materials=[stone], bodies=[describe.plane(material="stone", name="ground"), *balls])


def run(*arguments, environment=None, timeout=60):
    return subprocess.run(
        [BINARY, *arguments], capture_output=True, text=True, timeout=timeout, env={**os.environ, **(environment or {})}
    )


def health_check(address):
    return run("--health-check", address)


def wait_until(condition, timeout=60.0):
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, "not within a minute"
        time.sleep(0.01)


def test_help_and_version_exit_well():
    assert "--listen" in run("--help").stdout
    assert run("--version").stdout.startswith("talus_server ")


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--nonsense"], "nonsense"),
        (["--listen", "0.0.0.0:0"], "--insecure"),
        (["--listen", "nowhere"], "listen address"),
        (["--workers", "0"], "--workers"),
        (["--call-cores", "0,4096"], "--call-cores = 4096"),
    ],
)
def test_bad_options_exit_with_two_and_say_why(arguments, words):
    result = run(*arguments)
    assert result.returncode == 2
    assert words in result.stderr
    assert result.stdout == ""


def test_scenes_of_a_folder_are_made_by_name(tmp_path):
    (tmp_path / "falling.json").write_text('{"bodies": [{"massKg": 1, "shapes": [{"sphere": {"radiusM": 0.1}}]}]}')
    with launch(scenes=str(tmp_path)) as server:
        assert [scene.name for scene in server.client.named_scenes()] == ["falling"]
        assert server.client.create_scene(named_scene="falling").info().body_count == 1
        (tmp_path / "later.json").write_text("{}")
        with pytest.raises(talus.NotFoundError):
            server.client.create_scene(named_scene="later")


def test_a_bad_scene_in_the_folder_keeps_the_server_from_starting(tmp_path):
    (tmp_path / "bad.json").write_text('{"bodies": [{"massKg": -1, "shapes": [{"sphere": {"radiusM": 0.1}}]}]}')
    result = run("--listen", "127.0.0.1:0", "--scenes", str(tmp_path))
    assert result.returncode == 2
    assert f"--scenes {tmp_path}/bad.json: bodies[0].mass_kg = -1 must be > 0" in result.stderr
    missing = run("--listen", "127.0.0.1:0", environment={"TALUS_SCENES": str(tmp_path / "nowhere")})
    assert missing.returncode == 2 and "nowhere: No such file" in missing.stderr


def test_loopback_and_unix_socket_serve_the_same_scenes(tmp_path):
    path = tmp_path / "talus.sock"
    with launch(listen=["127.0.0.1:0", f"unix:{path}"]) as server:
        assert server.addresses[1] == f"unix:{path}"
        assert not server.addresses[0].endswith(":0")
        for address in server.addresses:
            check = health_check(address)
            assert check.returncode == 0 and check.stdout == "SERVING\n"
        scene = server.client.create_scene(ten_balls(), name="a")
        stepped = scene.step(50)
        with talus.connect(server.addresses[1]) as other:
            assert other.scene("a").info().state_hash == stepped.frame.state_hash
        assert path.is_socket()
        assert server.stop() == 0
    assert not path.exists()


def test_a_socket_in_use_is_an_error_and_a_stale_one_is_replaced(tmp_path):
    path = tmp_path / "talus.sock"
    address = f"unix:{path}"
    with launch(listen=address, statuses=[KILLED]) as server:
        second = run("--listen", address)
        assert second.returncode == 1
        assert "already listening" in second.stderr
        assert health_check(address).returncode == 0
        server.kill()
    assert path.is_socket()
    assert health_check(address).returncode == 1
    with launch(listen=address):
        assert health_check(address).returncode == 0
    precious = tmp_path / "file"
    precious.write_text("precious")
    refused = run("--listen", f"unix:{precious}")
    assert refused.returncode == 1 and "no socket" in refused.stderr
    assert precious.read_text() == "precious"


def test_a_port_in_use_is_an_error():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = "127.0.0.1:%d" % taken.getsockname()[1]
        result = run("--listen", address)
    assert result.returncode == 1
    assert address in result.stderr


def cores_of_threads(pid):
    """The sets of cores that threads of a process may use, by the threads' name."""
    cores = {}
    for status in pathlib.Path(f"/proc/{pid}/task").glob("*/status"):
        fields = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        cores.setdefault(fields["Name"], set()).add(fields["Cpus_allowed_list"])
    return cores


def test_calls_come_on_the_cores_chosen_and_all_else_runs_where_it_did():
    usable = sorted(os.sched_getaffinity(0))
    with launch() as server:
        expected = server.client.create_scene(ten_balls()).step(20).frame.state_hash
        everywhere = cores_of_threads(server.pid)  # not before: its threads get their names as they begin
    with launch(call_cores=usable[-1]) as server:
        assert server.client.create_scene(ten_balls()).step(20).frame.state_hash == expected
        chosen = cores_of_threads(server.pid)
    assert chosen["nexting_thread"] == {str(usable[-1])}  # gRPC's name for those that bring calls
    anywhere = set().union(*cores_of_threads(os.getpid()).values())
    assert everywhere["nexting_thread"] == anywhere
    # The executor's, and those that keep cores awake, of two cores one each; another of gRPC's has no name of its own.
    assert anywhere <= everywhere["talus_server"] <= chosen["talus_server"]


def time_slices_us(pid):
    """The time slices that threads of a process have; 0 where the kernel keeps none of each."""
    libc, attributes = ctypes.CDLL(None, use_errno=True), ctypes.create_string_buffer(48)
    sched_getattr = {"x86_64": 315, "aarch64": 275}[platform.machine()]
    slices = set()
    for thread in os.listdir(f"/proc/{pid}/task"):
        if libc.syscall(sched_getattr, int(thread), attributes, len(attributes), 0) == 0:
            slices.add(struct.unpack_from("=Q", attributes, 24)[0] / 1000)
    return slices


def test_threads_that_bring_calls_have_short_slices_and_those_that_step_long_ones():
    own = time_slices_us(os.getpid())
    if own == {0}:
        pytest.skip("this kernel keeps no time slices of threads")
    # What is started before the options are read, as the thread of the log, has everybody's. A thread asks when it first
    # runs.
    with launch() as server:
        wait_until(lambda: time_slices_us(server.pid) - own == {100, 10_000})
    with launch(time_slice_us=30_000) as server:
        assert time_slices_us(server.pid) - own == {30_000}
    with launch(time_slice_us=0) as server:
        assert time_slices_us(server.pid) == own


def nice_values(pid):
    """How many threads of a process have each nice value."""
    stats = [pathlib.Path(f"/proc/{pid}/task/{thread}/stat").read_text() for thread in os.listdir(f"/proc/{pid}/task")]
    # What is before the last parenthesis are the thread's number and name; nice is the 19th of all.
    return collections.Counter(int(stat.rpartition(")")[2].split()[16]) for stat in stats)


def test_only_threads_that_step_have_the_nice_value_that_was_asked_for():
    own = os.nice(0)
    with launch(workers=2) as server:
        assert nice_values(server.pid)[own + 3] == 0
    workers = max(len(os.sched_getaffinity(0)) - 1, 1)
    with launch(workers=workers) as server:  # where a core is left they go first by default
        chosen = int(re.search(r"step_nice=(-?\d+)", server.log()).group(1)) or own
        wait_until(lambda: nice_values(server.pid)[chosen] >= workers)
        assert chosen == own or nice_values(server.pid)[chosen] == workers, "nobody else does"
    with launch(workers=2, step_nice=own + 3) as server:
        wait_until(lambda: nice_values(server.pid)[own + 3] >= 2)
        assert nice_values(server.pid)[own] > nice_values(server.pid)[own + 3]


def test_options_come_from_the_environment_too():
    limits = {"TALUS_MAX_SCENES": "1", "TALUS_LOG_FORMAT": "json"}
    with launch(environment=limits) as server:
        assert server.client.info().limits.scenes == 1
        server.client.create_scene(ten_balls())
        with pytest.raises(talus.TalusError) as refused:
            server.client.create_scene(ten_balls())
        assert refused.value.limit_name == "scenes"
        server.stop()
        lines = [json.loads(line) for line in server.log().splitlines()]
    failed = [line for line in lines if line["event"] == "call failed"]
    assert len(failed) == 1
    assert failed[0]["code"] == "RESOURCE_EXHAUSTED" and failed[0]["request_id"] and failed[0]["level"] == "warning"
    assert not any("step" in line["event"] for line in lines)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_drains_and_exits_with_zero(end):
    with launch() as server:
        scene = server.client.create_scene(describe_slow_scene(), name="a")
        watched = []

        def watch():
            with pytest.raises(talus.TalusError) as ended:
                for frame in scene.watch():
                    watched.append(frame)
            watched.append(ended.value)

        watcher = threading.Thread(target=watch)
        watcher.start()
        running = scene.submit_step(1_000_000)
        wait_until(lambda: scene.info().step_index > 0 and watched)
        server.process.send_signal(end)
        with pytest.raises(talus.TalusError) as interrupted:
            running.result(60)
        assert interrupted.value.reason == "DRAINING"
        assert interrupted.value.steps_done > 0
        assert server.wait(60) == 0
        watcher.join(60)
        assert watched[-1].reason == "DRAINING"


def describe_slow_scene():
    balls = [
        describe.sphere(0.05, position=(0.11 * (i % 6), 0.11 * (i // 6 % 6), 0.06 + 0.11 * (i // 36)), density=1000.0)
        for i in range(144)
    ]
    return describe.spec(bodies=[describe.plane(), *balls])


def test_kill_restart_restore_continues_like_an_undisturbed_run(tmp_path):
    data = str(tmp_path / "data")
    with launch(data_dir=data, statuses=[KILLED]) as server:
        scene = server.client.create_scene(ten_balls(), name="a")
        scene.step(70)
        saved = scene.snapshot("before")
        undisturbed = [scene.step(1).frame.state_hash for _ in range(40)]
        running = scene.submit_step(1_000_000)
        server.kill()
        with pytest.raises(talus.UnavailableError):
            running.result(60)
    with launch(data_dir=data) as server:
        assert [info.snapshot for info in server.client.snapshots()] == ["snapshots/before"]
        scene = server.client.create_scene(snapshot="snapshots/before", name="again")
        assert scene.info().step_index == 70
        assert scene.info().state_hash == saved.state_hash
        assert [scene.step(1).frame.state_hash for _ in range(40)] == undisturbed


def test_the_hash_does_not_depend_on_the_workers():
    hashes = set()
    for workers in (1, 2, 3, 7):
        with launch(workers=workers) as server:
            hashes.add(server.client.create_scene(describe_slow_scene()).step(30).frame.state_hash)
    assert len(hashes) == 1


def test_a_data_directory_serves_one_server_at_a_time(tmp_path):
    data = str(tmp_path / "data")
    with launch(data_dir=data):
        second = run("--listen", "127.0.0.1:0", "--data-dir", data)
    assert second.returncode == 1
    assert data in second.stderr


def test_the_health_check_fails_where_nobody_listens():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = "127.0.0.1:%d" % free.getsockname()[1]
    result = health_check(address)
    assert result.returncode == 1
    assert address in result.stderr


def test_a_drain_is_over_in_time_even_when_a_step_is_not(tmp_path):
    path = tmp_path / "talus.sock"
    with launch(listen=f"unix:{path}", drain_seconds=0, statuses=(0, 1)) as server:
        scene = server.client.create_scene(describe_slow_scene())
        running = scene.submit_step(1_000_000)
        wait_until(lambda: scene.info().step_index > 0)
        start = time.monotonic()
        server.terminate()
        # 0: the step under way happened to end at once.
        assert server.wait(60) == 0 or "a scene did not come to rest in time" in server.log()
        assert time.monotonic() - start < 30.0  # the steps that were asked for take minutes
        assert not path.exists()
