import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, test } from "vitest";
import { node, type Ran } from "../compile/process.js";
import { ROOT, SHARED, corpusNames } from "../support/paths.js";

/** Folder of the corpus documents. */
export const CORPUS: string = path.join(SHARED, "corpus");

/** The command line of this checkout. */
export const GEN: string = path.join(ROOT, "bin/gen.js");

/** Declares a suite that needs the shared documents; without them, it reports one skipped test. */
export function describeCorpus(name: string, suite: () => void): void {
  if (corpusNames().length > 0) {
    describe(name, suite);
    return;
  }
  describe.skip(name, () => test("needs the shared documents", () => {}));
  console.info(`${name}: skipped, ../shared/corpus is not there`);
}

/** Returns a folder that is removed after the suite; must be called while tests are collected. */
export function suiteFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "gen-corpus-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Generates clients or other targets of documents into a folder. Throws for documents without output. */
export async function generate(
  out: string,
  specs: readonly string[] = [CORPUS],
  target = "client",
  more: readonly string[] = [],
): Promise<Ran> {
  const ran = await node([
    GEN,
    ...specs.flatMap((spec) => ["--spec", spec]),
    "--out",
    out,
    "--target",
    target,
    "--format",
    "json",
    "--verbose",
    ...more,
  ]);
  if (ran.code !== 0) throw new Error(ran.output.slice(0, 4000));
  return ran;
}

/** Returns the paths of the files below a folder, with forward slashes, sorted. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path
        .relative(folder, path.join(entry.parentPath, entry.name))
        .split(path.sep)
        .join("/"),
    )
    .sort();
}

/** Returns the hash of each file below a folder, by path. */
export function treeHashes(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesBelow(folder).map((file) => [
      file,
      createHash("sha256")
        .update(readFileSync(path.join(folder, file)))
        .digest("hex"),
    ]),
  );
}

/** Returns one hash of all files. */
export function treeHash(hashes: Readonly<Record<string, string>>): string {
  return createHash("sha256").update(JSON.stringify(hashes)).digest("hex");
}

/** Returns the text of a corpus document. */
export function readDocument(name: string): unknown {
  return JSON.parse(readFileSync(path.join(CORPUS, `${name}.json`), "utf8"));
}

/** Documents for slower compilers: large, unusual and typical ones. */
export const SAMPLE: readonly string[] = [
  "apigee.v1",
  "bigquery.v2",
  "compute.v1",
  "drive.v2.1beta",
  "drive.v3",
  "oauth2.v2",
  "pubsub.v1",
  "storage.v1",
  "translate.v2",
  "youtube.v3",
];
