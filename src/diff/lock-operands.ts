// This file is longer than 400 lines because the forms of operands (lock files,
// locked names, folders, revisions) share their errors and their reading of documents.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { isObject } from "../diagnostics/json.js";
import { Sink } from "../diagnostics/sink.js";
import { documentDigest } from "../load/canonical.js";
import { parseBytes } from "../load/parse.js";
import { listSources, type Source } from "../load/sources.js";
import { BlobReader, findBlobs } from "../platform/git-blobs.js";
import { GitError, readGit } from "../platform/git.js";
import { toPosix } from "../platform/paths.js";
import { MAX_BYTES, readFileLimited } from "../platform/read-limited.js";
import { DocumentCache } from "../remote/document-client.js";
import {
  revisionText,
  readLock,
  readLockText,
  type LockEntry,
  type Lock,
} from "../remote/lock-file.js";
import {
  listGitSources,
  objectOf,
  type ListedOperand,
  type OperandResolver,
} from "./operands.js";

/**
 * Function that returns the project whose lock file is in the given folder. The
 * folder is relative to the working directory. If the config is invalid, reports
 * an error and returns undefined.
 */
export type FindProject = (
  folder: string,
  sink: Sink,
) => Promise<Project | undefined>;

/** Pattern for API labels, such as `drive:v3`. */
const LABEL = /^(?!git:)[A-Za-z0-9][\w.-]{0,99}:[A-Za-z0-9][\w.-]{0,99}$/;

/** Maximum size of a lock file in bytes. */
const MAX_LOCK = 8 * 1024 * 1024;

/**
 * Returns a resolver for operands that are API labels, such as `drive:v3`. A
 * label refers to the locked document of the API or, if the API is not locked,
 * to the API's document in the project. If a file with the name of the operand
 * exists, the file is used.
 */
export function lockedNames(findProject: FindProject): OperandResolver {
  return async (operand, cwd, sink) => {
    if (!LABEL.test(operand) || existsSync(path.resolve(cwd, operand)))
      return undefined;
    const project = await findProject(".", sink);
    if (project === undefined) return undefined;
    const { lockFile, specs } = project;
    const lock = readLock(path.resolve(cwd, lockFile), lockFile, sink);
    if (lock === undefined) return undefined;
    const entry = lock.get(operand);
    if (entry !== undefined) {
      const documents = new LockedDocuments(project, cwd);
      const source = documents.find(operand, entry, lockFile, sink);
      return source && { sources: [source], isSet: false };
    }
    const file = project.fileOf(operand);
    if (existsSync(path.resolve(cwd, file)))
      return {
        sources: (await listSources([file], cwd)).sources,
        isSet: false,
      };
    sink.report(
      "diff-document",
      `${operand} is neither an entry of ${lockFile} nor a document in ${specs}`,
    );
    return undefined;
  };
}

/**
 * Returns a resolver for operands that are lock files: `gen.lock.json`, or a
 * lock file in `git:REVISION:PATH`. The resolver returns the documents that are
 * pinned by the lock file.
 */
export function lockFiles(findProject: FindProject): OperandResolver {
  return async (operand, cwd, sink) => {
    const [, revision, file = operand] =
      /^git:([^:]+):(.*)$/s.exec(operand) ?? [];
    const bytes = lockBytes(file, revision, cwd);
    if (bytes === undefined) return undefined;
    const lock = readLockText(bytes.toString(), operand, sink);
    const project = await findProject(path.dirname(file), sink);
    if (lock === undefined || project === undefined) return undefined;
    const documents = new LockedDocuments(project, cwd, revision);
    return { sources: documents.list(lock, operand, sink), isSet: true };
  };
}

/**
 * Lists all documents of a project at one point in time: the documents that are
 * pinned by the lock file, and the other documents in the folder of fetched
 * documents.
 * @param revision Git revision; absent for the working tree
 * @param verified documents of another state, which are not verified again
 */
export async function listState(
  project: Project,
  cwd: string,
  revision?: string,
  verified: VerifiedDocuments = new Map(),
): Promise<ListedOperand> {
  const sink = new Sink();
  const { lockFile, specs } = project;
  const prefix = revision === undefined ? "" : `git:${revision}:`;
  const bytes = lockBytes(lockFile, revision, cwd);
  const lock: Lock | undefined =
    bytes === undefined
      ? new Map()
      : readLockText(bytes.toString(), `${prefix}${lockFile}`, sink);
  if (lock === undefined)
    return { sources: [], isSet: true, diagnostics: sink.diagnostics };
  const documents = new LockedDocuments(project, cwd, revision, verified);
  const locked = documents.list(lock, `${prefix}${lockFile}`, sink);
  const folder = await listFolder(`${prefix}${specs}`, cwd, lock.size, sink);
  const known = new Set(
    [...lock.keys()].map((label) => `${prefix}${project.fileOf(label)}`),
  );
  const others = folder.filter(({ name }) => !known.has(name));
  return {
    sources: [...locked, ...others],
    isSet: true,
    diagnostics: sink.diagnostics,
  };
}

