"""Tensors of PyTorch, where it is installed."""

import numpy as np
import pytest

import attest
import kernels

torch = pytest.importorskip("torch")
attention = pytest.importorskip("torch_kernels").attention


@pytest.mark.parametrize("dtype", ["f32", "bf16", "f16"])
def test_a_right_callable_passes(dtype):
    report = attest.check(
        attention, features="mask,causal_top_left,scale", dtypes=dtype, tensors="torch"
    )
    assert report.exit_code == 0, report.text


def test_strides_pass():
    report = attest.check(
        attention, features="strides", tensors="torch", properties="layouts_agree"
    )
    assert report.exit_code == 0, report.text


def test_a_wrong_callable_is_caught():
    def wrong(q, k, v):
        return attention(q, k, v) * 1.001

    report = attest.check(wrong, tensors="torch", properties="matches_definition")
    assert report.verdict == "violated"


def test_functions_of_torch_get_tensors():
    function = getattr(torch.nn.functional, "_scaled_dot_product_attention", None)
    if function is None:
        function = torch.nn.functional.scaled_dot_product_attention
        assert attest.check(function, properties="matches_definition").exit_code == 0
        return
    # That of 1.13 returns the weights too.
    report = attest.check(function, properties="rows_sum_to_1")
    assert "tuple" in report.failures[0].reason
    report = attest.check(lambda q, k, v: function(q, k, v)[0], tensors="torch")
    assert report.exit_code == 0, report.text


def test_bf16_tensors_are_judged_and_answered():
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 4, 8, 16).bfloat16() for _ in range(3))
    out = attention(q, k, v)
    attest.assert_attention(out, q, k, v)
    with pytest.raises(AssertionError, match="bf16-flash"):
        attest.assert_attention(out * 1.1, q, k, v)
    o, lse = attest.reference(q, k, v)
    assert o.dtype == lse.dtype == torch.bfloat16 and o.shape == out.shape
    assert (o.float() - out.float()).abs().max() < 0.05


def test_gradients_are_in_nobodys_way():
    q, k, v = (torch.randn(3, 4, requires_grad=True) for _ in range(3))
    attest.assert_attention(attention(q, k, v), q, k, v)


def test_an_answer_that_is_no_tensor_is_misbehaviour():
    report = attest.check(lambda q, k, v: q.numpy(), tensors="torch", properties="rows_sum_to_1")
    assert "returned o as ndarray (due: a tensor)" in report.failures[0].reason


def test_numpy_callables_may_answer_tensors():
    def answers_tensors(q, k, v):
        return torch.from_numpy(np.array(kernels.attention(q, k, v)))

    assert attest.check(answers_tensors, properties="rows_sum_to_1").exit_code == 0
