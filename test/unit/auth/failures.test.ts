import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  apiKey,
  CredentialsError,
  downscope,
  externalAccount,
  externalAccountUser,
  idToken,
  impersonate,
  keyFile,
  metadataServer,
  refreshToken,
  serviceAccount,
  type ExternalAccountConfig,
} from "../../../src/runtime/auth/index.js";
import { fullClient, failure, make, recorder } from "../runtime/helpers.js";
import { API, KEY, token, tokenServer } from "./support.js";

const SECRETS = {
  clientSecret: "GOCSPX-abcdefghijklmnopqrstuvwxyz12",
  refreshToken: "1//0gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-L9",
};
const user = { clientId: "id", ...SECRETS };

/** Returns the error of a function, and checks that it contains no secret. */
async function errorOf(work: () => unknown): Promise<CredentialsError> {
  const error = await Promise.resolve()
    .then(work)
    .then(
      () => new Error("no error"),
      (thrown: unknown) => thrown,
    );
  expect(error).toBeInstanceOf(CredentialsError);
  const text = inspect(error, { depth: 9, showHidden: true });
  for (const secret of [...Object.values(SECRETS), KEY.private_key, "MIIE"])
    expect(text).not.toContain(secret);
  return error as CredentialsError;
}

const errorWith = (respond: Parameters<typeof tokenServer>[0]) =>
  errorOf(() =>
    refreshToken({ ...user, fetch: tokenServer(respond).fetch }).headers(API),
  );

