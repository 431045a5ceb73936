import { expect } from "vitest";
import { acceptance, type Statement } from "../acceptance.js";
import { changes, directoryOf, findings } from "./documents.js";
import { fieldStatements, type Field } from "./fields.js";
import { library, type Draft } from "./library.js";
import { edited, programOf } from "./program.js";

/** Type or format, with its TypeScript type, valid and invalid values. */
interface Kind {
  readonly name: string;
  readonly schema: object;
  readonly type: string;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
  /** Text of an invalid value in a query; none if every text is valid. */
  readonly text?: string;
}

const TYPES: readonly Kind[] = [
  {
    name: "string",
    schema: { type: "string" },
    type: "string",
    valid: ["", "a"],
    invalid: [1, true, {}],
  },
  {
    name: "number",
    schema: { type: "number" },
    type: "number",
    valid: [1, -0.5],
    invalid: ["1", false],
    text: "one",
  },
  {
    name: "integer",
    schema: { type: "integer" },
    type: "number",
    valid: [0, -7],
    invalid: [1.5, "1"],
    text: "1.5",
  },
  {
    name: "boolean",
    schema: { type: "boolean" },
    type: "boolean",
    valid: [true, false],
    invalid: ["true", 0],
    text: "perhaps",
  },
  {
    name: "object",
    schema: { type: "object", properties: { a: { type: "string" } } },
    type: "SampleTypeobject",
    valid: [{}, { a: "b" }],
    invalid: [[], "x", { a: 1 }],
  },
  {
    name: "array",
    schema: { type: "array", items: { type: "string" } },
    type: "string[]",
    valid: [[], ["a"]],
    invalid: [{}, [1]],
  },
  {
    name: "any",
    schema: { type: "any" },
    type: "unknown",
    valid: [1, "a", {}, [true]],
    invalid: [],
  },
];

const format = (
  name: string,
  base: string,
  type: string,
  valid: readonly unknown[],
  invalid: readonly unknown[],
  text?: string,
): Kind => ({
  name,
  schema: { type: base, format: name },
  type,
  valid,
  invalid,
  ...(text === undefined ? {} : { text }),
});

const FORMATS: readonly Kind[] = [
  format(
    "int32",
    "integer",
    "number",
    [-2147483648, 2147483647],
    [2147483648],
    "2147483648",
  ),
  format("uint32", "integer", "number", [0, 4294967295], [-1], "-1"),
  format("int64", "string", "string", ["-9223372036854775808"], ["x"], "x"),
  format("uint64", "string", "string", ["18446744073709551615"], ["-1"], "-1"),
  format("double", "number", "Double", [0.1, "NaN"], ["x"], "x"),
  format("float", "number", "Double", [0.5, "Infinity"], ["x"], "x"),
  format("byte", "string", "string", ["YQ=="], ["%"], "%25"),
  format(
    "date",
    "string",
    "string",
    ["2024-02-29"],
    ["2023-02-29"],
    "2023-02-29",
  ),
  format(
    "date-time",
    "string",
    "string",
    ["2024-02-29T12:00:00Z"],
    ["2024-02-29"],
    "2024-02-29",
  ),
];

const properties = Object.fromEntries([
  ...TYPES.map(({ name, schema }) => [`type${name}`, schema]),
  ...FORMATS.map(({ name, schema }) => [
    `format${name.replace("-", "")}`,
    schema,
  ]),
]);
const inQuery = Object.fromEntries(
  Object.entries(properties)
    .filter(([name]) => !/object|array|any/.test(name))
    .map(([name, schema]) => [
      name,
      { ...(schema as object), location: "query" },
    ]),
);

