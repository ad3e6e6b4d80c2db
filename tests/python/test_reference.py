"""attest.reference against values that are known."""

import fractions
import math

import numpy as np
import pytest

import attest
import kernels


def test_equal_scores_give_the_mean():
    q, k = np.zeros((2, 3), np.float32), np.zeros((4, 3), np.float32)
    v = np.array([[1], [2], [4], [8]], np.float32)
    o, lse = attest.reference(q, k, v)
    assert o.dtype == lse.dtype == np.float32
    assert o.shape == (2, 1) and lse.shape == (2,)
    assert (o == 3.75).all() and (lse == np.float32(math.log(4))).all()


def test_a_third_is_correctly_rounded():
    third = fractions.Fraction(1, 3)
    q, k, v = np.zeros((1, 1)), np.zeros((3, 1)), np.array([[1.0], [0], [0]])
    o = attest.reference(q, k, v).o[0, 0]
    near = [o, np.nextafter(o, 0), np.nextafter(o, 1)]
    assert min(near, key=lambda x: abs(fractions.Fraction(float(x)) - third)) == o
    assert attest.reference(q, k, v, round="f16").o[0, 0] == np.float16(1 / 3)
    bf16 = attest.reference(q, k, v, round="bf16").o
    assert bf16.dtype == np.float32 and bf16[0, 0] == 0.333984375


