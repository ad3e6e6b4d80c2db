#include "derivation/bounds/forward.h"

#include <algorithm>
#include <cmath>

#include "reference/definition/bias.h"
#include "reference/definition/dropout.h"
#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr double raise = 1 + 1e-9;  // more than the relative error of evaluating a bound in double
constexpr double most_exponent = 700;
constexpr double small_exponent = 0x1p-10;  // below it, 1 - x <= e^-x and e^x <= 1 + x + x^2
constexpr double smallest_double = 0x1p-1074;
constexpr double infinity = std::numeric_limits<double>::infinity();

double exponential(double x) {
  return x < small_exponent ? 1 + x + x * x : exp_double(std::min(x, most_exponent));
}
double exponential_less_1(double x) {
  return x < small_exponent ? x + x * x : expm1_double(std::min(x, most_exponent));
}
double inverse_exponential(double x) {
  return x < small_exponent ? 1 - x : exp_double(-std::min(x, most_exponent));
}

// a * b, where a weight of 0 wins over an infinite factor.
double weighted(double weight, double factor) { return weight == 0 ? 0 : weight * factor; }

// The log of what an exponential of so many ulps, and its product, may be off by.
double exponential_error(double ulps, double unit) {
  return 2 * ulps * unit < 1 ? -log1p_double(-2 * ulps * unit) + 2 * unit : infinity;
}

constexpr double few = 4;  // roundings of a sum: terms as near as that to 0, or to others, matter

// Whether rounding the sum treats its terms differently: no eighth of those that are not near 0
// lies within a few roundings of the whole sum. Terms that lie as near as that are all rounded to
// the same side.
bool are_spread(std::vector<double> terms, double rounding) {
  const double near = few * rounding;
  std::erase_if(terms, [&](double term) { return std::fabs(term) <= near; });
  std::sort(terms.begin(), terms.end());
  const std::size_t eighth = terms.size() / 8;
  for (std::size_t n = 0; eighth > 0 && n + eighth < terms.size(); ++n)
    if (terms[n + eighth] - terms[n] <= near) return false;
  return true;
}

double largest_size(const tensor& t, const index4& first, const index4& last) {
  double largest = 0;
  index4 i{};
  for (i[0] = first[0]; i[0] < last[0]; ++i[0])
    for (i[1] = first[1]; i[1] < last[1]; ++i[1])
      for (i[2] = first[2]; i[2] < last[2]; ++i[2])
        for (i[3] = first[3]; i[3] < last[3]; ++i[3])
          if (const double size = std::fabs(t.at(i)); std::isfinite(size))
            largest = std::max(largest, size);
  return largest;
}

// The largest number that shares a quantisation scale with position l, whatever the alignment of
// the blocks.
double largest_in_block(const contract& c, const tensor& t, std::int64_t b, std::int64_t h,
                        std::int64_t l) {
  const std::int64_t reach = c.quantised_rows - 1, end = t.sizes()[2];
  return largest_size(t, {b, h, std::max<std::int64_t>(0, l - reach), 0},
                      {b + 1, h + 1, std::min(end, l + reach + 1), t.sizes()[3]});
}

// What quantisation may move a small number by, for each unit of the block's largest.
double quantum(const contract& c) {
  return underflow_of({c.quantised_to}) / largest_finite(*c.quantised_to);
}

}  // namespace

double assurance::deviations() const {
  return std::sqrt(2 * log_double(2 * roundings / false_alarm));
}

forward_bound::forward_bound(const contract& c, const problem& p, const row_index& place,
                             const exact_row& row, const assurance& sure,
                             std::span<const double> given)
    : contract_(c),
      problem_(p),
      place_(place),
      row_(row),
      deviations_(sure.deviations()),
      dropout_(c, p) {
  if (row.keys.empty()) return;
  const double count = static_cast<double>(row.keys.size());
  merges_ = c.merges == 0 ? 0 : std::clamp<double>(count - 1, 1, c.merges);
  keys_.resize(row.keys.size());
  set_quanta();
  set_score_errors(given);
  const bool scores_fit = largest_score_ < largest_finite(*c.score_sum.number) / 2 &&
                          largest_score_ < largest_finite(*c.score_storage.number) / 2;
  if (!p.rules.is_softmax()) {
    set_member();
    in_domain_ =
        member_->in_domain() && (scores_fit || p.rules.normalised_by == normalizer::uniform);
    return;
  }
  set_rises();
  set_shift();
  set_exponent_errors();
  set_weights();
  set_losses();
  set_columns();
  std::vector<double> exponents;
  for (const key_error& key : keys_) exponents.push_back(key.exponent);
  double largest_value_sum = 0;
  for (const column& s : columns_) largest_value_sum = std::max(largest_value_sum, s.plain);
  in_domain_ = scores_fit && keeps_weight() && !runs_away(c.output_sum) &&
               !runs_away(c.weight_sum) &&
               stages_hold(c, p, place, row, exponents, largest_value_sum);
}