const document = library();
document.schemas.Sample = { id: "Sample", type: "object", properties };
document.schemas.Tree = {
  id: "Tree",
  type: "object",
  properties: { children: { type: "array", items: { $ref: "Tree" } } },
};
document.schemas.Anchored = {
  id: "Anchored",
  type: "object",
  properties: {
    code: { type: "string", pattern: "^[A-Z][0-9]{2}$" },
    grade: { type: "integer", minimum: "1", maximum: "5" },
    share: { type: "number", minimum: "0", maximum: "0.5" },
  },
};
document.resources.samples = {
  methods: {
    put: {
      id: "library.samples.put",
      path: "samples",
      httpMethod: "POST",
      parameters: inQuery,
      request: { $ref: "Sample" },
      response: { $ref: "Sample" },
    },
  },
};
const program = await programOf(document);
const directory = await directoryOf({ "library.json": library() });
const listPage = await directory.page("/apis/library/v1/methods/books/list");
const bookPage = await directory.page("/apis/library/v1/schemas/Book");
const authorPage = await directory.page("/apis/library/v1/schemas/Author");
const schemas = program.text("schemas.ts");
const books = program.text("resources/books.ts");

const handlers = {
  samples: { put: ({ body }: Draft) => body ?? {} },
  books: {
    list: ({ params }: Draft) => ({
      items: [{ title: JSON.stringify(params) }],
    }),
    insert: ({ body }: Draft) => body,
  },
};

/** Status of a list of books with a query. */
async function listed(
  query: string,
): Promise<{ status: number; params: Draft }> {
  const response = await program.send(
    handlers,
    new Request(`https://x.test/library/v1/books${query}`),
  );
  const body = (await response.json()) as Draft;
  const title = body.items?.[0]?.title;
  return {
    status: response.status,
    params: title === undefined ? undefined : JSON.parse(title),
  };
}

/** Status of an inserted body. */
async function inserted(body: object): Promise<number> {
  const request = new Request(
    "https://x.test/library/v1/halls/h/books?stamp=s",
    {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    },
  );
  return (await program.send(handlers, request)).status;
}

function kinds(aspect: "type" | "format", list: readonly Kind[]): Statement[] {
  return list.flatMap(({ name, type, valid, invalid, text }) => {
    const property = `${aspect}${name.replace("-", "")}`;
    const check = (value: unknown): boolean =>
      program.validate("Sample")({ [property]: value }).valid;
    const statements: Statement[] = [
      {
        id: `format/schema/${aspect}-${name}/type`,
        statement: `A value of the ${aspect} \`${name}\` has the TypeScript type \`${type}\`.`,
        check: () =>
          expect(schemas).toMatch(
            new RegExp(
              `\\n  ${property}\\?: ${type.replace(/[[\]]/g, "\\$&")};`,
            ),
          ),
      },
      {
        id: `format/schema/${aspect}-${name}/validator`,
        statement: `The validator accepts values of the ${aspect} \`${name}\` and no others.`,
        check: () => {
          expect(valid.map(check)).toEqual(valid.map(() => true));
          expect(invalid.map(check)).toEqual(invalid.map(() => false));
        },
      },
    ];
    if (text !== undefined)
      statements.push({
        id: `format/schema/${aspect}-${name}/parameter`,
        statement: `The server rejects a parameter that is not of the ${aspect} \`${name}\`.`,
        check: async () => {
          const url = (value: string): string =>
            `https://x.test/library/v1/samples?${property}=${value}`;
          const status = async (value: string): Promise<number> =>
            (
              await program.send(
                handlers,
                new Request(url(value), { method: "POST" }),
              )
            ).status;
          expect(await status(encodeURIComponent(String(valid[0])))).toBe(200);
          expect(await status(text)).toBe(400);
        },
      });
    return statements;
  });
}

const BOOK = ["schemas", "Book"];
const CONDITION = [...BOOK, "properties", "condition"];
const PAGES = [...BOOK, "properties", "pages"];
const LIST = ["resources", "books", "methods", "list", "parameters"];
const INSERT = ["resources", "books", "methods", "insert", "parameters"];

