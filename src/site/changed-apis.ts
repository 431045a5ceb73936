import { summaryText, type ApiChanges } from "./api-changes.js";
import type { DocumentSummary } from "./document-summary.js";
import { html, type Html } from "./html.js";
import type { Links } from "./links.js";

/**
 * API with its changes. `changes` is absent if the previous version is unknown.
 */
interface ChangedApi {
  readonly summary: DocumentSummary;
  readonly changes?: ApiChanges | undefined;
}

/** Renders a list of the APIs that have a page with changes. */
export function changedApis(
  apis: readonly ChangedApi[],
  links: Links,
): Html | undefined {
  const items = apis.flatMap(({ summary, changes }) => {
    const href = links.changes?.(summary);
    if (changes === undefined || href === undefined) return [];
    return [
      html`<li>
        <a href="${href}">${summary.name} ${summary.version}</a>:
        ${summaryText(changes.changes)}
      </li> `,
    ];
  });
  if (items.length === 0) return undefined;
  return html`<details>
    <summary>
      ${items.length} ${items.length === 1 ? "API" : "APIs"} changed
    </summary>
    <ul class="lines">
      ${items}
    </ul>
  </details>`;
}
