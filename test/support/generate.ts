import { Sink } from "../../src/diagnostics/sink.js";
import type { Diagnostic } from "../../src/diagnostics/types.js";
import { loadBytes } from "../../src/load/load.js";
import { buildApi } from "../../src/model/build/api.js";
import type { Api } from "../../src/model/ir.js";
import { Engine } from "../../src/render/engine.js";
import { clientTarget } from "../../src/targets/client/index.js";
import { printTargets } from "../../src/targets/print-targets.js";
import {
  loadTargets,
  type Target,
  type TargetOptions,
} from "../../src/targets/target.js";
import { conformanceTarget } from "../../src/targets/conformance/index.js";
import {
  apiContext,
  type ApiContext,
} from "../../src/targets/shared/api-context.js";
import { nameApi } from "../../src/targets/shared/naming.js";
import { serverTarget } from "../../src/targets/server/index.js";
import { validatorTarget } from "../../src/targets/validator/index.js";

/** An API as the generator sees and prints it, without touching a disk. */
export interface Generated {
  readonly api: Api;
  /** Text by path, e.g. `demo/v1/schemas.ts`. */
  readonly files: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

const engine = new Engine();

await loadTargets([validatorTarget]);

/** A document that is complete but for what a test adds. */
export function description(
  parts: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    kind: "discovery#restDescription",
    name: "demo",
    version: "v1",
    rootUrl: "https://demo.example.com/",
    servicePath: "",
    ...parts,
  };
}

/** Generates the client of a document. Throws where the document is refused. */
export function generateClient(
  document: unknown,
  options: Partial<TargetOptions> = {},
): Generated {
  return generateWith([clientTarget], document, options);
}

/** Generates the validators of a document, without a client. Throws likewise. */
export function generateValidators(
  document: unknown,
  options: Partial<TargetOptions> = {},
): Generated {
  return generateWith([validatorTarget], document, options);
}

/** Generates the checks of client and server. Throws likewise. */
export function generateConformance(document: unknown): Generated {
  return generateWith([conformanceTarget], document, {});
}

/** Generates the server of a document, and its validators. Throws likewise. */
export function generateServer(document: unknown): Generated {
  const targets = [serverTarget, validatorTarget];
  const names = targets.map(({ name }) => name);
  return generateWith(targets, document, { targets: names });
}

/** Generates everything from a document. Throws likewise. */
export function generateAll(document: unknown): Generated {
  const targets = [clientTarget, validatorTarget];
  const names = targets.map(({ name }) => name);
  return generateWith(targets, document, { targets: names });
}

/** Generates client, server, validators and checks. Throws likewise. */
export function generateEverything(
  document: unknown,
  options: Partial<TargetOptions> = {},
): Generated {
  const targets = [
    clientTarget,
    serverTarget,
    validatorTarget,
    conformanceTarget,
  ];
  const names = targets.map(({ name }) => name);
  return generateWith(targets, document, { targets: names, ...options });
}

function generateWith(
  targets: readonly Target[],
  document: unknown,
  options: Partial<TargetOptions>,
): Generated {
  const loaded = loadBytes(
    Buffer.from(
      typeof document === "string" ? document : JSON.stringify(document),
    ),
    "test.json",
  );
  if (loaded.document === undefined)
    throw new Error(JSON.stringify(loaded.sink.diagnostics, undefined, 1));
  const target: TargetOptions = {
    importSuffix: ".js",
    trustProse: false,
    ...options,
  };
  const api = buildApi(loaded.document, loaded.sink, {
    trustProse: target.trustProse,
  });
  const { sink } = loaded;
  const files = printTargets(api, targets, target, engine, sink);
  return {
    api,
    files: new Map(files.map((file) => [file.path, file.text])),
    diagnostics: loaded.sink.diagnostics,
  };
}

/** The context in which files of an API are printed. */
export function contextOf(
  api: Api,
  options: Partial<TargetOptions> = {},
): ApiContext {
  const names = nameApi(api, new Sink());
  return apiContext(api, names, {
    importSuffix: ".js",
    trustProse: false,
    ...options,
  });
}

/** The diagnostics of a document that may be refused. */
export function diagnose(text: string): readonly Diagnostic[] {
  const sink = new Sink("test.json");
  const loaded = loadBytes(Buffer.from(text), "test.json", sink);
  if (loaded.document !== undefined)
    buildApi(loaded.document, sink, { trustProse: false });
  return sink.diagnostics;
}
