/** Command-line flag of `apigeectl`. */
export interface ToolFlag {
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
export interface ToolCommand {
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
