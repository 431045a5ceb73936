import { existsSync, writeFileSync, mkdirSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import {
  sendToRunningServer,
  listenForCommands,
} from "../../src/services/admin-socket.js";
import { AdminError } from "../../src/services/service.js";
import type { Json } from "../../src/services/store/store.js";
import { temporaryFolder } from "../support/paths.js";

const command = (input: Json): Parameters<typeof sendToRunningServer>[1] => ({
  service: "s",
  operation: "o",
  input,
});

test("transfers commands, results and errors of any size", async () => {
  const data = temporaryFolder();
  expect(await sendToRunningServer(data, command(1))).toBeUndefined();
  const stop = (await listenForCommands(data, async ({ input }) => {
    if (input === "refuse") throw new AdminError("no", ["because"]);
    if (input === "fail") throw new TypeError("secret");
    return { got: input };
  }))!;
  const long = "é".repeat(3_000_000);
  expect(await sendToRunningServer(data, command(long))).toEqual({
    result: { got: long },
  });
  await expect(
    sendToRunningServer(data, command("refuse")),
  ).rejects.toMatchObject({
    message: "no",
    problems: ["because"],
  });
  const failed = sendToRunningServer(data, command("fail"));
  await expect(failed).rejects.toThrow(/^internal: TypeError at /);
  await expect(failed).rejects.not.toThrow("secret");
  const many = Array.from({ length: 20 }, (_, index) =>
    sendToRunningServer(data, command(index)),
  );
  expect(await Promise.all(many)).toEqual(
    many.map((_, got) => ({ result: { got } })),
  );
  await stop();
  expect(await sendToRunningServer(data, command(1))).toBeUndefined();
});

test("refuses malformed commands and keeps serving", async () => {
  const data = temporaryFolder();
  const stop = (await listenForCommands(data, async () => 1))!;
  const socket = path.join(data, "admin/socket");
  const say = (text: string): Promise<string> =>
    new Promise((resolve) => {
      let answer = "";
      const connection = net.connect({ path: socket, allowHalfOpen: true });
      connection.on("data", (chunk: Buffer) => (answer += chunk.toString()));
      connection.on("end", () => resolve(answer));
      connection.end(text);
    });
  for (const text of ["", "{", "\u0000"])
    expect(await say(text)).toContain('"error":"internal: SyntaxError');
  net.connect(socket).on("connect", function (this: net.Socket) {
    this.destroy();
  });
  expect(await sendToRunningServer(data, command(1))).toEqual({ result: 1 });
  await stop();
});

test("replaces the socket of a killed server", async () => {
  const data = temporaryFolder();
  mkdirSync(path.join(data, "admin"));
  writeFileSync(path.join(data, "admin/socket"), "");
  expect(await sendToRunningServer(data, command(1))).toBeUndefined();
  const stop = (await listenForCommands(data, async () => 1))!;
  expect(await sendToRunningServer(data, command(1))).toEqual({ result: 1 });
  await stop();
  expect(existsSync(path.join(data, "admin/socket"))).toBe(false);
});

test("does not listen if the path is too long for a socket", async () => {
  const data = path.join(temporaryFolder(), "x".repeat(100));
  expect(await listenForCommands(data, async () => 1)).toBeUndefined();
  expect(await sendToRunningServer(data, command(1))).toBeUndefined();
});
