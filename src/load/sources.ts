import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";

/** Largest input that is read, in bytes: sixteen times the largest real one. */
export const MAX_BYTES: number = 64 * 1024 * 1024;

/** One document to be read. */
export interface Source {
  /** The name for diagnostics: the path as the user would type it. */
  readonly name: string;
  /** The --spec argument that led to it. */
  readonly spec: string;
  /** Reads the bytes. Throws what the file system throws. */
  read(): Buffer;
}

/** Sources and what went wrong when looking for them. */
export interface Listing {
  readonly sources: readonly Source[];
  /** The arguments that led to at least one source. */
  readonly listed: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Thrown by Source.read for an input over MAX_BYTES. */
export class TooLargeError extends Error {}

/**
 * Turns --spec arguments into sources: a file, a folder (all .json files below
 * it), a glob, or `-` for standard input. Order is that of the arguments, then
 * of the names; a file reached twice is read once.
 */
export async function listSources(
  specs: readonly string[],
  cwd: string = process.cwd(),
): Promise<Listing> {
  const sources = new Map<string, Source>();
  const diagnostics: Diagnostic[] = [];
  const listed = new Set<string>();
  for (const spec of specs) {
    const sink = new Sink(spec);
    for (const source of await listOne(spec, cwd, sink)) {
      listed.add(spec);
      const key = source.name === "-" ? "-" : path.resolve(cwd, source.name);
      if (!sources.has(key)) sources.set(key, source);
    }
    diagnostics.push(...sink.diagnostics);
  }
  return { sources: [...sources.values()], listed, diagnostics };
}

async function listOne(
  spec: string,
  cwd: string,
  sink: Sink,
): Promise<Source[]> {
  if (spec === "-") return [{ name: "-", spec, read: () => readLimited(0) }];
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(spec)) {
    sink.report("source-unsupported", `${spec}: URLs are not read yet`);
    return [];
  }
  const stats = statSync(path.resolve(cwd, spec), { throwIfNoEntry: false });
  if (stats?.isDirectory()) return listFolder(spec, cwd, sink);
  if (stats !== undefined) return [fileSource(spec, spec, cwd)];
  if (/[*?[\]{}!]/.test(spec)) return listGlob(spec, cwd, sink);
  sink.report("source-missing", `${spec} does not exist`);
  return [];
}

function listFolder(spec: string, cwd: string, sink: Sink): Source[] {
  try {
    const files = jsonFiles(path.resolve(cwd, spec), "");
    if (files.length === 0)
      sink.report("source-empty", `${spec} holds no .json file`);
    return files.map((file) =>
      fileSource(toPosix(path.join(spec, file)), spec, cwd),
    );
  } catch (error) {
    sink.report("source-unreadable", `${spec}: ${(error as Error).message}`);
    return [];
  }
}

/** Paths of the .json files below a folder, sorted; dot files are left out. */
function jsonFiles(root: string, folder: string): string[] {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  return entries
    .filter(
      (entry) => !entry.name.startsWith(".") && entry.name !== "node_modules",
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return jsonFiles(root, name);
      return entry.name.endsWith(".json") ? [name] : [];
    });
}

async function listGlob(
  spec: string,
  cwd: string,
  sink: Sink,
): Promise<Source[]> {
  const { globSync } = await import("tinyglobby");
  const files = globSync(toPosix(spec), {
    cwd,
    expandDirectories: false,
  }).sort();
  if (files.length === 0)
    sink.report("source-missing", `${spec} matches no file`);
  return files.map((file) => fileSource(file, spec, cwd));
}

function fileSource(name: string, spec: string, cwd: string): Source {
  return { name, spec, read: () => readFileLimited(path.resolve(cwd, name)) };
}

function readFileLimited(file: string): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw new Error("is a folder");
    if (stats.size > MAX_BYTES) throw new TooLargeError(String(stats.size));
    return stats.isFile() ? readFileSync(descriptor) : readLimited(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a stream to its end, or to the limit. */
function readLimited(descriptor: number): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(1 << 16);
    const size = readSome(descriptor, chunk);
    if (size === 0) return Buffer.concat(chunks, total);
    chunks.push(chunk.subarray(0, size));
    total += size;
    if (total > MAX_BYTES) throw new TooLargeError(String(total));
  }
}

/** One blocking read; a terminal or pipe set to non-blocking is asked again. */
function readSome(descriptor: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, chunk, 0, chunk.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function toPosix(name: string): string {
  return path.sep === "/" ? name : name.split(path.sep).join("/");
}
