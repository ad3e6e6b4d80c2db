"""The Python quick-start of README, as printed, in an empty folder."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

SOURCE = os.environ.get("ATTEST_SOURCE_FOLDER")
HEADING = "## From Python"


def block():
    """The lines of the quick-start, without their indent."""
    section = pathlib.Path(SOURCE, "README.md").read_text().split(f"\n{HEADING}\n")[1]
    section = section.split("\n## ")[0]
    return [line[4:] for line in section.splitlines() if line.startswith("    ") or not line]


def steps():
    """Each command with what is printed below it."""
    found = []
    for line in block():
        if line.startswith("$ "):
            found.append((line[2:].split("  #")[0].rstrip(), []))
        elif found:
            found[-1][1].append(line)
    return [(command, "\n".join(printed).strip("\n")) for command, printed in found]


def pattern(printed):
    """A line of dots stands for any lines."""
    lines = [".*" if line == "..." else re.escape(line) for line in printed.splitlines()]
    return re.compile("\n".join(lines), re.DOTALL)


@pytest.mark.skipif(SOURCE is None, reason="ATTEST_SOURCE_FOLDER is not set")
def test_the_quick_start_prints_what_readme_says(tmp_path):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    ran = []
    for command, printed in steps():
        if command.startswith("cat "):
            (tmp_path / command[4:]).write_text(printed + "\n")
            continue
        command = command.replace("~/attest", SOURCE).replace("python3 ", f"{sys.executable} ", 1)
        result = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert result.returncode == 0, result.stdout
        if printed:
            assert pattern(printed).fullmatch(result.stdout.rstrip("\n")), result.stdout
        ran.append(command)
    assert len(ran) == 3


def test_a_pattern_can_fail():
    assert pattern("a\n...\nd").fullmatch("a\nb\nc\nd")
    assert not pattern("a\n...\nd").fullmatch("a\nb\nc")
    assert not pattern("1.5").fullmatch("1x5")
