import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { isObject } from "../diagnostics/json.js";
import { Sink } from "../diagnostics/sink.js";
import { listSources, type Source } from "../load/sources.js";
import { GitError, readGit } from "../platform/git.js";
import { readFileLimited } from "../platform/read-limited.js";
import { readLock, readLockText, type Lock } from "../remote/lock-file.js";
import { listGitSources, objectOf } from "./git-sources.js";
import { LockedDocuments, type Project } from "./locked-documents.js";
import type { ListedOperand, OperandResolver } from "./operands.js";

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
 */
export async function listState(
  project: Project,
  cwd: string,
  revision?: string,
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
  const documents = new LockedDocuments(project, cwd, revision);
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
