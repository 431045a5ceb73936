// Files with something for each schema are printed in parts, so that neither the
// views nor the text of a large file are in memory at once.
import { describe, expect, test } from "vitest";
import { Sink } from "../../../src/diagnostics/sink.js";
import type { RawDocument } from "../../../src/load/raw.js";
import { buildApi } from "../../../src/model/build/api.js";
import {
  memoryStore,
  type PartedFile,
  type TextPart,
  type TextStore,
} from "../../../src/platform/text-store.js";
import { Engine } from "../../../src/render/engine.js";
import { targetsOf } from "../../../src/targets/index.js";
import { printTargets } from "../../../src/targets/print-targets.js";
import { loadTargets } from "../../../src/targets/target.js";
import { syntheticDocument } from "../../../bench/synthetic.mjs";

const SCHEMAS = 300;
const TARGETS = ["client", "server", "validator", "openapi", "json-schema"];

/** Parts of a file that are stored, and the text that is not. */
interface Counts {
  stored: number;
  longest: number;
  unstored: number;
}

/** Store that counts the parts of each file. Stored parts are numbers. */
class CountingStore implements TextStore {
  readonly counts = new Map<string, Counts>();
  #parts: string[] = [];

  keep(text: string): TextPart {
    return this.#parts.push(text) - 1;
  }

  files(files: readonly PartedFile[]): ReturnType<TextStore["files"]> {
    const texts = files.map(({ path, parts }) => {
      const list = [...parts];
      const stored = list.filter((part) => typeof part === "number");
      const lengths = stored.map((part) => this.#parts[part]!.length);
      this.counts.set(path.slice(path.lastIndexOf("/") + 1), {
        stored: stored.length,
        longest: Math.max(0, ...lengths),
        unstored: list
          .filter((part) => typeof part === "string")
          .reduce((sum, { length }) => sum + length, 0),
      });
      const restored = list.map((part) =>
        typeof part === "number" ? this.#parts[part]! : part,
      );
      return { path, parts: restored };
    });
    this.#parts = [];
    return memoryStore.files(texts);
  }

  close(): void {}
}

async function print(emit: "ts" | "js", texts?: TextStore) {
  const sink = new Sink("synthetic.json");
  const document = syntheticDocument(SCHEMAS) as RawDocument;
  const api = buildApi(document, sink, { trustProse: false });
  const targets = targetsOf(TARGETS);
  await loadTargets(targets);
  const options = {
    importSuffix: ".js" as const,
    trustProse: false,
    targets: TARGETS,
    emit,
  };
  const files = printTargets(api, targets, options, new Engine(), sink, texts);
  return new Map(files.map(({ path, text }) => [path, text]));
}

const PARTED = {
  ts: ["schemas.ts", "validators.ts", "json-schemas.ts"],
  js: ["schemas.d.ts", "validators.js", "validators.d.ts", "json-schemas.js"],
};

describe.each(["ts", "js"] as const)("output in %s", (emit) => {
  test("consists of stored parts, of which none grows with the document", async () => {
    const store = new CountingStore();
    await print(emit, store);
    const files = [...PARTED[emit], "openapi.json", "schemas.json"];
    for (const name of files) {
      const { stored, longest, unstored } = store.counts.get(name)!;
      expect({ name, hasPart: stored >= SCHEMAS }).toEqual({
        name,
        hasPart: true,
      });
      expect(longest).toBeLessThan(2000);
      // Imports, blank lines, and the methods of the OpenAPI document, of which
      // there is one for ten schemas.
      const limit = name === "openapi.json" ? 250 : 20;
      expect(unstored / SCHEMAS).toBeLessThan(limit);
    }
  });

  test("is the same with a store as in memory", async () => {
    expect(await print(emit, new CountingStore())).toEqual(await print(emit));
  });
});
