import { describe, expect, test } from "vitest";
import { resolvePointer } from "../../../src/diagnostics/types.js";
import { visitDocumentRefs } from "../../../src/load/raw-refs.js";
import { checked, LIBRARY, patched } from "../../support/patches.js";

const LIST = "/resources/books/methods/list";
const INSERT = "/resources/books/methods/insert";
const BOOK = "/schemas/Book/properties";

describe("an operation changes the value at its address", () => {
  test.each<[string, string, unknown]>([
    [
      "- add: schemas.Book.color\n  value: { type: string }",
      `${BOOK}/color`,
      { type: "string" },
    ],
    [
      "- add: schemas.Book.title#pattern\n  value: ^a",
      `${BOOK}/title/pattern`,
      "^a",
    ],
    [
      "- add: schemas.Shelf\n  value: { type: object }",
      "/schemas/Shelf",
      { type: "object" },
    ],
    [
      "- add: /schemas/Book/properties/tags/items/enum/1\n  value: x",
      `${BOOK}/tags/items/enum`,
      ["a", "x", "b"],
    ],
    [
      "- add: /schemas/Book/properties/tags/items/enum/-\n  value: x",
      `${BOOK}/tags/items/enum`,
      ["a", "b", "x"],
    ],
    [
      "- replace: schemas.Book.tags[]#enum\n  value: [c]\n  expect: [a, b]",
      `${BOOK}/tags/items/enum`,
      ["c"],
    ],
    [
      '- replace: schemas.Book."odd.name"{}\n  value: { type: string }',
      `${BOOK}/odd.name/additionalProperties`,
      { type: "string" },
    ],
    [
      "- replace: methods.demo.books.list#httpMethod\n  value: POST\n  expect: GET",
      `${LIST}/httpMethod`,
      "POST",
    ],
    [
      "- replace: methods.demo.books.insert.request\n  value: { $ref: BookList }",
      `${INSERT}/request`,
      { $ref: "BookList" },
    ],
    [
      "- remove: methods.demo.books.list.parameters.pageToken",
      `${LIST}/parameters/pageToken`,
      undefined,
    ],
    ["- remove: resources.books", "/resources/books", undefined],
    [
      "- remove: /schemas/Book/properties/tags/items/enum/0\n  expect: a",
      `${BOOK}/tags/items/enum`,
      ["b"],
    ],
    [
      "- describe: schemas.Book.title\n  value: New.\n  expect: Title of the book.",
      `${BOOK}/title/description`,
      "New.",
    ],
    ["- describe: document\n  value: Books.", "/description", "Books."],
    [
      "- describe: parameters.alt\n  value: Format.",
      "/parameters/alt/description",
      "Format.",
    ],
    ["- require: schemas.Book.title", `${BOOK}/title/required`, true],
    [
      "- require: schemas.Book.title\n  methods: [demo.books.insert]",
      `${BOOK}/title/annotations/required`,
      ["demo.books.insert"],
    ],
    [
      "- require: schemas.Book.id\n  value: false\n  methods: [demo.books.insert]",
      `${BOOK}/id/annotations/required`,
      [],
    ],
    [
      "- require: methods.demo.books.list.parameters.shelf\n  value: false",
      `${LIST}/parameterOrder`,
      [],
    ],
    ["- readOnly: schemas.Book.title", `${BOOK}/title/readOnly`, true],
    [
      "- readOnly: schemas.Book.pages\n  value: false",
      `${BOOK}/pages/readOnly`,
      undefined,
    ],
    ["- deprecate: methods.demo.books.list", `${LIST}/deprecated`, true],
    [
      "- paging: methods.demo.books.list\n  value: { items: more }",
      `${LIST}/x-paging`,
      { items: "more" },
    ],
    [
      "- paging: methods.demo.books.list\n  value: false",
      `${LIST}/x-paging`,
      false,
    ],
    [
      "- operation: methods.demo.books.insert\n  value: { response: Book }",
      `${INSERT}/x-operation`,
      { response: "Book" },
    ],
    [
      "- scopes: demo.books.*\n  value: { https://x.example/auth/b: Books }",
      "/auth/oauth2/scopes",
      { "https://x.example/auth/b": { description: "Books" } },
    ],
    [
      "- scopes: demo.books.l*\n  value: { https://x.example/auth/b: Books }",
      `${LIST}/scopes`,
      ["https://x.example/auth/b"],
    ],
  ])("%s", (operation, pointer, expected) => {
    const { document, findings } = patched(operation);
    expect(findings).toEqual([]);
    expect(resolvePointer(document, pointer)).toEqual(expected);
  });
});

