import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { modifiedTime } from "../platform/modified-time.js";
import { isObject } from "../diagnostics/json.js";
import {
  areStoredFindings,
  type StoredFinding,
} from "../diagnostics/stored-finding.js";
import { readPlainFile } from "../platform/plain-file.js";
import { userFolder } from "../platform/user-folder.js";
import { hash } from "../platform/hash.js";
import type { KnownStates } from "./intact.js";
import { isFiles, isGroupFolder } from "./manifest.js";

/**
 * Maximum number of output folders in the cache. The folders whose entries were
 * written least recently are removed.
 */
const MAX_FOLDERS = 200;

/**
 * Maximum number of cached outputs of each folder, in addition to those of the
 * last run.
 */
const MAX_INPUTS_PER_FOLDER = 8;

/** Output that an earlier run by this user generated from one set of inputs. */
export interface CachedOutput {
  readonly folder: string;
  /** Names of the generated targets. */
  readonly targets: readonly string[];
  /**
   * Hash of the formatter settings that apply to the files; absent if no
   * formatter was used.
   */
  readonly style?: string;
  /** Hashes of file contents, keyed by path relative to the folder. */
  readonly files: Readonly<Record<string, string>>;
  /**
   * Warnings and info findings about the document, which are reported again in
   * each run.
   */
  readonly findings: readonly StoredFinding[];
  /**
   * States of the files (sizes, times and inode numbers) at the time when a run
   * compared their content with the hashes.
   */
  readonly states?: KnownStates;
}

/** Version of the cache file's format. Caches in other formats are ignored. */
const FORMAT = 2;

/**
 * Cache of one output folder: a map from the hash of a document's inputs to the
 * hashes of the files generated from these inputs. The cache is stored in the
 * user's cache folder, because a repository could contain a forged cache next
 * to the output. Errors while reading or writing the cache are ignored, because
 * a run without a cache produces the same output.
 */
export class OutputCache {
  readonly #out: string;
  readonly #previous: ReadonlyMap<string, CachedOutput>;
  readonly #current = new Map<string, CachedOutput>();

  constructor(out: string) {
    this.#out = out;
    this.#previous = readCache(out);
  }

  get(inputs: string): CachedOutput | undefined {
    return this.#previous.get(inputs);
  }

  /** Number of cached outputs. */
  get size(): number {
    return this.#previous.size;
  }

  put(inputs: string, output: CachedOutput): void {
    this.#current.set(inputs, output);
  }

  /**
   * Writes the outputs of this run, and earlier outputs that are still valid,
   * to the cache.
   * @param groups manifest entries after the run, keyed by folder
   */
  save(groups: ReadonlyMap<string, Pick<CachedOutput, "files">>): void {
    const merged = new Map(this.#current);
    const counts = new Map<string, number>();
    for (const [inputs, known] of this.#previous) {
      const { folder } = known;
      const count = counts.get(folder) ?? 0;
      const group = groups.get(folder);
      if (
        merged.has(inputs) ||
        group === undefined ||
        count >= MAX_INPUTS_PER_FOLDER
      )
        continue;
      if (!hasSameFiles(group, known)) continue;
      merged.set(inputs, known);
      counts.set(folder, count + 1);
    }
    if (!isEqual(merged, this.#previous)) writeCache(this.#out, merged);
  }
}

/** Tests whether two outputs contain the same files. */
export function hasSameFiles(
  { files: a }: Pick<CachedOutput, "files">,
  { files: b }: Pick<CachedOutput, "files">,
): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => a[name] === b[name])
  );
}

function isEqual(
  a: ReadonlyMap<string, CachedOutput>,
  b: ReadonlyMap<string, CachedOutput>,
): boolean {
  return (
    a.size === b.size &&
    [...a].every(([inputs, known]) => {
      const other = b.get(inputs);
      return (
        other !== undefined &&
        (other === known || JSON.stringify(other) === JSON.stringify(known))
      );
    })
  );
}

function fileOf(out: string, create: boolean): string | undefined {
  const folder = userFolder(out, create);
  return folder === undefined
    ? undefined
    : path.join(folder, "outputs", `${hash(realpathSync(out))}.json`);
}

function readCache(out: string): ReadonlyMap<string, CachedOutput> {
  try {
    const file = fileOf(out, false);
    const text = file === undefined ? undefined : readPlainFile(file);
    const value = JSON.parse(text?.toString() ?? "") as unknown;
    if (!isObject(value) || value["format"] !== FORMAT) return new Map();
    const { outputs } = value;
    return isObject(outputs) && Object.values(outputs).every(isCachedOutput)
      ? new Map(Object.entries(outputs) as [string, CachedOutput][])
      : new Map();
  } catch {
    return new Map();
  }
}

function isCachedOutput(value: unknown): value is CachedOutput {
  return (
    isObject(value) &&
    typeof value["folder"] === "string" &&
    isGroupFolder(value["folder"]) &&
    Array.isArray(value["targets"]) &&
    (value["style"] === undefined || typeof value["style"] === "string") &&
    isFiles(value["files"]) &&
    areStoredFindings(value["findings"]) &&
    (value["states"] === undefined || isFiles(value["states"]))
  );
}

function writeCache(
  out: string,
  outputs: ReadonlyMap<string, CachedOutput>,
): void {
  try {
    const file = fileOf(out, true);
    if (file === undefined) return;
    const folder = path.dirname(file);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const temporary = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
    const text = JSON.stringify({
      format: FORMAT,
      outputs: Object.fromEntries(outputs),
    });
    try {
      writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
      renameSync(temporary, file);
    } finally {
      rmSync(temporary, { force: true });
    }
    removeOldest(folder);
  } catch {
    // If the cache can't be written, the next run generates everything again.
  }
}

function removeOldest(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MAX_FOLDERS) return;
  const byAge = names
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, time: modifiedTime(file) }))
    .sort((a, b) => b.time - a.time);
  for (const { file } of byAge.slice(MAX_FOLDERS / 2))
    rmSync(file, { force: true });
}
