// Problems small enough to be read, of which the conventions decide the answer.
#pragma once

#include <string>
#include <vector>

#include "properties/subject.h"

namespace attest {

// For whom a probe is built.
struct probe_site {
  feature_set declared;
  const format* inputs = &f32;
  // Whether it is asked for three heads in two batch rows, all alike, instead of one.
  bool repeated = false;
  semantics known = {};             // what has been found out so far
  bool keeps_bottom_right = false;  // the anchor, too
};

// Which part of an answer is looked at.
enum class answer_part : std::uint8_t { output, lse };

// Computes: D = Dv = 1, q = k = 0 and these values of v, so that all keys weigh alike. As many
// queries as keys.
problem square_probe(const probe_site&, const std::vector<double>& v);
// Computes: the same with one query, where the subject declares cross_lengths.
problem row_probe(const probe_site&, const std::vector<double>& v);
// Computes: the same with so many queries. Domain: cross_lengths is declared.
problem wide_probe(const probe_site&, std::int64_t queries, const std::vector<double>& v);
// Computes: one query and key a head; v is 1 for the first KV head, 2 for the next, and so on.
problem heads_probe(const probe_site&, std::int64_t query_heads, std::int64_t kv_heads);

// Changes, the same for every query, head and batch row.
problem with_mask(problem, const std::vector<bool>& kept);
problem with_bias(problem, const std::vector<double>& bias);
problem with_sink(problem, double logit);
problem with_slopes(problem, double slope);
problem with_lengths(problem, std::int64_t length);
problem with_q(problem, double q);
problem with_k(problem, std::int64_t key, double k);

// Computes: the problem as a person can put it to the subject again: "f32 Lq=1 Lk=2 D=1 Dv=1, q=[0]
// k=[0 0] v=[1 2], mask=[1 0]"; the mask as it is handed over.
std::string probe_text(const problem&);
// Computes: "o = 1", "lse = [0.693147 0.693147]": the rows looked at, of the first head where all
// are alike.
std::string answer_text(const problem&, answer_part, const tensor&, std::int64_t query);

}  // namespace attest
