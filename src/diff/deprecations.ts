import { escapeToken, resolvePointer } from "../diagnostics/types.js";
import type { RawDocument } from "../load/raw.js";
import type { EnumValue, Parameter, Resource } from "../model/ir.js";
import type { EditPair } from "./compare.js";
import { diffDocuments } from "./diff-documents.js";
import type { DocumentVersion } from "./document-versions.js";
import type { DetailedChange } from "./severity.js";
import { sideOf, type Side } from "./side.js";

/** Part of a document that is deprecated. */
export interface Deprecation {
  /** Name in reports, such as `drive.files.list parameter corpus`. */
  readonly label: string;
  /** JSON pointer into the current document. */
  readonly pointer: string;
  /** Deprecated value of an enum. */
  readonly value?: string;
  /**
   * First known revision with the deprecation; null if the oldest known revision
   * has it, so its beginning is unknown.
   */
  readonly since: string | null;
}

/** Part that a revision removed, and that its predecessor did not deprecate. */
export interface Removal {
  readonly label: string;
  readonly message: string;
  /** First revision without the part. */
  readonly revision: string;
}

/** Deprecations of an API and removals without one. */
export interface DeprecationHistory {
  /** Known revisions, oldest first. */
  readonly revisions: readonly string[];
  readonly deprecated: readonly Deprecation[];
  readonly removed: readonly Removal[];
}

/** Rules about what clients can no longer use. */
const REMOVALS = new Set([
  "method-removed",
  "parameter-removed",
  "property-removed",
  "enum-value-removed",
]);

/**
 * Returns what the current document deprecates, and what was removed without a
 * deprecation first.
 * @param versions earlier versions of the document, oldest first
 * @param editPair edits documents as generation does
 */
export function deprecationsOf(
  current: Side,
  versions: readonly DocumentVersion[],
  editPair?: EditPair,
): DeprecationHistory {
  const documents = [
    ...versions.map(({ document }) => document),
    current.document,
  ];
  const sides = documents.map((document) =>
    document === current.document
      ? current
      : sideOf(document, current.trustProse),
  );
  const labels = sides.map((side) => new Set(deprecatedParts(side).map(keyOf)));
  const revisions = documents.map(revisionOf);
  return {
    revisions,
    deprecated: deprecatedParts(current).map((part) => {
      const key = keyOf(part);
      let first = labels.length - 1;
      while (first > 0 && labels[first - 1]!.has(key)) first--;
      return { ...part, since: first === 0 ? null : revisions[first]! };
    }),
    removed: documents.slice(1).flatMap((now, index) => {
      const old = documents[index]!;
      const [before, after] = editPair?.(old, now) ?? [old, now];
      return diffDocuments(before, after)
        .changes.filter(
          (change) =>
            REMOVALS.has(change.rule) &&
            !isDeprecated(change, labels[index]!) &&
            !isPresent(change, current),
        )
        .map(({ label, message }) => ({
          label,
          message,
          revision: revisions[index + 1]!,
        }));
    }),
  };
}

function revisionOf({ revision, version }: RawDocument): string {
  return revision ?? version ?? "";
}

/** Tests whether a removed part, or what contained it, was deprecated. */
function isDeprecated(
  { label, detail, rule, oldMethod, method, schema }: DetailedChange,
  deprecated: ReadonlySet<string>,
): boolean {
  const value = rule === "enum-value-removed" ? detail : undefined;
  return [
    keyOf({ label, ...(value === undefined ? {} : { value }) }),
    oldMethod ?? method,
    schema,
  ].some((key) => key !== undefined && deprecated.has(key));
}

/** Tests whether a later revision contains a removed part again. */
function isPresent(
  { oldPointer = "", rule, detail }: DetailedChange,
  { document }: Side,
): boolean {
  const found = resolvePointer(document, oldPointer);
  if (rule !== "enum-value-removed") return found !== undefined;
  return JSON.stringify(found)?.includes(JSON.stringify(detail)) === true;
}

type Part = Omit<Deprecation, "since">;

function keyOf({ label, value }: Pick<Part, "label" | "value">): string {
  return value === undefined ? label : `${label} ${JSON.stringify(value)}`;
}

/** Returns the parts of a document that are deprecated. */
function deprecatedParts({ api }: Side): readonly Part[] {
  const parts: Part[] = [];
  const addEnum = (
    label: string,
    pointer: string,
    values: readonly EnumValue[] = [],
  ): void => {
    for (const { value, deprecated } of values)
      if (deprecated === true) parts.push({ label, pointer, value });
  };
  const addParameter = (owner: string, below: string, one: Parameter): void => {
    const label = `${owner} parameter ${one.name}`;
    const pointer = `${below}/parameters/${escapeToken(one.name)}`;
    if (one.flags.deprecated !== undefined) parts.push({ label, pointer });
    if (one.schema.kind === "enum") addEnum(label, pointer, one.schema.values);
  };
  const visit = (resource: Resource): void => {
    const pointer = resource.path
      .map((name) => `/resources/${escapeToken(name)}`)
      .join("");
    if (resource.deprecated === true)
      parts.push({ label: `resource ${resource.path.join(".")}`, pointer });
    for (const method of resource.methods) {
      if (method.deprecated === true)
        parts.push({ label: method.id, pointer: method.pointer });
      for (const one of method.parameters)
        addParameter(method.id, method.pointer, one);
    }
    for (const child of resource.children) visit(child);
  };
  if (api.labels.includes("deprecated"))
    parts.push({ label: `${api.name}:${api.version}`, pointer: "" });
  for (const one of api.parameters) addParameter("common", "", one);
  visit(api.root);
  for (const { id, pointer, deprecated, body } of api.definitions) {
    if (deprecated === true) parts.push({ label: id, pointer });
    if (body.kind === "enum") addEnum(id, pointer, body.values);
    if (body.kind !== "object") continue;
    for (const { name, flags, schema } of body.fields) {
      const label = `${id}.${name}`;
      const at = `${pointer}/properties/${escapeToken(name)}`;
      if (flags.deprecated !== undefined) parts.push({ label, pointer: at });
      if (schema.kind === "enum") addEnum(label, at, schema.values);
    }
  }
  return parts;
}
