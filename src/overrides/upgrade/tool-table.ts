/** A flag of the control tool. */
export interface ToolFlag {
  readonly name: string;
  /** Other spellings. */
  readonly aliases?: readonly string[];
  /** Whether it takes a value, and which; a list of choices is separated by commas. */
  readonly value?: "text" | "dry-run" | readonly string[];
  /** Several values, separated by commas. */
  readonly isList?: true;
  /** Last version that has it. */
  readonly until?: string;
}

/** A command of the control tool. */
export interface ToolCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly ToolFlag[];
  /** Without one of these it would do everything. */
  readonly needsOneOf?: readonly string[];
}

const OVERRIDES: ToolFlag = {
  name: "-f",
  aliases: ["--file-override-config"],
  value: "text",
};
const DRY_RUN: ToolFlag = { name: "--dry-run", value: "dry-run" };
const PRINT: ToolFlag = { name: "--print-yaml" };
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

/** All commands of the control tool, with their flags: planner, runner and checker read this. */
export const toolCommands: readonly ToolCommand[] = [
  {
    name: "init",
    summary: "installs operators and resource definitions",
    flags: [OVERRIDES, DRY_RUN, PRINT],
  },
  {
    name: "apply",
    summary: "installs the runtime, or a part of it",
    flags: [OVERRIDES, DRY_RUN, ...SCOPES, SETTINGS, PRINT],
  },
  {
    name: "check-ready",
    summary: "tells whether all pods are ready",
    flags: [OVERRIDES],
  },
  {
    name: "delete",
    summary: "removes the runtime, or a part of it",
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
