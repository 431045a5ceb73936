import { validateProfile } from "../../../generated/marketplace/v1/validators.js";
import { audit } from "../audit.js";
import { formatCount } from "../../diagnostics/format-count.js";
import {
  type AdminCommand,
  AdminError,
  type ServiceContext,
} from "../service.js";
import type { Json, Store, Transaction } from "../store/store.js";
import { type Owner, tables, USERNAME } from "./data.js";
import { itemColumns, prepareItems, putItems } from "./import/items.js";
import {
  preparePurchases,
  purchaseColumns,
  putPurchases,
} from "./import/purchases.js";
import { type Format, readRows } from "./import/rows.js";
import { createKey, requireOwner, revokeKeys, rotateKey } from "./keys.js";

/**
 * Administration operation. The argument `now` is the current time in ISO 8601
 * format.
 */
type Operation = (
  store: Store,
  input: CommandInput,
  now: string,
) => Promise<Json>;

/** Administration operations, keyed by name. */
const operations: Readonly<Record<string, Operation>> = {
  "owner add": (store, input, now) => addOwner(store, ownerOf(input, now)),
  "key create": async (store, input, now) => ({
    ...(await createKey(store, input.text("owner"), now)),
  }),
  "key rotate": async (store, input, now) => ({
    ...(await rotateKey(
      store,
      input.text("owner"),
      input.optionalText("id"),
      now,
    )),
  }),
  "key revoke": async (store, input) => ({
    revoked: await revokeKeys(
      store,
      input.text("owner"),
      input.optionalText("id"),
    ),
  }),
  "import items": async (store, input, now) => ({
    ...(await importItems(store, importOf(input, now))),
  }),
  "import purchases": async (store, input, now) => ({
    ...(await importPurchases(store, importOf(input, now))),
  }),
};

/** Runs an administration command. */
export async function admin(
  { store, now, log }: ServiceContext,
  { operation, input, actor = "" }: AdminCommand,
): Promise<Json> {
  const run = Object.hasOwn(operations, operation)
    ? operations[operation]
    : undefined;
  if (run === undefined)
    throw new AdminError(`unknown marketplace command '${operation}'`);
  const command = new CommandInput(input);
  const result = await run(store, command, new Date(now()).toISOString());
  const { id, username, imported, revoked } = Object(result) as {
    readonly [member: string]: Json | undefined;
  };
  audit(log, {
    service: "marketplace",
    action: operation,
    actor,
    target: command.optionalText("owner") ?? String(username ?? ""),
    before: revoked,
    after: id ?? username ?? imported,
  });
  return result;
}

/**
 * Class that reads the unvalidated input of a command and checks the types of
 * members.
 */
class CommandInput {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(value: Json) {
    this.#values = Object(value) as Readonly<Record<string, unknown>>;
  }

  /** @throws AdminError if the member is missing */
  text(name: string): string {
    const value = this.optionalText(name);
    if (value === undefined) throw new AdminError(`${name} is missing`);
    return value;
  }

  optionalText(name: string): string | undefined {
    const value = Object.hasOwn(this.#values, name)
      ? this.#values[name]
      : undefined;
    return typeof value === "string" && value !== "" ? value : undefined;
  }
}

function importOf(input: CommandInput, now: string): ImportOptions {
  return {
    owner: input.text("owner"),
    text: input.text("text"),
    format: input.text("format") === "csv" ? "csv" : "json",
    isPartial: input.optionalText("partial") === "true",
    now,
  };
}

/** @throws AdminError for an invalid value */
function ownerOf(input: CommandInput, now: string): Owner {
  const username = input.text("username");
  if (!USERNAME.test(username))
    throw new AdminError(
      "username must be 1 to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit",
    );
  const email = input.text("email");
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254)
    throw new AdminError("email must be an email address");
  const balance = Number(input.optionalText("balance") ?? "0");
  if (!Number.isFinite(balance))
    throw new AdminError("balance must be a number");
  const currency = input.optionalText("currency") ?? "USD";
  if (!/^[A-Z]{3}$/.test(currency))
    throw new AdminError("currency must be a currency code such as USD");
  return {
    username,
    firstname: input.optionalText("firstname") ?? "",
    lastname: input.optionalText("lastname") ?? "",
    email,
    balance,
    currency,
    profile: profileOf(input, email),
    registeredAt: now,
  };
}

