import { existsSync } from "node:fs";
import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";

/**
 * Extensions of config files, in the order in which the documentation lists
 * them.
 */
export const EXTENSIONS = [
  "yaml",
  "yml",
  "json",
  "ts",
  "mts",
  "js",
  "mjs",
] as const;

/**
 * Returns the absolute path of the config file of a folder, or of the given
 * file; undefined if the file is missing or not unique. Parent folders are
 * never searched, because a config in JavaScript is executed.
 * @param isRequired true to report a missing file
 */
export function findConfig(
  cwd: string,
  file: string | undefined,
  sink: Sink,
  isRequired = true,
): string | undefined {
  if (file !== undefined)
    return givenConfig(path.resolve(cwd, file), file, sink);
  const names = EXTENSIONS.map((extension) => `gen.config.${extension}`);
  const found = names.filter((name) => existsSync(path.join(cwd, name)));
  if (found.length > 1)
    sink.report(
      "config-ambiguous",
      `the folder contains several config files: ${found.join(", ")}`,
    );
  else if (found.length === 0 && isRequired)
    sink.report(
      "config-missing",
      "the working directory contains no gen.config.yaml, .yml, .json, .ts, .mts, .js or .mjs",
    );
  return found.length === 1 ? path.join(cwd, found[0]!) : undefined;
}

function givenConfig(
  file: string,
  name: string,
  sink: Sink,
): string | undefined {
  const extension = path.extname(file).slice(1);
  if (!existsSync(file))
    sink.report("config-missing", `the config file ${name} does not exist`);
  else if (!EXTENSIONS.some((known) => known === extension))
    sink.report(
      "config-file",
      `${name} must have one of the extensions ${EXTENSIONS.join(", ")}`,
    );
  else return file;
  return undefined;
}
