import { validateProfile } from "../../../generated/marketplace/v1/validators.js";
import {
  AdminError,
  type AdminCommand,
  type ServiceContext,
} from "../service.js";
import type { Json, Store } from "../store/store.js";
import { tables, USERNAME, type Owner } from "./data.js";
import {
  importItems,
  importPurchases,
  type ImportOptions,
} from "./import/run.js";
import { createKey, revokeKeys, rotateKey } from "./keys.js";

/** What an operation is given: the store, its input, and the time (ISO 8601). */
type Operation = (store: Store, input: Input, now: string) => Promise<Json>;

/** What administrators can ask for. */
const operations: Readonly<Record<string, Operation>> = {
  "owner add": (store, input, now) => addOwner(store, ownerOf(input, now)),
  "key create": async (store, input, now) => ({
    ...(await createKey(store, input.text("owner"), now)),
  }),
  "key rotate": async (store, input, now) => ({
    ...(await rotateKey(store, input.text("owner"), input.maybe("id"), now)),
  }),
  "key revoke": async (store, input) => ({
    revoked: await revokeKeys(store, input.text("owner"), input.maybe("id")),
  }),
  "import items": async (store, input, now) => ({
    ...(await importItems(store, importOf(input, now))),
  }),
  "import purchases": async (store, input, now) => ({
    ...(await importPurchases(store, importOf(input, now))),
  }),
};

/** Carries out an administrator's command. */
export function admin(
  { store, now }: ServiceContext,
  { operation, input }: AdminCommand,
): Promise<Json> {
  const run = Object.hasOwn(operations, operation)
    ? operations[operation]
    : undefined;
  if (run === undefined)
    throw new AdminError(`the marketplace knows no command '${operation}'`);
  return run(store, new Input(input), new Date(now()).toISOString());
}

/** Members of a command's input, which may be anything. */
class Input {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(value: Json) {
    this.#values = Object(value) as Readonly<Record<string, unknown>>;
  }

  /** @throws AdminError where it is missing */
  text(name: string): string {
    const value = this.maybe(name);
    if (value === undefined) throw new AdminError(`${name} is missing`);
    return value;
  }

  maybe(name: string): string | undefined {
    const value = Object.hasOwn(this.#values, name)
      ? this.#values[name]
      : undefined;
    return typeof value === "string" && value !== "" ? value : undefined;
  }
}

function importOf(input: Input, now: string): ImportOptions {
  return {
    owner: input.text("owner"),
    text: input.text("text"),
    format: input.text("format") === "csv" ? "csv" : "json",
    isPartial: input.maybe("partial") === "true",
    now,
  };
}

/** @throws AdminError for a value that an owner can't have */
function ownerOf(input: Input, now: string): Owner {
  const username = input.text("username");
  if (!USERNAME.test(username))
    throw new AdminError(
      "username has to be 1 to 64 letters, digits, dots, dashes and underscores, a letter or digit first",
    );
  const email = input.text("email");
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254)
    throw new AdminError("email has to be a mail address");
  const balance = Number(input.maybe("balance") ?? "0");
  if (!Number.isFinite(balance))
    throw new AdminError("balance has to be a number");
  const currency = input.maybe("currency") ?? "USD";
  if (!/^[A-Z]{3}$/.test(currency))
    throw new AdminError("currency has to be three capitals such as USD");
  return {
    username,
    firstname: input.maybe("firstname") ?? "",
    lastname: input.maybe("lastname") ?? "",
    email,
    balance,
    currency,
    profile: profileOf(input, email),
    registeredAt: now,
  };
}

/** What is not told is empty: each member of a profile is always there. */
function profileOf(input: Input, email: string): Owner["profile"] {
  const told = input.maybe("profile") ?? "{}";
  let given: Owner["profile"];
  try {
    given = JSON.parse(told) as Owner["profile"];
  } catch {
    throw new AdminError("profile has to be JSON");
  }
  const settings = { partial: true, unknownFields: "reject" } as const;
  const found = validateProfile(given, settings);
  if (!found.valid)
    throw new AdminError(
      "profile does not fit the description",
      found.errors.map(
        ({ pointer, message }) => `profile${pointer} ${message}`,
      ),
    );
  return {
    heading: given.heading ?? "",
    description: given.description ?? "",
    contact: { email: given.contact?.email ?? email },
    social_links: given.social_links ?? {},
    media: {
      avatar: given.media?.avatar ?? "",
      cover: given.media?.cover ?? "",
    },
  };
}

/** @throws AdminError where the name is taken */
export async function addOwner(store: Store, owner: Owner): Promise<Json> {
  await store.transaction(async (tx) => {
    if ((await tx.get(tables.owners, owner.username)) !== undefined)
      throw new AdminError(`there is an owner '${owner.username}' already`);
    tx.put(tables.owners, owner.username, owner);
  });
  return { username: owner.username };
}