describe("a renamed", () => {
  test("schema is renamed in all references", () => {
    const { document, findings } = patched(
      "- rename: schemas.Book\n  to: Volume",
    );
    expect(findings).toEqual([]);
    const before = JSON.stringify(checked());
    const text = before
      .replaceAll('"$ref":"Book"', '"$ref":"Volume"')
      .replace('"Book":{"id":"Book"', '"Volume":{"id":"Volume"');
    expect(JSON.stringify(document)).toBe(text);
    visitDocumentRefs(document, (owner, key) =>
      expect(owner[key]).not.toBe("Book"),
    );
  });

  test("property is renamed in x-required", () => {
    const { document } = patched("- rename: schemas.Book.title\n  to: name");
    expect(resolvePointer(document, "/schemas/Book/x-required")).toEqual([
      "name",
    ]);
    expect(Object.keys(document.schemas!["Book"] as object)).toEqual(
      Object.keys(checked().schemas!["Book"] as object),
    );
  });

  test("property is renamed in discriminants, after the last option", () => {
    const animal = {
      id: "Animal",
      type: "object",
      variant: {
        discriminant: "kind",
        map: [
          { type_value: "cat", $ref: "Cat" },
          { type_value: "dog", $ref: "Dog" },
        ],
      },
    };
    const option = { type: "object", properties: { kind: { type: "string" } } };
    const list = { type: "array", items: animal };
    const base = {
      ...LIBRARY,
      schemas: {
        Cat: { id: "Cat", ...option },
        Dog: { id: "Dog", ...option },
        Zoo: { id: "Zoo", type: "object", properties: { animals: list } },
      },
      resources: {},
    };
    const nameAfter = (...renamed: string[]): unknown => {
      const operations = renamed.map(
        (name) => `- rename: schemas.${name}.kind\n  to: species`,
      );
      const { document, findings } = patched(operations.join("\n"), base);
      expect(findings).toEqual([]);
      const at = "/schemas/Zoo/properties/animals/items/variant/discriminant";
      return resolvePointer(document, at);
    };
    expect(nameAfter("Cat")).toBe("kind");
    expect(nameAfter("Cat", "Dog")).toBe("species");
  });

  test("property is renamed in the discriminant of its own schema", () => {
    const variant = {
      discriminant: "title",
      map: [{ type_value: "a", $ref: "BookList" }],
    };
    const { schemas, ...rest } = LIBRARY as { schemas: Record<string, object> };
    const Book = { ...schemas["Book"], variant };
    const { document } = patched("- rename: schemas.Book.title\n  to: name", {
      ...rest,
      schemas: { ...schemas, Book },
    });
    expect(resolvePointer(document, "/schemas/Book/variant/discriminant")).toBe(
      "name",
    );
  });

  test("property is renamed in x-paging", () => {
    const { document } = patched(
      "- paging: methods.demo.books.list\n  value: { next: nextPageToken, items: more }\n- rename: schemas.BookList.more\n  to: rest",
    );
    expect(resolvePointer(document, `${LIST}/x-paging`)).toEqual({
      next: "nextPageToken",
      items: "rest",
    });
  });

  test("parameter is renamed in the path and in parameterOrder", () => {
    const { document } = patched(
      "- rename: methods.demo.books.list.parameters.shelf\n  to: rack",
    );
    expect(resolvePointer(document, LIST)).toMatchObject({
      path: "shelves/{rack}/books",
      flatPath: "shelves/{rack}/books",
      parameterOrder: ["rack"],
      parameters: { rack: { location: "path" } },
    });
  });

  test("method is renamed in its id and in annotations", () => {
    const { document } = patched(
      "- rename: methods.demo.books.insert\n  to: create",
    );
    expect(resolvePointer(document, "/resources/books/methods/create/id")).toBe(
      "demo.books.create",
    );
    expect(resolvePointer(document, `${BOOK}/id/annotations/required`)).toEqual(
      ["demo.books.create"],
    );
  });
});

