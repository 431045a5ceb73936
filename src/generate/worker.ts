import { parentPort, workerData } from "node:worker_threads";
import {
  allowDelayedOptimization,
  delayOptimization,
} from "../platform/delay-optimization.js";
import { readFileLimited } from "../platform/read-limited.js";
import { readScratch } from "../platform/scratch.js";
import { Engine } from "../render/engine.js";
import { groupFolderOf, prepareGroup } from "../write/prepare-group.js";
import { StagingNames } from "../write/stage-group.js";
import {
  generateDocument,
  type DocumentContext,
} from "./generated-document.js";
import {
  takeNext,
  type QueuedDocument,
  type WorkerInput,
  type WorkerMessage,
  type WorkerResult,
} from "./generation-workers.js";
import { timed, Timings } from "./timings.js";

const input = workerData as WorkerInput;
const { folder, queue, next, thread } = input;
const names = new StagingNames(thread);
const timings = input.isTimed ? new Timings() : undefined;
let engine: Engine | undefined;
const context: DocumentContext = {
  imports: input.imports,
  existingTargets: input.existingTargets,
  engine: () => (engine ??= new Engine()),
  locateInfo: input.locateInfo,
  javaScript: () => {
    throw new Error("worker threads write TypeScript only");
  },
  hashSeed: input.hashSeed,
  ...(timings === undefined ? {} : { timings }),
  prepare: (files) =>
    timed(timings, "plan", () =>
      prepareGroup(groupFolderOf(files), files, folder, () => names),
    ),
};

// V8 accepts cached code only if the code was compiled with the current
// settings. The settings apply to all threads, so the last worker to load its
// modules changes them.
if (Atomics.sub(input.loading, 0, 1) === 1 && input.delays) {
  allowDelayedOptimization();
  delayOptimization();
}
void run();

async function run(): Promise<void> {
  for (;;) {
    const document = takeNext(queue, next);
    if (document === undefined) break;
    send(await generate(document));
  }
  if (timings !== undefined) send({ times: timings.times });
}

function send(message: WorkerMessage): void {
  parentPort!.postMessage(message);
}

async function generate({
  index,
  name,
  path,
  settings,
}: QueuedDocument): Promise<WorkerResult> {
  const source = {
    name,
    spec: "",
    path,
    read: () => readFileLimited(path),
    readBriefly: () => readFileLimited(path, readScratch),
  };
  return { index, ...(await generateDocument(source, settings, context)) };
}
