import { existsSync } from "node:fs";
import path from "node:path";
import { toPosix } from "../../platform/paths.js";
import { parseApiName } from "../api-name.js";
import type { ApiConfig } from "../gen-config.js";

/** Formats of config files that `gen init` writes. */
export const FORMATS: readonly ["yaml", "json", "ts"] = ["yaml", "json", "ts"];

/** Settings of a new config. */
export interface InitSettings {
  /** APIs, each as `name:version` or as a file. */
  readonly api: readonly string[];
  readonly out: string;
  readonly target: readonly string[];
  readonly format: (typeof FORMATS)[number];
  /** True to add an npm script `generate` to package.json. */
  readonly script: boolean;
}

/**
 * Returns the label and entry of an API that is given as `name:version` or as a
 * file, folder or glob; undefined for other text.
 */
export function apiEntry(
  text: string,
  cwd: string,
): readonly [label: string, entry: ApiConfig] | undefined {
  const exists = text.trim() !== "" && existsSync(path.resolve(cwd, text));
  if (!exists && !text.includes("*"))
    return parseApiName(text)?.version === undefined ? undefined : [text, {}];
  return [labelOf(text), { source: toPosix(text) }];
}

/** Converts a file name to a label: `chat.v1.json` becomes `chat:v1`. */
function labelOf(file: string): string {
  const base = path.basename(path.resolve(file), ".json");
  const [, name, version] = /^(\w+)\.(v?\d\w*(?:\.\d+)*)$/.exec(base) ?? [];
  const label =
    version === undefined
      ? base.replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[^A-Za-z]+/, "")
      : `${name}:${version}`;
  return parseApiName(label) === undefined ? "local" : label;
}
