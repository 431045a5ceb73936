import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The project's folder. */
export const ROOT: string = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  "../..",
);

/** The shared documents beside the checkout: in CI, and on the developers' machines. */
export const SHARED: string = path.resolve(ROOT, "../shared");

/** Names of the corpus documents without suffix; empty where there are none. */
export function corpusNames(): string[] {
  const folder = path.join(SHARED, "corpus");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -5))
    .sort();
}

/** A folder that goes when the test ends. */
export function temporaryFolder(parent: string = tmpdir()): string {
  const folder = mkdtempSync(path.join(parent, "gen-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
