import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import {
  MessageChannel,
  receiveMessageOnPort,
  Worker,
} from "node:worker_threads";
import { ROOT } from "../support/paths.js";
import type { Finished } from "./support.js";

/** Arguments, folder and complete environment of a command. */
export interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Maximum duration of a command in milliseconds. */
const TIMEOUT = 30_000;

const SCRIPT = path.join(ROOT, "test/cli/resident.mjs");

type RunCommand = (command: Command) => Finished;

let current: RunCommand | undefined;

/**
 * Runs a command in a process that is started once for each test worker. Blocks
 * the thread meanwhile, so that the server of a test does not respond.
 */
export function runResident(command: Command): Finished {
  current ??= startBlocking();
  return current(command);
}

function startBlocking(): RunCommand {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(path.join(ROOT, "test/cli/resident-worker.mjs"), {
    workerData: { state, script: SCRIPT, port: port2 },
    transferList: [port2],
  });
  worker.unref();
  const stop = (reason: string): never => {
    current = undefined;
    void worker.terminate();
    throw new Error(reason);
  };
  return (command) => {
    Atomics.store(state, 0, 0);
    port1.postMessage(command);
    if (Atomics.wait(state, 0, 0, TIMEOUT) === "timed-out")
      stop(`gen ${command.args.join(" ")} took more than ${TIMEOUT} ms`);
    const { message } = receiveMessageOnPort(port1) as {
      message: Finished & { readonly error?: string };
    };
    return message.error === undefined ? message : stop(message.error);
  };
}

let child: Promise<ChildProcess> | undefined;

/** Runs a command like {@link runResident}, without blocking the thread. */
export async function runResidentAsync(command: Command): Promise<Finished> {
  child ??= startChild();
  const running = await child;
  const ended = once(running, "message");
  running.send(command);
  const [finished] = (await ended) as [Finished];
  return finished;
}

async function startChild(): Promise<ChildProcess> {
  const started = fork(SCRIPT, {
    env: {},
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  started.unref();
  await once(started, "message");
  return started;
}
