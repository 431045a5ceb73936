// Connection to a language server over its standard input and output.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Milliseconds after which a request without response is an error. */
const TIMEOUT = 120_000;

/** Starts a server; `receive` is called with each of its messages. */
export function connect(command, args, receive) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  let rest = Buffer.alloc(0);
  child.stdout.on("data", (chunk) => {
    rest = readFrames(Buffer.concat([rest, chunk]), receive);
  });
  const pending = new Map();
  let last = 0;
  const settle = (id, settled) => {
    const own = pending.get(id);
    if (own === undefined) return;
    pending.delete(id);
    clearTimeout(own.timer);
    settled(own);
  };
  child.on("exit", (code) => {
    for (const id of pending.keys())
      settle(id, (own) => own.reject(new Error(`the server exited: ${code}`)));
  });
  return {
    /** Writes a text to the server. */
    write: (text) => child.stdin.write(text),
    /** Returns an id and the promise of its response. */
    expect(what) {
      const id = ++last;
      const response = new Promise((resolve, reject) => {
        const fail = () => reject(new Error(`${what}: no response`));
        const timer = setTimeout(fail, TIMEOUT);
        pending.set(id, { resolve, reject, timer });
      });
      return { id, response };
    },
    resolve: (id, value) => settle(id, (own) => own.resolve(value)),
    reject: (id, message) =>
      settle(id, (own) => own.reject(new Error(message))),
    /** Returns the peak memory of the process in MiB, where Linux reports it. */
    peak: () => peakOf(child.pid),
    close: () => child.kill(),
  };
}

/** Reads complete messages; returns the bytes after them. */
function readFrames(bytes, receive) {
  for (;;) {
    const end = bytes.indexOf("\r\n\r\n");
    if (end === -1) return bytes;
    const header = bytes.toString("latin1", 0, end);
    const length = Number(/Content-Length: (\d+)/i.exec(header)[1]);
    const next = end + 4 + length;
    if (bytes.length < next) return bytes;
    receive(JSON.parse(bytes.toString("utf8", end + 4, next)));
    bytes = bytes.subarray(next);
  }
}

function peakOf(pid) {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(file, "utf8"));
  return Number(kib) / 1024;
}
