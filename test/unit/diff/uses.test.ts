import { expect, test } from "vitest";
import { compareInputs } from "../../../src/diff/compare.js";
import type { RawDocument } from "../../../src/load/raw.js";
import { Sink } from "../../../src/diagnostics/sink.js";
import { addUses } from "../../../src/diff/uses/index.js";
import { write } from "../../cli/support.js";
import { temporaryFolder } from "../../support/paths.js";

type Json = Record<string, any>;

function libraryDocument(): Json {
  const text = { type: "string" };
  const method = (id: string, httpMethod: string, more: object): object => ({
    id: `library.books.${id}`,
    path: `books/${id}`,
    httpMethod,
    ...more,
  });
  return {
    kind: "discovery#restDescription",
    id: "library:v1",
    name: "library",
    version: "v1",
    rootUrl: "https://library.example/",
    servicePath: "",
    schemas: {
      Author: {
        id: "Author",
        type: "object",
        properties: { name: text, email: text },
      },
      Book: {
        id: "Book",
        type: "object",
        properties: {
          author: { $ref: "Author" },
          pages: { type: "integer", format: "int32" },
          state: { type: "string", enum: ["DRAFT", "READY", "LOST"] },
          title: text,
          isbn: text,
          tags: { type: "array", items: text },
        },
      },
      BookList: {
        id: "BookList",
        type: "object",
        properties: {
          books: { type: "array", items: { $ref: "Book" } },
          nextPageToken: text,
        },
      },
    },
    resources: {
      books: {
        methods: {
          get: method("get", "GET", {
            parameters: {
              id: { ...text, location: "query", required: true },
              view: { ...text, location: "query" },
            },
            response: { $ref: "Book" },
          }),
          list: method("list", "GET", {
            parameters: {
              q: { ...text, location: "query" },
              pageToken: { ...text, location: "query" },
              fields: { ...text, location: "query" },
            },
            response: { $ref: "BookList" },
          }),
          touch: method("touch", "POST", { response: { $ref: "Book" } }),
          update: method("update", "PUT", {
            parameters: { id: { ...text, location: "query", required: true } },
            request: { $ref: "Book" },
            response: { $ref: "Book" },
          }),
        },
      },
    },
  };
}

/** Document without the parts that `CODE` marks. */
function changed(): Json {
  const document = libraryDocument();
  const { Author, Book } = document["schemas"];
  const { methods } = document["resources"].books;
  delete Book.properties.pages;
  delete Book.properties.tags;
  delete Book.properties.isbn;
  delete Author.properties.email;
  Book.properties.state.enum = ["READY", "LOST"];
  delete methods.touch;
  delete methods.list.parameters.q;
  delete methods.get.parameters.view;
  return document;
}

