import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { OutputFile } from "./output-file.js";
import { hash } from "../platform/hash.js";

/** A formatter of the user's. */
export interface Formatter {
  readonly format: (file: OutputFile) => Promise<string>;
  /** Hash of the settings for files; undefined where they can't be known. */
  readonly styleOf: (paths: readonly string[]) => Promise<string | undefined>;
}

/** A formatter, and a hash of the program that formats. */
export interface Prettified extends Formatter {
  readonly fingerprint: string;
}

type Prettier = typeof import("prettier");

/** How often a text is formatted at most until it stays as it is. */
const MAX_PASSES = 3;

/**
 * Formats with the Prettier of the project in which the output lies, or the
 * command runs, and with its settings for each file, so that its own check
 * finds nothing.
 */
export async function prettierFormatter(
  out: string,
  cwd: string,
): Promise<Prettified | { readonly diagnostics: readonly Diagnostic[] }> {
  const sink = new Sink();
  try {
    const prettier = await findPrettier([out, cwd]);
    // Settings that can't be read are the user's mistake: found before any work.
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

/** Prettier changes some of its own output once more. */
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

/** Hash of the settings for files; undefined where plugins decide, too. */
async function styleOf(
  prettier: Prettier,
  out: string,
  paths: readonly string[],
): Promise<string | undefined> {
  const settings = await Promise.all(
    paths.map((name) => settingsFor(prettier, path.join(out, name))),
  );
  return settings.some((found) => (found?.plugins ?? []).length > 0)
    ? undefined
    : hash(JSON.stringify(settings));
}

/** A project's own, else the one beside this package. */
async function findPrettier(folders: readonly string[]): Promise<Prettier> {
  for (const folder of folders) {
    try {
      const require = createRequire(path.join(folder, "index.js"));
      const found = (await import(
        pathToFileURL(require.resolve("prettier")).href
      )) as Prettier & { readonly default?: Prettier };
      return found.default ?? found;
    } catch {
      // Not there: the next folder may have it.
    }
  }
  return import("prettier");
}
