import type { CommandRow } from "../command.js";
import { generate } from "./generate.js";
import { marketplaceCommands } from "./marketplace-table.js";

/**
 * All commands; the first one is meant where none is named, and is loaded at
 * once. A further command is a file in this folder and a row here, with
 * `load: async () => (await import("./list.js")).list`.
 */
export const commands: readonly [CommandRow, ...CommandRow[]] = [
  {
    name: "generate",
    summary:
      "Generates typed TypeScript from API description documents (discovery#restDescription).",
    load: () => generate,
  },
  {
    name: "scaffold",
    summary:
      "Writes a starting implementation of a generated server's service, and adds to it what is new.",
    load: async () => (await import("./scaffold.js")).scaffold,
  },
  {
    name: "overrides validate",
    summary:
      "Checks overrides files of the hybrid runtime: all mistakes, with line and column.",
    load: async () =>
      (await import("./overrides-validate.js")).overridesValidate,
  },
  {
    name: "overrides rewrite",
    summary:
      "Rewrites an overrides file from 1.2 to 1.3 and says what has to be done elsewhere.",
    load: async () => (await import("./overrides-rewrite.js")).overridesRewrite,
  },
  {
    name: "upgrade plan",
    summary: "Prints the steps of an upgrade of the hybrid runtime from 1.2.",
    load: async () => (await import("./upgrade-plan.js")).upgradePlan,
  },
  {
    name: "upgrade run",
    summary: "Carries out an upgrade, step by step, and can go on.",
    load: async () => (await import("./upgrade-run.js")).upgradeRun,
  },
  {
    name: "upgrade status",
    summary: "Shows how far an upgrade is.",
    load: async () => (await import("./upgrade-status.js")).upgradeStatus,
  },
  {
    name: "upgrade tool",
    summary: "Checks a command line of the control tool, and runs nothing.",
    load: async () => (await import("./upgrade-tool.js")).upgradeTool,
  },
  {
    name: "serve",
    summary:
      "Runs services, or mocks of any API: HTTP on one port, until it is told to stop.",
    load: async () => (await import("./serve.js")).serve,
  },
  ...marketplaceCommands,
];
