// This file is longer than others because it contains all commands of the
// marketplace with their options.

import type { Item, Owner } from "../../../generated/admin/v1/schemas.js";
import type { OptionRow } from "../../generate/options.js";
import { definedMembers } from "../../platform/defined-members.js";
import type { Column } from "../../services/marketplace/import/columns.js";
import { itemColumns } from "../../services/marketplace/import/items.js";
import { purchaseColumns } from "../../services/marketplace/import/purchases.js";
import type { Context } from "../command.js";
import {
  type AdminSpec,
  changes,
  formatOption,
  numberOf,
  printKey,
  printList,
  printProblems,
  readObject,
  readText,
  texts,
  timeOf,
  type Values,
} from "./admin.js";

const owner: OptionRow = {
  name: "owner",
  kind: "text",
  value: "username",
  required: true,
  description: "user name of the owner",
};

const username: OptionRow = { ...owner, name: "username" };

const ID = texts({
  id: "id of the key to revoke, as printed by gen marketplace key create (default: all keys of the owner)",
});

const EXPIRES = texts(
  {
    expires:
      "time from which the new key is invalid, such as 2026-12-31 (default: never)",
  },
  [],
  { expires: "time" },
);

const account = texts(
  {
    email: "email address",
    firstname: "first name",
    lastname: "last name",
    currency: "currency code (default: USD)",
    balance: "balance of the account (default: 0)",
    profile: "JSON file that contains the profile of the owner",
  },
  [],
  { profile: "file" },
);

/** Returns the members of an owner that options contain. */
function accountOf(values: Values, { cwd }: Context): Partial<Owner> {
  const { email, firstname, lastname, currency, profile } = values as Readonly<
    Record<string, string | undefined>
  >;
  return definedMembers({
    email,
    firstname,
    lastname,
    currency,
    balance: numberOf(values, "balance"),
    profile:
      profile === undefined ? undefined : readObject(profile, cwd, "profile"),
  });
}

const importFile: Pick<AdminSpec, "options" | "operands"> = {
  operands: {
    name: "file",
    description: "JSON or CSV file; - for standard input",
  },
  options: [
    owner,
    {
      name: "format",
      kind: "choice",
      value: "form",
      choices: ["json", "csv"],
      description: "format of the file (default: derived from its extension)",
    },
    {
      name: "partial",
      kind: "switch",
      description:
        "import the valid rows and report the invalid rows (default: import nothing if a row is invalid)",
    },
  ],
};

function importOf(resource: "items" | "purchases"): AdminSpec["run"] {
  return async (admin, values, { cwd, output }) => {
    const { owner, file, format, partial } = values as {
      readonly owner: string;
      readonly file: string;
      readonly format?: string;
      readonly partial?: boolean;
    };
    const body = readText(file, cwd);
    const isCsv =
      (format ?? (file.toLowerCase().endsWith(".csv") ? "csv" : "json")) ===
      "csv";
    const { imported, problems } = await admin.owners[resource].import(
      {
        owner,
        partial: partial === true,
        media: {
          body,
          mimeType: isCsv ? "text/csv" : "application/json",
        },
      },
      { upload: "media" },
    );
    output.out(`${imported} imported\n`);
    printProblems(problems, output);
  };
}

/**
 * Returns the part of the --help text that describes the columns of an import
 * file.
 */
function columnsHelp(columns: readonly Column[]): string {
  const names = columns.map(({ name, isRequired }) =>
    isRequired === true ? `${name}*` : name,
  );
  const lines = names.reduce<string[]>(
    (rows, name) => {
      const last = `${rows.at(-1)!}${name}, `;
      return last.length > 78
        ? [...rows, `  ${name}, `]
        : [...rows.slice(0, -1), last];
    },
    ["  "],
  );
  return `
CSV columns (* marks required columns; list values are separated by |):
${lines.join("\n").replace(/, $/, "").replace(/ \n/g, "\n")}
A JSON file contains an array of objects with these members, nested as in responses
of the API: \`price.regular\` is \`{"price": {"regular": 10}}\`. An imported item or
purchase replaces an existing one with the same id or code.
`;
}

