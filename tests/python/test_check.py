"""attest.check on callables, right and wrong."""

import os
import signal
import threading

import numpy as np
import pytest

import attest
import kernels


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_a_right_callable_with_every_feature_passes(dtype):
    report = attest.check(kernels.with_lse, features=attest.features, dtypes=dtype)
    assert report.exit_code == 0, report.text
    assert report.passed and report.verdict == "holds" and report.failures == []


def test_plain_numbers_of_python_pass():
    report = attest.check(kernels.plain, properties="matches_definition,rows_sum_to_1")
    assert report.exit_code == 0, report.text


@pytest.mark.parametrize(
    "wrong", [kernels.without_last_key, kernels.with_scale_of_keys, kernels.mean_of_values]
)
def test_a_wrong_callable_is_caught(wrong):
    report = attest.check(wrong, properties="matches_definition")
    assert report.exit_code == 1 and report.verdict == "violated"
    failure = report.failures[0]
    assert failure.property == "matches_definition"
    assert abs(failure.observed - failure.expected) > failure.bound
    assert failure.replay == (
        f"attest.replay({wrong.__name__}, 'matches_definition {failure.problem}')"
    )
    assert failure.replay in report.text


def test_the_report_is_that_of_the_program():
    report = attest.check(kernels.mean_of_values, properties="matches_definition", seed=7)
    assert str(report) == report.text
    assert "subject     python:kernels:mean_of_values (mean_of_values)" in report.text
    assert report.text.endswith("exit code 1: failure\n")
    assert report.json["seed"] == 7


def test_the_same_seed_gives_the_same_report():
    runs = [attest.check(kernels.attention, properties="rows_sum_to_1", seed=3) for _ in range(2)]
    assert runs[0].text == runs[1].text


def test_a_report_can_be_saved(tmp_path):
    report = attest.check(kernels.attention, properties="rows_sum_to_1")
    for ending in ("json", "xml", "html"):
        path = tmp_path / f"report.{ending}"
        report.save(str(path))
        assert path.stat().st_size > 0
    with pytest.raises(attest.InputError, match="report.txt"):
        report.save(str(tmp_path / "report.txt"))


def test_a_failure_is_replayed():
    wrong = kernels.without_last_key
    failure = attest.check(wrong, properties="matches_definition").failures[0]
    line = f"matches_definition {failure.problem}"
    assert attest.replay(wrong, line).verdict == "violated"
    assert attest.replay(wrong, line).observed == failure.observed
    assert attest.replay(kernels.attention, line).verdict == "holds"


def test_only_declared_keywords_are_given():
    seen = set()

    def attention(q, k, v, **keywords):
        seen.update(keywords)
        return kernels.attention(q, k, v, **keywords)

    attest.check(attention, features="mask,window", properties="matches_definition")
    assert seen == {"mask", "window"}


def test_dense_inputs_without_strides():
    seen = []

    def attention(q, k, v):
        seen.append(all(x.flags.c_contiguous for x in (q, k, v)))
        return kernels.attention(q, k, v)

    attest.check(attention, properties="matches_definition")
    assert all(seen)
    seen.clear()
    attest.check(attention, features="strides", properties="layouts_agree")
    assert not all(seen)


def test_inputs_are_views_that_cannot_be_written():
    def attention(q, k, v):
        assert q.base is not None
        q *= 2
        return kernels.attention(q, k, v)

    report = attest.check(attention, properties="rows_sum_to_1")
    assert report.verdict == "misbehaved"
    assert "raised ValueError: output array is read-only" in report.failures[0].reason


def test_an_exception_is_misbehaviour_with_its_last_line():
    def attention(q, k, v):
        return {}["no such key"]

    report = attest.check(attention, properties="rows_sum_to_1")
    assert report.verdict == "misbehaved" and report.exit_code == 1
    assert report.failures[0].reason == "raised KeyError: 'no such key'"


def test_an_exit_is_misbehaviour():
    def attention(q, k, v):
        raise SystemExit(0)

    report = attest.check(attention, properties="rows_sum_to_1")
    assert report.failures[0].reason == "raised SystemExit: 0"


def test_declining_what_is_declared_is_misbehaviour():
    def attention(q, k, v, mask):
        if mask is not None:
            raise NotImplementedError("no masks")
        return kernels.attention(q, k, v)

    report = attest.check(attention, features="mask", properties="matches_definition")
    assert "declined" in report.failures[0].reason and "no masks" in report.failures[0].reason


@pytest.mark.parametrize(
    "answer, reason",
    [
        (lambda q, v: np.zeros((1, 2), np.float32), "returned o with shape (1, 2) (due: "),
        (lambda q, v: np.zeros(q.shape, np.float64), "returned o as float64 (due: float32)"),
        (lambda q, v: None, "returned o as object (due: float32)"),
    ],
)
def test_an_answer_of_another_kind_is_misbehaviour(answer, reason):
    report = attest.check(lambda q, k, v: answer(q, v), properties="rows_sum_to_1")
    assert reason in report.failures[0].reason


def test_lse_is_due_where_it_is_declared():
    report = attest.check(kernels.attention, features="lse", properties="matches_definition")
    assert "due: (o, lse), as lse is declared" in report.failures[0].reason


