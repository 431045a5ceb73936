import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { Sink } from "../../../src/diagnostics/sink.js";
import type { RawDocument } from "../../../src/load/raw.js";
import { applyPatches } from "../../../src/patch/apply-patches.js";
import { createPatch, printPatch } from "../../../src/patch/create-patch.js";
import { checked, LIBRARY, parsed } from "../../support/patches.js";

interface Json {
  [key: string]: Json;
}

/** Creates a patch for an edit; returns the edited document and the operations. */
function patchFor(edit: (copy: Json) => void) {
  const copy = structuredClone(LIBRARY) as Json;
  edit(copy);
  const [old, edited] = [checked(), checked(copy)];
  const operations = createPatch(old, edited);
  return { old, edited, operations };
}

function applied(
  old: RawDocument,
  operations: ReturnType<typeof createPatch>,
  format: "yaml" | "json",
): RawDocument {
  const text = printPatch({ api: "demo:v1", operations }, format);
  const { patch, findings } = parsed(text, `p.${format}`);
  expect(findings, text).toEqual([]);
  const sink = new Sink();
  const { document } = applyPatches(old, [patch!], sink);
  expect(sink.diagnostics, text).toEqual([]);
  return document;
}

describe("a patch for", () => {
  test.each<[string, (copy: Json) => void, unknown]>([
    [
      "a description",
      (copy) =>
        void (copy["schemas"]!["Book"]!["description"] = "New." as never),
      [
        {
          kind: "describe",
          at: "schemas.Book",
          value: "New.",
          expect: "A book.",
        },
      ],
    ],
    [
      "a new description of the document",
      (copy) => void (copy["description"] = "New." as never),
      [{ kind: "describe", at: "document", value: "New." }],
    ],
    [
      "a required property",
      (copy) =>
        void (copy["schemas"]!["Book"]!["properties"]!["title"]!["required"] =
          true as never),
      [{ kind: "require", at: "schemas.Book.title" }],
    ],
    [
      "a writable property",
      (copy) =>
        void delete (copy["schemas"]!["Book"]!["properties"]!["pages"] as Json)[
          "readOnly"
        ],
      [{ kind: "readOnly", at: "schemas.Book.pages", value: false }],
    ],
    [
      "a deprecated method",
      (copy) =>
        void (copy["resources"]!["books"]!["methods"]!["list"]!["deprecated"] =
          true as never),
      [{ kind: "deprecate", at: "methods.demo.books.list" }],
    ],
    [
      "pages",
      (copy) =>
        void (copy["resources"]!["books"]!["methods"]!["list"]!["x-paging"] = {
          items: "more",
        } as never),
      [
        {
          kind: "paging",
          at: "methods.demo.books.list",
          value: { items: "more" },
        },
      ],
    ],
    [
      "a new parameter",
      (copy) =>
        void (copy["resources"]!["books"]!["methods"]!["list"]!["parameters"]![
          "q"
        ] = { type: "string" } as never),
      [
        {
          kind: "add",
          at: "methods.demo.books.list.parameters.q",
          value: { type: "string" },
        },
      ],
    ],
    [
      "an element of a list",
      (copy) =>
        void (copy["schemas"]!["Book"]!["properties"]!["tags"]!["items"]![
          "enum"
        ] = ["a"] as never),
      [
        {
          kind: "replace",
          at: "schemas.Book.tags[]#enum",
          value: ["a"],
          expect: ["a", "b"],
        },
      ],
    ],
    [
      "a removed property",
      (copy) =>
        void delete (copy["schemas"]!["Book"]!["properties"] as Json)[
          "odd.name"
        ],
      [
        {
          kind: "remove",
          at: 'schemas.Book."odd.name"',
          expect: { type: "object", additionalProperties: { $ref: "Book" } },
        },
      ],
    ],
    [
      "a new id of a method",
      (copy) => {
        const method = copy["resources"]!["books"]!["methods"]!["list"] as Json;
        method["id"] = "demo.list" as never;
        method["description"] = "Lists." as never;
      },
      [
        {
          kind: "describe",
          at: "/resources/books/methods/list",
          value: "Lists.",
        },
        {
          kind: "replace",
          at: "/resources/books/methods/list/id",
          value: "demo.list",
          expect: "demo.books.list",
        },
      ],
    ],
    ["nothing", () => {}, []],
  ])("%s", (_, edit, expected) => {
    const { old, edited, operations } = patchFor(edit);
    expect(operations).toEqual(expected);
    if (operations.length === 0) return;
    expect(applied(old, operations, "yaml")).toEqual(edited);
    expect(applied(old, operations, "json")).toEqual(edited);
  });
});

