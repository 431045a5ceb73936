import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Command } from "../../../src/cli/command.js";
import { changelog } from "../../../src/cli/commands/changelog.js";
import { diff } from "../../../src/cli/commands/diff.js";
import { documentDigest } from "../../../src/load/canonical.js";
import { temporaryFolder } from "../../support/paths.js";
import { shelfDocument, type Json } from "./document.js";

const LOCK = "gen.lock.json";
const CONFIG = "out: out\nspecs: docs\napis:\n  shelf:v1:\n";

let cwd = "";

function revised(revision: string, isShort = false): Json {
  const document: Json = { ...shelfDocument(), revision };
  if (isShort) delete document["schemas"].SortResponse.properties.note;
  return document;
}

/** The documents of the first commit and of the working tree. */
const [FIRST, SECOND] = [revised("1"), revised("2", true)];

function write(file: string, content: Json | string): void {
  mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
  writeFileSync(
    path.join(cwd, file),
    typeof content === "string" ? content : JSON.stringify(content),
  );
}

function lockOf(document: Json): Json {
  const digest = `sha256-${documentDigest(document)}`;
  const { revision } = document;
  const url = "https://example.com/shelf";
  return { lockVersion: 1, apis: { "shelf:v1": { url, revision, digest } } };
}

function git(...args: string[]): void {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
}

async function run(
  command: Command,
  values: Readonly<Record<string, unknown>>,
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const defaults = Object.fromEntries(
    command.options.flatMap((row) =>
      row.default === undefined ? [] : [[row.name, row.default]],
    ),
  );
  const output = {
    out: (part: string) => (out += part),
    err: (part: string) => (err += part),
    color: false,
    isTerminal: false,
  };
  const code = await command.run(
    { ...defaults, ...values },
    { cwd, output: output as never },
  );
  return { code, out, err };
}

function compare(...documents: string[]): ReturnType<typeof run> {
  return run(diff, { documents, format: "json" });
}

const NOTE = "SortResponse.note: the property was removed";

// A commit has the first document and its lock, the working tree the second.
beforeEach(() => {
  cwd = temporaryFolder();
  write("gen.config.yaml", CONFIG);
  write("docs/shelf.v1.json", FIRST);
  write(LOCK, lockOf(FIRST));
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "a");
  write("old.lock.json", lockOf(FIRST));
  write("docs/shelf.v1.json", SECOND);
  write(LOCK, lockOf(SECOND));
});

describe("gen diff with lock entries", () => {
  test("finds a document in the folder that the config names", async () => {
    const { code, out, err } = await compare(
      "git:HEAD:docs/shelf.v1.json",
      "shelf:v1",
    );
    expect(err).toBe("");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ from: "1", to: "2" });
  });

  test("means the locked document, not an edited file", async () => {
    git("add", ".");
    git("commit", "-qm", "b");
    write("docs/shelf.v1.json", revised("3"));
    const { out } = await compare("shelf:v1", "docs/shelf.v1.json");
    expect(JSON.parse(out)).toMatchObject({ from: "2", to: "3" });
  });

  test("reports a document that can't be had", async () => {
    write("docs/shelf.v1.json", revised("3", true));
    write("docs/shelf.v1.json", revised("9", false));
    const { code, err } = await compare("shelf:v1", "shelf:v1");
    expect(code).toBe(3);
    expect(err).toContain("error diff-document");
    expect(err).toContain("shelf:v1");
    expect(err).toContain("revision 2");
  });

  test("names the lock and the folder for unknown names", async () => {
    const { code, err } = await compare("shelf:v9", "shelf:v1");
    expect(code).toBe(3);
    expect(err).toMatch(/shelf:v9.*gen\.lock\.json/);
  });

  test("uses the file of an API with a local source", async () => {
    write("own.json", revised("5"));
    write("gen.config.yaml", `${CONFIG}  own:v1:\n    source: own.json\n`);
    const { out, err } = await compare("own:v1", "shelf:v1");
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchObject({ from: "5", to: "2" });
  });

  test("reports an invalid lock", async () => {
    write(LOCK, "{");
    const { code, err } = await compare("shelf:v1", "shelf:v1");
    expect(code).toBe(2);
    expect(err).toContain(`${LOCK}:1:2: error lock-invalid`);
  });
});

describe("lock files as operands", () => {
  test.each([
    ["old.lock.json", LOCK],
    [`git:HEAD:${LOCK}`, LOCK],
    [`git:HEAD:${LOCK}`, "docs"],
  ])("%s and %s", async (old, now) => {
    const { code, out, err } = await compare(old, now);
    expect(err).toBe("");
    expect(code).toBe(1);
    const [result] = JSON.parse(out) as Json[];
    expect(result).toMatchObject({ api: "shelf:v1", from: "1", to: "2" });
    expect(result!["changes"]).toMatchObject([{ message: NOTE }]);
  });

  test("a document that is in no commit and not in the cache", async () => {
    write("old.lock.json", lockOf(revised("0", true)));
    write("docs/shelf.v1.json", FIRST);
    const { code, out, err } = await compare("old.lock.json", LOCK);
    expect(code).toBe(3);
    expect(out).toBe("");
    expect(err).toMatch(/diff-document.*shelf:v1.*revision 0/);
  });
});

describe("gen changelog", () => {
  test("compares the locks of HEAD and of the working tree", async () => {
    const { code, out, err } = await run(changelog, {});
    expect(err).toBe("");
    expect(code).toBe(0);
    expect(out).toContain("shelf:v1: 1 → 2");
    expect(out).toContain("`SortResponse.note`: the property was removed");
  });

  test("documents without lock entries count too", async () => {
    const own = { ...revised("1"), name: "own" };
    write("docs/own.v1.json", own);
    const { out } = await run(changelog, {});
    expect(out).toContain("shelf:v1: 1 → 2");
    expect(out).toContain("own:v1");
  });

  test("documents that are not committed come from history or are errors", async () => {
    rmSync(path.join(cwd, "docs"), { recursive: true });
    const { code, err } = await run(changelog, {});
    expect(code).toBe(3);
    expect(err).toMatch(/diff-document.*shelf:v1.*revision 2/);
  });
});
