import { onTestFinished, expect, test } from "vitest";
import { listen, type Host } from "../../src/services/host.js";
import type { HostedService } from "../../src/services/request-dispatcher.js";
import { addLogFields } from "../../src/services/log.js";
import type { LogLine } from "../../src/services/service.js";
import { services } from "../../src/services/table.js";
import { serve } from "./support.js";

const BOUNDARY = "between";
const TYPE = { "content-type": `multipart/mixed; boundary=${BOUNDARY}` };

/** Builds a batch of calls, each a request line with optional headers and body. */
function batchOf(calls: readonly string[]): string {
  const parts = calls.map(
    (call, index) =>
      `--${BOUNDARY}\r\nContent-Type: application/http\r\nContent-ID: <${index}>\r\n\r\n${call}\r\n`,
  );
  return `${parts.join("")}--${BOUNDARY}--`;
}

function post(
  origin: string,
  calls: readonly string[],
  headers: Record<string, string> = TYPE,
): Promise<Response> {
  const body = batchOf(calls);
  return fetch(`${origin}/batch`, { method: "POST", headers, body });
}

interface Part {
  readonly id: string;
  readonly status: number;
  readonly body: string;
}

/** Parses the responses of a batch. */
async function partsOf(response: Response): Promise<Part[]> {
  expect(response.status).toBe(200);
  const type = response.headers.get("content-type")!;
  const boundary = /^multipart\/mixed; boundary=(\S+)$/.exec(type)![1]!;
  const pieces = (await response.text()).split(`--${boundary}`).slice(1, -1);
  return pieces.map((piece) => {
    const [, id = ""] = /content-id: <response-(.*)>/i.exec(piece)!;
    const [, status = ""] = /HTTP\/1\.1 (\d{3})/.exec(piece)!;
    const [, , ...body] = piece.split("\r\n\r\n");
    return { id, status: Number(status), body: body.join("\r\n\r\n").trim() };
  });
}

/** Service that responds with its name and the request. */
function echo(name: string, ...paths: string[]): HostedService {
  return {
    name,
    paths,
    handle: (request) => {
      addLogFields(request, { method: `${name}.${request.method}` });
      return { status: 200, headers: {}, body: `${name} ${request.target}` };
    },
    close: async () => {},
  };
}

async function hostOf(
  hosted: readonly HostedService[],
  log: LogLine[] = [],
): Promise<Host> {
  const host = await listen(hosted, { log: (line) => log.push(line) });
  onTestFinished(() => host.close());
  return host;
}

test("dispatches calls of a batch to the services with their paths, in order", async () => {
  const { origin, log } = await serve({ rows: services, isDemo: true });
  const key = "Authorization: Bearer test-key";
  const completion = JSON.stringify({
    model: "test-model",
    messages: [{ role: "user", content: "Hello" }],
  });
  const answers = await partsOf(
    await post(
      origin,
      [
        "GET /discovery/v1/apis/chat/v1/rest HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n",
        `POST /v1/chat/completions\r\n${key}\r\nContent-Type: application/json\r\n\r\n${completion}`,
        "GET /api/items/item?api_key=test-key&item_id=1 HTTP/1.1\r\n\r\n",
        "GET /orgs/acme/migrations\r\nAuthorization: token owner-token\r\n\r\n",
        "GET /no/such/path HTTP/1.1\r\n\r\n",
        "GET /v1/models HTTP/1.1\r\n\r\n",
        "no request at all",
      ],
      // Calls inherit this header; parts of a batch must not be compressed.
      { ...TYPE, "accept-encoding": "br, gzip" },
    ),
  );
  expect(answers.map(({ id, status }) => [id, status])).toEqual([
    ["0", 200],
    ["1", 200],
    ["2", 200],
    ["3", 200],
    ["4", 404],
    ["5", 401],
    ["6", 400],
  ]);
  const values = answers.map(({ body }) => JSON.parse(body) as unknown);
  expect(values).toMatchObject([
    { id: "chat:v1" },
    { choices: [{ message: { content: "Hello" } }] },
    { item: { id: 1 } },
    [],
    { error: { code: 404 } },
    { error: { type: expect.any(String) } },
    { error: { code: 400 } },
  ]);
  const lines = log
    .filter(({ event }) => event === "request")
    .map(({ service, method, httpMethod, status }) =>
      [service, method ?? "-", httpMethod, status].join(" "),
    );
  expect(lines.sort()).toEqual([
    "chat chat.chat.completions.create POST 200",
    "chat chat.models.list GET 401",
    "directory discovery.apis.getRest GET 200",
    "host - GET 404",
    "host - POST 200",
    "marketplace marketplace.items.item GET 200",
    "migration migration.migrations.listForOrg GET 200",
  ]);
  expect(JSON.stringify(log)).not.toMatch(/test-key|owner-token|Hello/);
});

