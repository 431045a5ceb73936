import { connect } from "node:net";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import {
  toNodeListener,
  type Incoming,
  type NodeListenerOptions,
  type Server,
} from "../../../src/runtime/server/index.js";

/** A request in memory, of which the tests see how much was read. */
export interface MadeRequest extends Incoming {
  /** Bytes that were asked for. */
  readonly taken: number;
}

/** Makes a request in memory. */
export function request(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  pieces: Iterable<Uint8Array | string> = [],
): MadeRequest {
  const encoder = new TextEncoder();
  const made = {
    method,
    target,
    taken: 0,
    origin: "http://localhost",
    remoteAddress: "127.0.0.1",
    raw: {},
    signal: new AbortController().signal,
    header: (name: string) => headers[name],
    async text(limit: number): Promise<string> {
      let text = "";
      for await (const piece of made.chunks()) {
        text += new TextDecoder().decode(piece);
        if (text.length > limit) break;
      }
      return text;
    },
    async *chunks(): AsyncGenerator<Uint8Array> {
      for (const piece of pieces) {
        const bytes = typeof piece === "string" ? encoder.encode(piece) : piece;
        made.taken += bytes.length;
        yield bytes;
      }
    },
  };
  return made;
}

/** A response as text. */
export interface Told {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** Answers a request in memory, and reads the response. */
export async function ask(server: Server, made: Incoming): Promise<Told> {
  const { status, headers, body } = await server.handle(made);
  let text = "";
  if (typeof body === "string") text = body;
  else if (body instanceof Uint8Array) text = new TextDecoder().decode(body);
  else if (body !== undefined)
    for await (const piece of body)
      text +=
        typeof piece === "string" ? piece : new TextDecoder().decode(piece);
  return { status, headers, text };
}

/** Serves on a free port of the loopback interface; gives the port. */
export async function serve(
  server: Server,
  options?: NodeListenerOptions,
): Promise<number> {
  const listener = http.createServer(toNodeListener(server, options));
  onTestFinished(() => {
    listener.close();
    listener.closeAllConnections();
  });
  await new Promise<void>((resolve) =>
    listener.listen(0, "127.0.0.1", resolve),
  );
  return (listener.address() as AddressInfo).port;
}

/** A connection that sends bytes as they are, and collects what comes back. */
export class RawConnection {
  /** All that came. */
  received = "";
  isClosed = false;
  readonly #socket;
  #wake = (): void => {};

  constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", allowHalfOpen: false });
    this.#socket.on("data", (chunk) => {
      this.received += chunk.toString("latin1");
      this.#wake();
    });
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => {
      this.isClosed = true;
      this.#wake();
    });
    onTestFinished(() => void this.#socket.destroy());
  }

  /** Sends, and waits until the system has taken all. */
  async send(bytes: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve) =>
      this.#socket.write(bytes, () => resolve()),
    );
  }

  /** Sends as blocking clients do: nothing is read before all is sent. */
  async sendBlocking(bytes: string | Uint8Array): Promise<void> {
    this.#socket.pause();
    await this.send(bytes);
    this.#socket.resume();
  }

  /** Waits until what came fits, or the connection is closed. */
  async until(form: RegExp): Promise<string> {
    while (!form.test(this.received) && !this.isClosed)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.received;
  }
}
