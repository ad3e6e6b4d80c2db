#include "properties/identify/question.h"

#include <limits>

#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr auto masks = feature_set().with(feature::mask);
constexpr auto biases = feature_set().with(feature::bias);
constexpr auto removals = biases.with(feature::infinite_bias);
constexpr auto key_lengths = feature_set().with(feature::lengths);
constexpr auto windows = feature_set().with(feature::window);
constexpr auto shared_heads = feature_set().with(feature::grouped_heads);
constexpr auto returned_lse = feature_set().with(feature::lse);
constexpr auto top_left = feature_set().with(feature::causal_top_left);
constexpr auto bottom_right = feature_set().with(feature::causal_bottom_right);
constexpr auto caps = feature_set().with(feature::soft_cap);
constexpr auto slopes = feature_set().with(feature::alibi);
constexpr auto cross = feature_set().with(feature::cross_lengths);

constexpr feature_set both(feature_set one, feature_set other) {
  return feature_set(one.bits() | other.bits());
}

problem causal(problem p, causal_anchor anchor) {
  p.causal = anchor;
  return p;
}

problem windowed(problem p, std::int64_t left, std::int64_t right) {
  p.sliding = {left, right};
  return p;
}

problem capped(problem p, double cap) {
  p.soft_cap = cap;
  return p;
}

double lowest(const problem& p) { return -largest_finite(side_format(p.q.element())); }

// --- Anchors: the first queries of a triangle ---

template <causal_anchor Flag>
problem more_keys(const probe_site& s) {
  return causal(wide_probe(s, 2, {1, 2, 4, 8}), Flag);
}

// The second query; with three valid keys of four the anchors are one key apart.
template <causal_anchor Flag>
problem short_length(const probe_site& s) {
  return with_lengths(causal(square_probe(s, {1, 2, 4, 8}), Flag), 3);
}

template <causal_anchor Flag>
problem square_triangle(const probe_site& s) {
  return causal(square_probe(s, {1, 2, 4}), Flag);
}

template <causal_anchor Flag>
std::vector<field_probe> anchor_probes(feature_set flag) {
  return {{.needs = both(flag, cross), .build = more_keys<Flag>},
          {.needs = both(flag, key_lengths), .build = short_length<Flag>, .query = 1},
          {.needs = flag, .build = square_triangle<Flag>}};
}

constexpr field_value anchors[] = {{"top_left", "query i sees keys j <= i"},
                                   {"bottom_right", "query i sees keys j <= i + valid keys - Lq"},
                                   {"none", "every query sees all keys"}};
constexpr causal_anchor anchor_values[] = {causal_anchor::top_left, causal_anchor::bottom_right,
                                           causal_anchor::none};

// --- Masks, heads, windows ---

problem first_kept(const probe_site& s) { return with_mask(row_probe(s, {1, 2}), {true, false}); }
problem first_masked(const probe_site& s) {
  return with_mask(row_probe(s, {1, 2, 4}), {false, true, true});
}

problem four_on_two(const probe_site& s) { return heads_probe(s, 4, 2); }
problem six_on_three(const probe_site& s) { return heads_probe(s, 6, 3); }

problem left_window(const probe_site& s) { return windowed(square_probe(s, {1, 2, 4, 8}), 2, -1); }
problem right_window(const probe_site& s) { return windowed(square_probe(s, {1, 2, 4, 8}), -1, 2); }
problem two_sided_window(const probe_site& s) {
  return windowed(square_probe(s, {1, 2, 4, 8, 16}), 2, 2);
}

// --- Rows without keys ---

problem all_masked(const probe_site& s) { return with_mask(row_probe(s, {1, 3}), {false, false}); }
problem no_length(const probe_site& s) { return with_lengths(row_probe(s, {1, 3}), 0); }
problem before_all_keys(const probe_site& s) {
  return causal(wide_probe(s, 3, {1, 3}), causal_anchor::bottom_right);
}
problem all_removed(const probe_site& s) {
  return with_bias(row_probe(s, {1, 3}), {-infinity, -infinity});
}

bool keeps_bottom_right(const probe_site& s) { return s.keeps_bottom_right; }

