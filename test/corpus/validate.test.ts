import path from "node:path";
import { expect, test } from "vitest";
import { catalogue } from "../../src/diagnostics/catalogue.js";
import {
  DEFAULT_LIMIT,
  validateSources,
} from "../../src/generate/validate-sources.js";
import { rules } from "../../src/validate/rules/index.js";
import { corpusNames, SHARED } from "../support/paths.js";

const names = corpusNames();

test.runIf(names.length > 0)(
  "real documents have no errors, and a bounded number of located findings",
  async () => {
    const folder = path.join(SHARED, "corpus");
    const { documents, diagnostics } = await validateSources([folder]);
    expect(documents).toBe(names.length);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual(
      [],
    );
    const counts = new Map<string, number>();
    for (const { file, code } of diagnostics) {
      const key = `${file} ${code}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(DEFAULT_LIMIT + 1);
    const isLocated = ({ line, message }: (typeof diagnostics)[number]) =>
      line !== undefined || message.endsWith(" not shown");
    expect(diagnostics.filter((found) => !isLocated(found))).toEqual([]);
    const known = new Set([
      ...rules.map(({ id }) => id),
      ...Object.keys(catalogue),
    ]);
    expect(diagnostics.filter(({ code }) => !known.has(code))).toEqual([]);
  },
);
