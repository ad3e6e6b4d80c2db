#include "derivation/unlucky/unlucky_part.h"

#include <algorithm>
#include <cmath>

#include "derivation/unlucky/unlucky_operands.h"
#include "reference/definition/dropout.h"
#include "reference/formats/spacing.h"

namespace attest {
part_steps::part_steps(const row_setting& row, luck& draws)
    : row_(row),
      draws_(draws),
      exponent_(row, draws),
      exponent_unit_(row.kept.exponent, row.plan.rounding, draws),
      storage_(row.kept.weight_storage, row.plan.rounding, draws),
      output_(row.kept.output_sum, row.plan.rounding, draws),
      sum_(row.kept.weight_sum, row.plan.rounding, draws),
      partial_(row.kept.partial_storage, row.plan.rounding, draws),
      weight_of_one_{row.kept.weight_of_one, 0},
      logits_(unlucky_scores(row, draws)),
      weights_(row.keys()) {
  set_dropout_scale();
  for (std::size_t n = 0; n < row.keys(); ++n) levels_.push_back(exponent_.level(logits_[n], 0));
  set_values();
}

// 1 / (1 - p), of a p in numbers of the stage.
void part_steps::set_dropout_scale() {
  const double s = row_.posed.dropout_scale;
  dropout_scale_ = {s, 0};
  if (is_power_of_two(s)) return;
  const double away = row_.plan.aim * row_.exact.output[row_.column()].high;
  dropout_scale_ =
      output_.off_by_share(dropout_scale_, (s + 1) * unit_of(row_.kept.output_sum), away);
}

bool part_steps::scales(dropout_place place) const {
  return row_.posed.dropout_mask && row_.plan.dropout == place;
}

// A power of two moves the exponent alone: what was stored before is stored as it is.
real part_steps::scaled_and_stored(const real& x, double away) {
  if (is_power_of_two(row_.posed.dropout_scale)) return product(x, dropout_scale_);
  return storage_.rounded(output_.multiplied(x, dropout_scale_, away), away);
}

real part_steps::scaled_output(const real& o) {
  if (!scales(dropout_place::on_output)) return o;
  if (is_power_of_two(row_.posed.dropout_scale)) return product(o, dropout_scale_);
  return output_.multiplied(o, dropout_scale_, row_.plan.aim);
}

void part_steps::set_values() {
  std::vector<double> values(row_.value_width()), away;
  for (std::size_t n = 0; n < row_.keys(); ++n) {
    values_.emplace_back(row_.value_width());
    if (row_.is_sink(n) || drops(row_.posed, row_.place, row_.exact.keys[n].key)) continue;
    const index4 place = row_.key_row(n);
    row_.posed.v.read(place[0], place[1], place[2], values);
    away.assign(values.size(), row_.plan.aim);
    const way_in way{row_.kept.v_conversion, one, row_.quantised_size(&operand_sizes::v, place)};
    const operand_row v = brought_in(row_, output_, way, values, away, draws_);
    for (std::size_t d = 0; d < values.size(); ++d)
      values_[n][d] = output_.multiplied(v.codes[d], v.scale, row_.plan.aim);
    if (scales(dropout_place::on_value))
      for (real& x : values_[n]) x = scaled_and_stored(x, row_.plan.aim);
  }
}

// --- What is unlucky ---

bool part_steps::weighs_once() const {
  const bool one_pass = row_.plan.final_maximum && row_.plan.merged == merging::none;
  return row_.plan.form == weight_form::quotient ||
         (row_.plan.form == weight_form::normalised && one_pass);
}

double part_steps::weight_pull(std::size_t n) const {
  return weighs_once() ? row_.pull(n) : sum_pull();
}

double part_steps::mixed_pull(std::size_t n) const {
  return row_.plan.aim * row_.value(n, row_.column());
}

double part_steps::sum_pull() const {
  if (row_.plan.aims_at_lse) return row_.plan.aim;
  return -row_.plan.aim * row_.exact.output[row_.column()].high;
}

double part_steps::share_pull(const real& o) const { return row_.plan.aim * o.hi; }

// --- Absorbing keys ---

real part_steps::greatest(const key_block& block) const {
  real most = levels_[block.front()];
  for (std::size_t n : block)
    if (most < levels_[n]) most = levels_[n];
  return most;
}

void part_steps::set_maximum(unlucky_part& part, const real& maximum) {
  part.maximum = maximum;
  part.shift = exponent_.shift(maximum);
}

void part_steps::rescale(unlucky_part& part, const real& factor) {
  part.l = sum_.multiplied(part.l, factor, sum_pull());
  for (real& o : part.o) o = output_.multiplied(o, factor, row_.plan.aim);
  part.lean *= factor.hi;
}

// A maximum within the threshold may be ignored; under a constant shift all are.
void part_steps::raise(unlucky_part& part, const real& maximum) {
  const bool base_2 = row_.plan.path == exponent_path::base_2_before;
  const double above = (maximum - part.maximum).hi * (base_2 ? ln_2.hi : 1);
  const bool ignored = row_.kept.shift == exponent_shift::constant || row_.plan.final_maximum ||
                       (row_.plan.lazy && above <= row_.kept.rescale_threshold);
  if (!(above > 0) || ignored) return;
  const real before = part.shift;
  set_maximum(part, maximum);
  rescale(part, exponent_.rescaling(before, part.shift, part.lean));
}

real part_steps::scaled_weight(const real& weight, double away) {
  return is_power_of_two(weight_of_one_.hi)
             ? product(weight, weight_of_one_)
             : exponent_unit_.multiplied(weight, weight_of_one_, away);
}

real part_steps::stored_weight(const real& weight, double away) {
  return storage_.number() == exponent_unit_.number() ? weight : storage_.rounded(weight, away);
}

std::vector<real> part_steps::mixed(const key_block& block, const std::vector<real>& stored,
                                    const std::vector<real>& before) {
  std::vector<real> after, weights = stored;
  if (scales(dropout_place::on_weight))
    for (std::size_t i = 0; i < block.size(); ++i)
      weights[i] = scaled_and_stored(weights[i], mixed_pull(block[i]));
  std::vector<term> terms(block.size());
  for (std::size_t d = 0; d < before.size(); ++d) {
    for (std::size_t i = 0; i < block.size(); ++i) terms[i] = {weights[i], values_[block[i]][d]};
    after.push_back(
        unlucky_sum(output_, row_.plan.output_sum, terms, before[d], row_.plan.aim, draws_));
  }
  return after;
}

void part_steps::absorb(unlucky_part& part, const key_block& block) {
  const bool sums_stored = row_.plan.sums_stored && row_.plan.form == weight_form::quotient;
  std::vector<term> summed;
  std::vector<real> stored;
  for (std::size_t n : block) {
    const double away = weight_pull(n);
    weights_[n] = exponent_.weight(logits_[n], part.shift, away);
    const real weight = scaled_weight(weights_[n], away);
    stored.push_back(stored_weight(weight, sums_stored ? away : mixed_pull(n)));
    summed.push_back({sums_stored ? stored.back() : weight, one});
    part.lean += weight.hi * away;
  }
  part.l = unlucky_sum(sum_, row_.plan.weight_sum, summed, part.l, sum_pull(), draws_);
  if (row_.plan.form == weight_form::quotient) part.o = mixed(block, stored, part.o);
}

unlucky_part part_steps::over(const part_of_keys& blocks) {
  unlucky_part part;
  part.o.resize(row_.value_width());
  real maximum = greatest(blocks.front());
  if (row_.plan.final_maximum)
    for (const key_block& block : blocks)
      if (const real most = greatest(block); maximum < most) maximum = most;
  set_maximum(part, maximum);
  for (const key_block& block : blocks) {
    raise(part, greatest(block));
    absorb(part, block);
  }
  return part;
}

// --- Ends and merges ---

// A reciprocal that underflows would be off by more than ulps of the quotient.
real part_steps::divided(const real& o, const real& l) {
  const double ulps = row_.kept.division_ulps;
  const bool underflows = quotient(one, l).hi < smallest_normal(output_.number());
  if (!row_.plan.by_reciprocal || underflows)
    return output_.off_by_ulps(quotient(o, l), ulps, row_.plan.aim);
  const real inverse = output_.off_by_ulps(quotient(one, l), ulps, share_pull(o));
  return output_.multiplied(o, inverse, row_.plan.aim);
}

finished_part part_steps::finished(const unlucky_part& part) {
  finished_part result;
  for (const real& o : part.o) result.o.push_back(divided(o, part.l));
  result.lse = exponent_.log_sum(part.shift, quotient(part.l, weight_of_one_), sum_pull());
  result.lean = part.lean / part.l.hi;
  return result;
}

unlucky_part part_steps::stored(unlucky_part part) {
  if (!(partial_.number() == output_.number()))
    for (real& o : part.o) o = partial_.rounded(o, row_.plan.aim);
  return part;
}

finished_part part_steps::stored(finished_part part) {
  if (!(partial_.number() == output_.number()))
    for (real& o : part.o) o = partial_.rounded(o, row_.plan.aim);
  return part;
}

unlucky_part part_steps::merged(unlucky_part a, unlucky_part b) {
  unlucky_part& low = a.maximum < b.maximum ? a : b;
  const unlucky_part& high = a.maximum < b.maximum ? b : a;
  rescale(low, exponent_.rescaling(low.shift, high.shift, low.lean));
  low.maximum = high.maximum;
  low.shift = high.shift;
  low.l = sum_.added(low.l, high.l, sum_pull());
  low.lean += high.lean;
  for (std::size_t d = 0; d < low.o.size(); ++d)
    low.o[d] = output_.added(low.o[d], high.o[d], row_.plan.aim);
  return low;
}

finished_part part_steps::merged(const finished_part& a, const finished_part& b) {
  return merged({a, b}, false);
}

finished_part part_steps::merged(const std::vector<finished_part>& parts, bool divides) {
  real top = parts.front().lse;
  for (const finished_part& part : parts)
    if (top < part.lse) top = part.lse;
  real mass{0, 0};
  std::vector<real> shares;
  for (const finished_part& part : parts) {
    shares.push_back(exponent_.rescaling(part.lse, top, divides ? part.lean : sum_pull()));
    mass = sum_.added(mass, shares.back(), sum_pull());
  }
  finished_part whole{exponent_.log_sum(top, mass, sum_pull()), {}, 0};
  whole.o.resize(row_.value_width());
  for (std::size_t s = 0; s < parts.size(); ++s) {
    const double away = share_pull(parts[s].o[row_.column()]);
    if (!divides) shares[s] = exponent_.rescaling(parts[s].lse, whole.lse, away);
    whole.lean += parts[s].lean * shares[s].hi;
    for (std::size_t d = 0; d < whole.o.size(); ++d)
      whole.o[d] = output_.added(
          whole.o[d], output_.multiplied(parts[s].o[d], shares[s], row_.plan.aim), row_.plan.aim);
  }
  if (divides)
    for (real& o : whole.o) o = divided(o, mass);
  return whole;
}

// --- The second pass ---

std::vector<real> part_steps::mixed_normalised(const unlucky_part& whole) {
  key_block all;
  std::vector<real> stored;
  for (std::size_t n = 0; n < row_.keys(); ++n) {
    const real weight =
        weighs_once() ? weights_[n] : exponent_.weight(logits_[n], whole.shift, mixed_pull(n));
    const real share = exponent_unit_.off_by_ulps(
        quotient(product(weight, weight_of_one_), whole.l), row_.kept.division_ulps, mixed_pull(n));
    all.push_back(n);
    stored.push_back(stored_weight(scaled_weight(share, mixed_pull(n)), mixed_pull(n)));
  }
  std::vector<real> output = mixed(all, stored, std::vector<real>(row_.value_width()));
  for (real& o : output) o = quotient(o, weight_of_one_);
  return output;
}

std::vector<real> part_steps::mixed_by_lse(const real& lse) {
  key_block all;
  std::vector<real> stored;
  for (std::size_t n = 0; n < row_.keys(); ++n) {
    const real weight = exponent_.weight(logits_[n], lse, mixed_pull(n));
    all.push_back(n);
    stored.push_back(stored_weight(scaled_weight(weight, mixed_pull(n)), mixed_pull(n)));
  }
  std::vector<real> output = mixed(all, stored, std::vector<real>(row_.value_width()));
  for (real& o : output) o = quotient(o, weight_of_one_);
  return output;
}

}  // namespace attest