/**
 * Parses and validates a profile. Absent members are replaced with empty
 * values.
 */
function profileOf(input: CommandInput, email: string): Owner["profile"] {
  const text = input.optionalText("profile") ?? "{}";
  let profile: Owner["profile"];
  try {
    profile = JSON.parse(text) as Owner["profile"];
  } catch {
    throw new AdminError("profile must be valid JSON");
  }
  const settings = { partial: true, unknownFields: "reject" } as const;
  const validation = validateProfile(profile, settings);
  if (!validation.valid)
    throw new AdminError(
      "profile is invalid",
      validation.errors.map(
        ({ pointer, message }) => `profile${pointer} ${message}`,
      ),
    );
  return {
    heading: profile.heading ?? "",
    description: profile.description ?? "",
    contact: { email: profile.contact?.email ?? email },
    social_links: profile.social_links ?? {},
    media: {
      avatar: profile.media?.avatar ?? "",
      cover: profile.media?.cover ?? "",
    },
  };
}

/**
 * Stores a new owner.
 *
 * @throws AdminError if the user name is already in use
 */
export async function addOwner(store: Store, owner: Owner): Promise<Json> {
  await store.transaction(async (tx) => {
    if ((await tx.get(tables.owners, owner.username)) !== undefined)
      throw new AdminError(`the owner '${owner.username}' already exists`);
    tx.put(tables.owners, owner.username, owner);
  });
  return { username: owner.username };
}

/**
 * Text of the import file, and user name of the owner of its items or
 * purchases.
 */
interface ImportOptions {
  readonly owner: string;
  readonly text: string;
  readonly format: Format;
  /**
   * True to import the valid rows even if other rows have problems. If false,
   * any problem prevents the import.
   */
  readonly isPartial: boolean;
  /** ISO 8601. */
  readonly now: string;
}

/**
 * Number of imported rows, and messages about the rows that were not imported.
 */
interface ImportResult {
  readonly imported: number;
  readonly problems: readonly string[];
}

/**
 * Imports items from a file.
 *
 * @throws AdminError if the import fails; the store is unchanged in this case
 */
function importItems(
  store: Store,
  options: ImportOptions,
): Promise<ImportResult> {
  const { text, format, owner, now } = options;
  const rows = readRows(text, format, itemColumns, "items");
  return inTransaction(store, options, async (tx) => {
    const { items, problems } = await prepareItems(rows, owner, tx, now);
    throwProblems(problems, options);
    if (items.length > 0) await putItems(tx, owner, items);
    return { imported: items.length, problems };
  });
}

/**
 * Imports purchases from a file.
 *
 * @throws AdminError if the import fails; the store is unchanged in this case
 */
function importPurchases(
  store: Store,
  options: ImportOptions,
): Promise<ImportResult> {
  const { text, format, owner } = options;
  const rows = readRows(text, format, purchaseColumns, "purchases");
  return inTransaction(store, options, async (tx) => {
    const { purchases, problems } = await preparePurchases(rows, owner, tx);
    throwProblems(problems, options);
    putPurchases(tx, owner, purchases);
    return { imported: purchases.length, problems };
  });
}

function inTransaction(
  store: Store,
  { owner }: ImportOptions,
  run: (tx: Transaction) => Promise<ImportResult>,
): Promise<ImportResult> {
  return store.transaction(async (tx) => {
    await requireOwner(tx, owner);
    return run(tx);
  });
}

function throwProblems(
  problems: readonly string[],
  { isPartial }: ImportOptions,
): void {
  if (isPartial || problems.length === 0) return;
  const count = formatCount(problems.length, "problem");
  throw new AdminError(`the file has ${count}; nothing was imported`, problems);
}
