// The set that problems are drawn from, and how a failing one is made smaller.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "properties/property.h"

namespace attest {

// A part of the domain: problems that surely use one feature, or that have something else in
// common.
struct feature_group {
  enum class kind : std::uint8_t {
    plain,     // no feature at all: equal lengths, equal widths, dense
    single,    // one feature always, others now and then
    mixed,     // any of the admitted features
    long_row,  // one query and hundreds or thousands of keys
    large,     // sizes at which kernels take another path, any of the admitted features
    vast,      // more scores, queries, keys or heads than narrow indices count
  };
  kind what = kind::plain;
  feature always{};

  bool is_large() const { return what == kind::large || what == kind::vast; }
  std::string name() const;  // "plain", "causal_top_left", "mixed", "long_row", "large", "vast"
};

// Rows of a ladder from 255 to 131,072 keys that a law is run on for each input format at effort 1.
// The laws that are run on long rows take them in turn, so that three of them meet every length.
inline constexpr int long_rows_of_a_law = 7;

// Computes: the groups in which a property is run on a subject.
std::vector<feature_group> groups_for(const property&, const subject_info&);

// What a draw depends on: the same values give the same problem.
struct draw {
  std::uint64_t seed = 0;
  std::int64_t index = 0;  // of the problem in its property and group
};

// Computes: a problem of the group for the property, with features that the subject declares and
// the property admits, the group's own feature among them; nullopt where the law has nothing to say
// about it. Each regime comes up once in every 14 draws.
std::optional<problem_spec> draw_spec(const property&, const subject_info&, const feature_group&,
                                      const draw&);

// Computes: how many problems of the group a run at effort 1 draws.
int problems_in(const property&, const feature_group&, const subject_info&);

// Computes: every problem that a run at that effort puts to the subject for the property.
std::vector<problem_spec> draw_specs(const property&, const subject_info&, std::uint64_t seed,
                                     int effort);

// Computes: a problem that still fails and of which no simpler one tried does: fewer features,
// smaller dimensions, simpler values. No problem tried asks for a feature that the first does not
// ask for. fails is called at most `most_tries` times.
problem_spec shrink_spec(const problem_spec&, const std::function<bool(const problem_spec&)>& fails,
                         int most_tries);

}  // namespace attest
