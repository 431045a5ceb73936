import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";
import { extract } from "tar-stream";
import { listen, type Host } from "../../src/services/host.js";
import { start } from "../../src/services/migration/index.js";
import type { Flags } from "../../src/services/migration/records.js";
import type { LogLine } from "../../src/services/service.js";
import { memoryStore } from "../../src/services/store/open.js";
import type { Store } from "../../src/services/store/store.js";
import { ROOT } from "../support/paths.js";

/** Flags of a migration without options. */
export const FLAGS: Flags = {
  lock_repositories: false,
  exclude_metadata: false,
  exclude_git_data: false,
  exclude_attachments: false,
  exclude_releases: false,
  exclude_owner_projects: false,
  org_metadata_only: false,
};

/** Tokens of the test users; in the config as hash or plain text. */
export const TOKENS = {
  owner: "owner-token",
  member: "member-token",
  fine: "fine-token",
  appUser: "app-user-token",
  app: "app-token",
  narrow: "narrow-token",
} as const;

/** Returns a config of the service with additional members. */
export function configOf(root: string, more: object = {}): object {
  return {
    root,
    organizations: [
      { login: "Acme", owners: ["Octocat"] },
      { login: "other", owners: ["hubot"] },
    ],
    tokens: [
      { token: TOKENS.owner, user: "octocat" },
      { token: TOKENS.member, user: "hubot", kind: "classic" },
      { token: TOKENS.fine, user: "octocat", kind: "fine-grained" },
      { token: TOKENS.appUser, user: "octocat", kind: "app-user" },
      { token: TOKENS.app, user: "octocat", kind: "app-installation" },
      { token: TOKENS.narrow, user: "octocat", scopes: ["repo"] },
    ],
    ...more,
  };
}

/** Settings of git independent of the machine. */
const GIT = {
  PATH: process.env["PATH"],
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
};

/** Runs git in a folder; returns its output. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-C", folder, ...args], {
    env: GIT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Creates a bare repository with one commit and one annotated tag. */
export function makeRepository(root: string, org: string, name: string): void {
  const work = mkdtempSync(path.join(tmpdir(), "migration-made-"));
  git(work, "init", "-q", "-b", "main");
  writeFileSync(path.join(work, "README.md"), `# ${name}\n`);
  git(work, "add", ".");
  git(work, "commit", "-q", "-m", "First");
  git(work, "tag", "-m", `Release of ${name}`, "v1");
  mkdirSync(path.join(root, org), { recursive: true });
  git(work, "clone", "-q", "--bare", ".", path.join(root, org, `${name}.git`));
  rmSync(work, { recursive: true });
}

/** Creates a temporary folder; returns a function that removes it. */
export function temporary(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), "migration-test-"));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** Running service. */
export interface Running extends Host {
  readonly store: Store;
  readonly lines: LogLine[];
  /** Milliseconds by which its clock is ahead. */
  ahead: number;
}

/** Starts the service on loopback. */
export async function serve(
  root: string,
  folder: string | undefined,
  more: object = {},
  store: Store = memoryStore(),
): Promise<Running> {
  const lines: LogLine[] = [];
  const running = { store, lines, ahead: 0 };
  const service = await start({
    store,
    now: () => Date.now() + running.ahead,
    log: (line) => lines.push(line),
    folder,
    config: configOf(root, more),
  });
  const log = (line: LogLine): number => lines.push(line);
  return Object.assign(running, await listen([service], { log }));
}

/** Response with its body as text and, if possible, as JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test knows what the JSON holds
  readonly json: any;
}

/** Sends a request as the owner, unless the headers differ. */
export async function call(
  { origin }: Host,
  verb: string,
  target: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(origin + target, {
    method: verb,
    redirect: "manual",
    headers: { authorization: `token ${TOKENS.owner}`, ...headers },
    ...(body === undefined
      ? {}
      : {
          body:
            typeof body === "string" || body instanceof Uint8Array
              ? (body as string)
              : JSON.stringify(body),
        }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson === true && text !== "" ? JSON.parse(text) : undefined,
  };
}

/** Waits until a migration is finished; returns it. */
export async function ended(host: Host, id: number): Promise<Answer["json"]> {
  for (;;) {
    const { json } = await call(host, "GET", `/orgs/acme/migrations/${id}`);
    if (json.state === "exported" || json.state === "failed") return json;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Starts a migration and waits until it is finished. */
export async function migrate(
  host: Host,
  body: object,
): Promise<Answer["json"]> {
  const { json, status, text } = await call(
    host,
    "POST",
    "/orgs/acme/migrations",
    body,
  );
  if (status !== 201) throw new Error(`${status} ${text}`);
  return ended(host, json.id);
}

/** Follows the redirect to an archive; returns its bytes. */
export async function download(host: Host, id: number): Promise<Buffer> {
  const { headers, status } = await call(
    host,
    "GET",
    `/orgs/acme/migrations/${id}/archive`,
  );
  if (status !== 302) throw new Error(`Status ${status}`);
  const response = await fetch(headers.get("location")!);
  if (response.status !== 200) throw new Error(`Status ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Returns the files of an archive by name. */
export async function unpack(
  archive: Uint8Array,
): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const tar = extract();
  tar.on("entry", (header, stream, next) => {
    const parts: Buffer[] = [];
    stream.on("data", (part) => parts.push(part as Buffer));
    stream.on("end", () => {
      files.set(header.name, Buffer.concat(parts));
      next();
    });
  });
  const done = new Promise((resolve, reject) => {
    tar.on("finish", () => resolve(undefined));
    tar.on("error", reject);
  });
  tar.end(gunzipSync(archive));
  await done;
  return files;
}

/** Verifies a bundle with git; returns its references. */
export function verifyBundle(bundle: Uint8Array): string {
  const folder = mkdtempSync(path.join(tmpdir(), "migration-bundle-"));
  try {
    const file = path.join(folder, "x.bundle");
    writeFileSync(file, bundle);
    git(folder, "init", "-q");
    git(folder, "bundle", "verify", "-q", file);
    return git(folder, "bundle", "list-heads", file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Bundles the program of the migration service that tests run and kill. */
export async function bundleChild(script: string): Promise<void> {
  await build({
    entryPoints: [path.join(ROOT, "test/services/migration-child.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: script,
    banner: {
      js: 'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);',
    },
    external: ["classic-level", "graphile-worker", "pg"],
  });
}