std::vector<field_probe> empty_row_probes(answer_part part) {
  const feature_set also = part == answer_part::lse ? returned_lse : feature_set();
  return {{.needs = both(also, masks), .part = part, .build = all_masked},
          {.needs = both(also, key_lengths), .part = part, .build = no_length},
          {.needs = both(also, both(bottom_right, cross)),
           .part = part,
           .build = before_all_keys,
           .applies = keeps_bottom_right,
           .query = 0},
          {.needs = both(also, removals), .part = part, .build = all_removed, .last = true}};
}

// --- The lse ---

problem four_keys(const probe_site& s) { return row_probe(s, {1, 2, 3, 4}); }
problem one_score_of_4(const probe_site& s) {
  return with_k(with_q(square_probe(s, {1}), 2), 0, 2);
}
problem sink_beside_one(const probe_site& s) { return with_sink(square_probe(s, {1}), 0); }
problem sink_beside_two(const probe_site& s) { return with_sink(row_probe(s, {1, 3}), 2); }

// --- The soft cap ---

problem capped_large_bias(const probe_site& s) {
  return capped(with_bias(row_probe(s, {4, 0}), {8, 0}), 1);
}
problem capped_low_bias(const probe_site& s) {
  return capped(with_bias(row_probe(s, {8, 0}), {-2, 0}), 1);
}
problem capped_mask(const probe_site& s) {
  return capped(with_mask(row_probe(s, {0, 4}), {true, false}), 1);
}
problem capped_removal(const probe_site& s) {
  return capped(with_bias(row_probe(s, {0, 4}), {0, -infinity}), 1);
}

// --- Slopes: the first query, and what lies beyond it ---

problem sloped_pair(const probe_site& s) { return with_slopes(square_probe(s, {1, 4}), 1); }
problem sloped_keys(const probe_site& s) { return with_slopes(square_probe(s, {1, 2, 4}), 0.5); }

// --- Biases at the end of the range ---

problem one_removed(const probe_site& s) { return with_bias(row_probe(s, {1, 3}), {0, -infinity}); }
problem masked_or_removed(const probe_site& s) {
  return with_mask(with_bias(row_probe(s, {1, 3}), {-infinity, 0}), {true, false});
}
problem all_lowest(const probe_site& s) {
  const problem p = row_probe(s, {1, 3});
  return with_bias(p, {lowest(p), lowest(p)});
}
problem lowest_or_removed(const probe_site& s) {
  const problem p = row_probe(s, {1, 3});
  return with_bias(p, {lowest(p), -infinity});
}

// --- What lies in masked slots ---

problem with_v(problem p, std::int64_t key, double v) {
  for_each_index(p.v.sizes(), [&](const index4& i) {
    if (i[2] == key) p.v.set(i, v);
  });
  return p;
}

problem large_in_masked(const probe_site& s) {
  return with_v(with_k(with_q(first_kept(s), 1), 1, 8), 1, 64);
}
problem nan_in_masked_k(const probe_site& s) { return with_k(first_kept(s), 1, nan); }
problem nan_in_masked_v(const probe_site& s) { return with_v(first_kept(s), 1, nan); }
problem nan_in_removed_k(const probe_site& s) { return with_k(one_removed(s), 1, nan); }
problem nan_in_removed_v(const probe_site& s) { return with_v(one_removed(s), 1, nan); }

template <causal_anchor Flag>
problem nan_ahead(const probe_site& s) {
  return with_v(with_k(causal(square_probe(s, {1, 2}), Flag), 1, nan), 1, nan);
}
problem nan_beyond_window(const probe_site& s) {
  return with_v(with_k(windowed(square_probe(s, {1, 2, 4}), -1, 1), 2, nan), 2, nan);
}

bool removes_keys(const probe_site& s) {
  return s.known.on_infinite_bias == infinite_bias::removes_key;
}

// --- NaN in what is kept ---

problem nan_in_q(const probe_site& s) { return with_q(row_probe(s, {1, 2}), nan); }
problem nan_in_k(const probe_site& s) { return with_k(row_probe(s, {1, 2}), 1, nan); }
problem nan_in_v(const probe_site& s) { return with_v(row_probe(s, {1, 2}), 1, nan); }

question about(const char* field, std::vector<field_probe> probes) {
  const semantics_field& f = find_field(field);
  question q;
  q.name = f.name;
  q.meaning = f.meaning;
  q.values = f.values;
  q.field = &f;
  q.probes = std::move(probes);
  return q;
}

