import type { Command, CommandRow } from "../command.js";
import type { AdminSpec } from "./marketplace.js";

/** Administrators' commands of the marketplace, by what follows `gen marketplace`. */
const rows: readonly (readonly [
  operation: keyof typeof import("./marketplace.js").specs,
  summary: string,
])[] = [
  ["owner add", "Adds an owner, who sells items."],
  ["key create", "Makes an API key for an owner, and prints it, once."],
  ["key rotate", "Makes a new API key; the owner's old ones work no longer."],
  ["key revoke", "Ends an owner's API keys."],
  ["import items", "Puts in an owner's items, out of JSON or CSV."],
  ["import purchases", "Puts in an owner's purchases, out of JSON or CSV."],
];

/** The rows of these commands in the command table. */
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
