import type { RawMethod, RawSchema } from "../load/raw.js";
import type { MethodFeature } from "./method-features.js";
import { literal, placeholder, type SampleRequest } from "./samples.js";
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

/** Sample call, and features of the method (see `featuresOf`). */
interface ClientCallOptions {
  readonly features?: ReadonlySet<MethodFeature> | undefined;
  /** Sample of the request body as JSON. */
  readonly body?: string | undefined;
}

/**
 * Prints a program that calls the method with the generated client: it iterates
 * lists, waits for operations and downloads content where the method does so.
 */
export function clientCall(
  api: CallContext,
  names: readonly string[],
  method: RawMethod,
  { features, body }: ClientCallOptions = {},
): string {
  const call = callExpression(api, names, method, body);
  return clientProgram(api, statements(call, method, features));
}

/** Prints a program that creates a client before the given lines. */
export function clientProgram(
  api: CallContext,
  lines: readonly string[],
): string {
  const create = `create${apiTitle(api)}`;
  return `import { ${create} } from "./generated/${folder(api.name)}/${folder(api.version)}/index.js";

const ${camelCase(api.name)} = ${create}({ auth: () => process.env.TOKEN ?? "" });
${lines.join("\n")}`;
}

/**
 * Prints a call with sample values of the required parameters.
 * @param others more members of the argument, such as `fields: "name"`
 */
export function callExpression(
  api: CallContext,
  names: readonly string[],
  method: RawMethod,
  body?: string,
  others: readonly string[] = [],
): string {
  const members = requiredParameters(method).map(
    ([name, schema]) => `${keyOf(name)}: ${sampleValue(name, schema)}`,
  );
  members.push(...others);
  const isUpload = method.supportsMediaUpload === true;
  if (method.request !== undefined && !(isUpload && body === undefined))
    members.push(`requestBody: ${(body ?? "{}").replaceAll("\n", "\n  ")}`);
  if (isUpload) {
    const type = method.mediaUpload?.accept?.find((one) => !one.includes("*"));
    const mimeType = literal(type ?? "text/plain");
    members.push(`media: { body: "text", mimeType: ${mimeType} }`);
  }
  const isLong =
    members.join(", ").length > 60 ||
    members.some((member) => member.includes("\n"));
  const argument =
    members.length === 0
      ? ""
      : isLong
        ? `{\n  ${members.join(",\n  ")},\n}`
        : `{ ${members.join(", ")} }`;
  return `${camelCase(api.name)}${names.map(access).join("")}(${argument})`;
}

function statements(
  call: string,
  method: RawMethod,
  features: ReadonlySet<MethodFeature> = new Set(),
): string[] {
  if (features.has("iterated") || features.has("streams"))
    return [`for await (const item of ${call}) {`, "  console.log(item);", "}"];
  if (features.has("long-running"))
    return [`const result = await ${call}.wait();`, "console.log(result);"];
  if (features.has("downloads content") && method.response === undefined)
    return [
      `const content = await ${call}.media();`,
      "console.log(await content.text());",
    ];
  if (method.response === undefined) return [`await ${call};`];
  return [
    `const result = await ${call};`,
    "console.log(result);",
    ...(features.has("downloads content")
      ? ["", `const content = await ${call}.media();`]
      : []),
  ];
}

/** Returns a value of the parameter's type, such as `"FILE_ID"`. */
function sampleValue(name: string, schema: RawSchema): string {
  const value = literal(
    schema.enum?.[0] === undefined ? placeholder(name) : String(schema.enum[0]),
  );
  const single =
    schema.type === "boolean"
      ? "true"
      : schema.type === "integer" || schema.type === "number"
        ? "1"
        : value;
  return schema.repeated === true ? `[${single}]` : single;
}

function keyOf(name: string): string {
  return isIdentifier(name) ? name : JSON.stringify(name);
}

/** Returns the request of which samples in other languages are printed. */
export function requestOf(api: CallContext, method: RawMethod): SampleRequest {
  const header = headerOf(api, method);
  const { accept = [], protocols } = method.mediaUpload ?? {};
  const origin = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : api.rootUrl + path.replace(/^\//, "");
  const simple = origin(protocols?.simple?.path);
  const resumable = origin(protocols?.resumable?.path);
  const type = accept.find((one) => !one.includes("*"));
  return {
    httpMethod: method.httpMethod ?? "GET",
    url: api.rootUrl + pathOf(api, method),
    query: requiredParameters(method)
      .filter(([, { location }]) => location === "query")
      .map(([name]) => name),
    ...(header === undefined ? {} : { header }),
    ...(simple === undefined && resumable === undefined
      ? {}
      : {
          upload: {
            ...(simple === undefined ? {} : { simple }),
            ...(resumable === undefined ? {} : { resumable }),
            isMultipart: protocols?.simple?.multipart === true,
            type: type ?? "application/octet-stream",
          },
        }),
    hasBody: method.request !== undefined,
    hasResponse: method.response !== undefined,
  };
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

function access(name: string): string {
  return isBareKey(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

function folder(name: string): string {
  return name.replace(/[^\w.-]/g, "_");
}
