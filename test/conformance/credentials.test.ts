// Requests of src/runtime/auth and of google-auth-library, for the same
// credentials, as local servers receive them.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  AwsClient,
  Compute,
  DownscopedClient,
  ExternalAccountClient,
  gaxios,
  GoogleAuth,
  IdTokenClient,
  Impersonated,
  JWT,
  OAuth2Client,
  UserRefreshClient,
  type AuthClient,
} from "google-auth-library";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  it,
  vi,
} from "vitest";
import * as auth from "../../src/runtime/auth/index.js";
import * as node from "../../src/runtime/auth/node.js";
import { temporaryFolder } from "../support/paths.js";
import {
  PRIVATE_KEY,
  readable,
  startServers,
  type TokenServers,
} from "./credentials/recorder.js";

let servers: TokenServers;
const { Gaxios } = gaxios;
const original = Gaxios.prototype.request;

beforeAll(async () => {
  servers = await startServers();
  Gaxios.prototype.request = function (options = {}) {
    const fetchImplementation = servers.fetch as typeof fetch;
    return original.call(this, { ...options, fetchImplementation }) as never;
  };
});
afterAll(() => {
  Gaxios.prototype.request = original;
  servers.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 2, 3, 4, 5) });
  vi.stubEnv("GCE_METADATA_HOST", servers.host);
  vi.stubEnv("METADATA_SERVER_DETECTION", "assume-present");
  vi.stubEnv("GOOGLE_CLOUD_PROJECT", "project");
  vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", "");
  vi.stubEnv("GOOGLE_CLOUD_QUOTA_PROJECT", "");
  vi.stubEnv("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES", "1");
  for (const name of ["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID"])
    vi.stubEnv(name, "");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const folder = mkdtempSync(path.join(tmpdir(), "gen-credentials-"));
const file = (name: string, content: unknown): string => {
  const target = path.join(folder, name);
  const text = typeof content === "string" ? content : JSON.stringify(content);
  writeFileSync(target, text);
  return target;
};

const URL_OF_CALL = "https://drive.googleapis.com/";
const DRIVE = "https://www.googleapis.com/auth/drive";
const scopes = [DRIVE, "https://www.googleapis.com/auth/gmail.readonly"];
const audience = "https://service.example.com/path?a=b";
const email = "robot@project.iam.gserviceaccount.com";
const key = {
  type: "service_account",
  client_email: email,
  private_key: PRIVATE_KEY,
  private_key_id: "key-id",
};
const user = {
  type: "authorized_user",
  client_id: "client.apps.example.com",
  client_secret: "client secret +/",
  refresh_token: "1//refresh",
};
const pool =
  "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q";
const external = (source: object, more: object = {}) => ({
  type: "external_account" as const,
  audience: pool,
  subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
  token_url: "https://sts.googleapis.com/v1/token",
  credential_source: source,
  ...more,
});
const impersonation = {
  service_account_impersonation_url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${email}:generateAccessToken`,
};
const workforce = {
  audience:
    "//iam.googleapis.com/locations/global/workforcePools/p/providers/q",
  workforce_pool_user_project: "billed",
};
const aws = () =>
  external({
    environment_id: "aws1",
    region_url: `http://${servers.host}/aws/zone`,
    url: `http://${servers.host}/aws/role`,
    imdsv2_session_token_url: `http://${servers.host}/aws/token`,
    regional_cred_verification_url:
      "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
  });
const url = (more: object = {}) =>
  external(
    {
      url: `http://${servers.host}/subject`,
      headers: { "x-source": "a" },
      format: { type: "json", subject_token_field_name: "token" },
    },
    more,
  );
const program = () => {
  const output = {
    version: 1,
    success: true,
    token_type: "urn:ietf:params:oauth:token-type:id_token",
    id_token: "printed token",
    expiration_time: 4_000_000_000,
  };
  const script = file(
    "program.sh",
    `#!/bin/sh\necho '${JSON.stringify(output)}'\n`,
  );
  chmodSync(script, 0o700);
  return external({ executable: { command: `${script} "an argument"` } });
};
const workforceUser = {
  ...user,
  type: "external_account_authorized_user",
  token_url: "https://sts.googleapis.com/v1/oauthtoken",
  quota_project_id: "billed",
};
const impersonatedFile = {
  type: "impersonated_service_account",
  source_credentials: user,
  delegates: ["delegate@example.com"],
  ...impersonation,
};
const accessBoundary = {
  accessBoundaryRules: [
    {
      availableResource: "//storage.googleapis.com/projects/_/buckets/b",
      availablePermissions: ["inRole:roles/storage.objectViewer"],
      availabilityCondition: { expression: "true", title: "t" },
    },
  ],
};
const googleUser = (): UserRefreshClient =>
  new UserRefreshClient(user.client_id, user.client_secret, user.refresh_token);
