import type {
  Owner as OwnerJson,
  Profile as ProfileJson,
} from "../../../generated/admin/v1/schemas.js";
import {
  mergePatch,
  type MergePatch,
} from "../../../generated/runtime/server/index.js";
import { AdminError } from "../service.js";
import type { Store } from "../store/store.js";
import { type Owner, tables, USERNAME } from "./data.js";
import {
  type Column,
  currency,
  matching,
  text,
  ValueProblem,
} from "./import/columns.js";
import { checkObject } from "./import/rows.js";
import { requireOwner } from "./keys.js";

/** Rules of the members of an owner, except for the profile. */
const ownerColumns: readonly Column[] = [
  {
    name: "username",
    isRequired: true,
    ...matching(
      USERNAME,
      "is not a user name",
      "use 1 to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit",
    ),
  },
  {
    name: "email",
    isRequired: true,
    ...matching(
      /^(?=.{3,254}$)[^\s@]+@[^\s@]+$/,
      "is not an email address",
      "use an address such as ada@example.com",
    ),
  },
  { name: "firstname", ...text(255) },
  { name: "lastname", ...text(255) },
  {
    name: "balance",
    fromText: Number,
    check: (value) =>
      Number.isFinite(value)
        ? value
        : new ValueProblem("is not a number", "use a number such as 12.50"),
  },
  { name: "currency", ...currency },
];

/** Converts an owner to JSON of the admin API. */
export function ownerJson({
  registeredAt,
  suspendedAt,
  ...owner
}: Owner): OwnerJson {
  return {
    ...owner,
    suspended: suspendedAt !== undefined,
    registered_at: registeredAt,
    ...(suspendedAt === undefined ? {} : { suspended_at: suspendedAt }),
  };
}

/**
 * Returns the owner with the members of a JSON object.
 *
 * @param now ISO 8601
 * @throws ApiError 400 if a member is invalid
 */
function ownerFrom(
  json: OwnerJson,
  previous: Owner | undefined,
  now: string,
): Owner {
  const { profile, suspended, ...members } = json;
  const values = checkObject(members, ownerColumns);
  const get = <T>(name: string, fallback: T): T =>
    (values[name] ?? fallback) as T;
  const email = values["email"] as string;
  const suspendedAt =
    suspended === true ? (previous?.suspendedAt ?? now) : undefined;
  return {
    username: values["username"] as string,
    firstname: get("firstname", ""),
    lastname: get("lastname", ""),
    email,
    balance: get("balance", 0),
    currency: get("currency", "USD"),
    profile: profileOf(profile ?? {}, email),
    registeredAt: previous?.registeredAt ?? now,
    ...(suspendedAt === undefined ? {} : { suspendedAt }),
  };
}

/** Returns a profile in which absent members have empty values. */
function profileOf(profile: ProfileJson, email: string): Owner["profile"] {
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
 * @param now ISO 8601
 * @throws AdminError if the user name is already in use
 */
export async function addOwner(
  store: Store,
  json: OwnerJson,
  now: string,
): Promise<Owner> {
  const owner = ownerFrom(json, undefined, now);
  const { username } = owner;
  await store.transaction(async (tx) => {
    if ((await tx.get(tables.owners, username)) !== undefined)
      throw new AdminError(`the owner '${username}' already exists`, [], 409);
    tx.put(tables.owners, username, owner);
  });
  return owner;
}

/** Record before and after a change. */
export interface Changed<T> {
  readonly before: T;
  readonly after: T;
}

/**
 * Changes the members of an owner that a patch contains.
 *
 * @param now ISO 8601
 * @throws AdminError if the owner does not exist or the patch is invalid
 */
export function changeOwner(
  store: Store,
  username: string,
  patch: MergePatch<OwnerJson>,
  now: string,
): Promise<Changed<Owner>> {
  return store.transaction(async (tx) => {
    await requireOwner(tx, username);
    const before = (await tx.get<Owner>(tables.owners, username))!;
    const json = mergePatch<OwnerJson>(ownerJson(before), patch);
    const after = ownerFrom(json, before, now);
    if (after.username !== username)
      throw new AdminError("username can't be changed; omit it");
    tx.put(tables.owners, username, after);
    return { before, after };
  });
}
