// Linear attention in chunks of positions, as kernels evaluate it: what lies before a chunk comes
// from its state, what lies in it from products of queries and keys. A chunk of one position is the
// recurrent form, a chunk of all of them the parallel one.
#pragma once

#include <algorithm>
#include <vector>

#include "reference/linear/linear_attention.h"

namespace attest {

template <Number T>
class chunked_head {
 public:
  chunked_head(const linear_problem& p, std::int64_t b, std::int64_t g)
      : p_(p),
        b_(b),
        g_(g),
        width_(p.channels()),
        state_(size(width_ * p.dims.value_width), T(0)),
        mass_(size(width_), T(0)) {
    for (std::int64_t t = 0; p.state && t < width_; ++t)
      for (std::int64_t d = 0; d < p.dims.value_width; ++d)
        state_[cell(t, d)] = T(p.state->at(b, g, t, d));
  }

  // Writes the outputs of the positions first, ..., last - 1 of every head that this one serves,
  // and goes on to the state behind them.
  void pass(std::int64_t first, std::int64_t last, std::vector<T>& output) {
    first_ = first;
    keys_.clear();
    logs_.clear();
    fresh_.clear();
    for (std::int64_t l = first; l < last; ++l) {
      keys_.push_back(features_of<T>(p_, p_.k, b_, g_, l));
      add_logs(l);
      add_new_values(l);
      for (std::int64_t h = 0; h < p_.dims.query_heads; ++h)
        if (p_.kv_head(h) == g_) write(h, l, output);
    }
    if (last > first) carry(last);
  }

  const std::vector<T>& state() const { return state_; }

 private:
  static std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }
  std::size_t cell(std::int64_t t, std::int64_t d) const {
    return size(t * p_.dims.value_width + d);
  }
  const T& k(std::int64_t l, std::int64_t t) const { return keys_[size(l - first_)][size(t)]; }

  // Sums of logs from the beginning of the chunk.
  void add_logs(std::int64_t l) {
    std::vector<T> sums = logs_.empty() ? std::vector<T>(size(width_), T(0)) : logs_.back();
    for (std::int64_t t = 0; p_.decay && t < width_; ++t)
      sums[size(t)] = sums[size(t)] + T(p_.decay->at(b_, g_, l, p_.decay_channel(t)));
    logs_.push_back(std::move(sums));
  }
  const T& log(std::int64_t l, std::int64_t t) const { return logs_[size(l - first_)][size(t)]; }

  // What is left at position l of the state at the beginning, and of a key at position j.
  T left(std::int64_t l, std::int64_t t) const { return p_.decay ? exp_of(log(l, t)) : T(1); }
  T left(std::int64_t l, std::int64_t j, std::int64_t t) const {
    return p_.decay ? exp_of(T(log(l, t) - log(j, t))) : T(1);
  }

  // sum_t x_t left k_jt
  template <class Of>
  T product(std::int64_t l, std::int64_t j, Of x) const {
    T sum(0);
    for (std::int64_t t = 0; t < width_; ++t) sum = sum + x(t) * left(l, j, t) * k(j, t);
    return sum;
  }

  // x^T S faded to l, and the sum of x k_j u_j over the chunk before `end`.
  template <class Of>
  std::vector<T> read(std::int64_t l, std::int64_t end, Of x) const {
    std::vector<T> sums(size(p_.dims.value_width), T(0));
    for (std::int64_t t = 0; t < width_; ++t) {
      const T factor(x(t) * left(l, t));
      for (std::size_t d = 0; d < sums.size(); ++d)
        sums[d] = sums[d] + factor * state_[cell(t, static_cast<std::int64_t>(d))];
    }
    for (std::int64_t j = first_; j < end; ++j) {
      const T weight = product(l, j, x);
      for (std::size_t d = 0; d < sums.size(); ++d)
        sums[d] = sums[d] + weight * fresh_[size(j - first_)][d];
    }
    return sums;
  }

  void add_new_values(std::int64_t l) {
    std::vector<T> fresh;
    for (std::int64_t d = 0; d < p_.dims.value_width; ++d)
      fresh.push_back(T(p_.v.at(b_, g_, l, d)));
    if (p_.rate) {
      const std::vector<T> known = read(l, l, [&](std::int64_t t) {
        return p_.erase ? T(k(l, t) * T(p_.erase->at(b_, g_, l, t))) : k(l, t);
      });
      const T rate(p_.rate->at(b_, g_, l, 0));
      for (std::size_t d = 0; d < fresh.size(); ++d) fresh[d] = T(rate * T(fresh[d] - known[d]));
    }
    fresh_.push_back(std::move(fresh));
  }

  void write(std::int64_t h, std::int64_t l, std::vector<T>& output) const {
    const std::vector<T> q = features_of<T>(p_, p_.q, b_, h, l);
    const auto query = [&](std::int64_t t) { return q[size(t)]; };
    std::vector<T> sums = read(l, l + 1, query);
    const T factor = p_.normalised ? T(T(1) / weight_of(l, query)) : scale_of<T>(p_);
    const std::int64_t row = (b_ * p_.dims.query_heads + h) * p_.dims.queries + l;
    for (std::size_t d = 0; d < sums.size(); ++d)
      output[size(row * p_.dims.value_width) + d] = T(sums[d] * factor);
  }

  template <class Of>
  T weight_of(std::int64_t l, Of query) const {
    T sum(0);
    for (std::int64_t t = 0; t < width_; ++t) sum = sum + query(t) * left(l, t) * mass_[size(t)];
    for (std::int64_t j = first_; j <= l; ++j) sum = sum + product(l, j, query);
    return sum;
  }

  void carry(std::int64_t last) {
    for (std::int64_t t = 0; t < width_; ++t) {
      mass_[size(t)] = T(mass_[size(t)] * left(last - 1, t));
      for (std::int64_t d = 0; d < p_.dims.value_width; ++d)
        state_[cell(t, d)] = T(state_[cell(t, d)] * left(last - 1, t));
      for (std::int64_t j = first_; j < last; ++j) {
        const T kept(left(last - 1, j, t) * k(j, t));
        mass_[size(t)] = mass_[size(t)] + kept;
        for (std::int64_t d = 0; d < p_.dims.value_width; ++d)
          state_[cell(t, d)] = state_[cell(t, d)] + kept * fresh_[size(j - first_)][size(d)];
      }
    }
  }

  const linear_problem& p_;
  std::int64_t b_, g_, width_, first_ = 0;
  std::vector<T> state_, mass_;
  std::vector<std::vector<T>> keys_, logs_, fresh_;  // of the positions of the chunk so far
};

// Domain: no sum of weights of a normalised problem is 0; size >= 1.
template <Number T>
linear_answer<T> chunked_linear_attention(const linear_problem& p, std::int64_t size) {
  const shape& s = p.dims;
  linear_answer<T> answer;
  answer.output.resize(
      static_cast<std::size_t>(s.batch * s.query_heads * s.queries * s.value_width), T(0));
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t g = 0; g < s.kv_heads; ++g) {
      chunked_head<T> head(p, b, g);
      for (std::int64_t first = 0; first < s.queries; first += size)
        head.pass(first, std::min(first + size, s.queries), answer.output);
      answer.state.insert(answer.state.end(), head.state().begin(), head.state().end());
    }
  return answer;
}

}  // namespace attest