/** A comment lists the changed parts that the code of its line uses. */
const CODE = `import { createLibrary, createClient, type schemas } from "../generated/library/v1/index.js";
import { list, touch } from "../generated/library/v1/resources/books.js"; // library.books.touch
const library = createLibrary();
const books = library.books;
export async function calls(): Promise<void> {
  await books.touch(); // library.books.touch
  await library["books"]["touch"](); // library.books.touch
  const { touch: renamed } = books; // library.books.touch
  await renamed();
  await touch(createClient()); // library.books.touch
  await library.books.list({ q: "x" }); // library.books.list parameter q
  const q = "y";
  await list(createClient(), { q }); // library.books.list parameter q
  const parameters = { q: "z", pageToken: "1" }; // library.books.list parameter q
  await library.books.list(parameters); // library.books.list parameter q
  await library.books.list({ ...parameters, pageToken: "2" }); // library.books.list parameter q
  await library.books.get({ id: "1" });
}
export async function responses(): Promise<void> {
  const book = await library.books.get({ id: "1", view: "full" }); // library.books.get parameter view
  use(book.pages); // Book.pages
  use(book["pages"]); // Book.pages
  const { pages, author: { email } = {}, title } = book; // Book.pages, Author.email
  use(pages ?? email ?? title);
  const { title: other, ...rest } = book;
  use(other);
  use(rest.pages); // Book.pages
  const copy = { ...book, extra: 1 };
  use(copy.pages); // Book.pages
  for await (const { books: list = [] } of library.books.list().pages())
    for (const one of list) use(one.author?.email); // Author.email
  const found = (await library.books.list()).books?.map((one) => one.pages); // Book.pages
  use(found?.[0]);
  structural(book); // Book.pages
  let assigned: number | undefined;
  ({ pages: assigned } = book); // Book.pages
  use(assigned);
}
function structural(value: { pages?: number; title?: string }): void {
  use(value.title);
}
export async function requests(): Promise<void> {
  await library.books.update({ id: "1", requestBody: { title: "a", pages: 3 } }); // Book.pages
  const body: schemas.Book = {};
  body.pages = 4; // Book.pages
  await library.books.update({ id: "1", requestBody: body });
  const author = { name: "a", email: "b" }; // Author.email
  await library.books.update({ id: "1", requestBody: { author } }); // Author.email
}
export async function enums(book: schemas.Book): Promise<void> {
  if (book.state === "DRAFT") use(1); // Book.state
  if (book.state === "READY") use(2);
  const { state } = book;
  switch (state) {
    case "DRAFT": // Book.state
    case "LOST":
      break;
  }
  await library.books.update({ id: "1", requestBody: { state: "DRAFT" } }); // Book.state
  await library.books.update({ id: "1", requestBody: { state: "READY" } });
}
type Pages = schemas.Book["pages"]; // Book.pages
export type Part = Pick<schemas.Book, "pages" | "title">; // Book.pages
export const value: Pages = 1;
export async function selected(): Promise<void> {
  const { books = [] } = await library.books.list({ fields: "books(title,isbn)" }); // Book.isbn
  for (const one of books) use(one.isbn); // Book.isbn
}
function use<T>(one: T): T { return one; }
`;

/** What types don't decide, in a file of its own: it could use all parts of a book. */
const UNDECIDED = `import { createLibrary } from "../generated/library/v1/index.js";
export async function text(key: "title" | "tags", name: string): Promise<unknown> {
  const library = createLibrary();
  const author = (await library.books.get({ id: "1" })).author;
  const book = await library.books.get({ id: "1" });
  void book[key]; // Book.tags
  void author?.[name as "name"];
  void author?.[name as keyof typeof author]; // Author.email
  return JSON.stringify(author); // Author.email
}
`;

const SCRIPT = `// @ts-check
import { createLibrary } from "../generated/library/v1/index.js";
const library = createLibrary();
library.books.touch().then((book) => console.log(book.pages)); // library.books.touch, Book.pages
`;

/** Returns the labels of changes by line, from comments at the ends of lines. */
function marks(text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const [, labels] = / \/\/ (?!@)(.+)$/.exec(line) ?? [];
    return (labels?.split(", ") ?? []).map((label) => `${index + 1} ${label}`);
  });
}

async function usesOf(code: Readonly<Record<string, string>>) {
  const cwd = temporaryFolder();
  write(cwd, {
    ...code,
    "tsconfig.json": {
      compilerOptions: { strict: true, module: "nodenext", types: [] },
    },
    "package.json": { type: "module" },
  });
  const input = (document: Json) => ({
    file: "library.json",
    text: JSON.stringify(document),
    document: document as RawDocument,
  });
  const sink = new Sink();
  const [comparison] = await addUses(
    [compareInputs(input(libraryDocument()), input(changed()), {})],
    {
      cwd,
      patterns: ["src/**"],
      outputs: [{ api: "library:v1", out: "generated" }],
    },
    sink,
  );
  return { changes: comparison!.result.changes, diagnostics: sink.diagnostics };
}

test.each([
  ["src/code.ts", CODE],
  ["src/undecided.ts", UNDECIDED],
  ["src/script.js", SCRIPT],
])("positions in %s", async (file, text) => {
  const { changes, diagnostics } = await usesOf({ [file]: text });
  expect(diagnostics).toEqual([]);
  const found = changes.flatMap(({ label, usedAt }) =>
    [...new Set(usedAt!.map(({ line }) => line))].map(
      (line) => `${line} ${label}`,
    ),
  );
  const order = (a: string, b: string): number =>
    Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1);
  expect(found.sort(order)).toEqual(marks(text).sort(order));
});
