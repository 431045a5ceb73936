import { spawn, type ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { gen } from "./support.js";

const CHAT = path.join(ROOT, "specs/chat.v1.json");
const SHOP = path.join(ROOT, "test/environments/shop.v1.json");

/** A mock in a process of its own, and what it says of itself. */
interface Serving {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly lines: readonly string[];
  /** Returns the lines of the log for requests. */
  log(): readonly Record<string, unknown>[];
}

async function serve(...args: string[]): Promise<Serving> {
  const command = [path.join(ROOT, "bin/gen.js"), "serve", "--mock"];
  const child = spawn(process.execPath, [...command, "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let logged = "";
  child.stderr!.on("data", (data: Buffer) => (logged += data.toString()));
  const text = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stdout!.on("data", (data: Buffer) => {
      said += data.toString();
      if (said.includes("listening on")) resolve(said);
    });
    child.once("exit", () => reject(new Error("it did not start")));
  });
  const lines = text.trim().split("\n");
  const origin = /^listening on (http:\S+)$/.exec(lines.at(-1)!)![1]!;
  const log = (): Record<string, unknown>[] =>
    logged
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { child, origin, lines, log };
}

async function bytes(url: string): Promise<string> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return answer.text();
}

test("two processes answer with the same bytes; SIGTERM ends them", async () => {
  const [one, two, other] = await Promise.all([
    serve("--spec", CHAT, SHOP),
    serve("--spec", CHAT, SHOP),
    serve("--spec", CHAT, SHOP, "--seed", "7"),
  ]);
  expect(one.lines.slice(0, -1)).toEqual([
    `chat:v1 rootUrl ${one.origin}/`,
    `shop:v1 rootUrl ${one.origin}/`,
  ]);
  for (const target of ["/v1/models", "/shop/v1/items", "/shop/v1/items/x"]) {
    const text = await bytes(one.origin + target);
    expect(await bytes(two.origin + target)).toBe(text);
    expect(await bytes(other.origin + target)).not.toBe(text);
  }
  const ended = new Promise((resolve) => one.child.once("exit", resolve));
  one.child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("puts each API below its name, and asks for keys where it is strict", async () => {
  const { origin, lines } = await serve("--spec", CHAT, "--prefix", "--strict");
  expect(lines[0]).toBe(`chat:v1 rootUrl ${origin}/chat/v1/`);
  const answer = await fetch(`${origin}/chat/v1/v1/models`);
  expect(answer.status).toBe(401);
});

test("starts empty, with data, and is controlled over HTTP", async () => {
  const cwd = temporaryFolder();
  writeFileSync(
    path.join(cwd, "models.json"),
    JSON.stringify([{ id: "tiny", object: "model" }]),
  );
  const { origin } = await serve(
    "--spec",
    CHAT,
    "--empty",
    "--data",
    cwd,
    "--latency",
    "1..2",
  );
  expect(JSON.parse(await bytes(`${origin}/v1/models`)).data).toEqual([
    expect.objectContaining({ id: "tiny" }),
  ]);
  const faults = await fetch(`${origin}/__mock/faults`, {
    method: "POST",
    body: JSON.stringify({ status: 503 }),
  });
  expect(faults.status).toBe(204);
  expect((await fetch(`${origin}/v1/models`)).status).toBe(503);
  const { requests } = JSON.parse(await bytes(`${origin}/__mock/requests`));
  expect(requests).toHaveLength(2);
});

test("each log line of a failed request says why, without credentials", async () => {
  const { origin, log } = await serve("--spec", CHAT, SHOP);
  const { port } = new URL(origin);
  const send = (target: string, init: RequestInit = {}): Promise<unknown> =>
    fetch(origin + target, init).then((response) => response.text());
  const fault = (body: object): Promise<unknown> =>
    send("/__mock/faults", { method: "POST", body: JSON.stringify(body) });
  await send("/nowhere?key=hidden&access_token=hidden&client_secret=hidden");
  await send("/v1/model?id_token=hidden&x-goog-signature=hidden");
  await send("/v1/models", { method: "PUT" });
  await send("/shop/v1/items/a", { headers: { "if-match": '"x"' } });
  await fault({ status: 429 });
  await send("/v1/models");
  await fault({ reset: true });
  await send("/v1/models").catch(() => {});
  await fault({ truncate: true });
  await send("/v1/models").catch(() => {});
  await send("/__mock/nothing");
  await fault({ unknown: 1 });
  await send("/__mock/state", { headers: { origin: "https://evil.test" } });
  await new Promise<void>((resolve) => {
    const headers = { host: "evil.test" };
    http.get({ port, path: "/v1/models", headers }, (response) => {
      response.resume().once("end", resolve);
    });
  });
  await vi.waitFor(() => expect(log()).toHaveLength(14));
  const lines = log();
  expect(JSON.stringify(lines)).not.toContain("hidden");
  const failed = lines.filter(({ path }) => path !== "/__mock/faults");
  expect(failed.map(({ path, problem }) => [path, problem])).toEqual([
    [
      "/nowhere?key=%5Bremoved%5D&access_token=%5Bremoved%5D&client_secret=%5Bremoved%5D",
      "No mocked API has this path.",
    ],
    [
      "/v1/model?id_token=%5Bremoved%5D&x-goog-signature=%5Bremoved%5D",
      "No mocked API has this path.",
    ],
    ["/v1/models", "The path does not support this HTTP method."],
    ["/shop/v1/items/a", "The condition If-Match is not met."],
    ["/v1/models", "The mock is configured to fail."],
    ["/v1/models", "A fault closed the connection without a response."],
    ["/v1/models", "A fault closed the connection after half of the body."],
    ["/__mock/nothing", expect.stringContaining("POST faults")],
    ["/__mock/state", expect.stringContaining("Origin")],
    ["/v1/models", expect.stringContaining("a loopback name")],
  ]);
  expect(
    lines.filter(({ path }) => path === "/__mock/faults")[3],
  ).toMatchObject({
    status: 400,
    problem: expect.stringContaining('"unknown"'),
  });
});

test("logs each call of a batch", async () => {
  const { origin, log } = await serve("--spec", SHOP);
  const call = (target: string): string =>
    `--b\r\ncontent-type: application/http\r\n\r\nGET ${target}\r\n\r\n`;
  const batch = await fetch(`${origin}/batch/shop/v1`, {
    method: "POST",
    headers: { "content-type": "multipart/mixed; boundary=b" },
    body: `${call("/shop/v1/items")}${call("/v9?key=hidden")}--b--`,
  });
  expect(batch.status).toBe(200);
  await vi.waitFor(() => expect(log()).toHaveLength(3));
  const lines = log().map(({ path, method, status, problem }) => ({
    path,
    method,
    status,
    problem,
  }));
  expect(lines).toHaveLength(3);
  const expected = [
    { path: "/shop/v1/items", method: "shop.items.list", status: 200 },
    {
      path: "/v9?key=%5Bremoved%5D",
      status: 404,
      problem: "No method of this API has this path.",
    },
    { path: "/batch/shop/v1", status: 200 },
  ];
  for (const line of expected) expect(lines).toContainEqual(line);
});

test("says what is wrong", () => {
  expect(gen(["serve", "--mock"]).stderr).toContain("--mock requires --spec");
  const noPort = gen(["serve", "--mock", "--spec", CHAT, "--port", "x"]);
  expect(noPort).toMatchObject({ status: 2 });
  const missing = gen(["serve", "--mock", "--spec", "nowhere.json"]);
  expect(missing.status).toBe(2);
  expect(missing.stderr).toContain("source-missing");
});

const SERVE = ["serve", "--port", "0"];
const MOCK = [...SERVE, "--mock", "--spec", CHAT];

test.each([
  [[...MOCK, "--record", "http://h"], "--record requires --data"],
  [
    [...MOCK, "--replay", "x", "--data", "y"],
    "--replay can't be combined with --data",
  ],
  [[...MOCK, "--latency", "fast"], "--latency must be a range of milliseconds"],
  [[...MOCK, "--data", "missing"], "mock-data"],
  [[...MOCK, "--replay", "missing"], "mock-data"],
  [
    [...MOCK, "--store", "postgresql://h/d"],
    "--mock can't be combined with --store",
  ],
  [[...MOCK, "--config", "x.yaml"], "--mock can't be combined with --config"],
  [[...MOCK, "--demo"], "--mock can't be combined with --demo"],
  [
    ["serve", "chat", "--mock", "--spec", CHAT],
    "--mock can't be combined with the name of a service",
  ],
  [[...SERVE, "--mock"], "--mock requires --spec"],
  [[...SERVE, "--spec", CHAT], "--spec requires --mock"],
  [[...SERVE, "--strict"], "--strict requires --mock"],
  [[...SERVE, "--prefix"], "--prefix requires --mock"],
  [[...SERVE, "--seed", "2"], "--seed requires --mock"],
  [[...SERVE, "--empty"], "--empty requires --mock"],
])("gen %j is refused", (args, message) => {
  const { status, stdout, stderr } = gen(args);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});

test("a store in the environment is refused by its name there", () => {
  const { status, stderr } = gen(MOCK, {
    env: { GEN_SERVE_STORE: "postgresql://u:secret@h/d" },
  });
  expect(status).toBe(2);
  expect(stderr).toContain("GEN_SERVE_STORE");
  expect(stderr).not.toContain("secret");
});
