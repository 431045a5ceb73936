import type { JsonView } from "./json-view.js";
import { changesRow } from "./changes.js";
import {
  html,
  paragraphs,
  firstSentence,
  type Html,
  type HtmlPart,
} from "./html.js";
import { searchForm } from "./layout.js";
import { parameterRows } from "./field-table.js";
import { methodBadge } from "./method.js";
import type { PageContext } from "./page-context.js";
import {
  byName,
  isDeprecated,
  resourcesOf,
  type MethodView,
  type ResourceView,
} from "./outline.js";
import { formatCount } from "../diagnostics/format-count.js";
import type { RawEndpoint, RawSchema } from "../load/raw.js";

/**
 * Maximum number of methods for which the overview page shows descriptions. If
 * an API has more methods, no descriptions are shown.
 */
const MANY_METHODS = 200;

/**
 * Maximum number of schemas on the overview page. If an API has more schemas,
 * all of them are listed on a separate page.
 */
const MANY_SCHEMAS = 500;

/**
 * Renders the overview page of an API. With a search query, only the matching
 * methods and schemas are shown.
 */
export function apiMain(
  api: PageContext,
  document: JsonView,
  query: string,
): Html {
  const { summary } = api;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const allResources = resourcesOf(document);
  const total = allResources.reduce(
    (sum, { methods }) => sum + methods.length,
    0,
  );
  const resources = allResources
    .map((resourceView) => matching(resourceView, words))
    .filter(({ methods }) => methods.length > 0);
  const shown = resources.reduce((sum, { methods }) => sum + methods.length, 0);
  return html`<h1>${summary.title}</h1>
    <p class="name">
      <code>${summary.name}</code>
      <code>${summary.version}</code
      >${summary.labels?.map((label) => html` <span class="${label === "deprecated" ? "old" : "mark"}">${label.replaceAll("_", " ")}</span>`)}
    </p>
    ${paragraphs(summary.description)} ${address(api, document)}
    ${searchForm(api.links, query, "Search methods and schemas", `${shown} of ${total} methods`)}
    <h2>Methods</h2>
    ${resources.map((resourceView) => resource(api, document, resourceView, total <= MANY_METHODS))}
    <p class="none" id="nothing" ${shown > 0 && html` hidden`}>
      No method matches.
    </p>
    ${schemas(api, document, words)} ${common(api, document)} ${scopes(api)}`;
}

/**
 * Renders the page that lists all schemas of an API. Used for documents with
 * many schemas.
 */
export function schemasMain(api: PageContext, document: JsonView): Html {
  const names = schemaNames(document, []);
  return html`<h1>Schemas of ${api.summary.title}</h1>
    ${searchForm(api.links, "", "Search schemas", `${names.length} schemas`)}
    ${schemaList(api, names)}
    <p class="none" id="nothing" hidden>No schema matches.</p>`;
}

function address(
  { summary, callContext, links, changes }: PageContext,
  document: JsonView,
): Html {
  const link = summary.documentationLink;
  const isSafe = link !== undefined && /^https?:\/\//i.test(link);
  const rest = links.document(summary);
  const rows: HtmlPart[] = [
    html`<dt>Address</dt>
      <dd><code>${callContext.rootUrl}${callContext.servicePath}</code></dd>`,
    endpoints(document),
    html`<dt>Revision</dt>
      <dd>${document.at("revision")?.text() ?? "none"}</dd>`,
    changes !== undefined && changesRow(changes, links.changes?.(summary)),
    rest !== undefined &&
      html`<dt>Description</dt>
        <dd><a href="${rest}">the document</a></dd>`,
    isSafe &&
      html`<dt>Documentation</dt>
        <dd><a href="${link}" rel="noreferrer nofollow">${link}</a></dd>`,
  ];
  return html`<dl class="bodies">${rows}</dl>`;
}

/** Maximum number of endpoints on the overview page. */
const MAX_ENDPOINTS = 100;

