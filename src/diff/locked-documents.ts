import { existsSync } from "node:fs";
import path from "node:path";
import { isObject } from "../diagnostics/json.js";
import { Sink } from "../diagnostics/sink.js";
import { documentDigest } from "../load/canonical.js";
import { parseBytes } from "../load/parse.js";
import type { Source } from "../load/sources.js";
import { GitError, readGit } from "../platform/git.js";
import { MAX_BYTES, readFileLimited } from "../platform/read-limited.js";
import { DocumentCache } from "../remote/document-client.js";
import {
  revisionText,
  type LockEntry,
  type Lock,
} from "../remote/lock-file.js";
import { objectOf } from "./git-sources.js";

/** Paths of a project that has locked documents. */
export interface Project {
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

/** Document that is compared with a lock entry. */
type Candidate = Pick<Source, "name" | "read">;

/**
 * Finds the documents of lock entries: in the project, in a Git revision, in
 * the Git history of the files, and in the download cache. A document is used
 * only if it has the digest in the lock entry.
 */
export class LockedDocuments {
  readonly #cwd: string;
  readonly #project: Project;
  readonly #revision: string | undefined;

  /** @param revision Git revision in which documents are searched for first */
  constructor(project: Project, cwd: string, revision?: string) {
    this.#cwd = cwd;
    this.#project = project;
    this.#revision = revision;
  }

  /**
   * Returns the documents of all lock entries. Reports documents that can't be
   * found.
   */
  list(lock: Lock, spec: string, sink: Sink): Source[] {
    return [...lock].flatMap(
      ([label, entry]) => this.find(label, entry, spec, sink) ?? [],
    );
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
      const bytes = bytesOf(read);
      if (bytes === undefined || !hasDigest(bytes, entry)) continue;
      return { name, spec, read: () => bytes };
    }
    sink.report(
      "diff-document",
      `${label}: the document of ${spec}${revisionText(entry)} is neither in ${file}, nor in the Git history of this file, nor in the cache`,
    );
    return undefined;
  }

  *#candidates(file: string, entry: LockEntry): Generator<Candidate> {
    const at = path.resolve(this.#cwd, file);
    const stored = { name: file, read: () => readFileLimited(at) };
    if (this.#revision === undefined && existsSync(at)) yield stored;
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
