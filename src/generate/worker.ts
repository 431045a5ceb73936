import { parentPort, workerData } from "node:worker_threads";
import { Sink } from "../diagnostics/sink.js";
import type { WorkerInput, WorkerResult } from "./generation-worker.js";
import { readBytes } from "../load/load.js";
import { readFileLimited } from "../platform/read-limited.js";
import {
  generateApi,
  hasTargets,
  type ApiOutput,
  type GenerateContext,
} from "./generate-api.js";
import { Engine } from "../render/engine.js";
import { inputsHash } from "./inputs-hash.js";

const input = workerData as WorkerInput;
let engine: Engine | undefined;
const context: GenerateContext = {
  imports: input.imports,
  existingTargets: input.existingTargets,
  engine: () => (engine ??= new Engine()),
  locateInfo: input.locateInfo,
};

// The worker starts with the last document and stops at a document that the
// main thread has claimed.
for (let index = input.paths.length - 1; index >= 0; index--) {
  const file = input.paths[index];
  if (file === undefined) continue;
  if (Atomics.compareExchange(input.claims, index, 0, 1) !== 0) break;
  parentPort!.postMessage(await generate(index, file));
}

async function generate(index: number, file: string): Promise<WorkerResult> {
  const name = input.names[index]!;
  const sink = new Sink(name);
  const bytes = readBytes(
    { name, spec: "", read: () => readFileLimited(file) },
    sink,
  );
  if (bytes === undefined) {
    const output: ApiOutput = {
      targets: [],
      diagnostics: sink.diagnostics,
    };
    return { index, inputs: "", output };
  }
  const settings = input.settings[index]!;
  const inputs = inputsHash(input.hashSeed, settings, bytes);
  const cached = input.cachedOutputs.get(inputs);
  if (cached !== undefined && hasTargets(cached, settings, context))
    return { index, inputs };
  const output = await generateApi(bytes, name, settings, context);
  return { index, inputs, output };
}
