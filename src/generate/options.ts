// This file is longer than others because it contains the table of all options.

/** Kind of value that an option accepts. */
export type OptionKind = "switch" | "text" | "list" | "choice" | "choices";

/** Level of a config file at which an option can be set. */
export type ConfigLevel = "file" | "job" | "api";

/** Definition of a command-line or config option. */
export interface OptionRow {
  /**
   * Property name of the option. The flag is `--` and the name in kebab case.
   */
  readonly name: string;
  readonly kind: OptionKind;
  /** Placeholder for the value in `--help`. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly default?: string | boolean;
  readonly description: string;
  /**
   * True if the option is required. If the value is the name of an option, this
   * option is required unless the named option is set.
   */
  readonly required?: boolean | string;
  /**
   * True for a list option that is repeated on the command line, with one value
   * each time.
   */
  readonly isSingle?: boolean;
  /** Property name of an option that conflicts with this one. */
  readonly excludes?: string;
  /** Levels of a config file at which the option can be set. Default: none. */
  readonly config?: readonly ConfigLevel[];
}

const JOB: readonly ConfigLevel[] = ["file", "job"];
const API: readonly ConfigLevel[] = ["file", "job", "api"];

/** Option `--config` of the commands that add, fetch and compare documents. */
export const configOption: OptionRow = {
  name: "config",
  kind: "text",
  value: "file",
  description: "config file (default: gen.config.* in the working directory)",
};

/** Option `--no-config` of all commands. */
export const noConfigOption: OptionRow = {
  name: "noConfig",
  kind: "switch",
  excludes: "config",
  description: "do not look for a config file",
};

/** Options of all commands that fetch documents. */
export const remoteOptions = [
  {
    name: "directory",
    kind: "text",
    value: "url",
    config: ["file"],
    description:
      "URL of the API directory in which names such as drive:v3 are looked up (default: the public directory)",
  },
  {
    name: "offline",
    kind: "switch",
    description: "work without network access; read documents from the cache",
  },
  {
    name: "allowHttp",
    kind: "switch",
    config: ["file"],
    description: "allow http URLs for documents and API directories",
  },
  {
    name: "allowPrivate",
    kind: "switch",
    config: ["file"],
    description:
      "allow documents and API directories to be fetched from the local machine and private networks",
  },
] as const satisfies readonly OptionRow[];

/**
 * Options of code generation. The types, the command line, the environment variables
 * (GEN_<NAME>), `--help`, the keys of config files, their JSON Schema, shell
 * completion and the documentation are derived from this table.
 */