/**
 * Lists the documents in a folder. If the lock file pins documents, the folder
 * does not have to exist.
 */
async function listFolder(
  operand: string,
  cwd: string,
  locked: number,
  sink: Sink,
): Promise<readonly Source[]> {
  const found = new Sink();
  if (operand.startsWith("git:")) {
    const listed = listGitSources(operand, cwd, found);
    if (locked === 0) sink.diagnostics.push(...found.diagnostics);
    return listed?.sources ?? [];
  }
  const { sources, diagnostics } = await listSources([operand], cwd);
  if (locked === 0) sink.diagnostics.push(...diagnostics);
  return sources;
}

/**
 * Reads a lock file; returns undefined if the file is missing or is not a lock
 * file.
 */
function lockBytes(
  file: string,
  revision: string | undefined,
  cwd: string,
): Buffer | undefined {
  if (!file.endsWith(".json")) return undefined;
  try {
    const bytes =
      revision === undefined
        ? readSmall(path.resolve(cwd, file))
        : readGit(
            cwd,
            "cat-file",
            ["blob", objectOf(revision, file, cwd)],
            MAX_LOCK,
          );
    return path.posix.basename(file) === "gen.lock.json" || isLock(bytes)
      ? bytes
      : undefined;
  } catch (error) {
    if (error instanceof GitError) return undefined;
    if (typeof (error as NodeJS.ErrnoException).code === "string")
      return undefined;
    throw error;
  }
}

function readSmall(file: string): Buffer | undefined {
  const stats = statSync(file);
  return stats.isFile() && stats.size <= MAX_LOCK
    ? readFileLimited(file)
    : undefined;
}

function isLock(bytes: Buffer | undefined): boolean {
  if (bytes?.includes('"lockVersion"') !== true) return false;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isObject(value) && Object.hasOwn(value, "lockVersion");
  } catch {
    return false;
  }
}

/** Paths of a project that has locked documents. */
interface Project {
  /** Path of the lock file, relative to the working directory. */
  readonly lockFile: string;
  /** Folder of fetched documents, relative to the working directory. */
  readonly specs: string;
  /** Returns the path of an API's document. */
  fileOf(label: string): string;
}

/**
 * Maximum number of commits in a file's Git history that are searched for a
 * locked document.
 */
const MAX_VERSIONS = 100;

/** Bytes of documents, keyed by the digest that they were verified to have. */
export type VerifiedDocuments = Map<string, Buffer>;

/** Document that is compared with a lock entry. */
type Candidate = Pick<Source, "name" | "read">;

/**
 * Finds the documents of lock entries: in the project, in a Git revision, in
 * the Git history of the files, and in the download cache. A document is used
 * only if it has the digest in the lock entry.
 */
class LockedDocuments {
  readonly #cwd: string;
  readonly #project: Project;
  readonly #revision: string | undefined;
  /** Documents of the Git revision, keyed by path. */
  readonly #atRevision = new Map<string, Candidate>();

  readonly #verified: VerifiedDocuments;

  /** @param revision Git revision in which documents are searched for first */
  constructor(
    project: Project,
    cwd: string,
    revision?: string,
    verified: VerifiedDocuments = new Map(),
  ) {
    this.#verified = verified;
    this.#cwd = cwd;
    this.#project = project;
    this.#revision = revision;
  }

  /**
   * Returns the documents of all lock entries. Reports documents that can't be
   * found.
   */
  list(lock: Lock, spec: string, sink: Sink): Source[] {
    this.#readRevision([...lock.keys()]);
    return [...lock].flatMap(
      ([label, entry]) => this.find(label, entry, spec, sink) ?? [],
    );
  }

