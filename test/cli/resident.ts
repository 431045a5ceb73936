import path from "node:path";
import {
  MessageChannel,
  receiveMessageOnPort,
  Worker,
} from "node:worker_threads";
import { ROOT } from "../support/paths.js";
import type { Finished } from "./support.js";

/** Process that runs commands one after another. */
interface Resident {
  readonly run: (
    args: readonly string[],
    cwd: string,
    env: NodeJS.ProcessEnv,
  ) => Finished;
}

/** Maximum duration of a command in milliseconds. */
const TIMEOUT = 30_000;

let current: Resident | undefined;

/** Returns the process of this test worker; starts it for the first command. */
export function resident(): Resident {
  return (current ??= start());
}

function start(): Resident {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const script = path.join(ROOT, "test/cli/resident.mjs");
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(path.join(ROOT, "test/cli/resident-worker.mjs"), {
    workerData: { state, script, port: port2 },
    transferList: [port2],
  });
  worker.unref();
  const stop = (reason: string): never => {
    current = undefined;
    void worker.terminate();
    throw new Error(reason);
  };
  return {
    run(args, cwd, env) {
      Atomics.store(state, 0, 0);
      port1.postMessage({ args, cwd, env });
      if (Atomics.wait(state, 0, 0, TIMEOUT) === "timed-out")
        stop(`gen ${args.join(" ")} did not end within ${TIMEOUT} ms`);
      const { message } = receiveMessageOnPort(port1) as {
        message: Finished & { readonly error?: string };
      };
      return message.error === undefined ? message : stop(message.error);
    },
  };
}
