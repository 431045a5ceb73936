import type { TryOrigins } from "./try-form.js";
import { TRY_STYLE } from "./try-script.js";

/**
 * Style sheet of the pages. All text colors have a contrast ratio of at least
 * 4.5:1, in both the light and the dark color scheme.
 */
const STYLE = `:root {
  color-scheme: light dark;
  --ground: #fff; --raised: #f5f7fa; --line: #d5dbe3; --text: #1b2430; --faint: #55606e;
  --link: #0b57b0; --focus: #0b57b0; --code: #f0f3f7;
  --get: #0b5d3b; --post: #0b4f9e; --put: #7a4a00; --patch: #6a3a8f; --delete: #a3211c; --old: #8a4b00;
  --string: #0b5d3b; --keyword: #7a2a8a; --number: #0b4f9e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c; --raised: #1a2028; --line: #343e4b; --text: #e4e9f0; --faint: #a3afbd;
    --link: #7db4ff; --focus: #7db4ff; --code: #202833;
    --get: #6fd6a5; --post: #84b8ff; --put: #f0bd6a; --patch: #cfa6f2; --delete: #ff9a94; --old: #f0bd6a;
    --string: #8fdcb4; --keyword: #d9a8ef; --number: #9cc4ff;
  }
}
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 4.5rem; }
body { margin: 0; font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; color: var(--text); background: var(--ground); overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: .15em; }
a:not(:hover) { text-decoration-thickness: 1px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
main:focus-visible { outline: none; }
.skip { position: absolute; left: -100vw; top: 0; padding: .5rem 1rem; background: var(--ground); z-index: 1; }
.skip:focus { left: 0; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
header { position: sticky; top: 0; z-index: 3; border-bottom: 1px solid var(--line); background: var(--raised); }
header nav, main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem; }
header nav { flex: 1 1 20rem; }
#find { position: relative; flex: 0 1 24rem; padding: .4rem 1.25rem; }
#find input { width: 100%; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--faint); border-radius: 6px; padding: .35rem .7rem; }
#find [role="listbox"] { position: absolute; z-index: 2; left: 1.25rem; right: 1.25rem; margin: .2rem 0 0; padding: .3rem; max-height: min(70vh, 30rem); overflow-y: auto; background: var(--ground); border: 1px solid var(--faint); border-radius: 8px; }
#find a[data-heading]::before { content: attr(data-heading); display: block; padding: .3rem 0 .2rem; font-size: .8rem; font-weight: 650; color: var(--faint); }
#find [role="status"]:not(.hidden) { position: absolute; z-index: 2; left: 1.25rem; right: 1.25rem; margin: .2rem 0 0; padding: .6rem .8rem; background: var(--ground); border: 1px solid var(--faint); border-radius: 8px; }
#find a { display: block; padding: .3rem .5rem; border-radius: 6px; text-decoration: none; }
#find a[aria-selected="true"], #find a:hover { background: var(--raised); }
#find a[aria-selected="true"] { outline: 2px solid var(--focus); } #find a span { color: var(--faint); font-size: .88rem; }
.page { max-width: 68rem; margin: 0 auto; }
.with-aside { max-width: 104rem; display: grid; grid-template-columns: 16rem minmax(0, 1fr); gap: 0 1rem; }
.with-aside main { max-width: none; margin: 0; }
.aside { position: sticky; top: 3.4rem; align-self: start; max-height: calc(100vh - 3.4rem); overflow-y: auto; padding: 1.2rem .5rem 3rem 1.25rem; font-size: .92rem; border-right: 1px solid var(--line); }
.aside ul ul { margin: .1rem 0 .4rem; padding-left: .8rem; border-left: 1px solid var(--line); } .aside li { padding: .1rem 0; }
.aside .gone { text-decoration: line-through; }
.menu, #menu { display: none; } #menu:focus-visible + .menu { outline: 3px solid var(--focus); }
.columns { display: grid; gap: 0 2rem; } .samples { min-width: 0; }
@media (min-width: 1100px) { .method > .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); } .samples { position: sticky; top: 4rem; align-self: start; max-height: calc(100vh - 5rem); overflow-y: auto; } }
[role="tablist"], .samples:not(.tabbed)::before { display: flex; gap: .2rem; height: 2.2rem; margin-top: 1rem; overflow-x: auto; }
[role="tab"]:focus-visible { outline-offset: -3px; }
@media (scripting: enabled) { /* Reserves the space of what the script adds, so that nothing moves. */
  #find[hidden] { display: block !important; visibility: hidden; }
  .samples:not(.tabbed)::before { content: ""; } .samples:not(.tabbed) > [data-language="curl"] { display: none; } .samples:not(.tabbed) > [data-language="ts"] { margin-top: .3rem; } }
[role="tab"] { flex: none; padding: .2rem .7rem; font-size: .88rem; border-color: transparent; background: none; } [role="tab"][aria-selected="true"] { border-color: var(--faint); background: var(--raised); font-weight: 600; }
.tabbed [role="tabpanel"] .call { margin-top: .3rem; }
.t-string { color: var(--string); } .t-keyword { color: var(--keyword); } .t-number { color: var(--number); }
.expand { padding: 0 .6rem; font-size: .85rem; line-height: 1.2; }
.tree { list-style: none; padding: 0 0 0 .9rem; margin: .5rem 0; border-left: 2px solid var(--line); } .tree li { padding: .3rem 0; } .tree p { margin: .1rem 0; } .tree .values { padding-left: 1.2rem; list-style: disc; } .tree .values li { padding: 0; }
.rest > summary { color: var(--faint); }
.more { margin-top: .7rem; }
.aside ul { list-style: none; padding: 0; } .aside a { text-decoration: none; } .aside a:hover { text-decoration: underline; }
.aside [aria-current] { font-weight: 650; color: var(--text); }
.lines { list-style: none; padding: 0; columns: 22rem auto; } .lines li { break-inside: avoid; padding: .1rem 0; }
header ol { display: flex; flex-wrap: wrap; gap: .25rem .6rem; list-style: none; margin: 0; padding: .7rem 0; font-size: .95rem; }
header nav li + li::before { content: "/"; color: var(--faint); margin-right: .6rem; }
header nav li:first-child a { font-weight: 650; color: var(--text); text-decoration: none; }
header nav [aria-current] { color: var(--text); text-decoration: none; }
main { padding-top: 1.5rem; padding-bottom: 3rem; }
footer { border-top: 1px solid var(--line); color: var(--faint); font-size: .9rem; }
h1 { font-size: 1.8rem; line-height: 1.25; margin: 0 0 .4rem; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.2rem 0 .6rem; }
h2.small { font-size: 1rem; margin: 1.4rem 0 .4rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p { margin: .4rem 0; max-width: 48rem; }
code, pre { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; }
:not(pre) > code { background: var(--code); border-radius: 3px; padding: .08em .3em; }
.lead, .none, small, .what, .rule { color: var(--faint); }
.name { margin: 0 0 .6rem; }
.search { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .6rem; margin: 1.2rem 0; }
.search label { flex-basis: 100%; font-weight: 600; }
.search input { flex: 1 1 16rem; max-width: 32rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--faint); border-radius: 6px; padding: .45rem .7rem; }
.search output { color: var(--faint); }
button { font: inherit; color: var(--text); background: var(--raised); border: 1px solid var(--faint); border-radius: 6px; padding: .45rem .9rem; cursor: pointer; }
button:hover { border-color: var(--text); }
ul { padding-left: 1.2rem; margin: .4rem 0; }
.apis { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: .9rem; }
.card { border: 1px solid var(--line); border-radius: 8px; padding: .9rem 1.1rem; display: flex; flex-direction: column; content-visibility: auto; contain-intrinsic-size: auto 11rem; }
.card :is(h2, h3) { font-size: 1.05rem; margin: 0 0 .15rem; }
.card p { margin: 0 0 .5rem; font-size: .95rem; }
.card .name { font-size: .9rem; }
.versions { display: flex; flex-wrap: wrap; gap: .4rem; list-style: none; padding: 0; margin: auto 0 0; }
.versions a { display: inline-block; border: 1px solid var(--line); border-radius: 99px; padding: .1rem .7rem; font-size: .88rem; text-decoration: none; background: var(--raised); }
.versions a:hover { border-color: var(--link); }
.methods, .schemas { list-style: none; padding: 0; }
.methods li { padding: .3rem 0; border-top: 1px solid var(--line); }
.methods a { text-decoration: none; }
.methods a:hover b, .methods a:hover { text-decoration: underline; }
.methods .what { display: block; padding-left: 5.2rem; font-size: .93rem; }
.resource h3 { margin-bottom: .3rem; }
.dense, .schemas { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: .1rem 1.2rem; }
.dense li { border: 0; padding: .1rem 0; }
.resource { content-visibility: auto; contain-intrinsic-size: auto 12rem; }
.http-method { display: inline-block; min-width: 4.5rem; margin-right: .7rem; padding: .05rem .4rem; border: 1px solid currentColor; border-radius: 4px; font: 700 .74rem/1.5 ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; text-align: center; color: var(--faint); vertical-align: .08em; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.must, .mark, .old { display: inline-block; font-size: .78rem; border: 1px solid currentColor; border-radius: 99px; padding: 0 .5rem; color: var(--faint); font-weight: 500; }
.must { color: var(--delete); } .old { color: var(--old); }
.method + .method { border-top: 1px solid var(--line); margin-top: 2.5rem; }
.owner { font-weight: 400; color: var(--faint); }
h2 > a { color: inherit; text-decoration: none; } .card h2 > a { color: var(--link); } h2 > a:hover { text-decoration: underline; }
.path code { background: none; padding: 0; }
.scroll { overflow-x: auto; container-type: inline-size; }
table { border-collapse: collapse; width: 100%; font-size: .94rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .8rem .45rem 0; border-top: 1px solid var(--line); overflow-wrap: break-word; }
thead th { border-top: 0; color: var(--faint); font-weight: 600; font-size: .85rem; }
tbody th { font-weight: 500; width: 27%; min-width: 10rem; overflow-wrap: anywhere; }
td p { margin: 0 0 .3rem; }
td:last-child { min-width: 16rem; width: 60%; }
dl.bodies { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem; margin: 1rem 0; }
dt { color: var(--faint); } dd { margin: 0; }
summary { cursor: pointer; }
.values { margin: .3rem 0; font-size: .94em; } .errors p:first-of-type { display: inline; }
.call { margin: 1rem 0 0; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.call figcaption { display: flex; justify-content: space-between; align-items: center; gap: 1rem; padding: .35rem .5rem .35rem .9rem; min-height: 2.6rem; background: var(--raised); border-bottom: 1px solid var(--line); font-size: .88rem; color: var(--faint); }
.call button { padding: .15rem .7rem; font-size: .88rem; background: var(--ground); }
.call pre { margin: 0; padding: .8rem .9rem; overflow-x: auto; white-space: pre; overflow-wrap: normal; }
.call pre:focus-visible { outline-offset: -3px; }
@container (max-width: 36rem) {
  thead { position: absolute; clip-path: inset(50%); }
  table, tbody, tr, td:last-child { display: block; } th, td { display: inline-block; overflow-wrap: anywhere; }
  tbody tr { padding: .6rem 0; border-top: 1px solid var(--line); }
  tbody th, td { border: 0; padding: .1rem .6rem .1rem 0; width: auto; min-width: 0; }
  td:last-child { width: auto; min-width: 0; } td:not(:last-child) { color: var(--faint); } }
@media (max-width: 40rem) {
  #find { flex-basis: 100%; } header { position: static; } html { scroll-padding-top: 1rem; }
  .methods .what { padding-left: 0; } h1 { font-size: 1.5rem; } }
@media (max-width: 56rem) {
  .with-aside { display: block; } .aside { display: none; position: static; max-height: 60vh; border: 0; }
  #menu { display: block; } .menu { display: block; margin: 0 1.25rem .6rem; padding: .35rem .8rem; border: 1px solid var(--faint); border-radius: 6px; background: var(--raised); cursor: pointer; width: max-content; }
  header:has(#menu:checked) + .page > .aside { display: block; } }
@media (prefers-reduced-motion: no-preference) { a, button, .card { transition: border-color .12s; } }
@media print { header, footer, .search, .aside, button, .menu { display: none; } .with-aside { display: block; } details > * { display: block; } }
`;

/**
 * Returns the style sheet of the pages. It includes the rules for request forms
 * only if the site permits requests.
 */
export function styleOf(tryOrigins: TryOrigins = []): string {
  return tryOrigins.length === 0 ? STYLE : STYLE + TRY_STYLE;
}