  /** Finds the documents of APIs in the Git revision, with one process for all. */
  #readRevision(labels: readonly string[]): void {
    if (this.#revision === undefined) return;
    const files = labels.map((label) => this.#project.fileOf(label));
    const names = files.map((file) => {
      const name = path.relative(this.#cwd, path.resolve(this.#cwd, file));
      return `${this.#revision}:./${toPosix(name)}`;
    });
    const blobs = blobsOf(names, this.#cwd);
    const listed = blobs.filter((blob) => blob !== undefined);
    const reader = new BlobReader(listed, this.#cwd);
    for (const [index, blob] of blobs.entries()) {
      const file = files[index]!;
      if (blob !== undefined)
        this.#atRevision.set(file, {
          name: `git:${this.#revision}:${file}`,
          read: () => reader.read(blob.id),
        });
    }
  }

  /**
   * Returns the document of a lock entry. Reports a document that can't be
   * found.
   */
  find(
    label: string,
    entry: LockEntry,
    spec: string,
    sink: Sink,
  ): Source | undefined {
    const file = this.#project.fileOf(label);
    for (const { name, read } of this.#candidates(file, entry)) {
      const bytes = this.#verifiedBytes(bytesOf(read), entry);
      if (bytes === undefined) continue;
      return { name, spec, read: () => bytes };
    }
    sink.report(
      "diff-document",
      `${label}: the document of ${spec}${revisionText(entry)} is neither in ${file}, nor in the Git history of this file, nor in the cache`,
    );
    return undefined;
  }

  /**
   * Returns the bytes of a document that has the digest of a lock entry; undefined
   * for other documents. Equal bytes are verified once.
   */
  #verifiedBytes(
    bytes: Buffer | undefined,
    entry: LockEntry,
  ): Buffer | undefined {
    if (bytes === undefined) return undefined;
    const known = this.#verified.get(entry.digest);
    if (known?.equals(bytes) === true) return known;
    if (!hasDigest(bytes, entry)) return undefined;
    this.#verified.set(entry.digest, bytes);
    return bytes;
  }

  *#candidates(file: string, entry: LockEntry): Generator<Candidate> {
    const at = path.resolve(this.#cwd, file);
    const stored = { name: file, read: () => readFileLimited(at) };
    if (this.#revision === undefined && existsSync(at)) yield stored;
    const committed = this.#atRevision.get(file);
    if (committed !== undefined) yield committed;
    yield* this.#history(file, entry);
    if (this.#revision !== undefined && existsSync(at)) yield stored;
    const project = path.dirname(
      path.resolve(this.#cwd, this.#project.lockFile),
    );
    const cached = new DocumentCache(project).read(entry.url);
    if (cached !== undefined)
      yield { name: entry.url, read: () => cached.bytes };
  }

  /** Lists the versions of a file in the Git history, latest first. */
  *#history(file: string, entry: LockEntry): Generator<Candidate> {
    const seen = new Set<string>();
    for (const commit of this.#commits(file)) {
      const object = this.#objectOf(commit, file);
      if (object === undefined || seen.has(object)) continue;
      seen.add(object);
      const name = `git:${commit.slice(0, 12)}:${file}`;
      const read = (): Buffer =>
        readGit(this.#cwd, "cat-file", ["blob", object], MAX_BYTES);
      // Skips versions whose text does not contain the expected revision,
      // because parsing all versions of a large document would take seconds.
      const { revision } = entry;
      const bytes = bytesOf(read);
      if (revision === undefined || bytes?.includes(revision) === true)
        yield { name, read };
    }
  }

  /**
   * Returns the commits in which a file is searched for: the commit of the Git
   * revision, then the commits that changed the file.
   */
  #commits(file: string): readonly string[] {
    const name = path.relative(this.#cwd, path.resolve(this.#cwd, file));
    const revision = this.#revision ?? "HEAD";
    try {
      const start = ["--verify", "--quiet", "--end-of-options"];
      const id = readGit(this.#cwd, "rev-parse", [
        ...start,
        `${revision}^{commit}`,
      ])
        .toString()
        .trim();
      const log = readGit(this.#cwd, "rev-list", [
        `--max-count=${MAX_VERSIONS}`,
        id,
        "--",
        name,
      ]);
      return [id, ...log.toString().split("\n").filter(Boolean)];
    } catch (error) {
      if (error instanceof GitError) return [];
      throw error;
    }
  }

  #objectOf(commit: string, file: string): string | undefined {
    try {
      return objectOf(commit, file, this.#cwd);
    } catch (error) {
      if (error instanceof GitError) return undefined;
      throw error;
    }
  }
}

/** Returns the files with the given names; none if Git can't read them. */
function blobsOf(
  names: readonly string[],
  cwd: string,
): ReturnType<typeof findBlobs> {
  try {
    return findBlobs(names, cwd);
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
}

function bytesOf(read: () => Buffer): Buffer | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function hasDigest(bytes: Buffer, { digest }: LockEntry): boolean {
  const parsed = parseBytes(bytes, "document", new Sink());
  return isObject(parsed?.value) && documentDigest(parsed.value) === digest;
}