// --- Step 1: Delta_j, the error of a logit ---

void forward_bound::set_member() {
  std::vector<double> scores, quanta;
  for (const key_error& key : keys_) scores.push_back(key.score);
  for (const exact_key& key : row_.keys)
    if (!quanta_.v.empty()) quanta.push_back(quanta_.v[static_cast<std::size_t>(key.key)]);
  member_.emplace(bounded_row{contract_, problem_, place_, row_, scores, quanta});
}

void forward_bound::set_score_errors(std::span<const double> given) {
  if (!problem_.rules.scores_by_products())
    scorer_.emplace(contract_, problem_, place_, row_.scale, quanta_.q);
  for (std::size_t n = 0; n < keys_.size(); ++n) {
    keys_[n].score = given.empty() ? score_error(row_.keys[n]) : given[n];
    largest_score_ = std::max(largest_score_, largest_held(row_.keys[n]));
    greatest_error_ = std::max(greatest_error_, keys_[n].score);
  }
}

double forward_bound::score_error(const exact_key& key) const {
  const contract& c = contract_;
  if (key.key == sink_key) return unit_of(c.bias_sum) * key.capped;
  const double raw = raw_score_error(key);
  if (!(problem_.soft_cap > 0)) return raw + bias_error(key, key.capped + raw);
  if (!problem_.rules.caps_bias()) {
    const double score = capped_error(key.capped, raw);
    return score + bias_error(key, key.capped + score);
  }
  return capped_error(std::fabs(key.logit), raw + bias_error(key, key.magnitude + raw));
}

// For every scorer, what a row holds on the way to its logits.
double forward_bound::largest_held(const exact_key& key) const {
  if (key.key == sink_key) return key.capped;
  const double score = std::max(key.unscaled, key.magnitude) + key.bias;
  return scorer_ ? std::max(score, scorer_->of_key(key, key_quantum(key)).largest) : score;
}

double forward_bound::key_quantum(const exact_key& key) const {
  return quanta_.k.empty() ? 0 : quanta_.k[static_cast<std::size_t>(key.key)];
}

double forward_bound::fused_groups(double terms, double positions) const {
  return attest::fused_groups(contract_, terms, positions, merges_);
}

// Of c q.k. Products with a 0 are exact. c is rounded twice or, split, its roots once each; so are
// their products.
double forward_bound::raw_score_error(const exact_key& key) const {
  if (scorer_) return scorer_->of_key(key, key_quantum(key)).error;
  if (key.unscaled == 0) return 0;
  const contract& c = contract_;
  const double width = static_cast<double>(problem_.dims.width);
  const double product =
      (1 + accumulate(width + 4, c.score_sum, fused_groups(width, width)).error()) *
          (1 + growth(c.q_conversion.times, unit_of(c.q_conversion.to))) *
          (1 + growth(c.k_conversion.times, unit_of(c.k_conversion.to))) *
          (1 + store_error(c.score_storage, c.score_sum)) -
      1;
  const double flushed = std::max(underflow_of(c.q_conversion.to), underflow_of(c.k_conversion.to));
  const double stored =
      *c.score_storage.number == *c.score_sum.number ? 0 : underflow_of(c.score_storage);
  const double underflow = stored + underflow_of(c.score_sum) * (width * (1 + row_.scale) + 4) +
                           (underflow_of(c.score_sum) + flushed) * key.operands * (1 + row_.scale);
  return product * key.magnitude + underflow + quantised_score_error(key);
}

// Both operands held as s round(x / s): their relative errors, and what a small number beside a
// large one loses.
double forward_bound::quantised_score_error(const exact_key& key) const {
  const contract& c = contract_;
  if (c.quantised_to == nullptr) return 0;
  const double unit = unit_of({c.quantised_to}) + 2 * unit_of(c.score_sum);
  const double q = quanta_.q, k = quanta_.k[static_cast<std::size_t>(key.key)];
  const double width = static_cast<double>(problem_.dims.width);
  return (2 * unit + unit * unit) * key.magnitude +
         row_.scale * (1 + unit) * (1 + unit) * ((q + k) * key.operands + width * q * k);
}

