/**
 * Code of callers of library.v1.json. It is text, since the test generates the
 * client that it is checked against. Each statement is put into an async
 * function with `library`, `flat`, `client` and `book` in scope.
 */
export interface Usage {
  readonly what: string;
  readonly code: string;
}

/** Declarations for the statements below. */
export const PRELUDE = `
import { createClient, createLibrary } from "../generated/library/v1/index.js";
import type { Book, BookList, LibraryClient } from "../generated/library/v1/index.js";
import * as flat from "../generated/library/v1/resources/books.js";
import type { Client } from "../generated/runtime/client/index.js";
export const library: LibraryClient = createLibrary({ apiKey: "key", parameters: { fields: "*" } });
export const client: Client = createClient();
export const book: Book = { title: "Emma" };
export function use(..._values: readonly unknown[]): void {}
`;

/** Statements that compile. */
export const GOOD: readonly Usage[] = [
  {
    what: "a value",
    code: `const value: Book = await library.books.get({ bookId: "1" }); use(value);`,
  },
  {
    what: "a value and its response",
    code: `const { data, response } = await library.books.get({ bookId: "1" }).withResponse(); use(data.title, response.headers);`,
  },
  {
    what: "items over all pages",
    code: `for await (const item of library.books.list()) use(item.rating, item.cover?.url);`,
  },
  {
    what: "pages",
    code: `for await (const page of library.books.list({}).pages()) { const list: BookList = page; use(list); }`,
  },
  {
    what: "items that have keys",
    code: `for await (const [name, shelf] of library.shelves.list()) use(name.length, shelf.books);`,
  },
  {
    what: "a derived client, and credentials of a call",
    code: `const tenant: LibraryClient = library.with({ auth: () => "t", quotaProject: "p", headers: {}, timeout: 1, parameters: { fields: "id" } }); use(await tenant.with({ logger: console.debug }).books.get({ bookId: "1" }, { auth: "t" }));`,
  },
  {
    what: "an interceptor that adds a header",
    code: `use(createLibrary({ interceptors: [(request, next) => next({ ...request, init: { ...request.init, headers: { ...request.init.headers, "x-request-id": "1" } } })] }));`,
  },
  {
    what: "media",
    code: `const media = await library.books.get({ bookId: "1" }).media(); use(await media.bytes(), await media.text(), media.stream);`,
  },
  {
    what: "a method of the API itself",
    code: `const nothing: void = await library.ping(); use(nothing);`,
  },
  {
    what: "a method whose name is reserved",
    code: `await library.books.delete({ bookId: "1" }); await flat.delete_(client, { bookId: "1" });`,
  },
  {
    what: "names that need quotes",
    code: `use(library.books.list({ "author.name": "Austen" }), book["@context"]);`,
  },
  {
    what: "values that enums do not list",
    code: `use(library.books.list({ order: "shelf" }), library.books.insert({ requestBody: { title: "x", binding: "spiral" } }));`,
  },
  {
    what: "repeated values, also readonly",
    code: `const label = ["a", "b"] as const; use(library.books.list({ label }));`,
  },
  {
    what: "null in the body of a PATCH, at any depth",
    code: `use(library.books.patch({ bookId: "1", requestBody: { title: null, cover: { color: null } } }));`,
  },
  {
    what: "undefined for what is optional, at any depth",
    code: `use(library.books.list({ pageToken: undefined, fields: undefined }), library.books.insert({ requestBody: { title: "x", binding: undefined, sequel: { title: undefined } } }), library.books.patch({ bookId: "1", requestBody: { title: undefined, cover: { color: undefined } } }));`,
  },
  {
    what: "parameters that the description does not know",
    code: `use(library.books.list({}, { query: { debug: true, tag: ["a", "b"], none: undefined } }));`,
  },
  {
    what: "no body in a PATCH",
    code: `use(library.books.patch({ bookId: "1" }));`,
  },
  {
    what: "a result as the body of another call",
    code: `const got = await library.books.get({ bookId: "1" }); use(library.books.patch({ bookId: "1", requestBody: { labels: got.labels ?? {} } }));`,
  },
  {
    what: "numbers that JSON does not support",
    code: `use(library.books.insert({ requestBody: { title: "x", rating: "NaN" } }));`,
  },
  {
    what: "a common parameter",
    code: `use(library.books.list({ fields: "books(id)", key: "other" }));`,
  },
  {
    what: "some of the fields",
    code: `const { id, cover } = await library.books.get({ bookId: "1", fields: "id,cover/url" }); const url: string | undefined = cover?.url; use(id, url);`,
  },
  {
    what: "some fields of items",
    code: `for await (const { title } of library.books.list({ fields: "books(title),nextPageToken" })) use(title);`,
  },
  {
    what: "some fields of items that have keys",
    code: `for await (const [name, { books }] of library.shelves.list({ fields: "*/*/books" })) use(name, books);`,
  },
  {
    what: "fields and media",
    code: `use(await library.books.get({ bookId: "1", fields: "id" }).media());`,
  },
  {
    what: "fields of a method without a result",
    code: `const nothing: void = await library.books.delete({ bookId: "1", fields: "id" }); use(nothing);`,
  },
  {
    what: "fields that are not known before",
    code: `const fields: string = String(book.id); const value: Book = await library.books.get({ bookId: "1", fields }); use(value);`,
  },
  {
    what: "a call as a promise",
    code: `const all: Book[] = await Promise.all([library.books.get({ bookId: "1" }), flat.get(client, { bookId: "2" })]); use(all);`,
  },
  {
    what: "any for what may be anything",
    code: `const extra: unknown = book.extra; use(extra);`,
  },
];

