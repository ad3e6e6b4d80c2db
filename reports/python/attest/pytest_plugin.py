"""Fixtures for pytest: attest_check and assert_attention. Loaded by its entry point, pytest11."""

from __future__ import annotations

from typing import Any, Callable

import pytest

import attest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("attest", "attention checked by attest")
    group.addoption(
        "--attest-effort",
        type=int,
        default=1,
        metavar="N",
        help="multiplies the number of problems of attest_check (1)",
    )


@pytest.fixture
def attest_check(request: pytest.FixtureRequest) -> Callable[..., attest.Report]:
    """attest.check that fails the test, with the report, unless every law holds."""
    effort = request.config.getoption("--attest-effort")

    def check(function: Callable[..., Any], **options: Any) -> attest.Report:
        __tracebackhide__ = True
        report = attest.check(function, **{"effort": effort, **options})
        if report.interrupted:
            raise KeyboardInterrupt
        if not report.passed:
            pytest.fail(report.text, pytrace=False)
        return report

    return check


@pytest.fixture
def assert_attention() -> Callable[..., None]:
    """attest.assert_attention."""
    return attest.assert_attention
