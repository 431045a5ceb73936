import { html, type Html } from "./html.js";
import type { JsonView } from "./json-view.js";
import type { PageContext } from "./page-context.js";
import { resourcesOf } from "./outline.js";

/**
 * Renders the navigation of an API, which lists its resources and schemas.
 * @param current URL of the current page
 */
export function apiNavigation(
  { summary, links }: PageContext,
  document: JsonView,
  current: string,
): Html {
  const item = (href: string, text: string): Html =>
    html`<li>
      <a href="${href}" ${href === current && html` aria-current="page"`}
        >${text}</a
      >
    </li> `;
  const changes = links.changes?.(summary);
  const hasSchemas = (document.at("schemas")?.members.size ?? 0) > 0;
  return html`<nav class="aside" aria-label="${summary.title}">
    <ul>
      ${item(links.api(summary), "Overview")}
      ${resourcesOf(document).map(({ names }) => item(links.resource(summary, names), names.length === 0 ? "Top level" : names.join(".")))}
      ${changes !== undefined && item(changes, "Changes")}${hasSchemas && item(links.schemas(summary), "Schemas")}
    </ul>
  </nav>`;
}
