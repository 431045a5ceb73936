import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { start } from "../../src/services/directory/index.js";
import { listen } from "../../src/services/host.js";
import { memoryStore } from "../../src/services/store/open.js";
import type { LogLine } from "../../src/services/service.js";
import { temporaryFolder } from "../support/paths.js";

/** Directory for a temporary folder. */
export interface TestDirectory {
  readonly origin: string;
  readonly folder: string;
  readonly log: readonly LogLine[];
  /** Writes a file into the folder; an object as JSON. */
  write(name: string, content: string | object): void;
  get(target: string, headers?: Record<string, string>): Promise<Response>;
  json(target: string): Promise<unknown>;
}

/** Returns a small document. */
export function shop(extra: object = {}): Record<string, unknown> {
  return {
    kind: "discovery#restDescription",
    id: "shop:v1",
    name: "shop",
    version: "v1",
    title: "Shop API",
    description: "Sells books. And more.",
    rootUrl: "https://shop.example.com/",
    servicePath: "shop/v1/",
    baseUrl: "https://shop.example.com/shop/v1/",
    schemas: {
      Book: {
        id: "Book",
        type: "object",
        properties: { title: { type: "string", description: "Its name." } },
      },
    },
    resources: {
      books: {
        methods: {
          get: {
            id: "shop.books.get",
            path: "books/{id}",
            httpMethod: "GET",
            description: "Gets a book.",
            parameters: {
              id: { type: "string", required: true, location: "path" },
            },
            parameterOrder: ["id"],
            response: { $ref: "Book" },
          },
        },
      },
    },
    ...extra,
  };
}

/** Starts a directory until the test ends. */
export async function startDirectory(
  files: Readonly<Record<string, string | object>> = {},
  config: object = {},
): Promise<TestDirectory> {
  const folder = temporaryFolder();
  const write = (name: string, content: string | object): void => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    const text =
      typeof content === "string" ? content : JSON.stringify(content, null, 2);
    writeFileSync(file, text);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  const log: LogLine[] = [];
  const service = await start({
    store: memoryStore(),
    now: Date.now,
    log: (line) => log.push(line),
    folder: undefined,
    config: { folder, ...config },
  });
  const host = await listen([service]);
  onTestFinished(() => host.close());
  const { origin } = host;
  const get = (
    target: string,
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    fetch(origin + target, { headers, redirect: "manual" });
  const json = async (target: string): Promise<unknown> =>
    (await get(target)).json();
  return { origin, folder, log, write, get, json };
}

/** Waits until a condition holds; fails after a timeout. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