const OPTIONS = [
  {
    name: "spec",
    kind: "list",
    value: "source",
    required: true,
    description:
      "description documents: file, folder, glob, URL, name:version, or - for standard input; repeatable (default: the documents of the config file)",
  },
  {
    name: "config",
    kind: "text",
    value: "file",
    excludes: "spec",
    description:
      "config file (default: gen.config.yaml, .yml, .json, .ts, .mts, .js or .mjs in the working directory)",
  },
  {
    name: "api",
    kind: "list",
    value: "name",
    excludes: "spec",
    description: "generate only this API of the config; repeatable",
  },
  {
    name: "out",
    kind: "text",
    value: "dir",
    required: "dump",
    config: JOB,
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
    config: API,
    description: "targets to generate, separated by commas",
  },
  {
    name: "include",
    kind: "list",
    value: "selector",
    isSingle: true,
    config: ["api"],
    description:
      "methods to generate, by id (compute.instances.*) or scope (scope:drive.readonly), with the schemas that they use; repeatable (default: all methods)",
  },
  {
    name: "exclude",
    kind: "list",
    value: "selector",
    isSingle: true,
    config: ["api"],
    description: "methods to omit, by id or scope; repeatable",
  },
  {
    name: "patch",
    kind: "list",
    value: "file",
    isSingle: true,
    description:
      "patch files (YAML or JSON, as written by gen patch new) to apply to the documents; repeatable",
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
    name: "watch",
    kind: "switch",
    excludes: "check",
    description:
      "generate again after each change to a document or template, until Ctrl-C",
  },
  {
    name: "poll",
    kind: "text",
    value: "seconds",
    default: "60",
    description:
      "with --watch: interval in seconds at which remote documents are checked for changes and fetched; 0 disables the checks",
  },
  {
    name: "force",
    kind: "switch",
    description: "overwrite files that were not generated",
  },
  {
    name: "prune",
    kind: "switch",
    config: JOB,
    description:
      "remove the output of targets that --target does not list (default: without a config, generate this output again; with a config, remove it)",
  },
  {
    name: "templates",
    kind: "text",
    value: "dir",
    config: JOB,
    description:
      "folder with templates that replace built-in templates of the same name",
  },
  {
    name: "emit",
    kind: "choice",
    value: "language",
    choices: ["ts", "js"],
    default: "ts",
    config: JOB,
    description:
      "write TypeScript, or JavaScript with declaration files (needs the package oxc-transform)",
  },
  {
    name: "importSuffix",
    kind: "choice",
    value: "suffix",
    choices: ["js", "ts", "none"],
    default: "js",
    config: JOB,
    description: "suffix of relative imports",
  },
  {
    name: "runtime",
    kind: "choice",
    value: "source",
    choices: ["copy", "package"],
    default: "copy",
    config: JOB,
    description:
      "copy the runtime into the output, or import it from the package discovery-codegen-runtime",
  },
  {
    name: "auth",
    kind: "switch",
    config: JOB,
    description:
      "copy the modules for credentials (runtime/auth) into the output",
  },
  {
    name: "tsNocheck",
    kind: "choice",
    value: "files",
    choices: ["none", "runtime", "all"],
    default: "none",
    config: JOB,
    description:
      "TypeScript files that start with // @ts-nocheck, so that the compiler does not check them: none, the copied runtime, or all",
  },
  {
    name: "trustProse",
    kind: "switch",
    config: API,
    description:
      'make properties required or read-only if their descriptions start with "Required." or "Output only."',
  },
  {
    name: "openapiFormat",
    kind: "choice",
    value: "format",
    choices: ["json", "yaml"],
    config: API,
    description: "format of OpenAPI documents (default: json)",
  },
  {
    name: "openapiSplit",
    kind: "switch",
    config: API,
    description: "write a separate OpenAPI file for each path and each schema",
  },
  {
    name: "jsonSchemaSplit",
    kind: "switch",
    config: API,
    description: "write a separate file for each JSON Schema",
  },
  {
    name: "formatter",
    kind: "choice",
    value: "name",
    choices: ["none", "prettier"],
    default: "none",
    config: JOB,
    description:
      "format the output with the project's Prettier and its settings (otherwise, the output has Prettier's standard style)",
  },
  {
    name: "frozen",
    kind: "switch",
    description:
      "with a config: fail if a document or the lock file would change",
  },
  ...remoteOptions,
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
    choices: ["text", "json", "github", "sarif"],
    default: "text",
    description: "format of diagnostics and summary",
  },
  {
    name: "progress",
    kind: "choice",
    value: "style",
    choices: ["auto", "json", "none"],
    default: "auto",
    description:
      "progress on standard error: a line on a terminal (auto), a JSON object per line (json), or none",
  },
  {
    name: "verbose",
    kind: "switch",
    description:
      "show info diagnostics, unchanged files and the time of each stage",
  },
  {
    name: "quiet",
    kind: "switch",
    excludes: "verbose",
    description: "show only errors",
  },
] as const satisfies readonly OptionRow[];

/** Rows of the options of code generation. */
export const options: readonly OptionRow[] = OPTIONS;

/** Converts a property name to a command-line flag: `dryRun` to `--dry-run`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Converts a property name to the name of an environment variable: `dryRun` to
 * GEN_DRY_RUN. `prefix` is inserted after GEN_.
 */
export function variableOf(name: string, prefix = ""): string {
  return `GEN_${prefix}${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Returns the default value of an option. */
export function defaultOf(row: OptionRow): unknown {
  return row.kind === "choices" && row.default !== undefined
    ? [row.default]
    : row.default;
}

/**
 * Parses names separated by commas; returns undefined if a name is not an
 * allowed choice.
 */
export function parseChoices(
  value: string,
  choices: readonly string[],
): string[] | undefined {
  const names = value.split(",").map((name) => name.trim());
  return names.every((name) => choices.includes(name)) ? names : undefined;
}

type Row = (typeof OPTIONS)[number];

type ValueOf<R extends OptionRow> = R extends { readonly kind: "switch" }
  ? boolean
  : R extends {
        readonly kind: "choice";
        readonly choices: readonly (infer C)[];
      }
    ? C
    : R extends { readonly kind: "text" }
      ? string
      : readonly string[];

/** Options that always have a value: those with a default, and required ones. */
type SetRow = Extract<
  Row,
  { readonly default: unknown } | { readonly required: true }
>;

/** Option values, keyed by property name. */
export type OptionValues = {
  readonly [R in SetRow as R["name"]]: ValueOf<R>;
} & {
  readonly [R in Exclude<Row, SetRow> as R["name"]]?: ValueOf<R>;
};
