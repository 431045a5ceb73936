import { closest } from "../../diagnostics/closest.js";
import { isRemovedIn } from "../../runtime/rules/versions.js";

/** Command-line flag of `apigeectl`. */
interface ToolFlag {
  readonly name: string;
  /** Alternative names of the flag. */
  readonly aliases?: readonly string[];
  /**
   * Type of the flag's value, or the allowed values; absent if the flag has no
   * value.
   */
  readonly value?: "text" | "dry-run" | readonly string[];
  /** True if the flag accepts several values, separated by commas. */
  readonly isList?: true;
  /** Last version that supports the flag. */
  readonly until?: string;
}

/** Subcommand of `apigeectl`. */
interface ToolCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly ToolFlag[];
  /**
   * Flags of which at least one is required. Without them, the command would
   * affect the complete installation.
   */
  readonly needsOneOf?: readonly string[];
}

const OVERRIDES: ToolFlag = {
  name: "-f",
  aliases: ["--file-override-config"],
  value: "text",
};
const DRY_RUN: ToolFlag = { name: "--dry-run", value: "dry-run" };
const PRINT_YAML: ToolFlag = { name: "--print-yaml" };
const SCOPES: readonly ToolFlag[] = [
  { name: "--datastore" },
  { name: "--telemetry" },
  { name: "--org" },
  { name: "--env", value: "text" },
  { name: "--all-envs" },
];
const SETTINGS: ToolFlag = {
  name: "-s",
  aliases: ["--settings"],
  value: ["virtualhost", "virtualhosts"],
};

/**
 * Subcommands and flags of `apigeectl`. The planner and `gen upgrade tool` use
 * this table to validate command lines.
 */
export const toolCommands: readonly ToolCommand[] = [
  {
    name: "init",
    summary: "installs operators and custom resource definitions (CRDs)",
    flags: [OVERRIDES, DRY_RUN, PRINT_YAML],
  },
  {
    name: "apply",
    summary: "installs the runtime, or selected components",
    flags: [OVERRIDES, DRY_RUN, ...SCOPES, SETTINGS, PRINT_YAML],
  },
  {
    name: "check-ready",
    summary: "reports whether all pods are ready",
    flags: [OVERRIDES],
  },
  {
    name: "delete",
    summary: "removes the runtime, or selected components",
    flags: [
      OVERRIDES,
      DRY_RUN,
      ...SCOPES,
      SETTINGS,
      {
        name: "-c",
        aliases: ["--components"],
        value: [
          "mart",
          "connect-agent",
          "synchronizer",
          "runtime",
          "udca",
          "metrics",
          "logger",
          "cassandra",
        ],
        isList: true,
        until: "1.2",
      },
      { name: "--all" },
    ],
    needsOneOf: [
      "-s",
      "-c",
      "--all",
      "--datastore",
      "--telemetry",
      "--org",
      "--env",
      "--all-envs",
    ],
  },
  {
    name: "encode",
    summary: "prints the hashed names of deployments",
    flags: [OVERRIDES, { name: "--org" }, { name: "--env", value: "text" }],
  },
];

/** Information that is needed to validate an `apigeectl` command line. */
interface ToolCheckOptions {
  /** Version of `apigeectl`. */
  readonly version: string;
  /**
   * Value that the installed kubectl version accepts for `--dry-run`; absent if
   * unknown.
   */
  readonly dryRun?: "true" | "client";
  /** Environment names in the overrides file; absent if unknown. */
  readonly environments?: readonly string[];
}

interface ParsedFlag {
  readonly flag: ToolFlag;
  readonly written: string;
  readonly value?: string;
}

/**
 * Validates an `apigeectl` command line. Returns a list of problems, which is
 * empty if the command line is valid.
 */
export function checkToolCommand(
  args: readonly string[],
  options: ToolCheckOptions,
): string[] {
  const toolArgs =
    args[0]?.endsWith("apigeectl") === true ? args.slice(1) : args;
  const [name = "", ...rest] = toolArgs;
  const command = toolCommands.find((row) => row.name === name);
  if (command === undefined) {
    const names = toolCommands.map((row) => row.name);
    const suggestion = closest(name, names);
    return [
      `${JSON.stringify(name)} is not a command; ${suggestion === undefined ? `expected one of ${names.join(", ")}` : `did you mean ${suggestion}?`}`,
    ];
  }
  const { parsedFlags, problems } = readFlags(command, rest);
  return [
    ...problems,
    ...parsedFlags.flatMap((parsed) => checkValue(parsed, options)),
    ...checkCombination(command, parsedFlags),
  ];
}

