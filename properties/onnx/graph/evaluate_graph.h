// Evaluating the graph of a modifier on a tensor.
#pragma once

#include <map>
#include <string>

#include "properties/onnx/graph/graph_arithmetic.h"
#include "properties/onnx/graph/ranged.h"

namespace attest {

struct onnx_graph;

// Result: empty where the graph can be evaluated, as far as it shows: one input, one output, and
// nodes of which each is taken; else what stands in the way: "the operator Foo".
std::string why_graph_not_taken(const onnx_graph&);

// Tensors that a graph may read from around itself, by name.
using outer_tensors = std::map<std::string, array>;

// Computes: the output of the graph. Domain: why_graph_not_taken() is empty.
// Error: input_error naming `where` for names that are not defined or defined twice, and for nodes
// whose inputs do not fit; not_taken for what is well-formed but not judged.
ranged_tensor evaluate_graph(const onnx_graph&, ranged_tensor given, const outer_tensors&,
                             const graph_arithmetic&, const std::string& where);

}  // namespace attest
