import { canonicalDocument } from "../load/canonical.js";
import type { RawDocument } from "../load/raw.js";
import { Collector } from "./collector.js";
import { fingerprintOf } from "./words.js";
import { rulesOn } from "./rules/index.js";
import {
  bumpOf,
  mostSevereFirst,
  severitiesOf,
  type Change,
  type DetailedChange,
  type DiffOptions,
  type DiffResult,
} from "./severity.js";
import { sideOf } from "./side.js";
import { DefinitionPairs } from "./walk/definition-pairs.js";
import { matchMethods } from "./walk/match-methods.js";
import { visitMethods, visitSchemas } from "./walk/visit.js";

/**
 * Compares two documents of an API. The order of keys, `etag` and `revision`
 * are ignored. Both documents must have passed `checkShape`. The changes are
 * sorted by severity, most severe first.
 */
export function diffDocuments(
  old: RawDocument,
  now: RawDocument,
  options: DiffOptions = {},
): DiffResult<DetailedChange> {
  // Equal texts are detected first, so no models are built for unchanged
  // documents, which are the majority in most folders.
  if (old === now || canonicalDocument(old) === canonicalDocument(now))
    return resultOf(old, now, []);
  const { trustProse = false } = options;
  const documents = {
    old: sideOf(old, trustProse),
    new: sideOf(now, trustProse),
  };
  const methods = matchMethods(documents.old, documents.new);
  const pairs = DefinitionPairs.ofDocuments(documents, methods);
  const collector = new Collector(documents, pairs, options);
  visitMethods(methods, collector);
  visitSchemas(pairs, collector);
  // The rule `other-changed` runs last, because it applies only to documents
  // without other changes.
  collector.visit(
    "api",
    { old: documents.old.api, new: documents.new.api },
    {
      label: documents.old.api.id,
      key: "",
      pointers: { old: "", new: "" },
      directions: 0,
    },
  );
  return resultOf(old, now, mostSevereFirst(collector.changes));
}

/** Returns the comparison of an API that was added or removed. */
export function diffMissing(
  old: RawDocument | undefined,
  now: RawDocument | undefined,
): DiffResult<DetailedChange> {
  const { name, version } = (now ?? old)!;
  const label = `${name}:${version}`;
  const changes = rulesOn("document").flatMap(({ id, kind, verdict, find }) =>
    find({ old, new: now }, undefined as never).map(({ text }) => ({
      rule: id,
      fingerprint: fingerprintOf(label, id, "", ""),
      ...severitiesOf(verdict, {}, 0),
      pointer: "",
      message: `${label}: ${text}`,
      label,
      text,
      kind,
      side: old === undefined ? ("new" as const) : ("old" as const),
    })),
  );
  return resultOf(old, now, changes);
}

function resultOf(
  old: RawDocument | undefined,
  now: RawDocument | undefined,
  changes: readonly DetailedChange[],
): DiffResult<DetailedChange> {
  const { name, version } = (now ?? old)!;
  return {
    api: `${name}:${version}`,
    from: old?.revision ?? old?.version ?? null,
    to: now?.revision ?? now?.version ?? null,
    bump: bumpOf(changes),
    changes,
  };
}

/**
 * Returns a comparison without the members that only human-readable reports
 * contain.
 */
export function plainResult(result: DiffResult<DetailedChange>): DiffResult {
  const { api, from, to, bump, changes } = result;
  return { api, from, to, bump, changes: changes.map(plainChange) };
}

/** Members of changes in JSON reports, in their order. */
const PLAIN = [
  "rule",
  "fingerprint",
  "client",
  "server",
  "types",
  "method",
  "oldMethod",
  "schema",
  "property",
  "pointer",
  "oldPointer",
  "newPointer",
  "users",
  "usedAt",
  "accepted",
  "message",
] as const satisfies readonly (keyof Change)[];

function plainChange(change: DetailedChange): Change {
  const members = PLAIN.filter((name) => change[name] !== undefined);
  return Object.fromEntries(
    members.map((name) => [name, change[name]]),
  ) as unknown as Change;
}
