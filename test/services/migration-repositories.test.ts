import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from "vitest";
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
  type Answer,
  type Running,
} from "./migration-support.js";

let root: string;
let outside: string;
let host: Running;
let close: (() => unknown)[] = [];
const template = temporary();
beforeAll(() => {
  makeRepository(template.folder, ".", "alpha");
});
afterAll(() => template.remove());
beforeEach(async () => {
  const made = temporary();
  const other = temporary();
  root = made.folder;
  outside = other.folder;
  close = [made.remove, other.remove];
  cpSync(template.folder, path.join(root, "acme"), { recursive: true });
  cpSync(template.folder, path.join(outside, "acme"), { recursive: true });
  host = await serve(root, undefined);
  close.push(() => host.close());
});
afterEach(async () => {
  for (const one of close.reverse()) await one();
});

const bare = (name = "alpha"): string => path.join(root, "acme", `${name}.git`);
const victim = (): string => path.join(outside, "acme", "alpha.git");

function post(body: object): Promise<Answer> {
  return call(host, "POST", "/orgs/acme/migrations", body);
}

async function refusal(body: object): Promise<string> {
  const { status, json, text } = await post(body);
  expect([status, text]).toEqual([422, expect.any(String)]);
  expect(json.errors[0].field).toBe("repositories[0]");
  return json.errors[0].message;
}

/** Moves a part of the repository away and links to that of the victim. */
function linkTo(name: string, target: string): void {
  rmSync(path.join(bare(), name), { recursive: true, force: true });
  symlinkSync(path.join(victim(), target), path.join(bare(), name));
}

describe("refuses a repository with objects of another one", () => {
  const attacks: readonly (readonly [string, () => void, RegExp])[] = [
    [
      "commondir",
      () => writeFileSync(path.join(bare(), "commondir"), victim()),
      /commondir/,
    ],
    [
      "alternates",
      () =>
        writeFileSync(
          path.join(bare(), "objects/info/alternates"),
          `${victim()}/objects\n`,
        ),
      /alternates/,
    ],
    ["linked objects", () => linkTo("objects", "objects"), /objects/],
    [
      "a linked pack folder",
      () => linkTo("objects/pack", "objects/pack"),
      /link/,
    ],
    [
      "a linked object",
      () => {
        mkdirSync(path.join(bare(), "objects/ab"), { recursive: true });
        symlinkSync("/etc/passwd", path.join(bare(), "objects/ab/cd"));
      },
      /link/,
    ],
    ["linked references", () => linkTo("refs/heads", "refs/heads"), /link/],
    [
      "a shallow clone",
      () => writeFileSync(path.join(bare(), "shallow"), `${"a".repeat(40)}\n`),
      /shallow/,
    ],
  ];
  test.each(attacks)("%s", async (_, attack, reason) => {
    attack();
    expect(await refusal({ repositories: ["alpha"] })).toMatch(reason);
  });
});

test("ignores settings, hooks and attributes of a repository", async () => {
  const ran = path.join(outside, "ran");
  const evil = path.join(outside, "evil.sh");
  writeFileSync(evil, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  appendFileSync(
    path.join(bare(), "config"),
    `[core]\n\tfsmonitor = ${evil}\n\thooksPath = ${outside}\n\talternateRefsCommand = ${evil}\n\tpager = ${evil}\n` +
      `[include]\n\tpath = ${outside}/included\n[pack]\n\tpackSizeLimit = 1\n[alias]\n\tbundle = !${evil}\n`,
  );
  const { id, state } = await migrate(host, { repositories: ["alpha"] });
  expect(state).toBe("exported");
  const files = await unpack(await download(host, id));
  expect(verifyBundle(files.get("repositories/alpha.bundle")!)).toContain(
    "refs/heads/main",
  );
  expect(existsSync(ran)).toBe(false);
});

describe("refuses a lock that pushes would bypass", () => {
  const LOCKED = { repositories: ["alpha"], lock_repositories: true };

  test("hooks outside of the repository, by its settings or a link", async () => {
    const hooks = path.join(outside, "hooks");
    mkdirSync(hooks);
    git(bare(), "config", "core.hooksPath", hooks);
    expect(await refusal(LOCKED)).toContain("core.hooksPath");
    git(bare(), "config", "core.hooksPath", "linked");
    symlinkSync(hooks, path.join(bare(), "linked"));
    expect(await refusal(LOCKED)).toContain("link");
    git(bare(), "config", "core.hooksPath", "../../escaped");
    expect(await refusal(LOCKED)).toContain("core.hooksPath");
    expect(existsSync(path.join(root, "escaped"))).toBe(false);
    expect(execFileSync("ls", [hooks], { encoding: "utf8" })).toBe("");
    expect(existsSync(path.join(bare(), "migration-lock"))).toBe(false);
  });

  test("hooks of the user's settings", async () => {
    const settings = path.join(outside, "gitconfig");
    writeFileSync(settings, `[core]\n\thooksPath = ${outside}\n`);
    const before = process.env["GIT_CONFIG_GLOBAL"];
    process.env["GIT_CONFIG_GLOBAL"] = settings;
    try {
      expect(await refusal(LOCKED)).toContain("core.hooksPath");
    } finally {
      if (before === undefined) delete process.env["GIT_CONFIG_GLOBAL"];
      else process.env["GIT_CONFIG_GLOBAL"] = before;
    }
    expect((await post(LOCKED)).status).toBe(201);
  });
});

test("archives packed, symbolic and unusual references, with both hash functions", async () => {
  git(bare(), "branch", "zwölf");
  git(bare(), "symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/main");
  git(bare(), "update-ref", "refs/pull/1/head", "main");
  git(bare(), "pack-refs", "--all");
  git(bare(), "branch", "later");
  git(bare(), "update-ref", "-d", "refs/heads/zwölf");
  git(bare(), "branch", "zwölf");
  const work = path.join(outside, "work");
  git(outside, "init", "-q", "--object-format=sha256", "-b", "main", work);
  git(work, "commit", "-q", "--allow-empty", "-m", "First");
  renameSync(path.join(work, ".git"), bare("long"));
  git(bare("long"), "config", "core.bare", "true");
  const { id, state } = await migrate(host, {
    repositories: ["alpha", "long"],
  });
  expect(state).toBe("exported");
  const files = await unpack(await download(host, id));
  const names = (name: string): string[] =>
    JSON.parse(String(files.get(`repositories/${name}.json`))).references.map(
      (one: { name: string }) => one.name,
    );
  const expected = git(bare(), "for-each-ref", "--format=%(refname)")
    .trim()
    .split("\n");
  expect(names("alpha").sort()).toEqual(expected.sort());
  expect(expected).toContain("refs/heads/zwölf");
  expect(names("long")).toEqual(["refs/heads/main"]);
  const bundle = path.join(outside, "long.bundle");
  writeFileSync(bundle, files.get("repositories/long.bundle")!);
  const run = spawnSync("git", ["bundle", "list-heads", bundle]);
  expect(String(run.stdout)).toContain("refs/heads/main");
});

test("archives objects of Git LFS without following links", async () => {
  const id = "ab".repeat(32);
  const folder = path.join(bare(), "lfs/objects/ab/ab");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, id), "large");
  symlinkSync("/etc/passwd", path.join(folder, "linked"));
  const one = await migrate(host, { repositories: ["alpha"] });
  const files = await unpack(await download(host, one.id));
  expect(String(files.get(`lfs/alpha/ab/ab/${id}`))).toBe("large");
  expect([...files.keys()].filter((name) => name.includes("linked"))).toEqual(
    [],
  );
  const body = { repositories: ["alpha"], exclude_git_data: true };
  const two = await migrate(host, body);
  const without = await unpack(await download(host, two.id));
  expect([...without.keys()].filter((name) => name.startsWith("lfs"))).toEqual(
    [],
  );
  renameSync(path.join(bare(), "lfs"), path.join(outside, "lfs"));
  symlinkSync(path.join(outside, "lfs"), path.join(bare(), "lfs"));
  const three = await migrate(host, { repositories: ["alpha"] });
  const linked = await unpack(await download(host, three.id));
  expect([...linked.keys()].filter((name) => name.startsWith("lfs"))).toEqual(
    [],
  );
});

