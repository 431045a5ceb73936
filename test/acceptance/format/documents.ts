import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { diff, type Change } from "../../../src/index.js";
import { validateSources } from "../../../src/generate/validate-sources.js";
import { listen, type Host } from "../../../src/services/host.js";
import { start } from "../../../src/services/directory/index.js";
import { memoryStore } from "../../../src/services/store/open.js";
import { library } from "./library.js";
import type { Draft } from "./library.js";

/** Returns `code pointer` of each finding of `gen validate` about a document. */
export async function findings(document: object): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "acceptance-"));
  try {
    const file = path.join(folder, "library.json");
    writeFileSync(file, JSON.stringify(document));
    const { diagnostics } = await validateSources([file]);
    return diagnostics.map(({ code, pointer = "" }) => `${code} ${pointer}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the changes from the sample document to another one. */
export function changes(document: object): readonly Change[] {
  const { result } = diff(JSON.stringify(library()), JSON.stringify(document));
  return result?.changes ?? [];
}

/** Returns the value at a path of member names. */
export function at(document: Draft, path: readonly string[]): Draft {
  return path.reduce((value, name) => value[name], document);
}

/** Runs a directory over documents for the tests of a file. */
export async function directoryOf(
  documents: Readonly<Record<string, object>>,
): Promise<{ origin: string; page: (target: string) => Promise<string> }> {
  const folder = mkdtempSync(path.join(tmpdir(), "acceptance-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(path.join(folder, name), JSON.stringify(document));
  }
  const service = await start({
    store: memoryStore(),
    now: Date.now,
    log: () => undefined,
    folder: undefined,
    config: { folder },
  });
  const host: Host = await listen([service]);
  afterAll(() => host.close());
  const { origin } = host;
  return {
    origin,
    page: async (target) => (await fetch(origin + target)).text(),
  };
}
