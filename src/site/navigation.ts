import { formatCount } from "../diagnostics/format-count.js";
import { html, type Html } from "./html.js";
import type { JsonView } from "./json-view.js";
import { resourcesOf, type MethodView } from "./outline.js";
import type { PageContext } from "./page-context.js";
import { tasksOf } from "./tasks.js";

/** Number of resources up to which each page lists all resources of its API. */
const FEW_RESOURCES = 50;

/** Maximum number of methods below the current resource. */
const MAX_METHODS = 200;

/** Number of listed resources before and after the current one. */
const NEIGHBOURS = 5;

/** Page for which the navigation of an API is rendered. */
interface NavigationPage {
  /** URL of the page, or of the resource to which the page belongs. */
  readonly current: string;
  /** Methods to list below the resource. */
  readonly methods?: readonly MethodView[];
  /** URL of the method that the page shows alone. */
  readonly method?: string;
}

/**
 * Returns a function that renders the navigation of an API: its tasks, its
 * resources with the methods of the current one, and its schemas. If the API has
 * many resources, only those next to the current one are listed, because the size
 * of a site would otherwise grow with the square of their number. The overview page
 * lists all of them.
 */
export function apiNavigation(
  api: PageContext,
  document: JsonView,
): (page: NavigationPage) => Html {
  const { summary, links } = api;
  const resources = resourcesOf(document).map(({ names }) => ({
    text: names.length === 0 ? "Top level" : names.join("."),
    href: links.resource(summary, names),
  }));
  const positions = new Map(resources.map(({ href }, at) => [href, at]));
  const isComplete = resources.length <= FEW_RESOURCES;
  const overview = isComplete
    ? "Overview"
    : `Overview of ${formatCount(resources.length, "resource")}`;
  const changes = links.changes?.(summary);
  const hasSchemas = (document.at("schemas")?.members.size ?? 0) > 0;
  const hasTasks = tasksOf(api, document).length > 0;
  return ({ current, methods = [], method }) => {
    const at = positions.get(current) ?? 0;
    const shown = isComplete
      ? resources
      : resources.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS + 1);
    const item = (href: string, text: string, inner?: Html): Html =>
      html`<li>
        <a
          href="${href}"
          ${href === current && html` aria-current="${method === undefined ? "page" : "true"}"`}
          >${text}</a
        >${inner}
      </li> `;
    const methodList = html`<ul>
      ${methods.slice(0, MAX_METHODS).map(({ names, view }) => {
        const href = links.method(summary, names);
        return html`<li>
          <a
            href="${href}"
            ${href === method && html` aria-current="page"`}
            ${view.at("deprecated")?.value() === true && html` class="gone"`}
            >${names.at(-1)}</a
          >
        </li> `;
      })}
    </ul>`;
    return html`<nav class="aside" aria-label="${summary.title}">
      <ul>
        ${item(links.api(summary), overview)}
        ${hasTasks && item(links.tasks(summary), "Tasks")}
        ${shown.map(({ href, text }) => item(href, text, href === current && methods.length > 0 ? methodList : undefined))}
        ${changes !== undefined && item(changes, "Changes")}${hasSchemas && item(links.schemas(summary), "Schemas")}
      </ul>
    </nav>`;
  };
}
