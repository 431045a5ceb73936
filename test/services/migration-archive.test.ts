import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { memoryStore } from "../../src/services/store/open.js";
import {
  call,
  download,
  git,
  makeRepository,
  migrate,
  serve,
  temporary,
  unpack,
  verifyBundle,
  type Running,
} from "./migration-support.js";

const { folder: root, remove } = temporary();
beforeAll(() => {
  makeRepository(root, "acme", "alpha");
  const acme = path.join(root, "acme");
  git(acme, "init", "-q", "--bare", "empty.git");
  const attachments = path.join(acme, "alpha.attachments", "images");
  mkdirSync(attachments, { recursive: true });
  writeFileSync(path.join(attachments, "a.png"), "PNG");
  writeFileSync(path.join(attachments, "nothing"), "");
  symlinkSync("/etc/passwd", path.join(attachments, "passwd"));
  writeFileSync(path.join(acme, "projects.json"), '[{"name":"Roadmap"}]');
});
afterAll(remove);

let open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.reverse()) await close();
  open = [];
});

/** Starts a service with a persistent folder. */
async function service(more: object = {}): Promise<Running & { data: string }> {
  const data = temporary();
  const host = await serve(root, data.folder, more);
  open.push(data.remove, () => host.close());
  return Object.assign(host, { data: data.folder });
}

async function namesOf(host: Running, body: object): Promise<string[]> {
  const { id } = await migrate(host, body);
  return [...(await unpack(await download(host, id))).keys()].sort();
}

const ALL = [
  "attachments/alpha/images/a.png",
  "attachments/alpha/images/nothing",
  "migration.json",
  "organization.json",
  "projects.json",
  "releases/alpha.json",
  "repositories/alpha.bundle",
  "repositories/alpha.json",
  "schema.json",
];

describe("flags", () => {
  const without = (...names: readonly string[]): string[] =>
    ALL.filter((name) => !names.some((start) => name.startsWith(start)));
  test.each([
    [{}, ALL],
    [{ exclude_git_data: true }, without("repositories/alpha.bundle")],
    [{ exclude_attachments: true }, without("attachments/")],
    [{ exclude_releases: true }, without("releases/")],
    [{ exclude_owner_projects: true }, without("projects")],
    [{ exclude_metadata: true }, ["repositories/alpha.bundle", "schema.json"]],
    [{ exclude_metadata: true, exclude_git_data: true }, ["schema.json"]],
  ])("%j", async (flags, names) => {
    const host = await service();
    const body = { repositories: ["alpha"], ...flags };
    expect(await namesOf(host, body)).toEqual(names);
    const { json } = await call(host, "GET", "/orgs/acme/migrations/1");
    expect(json).toMatchObject(flags);
  });

  test("org_metadata_only takes precedence over all others", async () => {
    const host = await service();
    const body = {
      repositories: [],
      org_metadata_only: true,
      exclude_metadata: true,
      exclude_owner_projects: true,
    };
    expect(await namesOf(host, body)).toEqual([
      "migration.json",
      "organization.json",
      "projects.json",
      "schema.json",
    ]);
  });

  test("adds the metadata of the organization and repositories", async () => {
    const host = await service();
    const { id } = await migrate(host, { repositories: ["alpha", "empty"] });
    const files = await unpack(await download(host, id));
    const json = (name: string): unknown => JSON.parse(String(files.get(name)));
    expect(json("organization.json")).toEqual({
      login: "Acme",
      owners: ["octocat"],
    });
    expect(json("projects.json")).toEqual([{ name: "Roadmap" }]);
    expect(json("repositories/alpha.json")).toMatchObject({
      default_branch: "main",
      bundle: "repositories/alpha.bundle",
      references: [{ name: "refs/heads/main" }, { name: "refs/tags/v1" }],
    });
    expect(json("repositories/empty.json")).toMatchObject({ bundle: null });
    verifyBundle(files.get("repositories/alpha.bundle")!);
  });
});

