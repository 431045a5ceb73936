import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { documentDigest } from "../../src/load/canonical.js";
import { parseLock } from "../../src/remote/lock-file.js";
import { rounds } from "../support/full.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { documentServer } from "../unit/remote/project.js";
import { shop } from "../unit/remote/support.js";
import { runResidentAsync } from "./resident.js";
import { apiOf, write, type Finished } from "./support.js";

const KILLS = rounds(40, 5);

/** Variables of a command. */
function environment(): Record<string, string> {
  const { PATH = "", HOME = "", XDG_CACHE_HOME = "" } = process.env;
  return { PATH, HOME, XDG_CACHE_HOME };
}

/** Runs the command without blocking the server of the test. */
function gen(
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  return runResidentAsync({ args, cwd, env: { ...environment(), ...more } });
}

/** Runs the command in a process of its own; kills it after some milliseconds. */
function genProcess(
  args: readonly string[],
  cwd: string,
  kill?: number,
): Promise<Finished> {
  const child = spawn(
    process.execPath,
    [path.join(ROOT, "bin/gen.js"), ...args],
    { cwd, env: environment(), stdio: ["ignore", "pipe", "pipe"] },
  );
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  if (kill !== undefined) setTimeout(() => child.kill("SIGKILL"), kill);
  return new Promise((resolve) => {
    child.on("close", (status) => resolve({ status, stdout, stderr }));
  });
}

const local = (origin: string): string[] => [
  "--directory",
  origin,
  "--allow-http",
  "--allow-private",
];

const read = (cwd: string, name: string): string =>
  readFileSync(path.join(cwd, name), "utf8");

test("add, run, outdated and fetch", async () => {
  const server = await documentServer();
  const cwd = temporaryFolder();
  const added = await gen(["add", "shop:v1", ...local(server.origin)], cwd);
  expect(added).toEqual({
    status: 0,
    stdout:
      "shop:v1: specs/shop.v1.json (revision 20240101)\nchanged gen.config.yaml\n",
    stderr: "",
  });
  expect(read(cwd, "gen.config.yaml")).toBe(
    `out: generated\ndirectory: "${server.origin}"\nallowHttp: true\nallowPrivate: true\napis:\n  "shop:v1": {}\n`,
  );
  const { length } = server.requests;
  expect(await gen(["--frozen"], cwd)).toMatchObject({ status: 0, stderr: "" });
  expect(server.requests).toHaveLength(length);
  server.document = shop("20240202");
  const compared = await gen(["outdated", "--exit-code"], cwd);
  expect(compared.stdout).toBe(
    "API      locked    latest    status\nshop:v1  20240101  20240202  outdated\n",
  );
  expect(compared.status).toBe(1);
  expect(await gen(["fetch", "--frozen"], cwd)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("lock-mismatch") as string,
  });
  expect(await gen(["fetch"], cwd)).toEqual({
    status: 0,
    stdout:
      "shop:v1: revision 20240101 → 20240202\n1 document updated, 0 unchanged\n",
    stderr: "",
  });
  expect((await gen(["outdated"], cwd)).stdout).toBe("1 document up to date\n");
  expect((await gen(["outdated", "--format", "json"], cwd)).stdout).toContain(
    '"status": "current"',
  );
});

test("a source is fetched without a config, and the cache is used offline", async () => {
  const server = await documentServer();
  const cwd = temporaryFolder();
  const url = `${server.origin}/discovery/v1/apis/shop/v1/rest`;
  const flags = ["--allow-http", "--allow-private"];
  expect(await gen(["--spec", url, "--out", "a", ...flags], cwd)).toMatchObject(
    { status: 0, stderr: "" },
  );
  expect(
    await gen(
      ["--spec", "shop:v1", "--out", "b", ...local(server.origin)],
      cwd,
    ),
  ).toMatchObject({ status: 0, stderr: "" });
  expect(read(cwd, "b/shop/v1/index.ts")).toBe(read(cwd, "a/shop/v1/index.ts"));
  const { length } = server.requests;
  expect(
    await gen(
      ["--spec", url, "--out", "a", "--offline", ...flags, "--check"],
      cwd,
    ),
  ).toMatchObject({ status: 0, stderr: "" });
  expect(server.requests).toHaveLength(length);
  const refused = await gen(["--spec", url, "--out", "a"], cwd);
  expect(refused.stderr).toMatch(
    /error remote-refused: http:.* must be an https URL/,
  );
  expect(refused.status).toBe(2);
});

test("files, URLs and unknown names can be added to one config", async () => {
  const server = await documentServer();
  const cwd = temporaryFolder();
  write(cwd, {
    "docs/demo.json": apiOf("demo"),
    "gen.config.json": { out: "out", apis: {} },
  });
  const flags = ["--allow-http", "--allow-private"];
  const url = `${server.origin}/discovery/v1/apis/shop/v1/rest`;
  const { status, stderr } = await gen(
    ["add", "docs/demo.json", url, "nothing.json", ...flags],
    cwd,
  );
  expect(stderr).toMatch(/error source-missing: nothing.json does not exist/);
  expect(status).toBe(2);
  expect(JSON.parse(read(cwd, "gen.config.json"))).toEqual({
    out: "out",
    apis: {
      "demo:v1": { source: "./docs/demo.json" },
      "shop:v1": { source: url },
    },
  });
});

