"""The package's own files satisfy mypy --strict."""

import os
import shutil
import subprocess

import pytest
import talus

MYPY = shutil.which("mypy", path="/usr/bin") or shutil.which("mypy")


@pytest.mark.skipif(MYPY is None, reason="mypy is not installed")
def test_strict(tmp_path):
    configuration = os.path.join(os.environ["TALUS_SOURCE_DIR"], "clients", "python", "mypy.ini")
    package = os.path.dirname(talus.__file__)
    command = [MYPY, "--config-file", configuration, "--cache-dir", str(tmp_path), package]
    done = subprocess.run(command, capture_output=True, text=True, cwd=os.path.dirname(package))
    assert done.returncode == 0, done.stdout + done.stderr
