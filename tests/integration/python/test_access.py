"""TLS, client certificates and tokens through the Python client, against the real server."""

import asyncio
import json
import os
import subprocess
import urllib.request

import pytest
import talus
import talus.aio
from certificates import Authority, token_file
from conftest import launch, pair_spec

TOKENS = {"read": "token-that-may-read", "control": "token-that-may-control", "admin": "token-that-may-do-all"}


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("ca"), "authority")


@pytest.fixture(scope="module")
def secured(authority, tmp_path_factory):
    """A server that asks for a client certificate and a token."""
    folder = tmp_path_factory.mktemp("secured")
    certificate, key = authority.issue("server")
    with launch(
        data_dir=str(folder / "data"),
        tls_cert=certificate,
        tls_key=key,
        tls_client_ca=authority.path,
        token_file=token_file(folder / "tokens", **TOKENS),
        log_level="info",
    ) as running:
        yield running


@pytest.fixture(scope="module")
def own(authority):
    """A client's certificate and key."""
    return authority.issue("client")


def load(authority, own, token=TOKENS["control"]):
    return talus.Access.load(ca=authority.path, certificate=own[0], key=own[1], token=token)


def test_certificate_and_token_let_a_client_work(secured, authority, own):
    with talus.connect(secured.address, access=load(authority, own)) as client:
        scene = client.create_scene(pair_spec())
        result = scene.step(8, positions=True)
        assert result.frame.positions.shape == (2, 3)
        assert scene.submit_step(2).result().steps_done == 2
        assert len(scene.download()) > 100
        frames = scene.watch(frame_limit=1)
        assert next(iter(frames)).positions.shape == (2, 3)
        scene.delete()


def test_the_asyncio_client_too(secured, authority, own):
    async def work():
        async with talus.aio.connect(secured.address, access=load(authority, own)) as client:
            scene = await client.create_scene(pair_spec())
            result = await scene.step(8, positions=True)
            assert result.steps_done == 8
            async for frame in scene.watch(frame_limit=1):
                assert frame.positions.shape == (2, 3)
            await scene.delete()
        async with talus.aio.connect(secured.address, access=load(authority, own, TOKENS["read"])) as client:
            with pytest.raises(talus.PermissionDeniedError):
                await client.create_scene(pair_spec())

    asyncio.run(work())


def test_each_scope_reaches_as_far_as_it_says(secured, authority, own):
    def connect(token):
        return talus.connect(secured.address, access=load(authority, own, token))

    with connect(TOKENS["read"]) as viewer, connect(TOKENS["control"]) as pilot, connect(TOKENS["admin"]) as keeper:
        scene = pilot.create_scene(pair_spec(), name="scoped")
        assert viewer.scene("scoped").info().body_count == 2
        with pytest.raises(talus.PermissionDeniedError) as refusal:
            viewer.scene("scoped").step()
        assert refusal.value.reason == "SCOPE_MISSING"
        scene.snapshot("kept")
        with pytest.raises(talus.PermissionDeniedError):
            pilot.delete_snapshot("snapshots/kept")
        keeper.delete_snapshot("snapshots/kept")
        keeper.scene("scoped").delete()
    with connect(None) as nobody:
        with pytest.raises(talus.UnauthenticatedError) as refusal:
            nobody.info()
        assert refusal.value.reason == "UNAUTHENTICATED"
    with connect("token-of-nobody") as stranger, pytest.raises(talus.UnauthenticatedError):
        stranger.info()


def test_who_does_not_fit_gets_no_connection(secured, authority, own, tmp_path):
    stranger = Authority(tmp_path, "stranger")
    wrong = [
        talus.Access.load(ca=stranger.path, certificate=own[0], key=own[1], token=TOKENS["read"]),
        load(authority, stranger.issue("client")),
        load(authority, authority.issue("late", days=0)),
        talus.Access.load(ca=authority.path, token=TOKENS["read"]),
        None,
    ]
    for access in wrong:
        client = talus.Client(secured.address, timeout=5.0, access=access)
        with client, pytest.raises(talus.UnavailableError):
            client.info()


def test_a_token_does_not_leave_the_machine_in_plain_text(tmp_path):
    access = talus.Access(token="secret-token")
    for make in (talus.Client, talus.connect, talus.aio.Client):
        with pytest.raises(ValueError, match="plain text"):
            make("sim.example:50051", access=access)
    assert "secret-token" not in repr(access)
    for address in ("localhost:1", "127.0.0.1:1", "[::1]:1", "unix:/run/x"):
        talus.Client(address, access=access).close()
    with pytest.raises(ValueError, match="need each other"):
        talus.Client("localhost:1", access=talus.Access(tls=True, certificate=b"x"))
    with pytest.raises(ValueError, match="holds no token"):
        (tmp_path / "empty").write_text("\n")
        talus.Access.load(token_file=tmp_path / "empty")


def test_tokens_work_in_plain_text_on_this_machine(tmp_path):
    socket = f"unix:{tmp_path}/talus.sock"
    (tmp_path / "token").write_text(TOKENS["control"] + "\n")
    access = talus.Access.load(token_file=tmp_path / "token")
    table = token_file(tmp_path / "tokens", **TOKENS)
    with launch(listen=["127.0.0.1:0", socket], token_file=table) as server:
        for address in server.addresses:
            with talus.connect(address, access=access) as client:
                client.create_scene(pair_spec()).step()
            with talus.connect(address) as nobody, pytest.raises(talus.UnauthenticatedError):
                nobody.info()


