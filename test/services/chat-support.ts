import http from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createHash } from "node:crypto";
import { start } from "../../src/services/chat/index.js";
import { listen } from "../../src/services/host.js";
import type {
  LogLine,
  Service,
  ServiceContext,
} from "../../src/services/service.js";
import { memoryStore } from "../../src/services/store/open.js";
import type { Store } from "../../src/services/store/store.js";

/** Current time of the services under test. */
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

export function contextOf(
  config: unknown,
  log: (line: LogLine) => void = () => {},
  now: () => number = () => NOW,
  store: Store = memoryStore(),
): ServiceContext {
  return { store, now, log, folder: undefined, config };
}

export function hashed(key: string): string {
  return `sha256:${createHash("sha256").update(key).digest("hex")}`;
}

export const KEYS = [{ name: "tests", key: hashed("test-key") }];

/** Chat service on a local port, and the lines of its log. */
export interface Running {
  readonly origin: string;
  readonly lines: LogLine[];
  readonly service: Service;
  close(): Promise<void>;
}

/** Serves a config until the test ends. */
export async function serve(
  config: object,
  now?: () => number,
  store?: Store,
): Promise<Running> {
  const lines: LogLine[] = [];
  const context = contextOf(config, (line) => lines.push(line), now, store);
  const { log } = context;
  const service = Object.assign(await start(context), { name: "chat" });
  const host = await listen([service], { log });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await host.close();
    isClosed = true;
  };
  onTestFinished(close);
  return { origin: host.origin, lines, service, close };
}

/** Posts a body, an object as JSON or a text unchanged, and returns the response. */
export function post(
  origin: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${origin}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: "Bearer test-key",
      "content-type": "application/json",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Returns a request with one user message. */
export function ask(content: unknown, more: object = {}): object {
  return {
    model: "test-model",
    messages: [{ role: "user", content }],
    ...more,
  };
}

/** Returns the data of all events of a stream. */
export function dataOf(text: string): string[] {
  const events = text.split("\n\n");
  if (events.pop() !== "") throw new Error("the stream ends within an event");
  return events.map((event) => {
    if (!event.startsWith("data: ")) throw new Error(`no data: ${event}`);
    return event.slice(6);
  });
}

/** Starts a backend; returns its base URL. */
export async function backEnd(listener: http.RequestListener): Promise<string> {
  const server = http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/v1`;
}

/** Reads the text of a request. */
export async function bodyOf(request: http.IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
}
