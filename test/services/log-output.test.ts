import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { levelOf } from "../../src/services/log-level.js";
import { openLog } from "../../src/services/log-output.js";
import { temporaryFolder } from "../support/paths.js";

/** Pipe whose reader the test controls. */
function pipe(): { readonly writer: number; readonly read: () => string } {
  const file = path.join(temporaryFolder(), "log");
  execFileSync("mkfifo", [file]);
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
  const reader = openSync(file, O_RDONLY | O_NONBLOCK);
  const writer = openSync(file, O_WRONLY | O_NONBLOCK);
  onTestFinished(() => closeSync(reader));
  return {
    writer,
    read() {
      const buffer = Buffer.alloc(1 << 20);
      try {
        return buffer.toString("utf8", 0, readSync(reader, buffer));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EAGAIN") return "";
        throw error;
      }
    },
  };
}

const line = (number: number, size: number) => ({
  service: "host",
  event: "request",
  number,
  text: "x".repeat(size),
});

test("writes the members of a line, its level and its time", async () => {
  const { writer, read } = pipe();
  const { log, close } = openLog(writer, () => 1.6e12);
  const audit = {
    service: "admin",
    event: "audit",
    target: 'a"\u0001\u2028é',
    missing: undefined,
    before: Array.from({ length: 200 }, (_, index) => ({ index })),
    after: { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } },
  };
  log(audit);
  log({ service: "chat", event: "request", status: 502, path: "/", ms: 1.5 });
  log({ service: "chat", event: "store-unavailable", why: "##[error]" });
  expect(await close()).toBe(true);
  const [first, second, third] = read().trimEnd().split("\n");
  const { missing: _missing, ...written } = audit;
  const time = "2020-09-13T12:26:40.000Z";
  expect(JSON.parse(first!)).toEqual({ level: "info", time, ...written });
  expect(second).toBe(
    `{"level":"error","time":"${time}","service":"chat","event":"request","status":502,"path":"/","ms":1.5}`,
  );
  expect(JSON.parse(third!)).toMatchObject({ level: "warn", why: "##[error]" });
});

test.each([
  [{ event: "request", status: 200 }, "info"],
  [{ event: "request", status: 499 }, "info"],
  [{ event: "request", status: 503 }, "error"],
  [{ event: "bug" }, "error"],
  [{ event: "audit" }, "info"],
  [{ event: "breaker", state: "open" }, "warn"],
  [{ event: "breaker", state: "closed" }, "info"],
  [{ event: "stream", isWhole: false }, "info"],
  [{ event: "stream", isWhole: false, failure: "status 502" }, "error"],
  [{ event: "store-unavailable" }, "warn"],
  [{ event: "store-available" }, "info"],
  [{ event: "config-reloaded", restarted: [] }, "info"],
  [{ event: "config-reloaded", needsRestart: ["host.tls"] }, "warn"],
  [{ event: "constructor" }, "info"],
])("the level of %j is %s", (line, level) => {
  expect(levelOf({ service: "host", ...line })).toBe(level);
});

test("counts lines that a slow reader of the log loses", async () => {
  const { writer, read } = pipe();
  const { log, close, lostLines } = openLog(writer);
  for (let number = 0; number < 1500; number++) log(line(number, 1000));
  let text = "";
  const deadline = Date.now() + 20_000;
  // The pipe has been read completely when the last accepted line arrives.
  for (let idle = 0; idle < 30 && Date.now() < deadline;) {
    const chunk = read();
    text += chunk;
    idle = chunk === "" ? idle + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  log(line(2000, 10));
  expect(await close()).toBe(true);
  text += read();
  const lines = text
    .trimEnd()
    .split("\n")
    .map((each) => JSON.parse(each) as { event: string; lines?: number });
  const lost = lines.filter(({ event }) => event === "log-lines-lost");
  expect(lost).toHaveLength(1);
  expect(lost[0]!.lines! + lines.length - 2).toBe(1500);
  expect(lostLines()).toBe(lost[0]!.lines);
  expect(lines.at(-1)).toMatchObject({ number: 2000 });
});

test("ends with pending lines if the log is not read", async () => {
  const { writer, read } = pipe();
  const { log, close } = openLog(writer);
  for (let number = 0; number < 500; number++) log(line(number, 1000));
  expect(await close()).toBe(false);
  expect(() => log(line(1, 1))).not.toThrow();
  for (let reads = 0; reads < 100; reads++) {
    read();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});
