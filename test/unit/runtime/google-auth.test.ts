import {
  ExternalAccountClient,
  GoogleAuth,
  Impersonated,
  JWT,
  OAuth2Client,
  UserRefreshClient,
  type AuthClient,
} from "google-auth-library";
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { client, failure, fullClient, make, recorder } from "./helpers.js";

const HOUR = 3_600_000;

it("accepts a client of google-auth-library", async () => {
  const auth = new OAuth2Client();
  auth.setCredentials({ access_token: "t1", expiry_date: Date.now() + HOUR });
  const { sent, fetch } = recorder();
  await make()(client(fetch, { auth }));
  auth.setCredentials({ access_token: "t2", expiry_date: Date.now() + HOUR });
  await make()(client(fetch, { auth }));
  expect(sent.map(({ headers }) => headers["authorization"])).toEqual([
    "Bearer t1",
    "Bearer t2",
  ]);
});

/** Credential whose token endpoint returns "new" and records requests. */
function answered<T extends AuthClient>(auth: T, requests: string[] = []): T {
  auth.transporter.request = (async (options: { url?: unknown }) => {
    requests.push(String(options.url));
    const data = {
      access_token: "new",
      expires_in: 3600,
      accessToken: "new",
      expireTime: new Date(Date.now() + HOUR).toISOString(),
    };
    return { data, status: 200, headers: new Headers() };
  }) as never;
  return auth;
}

const refreshToken = async () => ({ tokens: { access_token: "new" } });
const STALE = { access_token: "old", refresh_token: "r" };
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = String(privateKey.export({ type: "pkcs8", format: "pem" }));

const CREDENTIALS: Record<string, () => unknown> = {
  "OAuth2Client without expiry_date": () => {
    const auth = answered(new OAuth2Client());
    auth.setCredentials(STALE);
    return auth;
  },
  UserRefreshClient: () => {
    const auth = answered(new UserRefreshClient("id", "secret", "r"));
    auth.credentials.access_token = "old";
    return auth;
  },
  "OAuth2Client with a refresh handler": () => {
    const auth = new OAuth2Client();
    auth.setCredentials({ access_token: "old" });
    const expiry_date = Date.now() + HOUR;
    auth.refreshHandler = async () => ({ access_token: "new", expiry_date });
    return auth;
  },
  JWT: () => {
    const auth = answered(new JWT({ email: "a@example.com", key }));
    Object.assign(auth, { refreshToken });
    auth.setCredentials({ access_token: "old" });
    auth.scopes = ["s"];
    return auth;
  },
  Impersonated: () => {
    const sourceClient = answered(new OAuth2Client());
    sourceClient.setCredentials(STALE);
    const auth = answered(
      new Impersonated({
        sourceClient,
        targetPrincipal: "a@example.com",
        targetScopes: ["s"],
      }),
    );
    Object.assign(auth, { refreshToken });
    auth.setCredentials({ access_token: "old" });
    return auth;
  },
  ExternalAccountClient: () => {
    const auth = answered(
      ExternalAccountClient.fromJSON({
        type: "external_account",
        audience: "a",
        subject_token_type: "t",
        token_url: "https://sts.example.com/v1/token",
        subject_token_supplier: { getSubjectToken: async () => "subject" },
      })!,
    );
    const exchangeToken = async () => ({
      access_token: "new",
      expires_in: 3600,
    });
    Object.assign(auth, { stsCredential: { exchangeToken } });
    auth.setCredentials({
      access_token: "old",
      expiry_date: Date.now() + HOUR,
    });
    return auth;
  },
  "GoogleAuth around a client": () => {
    const authClient = answered(new OAuth2Client());
    authClient.setCredentials(STALE);
    return new GoogleAuth({ authClient });
  },
};

describe("after a 401", () => {
  it.each(Object.keys(CREDENTIALS))(
    "refreshes the token of %s",
    async (name) => {
      const auth = CREDENTIALS[name]!() as OAuth2Client;
      const { sent, fetch } = recorder(() => new Response("", { status: 401 }));
      await make()(fullClient(fetch, { auth }));
      expect(sent.map(({ headers }) => headers["authorization"])).toEqual([
        "Bearer old",
        "Bearer new",
      ]);
    },
  );

  it("throws the 401 with the cause if the token can't be refreshed", async () => {
    const auth = new OAuth2Client();
    auth.setCredentials({ access_token: "old" });
    const { sent, fetch } = recorder(new Response("", { status: 401 }));
    const error = await failure(make()(fullClient(fetch, { auth })));
    expect(error).toMatchObject({ kind: "http", status: 401 });
    expect(String(error.cause)).toContain("No refresh token");
    expect(sent).toHaveLength(1);
  });
});
