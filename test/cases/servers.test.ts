import path from "node:path";
import { check } from "prettier";
import { expect, test } from "vitest";
import { generateServer } from "../support/generate.js";
import {
  compile,
  generateCases,
  joinFiles,
  snapshotOf,
  writeOutput,
} from "./cases.js";

const { cases, root } = generateCases();
const folder = path.join(root, "servers");

/** The servers of all cases that have a method. */
const servers = cases
  .map(({ name, document }) => ({ name, ...generateServer(document) }))
  .filter(({ files }) => files.size > 0);

test("the server of every case compiles under strict flags", () => {
  expect(servers.length).toBeGreaterThan(20);
  for (const { name, files } of servers)
    writeOutput(files, path.join(folder, name), root);
  expect(compile(folder)).toBe("");
});

test.each(servers)(
  "$name prints exactly the expected server",
  async (server) => {
    const { name, files } = server;
    const own = new Map(
      [...files].filter(([file]) => /(server|routes)\.ts$/.test(file)),
    );
    await expect(joinFiles(own)).toMatchFileSnapshot(
      snapshotOf(name, "server.txt"),
    );
  },
);

test.each(servers)("$name has Prettier's format", async ({ files }) => {
  for (const [file, text] of files)
    expect(await check(text, { parser: "typescript" }), file).toBe(true);
});

test("an empty resource has an interface, to which handlers can be added", () => {
  const { files } = servers.find(({ name }) => name === "empty-resources")!;
  const text = files.get("demo/v1/server.ts")!;
  for (const piece of [
    "export interface BareService<_Auth = unknown> {}",
    "readonly bare?: BareService<Auth>;",
    "export interface OuterService<Auth = unknown> {",
    "readonly inner?: OuterInnerService<Auth>;",
  ])
    expect(text).toContain(piece);
});
