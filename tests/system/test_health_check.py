"""talus_server --health-check with the options of a command line and of a container, by TLS too."""

import os
import subprocess

import pytest

import talus

BINARY = os.environ["TALUS_SERVER"]
NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


class Certificates:
    """An authority, and what it signs, as files of a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.make_authority("authority")
        self.make_authority("stranger")

    def file(self, name):
        return str(self.folder / name)

    def make_authority(self, name):
        openssl("req", "-x509", *NEW_KEY, "-subj", f"/CN={name}", "-days", "2",
                "-keyout", self.file(f"{name}.key"), "-out", self.file(f"{name}.pem"))

    def issue(self, name, names):
        """`name`.pem and `name`.key, signed by the authority and made out to `names`."""
        extensions = self.folder / f"{name}.ext"
        extensions.write_text(f"subjectAltName={names}\nbasicConstraints=CA:FALSE\n")
        openssl("req", *NEW_KEY, "-subj", f"/CN={name}", "-keyout", self.file(f"{name}.key"),
                "-out", self.file(f"{name}.csr"))
        openssl("x509", "-req", "-in", self.file(f"{name}.csr"), "-CA", self.file("authority.pem"),
                "-CAkey", self.file("authority.key"), "-CAcreateserial", "-days", "2",
                "-extfile", str(extensions), "-out", self.file(f"{name}.pem"))

    def variables(self, name, **others):
        """The environment of a server that has the certificate `name`."""
        return {"TALUS_TLS_CERT": self.file(f"{name}.pem"), "TALUS_TLS_KEY": self.file(f"{name}.key"), **others}


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    made = Certificates(tmp_path_factory.mktemp("certificates"))
    made.issue("here", "DNS:localhost,IP:127.0.0.1")
    made.issue("elsewhere", "DNS:sim.example")
    return made


def probe(address, *arguments, environment=None):
    result = subprocess.run([BINARY, "--health-check", address, *arguments], capture_output=True, text=True, timeout=60,
                            env={**os.environ, **(environment or {})})
    assert (result.returncode, result.stdout) in ((0, "SERVING\n"), (1, "")), result
    if result.returncode == 1:
        # Behind what gRPC reports of a handshake.
        assert result.stderr.splitlines()[-1].startswith(f"{address}: "), result.stderr
    return result


def probe_own(**variables):
    """The probe without an address, as the image's HEALTHCHECK calls it, in the environment of the server."""
    return subprocess.run([BINARY, "--health-check"], capture_output=True, text=True, timeout=60,
                          env={**os.environ, **variables})


def serves(address, *arguments, environment=None):
    return probe(address, *arguments, environment=environment).returncode == 0


@pytest.mark.parametrize("listen", ["127.0.0.1:0", "0.0.0.0:0", "[::]:0", "unix:{folder}/talus.sock"])
def test_without_an_address_the_first_one_listened_on_is_asked(listen, tmp_path):
    with talus.launch(listen=listen.format(folder=tmp_path), environment={"TALUS_INSECURE": "true"}) as server:
        variables = {"TALUS_LISTEN": f"{server.address},127.0.0.1:9", "TALUS_INSECURE": "true"}
        result = probe_own(**variables)
        assert (result.returncode, result.stdout) == (0, "SERVING\n"), result
        assert server.stop() == 0
    result = probe_own(**variables)
    assert (result.returncode, result.stdout) == (1, ""), "nobody listens"


def test_without_an_address_a_port_that_the_system_chooses_cannot_be_asked():
    result = probe_own(TALUS_LISTEN="127.0.0.1:0")
    assert (result.returncode, result.stdout) == (2, "")
    assert "--health-check" in result.stderr and "127.0.0.1:0" in result.stderr


def test_whoever_answers_where_the_server_listens_is_believed(certificates):
    """As on loopback: an address of this machine is no other machine's."""
    variables = certificates.variables("elsewhere", TALUS_INSECURE="true")
    with talus.launch(listen="0.0.0.0:0", environment=variables) as server:
        assert serves(server.address, environment={**variables, "TALUS_LISTEN": server.address})
        assert not serves(server.address, environment=variables), "for all we know another machine's"
        assert server.stop() == 0


@pytest.mark.parametrize("name", ["here", "elsewhere"])
def test_in_the_environment_of_the_server_nothing_more_is_needed(certificates, name):
    variables = certificates.variables(name)
    with talus.launch(environment=variables) as server:
        assert serves(server.address, environment=variables)
        assert not serves(server.address), "plain text"
        assert server.stop() == 0
    assert not serves(server.address, environment=variables), "nobody listens"


def test_a_renewed_file_does_not_make_the_server_ill(certificates):
    with talus.launch(environment=certificates.variables("here")) as server:
        assert serves(server.address, environment=certificates.variables("elsewhere"))
        assert server.stop() == 0


def test_with_authorities_the_certificate_must_be_theirs_and_made_out_to_the_address(certificates):
    ours, others = certificates.file("authority.pem"), certificates.file("stranger.pem")
    with talus.launch(environment=certificates.variables("here")) as server:
        assert serves(server.address, "--tls-ca", ours)
        assert not serves(server.address, "--tls-ca", others)
        assert server.stop() == 0
    with talus.launch(environment=certificates.variables("elsewhere")) as server:
        assert not serves(server.address, "--tls-ca", ours), "127.0.0.1 is not sim.example"
        assert server.stop() == 0


def test_a_server_that_asks_for_certificates_is_shown_its_own(certificates):
    variables = certificates.variables("here", TALUS_TLS_CLIENT_CA=certificates.file("authority.pem"))
    with talus.launch(environment=variables) as server:
        assert serves(server.address, environment=variables)
        assert not serves(server.address, "--tls-ca", certificates.file("authority.pem")), "shows none"
        assert server.stop() == 0
    variables["TALUS_TLS_CLIENT_CA"] = certificates.file("stranger.pem")
    with talus.launch(environment=variables) as server:
        assert not serves(server.address, environment=variables), "not signed by the stranger"
        own = ["--tls-cert", certificates.file("stranger.pem"), "--tls-key", certificates.file("stranger.key")]
        assert serves(server.address, "--tls-ca", certificates.file("authority.pem"), *own)
        assert server.stop() == 0


def test_a_unix_socket_is_asked_in_plain_text(certificates, tmp_path):
    variables = certificates.variables("here")
    address = f"unix:{tmp_path}/talus.sock"
    with talus.launch(environment=variables, listen=address) as server:
        assert serves(address, environment=variables)
        assert server.stop() == 0


def test_a_token_is_not_needed(certificates, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"pilot control {'0' * 64}\n")
    tokens.chmod(0o600)
    variables = certificates.variables("here", TALUS_TOKEN_FILE=str(tokens))
    with talus.launch(environment=variables) as server:
        assert serves(server.address, environment=variables)
        assert server.stop() == 0


@pytest.mark.parametrize("option, words", [("--tls-ca", "--tls-ca"), ("--tls-cert", "--tls-cert")])
def test_files_that_are_missing_are_named(certificates, option, words):
    arguments = [option, certificates.file("nothing.pem")]
    if option == "--tls-cert":
        arguments += ["--tls-key", certificates.file("here.key")]
    result = probe("127.0.0.1:9", *arguments)
    assert result.returncode == 1
    assert words in result.stderr and "nothing.pem" in result.stderr


def test_authorities_mean_nothing_to_a_server(certificates):
    result = subprocess.run([BINARY, "--tls-ca", certificates.file("authority.pem")], capture_output=True, text=True)
    assert result.returncode == 2
    assert "--tls-ca" in result.stderr and "--health-check" in result.stderr
