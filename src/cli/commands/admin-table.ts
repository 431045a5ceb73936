import type { Command, CommandRow } from "../command.js";
import type { AdminSpec } from "./admin.js";

/** Commands of a service with their summaries. */
type Summaries<Name extends string> = readonly (readonly [
  name: Name,
  summary: string,
])[];

const marketplace: Summaries<keyof typeof import("./marketplace.js").specs> = [
  ["owner add", "Adds an owner account for selling items."],
  ["owner list", "Lists the owners."],
  ["owner update", "Changes an owner."],
  ["owner suspend", "Suspends an owner; the owner's API keys are invalid."],
  ["owner resume", "Ends the suspension of an owner."],
  ["key list", "Lists an owner's API keys with expiry and last use."],
  ["key create", "Creates an API key for an owner and prints it once."],
  ["key update", "Changes the expiry of an API key."],
  [
    "key rotate",
    "Creates a new API key and revokes the owner's previous keys.",
  ],
  ["key revoke", "Revokes an owner's API keys."],
  ["item list", "Lists an owner's items."],
  ["item update", "Changes the state or other members of an item."],
  ["item delete", "Deletes an item that was not bought."],
  ["purchase list", "Lists an owner's purchases."],
  ["purchase add", "Records a sale once and prints the purchase code."],
  ["purchase delete", "Deletes a purchase, such as after a refund."],
  ["import items", "Imports items from JSON or CSV."],
  ["import purchases", "Imports purchases from JSON or CSV."],
];

const chat: Summaries<keyof typeof import("./chat.js").specs> = [
  ["key create", "Creates an API key of the chat service and prints it once."],
  ["key list", "Lists the API keys of the chat service."],
  ["key update", "Changes models, limits, budgets or expiry of an API key."],
  ["key revoke", "Revokes an API key of the chat service."],
  ["usage", "Prints the usage of the chat service as a table, JSON or CSV."],
];

const migration: Summaries<keyof typeof import("./migration.js").specs> = [
  ["list", "Lists the migrations of all organizations."],
  ["cancel", "Ends an unfinished export of a migration."],
  ["delete-archive", "Deletes the archive of a migration."],
];

/** Rows of the commands that call the admin API in the command table. */
export const adminCommands: readonly CommandRow[] = [
  ...rowsOf("marketplace", marketplace, async (name) => {
    return (await import("./marketplace.js")).specs[name];
  }),
  ...rowsOf("chat", chat, async (name) => {
    return (await import("./chat.js")).specs[name];
  }),
  ...rowsOf("migration", migration, async (name) => {
    return (await import("./migration.js")).specs[name];
  }),
];

function rowsOf<Name extends string>(
  service: string,
  summaries: Summaries<Name>,
  load: (name: Name) => Promise<AdminSpec>,
): CommandRow[] {
  return summaries.map(([name, summary]) => ({
    name: `${service} ${name}`,
    summary,
    load: async (): Promise<Command> => {
      const { commandOf } = await import("./admin.js");
      return commandOf(await load(name));
    },
  }));
}