def test_the_log_tells_who_did_what_and_no_secret(secured, authority, own):
    with talus.connect(secured.address, access=load(authority, own)) as client:
        client.create_scene(pair_spec(), name="logged").delete()
    log = secured.log()
    assert "call begins" in log and "SceneService/DeleteScene" in log and "control-bearer" in log
    for token in TOKENS.values():
        assert token not in log


@pytest.mark.parametrize(
    "options, says",
    [
        ({"tls_cert": "late", "tls_key": "late"}, "expired at"),
        ({"tls_cert": "good", "tls_key": "late"}, "is not the key of"),
        ({"tls_cert": "missing", "tls_key": "good"}, "No such file"),
        ({"token_file": "open"}, "must not be readable by others"),
        ({"token_file": "broken"}, "line 1"),
        ({"listen": "0.0.0.0:0", "tls_cert": "good", "tls_key": "good"}, "without authentication"),
        ({"listen": "0.0.0.0:0"}, "without encryption or authentication"),
    ],
)
def test_a_server_that_would_not_be_safe_does_not_start(authority, tmp_path, options, says):
    good, late = authority.issue("good"), authority.issue("late", days=0)
    (tmp_path / "broken").write_text("ci root 00\n")
    (tmp_path / "broken").chmod(0o600)
    os.chmod(token_file(tmp_path / "open", **TOKENS), 0o644)
    files = {
        ("tls_cert", "good"): good[0],
        ("tls_key", "good"): good[1],
        ("tls_cert", "late"): late[0],
        ("tls_key", "late"): late[1],
        ("tls_cert", "missing"): str(tmp_path / "missing"),
        ("token_file", "open"): str(tmp_path / "open"),
        ("token_file", "broken"): str(tmp_path / "broken"),
    }
    with pytest.raises(talus.LaunchError, match=says):
        talus.launch(**{name: files.get((name, value), value) for name, value in options.items()})


def test_metrics_are_read_by_http(tmp_path):
    with launch(metrics_listen="127.0.0.1:0", data_dir=str(tmp_path / "data"), log_level="info") as server:
        scene = server.client.create_scene(pair_spec())
        scene.step(5)
        with pytest.raises(talus.NotFoundError):
            server.client.scene("nowhere").info()
        address = server.metrics_address
        with urllib.request.urlopen(f"http://{address}/metrics", timeout=30) as page:
            lines = page.read().decode().splitlines()
        assert "talus_scenes 1" in lines
        assert "talus_step_seconds_count 5" in lines
        assert 'talus_calls_total{method="SimulationService/Step",code="OK"} 1' in lines
        assert 'talus_calls_total{method="SceneService/GetScene",code="NOT_FOUND"} 1' in lines
        with urllib.request.urlopen(f"http://{address}/readyz", timeout=30) as page:
            assert page.status == 200


def doctor(address, *options, environment=None):
    """Exit code and findings (check -> finding) of talusctl doctor."""
    talusctl = os.path.join(os.environ["TALUS_BUILD_DIR"], "bin", "talusctl")
    run = subprocess.run(
        [talusctl, "--json", "--server", address, *options, "doctor"],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **(environment or {})},
    )
    report = json.loads(run.stdout)
    assert report["healthy"] == (run.returncode == 0)
    return run.returncode, {finding["check"]: finding for finding in report["checks"]}


def test_the_doctor_finds_a_good_server_good(secured, authority, own):
    tls = ["--tls-ca", authority.path, "--tls-cert", own[0], "--tls-key", own[1]]
    status, findings = doctor(secured.address, *tls, environment={"TALUS_TOKEN": TOKENS["control"]})
    assert status == 0, findings
    assert "days left" in findings["certificate"]["found"]
    assert findings["certificate"]["state"] == "warning"
    assert findings["scope"]["found"] == "control"
    assert findings["storage"]["state"] == "good"
    assert findings["round trip"]["found"].startswith("median ")
    assert {"connection", "health", "token", "version", "clock", "cores", "scenes", "open files"} <= set(findings)


def test_the_doctor_says_what_is_wrong(secured, authority, own, tmp_path):
    tls = ["--tls-ca", authority.path, "--tls-cert", own[0], "--tls-key", own[1]]
    status, findings = doctor(secured.address, *tls, environment={"TALUS_TOKEN": "token-of-nobody"})
    assert status == 1 and findings["token"]["state"] == "bad"
    status, findings = doctor(secured.address, *tls, environment={"TALUS_TOKEN": TOKENS["read"]})
    assert status == 0 and findings["scope"]["found"] == "read"
    stranger = Authority(tmp_path, "stranger")
    status, findings = doctor(secured.address, "--tls-ca", stranger.path, *tls[2:])
    assert status == 1 and findings["connection"]["state"] == "bad"
    with launch(max_scenes=1) as server:
        server.client.create_scene(pair_spec())
        status, findings = doctor(server.address)
        assert status == 1 and findings["scenes"]["found"] == "1 of 1"
        assert findings["storage"]["state"] == "warning" and "--data-dir" in findings["storage"]["advice"]
        address = server.address
    status, findings = doctor(address)
    assert status == 1 and list(findings) == ["connection"] and "is a server running" in findings["connection"]["advice"]
