import { formatCount } from "../diagnostics/format-count.js";
import type { RawMethod, RawSchema } from "../load/raw.js";
import { readableSize } from "../model/infer/sizes.js";
import { clientCall, pathOf, requestOf } from "./calls.js";
import { methodErrors } from "./errors.js";
import { methodKey, type MethodFeature } from "./method-features.js";
import { parameterRows } from "./field-table.js";
import { tryForm } from "./try-form.js";
import { sampleJson } from "./sample.js";
import { LANGUAGES, uploadSamples } from "./samples.js";
import { html, type Html, type HtmlPart } from "./html.js";
import { anchor } from "./links.js";
import type { PageContext } from "./page-context.js";
import { paragraphs } from "./prose.js";
import { typeOf } from "./types.js";

/**
 * Renders the documentation of a method: text, parameters and bodies in one
 * column, samples in the other.
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
  const features =
    api.features.get(methodKey(names)) ?? new Set<MethodFeature>();
  return html`<section class="method" aria-labelledby="${id}">
    ${heading}
    <p class="path">
      ${methodBadge(method)} <code>/${pathOf(api.callContext, method)}</code>
      ${featureBadges(features)}
    </p>
    <div class="columns">
      <div class="text">
        ${paragraphs(method.description, api.origin)}
        ${parameterTable(api, names, method, level)} ${bodies(api, method)}
        ${scopeList(api, method)}
      </div>
      ${samples(api, names, method)}
    </div>
  </section> `;
}

/** Features of methods that a page shows as labels. */
const SHOWN_FEATURES: readonly MethodFeature[] = [
  "accepts uploads",
  "downloads content",
  "paged",
  "long-running",
  "watches changes",
  "streams",
];

function featureBadges(features: ReadonlySet<MethodFeature>): Html[] {
  return SHOWN_FEATURES.filter((feature) => features.has(feature)).map(
    (feature) => html` <span class="mark">${feature}</span>`,
  );
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

/** Returns a size such as `10MB` unchanged, and one in bytes as `10 MiB`. */
function sizeText(size: string): string {
  return /^\d+$/.test(size) ? readableSize(Number(size)) : size;
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
        <dd ${expandable(api, request, method.id ?? "")}>
          ${typeOf(api, request)}
        </dd>`,
    html`<dt>Response</dt>
      <dd ${response !== undefined && expandable(api, response)}>
        ${response === undefined ? "nothing" : typeOf(api, response)}
      </dd>`,
    method.supportsMediaDownload === true &&
      html`<dt>Download</dt>
        <dd>the content, with <code>alt=media</code></dd>`,
    method.supportsSubscription === true &&
      html`<dt>Subscriptions</dt>
        <dd>supported</dd>`,
    supportsMediaUpload === true &&
      html`<dt>Upload</dt>
        <dd>
          ${mediaUpload?.accept?.join(", ") ?? "any type"}${mediaUpload?.maxSize !== undefined && ` up to ${sizeText(mediaUpload.maxSize)}`}
        </dd>`,
    methodErrors(api, method),
  ];
  return html`<dl class="bodies">${entries}</dl>`;
}

/**
 * Returns the attributes with which the script of the page shows the properties
 * of a schema in place.
 * @param methodId id of the method whose request body the schema is
 */
function expandable(
  { find }: PageContext,
  { $ref, items }: RawSchema,
  methodId?: string,
): Html | undefined {
  const [item] = [items ?? {}].flat();
  const id = $ref ?? item?.$ref;
  if (id === undefined || find(id) === undefined) return undefined;
  return html`data-schema="${id}"${methodId !== undefined && html` data-request="${methodId}"`}`;
}

/**
 * Maximum number of characters of a scope's description. Each method repeats
 * it; the overview page shows the complete text.
 */
const MAX_SCOPE_TEXT = 200;

/** Renders the scopes of a method, beginning with the one that permits least. */
function scopeList(
  { scopes, scopeUses }: PageContext,
  method: RawMethod,
): Html | undefined {
  const usesOf = (scope: string): number => scopeUses.get(scope) ?? 0;
  const scopeNames = [...(method.scopes ?? [])].sort(
    (a, b) => usesOf(a) - usesOf(b),
  );
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
      ${scopeNames.length === 1 ? "1 scope" : `one of ${scopeNames.length} scopes, the narrowest first`}
    </summary>
    <ul>
      ${items}
    </ul>
  </details>`;
}

/** Returns the small body of a sample call; undefined if none is needed. */
function smallBody(
  { find }: PageContext,
  { id: methodId, request }: RawMethod,
): string | undefined {
  return (
    request &&
    sampleJson(request, { find, isRequest: true, isSmall: true, methodId })
  );
}

/** Prints a program that calls the method with the generated client. */
export function clientSample(
  api: PageContext,
  names: readonly string[],
  method: RawMethod,
): string {
  const features =
    api.features.get(methodKey(names)) ?? new Set<MethodFeature>();
  const body = smallBody(api, method);
  return clientCall(api.callContext, names, method, { features, body });
}

/**
 * Renders the samples of a method. The script of the page turns them into tabs,
 * and adds languages that it prints from the request in `data-sample`.
 */
function samples(
  api: PageContext,
  names: readonly string[],
  method: RawMethod,
): Html {
  const { id: methodId, request, response } = method;
  const { callContext, find } = api;
  const body = smallBody(api, method);
  const complete =
    request && sampleJson(request, { find, isRequest: true, methodId });
  const sample = requestOf(callContext, method);
  const curl = LANGUAGES[0]!;
  return html`<div class="samples" data-sample="${JSON.stringify(sample)}">
    ${example("Generated client", clientSample(api, names, method), "ts")}
    ${example(curl.title, curl.print(sample, body, {}), "curl")}
    ${uploadSamples(sample, body).map(([caption, code]) => example(caption, code))}
    ${complete !== undefined && folded("Request body", complete, "body")}
    ${response && folded("Response", sampleJson(response, { find, isRequest: false }))}
  </div>`;
}

function folded(
  caption: string,
  code: string | undefined,
  language?: string,
): Html | undefined {
  if (code === undefined) return undefined;
  return html`<details class="more">
    <summary>Sample of the ${caption.toLowerCase()}</summary>
    ${example(caption, code, language)}
  </details>`;
}

/** Renders a sample with a caption. */
export function example(
  caption: string,
  code: string,
  language?: string,
): Html {
  return html`<figure
    class="call"
    ${language !== undefined && html`data-language="${language}"`}
  >
    <figcaption>${caption}</figcaption>
    <pre tabindex="0"><code>${code}</code></pre>
  </figure> `;
}

function title(tag: string, text: string): Html {
  return tag === "h2"
    ? html`<h2 class="small">${text}</h2>`
    : html`<h3>${text}</h3>`;
}
