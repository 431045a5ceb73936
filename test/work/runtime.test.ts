import { execFileSync } from "node:child_process";
import path from "node:path";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";
import { gen, write } from "../cli/support.js";
import { description } from "../support/generate.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { expectCounts, type Counts } from "./counts.js";

// Speed of clients and servers as counted work for each call.

const text = { type: "string", location: "query" };
const Book = {
  id: "Book",
  type: "object",
  properties: {
    id: { type: "string" },
    title: { type: "string" },
    size: { type: "string", format: "int64" },
  },
};
const method = (name: string, more: object) => ({
  id: `books.books.${name}`,
  path: "v1/books",
  httpMethod: "GET",
  response: { $ref: "Book" },
  ...more,
});
const books = description({
  name: "books",
  schemas: {
    Book,
    Books: {
      id: "Books",
      type: "object",
      properties: {
        items: { type: "array", items: { $ref: "Book" } },
        nextPageToken: { type: "string" },
      },
    },
  },
  resources: {
    books: {
      methods: {
        get: method("get", {
          path: "v1/books/{book}",
          parameters: { book: { ...text, location: "path", required: true } },
        }),
        list: method("list", {
          parameters: {
            q: text,
            pageToken: text,
            pageSize: { type: "integer", format: "int32", location: "query" },
          },
          response: { $ref: "Books" },
        }),
        insert: method("insert", {
          httpMethod: "POST",
          request: { $ref: "Book" },
        }),
      },
    },
  },
});

const ENTRIES = {
  client: `export { createBooks } from "./books/v1/index.js";
export { createClient } from "./books/v1/service.js";
export { get, list } from "./books/v1/resources/books.js";
export { nodeTransport } from "./runtime/client/node.js";`,
  server: `export { createBooksServer } from "./books/v1/server.js";
export { toNodeListener } from "./runtime/server/node.js";`,
};

/** Returns the counts of a probe for each of its calls. */
function countsOf(target: "client" | "server"): Record<string, Counts> {
  const cwd = temporaryFolder();
  write(cwd, { "books.json": books });
  const args = ["--spec", "books.json", "--out", "out", "--target", target];
  expect(gen(args, { cwd })).toMatchObject({ status: 0 });
  const outfile = path.join(cwd, `${target}.mjs`);
  buildSync({
    stdin: { contents: ENTRIES[target], resolveDir: path.join(cwd, "out") },
    bundle: true,
    format: "esm",
    target: "node20.19",
    outfile,
  });
  const program = path.join(ROOT, `test/work/${target}-probe.mjs`);
  const heap = ["--min-semi-space-size=128", "--max-semi-space-size=128"];
  const command = ["--no-opt", ...heap, program, outfile];
  const printed = execFileSync(process.execPath, command, { encoding: "utf8" });
  return JSON.parse(printed) as Record<string, Counts>;
}

test.each(["client", "server"] as const)("each call of a %s", (target) => {
  for (const [name, counts] of Object.entries(countsOf(target)))
    expectCounts(`${target}: ${name}`, counts);
});
