import type { Incoming, Outgoing } from "../runtime/server/request.js";
import { isStream } from "../runtime/server/request.js";
import type { Control } from "./control.js";
import { handleControl, isControlPath } from "./control-http.js";
import type { MockData } from "./data.js";
import type { DataOf, MockedApi } from "./mocked-api.js";
import { matchesPrefix } from "./paths.js";

/** Mocked APIs that share a server, their faults and their journal. */
export class Fake {
  /** State at the start, to which {@link reset} returns. */
  readonly #start: MockData;

  constructor(
    readonly apis: readonly MockedApi[],
    readonly control: Control,
    readonly dataOf: DataOf,
  ) {
    this.#start = this.state();
  }

  /**
   * Returns all resources that were loaded, created or changed, in the format
   * of the option `data`.
   */
  state(): MockData {
    const { apis } = this;
    if (apis.length === 1) return apis[0]!.server.state();
    return Object.fromEntries(
      apis.map(({ name, version, server }) => [
        `${name}:${version}`,
        server.state(),
      ]),
    );
  }

  /**
   * Replaces all resources with those of a state or of data.
   *
   * @throws DataError if the data does not fit the APIs; the resources are then
   *   unchanged
   */
  load(data: MockData): void {
    const before = this.state();
    try {
      this.#replace(data);
    } catch (error) {
      this.#replace(before);
      throw error;
    }
  }

  #replace(data: MockData): void {
    for (const api of this.apis) {
      api.server.clear();
      api.server.load(this.dataOf(data, api));
    }
  }

  /**
   * Returns to the state at the start, and deletes pending faults and recorded
   * requests.
   */
  reset(): void {
    this.#replace(this.#start);
    this.control.reset();
  }

  /**
   * Passes a request to the API that serves its path. If there is only one API,
   * it receives all requests except those below `/__mock/`.
   */
  handle(request: Incoming): Outgoing | Promise<Outgoing> {
    if (isControlPath(request.target)) return handleControl(this, request);
    const response = this.#apiFor(request.target)?.handle(request);
    if (response === undefined) return notFound();
    return response instanceof Promise
      ? response.then((settled) => this.#broken(request, settled))
      : this.#broken(request, response);
  }

  #apiFor(target: string): MockedApi | undefined {
    const { apis } = this;
    if (apis.length === 1) return apis[0];
    return (
      apis.find(({ paths }) => matchesPrefix(target, paths)) ??
      mockWithBatchPath(apis, target)
    );
  }

  /** Applies the faults `reset` and `truncate` to a response. */
  #broken(request: Incoming, response: Outgoing): Outgoing {
    const breakage = this.control.breakageOf(request);
    if (breakage === undefined) return response;
    if (breakage === "reset") closeConnection(request.raw);
    return breakage === "reset" ? reset(response) : truncated(response);
  }

  async close(): Promise<void> {
    await Promise.all(this.apis.map((api) => api.close()));
  }
}

/** Responses whose connection the mock has closed. */
const resets = new WeakSet<Outgoing>();

function reset(response: Outgoing): Outgoing {
  resets.add(response);
  return response;
}

/** Tests whether the connection of a response was closed by a fault. */
export function isReset(response: Outgoing): boolean {
  return resets.has(response);
}

/** Closes the socket of a Node request, with a TCP reset if possible. */
function closeConnection(raw: unknown): void {
  const { socket } = Object(raw) as { socket?: Partial<Socket> };
  if (socket?.resetAndDestroy !== undefined) socket.resetAndDestroy();
  else socket?.destroy?.();
}

interface Socket {
  resetAndDestroy(): void;
  destroy(): void;
}

/**
 * Returns a response that has the length of the complete body, and fails after
 * half of the body. A stream fails after its first chunk.
 */
function truncated(response: Outgoing): Outgoing {
  const { body, headers } = response;
  if (isStream(body)) return { ...response, body: firstChunkOf(body) };
  const bytes = Buffer.from(body ?? "");
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  return {
    ...response,
    headers: { ...headers, "content-length": String(bytes.length) },
    body: firstChunkOf([half]),
  };
}

async function* firstChunkOf(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array | string> {
  for await (const chunk of chunks) {
    yield chunk;
    break;
  }
  // The chunk is sent before the connection is closed.
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error("The mock is configured to truncate the response.");
}

function mockWithBatchPath(
  apis: readonly MockedApi[],
  target: string,
): MockedApi | undefined {
  const candidates = apis.filter(
    ({ batchPath }) =>
      batchPath !== undefined && matchesPrefix(target, [batchPath]),
  );
  return candidates.length === 1 ? candidates[0] : undefined;
}

function notFound(): Outgoing {
  return {
    status: 404,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: '{"error":{"code":404,"message":"No mocked API has this path."}}\n',
  };
}