function readFlags(
  command: ToolCommand,
  toolArgs: readonly string[],
): { parsedFlags: ParsedFlag[]; problems: string[] } {
  const parsedFlags: ParsedFlag[] = [];
  const problems: string[] = [];
  for (let index = 0; index < toolArgs.length; index++) {
    const [written = "", ...rest] = toolArgs[index]!.split("=");
    const flag = command.flags.find(
      ({ name, aliases = [] }) => name === written || aliases.includes(written),
    );
    if (flag === undefined) {
      problems.push(unknownFlag(command, written));
      continue;
    }
    const inline = rest.length > 0 ? rest.join("=") : undefined;
    const next = toolArgs[index + 1];
    const takesNext =
      flag.value !== undefined &&
      flag.value !== "dry-run" &&
      inline === undefined &&
      next !== undefined &&
      !next.startsWith("-");
    if (takesNext) index++;
    const value = takesNext ? next : inline;
    parsedFlags.push({
      flag,
      written,
      ...(value === undefined ? {} : { value }),
    });
  }
  return { parsedFlags, problems };
}

function unknownFlag({ name, flags }: ToolCommand, written: string): string {
  const names = flags.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])]);
  const suggestion = closest(written, names);
  const hint =
    suggestion === undefined
      ? `expected one of ${names.join(", ")}`
      : `did you mean ${suggestion}?`;
  return written.startsWith("-")
    ? `${name} has no flag ${written}; ${hint}`
    : `${name} does not accept the argument ${JSON.stringify(written)}; ${hint}`;
}

function checkValue(
  { flag, written, value }: ParsedFlag,
  { version, dryRun, environments }: ToolCheckOptions,
): string[] {
  if (isRemovedIn(flag, version))
    return [
      `${written} was removed after ${flag.until}; use the old apigeectl, with --tool-version ${flag.until} here`,
    ];
  if (flag.value === undefined)
    return value === undefined ? [] : [`${written} takes no value`];
  if (flag.value === "dry-run") return checkDryRun(written, value, dryRun);
  if (value === undefined || value === "")
    return [`${written} requires a value`];
  if (flag.name === "--env" && environments?.includes(value) === false)
    return [
      `${written} ${value}: the overrides file has no such environment; its environments are ${environments.join(", ")}`,
    ];
  if (flag.value === "text") return [];
  const choices = flag.value;
  const parts = flag.isList === true ? value.split(",") : [value];
  return parts
    .filter((part) => !choices.includes(part))
    .map(
      (part) =>
        `${written} must be one of ${choices.join(", ")}, found ${JSON.stringify(part)}`,
    );
}

function checkDryRun(
  written: string,
  value: string | undefined,
  dryRun: "true" | "client" | undefined,
): string[] {
  if (value === undefined)
    return [
      `${written} must have a value: =true for kubectl up to 1.17, =client since 1.18`,
    ];
  if (value !== "true" && value !== "client")
    return [`${written} must be true or client, found ${value}`];
  if (dryRun !== undefined && value !== dryRun)
    return [
      `${written} must be ${dryRun} for this version of kubectl, found ${value}`,
    ];
  return [];
}

function checkCombination(
  { name, flags, needsOneOf }: ToolCommand,
  parsedFlags: readonly ParsedFlag[],
): string[] {
  const has = (flag: string): boolean =>
    parsedFlags.some((parsed) => parsed.flag.name === flag);
  const problems: string[] = [];
  if (flags.some((flag) => flag.name === "-f") && !has("-f"))
    problems.push(
      `${name} requires -f with the overrides file, such as ${name} -f overrides.yaml`,
    );
  if (has("--env") && has("--all-envs"))
    problems.push("--env and --all-envs can't be used together");
  if (needsOneOf !== undefined && !needsOneOf.some(has))
    problems.push(
      `${name} requires one of ${needsOneOf.join(", ")}; otherwise it would remove everything`,
    );
  return problems;
}

/**
 * Returns the value that a kubectl version accepts for `--dry-run`: `true` up
 * to 1.17, `client` since 1.18; undefined for an invalid version.
 */
export function dryRunValue(version: string): "true" | "client" | undefined {
  const found = /^v?1\.(\d+)/.exec(version.trim());
  if (found === null) return undefined;
  return Number(found[1]) <= 17 ? "true" : "client";
}

/**
 * Parses the version in the output of `kubectl version --client`; all of its
 * output formats are supported.
 */
export function parseKubectlVersion(output: string): string | undefined {
  return /(?:GitVersion:\s*"|"gitVersion":\s*"|Client Version:\s*)v(\d+\.\d+[\d.]*)/.exec(
    output,
  )?.[1];
}
