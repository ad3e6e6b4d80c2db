"""Compiles attest with CMake, in build/python of the tree, and packs the module _attest.

In the environment, ATTEST_BUILD_FOLDER may name a build folder of attest that is configured.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

TREE = pathlib.Path(__file__).resolve().parents[2]
BUILD = TREE / "build" / "python"


def version() -> str:
    """The project's, which stands in the top CMakeLists.txt alone."""
    text = (TREE / "CMakeLists.txt").read_text()
    return re.search(r"project\(attest VERSION ([\d.]+)", text).group(1)


class CMakeBuild(build_ext):
    """The module is a target of the tree's own build."""

    def build_extension(self, extension: Extension) -> None:
        folder = pathlib.Path(os.environ.get("ATTEST_BUILD_FOLDER") or self.configure())
        subprocess.check_call(
            ["cmake", "--build", str(folder), "--target", "_attest", "-j", str(os.cpu_count() or 1)]
        )
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        (built,) = (folder / "reports" / "python" / "attest").glob("_attest*.so")
        shutil.copy(built, target)
        for program in (folder / "libexec").iterdir():  # started beside the module, found there
            shutil.copy(program, target.parent)

    def configure(self) -> pathlib.Path:
        command = ["cmake", "-S", str(TREE), "-B", str(BUILD), "-G", "Ninja"]
        command += ["-DCMAKE_BUILD_TYPE=Release", "-DATTEST_BUILD_TESTS=OFF", "-DATTEST_PYTHON=ON"]
        command += [f"-DPYTHON_EXECUTABLE={sys.executable}", "--log-level=WARNING"]
        subprocess.check_call(command)
        return BUILD


setup(
    version=version(),
    ext_modules=[Extension("attest._attest", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={"build": {"build_base": str(BUILD / "wheel")}},
)
