import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { listen } from "../../src/services/host.js";
import { readConfig } from "../../src/services/migration/config.js";
import { demo, start } from "../../src/services/migration/index.js";
import { ConfigError } from "../../src/services/service.js";
import { memoryStore } from "../../src/services/store/open.js";
import {
  call,
  configOf,
  download,
  makeRepository,
  migrate,
  serve,
  temporary,
  unpack,
  verifyBundle,
} from "./migration-support.js";

const { folder, remove } = temporary();
afterAll(remove);

const contextOf = (config: unknown) => ({
  store: memoryStore(),
  now: Date.now,
  log: () => {},
  folder: undefined,
  config,
});

describe("the config", () => {
  const row = { token: "x", user: "u" };
  const organization = { login: "acme", owners: [] };
  test.each<[unknown, string, RegExp]>([
    [undefined, "", /object/],
    [[], "", /object/],
    [configOf("", {}), "/root", /string/],
    [configOf("/a\0b", {}), "/root", /string/],
    [configOf("/r", { x: 1 }), "/x", /unknown.*root, organizations/],
    [configOf("/r", { organizations: {} }), "/organizations", /list/],
    [configOf("/r", { organizations: [1] }), "/organizations/0", /object/],
    [
      configOf("/r", { organizations: [{ login: "../x", owners: [] }] }),
      "/organizations/0/login",
      /octo-org/,
    ],
    [
      configOf("/r", { organizations: [organization, organization] }),
      "/organizations/1/login",
      /twice/,
    ],
    [
      configOf("/r", { organizations: [{ login: "acme" }] }),
      "/organizations/0/owners",
      /list/,
    ],
    [configOf("/r", { tokens: [row, row] }), "/tokens/1/token", /twice/],
    [
      configOf("/r", { tokens: [{ ...row, kind: "robot" }] }),
      "/tokens/0/kind",
      /classic, fine-grained, app-user, app-installation/,
    ],
    [
      configOf("/r", { tokens: [{ ...row, token: "sha256:12" }] }),
      "/tokens/0/token",
      /64/,
    ],
    [
      configOf("/r", { tokens: [{ ...row, "a/b~": 1 }] }),
      "/tokens/0/a~1b~0",
      /unknown/,
    ],
    [configOf("/r", { secret: "short" }), "/secret", /32/],
    [configOf("/r", { origin: "example.com" }), "/origin", /https:/],
    [configOf("/r", { origin: "https://x.org/path" }), "/origin", /https:/],
    [configOf("/r", { versions: [] }), "/versions", /2022-11-28/],
    [configOf("/r", { versions: ["v3"] }), "/versions", /2022-11-28/],
    [configOf("/r", { urlSeconds: 0 }), "/urlSeconds", /from 1 to/],
    [configOf("/r", { exports: "2" }), "/exports", /integer/],
    [configOf("/r", { attempts: 1.5 }), "/attempts", /integer/],
    [configOf("/r", { retention: 7 }), "/retention", /object/],
    [
      configOf("/r", { retention: { archive: "7d" } }),
      "/retention/archive",
      /unknown.*archives, records/,
    ],
    ...["7", "7 days", "0d", "-1d", "1.5h", "99999d", 7, null, ""].map(
      (archives): [unknown, string, RegExp] => [
        configOf("/r", { retention: { archives } }),
        "/retention/archives",
        /duration such as 90d/,
      ],
    ),
    [
      configOf("/r", { retention: { records: "6d" } }),
      "/retention/records",
      /at least as long as the retention of archives/,
    ],
  ])("%#: %j", (config, pointer, message) => {
    let error: unknown;
    try {
      readConfig(config);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({
      pointer,
      message: expect.stringMatching(message),
    });
    expect((error as Error).message).not.toContain("short");
  });

  test.each([
    [undefined, 7 * 86_400_000, undefined],
    [{ archives: "12h" }, 43_200_000, undefined],
    [{ archives: "7d", records: "90d" }, 604_800_000, 7_776_000_000],
    [{ archives: "45s", records: "30m" }, 45_000, 1_800_000],
  ])("reads the retention %j", (retention, archives, records) => {
    const more = retention === undefined ? {} : { retention };
    expect(readConfig(configOf("/r", more))).toMatchObject({
      archiveLifetime: archives,
      recordLifetime: records,
    });
  });

  test("refuses a missing root", async () => {
    const config = configOf(`${folder}/none`);
    await expect(start(contextOf(config))).rejects.toMatchObject({
      name: "ConfigError",
      pointer: "/root",
    });
  });

  test("accepts hashed tokens, two versions and an origin", async () => {
    makeRepository(folder, "acme", "alpha");
    const hash = createHash("sha256").update("owner-token").digest("hex");
    const host = await serve(folder, undefined, {
      tokens: [{ token: `sha256:${hash.toUpperCase()}`, user: "OCTOCAT" }],
      versions: ["2026-03-10", "2022-11-28"],
      origin: "https://api.example.com",
    });
    const { json } = await call(host, "POST", "/orgs/acme/migrations", {
      repositories: ["alpha"],
    });
    expect(json.url).toBe("https://api.example.com/orgs/Acme/migrations/1");
    for (const [asked, status, selected] of [
      [undefined, 200, "2022-11-28"],
      ["2026-03-10", 200, "2026-03-10"],
      ["2023-01-01", 400, null],
    ] as const) {
      const headers: Record<string, string> =
        asked === undefined ? {} : { "x-vendor-api-version": asked };
      const target = "/orgs/acme/migrations/1";
      const answer = await call(host, "GET", target, undefined, headers);
      expect(answer.status).toBe(status);
      expect(answer.headers.get("x-vendor-api-version-selected")).toBe(
        selected,
      );
      if (status === 400)
        expect(answer.json.message).toContain(
          '"2026-03-10" (most recent), "2022-11-28".',
        );
    }
    await host.close();
  });
});

describe("the demo", () => {
  test("serves an organization with two repositories and removes them", async () => {
    const context = contextOf(undefined);
    const { config, help } = await demo(context);
    const service = await start({ ...context, config });
    const host = await listen([service]);
    const { id } = await migrate(host, { repositories: ["alpha", "beta"] });
    const files = await unpack(await download(host, id));
    verifyBundle(files.get("repositories/alpha.bundle")!);
    const [first = ""] = help(host.origin);
    expect(first).toContain(`${host.origin}/orgs/acme`);
    // By default, curl sends a form, which the service refuses.
    expect(first).toContain("-H 'Content-Type: application/json'");
    const { root } = config as { root: string };
    expect(existsSync(root)).toBe(true);
    await host.close();
    expect(existsSync(root)).toBe(false);
  });

  test("is created once in the data folder", async () => {
    const context = { ...contextOf(undefined), folder };
    const first = await demo(context);
    expect(await demo(context)).toMatchObject({ config: first.config });
    const { root } = first.config as { root: string };
    expect(root.startsWith(folder)).toBe(true);
  });
});

describe("the header Link", () => {
  const linksOf = (link: string | null): string[] =>
    [...(link ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(
      ([, url, rel]) => `${rel} ${url}`,
    );

  test("has URLs at the configured origin", async () => {
    const { folder: root, remove: away } = temporary();
    for (const name of ["alpha", "beta", "gamma"])
      makeRepository(root, "acme", name);
    const host = await serve(root, undefined, { origin: "https://m.example" });
    const { id } = await migrate(host, {
      repositories: ["alpha", "beta", "gamma"],
    });
    await migrate(host, { repositories: ["beta"] });
    const list = "/orgs/acme/migrations";
    const some = await call(host, "GET", `${list}?per_page=1&exclude=a%2Cb`);
    expect(some.json).toHaveLength(1);
    const at = `https://m.example${list}?per_page=1&exclude=a%2Cb&page=2`;
    expect(linksOf(some.headers.get("link"))).toEqual([
      `next ${at}`,
      `last ${at}`,
    ]);
    const repositories = `${list}/${id}/repositories`;
    const last = await call(host, "GET", `${repositories}?page=2&per_page=2`);
    expect(last.json).toHaveLength(1);
    const first = `https://m.example${repositories}?per_page=2&page=1`;
    expect(linksOf(last.headers.get("link"))).toEqual([
      `prev ${first}`,
      `first ${first}`,
    ]);
    const whole = await call(host, "GET", repositories);
    expect(whole.headers.get("link")).toBeNull();
    await host.close();
    away();
  });
});
