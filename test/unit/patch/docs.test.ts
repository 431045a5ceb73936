import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Sink } from "../../../src/diagnostics/sink.js";
import { loadBytes } from "../../../src/load/load.js";
import { MethodGlob } from "../../../src/model/method-glob.js";
import { buildApi } from "../../../src/model/build/api.js";
import { parseAddress, resolveAddress } from "../../../src/patch/address.js";
import { applyPatches } from "../../../src/patch/apply-patches.js";
import { valueAt } from "../../../src/patch/edit-json.js";
import { OPERATIONS } from "../../../src/patch/operation-table.js";
import { ROOT } from "../../support/paths.js";
import { checked, parsed } from "../../support/patches.js";

const read = (name: string): string =>
  readFileSync(path.join(ROOT, "docs", name), "utf8");

/** Returns the texts in backticks of the cells of rows with three columns. */
function rows(page: string): string[][][] {
  return [...page.matchAll(/^\|(.*)\|$/gm)].map(([, row]) =>
    row!
      .split("|")
      .map((cell) => [...cell.matchAll(/`([^`]*)`/g)].map(([, text]) => text!)),
  );
}

test("docs/selection.md: the selectors select what the table says", () => {
  const table = rows(read("selection.md")).filter(
    (cells) => cells.length === 3 && cells.every((cell) => cell.length > 0),
  );
  expect(table.length).toBeGreaterThan(5);
  for (const [selectors, selected, others] of table) {
    const glob = new MethodGlob(selectors![0]!);
    for (const id of selected!) expect(glob.matchesBelow(id), id).toBe(true);
    for (const id of others!) expect(glob.matchesBelow(id), id).toBe(false);
  }
});

test("docs/patches.md: the examples apply, and contain every operation", () => {
  const examples = [...read("patches.md").matchAll(/```yaml\n([^]*?)```/g)];
  const kinds = new Set<string>();
  for (const [, text] of examples) {
    const { patch, findings } = parsed(text!);
    expect(findings).toEqual([]);
    for (const { kind } of patch!.operations) kinds.add(kind);
    const sink = new Sink();
    const { document } = applyPatches(checked(), [patch!], sink);
    buildApi(document, sink, { trustProse: false });
    const problems = sink.diagnostics.filter(
      ({ severity }) => severity !== "info",
    );
    expect(problems).toEqual([]);
  }
  expect([...kinds].sort()).toEqual(Object.keys(OPERATIONS).sort());
});

test("docs/patches.md: the addresses exist", () => {
  const table = rows(read("patches.md")).filter(([cell]) =>
    cell?.[0]?.match(/^(?:schemas|methods|parameters|resources|document)/),
  );
  const addresses = table.flatMap(([cell]) => cell!);
  expect(addresses.length).toBeGreaterThan(10);
  for (const address of addresses) {
    const target = resolveAddress(parseAddress(address), checked());
    const tokens = "tokens" in target ? target.tokens : ["missing"];
    expect(valueAt(checked(), tokens), address).toBeDefined();
  }
});

test("declared page tokens take precedence over inferred ones", () => {
  const paging = (value: string) => {
    const { patch } = parsed(
      `api: demo:v1\noperations:\n  - paging: methods.demo.books.list\n    value: ${value}\n`,
    );
    const sink = new Sink();
    const { document } = applyPatches(checked(), [patch!], sink);
    const bytes = Buffer.from(JSON.stringify(document));
    const loaded = loadBytes(bytes, "test.json", sink).document!;
    const api = buildApi(loaded, sink, { trustProse: false });
    const list = api.root.children[0]!.methods.find(
      ({ name }) => name === "list",
    );
    const codes = sink.diagnostics.map(
      ({ code, pointer }) => `${code} ${pointer}`,
    );
    return { paging: list!.paging, codes };
  };
  expect(paging("{ items: more }")).toMatchObject({
    paging: {
      token: "pageToken",
      next: "nextPageToken",
      items: { field: "more" },
      others: ["books"],
    },
    codes: [],
  });
  expect(paging("false")).toEqual({ paging: undefined, codes: [] });
  const at = "/resources/books/methods/list/x-paging";
  expect(paging("{ items: none }").codes).toEqual([
    `extension-unresolved ${at}/items`,
  ]);
  expect(paging("{ token: none }")).toEqual({
    paging: undefined,
    codes: [`extension-unresolved ${at}/token`],
  });
  expect(paging("{ next: none }")).toEqual({
    paging: undefined,
    codes: [`extension-unresolved ${at}/next`],
  });
});
