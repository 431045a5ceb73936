import {
  chmodSync,
  existsSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  applicationDefault,
  externalAccount,
  login,
  type LoginOptions,
} from "../../../src/runtime/auth/node.js";
import { idToken } from "../../../src/runtime/auth/index.js";
import { temporaryFolder } from "../../support/paths.js";
import { API, KEY, token, tokenServer } from "./support.js";

const EMPTY = {
  GOOGLE_APPLICATION_CREDENTIALS: "",
  GOOGLE_CLOUD_QUOTA_PROJECT: "",
  GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES: "",
  GCE_METADATA_HOST: "metadata.example.com",
};

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
  for (const [name, value] of Object.entries(EMPTY)) vi.stubEnv(name, value);
  vi.stubEnv("CLOUDSDK_CONFIG", folder);
});
afterEach(() => vi.unstubAllEnvs());

function file(name: string, content: unknown): string {
  const target = path.join(folder, name);
  const text = typeof content === "string" ? content : JSON.stringify(content);
  writeFileSync(target, text);
  return target;
}

const message = async (work: Promise<unknown>): Promise<string> => {
  const error: Error = await work.then(
    () => new Error("no error"),
    (thrown) => thrown,
  );
  return error.message;
};

const USER = {
  type: "authorized_user",
  client_id: "id",
  client_secret: "secret",
  refresh_token: "1//r",
};

