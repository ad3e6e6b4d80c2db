// What a law may ask of a subject.
#pragma once

#include "properties/property.h"

namespace attest {

// Asked often, beside any other.
inline constexpr feature_set shapes_and_places = feature_set()
                                                     .with(feature::cross_lengths)
                                                     .with(feature::value_width)
                                                     .with(feature::grouped_heads)
                                                     .with(feature::strides);

// Features that the subject declares and the law admits.
feature_set usable(const property& law, const subject_info&);

// How many times the work of a softmax of products a problem's reference is: it is computed in
// intervals, and other scorers are matrices of their own.
std::int64_t cost_of_member(const subject_info&);

}  // namespace attest
