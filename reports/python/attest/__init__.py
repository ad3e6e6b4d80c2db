"""attest decides whether an attention implementation is right, and says how it knows.

    attest.check(attention, features="mask,causal_bottom_right")   every law, on a callable
    attest.assert_attention(out, q, k, v, causal="top_left")       one output, in a test
    attest.reference(q, k, v)                                      the correctly rounded answer

docs/python.md describes all three.
"""

from attest._attest import Failure, InputError, Replayed, Report
from attest._attest import contracts, default_seed, features, profiles
from attest._assertion import assert_attention
from attest._checking import check, replay
from attest._reference import Reference, reference

__all__ = [
    "Failure",
    "InputError",
    "Reference",
    "Replayed",
    "Report",
    "assert_attention",
    "check",
    "contracts",
    "default_seed",
    "features",
    "profiles",
    "reference",
    "replay",
]