describe("a stale operation is an error with its position", () => {
  test.each([
    [
      "- remove: schemas.Bok.title",
      '/schemas has no member "Bok" (did you mean Book?)',
    ],
    [
      "- replace: schemas.Book.titel#type\n  value: x",
      '/schemas/Book/properties has no member "titel" (did you mean title?)',
    ],
    [
      "- add: schemas.Book.title.x.y\n  value: 1",
      '/schemas/Book/properties/title has no member "properties"',
    ],
    [
      "- add: schemas.Book.title\n  value: { type: integer }",
      "schemas.Book.title already exists with a different value",
    ],
    [
      "- replace: schemas.Book.title#type\n  value: integer\n  expect: number",
      'schemas.Book.title#type must be "number", found "string"',
    ],
    [
      "- replace: schemas.Book.title#type\n  value: integer\n  expectDigest: 0123456789ab",
      "must have the digest 0123456789ab, found",
    ],
    [
      "- remove: /schemas/Book/properties/tags/items/enum/7",
      'has no member "7"',
    ],
    [
      "- add: /schemas/Book/properties/tags/items/enum/9\n  value: x",
      "must end with an index of at most 2, or with -",
    ],
    [
      "- describe: methods.demo.book.list\n  value: x",
      'no method has the id "demo.book.list" (did you mean demo.books.list?)',
    ],
    ["- describe: schemas.Book.title#type\n  value: x", "must be an object"],
    [
      "- rename: schemas.Book\n  to: BookList",
      "because BookList already exists",
    ],
    ["- rename: schemas.Book.title#type\n  to: x", "can't be renamed"],
    [
      "- require: schemas.Book.title\n  methods: [demo.books.inser]",
      "(did you mean demo.books.insert?)",
    ],
    [
      "- operation: methods.demo.books.insert\n  value: { response: Bok }",
      "(did you mean Book?)",
    ],
    ["- paging: schemas.Book\n  value: { items: x }", "must be a method"],
    ["- scopes: demo.x.*\n  value: { a: b }", "matches no method id"],
    [
      "- remove: document",
      "an operation must change a value in the document, not the entire document",
    ],
  ])("%s", (operation, message) => {
    const { document, findings } = patched(operation);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toContain("patch-stale 3:5 ");
    expect(findings[0]).toContain(message);
    expect(document).toEqual(checked());
  });
});

test.each([
  "- add: schemas.Book.next\n  value: { $ref: Book }",
  "- add: /schemas/Book/properties/tags/items/enum/-\n  value: b",
  "- replace: schemas.Book.title#type\n  value: string\n  expect: integer",
  "- remove: schemas.Old",
  "- describe: schemas.Book\n  value: A book.",
  "- rename: schemas.Old\n  to: Book",
  "- require: methods.demo.books.list.parameters.shelf",
  "- require: schemas.Book.title\n  value: false",
  "- require: schemas.Book.id\n  methods: [demo.books.insert]",
  "- readOnly: schemas.Book.pages",
  "- deprecate: schemas.Book\n  value: false",
])(
  "a change that the document already has changes nothing: %s",
  (operation) => {
    const { document, findings } = patched(operation);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toContain("patch-upstream 3:5 ");
    expect(document).toEqual(checked());
  },
);

