import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { isObject } from "../diagnostics/json.js";
import { readPlainFile } from "../platform/plain-file.js";
import { userFolder } from "../platform/user-folder.js";
import { hash } from "../platform/hash.js";
import { isFiles, isGroupFolder } from "./manifest.js";

/** Output folders that are remembered; the oldest are forgotten. */
const MAX_FOLDERS = 200;

/** Inputs that are remembered for one folder, beside those of the last run. */
const MAX_INPUTS = 8;

/** What this user's generator made of certain inputs. */
export interface KnownOutput {
  readonly folder: string;
  /** Names of the targets that were printed. */
  readonly targets: readonly string[];
  /** Hash of the formatter's settings for the files; absent without a formatter. */
  readonly style?: string;
  /** Content hashes by path below the folder. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Hashes of what was generated earlier into one output folder, by hash of the
 * inputs. They are in the user's own folder: hashes beside the output would
 * vouch for whatever a repository brings along. Without them everything is
 * rendered again, so that failures to read or write them are no errors.
 */
export class KnownOutputs {
  readonly #out: string;
  readonly #before: ReadonlyMap<string, KnownOutput>;
  readonly #now = new Map<string, KnownOutput>();

  constructor(out: string) {
    this.#out = out;
    this.#before = read(out);
  }

  get(inputs: string): KnownOutput | undefined {
    return this.#before.get(inputs);
  }

  /** All that is known, by hash of the inputs. */
  entries(): IterableIterator<[string, KnownOutput]> {
    return this.#before.entries();
  }

  put(inputs: string, output: KnownOutput): void {
    this.#now.set(inputs, output);
  }

  /**
   * Writes what is known now, and what was known before and still holds.
   * @param groups all that the output has
   */
  save(groups: ReadonlyMap<string, Pick<KnownOutput, "files">>): void {
    const merged = new Map(this.#now);
    const counts = new Map<string, number>();
    for (const [inputs, known] of this.#before) {
      const { folder } = known;
      const count = counts.get(folder) ?? 0;
      const group = groups.get(folder);
      if (merged.has(inputs) || group === undefined || count >= MAX_INPUTS)
        continue;
      if (!hasFiles(group, known)) continue;
      merged.set(inputs, known);
      counts.set(folder, count + 1);
    }
    if (!isEqual(merged, this.#before)) writeKnown(this.#out, merged);
  }
}

/** Whether two outputs consist of the same files. */
export function hasFiles(
  { files: a }: Pick<KnownOutput, "files">,
  { files: b }: Pick<KnownOutput, "files">,
): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => a[name] === b[name])
  );
}

function isEqual(
  a: ReadonlyMap<string, KnownOutput>,
  b: ReadonlyMap<string, KnownOutput>,
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

function read(out: string): ReadonlyMap<string, KnownOutput> {
  try {
    const file = fileOf(out, false);
    const text = file === undefined ? undefined : readPlainFile(file);
    const value = JSON.parse(text?.toString() ?? "") as unknown;
    if (!isObject(value) || value["format"] !== 1) return new Map();
    const { outputs } = value;
    return isObject(outputs) && Object.values(outputs).every(isKnown)
      ? new Map(Object.entries(outputs) as [string, KnownOutput][])
      : new Map();
  } catch {
    return new Map();
  }
}

function isKnown(value: unknown): value is KnownOutput {
  return (
    isObject(value) &&
    typeof value["folder"] === "string" &&
    isGroupFolder(value["folder"]) &&
    Array.isArray(value["targets"]) &&
    (value["style"] === undefined || typeof value["style"] === "string") &&
    isFiles(value["files"])
  );
}

function writeKnown(
  out: string,
  outputs: ReadonlyMap<string, KnownOutput>,
): void {
  try {
    const file = fileOf(out, true);
    if (file === undefined) return;
    const folder = path.dirname(file);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const prepared = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
    const text = JSON.stringify({
      format: 1,
      outputs: Object.fromEntries(outputs),
    });
    try {
      writeFileSync(prepared, text, { flag: "wx", mode: 0o600 });
      renameSync(prepared, file);
    } finally {
      rmSync(prepared, { force: true });
    }
    forgetOldest(folder);
  } catch {
    // The next check renders everything.
  }
}

function forgetOldest(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MAX_FOLDERS) return;
  const byAge = names
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, time: timeOf(file) }))
    .sort((a, b) => b.time - a.time);
  for (const { file } of byAge.slice(MAX_FOLDERS / 2))
    rmSync(file, { force: true });
}

/** Another run may have removed it meanwhile. */
function timeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
