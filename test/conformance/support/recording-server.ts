import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** Request of a program without differences that have no meaning. */
type Recorded = readonly unknown[];

/** Members of responses that are lists. */
const LISTS = [
  "changes",
  "connections",
  "entries",
  "files",
  "history",
  "items",
  "messages",
  "permissions",
  "projects",
  "responses",
  "rows",
  "rrsets",
  "tasks",
];

/**
 * Responds as APIs, token servers and the metadata server of Google would. The first
 * segment of a path is the name of a program, and the second one the host that the
 * program named.
 */
export class RecordingServer {
  readonly #requests = new Map<string, Recorded[]>();
  /** Resumable uploads that have begun. */
  readonly #uploads: { readonly start: Sent; content: string }[] = [];
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const [, program = "", host = "", ...path] = request.url!.split("/");
      this.#respond(
        program,
        {
          method: request.method!,
          url: new URL(`http://${apiHost(host)}/${path.join("/")}`),
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        },
        response,
      );
    });
  });

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Returns the requests of a program since the last call, in a fixed order. */
  take(program: string): readonly string[] {
    const list = this.#requests.get(program) ?? [];
    this.#requests.delete(program);
    return list.map((one) => JSON.stringify(one)).sort();
  }

  #respond(program: string, request: Sent, response: ServerResponse): void {
    const { url, headers, body } = request;
    if (url.pathname.startsWith("/batch/")) {
      const boundary = /boundary="?([^";]+)/.exec(
        headers["content-type"]!,
      )![1]!;
      const parts = body.split(`--${boundary}`).slice(1, -1);
      const list = parts.map((part) => {
        const [, head, ...rest] = part.split("\r\n\r\n");
        const [line, ...fields] = (head ?? "").split("\r\n");
        const [method = "", target = ""] = line!.split(" ");
        const inner: Sent = {
          method,
          url: new URL(target, url),
          headers: { ...headers, ...fieldsOf(fields) },
          body: rest.join("\r\n\r\n").trim(),
        };
        const result = this.#record(program, inner);
        return `--answer\r\nContent-Type: application/http\r\nContent-ID: ${(/content-id: *(.*)/i.exec(part)?.[1] ?? "").replace("<", "<response-")}\r\n\r\nHTTP/1.1 ${result.status} OK\r\nContent-Type: application/json\r\n\r\n${result.body}\r\n`;
      });
      response.writeHead(200, {
        "content-type": "multipart/mixed; boundary=answer",
      });
      response.end(`${list.join("")}--answer--`);
      return;
    }
    if (this.#upload(program, request, response)) return;
    const result = this.#record(program, request);
    response.writeHead(result.status, {
      "content-type": result.type,
      ...(url.pathname.startsWith("/computeMetadata")
        ? { "metadata-flavor": "Google" }
        : {}),
    });
    response.end(result.body);
  }

  /** Responds to the requests of a resumable upload, and records it as one request. */
  #upload(program: string, request: Sent, response: ServerResponse): boolean {
    const { url, headers, body } = request;
    const id = url.searchParams.get("upload_id");
    if (id === null) {
      if (url.searchParams.get("uploadType") !== "resumable") return false;
      this.#uploads.push({ start: request, content: "" });
      const session = `https://${url.host}${url.pathname}?upload_id=${this.#uploads.length - 1}`;
      response.writeHead(200, { location: session }).end();
      return true;
    }
    const upload = this.#uploads[Number(id)]!;
    upload.content += body;
    const range = headers["content-range"] ?? "";
    if (range.endsWith("/*")) {
      const last = Buffer.byteLength(upload.content) - 1;
      response.writeHead(308, { range: `bytes=0-${last}` }).end();
      return true;
    }
    const result = this.#record(program, oneRequest(upload));
    response.writeHead(result.status, { "content-type": result.type });
    response.end(result.body);
    return true;
  }

  #record(program: string, request: Sent): Result {
    const list = this.#requests.get(program) ?? [];
    this.#requests.set(program, list);
    const recorded = normal(request);
    list.push(recorded);
    return resultOf(request, recorded);
  }
}

interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Result {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Returns the request that uploads metadata and content together. */
function oneRequest({
  start,
  content,
}: {
  readonly start: Sent;
  readonly content: string;
}): Sent {
  const type = String(
    start.headers["x-upload-content-type"] ?? "application/octet-stream",
  );
  if (start.body === "")
    return {
      ...start,
      headers: { ...start.headers, "content-type": type },
      body: content,
    };
  return {
    ...start,
    headers: {
      ...start.headers,
      "content-type": "multipart/related; boundary=parts",
    },
    body: `--parts\ncontent-type: application/json\n\n${start.body}\n--parts\ncontent-type: ${type}\n\n${content}\n--parts--`,
  };
}

function fieldsOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", value = ""] = line.split(/: */);
      return [name.toLowerCase(), value];
    }),
  );
}

