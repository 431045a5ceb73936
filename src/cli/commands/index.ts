import type { CommandRow } from "../command.js";
import { generate } from "./generate.js";
import { adminCommands } from "./admin-table.js";

/**
 * Table of the commands. The first command is the default and is always loaded.
 * The other commands are imported from files in this folder when they are used.
 */
export const commands: readonly [CommandRow, ...CommandRow[]] = [
  {
    name: "generate",
    summary:
      "Generates typed TypeScript from API description documents (discovery#restDescription).",
    load: () => generate,
  },
  {
    name: "docs",
    summary: "Writes a static site with reference documentation of APIs.",
    load: async () => (await import("./docs.js")).docs,
  },
  {
    name: "validate",
    summary:
      "Checks API description documents and reports what their authors should fix.",
    load: async () => (await import("./validate.js")).validate,
  },
  {
    name: "init",
    summary:
      "Writes a config file; prompts for missing settings on a terminal.",
    load: async () => (await import("./init.js")).init,
  },
  {
    name: "doctor",
    summary:
      "Checks the config, documents, output and tools of a project, and prints how to fix problems.",
    load: async () => (await import("./doctor.js")).doctor,
  },
  {
    name: "completion",
    summary: "Prints a completion script for bash, zsh or fish.",
    load: async () => (await import("./completion.js")).completion,
  },
  {
    name: "complete",
    summary: "Prints the words that can follow on a command line.",
    isHidden: true,
    load: async () => (await import("./complete.js")).completeOf(commands),
  },
  {
    name: "add",
    summary:
      "Adds APIs to the config: fetches their documents and pins them in gen.lock.json.",
    load: async () => (await import("./add.js")).add,
  },
  {
    name: "remove",
    summary:
      "Removes APIs from the config, with their documents, lock entries and output.",
    load: async () => (await import("./remove.js")).remove,
  },
  {
    name: "fetch",
    summary: "Updates fetched documents and gen.lock.json.",
    load: async () => (await import("./fetch.js")).fetch,
  },
  {
    name: "outdated",
    summary:
      "Compares the locked documents with the latest published documents.",
    load: async () => (await import("./outdated.js")).outdated,
  },
  {
    name: "update",
    summary:
      "Fetches the latest documents, generates the APIs and reports the changes.",
    load: async () => (await import("./update.js")).update,
  },
  {
    name: "migrate googleapis",
    summary:
      "Migrates code from googleapis to generated clients; prints a diff, or writes the files.",
    load: async () =>
      (await import("./migrate-googleapis.js")).migrateGoogleapisCommand,
  },
  {
    name: "scaffold",
    summary:
      "Writes a service for a generated server, or adds handlers for new methods to an existing one.",
    load: async () => (await import("./scaffold.js")).scaffold,
  },
  {
    name: "patch new",
    summary: "Writes a patch from an edited copy of a description.",
    load: async () => (await import("./patch.js")).patchNew,
  },
  {
    name: "patch check",
    summary: "Reports which patch operations apply to a description.",
    load: async () => (await import("./patch.js")).patchCheck,
  },
  {
    name: "patch prune",
    summary:
      "Removes patch operations whose changes a description already contains.",
    load: async () => (await import("./patch.js")).patchPrune,
  },
  {
    name: "diff",
    summary:
      "Compares descriptions and reports changes that break clients, servers or generated types.",
    load: async () => (await import("./diff.js")).diff,
  },
  {
    name: "changelog",
    summary:
      "Prints changes between documents as Markdown: added, changed, deprecated, removed.",
    load: async () => (await import("./changelog.js")).changelog,
  },
  {
    name: "deprecations",
    summary:
      "Lists what is deprecated, and what was removed without a deprecation first.",
    load: async () => (await import("./deprecations.js")).deprecations,
  },
  {
    name: "scopes",
    summary: "Prints the least OAuth scopes for the calls of code.",
    load: async () => (await import("./scopes.js")).scopes,
  },
  {
    name: "overrides validate",
    summary:
      "Checks overrides files of the Apigee hybrid runtime and reports errors with line and column.",
    load: async () =>
      (await import("./overrides-validate.js")).overridesValidate,
  },
  {
    name: "overrides rewrite",
    summary:
      "Converts an overrides file from version 1.2 to 1.3 and lists the remaining manual changes.",
    load: async () => (await import("./overrides-rewrite.js")).overridesRewrite,
  },
  {
    name: "upgrade plan",
    summary:
      "Prints the steps of an upgrade of the Apigee hybrid runtime from version 1.2.",
    load: async () => (await import("./upgrade-plan.js")).upgradePlan,
  },
  {
    name: "upgrade run",
    summary: "Runs or resumes an upgrade, step by step.",
    load: async () => (await import("./upgrade-run.js")).upgradeRun,
  },
  {
    name: "upgrade status",
    summary: "Shows the progress of an upgrade.",
    load: async () => (await import("./upgrade-status.js")).upgradeStatus,
  },
  {
    name: "upgrade tool",
    summary: "Checks an apigeectl command line without running it.",
    load: async () => (await import("./upgrade-tool.js")).upgradeTool,
  },
  {
    name: "serve",
    summary:
      "Runs services, or mocks of APIs, on one HTTP port until the process receives a signal.",
    load: async () => (await import("./serve.js")).serve,
  },
  {
    name: "store move",
    summary: "Moves existing data of the services to tables of PostgreSQL.",
    load: async () => (await import("./store-move.js")).storeMove,
  },
  ...adminCommands,
];