def test_arrays_may_be_kept():
    kept = []

    def attention(q, k, v):
        kept.append((q, q.copy()))
        return kernels.attention(q, k, v)

    report = attest.check(attention, properties="matches_definition")
    assert report.exit_code == 0
    assert all(np.array_equal(view, copy) for view, copy in kept)


def test_the_callable_is_called_on_the_calling_thread():
    threads = set()

    def attention(q, k, v):
        threads.add(threading.get_ident())
        return kernels.attention(q, k, v)

    attest.check(attention, properties="matches_definition")
    assert threads == {threading.get_ident()}


def test_attest_may_be_called_from_the_callable():
    def attention(q, k, v):
        return attest.reference(q, k, v).o

    assert attest.check(attention, properties="matches_definition").exit_code == 0


def test_other_threads_run_meanwhile():
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.wait(0.001):
            ticks.append(0)

    ticker = threading.Thread(target=tick)
    ticker.start()
    attest.check(kernels.attention, properties="matches_definition")
    stop.set()
    ticker.join()
    assert len(ticks) > 5


def test_numpy_does_not_warn_of_what_is_huge_on_purpose(recwarn):
    attest.check(kernels.attention, properties="matches_definition")
    assert len(recwarn) == 0
    with np.errstate(all="raise"):
        report = attest.check(kernels.attention, properties="matches_definition")
    assert "FloatingPointError" in report.failures[0].reason


def interrupting(times, at=30):
    calls = []

    def attention(q, k, v):
        calls.append(0)
        if at <= len(calls) < at + times:
            os.kill(os.getpid(), signal.SIGINT)
        return kernels.attention(q, k, v)

    return attention


def test_ctrl_c_ends_the_run_and_keeps_what_was_found():
    report = attest.check(interrupting(1))
    assert report.interrupted and report.exit_code == 3
    assert "the run was interrupted" in report.text


def test_a_second_ctrl_c_is_passed_on():
    with pytest.raises(KeyboardInterrupt):
        attest.check(interrupting(2))


def test_flush_to_zero_of_the_caller_changes_nothing():
    torch = pytest.importorskip("torch")
    tiny = np.full((1, 1), 1e-40, np.float32)
    if not torch.set_flush_denormal(True):
        pytest.skip("no flush to zero here")
    try:
        assert (
            attest.reference(tiny, tiny, tiny).o.view(np.int32)[0, 0] == tiny.view(np.int32)[0, 0]
        )
    finally:
        torch.set_flush_denormal(False)


def test_a_contract_may_be_a_name_a_dict_or_a_file(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text('{"name": "mine", "from": "float32"}')
    for contract in ("float32", {"name": "mine", "from": "float32"}, path):
        report = attest.check(kernels.attention, contract=contract, properties="rows_sum_to_1")
        assert report.exit_code == 0 and "(declared)" in report.text


def test_a_contract_tells_the_dtype():
    seen = set()

    def attention(q, k, v):
        seen.add(q.dtype.name)
        return kernels.attention(q, k, v)

    attest.check(attention, contract="float64", properties="rows_sum_to_1")
    assert seen == {"float64"}


def test_profiles():
    def nan_rows(q, k, v, mask):
        o = kernels.attention(q, k, v, mask=mask)
        if mask is not None:
            o = np.where(mask.any(axis=-1, keepdims=True), o, np.float32(np.nan))
        return o

    wrong = attest.check(nan_rows, features="mask", properties="matches_definition")
    assert wrong.exit_code == 1 and "pass profile='" in wrong.text
    right = attest.check(
        nan_rows, features="mask", properties="matches_definition", profile="identify"
    )
    assert right.exit_code == 0 and "(identified)" in right.text


@pytest.mark.parametrize(
    "options, message",
    [
        ({"features": "masks"}, "masks"),
        ({"contract": "float31"}, "float31"),
        ({"contract": "bf16-flash"}, "bf16 inputs with tensors='numpy' (allowed: 'torch')"),
        ({"contract": "float32", "dtypes": "f64"}, "contract float32 is about f32 inputs"),
        ({"dtypes": "f8_e5m2"}, "dtype 'f8_e5m2' (allowed: f64, f32, f16, bf16)"),
        ({"profile": "none"}, "none"),
        ({"properties": "no_such_law"}, "no_such_law"),
        ({"effort": 0}, "effort is 0 (allowed: 1 or more)"),
        ({"seed": -1}, "seed is -1 (allowed: a whole number from 0 to 2^64 - 1, or 'random')"),
        ({"tensors": "jax"}, "tensors is 'jax' (allowed: 'numpy', 'torch')"),
        ({"shape": "B=x"}, "B"),
    ],
)
def test_bad_options_are_input_errors(options, message):
    with pytest.raises(attest.InputError) as raised:
        attest.check(kernels.attention, **options)
    assert message in str(raised.value)
    assert isinstance(raised.value, ValueError)


def test_what_cannot_be_called_is_an_input_error():
    with pytest.raises(attest.InputError, match="can't be called"):
        attest.check(3)


def test_a_replay_line_that_does_not_fit_is_an_input_error():
    with pytest.raises(attest.InputError, match="allowed: SUBJECT PROPERTY"):
        attest.replay(kernels.attention, "matches_definition")
    with pytest.raises(attest.InputError, match="declares none"):
        attest.replay(kernels.attention, "matches_definition Lq=2 Lk=2 causal=top_left")
