import type { RawMethod, RawSchema } from "../load/raw.js";
import { headerOf, type CallContext } from "./calls.js";
import { html, type Html, type HtmlPart } from "./html.js";
import { sampleJson } from "./sample.js";

/**
 * Origins to which forms can send requests: `self` for the site itself, or
 * http(s) origins.
 */
export type TryOrigins = readonly string[];

/**
 * Converts a string to an origin: `self` or, for example,
 * `https://api.example.com`. Returns undefined for anything else, such as a URL
 * with a path or with credentials.
 */
export function tryOriginOf(text: string): string | undefined {
  if (text === "self") return text;
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  const { href, origin } = new URL(text);
  // IPv6 addresses are rejected, because content security policies have no
  // syntax for them.
  return href === `${origin}/` && /^https?:\/\/[\w.-]+(?::\d+)?$/.test(origin)
    ? origin
    : undefined;
}

/**
 * Returns the directive of a content security policy that permits requests only
 * to the given origins.
 */
export function connectDirective(origins: TryOrigins): string {
  const sources = origins.map((origin) =>
    origin === "self" ? "'self'" : origin,
  );
  return `connect-src ${sources.join(" ")}`;
}

/** API data from which forms are rendered. */
interface TryContext {
  readonly tryOrigins?: TryOrigins | undefined;
  readonly callContext: CallContext;
  readonly find: (id: string) => RawSchema | undefined;
}

/** Maximum number of parameters with an input field. */
const MAX_FIELDS = 100;

/**
 * Maximum number of enum values for which a form has a menu. For a longer enum,
 * it has a text field.
 */
const MAX_OPTIONS = 200;

/**
 * Renders a form that sends a request; undefined if the site permits no
 * requests. The form is initially hidden and shown by the script. No field has
 * a `name` attribute, so that a form that is submitted without the script sends
 * no values.
 */
export function tryForm(
  api: TryContext,
  names: readonly string[],
  method: RawMethod,
): Html | undefined {
  const { tryOrigins = [], callContext } = api;
  if (tryOrigins.length === 0) return undefined;
  const { httpMethod = "GET", parameters = {} } = method;
  const credential = headerOf(callContext, method);
  const fields = Object.entries(parameters)
    .sort(([, a], [, b]) => weightOf(b) - weightOf(a))
    .slice(0, MAX_FIELDS)
    .map(([name, schema]) => parameterField(name, schema));
  return html`<details
    class="try"
    data-http-method="${httpMethod}"
    data-path="${callContext.servicePath + (method.path ?? method.flatPath ?? "")}"
    data-header="${credential?.name}"
    data-prefix="${credential?.prefix}"
    data-origins="${tryOrigins.join(" ")}"
    hidden
  >
    <summary>Try ${names.join(".")}</summary>
    <form autocomplete="off">
      <label
        >Base URL
        <input
          data-role="base"
          type="url"
          value="${callContext.rootUrl}"
          required
          spellcheck="false"
      /></label>
      ${credential !== undefined && tokenField(credential.name)} ${fields}
      ${bodyField(api, httpMethod, method)}
      <p class="send"><button>Send ${httpMethod} request</button></p>
      <p role="status"></p>
      <pre tabindex="0" role="region" aria-label="Response" hidden></pre>
    </form>
  </details>`;
}

/**
 * Returns a sort weight: path parameters come first, then the other required
 * parameters.
 */
function weightOf({ location, required }: RawSchema): number {
  return Number(location === "path") * 2 + Number(required === true);
}

function tokenField(header: string): Html {
  const label = header === "Authorization" ? "Bearer token" : header;
  return html`<label
    >${label} <small>kept until you leave the page</small>
    <input
      data-role="token"
      type="password"
      autocomplete="off"
      spellcheck="false"
  /></label>`;
}

function parameterField(name: string, schema: RawSchema): Html {
  const { location = "query", repeated, required, type, format } = schema;
  const isRequired = required === true || location === "path";
  const isList = repeated === true && location !== "path";
  const attributes = html`data-name="${name}"
  data-in="${location}"${isRequired && html` required`}`;
  const hint = isList ? "one value per line" : (format ?? type);
  return html`<label
    ><code>${name}</code
    >${isRequired && html` <span class="must">required</span>`}
    <small>${hint}</small> ${input(schema, isList, attributes)}</label
  >`;
}

function input(
  { type, enum: values = [] }: RawSchema,
  isList: boolean,
  attributes: Html,
): Html {
  if (isList) return html`<textarea ${attributes} rows="2"></textarea>`;
  const options = type === "boolean" ? ["true", "false"] : values;
  if (options.length === 0 || options.length > MAX_OPTIONS)
    return html`<input ${attributes} spellcheck="false" />`;
  return html`<select ${attributes}>
    <option></option>
    ${options.map((value) => html`<option>${String(value)}</option>`)}
  </select>`;
}

function bodyField(
  { find }: TryContext,
  httpMethod: string,
  { id: methodId, request }: RawMethod,
): HtmlPart {
  // The forms of GET and HEAD methods have no body field, because `fetch`
  // rejects such requests with a body.
  if (request === undefined || /^(?:GET|HEAD)$/i.test(httpMethod))
    return undefined;
  const sample =
    sampleJson(request, { find, isRequest: true, methodId }) ?? "{}";
  return html`<label
    >Request body <small>JSON</small>
    <textarea data-role="body" data-body rows="8" spellcheck="false">
${sample}</textarea>
  </label>`;
}
