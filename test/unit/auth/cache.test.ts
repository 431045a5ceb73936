import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  idToken,
  impersonate,
  refreshToken,
  serviceAccount,
  type Credentials,
} from "../../../src/runtime/auth/index.js";
import {
  client,
  failure,
  fullClient,
  json,
  make,
  recorder,
} from "../runtime/helpers.js";
import { API, KEY, token, tokenServer } from "./support.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000_000_000 });
});
afterEach(() => vi.useRealTimers());

const user = { clientId: "id", clientSecret: "secret", refreshToken: "1//r" };

const bearer = async (credentials: Credentials): Promise<string> =>
  (await credentials.headers(API))["authorization"]!;

describe("tokens", () => {
  it("are requested once for concurrent calls, and cached", async () => {
    const { fetch, sent } = tokenServer((count) => token(count));
    const credentials = refreshToken({ ...user, fetch });
    expect(sent).toEqual([]);
    const calls = Array.from({ length: 20 }, () => bearer(credentials));
    expect(new Set(await Promise.all(calls))).toEqual(
      new Set(["Bearer token-1"]),
    );
    expect(await bearer(credentials)).toBe("Bearer token-1");
    expect(sent.length).toBe(1);
  });

  it.each([
    [3600, 3299, 3301],
    [300, 239, 241],
    ["300", 239, 241],
    // Missing and invalid lifetimes count as five minutes.
    ["", 239, 241],
    [-5, 239, 241],
    ["soon", 239, 241],
    [null, 239, 241],
  ])(
    "with expires_in %s are replaced before they expire",
    async (expires, before, after) => {
      const { fetch } = tokenServer((count) => token(count, expires));
      const credentials = refreshToken({ ...user, fetch });
      await bearer(credentials);
      vi.advanceTimersByTime(before * 1000);
      expect(await bearer(credentials)).toBe("Bearer token-1");
      vi.advanceTimersByTime((after - before) * 1000);
      expect(await bearer(credentials)).toBe("Bearer token-2");
    },
  );

  it("remain in use until they expire if the next request fails", async () => {
    const { fetch } = tokenServer((count) =>
      count === 1 ? token(count) : Response.json({}, { status: 400 }),
    );
    const credentials = refreshToken({ ...user, fetch });
    await bearer(credentials);
    vi.advanceTimersByTime(3_400_000);
    expect(await bearer(credentials)).toBe("Bearer token-1");
    vi.advanceTimersByTime(300_000);
    await expect(bearer(credentials)).rejects.toMatchObject({ status: 400 });
  });

  it("that were refused are replaced once for many calls", async () => {
    const { fetch, sent } = tokenServer((count) => token(count));
    const credentials = refreshToken({ ...user, fetch });
    await bearer(credentials);
    for (let call = 0; call < 10; call++) {
      await credentials.refresh();
      expect(await bearer(credentials)).toBe("Bearer token-2");
    }
    vi.advanceTimersByTime(11_000);
    await credentials.refresh();
    expect(await bearer(credentials)).toBe("Bearer token-3");
    expect(sent.length).toBe(3);
  });

  it("of other scopes are not shared", async () => {
    const { fetch, sent } = tokenServer((count) => token(count));
    const one = serviceAccount(KEY, { scopes: ["a"], fetch });
    const two = serviceAccount(KEY, { scopes: ["a", "b"], fetch });
    expect([await bearer(one), await bearer(two)]).toEqual([
      "Bearer token-1",
      "Bearer token-2",
    ]);
    expect(sent.length).toBe(2);
  });

  it("of self-signed credentials are cached for each API", async () => {
    const credentials = serviceAccount(KEY);
    const audienceOf = async (url: string): Promise<unknown> => {
      const { authorization } = await credentials.headers({ url });
      const [, claims] = authorization!.split(".");
      return JSON.parse(Buffer.from(claims!, "base64url").toString()).aud;
    };
    expect(await audienceOf("https://a.example.com/v1/x")).toBe(
      "https://a.example.com/",
    );
    expect(await audienceOf("https://b.example.com:8443/y")).toBe(
      "https://b.example.com:8443/",
    );
    const first = await bearer(credentials);
    vi.advanceTimersByTime(60_000);
    expect(await bearer(credentials)).toBe(first);
  });

  it("of impersonated accounts expire by the clock of the server", async () => {
    // The local clock is an hour ahead.
    const server = Date.now() - 3_600_000;
    const { fetch } = tokenServer((count) =>
      Response.json(
        {
          accessToken: `token-${count}`,
          expireTime: new Date(server + 3_600_000).toISOString(),
        },
        { headers: { date: new Date(server).toUTCString() } },
      ),
    );
    const source = {
      headers: async () => ({ authorization: "Bearer s" }),
      refresh() {},
    };
    const options = { targetPrincipal: "a@b.c", scopes: ["s"], fetch };
    const credentials = impersonate(source, options);
    expect(await bearer(credentials)).toBe("Bearer token-1");
    vi.advanceTimersByTime(3_000_000);
    expect(await bearer(credentials)).toBe("Bearer token-1");
    vi.advanceTimersByTime(400_000);
    expect(await bearer(credentials)).toBe("Bearer token-2");
  });

  it("of a source that are refused are replaced", async () => {
    const refresh = vi.fn();
    const source = {
      headers: async () => ({
        authorization: `Bearer ${refresh.mock.calls.length}`,
      }),
      refresh,
    };
    const { fetch, sent } = tokenServer((count) =>
      count === 1
        ? Response.json(
            { error: { status: "UNAUTHENTICATED" } },
            { status: 401 },
          )
        : {
            accessToken: "t",
            expireTime: new Date(Date.now() + 1e6).toISOString(),
          },
    );
    const options = { targetPrincipal: "a@b.c", scopes: ["s"], fetch };
    expect(await bearer(impersonate(source, options))).toBe("Bearer t");
    expect(sent.map(({ init }) => Object(init.headers).authorization)).toEqual([
      "Bearer 0",
      "Bearer 1",
    ]);
  });

  it("that are ID tokens are cached until they expire", async () => {
    const claims = (count: number): string => {
      const payload = { count, exp: Date.now() / 1000 + 3600 };
      return `e30.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.s`;
    };
    const { fetch, sent } = tokenServer((count) => ({
      id_token: claims(count),
    }));
    const credentials = idToken(serviceAccount(KEY, { fetch }), {
      audience: "a",
    });
    const first = await bearer(credentials);
    vi.advanceTimersByTime(3_200_000);
    expect(await bearer(credentials)).toBe(first);
    vi.advanceTimersByTime(200_000);
    expect(await bearer(credentials)).not.toBe(first);
    expect(sent.length).toBe(2);
  });
});

