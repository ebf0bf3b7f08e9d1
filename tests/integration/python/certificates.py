"""Certificates and tokens made for one test run with the openssl command; nothing of it is kept."""

import hashlib
import subprocess


class Authority:
    """An authority in `folder`, and what it signs."""

    def __init__(self, folder, name):
        self.folder = folder
        self.name = name
        self.path = str(folder / f"{name}.pem")
        _openssl(
            "req", "-x509", *_NEW_KEY, "-subj", f"/CN={name}", "-days", "2",
            "-keyout", self._file("key"), "-out", self.path,
        )  # fmt: skip

    def issue(self, name, days=2):
        """Paths of a certificate for localhost and of its key. No days: it ends as it is made."""
        base = f"{self.name}-{name}"
        key, request, certificate = (str(self.folder / f"{base}.{kind}") for kind in ("key", "csr", "pem"))
        names = self.folder / f"{base}.ext"
        names.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n")
        _openssl("req", *_NEW_KEY, "-subj", f"/CN={name}", "-keyout", key, "-out", request)
        _openssl(
            "x509", "-req", "-in", request, "-CA", self.path, "-CAkey", self._file("key"), "-CAcreateserial",
            "-days", str(days), "-extfile", str(names), "-out", certificate,
        )  # fmt: skip
        return certificate, key

    def _file(self, kind):
        return str(self.folder / f"{self.name}.{kind}")


def token_file(path, **tokens):
    """Writes a table of tokens: scope -> token."""
    lines = [f"{scope}-bearer {scope} {hashlib.sha256(token.encode()).hexdigest()}" for scope, token in tokens.items()]
    path.write_text("\n".join(lines) + "\n")
    path.chmod(0o600)
    return str(path)


_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


def _openssl(*arguments):
    subprocess.run(("openssl", *arguments), check=True, capture_output=True)