void forward_bound::set_quanta() {
  const contract& c = contract_;
  if (c.quantised_to == nullptr) return;
  const double share = quantum(c);
  const std::int64_t g = problem_.kv_head(place_.h);
  const auto of = [&](const tensor& t, std::int64_t h, std::int64_t l) {
    return share * (c.quantised_rows == 0 ? largest_size(t, {0, 0, 0, 0}, t.sizes())
                                          : largest_in_block(c, t, place_.b, h, l));
  };
  quanta_.q = of(problem_.q, place_.h, place_.i);
  for (std::int64_t j = 0; j < problem_.dims.keys; ++j) {
    const bool repeats = c.quantised_rows == 0 && j > 0;
    quanta_.k.push_back(repeats ? quanta_.k.front() : of(problem_.k, g, j));
    quanta_.v.push_back(repeats ? quanta_.v.front() : of(problem_.v, g, j));
  }
}

// capped: the size of the score after the cap. The cap's slope is 1 - tanh^2, least where the score
// is largest.
double forward_bound::capped_error(double capped, double raw_error) const {
  const contract& c = contract_;
  const double reached = std::max(0.0, capped - raw_error) / problem_.soft_cap;
  const double slope = std::max(0.0, 1 - reached * reached);
  const double rounded = 3 * unit_of(c.score_sum) + store_error(c.score_storage, c.score_sum);
  const double absolute = c.tanh_absolute_error + underflow_of(c.score_sum);  // of tanh, of r / cap
  return slope * raw_error + (c.tanh_error + rounded) * capped + absolute * problem_.soft_cap +
         underflow_of(c.score_sum);
}

// Rounding of score + bias, at most u of it. To nearest it is no further from the sum than either
// operand is; in another mode a tiny operand moves the other by a whole ulp.
double forward_bound::bias_error(const exact_key& key, double score) const {
  if (key.bias == 0) return 0;
  const stage& sum = contract_.bias_sum;
  const bool flushes = sum.subnormals == subnormal_mode::flushed;
  const double rounded =
      unit_of(sum) * (score + key.bias) + (flushes ? smallest_normal(*sum.number) : 0);
  const double slope = slope_error(key);
  const bool to_nearest = sum.mode == rounding_mode::nearest_even && slope == 0;
  return slope * (1 + unit_of(sum)) + (to_nearest ? std::min({rounded, key.bias, score}) : rounded);
}

// Of slope * distance: a product, or the difference of two, each rounded as sums with the bias are
// or as a bias tensor of the scores' format holds it.
double forward_bound::slope_error(const exact_key& key) const {
  if (problem_.slopes.empty()) return 0;
  const contract& c = contract_;
  const double unit = std::max(unit_of(c.bias_sum), unit_of(c.score_storage));
  const double slope = std::fabs(problem_.slopes[static_cast<std::size_t>(place_.h)]);
  return 3 * unit * slope * distance_terms(problem_, place_, key.key) +
         2 * (underflow_of(c.bias_sum) + underflow_of(c.score_storage));
}

// --- Step 2: E_j, the error of the logarithm of an effective weight ---

// r_j: the maximum in force is at least the key's own logit once it is absorbed, so only keys whose
// computed logit may be larger can rescale it.
void forward_bound::set_rises() {
  if (!contract_.may_rescale) return;
  std::vector<double> highest;
  for (std::size_t n = 0; n < keys_.size(); ++n) {
    const double logit = row_.keys[n].logit, error = keys_[n].score;
    highest.push_back(error > 0 ? std::nextafter(logit + error, infinity) : logit);
  }
  std::sort(highest.begin(), highest.end());
  const double blocks =
      std::ceil(static_cast<double>(problem_.dims.keys + 1) / contract_.block_keys) +
      (contract_.block_keys > 1 ? 1 : 0);
  // Every merge that a key meets takes a key at least out of its part.
  const double in_part = std::max(0.0, static_cast<double>(keys_.size()) - 1 - merges_);
  const double most = std::min(in_part, blocks);
  for (std::size_t n = 0; n < keys_.size(); ++n) {
    const double logit = row_.keys[n].logit, error = keys_[n].score;
    const double lowest = error > 0 ? std::nextafter(logit - error, -infinity) : logit;
    const auto above = highest.end() - std::upper_bound(highest.begin(), highest.end(), lowest);
    const bool counts_itself = error > 0;
    keys_[n].rises = std::min(most, static_cast<double>(above - (counts_itself ? 1 : 0)));
  }
}

