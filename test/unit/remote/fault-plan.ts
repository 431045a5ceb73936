import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import type { Socket } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { documentDigest } from "../../../src/load/canonical.js";
import { DocumentCache } from "../../../src/remote/document-client.js";
import { parseLock } from "../../../src/remote/lock-file.js";
import { responseText, rawServer } from "../../support/fault-servers.js";
import type { Choices } from "../../attack/support/seeds.js";
import { Project, SHOP, type RunResult } from "./project.js";
import { shop } from "./support.js";

/** Credential that the requests contain. */
const SECRET = "hunter2-hunter2";

const LIST = "/discovery/v1/apis";
const DOCUMENT = `${LIST}/shop/v1/rest`;

/** Behaviour of a server for one request. */
type Fault = (socket: Socket, text: string, choices: Choices) => void;

const cut = (text: string, choices: Choices): string =>
  text.slice(0, choices.int(text.length));
const send =
  (
    status: string,
    headers: Record<string, string | number>,
    body?: string,
  ): Fault =>
  (socket, text) =>
    socket.end(responseText(status, headers, body ?? text));

/** Faults by name; `none` is a correct response. */
const FAULTS: Readonly<Record<string, Fault>> = {
  none: send("200 OK", {}),
  "with an ETag": send("200 OK", { etag: '"same"' }),
  "length too large": send("200 OK", { "content-length": 90_000 }),
  "length too small": (socket, text, choices) =>
    socket.end(
      responseText(
        "200 OK",
        { "content-length": choices.int(text.length) },
        text,
      ),
    ),
  "length over the limit": send("200 OK", { "content-length": 1e12 }),
  "truncated, without length": (socket, text, choices) =>
    socket.end(`HTTP/1.1 200 OK\r\n\r\n${cut(text, choices)}`),
  "truncated chunks": (socket, text, choices) =>
    socket.end(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${cut(text, choices)}`,
    ),
  "truncated gzip": (socket, text, choices) => {
    const bytes = gzipSync(text);
    const part = bytes.subarray(0, choices.int(bytes.length));
    socket.end(responseText("200 OK", { "content-encoding": "gzip" }, part));
  },
  "changed gzip": (socket, text, choices) => {
    const bytes = gzipSync(text);
    bytes[choices.int(bytes.length)]! ^= 1 << choices.int(8);
    socket.end(responseText("200 OK", { "content-encoding": "gzip" }, bytes));
  },
  "gzip bomb": (socket) =>
    socket.end(
      responseText(
        "200 OK",
        { "content-encoding": "gzip" },
        gzipSync(Buffer.alloc(2_000_000)),
      ),
    ),
  "stall before the headers": () => {},
  "stall in the headers": (socket) =>
    void socket.write("HTTP/1.1 200 OK\r\nX: "),
  "stall in the body": (socket, text, choices) =>
    void socket.write(`HTTP/1.1 200 OK\r\n\r\n${cut(text, choices)}`),
  reset: (socket, text, choices) => {
    socket.write(`HTTP/1.1 200 OK\r\n\r\n${cut(text, choices)}`);
    setTimeout(() => socket.resetAndDestroy(), 5);
  },
  "closed connection": (socket) => void socket.destroy(),
  "redirect loop": send("302 Found", { location: DOCUMENT }, ""),
  "redirect to a page": send("302 Found", { location: "/page" }, ""),
  "redirect to metadata": send(
    "302 Found",
    { location: "http://169.254.169.254/" },
    "",
  ),
  "a page": send(
    "200 OK",
    { "content-type": "text/html" },
    "<html>Log in</html>",
  ),
  "an error with status 200": send("200 OK", {}, '{"error":{"code":500}}'),
  "an error": send(
    "500 Internal Server Error",
    {},
    '{"error":{"message":"no"}}',
  ),
  "another document": send(
    "200 OK",
    {},
    JSON.stringify({ ...shop(), name: "other" }),
  ),
  "a document with a credential": send(
    "200 OK",
    {},
    JSON.stringify({ ...shop("20300101"), title: SECRET }),
  ),
  "304 without a condition": send("304 Not Modified", { etag: '"none"' }, ""),
  "not HTTP": (socket) => void socket.end("220 smtp\r\n"),
  "an empty body": send("200 OK", {}, ""),
};

/** Damages files of the cache, as a crash or a failing disk does. */
function damageCache(cache: string, choices: Choices): void {
  const folder = path.join(cache, "discovery-codegen/documents");
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!choices.chance(0.5)) continue;
    const file = path.join(folder, name);
    const text = readFileSync(file, "utf8");
    choices.pick([
      () => rmSync(file),
      () => truncateSync(file, choices.int(text.length + 1)),
      () => writeFileSync(file, text.replace("shop", "evil")),
      () => writeFileSync(file, "{}"),
      () => writeFileSync(`${file}.1.tmp`, "x"),
    ])();
  }
}

/** Damages files of the project. */
function damageProject({ cwd }: Project, choices: Choices): void {
  const file = path.join(cwd, SHOP.file);
  mkdirSync(path.dirname(file), { recursive: true });
  choices.pick([
    () => rmSync(file, { force: true }),
    () => writeFileSync(file, "{"),
    () => writeFileSync(`${file}.1.tmp`, "{"),
    () => writeFileSync(file, JSON.stringify(shop("19990101"))),
  ])();
}

/**
 * Runs random commands against a server with random faults. Fails if the cache,
 * the document or the lock contains something else than a document that the
 * server has sent completely, or if a healthy server does not repair the
 * project.
 */
export async function runFaultPlan(
  choices: Choices,
  cache: string,
): Promise<void> {
  process.env["XDG_CACHE_HOME"] = cache;
  let document: object = shop("20240101");
  let name = "none";
  const server = await rawServer((socket, { target }) => {
    if (target === "/page") return FAULTS["a page"]!(socket, "", choices);
    const origin = `http://127.0.0.1:${server.port}`;
    const items = [
      { name: "shop", version: "v1", discoveryRestUrl: origin + DOCUMENT },
    ];
    const list = { kind: "discovery#directoryList", items };
    const text = JSON.stringify(target === LIST ? list : document);
    const isFaulty = target === DOCUMENT || choices.chance(0.2);
    FAULTS[isFaulty ? name : "none"]!(socket, text, choices);
  });
  const project = new Project({ origin: server.origin } as never);
  const genuine = new Set([documentDigest(document)]);
  const GEN_HEADERS = JSON.stringify({
    [`http://127.0.0.1:${server.port}`]: {
      authorization: "Bearer env:GEN_TOKEN",
    },
  });
  const environment = {
    env: { GEN_TOKEN: SECRET, GEN_HEADERS },
    limits: { total: 300, idle: 40, size: 100_000, delays: [] },
  };
  const run = (): Promise<RunResult> => {
    const options = { environment, isOffline: choices.chance(0.1) };
    return choices.chance(0.5)
      ? project.ensure({ ...options, isFrozen: choices.chance(0.2) })
      : project.update({
          ...options,
          isForced: choices.chance(0.2),
          isDryRun: choices.chance(0.1),
        });
  };
  const steps = 3 + choices.int(5);
  for (let step = 0; step < steps; step++) {
    name = choices.chance(0.3) ? "none" : choices.pick(Object.keys(FAULTS));
    if (choices.chance(0.4)) {
      document = shop(String(20240101 + choices.int(9)), {
        title: `T${choices.int(3)}`,
      });
      genuine.add(documentDigest(document));
    }
    if (choices.chance(0.2)) damageCache(cache, choices);
    const isDamaged = choices.chance(0.15);
    if (isDamaged) damageProject(project, choices);
    const before = project.state();
    const results = await Promise.all(
      choices.chance(0.2) ? [run(), run()] : [run()],
    );
    const after = project.state();
    const context = `step ${step}, ${name}: ${results.flatMap(({ findings }) => findings).join("; ")}`;
    if (after.document !== before.document)
      expect(genuine, context).toContain(
        documentDigest(JSON.parse(after.document!)),
      );
    for (const { digest } of lockOf(after.lock).values())
      expect(genuine, context).toContain(digest);
    expectGenuineCache(cache, genuine, context);
    expect(JSON.stringify([after, results]), context).not.toContain(SECRET);
  }
  name = "none";
  // A loaded machine can take longer than the limits of the faults.
  const limits = { ...environment.limits, total: 60_000, idle: 60_000 };
  const patient = { ...environment, limits };
  const healthy = await project.update({
    environment: patient,
    isForced: true,
  });
  expect(healthy.findings).toEqual([]);
  const { document: stored, lock } = project.state();
  expect(JSON.parse(stored!)).toMatchObject({
    ...document,
    revision: expect.any(String) as string,
  });
  expect(lockOf(lock).get(SHOP.id)?.digest).toBe(
    documentDigest(JSON.parse(stored!)),
  );
  expect(
    (await project.ensure({ environment: patient, isFrozen: true })).findings,
  ).toEqual([]);
}

