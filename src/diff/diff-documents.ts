import type { RawDocument } from "../load/raw.js";
import { Collector } from "./collector.js";
import { bumpOf, worstOf } from "./severity.js";
import { sideOf, type Side } from "./side.js";
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
 * Compares two documents of an API. The order of keys, `etag` and `revision` are
 * ignored. Both documents must have passed `checkShape`. The most severe changes
 * come first.
 */
export function diffDocuments(
  old: RawDocument,
  now: RawDocument,
  options: DiffOptions = {},
): DiffResult<DetailedChange> {
  const { trustProse = false } = options;
  const documents = {
    old: sideOf(old, trustProse),
    new: sideOf(now, trustProse),
  };
  const collector = new Collector(documents, options);
  const methods = matchMethods(documents.old, documents.new);
  visitMethods(methods, collector);
  visitSchemas(new DefinitionPairs(documents, methods), collector);
  // Last, because `other-changed` applies only to documents without changes.
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
    (a, b) => SEVERITIES.indexOf(worstOf(a)) - SEVERITIES.indexOf(worstOf(b)),
  );
  return {
    api: documents.new.api.id,
    from: revisionOf(documents.old),
    to: revisionOf(documents.new),
    bump: bumpOf(changes),
    changes,
  };
}

/** Returns the revision of a document; its version if it has no revision. */
function revisionOf({ api }: Side): string {
  return api.revision ?? api.version;
}
