// A backward pass of softmax attention by the stages of a contract, every rounding of which is as
// unlucky as the contract allows: written apart from the bound that it is held to.
#pragma once

#include <span>

#include "derivation/bounds/row_gradient.h"
#include "derivation/unlucky/evaluation_plan.h"

namespace attest {

enum class aimed : std::uint8_t { q, k, v };

// What is left open, decided for one pass.
struct backward_plan {
  std::uint64_t seed = 0;
  rounding_habit rounding;
  aimed at = aimed::q;           // what `away` takes from the truth, in one column
  double side = 1;               // and to which side
  std::uint64_t column = 0;      // modulo the width
  std::uint64_t key = 0;         // of k and v: the key that is aimed at, modulo their number
  bool saved_by_forward = true;  // o and lse as far off as the forward may be; else rounded
  bool once_more = false;        // maximum and sum, instead of the lse
  bool mean_of_row = false;      // D = sum p dp, instead of do . o
  bool expanded = false;         // p dp - p D
  bool stores_weights = false;   // before dS is made of them
  bool late_dropout = false;     // the scale is multiplied at the end
  bool heads_apart = false;      // the gradient of each head of a group is stored
  enum class scaled : std::uint8_t { q, logits, sums } scale = scaled::sums;
  exponent_path path = exponent_path::base_e;
  std::int64_t parts = 1;
  summation products, sums;
};

// Computes: a plan that the contract allows.
backward_plan draw_backward_plan(const contract&, std::uint64_t seed);

// What a pass is given. rows: exact ones, in the order of for_each_row; saved: what o and lse may
// be off by, of each.
struct backward_input {
  const contract& kept;
  const problem& p;
  const cotangents& given;
  std::span<const exact_row> rows;
  std::span<const saved_error> saved;
};

// Whether the dS of a pass, without c and with all of its dropout scale, are at hand.
bool gives_parameters(const backward_plan&);

// Computes: dq, dk, dv and, where it gives parameters, dbias, dslope and dsink. Domain: softmax of dot
// products.
attention_gradient<double> unlucky_backward(const backward_input&, const backward_plan&);

}  // namespace attest
