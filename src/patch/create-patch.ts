import { Document, visit as visitYaml } from "yaml";
import { hasInvisible, visibleLines } from "../diagnostics/invisible.js";
import { isObject } from "../diagnostics/json.js";
import { visibleJson } from "../diagnostics/reporters/output.js";
import { Sink } from "../diagnostics/sink.js";
import { pointerOf } from "../diagnostics/types.js";
import { canonicalDocument, sortedKeys } from "../load/canonical.js";
import type { RawDocument } from "../load/raw.js";
import { rawMethods, type LocatedMethod } from "../model/raw-methods.js";
import { visitDocumentRefs } from "../load/raw-refs.js";
import { applyOperation } from "./apply-operation.js";
import { isEqual, valueAt } from "./edit-json.js";
import type { OperationKind } from "./operation-table.js";
import type { NewOperation } from "./patch-file.js";
import { OperationError, PatchSession } from "./patch-session.js";
import { addressOf, valueDigest, type Target } from "./address.js";
import { renameTarget } from "./rename.js";
import { VALUE_TYPES } from "./value-types.js";

/**
 * Maximum length of the member `expect` in a patch, as JSON. For a longer
 * value, the patch contains `expectDigest` instead.
 */
const MAX_EXPECTED = 120;

/**
 * Returns the operations that convert a document to an edited copy. When they
 * are applied in order, the result is equal to the copy except for the order of
 * keys.
 */
export function createPatch(
  old: RawDocument,
  edited: RawDocument,
): NewOperation[] {
  const document = structuredClone(old);
  const renames = findRenames(document, edited);
  const readable = new Comparison(document, edited, true).operations;
  if (isExact(old, edited, [...renames, ...readable]))
    return [...renames, ...readable];
  // Here, addresses such as `schemas.File` would not produce the edited
  // document. For example, if an operation changes the id of a method, later
  // addresses can refer to another method. JSON pointers do not contain ids.
  return new Comparison(old, edited, false).operations;
}

function isExact(
  old: RawDocument,
  edited: RawDocument,
  operations: readonly NewOperation[],
): boolean {
  const session = new PatchSession(structuredClone(old), new Sink());
  const by = { file: "", line: 1, column: 1 };
  try {
    for (const operation of operations)
      applyOperation({ ...operation, line: 1, column: 1 }, session, by);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return false;
  }
  return isEqual(session.document, edited);
}

/** Compares two documents and collects the operations of a patch. */
class Comparison {
  readonly operations: NewOperation[] = [];
  readonly #document: RawDocument;
  readonly #methods: readonly LocatedMethod[];
  readonly #isReadable: boolean;

  /**
   * @param isReadable true for addresses such as `schemas.File`, false for JSON
   * pointers
   */
  constructor(document: RawDocument, edited: RawDocument, isReadable: boolean) {
    this.#document = document;
    this.#isReadable = isReadable;
    // A method whose id changes is addressed by its JSON pointer only.
    this.#methods = rawMethods(document).filter(
      ({ path, raw }) =>
        raw.id !== undefined && valueAt(edited, [...path, "id"]) === raw.id,
    );
    this.#compare(document, edited, []);
  }

  #compare(old: unknown, edited: unknown, tokens: readonly string[]): void {
    if (isEqual(old, edited)) return;
    if (!isObject(old) || !isObject(edited)) {
      this.#change("replace", tokens, { value: edited, ...expectation(old) });
      return;
    }
    const keys = sortedKeys({ ...old, ...edited });
    for (const key of keys) {
      const path = [...tokens, key];
      const [before, after] = [old, edited].map((object) =>
        Object.hasOwn(object, key) ? object[key] : undefined,
      );
      if (isEqual(before, after)) continue;
      if (this.#mark(key, before, after, tokens)) continue;
      if (before === undefined) this.#change("add", path, { value: after });
      else if (after === undefined)
        this.#change("remove", path, expectation(before));
      else this.#compare(before, after, path);
    }
  }

  /**
   * Adds an operation such as `describe` for a changed field. Returns false if
   * no such operation applies to the field.
   */
  #mark(
    key: string,
    before: unknown,
    after: unknown,
    tokens: readonly string[],
  ): boolean {
    if (!isNode(tokens)) return false;
    const isSwitch =
      (before === undefined && after === true) ||
      (before === true && after === undefined);
    const flag = Object.hasOwn(FLAGS, key) ? FLAGS[key] : undefined;
    if (flag !== undefined && isSwitch && !this.#isOrdered(key, tokens)) {
      this.#change(flag, tokens, after === true ? {} : { value: false });
      return true;
    }
    const isDescription = key === "description" && typeof after === "string";
    if (isDescription) {
      const expected = before === undefined ? {} : expectation(before);
      this.#change("describe", tokens, { value: after, ...expected });
      return true;
    }
    const kind = key === "x-paging" ? "paging" : undefined;
    const isMethod = tokens.at(-2) === "methods";
    if (kind === undefined || !isMethod || !VALUE_TYPES[kind].isValid(after))
      return false;
    this.#change(kind, tokens, { value: after });
    return true;
  }

  /**
   * Tests whether a parameter is required because it is listed in
   * `parameterOrder`.
   */
  #isOrdered(key: string, tokens: readonly string[]): boolean {
    if (key !== "required" || tokens.at(-2) !== "parameters") return false;
    const owner = valueAt(this.#document, tokens.slice(0, -2));
    const order = isObject(owner) ? owner["parameterOrder"] : undefined;
    return Array.isArray(order) && order.includes(tokens.at(-1));
  }

  #change(
    kind: OperationKind,
    tokens: readonly string[],
    rest: Partial<NewOperation>,
  ): void {
    const at = this.#isReadable
      ? addressOf(tokens, this.#document, this.#methods)
      : pointerOf(tokens) || "document";
    this.operations.push({ kind, at, ...rest });
  }
}

