import { statSync } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { listSources } from "../load/sources.js";
import { GitError } from "../platform/git.js";
import { compareListed, type Comparison } from "./compare.js";
import { listGitSources, objectOf } from "./git-sources.js";
import {
  listOperand,
  type ListedOperand,
  type OperandResolver,
} from "./operands.js";

/** Location of the previous versions of documents. */
export interface PreviousSource {
  /** Operands as accepted by `compareOperands`. */
  readonly previous?: readonly string[] | undefined;
  readonly resolvers?: readonly OperandResolver[];
  /** Git revision that contains the previous versions, at the same paths. */
  readonly since?: string | undefined;
}

/** Comparisons, keyed by API id, and findings about the previous documents. */
export interface PreviousComparisons {
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