/** Commands that suspend an owner or end the suspension. */
function suspension(suspended: boolean): AdminSpec {
  return {
    options: [username],
    async run(admin, values, { output }) {
      const name = values["username"] as string;
      const requestBody = { suspended };
      await admin.owners.patch({ owner: name, requestBody });
      output.out(`${suspended ? "suspended" : "resumed"} ${name}\n`);
    },
  };
}

const itemId = texts({ id: "id of the item" }, ["id"]);
const code = texts({ code: "code of the purchase" }, ["code"]);

/** Commands that administer the marketplace service, keyed by name. */
export const specs = {
  "owner add": {
    options: [
      ...texts(
        {
          username:
            "name of the account: letters, digits, dots, dashes and underscores",
        },
        ["username"],
      ),
      ...account.map((row) =>
        row.name === "email" ? { ...row, required: true } : row,
      ),
    ],
    async run(admin, values, context) {
      const requestBody = {
        username: values["username"] as string,
        ...(accountOf(values, context) as { readonly email: string }),
      };
      const added = await admin.owners.create({ requestBody });
      context.output.out(`added ${added.username}\n`);
    },
  },
  "owner list": {
    options: [formatOption],
    run: (admin, values, { output }) =>
      printList(
        admin.owners.list({ pageSize: 1000 }),
        values,
        output,
        {
          username: (row) => row.username,
          email: (row) => row.email,
          registered: (row) => row.registered_at,
          suspended: (row) => row.suspended_at,
        },
        "no owners",
      ),
  },
  "owner update": {
    options: [username, ...account],
    async run(admin, values, context) {
      const name = values["username"] as string;
      const requestBody = changes(accountOf(values, context));
      await admin.owners.patch({ owner: name, requestBody });
      context.output.out(`updated ${name}\n`);
    },
  },
  "owner suspend": suspension(true),
  "owner resume": suspension(false),
  "key list": {
    options: [owner, formatOption],
    run: (admin, values, { output }) =>
      printList(
        admin.owners.keys.list({
          owner: values["owner"] as string,
          pageSize: 1000,
        }),
        values,
        output,
        {
          id: (row) => row.id,
          created: (row) => row.created_at,
          expires: (row) => row.expires_at,
          "last used": (row) => row.last_used_at,
        },
        "no keys",
      ),
  },
  "key create": {
    options: [owner, ...EXPIRES],
    async run(admin, values, { output }) {
      const created = await admin.owners.keys.create({
        owner: values["owner"] as string,
        requestBody: expiryOf(values),
      });
      printKey(created, output);
    },
  },
  "key update": {
    options: [
      owner,
      ...texts(
        {
          id: "id of the key",
          expires:
            "time from which the key is invalid, such as 2026-12-31, or never",
        },
        ["id", "expires"],
        { expires: "time" },
      ),
    ],
    async run(admin, values, { output }) {
      const id = values["id"] as string;
      const expires_at = timeOf(values, "expires")!;
      const owner = values["owner"] as string;
      const requestBody = { expires_at };
      await admin.owners.keys.patch({ owner, id, requestBody });
      output.out(`updated ${id}\n`);
    },
  },
  "key rotate": {
    options: [owner, ...ID, ...EXPIRES],
    async run(admin, values, { output }) {
      const created = await admin.owners.keys.rotate({
        owner: values["owner"] as string,
        requestBody: {
          ...definedMembers({ id: values["id"] as string | undefined }),
          ...expiryOf(values),
        },
      });
      printKey(created, output);
    },
  },
  "key revoke": {
    options: [owner, ...ID],
    async run(admin, values, { output }) {
      const { revoked } = await admin.owners.keys.revoke({
        owner: values["owner"] as string,
        requestBody: definedMembers({ id: values["id"] as string | undefined }),
      });
      output.out(
        revoked.length === 0 ? "no keys\n" : `revoked ${revoked.join(", ")}\n`,
      );
    },
  },
  "item list": {
    options: [owner, formatOption],
    run: (admin, values, { output }) =>
      printList(
        admin.owners.items.list({
          owner: values["owner"] as string,
          pageSize: 1000,
        }),
        values,
        output,
        {
          id: (row) => row.id,
          kind: (row) => row.kind,
          state: (row) => row.state,
          version: (row) => row.version,
          name: (row) => row.name,
        },
        "no items",
      ),
  },
  "item update": {
    options: [
      owner,
      ...itemId,
      {
        name: "state",
        kind: "choice",
        value: "state",
        choices: ["approved", "pending", "rejected"],
        description: "state of the item; callers see only approved items",
      },
      ...texts(
        { patch: "JSON file with the members of the item to change" },
        [],
        { patch: "file" },
      ),
    ],
    async run(admin, values, { cwd, output }) {
      const { state, patch } = values as {
        readonly state?: Item["state"];
        readonly patch?: string;
      };
      const members =
        patch === undefined ? {} : readObject(patch, cwd, "patch");
      const { id } = await admin.owners.items.patch({
        owner: values["owner"] as string,
        item_id: numberOf(values, "id")!,
        requestBody: changes({ ...members, state }),
      });
      output.out(`updated ${id}\n`);
    },
  },
  "item delete": {
    options: [owner, ...itemId],
    async run(admin, values, { output }) {
      const item_id = numberOf(values, "id")!;
      await admin.owners.items.delete({
        owner: values["owner"] as string,
        item_id,
      });
      output.out(`deleted ${item_id}\n`);
    },
  },
  "purchase list": {
    options: [owner, formatOption],
    run: (admin, values, { output }) =>
      printList(
        admin.owners.purchases.list({
          owner: values["owner"] as string,
          pageSize: 1000,
        }),
        values,
        output,
        {
          code: (row) => row.purchase_code,
          item: (row) => row.item_id,
          license: (row) => row.license_type,
          price: (row) => row.price,
          currency: (row) => row.currency,
          date: (row) => row.date,
          supported: (row) => row.supported_until,
        },
        "no purchases",
      ),
  },
  "purchase add": {
    options: [
      owner,
      ...texts(
        {
          item: "id of the item that was bought",
          price: "price that was paid",
          currency: "currency code, such as USD",
          license: "type of the license (default: Regular)",
          code: "code of the purchase (default: a random code)",
          idempotencyKey:
            "key of the sale, such as the id of the order; a command that is repeated with the same key and values records the sale once (default: the code)",
          supportedUntil: "end of support (default: no support)",
          date: "time of the purchase (default: now)",
        },
        ["item", "price", "currency"],
        {
          item: "id",
          idempotencyKey: "key",
          supportedUntil: "time",
          date: "time",
        },
      ),
    ],
    async run(admin, values, { output }) {
      const purchase = await admin.owners.purchases.create({
        owner: values["owner"] as string,
        ...definedMembers({
          idempotencyKey: values["idempotencyKey"] as string | undefined,
        }),
        requestBody: {
          item_id: numberOf(values, "item")!,
          price: numberOf(values, "price")!,
          currency: values["currency"] as string,
          ...definedMembers({
            license_type: values["license"] as string | undefined,
            purchase_code: values["code"] as string | undefined,
            supported_until: timeOf(values, "supportedUntil") ?? undefined,
            date: timeOf(values, "date") ?? undefined,
          }),
        },
      });
      output.out(`${purchase.purchase_code}\n`);
    },
  },
  "purchase delete": {
    options: [owner, ...code],
    async run(admin, values, { output }) {
      await admin.owners.purchases.delete({
        owner: values["owner"] as string,
        purchase_code: values["code"] as string,
      });
      output.out("deleted\n");
    },
  },
  "import items": {
    ...importFile,
    help: columnsHelp(itemColumns),
    run: importOf("items"),
  },
  "import purchases": {
    ...importFile,
    help: columnsHelp(purchaseColumns),
    run: importOf("purchases"),
  },
} satisfies Readonly<Record<string, AdminSpec>>;

function expiryOf(values: Values): { expires_at?: string } {
  return definedMembers({ expires_at: timeOf(values, "expires") ?? undefined });
}