test("does not follow links", async () => {
  const linked = temporary();
  open.push(linked.remove);
  makeRepository(linked.folder, "acme", "alpha");
  const acme = path.join(linked.folder, "acme");
  const outside = path.join(root, "acme");
  symlinkSync(
    path.join(outside, "alpha.attachments"),
    path.join(acme, "alpha.attachments"),
  );
  symlinkSync(
    path.join(outside, "projects.json"),
    path.join(acme, "projects.json"),
  );
  symlinkSync(path.join(outside, "alpha.git"), path.join(acme, "beta.git"));
  const host = await serve(linked.folder, undefined);
  open.push(() => host.close());
  const { id } = await migrate(host, { repositories: ["alpha"] });
  const files = await unpack(await download(host, id));
  expect([...files.keys()].filter((name) => /attach/.test(name))).toEqual([]);
  expect(JSON.parse(String(files.get("projects.json")))).toEqual([]);
  const body = { repositories: ["beta"] };
  const linkedOne = await call(host, "POST", "/orgs/acme/migrations", body);
  expect(linkedOne.status).toBe(404);
});

/** Lists the files of all processes without their liveness files. */
function drafts(data: string): string[] {
  const work = path.join(data, "work");
  return readdirSync(work).flatMap((name) =>
    readdirSync(path.join(work, name)).filter((one) => one !== "alive"),
  );
}

test("stores and logs the reason of a failed export", async () => {
  const host = await service({ archiveBytes: 100 });
  const migration = await migrate(host, { repositories: ["alpha"] });
  expect(migration.state).toBe("failed");
  const [row] = await host.store.list<{ reason: string }>(
    "migration-migrations",
  );
  const reason = "The archive would be larger than 100 bytes.";
  expect(row!.value.reason).toBe(reason);
  expect(host.lines).toContainEqual(
    expect.objectContaining({ event: "export failed", reason }),
  );
  for (const verb of ["GET", "DELETE"])
    expect(
      (await call(host, verb, "/orgs/acme/migrations/1/archive")).status,
    ).toBe(404);
  expect(drafts(host.data)).toEqual([]);
  expect(readdirSync(path.join(host.data, "archives"))).toEqual([]);
});

const DAY = 24 * 60 * 60 * 1000;
const ARCHIVE = "/orgs/acme/migrations/1/archive";

