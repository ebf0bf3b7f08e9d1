"""launch() waits for the address, hands over standard error on failure, and leaves no process behind."""

import os
import stat
import subprocess
import sys
import time

import pytest
import talus
from talus import server as launcher


@pytest.fixture()
def binary(tmp_path):
    """Writes a stand-in for talus_server: a shell script of the given lines."""

    def write(*lines):
        path = tmp_path / "talus_server"
        path.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    return write


def alive(pid):
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False


def test_addresses_are_read(binary):
    path = binary("echo 'listening on 127.0.0.1:4711'", "echo 'listening on unix:/x/y.sock'", "exec sleep 60")
    with talus.launch(binary=path, listen=["127.0.0.1:0", "unix:/x/y.sock"]) as server:
        assert server.addresses == ["127.0.0.1:4711", "unix:/x/y.sock"] and server.address == "127.0.0.1:4711"
        assert alive(server.pid) and server.peak_memory_bytes() > 0
    assert not alive(server.pid)


def test_options_become_flags(binary, tmp_path):
    path = binary(f"echo \"$@\" > {tmp_path}/seen", "echo \"$EXTRA\" >> " + f"{tmp_path}/seen", "echo 'listening on a:1'", "exec sleep 60")
    with talus.launch(
        binary=path, workers=3, data_dir="/d", insecure=True, log_level=None, quiet=False, tag=["a", "b"],
        environment={"EXTRA": "set"},
    ):
        seen = (tmp_path / "seen").read_text().split("\n")
    assert seen[0] == "--end-with-stdin --listen 127.0.0.1:0 --workers 3 --data-dir /d --insecure --tag a --tag b"
    assert seen[1] == "set"


def test_options_of_other_servers_are_not_inherited(binary, monkeypatch, tmp_path):
    path = binary(f"env > {tmp_path}/seen", "echo 'listening on a:1'", "exec sleep 60")
    monkeypatch.setenv("TALUS_WORKERS", "7")
    monkeypatch.setenv("TALUS_DATA_DIR", "/of/another")
    monkeypatch.setenv("KEPT", "yes")
    with talus.launch(binary=path, environment={"TALUS_WORKERS": "3"}):
        seen = (tmp_path / "seen").read_text().split("\n")
    assert [line for line in seen if line.startswith("TALUS_")] == ["TALUS_WORKERS=3"]
    assert "KEPT=yes" in seen and os.environ["TALUS_WORKERS"] == "7"


def test_failure_shows_standard_error(binary):
    with pytest.raises(talus.LaunchError, match="(?s)status 2.*unknown option --nonsense"):
        talus.launch(binary=binary("echo 'unknown option --nonsense' >&2", "exit 2"), nonsense=True)


def test_silence_is_a_failure_and_is_killed(binary, tmp_path):
    path = binary(f"echo $$ > {tmp_path}/pid", "trap '' TERM", "echo 'still thinking' >&2", "while :; do sleep 0.1; done")
    with pytest.raises(talus.LaunchError, match="(?s)did not listen.*still thinking"):
        talus.launch(binary=path, start_timeout=2.0)
    assert not alive(int((tmp_path / "pid").read_text()))


def test_a_server_that_ignores_sigterm_is_killed(binary):
    path = binary("trap '' TERM", "echo 'listening on a:1'", "while :; do sleep 0.1; done")
    server = talus.launch(binary=path)
    begin = time.monotonic()
    assert server.stop(timeout=0.3) == -9
    assert time.monotonic() - begin < 9 and not alive(server.pid)
    assert server.stop() == -9  # again: nothing to do


def test_exit_status_and_log(binary):
    path = binary("trap 'echo drained >&2; exit 0' TERM", "echo 'listening on a:1'", "while :; do sleep 0.05; done")
    server = talus.launch(binary=path)
    with pytest.raises(TimeoutError):
        server.wait(0.05)
    server.terminate()
    assert server.wait(60) == 0
    assert server.stop() == 0 and "drained" in server.log()


def test_the_block_s_error_passes_and_the_server_ends(binary):
    path = binary("echo 'listening on a:1'", "exec sleep 60")
    with pytest.raises(KeyError):
        with talus.launch(binary=path) as server:
            raise KeyError("of the caller")
    assert not alive(server.pid)


def test_the_interpreter_s_end_ends_the_server(binary):
    path = binary("echo 'listening on a:1'", "exec sleep 60")
    code = f"import talus; print(talus.launch(binary={path!r}).pid, flush=True); 1 / 0"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and not alive(int(done.stdout))


def test_finding_the_binary(binary, monkeypatch, tmp_path):
    monkeypatch.setenv("TALUS_SERVER", "/named/by/environment")
    assert launcher.find_server() == "/named/by/environment"
    with pytest.raises(talus.LaunchError, match="cannot start"):
        talus.launch()
    monkeypatch.delenv("TALUS_SERVER")
    monkeypatch.setattr(launcher, "__file__", str(tmp_path / "build" / "python" / "talus" / "server.py"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(talus.LaunchError, match="TALUS_SERVER"):
        launcher.find_server()
    assert launcher.shutil.which("talus_server") is None
    path = binary("exit 0")
    assert launcher.find_server() == path
    built = tmp_path / "build" / "bin" / "talus_server"
    built.parent.mkdir(parents=True)
    os.link(path, built)
    assert launcher.find_server() == str(built)
