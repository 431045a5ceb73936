import { expect, test } from "vitest";
import { authenticateCaller } from "../../src/services/migration/access.js";
import { readConfig } from "../../src/services/migration/config.js";
import {
  isSigned,
  readTarget,
  signTarget,
} from "../../src/services/migration/signed-url.js";
import { ApiError } from "../../generated/runtime/server/index.js";
import { createKey } from "../../src/services/marketplace/keys.js";
import { readsOf } from "../../src/services/marketplace/reads.js";
import { memoryStore } from "../../src/services/store/open.js";
import { forEachSeed, type Choices } from "./support/seeds.js";

const TOKEN = "token-of-the-owner-0123456789";

/**
 * Returns a text similar to a secret: cut, repeated, with another character, or
 * a different text.
 */
function near(text: string, { int, pick, next }: Choices): string {
  const at = int(text.length);
  return pick([
    text.slice(0, at),
    text + text.slice(at),
    `${text.slice(0, at)}${String.fromCharCode(int(0x250))}${text.slice(at + 1)}`,
    text.toUpperCase(),
    `${text} `,
    ` ${text}`,
    `${text}\0`,
    "",
    "__proto__",
    "sha256:",
    String(next()),
  ]);
}

test("only the exact token is accepted, and errors do not contain it", () => {
  const config = readConfig({
    root: "/",
    organizations: [{ login: "acme", owners: ["o"] }],
    tokens: [{ token: TOKEN, user: "o" }],
  });
  return forEachSeed((random) => {
    const token = near(TOKEN, random);
    const request = {
      header: () => undefined,
      target: "/orgs/acme/migrations",
    };
    const asked = { credential: { scheme: "bearer", token }, request };
    try {
      authenticateCaller(asked as never, config);
      expect(token).toBe(TOKEN);
    } catch (error) {
      expect(error).toBeInstanceOf(ApiError);
      if (token.length > 3)
        expect(JSON.stringify(error) + String(error)).not.toContain(token);
    }
  });
});

test("only a signed URL gives access to an archive", () => {
  const secret = "s".repeat(32);
  const signed = signTarget(secret, { id: 7, guid: "guid" }, 2_000_000_000);
  return forEachSeed((random) => {
    const target = near(signed, random);
    const ticket = readTarget(target);
    if (ticket === undefined || !isSigned(secret, "guid", ticket)) return;
    expect([ticket.id, ticket.expires]).toEqual([7, 2_000_000_000]);
    expect(isSigned(secret, "other", ticket)).toBe(false);
    expect(isSigned("t".repeat(32), "guid", ticket)).toBe(false);
  });
});

test("only the exact key identifies its owner", async () => {
  const store = memoryStore();
  await store.transaction(async (tx) =>
    tx.put("marketplace.owners", "ada", {}),
  );
  const { key } = await createKey(store, {
    owner: "ada",
    createdAt: "2026-01-01",
  });
  const reads = readsOf(store, () => 0);
  expect((await reads.account(key))?.caller.owner).toBe("ada");
  await forEachSeed(async (random) => {
    const other = near(key, random);
    if (other !== key) expect(await reads.account(other)).toBeUndefined();
  });
});
