import type { RawDocument } from "../load/raw.js";
import { fingerprintOf } from "./fingerprint.js";
import type { Finding, Rule } from "./rule.js";
import { rulesOn } from "./rules/index.js";
import { bumpOf, severitiesOf } from "./severity.js";
import type { DetailedChange, DiffResult } from "./types.js";

/** Returns the comparison of an API that was added or removed. */
export function diffMissing(
  old: RawDocument | undefined,
  now: RawDocument | undefined,
): DiffResult<DetailedChange> {
  const document = (now ?? old)!;
  const api = `${document.name}:${document.version}`;
  const changes = rulesOn("document").flatMap((rule) => {
    const found = rule.find({ old, new: now }, undefined as never);
    return found === undefined || found === false
      ? []
      : [changeOf(rule, found as Finding, api, old !== undefined)];
  });
  return {
    api,
    from: revisionOf(old),
    to: revisionOf(now),
    bump: bumpOf(changes),
    changes,
  };
}

function changeOf(
  { id, kind, verdict }: Rule<"document">,
  finding: Finding,
  api: string,
  isRemoved: boolean,
): DetailedChange {
  return {
    rule: id,
    fingerprint: fingerprintOf(api, id, "", ""),
    ...severitiesOf(verdict, finding, 0),
    pointer: "",
    message: `${api}: ${finding.text}`,
    label: api,
    text: finding.text,
    kind,
    side: isRemoved ? "old" : "new",
  };
}

function revisionOf(document: RawDocument | undefined): string | null {
  return document?.revision ?? document?.version ?? null;
}
