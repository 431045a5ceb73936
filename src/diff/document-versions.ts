import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import { loadBytes } from "../load/load.js";
import type { RawDocument } from "../load/raw.js";
import { GitError, readGit } from "../platform/git.js";
import { toPosix } from "../platform/paths.js";
import { MAX_BYTES } from "../platform/read-limited.js";

/** Version of a document in the Git history of its file. */
export interface DocumentVersion {
  /** Id of the commit. */
  readonly commit: string;
  readonly document: RawDocument;
}

/** Maximum number of commits that changed a file and are read. */
const MAX_COMMITS = 100;

/**
 * Returns the versions of a document in the Git history of its file, oldest
 * first; an empty list outside of repositories. Versions that can't be used, or
 * that describe another API, are omitted.
 * @param file path relative to the working directory
 * @param since Git revision; older versions than that of this revision are omitted
 * @throws GitError if the revision does not exist
 */
export function documentVersions(
  file: string,
  cwd: string,
  since?: string,
): readonly DocumentVersion[] {
  const name = toPosix(path.relative(cwd, path.resolve(cwd, file)));
  if (since === undefined && !isRepository(cwd)) return [];
  const commits = commitsOf(name, cwd, since);
  const objects = objectsOf(
    commits.map((commit) => `${commit}:./${name}`),
    cwd,
  );
  const versions: DocumentVersion[] = [];
  let last: string | undefined;
  for (const [index, object] of objects.entries()) {
    if (object === undefined || object === last) continue;
    last = object;
    const bytes = readGit(cwd, "cat-file", ["blob", object], MAX_BYTES);
    const { document } = loadBytes(bytes, name, new Sink());
    if (document !== undefined)
      versions.push({ commit: commits[index]!, document });
  }
  return versions;
}

function isRepository(cwd: string): boolean {
  try {
    readGit(cwd, "rev-parse", ["--verify", "--quiet", "HEAD^{commit}"]);
    return true;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

/** Returns the ids of commits that changed a file, oldest first. */
function commitsOf(name: string, cwd: string, since?: string): string[] {
  const limit = `--max-count=${MAX_COMMITS}`;
  if (since === undefined) {
    const text = readGit(cwd, "rev-list", [limit, "HEAD", "--", name]);
    return linesOf(text).reverse();
  }
  const [start = ""] = linesOf(
    readGit(cwd, "rev-parse", [
      "--verify",
      "--end-of-options",
      `${since}^{commit}`,
    ]),
  );
  const text = readGit(cwd, "rev-list", [
    limit,
    "HEAD",
    `^${start}`,
    "--",
    name,
  ]);
  return [start, ...linesOf(text).reverse()];
}

/** Returns the ids of Git objects; undefined for those that do not exist. */
function objectsOf(
  expressions: readonly string[],
  cwd: string,
): readonly (string | undefined)[] {
  if (expressions.length === 0) return [];
  const input = Buffer.from(`${expressions.join("\n")}\n`);
  const args = ["--batch-check=%(objecttype) %(objectname)"];
  return linesOf(readGit(cwd, "cat-file", args, undefined, input)).map(
    (line) => /^blob ([0-9a-f]+)$/.exec(line)?.[1],
  );
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString().split("\n").filter(Boolean);
}