describe("responses of token servers", () => {
  it.each([500, 503, 429, 408])("status %i is repeated", async (status) => {
    const { fetch, sent } = tokenServer((count) =>
      count < 3 ? Response.json({}, { status }) : token(count),
    );
    const headers = await refreshToken({ ...user, fetch }).headers(API);
    expect(headers["authorization"]).toBe("Bearer token-3");
    expect(sent.length).toBe(3);
  });

  it("a failed connection is repeated three times, then named without its query", async () => {
    let count = 0;
    const fetch = async () => {
      count++;
      const cause = { code: "ECONNREFUSED" };
      throw new TypeError(`failed: https://x/?token=${user.refreshToken}`, {
        cause,
      });
    };
    const credentials = refreshToken({ ...user, fetch });
    const { message } = await errorOf(() => credentials.headers(API));
    expect(message).toBe(
      "no response from oauth2.googleapis.com: ECONNREFUSED",
    );
    expect(count).toBe(3);
  });

  it("status 400 is not repeated; code and description are in the error", async () => {
    const { fetch, sent } = tokenServer(() =>
      Response.json(
        {
          error: "invalid_grant",
          error_description: "Token has been expired or revoked.",
        },
        { status: 400 },
      ),
    );
    const error = await errorOf(() =>
      refreshToken({ ...user, fetch }).headers(API),
    );
    expect(error).toMatchObject({
      name: "CredentialsError",
      message:
        "oauth2.googleapis.com: 400 invalid_grant Token has been expired or revoked.",
      status: 400,
      code: "invalid_grant",
    });
    expect(sent.length).toBe(1);
  });

  it.each(["<html>", "", "{}", '{"error":null}'])(
    "status 403 with the body %j has no code",
    async (body) => {
      const error = await errorWith(() => new Response(body, { status: 403 }));
      expect(error.message).toBe("oauth2.googleapis.com: 403");
      expect(error.code).toBeUndefined();
    },
  );

  it.each<[string, () => Response]>([
    [
      "HTML",
      () =>
        new Response("<html>", { headers: { "content-type": "text/html" } }),
    ],
    ["nothing", () => new Response(null)],
    ["null", () => Response.json(null)],
    ["a list", () => Response.json([{ access_token: "t" }])],
    ["a number as token", () => Response.json({ access_token: 5 })],
    ["an empty token", () => Response.json({ access_token: "" })],
    [
      "a token with a line break",
      () => Response.json({ access_token: "t\r\nx-evil: 1" }),
    ],
    ["no token", () => Response.json({ token_type: "Bearer" })],
  ])("%s instead of a token", async (_, respond) => {
    const { message } = await errorWith(respond);
    expect(message).toBe("the response has no valid access_token");
  });

  it("secrets that the server repeats are not part of the error", async () => {
    const error = await errorWith((_, { init }) =>
      Response.json(
        {
          error: `invalid ${user.clientSecret}`,
          error_description: `received ${String(init.body)} and ${user.refreshToken}`,
        },
        { status: 400 },
      ),
    );
    expect(error.code).toBeUndefined();
    expect(error.message).toContain("received");
  });

  it("a redirect is not followed", async () => {
    const { fetch, sent } = tokenServer(
      () =>
        new Response(null, {
          status: 302,
          headers: { location: "https://evil.example.com/" },
        }),
    );
    const error = await errorOf(() =>
      refreshToken({ ...user, fetch }).headers(API),
    );
    expect(error.status).toBe(302);
    expect(sent.map(({ init }) => init.redirect)).toEqual(["manual"]);
  });

  it("an error of a token server is the error of a call", async () => {
    const { fetch } = tokenServer(() =>
      Response.json({ error: "invalid_grant" }, { status: 400 }),
    );
    const { sent, fetch: api } = recorder();
    const auth = refreshToken({ ...user, fetch });
    const error = await failure(make()(fullClient(api, { auth })));
    expect(error.kind).toBe("request");
    expect(error.message).toContain("400 invalid_grant");
    expect(error.cause).toBeInstanceOf(CredentialsError);
    expect(sent).toEqual([]);
  });

  /** Starts a server on this machine; returns its URL. */
  async function listen(
    respond: Parameters<typeof createServer>[1],
  ): Promise<string> {
    const server = createServer(respond!);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  }

  it("no response within the timeout", async () => {
    const tokenUrl = await listen(() => undefined);
    // Attempts are counted here, because one can end before it is sent.
    let count = 0;
    const credentials = refreshToken({
      ...user,
      tokenUrl,
      timeout: 30,
      fetch: (...request: Parameters<typeof fetch>) => {
        count++;
        return fetch(...request);
      },
    });
    const { message } = await errorOf(() => credentials.headers(API));
    expect(message).toMatch(
      /^no response from 127\.0\.0\.1:\d+: TimeoutError$/,
    );
    expect(count).toBe(3);
  });

  it("a body that does not end within the timeout", async () => {
    const tokenUrl = await listen((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"access_');
    });
    const credentials = refreshToken({ ...user, tokenUrl, timeout: 30 });
    const { message } = await errorOf(() => credentials.headers(API));
    expect(message).toMatch(/TimeoutError$/);
  });

  it("an endless body", async () => {
    let written = 0;
    const tokenUrl = await listen((_, response) => {
      const part = Buffer.alloc(65_536, "a");
      const write = (): void => {
        while (!response.destroyed && response.write(part))
          written += part.length;
        if (!response.destroyed) response.once("drain", write);
      };
      write();
    });
    const credentials = refreshToken({ ...user, tokenUrl });
    const { message } = await errorOf(() => credentials.headers(API));
    expect(message).toBe("the response is too large");
    expect(written).toBeLessThan(50_000_000);
  });
});