function endpoints(document: JsonView): Html | undefined {
  const value = document.at("endpoints")?.value();
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const items = (value as readonly RawEndpoint[]).slice(0, MAX_ENDPOINTS).map(
    ({ location, endpointUrl, description, deprecated }) =>
      html`<li>
        ${location}
        <code>${endpointUrl}</code
        >${deprecated === true && html` <span class="old">deprecated</span>`}
        ${description}
      </li>`,
  );
  const left = value.length - items.length;
  return html`<dt>Endpoints</dt>
    <dd>
      <ul class="values">
        ${items}
      </ul>
      ${left > 0 && html`<p>Not shown: ${formatCount(left, "more endpoint")}.</p>`}
    </dd>`;
}

function matching(
  { names, methods }: ResourceView,
  words: readonly string[],
): ResourceView {
  if (words.length === 0) return { names, methods };
  const isFound = (method: MethodView): boolean => {
    const text = ["path", "description", "httpMethod"]
      .map((name) => method.view.at(name)?.text() ?? "")
      .concat(method.names.join("."))
      .join(" ")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return { names, methods: methods.filter(isFound) };
}

function resource(
  { summary, links }: PageContext,
  document: JsonView,
  { names, methods }: ResourceView,
  isDetailed: boolean,
): Html {
  const title = names.length === 0 ? "Top level" : names.join(".");
  const items = methods.map(({ names: path, view }) => {
    const httpMethod = view.at("httpMethod")?.text();
    const badge = methodBadge(httpMethod === undefined ? {} : { httpMethod });
    const isOld = view.at("deprecated")?.value() === true;
    return html`<li>
      <a href="${links.method(summary, path)}">${badge}<b>${path.at(-1)}</b></a
      >${isOld && html` <span class="old">deprecated</span>`}${isDetailed && html` <span class="what">${firstSentence(view.at("description")?.text())}</span>`}
    </li> `;
  });
  return html`<section class="resource" data-group>
    <h3>
      <a href="${links.resource(summary, names)}">${title}</a
      >${isDeprecated(document, names) && html` <span class="old">deprecated</span>`}
    </h3>
    <ul
      class="methods${!isDetailed && " dense"}"
      data-filter
      data-context="${title}"
    >
      ${items}
    </ul>
  </section> `;
}

function schemas(
  api: PageContext,
  document: JsonView,
  words: readonly string[],
): Html {
  const names = schemaNames(document, words);
  if (names.length > MANY_SCHEMAS)
    return html`<h2>Schemas</h2>
      <p>
        <a href="${api.links.schemas(api.summary)}"
          >All ${names.length} schemas</a
        >
      </p>`;
  return names.length === 0
    ? html``
    : html`<h2>Schemas</h2>
        ${schemaList(api, names)}`;
}

function schemaNames(document: JsonView, words: readonly string[]): string[] {
  const names = byName(document.at("schemas")).map(([name]) => name);
  return names.filter((name) =>
    words.every((word) => name.toLowerCase().includes(word)),
  );
}

function schemaList(
  { summary, links }: PageContext,
  names: readonly string[],
): Html {
  return html`<ul class="schemas" data-filter>
    ${names.map(
      (name) =>
        html`<li><a href="${links.schema(summary, name)}">${name}</a></li> `,
    )}
  </ul>`;
}

function common(api: PageContext, document: JsonView): Html | undefined {
  const parameters = document.at("parameters")?.value();
  const rows = Object.entries((parameters ?? {}) as Record<string, RawSchema>);
  if (rows.length === 0) return undefined;
  return html`<h2>For all methods</h2>
    <details>
      <summary>${rows.length} common parameters</summary>
      ${parameterRows(api, "Common parameters", rows.slice(0, 100))}
    </details>`;
}

function scopes({ scopes: scopeDescriptions }: PageContext): Html | undefined {
  if (scopeDescriptions.size === 0) return undefined;
  const items = [...scopeDescriptions]
    .slice(0, 200)
    .map(
      ([scope, description]) =>
        html`<li><code>${scope}</code> ${description}</li>`,
    );
  return html`<h2>Scopes</h2>
    <details>
      <summary>
        ${scopeDescriptions.size} OAuth 2.0
        ${scopeDescriptions.size === 1 ? "scope" : "scopes"}
      </summary>
      <ul class="values">
        ${items}
      </ul>
    </details>`;
}
