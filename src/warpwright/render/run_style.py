"""The look of a run's page: one column, light or dark as the reader's system is."""

from __future__ import annotations

CSS = """
:root { color-scheme: light dark;
  --bg: #fbfbf9; --card: #ffffff; --ink: #1d2125; --soft: #5d6670; --line: #dfe2e5;
  --code: #f3f4f2; --accent: #2a62b8; --good: #1d7a3f; --bad: #b3261e; --warn: #8a5a00;
  --add: #e2f4e6; --del: #fbe6e4; --hunk: #e8eef8; --band: #c9daf4; }
@media (prefers-color-scheme: dark) { :root {
  --bg: #15181b; --card: #1c2024; --ink: #e6e8ea; --soft: #9aa4ae; --line: #323a41;
  --code: #22272c; --accent: #86b3f5; --good: #6fcf8d; --bad: #f2918a; --warn: #e0b25c;
  --add: #17351f; --del: #432220; --hunk: #1f2c40; --band: #2d466b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 0; overflow-wrap: anywhere; }
h3 { font-size: .95rem; margin: 20px 0 6px; color: var(--soft); font-weight: 600; }
p { margin: 6px 0; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
.soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 18px 20px; margin-top: 22px; }
.head { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: baseline; }
.tag { font-size: .8rem; font-weight: 600; border: 1px solid currentColor; border-radius: 99px;
  padding: 0 10px; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; font-size: .82rem; color: var(--soft); font-weight: 600; }
th, td { padding: 7px 10px 7px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child > td { border-bottom: 0; }
th.n, td.n { text-align: right; white-space: nowrap; }
table.story td { overflow-wrap: anywhere; }
table.story td:first-child { white-space: nowrap; }
table.story td.k { white-space: nowrap; overflow-wrap: normal; }
.scroll { overflow-x: auto; }
.scroll table { width: auto; min-width: min(100%, 560px); }
.scroll th, .scroll td { padding-right: 22px; white-space: nowrap; }
pre, code { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--code); border-radius: 8px; padding: 10px 12px; margin: 6px 0;
  overflow-x: auto; }
pre.wrap { white-space: pre-wrap; overflow-wrap: anywhere; }
pre.diff { padding: 8px 0; }
.diff span { display: block; padding: 0 12px; min-width: max-content; min-height: 1.5em; }
.diff .a { background: var(--add); } .diff .d { background: var(--del); }
.diff .h { background: var(--hunk); color: var(--soft); }
details { margin-top: 14px; }
summary { cursor: pointer; color: var(--soft); font-weight: 600; font-size: .95rem; }
.scale { position: relative; height: 14px; margin: 10px 0 2px; background: var(--code);
  border-radius: 7px; max-width: 520px; }
.scale i, .scale b { position: absolute; top: 0; bottom: 0; border-radius: 7px; }
.scale i { background: var(--band); }
.scale b { width: 4px; margin-left: -2px; top: -3px; bottom: -3px; background: var(--ink); }
.scale b.e { background: var(--accent); }
@media (max-width: 720px) {
  main { padding: 20px 12px 48px; }
  .card { padding: 14px; }
  .scroll { font-size: .8rem; }
  .scroll th, .scroll td { padding-right: 8px; }
  table.story thead { display: none; }
  table.story tr { display: block; border-bottom: 1px solid var(--line); padding: 8px 0; }
  table.story tr:last-child { border-bottom: 0; }
  table.story td { display: flex; justify-content: space-between; gap: 16px; border: 0;
    padding: 2px 0; text-align: right; white-space: normal; }
  table.story td::before { content: attr(data-name); color: var(--soft); font-size: .85rem;
    flex: none; }
  table.story td:empty { display: none; }
}
""".strip()
