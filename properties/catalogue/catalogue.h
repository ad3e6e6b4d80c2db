// The list of laws: one file each, in the subfolder of its theme.
// tests/properties/catalogue_test.cc holds the list to the folder.
#pragma once

#include "properties/property.h"

namespace attest {

// accuracy/
extern const property errors_average_out;
// batch/
extern const property batch_rows_are_independent;
// calls/
extern const property options_do_not_stick;
extern const property repeated_calls_agree;
// definition/
extern const property exact_answers_are_exact;
extern const property matches_definition;
extern const property sampled_rows_match_definition;
// heads/
extern const property grouped_heads_equal_expanded_heads;
extern const property heads_are_independent;
extern const property query_heads_use_their_kv_head;
// layout/
extern const property layouts_agree;
extern const property pages_may_lie_anywhere;
// lse/
extern const property lse_follows_the_bias;
extern const property lse_is_optional;
// mask/
extern const property causal_equals_its_mask;
extern const property infinite_bias_equals_mask;
extern const property masked_keys_weigh_0;
extern const property nothing_unread_is_read;
extern const property one_key_returns_its_value;
extern const property padding_changes_nothing;
extern const property patterns_equal_their_mask;
extern const property window_equals_its_mask;
// memory/
extern const property far_offsets_are_followed;
// order/
extern const property permutation_equivariance;
extern const property prefixes_do_not_see_the_future;
// scores/
extern const property a_large_soft_cap_is_none;
extern const property rotation_of_q_and_k_changes_nothing;
extern const property scale_goes_with_q;
extern const property score_variance_is_width;
extern const property shift_invariance;
extern const property weight_ratio_is_exp_of_score_difference;
// split/
extern const property chunks_equal_one_shot;
extern const property parts_merge_to_the_whole;
// values/
extern const property a_nan_stays_where_it_is_seen;
extern const property huge_values_do_not_leak;
extern const property linear_in_values;
extern const property output_in_hull_of_values;
// weights/
extern const property a_high_sink_takes_all;
extern const property a_low_sink_is_none;
extern const property duplicated_key_adds_log_2;
extern const property kept_keys_share_alike;
extern const property rows_sum_to_1;
extern const property weights_match_definition;
extern const property dropout_scales_kept_weights;

}  // namespace attest
