import {
  methodsOf,
  variablesOf,
  type RawDocument,
} from "./inventory/document.js";

/** A call with hostile values, and its result. */
export interface Attempt {
  readonly doc: string;
  readonly id: string;
  readonly methodId: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly sent: readonly {
    readonly method: string;
    readonly target: string;
  }[];
  readonly error?: string;
}

/** Verdict on a call. */
export type Verdict =
  | { readonly kind: "encoded" | "refused" }
  | { readonly kind: "unsafe"; readonly why: string };

/**
 * Returns the verdict on a call. It must be rejected before sending if, and only
 * if, a path value is empty or has a segment `.` or `..`, literal or
 * percent-encoded. Otherwise it must send one request whose path has the
 * segments of the expanded template, each of which decodes to the expected
 * value, so that no value ends the path, moves up, or becomes part of the query.
 * For APIs without `fullyEncodeReservedExpansion`, percent triplets in
 * `{+variable}` may remain (RFC 6570), so that they are decoded once more.
 */
export function judge(attempt: Attempt, document: RawDocument): Verdict {
  const { id, params, sent, error } = attempt;
  const names = id.slice(0, id.indexOf("#"));
  const method = methodsOf(document).find(
    ({ resource, name }) => [...resource, name].join(".") === names,
  )!.raw;
  const inPath = variablesOf(method.path);
  if (error !== undefined) {
    if (sent.length > 0) return unsafe(`${error}, but something was sent`);
    const isHarmful = inPath.some((name) => leaves(String(params[name] ?? "")));
    return isHarmful ? { kind: "refused" } : unsafe(`refused: ${error}`);
  }
  if (sent.length !== 1) return unsafe(`${sent.length} requests`);
  const { method: verb, target } = sent[0]!;
  const [path, query = ""] = target.split("?", 2) as [string, string?];
  if (verb !== method.httpMethod || target.includes("#")) return unsafe(target);
  const found = decodeSegments(path);
  const allowed = [expand(method.path, params, document, (text) => text)];
  if (!keepsNothing(document))
    allowed.push(expand(method.path, params, document, decodeTriplets));
  if (
    !allowed.some((wanted) => JSON.stringify(wanted) === JSON.stringify(found))
  )
    return unsafe(`${target} is not ${JSON.stringify(allowed[0])}`);
  if (path.split("/").some(isDots)) return unsafe(`${target} climbs`);
  const rest = Object.entries(params).filter(
    ([name]) => !inPath.includes(name),
  );
  const wanted = rest.flatMap(([name, value]) =>
    [value].flat().map((item) => [name, String(item)]),
  );
  return JSON.stringify([...new URLSearchParams(query)]) ===
    JSON.stringify(wanted)
    ? { kind: "encoded" }
    : unsafe(`the query is ${query}`);
}

function unsafe(why: string): Verdict {
  return { kind: "unsafe", why };
}

function keepsNothing(document: RawDocument): boolean {
  return document.fullyEncodeReservedExpansion === true;
}

/** Returns whether a value is empty or has a segment `.` or `..`. */
function leaves(value: string): boolean {
  return value === "" || value.split("/").some(isDots);
}

function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}

/** Returns the segments of a path that the server should receive. */
function expand(
  template: string,
  params: Attempt["params"],
  { rootUrl, servicePath }: RawDocument,
  change: (text: string) => string,
): string[] {
  const path = template.replace(
    /\{(\+?)([^}]+)\}/g,
    (_, plus: string, name: string) => {
      const value = String(params[name]);
      return plus === ""
        ? encodeURIComponent(value)
        : value
            .split("/")
            .map((part) => encodeURIComponent(change(part)))
            .join("/");
    },
  );
  return decodeSegments(new URL(rootUrl).pathname + servicePath + path);
}

function decodeSegments(path: string): string[] {
  return path.split("/").map((segment) => decodeURIComponent(segment));
}

/** Decodes percent triplets; keeps other percent signs. */
function decodeTriplets(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (triplets) =>
    decodeURIComponent(triplets),
  );
}
