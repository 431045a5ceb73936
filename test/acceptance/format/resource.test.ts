import { expect } from "vitest";
import { acceptance, type Statement } from "../acceptance.js";
import { changes, directoryOf, findings } from "./documents.js";
import { fieldStatements, type Field } from "./fields.js";
import { library, type Draft } from "./library.js";
import { edited, programOf } from "./program.js";

const program = await programOf(library());
const directory = await directoryOf({ "library.json": library() });
const page = await directory.page("/apis/library/v1");
const handlers = {
  books: {
    list: () => ({}),
    reviews: {
      get: ({ params }: Draft) => ({ name: params.review }),
      votes: { list: () => ({ items: [{ title: "v" }] }) },
    },
  },
};
const { client, exchanges } = program.connect(handlers);

const BOOKS = ["resources", "books"];
const fields: readonly Field[] = [
  {
    name: "methods",
    type: "map of methods",
    path: BOOKS,
    removed: "method-removed",
  },
  {
    name: "deprecated",
    type: "a boolean",
    path: BOOKS,
    removed: "resource-undeprecated",
  },
  {
    name: "resources",
    type: "map of resources",
    path: BOOKS,
    removed: "method-removed",
  },
];

const effects: readonly Statement[] = [
  {
    id: "format/resource/methods/client",
    statement:
      "Methods of a resource are members of the resource in the client.",
    check: () => {
      expect(Object.keys(client.books)).toEqual(
        expect.arrayContaining(["get", "insert", "list", "reviews"]),
      );
    },
  },
  {
    id: "format/resource/methods/flat",
    statement: "Each method is also a function of the resource's file.",
    check: () => {
      for (const name of ["get", "insert", "list"])
        expect(program.text("resources/books.ts")).toContain(
          `export const ${name}:`,
        );
    },
  },
  {
    id: "format/resource/methods/server",
    statement: "A service has a handler for each method of a resource.",
    check: () => {
      for (const name of ["get", "insert", "list"])
        expect(program.text("server.ts")).toContain(`\n  ${name}?: `);
    },
  },
  {
    id: "format/resource/methods/absent-handler",
    statement: "A method without a handler responds with 501.",
    check: async () => {
      const { status } = await program.send(
        handlers,
        new Request("https://x.test/library/v1/books/a/racks/b"),
      );
      expect(status).toBe(501);
    },
  },
  {
    id: "format/resource/methods/page",
    statement: "The page of the API lists the methods of each resource.",
    check: () => {
      for (const id of ["books/get", "books/insert", "books/list"])
        expect(page).toContain(`/apis/library/v1/methods/${id}`);
    },
  },
  {
    id: "format/resource/methods/empty",
    statement: "A resource without methods and resources is reported.",
    check: async () =>
      expect(
        await findings(edited((d) => (d.resources.empty = {}))),
      ).toContainEqual(expect.stringContaining("resource-empty")),
  },
  {
    id: "format/resource/deprecated/client",
    statement: "A deprecated resource is deprecated in the client.",
    check: () =>
      expect(program.text("client.ts") + program.text("server.ts")).toMatch(
        /@deprecated[^/]*\*\/\s*readonly books/,
      ),
  },
  {
    id: "format/resource/deprecated/page",
    statement: "Pages mark a deprecated resource.",
    check: async () =>
      expect(await directory.page("/apis/library/v1/resources/books")).toMatch(
        /<h1[^]*deprecated[^]*<\/h1>/,
      ),
  },
  {
    id: "format/resource/resources/client",
    statement: "Nested resources are members of their parent in the client.",
    check: async () => {
      expect(await client.books.reviews.get({ review: "r1" })).toEqual({
        name: "r1",
      });
      expect(await client.books.reviews.votes.list()).toEqual({
        items: [{ title: "v" }],
      });
    },
  },
  {
    id: "format/resource/resources/path",
    statement: "Paths of nested resources are those of their methods only.",
    check: async () => {
      await client.books.reviews.get({ review: "r1" });
      expect(exchanges.at(-1)!.url.pathname).toBe("/library/v1/reviews/r1");
    },
  },
  {
    id: "format/resource/resources/file",
    statement: "Nested resources have files of their own, to any depth.",
    check: () => {
      expect(program.text("resources/books.reviews.ts")).not.toBe("");
      expect(program.text("resources/books.reviews.votes.ts")).not.toBe("");
    },
  },
  {
    id: "format/resource/resources/page",
    statement: "Nested resources have pages.",
    check: async () =>
      expect(
        await directory.page("/apis/library/v1/resources/books/reviews/votes"),
      ).toContain("/library/v1/votes"),
  },
  {
    id: "format/resource/resources/diff",
    statement: "`gen diff` lists a method that moved to a nested resource.",
    check: () =>
      expect(
        changes(
          edited((d) => {
            const { books } = d.resources;
            books.resources.reviews.methods.list = books.methods.list;
            delete books.methods.list;
          }),
        ).map(({ rule }) => rule),
      ).toContain("method-moved"),
  },
  ...[1, 5, 20].map((depth) => ({
    id: `format/resource/resources/depth-${depth}`,
    statement: `Resources can be nested ${depth} deep.`,
    check: async () => {
      const method = {
        id: "library.deep",
        path: "deep",
        httpMethod: "GET",
        response: { $ref: "Author" },
      };
      let resource: Draft = { methods: { get: method } };
      for (let level = 1; level < depth; level++)
        resource = { resources: { r: resource } };
      const deep = await programOf(
        edited((d) => (d.resources = { r: resource })),
      );
      const nested = (value: object): object => {
        let service: Draft = value;
        for (let level = 0; level < depth; level++) service = { r: service };
        return service;
      };
      const connected = deep.connect(nested({ get: () => ({ name: "deep" }) }));
      let call = connected.client;
      for (let level = 0; level < depth; level++) call = call.r;
      expect(await call.get()).toEqual({ name: "deep" });
    },
  })),
];

acceptance({ seed: 1, section: "Resource object" }, [
  ...fieldStatements("a resource", "format/resource", fields),
  ...effects,
]);
