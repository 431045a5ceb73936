import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { OutputFile } from "./output-file.js";
import { hash } from "../platform/hash.js";

/** Formatter of generated files. */
export interface Formatter {
  readonly format: (file: OutputFile) => Promise<string>;
  /**
   * Returns the hash of the settings that apply to files; undefined if plugins
   * are used, since the hash does not cover them.
   */
  readonly styleOf: (paths: readonly string[]) => Promise<string | undefined>;
}

/** Formatter, and the hash of its program. */
export interface PrettierFormatter extends Formatter {
  readonly fingerprint: string;
}

type Prettier = typeof import("prettier");

/**
 * Maximum number of passes over a file. More than one can be necessary, since
 * Prettier changes some of its own output again.
 */
const MAX_PASSES = 3;

/**
 * Loads the Prettier of the project that contains the output, otherwise that of
 * the working folder, otherwise the one that this package depends on. It
 * formats each file with the settings of the project, so that the project's own
 * format check passes.
 */
export async function prettierFormatter(
  out: string,
  cwd: string,
): Promise<
  PrettierFormatter | { readonly diagnostics: readonly Diagnostic[] }
> {
  const sink = new Sink();
  try {
    const prettier = await findPrettier([out, cwd]);
    // A program can generate again after its user has changed the settings.
    await prettier.clearConfigCache();
    // Reports invalid settings before files are generated.
    await settingsFor(prettier, path.join(out, "index.ts"));
    return {
      format: ({ path: name, text }) =>
        formatFile(prettier, path.join(out, name), text),
      styleOf: (paths) => styleOf(prettier, out, paths),
      fingerprint: hash(prettier.version),
    };
  } catch (error) {
    sink.report("usage", `Prettier can't be used: ${(error as Error).message}`);
    return { diagnostics: sink.diagnostics };
  }
}

function settingsFor(
  prettier: Prettier,
  file: string,
): Promise<Awaited<ReturnType<Prettier["resolveConfig"]>>> {
  return prettier.resolveConfig(file, { editorconfig: true });
}

/** Formats a file repeatedly until it no longer changes. */
async function formatFile(
  prettier: Prettier,
  file: string,
  text: string,
): Promise<string> {
  const settings = { ...(await settingsFor(prettier, file)), filepath: file };
  let last = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = await prettier.format(last, settings);
    if (next === last) return next;
    last = next;
  }
  return last;
}

/**
 * Returns the hash of the settings that apply to files; undefined if plugins
 * are used.
 */
async function styleOf(
  prettier: Prettier,
  out: string,
  paths: readonly string[],
): Promise<string | undefined> {
  const settings = await Promise.all(
    paths.map((name) => settingsFor(prettier, path.join(out, name))),
  );
  return settings.some((options) => (options?.plugins ?? []).length > 0)
    ? undefined
    : hash(JSON.stringify(settings));
}

/**
 * Returns the Prettier of the first folder that has one, otherwise that of this
 * package.
 */
async function findPrettier(folders: readonly string[]): Promise<Prettier> {
  for (const folder of folders) {
    try {
      const require = createRequire(path.join(folder, "index.js"));
      const module = (await import(
        pathToFileURL(require.resolve("prettier")).href
      )) as Prettier & { readonly default?: Prettier };
      return module.default ?? module;
    } catch {
      // This folder has no Prettier; the next folder is tried.
    }
  }
  return import("prettier");
}
