import type { JsonView } from "./json-view.js";
import { takeFitting, html, type Html } from "./html.js";
import { methodSection } from "./method.js";
import type { PageContext } from "./page-context.js";
import {
  childrenOf,
  isDeprecated,
  parseMethod,
  type ResourceView,
} from "./outline.js";

/**
 * Number of characters of markup on a page after which the remaining methods
 * are listed only by name.
 */
const BUDGET = 200_000;

/**
 * Renders a resource with its methods. Methods that do not fit within the size
 * limit are listed only by name.
 */
export function resourceMain(
  api: PageContext,
  document: JsonView,
  { names, methods }: ResourceView,
): Html {
  const { summary, links } = api;
  const { shown } = takeFitting(
    methods.map(
      (method) => () =>
        methodSection(api, method.names, parseMethod(method), 2),
    ),
    BUDGET,
  );
  const left = methods.slice(shown.length);
  const children = childrenOf(document, names);
  const title = names.length === 0 ? "Top-level methods" : names.join(".");
  const badge =
    isDeprecated(document, names) && html` <span class="old">deprecated</span>`;
  return html`<h1>${title}${badge}</h1>
    ${
      children.length > 0 &&
      html`<nav aria-label="Nested resources">
        <ul class="schemas">
          ${children.map((name) => html`<li><a href="${links.resource(summary, [...names, name])}">${[...names, name].join(".")}</a></li>`)}
        </ul>
      </nav>`
    }
    ${shown}
    ${
      left.length > 0 &&
      html`<h2>More methods</h2>
        <ul class="methods">
          ${left.map((method) => html`<li><a href="${links.method(summary, method.names)}">${method.names.at(-1)}</a></li>`)}
        </ul>`
    }`;
}