test("logs a line for each call and one for the batch", async () => {
  const log: LogLine[] = [];
  const { origin } = await hostOf([echo("a", "/a"), echo("b", "/b")], log);
  await post(origin, ["GET /a", "DELETE /b", "GET /c"]);
  expect(log.map(({ service, method }) => [service, method])).toEqual([
    ["a", "a.GET"],
    ["b", "b.DELETE"],
    ["host", undefined],
    ["host", undefined],
  ]);
});

test("refuses a nested batch", async () => {
  const { origin } = await hostOf([echo("a", "/a")]);
  const inner = batchOf(["GET /a HTTP/1.1\r\n\r\n"]);
  const nested = `POST /batch HTTP/1.1\r\nContent-Type: ${TYPE["content-type"]}2\r\n\r\n${inner.replaceAll(BOUNDARY, `${BOUNDARY}2`)}`;
  const [first, second] = await partsOf(await post(origin, [nested, "GET /a"]));
  expect(first).toMatchObject({
    status: 404,
    body: expect.stringContaining("No service has this path."),
  });
  expect(second).toMatchObject({ status: 200, body: "a /a" });
});

test("accepts 100 calls and refuses 101", async () => {
  const { origin } = await hostOf([echo("a", "/a")]);
  const calls = Array.from({ length: 101 }, (_, at) => `GET /a?${at}`);
  const answers = await partsOf(await post(origin, calls.slice(1)));
  expect(answers.map(({ body }) => body)).toEqual(
    calls.slice(1).map((_, at) => `a /a?${at + 1}`),
  );
  const refused = await post(origin, calls);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toEqual({
    error: { code: 400, message: "A batch must have at most 100 calls." },
  });
});

test.each([
  ["another type", "application/json", "{}"],
  ["no boundary", "multipart/mixed", batchOf(["GET /a"])],
  ["no calls", TYPE["content-type"], `--${BOUNDARY}--`],
  ["no end", TYPE["content-type"], `--${BOUNDARY}\r\n\r\nGET /a`],
  ["nothing", TYPE["content-type"], ""],
])("a batch of %s is a 400", async (_, type, body) => {
  const { origin } = await hostOf([echo("a", "/a")]);
  const headers = { "content-type": type };
  const sent = { method: "POST", headers, body };
  const answer = await fetch(`${origin}/batch`, sent);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({
    error: { code: 400, message: expect.stringMatching(/\w/) },
  });
});

test.each(["GET", "PUT", "DELETE"])("%s is no way to batch", async (method) => {
  const { origin } = await hostOf([echo("a", "/a")]);
  const answer = await fetch(`${origin}/batch`, { method });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
});

test("passes batches to a service with the path *", async () => {
  const { origin } = await hostOf([echo("a", "/a"), echo("all", "*")]);
  const answer = await post(origin, ["GET /a"]);
  expect(await answer.text()).toBe("all /batch");
});

test("an exception of a service fails only its call of a batch", async () => {
  const bug: HostedService = {
    paths: ["/bug"],
    handle: () => Promise.reject(new RangeError("secret")),
    close: async () => {},
  };
  const { origin } = await hostOf([bug, echo("a", "/a")]);
  const answers = await partsOf(await post(origin, ["GET /bug", "GET /a"]));
  expect(answers.map(({ status }) => status)).toEqual([500, 200]);
  expect(JSON.stringify(answers)).not.toContain("secret");
});

test("refuses calls that exceed the limits of a batch", async () => {
  const large = "x".repeat(4 * 1024 * 1024);
  const { origin } = await hostOf([
    {
      name: "large",
      paths: ["/large"],
      handle: () => ({ status: 200, headers: {}, body: large }),
      close: async () => {},
    },
  ]);
  const calls = Array.from({ length: 16 }, () => "GET /large HTTP/1.1\r\n");
  const parts = await partsOf(await post(origin, calls));
  const refused = parts.filter(({ status }) => status === 413);
  expect(parts[0]!.status).toBe(200);
  expect(refused.length).toBeGreaterThan(3);
});