const fields: readonly Field[] = [
  { name: "id", type: "a string", path: BOOK },
  { name: "type", type: "a string", path: PAGES, removed: "type-widened" },
  {
    name: "$ref",
    type: "a string",
    path: [...BOOK, "properties", "author"],
    changed: ["BookList", "schema-replaced"],
  },
  {
    name: "description",
    type: "a string",
    path: BOOK,
    removed: "description-changed",
  },
  {
    name: "default",
    type: "a string",
    path: CONDITION,
    removed: "default-removed",
  },
  {
    name: "required",
    type: "a boolean",
    path: [...INSERT, "stamp"],
    isChecked: false,
  },
  {
    name: "deprecated",
    type: "a boolean",
    path: [...BOOK, "properties", "ribbon"],
    removed: "property-undeprecated",
  },
  { name: "format", type: "a string", path: PAGES, removed: "format-widened" },
  {
    name: "pattern",
    type: "a string",
    path: [...BOOK, "properties", "shelf"],
    removed: "pattern-removed",
  },
  { name: "minimum", type: "a string", path: PAGES, removed: "limit-widened" },
  { name: "maximum", type: "a string", path: PAGES, removed: "limit-widened" },
  {
    name: "enum",
    type: "array of strings",
    path: CONDITION,
    removed: "enum-removed",
  },
  {
    name: "enumDescriptions",
    type: "array of strings",
    path: CONDITION,
    removed: "description-changed",
  },
  {
    name: "enumDeprecated",
    type: "array of booleans",
    path: CONDITION,
    changed: [[true, false, true], "enum-value-deprecated"],
  },
  {
    name: "repeated",
    type: "a boolean",
    path: [...LIST, "subject"],
    removed: "parameter-not-repeated",
  },
  {
    name: "location",
    type: "a string",
    path: [...LIST, "code"],
  },
  {
    name: "properties",
    type: "map of schemas",
    path: BOOK,
    removed: "property-removed",
  },
  {
    name: "additionalProperties",
    type: "a schema",
    path: [...BOOK, "properties", "ratings"],
    removed: "type-widened",
  },
  {
    name: "items",
    type: "a schema",
    path: [...BOOK, "properties", "authors"],
    removed: "type-widened",
    isChecked: false,
  },
  {
    name: "annotations",
    type: "an object",
    path: [...BOOK, "properties", "title"],
    removed: "body-member-optional",
  },
];

const annotations: readonly Field[] = [
  {
    name: "required",
    type: "array of strings",
    path: [...BOOK, "properties", "title", "annotations"],
    removed: "body-member-optional",
  },
];

const edit = (path: readonly string[], change: (value: Draft) => void): Draft =>
  edited((d) => change(path.reduce((value, name) => value[name], d)));

