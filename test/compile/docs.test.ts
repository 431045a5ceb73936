import {
  cpSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { generateClient } from "../support/generate.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { COMPILERS, typecheck, type Compiler } from "./typescript.js";

/** What the examples take for granted. */
const GLOBALS = `
import type { createDrive as create } from "./generated/drive/v3/index.js";
declare global {
  const createDrive: typeof create;
  const drive: ReturnType<typeof create>;
  const fileId: string;
  const q: string;
  const size: number;
  const scopes: string[];
  const signal: AbortSignal;
  const stream: ReadableStream<Uint8Array>;
  const again: ReadableStream<Uint8Array>;
  function getToken(): Promise<string>;
}
`;

/** The part of the OpenTelemetry API that the example uses. */
const TELEMETRY = `
declare module "@opentelemetry/api" {
  interface Span { setAttribute(key: string, value: number): this; end(): void; }
  interface Context { getValue(key: symbol): unknown; }
  const trace: { getTracer(name: string): {
    startActiveSpan<T>(name: string, work: (span: Span) => T): T;
  } };
  const context: { active(): Context };
  const propagation: { inject(context: Context, carrier: object): void };
}
`;

/** Examples are not libraries, and the types of others are theirs. */
const FLAGS = {
  lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  skipLibCheck: true,
  noUnusedLocals: false,
  isolatedDeclarations: false,
  declaration: false,
};

/** The examples of a page, each a module of its own. */
function examples(page: string): string[] {
  const text = readFileSync(path.join(ROOT, page), "utf8");
  return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(
    ([, code]) => `${code}\nexport {};\n`,
  );
}

function write(folder: string): number {
  const generated = path.join(folder, "generated");
  const document = path.join(ROOT, "test/compile/drive.v3.json");
  const { files } = generateClient(JSON.parse(readFileSync(document, "utf8")));
  for (const [file, text] of files) {
    const target = path.join(generated, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  for (const part of ["chat", "marketplace", "migration", "runtime/client"])
    cpSync(path.join(ROOT, "generated", part), path.join(generated, part), {
      recursive: true,
    });
  symlinkSync(
    path.join(ROOT, "node_modules"),
    path.join(folder, "node_modules"),
  );
  writeFileSync(path.join(folder, "globals.d.ts"), GLOBALS);
  writeFileSync(path.join(folder, "telemetry.d.ts"), TELEMETRY);
  const all = examples("docs/client.md");
  for (const [index, code] of all.entries())
    writeFileSync(path.join(folder, `example-${index + 1}.ts`), code);
  return all.length;
}

test.each(Object.keys(COMPILERS) as Compiler[])(
  "the examples of docs/client.md compile with %s",
  async (compiler) => {
    const folder = temporaryFolder();
    expect(write(folder)).toBeGreaterThan(15);
    const include = ["*.ts"];
    expect(
      await typecheck(folder, compiler, "@types/node", include, FLAGS),
    ).toBe("");
  },
);