describe("key files", () => {
  const pkcs1 = generateKeyPairSync("rsa", {
    modulusLength: 2048,
  }).privateKey.export({ type: "pkcs1", format: "pem" });

  it("accepts line ends as two characters, as in environment variables", async () => {
    const key = {
      ...KEY,
      private_key: KEY.private_key.replaceAll("\n", "\\n"),
    };
    const { authorization } = await serviceAccount(key).headers(API);
    expect(authorization).toMatch(/^Bearer eyJ/);
  });

  it.each([
    ["missing", undefined],
    ["empty", ""],
    ["a number", 5],
    ["cut off", KEY.private_key.slice(0, 500)],
    ["of PKCS#1", String(pkcs1)],
    [
      "a public key",
      "-----BEGIN PUBLIC KEY-----\nMIIBIjAN\n-----END PUBLIC KEY-----\n",
    ],
    ["no PEM", "👍"],
  ])("private_key is %s", async (_, private_key) => {
    const key = { ...KEY, private_key: private_key as string };
    const { message } = await errorOf(() => serviceAccount(key).headers(API));
    expect(message).toBe("private_key must be PKCS#8 in PEM form");
  });

  it.each<[string, () => unknown, string]>([
    [
      "no client_email",
      () => serviceAccount({ ...KEY, client_email: undefined }),
      "client_email is missing",
    ],
    [
      "subject without scopes",
      () => serviceAccount(KEY, { subject: "u@e.com" }),
      "subject needs scopes",
    ],
    [
      "token_uri of http",
      () => serviceAccount({ ...KEY, token_uri: "http://evil.example.com/" }),
      "token_uri must be an https URL",
    ],
    [
      "token_uri with a local user name",
      () =>
        serviceAccount({
          ...KEY,
          token_uri: "http://localhost:1@evil.example.com/",
        }),
      "token_uri must be an https URL",
    ],
    [
      "token_uri with a local prefix",
      () =>
        serviceAccount({
          ...KEY,
          token_uri: "http://localhost.evil.example.com/",
        }),
      "token_uri must be an https URL",
    ],
    [
      "token_uri that is no text",
      () => serviceAccount({ ...KEY, token_uri: 5 as never }),
      "token_uri must be an https URL",
    ],
    [
      "another type",
      () => keyFile({ type: "gdch_service_account" }),
      'type must be that of a key file, not "gdch_service_account"',
    ],
    ["null", () => keyFile(null), "type must be that of a key file, not null"],
    [
      "text",
      () => keyFile(JSON.stringify(KEY)),
      "type must be that of a key file, not null",
    ],
    [
      "authorised user without refresh_token",
      () => keyFile({ type: "authorized_user", client_id: "a" }),
      "refresh_token must be a string",
    ],
    [
      "impersonated account without URL",
      () => keyFile({ type: "impersonated_service_account" }),
      "service_account_impersonation_url must end with the service account and :generateAccessToken",
    ],
    [
      "impersonated account of an impersonated account",
      () =>
        keyFile({
          type: "impersonated_service_account",
          service_account_impersonation_url:
            "https://x/serviceAccounts/a@b.c:generateAccessToken",
          source_credentials: { type: "impersonated_service_account" },
        }),
      "source_credentials must not be impersonated; use delegates",
    ],
    [
      "workforce user without secret",
      () =>
        externalAccountUser({ client_id: "a", refresh_token: "b" } as never),
      "client_secret must be a string",
    ],
    [
      "API key with a line break",
      () => apiKey("a\nb"),
      "the API key must be printable ASCII text without spaces",
    ],
    [
      "no API key, such as a variable that is not set",
      () => apiKey(undefined as never),
      "the API key must be printable ASCII text without spaces",
    ],
    [
      "no target",
      () => impersonate(apiKey("a"), { scopes: [] } as never),
      "targetPrincipal must be the email address or ID of a service account",
    ],
    [
      "external account without subject_token_type",
      () => keyFile({ type: "external_account", audience: "a" }),
      "subject_token_type must be a string",
    ],
    [
      "external account whose source is null",
      () =>
        keyFile({
          type: "external_account",
          audience: "a",
          subject_token_type: "b",
          credential_source: null,
        }),
      "credential_source must have url, environment_id, file or executable",
    ],
    [
      "metadata host with a path",
      () => metadataServer({ host: "evil.example.com/x?" }),
      "host must be a host name with an optional port",
    ],
    [
      "metadata account with a path",
      () => metadataServer({ account: "../project" }),
      "account must be an email address",
    ],
    [
      "target with a path",
      () => impersonate(apiKey("a"), { targetPrincipal: "a/../b", scopes: [] }),
      "targetPrincipal must be the email address or ID of a service account",
    ],
    [
      "lifetime of a day",
      () =>
        impersonate(apiKey("a"), {
          targetPrincipal: "a@b.c",
          scopes: [],
          lifetime: 86_400,
        }),
      "lifetime must be from 1 to 43200 seconds, not 86400",
    ],
    [
      "universe with a path",
      () =>
        impersonate(apiKey("a"), {
          targetPrincipal: "a@b.c",
          scopes: [],
          universeDomain: "evil.com/x#",
        }),
      "the universe domain must be a domain",
    ],
    [
      "no access boundary rules",
      () =>
        downscope(apiKey("a"), { accessBoundary: { accessBoundaryRules: [] } }),
      "accessBoundaryRules must have 1 to 10 rules, not 0",
    ],
    [
      "a rule without permissions",
      () =>
        downscope(apiKey("a"), {
          accessBoundary: {
            accessBoundaryRules: [
              { availableResource: "r", availablePermissions: [] },
            ],
          },
        }),
      "availablePermissions must not be empty",
    ],
    [
      "ID tokens of an API key",
      () => idToken(apiKey("a"), { audience: "b" }),
      "these credentials can't issue ID tokens",
    ],
    [
      "ID tokens without audience",
      () => idToken(serviceAccount(KEY), { audience: "" }),
      "audience must not be empty",
    ],
  ])("%s", async (_, work, message) => {
    expect((await errorOf(work)).message).toBe(message);
  });

  it("a token server that returns no ID token", async () => {
    const { fetch } = tokenServer(() => ({ id_token: "no JWT" }));
    const source = refreshToken({ ...user, fetch });
    const { message } = await errorOf(() =>
      idToken(source, { audience: "a" }).headers(API),
    );
    expect(message).toMatch(/has no ID token$/);
  });

  it("a source without access token", async () => {
    const rule = { availableResource: "r", availablePermissions: ["p"] };
    const accessBoundary = { accessBoundaryRules: [rule] };
    const source = downscope(apiKey("a"), { accessBoundary });
    const { message } = await errorOf(() => source.headers(API));
    expect(message).toBe("the source credentials have no access token");
  });

  it("a router that responds in place of the metadata server", async () => {
    const { fetch } = tokenServer(() => token(1));
    const { message } = await errorOf(() =>
      metadataServer({ fetch }).headers(API),
    );
    expect(message).toBe("169.254.169.254 is not a metadata server");
  });
});