/** gapi sends requests to hosts of its own, and addresses have the metadata server. */
function apiHost(host: string): string {
  if (host === "content.googleapis.com") return "www.googleapis.com";
  if (["169.254.169.254", "metadata.google.internal."].includes(host))
    return "metadata.google.internal";
  return host.replace(/^content-/, "");
}

function normal({ method, url, headers, body }: Sent): Recorded {
  const type = headers["content-type"] ?? "";
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1];
  const plain = (text: string): string =>
    boundary === undefined ? text : text.replaceAll(boundary, "BOUNDARY");
  const key = headers["x-goog-api-key"] ?? url.searchParams.get("key") ?? "";
  const query = new URLSearchParams(url.search);
  // Generated clients also send a requestId if the method declares one, so that
  // a retry has no second effect.
  for (const name of ["key", "alt", "prettyPrint", "requestId"])
    query.delete(name);
  query.sort();
  return [
    method,
    `${url.host}${decodeURIComponent(url.pathname)}?${query.toString().replaceAll("%2C+", "%2C")}`,
    key,
    body === "" ? "" : plain(type).split(";")[0],
    bodyOf(type, plain(body)),
    headers.authorization,
    headers["x-goog-user-project"],
    headers["x-trace"],
    headers["x-team"],
  ];
}

function bodyOf(type: string, body: string): unknown {
  if (body.startsWith("{")) return JSON.parse(body) as unknown;
  if (!type.startsWith("application/x-www-form-urlencoded"))
    return normalParts(body);
  const form = new URLSearchParams(body);
  form.sort();
  return [...form].map(([name, value]) => [
    name,
    name === "assertion" ? claimsOf(value) : value,
  ]);
}

/** Returns the header and claims of a JWT without its times. */
function claimsOf(jwt: string): unknown {
  const [header, claims] = jwt
    .split(".")
    .slice(0, 2)
    .map(
      (part) => JSON.parse(Buffer.from(part, "base64url").toString()) as object,
    );
  const { typ: _typ, ...rest } = header as Record<string, unknown>;
  const sorted = Object.entries({ ...claims, iat: 0, exp: 0 }).sort();
  return [rest, sorted];
}

/** Removes differences of multipart bodies without meaning. */
function normalParts(body: string): string {
  return body
    .replaceAll("\r\n", "\n")
    .replace(/content-type: application\/json[^\n]*/gi, "content-type: json")
    .replace(/content-type:/gi, "content-type:")
    .trim();
}

function resultOf(request: Sent, recorded: Recorded): Result {
  const { url, headers } = request;
  const json = (value: unknown, status = 200): Result => ({
    status,
    type: "application/json",
    body: JSON.stringify(value),
  });
  const token = `token-${createHash("sha256").update(JSON.stringify(recorded)).digest("hex").slice(0, 8)}`;
  if (url.host === "metadata.google.internal")
    return url.pathname.endsWith("/token")
      ? json({ access_token: token, expires_in: 3600, token_type: "Bearer" })
      : { status: 200, type: "text/plain", body: "p" };
  if (url.host === "oauth2.googleapis.com")
    return json({
      access_token: token,
      expires_in: 3600,
      token_type: "Bearer",
      scope: "scope",
      refresh_token: "granted-refresh-token",
    });
  if (url.host === "iamcredentials.googleapis.com")
    return json({
      accessToken: token,
      expireTime: new Date(Date.now() + 3_600_000).toISOString(),
    });
  if (url.pathname.includes("/missing"))
    return json(
      { error: { code: 404, message: "not found", errors: [] } },
      404,
    );
  if (
    url.searchParams.get("alt") === "media" ||
    url.pathname.endsWith("/export")
  )
    return { status: 200, type: "text/plain", body: "content" };
  return json(valueOf(request, headers));
}

function valueOf({ url, body }: Sent, headers: IncomingHttpHeaders): object {
  const isJson = (headers["content-type"] ?? "").includes("json");
  const sent =
    isJson && body.startsWith("{")
      ? (JSON.parse(body) as Record<string, unknown>)
      : {};
  const token = url.searchParams.get("pageToken") ?? sent["pageToken"];
  return {
    id: "1",
    name: "one",
    status: "DONE",
    user: { displayName: "Ada" },
    ...(token === undefined || token === null ? { nextPageToken: "2" } : {}),
    ...Object.fromEntries(
      LISTS.map((list) => [list, [{ id: "f", name: token ?? "first" }]]),
    ),
    receivedMessages: [
      {
        ackId: "ack",
        message: { data: Buffer.from("text").toString("base64") },
      },
    ],
  };
}