describe("application default credentials", () => {
  it("prefer the variable, then the file of gcloud, then the metadata server", async () => {
    const { fetch, sent } = tokenServer((count, { url }) =>
      Response.json(token(count), {
        headers: {
          "metadata-flavor": url.startsWith("http://meta") ? "Google" : "",
        },
      }),
    );
    const request = () =>
      applicationDefault({ scopes: ["s"], fetch }).headers(API);
    await request();
    file("application_default_credentials.json", {
      ...USER,
      quota_project_id: "q",
    });
    expect(await request()).toHaveProperty("x-goog-user-project", "q");
    vi.stubEnv("GOOGLE_CLOUD_QUOTA_PROJECT", "other");
    expect(await request()).toHaveProperty("x-goog-user-project", "other");
    vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", file("key.json", KEY));
    await request();
    const bodies = sent.map(
      ({ init }) => new URLSearchParams(String(init.body ?? "")),
    );
    expect(sent[0]!.url).toMatch(
      /^http:\/\/metadata\.example\.com\/.*\?scopes=s$/,
    );
    expect(
      bodies.map((body) => body.get("grant_type")?.split(":").at(-1)),
    ).toEqual([undefined, "refresh_token", "refresh_token", "jwt-bearer"]);
  });

  it("issue ID tokens if the credentials that were found can", async () => {
    const claims = btoa(JSON.stringify({ exp: Date.now() / 1000 + 3600 }));
    const { fetch, sent } = tokenServer(() => ({ id_token: `a.${claims}.b` }));
    const request = () =>
      idToken(applicationDefault({ fetch }), { audience: "service" }).headers(
        API,
      );
    vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", file("key.json", KEY));
    expect(await request()).toEqual({ authorization: `Bearer a.${claims}.b` });
    const assertion = new URLSearchParams(String(sent[0]!.init.body)).get(
      "assertion",
    )!;
    expect(JSON.parse(atob(assertion.split(".")[1]!))).toHaveProperty(
      "target_audience",
      "service",
    );
    const federated = {
      type: "external_account",
      audience: "a",
      subject_token_type: "b",
      credential_source: { file: "token" },
    };
    vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", file("key.json", federated));
    expect(await message(request())).toBe(
      "these credentials can't issue ID tokens",
    );
  });

  it("ignore variables of the metadata server that are empty", async () => {
    const { fetch, sent } = tokenServer((count) =>
      Response.json(token(count), { headers: { "metadata-flavor": "Google" } }),
    );
    const request = async (): Promise<string> => {
      await applicationDefault({ fetch }).headers(API);
      return new URL(sent.at(-1)!.url).host;
    };
    vi.stubEnv("GCE_METADATA_HOST", "");
    vi.stubEnv("GCE_METADATA_IP", "127.0.0.1:1");
    expect(await request()).toBe("127.0.0.1:1");
    vi.stubEnv("GCE_METADATA_IP", "");
    expect(await request()).toBe("169.254.169.254");
  });

  it.each<[string, (at: string) => string | undefined, RegExp]>([
    ["a missing file", () => undefined, /key\.json can't be read: ENOENT$/],
    [
      "a file that is not JSON",
      () => '{"private_key": "secret',
      /key\.json is not JSON$/,
    ],
    [
      "a large file",
      () => "x".repeat(1_000_001),
      /not a file of less than 1 MB$/,
    ],
    ["a file of another type", () => "[]", /^type must be that of a key file/],
  ])("%s", async (_, content, expected) => {
    const target = path.join(folder, "key.json");
    const text = content(target);
    if (text !== undefined) writeFileSync(target, text);
    vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", target);
    const found = await message(applicationDefault().headers(API));
    expect(found).toMatch(expected);
    expect(found).not.toContain("secret");
  });

  it("name the ways to set credentials if there are none", async () => {
    vi.stubEnv("GCE_METADATA_HOST", undefined);
    const fetch = () => Promise.reject(new TypeError("fetch failed"));
    expect(await message(applicationDefault({ fetch }).headers(API))).toMatch(
      /^no credentials found; set GOOGLE_APPLICATION_CREDENTIALS or run "gcloud/,
    );
  });
});

describe("programs of external accounts", () => {
  const config = (command: string, more: object = {}) => ({
    type: "external_account",
    audience: "//iam.googleapis.com/a",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    credential_source: { executable: { command, ...more } },
  });
  const output = (more: object = {}): string =>
    JSON.stringify({
      version: 1,
      success: true,
      token_type: "urn:ietf:params:oauth:token-type:jwt",
      id_token: "printed",
      expiration_time: 4_000_000_000,
      ...more,
    });
  function script(text: string): string {
    const target = file("program", `#!/bin/sh\n${text}\n`);
    chmodSync(target, 0o700);
    return target;
  }
  const tokens = () => tokenServer((count) => token(count));

  it("run only with consent", async () => {
    const marker = path.join(folder, "ran");
    const program = script(`touch ${marker}; echo '${output()}'`);
    expect(() => externalAccount(config(program))).toThrow(
      "set allowExecutables to permit it",
    );
    expect(() =>
      externalAccount(config(program), { allowExecutables: false }),
    ).toThrow();
    vi.stubEnv(
      "GOOGLE_APPLICATION_CREDENTIALS",
      file("key.json", config(program)),
    );
    expect(await message(applicationDefault(tokens()).headers(API))).toMatch(
      /allowExecutables/,
    );
    expect(existsSync(marker)).toBe(false);
    await applicationDefault({ ...tokens(), allowExecutables: true }).headers(
      API,
    );
    expect(existsSync(marker)).toBe(true);
  });

  it("receive arguments and variables, without a shell", async () => {
    const marker = path.join(folder, "seen");
    const program = script(
      `printf '%s|' "$@" "$GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE" "$GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE" > ${marker}; echo '${output()}'`,
    );
    const { fetch, sent } = tokens();
    const command = `${program} --a "b c" ; touch ${folder}/evil $(touch ${folder}/evil)`;
    await externalAccount(config(command), {
      fetch,
      allowExecutables: true,
    }).headers(API);
    expect(readFileSync(marker, "utf8")).toBe(
      `--a|b c|;|touch|${folder}/evil|$(touch|${folder}/evil)|//iam.googleapis.com/a|0|`,
    );
    expect(existsSync(`${folder}/evil`)).toBe(false);
    expect(String(sent[0]!.init.body)).toContain("subject_token=printed");
  });

  it.each<[string, string, RegExp]>([
    [
      "ends with a failure",
      "echo secret; exit 3",
      /^the executable ended with code 3$/,
    ],
    ["prints text", "echo secret", /is not JSON$/],
    [
      "prints no token",
      `echo '${output({ id_token: 5 })}'`,
      /must have id_token or saml_response$/,
    ],
    [
      "prints an old token",
      `echo '${output({ expiration_time: 5 })}'`,
      /has expired$/,
    ],
    [
      "prints another version",
      `echo '${output({ version: 2 })}'`,
      /must have version 1$/,
    ],
    [
      "reports a failure",
      `echo '${output({ success: false, message: "secret" })}'`,
      /reports that it has no token$/,
    ],
    [
      "prints without end",
      "while :; do echo secretsecretsecretsecretsecretsecretsecretsecret; done",
      /is too large$/,
    ],
  ])("that %s", async (_, text, expected) => {
    const options = { allowExecutables: true, ...tokens() };
    const credentials = externalAccount(config(script(text)), options);
    const found = await message(credentials.headers(API));
    expect(found).toMatch(expected);
    expect(found).not.toContain("secret");
  });

  it("that do not exist, or have an invalid timeout", async () => {
    const options = { allowExecutables: true, ...tokens() };
    const none = externalAccount(config(`${folder}/none`), options);
    expect(await message(none.headers(API))).toBe(
      "the executable can't run: ENOENT",
    );
    const fast = externalAccount(
      config("true", { timeout_millis: 10 }),
      options,
    );
    expect(await message(fast.headers(API))).toMatch(
      /^timeout_millis must be from 5000/,
    );
  });

  it("are not run while their output file is valid", async () => {
    const output_file = file("output.json", output({ id_token: "stored" }));
    const { fetch, sent } = tokens();
    const program = script("exit 1");
    const options = { fetch, allowExecutables: true };
    await externalAccount(config(program, { output_file }), options).headers(
      API,
    );
    expect(String(sent[0]!.init.body)).toContain("subject_token=stored");
  });
});

describe("login", () => {
  function setup(more: Partial<LoginOptions> = {}) {
    const pages: URL[] = [];
    const { fetch, sent } = tokenServer((count) => ({
      ...token(count),
      refresh_token: `1//new-${count}`,
    }));
    const options: LoginOptions = {
      clientId: "id",
      scopes: ["a", "b"],
      file: path.join(folder, "deep/login.json"),
      fetch,
      open: async (page) => {
        const url = new URL(page);
        pages.push(url);
        await visit(url, { code: "c" });
      },
      ...more,
    };
    return { options, pages, sent };
  }
  async function visit(
    page: URL,
    answer: Record<string, string>,
  ): Promise<number> {
    const target = new URL(page.searchParams.get("redirect_uri")!);
    const state = page.searchParams.get("state")!;
    const query = new URLSearchParams({ state, ...answer });
    return (await fetch(`${target}?${query}`)).status;
  }

  it("stores the token in a file of the user alone, and reads it the next time", async () => {
    const { options, pages, sent } = setup();
    expect(await login(options).headers(API)).toEqual({
      authorization: "Bearer token-2",
    });
    const { mode } = statSync(options.file!);
    expect(mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(options.file!)).mode & 0o777).toBe(0o700);
    await login(options).headers(API);
    await login({ ...options, scopes: ["b"] }).headers(API);
    expect(pages.length).toBe(1);
    expect(String(sent.at(-1)!.init.body)).toContain(
      "refresh_token=1%2F%2Fnew-1",
    );
    expect(pages[0]!.searchParams.get("code_challenge_method")).toBe("S256");
  });

  it("asks again for scopes that the stored token does not have", async () => {
    const { options, pages } = setup();
    await login(options).headers(API);
    await login({ ...options, scopes: ["a", "c"] }).headers(API);
    expect(pages.map(({ searchParams }) => searchParams.get("scope"))).toEqual([
      "a b",
      "a c",
    ]);
  });

  it("asks once for several calls, and again after the user revoked the access", async () => {
    const { options, pages } = setup();
    writeFileSync(
      (options as { file: string }).file.replace("deep/", ""),
      JSON.stringify({
        client_id: "id",
        refresh_token: "revoked",
        scopes: ["a", "b"],
      }),
    );
    const { fetch } = tokenServer((count, { init }) =>
      String(init.body).includes("revoked")
        ? Response.json({ error: "invalid_grant" }, { status: 400 })
        : { ...token(count), refresh_token: "1//new" },
    );
    const file = path.join(folder, "login.json");
    const credentials = login({ ...options, file, fetch });
    const calls = Array.from({ length: 5 }, () => credentials.headers(API));
    const all = await Promise.all(calls);
    expect(new Set(all.map(({ authorization }) => authorization)).size).toBe(1);
    expect(pages.length).toBe(1);
    expect(readFileSync(file, "utf8")).toContain("1//new");
  });

  it("ignores redirects of other logins", async () => {
    const statuses: number[] = [];
    const { options } = setup({
      open: async (page) => {
        const url = new URL(page);
        statuses.push(await visit(url, { code: "evil", state: "other" }));
        statuses.push(await visit(url, { code: "c" }));
      },
    });
    await login(options).headers(API);
    expect(statuses).toEqual([404, 200]);
  });

  it("fails if the user refuses, does not respond, or the page can't be shown", async () => {
    const refused = setup({
      open: async (page) =>
        void (await visit(new URL(page), { error: "access_denied" })),
    });
    expect(await message(login(refused.options).headers(API))).toBe(
      "the login was refused",
    );
    const late = setup({ open: () => {}, loginTimeout: 20 });
    expect(await message(login(late.options).headers(API))).toBe(
      "the login was not completed in 20 ms",
    );
    const closed = setup({
      open: () => Promise.reject(new Error("no browser")),
    });
    expect(await message(login(closed.options).headers(API))).toBe(
      "no browser",
    );
  });

  it("has a default file for each client in the user's folder", async () => {
    vi.stubEnv("XDG_CONFIG_HOME", folder);
    const { options } = setup({ file: undefined, clientId: "../a/b" });
    await login(options).headers(API);
    expect(
      existsSync(path.join(folder, "discovery-codegen/login-.._a_b.json")),
    ).toBe(true);
  });

  it("accepts only https servers", () => {
    const { options } = setup({ tokenUrl: "http://evil.example.com/" });
    expect(() => login(options)).toThrow("tokenUrl must be an https URL");
  });
});
