import { describe, expect, test } from "vitest";
import { locate } from "../../../src/diagnostics/locate.js";
import { Sink } from "../../../src/diagnostics/sink.js";
import { settingsHash } from "../../../src/generate/api-settings.js";
import {
  editDocument,
  type EditSettings,
} from "../../../src/generate/edit-document.js";
import { loadBytes } from "../../../src/load/load.js";
import { buildApi } from "../../../src/model/build/api.js";
import { LIBRARY, parsed } from "../../support/patches.js";

/** Document with findings: unknown types and a missing schema. */
const DOCUMENT = {
  ...LIBRARY,
  labels: ["odd"],
  schemas: {
    ...(LIBRARY["schemas"] as object),
    Odd: {
      id: "Odd",
      type: "object",
      properties: {
        a: { type: "strin" },
        b: { $ref: "Nowhere" },
        c: { type: "string" },
      },
    },
  },
};
const TEXT = JSON.stringify(DOCUMENT, undefined, 2);

/** Returns the findings about an edited document as `code file:line text`. */
async function findings(
  operations: string,
  settings: EditSettings = {},
): Promise<string[]> {
  const yaml = `api: demo:v1\noperations:\n${operations}\n`;
  const patches = operations === "" ? [] : [parsed(yaml).patch!];
  const sink = new Sink("test.json");
  const { document } = loadBytes(Buffer.from(TEXT), "test.json", sink);
  const edited = await editDocument(document!, { ...settings, patches }, sink);
  buildApi(edited.document, sink, { trustProse: false });
  return locate(edited.relocate(sink.diagnostics), TEXT)
    .filter(({ code }) => code !== "paging-ambiguous")
    .map(({ code, file, line = 0 }) => {
      const text = file === "test.json" ? TEXT : yaml;
      return `${code} ${file}: ${text.split("\n")[line - 1]?.trim()}`;
    });
}

describe("positions of findings are", () => {
  test("those of the document without patches", async () => {
    expect(await findings("")).toEqual([
      'document-label test.json: "odd"',
      'schema-unknown-type test.json: "type": "strin"',
      'ref-missing test.json: "$ref": "Nowhere"',
    ]);
  });

  test("in the patch for values that it has changed", async () => {
    expect(
      await findings(`  - replace: schemas.Odd.a#type
    value: integr
  - add: schemas.Odd.d
    value: { $ref: Elsewhere }
  - replace: schemas.Odd.c
    value: { type: object, properties: { x: { type: strng } } }
  - replace: document#labels
    value: [strange]`),
    ).toEqual([
      "document-label p.yaml: - replace: document#labels",
      "schema-unknown-type p.yaml: - replace: schemas.Odd.a#type",
      'ref-missing test.json: "$ref": "Nowhere"',
      "schema-unknown-type p.yaml: - replace: schemas.Odd.c",
      "ref-missing p.yaml: - add: schemas.Odd.d",
    ]);
  });

  test("in the document for values below a renamed one", async () => {
    expect(
      await findings(`  - rename: schemas.Odd
    to: Even
  - rename: schemas.Even.a
    to: first
  - describe: schemas.Even.b
    value: New.`),
    ).toEqual([
      'document-label test.json: "odd"',
      'ref-missing test.json: "$ref": "Nowhere"',
      'schema-unknown-type test.json: "type": "strin"',
    ]);
  });

  test("those of the document after a selection", async () => {
    expect(await findings("", { include: ["demo.books.insert"] })).toEqual([
      'document-label test.json: "odd"',
    ]);
  });

  test("in the patch after elements of an array were shifted", async () => {
    const [first, ...rest] = await findings(`  - add: /labels/0
    value: strange`);
    expect(first).toBe("document-label p.yaml: - add: /labels/0");
    expect(rest).toContain('ref-missing test.json: "$ref": "Nowhere"');
  });
});

test("the selection sees the patched document", async () => {
  const yaml =
    "api: demo:v1\noperations:\n  - rename: methods.demo.books.list\n    to: all\n";
  const sink = new Sink();
  const { document } = loadBytes(Buffer.from(TEXT), "test.json");
  const settings = {
    include: ["demo.books.all"],
    patches: [parsed(yaml).patch!],
  };
  const edited = await editDocument(document!, settings, sink);
  expect(sink.diagnostics).toEqual([]);
  expect(Object.keys(edited.document.resources!["books"]!.methods!)).toEqual([
    "all",
  ]);
});

test("the document stays unchanged after an error", async () => {
  const yaml =
    "api: demo:v1\noperations:\n  - describe: schemas.Odd\n    value: x\n  - remove: schemas.Missing.x\n";
  const sink = new Sink();
  const { document } = loadBytes(Buffer.from(TEXT), "test.json");
  const patches = [parsed(yaml).patch!];
  const edited = await editDocument(
    document!,
    { patches, include: ["nothing"] },
    sink,
  );
  expect(edited.document).toBe(document);
  expect(sink.diagnostics.map(({ code }) => code)).toEqual(["patch-stale"]);
});

test("the hash of settings depends on the content of patches", () => {
  const settings = { target: ["client"], trustProse: false };
  const hashOf = (text: string, file?: string) =>
    settingsHash({
      ...settings,
      patches: [
        { ...parsed(text).patch!, ...(file === undefined ? {} : { file }) },
      ],
    });
  const text = "api: demo:v1\noperations:\n  - remove: schemas.A\n";
  expect(hashOf(text)).toBe(hashOf(`# comment\n\n${text}`, "other.yaml"));
  expect(hashOf(text)).not.toBe(hashOf(text.replace("A", "B")));
  expect(hashOf(text)).not.toBe(settingsHash(settings));
  expect(settingsHash({ ...settings, include: ["a"] })).not.toBe(
    settingsHash({ ...settings, exclude: ["a"] }),
  );
});