template <class Value>
question opening(question q, open_if opens, Value value) {
  q.opens = opens;
  q.open_value = static_cast<std::size_t>(value);
  return q;
}

question about_flag(feature f, causal_anchor promised, std::vector<field_probe> probes) {
  question q;
  q.name = name_of(f);
  q.meaning = "where the triangle of the flag lies";
  q.values = anchors;
  q.flag = promised;
  q.probes = std::move(probes);
  return q;
}

std::vector<question> make_questions() {
  constexpr auto top = causal_anchor::top_left, bottom = causal_anchor::bottom_right;
  const auto output = answer_part::output, log = answer_part::lse;
  return {
      about("mask_polarity",
            {{.needs = masks, .build = first_kept}, {.needs = masks, .build = first_masked}}),
      about("head_map", {{.needs = shared_heads, .build = four_on_two},
                         {.needs = shared_heads, .build = six_on_three}}),
      about_flag(feature::causal_top_left, top, anchor_probes<top>(top_left)),
      about_flag(feature::causal_bottom_right, bottom, anchor_probes<bottom>(bottom_right)),
      about("window_ends", {{.needs = windows, .build = left_window},
                            {.needs = windows, .build = right_window},
                            {.needs = windows, .build = two_sided_window}}),
      about("alibi_distance",
            {{.needs = slopes, .build = sloped_pair}, {.needs = slopes, .build = sloped_keys}}),
      opening(about("empty_row", empty_row_probes(output)), open_if::no_other_value_ever_fits,
              empty_row::unspecified),
      opening(about("empty_lse", empty_row_probes(log)), open_if::no_other_value_ever_fits,
              empty_lse::unspecified),
      about("lse_base", {{.needs = returned_lse, .part = log, .build = four_keys},
                         {.needs = returned_lse, .part = log, .build = one_score_of_4}}),
      about("lse_sink",
            {{.needs = returned_lse.with(feature::sink), .part = log, .build = sink_beside_one},
             {.needs = returned_lse.with(feature::sink), .part = log, .build = sink_beside_two}}),
      about("cap_order", {{.needs = both(caps, biases), .build = capped_large_bias},
                          {.needs = both(caps, biases), .build = capped_low_bias},
                          {.needs = both(caps, masks), .build = capped_mask},
                          {.needs = both(caps, removals), .build = capped_removal}}),
      about("infinite_bias", {{.needs = removals, .build = one_removed},
                              {.needs = removals, .build = all_removed},
                              {.needs = both(removals, masks), .build = masked_or_removed}}),
      about("lowest_bias", {{.needs = biases, .build = all_lowest},
                            {.needs = removals, .build = lowest_or_removed}}),
      opening(about("masked_slots",
                    {{.needs = masks, .build = large_in_masked, .strict = true},
                     {.needs = masks, .build = nan_in_masked_k},
                     {.needs = masks, .build = nan_in_masked_v},
                     {.needs = removals, .build = nan_in_removed_k, .applies = removes_keys},
                     {.needs = removals, .build = nan_in_removed_v, .applies = removes_keys},
                     {.needs = top_left, .build = nan_ahead<top>, .query = 0},
                     {.needs = bottom_right, .build = nan_ahead<bottom>, .query = 0},
                     {.needs = windows, .build = nan_beyond_window, .query = 0}}),
              open_if::no_other_value_always_fits, masked_slots::finite_only),
      opening(about("non_finite_inputs", {{.needs = {}, .build = nan_in_q},
                                          {.needs = {}, .build = nan_in_k},
                                          {.needs = {}, .build = nan_in_v}}),
              open_if::no_other_value_always_fits, non_finite_inputs::unspecified),
  };
}

}  // namespace

problem as_read(const question& q, problem posed, std::size_t value) {
  if (q.flag) {
    posed.causal = anchor_values[value];
    return posed;
  }
  const mask_polarity handed = posed.rules.polarity;
  q.field->set(posed.rules, value);
  if (posed.mask && posed.rules.polarity != handed) posed.mask->invert();
  return posed;
}

std::span<const question> all_questions() {
  static const std::vector<question> list = make_questions();
  return list;
}

}  // namespace attest