describe("external accounts", () => {
  const config: ExternalAccountConfig = {
    type: "external_account",
    audience: "//iam.googleapis.com/a",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: "https://sts.googleapis.com/v1/token",
    credential_source: { url: "https://idp.example.com/token" },
  };
  const aws = {
    environment_id: "aws1",
    region_url: "http://169.254.169.254/zone",
    url: "http://169.254.169.254/role",
    regional_cred_verification_url: "https://sts.{region}.amazonaws.com?a",
  };
  const impersonation = (url: string) => ({
    service_account_impersonation_url: url,
  });

  it.each<[string, object]>([
    [
      "a regional token server",
      { token_url: "https://us-east1-sts.googleapis.com/v1/token" },
    ],
    [
      "a token server with certificates",
      { token_url: "https://sts.mtls.googleapis.com/v1/token" },
    ],
    [
      "a regional impersonation server",
      impersonation(
        "https://us-east1-iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a@b.c:generateAccessToken",
      ),
    ],
    ["AWS", { credential_source: aws }],
    [
      "AWS over IPv6",
      { credential_source: { ...aws, url: "http://[fd00:ec2::254]/role" } },
    ],
    [
      "the metadata server of Azure",
      {
        credential_source: {
          url: "http://169.254.169.254/metadata/identity?x",
        },
      },
    ],
  ])("accepts %s", (_, change) => {
    expect(externalAccount({ ...config, ...change })).toHaveProperty("headers");
  });

  it.each<[string, object, RegExp]>([
    [
      "token_url of another domain",
      { token_url: "https://sts.evil.com/v1/token" },
      /^token_url must be a URL of sts/,
    ],
    [
      "token_url with another domain in the user name",
      { token_url: "https://sts.googleapis.com@evil.com/" },
      /^token_url/,
    ],
    [
      "token_url with another domain behind a backslash",
      { token_url: "https://evil.com\\.sts.googleapis.com/" },
      /^token_url/,
    ],
    [
      "token_url with Google's domain as prefix",
      { token_url: "https://sts.googleapis.com.evil.com/" },
      /^token_url/,
    ],
    [
      "token_url of another service",
      { token_url: "https://storage.googleapis.com/bucket" },
      /^token_url/,
    ],
    [
      "token_url of http",
      { token_url: "http://sts.googleapis.com/v1/token" },
      /^token_url/,
    ],
    [
      "impersonation of another domain",
      impersonation("https://iamcredentials.evil.com/x:generateAccessToken"),
      /^service_account_impersonation_url must be/,
    ],
    [
      "another method for impersonation",
      impersonation("https://iamcredentials.googleapis.com/v1/x:signBlob"),
      /must end with :generateAccessToken$/,
    ],
    [
      "a universe of the file",
      { universe_domain: "evil.com", token_url: "https://sts.evil.com/" },
      /^universe_domain must be googleapis\.com/,
    ],
    [
      "a source of http",
      { credential_source: { url: "http://idp.example.com/" } },
      /^credential_source\.url must be an https URL$/,
    ],
    ["no source", { credential_source: {} }, /^credential_source must have/],
    [
      "a file without Node",
      { credential_source: { file: "/a" } },
      /needs externalAccount of auth\/node$/,
    ],
    [
      "a program without Node",
      { credential_source: { executable: { command: "/a" } } },
      /needs externalAccount of auth\/node$/,
    ],
    [
      "a metadata server of AWS elsewhere",
      { credential_source: { ...aws, url: "http://evil.com/" } },
      /must be of the metadata server/,
    ],
    [
      "a region server of AWS elsewhere",
      { credential_source: { ...aws, region_url: "https://evil.com/" } },
      /must be of the metadata server/,
    ],
    [
      "a verification URL elsewhere",
      {
        credential_source: {
          ...aws,
          regional_cred_verification_url: "https://evil.com/{region}",
        },
      },
      /^regional_cred_verification_url/,
    ],
    [
      "another version of AWS",
      { credential_source: { ...aws, environment_id: "aws2" } },
      /^environment_id must be "aws1"$/,
    ],
    [
      "a project without workforce pool",
      { workforce_pool_user_project: "p" },
      /needs the audience of a workforce pool$/,
    ],
    ["no audience", { audience: undefined }, /^audience must be a string$/],
    [
      "another type",
      { type: "authorized_user" },
      /^type must be "external_account"$/,
    ],
  ])("rejects %s", async (_, change, message) => {
    const error = await errorOf(() =>
      externalAccount({ ...config, ...change } as never),
    );
    expect(error.message).toMatch(message);
  });

  it.each<[string, object, string | object]>([
    [
      "text that is not JSON",
      { type: "json", subject_token_field_name: "a" },
      "<html>",
    ],
    [
      "a field that is missing",
      { type: "json", subject_token_field_name: "a" },
      "{}",
    ],
    [
      "a field that is not text",
      { type: "json", subject_token_field_name: "a" },
      '{"a":{}}',
    ],
    ["an empty text", {}, ""],
  ])("rejects %s as token", async (_, format, text) => {
    const source = { ...config.credential_source, format };
    const { fetch } = tokenServer(() => new Response(String(text)));
    const credentials = externalAccount(
      { ...config, credential_source: source },
      { fetch },
    );
    const { message } = await errorOf(() => credentials.headers(API));
    expect(message).toMatch(/^credential_source has no token/);
  });

  it.each([
    [
      "region",
      {
        AWS_REGION: "a.evil.com/?",
        AWS_ACCESS_KEY_ID: "a",
        AWS_SECRET_ACCESS_KEY: "b",
      },
      /region of AWS/,
    ],
    ["role", { AWS_REGION: "us-east-2" }, /role of AWS/],
  ])("rejects an invalid %s of AWS", async (_, environment, message) => {
    const { fetch } = tokenServer(() => new Response("../../evil"));
    const credentials = externalAccount(
      { ...config, credential_source: aws },
      { fetch, environment },
    );
    expect((await errorOf(() => credentials.headers(API))).message).toMatch(
      message,
    );
  });

  it("takes the token of a function", async () => {
    const { fetch, sent } = tokenServer((count) => token(count));
    const subjectToken = async () => "mine";
    const { credential_source: _, ...rest } = config;
    const credentials = externalAccount(rest, { fetch, subjectToken });
    await credentials.headers(API);
    expect(String(sent[0]!.init.body)).toContain("subject_token=mine");
  });
});
