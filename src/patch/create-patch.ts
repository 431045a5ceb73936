import { isObject } from "../diagnostics/json.js";
import { Sink } from "../diagnostics/sink.js";
import { pointerOf } from "../diagnostics/types.js";
import { sortedKeys } from "../load/canonical.js";
import type { RawDocument } from "../load/raw.js";
import { rawMethods, type LocatedMethod } from "../model/raw-methods.js";
import { addressOf } from "./print-address.js";
import { applyOperation } from "./apply-operation.js";
import { isEqual, valueAt } from "./edit-json.js";
import { findRenames } from "./find-renames.js";
import type { OperationKind } from "./operation-table.js";
import type { NewOperation } from "./patch-file.js";
import { OperationError, PatchSession } from "./patch-session.js";
import { valueDigest } from "./target.js";
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