/** Map from a boolean field to the kind of operation that changes it. */
const FLAGS: Readonly<Record<string, OperationKind>> = {
  required: "require",
  readOnly: "readOnly",
  deprecated: "deprecate",
};

const NAMED = new Set([
  "schemas",
  "methods",
  "properties",
  "parameters",
  "resources",
]);

/**
 * Tests whether the keys of the object at a location are fields of the format.
 * Otherwise, they are names that the author of the document chose.
 */
function isNode(tokens: readonly string[]): boolean {
  let isName = false;
  let isNamed = tokens.length === 0;
  for (const token of tokens) {
    isNamed = isName;
    isName = !isName && NAMED.has(token);
  }
  return isNamed;
}

/**
 * Returns the member of a patch operation that states the value before the
 * change: `expect`, or `expectDigest` for a long value.
 */
function expectation(before: unknown): Partial<NewOperation> {
  const text = JSON.stringify(before);
  return text.length > MAX_EXPECTED
    ? { expectDigest: valueDigest(before).slice(0, 16) }
    : { expect: before };
}

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
function findRenames(old: RawDocument, edited: RawDocument): NewOperation[] {
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

/** Content of a new patch file. */
interface NewPatch {
  readonly api: string;
  readonly revision?: string | undefined;
  readonly operations: readonly NewOperation[];
}

/**
 * First line of a patch file in YAML, with the URL of the JSON Schema for
 * editors.
 */
const HEADER =
  " yaml-language-server: $schema=https://unpkg.com/discovery-codegen/generated/schemas/patch.schema.json";

/** Maximum length of a string that is printed on one line. */
const MAX_LINE = 60;

/** Prints a patch file as YAML or JSON. In YAML, long strings are folded. */
export function printPatch(patch: NewPatch, format: "yaml" | "json"): string {
  const { api, revision, operations } = patch;
  const content = {
    api,
    ...(revision === undefined ? {} : { revision }),
    operations: operations.map(({ kind, at, ...rest }) => ({
      [kind]: at,
      ...rest,
    })),
  };
  if (format === "json") return `${visibleJson(content)}\n`;
  const document = new Document(content);
  document.commentBefore = HEADER;
  visitYaml(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== "string") return;
      if (hasInvisible(node.value)) node.type = "QUOTE_DOUBLE";
      else if (isFoldable(node.value)) node.type = "BLOCK_FOLDED";
    },
  });
  return visibleLines(document.toString({ lineWidth: 80 }));
}

function isFoldable(text: string): boolean {
  return (
    text.length > MAX_LINE &&
    text.includes(" ") &&
    /^\S.*\S$/su.test(text) &&
    !/[\t\r]/.test(text)
  );
}
