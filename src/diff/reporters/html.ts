import { createHash } from "node:crypto";
import { escapeHtml } from "../../diagnostics/escape-html.js";
import { formatCount } from "../../diagnostics/format-count.js";
import { visible } from "../../diagnostics/invisible.js";
import type { Comparison, LocatedChange } from "../compare.js";
import { AUDIENCES } from "../severity.js";
import { countsOf, groupBySeverity } from "./text.js";

const STYLE = `
:root { color-scheme: light dark; --line: #d0d7de; --soft: #f6f8fa; --breaking: #b3261e; --warning: #8a5a00; --info: #57606a }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --soft: #151b23; --breaking: #ff7b72; --warning: #e3b341; --info: #9198a1 } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 64rem; padding: 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.4rem } h2 { font-size: 1.15rem; margin-top: 2rem }
code { font: 0.9em ui-monospace, monospace; background: var(--soft); padding: 0.1em 0.25em }
ul { list-style: none; padding: 0 } li { border: 1px solid var(--line); border-radius: 6px; margin: 0.5rem 0; padding: 0.5rem 0.75rem }
summary { cursor: pointer; font-weight: 600; margin: 0.75rem 0 }
small { color: var(--info); display: block }
b.breaking { color: var(--breaking) } b.warning { color: var(--warning) } b.info { color: var(--info); font-weight: 400 }
`;

/**
 * Formats changes as a single HTML file without scripts or external resources.
 * Its content security policy allows only the style sheet in the file.
 */
export function htmlReport(comparisons: readonly Comparison[]): string {
  const digest = createHash("sha256").update(STYLE).digest("base64");
  const all = comparisons.flatMap(({ result }) => result.changes);
  const changed = comparisons.filter(({ result }) => result.changes.length > 0);
  const same = comparisons.length - changed.length;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API changes</title>
<style>${STYLE}</style>
</head>
<body>
<h1>API changes: ${escaped(countsOf(all))}</h1>
${changed.map(section).join("\n")}
${same === 0 ? "" : `<p>${formatCount(same, "API")} unchanged.</p>`}
</body>
</html>
`;
}

function section({ result }: Comparison): string {
  const { api, from, to, bump, changes } = result;
  const groups = groupBySeverity(changes);
  return `<section>
<h2>${escaped(api)}</h2>
<p><code>${escaped(from ?? "none")}</code> → <code>${escaped(to ?? "none")}</code>: ${escaped(countsOf(changes))}. Suggested version: <strong>${bump}</strong></p>
${list(groups.breaking)}
${collapsed("Warnings", groups.warning)}
${collapsed("Other changes", groups.info)}
</section>`;
}

function collapsed(title: string, changes: readonly LocatedChange[]): string {
  return changes.length === 0
    ? ""
    : `<details><summary>${title}: ${changes.length}</summary>\n${list(changes)}\n</details>`;
}

function list(changes: readonly LocatedChange[]): string {
  return changes.length === 0
    ? ""
    : `<ul>\n${changes.map(item).join("\n")}\n</ul>`;
}

function item(change: LocatedChange): string {
  const { label, text, rule, fingerprint, file, position, usedBy } = change;
  const verdicts = AUDIENCES.map(
    (audience) =>
      `${audience} <b class="${change[audience]}">${change[audience]}</b>`,
  ).join(" · ");
  const at =
    position === undefined ? "" : `:${position.line}:${position.column}`;
  const use = usedBy === undefined ? "" : ` · used by ${usedBy}`;
  return `<li id="c-${fingerprint}"><code>${escaped(label)}</code> ${escaped(text)}
<small>${verdicts}</small>
<small>${escaped(`${rule} ${fingerprint} · ${file}${at}${use}`)}</small></li>`;
}

/**
 * Escapes text for HTML, and replaces control characters with visible escapes.
 */
function escaped(text: string): string {
  return escapeHtml(visible(text));
}