test("limits per_page to its maximum, and reports an unknown path with a message", async () => {
  await migrate(host, { repositories: ["alpha"] });
  const list = "/orgs/acme/migrations";
  for (const query of ["per_page=101", "page=1&per_page=99999999999"]) {
    const { status, json } = await call(host, "GET", `${list}?${query}`);
    expect([status, json.length]).toEqual([200, 1]);
  }
  for (const target of ["/orgs/acme/nothing", "/nothing", "/orgs/acme"]) {
    const { status, json } = await call(host, "GET", target);
    expect([status, json.message]).toEqual([404, expect.any(String)]);
  }
  expect(readFileSync(path.join(bare(), "HEAD"), "utf8")).toContain("main");
});

test("fails with a reason for a repository with corrupt objects", async () => {
  const commit = git(bare(), "rev-parse", "refs/heads/main").trim();
  const object = path.join(
    bare(),
    "objects",
    commit.slice(0, 2),
    commit.slice(2),
  );
  rmSync(object, { force: true });
  writeFileSync(object, "corrupt");
  const { state, id } = await migrate(host, { repositories: ["alpha"] });
  expect(state).toBe("failed");
  expect(id).toBeGreaterThan(0);
});

test("reads large tags one at a time and writes lists as streams", async () => {
  const work = path.join(outside, "work");
  execFileSync("git", ["clone", "-q", bare(), work]);
  const message = path.join(outside, "message");
  writeFileSync(message, "x".repeat(2 * 1024 * 1024));
  const user = ["-c", "user.name=A B", "-c", "user.email=a@example.com"];
  const tag = (...args: string[]): void =>
    void execFileSync("git", ["-C", work, ...user, "tag", ...args]);
  tag("-F", message, "large");
  tag("-m", "Title\n\nText", "small");
  tag("light");
  execFileSync("git", ["-C", work, "push", "-q", "--tags"]);
  const commit = git(bare(), "rev-parse", "refs/heads/main").trim();
  const large = git(bare(), "rev-parse", "refs/tags/large").trim();
  const { id } = await migrate(host, { repositories: ["alpha"] });
  const files = await unpack(await download(host, id));
  const releases = JSON.parse(
    files.get("releases/alpha.json")!.toString(),
  ) as Record<string, unknown>[];
  const byName = new Map(releases.map((each) => [each["tag_name"], each]));
  expect([...byName.keys()]).toEqual(["large", "light", "small", "v1"]);
  expect(byName.get("large")).toEqual({
    tag_name: "large",
    target: large,
    author: null,
    created_at: null,
    body: "",
  });
  expect(byName.get("small")).toMatchObject({
    target: commit,
    author: "A B",
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    body: "Title\n\nText",
  });
  expect(byName.get("light")).toMatchObject({
    target: commit,
    author: null,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    body: "",
  });
  const repository = JSON.parse(
    files.get("repositories/alpha.json")!.toString(),
  ) as { references: unknown[] };
  expect(repository.references).toHaveLength(5);
});
