#include "reports/html/sections.h"

namespace attest {

std::string_view page_style() {
  return R"css(
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c1e21; --quiet: #5d636b; --line: #e2e4e7; --panel: #f6f7f8;
  --holds: #17693a; --fails: #b3261e; --open: #7a5300;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #141517; --ink: #e6e7e9; --quiet: #9ba1a9; --line: #303338; --panel: #1d1f22;
    --holds: #6cc58d; --fails: #ff8a7d; --open: #e3b450;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 66rem; padding: 3.5rem 2rem 4rem;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
}
code, pre {
  font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: .875em;
}
code { overflow-wrap: anywhere; }
h1, h2, h3, p, dl, ul { margin: 0; }
h1 { font-size: 2rem; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; text-wrap: balance; }
h1 .symbol { margin-right: .4em; }
.detail { display: inline-block; font-size: 1.25rem; font-weight: 500; letter-spacing: 0; }
h2 { font-size: 1.25rem; line-height: 1.3; font-weight: 650; }
h3 { font-size: 1rem; font-weight: 650; }
section { margin-top: 3.5rem; }
.brand { margin-bottom: 1.75rem; color: var(--quiet); font-weight: 600; }
.lead { margin-top: 1.25rem; max-width: 44rem; }
.note { margin-top: .25rem; max-width: 44rem; color: var(--quiet); font-size: .9375rem; }
.holds { color: var(--holds); }
.fails { color: var(--fails); }
.open { color: var(--open); }
.verdict { font-weight: 600; white-space: nowrap; }
.verdict .symbol { display: inline-block; width: 1.25em; }
.law { color: var(--quiet); font-weight: 400; }

article { margin-top: 1.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
article header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1rem; }
article .law { margin-top: .25rem; max-width: 44rem; color: var(--ink); }
dl { margin-top: 1rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: .75rem 1rem; }
.figures dt { font-size: .8125rem; }
.figures dd { font-size: 1.125rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.facts div { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: 0 1rem; padding: .125rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; max-width: 48rem; overflow-wrap: anywhere; }
.replay {
  margin: 1rem 0 0; padding: .75rem 1rem; border-radius: .375rem; background: var(--panel);
  white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5;
}
.replay code { user-select: all; -webkit-user-select: all; }
article > .note { margin-top: .5rem; max-width: none; font-size: .875rem; }
details { margin-top: .75rem; }
summary { cursor: pointer; color: var(--quiet); }
details ul { padding: 0; list-style: none; }
details li { margin-top: .75rem; }
details .replay { margin-top: .375rem; }
ul { margin-top: .75rem; padding-left: 1.25rem; max-width: 48rem; }
li { margin-top: .25rem; overflow-wrap: anywhere; }

.scroll { margin-top: 1rem; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; line-height: 1.4; }
th, td { padding: .5rem 1.25rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--quiet); font-size: .8125rem; font-weight: 600; vertical-align: bottom; border-color: var(--quiet); }
tbody th { font-weight: 600; }
th .law { display: block; min-width: 14rem; max-width: 30rem; font-size: .875rem; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
.ratio { display: block; padding-left: 1.25em; color: var(--quiet); font-size: .8125rem; font-variant-numeric: tabular-nums; }
td.none { color: var(--quiet); }
.matrix tbody th { position: sticky; left: 0; background: var(--paper); }
td a { color: inherit; text-decoration: none; }
td a .verdict { text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: .2em; }
section > h3 { margin-top: 2rem; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
:focus-visible { outline: 2px solid var(--quiet); outline-offset: 2px; }

@media (max-width: 40rem) {
  body { padding: 1.75rem 1.125rem 2.5rem; }
  h1 { font-size: 1.625rem; }
  section { margin-top: 2.5rem; }
  .facts div { grid-template-columns: 4.5rem minmax(0, 1fr); gap: 0 .75rem; }
  .figures { grid-template-columns: repeat(auto-fill, minmax(6rem, 1fr)); }
}
@media print {
  :root {
    --paper: #fff; --ink: #000; --quiet: #444; --line: #bbb; --panel: #fff;
    --holds: #0f4d29; --fails: #8c1d18; --open: #5a3d00;
  }
  body { max-width: none; padding: 0; font-size: 10pt; }
  section { margin-top: 1.75rem; }
  h2, h3 { break-after: avoid; }
  article, tr { break-inside: avoid; }
  .replay { border: 1px solid var(--line); }
  .scroll { overflow: visible; }
  table { font-size: 8.5pt; }
}
)css";
}

}  // namespace attest
