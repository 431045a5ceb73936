import { canonicalDocument } from "../load/canonical.js";
import type { RawDocument } from "../load/raw.js";
import { Collector } from "./collector.js";
import { bumpOf, mostSevere } from "./severity.js";
import { sideOf } from "./side.js";
import {
  SEVERITIES,
  type DetailedChange,
  type DiffOptions,
  type DiffResult,
} from "./types.js";
import { DefinitionPairs } from "./walk/definition-pairs.js";
import { matchMethods } from "./walk/match-methods.js";
import { visitMethods } from "./walk/visit-methods.js";
import { visitSchemas } from "./walk/visit-schemas.js";

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
  if (canonicalDocument(old) === canonicalDocument(now))
    return resultOf(old, now, []);
  const { trustProse = false } = options;
  const documents = {
    old: sideOf(old, trustProse),
    new: sideOf(now, trustProse),
  };
  const collector = new Collector(documents, options);
  const methods = matchMethods(documents.old, documents.new);
  visitMethods(methods, collector);
  visitSchemas(new DefinitionPairs(documents, methods), collector);
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
  const changes = [...collector.changes].sort(
    (a, b) =>
      SEVERITIES.indexOf(mostSevere(a)) - SEVERITIES.indexOf(mostSevere(b)),
  );
  return resultOf(old, now, changes);
}

function resultOf(
  old: RawDocument,
  now: RawDocument,
  changes: readonly DetailedChange[],
): DiffResult<DetailedChange> {
  return {
    api: `${now.name}:${now.version}`,
    from: revisionOf(old),
    to: revisionOf(now),
    bump: bumpOf(changes),
    changes,
  };
}

/**
 * Returns the revision of a document, or its version if no revision is
 * declared.
 */
function revisionOf({ revision, version }: RawDocument): string {
  return revision ?? version!;
}
