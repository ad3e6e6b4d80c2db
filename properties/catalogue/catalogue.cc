#include "properties/catalogue/catalogue.h"

#include <fnmatch.h>

#include <string>

#include "reference/input_error.h"

namespace attest {
namespace {

constexpr const property* all[] = {
    &matches_definition,
    &exact_answers_are_exact,
    &errors_average_out,
    &rows_sum_to_1,
    &a_high_sink_takes_all,
    &a_low_sink_is_none,
    &duplicated_key_adds_log_2,
    &kept_keys_share_alike,
    &weights_match_definition,
    &dropout_scales_kept_weights,
    &masked_keys_weigh_0,
    &nothing_unread_is_read,
    &one_key_returns_its_value,
    &a_large_soft_cap_is_none,
    &rotation_of_q_and_k_changes_nothing,
    &scale_goes_with_q,
    &score_variance_is_width,
    &shift_invariance,
    &weight_ratio_is_exp_of_score_difference,
    &a_nan_stays_where_it_is_seen,
    &huge_values_do_not_leak,
    &linear_in_values,
    &output_in_hull_of_values,
    &query_heads_use_their_kv_head,
    &lse_follows_the_bias,
    &lse_is_optional,
    &far_offsets_are_followed,
    &sampled_rows_match_definition,
    &permutation_equivariance,
    &batch_rows_are_independent,
    &repeated_calls_agree,
    &options_do_not_stick,
    &grouped_heads_equal_expanded_heads,
    &heads_are_independent,
    &layouts_agree,
    &pages_may_lie_anywhere,
    &causal_equals_its_mask,
    &infinite_bias_equals_mask,
    &padding_changes_nothing,
    &patterns_equal_their_mask,
    &window_equals_its_mask,
    &prefixes_do_not_see_the_future,
    &chunks_equal_one_shot,
    &parts_merge_to_the_whole,
};

std::string names() {
  std::string list;
  for (const property* p : all) list += (list.empty() ? "" : ", ") + std::string(p->name);
  return list;
}

}  // namespace

std::span<const property* const> catalogue() { return all; }

bool holds_for(const property& law, const semantics& rules) {
  return law.scorers.has(rules.scored_by) && law.normalizers.has(rules.normalised_by);
}

const property& find_property(std::string_view name) {
  for (const property* p : all)
    if (p->name == name) return *p;
  throw input_error("unknown property '" + std::string(name) + "' (allowed: " + names() + ")");
}

std::vector<const property*> matching_properties(std::string_view glob) {
  std::vector<const property*> found;
  for (const property* p : all)
    if (fnmatch(std::string(glob).c_str(), std::string(p->name).c_str(), 0) == 0)
      found.push_back(p);
  if (found.empty())
    throw input_error("no property matches '" + std::string(glob) + "' (allowed: " + names() + ")");
  return found;
}

}  // namespace attest
