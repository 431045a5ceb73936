import type {
  Credential,
  EnumValue,
  ErrorRule,
  FieldFlags,
  Method,
  Constraints,
  Operation,
  Schema,
  Stream,
} from "../../model/ir.js";
import { readableSize } from "../../model/infer/sizes.js";
import { acceptedRanges, isRedirect } from "../../model/bodies.js";
import { flat, type TypeTree } from "../../render/typescript/types.js";

/**
 * Map from format to an explanation of its JSON representation. For other
 * formats, comments contain only the name of the format.
 */
const WIRE_FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    int64: "int64 (decimal digits in a string)",
    uint64: "uint64 (decimal digits in a string)",
    byte: "byte (base64)",
    date: "date (YYYY-MM-DD)",
    "date-time": "date-time (RFC 3339)",
    "google-datetime": "google-datetime (RFC 3339)",
    "google-duration": 'google-duration (seconds, such as "3.5s")',
    "google-fieldmask": 'google-fieldmask (paths, such as "user.name,photo")',
  }),
);

/**
 * Returns comment lines that describe the format, limits and allowed values of
 * a field or parameter.
 */
export function valueNotes(
  schema: Schema,
  constraints: Constraints,
  flags: FieldFlags,
): string[] {
  const lines: string[] = [];
  if (constraints.format !== undefined)
    lines.push(`Format: ${formatNote(schema, constraints.format)}.`);
  if (constraints.minimum !== undefined)
    lines.push(`Minimum: ${constraints.minimum}.`);
  if (constraints.maximum !== undefined)
    lines.push(`Maximum: ${constraints.maximum}.`);
  if (constraints.pattern !== undefined)
    lines.push(`Pattern: ${codeSpan(constraints.pattern)}.`);
  if (constraints.default !== undefined)
    lines.push(`Default: ${codeSpan(constraints.default)}.`);
  if (constraints.values !== undefined)
    lines.push(`Values: ${constraints.values.map(valueNote).join(", ")}.`);
  if (flags.requiredBy !== undefined)
    lines.push(`Required by ${flags.requiredBy.map(codeSpan).join(", ")}.`);
  return lines;
}

/** Formats an enum value for a comment: `value (description; deprecated)`. */
function valueNote({ value, description, deprecated }: EnumValue): string {
  const details = [description, deprecated === true ? "deprecated" : undefined]
    .filter((detail) => detail !== undefined)
    .join("; ");
  return details === "" ? codeSpan(value) : `${codeSpan(value)} (${details})`;
}

function formatNote(schema: Schema, format: string): string {
  const isText = schema.kind === "scalar" && schema.type === "string";
  return (isText ? WIRE_FORMS.get(format) : undefined) ?? format;
}

/**
 * Formats text from the document as a code span in a comment. The text is
 * truncated to 500 characters.
 */
export function codeSpan(text: string): string {
  const safe = text.replace(/\s+/g, " ").slice(0, 500);
  return safe.includes("`") ? `\`\` ${safe} \`\`` : `\`${safe}\``;
}

/**
 * Returns comment lines that describe the request, result, scopes and errors of
 * a method.
 */
export function methodNotes(
  method: Method,
  servicePath: string,
  items?: TypeTree,
): string[] {
  const lines = [requestLine(method, servicePath)];
  if (method.paging !== undefined) lines.push("", pagingNote(method, items));
  if (method.links !== undefined)
    lines.push(
      "",
      `Iterate over the call to get ${elementName(items)} from all pages.`,
    );
  if (method.operation !== undefined)
    lines.push("", operationNote(method.operation));
  if (method.stream !== undefined) lines.push("", streamNote(method.stream));
  if (method.supportsSubscription === true)
    lines.push("", "Supports subscriptions (`supportsSubscription`).");
  if (isRedirect(method))
    lines.push(
      "",
      `Redirects to the content (status ${method.status!}). The call returns the content, \`.media()\` streams it, and \`.unfollowed()\` returns the URL.`,
    );
  else if (method.status !== undefined)
    lines.push("", `Responds with status ${method.status}.`);
  if (method.rawResponse === true)
    lines.push("", "The result is the content itself, of any media type.");
  if (method.download !== undefined)
    lines.push("", "Use `.media()` to download the content.");
  if (method.upload !== undefined) lines.push("", uploadNote(method));
  if (method.scopes.length > 0)
    lines.push(
      "",
      `Accepted scopes: ${method.scopes.map(shortScope).join(", ")}.`,
    );
  if (method.hasOwnCredential === true)
    lines.push("", credentialNote(method.credential));
  const errors = errorNotes(method.errors ?? []);
  if (errors.length > 0) lines.push("", "Errors:", "", ...errors);
  return lines;
}

/**
 * Returns the HTTP method of an API method and its path relative to the root
 * URL, as a code span.
 */
export function requestLine(
  { httpMethod, path }: Method,
  servicePath: string,
): string {
  const isAbsolute = path.startsWith("/");
  return codeSpan(`${httpMethod} ${isAbsolute ? "" : servicePath}${path}`);
}

function elementName(type: TypeTree | undefined): string {
  return type === undefined ? "the elements" : `each ${codeSpan(flat(type))}`;
}

/** Returns a comment line that describes how a credential is sent. */
export function credentialNote(credential: Credential | undefined): string {
  if (credential === undefined) return "Requires no credential.";
  const { in: location, name, schemes } = credential;
  const scheme = schemes.length === 0 ? "" : ` after ${codeSpan(schemes[0]!)}`;
  return location === "query"
    ? `The credential is sent in the ${codeSpan(name)} parameter.`
    : `The credential is sent in the ${codeSpan(name)} header${scheme}.`;
}

/**
 * Returns a comment line for each error status that the document describes. The
 * rule for all other statuses (`default`) is excluded.
 */
export function errorNotes(rules: readonly ErrorRule[]): string[] {
  return rules.flatMap(({ status, description }) =>
    description === undefined || status === "default"
      ? []
      : [`- \`${status}\`: ${description.replace(/\s+/g, " ")}`],
  );
}

function pagingNote({ paging }: Method, items: TypeTree | undefined): string {
  if (paging!.items === undefined) return "Returns pages; see `.pages()`.";
  const type = items === undefined ? "" : ` (${flat(items)})`;
  const others =
    paging!.others.length === 0
      ? ""
      : ` Each page also has ${paging!.others.map(codeSpan).join(", ")}.`;
  return `Iterate over the call to get the ${codeSpan(paging!.items.field)}${type} from all pages.${others}`;
}

function operationNote({ poll }: Operation): string {
  const more = poll === undefined ? "" : "; see `.wait()`";
  return `Returns a long-running operation${more}.`;
}

function streamNote({ format }: Stream): string {
  return format === "events"
    ? "Iterate over the call to stream the response as server-sent events."
    : "Iterate over the call to stream the elements of the response.";
}

function uploadNote({ upload }: Method): string {
  const ranges = acceptedRanges(upload!);
  const accept =
    ranges === undefined ? "" : ` of ${ranges.map(codeSpan).join(", ")}`;
  const limit =
    upload!.maxBytes === undefined
      ? ""
      : `, at most ${readableSize(upload!.maxBytes)}`;
  return `Accepts content as \`media\`${accept}${limit}.`;
}

function shortScope(scope: string): string {
  return scope.replace("https://www.googleapis.com/auth/", "");
}
