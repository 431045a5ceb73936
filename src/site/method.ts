import { formatCount } from "../diagnostics/format-count.js";
import type { RawMethod, RawSchema } from "../load/raw.js";
import {
  clientCall,
  curlCall,
  pathOf,
  pythonCall,
  uploadCall,
} from "./calls.js";
import { parameterRows } from "./field-table.js";
import { tryForm } from "./try-form.js";
import { sampleJson } from "./sample.js";
import { html, paragraphs, type Html, type HtmlPart } from "./html.js";
import { anchor } from "./links.js";
import type { PageContext } from "./page-context.js";
import { typeOf } from "./types.js";

/**
 * Renders the documentation of a method.
 * @param level heading level
 */
export function methodSection(
  api: PageContext,
  names: readonly string[],
  method: RawMethod,
  level: 1 | 2,
): Html {
  const name = names.at(-1) ?? "";
  const id = anchor(name);
  const title = html`${names.slice(0, -1).map((owner) => html`<span class="owner">${owner}.</span><wbr />`)}${name}`;
  const badge =
    method.deprecated === true && html` <span class="old">deprecated</span>`;
  const heading =
    level === 1
      ? html`<h1 id="${id}">${title}${badge}</h1>`
      : html`<h2 id="${id}">
          <a href="${api.links.method(api.summary, names)}">${title}</a>${badge}
        </h2>`;
  return html`<section class="method" aria-labelledby="${id}">
    ${heading}
    <p class="path">
      ${methodBadge(method)} <code>/${pathOf(api.callContext, method)}</code>
    </p>
    ${paragraphs(method.description)}
    ${example("With the generated client", clientCall(api.callContext, names, method))}
    ${moreCalls(api, method)} ${parameterTable(api, names, method, level)}
    ${bodies(api, method)} ${scopeList(api, method)}
  </section> `;
}

/** Renders the HTTP method as a badge. */
export function methodBadge({
  httpMethod = "GET",
}: Pick<RawMethod, "httpMethod">): Html {
  const isStandard = /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(httpMethod);
  return html`<span
    class="http-method${isStandard && ` ${httpMethod.toLowerCase()}`}"
    >${httpMethod}</span
  >`;
}

/** Maximum number of rows in a table of parameters. */
const MAX_ROWS = 300;

/**
 * Renders the table of parameters. If the site permits requests, a form that
 * sends requests precedes the table.
 */
function parameterTable(
  api: PageContext,
  names: readonly string[],
  method: RawMethod,
  level: number,
): Html {
  const table = tableOf(api, names, method, level);
  const form = tryForm(api, names, method);
  return form === undefined ? table : html`${form} ${table}`;
}

function tableOf(
  api: PageContext,
  names: readonly string[],
  { parameters = {} }: RawMethod,
  level: number,
): Html {
  const parameterEntries = Object.entries(parameters);
  if (parameterEntries.length === 0)
    return html`<p class="none">No parameters.</p>`;
  const weightOf = ([, { required, location }]: [string, RawSchema]): number =>
    Number(location === "path") * 2 + Number(required === true);
  const rows = parameterEntries
    .sort((a, b) => weightOf(b) - weightOf(a))
    .slice(0, MAX_ROWS);
  const left = parameterEntries.length - rows.length;
  const tag = `h${level + 1}`;
  return html`${title(tag, "Parameters")}
  ${parameterRows(api, `Parameters of ${names.join(".")}`, rows)}
  ${left > 0 && html`<p>Not shown: ${formatCount(left, "more parameter")}.</p>`}`;
}

function bodies(api: PageContext, method: RawMethod): Html {
  const { request, response, supportsMediaUpload, mediaUpload } = method;
  const entries: HtmlPart[] = [
    request !== undefined &&
      html`<dt>Body</dt>
        <dd>${typeOf(api, request)}</dd>`,
    html`<dt>Response</dt>
      <dd>${response === undefined ? "nothing" : typeOf(api, response)}</dd>`,
    method.supportsMediaDownload === true &&
      html`<dt>Download</dt>
        <dd>the content, with <code>alt=media</code></dd>`,
    method.supportsSubscription === true &&
      html`<dt>Subscriptions</dt>
        <dd>supported</dd>`,
    supportsMediaUpload === true &&
      html`<dt>Upload</dt>
        <dd>
          ${mediaUpload?.accept?.join(", ") ?? "any type"}${mediaUpload?.maxSize !== undefined && ` up to ${mediaUpload.maxSize}`}
        </dd>`,
  ];
  return html`<dl class="bodies">${entries}</dl>`;
}

/**
 * Maximum number of characters of a scope's description. Each method repeats
 * it; the overview page shows the complete text.
 */
const MAX_SCOPE_TEXT = 200;

function scopeList(
  { scopes }: PageContext,
  method: RawMethod,
): Html | undefined {
  const scopeNames = method.scopes ?? [];
  if (scopeNames.length === 0) return undefined;
  const items = scopeNames.map(
    (scope) =>
      html`<li>
        <code>${scope}</code> ${scopes.get(scope)?.slice(0, MAX_SCOPE_TEXT)}
      </li>`,
  );
  return html`<details class="scopes">
    <summary>
      Requires
      ${scopeNames.length === 1 ? "1 scope" : `one of ${scopeNames.length} scopes`}
    </summary>
    <ul>
      ${items}
    </ul>
  </details>`;
}

/**
 * Renders sample calls in other languages, and sample request and response
 * bodies.
 */
function moreCalls(
  { callContext, find }: PageContext,
  method: RawMethod,
): Html {
  const upload = uploadCall(callContext, method);
  const { request, response } = method;
  const samples = [
    ["Request body", request, true],
    ["Response", response, false],
  ] as const;
  return html`${example("With curl", curlCall(callContext, method))}
    ${upload !== undefined && example("Upload with curl", upload)}
    <details class="more">
      <summary>Python and sample bodies</summary>
      ${example("With Python", pythonCall(callContext, method))}
      ${samples.map(([caption, schema, isRequest]) => {
        const text = schema && sampleJson(schema, { find, isRequest });
        return text !== undefined && example(caption, text);
      })}
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
