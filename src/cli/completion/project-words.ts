import path from "node:path";
import { existsSync } from "node:fs";
import { findConfig } from "../../config/find-config.js";
import type { ResolvedConfig } from "../../config/job.js";
import { loadConfig } from "../../config/load-config.js";
import { LOCK_FILE } from "../../config/resolve-jobs.js";
import { Sink } from "../../diagnostics/sink.js";
import { loadSource } from "../../load/load.js";
import { listSources } from "../../load/sources.js";
import { methodIds } from "../../patch/rename.js";
import { readLock } from "../../remote/lock-file.js";

/**
 * Kinds of completion words that depend on the project: API names and method
 * ids.
 */
export type ProjectWords = "apis" | "methods";

/**
 * Maximum number of suggested words, and of documents that are searched for
 * method ids.
 */
const MAX_WORDS = 10_000;
const MAX_DOCUMENTS = 30;

/**
 * Pattern for words that need no quoting in any supported shell: they contain no
 * blanks, quotes or expansions.
 */
const SAFE = /^[\w.:-]{1,200}$/;

/**
 * Returns the names of the APIs of a project, or the ids of their methods.
 * Returns nothing if the project can't be read, because a shell can't show
 * errors during completion.
 */
export async function projectWords(
  kind: ProjectWords,
  cwd: string,
): Promise<readonly string[]> {
  try {
    const config = await dataConfig(cwd);
    const words =
      kind === "apis" ? apisOf(config, cwd) : await methodsOf(config, cwd);
    return [...new Set(words)]
      .filter((word) => SAFE.test(word))
      .sort()
      .slice(0, MAX_WORDS);
  } catch {
    return [];
  }
}

/**
 * Reads the config of a folder. Ignores configs in JavaScript and TypeScript: the
 * tab key must not run code.
 */
async function dataConfig(cwd: string): Promise<ResolvedConfig | undefined> {
  const file = findConfig(cwd, undefined, new Sink(), false);
  if (file === undefined || !/\.(?:ya?ml|json)$/.test(file)) return undefined;
  const config = path.relative(cwd, file);
  return (await loadConfig({ cwd, config })).resolved;
}

function apisOf(config: ResolvedConfig | undefined, cwd: string): string[] {
  const configured = config?.jobs.flatMap(({ apis }) => apis) ?? [];
  const file = path.join(cwd, LOCK_FILE);
  const locked = existsSync(file)
    ? readLock(file, LOCK_FILE, new Sink())
    : undefined;
  return [...configured.map(({ id }) => id), ...(locked?.keys() ?? [])];
}

async function methodsOf(
  config: ResolvedConfig | undefined,
  cwd: string,
): Promise<string[]> {
  const files = config?.jobs.flatMap(({ apis }) => apis.map((api) => api.file));
  const { sources } = await listSources(files ?? ["specs"], cwd);
  return sources.slice(0, MAX_DOCUMENTS).flatMap((source) => {
    const { document } = loadSource(source);
    return document === undefined ? [] : methodIds(document);
  });
}
