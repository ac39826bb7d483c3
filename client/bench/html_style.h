// The style sheet of the report page.
#ifndef QUIRE_CLIENT_BENCH_HTML_STYLE_H_
#define QUIRE_CLIENT_BENCH_HTML_STYLE_H_

#include <string_view>

namespace quire {
namespace bench {

inline constexpr std::string_view kPageStyle = R"css(
:root {
  --paper: #fbfaf7; --ink: #22252a; --soft: #666c75; --line: #dedbd2; --tint: #f2efe8;
  --series0: #2f5d8a; --series1: #d08a2e; --series2: #9aa0a8; --good: #23724a; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181c; --ink: #e4e2dc; --soft: #9ba1aa; --line: #33373e; --tint: #1f2228;
    --series0: #6fa3d8; --series1: #e6aa57; --series2: #6d737c; --good: #6cc495; --bad: #f28b82;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { max-width: 78rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; font-weight: 650; margin: 0 0 .5rem; letter-spacing: -.01em; }
h2 { font-size: 1.1rem; font-weight: 650; margin: 2.5rem 0 .75rem; }
p { max-width: 46rem; margin: 0 0 .9rem; }
section + p { margin-top: 1.75rem; }
.lead { color: var(--soft); font-size: 1.05rem; }
figure { margin: 2rem 0 0; max-width: 52rem; }
figcaption { font-weight: 600; margin-bottom: .25rem; }
.legend { margin: 0 0 .4rem; color: var(--soft); font-size: .85rem; }
.legend span { margin-right: 1.2rem; white-space: nowrap; }
.legend i {
  display: inline-block; width: .75em; height: .75em; border-radius: 2px; margin-right: .45em;
}
svg { width: 100%; height: auto; display: block; }
svg text { font-size: 12px; fill: var(--ink); font-variant-numeric: tabular-nums; }
svg .label { text-anchor: end; fill: var(--soft); }
rect.series0 { fill: var(--series0); } i.series0 { background: var(--series0); }
rect.series1 { fill: var(--series1); } i.series1 { background: var(--series1); }
rect.series2 { fill: var(--series2); } i.series2 { background: var(--series2); }
svg .middle { text-anchor: middle; }
svg .grid { stroke: var(--line); }
polyline { fill: none; stroke-width: 2; }
.curve0 { stroke: var(--series0); color: var(--series0); }
.curve1 { stroke: var(--series1); color: var(--series1); }
.curve2 { stroke: var(--series2); color: var(--series2); }
.curve3 { stroke: var(--good); color: var(--good); }
i[class^="curve"] { background: currentColor; }
circle { fill: currentColor; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .84rem; font-variant-numeric: tabular-nums; }
th, td { padding: .36rem .6rem; text-align: right; border-bottom: 1px solid var(--line); }
td { white-space: nowrap; }
td.prose { white-space: normal; min-width: 18rem; }
table.dense { font-size: .76rem; }
.dense th, .dense td { padding: .3rem .35rem; }
th { font-weight: 600; color: var(--soft); vertical-align: bottom; }
th.text, td.text { text-align: left; }
th:first-child, td:first-child { padding-left: 0; }
tbody tr:hover { background: var(--tint); }
.good { color: var(--good); }
.bad { color: var(--bad); font-weight: 650; }
@media print { main { padding-top: 0; } section { break-inside: avoid; } }
)css";

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_HTML_STYLE_H_
