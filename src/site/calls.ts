import { shellQuote } from "../platform/shell-quote.js";
import type { RawMethod, RawSchema } from "../load/raw.js";
import { wellFormed } from "./html.js";
import { apiTitle, camelCase, isBareKey } from "../model/names.js";

/** API data from which sample calls in the documentation are printed. */
export interface CallContext {
  readonly name: string;
  readonly canonicalName?: string | undefined;
  readonly version: string;
  readonly rootUrl: string;
  readonly servicePath: string;
  /**
   * Value of the document's `x-credential`. If it is undefined, sample calls of
   * methods with scopes contain a bearer token.
   */
  readonly credential: unknown;
}

/**
 * Prints a sample call with the generated client, such as `const file = await
 * drive.files.get({ fileId })`.
 */
export function clientCall(
  api: CallContext,
  names: readonly string[],
  method: RawMethod,
): string {
  const client = camelCase(api.name);
  const parameters = requiredParameters(method).map(([name]) => name);
  if (method.request !== undefined) parameters.push("requestBody");
  if (method.supportsMediaUpload === true) parameters.push("media");
  const keys = parameters.map((name) =>
    isIdentifier(name) ? name : `${JSON.stringify(name)}: ${camelCase(name)}`,
  );
  const argument = keys.length === 0 ? "" : `{ ${keys.join(", ")} }`;
  const call = `${client}${names.map(access).join("")}(${argument})`;
  const create = `create${apiTitle(api)}`;
  return `import { ${create} } from "./generated/${folder(api.name)}/${folder(api.version)}/index.js";

const ${client} = ${create}({ auth: () => token });
const result = await ${call};`;
}

/**
 * Prints a sample call with curl. Placeholders for values are in capital
 * letters.
 */
export function curlCall(api: CallContext, method: RawMethod): string {
  const lines = [`curl ${shellQuote(urlOf(api, method))}`];
  const { httpMethod = "GET" } = method;
  if (httpMethod !== "GET") lines.push(`-X ${shellQuote(httpMethod)}`);
  const authorization = authorizationOf(api, method);
  if (authorization !== undefined) lines.push(authorization);
  if (method.request !== undefined)
    lines.push("-H 'Content-Type: application/json'", "-d @body.json");
  return lines.join(" \\\n  ");
}

/**
 * Prints a curl call that uploads a file without metadata; undefined if the
 * method does not accept uploads.
 */
export function uploadCall(
  api: CallContext,
  method: RawMethod,
): string | undefined {
  const simple = method.mediaUpload?.protocols?.simple?.path;
  if (simple === undefined) return undefined;
  const url = urlOf(api, method, simple.replace(/^\//, ""));
  const separator = url.includes("?") ? "&" : "?";
  const type = method.mediaUpload?.accept?.find((one) => !one.includes("*"));
  const lines = [
    `curl ${shellQuote(`${url}${separator}uploadType=media`)}`,
    `-X ${shellQuote(method.httpMethod ?? "POST")}`,
    authorizationOf(api, method) ?? [],
    `-H ${shellQuote(`Content-Type: ${headerText(type ?? "application/octet-stream")}`)}`,
    "--data-binary @file",
  ].flat();
  return lines.join(" \\\n  ");
}

/** Prints a sample call in Python that uses the `requests` package. */
export function pythonCall(api: CallContext, method: RawMethod): string {
  const { httpMethod = "GET" } = method;
  const header = headerOf(api, method);
  const lines = [
    "import os",
    "import requests",
    "",
    "response = requests.request(",
    `    ${pythonText(httpMethod)},`,
    `    ${pythonText(urlOf(api, method))},`,
  ];
  if (header !== undefined)
    lines.push(
      `    headers={${pythonText(header.name)}: ${pythonText(header.prefix)} + os.environ["TOKEN"]},`,
    );
  if (method.request !== undefined) lines.push("    json=body,");
  lines.push(
    "    timeout=60,",
    ")",
    "response.raise_for_status()",
    ...(method.response === undefined ? [] : ["result = response.json()"]),
  );
  return lines.join("\n");
}

/** Returns the path template of a method, relative to the root URL. */
export function pathOf(api: CallContext, method: RawMethod): string {
  return api.servicePath + (method.flatPath ?? method.path ?? "");
}

/** Returns the required parameters, sorted by `parameterOrder`. */
function requiredParameters(method: RawMethod): [string, RawSchema][] {
  const order = method.parameterOrder ?? [];
  const positionOf = (name: string): number =>
    order.includes(name) ? order.indexOf(name) : order.length;
  return Object.entries(method.parameters ?? {})
    .filter(
      ([, { required, location }]) => required === true || location === "path",
    )
    .sort(([a], [b]) => positionOf(a) - positionOf(b));
}

function urlOf(
  api: CallContext,
  method: RawMethod,
  template = pathOf(api, method),
): string {
  const path = template.replace(/\{\+?([^{}]*)\}/g, (_, name: string) =>
    placeholder(name),
  );
  const query = requiredParameters(method)
    .filter(([, { location }]) => location === "query")
    .map(([name]) => `${encodeURIComponent(name)}=${placeholder(name)}`);
  const url = `${api.rootUrl}${path}${query.length === 0 ? "" : "?"}${query.join("&")}`;
  // Non-ASCII characters, spaces and control characters are percent-encoded,
  // because shells or terminals could misinterpret them.
  return url.replace(/[^\x21-\x7e]/g, (character) =>
    encodeURIComponent(wellFormed(character)),
  );
}

function placeholder(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z\d]+/g, "_")
    .toUpperCase();
}

function authorizationOf(
  api: CallContext,
  method: RawMethod,
): string | undefined {
  const header = headerOf(api, method);
  return header && `-H "${header.name}: ${header.prefix}$TOKEN"`;
}

/**
 * Returns the request header that contains the caller's credential, and the
 * prefix of its value; undefined if no header contains a credential.
 */
export function headerOf(
  api: CallContext,
  method: RawMethod,
): { readonly name: string; readonly prefix: string } | undefined {
  const methodCredential = (method as { "x-credential"?: unknown })[
    "x-credential"
  ];
  const rules = methodCredential ?? api.credential;
  if (isCredential(rules) && rules.in !== "query") {
    const scheme = rules.schemes?.[0];
    const name = rules.name.replace(/[^\w-]/g, "");
    const prefix =
      typeof scheme === "string" ? `${scheme.replace(/\W/g, "")} ` : "";
    return { name, prefix };
  }
  return (method.scopes ?? []).length > 0
    ? { name: "Authorization", prefix: "Bearer " }
    : undefined;
}

function isCredential(
  value: unknown,
): value is { in: string; name: string; schemes?: readonly unknown[] } {
  if (typeof value !== "object" || value === null) return false;
  const { name, schemes } = value as { name?: unknown; schemes?: unknown };
  return (
    typeof name === "string" &&
    (schemes === undefined || Array.isArray(schemes))
  );
}

/** Removes characters that are not allowed in header values. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "");
}

/**
 * Formats a string as a Python string literal. JSON strings are valid Python
 * literals.
 */
function pythonText(text: string): string {
  return JSON.stringify(wellFormed(text)).replace(
    /[^\x20-\x7e]/g,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function access(name: string): string {
  return isBareKey(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

function folder(name: string): string {
  return name.replace(/[^\w.-]/g, "_");
}
