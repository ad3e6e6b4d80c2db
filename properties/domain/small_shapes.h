// Sizes of most problems: small, and hard to mistake for one another.
#pragma once

#include "properties/domain/chooser.h"
#include "properties/property.h"

namespace attest {

// Primes, as distinct as possible, so that no two axes can be mistaken for one another.
shape small_shape(feature_set, chooser&);

}  // namespace attest
