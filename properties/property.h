// A law that must hold for any subject, as data and two functions.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "properties/examiner.h"
#include "properties/family.h"
#include "reference/problems/problem_spec.h"

namespace attest {

struct property {
  std::string_view name;       // as its file, and what it claims
  std::string_view theme;      // the subfolder of catalogue/ it lives in
  std::string_view statement;  // one sentence
  std::string_view method;     // how a black box is made to show it
  std::string_view bound;      // what may differ, and why
  std::string_view proof;      // where the bound is derived
  std::string_view claim;      // the step of the derivation that it rests on
  std::string_view needs;      // what it asks of the semantics
  std::string_view catches;    // the kinds of defect that break it

  feature_set admits;       // features that its problems may use
  feature_set groups;       // features that get a group of their own
  bool plain_group = true;  // whether it is run without any feature
  bool long_rows = false;   // whether it is run on rows of hundreds and thousands of keys
  int large_calls = 0;      // how often on each path of large calls with each feature for sure
  bool vast_calls = false;  // and on calls of more scores, queries, keys or heads than any other
  int base_problems = 1;    // problems a group at effort 1

  // The members of the family for which it is true; it is not asked of others.
  set_of<scorer> scorers = products_of_q_and_k;
  set_of<normalizer> normalizers = softmax_alone;

  // Makes a drawn problem fit the law; nullopt where it cannot.
  std::optional<problem_spec> (*adapt)(problem_spec, const subject_info&);
  judgement (*judge)(const problem_spec&, examiner&);
};

// Whether the law is true of what these semantics compute.
bool holds_for(const property&, const semantics&);

// All laws, in the order of the catalogue's folders.
std::span<const property* const> catalogue();

// Error: input_error for a name not in the catalogue.
const property& find_property(std::string_view name);

// Computes: the properties whose name matches a glob (* and ?). Error: input_error when none does.
std::vector<const property*> matching_properties(std::string_view glob);

}  // namespace attest
