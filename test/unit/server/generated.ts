import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Sink } from "../../../src/diagnostics/sink.js";
import type { Diagnostic } from "../../../src/diagnostics/types.js";
import { loadBytes } from "../../../src/load/load.js";
import { buildApi } from "../../../src/model/build/api.js";
import { Engine } from "../../../src/render/engine.js";
import type {
  ApiDefinition,
  Server,
  ServerOptions,
} from "../../../src/runtime/server/index.js";
import { printTargets } from "../../../src/targets/print-targets.js";
import { serverTarget } from "../../../src/targets/server/index.js";
import { validatorTarget } from "../../../src/targets/validator/index.js";
import { ROOT } from "../../support/paths.js";

const engine = new Engine();

/** Generated server before compilation. */
export interface GeneratedServer {
  /** Folder of the API, such as `demo/v1`. */
  readonly folder: string;
  /** File texts by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Generates the server of a document. Throws if the document is invalid. */
export function generateServer(document: unknown): GeneratedServer {
  const text =
    typeof document === "string" ? document : JSON.stringify(document);
  const sink = new Sink("test.json");
  const loaded = loadBytes(Buffer.from(text), "test.json", sink);
  if (loaded.document === undefined)
    throw new Error(JSON.stringify(sink.diagnostics, undefined, 1));
  const api = buildApi(loaded.document, sink, { trustProse: false });
  const files = printTargets(
    api,
    [serverTarget, validatorTarget],
    { importSuffix: ".js", trustProse: false, functionsOnly: true },
    engine,
    sink,
  );
  return {
    folder: path.posix.dirname(files[0]!.path),
    files: new Map(files.map((file) => [file.path, file.text])),
    diagnostics: sink.diagnostics,
  };
}

/** Returns the text of a description in specs/. */
export function spec(name: string): string {
  return readFileSync(path.join(ROOT, "specs", `${name}.json`), "utf8");
}

/** Generated function that creates a server. */
export type CreateServer = (service: object, options?: ServerOptions) => Server;

let count = 0;

/**
 * Returns the generated function that creates the server of a document. It runs
 * on the runtime's sources like the tests, so that classes are identical.
 */
export async function loadServer(document: unknown): Promise<CreateServer> {
  const module = await load<CreateServer>(document, "server");
  return Object.values(module).find((value) => typeof value === "function")!;
}

/** Returns the route table of a document's server. */
export async function loadApi(document: unknown): Promise<ApiDefinition> {
  return (await load<ApiDefinition>(document, "routes"))["api"]!;
}

/** Imports a file of a document's server. */
async function load<T>(
  document: unknown,
  name: string,
): Promise<Record<string, T>> {
  const { files, folder } = generateServer(document);
  const root = path.join(ROOT, `.tmp/servers-${process.pid}-${count++}`);
  try {
    for (const [file, text] of files) {
      const target = path.join(root, file);
      mkdirSync(path.dirname(target), { recursive: true });
      const runtime = `${ROOT}/src/runtime/`;
      writeFileSync(target, text.replaceAll("../../runtime/", runtime));
    }
    const entry = path.join(root, folder, `${name}.ts`);
    return (await import(entry)) as Record<string, T>;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
