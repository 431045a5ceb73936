import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  readReferences,
  withPrivateGitFolder,
} from "../../src/services/migration/git-folder.js";
import { git } from "../../src/services/migration/git.js";
import {
  inspectRepository,
  RepositoryError,
} from "../../src/services/migration/repository-files.js";
import { installHook } from "../../src/services/migration/locks.js";
import { makeRepository, temporary } from "../services/migration-support.js";
import { choices, forEachSeed, RUNS, type Choices } from "./support/seeds.js";

const SECRET = "0123456789abcdef0123456789abcdef01234567";

const base = temporary();
const template = path.join(base.folder, "template");
const victim = path.join(base.folder, "victim");
const scratch = path.join(base.folder, "scratch");
beforeAll(() => {
  makeRepository(template, ".", "alpha");
  makeRepository(victim, ".", "secret");
  // Small, since each seed uses a copy.
  rmSync(path.join(template, "alpha.git/hooks"), { recursive: true });
  mkdirSync(scratch);
  writeFileSync(path.join(victim, "ref"), `${SECRET}\n`);
});
afterAll(() => base.remove());

const NAMES = [
  "HEAD",
  "config",
  "packed-refs",
  "shallow",
  "commondir",
  "gitdir",
  "reftable",
  "objects/info/alternates",
  "objects/info/http-alternates",
  "objects/pack/x.promisor",
  "objects/pack/x.pack",
  "objects/ab/cd",
  "refs/heads/main",
  "refs/heads/x/y",
  "refs/tags/..",
  "refs/heads/a.lock",
  "hooks/pre-receive",
  "info/grafts",
  "config.worktree",
] as const;

function hostileText({ int, pick, chance }: Choices): string {
  const piece = (): string =>
    pick([
      "ref: ",
      "refs/heads/main",
      "../../../etc/passwd",
      SECRET,
      "\0",
      "\n",
      " ",
      `${victim}/secret.git/objects\n`,
      "[core]\n\thooksPath = /tmp/escape\n",
      "[extensions]\n\tpartialClone = origin\n",
      "[extensions]\n\tobjectformat = sha512\n",
      "[include]\n\tpath = /etc/passwd\n",
      "^",
      "#",
      "\ufffd",
      "x".repeat(int(2000)),
    ]);
  return chance(0.1) ? "" : Array.from({ length: int(6) + 1 }, piece).join("");
}

/** Changes a copy of a repository; returns true if a file is outside of its folder. */
function spoil(folder: string, random: Choices): void {
  const { int, pick, chance } = random;
  for (let count = int(3) + 1; count > 0; count--) {
    const name = pick(NAMES);
    const file = path.join(folder, name);
    try {
      rmSync(file, { recursive: true, force: true });
      mkdirSync(path.dirname(file), { recursive: true });
      if (chance(0.4))
        symlinkSync(
          pick([
            path.join(victim, "ref"),
            path.join(victim, "secret.git"),
            "/etc/passwd",
            "/dev/zero",
            ".",
          ]),
          file,
        );
      else if (chance(0.1)) mkdirSync(file);
      else writeFileSync(file, hostileText(random));
    } catch {
      // An earlier change may have removed the path.
    }
  }
  if (chance(0.2)) {
    const name = pick(["objects", "refs", "objects/pack", "refs/heads"]);
    try {
      rmSync(path.join(folder, name), { recursive: true, force: true });
      symlinkSync(
        path.join(victim, "secret.git", name),
        path.join(folder, name),
      );
    } catch {
      // The path may be missing here too.
    }
  }
}

test("reads a hostile repository only within its folder, or refuses it", () =>
  forEachSeed(
    async (random, seed) => {
      const folder = path.join(base.folder, `repository${seed}.git`);
      cpSync(path.join(template, "alpha.git"), folder, { recursive: true });
      try {
        spoil(folder, random);
        await inspectRepository(folder).catch(unlessRefused);
        const found = await readReferences(folder).catch(unlessRefused);
        if (found === undefined) return;
        expect(found.head).toMatch(
          /^(ref: refs\/[^\n]+|[\da-f]{40}|[\da-f]{64})\s*$/,
        );
        for (const { name, target } of found.symbolic)
          for (const one of [name, target])
            expect(
              path.join(folder, one).startsWith(path.join(folder, "refs/")),
            ).toBe(true);
        for (const line of found.packed.split("\n"))
          expect(line).toMatch(/^(|[\da-f]{40,64} refs\/[^\s]+)$/);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    Math.ceil(RUNS / 6),
  ));

test("git and hooks change only the repository", () =>
  forEachSeed(
    async (random, seed) => {
      const folder = path.join(base.folder, `locked${seed}.git`);
      cpSync(path.join(template, "alpha.git"), folder, { recursive: true });
      const limits = { timeout: 10_000 };
      try {
        spoil(folder, choices(seed * 7919));
        spoil(folder, random);
        const said = await withPrivateGitFolder(
          folder,
          scratch,
          limits,
          (ours) => git(ours.folder, ["for-each-ref"], limits).catch(() => ""),
        ).catch(unlessRefused);
        expect(said ?? "").not.toContain(SECRET.slice(0, 20) + "\trefs/secret");
        await installHook(folder, limits).catch(unlessRefused);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      expect(readdirSync(scratch)).toEqual([]);
      expect(existsSync("/tmp/escape")).toBe(false);
      expect(readFileSync(path.join(victim, "ref"), "utf8")).toBe(
        `${SECRET}\n`,
      );
      expect(readdirSync(victim).sort()).toEqual(["ref", "secret.git"]);
    },
    Math.ceil(RUNS / 20),
    20_000,
  ));

/** Returns true for refusals, including errors of the file system; other errors are bugs. */
function unlessRefused(error: unknown): undefined {
  const { code } = error as { code?: unknown };
  if (error instanceof RepositoryError || typeof code === "string")
    return undefined;
  throw error;
}