const jwt = (options: object = {}): JWT =>
  new JWT({ email, key: PRIVATE_KEY, keyId: "key-id", ...options });
const web = () => ({ fetch: servers.fetch });
const ownUser = () => auth.keyFile(user, web()) as auth.IdTokenCredentials;
const adc = (): GoogleAuth => new GoogleAuth({ scopes });

/** Google's credentials and ours, by the name of the flow. */
const FLOWS: Readonly<
  Record<
    string,
    readonly [
      google: () => Pick<AuthClient, "getRequestHeaders">,
      own: () => auth.Credentials,
    ]
  >
> = {
  "service account": [
    () => jwt({ scopes }),
    () => auth.serviceAccount(key, { scopes, ...web() }),
  ],
  "service account with subject": [
    () => jwt({ scopes, subject: "user@example.com" }),
    () => {
      const subject = "user@example.com";
      return auth.serviceAccount(key, { scopes, subject, ...web() });
    },
  ],
  "self-signed JWT for an API": [() => jwt(), () => auth.serviceAccount(key)],
  "self-signed JWT with scopes, in another universe": [
    () => jwt({ scopes, universeDomain: "example.com" }),
    () =>
      auth.serviceAccount(
        { ...key, universe_domain: "example.com" },
        { scopes },
      ),
  ],
  "ID token of a service account": [
    () =>
      new IdTokenClient({ targetAudience: audience, idTokenProvider: jwt() }),
    () => auth.idToken(auth.serviceAccount(key, web()), { audience }),
  ],
  "refresh token": [
    googleUser,
    () =>
      auth.refreshToken({
        clientId: user.client_id,
        clientSecret: user.client_secret,
        refreshToken: user.refresh_token,
        ...web(),
      }),
  ],
  "file of a user, with quota project": [
    () => new GoogleAuth().fromJSON({ ...user, quota_project_id: "billed" }),
    () => auth.keyFile({ ...user, quota_project_id: "billed" }, web()),
  ],
  "ID token of a user": [
    () =>
      new IdTokenClient({
        targetAudience: audience,
        idTokenProvider: googleUser(),
      }),
    () => auth.idToken(ownUser(), { audience }),
  ],
  "metadata server": [
    () => new Compute({ scopes }),
    () => auth.metadataServer({ scopes, host: servers.host }),
  ],
  "metadata server, another account": [
    () => new Compute({ serviceAccountEmail: email }),
    () => auth.metadataServer({ account: email, host: servers.host }),
  ],
  "ID token of the metadata server": [
    () =>
      new IdTokenClient({
        targetAudience: encodeURIComponent(audience),
        idTokenProvider: new Compute(),
      }),
    () =>
      auth.idToken(auth.metadataServer({ host: servers.host }), { audience }),
  ],
  "identity federation, file": [
    () => external_(external({ file: file("token.txt", "subject token") })),
    () =>
      node.externalAccount(
        external({ file: file("token.txt", "subject token") }),
        { scopes, ...web() },
      ),
  ],
  "identity federation, URL with impersonation": [
    () => external_(url(impersonation)),
    () => auth.externalAccount(url(impersonation), { scopes, ...web() }),
  ],
  "identity federation, client secret and lifetime": [
    () =>
      external_(
        url({
          ...impersonation,
          client_id: "i",
          client_secret: "s",
          service_account_impersonation: { token_lifetime_seconds: 600 },
        }),
      ),
    () =>
      auth.externalAccount(
        url({
          ...impersonation,
          client_id: "i",
          client_secret: "s",
          service_account_impersonation: { token_lifetime_seconds: 600 },
        }),
        { scopes, ...web() },
      ),
  ],
  "workforce pool": [
    () => external_(url(workforce)),
    () => auth.externalAccount(url(workforce), { scopes, ...web() }),
  ],
  "identity federation, AWS": [
    () => {
      const client = new AwsClient(aws() as never);
      client.scopes = scopes;
      return client;
    },
    () => auth.externalAccount(aws(), { scopes, ...web() }),
  ],
  "identity federation, executable": [
    () => external_(program()),
    () => node.externalAccount(program(), { scopes, ...web() }),
  ],
  "user of a workforce pool": [
    () => new GoogleAuth().fromJSON(workforceUser),
    () => auth.externalAccountUser(workforceUser, web()),
  ],
  "impersonation with delegates": [
    () =>
      new Impersonated({
        sourceClient: googleUser(),
        targetPrincipal: email,
        delegates: ["delegate@example.com"],
        targetScopes: scopes,
        lifetime: 600,
      }),
    () =>
      auth.impersonate(ownUser(), {
        targetPrincipal: email,
        delegates: ["delegate@example.com"],
        scopes,
        lifetime: 600,
        ...web(),
      }),
  ],
  "ID token of an impersonated account": [
    () =>
      new IdTokenClient({
        targetAudience: audience,
        idTokenProvider: new Impersonated({
          sourceClient: googleUser(),
          targetPrincipal: email,
        }),
      }),
    () => {
      const target = { targetPrincipal: email, scopes: [], ...web() };
      return auth.idToken(auth.impersonate(ownUser(), target), { audience });
    },
  ],
  "file of an impersonated account": [
    () => new GoogleAuth({ scopes }).fromJSON(impersonatedFile),
    () => auth.keyFile(impersonatedFile, { scopes, ...web() }),
  ],
  "downscoped token": [
    () => new DownscopedClient(googleUser(), { accessBoundary }),
    () => auth.downscope(ownUser(), { accessBoundary, ...web() }),
  ],
  "API key": [
    () => new GoogleAuth().fromAPIKey("AIzaKey"),
    () => auth.apiKey("AIzaKey"),
  ],
  "application default credentials, variable": [
    () => withVariable(adc()),
    () => withVariable(node.applicationDefault({ scopes, ...web() })),
  ],
  "application default credentials, file of gcloud": [
    () => withGcloudFile(adc()),
    () => withGcloudFile(node.applicationDefault({ scopes, ...web() })),
  ],
  "application default credentials, metadata server": [
    () => withoutFiles(adc()),
    () => withoutFiles(node.applicationDefault({ scopes })),
  ],
};