// M - shift.
double forward_bound::shift_size() const {
  const contract& c = contract_;
  return c.shift == exponent_shift::constant ? row_.greatest - c.shift_by : -c.shift_by;
}

void forward_bound::set_shift() {
  shift_scale_ = exp_double(std::clamp(shift_size(), -most_exponent, most_exponent));
}

// Whether the weight of the greatest logit is surely held: else l may be 0.
bool forward_bound::keeps_weight() const {
  const contract& c = contract_;
  const double error = c.shift == exponent_shift::constant ? greatest_error_ : 0;
  const double least = shift_size() - error;
  return least >= c.exp_zero_below && exp_double(least) >= 2 * smallest_normal(*c.exponent.number);
}

void forward_bound::set_exponent_errors() {
  for (std::size_t n = 0; n < keys_.size(); ++n)
    keys_[n].exponent = exponent_error(row_.keys[n], keys_[n]);
}

// Short of what is common to the row.
double forward_bound::exponent_error(const exact_key& key, const key_error& error) const {
  const contract& c = contract_;
  const double unit = unit_of(c.exponent);
  const bool constant = c.shift == exponent_shift::constant;
  const double argument =
      constant ? std::fabs(key.logit - c.shift_by) + greatest_error_
               : key.gap + std::fabs(c.shift_by) + 2 * greatest_error_ + 2 * c.rescale_threshold;
  const double lse = c.may_use_lse ? row_.log_mass : 0;
  const double rounded = argument_roundings(c) * unit * (argument + lse);
  const double folded = c.may_fold_scale ? unit * (3 * std::fabs(key.logit) + key.gap) : 0;
  const double exponentials = exponential_error(c.exp_ulps, unit) +
                              weighted(error.rises, exponential_error(c.rescale_ulps, unit));
  return error.score + rounded + folded + exponentials + merges_ * merge_error(key);
}

double forward_bound::merge_error(const exact_key& key) const {
  const contract& c = contract_;
  const double level = std::max(std::fabs(row_.greatest), std::fabs(key.logit)) + row_.log_mass;
  const double unit = unit_of(c.exponent);
  return unit * (level + argument_roundings(c) * (key.gap + row_.log_mass) +
                 2 * log_ulps * row_.log_mass) +
         exponential_error(c.rescale_ulps, unit);
}

// --- Steps 3 and 4 ---

void forward_bound::set_weights() {
  const contract& c = contract_;
  const double count = static_cast<double>(keys_.size());
  const double groups = fused_groups(count, static_cast<double>(problem_.dims.keys));
  least_mass_ = most_mass_ = 0;
  for (std::size_t n = 0; n < keys_.size(); ++n) {
    key_error& key = keys_[n];
    const double a = row_.keys[n].weight;
    least_mass_ += a * inverse_exponential(key.exponent);
    key.moved = weighted(a, exponential_less_1(key.exponent));
    key.raised = weighted(a, exponential(key.exponent));
    most_mass_ += key.raised;
    const accumulation sum = accumulate(count + key.rises + merges_ + 1, c.output_sum, groups);
    key.rounded = weighted(key.raised, sum.error());
  }
  weight_sum_error_ = likely_weight_sum_error_ = weight_sum_error(certainty::always);
  second_pass_error_ = second_pass_error();
  mass_ = exp_double(row_.log_mass) * least_mass_ * shift_scale_ / (1 + weight_sum_error_);
  held_mass_ = weighs_twice() ? std::min(1.0, mass_) : mass_;
}

// What the exponential and the storage of a weight may move it by, in the scale of a_j. What only
// loses never loses more than all of it.
void forward_bound::set_losses() {
  const contract& c = contract_;
  // A rescaling knows nothing of the shift.
  const double rescaled = std::max(1.0, shift_scale_) / held_mass_;
  const bool flushes = c.exponent.subnormals == subnormal_mode::flushed;
  const double flushed = flushes ? smallest_normal(*c.exponent.number) * rescaled : 0;
  const double ulps = c.exp_ulps + c.rescale_ulps + 1 + (weighs_twice() ? c.division_ulps : 0) +
                      dropout_.products();
  const double moved = ulps * smallest_subnormal(*c.exponent.number) * rescaled;
  const double unstored = underflow_of(c.weight_storage) / c.weight_of_one / held_mass_;
  const double cut = exp_double(c.exp_zero_below) * rescaled;
  for (std::size_t n = 0; n < keys_.size(); ++n) {
    key_error& key = keys_[n];
    const double all = key.raised / least_mass_ + smallest_double;  // a_j may be below the doubles
    const bool may_be_cut = all <= 2 * cut * exponential(2 * key.exponent);
    key.vanished = std::min(all, flushed + (may_be_cut ? all : 0)) + moved;
    key.unstored = rounds_within_itself(c.weight_storage) ? std::min(all, unstored) : unstored;
  }
}

