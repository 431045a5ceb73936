import { readFileSync } from "node:fs";
import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import { refuseStray } from "../platform/output-path.js";
import { replaceFile } from "../platform/replace-file.js";
import type { RemoteOptions } from "../remote/remote-options.js";
import { addApi, type ApiEntry } from "./edit-config.js";

/** Config to which APIs are added. */
export interface ConfigTarget {
  /** Absolute path of the file, which may not exist yet. */
  readonly file: string;
  readonly exists: boolean;
  /** Folder of fetched documents, relative to the working directory. */
  readonly specs: string;
  readonly remote: RemoteOptions;
}

/** API to add, with its entry in the config. */
interface ConfigEntry {
  readonly id: string;
  readonly entry: ApiEntry;
}

/** Result of `writeAdditions`, which adds APIs to the config file. */
interface WrittenAdditions {
  /**
   * Path of the config file that was created or changed, relative to the
   * working directory.
   */
  readonly config?: string;
  /** Text to add to a config that can't be edited. */
  readonly snippet?: string;
}

/**
 * Adds APIs to the config file, or returns the text to add if the file can't be
 * edited.
 * @param remote request options, which are written to a new config
 */
export function writeAdditions(
  { file, exists }: ConfigTarget,
  additions: readonly ConfigEntry[],
  { cwd, remote }: { readonly cwd: string; readonly remote: RemoteOptions },
  sink: Sink,
): WrittenAdditions {
  if (additions.length === 0) return {};
  const config = path.relative(cwd, file);
  const format = formatOf(file);
  if (format === undefined) return { config, snippet: snippetOf(additions) };
  try {
    const text = exists ? readFileSync(file, "utf8") : newConfig(remote);
    let edited: string | undefined = text;
    for (const { id, entry } of additions)
      edited =
        edited === undefined ? edited : addApi(edited, format, id, entry);
    if (edited === undefined) return { config, snippet: snippetOf(additions) };
    if (edited === text) return {};
    refuseStray(file, cwd);
    replaceFile(file, edited);
    return { config };
  } catch (error) {
    sink.report("output-unwritable", `${config}: ${(error as Error).message}`);
    return {};
  }
}

function formatOf(file: string): "yaml" | "json" | undefined {
  const extension = path.extname(file);
  if (extension === ".json") return "json";
  return /^\.ya?ml$/.test(extension) ? "yaml" : undefined;
}

/** Returns the text of a new config without APIs. */
function newConfig({
  directory,
  allowHttp,
  allowPrivate,
}: RemoteOptions): string {
  return [
    "out: generated",
    ...(directory === undefined
      ? []
      : [`directory: ${JSON.stringify(directory)}`]),
    ...(allowHttp === true ? ["allowHttp: true"] : []),
    ...(allowPrivate === true ? ["allowPrivate: true"] : []),
    "",
  ].join("\n");
}

/**
 * Returns text to insert into `apis` of a config in JavaScript or TypeScript.
 */
function snippetOf(additions: readonly ConfigEntry[]): string {
  return additions
    .map(({ id, entry }) => `${JSON.stringify(id)}: ${JSON.stringify(entry)},`)
    .join("\n");
}
