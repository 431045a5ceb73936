import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Fault of one request to a session, or of the one that starts it: none; a
 * connection closed before the request is read, after some bytes, or instead of
 * the response; a status; bytes that are dropped; a response in another form.
 */
export type Fault =
  | { readonly kind: "none" | "cutFirst" | "lostAnswer" | "override" | "gone" }
  | { readonly kind: "cut" | "short"; readonly bytes: number }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly after: string;
    };

interface Session {
  data: Buffer;
  readonly metadata: string;
  readonly type: string | undefined;
  readonly announced: string | undefined;
  finished: boolean;
}

/** Server of resumable uploads with faults on request. */
export interface FaultServer {
  readonly root: string;
  /** Faults of the next requests, in order. */
  faults: Fault[];
  /** Finished uploads, in order. */
  readonly files: { readonly data: Buffer; readonly metadata: string }[];
  /** Methods and ranges of the requests, in order. */
  readonly log: string[];
  readonly sessions: Map<string, Session>;
  close(): Promise<void>;
}

export async function startFaultServer(): Promise<FaultServer> {
  const state = { faults: [], files: [], log: [], sessions: new Map() };
  const server = createServer((request, response) => {
    handle(state as never, request, response).catch(() => request.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    root: `http://127.0.0.1:${port}/`,
    close: () => close(server),
  });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => void server.close(() => done()));
}

async function handle(
  server: FaultServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url = "", headers } = request;
  const range = headers["content-range"];
  server.log.push(range ? `${method} ${range}` : `${method}`);
  const fault = server.faults.shift() ?? { kind: "none" };
  if (fault.kind == "cutFirst") return void response.destroy();
  const body = await read(request, fault);
  if (fault.kind == "status") {
    const wish = fault.after ? { "retry-after": fault.after } : {};
    return answer(response, fault.status, wish);
  }
  if (url.startsWith("/session/"))
    return session(server, request, response, url, body, fault);
  if (fault.kind == "lostAnswer" || fault.kind == "cut")
    return void response.destroy();
  const id = `/session/${server.sessions.size}?upload_id=secret`;
  server.sessions.set(id, {
    data: Buffer.alloc(0),
    metadata: body.toString(),
    type: headers["x-upload-content-type"] as string | undefined,
    announced: headers["x-upload-content-length"] as string | undefined,
    finished: false,
  });
  answer(response, 200, { location: `http://${headers.host}${id}` });
}

/** Returns the body, or its beginning if the fault closes the connection. */
async function read(request: IncomingMessage, fault: Fault): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  const { socket } = request;
  for await (const part of request as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (fault.kind == "cut" && length >= fault.bytes) {
      socket.destroy();
      break;
    }
  }
  return Buffer.concat(parts);
}

function session(
  server: FaultServer,
  request: IncomingMessage,
  response: ServerResponse,
  url: string,
  body: Buffer,
  fault: Fault,
): void {
  const one = server.sessions.get(url);
  if (!one) return answer(response, 404);
  if (request.method == "DELETE" || fault.kind == "gone") {
    server.sessions.delete(url);
    return answer(response, fault.kind == "gone" ? 410 : 499);
  }
  const range = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(
    request.headers["content-range"] ?? "",
  );
  if (!range) return answer(response, 400);
  const total = range[3] == "*" ? undefined : Number(range[3]);
  const announced = one.announced && Number(one.announced);
  if (total !== undefined && announced && announced != total)
    return answer(response, 400);
  if (!one.finished) {
    const bad = store(one, range, body, fault);
    if (bad) return answer(response, bad);
    if (total == one.data.length) finish(server, one);
  }
  if (fault.kind == "lostAnswer" || fault.kind == "cut")
    return void response.destroy();
  if (one.finished)
    return answer(response, 200, {}, { size: String(one.data.length) });
  const last = one.data.length - 1;
  const kept: Record<string, string> =
    last < 0 ? {} : { range: `bytes=0-${last}` };
  if (fault.kind == "override")
    answer(response, 200, { ...kept, "x-http-status-code-override": "308" });
  else answer(response, 308, kept);
}

/** Stores new bytes; returns an error status for a wrong range. */
function store(
  one: Session,
  [, first, last]: RegExpExecArray,
  body: Buffer,
  fault: Fault,
): number | undefined {
  if (first === undefined) return undefined;
  const from = Number(first);
  if (from > one.data.length) return 503;
  if (fault.kind != "cut" && body.length != Number(last) - from + 1) return 400;
  const limit =
    fault.kind == "short" || fault.kind == "cut" ? fault.bytes : Infinity;
  const fresh = body.subarray(one.data.length - from).subarray(0, limit);
  one.data = Buffer.concat([one.data, fresh]);
  return undefined;
}

function finish(server: FaultServer, one: Session): void {
  one.finished = true;
  server.files.push({ data: one.data, metadata: one.metadata });
}

function answer(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
  value?: unknown,
): void {
  const body = value === undefined ? "" : JSON.stringify(value);
  const type = body ? { "content-type": "application/json" } : {};
  response.writeHead(status, {
    ...type,
    "content-length": body.length,
    ...headers,
  });
  response.end(body);
}
