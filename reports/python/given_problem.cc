#include "reports/python/given_problem.h"

#include <cmath>

#include "properties/exchange/array_problem.h"
#include "reference/input_error.h"
#include "reference/problems/parameters.h"
#include "reference/semantics/profiles.h"
#include "reference/text.h"

namespace attest {
namespace {

causal_anchor parse_causal(const std::string& text, const shape& dims, bool ragged) {
  if (text == "none") return causal_anchor::none;
  if (text == "top_left") return causal_anchor::top_left;
  if (text == "bottom_right") return causal_anchor::bottom_right;
  if (text != "true")
    throw input_error("causal is '" + text +
                      "' (allowed: None, 'top_left', 'bottom_right', and True where these are the "
                      "same)");
  if (dims.queries != dims.keys || ragged)
    throw input_error("causal is True with " + std::to_string(dims.queries) + " queries, " +
                      std::to_string(dims.keys) + " keys" + (ragged ? " and lengths" : "") +
                      " (allowed: 'top_left' or 'bottom_right', which differ there)");
  return causal_anchor::top_left;
}

window parse_window(const std::pair<std::int64_t, std::int64_t>& ends) {
  const window w{ends.first, ends.second};
  if (w.left < -1 || w.right < -1)
    throw input_error("window is (" + std::to_string(w.left) + ", " + std::to_string(w.right) +
                      ") (allowed: -1 or more on each side)");
  return w;
}

key_pattern parse_pattern(const std::map<std::string, std::int64_t>& given) {
  key_pattern pattern;
  for (const pattern_number& n : pattern_numbers) {
    const auto found = given.find(std::string(n.name));
    if (found == given.end()) continue;
    const std::int64_t least = n.member == &key_pattern::dilation ? 1 : 0;
    if (found->second < least)
      throw input_error(std::string(n.name) + " is " + std::to_string(found->second) +
                        " (allowed: " + std::to_string(least) + " or more)");
    pattern.*n.member = found->second;
  }
  return pattern;
}

void require_finite(double x, const char* what) {
  if (!std::isfinite(x))
    throw input_error(std::string(what) + " is " + to_text(x) + " (allowed: a finite number)");
}

void require_options(const given_options& o) {
  if (o.scale) require_finite(*o.scale, "scale");
  require_finite(o.soft_cap, "soft_cap");
  require_finite(o.alpha, "alpha");
  if (o.soft_cap < 0)
    throw input_error("soft_cap is " + to_text(o.soft_cap) + " (allowed: 0 or more)");
}

array to_array(const given_array& given) {
  array a;
  a.kind = given.kind == "bool"  ? element_kind::boolean
           : given.kind == "int" ? element_kind::integer
                                 : element_kind::floating;
  a.element = a.kind == element_kind::floating ? find_format(given.kind) : nullptr;
  a.sizes.assign(given.values.shape(), given.values.shape() + given.values.ndim());
  a.values.assign(given.values.data(), given.values.data() + given.values.size());
  return a;
}

}  // namespace

found_arrays to_found(const given_arrays& given) {
  found_arrays found;
  for (const auto& [name, each] : given) found[name] = {to_array(each), name == "o" ? "out" : name};
  return found;
}

void read_under(const given_options& o, problem& p) {
  require_options(o);
  p.rules = find_profile(o.profile);
  if (p.mask && p.rules.polarity == mask_polarity::true_masks) p.mask->invert();
  p.causal = parse_causal(o.causal, p.dims, !p.lengths.empty());
  p.sliding = parse_window(o.window);
  p.pattern = parse_pattern(o.pattern);
  require_blocks(p);
  p.scale = o.scale;
  p.soft_cap = o.soft_cap;
  p.alpha = o.alpha;
  p.dropout_scale = o.dropout_scale;
  require_dropout(p, "dropout_scale", "dropout_mask");
  require_parameters(p);
}

}  // namespace attest
