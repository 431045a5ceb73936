import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { loadBytes } from "../load/load.js";
import type { RawDocument } from "../load/raw.js";
import { listSources, type Source } from "../load/sources.js";
import { BlobReader, findBlobs, type GitBlob } from "../platform/git-blobs.js";
import { GitError, readGit } from "../platform/git.js";
import { toPosix } from "../platform/paths.js";
import {
  compareInputs,
  compareListed,
  type ComparedDocument,
  type Comparison,
} from "./compare.js";
import {
  listGitSources,
  listOperand,
  objectOf,
  type ListedOperand,
  type OperandResolver,
} from "./operands.js";
import type { DiffPolicy } from "./policy.js";
import type { DiffOptions } from "./severity.js";

/** Location of the previous versions of documents. */
export interface PreviousSource {
  /** Operands as accepted by `compareOperands`. */
  readonly previous?: readonly string[] | undefined;
  readonly resolvers?: readonly OperandResolver[];
  /** Git revision that contains the previous versions, at the same paths. */
  readonly since?: string | undefined;
}

/** Comparisons, keyed by API id, and findings about the previous documents. */
interface PreviousComparisons {
  readonly comparisons: ReadonlyMap<string, Comparison>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compares documents with their previous versions, matched by name and version.
 * @param specs files, folders and globs of the current documents
 */
export async function compareWithPrevious(
  specs: readonly string[],
  source: PreviousSource,
  cwd: string,
): Promise<PreviousComparisons> {
  const before =
    source.since === undefined
      ? await listPrevious(source, cwd)
      : await listRevision(specs, source.since, cwd);
  const { sources } = await listSources(specs, cwd);
  // Findings about current documents are omitted, because the caller reports
  // them.
  const after = { sources, isSet: true, diagnostics: [] };
  const { comparisons, diagnostics } = compareListed(before, after, {});
  const current = new Set(sources.map(({ name }) => name));
  return {
    comparisons: new Map(comparisons.map((one) => [one.result.api, one])),
    diagnostics: diagnostics.filter(
      ({ file }) => file === undefined || !current.has(file),
    ),
  };
}

async function listPrevious(
  { previous = [], resolvers }: PreviousSource,
  cwd: string,
): Promise<ListedOperand> {
  const listed = [];
  for (const operand of previous)
    listed.push(await listOperand(operand, cwd, resolvers));
  return merged(listed);
}

/**
 * Lists the documents in a Git revision for the given files, folders and globs.
 */
async function listRevision(
  specs: readonly string[],
  revision: string,
  cwd: string,
): Promise<ListedOperand> {
  const listed: ListedOperand[] = [];
  for (const name of await filesAndFolders(specs, cwd)) {
    const sink = new Sink();
    const sources = isNew(name, revision, cwd)
      ? []
      : listGitSources(`git:${revision}:${name}`, cwd, sink)?.sources;
    listed.push({
      sources: sources ?? [],
      isSet: true,
      diagnostics: sink.diagnostics,
    });
  }
  return merged(listed);
}

/** Replaces globs with the files that they match. */
async function filesAndFolders(
  specs: readonly string[],
  cwd: string,
): Promise<string[]> {
  const names = new Set<string>();
  for (const spec of specs) {
    const stats = statSync(path.resolve(cwd, spec), { throwIfNoEntry: false });
    if (stats !== undefined) names.add(spec);
    else
      for (const { name } of (await listSources([spec], cwd)).sources)
        names.add(name);
  }
  return [...names].filter((name) => name !== "-");
}

/** Returns true if the revision exists and does not contain the file. */
function isNew(name: string, revision: string, cwd: string): boolean {
  try {
    objectOf(revision, name, cwd);
    return false;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return error.message.endsWith("does not exist in the revision");
  }
}

function merged(listed: readonly ListedOperand[]): ListedOperand {
  return {
    sources: listed.flatMap(({ sources }) => sources),
    isSet: true,
    diagnostics: listed.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Documents that changed since output was generated from them. */
interface ChangedDocuments {
  /** Abbreviated id of the commit in which the output was last generated. */
  readonly commit: string;
  readonly comparisons: readonly Comparison[];
}

/** Maximum number of documents to compare. */
const MAX_DOCUMENTS = 1_000;

/**
 * Function that applies the patches and the method selection of a `--spec`
 * argument to a document. Returns undefined on failure.
 */
type EditSource = (
  document: RawDocument,
  spec: string,
) => Promise<RawDocument | undefined>;

/**
 * Compares documents with their versions in the commit in which the output was
 * last generated. This is the last commit that changed the manifest, or HEAD if
 * the output is not committed. Returns undefined outside of a repository.
 * @param manifest path of the output's manifest
 */
export async function changesSinceGenerated(
  specs: readonly string[],
  manifest: string,
  cwd: string,
  options: DiffOptions & {
    readonly edit?: EditSource | undefined;
    readonly policy?: DiffPolicy | undefined;
  } = {},
): Promise<ChangedDocuments | undefined> {
  try {
    const commit = commitOf(manifest, cwd);
    const { sources } = await listSources(
      specs.filter((spec) => spec !== "-"),
      cwd,
    );
    const comparisons: Comparison[] = [];
    for (const { old, now, spec } of changedSources(sources, commit, cwd)) {
      const before = await options.edit?.(old.document, spec);
      const after = await options.edit?.(now.document, spec);
      // If `edit` fails for one of the documents, neither is edited, because
      // the edit of only one would be reported as a change.
      const isEdited = before !== undefined && after !== undefined;
      const comparison = compareInputs(
        isEdited ? { ...old, document: before } : old,
        isEdited ? { ...now, document: after } : now,
        options,
      );
      if (comparison.result.changes.length > 0) comparisons.push(comparison);
    }
    return { commit: commit.slice(0, 12), comparisons };
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

function commitOf(manifest: string, cwd: string): string {
  const last = (args: readonly string[]): string =>
    readGit(cwd, "rev-list", ["-1", "HEAD", ...args])
      .toString()
      .trim();
  const relative = path.relative(cwd, path.resolve(cwd, manifest));
  let commit = "";
  try {
    commit = last(["--", relative]);
  } catch (error) {
    // Git can't list the commits if the output folder is outside of the
    // repository.
    if (!(error instanceof GitError)) throw error;
  }
  return commit === "" ? last([]) : commit;
}

/**
 * Returns the documents whose content differs from their content in the commit.
 */
function changedSources(
  sources: readonly Source[],
  commit: string,
  cwd: string,
): {
  readonly old: ComparedDocument;
  readonly now: ComparedDocument;
  readonly spec: string;
}[] {
  const named = sources
    .filter(({ name }) => !/[\r\n]/.test(name))
    .slice(0, MAX_DOCUMENTS);
  const blobs = blobsOf(named, commit, cwd);
  const changed = named.flatMap((source, index) => {
    const blob = blobs[index];
    const bytes = bytesOf(source);
    return blob === undefined ||
      bytes === undefined ||
      blob.id === blobId(bytes, blob.id.length)
      ? []
      : [{ source, blob, bytes }];
  });
  const reader = new BlobReader(
    changed.map(({ blob }) => blob),
    cwd,
  );
  return changed.flatMap(({ source, blob, bytes }) => {
    const before = reader.read(blob.id);
    const old = inputOf(before, `git:${commit.slice(0, 12)}:${source.name}`);
    const now = inputOf(bytes, source.name);
    return old === undefined || now === undefined
      ? []
      : [{ old, now, spec: source.spec }];
  });
}

/** Finds files in a commit; undefined for missing files. */
function blobsOf(
  sources: readonly Source[],
  commit: string,
  cwd: string,
): (GitBlob | undefined)[] {
  const names = sources.map(({ name }) => {
    const relative = path.relative(cwd, path.resolve(cwd, name));
    return `${commit}:./${toPosix(relative)}`;
  });
  return findBlobs(names, cwd);
}

function bytesOf(source: Source): Buffer | undefined {
  try {
    return source.read();
  } catch {
    return undefined;
  }
}

/** Returns the object id that Git computes for a file with the given bytes. */
function blobId(bytes: Buffer, length: number): string {
  return createHash(length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}

function inputOf(bytes: Buffer, file: string): ComparedDocument | undefined {
  const { text, document } = loadBytes(bytes, file);
  return text === undefined || document === undefined
    ? undefined
    : { file, text, document };
}
