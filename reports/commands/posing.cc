#include "reports/commands/posing.h"

#include <cmath>
#include <filesystem>

#include "reference/input_error.h"
#include "reference/problems/parameters.h"
#include "reference/semantics/profiles.h"
#include "reference/text.h"

namespace attest {
namespace {

causal_anchor parse_causal(const std::string& text) {
  if (text == "none") return causal_anchor::none;
  return text == "top_left" ? causal_anchor::top_left : causal_anchor::bottom_right;
}

window parse_window(const std::string& text) {
  if (text.empty()) return {};
  const auto ends = split(text, ',');
  if (ends.size() != 2)
    throw input_error("--window is '" + text + "' (allowed: LEFT,RIGHT, -1 for an open side)");
  const window w{parse_integer(ends[0], "--window LEFT"), parse_integer(ends[1], "--window RIGHT")};
  if (w.left < -1 || w.right < -1)
    throw input_error("--window is '" + text + "' (allowed: -1 or more on each side)");
  return w;
}

void require_finite(double x, const char* option) {
  if (!std::isfinite(x))
    throw input_error(std::string(option) + " is " + to_text(x) + " (allowed: a finite number)");
}

}  // namespace

void require_posing(const posing_options& o) {
  if (o.scale) require_finite(*o.scale, "--scale");
  require_finite(o.soft_cap, "--soft-cap");
  require_finite(o.alpha, "--alpha");
  find_profile(o.profile);
  parse_window(o.window);
}

void read_under(const posing_options& o, problem& p) {
  p.rules = find_profile(o.profile);
  if (p.mask && p.rules.polarity == mask_polarity::true_masks) p.mask->invert();
  p.causal = parse_causal(o.causal);
  p.sliding = parse_window(o.window);
  p.pattern = o.pattern;
  require_blocks(p);
  p.scale = o.scale;
  p.soft_cap = o.soft_cap;
  p.alpha = o.alpha;
  p.dropout_scale = o.dropout_scale;
  require_dropout(p, "--dropout-scale", "an array dropout_mask");
  require_parameters(p);
}

array_problem pose(const posing_options& o) {
  require_posing(o);
  array_problem read = read_problem(o.files);
  read_under(o, read.posed);
  return read;
}

axis_order axis_order_of(const std::string& layout) {
  return layout == "blhd" ? axis_order::blhd : axis_order::bhld;
}

void require_folder(const std::string& path) {
  if (path.empty()) return;
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  if (!std::filesystem::is_directory(folder))
    throw input_error("'" + path + "' can't be written (allowed: a path in a folder that exists)");
}

}  // namespace attest
