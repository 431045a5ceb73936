import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { generate } from "../../../src/index.js";
import { apiOf, tree, write, type Entry } from "../../cli/support.js";
import { temporaryFolder } from "../../support/paths.js";

/** Two APIs; the files of the first one all change with each run. */
function project() {
  const cwd = temporaryFolder();
  let revision = 0;
  return {
    cwd,
    out: path.join(cwd, "out"),
    async update(severity = "error") {
      revision++;
      write(cwd, {
        "specs/demo.json": apiOf("demo", "v1", String(revision)),
        "specs/else.json": apiOf("else"),
      });
      const result = await generate({ spec: "specs", out: "out", cwd });
      return result.diagnostics
        .filter((found) => found.severity === severity)
        .map(({ code }) => code);
    },
  };
}

/** Entries with a name that marks them as foreign. */
function foreign(out: string): [string, Entry][] {
  return [...tree(out)].filter(([name]) => name.includes("mine"));
}

test("files and links of others are unchanged in every folder", async () => {
  const { out, cwd, update } = project();
  await update();
  const elsewhere = path.join(cwd, "elsewhere");
  write(elsewhere, { "file.txt": "far away\n" });
  for (const folder of ["", "demo/", "demo/v1/", "demo/v1/resources/"]) {
    write(out, {
      [`${folder}mine.ts`]: `// ${folder}\n`,
      [`${folder}mine/deep/er.txt`]: "deep\n",
    });
    mkdirSync(path.join(out, `${folder}mine-empty`));
    symlinkSync(elsewhere, path.join(out, `${folder}mine-link`));
    symlinkSync("nowhere", path.join(out, `${folder}mine-broken`));
  }
  const before = foreign(out);
  expect(before).toHaveLength(4 * 7);
  expect(await update()).toEqual([]);
  const after = new Map(foreign(out));
  expect([...after.keys()]).toEqual(before.map(([name]) => name));
  for (const [name, entry] of before) {
    const now = after.get(name)!;
    expect({ name, ...now }).toEqual({ name, ...entry });
  }
});

test("folders keep their permissions", async () => {
  const { out, update } = project();
  await update();
  const { chmodSync, statSync } = await import("node:fs");
  const folders = ["demo/v1", "demo/v1/resources", "demo/v1/mine"];
  mkdirSync(path.join(out, "demo/v1/mine"));
  for (const folder of folders) chmodSync(path.join(out, folder), 0o2770);
  await update();
  for (const folder of folders)
    expect(statSync(path.join(out, folder)).mode & 0o7777).toBe(0o2770);
});

test("foreign files remain when the API beside them is removed", async () => {
  const { out, cwd, update } = project();
  await update();
  write(out, { "demo/v1/resources/mine.ts": "// mine\n" });
  const before = foreign(out);
  rmSync(path.join(cwd, "specs/demo.json"));
  await generate({ spec: "specs", out: "out", cwd });
  expect(foreign(out)).toEqual(before);
  const left = [...tree(out).keys()].filter((name) => name.startsWith("demo"));
  expect(left).toEqual([
    "demo",
    "demo/v1",
    "demo/v1/resources",
    "demo/v1/resources/mine.ts",
  ]);
});

test.each(["demo", "demo/v1", "demo/v1/resources"])(
  "writing does not follow a link at %s",
  async (folder) => {
    const { out, cwd, update } = project();
    const elsewhere = path.join(cwd, "elsewhere");
    write(elsewhere, { "index.ts": "// not yours\n" });
    mkdirSync(path.dirname(path.join(out, folder)), { recursive: true });
    symlinkSync(elsewhere, path.join(out, folder));
    const before = tree(elsewhere);
    expect(new Set(await update())).toEqual(new Set(["output-foreign"]));
    expect(tree(elsewhere)).toEqual(before);
    expect(tree(out).get(folder)?.kind).toBe("link");
    expect(tree(out).has("else/v1/index.ts")).toBe(true);
  },
);

test("a link that replaced a generated file or folder is not followed", async () => {
  const { out, cwd, update } = project();
  await update();
  const elsewhere = path.join(cwd, "elsewhere");
  write(elsewhere, { "index.ts": "// not yours\n" });
  const before = tree(elsewhere);
  rmSync(path.join(out, "demo/v1/index.ts"));
  symlinkSync(
    path.join(elsewhere, "index.ts"),
    path.join(out, "demo/v1/index.ts"),
  );
  expect(await update()).toEqual(["output-foreign"]);
  rmSync(path.join(out, "demo/v1"), { recursive: true });
  symlinkSync(elsewhere, path.join(out, "demo/v1"));
  expect(new Set(await update())).toEqual(new Set(["output-foreign"]));
  // The same when the API is removed.
  rmSync(path.join(cwd, "specs/demo.json"));
  await generate({ spec: "specs", out: "out", cwd });
  expect(tree(elsewhere)).toEqual(before);
});

test("the output folder itself may be a link", async () => {
  const { out, cwd, update } = project();
  mkdirSync(path.join(cwd, "real"));
  symlinkSync("real", out);
  expect(await update()).toEqual([]);
  expect(await update()).toEqual([]);
  expect(tree(path.join(cwd, "real")).has("demo/v1/index.ts")).toBe(true);
});
