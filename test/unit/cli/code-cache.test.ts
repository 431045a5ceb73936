import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readCode, writeCode } from "../../../src/cli/start/code-cache.js";
import { codeFolder } from "../../../src/cli/start/code-folder.js";
import { temporaryFolder } from "../../support/paths.js";

const CODE = {
  data: Buffer.from("compiled code"),
  parts: ["client", "server"],
};

/** Stores code in a new folder; returns the folder and the path of the file. */
function stored(): { folder: string; file: string } {
  const folder = codeFolder({ XDG_CACHE_HOME: temporaryFolder() })!;
  writeCode(folder, "main", CODE);
  return { folder, file: path.join(folder, readdirSync(folder)[0]!) };
}

test("stores code with the parts that were used", () => {
  const { folder } = stored();
  expect(readCode(folder, "main")).toEqual(CODE);
  expect(readCode(folder, "other")).toBeUndefined();
});

// V8 executes damaged code, which can crash the process.
test("ignores damaged files", () => {
  const { folder, file } = stored();
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 1;
    writeFileSync(file, damaged);
    expect(readCode(folder, "main")).toBeUndefined();
  }
  for (let length = 0; length < bytes.length; length++) {
    writeFileSync(file, bytes.subarray(0, length));
    expect(readCode(folder, "main")).toBeUndefined();
  }
  writeFileSync(file, bytes);
  expect(readCode(folder, "main")).toEqual(CODE);
});

test.runIf(process.getuid !== undefined)(
  "ignores files and folders to which others have access",
  () => {
    const { folder, file } = stored();
    const parent = path.dirname(folder);
    for (const [name, open, closed] of [
      // The modes of files and folders that Git creates.
      [file, 0o644, 0o600],
      [file, 0o640, 0o600],
      [folder, 0o770, 0o700],
      [folder, 0o777, 0o700],
      [parent, 0o777, 0o700],
    ] as const) {
      chmodSync(name, open);
      expect(readCode(folder, "main")).toBeUndefined();
      chmodSync(name, closed);
      expect(readCode(folder, "main")).toEqual(CODE);
    }
  },
);

test("ignores links", () => {
  const { folder, file } = stored();
  renameSync(file, `${folder}-file`);
  symlinkSync(`${folder}-file`, file);
  expect(readCode(folder, "main")).toBeUndefined();

  const other = stored();
  renameSync(other.folder, `${other.folder}-moved`);
  symlinkSync(`${other.folder}-moved`, other.folder);
  expect(readCode(other.folder, "main")).toBeUndefined();
});

test("does not write to a folder that is not private", () => {
  const folder = codeFolder({ XDG_CACHE_HOME: temporaryFolder() })!;
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o777);
  writeCode(folder, "main", CODE);
  expect(readdirSync(folder)).toEqual([]);
});

test("keeps the newest files only", () => {
  const { folder, file } = stored();
  utimesSync(file, 1, 1);
  for (let count = 0; count < 6; count++) writeCode(folder, `v${count}`, CODE);
  expect(readdirSync(folder)).toHaveLength(6);
  expect(readCode(folder, "main")).toBeUndefined();
  expect(readCode(folder, "v5")).toEqual(CODE);
});

test("has no folder if compile caches are disabled, or without a home folder", () => {
  const env = { XDG_CACHE_HOME: "/cache" };
  expect(codeFolder(env)).toBe(
    path.join("/cache", "discovery-codegen", "code"),
  );
  expect(
    codeFolder({ ...env, NODE_DISABLE_COMPILE_CACHE: "1" }),
  ).toBeUndefined();
});

// Files of a cloned repository are not trusted, whatever permissions they have.
test("has no folder in the working directory or in a Git repository", () => {
  for (const folder of [process.cwd(), path.join(process.cwd(), "a/b")])
    expect(codeFolder({ XDG_CACHE_HOME: folder })).toBeUndefined();

  const repository = temporaryFolder();
  const env = { XDG_CACHE_HOME: path.join(repository, "cache/of/job") };
  expect(codeFolder(env)).toBeDefined();
  mkdirSync(path.join(repository, ".git"));
  expect(codeFolder(env)).toBeUndefined();

  const link = path.join(temporaryFolder(), "link");
  symlinkSync(repository, link);
  expect(codeFolder({ XDG_CACHE_HOME: link })).toBeUndefined();
});
