// Connects `gen` in support.ts, which blocks its thread, to the process in resident.mjs.
import { fork } from "node:child_process";
import { workerData } from "node:worker_threads";

const { state, script, port } = workerData;
const child = fork(script, {
  stdio: ["ignore", "ignore", "inherit", "ipc"],
  env: {},
});

function finish(result) {
  port.postMessage(result);
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
}

const ready = new Promise((resolve) => child.once("message", resolve));
void ready.then(() => child.on("message", finish));
child.on("exit", (status) =>
  finish({ error: `the process of the commands ended with ${status}` }),
);
port.on("message", (request) => ready.then(() => child.send(request)));