SEGMENTS = np.array([[0, 0, 1, 1, 2], [3, 3, 3, 4, 4]])
BLOCKS = np.array([[[[True, False], [True, True]]]])


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"causal": "top_left"},
        {"causal": "bottom_right"},
        {"window": (1, 0)},
        {"window": (0, -1), "causal": "bottom_right"},
        {"scale": -0.25},
        {"soft_cap": 2.0},
        {"lengths": np.array([2, 5])},
        {"mask": np.array([True, False, True, True, False])},
        {"bias": np.array([0, 1, -np.inf, 2, 0.5], np.float32)},
        {"sink": np.array([0.5, -1, 0, 2], np.float32)},
        {"slopes": np.array([0.5, 0.25, -1, 0], np.float32), "causal": "bottom_right"},
        {"query_segments": SEGMENTS[:, :3], "key_segments": SEGMENTS},
        {"dilation": 2},
        {"chunk": 2, "causal": "top_left"},
        {"global_keys": 1, "window": (0, 1)},
        {"block_mask": BLOCKS, "block_queries": 2, "block_keys": 3},
    ],
)
def test_each_option_means_what_the_definition_says(options):
    random = np.random.default_rng(1)
    q, k, v = (random.normal(size=(2, h, n, 3)) for h, n in ((4, 3), (2, 5), (2, 5)))
    o, lse = attest.reference(q, k, v, **options)
    expected = kernels.attention(q, k, v, with_lse=True, **options)
    np.testing.assert_allclose(o, expected[0], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(lse, expected[1], rtol=1e-12, atol=1e-13)
    assert lse.shape == (2, 4, 3)


def test_members_take_their_parameters():
    random = np.random.default_rng(5)
    q, k, v = random.normal(size=(3, 4, 3))
    turned = random.normal(size=(3, 3))
    general = attest.reference(
        q, k, v, profile="attest,scorer=general", parameters=[turned], scale=1.0
    )
    dot = attest.reference(q @ turned, k, v, profile="attest,scorer=dot", scale=1.0)
    np.testing.assert_allclose(general.o, dot.o, rtol=1e-12)
    entmax = attest.reference(q, k, v, profile="attest,normalizer=alpha_entmax", alpha=2.0)
    sparsemax = attest.reference(q, k, v, profile="attest,normalizer=sparsemax")
    np.testing.assert_allclose(entmax.o, sparsemax.o, rtol=1e-15)


def test_dropout_scales_what_it_keeps():
    q, k, v = np.random.default_rng(6).normal(size=(3, 4, 8))
    kept = np.arange(4) % 2 == 0
    plain = attest.reference(q, k, v * kept[:, np.newaxis])
    dropped = attest.reference(q, k, v, dropout_mask=kept, dropout_scale=2.0)
    np.testing.assert_array_equal(dropped.o, 2 * plain.o)
    np.testing.assert_array_equal(dropped.lse, plain.lse)


def test_causal_true_where_both_corners_are_one():
    q = np.random.default_rng(2).normal(size=(3, 2))
    both = [attest.reference(q, q, q, causal=c).o for c in (True, "top_left", "bottom_right")]
    assert np.array_equal(both[0], both[1]) and np.array_equal(both[0], both[2])
    with pytest.raises(attest.InputError, match="which differ there"):
        attest.reference(q[:2], q, q, causal=True)


def test_masks_of_the_other_polarity():
    q, v = np.zeros((1, 1)), np.array([[1.0], [3.0]])
    mask = np.array([True, False])
    assert attest.reference(q, np.zeros((2, 1)), v, mask=mask).o[0, 0] == 1
    other = attest.reference(
        q, np.zeros((2, 1)), v, mask=mask, profile="attest,mask_polarity=true_masks"
    )
    assert other.o[0, 0] == 3


def test_strided_arrays_and_lists():
    q = np.arange(12.0).reshape(3, 4)[::-1, ::2]
    assert np.array_equal(
        attest.reference(q, q, q).o, attest.reference(q.copy(), q.copy(), q.copy()).o
    )
    assert attest.reference([[0.0]], [[0.0]], [[7.0]]).o[0, 0] == 7


def test_arrays_of_any_library_that_speaks_dlpack():
    class Foreign:
        def __init__(self, array):
            self._array = array

        def __dlpack__(self, stream=None):
            return self._array.__dlpack__()

        def __dlpack_device__(self):
            return self._array.__dlpack_device__()

    q = np.arange(6, dtype=np.float32).reshape(3, 2)
    o = attest.reference(Foreign(q), Foreign(q), Foreign(q)).o
    assert o.dtype == np.float32 and np.array_equal(o, attest.reference(q, q, q).o)


def test_threads_change_no_bit():
    q = np.random.default_rng(3).normal(size=(2, 4, 16, 8)).astype(np.float32)
    assert np.array_equal(
        attest.reference(q, q, q, threads=1).o, attest.reference(q, q, q, threads=2).o
    )


@pytest.mark.parametrize(
    "options, message",
    [
        ({"mask": np.array([1.0, 0.0])}, "mask is no boolean array"),
        ({"bias": np.zeros(3)}, "bias has sizes [1, 1, 1, 3] (allowed: sizes that broadcast to"),
        ({"lengths": np.array([3])}, "lengths holds 3"),
        ({"scale": math.nan}, "scale is nan (allowed: a finite number)"),
        ({"soft_cap": -1}, "soft_cap is -1 (allowed: 0 or more)"),
        ({"window": 3}, "window is 3 (allowed: None or (LEFT, RIGHT)"),
        ({"window": (-2, 0)}, "window is (-2, 0) (allowed: -1 or more on each side)"),
        ({"causal": "right"}, "causal is 'right' (allowed: "),
        ({"round": "f15"}, "round is 'f15' (allowed: f64, f32"),
        ({"sink": np.array(["a"])}, "sink has dtype <U1 (allowed: "),
        ({"profile": "x"}, "x"),
        ({"dilation": 0}, "dilation is 0 (allowed: 1 or more)"),
        ({"chunk": 1.5}, "chunk is 1.5 (allowed: an integer)"),
        ({"global_keys": -1}, "global_keys is -1 (allowed: 0 or more)"),
        ({"block_keys": 2}, "blocks of 0 x 2 without a block_mask"),
        ({"block_mask": np.array([[True]])}, "block_mask with blocks of 0 x 0 (allowed: 1 or more"),
        (
            {"block_mask": np.array([[True]]), "block_queries": 1, "block_keys": 1},
            "block_mask has 1 x 1 blocks (allowed: 1 x 2, for blocks of 1 x 1)",
        ),
        ({"query_segments": np.array([[1]])}, "query_segments stands alone"),
        ({"parameters": [np.eye(2)]}, "parameter"),
        ({"profile": "attest,normalizer=alpha_entmax", "alpha": 1}, "alpha"),
    ],
)
def test_bad_options_are_input_errors(options, message):
    with pytest.raises(attest.InputError) as raised:
        attest.reference(np.zeros((1, 2)), np.zeros((2, 2)), np.zeros((2, 2)), **options)
    assert message in str(raised.value)


def test_arrays_that_do_not_fit_are_input_errors():
    with pytest.raises(attest.InputError, match=r"k: width D is 3 \(allowed: 2\)"):
        attest.reference(np.zeros((1, 2)), np.zeros((2, 3)), np.zeros((2, 2)))
    with pytest.raises(attest.InputError, match="q has rank 1"):
        attest.reference(np.zeros(2), np.zeros((2, 2)), np.zeros((2, 2)))