function lockOf(text: string | undefined): ReturnType<typeof parseLock> {
  return parseLock(text ?? "{}");
}

/** Checks each body that a run would accept from the cache. */
function expectGenuineCache(
  cache: string,
  genuine: ReadonlySet<string>,
  context: string,
): void {
  const folder = path.join(cache, "discovery-codegen");
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder, {
    recursive: true,
    encoding: "utf8",
  })) {
    const file = path.join(folder, name);
    if (!/documents.*\.(json|body)$/.test(name)) continue;
    expect(readFileSync(file, "utf8"), context).not.toContain(SECRET);
  }
  if (!existsSync(path.join(folder, "documents"))) return;
  for (const name of readdirSync(path.join(folder, "documents")).filter(
    (entry) => entry.endsWith(".json"),
  )) {
    const entry = readEntry(path.join(folder, "documents", name));
    if (entry === undefined) continue;
    if (entry.url.endsWith(LIST))
      expect(entry.value, context).toHaveProperty("items");
    else expect(genuine, context).toContain(documentDigest(entry.value));
  }
}

/** Reads an entry of the cache as a run does; undefined if it is damaged. */
function readEntry(file: string): { url: string; value: unknown } | undefined {
  try {
    const { url } = JSON.parse(readFileSync(file, "utf8")) as { url: string };
    const cached = new DocumentCache(path.dirname(file) + "-project").read(url);
    return cached === undefined
      ? undefined
      : { url, value: JSON.parse(cached.bytes.toString()) };
  } catch {
    return undefined;
  }
}
