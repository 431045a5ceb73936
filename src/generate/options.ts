/** The kinds of values that options take. */
export type OptionKind = "switch" | "text" | "list" | "choice" | "choices";

/** A row of the option table. */
export interface OptionRow {
  /** Property name, and `--name` in kebab case. */
  readonly name: string;
  readonly kind: OptionKind;
  /** Placeholder of the value in --help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly default?: string | boolean;
  readonly description: string;
  /** Whether its value decides output: a change of it makes a new plan. */
  readonly decidesOutput?: boolean;
  /** Must be given; with a name, unless that option is. */
  readonly required?: boolean | string;
  /** A list that takes one word each time it is given. */
  readonly isSingle?: boolean;
  /** Property name of an option that can't be given together with it. */
  readonly excludes?: string;
}

/**
 * All options of generation, once: the command line, the environment
 * (GEN_<NAME>), --help and the README are made from this table.
 */
export const options: readonly OptionRow[] = [
  {
    name: "spec",
    kind: "list",
    value: "source",
    required: true,
    description:
      "description documents: a file, a folder, a glob or - for standard input; repeatable",
  },
  {
    name: "out",
    kind: "text",
    value: "dir",
    required: "dump",
    description: "folder for the output",
  },
  {
    name: "target",
    kind: "choices",
    value: "names",
    choices: ["client", "validator", "server", "conformance"],
    default: "client",
    decidesOutput: true,
    description: "what to generate, separated by commas",
  },
  {
    name: "check",
    kind: "switch",
    description: "write nothing; exit with 1 if the output is not up to date",
  },
  {
    name: "dryRun",
    kind: "switch",
    excludes: "check",
    description: "write nothing; print what would be written",
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
      "remove the output of targets that --target does not name; without it, they are generated again",
  },
  {
    name: "templates",
    kind: "text",
    value: "dir",
    description:
      "folder with templates that take the place of those of the same name",
  },
  {
    name: "importSuffix",
    kind: "choice",
    value: "suffix",
    choices: ["js", "ts", "none"],
    default: "js",
    decidesOutput: true,
    description: "suffix of relative imports",
  },
  {
    name: "runtime",
    kind: "choice",
    value: "where",
    choices: ["copy", "package"],
    default: "copy",
    decidesOutput: true,
    description:
      "copy the runtime into the output, or import it from this package",
  },
  {
    name: "trustProse",
    kind: "switch",
    decidesOutput: true,
    description:
      'let "Required." and "Output only." in descriptions bind types',
  },
  {
    name: "formatter",
    kind: "choice",
    value: "name",
    choices: ["none", "prettier"],
    default: "none",
    decidesOutput: true,
    description:
      "run your Prettier, with your settings, over the output (it is formatted in Prettier's style already)",
  },
  {
    name: "dump",
    kind: "choice",
    value: "what",
    choices: ["ir"],
    description: "print the model as JSON instead of generating",
  },
  {
    name: "format",
    kind: "choice",
    value: "form",
    choices: ["text", "json", "github"],
    default: "text",
    description: "form of diagnostics and of the summary",
  },
  {
    name: "verbose",
    kind: "switch",
    description: "show infos, and every file",
  },
  {
    name: "quiet",
    kind: "switch",
    excludes: "verbose",
    description: "show errors only",
  },
];

/** `dryRun` as it is typed: `--dry-run`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `dryRun` in the environment: GEN_DRY_RUN; with a prefix of the command's own behind GEN_. */
export function variableOf(name: string, prefix = ""): string {
  return `GEN_${prefix}${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Values by property name, as the table describes them. */
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
  readonly formatter: "none" | "prettier";
  readonly dump?: "ir";
  readonly format: "text" | "json" | "github";
  readonly verbose?: boolean;
  readonly quiet?: boolean;
}
