import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { OutputFile } from "../platform/output-file.js";
import { hash } from "../platform/hash.js";
import { importInstalled } from "../platform/installed-package.js";

/** Formatter of generated files. */
export interface Formatter {
  readonly format: (file: OutputFile) => Promise<string>;
  /**
   * Returns a hash of the Prettier settings for the given files. Returns
   * undefined if plugins are used, because the hash does not include them.
   */
  readonly styleOf: (paths: readonly string[]) => Promise<string | undefined>;
}

/** Prettier formatter, with a hash of the Prettier version. */
export interface PrettierFormatter extends Formatter {
  readonly fingerprint: string;
}

type Prettier = typeof import("prettier");

/**
 * Maximum number of times a file is formatted. More than one pass can be
 * necessary, because Prettier is not always idempotent.
 */
const MAX_PASSES = 3;

/**
 * Loads Prettier from the first of these folders in which it is installed: the
 * project that contains the output, the working directory, this package. Files
 * are formatted with the settings of the project, so that the project's own
 * format check succeeds.
 */
export async function prettierFormatter(
  out: string,
  cwd: string,
): Promise<
  PrettierFormatter | { readonly diagnostics: readonly Diagnostic[] }
> {
  const sink = new Sink();
  try {
    const folders = [out, cwd];
    const { module: prettier } = await importInstalled<Prettier>(
      "prettier",
      "`--formatter prettier`",
      folders,
    );
    // The cache is cleared because settings can change between two runs in the
    // same process.
    await prettier.clearConfigCache();
    // This call reports invalid settings before files are generated.
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

/** Formats a file repeatedly until the result no longer changes. */
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
 * Returns a hash of the Prettier settings for the given files; undefined if
 * plugins are used.
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