const effects: readonly Statement[] = [
  {
    id: "format/schema/id/mismatch",
    statement: "A schema whose id differs from its key is reported.",
    check: async () =>
      expect(
        await findings(edit(BOOK, (s) => (s.id = "Volume"))),
      ).toContainEqual(expect.stringContaining("schema-id")),
  },
  {
    id: "format/schema/id/absent",
    statement: "A schema without an id is reported.",
    check: async () =>
      expect(await findings(edit(BOOK, (s) => delete s.id))).toContainEqual(
        expect.stringContaining("schema-id-missing"),
      ),
  },
  {
    id: "format/schema/ref/id",
    statement:
      "A reference names the id of its target, also if its key differs.",
    check: async () => {
      const { generated } = await programOf(
        edited((d) => {
          d.schemas.Author.id = "Writer";
          d.schemas.Book.properties.author = { $ref: "Writer" };
        }),
      );
      expect(generated.diagnostics.map(({ code }) => code)).not.toContain(
        "ref-missing",
      );
      expect([...generated.files.values()].join("\n")).toContain(
        "\n  author?: Author;",
      );
    },
  },
  {
    id: "format/schema/ref/type",
    statement: "A property with a reference has the type of the target.",
    check: () => expect(schemas).toContain("\n  author?: Author;"),
  },
  {
    id: "format/schema/ref/validator",
    statement: "Validators follow references.",
    check: () => {
      const validate = program.validate("Book");
      expect(validate({ author: { name: "A" } }).valid).toBe(true);
      expect(validate({ author: { name: 1 } }).valid).toBe(false);
    },
  },
  {
    id: "format/schema/ref/cycle",
    statement: "A schema can refer to itself.",
    check: () => {
      const validate = program.validate("Tree");
      expect(validate({ children: [{ children: [{}] }] }).valid).toBe(true);
      expect(validate({ children: [{ children: [1] }] }).valid).toBe(false);
    },
  },
  {
    id: "format/schema/ref/missing",
    statement: "A reference to a schema that is absent is reported.",
    check: async () =>
      expect(
        await findings(
          edit([...BOOK, "properties"], (p) => (p.author.$ref = "None")),
        ),
      ).toContainEqual(expect.stringContaining("ref-missing")),
  },
  {
    id: "format/schema/ref/page",
    statement: "The page of a schema links to the schemas it refers to.",
    check: () => expect(bookPage).toContain("/apis/library/v1/schemas/Author"),
  },
  {
    id: "format/schema/type/unknown",
    statement: "A type that JSON Schema does not have is reported.",
    check: async () =>
      expect(
        await findings(edit(PAGES, (s) => (s.type = "number8"))),
      ).toContain("schema-unknown-type /schemas/Book/properties/pages/type"),
  },
  {
    id: "format/schema/description/schema",
    statement: "The type of a schema is documented with its description.",
    check: () =>
      expect(schemas).toContain(
        "/** A book of the library. */\nexport interface Book {",
      ),
  },
  {
    id: "format/schema/description/property",
    statement: "A property is documented with its description.",
    check: () => expect(schemas).toContain("* Title on the cover."),
  },
  {
    id: "format/schema/description/parameter",
    statement: "A parameter is documented with its description.",
    check: () =>
      expect(books).toContain(
        "/** Subjects of the books. */\n  subject?: readonly string[] | undefined;",
      ),
  },
  {
    id: "format/schema/description/page",
    statement: "Pages show descriptions of schemas, properties and parameters.",
    check: () => {
      expect(bookPage).toContain("A book of the library.");
      expect(bookPage).toContain("Title on the cover.");
      expect(listPage).toContain("Subjects of the books.");
    },
  },
  {
    id: "format/schema/default/type",
    statement: "The default is part of the documentation of types.",
    check: () => {
      expect(schemas).toContain("Default: `good`.");
      expect(books).toContain("Default: `10`.");
    },
  },
  {
    id: "format/schema/default/server",
    statement: "A handler receives the default of an absent parameter.",
    check: async () => expect((await listed("")).params.most).toBe(10),
  },
  {
    id: "format/schema/default/invalid",
    statement: "A default that the schema does not allow is reported.",
    check: async () =>
      expect(
        await findings(edit([...LIST, "most"], (s) => (s.default = "ten"))),
      ).toContainEqual(expect.stringContaining("default-invalid")),
  },
  {
    id: "format/schema/default/page",
    statement: "Pages show the default.",
    check: () => expect(listPage).toMatch(/Default:\s*<code[^>]*>10/),
  },
  {
    id: "format/schema/required/type",
    statement: "A required parameter is required by the type of a call.",
    check: () => expect(books).toContain("\n  stamp: string;"),
  },
  {
    id: "format/schema/required/optional",
    statement: "A parameter that is not required can be omitted.",
    check: async () => {
      expect(books).toContain("\n  code?: string | undefined;");
      expect((await listed("")).status).toBe(200);
    },
  },
  {
    id: "format/schema/required/client",
    statement: "The client sends no request without a required path parameter.",
    check: async () => {
      const { client, exchanges } = program.connect(handlers);
      await expect(
        Promise.resolve(
          client.books.insert({ stamp: "s", requestBody: {} } as never),
        ),
      ).rejects.toThrow(/hall/);
      expect(exchanges).toEqual([]);
    },
  },
  {
    id: "format/schema/required/server",
    statement: "The server rejects a request without a required parameter.",
    check: async () => {
      const request = new Request("https://x.test/library/v1/halls/h/books", {
        method: "POST",
        body: '{"title":"a"}',
        headers: { "content-type": "application/json" },
      });
      const response = await program.send(handlers, request);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("stamp");
    },
  },
  {
    id: "format/schema/required/diff",
    statement: "`gen diff` lists a parameter that became required.",
    check: () =>
      expect(
        changes(edit([...LIST, "code"], (s) => (s.required = true))).map(
          ({ rule }) => rule,
        ),
      ).toContain("parameter-required"),
  },
  {
    id: "format/schema/required/page",
    statement: "Pages mark required parameters.",
    check: async () =>
      expect(
        await directory.page("/apis/library/v1/methods/books/insert"),
      ).toMatch(/stamp[^]{0,200}required/),
  },
  {
    id: "format/schema/deprecated/schema",
    statement: "The type of a deprecated schema is deprecated.",
    check: () =>
      expect(schemas).toContain(
        " * A writer.\n *\n * @deprecated\n */\nexport interface Author",
      ),
  },
  {
    id: "format/schema/deprecated/property",
    statement: "A deprecated property is deprecated in its type.",
    check: () =>
      expect(schemas).toContain("/** @deprecated */\n  ribbon?: boolean;"),
  },
  {
    id: "format/schema/deprecated/parameter",
    statement: "A deprecated parameter is deprecated in its type.",
    check: () =>
      expect(books).toContain(
        "/** @deprecated */\n  floor?: string | undefined;",
      ),
  },
  {
    id: "format/schema/deprecated/page",
    statement: "Pages mark deprecated schemas, properties and parameters.",
    check: () => {
      expect(authorPage).toContain("deprecated");
      expect(bookPage).toMatch(/ribbon[^]{0,200}deprecated/);
      expect(listPage).toMatch(/floor[^]{0,200}deprecated/);
    },
  },
  ...(["schema", "property", "parameter"] as const).map((owner) => ({
    id: `format/schema/deprecated/diff-${owner}`,
    statement: `\`gen diff\` lists the deprecation of a ${owner}.`,
    check: () => {
      const paths = {
        schema: ["schemas", "BookList"],
        property: PAGES,
        parameter: [...LIST, "code"],
      };
      const edited = edit(paths[owner], (s) => (s.deprecated = true));
      expect(changes(edited).map(({ rule }) => rule)).toContain(
        `${owner}-deprecated`,
      );
    },
  })),
  {
    id: "format/schema/format/unknown",
    statement: "A format that is neither known nor a pattern is reported.",
    check: async () =>
      expect(
        await findings(edit(PAGES, (s) => (s.format = "roman"))),
      ).toContainEqual(expect.stringContaining("schema-unknown-format")),
  },
  {
    id: "format/schema/format/regex-validator",
    statement:
      "A regular expression as format narrows the values of validators.",
    check: () => {
      const validate = program.validate("Book");
      expect(validate({ isbn: "9781234567897" }).valid).toBe(true);
      expect(validate({ isbn: "none" }).valid).toBe(false);
    },
  },
  {
    id: "format/schema/format/regex-server",
    statement: "A regular expression as format narrows the values of servers.",
    check: async () =>
      expect(await inserted({ title: "a", isbn: "none" })).toBe(400),
  },
  {
    id: "format/schema/format/documented",
    statement: "Types are documented with their formats.",
    check: () => {
      expect(schemas).toContain("Format: int32.");
      expect(schemas).toContain("Format: int64");
    },
  },
  {
    id: "format/schema/pattern/validator",
    statement: "Validators enforce a pattern.",
    check: () => {
      const validate = program.validate("Anchored");
      expect(validate({ code: "A12" }).valid).toBe(true);
      expect(validate({ code: "a12" }).valid).toBe(false);
    },
  },
  {
    id: "format/schema/pattern/parameter",
    statement: "Servers enforce the pattern of a query parameter.",
    check: async () => {
      expect((await listed("?code=abc")).status).toBe(200);
      expect((await listed("?code=ABC")).status).toBe(400);
    },
  },
  {
    id: "format/schema/pattern/body",
    statement: "Servers enforce the patterns of a body.",
    check: async () => {
      const strict = await programOf(
        edit([...BOOK, "properties"], (p) => (p.shelf.pattern = "^[A-Z]$")),
      );
      const send = (shelf: string): Promise<Response> =>
        strict.send(
          handlers,
          new Request("https://x.test/library/v1/halls/h/books?stamp=s", {
            method: "POST",
            body: JSON.stringify({ title: "t", shelf }),
            headers: { "content-type": "application/json" },
          }),
        );
      expect((await send("A")).status).toBe(200);
      expect((await send("a")).status).toBe(400);
    },
  },
  {
    id: "format/schema/pattern/documented",
    statement: "Types and pages show the pattern.",
    check: () => {
      expect(schemas).toContain("Pattern: `[A-Z][0-9]{2}`.");
      expect(listPage).toContain("^[a-z]+$");
    },
  },
  {
    id: "format/schema/pattern/invalid",
    statement: "A pattern that is not a regular expression is reported.",
    check: async () =>
      expect(
        await findings(edit([...LIST, "code"], (s) => (s.pattern = "^[a"))),
      ).toContain(
        "limit-invalid /resources/books/methods/list/parameters/code/pattern",
      ),
  },
  ...(["minimum", "maximum"] as const).flatMap((limit) => {
    const [allowed, refused] = limit === "minimum" ? [1, 0] : [50, 51];
    const grades = limit === "minimum" ? [1, 0] : [5, 6];
    const shares = limit === "minimum" ? [0, -0.1] : [0.5, 0.51];
    return [
      {
        id: `format/schema/${limit}/integer`,
        statement: `Validators enforce the ${limit} of an integer.`,
        check: () => {
          const validate = program.validate("Anchored");
          expect(grades.map((grade) => validate({ grade }).valid)).toEqual([
            true,
            false,
          ]);
        },
      },
      {
        id: `format/schema/${limit}/number`,
        statement: `Validators enforce the ${limit} of a number.`,
        check: () => {
          const validate = program.validate("Anchored");
          expect(shares.map((share) => validate({ share }).valid)).toEqual([
            true,
            false,
          ]);
        },
      },
      {
        id: `format/schema/${limit}/parameter`,
        statement: `Servers enforce the ${limit} of a parameter.`,
        check: async () => {
          expect((await listed(`?most=${allowed}`)).status).toBe(200);
          expect((await listed(`?most=${refused}`)).status).toBe(400);
        },
      },
      {
        id: `format/schema/${limit}/documented`,
        statement: `Types and pages show the ${limit}.`,
        check: () => {
          const value = limit === "minimum" ? 1 : 50;
          const word = limit === "minimum" ? "At least" : "At most";
          expect(books).toMatch(new RegExp(`${limit}: ${value}\\.`, "i"));
          expect(listPage).toMatch(
            new RegExp(`${word}:\\s*<code[^>]*>${value}`),
          );
        },
      },
    ];
  }),
  {
    id: "format/schema/enum/type",
    statement: "The type of an enumeration lists its values.",
    check: () => {
      for (const value of ["good", "worn", "lost"])
        expect(schemas).toContain(`| "${value}"`);
    },
  },
  {
    id: "format/schema/enum/parameter",
    statement: "Servers reject a parameter with a value that is not listed.",
    check: async () => {
      expect((await listed("?order=title")).status).toBe(200);
      expect((await listed("?order=color")).status).toBe(400);
    },
  },
  {
    id: "format/schema/enum/body",
    statement: "Servers reject a body with a value that is not listed.",
    check: async () => {
      expect(await inserted({ title: "a", condition: "worn" })).toBe(200);
      expect(await inserted({ title: "a", condition: "blue" })).toBe(400);
    },
  },
  {
    id: "format/schema/enum/page",
    statement: "Pages list the values of an enumeration.",
    check: () => expect(listPage).toMatch(/title[^]*age/),
  },
  {
    id: "format/schema/enumDescriptions/type",
    statement: "The values of an enumeration have their comments, by position.",
    check: () => {
      expect(schemas).toContain('/** As new. */\n  | "good"');
      expect(schemas).toContain('/** Much read. */\n  | "worn"');
    },
  },
  {
    id: "format/schema/enumDescriptions/page",
    statement: "Pages show the descriptions of the values, by position.",
    check: () =>
      expect(listPage).toMatch(/title[^]*By title\.[^]*age[^]*Oldest first\./),
  },
  {
    id: "format/schema/enumDescriptions/count",
    statement: "A list of descriptions of another length is reported.",
    check: async () =>
      expect(
        await findings(edit(CONDITION, (s) => s.enumDescriptions.pop())),
      ).toContainEqual(expect.stringContaining("enum-invalid")),
  },
  {
    id: "format/schema/enumDeprecated/type",
    statement: "A deprecated value of a schema is deprecated in its type.",
    check: () =>
      expect(schemas).toContain('   * @deprecated\n   */\n  | "lost"'),
  },
  {
    id: "format/schema/enumDeprecated/parameter",
    statement: "A deprecated value of a parameter is deprecated in its type.",
    check: () => expect(books).toContain('   * @deprecated\n   */\n  | "age"'),
  },
  {
    id: "format/schema/enumDeprecated/page",
    statement: "Pages mark deprecated values.",
    check: () => expect(listPage).toMatch(/age[^]{0,100}deprecated/),
  },
  {
    id: "format/schema/enumDeprecated/count",
    statement: "A list of flags of another length is reported.",
    check: async () =>
      expect(
        await findings(edit(CONDITION, (s) => s.enumDeprecated.pop())),
      ).toContainEqual(expect.stringContaining("enum-invalid")),
  },
  {
    id: "format/schema/repeated/type",
    statement: "A repeated parameter is a list.",
    check: () =>
      expect(books).toContain("subject?: readonly string[] | undefined;"),
  },
  {
    id: "format/schema/repeated/client",
    statement: "The client repeats a repeated parameter.",
    check: async () => {
      const { client, exchanges } = program.connect(handlers);
      await client.books.list({ subject: ["art", "law"] });
      expect(exchanges[0]!.url.search).toBe("?subject=art&subject=law");
    },
  },
  {
    id: "format/schema/repeated/server",
    statement:
      "A handler receives the values of a repeated parameter in order.",
    check: async () =>
      expect((await listed("?subject=art&subject=law")).params.subject).toEqual(
        ["art", "law"],
      ),
  },
  {
    id: "format/schema/repeated/single",
    statement: "Another parameter cannot have two values.",
    check: async () =>
      expect((await listed("?code=a&code=b")).status).toBe(400),
  },
  {
    id: "format/schema/repeated/page",
    statement: "Pages mark repeated parameters.",
    check: () => expect(listPage).toMatch(/subject[^]{0,200}repeated/),
  },
  {
    id: "format/schema/location/query",
    statement: "A parameter of the query is sent in the query.",
    check: async () => {
      const { client, exchanges } = program.connect(handlers);
      await client.books.list({ code: "abc" });
      expect(exchanges[0]!.url.searchParams.get("code")).toBe("abc");
    },
  },
  {
    id: "format/schema/location/path",
    statement: "A parameter of the path is sent in the path.",
    check: async () => {
      const { client, exchanges } = program.connect(handlers);
      await client.books.insert({
        hall: "a b",
        stamp: "s",
        requestBody: { title: "t" },
      });
      expect(exchanges[0]!.url.pathname).toBe("/library/v1/halls/a%20b/books");
    },
  },
  {
    id: "format/schema/location/other",
    statement: "Another location is reported.",
    check: async () =>
      expect(
        await findings(edit([...LIST, "code"], (s) => (s.location = "cookie"))),
      ).toContainEqual(expect.stringContaining("parameter-location")),
  },
  {
    id: "format/schema/location/page",
    statement: "Pages show the location.",
    check: () => expect(listPage).toMatch(/code[^]{0,200}query/),
  },
  {
    id: "format/schema/properties/type",
    statement: "Each property is a member of the type.",
    check: () => {
      for (const name of Object.keys(library().schemas.Book.properties))
        expect(schemas).toMatch(new RegExp(`\\n  ${name}\\?: `));
    },
  },
  {
    id: "format/schema/properties/validator",
    statement: "Validators check each property.",
    check: () => {
      for (const name of Object.keys(library().schemas.Book.properties)) {
        const result = program.validate("Book")({ [name]: [[]] });
        expect(result.valid ? [] : result.errors[0]!.pointer).toMatch(
          new RegExp(`^/${name}`),
        );
      }
    },
  },
  {
    id: "format/schema/properties/page",
    statement: "The page of a schema lists each property.",
    check: () => {
      for (const name of Object.keys(library().schemas.Book.properties))
        expect(bookPage).toContain(name);
    },
  },
  {
    id: "format/schema/additionalProperties/type",
    statement: "An object with dynamic keys has the type of a map.",
    check: () =>
      expect(schemas).toContain("ratings?: { [key: string]: Double };"),
  },
  {
    id: "format/schema/additionalProperties/validator",
    statement: "Validators check the values of dynamic keys.",
    check: () => {
      const validate = program.validate("Book");
      expect(validate({ ratings: { a: 1, b: 2.5 } }).valid).toBe(true);
      expect(validate({ ratings: { a: true } }).valid).toBe(false);
    },
  },
  {
    id: "format/schema/items/type",
    statement: "An array has the type of a list of its items.",
    check: () => expect(schemas).toContain("authors?: Author[];"),
  },
  {
    id: "format/schema/items/validator",
    statement: "Validators check each item.",
    check: () => {
      const result = program.validate("Book")({ authors: [{}, { name: 1 }] });
      expect(result.valid ? [] : result.errors[0]!.pointer).toBe(
        "/authors/1/name",
      );
    },
  },
  {
    id: "format/schema/annotations/type",
    statement: "The types of named methods require the property in requests.",
    check: () =>
      expect(books).toContain(
        'requestBody: WithRequired<Input<Book>, "title">',
      ),
  },
  {
    id: "format/schema/annotations/server",
    statement: "Servers of named methods require the property in requests.",
    check: async () => {
      expect(await inserted({ title: "a" })).toBe(200);
      expect(await inserted({ shelf: "A12" })).toBe(400);
    },
  },
  {
    id: "format/schema/annotations/documented",
    statement: "The property is documented with the methods that require it.",
    check: () =>
      expect(schemas).toContain("Required by `library.books.insert`."),
  },
  {
    id: "format/schema/annotations/other",
    statement: "Other methods do not require the property.",
    check: () => {
      expect(schemas).toContain("\n  title?: string;");
      expect(program.validate("Book")({}).valid).toBe(true);
    },
  },
  {
    id: "format/schema/annotations/unknown",
    statement: "A method that the document does not have is reported.",
    check: async () =>
      expect(
        await findings(
          edit(
            [...BOOK, "properties", "title", "annotations"],
            (a) => (a.required = ["library.none"]),
          ),
        ),
      ).toContainEqual(expect.stringContaining("required-method-unknown")),
  },
];

acceptance({ seed: 1, section: "Schema object" }, [
  ...fieldStatements("a schema", "format/schema", fields),
  ...fieldStatements("`annotations`", "format/schema-annotations", annotations),
  ...kinds("type", TYPES),
  ...kinds("format", FORMATS),
  ...effects,
]);
