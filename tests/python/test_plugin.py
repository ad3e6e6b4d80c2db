"""The fixtures for pytest."""

pytest_plugins = ["pytester"]

TESTS = """
import numpy as np
import kernels

def test_right(attest_check):
    assert attest_check(kernels.attention, properties="rows_sum_to_1").passed

def test_wrong(attest_check):
    attest_check(kernels.mean_of_values, properties="weights_match_definition")

def test_output(assert_attention):
    q = np.ones((2, 3), np.float32)
    assert_attention(q, q, q, q)
"""


def test_the_fixtures_pass_and_fail(pytester):
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_inprocess("-p", "attest.pytest_plugin", "--attest-effort", "2")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        ["*effort 2", "*weights_match_definition: violated", "*exit code 1: failure"]
    )
