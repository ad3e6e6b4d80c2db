"""attest.check(..., isolate=True): callables in a process of their own."""

import subprocess
import sys

import pytest

import attest
import kernels

DENSE_FEATURES = [name for name in attest.features if name != "strides"]


@pytest.mark.parametrize("dtype", ["f32", "f16"])
def test_a_right_callable_passes(dtype):
    function = kernels.with_lse if dtype == "f32" else kernels.attention_of_halves
    features = DENSE_FEATURES if dtype == "f32" else "mask,causal_bottom_right"
    properties = "lse_follows_the_bias,masked_keys_weigh_0"
    report = attest.check(
        function, features=features, dtypes=dtype, properties=properties, isolate=True
    )
    assert report.exit_code == 0, report.text


def test_it_sees_what_a_callable_here_sees():
    here, there = (
        attest.check(kernels.mean_of_values, properties="weights_match_definition", isolate=isolate)
        for isolate in (False, True)
    )
    assert here.verdict == there.verdict == "violated"
    assert [f.problem for f in here.failures] == [f.problem for f in there.failures]
    assert [f.observed for f in here.failures] == [f.observed for f in there.failures]
    failure = there.failures[0]
    assert failure.replay.endswith(", isolate=True)") and failure.replay in there.text
    again = attest.replay(
        kernels.mean_of_values, f"weights_match_definition {failure.problem}", isolate=True
    )
    assert again.verdict == "violated"


def test_a_crash_is_survived():
    report = attest.check(kernels.crashing, properties="rows_sum_to_1", isolate=True)
    assert report.verdict == "crashed" and report.exit_code == 1
    assert report.failures[0].verdict == "crashed"
    assert report.json["subject"]["name"] == "crashing"


def test_a_call_that_takes_too_long_is_ended():
    line = "rows_sum_to_1 Lq=300 Lk=300"
    assert attest.replay(kernels.slow, line, isolate=True, timeout=1).verdict == "timed out"
    assert attest.replay(kernels.attention, line, isolate=True, timeout=60).verdict == "holds"


def test_what_it_prints_disturbs_nobody():
    report = attest.check(kernels.chatty, properties="rows_sum_to_1", isolate=True)
    assert report.exit_code == 0, report.text


def test_an_exception_is_told():
    report = attest.check(kernels.raising, properties="rows_sum_to_1", isolate=True)
    assert report.verdict == "misbehaved"
    assert "raised KeyError: 'no such key'" in report.failures[0].reason


def test_contracts_and_profiles_go_along(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text('{"name": "mine", "from": "float64"}')
    for contract in (path, {"name": "mine", "from": "float64"}, "float64"):
        report = attest.check(
            kernels.attention,
            contract=contract,
            profile="attest",
            properties="rows_sum_to_1",
            isolate=True,
        )
        assert report.exit_code == 0 and "for f64 inputs (declared)" in report.text


def test_bf16_tensors_go_along():
    pytest.importorskip("torch")
    import torch_kernels

    report = attest.check(
        torch_kernels.attention,
        features="mask,scale",
        dtypes="bf16",
        tensors="torch",
        properties="matches_definition",
        isolate=True,
    )
    assert report.exit_code == 0, report.text


@pytest.mark.parametrize(
    "function, options, message",
    [
        (lambda q, k, v: v, {}, "<lambda> with isolate=True (allowed: what a module that is not"),
        (kernels.attention, {"features": "strides"}, "strides"),
        (kernels.attention, {"timeout": 0}, "timeout is 0 (allowed: 1 or more seconds)"),
        (kernels.attention, {"contract": "no_such_file.json"}, "no_such_file.json"),
    ],
)
def test_bad_options_are_input_errors(function, options, message):
    with pytest.raises(attest.InputError) as raised:
        attest.check(function, isolate=True, **options)
    assert message in str(raised.value)


def test_a_served_callable_that_is_not_there_ends_with_a_line():
    result = subprocess.run(
        [sys.executable, "-m", "attest.serve", "kernels"], capture_output=True, text=True
    )
    assert result.returncode == 2
    assert result.stderr == "attest: 'kernels' is no callable (allowed: module:name)\n"
