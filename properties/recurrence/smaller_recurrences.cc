#include "properties/recurrence/smaller_recurrences.h"

#include <algorithm>

namespace attest {
namespace {

class variations {
 public:
  variations(const recurrence_spec& s, recurrence_features allowed) : s_(s), allowed_(allowed) {}

  std::vector<recurrence_spec> all() {
    shorter();
    narrower();
    plainer();
    return std::move(found_);
  }

 private:
  template <class Change>
  void offer(Change change) {
    recurrence_spec smaller = s_;
    change(smaller);
    smaller.dims.keys = smaller.dims.queries;
    if (!(smaller == s_) && allowed_.contains(features_of(smaller))) found_.push_back(smaller);
  }

  // Half first, so that long ones need few steps.
  void shrink(std::int64_t shape::*size) {
    for (const std::int64_t to : {std::int64_t{1}, s_.dims.*size / 2, s_.dims.*size - 1})
      if (to >= 1) offer([&](recurrence_spec& s) { s.dims.*size = to; });
  }

  void shorter() {
    shrink(&shape::queries);
    shrink(&shape::batch);
    offer([](recurrence_spec& s) { s.dims.query_heads = s.dims.kv_heads = 1; });
    offer([](recurrence_spec& s) { s.dims.query_heads = s.dims.kv_heads; });
    offer([](recurrence_spec& s) {
      s.dims.query_heads /= s.dims.kv_heads;
      s.dims.kv_heads = 1;
    });
  }

  void narrower() {
    for (const std::int64_t width : {std::int64_t{1}, s_.dims.width / 2, s_.dims.width - 1})
      if (width >= 1) offer([&](recurrence_spec& s) { s.dims.width = s.dims.value_width = width; });
    shrink(&shape::width);
    shrink(&shape::value_width);
    for (const std::int64_t draws : {std::int64_t{1}, s_.draws / 2, s_.draws - 1})
      if (draws >= 1 && s_.draws > 0) offer([&](recurrence_spec& s) { s.draws = draws; });
  }

  void plainer() {
    offer([](recurrence_spec& s) { s.decay = decay_kind::none; });
    offer([](recurrence_spec& s) { s.erase = false; });
    offer([](recurrence_spec& s) { s.delta = s.erase = false; });
    offer([](recurrence_spec& s) { s.normalised = false; });
    offer([](recurrence_spec& s) {
      s.normalised = false;
      s.map = feature_map::identity;
      s.draws = 0;
    });
    offer([](recurrence_spec& s) { s.state_in = false; });
    offer([](recurrence_spec& s) { s.state_out = false; });
    offer([](recurrence_spec& s) { s.scale.reset(); });
    offer([](recurrence_spec& s) { s.placed = layout::bhld; });
    offer([](recurrence_spec& s) {
      if (s.elements != element_regime::exact) s.elements = element_regime::normal;
    });
    offer([](recurrence_spec& s) { s.fading = fading_regime::usual; });
    offer([](recurrence_spec& s) { s.rates = rate_regime::usual; });
  }

  const recurrence_spec& s_;
  recurrence_features allowed_;
  std::vector<recurrence_spec> found_;
};

}  // namespace

std::vector<recurrence_spec> smaller_recurrences(const recurrence_spec& s,
                                                 recurrence_features allowed) {
  return variations(s, allowed).all();
}

}  // namespace attest
