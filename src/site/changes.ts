import { formatCount } from "../diagnostics/format-count.js";
import {
  CHANGE_SECTIONS,
  MAX_CHANGES,
  summaryText,
  type ApiChanges,
  type SiteChange,
} from "./api-changes.js";
import { html, type Html } from "./html.js";
import type { PageContext } from "./page-context.js";

/** Renders the page with the changes of an API. */
export function changesMain(
  api: PageContext,
  { from, to, changes }: ApiChanges,
): Html {
  const sections = CHANGE_SECTIONS.map(([kind, title]) => {
    const items = changes.filter((change) => change.kind === kind);
    return items.length > 0 && section(api, title, items);
  });
  return html`<h1>Changes to ${api.summary.title}</h1>
    <p>
      From revision ${from ?? "(none)"} to ${to ?? "(none)"}:
      ${summaryText(changes)}.
    </p>
    ${sections}`;
}

function section(
  api: PageContext,
  title: string,
  changes: readonly SiteChange[],
): Html {
  const left = changes.length - MAX_CHANGES;
  return html`<h2>${title}</h2>
    <ul>
      ${changes.slice(0, MAX_CHANGES).map((change) => item(api, change))}
    </ul>
    ${left > 0 && html`<p>Not shown: ${formatCount(left, "more change")}.</p>`}`;
}

function item(api: PageContext, change: SiteChange): Html {
  const { label, text, isBreaking } = change;
  const href = linkOf(api, change.pointer);
  const name = html`<code>${label}</code>`;
  return html`<li>
    ${isBreaking && html`<span class="old">breaking</span> `}${href === undefined ? name : html`<a href="${href}">${name}</a>`}
    ${text}
  </li> `;
}

/**
 * Returns the link to the schema, method or resource that contains the value at
 * a JSON pointer; undefined if none of them contains it.
 */
function linkOf(
  { links, summary }: PageContext,
  pointer = "",
): string | undefined {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (parts[0] === "schemas" && parts[1] !== undefined)
    return links.schema(summary, parts[1]);
  const names: string[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    names.push(parts[at + 1]!);
    if (parts[at] === "methods") return links.method(summary, names);
    if (parts[at] !== "resources") return undefined;
  }
  return names.length === 0 ? undefined : links.resource(summary, names);
}

/**
 * Renders the row of the overview page that summarizes the changes.
 * @param href URL of the page with the changes; undefined if there is none
 */
export function changesRow(
  { from, changes }: ApiChanges,
  href: string | undefined,
): Html {
  const text =
    from === null
      ? "new API"
      : `${summaryText(changes)} since revision ${from}`;
  return html`<dt>Changes</dt>
    <dd>
      ${href === undefined ? text : html`<a href="${href}">${text}</a>`}
    </dd>`;
}