void forward_bound::set_columns() {
  const auto width = static_cast<std::size_t>(problem_.dims.value_width);
  columns_.assign(width, {});
  std::vector<double> values(width);
  for (std::size_t n = 0; n < keys_.size(); ++n) {
    const key_error& key = keys_[n];
    const double unstored = key.unstored * (1 + dropout_.products());
    read_scaled_values(n, values);
    for (std::size_t d = 0; d < width; ++d) columns_[d].plain += std::fabs(values[d]);
    drop_values(n, values);
    for (std::size_t d = 0; d < width; ++d) {
      const double size = std::fabs(values[d]);
      const double distance = std::fabs(values[d] - row_.output[d].high);
      column& s = columns_[d];
      s.moved += key.moved * distance;
      s.spread += key.raised * distance;
      s.raised += key.raised * size;
      s.rounded += key.rounded * size;
      s.vanished += key.vanished * (distance + size) +
                    unstored * (contract_.may_sum_rounded_weights ? distance + size : size);
      s.hull = std::max(s.hull, distance);
    }
  }
  if (contract_.quantised_to != nullptr)
    for (std::size_t n = 0; n < keys_.size(); ++n)
      if (row_.keys[n].key != sink_key)
        value_quantum_ += dropout_.scale() * keys_[n].raised / least_mass_ *
                          quanta_.v[static_cast<std::size_t>(row_.keys[n].key)];
  has_likely_ = errors_are_independent();
  if (has_likely_) set_likely_errors();
}

// s times the values of the n-th key; zeros for the sink.
void forward_bound::read_scaled_values(std::size_t n, std::span<double> values) const {
  const std::int64_t key = row_.keys[n].key;
  if (key == sink_key) {
    std::fill(values.begin(), values.end(), 0.0);
    return;
  }
  problem_.v.read(place_.b, problem_.kv_head(place_.h), key, values);
  if (dropout_.scale() != 1)
    for (double& v : values) v *= dropout_.scale();
}

// Zeros where the weight of the n-th key is dropped.
void forward_bound::drop_values(std::size_t n, std::span<double> values) const {
  const std::int64_t key = row_.keys[n].key;
  if (key != sink_key && drops(problem_, place_, key)) std::fill(values.begin(), values.end(), 0.0);
}

// --- The likely bound ---

// Rounding to nearest, of terms that do not repeat, in a sum that is long enough to matter and
// short enough not to stall.
bool forward_bound::errors_are_independent() const {
  constexpr std::size_t fewest_keys = 256;
  constexpr double most_growth = 0.1;
  const contract& c = contract_;
  const double steps = 2 * static_cast<double>(keys_.size()) + merges_ + 1;
  const double unit = std::max(unit_of(c.output_sum), unit_of(c.weight_sum));
  const bool nearest = c.output_sum.mode == rounding_mode::nearest_even &&
                       c.weight_sum.mode == rounding_mode::nearest_even && c.fused_terms == 0;
  if (!nearest || keys_.size() < fewest_keys || steps * unit > most_growth) return false;
  std::vector<double> logits;
  for (const exact_key& key : row_.keys) logits.push_back(key.logit);
  std::sort(logits.begin(), logits.end());
  const auto distinct = std::unique(logits.begin(), logits.end()) - logits.begin();
  return 2 * static_cast<std::size_t>(distinct) > logits.size();
}

