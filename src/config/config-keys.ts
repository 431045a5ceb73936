import {
  options,
  type ConfigLevel,
  type OptionRow,
} from "../generate/options.js";

import { SECTIONS } from "./config-sections.js";

/** Keys of a config file that are not command-line options. */
const CONFIG_ONLY: readonly OptionRow[] = [
  {
    name: "$schema",
    kind: "text",
    value: "path",
    config: ["file"],
    description: "location of the JSON Schema of this file, for editors",
  },
  {
    name: "specs",
    kind: "text",
    value: "dir",
    default: "specs",
    config: ["file"],
    description: "folder of fetched documents",
  },
  {
    name: "source",
    kind: "text",
    value: "source",
    config: ["api"],
    description:
      "file, folder, glob or URL of the document (default: the fetched document <specs>/<name>.<version>.json)",
  },
  {
    name: "patches",
    kind: "list",
    value: "file",
    config: ["api"],
    description: "patch files (YAML or JSON) to apply to the document",
  },
];

/**
 * Keys that are allowed in a config file. The keys `apis` and `jobs`, which
 * contain further levels, are not part of the table.
 */
export const configKeys: readonly OptionRow[] = [
  ...CONFIG_ONLY,
  ...options.filter(({ config }) => config !== undefined),
];

export function keysOf(level: ConfigLevel): readonly OptionRow[] {
  return configKeys.filter(({ config }) => config!.includes(level));
}

/**
 * Returns the names of all keys of a config level, including those of nested
 * levels.
 */
export function namesOf(level: ConfigLevel): readonly string[] {
  const names = keysOf(level).map(({ name }) => name);
  if (level === "file")
    return [...names, ...SECTIONS.map(({ name }) => name), "apis", "jobs"];
  return level === "job" ? [...names, "apis"] : names;
}
