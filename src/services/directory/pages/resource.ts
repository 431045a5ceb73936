import type { JsonView } from "../json-view.js";
import { fitting, html, type Html } from "./html.js";
import { methodPath, resourcePath } from "./links.js";
import { methodSection, type ShownApi } from "./method.js";
import { childrenOf, parseMethod, type ResourceView } from "./outline.js";

/** Characters of markup after which methods are only named. */
const BUDGET = 200_000;

/** A resource with all of its methods, as far as they fit in a page. */
export function resourceMain(
  api: ShownApi,
  document: JsonView,
  { names, methods }: ResourceView,
): Html {
  const { facts } = api;
  const { shown } = fitting(
    methods.map(
      (one) => () => methodSection(api, one.names, parseMethod(one), 2),
    ),
    BUDGET,
  );
  const left = methods.slice(shown.length);
  const children = childrenOf(document, names);
  const title =
    names.length === 0 ? "Methods of the API itself" : names.join(".");
  return html`<h1>${title}</h1>
    ${
      children.length > 0 &&
      html`<nav aria-label="Resources in it">
        <ul class="schemas">
          ${children.map((name) => html`<li><a href="${resourcePath(facts, [...names, name])}">${[...names, name].join(".")}</a></li>`)}
        </ul>
      </nav>`
    }
    ${shown}
    ${
      left.length > 0 &&
      html`<h2>More methods</h2>
        <ul class="methods">
          ${left.map((one) => html`<li><a href="${methodPath(facts, one.names)}">${one.names.at(-1)}</a></li>`)}
        </ul>`
    }`;
}
