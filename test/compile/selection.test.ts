import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { generate } from "../../src/index.js";
import { write } from "../cli/support.js";
import { ROOT } from "../support/paths.js";
import { typecheck } from "./typescript.js";

const folder = mkdtempSync(path.join(tmpdir(), "gen-compile-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Program that uses methods of the selection, and a patched name. */
const PROGRAM = `
import { createLibrary } from "./out/library/v1/index.js";
import type { Volume } from "./out/library/v1/index.js";
const library = createLibrary({ apiKey: "key" });
export const volume: Volume = await library.books.get({ bookId: "1" });
for await (const item of library.books.list()) console.log(item.title);
// @ts-expect-error: the method is not selected
await library.books.delete({ bookId: "1" });
// @ts-expect-error: the resource is not selected
library.shelves;
`;

test("the client and server of selected methods of a patched document compile", async () => {
  mkdirSync(folder, { recursive: true });
  write(folder, {
    "program.mts": PROGRAM,
    "patch.yaml":
      "api: library:v1\noperations:\n  - rename: schemas.Book\n    to: Volume\n",
  });
  const { diagnostics } = await generate({
    spec: path.join(ROOT, "test/compile/library.v1.json"),
    out: path.join(folder, "out"),
    target: ["client", "server", "validator", "conformance"],
    include: ["library.books.{get,list}"],
    patches: ["patch.yaml"],
    cwd: folder,
  });
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  const sources = ["out", "program.mts"];
  expect(await typecheck(folder, "7", "DOM", sources)).toBe("");
});
