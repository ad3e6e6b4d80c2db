"""attest.assert_attention."""

import numpy as np
import pytest

import attest
import kernels


def arrays(dtype, queries=5, keys=7):
    random = np.random.default_rng(4)
    return [random.normal(size=(2, 3, n, 4)).astype(dtype) for n in (queries, keys, keys)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"causal": "bottom_right"},
        {"window": (2, 1)},
        {"scale": 0.3},
        {"dilation": 2},
        {"slopes": np.array([0.5, 0.25, 0.125], np.float32)},
    ],
)
def test_a_right_output_passes(dtype, options):
    q, k, v = arrays(dtype)
    o, lse = kernels.attention(q, k, v, with_lse=True, **options)
    attest.assert_attention(o, q, k, v, lse=lse, **options)


def test_dropout_counts_with_its_scale():
    q, k, v = arrays(np.float32)
    kept = np.random.default_rng(5).random(size=(3, 5, 7)) < 0.9
    dropout = {"dropout_mask": kept, "dropout_scale": 1 / 0.9}
    o, lse = kernels.attention(q, k, v, with_lse=True, **dropout)
    attest.assert_attention(o, q, k, v, lse=lse, **dropout)
    with pytest.raises(AssertionError, match="violated"):
        attest.assert_attention(o, q, k, v, lse=lse, dropout_mask=kept)
    with pytest.raises(attest.InputError, match="dropout_scale is 0.5 .allowed: 1 to 2.40"):
        attest.assert_attention(o, q, k, v, dropout_mask=kept, dropout_scale=0.5)


def test_a_right_half_passes():
    q, k, v = arrays(np.float16)
    wide = [x.astype(np.float32) for x in (q, k, v)]
    attest.assert_attention(kernels.attention(*wide).astype(np.float16), q, k, v)


def test_values_that_are_all_alike_pass():
    q, k, _ = arrays(np.float32)
    v = np.full(k.shape, 0.1, np.float32)
    attest.assert_attention(np.full(q.shape, 0.1, np.float32), q, k, v)
    with pytest.raises(AssertionError, match="120 of 120 elements"):
        attest.assert_attention(np.full(q.shape, 0.1001, np.float32), q, k, v)


def test_ranks_2_and_3():
    q, k, v = arrays(np.float32)
    o = kernels.attention(q, k, v)
    attest.assert_attention(o[0], q[0], k[0], v[0])
    attest.assert_attention(o[0, 0], q[0, 0], k[0, 0], v[0, 0])


def test_a_wrong_element_is_shown_with_its_bound():
    q, k, v = arrays(np.float32)
    o = kernels.attention(q, k, v)
    o[1, 2, 3, 1] += 0.001
    with pytest.raises(AssertionError) as raised:
        attest.assert_attention(o, q, k, v)
    text = str(raised.value)
    assert "attention output is violated: 1 of 120 elements are further" in text
    assert "o[b=1,h=2,i=3,d=1]" in text
    assert "times the bound of" in text
    assert "derived from contract float32 (every stage in fp32)" in text
    assert "derivation/bounds/forward.md" in text


def test_a_wrong_mask_is_caught_and_a_wrong_lse():
    q, k, v = arrays(np.float32)
    o, lse = kernels.attention(q, k, v, with_lse=True, causal="top_left")
    attest.assert_attention(o, q, k, v, lse=lse, causal="top_left")
    with pytest.raises(AssertionError, match="violated"):
        attest.assert_attention(o, q, k, v, causal="bottom_right")
    with pytest.raises(AssertionError, match=r"lse\["):
        attest.assert_attention(o, q, k, v, lse=lse + np.float32(0.01), causal="top_left")


def test_a_forgotten_pattern_is_caught():
    q, k, v = arrays(np.float32)
    o = kernels.attention(q, k, v, chunk=3)
    attest.assert_attention(o, q, k, v, chunk=3)
    with pytest.raises(AssertionError, match="violated"):
        attest.assert_attention(o, q, k, v)
    with pytest.raises(AssertionError, match="violated"):
        attest.assert_attention(o, q, k, v, chunk=3, dilation=2)


def test_nan_is_no_answer():
    q, k, v = arrays(np.float32)
    o = kernels.attention(q, k, v)
    o[0, 0, 0, 0] = np.nan
    with pytest.raises(AssertionError, match="wrong class"):
        attest.assert_attention(o, q, k, v)


def test_what_cannot_be_decided_is_no_pass():
    q, k, v = arrays(np.float16)
    q, k = q * np.float16(30), k * np.float16(30)
    o = kernels.attention(*(x.astype(np.float32) for x in (q, k, v))).astype(np.float16)
    with pytest.raises(AssertionError, match="undecided"):
        attest.assert_attention(o, q, k, v, contract="fp16-accumulate")


def test_the_contract_decides():
    q, k, v = arrays(np.float32)
    o = kernels.attention(*(x.astype(np.float16) for x in (q, k, v))).astype(np.float32)
    with pytest.raises(AssertionError, match="violated"):
        attest.assert_attention(o, q, k, v, contract="float32")
    with pytest.raises(
        attest.InputError, match="contract float64 is about f64 inputs, but q is f32"
    ):
        attest.assert_attention(o, q, k, v, contract="float64")


def test_the_dtype_of_out_is_the_contracts():
    q, k, v = arrays(np.float32)
    with pytest.raises(
        attest.InputError, match=r"out is f64 \(allowed: f32, the output of contract float32\)"
    ):
        attest.assert_attention(kernels.attention(q, k, v).astype(np.float64), q, k, v)


def test_sizes_must_be_those_of_the_answer():
    q, k, v = arrays(np.float32)
    with pytest.raises(
        attest.InputError, match=r"out has sizes \[2, 3, 7, 4\] \(allowed: \[2, 3, 5, 4\]\)"
    ):
        attest.assert_attention(v, q, k, v)


def test_another_reading_that_would_be_right_is_told():
    q, k, v = arrays(np.float32)
    o = kernels.attention(q, k, v, causal="top_left")
    with pytest.raises(AssertionError, match="are right with: .*causal='top_left'"):
        attest.assert_attention(o, q, k, v, causal="bottom_right")


def test_heads_may_come_after_positions():
    q, k, v = arrays(np.float32)
    o = kernels.attention(q, k, v)
    turned = [np.swapaxes(x, 1, 2) for x in (o, q, k, v)]
    attest.assert_attention(*turned, layout="blhd")
    with pytest.raises(attest.InputError, match="layout is 'lbhd' \\(allowed: 'bhld', 'blhd'\\)"):
        attest.assert_attention(*turned, layout="lbhd")


def test_a_sample_of_rows():
    q, k, v = arrays(np.float32)
    o = kernels.attention(q, k, v)
    attest.assert_attention(o, q, k, v, rows=3)
    with pytest.raises(AssertionError, match="of 12 elements"):
        attest.assert_attention(-o, q, k, v, rows=3)
    with pytest.raises(attest.InputError, match="rows is 0"):
        attest.assert_attention(o, q, k, v, rows=0)


def test_nothing_is_right():
    q, k, v = arrays(np.float32, queries=0)
    attest.assert_attention(np.zeros(q.shape, np.float32), q, k, v)