// A term below a few roundings of the sum may be lost as a whole, always to the same side: such
// terms count in full, the others by the likely growth, where they are spread.
void forward_bound::set_likely_errors() {
  const double unit = unit_of(contract_.output_sum);
  const double count = static_cast<double>(keys_.size());
  std::vector<double> values(columns_.size());
  std::vector<std::vector<double>> terms(columns_.size() + 1);  // of the columns and of l
  for (std::size_t n = 0; n < keys_.size(); ++n) {
    const key_error& key = keys_[n];
    const double grown = likely_growth(count + key.rises + merges_ + 1, unit, deviations_);
    read_scaled_values(n, values);
    drop_values(n, values);
    for (std::size_t d = 0; d < columns_.size(); ++d) {
      const double term = key.raised * std::fabs(values[d]);
      columns_[d].likely += term <= few * unit * columns_[d].raised ? term : grown * term;
      terms[d].push_back(key.raised * values[d]);
    }
    const bool stagnates = key.raised <= few * unit_of(contract_.weight_sum) * most_mass_;
    terms.back().push_back(key.raised);
    keys_[n].likely =
        key.raised * (stagnates ? 1
                                : likely_growth(count + key.rises + merges_,
                                                unit_of(contract_.weight_sum), deviations_));
  }
  for (std::size_t d = 0; d < columns_.size(); ++d)
    if (!are_spread(terms[d], unit * columns_[d].raised)) columns_[d].likely = columns_[d].rounded;
  if (are_spread(terms.back(), unit_of(contract_.weight_sum) * most_mass_))
    likely_weight_sum_error_ = weight_sum_error(certainty::likely);
}

// --- Ends ---

// By how much, relatively, l may be wrong the other way: of 1 / l.
double forward_bound::weight_sum_error(certainty sure) const {
  const contract& c = contract_;
  const double count = static_cast<double>(keys_.size());
  double error = 0;
  for (const key_error& key : keys_) {
    const accumulation sum = accumulate(count + key.rises + merges_, c.weight_sum, 0);
    error += sure == certainty::likely ? key.likely : weighted(key.raised, sum.error());
  }
  const double underflows =
      operations() * underflow_of(c.weight_sum) / (exp_double(row_.log_mass) * shift_scale_);
  error = (error + underflows) / least_mass_;
  return error < 1 ? error / (1 - error) : infinity;
}

// Whether the weights that meet v may be others than those that l adds.
bool forward_bound::weighs_twice() const {
  return contract_.may_use_lse || contract_.may_normalise_weights;
}

// What a division, or the product with a reciprocal, may be off by.
double forward_bound::division_error(const stage& s) const {
  return (1 + 2 * contract_.division_ulps * unit_of(s)) * (1 + unit_of(s)) - 1;
}

// Of the logarithm of l z.
double forward_bound::log_error(double log_mass, double unit) const {
  return 2 * log_ulps * unit * (log_mass + std::fabs(shift_size()) + contract_.rescale_threshold);
}

// Where the weights that meet v are not those that l adds, their errors do not cancel in l: f of
// the proof.
double forward_bound::second_pass_error() const {
  const contract& c = contract_;
  const double unit = unit_of(c.exponent);
  double exponents = 0;
  for (std::size_t n = 0; n < keys_.size(); ++n)
    exponents += row_.keys[n].weight * (keys_[n].exponent - keys_[n].score);
  if (c.may_use_lse)
    return unit * (std::fabs(row_.greatest) + row_.log_mass) + log_error(row_.log_mass, unit) +
           2 * exponents + log1p_double(weight_sum_error_);
  const bool two_passes = c.may_normalise_weights && (c.may_rescale || merges_ > 0);
  return two_passes ? 2 * exponents : 0;
}

// What every summand of the output meets once, whatever the order.
double forward_bound::numerator_constants(bool stored) const {
  const contract& c = contract_;
  const double storage = stored ? store_error(c.weight_storage, c.exponent) : 0;
  const double normalised =
      c.may_normalise_weights ? division_error(c.exponent) + unit_of(c.exponent) : 0;
  const double divided = merges_ > 0 && c.may_use_lse ? division_error(c.output_sum) : 0;
  const double merged =
      merges_ * (store_error(c.partial_storage, c.output_sum) + 2 * unit_of(c.output_sum)) +
      divided;
  const double values =
      growth(c.v_conversion.times, unit_of(c.v_conversion.to)) +
      (c.quantised_to ? unit_of({c.quantised_to}) + 2 * unit_of(c.output_sum) : 0);
  const double constants = (1 + storage + normalised) * (1 + merged) * (1 + values) - 1;
  return constants + (1 + constants) * dropout_.rounded();
}

