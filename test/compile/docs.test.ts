import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { generateEverything } from "../support/generate.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { COMPILERS, typecheck, type Compiler } from "./typescript.js";

/** Declarations that the examples assume. */
const GLOBALS = `
import type * as clients from "./clients.js";
declare global {
  const createDrive: typeof clients.createDrive;
  const createTasks: typeof clients.createTasks;
  const createDiscovery: typeof clients.createDiscovery;
  const createChat: typeof clients.createChat;
  const createMarketplace: typeof clients.createMarketplace;
  const createMigration: typeof clients.createMigration;
  const createAdmin: typeof clients.createAdmin;
  const token: string;
  const drive: ReturnType<typeof createDrive>;
  const chat: ReturnType<typeof createChat>;
  const auth: string;
  const fileId: string;
  const q: string;
  const text: string;
  const value: unknown;
  const body: unknown;
  const size: number;
  const scopes: string[];
  const signal: AbortSignal;
  const stream: ReadableStream<Uint8Array>;
  const again: ReadableStream<Uint8Array>;
  const lists: Map<string, { id: string; title: string; owner: string }>;
  function add(body: { title?: string }): { id: string };
  function whoHas(
    token: string | undefined,
    scopes: readonly string[],
  ): { name: string };
  function onProgress(progress: object): void;
  function getToken(): Promise<string>;
}
`;

/** Modules that export the names in the examples. */
const CLIENTS = [
  "drive/v3",
  "tasks/v1",
  "discovery/v1",
  "chat/v1",
  "marketplace/v1",
  "migration/v1",
]
  .map((api) => `export * from "./generated/${api}/client.js";\n`)
  // Other names of this module are also names of the migration API.
  .concat('export { createAdmin } from "./generated/admin/v1/client.js";\n')
  .join("");

/** The part of tRPC that the example uses. */
const TRPC = `
declare module "@trpc/server" {
  interface Schema<T> {
    readonly "~standard": {
      readonly types?: { readonly input: T; readonly output: T } | undefined;
    };
  }
  interface Procedure<I, O> {
    input<T>(schema: Schema<T>): Procedure<T, O>;
    output<T>(schema: Schema<T>): Procedure<I, T>;
    mutation(work: (call: { input: I }) => O): void;
  }
  const initTRPC: { create(): { procedure: Procedure<unknown, unknown> } };
}
`;

/** Compiler options of applications, which skip the checks of libraries. */
const FLAGS = {
  lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  skipLibCheck: true,
  noUnusedLocals: false,
  isolatedDeclarations: false,
  declaration: false,
};

/** Returns the examples of a page, each as a separate module. */
function examples(page: string): string[] {
  const text = readFileSync(path.join(ROOT, page), "utf8");
  return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(
    ([, code]) => `${code}\nexport {};\n`,
  );
}

/** Pages with examples. */
const PAGES = [
  "README.md",
  ...readdirSync(path.join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

function write(folder: string): number {
  const generated = path.join(folder, "generated");
  for (const document of ["drive.v3.json", "tasks.v1.json"]) {
    const file = path.join(ROOT, "test/compile", document);
    const { files } = generateEverything(
      JSON.parse(readFileSync(file, "utf8")),
    );
    for (const [name, text] of files) {
      const target = path.join(generated, name);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }
  for (const part of [
    "admin",
    "chat",
    "discovery",
    "marketplace",
    "migration",
    "runtime",
  ])
    cpSync(path.join(ROOT, "generated", part), path.join(generated, part), {
      recursive: true,
    });
  cpSync(
    path.join(ROOT, "src/runtime/auth"),
    path.join(generated, "runtime/auth"),
    { recursive: true },
  );
  linkPackages(path.join(folder, "node_modules"));
  writeFileSync(path.join(folder, "globals.d.ts"), GLOBALS);
  writeFileSync(path.join(folder, "clients.ts"), CLIENTS);
  writeFileSync(path.join(folder, "trpc.d.ts"), TRPC);
  let count = 0;
  for (const page of PAGES)
    for (const code of examples(page)) {
      const name = page.replace(/\W+/g, "-");
      writeFileSync(path.join(folder, `${name}-${++count}.ts`), code);
    }
  return count;
}

/** The packages of this project, and this project as a package. */
function linkPackages(folder: string): void {
  mkdirSync(folder);
  const modules = path.join(ROOT, "node_modules");
  for (const name of readdirSync(modules))
    symlinkSync(path.join(modules, name), path.join(folder, name));
  symlinkSync(ROOT, path.join(folder, "discovery-codegen"));
}

test.each(Object.keys(COMPILERS) as Compiler[])(
  "the examples of README and docs compile with %s",
  async (compiler) => {
    const folder = temporaryFolder();
    expect(write(folder)).toBeGreaterThan(50);
    const include = ["*.ts"];
    expect(
      await typecheck(folder, compiler, "@types/node", include, FLAGS),
    ).toBe("");
  },
);
