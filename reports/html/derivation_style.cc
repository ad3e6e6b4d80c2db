#include "reports/html/derivation_style.h"

namespace attest {

std::string_view derivation_style() {
  return R"css(
:root { --heat: 31, 95, 160; --most: .7; --mark: #1f5fa0; }
@media (prefers-color-scheme: dark) { :root { --heat: 122, 178, 240; --most: .5; --mark: #7ab2f0; } }
h4 { margin: 1.75rem 0 0; font-size: .9375rem; font-weight: 650; }
.kind { padding: 0 .5rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--quiet); font-size: .8125rem; }
.contents { margin-top: 2.5rem; }
.contents td:first-child, .contents th { white-space: nowrap; }
.contents a { color: inherit; text-underline-offset: .2em; text-decoration-thickness: 1px; }
ol { margin: 1rem 0 0; padding-left: 1.5rem; max-width: 44rem; }
ol li::marker { color: var(--quiet); }
.controls { margin-top: .5rem; }
figure { margin: 1.75rem 0 0; }
figcaption { font-size: .9375rem; font-weight: 600; }
figure .scroll { margin-top: .5rem; }
figure th, figure td { padding: .3125rem 1.25rem .3125rem 0; }
tbody th { font-weight: 400; }
.contents tbody th { font-weight: 600; }
.plain table { width: auto; min-width: 50%; }
.digits { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .8125rem; white-space: nowrap; }
.marked th, .marked td { font-weight: 650; }
.heatmap table { width: auto; border-collapse: separate; border-spacing: 2px; font-variant-numeric: tabular-nums; }
.heatmap th, .heatmap td { border: 0; }
.heatmap thead th { padding: .25rem .5rem; text-align: center; }
.heatmap thead th:first-child, .heatmap tbody th { padding-left: .625rem; text-align: left; }
.heatmap tbody th { padding-right: .75rem; vertical-align: middle; }
.heatmap .heat { min-width: 3.5rem; padding: .5rem .375rem; border-radius: .1875rem; text-align: center; background: rgba(var(--heat), calc(.03 + var(--w, 0) * var(--most))); }
.heatmap .marked th { border-left: 3px solid var(--mark); }
.figures { display: flex; flex-wrap: wrap; gap: 0 2.5rem; }
.figures figure { max-width: 100%; min-width: 0; }
@media print { .heat { -webkit-print-color-adjust: exact; print-color-adjust: exact; } .scroll { overflow: visible; } }
)css";
}

}  // namespace attest
