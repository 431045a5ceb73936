import type { JsonView } from "./json-view.js";
import { changesRow } from "./changes.js";
import { clientCall } from "./calls.js";
import { apiErrors } from "./errors.js";
import { methodKey, type MethodFeature } from "./method-features.js";
import { html, firstSentence, type Html, type HtmlPart } from "./html.js";
import { searchForm } from "./layout.js";
import { parameterRows } from "./field-table.js";
import { example, methodBadge } from "./method.js";
import type { PageContext } from "./page-context.js";
import { paragraphs } from "./prose.js";
import { tasksOf } from "./tasks.js";
import {
  byName,
  isDeprecated,
  parseMethod,
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
    ${paragraphs(summary.description, api.origin)} ${address(api, document)}
    ${words.length === 0 && start(api, document, allResources)}
    ${searchForm(api.links, query, "Search methods and schemas", `${shown} of ${total} methods`)}
    <h2>Methods</h2>
    ${resources.map((resourceView) => resource(api, document, resourceView, total <= MANY_METHODS))}
    <p class="none" id="nothing" ${shown > 0 && html` hidden`}>
      No method matches.
    </p>
    ${schemas(api, document, words)} ${apiErrors(api, document)}
    ${common(api, document)} ${scopes(api)}`;
}

/** Renders how to authenticate, a first call, and the tasks and resources. */
function start(
  api: PageContext,
  document: JsonView,
  resources: readonly ResourceView[],
): Html {
  const { links, summary } = api;
  const tasks = tasksOf(api, document);
  const page = links.tasks(summary);
  const first = firstMethod(resources);
  const deprecated = resources
    .flatMap(({ methods }) => methods)
    .filter(({ view }) => view.at("deprecated")?.value() === true);
  return html`${
    first !== undefined &&
    html`<h2>First call</h2>
      <p>${authentication(api)}</p>
      ${example("Generated client", firstCall(api, first), "ts")}`
  }
  ${
    tasks.length > 0 &&
    html`<h2>Tasks</h2>
      <ul class="schemas">
        ${tasks.map(({ id, title }) => html`<li><a href="${page}#${id}">${title}</a></li>`)}
      </ul>`
  }
  ${
    resources.length > 1 &&
    html`<h2>Resources</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Resources">
        <table class="resources">
          <thead>
            <tr>
              <th scope="col">Resource</th>
              <th scope="col">Methods</th>
            </tr>
          </thead>
          <tbody>
            ${resources.map(
              ({ names, methods }) =>
                html`<tr>
                  <th scope="row">
                    <a href="${links.resource(summary, names)}"
                      >${names.length === 0 ? "Top level" : names.join(".")}</a
                    >
                  </th>
                  <td>
                    ${methods.map((method) => method.names.at(-1)).join(", ")}
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
  }
  ${
    deprecated.length > 0 &&
    html`<h2>Deprecated</h2>
      <details>
        <summary>
          ${formatCount(deprecated.length, "deprecated method")}
        </summary>
        <ul class="schemas">
          ${deprecated.slice(0, 200).map(({ names }) => html`<li><a href="${links.method(summary, names)}">${names.join(".")}</a></li>`)}
        </ul>
      </details>`
  }`;
}

/** Returns a method for a first call: one that reads with few parameters. */
function firstMethod(
  resources: readonly ResourceView[],
): MethodView | undefined {
  const costOf = ({ names, view }: MethodView): number => {
    const required = [
      ...(view.at("parameters")?.members.values() ?? []),
    ].filter((parameter) => parameter.at("required")?.value() === true).length;
    const isRead = (view.at("httpMethod")?.text() ?? "GET") === "GET";
    const isOld = view.at("deprecated")?.value() === true;
    return required * 4 + names.length + (isRead ? 0 : 20) + (isOld ? 40 : 0);
  };
  return resources
    .flatMap(({ methods }) => methods)
    .reduce<MethodView | undefined>(
      (best, method) =>
        best === undefined || costOf(method) < costOf(best) ? method : best,
      undefined,
    );
}

function firstCall(
  { callContext, features }: PageContext,
  method: MethodView,
): string {
  return clientCall(callContext, method.names, parseMethod(method), {
    features: features.get(methodKey(method.names)) ?? new Set<MethodFeature>(),
  });
}

function authentication({ scopes, callContext }: PageContext): Html {
  if (scopes.size > 0)
    return html`Calls need an OAuth 2.0 access token with one of the
      <a href="#scopes">scopes</a> of the method; the sample reads it from the
      variable <code>TOKEN</code>.`;
  return callContext.credential === undefined
    ? html`The description declares no OAuth 2.0 scopes; send the credential
      that the service requires, if any.`
    : html`Calls need a credential; the sample reads it from the variable
        <code>TOKEN</code>.`;
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
    html`<dt>Base URL</dt>
      <dd><code>${callContext.rootUrl}${callContext.servicePath}</code></dd>`,
    endpoints(document),
    html`<dt>Revision</dt>
      <dd>${document.at("revision")?.text() ?? "none"}</dd>`,
    changes !== undefined && changesRow(changes, links.changes?.(summary)),
    rest !== undefined &&
      html`<dt>Download</dt>
        <dd>
          <a href="${rest}">description</a
          >${links.downloads?.(summary).map(({ text, href }) => html`, <a href="${href}">${text}</a>`)}
        </dd>`,
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
  return html`<h2 id="scopes">Scopes</h2>
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