// Wrong weights, the rounding of both sums and what vanishes. Stored weights count in the numerator
// alone, or, where l sums them too, as weights that are wrong.
double forward_bound::before_the_end(const column& s, double o, certainty sure,
                                     bool sums_stored_weights) const {
  const contract& c = contract_;
  const double stored =
      sums_stored_weights ? shrinkage(1, store_error(c.weight_storage, c.exponent)) : 0;
  const double raise_mass = 1 + stored;  // 1 / A grows by it
  const double moved = ((1 + stored) * s.moved + stored * s.spread) * raise_mass / least_mass_;
  const double weights = std::min(raise * s.hull, moved);
  const double sum = sure == certainty::likely ? s.likely : s.rounded;
  const double constants = numerator_constants(!sums_stored_weights);
  const double numerator =
      (1 + stored) * raise_mass * ((1 + constants) * (s.raised + sum) - s.raised) / least_mass_;
  const double size = std::fabs(o) + weights + numerator;
  const double denominator =
      size * ((1 + stored) * raise_mass *
                  (sure == certainty::likely ? likely_weight_sum_error_ : weight_sum_error_) +
              exponential_less_1(second_pass_error_));
  const bool inputs_flushed =
      c.output_sum.subnormals == subnormal_mode::flushed && *c.inputs == *c.output_sum.number;
  return weights + numerator + denominator + s.vanished + lost_products() + value_quantum_ +
         (inputs_flushed ? dropout_.scale() * smallest_normal(*c.inputs) : 0);
}

// The most parts that a row has: each holds a key, and m levels of pairs merge no more than 2^m.
double forward_bound::parts() const {
  constexpr double most_levels = 60;
  return std::min(static_cast<double>(keys_.size()), exp2_double(std::min(merges_, most_levels)));
}

// How many results one accumulator takes: a product and a sum a key, a rescaling a rise, two
// products and a sum a merge.
double forward_bound::operations() const {
  const double count = static_cast<double>(keys_.size());
  return count * ((contract_.may_rescale ? 3 : 2) + dropout_.products()) +
         (merges_ > 0 ? 3 * parts() : 0);
}

// Rounded to nearest or to zero, an addition is never off by more than what it adds, and no sum
// exceeds twice that of the sizes. To another side terms that are lost in a sum move it all the
// same.
bool forward_bound::runs_away(const stage& sum) const {
  return !rounds_within_itself(sum) && growth(operations(), unit_of(sum)) > 1;
}

// What results, quotients, stored parts and converted values that underflow may move a column by.
double forward_bound::lost_products() const {
  const contract& c = contract_;
  const bool stores = merges_ > 0 && store_error(c.partial_storage, c.output_sum) > 0;
  const double stored = stores ? 2 * parts() * underflow_of(c.partial_storage) : 0;
  const double sums = operations() * underflow_of(c.output_sum);
  const double converted = c.v_conversion.times * underflow_of(c.v_conversion.to);
  const double divisions = merges_ > 0 && c.may_use_lse ? 2 : 1;
  const double divided = divisions * c.division_ulps * smallest_subnormal(*c.output_sum.number);
  const double unscaled =
      divided + (sums + stored) / held_mass_ + converted * most_mass_ / least_mass_;
  return dropout_.scale() * unscaled + dropout_.underflow() * most_mass_ / least_mass_;
}

// Step 5.
double forward_bound::end(const column& s, double o, certainty sure) const {
  const contract& c = contract_;
  double error = before_the_end(s, o, sure, false);
  if (c.may_sum_rounded_weights) error = std::max(error, before_the_end(s, o, sure, true));
  const double rounded =
      (1 + division_error(c.output_sum)) * (1 + unit_of(*c.output, c.output_mode)) - 1;
  return raise * (rounded * (std::fabs(o) + error) +
                  underflow_of(*c.output, c.output_mode, c.output_subnormals) + error);
}

// The mean of V over all keys, where that is what the semantics gives an empty row: equal weights,
// summed.
double forward_bound::empty_row_error(std::int64_t d) const {
  if (rule_of_empty_row(problem_, place_) != empty_row::mean_of_values) return 0;
  double largest = 0;
  for (std::int64_t j = 0; j < problem_.dims.keys; ++j)
    largest =
        std::max(largest, std::fabs(problem_.v.at(place_.b, problem_.kv_head(place_.h), j, d)));
  largest *= dropout_.scale();
  const double keys = static_cast<double>(problem_.dims.keys);
  const contract& c = contract_;
  const double sums = accumulate(4 * keys + 8, c.output_sum, fused_groups(keys, keys)).error() +
                      2 * unit_of(c.weight_storage) + unit_of(*c.output, c.output_mode) +
                      (c.quantised_to ? unit_of({c.quantised_to}) + quantum(c) : 0) +
                      growth(c.v_conversion.times, unit_of(c.v_conversion.to)) +
                      2 * dropout_.rounded();
  return raise * (sums * largest + dropout_.underflow() +
                  underflow_of(*c.output, c.output_mode, c.output_subnormals));
}

