import type { Command, CommandRow } from "../command.js";
import type { AdminSpec } from "./marketplace.js";

/** Subcommands of `gen marketplace` with their summaries. */
const rows: readonly (readonly [
  operation: keyof typeof import("./marketplace.js").specs,
  summary: string,
])[] = [
  ["owner add", "Adds an owner account for selling items."],
  ["key create", "Creates an API key for an owner and prints it once."],
  [
    "key rotate",
    "Creates a new API key and revokes the owner's previous keys.",
  ],
  ["key revoke", "Revokes an owner's API keys."],
  ["import items", "Imports items from JSON or CSV."],
  ["import purchases", "Imports purchases from JSON or CSV."],
];

/** Rows of the `gen marketplace` subcommands in the command table. */
export const marketplaceCommands: readonly CommandRow[] = rows.map(
  ([operation, summary]) => ({
    name: `marketplace ${operation}`,
    summary,
    load: async (): Promise<Command> => {
      const { commandOf, specs } = await import("./marketplace.js");
      const spec: AdminSpec = specs[operation];
      return commandOf(operation, spec);
    },
  }),
);
