import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { memoryStore } from "../../src/services/store/open.js";
import type { Store } from "../../src/services/store/store.js";
import {
  call,
  git,
  makeRepository,
  migrate,
  serve,
  temporary,
  type Running,
} from "./migration-support.js";

let root: string;
let close: (() => unknown)[] = [];
beforeEach(() => {
  const made = temporary();
  root = made.folder;
  close = [made.remove];
  makeRepository(root, "acme", "alpha");
  makeRepository(root, "acme", "beta");
});
afterEach(async () => {
  for (const one of close.reverse()) await one();
});

async function service(store?: Store): Promise<Running> {
  const host = await serve(root, undefined, {}, store);
  close.push(() => host.close());
  return host;
}

const bare = (name: string): string => path.join(root, "acme", `${name}.git`);

/** Pushes a new commit; returns the output of git and its success. */
function push(name: string): { isDone: boolean; said: string } {
  const work = path.join(root, "work");
  rmSync(work, { recursive: true, force: true });
  git(root, "clone", "-q", bare(name), work);
  git(work, "config", "user.name", "B");
  git(work, "config", "user.email", "b@example.com");
  git(work, "commit", "-q", "--allow-empty", "-m", "More");
  const run = spawnSync("git", ["-C", work, "push", "origin", "HEAD"], {
    encoding: "utf8",
  });
  return { isDone: run.status === 0, said: run.stderr };
}

const LOCKED = { repositories: ["alpha"], lock_repositories: true };

function unlock(host: Running, id: number, name = "alpha") {
  const target = `/orgs/acme/migrations/${id}/repos/${name}/lock`;
  return call(host, "DELETE", target);
}

test("refuses pushes to a locked repository until it is unlocked", async () => {
  const host = await service();
  expect(push("alpha").isDone).toBe(true);
  const { id } = await migrate(host, LOCKED);
  const refused = push("alpha");
  expect(refused.isDone).toBe(false);
  expect(refused.said).toContain("The repository is locked for a migration.");
  expect(push("beta").isDone).toBe(true);
  expect((await unlock(host, id, "ALPHA")).status).toBe(204);
  expect(push("alpha").isDone).toBe(true);
  expect((await unlock(host, id)).status).toBe(404);
});

test("does not lock without lock_repositories", async () => {
  const host = await service();
  const { id } = await migrate(host, { repositories: ["alpha"] });
  expect(push("alpha").isDone).toBe(true);
  expect((await unlock(host, id)).status).toBe(404);
});

test("only the migration with the lock can unlock", async () => {
  const host = await service();
  const { id } = await migrate(host, LOCKED);
  const other = await migrate(host, { repositories: ["alpha", "beta"] });
  for (const [which, name] of [
    [other.id, "alpha"],
    [id, "beta"],
    [id, "none"],
    [id + 100, "alpha"],
    [id, "..%2falpha"],
    [id, "alpha%00"],
  ])
    expect((await unlock(host, which, name)).status).toBe(404);
  expect(push("alpha").isDone).toBe(false);
});

test("refuses to lock a locked repository without side effects", async () => {
  const host = await service();
  const { id } = await migrate(host, LOCKED);
  const again = await call(host, "POST", "/orgs/acme/migrations", {
    repositories: ["beta", "alpha"],
    lock_repositories: true,
  });
  expect(again.status).toBe(422);
  expect(again.json.errors).toEqual([
    {
      resource: "Migration",
      field: "repositories[1]",
      code: "already_exists",
      message: `The repository is locked for migration ${id}.`,
    },
  ]);
  expect(push("beta").isDone).toBe(true);
  const { json } = await call(host, "GET", "/orgs/acme/migrations");
  expect(json.map((one: { id: number }) => one.id)).toEqual([id]);
});

test("runs an existing hook with its input", async () => {
  const hook = path.join(bare("alpha"), "hooks", "pre-receive");
  const seen = path.join(root, "seen");
  writeFileSync(hook, `#!/bin/sh\ncat > '${seen}'\nexit \${CODE:-0}\n`);
  execFileSync("chmod", ["+x", hook]);
  const host = await service();
  const { id } = await migrate(host, LOCKED);
  expect(push("alpha").isDone).toBe(false);
  expect(existsSync(seen)).toBe(false);
  await unlock(host, id);
  expect(push("alpha").isDone).toBe(true);
  expect(readFileSync(seen, "utf8")).toContain("refs/heads/main");
  // A second lock must not chain the service's own hook.
  const again = await migrate(host, LOCKED);
  expect(push("alpha").isDone).toBe(false);
  await unlock(host, again.id);
  writeFileSync(
    path.join(bare("alpha"), "hooks", "pre-receive.chained"),
    "#!/bin/sh\necho no >&2\nexit 1\n",
  );
  expect(push("alpha").said).toContain("no");
});

test("locks a repository with its own hooks folder", async () => {
  git(bare("alpha"), "config", "core.hooksPath", "my-hooks");
  const host = await service();
  const { id } = await migrate(host, LOCKED);
  expect(push("alpha").isDone).toBe(false);
  await unlock(host, id);
  expect(push("alpha").isDone).toBe(true);
});

test("restores locks from the store after a restart", async () => {
  const store = memoryStore();
  const host = await service(store);
  await migrate(host, LOCKED);
  await host.close();
  close.pop();
  rmSync(path.join(bare("alpha"), "migration-lock"));
  writeFileSync(path.join(bare("beta"), "migration-lock"), "");
  await service(store);
  expect(push("alpha").isDone).toBe(false);
  expect(push("beta").isDone).toBe(true);
});

test("many concurrent locks and unlocks end in the state of the store", async () => {
  const host = await service();
  for (let round = 0; round < 3; round++) {
    const posts = [1, 2, 3, 4].map(() =>
      call(host, "POST", "/orgs/acme/migrations", LOCKED),
    );
    const answers = await Promise.all(posts);
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201, 422, 422, 422,
    ]);
    const { json } = answers.find(({ status }) => status === 201)!;
    const unlocks = [1, 2, 3].map(() => unlock(host, json.id));
    const ends = await Promise.all(unlocks);
    expect(ends.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    expect(push("alpha").isDone).toBe(true);
  }
});
