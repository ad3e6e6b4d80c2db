// How far the gradients of a backward pass that keeps a contract may be from the exact ones.
// Statement, assumptions, budget and proof: derivation/bounds/gradient.md.
#pragma once

#include <vector>

#include "derivation/bounds/row_gradient.h"

namespace attest {

// The bounds for one call. Rows are added one by one, each once and in any order; then each element
// of a gradient has its bound: the largest |dx~ - dx|, infinite where nothing can be said, 0 where
// nothing was added.
// Domain: covers(contract, problem). Cost: of a row, its products; memory of the gradients.
class gradient_bound {
 public:
  gradient_bound(const contract&, const problem&, const cotangents&);

  // Whether the bound knows such gradients: of softmax of (scaled) dot products, without
  // quantisation and with weights of more than 8 bits.
  static bool covers(const contract&, const problem&);

  void add(const row_index&, const exact_row&, const saved_error&);

  double q(const index4&) const;
  double k(const index4&) const;
  double v(const index4&) const;
  // Domain: the problem has a bias; of its own sizes, as in attention_gradient.
  double bias(const index4&) const;
  // Domain: the problem has a sink.
  double sink(std::int64_t h) const;
  // Domain: the problem has slopes.
  double slope(std::int64_t h) const;

  // Computes: the sizes of the terms that each is the sum of, before anything cancels, in sum. A
  // bound of about that says nothing of a gradient.
  double size_of_q(const index4& i) const { return q_.at(i).uncancelled; }
  double size_of_k(const index4& i) const { return k_.at(i).uncancelled; }
  double size_of_v(const index4& i) const { return v_.at(i).uncancelled; }
  double size_of_bias(const index4& i) const { return bias_.at(i).uncancelled; }
  double size_of_sink(std::int64_t h) const {
    return sink_[static_cast<std::size_t>(h)].uncancelled;
  }
  double size_of_slope(std::int64_t h) const {
    return slopes_[static_cast<std::size_t>(h)].uncancelled;
  }

 private:
  // What a gradient is the sum of.
  struct sum {
    sum() = default;
    explicit sum(double x) : value(x) {}
    sum operator+(const sum&) const;

    double value = 0;        // the exact one
    double uncancelled = 0;  // of the terms, before anything cancels
    double size = 0;         // of the terms, as they are held
    double error = 0;        // of the terms
    double lost = 0;         // what may underflow
    double held = 0;         // the largest size in which an accumulator may hold it
    double terms = 0;
  };
  // How a gradient ends.
  struct ending {
    double rounded;    // kappa
    double lost;       // by products and sums that underflow
    bool by_heads;     // whether heads of a group are stored apart
    const format* to;  // the format of the gradient
  };

  sum score_term(double factor, const key_gradient&) const;
  sum value_term(double d_output, const key_gradient&) const;
  sum parameter_term(double factor, double value, double error, double uncancelled) const;
  void add_score_gradients(const row_index&, const row_gradient&);
  void add_values(const row_index&, const row_gradient&);
  void add_mean_of_values(const row_index&);
  void add_parameters(const row_index&, const row_gradient&);
  double parts(double terms) const;
  double of_scores() const;
  double of_values() const;
  ending of_sum(const sum&, double positions, double constants, bool by_heads) const;
  ending of_parameter(const sum&, const format& to) const;
  bool is_held(const sum&, const ending&) const;
  double end(const sum&, const ending&) const;

  const contract& contract_;
  const problem& problem_;
  const cotangents& given_;
  dropout_error dropout_;
  double scale_;  // |c|
  double heads_;  // of a group
  array4<sum> q_, k_, v_, bias_;
  std::vector<sum> sink_, slopes_;
};

}  // namespace attest
