import { existsSync } from "node:fs";
import path from "node:path";
import type { Sink } from "../../diagnostics/sink.js";
import { refuseStray } from "../../platform/output-path.js";
import { replaceFile } from "../../platform/replace-file.js";
import { EXTENSIONS } from "../find-config.js";
import { configText } from "./config-text.js";
import type { InitSettings } from "./init-settings.js";
import { addNpmScript } from "./npm-script.js";

/**
 * Returns the name of an existing config file that prevents a new one from
 * being written: a config in a different format or, without `force`, a config
 * in the same format. Returns undefined if the new file can be written.
 */
export function existingConfig(
  cwd: string,
  format: InitSettings["format"],
  force: boolean,
): string | undefined {
  return EXTENSIONS.map((extension) => `gen.config.${extension}`)
    .filter((name) => !force || name !== `gen.config.${format}`)
    .find((name) => existsSync(path.join(cwd, name)));
}

/**
 * Writes a config file and, if requested, the npm script. Returns the names of
 * the changed files; reports the reason if a file is not written.
 */
export async function initProject(
  settings: InitSettings,
  { cwd, force }: { readonly cwd: string; readonly force: boolean },
  sink: Sink,
): Promise<string[]> {
  const existing = existingConfig(cwd, settings.format, force);
  if (existing !== undefined) {
    sink.report("init-exists", `the folder already contains ${existing}`);
    return [];
  }
  const name = `gen.config.${settings.format}`;
  const text = await configText(settings, cwd);
  try {
    refuseStray(path.join(cwd, name), cwd);
    replaceFile(path.join(cwd, name), text);
  } catch (error) {
    sink.report("output-unwritable", `${name}: ${(error as Error).message}`);
    return [];
  }
  const isAdded = settings.script && addNpmScript(cwd, sink);
  return isAdded ? [name, "package.json"] : [name];
}
