/** Kind of an option value. */
export type OptionKind = "switch" | "text" | "list" | "choice" | "choices";

/** Definition of an option. */
export interface OptionRow {
  /** Property name. The flag is `--name` in kebab case. */
  readonly name: string;
  readonly kind: OptionKind;
  /** Placeholder of the value in `--help`. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly default?: string | boolean;
  readonly description: string;
  /**
   * True if the option is required. A name means that it is required unless the
   * option of this name is set.
   */
  readonly required?: boolean | string;
  /** True for a list with one value per occurrence of the option. */
  readonly isSingle?: boolean;
  /** Property name of an option that conflicts with this one. */
  readonly excludes?: string;
}

/**
 * Options of generation. The command line, the environment variables
 * (GEN_<NAME>), `--help` and the README are derived from this table.
 */
export const options: readonly OptionRow[] = [
  {
    name: "spec",
    kind: "list",
    value: "source",
    required: true,
    description:
      "description documents: file, folder, glob, or - for standard input; repeatable",
  },
  {
    name: "out",
    kind: "text",
    value: "dir",
    required: "dump",
    description: "output folder",
  },
  {
    name: "target",
    kind: "choices",
    value: "names",
    choices: [
      "client",
      "validator",
      "server",
      "conformance",
      "openapi",
      "json-schema",
    ],
    default: "client",
    description: "targets to generate, separated by commas",
  },
  {
    name: "check",
    kind: "switch",
    description:
      "compare without writing; exit with 1 if the output is not up to date",
  },
  {
    name: "dryRun",
    kind: "switch",
    excludes: "check",
    description: "print the files that would be written, without writing",
  },
  {
    name: "force",
    kind: "switch",
    description: "overwrite files that were not generated",
  },
  {
    name: "prune",
    kind: "switch",
    description:
      "remove the output of targets that --target does not list (default: generate it again)",
  },
  {
    name: "templates",
    kind: "text",
    value: "dir",
    description: "folder with templates that replace those of the same name",
  },
  {
    name: "importSuffix",
    kind: "choice",
    value: "suffix",
    choices: ["js", "ts", "none"],
    default: "js",
    description: "suffix of relative imports",
  },
  {
    name: "runtime",
    kind: "choice",
    value: "source",
    choices: ["copy", "package"],
    default: "copy",
    description:
      "copy the runtime into the output, or import it from this package",
  },
  {
    name: "trustProse",
    kind: "switch",
    description:
      'make properties required or read-only if their descriptions start with "Required." or "Output only."',
  },
  {
    name: "openapiFormat",
    kind: "choice",
    value: "format",
    choices: ["json", "yaml"],
    default: "json",
    description: "format of OpenAPI documents",
  },
  {
    name: "openapiSplit",
    kind: "switch",
    description: "write a file for each path and each schema of OpenAPI",
  },
  {
    name: "jsonSchemaSplit",
    kind: "switch",
    description: "write a file for each JSON Schema",
  },
  {
    name: "formatter",
    kind: "choice",
    value: "name",
    choices: ["none", "prettier"],
    default: "none",
    description:
      "format the output with the Prettier of your project and its settings (the default output has Prettier's standard style)",
  },
  {
    name: "dump",
    kind: "choice",
    value: "format",
    choices: ["ir"],
    description: "print the model as JSON instead of generating code",
  },
  {
    name: "format",
    kind: "choice",
    value: "name",
    choices: ["text", "json", "github"],
    default: "text",
    description: "format of diagnostics and summary",
  },
  {
    name: "verbose",
    kind: "switch",
    description: "show infos and unchanged files",
  },
  {
    name: "quiet",
    kind: "switch",
    excludes: "verbose",
    description: "show only errors",
  },
];

/** Converts a property name to a flag: `dryRun` to `--dry-run`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Converts a property name to an environment variable: `dryRun` to GEN_DRY_RUN.
 * `prefix` is inserted after GEN_.
 */
export function variableOf(name: string, prefix = ""): string {
  return `GEN_${prefix}${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Option values by property name. */
export interface OptionValues {
  readonly spec: readonly string[];
  readonly out?: string;
  readonly target: readonly string[];
  readonly check?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly prune?: boolean;
  readonly templates?: string;
  readonly importSuffix: "js" | "ts" | "none";
  readonly runtime: "copy" | "package";
  readonly trustProse?: boolean;
  readonly openapiFormat?: "json" | "yaml";
  readonly openapiSplit?: boolean;
  readonly jsonSchemaSplit?: boolean;
  readonly formatter: "none" | "prettier";
  readonly dump?: "ir";
  readonly format: "text" | "json" | "github";
  readonly verbose?: boolean;
  readonly quiet?: boolean;
}