test.each([
  ["- remove: schemas.Book.tilte", "did you mean title?"],
  ["- remove: methods.demo.books.list#httpMehtod", "did you mean httpMethod?"],
])("a misspelt name is not a change of the authors: %s", (operation, hint) => {
  const { document, findings } = patched(operation);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain("patch-stale 3:5 ");
  expect(findings[0]).toContain(hint);
  expect(document).toEqual(checked());
});

test("scopes and extensions that the document already has change nothing", () => {
  const operations = `- scopes: demo.books.*
  value: { https://x.example/auth/b: Books }
- paging: methods.demo.books.list
  value: { items: more }
- operation: methods.demo.books.insert
  value: { response: Book }`;
  const { document } = patched(operations);
  const { findings } = patched(operations, document);
  expect(findings.map((text) => text.split(" ")[0])).toEqual(
    Array(3).fill("patch-upstream"),
  );
});

test.each([
  [
    "- describe: schemas.Book\n  value: x\n- describe: schemas.Book\n  value: y",
    "changes the same value",
  ],
  [
    "- describe: schemas.Book.title\n  value: x\n- remove: schemas.Book.title",
    "changes the same value",
  ],
  [
    "- remove: schemas.Book.title\n- describe: schemas.Book.title\n  value: x",
    "removes or renames the same value",
  ],
  [
    "- rename: schemas.Book\n  to: A\n- rename: schemas.Book\n  to: B",
    "removes or renames the same value",
  ],
  [
    "- rename: schemas.Book\n  to: A\n- rename: schemas.Book\n  to: A",
    "removes or renames the same value",
  ],
  [
    "- readOnly: schemas.Book.title\n- readOnly: schemas.Book.title\n  value: false",
    "changes the same value",
  ],
  [
    "- add: schemas.X\n  value: {}\n- add: schemas.X\n  value: {}",
    "changes the same value",
  ],
])("two operations conflict: %s", (operations, message) => {
  const { findings } = patched(operations);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(/^patch-conflict [45]:5 /);
  expect(findings[0]).toContain(`the operation at p.yaml:3:5 ${message}`);
});

test("operations can change what earlier operations added or renamed", () => {
  const { document, findings } = patched(`- rename: schemas.Book
  to: Volume
- describe: schemas.Volume
  value: A volume.
- add: schemas.Volume.color
  value: { type: string }
- describe: schemas.Volume.color
  value: Color.`);
  expect(findings).toEqual([]);
  expect(resolvePointer(document, "/schemas/Volume")).toMatchObject({
    description: "A volume.",
    properties: { color: { type: "string", description: "Color." } },
  });
});

test("a value that makes the document invalid is an error of the patch", () => {
  const { findings } = patched(
    "- describe: schemas.Book\n  value: x\n- add: schemas.Book.color\n  value: { type: 5 }\n- remove: /name",
  );
  expect(findings).toEqual([
    "patch-invalid 7:5 the document must have the field name",
    "patch-invalid 5:5 /schemas/Book/properties/color/type must be a string, found 5",
  ]);
});

test("names such as __proto__ change no prototype", () => {
  const { document, findings } = patched(`- add: /schemas/__proto__
  value: { type: object, properties: { __proto__: { type: string } } }
- add: schemas.Book.constructor
  value: { type: string }
- rename: schemas.Operation
  to: toString`);
  expect(findings).toEqual([]);
  expect(Object.hasOwn(document.schemas!, "__proto__")).toBe(true);
  expect(Object.hasOwn(document.schemas!, "toString")).toBe(true);
  expect(({} as Record<string, unknown>)["type"]).toBeUndefined();
  expect(Object.getPrototypeOf(document.schemas)).toBe(Object.prototype);
});

test("patches of other documents are ignored, and the input stays unchanged", () => {
  const other = { ...LIBRARY, version: "v2" };
  const { document, findings } = patched("- remove: schemas.Missing.x", other);
  expect(findings).toEqual([]);
  expect(document).toEqual(checked(other));
});
