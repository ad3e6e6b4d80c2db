// What the derivation page adds to page_style().
#pragma once

#include <string_view>

namespace attest {

// Computes: numbered evidence, tables of digits, and heatmaps shaded by --w, a weight in [0, 1].
std::string_view derivation_style();

}  // namespace attest
