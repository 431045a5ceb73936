import { isObject } from "../diagnostics/json.js";
import { canonicalDocument } from "../load/canonical.js";
import type { RawDocument } from "../load/raw.js";
import { visitDocumentRefs } from "../model/raw-refs.js";
import { addressOf } from "./print-address.js";
import type { Target } from "./resolve-address.js";
import type { NewOperation } from "./patch-file.js";
import { renameTarget } from "./rename.js";

type Json = Readonly<Record<string, unknown>>;

/**
 * Minimum fraction of properties that two schemas must have in common to be
 * treated as one renamed schema.
 */
const MIN_SIMILARITY = 0.6;

/**
 * Limit for the search for renames. If the number of removed names multiplied
 * by the number of added names exceeds the square of this limit, no search is
 * done.
 */
const MAX_NAMES = 200;

/**
 * Returns operations that rename schemas, resources, methods, parameters and
 * properties. Also applies them to the old document, so that later comparisons
 * ignore the renames.
 */
export function findRenames(
  old: RawDocument,
  edited: RawDocument,
): NewOperation[] {
  const operations: NewOperation[] = [];
  const rename = (target: Target, to: string): void => {
    const at = addressOf(target.tokens, old);
    operations.push({ kind: "rename", at, to });
    renameTarget(old, target, to);
  };
  renameSchemas(old, edited, rename);
  visit(old, edited, [], rename);
  return operations;
}

type Rename = (target: Target, to: string) => void;

function renameSchemas(
  old: RawDocument,
  edited: RawDocument,
  rename: Rename,
): void {
  const used = new Set<string>();
  visitDocumentRefs(edited, (owner, key) => used.add(owner[key] as string));
  const isUnused = (name: string): boolean => !used.has(name);
  for (const [from, to] of pairs(old.schemas, edited.schemas, isSimilarSchema))
    if (isUnused(from))
      rename({ tokens: ["schemas", from], kind: "schema" }, to);
}

/** Compares two values and finds renamed members in them. */
function visit(
  old: unknown,
  edited: unknown,
  tokens: readonly string[],
  rename: Rename,
): void {
  if (!isObject(old) || !isObject(edited)) return;
  for (const { key, kind, isRenamed } of MEMBERS)
    for (const [from, to] of pairs(old[key], edited[key], isRenamed))
      rename({ tokens: [...tokens, key, from], kind }, to);
  for (const key of CHILDREN) {
    const [before, after] = [old[key], edited[key]];
    if (!isObject(before) || !isObject(after)) continue;
    if (key === "items" || key === "additionalProperties") {
      visit(before, after, [...tokens, key], rename);
      continue;
    }
    for (const name of Object.keys(before))
      if (Object.hasOwn(after, name))
        visit(before[name], after[name], [...tokens, key, name], rename);
  }
}

/** Kinds of objects whose members can be renamed. */
const MEMBERS: readonly {
  readonly key: string;
  readonly kind: Target["kind"];
  readonly isRenamed: (old: Json, edited: Json) => boolean;
}[] = [
  { key: "resources", kind: "resource", isRenamed: isSameText },
  { key: "methods", kind: "method", isRenamed: isSameMethod },
  { key: "parameters", kind: "parameter", isRenamed: isSameMember },
  { key: "properties", kind: "property", isRenamed: isSameMember },
];

const CHILDREN = [
  "schemas",
  "resources",
  "methods",
  "parameters",
  "properties",
  "items",
  "additionalProperties",
];

/**
 * Pairs each removed name with an added name that has a matching value. A name
 * with several matches is not paired.
 */
function pairs(
  old: unknown,
  edited: unknown,
  isMatch: (old: Json, edited: Json) => boolean,
): [from: string, to: string][] {
  if (!isObject(old) || !isObject(edited)) return [];
  const removed = Object.keys(old).filter((key) => !Object.hasOwn(edited, key));
  const added = Object.keys(edited).filter((key) => !Object.hasOwn(old, key));
  if (removed.length * added.length > MAX_NAMES * MAX_NAMES) return [];
  const candidates = removed.flatMap((from) =>
    added
      .filter((to) => isMatchingPair(old[from], edited[to], isMatch))
      .map((to): [string, string] => [from, to]),
  );
  return candidates.filter(([from, to]) =>
    candidates.every((other) => (other[0] === from) === (other[1] === to)),
  );
}

function isMatchingPair(
  old: unknown,
  edited: unknown,
  isMatch: (old: Json, edited: Json) => boolean,
): boolean {
  return isObject(old) && isObject(edited) && isMatch(old, edited);
}

/** Tests whether two schemas have similar sets of property names. */
function isSimilarSchema(old: Json, edited: Json): boolean {
  if (isSameText(withoutId(old), withoutId(edited))) return true;
  const [a, b] = [old, edited].map(({ properties }) =>
    isObject(properties) ? Object.keys(properties) : [],
  ) as [string[], string[]];
  const common = a.filter((name) => b.includes(name)).length;
  return common > 1 && common >= MIN_SIMILARITY * Math.max(a.length, b.length);
}

function isSameMethod(old: Json, edited: Json): boolean {
  return (
    old["httpMethod"] === edited["httpMethod"] && old["path"] === edited["path"]
  );
}

/**
 * Tests whether two properties are equal and have a description. Short
 * properties such as `{type: string}` can be equal by chance.
 */
function isSameMember(old: Json, edited: Json): boolean {
  return "description" in old && isSameText(old, edited);
}

function isSameText(old: Json, edited: Json): boolean {
  return canonicalDocument([old]) === canonicalDocument([edited]);
}

function withoutId(schema: Json): Json {
  return { ...schema, id: undefined };
}
