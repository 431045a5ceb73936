import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { OutputFile } from "../targets/target.js";
import { hash } from "../write/manifest.js";

/** A formatter, and a hash of what it formats with. */
export interface Formatter {
  readonly format: (file: OutputFile) => Promise<string>;
  readonly fingerprint: string;
}

type Prettier = typeof import("prettier");

/**
 * Formats with the Prettier of the project in which the output lies, or the
 * command runs, and with its settings for that folder.
 */
export async function prettierFormatter(
  out: string,
  cwd: string,
): Promise<Formatter | { readonly diagnostics: readonly Diagnostic[] }> {
  const sink = new Sink();
  try {
    const prettier = await findPrettier([out, cwd]);
    const settings = await prettier.resolveConfig(path.join(out, "index.ts"), {
      editorconfig: true,
    });
    const all = { ...settings, parser: "typescript" as const };
    return {
      format: ({ text }) => prettier.format(text, all),
      fingerprint: hash(prettier.version, JSON.stringify(settings ?? {})),
    };
  } catch (error) {
    sink.report("usage", `Prettier can't be used: ${(error as Error).message}`);
    return { diagnostics: sink.diagnostics };
  }
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
