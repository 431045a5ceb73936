import { expect, test } from "vitest";
import { HostNames } from "../../src/platform/host-names.js";
import { withoutNulls } from "../../src/services/without-nulls.js";
import { readHostConfig } from "../../src/services/host-config.js";
import { ConfigError } from "../../src/services/service.js";
import { forEachSeed, type Choices } from "./support/seeds.js";

/** Hosts that a browser may resolve to loopback. */
const LOOPBACK =
  /^(?:(?:[^:]*\.)?localhost\.?|127(?:\.\d{1,3}){3}\.?|\[::1\])(?::\d{1,5})?$/i;

function hostOf({ int, pick }: Choices): string {
  const piece = (): string =>
    pick([
      "localhost",
      "127.0.0.1",
      "[::1]",
      "evil.example",
      ".",
      ":",
      "80",
      "@",
      "[",
      "]",
      "::1",
      "%00",
      " ",
      "\u0130",
      "LOCALHOST",
      "api.example.com",
      "x".repeat(int(500)),
    ]);
  return Array.from({ length: int(4) + 1 }, piece).join("");
}

test("refuses an address in brackets with a trailing dot", () => {
  expect(new HostNames([]).allows("[::1]")).toBe(true);
  expect(new HostNames([]).allows("[::1].")).toBe(false);
});

test("allows only loopback and configured hosts", () =>
  forEachSeed((random) => {
    const names = new HostNames(["api.example.com"]);
    const host = hostOf(random);
    if (!names.allows(host)) return;
    const isOwn = /^api\.example\.com\.?(:\d{1,5})?$/i.test(host);
    expect([host, isOwn || LOOPBACK.test(host) || host === "::1"]).toEqual([
      host,
      true,
    ]);
  }));

test("withoutNulls keeps texts without null members, and removes them from others", () =>
  forEachSeed(({ int, pick, chance }) => {
    const value = (depth: number): unknown =>
      depth > 4 || chance(0.4)
        ? pick([null, 1, "x", ":null", true, "\u0000"])
        : chance(0.5)
          ? Array.from({ length: int(4) }, () => value(depth + 1))
          : Object.fromEntries(
              Array.from({ length: int(4) }, () => [
                pick(["a", "__proto__", "content", "b", ""]),
                value(depth + 1),
              ]),
            );
    const text = JSON.stringify(value(0));
    const cut = text.slice(0, chance(0.2) ? int(text.length) : undefined);
    const result = withoutNulls(cut);
    expect(result.length).toBeLessThanOrEqual(cut.length);
    if (cut !== text) return;
    expect(() => JSON.parse(result) as unknown).not.toThrow();
    expect(Object.prototype).not.toHaveProperty("a");
  }));

test("host settings are accepted or reported by name", () =>
  forEachSeed(({ pick, int }) => {
    const part = {
      [pick(["grace", "keepAlive", "silence", "names", "other", "__proto__"])]:
        pick([
          null,
          -1,
          int(1e9),
          "x",
          ["a.example"],
          ["a/b"],
          ["x y"],
          [1],
          {},
        ]),
    };
    try {
      const { names = [] } = readHostConfig(part);
      for (const name of names) expect(name).toMatch(/^[\w.\-[\]:]+$/);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
    }
  }));