test("addresses are JSON pointers if an added id would change their meaning", () => {
  const id = "demo.books.list.parameters.shelf";
  const { old, edited, operations } = patchFor((copy) => {
    const method = { id, path: "x", httpMethod: "GET" };
    copy["methods"] = { confusing: method } as never;
    const list = copy["resources"]!["books"]!["methods"]!["list"]!;
    list["parameters"]!["shelf"]!["description"] = "Shelf." as never;
  });
  expect(operations.map(({ at }) => at)).toEqual([
    "/methods",
    "/resources/books/methods/list/parameters/shelf",
  ]);
  expect(applied(old, operations, "yaml")).toEqual(edited);
});

/** Renames in the JSON text of the document. */
const replaced =
  (...changes: [from: string, to: string][]) =>
  (copy: Json): void => {
    let text = JSON.stringify(copy);
    for (const [from, to] of changes) text = text.replaceAll(from, to);
    for (const key of Object.keys(copy)) delete copy[key];
    Object.assign(copy, JSON.parse(text));
  };

test.each<[string, (copy: Json) => void, unknown]>([
  [
    "schema",
    replaced(['"Book"', '"Volume"']),
    [{ kind: "rename", at: "schemas.Book", to: "Volume" }],
  ],
  [
    "schema with other changes",
    replaced(['"Book"', '"Volume"'], ["A book.", "A volume."]),
    [
      { kind: "rename", at: "schemas.Book", to: "Volume" },
      {
        kind: "describe",
        at: "schemas.Volume",
        value: "A volume.",
        expect: "A book.",
      },
    ],
  ],
  ["property", replaced(['"title"', '"name"']), undefined],
  [
    "described property",
    replaced(['"title":{', '"heading":{'], ['["title"]', '["heading"]']),
    [{ kind: "rename", at: "schemas.Book.title", to: "heading" }],
  ],
  [
    "method",
    replaced(['"insert"', '"create"'], ["books.insert", "books.create"]),
    [{ kind: "rename", at: "methods.demo.books.insert", to: "create" }],
  ],
])("a renamed %s is recognised", (_, edit, expected) => {
  const { old, edited, operations } = patchFor(edit);
  if (expected !== undefined) expect(operations).toEqual(expected);
  expect(applied(old, operations, "yaml")).toEqual(edited);
});

test.each([
  "short",
  "",
  " leading and trailing ",
  "yes",
  "1e3",
  "~",
  "- a: b # c",
  "a\nb\n",
  "line\n\n  indented\n\ttab\n\n\nend",
  `${"word ".repeat(40)}end`,
  `${"word ".repeat(40)}\n\n    code ${"x ".repeat(60)}\n${"word ".repeat(40)}`,
  `${"word ".repeat(40)}\n`,
  `${"a".repeat(200)} b`,
  `# ${"word ".repeat(40)}end`,
  `${"word  ".repeat(40)}end`,
  "\u0000\u001b[31m\u2028\u0085\ufeff",
  `\ufeff${"word ".repeat(40)}\u2028\u0085 end`,
  `${"word ".repeat(20)}\r\n${"word ".repeat(20)}end`,
  "日本 ".repeat(60),
  `${"🦊 ".repeat(60)}x`,
])("a patch file keeps the text %j", (value) => {
  const operations = [{ kind: "describe", at: "document", value } as const];
  for (const format of ["yaml", "json"] as const) {
    const text = printPatch({ api: "a:b", operations }, format);
    expect(parse(text)).toMatchObject({ operations: [{ value }] });
    expect(text).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e]/,
    );
    expect(parsed(text, `p.${format}`).patch!.operations[0]!.value).toBe(value);
  }
});

test("long texts are folded", () => {
  const value = `${"word ".repeat(40)}end`;
  const operations = [{ kind: "describe", at: "document", value } as const];
  const text = printPatch({ api: "a:b", operations }, "yaml");
  expect(text).toContain("value: >-\n");
  for (const line of text.split("\n").slice(1))
    expect(line.length).toBeLessThanOrEqual(80);
});