describe("downloads", () => {
  test("are redirects to a signed URL that needs no token", async () => {
    const host = await service({ urlSeconds: 60 });
    await migrate(host, { repositories: ["alpha"] });
    const found = await call(host, "GET", ARCHIVE);
    expect([found.status, found.text]).toEqual([302, ""]);
    const location = found.headers.get("location")!;
    const whole = await fetch(location);
    expect(whole.headers.get("content-type")).toBe("application/gzip");
    const bytes = Buffer.from(await whole.arrayBuffer());
    const head = await fetch(location, { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(String(bytes.length));
    const part = await fetch(location, { headers: { range: "bytes=2-9" } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(
      bytes.subarray(2, 10),
    );
    const behind = await fetch(location, {
      headers: { range: `bytes=${bytes.length}-` },
    });
    expect(behind.status).toBe(416);
    expect((await fetch(location, { method: "DELETE" })).status).toBe(405);
    host.ahead = 61_000;
    expect((await fetch(location)).status).toBe(404);
  });

  test("forged URLs are 404", async () => {
    const host = await service();
    await migrate(host, { repositories: ["alpha"] });
    await migrate(host, { repositories: ["empty"] });
    const good = (await call(host, "GET", ARCHIVE)).headers.get("location")!;
    const url = new URL(good);
    const forged = [
      good.replace(/expires=\d/, "expires=9"),
      good.replace("/1.tar", "/2.tar"),
      good.replace("/1.tar", "/01.tar"),
      good.replace(/.$/, (last) => (last === "A" ? "E" : "A")),
      good.replace(/signature=.*/, "signature="),
      `${good}&x=1`,
      `${good}=`,
      `${url.origin}/archives/1.tar.gz`,
      `${url.origin}/archives/%00`,
      `${url.origin}/archives/`,
    ];
    for (const one of forged) {
      const answer = await fetch(one);
      expect([one, answer.status]).toEqual([one, 404]);
      expect(await answer.json()).toMatchObject({ message: "Not Found" });
    }
    expect((await fetch(good)).status).toBe(200);
    expect(JSON.stringify(host.lines)).not.toMatch(/signature|owner-token/);
  });

  test("end when the archive is deleted", async () => {
    const host = await service();
    await migrate(host, { repositories: ["alpha"] });
    const good = (await call(host, "GET", ARCHIVE)).headers.get("location")!;
    expect((await call(host, "DELETE", ARCHIVE)).status).toBe(204);
    expect((await fetch(good)).status).toBe(404);
    expect((await call(host, "GET", ARCHIVE)).status).toBe(404);
    expect(readdirSync(path.join(host.data, "archives"))).toEqual([]);
  });

  test("end seven days after the export", async () => {
    const host = await service({ urlSeconds: 86_400 });
    await migrate(host, { repositories: ["alpha"] });
    host.ahead = 7 * DAY - 60_000;
    const last = await call(host, "GET", ARCHIVE);
    expect(last.status).toBe(302);
    host.ahead = 7 * DAY;
    expect((await fetch(last.headers.get("location")!)).status).toBe(404);
    expect((await call(host, "GET", ARCHIVE)).status).toBe(404);
    expect((await call(host, "DELETE", ARCHIVE)).status).toBe(404);
    expect(readdirSync(path.join(host.data, "archives"))).toEqual([]);
    const { json } = await call(host, "GET", "/orgs/acme/migrations/1");
    expect(json.state).toBe("exported");
  });
});

test("deletes expired and unknown archives and temporary files at the start", async () => {
  const data = temporary();
  open.push(data.remove);
  const store = memoryStore();
  const first = await serve(root, data.folder, {}, store);
  await migrate(first, { repositories: ["alpha"] });
  await migrate(first, { repositories: ["empty"] });
  await call(first, "DELETE", "/orgs/acme/migrations/2/archive");
  await first.close();
  const base = data.folder;
  writeFileSync(path.join(base, "work", "draft"), "x");
  writeFileSync(path.join(base, "archives", "2.tar.gz"), "x");
  writeFileSync(path.join(base, "archives", "x"), "x");
  const second = await serve(root, data.folder, {}, store);
  open.push(() => second.close());
  expect(readdirSync(path.join(base, "archives"))).toEqual(["1-1.tar.gz"]);
  expect(drafts(base)).toEqual([]);
  expect((await download(second, 1)).length).toBeGreaterThan(100);
});

test("does not run commands from the config of a repository", async () => {
  makeRepository(root, "acme", "evil");
  const folder = path.join(root, "acme", "evil.git");
  const ran = path.join(root, "ran");
  const settings = {
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    "remote.origin.url": `ext::touch ${ran}`,
    "protocol.ext.allow": "always",
  };
  const blob = git(folder, "rev-parse", "HEAD:README.md").trim();
  for (const [name, value] of Object.entries(settings))
    git(folder, "config", name, value);
  // Only this object: others may share its folder.
  rmSync(path.join(folder, "objects", blob.slice(0, 2), blob.slice(2)));
  const host = await service();
  const body = { repositories: ["evil"] };
  const partial = await call(host, "POST", "/orgs/acme/migrations", body);
  expect([partial.status, partial.text]).toEqual([
    422,
    expect.stringContaining("partial clone"),
  ]);
  git(folder, "config", "--unset", "extensions.partialClone");
  git(folder, "config", "--unset", "remote.origin.promisor");
  expect((await migrate(host, body)).state).toBe("failed");
  expect(existsSync(ran)).toBe(false);
});

test("ignores a description that is a link or a pipe", async () => {
  const host = await service();
  for (const name of ["linked", "piped"]) {
    makeRepository(root, "acme", name);
    const file = path.join(root, "acme", `${name}.git`, "description");
    rmSync(file);
    if (name === "linked") symlinkSync("/etc/passwd", file);
    else execFileSync("mkfifo", [file]);
    const { state, repositories } = await migrate(host, {
      repositories: [name],
    });
    expect([state, repositories[0].description]).toEqual(["exported", null]);
  }
});
