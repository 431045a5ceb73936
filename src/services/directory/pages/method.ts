import type { RawMethod, RawSchema } from "../../../load/raw.js";
import type { Facts } from "../document-summary.js";
import { clientCall, curlCall, pathOf, type ApiFacts } from "./calls.js";
import { html, paragraphs, type Html, type Part } from "./html.js";
import { anchor, methodPath } from "./links.js";
import { marksOf, rulesOf, typeOf } from "./types.js";

/** An API as its pages need it. */
export interface ShownApi {
  readonly facts: Facts;
  readonly calls: ApiFacts;
  /** What each scope allows. */
  readonly scopes: ReadonlyMap<string, string>;
}

/** All there is to say of a method. `level` is that of its heading. */
export function methodSection(
  api: ShownApi,
  names: readonly string[],
  method: RawMethod,
  level: 1 | 2,
): Html {
  const name = names.at(-1) ?? "";
  const id = anchor(name);
  const title = html`${names.slice(0, -1).map((one) => html`<span class="owner">${one}.</span><wbr />`)}${name}`;
  const old =
    method.deprecated === true && html` <span class="old">deprecated</span>`;
  const heading =
    level === 1
      ? html`<h1 id="${id}">${title}${old}</h1>`
      : html`<h2 id="${id}">
          <a href="${methodPath(api.facts, names)}">${title}</a>${old}
        </h2>`;
  return html`<section class="method" aria-labelledby="${id}">
    ${heading}
    <p class="path">
      ${verb(method)} <code>/${pathOf(api.calls, method)}</code>
    </p>
    ${paragraphs(method.description)}
    ${example("With the generated client", clientCall(api.calls, names, method))}
    ${example("With curl", curlCall(api.calls, method))}
    ${parameterTable(api, method, level)} ${bodies(api, method)}
    ${scopeList(api, method)}
  </section> `;
}

/** The HTTP method as a badge. */
export function verb({
  httpMethod = "GET",
}: Pick<RawMethod, "httpMethod">): Html {
  const known = /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(httpMethod);
  return html`<span class="verb${known && ` ${httpMethod.toLowerCase()}`}"
    >${httpMethod}</span
  >`;
}

/** Rows beyond these are left to the document. */
const MAX_ROWS = 300;

function parameterTable(
  api: ShownApi,
  { parameters = {} }: RawMethod,
  level: number,
): Html {
  const all = Object.entries(parameters);
  if (all.length === 0)
    return html`<p class="none">No parameters of its own.</p>`;
  const isFirst = ([, { required, location }]: [string, RawSchema]): number =>
    Number(location === "path") * 2 + Number(required === true);
  const rows = all.sort((a, b) => isFirst(b) - isFirst(a)).slice(0, MAX_ROWS);
  const left = all.length - rows.length;
  const tag = `h${level + 1}`;
  return html`${title(tag, "Parameters")}
  ${parameterRows(api, "Parameters", rows)}
  ${left > 0 && html`<p>${left} more stand in the document.</p>`}`;
}

/** A name that may break behind its dots. */
function breakable(name: string): Html {
  const parts = name.split(".");
  return html`${parts.map((part, index) =>
    index === 0 ? part : html`.<wbr />${part}`,
  )}`;
}

/** A row of a table of parameters or properties. */
export function fieldRow(
  { facts }: ShownApi,
  name: string,
  schema: RawSchema,
  place: string | undefined,
): Html {
  return html`<tr>
    <th scope="row"><code>${breakable(name)}</code>${marksOf(schema)}</th>
    ${place !== undefined && html`<td>${place}</td>`}
    <td>${typeOf(facts, schema)}</td>
    <td>${paragraphs(schema.description)}${rulesOf(schema)}</td>
  </tr> `;
}

/** A table of parameters. */
export function parameterRows(
  api: ShownApi,
  label: string,
  rows: readonly (readonly [name: string, schema: RawSchema])[],
): Html {
  return html`<div
    class="scroll"
    tabindex="0"
    role="region"
    aria-label="${label}"
  >
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">In</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(([name, schema]) => fieldRow(api, name, schema, schema.location ?? "query"))}
      </tbody>
    </table>
  </div>`;
}

function bodies({ facts }: ShownApi, method: RawMethod): Html {
  const { request, response, supportsMediaUpload, mediaUpload } = method;
  const facts_: Part[] = [
    request !== undefined &&
      html`<dt>Body</dt>
        <dd>${typeOf(facts, request)}</dd>`,
    html`<dt>Answer</dt>
      <dd>${response === undefined ? "nothing" : typeOf(facts, response)}</dd>`,
    method.supportsMediaDownload === true &&
      html`<dt>Download</dt>
        <dd>the content, with <code>alt=media</code></dd>`,
    supportsMediaUpload === true &&
      html`<dt>Upload</dt>
        <dd>
          ${mediaUpload?.accept?.join(", ") ?? "any type"}${mediaUpload?.maxSize !== undefined && ` up to ${mediaUpload.maxSize}`}
        </dd>`,
  ];
  return html`<dl class="bodies">${facts_}</dl>`;
}

function scopeList({ scopes }: ShownApi, method: RawMethod): Html | undefined {
  const own = method.scopes ?? [];
  if (own.length === 0) return undefined;
  const items = own.map(
    (scope) => html`<li><code>${scope}</code> ${scopes.get(scope)}</li>`,
  );
  return html`<details class="scopes">
    <summary>
      Needs one of ${own.length} ${own.length === 1 ? "scope" : "scopes"}
    </summary>
    <ul>
      ${items}
    </ul>
  </details>`;
}

function example(caption: string, code: string): Html {
  return html`<figure class="call">
    <figcaption>${caption}</figcaption>
    <pre tabindex="0"><code>${code}</code></pre>
  </figure> `;
}

function title(tag: string, text: string): Html {
  return tag === "h2"
    ? html`<h2 class="small">${text}</h2>`
    : html`<h3>${text}</h3>`;
}
