// The exact answer as text: a table of rows, the places of ties.
#pragma once

#include <string>
#include <vector>

#include "properties/exchange/array_problem.h"
#include "reference/certified/rounded.h"

namespace attest {

// Computes: the rows of the problem, a line each: "o[b=0,h=0,i=1] 0.5 0.25  lse 1.25".
// Domain: output and lse as many as the problem has, in row-major order.
std::string table_text(const problem&, const std::vector<std::string>& output,
                       const std::vector<std::string>& lse);

// Computes: how many values lay exactly between two numbers.
std::size_t ties_of(const rounded_answer&);

// Computes: "2 ties in bf16, rounded to even: o[0,3] lse[1]", places as indices of the arrays; the
//   first 20 of them.
std::string ties_text(const array_problem&, const rounded_answer&, const format&);

}  // namespace attest