test(`${KILLS} killed updates leave a lock that is repaired`, async () => {
  const server = await documentServer();
  const cwd = temporaryFolder();
  await gen(["add", "shop:v1", ...local(server.origin)], cwd);
  const genuine = new Set([documentDigest(server.document)]);
  for (let round = 0; round < KILLS; round++) {
    server.document = shop(String(20240102 + round), {
      description: "long ".repeat(20_000),
    });
    genuine.add(documentDigest(server.document));
    await genProcess(["fetch"], cwd, 60 + ((round * 37) % 160));
    expect(genuine).toContain(
      documentDigest(JSON.parse(read(cwd, "specs/shop.v1.json"))),
    );
    for (const { digest } of parseLock(read(cwd, "gen.lock.json")).values())
      expect(genuine).toContain(digest);
  }
  expect(await gen(["fetch"], cwd)).toMatchObject({ status: 0, stderr: "" });
  expect(await gen(["--frozen"], cwd)).toMatchObject({ status: 0, stderr: "" });
});

/** Module that kills the process before a new document is renamed. */
const KILL = `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  if (String(from).endsWith(".next")) process.kill(process.pid, "SIGKILL");
  renameSync(from, to);
};
syncBuiltinESMExports();
`;

for (const command of ["fetch", "update"])
  test(`gen ${command} that is killed between lock and document is completed by the next run`, async () => {
    const server = await documentServer();
    const cwd = temporaryFolder();
    await gen(["add", "shop:v1", ...local(server.origin)], cwd);
    await gen([], cwd);
    write(cwd, { "kill.mjs": KILL });
    const kill = (): Promise<Finished> => {
      const flags = ["--import", "./kill.mjs", path.join(ROOT, "bin/gen.js")];
      const child = spawn(process.execPath, [...flags, command], {
        cwd,
        env: environment(),
        stdio: "ignore",
      });
      return new Promise((resolve) => {
        child.on("close", (status) =>
          resolve({ status, stdout: "", stderr: "" }),
        );
      });
    };
    for (const [revision, next] of [
      ["20240202", []],
      ["20240303", [command]],
    ] as const) {
      server.document = shop(revision);
      expect((await kill()).status).toBe(null);
      expect(read(cwd, "gen.lock.json")).toContain(revision);
      expect(read(cwd, "specs/shop.v1.json")).not.toContain(revision);
      expect((await gen(["--frozen"], cwd)).stderr).toContain("lock-mismatch");
      expect(await gen(next, cwd)).toMatchObject({ status: 0, stderr: "" });
      expect(read(cwd, "specs/shop.v1.json")).toContain(revision);
      expect(existsSync(path.join(cwd, "specs/shop.v1.json.next"))).toBe(false);
      expect(await gen([], cwd)).toMatchObject({ status: 0, stderr: "" });
    }
  });

test("processes that run at once lose no entry", async () => {
  const server = await documentServer();
  const cwd = temporaryFolder();
  write(cwd, {
    "gen.config.yaml":
      "out: out\nallowHttp: true\nallowPrivate: true\napis: {}\n",
  });
  server.respond = (request, response) => {
    const name = /apis\/(\w+)\//.exec(request.url ?? "")?.[1] ?? "";
    response.end(JSON.stringify({ ...shop(), name }));
  };
  const names = ["a", "b", "c", "d"];
  write(cwd, {
    "gen.config.yaml": [
      "out: out",
      "allowHttp: true",
      "allowPrivate: true",
      "apis:",
      ...names.map(
        (name) =>
          `  ${name}:v1: { source: "${server.origin}/apis/${name}/v1" }`,
      ),
      "",
    ].join("\n"),
  });
  const results = await Promise.all(
    names.map((name) => genProcess(["fetch", `${name}:v1`], cwd)),
  );
  expect(results.map(({ status, stderr }) => `${status}${stderr}`)).toEqual(
    names.map(() => "0"),
  );
  expect([...parseLock(read(cwd, "gen.lock.json")).keys()]).toEqual(
    names.map((name) => `${name}:v1`),
  );
});

test("a full disk leaves the old document and lock", async (context) => {
  const server = await documentServer();
  const cwd = temporaryFolder();
  const disk = path.join(cwd, "disk");
  mkdirSync(disk);
  const mount = spawnSync("mount", [
    "-t",
    "tmpfs",
    "-o",
    "size=128k",
    "tmpfs",
    disk,
  ]);
  if (mount.status !== 0) return context.skip("mounting is not permitted here");
  onTestFinished(() => void execFileSync("umount", ["-l", disk]));
  await gen(["add", "shop:v1", ...local(server.origin)], disk);
  const before = [
    read(disk, "specs/shop.v1.json"),
    read(disk, "gen.lock.json"),
  ];
  server.document = shop("20240202", { description: "long ".repeat(60_000) });
  const { status, stderr } = await gen(["fetch"], disk);
  expect(stderr).toMatch(
    /error output-unwritable: specs\/shop\.v1\.json: ENOSPC/,
  );
  expect(status).toBe(2);
  expect([
    read(disk, "specs/shop.v1.json"),
    read(disk, "gen.lock.json"),
  ]).toEqual(before);
  // A cache on a full disk has no effect on the result.
  const other = temporaryFolder();
  const cache = { XDG_CACHE_HOME: disk };
  expect(
    await gen(["add", "shop:v1", ...local(server.origin)], other, cache),
  ).toMatchObject({ status: 0, stderr: "" });
});

test("a config that is a link is not replaced", async () => {
  const server = await documentServer();
  const cwd = temporaryFolder();
  const outside = path.join(temporaryFolder(), "config.yaml");
  writeFileSync(outside, "out: out\napis: {}\n");
  symlinkSync(outside, path.join(cwd, "gen.config.yaml"));
  const { status } = await gen(
    ["add", "shop:v1", ...local(server.origin)],
    cwd,
  );
  expect(status).toBe(2);
  expect(readFileSync(outside, "utf8")).toBe("out: out\napis: {}\n");
  rmSync(path.join(cwd, "gen.config.yaml"));
});
