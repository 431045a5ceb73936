import { describe, expect, test } from "vitest";

import {
  diffDocuments,
  diffMissing,
} from "../../../src/diff/diff-documents.js";
import { rules } from "../../../src/diff/rules/index.js";
import type { DetailedChange } from "../../../src/diff/severity.js";
import type { RawDocument } from "../../../src/load/raw.js";
import { resolvePointer } from "../../../src/diagnostics/types.js";
import { shelfDocument, type Json } from "./document.js";
import { rows } from "./verdicts.js";

const ORDER = "BWI";

function letters({ client, server, types }: DetailedChange): string {
  return [client, server, types]
    .map((severity) => severity.slice(0, 1).toUpperCase())
    .join("");
}

/** Returns the most severe verdict of each rule. */
function verdicts(changes: readonly DetailedChange[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const change of changes) {
    const known = found[change.rule] ?? "III";
    found[change.rule] = [...letters(change)]
      .map((letter, at) =>
        ORDER.indexOf(letter) < ORDER.indexOf(known[at]!) ? letter : known[at],
      )
      .join("");
  }
  return found;
}

describe("changes and verdicts", () => {
  for (const [name, edit, expected, before] of rows)
    test(name, () => {
      const [old, now] = [shelfDocument(), shelfDocument()];
      before?.(old);
      before?.(now);
      edit(now);
      const { changes } = diffDocuments(old as RawDocument, now as RawDocument);
      expect(verdicts(changes)).toEqual(expected);
      for (const { side, pointer, message } of changes) {
        const document: Json = side === "old" ? old : now;
        expect(resolvePointer(document, pointer), message).toBeDefined();
      }
    });

  test("each rule has a row", () => {
    const covered = new Set(
      rows.flatMap(([, , expected]) => Object.keys(expected)),
    );
    const missing = rules
      .filter(({ on }) => on !== "document")
      .map(({ id }) => id)
      .filter((id) => !covered.has(id));
    expect(missing).toEqual([]);
  });

  test("an API that was added or removed", () => {
    const document = shelfDocument() as RawDocument;
    const added = diffMissing(undefined, document);
    const removed = diffMissing(document, undefined);
    expect(verdicts(added.changes)).toEqual({ "api-added": "III" });
    expect(added).toMatchObject({ from: null, to: "20260101", bump: "minor" });
    expect(verdicts(removed.changes)).toEqual({ "api-removed": "BBB" });
    expect(removed).toMatchObject({ from: "20260101", to: null });
  });
});