function external_(config: ReturnType<typeof external>): AuthClient {
  const client = ExternalAccountClient.fromJSON(config as never)!;
  client.scopes = scopes;
  return client;
}

function withVariable<T>(value: T): T {
  vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", file("key.json", key));
  return value;
}

function withGcloudFile<T>(value: T): T {
  file("application_default_credentials.json", user);
  vi.stubEnv("CLOUDSDK_CONFIG", folder);
  vi.stubEnv("GOOGLE_CLOUD_QUOTA_PROJECT", "billed");
  return value;
}

function withoutFiles<T>(value: T): T {
  vi.stubEnv("CLOUDSDK_CONFIG", temporaryFolder());
  return value;
}

const plain = (headers: Headers | Readonly<Record<string, string>>) =>
  Object.fromEntries(
    [...new Headers(headers)].map(([name, value]) => [name, readable(value)]),
  );

it("compares more than 14 flows", () => {
  expect(Object.keys(FLOWS).length).toBeGreaterThan(14);
});

it.each(Object.entries(FLOWS))(
  "%s: sends the requests of google-auth-library",
  async (name, [google, own]) => {
    const expectedHeaders = plain(
      await google().getRequestHeaders(URL_OF_CALL),
    );
    const expected = servers
      .take()
      // google-auth-library tests whether there is a metadata server.
      .filter(
        ({ url: target }) => !/\/instance\/?$|\/project-id$/.test(target),
      );
    const headers = plain(await own().headers({ url: URL_OF_CALL }));
    expect(servers.take()).toEqual(expected);
    expect(headers).toEqual(expectedHeaders);
    if (!/self-signed|API key/.test(name)) expect(expected).not.toEqual([]);
  },
);

it("login: the requests of google-auth-library, with PKCE", async () => {
  const stored = path.join(folder, "login.json");
  let shown = "";
  const own = node.login({
    clientId: user.client_id,
    clientSecret: user.client_secret,
    scopes,
    file: stored,
    fetch: async (target, init) => {
      const response = await servers.fetch(target, init);
      const value = Object(await response.json());
      return Response.json({ ...value, refresh_token: "1//new" });
    },
    open: (page) => {
      shown = page;
      const { searchParams } = new URL(page);
      const redirect = new URL(searchParams.get("redirect_uri")!);
      redirect.searchParams.set("code", "the code");
      redirect.searchParams.set("state", searchParams.get("state")!);
      void fetch(redirect);
    },
  });
  await own.headers({ url: URL_OF_CALL });
  const [sent] = servers.take();
  const { redirect_uri, state, code_challenge } = Object.fromEntries(
    new URL(shown).searchParams,
  );
  const client = new OAuth2Client({
    clientId: user.client_id,
    clientSecret: user.client_secret,
    redirectUri: redirect_uri!,
  });
  const expectedPage = client.generateAuthUrl({
    scope: scopes,
    access_type: "offline",
    prompt: "consent",
    state: state!,
    code_challenge: code_challenge!,
    code_challenge_method: "S256" as never,
  });
  const parts = (page: string) => {
    const { origin, pathname, searchParams } = new URL(page);
    return [origin, pathname, Object.fromEntries(searchParams)];
  };
  expect(parts(shown)).toEqual(parts(expectedPage));
  const { code_verifier: codeVerifier } = sent!.body as Record<string, string>;
  await client.getToken({ code: "the code", codeVerifier: codeVerifier! });
  expect(servers.take()).toEqual([sent]);
});
