import { statSync } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { listSources, type Source } from "../load/sources.js";
import { BlobReader, type GitBlob } from "../platform/git-blobs.js";
import { GitError, readGit } from "../platform/git.js";
import { toPosix } from "../platform/paths.js";
import { MAX_BYTES } from "../platform/read-limited.js";

/**
 * Function that finds the documents of an operand. Returns undefined if it does
 * not support this kind of operand, or if it has reported an error.
 */
export type OperandResolver = (
  operand: string,
  cwd: string,
  sink: Sink,
) => Promise<OperandSources | undefined>;

/** Documents of an operand, and findings about the operand. */
export interface ListedOperand extends OperandSources {
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Lists the documents of an operand: a file, a folder, a glob, `-` for standard
 * input, `git:REVISION:PATH`, or an operand that one of the resolvers supports.
 */
export async function listOperand(
  operand: string,
  cwd: string,
  resolvers: readonly OperandResolver[] = [],
): Promise<ListedOperand> {
  const sink = new Sink();
  for (const resolve of resolvers) {
    const listed = await resolve(operand, cwd, sink);
    if (listed !== undefined || sink.hasErrors)
      return {
        sources: [],
        isSet: false,
        ...listed,
        diagnostics: sink.diagnostics,
      };
  }
  if (operand.startsWith("git:")) {
    const listed = listGitSources(operand, cwd, sink);
    return {
      sources: [],
      isSet: false,
      ...listed,
      diagnostics: sink.diagnostics,
    };
  }
  const { sources, diagnostics } = await listSources([operand], cwd);
  return { sources, isSet: isSet(operand, cwd), diagnostics };
}

function isSet(operand: string, cwd: string): boolean {
  try {
    return statSync(path.resolve(cwd, operand)).isDirectory();
  } catch {
    return operand !== "-";
  }
}

/** Documents of an operand, before they are read. */
export interface OperandSources {
  readonly sources: readonly Source[];
  /** True for folders and globs. Their documents are matched by API id. */
  readonly isSet: boolean;
}

/** Pattern for Git object ids: SHA-1 or SHA-256. */
const OBJECT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Maximum number of documents in a folder of a Git revision. */
const MAX_DOCUMENTS = 10_000;

/**
 * Lists the documents of an operand of the form `git:REVISION:PATH`. The path
 * is relative to the working directory. Reports failures.
 */
export function listGitSources(
  operand: string,
  cwd: string,
  sink: Sink,
): OperandSources | undefined {
  const [, revision = "", file = ""] =
    /^git:([^:]+):(.*)$/s.exec(operand) ?? [];
  if (revision === "") {
    sink.report(
      "diff-git",
      `${operand} must have the form git:REVISION:PATH, such as git:main:specs`,
    );
    return undefined;
  }
  try {
    return sourcesOf(operand, objectOf(revision, file, cwd), cwd);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    sink.report("diff-git", `${operand}: ${error.message}`);
    return undefined;
  }
}

/** Returns the Git object id of a file or folder in a revision. */
export function objectOf(revision: string, file: string, cwd: string): string {
  const commit = resolve(`${revision}^{commit}`, cwd);
  const isAbsolute = path.isAbsolute(file);
  const name = isAbsolute ? path.relative(cwd, file) : file;
  const relative = withoutSlash(toPosix(name));
  return resolve(`${commit}:./${relative}`, cwd);
}

function resolve(expression: string, cwd: string): string {
  const args = ["--verify", "--quiet", "--end-of-options", expression];
  let id = "";
  try {
    id = readGit(cwd, "rev-parse", args).toString().trim();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    // Without `--quiet`, the message of Git would only be "Needed a single
    // revision".
    if (!error.message.endsWith("failed")) throw error;
  }
  if (OBJECT.test(id)) return id;
  const [name, file] = expression.split(/:\.\/|\^\{commit\}/);
  throw new GitError(
    file === undefined || file === ""
      ? `revision ${name} does not exist`
      : `${file} does not exist in the revision`,
  );
}

function sourcesOf(
  operand: string,
  object: string,
  cwd: string,
): OperandSources {
  const type = readGit(cwd, "cat-file", ["-t", object]).toString().trim();
  if (type === "blob")
    return {
      sources: [blobSource(operand, operand, object, cwd)],
      isSet: false,
    };
  const entries = entriesOf(object, cwd);
  if (entries.length === 0) throw new GitError("contains no .json files");
  if (entries.length > MAX_DOCUMENTS)
    throw new GitError(`contains more than ${MAX_DOCUMENTS} .json files`);
  const folder = withoutSlash(operand);
  const separator = folder.endsWith(":") ? "" : "/";
  const reader = new BlobReader(entries, cwd);
  return {
    sources: entries.map(({ name, id }) => ({
      name: `${folder}${separator}${name}`,
      spec: operand,
      read: () => reader.read(id),
    })),
    isSet: true,
  };
}

/**
 * Returns the sorted .json files of a Git tree. Skips dot files, node_modules
 * and symbolic links, as for folders on disk.
 */
function entriesOf(
  tree: string,
  cwd: string,
): (GitBlob & { readonly name: string })[] {
  return readGit(cwd, "ls-tree", ["-r", "-l", "-z", "--full-tree", tree])
    .toString()
    .split("\0")
    .flatMap((line) => {
      const [, id, size, name] =
        /^100\d{3} blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
      const isHidden = name
        ?.split("/")
        .some((part) => part.startsWith(".") || part === "node_modules");
      return id === undefined || isHidden === true || !name!.endsWith(".json")
        ? []
        : [{ name: name!, id, size: Number(size) }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function blobSource(
  name: string,
  spec: string,
  object: string,
  cwd: string,
): Source {
  const read = (): Buffer =>
    readGit(cwd, "cat-file", ["blob", object], MAX_BYTES);
  return { name, spec, read };
}

/** Removes slashes at the end of a path. */
function withoutSlash(name: string): string {
  let end = name.length;
  while (name[end - 1] === "/") end--;
  return name.slice(0, end);
}