/** Expressions and statements that do not compile. */
export const BAD: readonly Usage[] = [
  { what: "a missing required parameter", code: `library.books.get({});` },
  {
    what: "no parameters where some are required",
    code: `library.books.get();`,
  },
  {
    what: "an unknown parameter",
    code: `library.books.list({ authorName: "Austen" });`,
  },
  {
    what: "a parameter of another type",
    code: `library.books.list({ maxResults: "10" });`,
  },
  {
    what: "undefined as a required parameter",
    code: `library.books.get({ bookId: undefined });`,
  },
  {
    what: "undefined as a required field of a body",
    code: `library.books.insert({ requestBody: { title: undefined } });`,
  },
  {
    what: "alt=media, whose result has another type",
    code: `library.books.list({ alt: "media" });`,
  },
  {
    what: "an object in the query",
    code: `library.books.list({}, { query: { debug: {} } });`,
  },
  {
    what: "null as a parameter",
    code: `library.books.list({ pageToken: null });`,
  },
  {
    what: "one value for a repeated parameter",
    code: `library.books.list({ label: "a" });`,
  },
  {
    what: "an enum that is not a string",
    code: `library.books.list({ order: 1 });`,
  },
  { what: "an unknown method", code: `library.books.search({});` },
  { what: "an unknown resource", code: `library.authors;` },
  {
    what: "the safe name instead of the document's",
    code: `library.books.delete_({ bookId: "1" });`,
  },
  { what: "a missing body", code: `library.books.insert({});` },
  {
    what: "a missing field that this method requires",
    code: `library.books.insert({ requestBody: { pages: 1 } });`,
  },
  {
    what: "a readOnly field in a body",
    code: `library.books.insert({ requestBody: { title: "x", id: "1" } });`,
  },
  {
    what: "a readOnly field deep in a body",
    code: `library.books.insert({ requestBody: { title: "x", cover: { url: "u" } } });`,
  },
  {
    what: "a readOnly field below itself",
    code: `library.books.insert({ requestBody: { title: "x", sequel: { id: "1" } } });`,
  },
  {
    what: "a readOnly field in a PATCH",
    code: `library.books.patch({ bookId: "1", requestBody: { id: "2" } });`,
  },
  {
    what: "null in a body outside of PATCH",
    code: `library.books.insert({ requestBody: { title: "x", binding: null } });`,
  },
  {
    what: "an unknown field in a body",
    code: `library.books.insert({ requestBody: { title: "x", author: "y" } });`,
  },
  {
    what: "int64 as a number",
    code: `library.books.insert({ requestBody: { title: "x", sold: 1 } });`,
  },
  {
    what: "a body for a method without one",
    code: `library.books.list({ requestBody: {} });`,
  },
  { what: "assigning a readOnly field", code: `book.id = "2";` },
  { what: "a resource replaced", code: `library.books = undefined as never;` },
  { what: "media of a method without", code: `library.books.list().media();` },
  {
    what: "pages of a method without",
    code: `library.books.get({ bookId: "1" }).pages();`,
  },
  { what: "a field that may be absent", code: `book.title.length;` },
  {
    what: "an unknown common parameter",
    code: `createLibrary({ parameters: { field: "*" } });`,
  },
  {
    what: "a selector of no field",
    code: `library.books.list({ fields: "books(titel)" });`,
  },
  {
    what: "a selector of no field, in a flat function",
    code: `flat.get(client, { bookId: "1", fields: "titel" });`,
  },
  {
    what: "a field that was not selected",
    code: `library.books.get({ bookId: "1", fields: "id" }).then((value) => value.title);`,
  },
  {
    what: "a field of an item that was not selected",
    code: `void (async () => { for await (const item of library.books.list({ fields: "books/id" })) use(item.title); })();`,
  },
  {
    what: "an unknown option of a call",
    code: `library.ping({}, { timeOut: 1 });`,
  },
  {
    what: "a callback",
    code: `library.ping({}, (error: unknown) => use(error));`,
  },
  {
    what: "a body of a method without one, in a variable",
    code: `const all = { bookId: "1", requestBody: {} }; library.books.get(all);`,
  },
  {
    what: "an endpoint of a derived client",
    code: `library.with({ rootUrl: "https://example.com/" });`,
  },
  {
    what: "an unknown option of a derived client",
    code: `library.with({ timeOut: 1 });`,
  },
  {
    what: "a flat function without its client",
    code: `flat.get({ bookId: "1" });`,
  },
];

/** Returns the statements as one module, in which every invalid one must be an error. */
export function program(): string {
  const good = GOOD.map(
    ({ what, code }) =>
      `export async function good_${nameOf(what)}(): Promise<void> { ${code} }`,
  );
  const bad = BAD.map(
    ({ what, code }) =>
      `export function bad_${nameOf(what)}(): void {\n  // @ts-expect-error ${what}\n  ${code}\n}`,
  );
  return [PRELUDE, ...good, ...bad, ""].join("\n");
}

function nameOf(what: string): string {
  return what.replace(/\W+/g, "_");
}