double forward_bound::output(std::int64_t d) const {
  if (row_.empty()) return empty_row_error(d);
  if (member_) return member_->output(d);
  const auto n = static_cast<std::size_t>(d);
  return end(columns_[n], row_.output[n].high, certainty::always);
}

double forward_bound::likely_output(std::int64_t d) const {
  if (!has_likely_) return output(d);
  const auto n = static_cast<std::size_t>(d);
  return std::min(output(d), end(columns_[n], row_.output[n].high, certainty::likely));
}

double forward_bound::lost_in_log(const key_error& key) const {
  return key.vanished + (contract_.may_sum_rounded_weights ? key.unstored : 0);
}

forward_bound::log_sum forward_bound::sum_of_all(certainty sure) const {
  const double rounded = 0x1p-52 * static_cast<double>(keys_.size() + 2);  // of the two masses
  log_sum sum;
  sum.moved = std::max(log_double(most_mass_), -log_double(least_mass_)) + rounded;
  sum.rounded =
      log1p_double((sure == certainty::likely ? likely_weight_sum_error_ : weight_sum_error_));
  for (const key_error& key : keys_) sum.lost += lost_in_log(key);
  sum.greatest = std::fabs(row_.greatest);
  sum.log_mass = row_.log_mass;
  return sum;
}

// Its log moves by no more than the largest exponent does. The maximum that is taken out may still
// be the sink's: then the rest is below 1 and its log negative.
forward_bound::log_sum forward_bound::sum_of_keys() const {
  const double count = static_cast<double>(keys_.size());
  log_sum sum;
  double share = 0, most_rises = 0, largest = 0;
  for (std::size_t n = 0; n < keys_.size(); ++n) {
    if (row_.keys[n].key == sink_key) continue;
    sum.moved = std::max(sum.moved, keys_[n].exponent);
    sum.lost += lost_in_log(keys_[n]);
    share += row_.keys[n].weight * inverse_exponential(keys_[n].exponent);
    most_rises = std::max(most_rises, keys_[n].rises);
    largest = std::max(largest, std::fabs(row_.keys[n].logit));
  }
  sum.rounded = -(count + most_rises + merges_) * log1p_double(-unit_of(contract_.weight_sum));
  sum.lost = share > 0 ? sum.lost / share : infinity;
  sum.greatest = std::max(largest, std::fabs(row_.greatest));
  sum.log_mass = sum.greatest + largest + log_double(count);
  return sum;
}

double forward_bound::log_mass() const {
  const log_sum sum = sum_of_all(certainty::always);
  const double stored =
      contract_.may_sum_rounded_weights
          ? -log1p_double(-store_error(contract_.weight_storage, contract_.exponent))
          : 0;
  return raise *
         (sum.moved + stored + sum.rounded + (sum.lost < 1 ? -log1p_double(-sum.lost) : infinity));
}

double forward_bound::lse_within(certainty sure) const {
  const contract& c = contract_;
  const double unit = unit_of(c.exponent);
  const bool apart = problem_.rules.sink == lse_sink::left_out && !problem_.sink.empty();
  const log_sum sum = apart ? sum_of_keys() : sum_of_all(sure);
  const double stored =
      c.may_sum_rounded_weights ? -log1p_double(-store_error(c.weight_storage, c.exponent)) : 0;
  const double size = sum.greatest + sum.log_mass;
  const double natural = sum.moved + stored + sum.rounded + log_error(sum.log_mass, unit) +
                         3 * unit * (size + std::fabs(c.shift_by) + c.rescale_threshold) +
                         (sum.lost < 1 ? -log1p_double(-sum.lost) : infinity);
  const double in_base = problem_.rules.base == lse_base::two
                             ? 1.4426950408889634 * natural + 4 * unit * size
                             : natural;
  return raise * (in_base + unit_roundoff(*c.lse) * (std::fabs(row_.lse.high) + in_base) +
                  smallest_normal(*c.lse));
}

double forward_bound::lse() const {
  return row_.empty() || member_ ? 0 : lse_within(certainty::always);
}

double forward_bound::likely_lse() const {
  return has_likely_ ? std::min(lse(), lse_within(certainty::likely)) : lse();
}

double forward_bound::hull(std::int64_t d) const {
  const auto n = static_cast<std::size_t>(d);
  if (member_) return row_.empty() ? 0 : member_->hull(d);
  return row_.empty() ? 0 : raise * columns_[n].hull + row_.output[n].radius;
}

}  // namespace attest