describe("in a client", () => {
  const denied = () => json({}, { status: 401 });
  const credentials = () => {
    const { fetch, sent } = tokenServer((count) => token(count));
    const auth = refreshToken({ ...user, fetch, quotaProject: "billed" });
    return { auth, tokens: sent };
  };

  it("authorize calls of a client, a call and a derived client", async () => {
    const { sent, fetch } = recorder();
    const { auth } = credentials();
    const { auth: other } = credentials();
    await make()(client(fetch, { auth }));
    await make()(client(fetch), {}, { auth: other });
    await make()(client(fetch, { auth: "t" }), {}, { auth: other });
    for (const { headers } of sent)
      expect(headers).toEqual({
        authorization: "Bearer token-1",
        "x-goog-user-project": "billed",
      });
  });

  it("are refreshed once after status 401", async () => {
    const { auth, tokens } = credentials();
    const { sent, fetch } = recorder(denied(), json({}), denied(), denied());
    const both = fullClient(fetch, { auth });
    await make()(both);
    expect(sent.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer token-1",
      "Bearer token-2",
    ]);
    expect((await failure(make()(both))).status).toBe(401);
    expect(tokens.length).toBe(2);
  });

  it("appear in no output of the client or the credentials", async () => {
    const { auth } = credentials();
    const key = serviceAccount(KEY, { scopes: ["s"] });
    const both = client(recorder().fetch, { auth });
    await auth.headers(API);
    const text = [auth, key, both]
      .map(
        (value) =>
          inspect(value, { depth: 9, showHidden: true }) +
          JSON.stringify(value),
      )
      .join();
    expect(text).not.toMatch(/1\/\/r|secret|token-1|MII/);
  });
});
