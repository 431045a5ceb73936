import {
  apisOfHost,
  describeApis,
  type Descriptions,
} from "../runtime/server/descriptions.js";
import type { Incoming, Outgoing } from "../runtime/server/request.js";
import { isStream } from "../runtime/server/request.js";
import type { Control } from "./control.js";
import { handleControl, isControlPath } from "./control-http.js";
import { checkApiNames, type MockData } from "./data.js";
import type { DataOf, MockedApi } from "./mocked-api.js";
import { matchesPrefix } from "./paths.js";

/** Mocked APIs that share a server, their faults and their journal. */
export class Fake {
  /** State at the start, to which {@link reset} returns. */
  readonly #start: MockData;
  readonly #descriptions: Descriptions;

  constructor(
    readonly apis: readonly MockedApi[],
    readonly control: Control,
    readonly dataOf: DataOf,
  ) {
    this.#start = this.state();
    // listenTo and the host of `gen serve` check the names of hosts.
    this.#descriptions = describeApis(
      apis.map(({ document, root }) => ({ document, basePath: root })),
      { hosts: "*" },
    );
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
    if (this.apis.length > 1) checkApiNames(data, this.apis);
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

  /** Hosts of the APIs, such as `drive.googleapis.com`. */
  get hosts(): readonly string[] {
    return this.apis.map(({ host }) => host).filter((host) => host !== "");
  }

  /**
   * Passes a request to the API that serves its path. If there is only one API,
   * it receives all requests, except those below `/__mock/` and those for
   * descriptions.
   */
  handle(request: Incoming): Outgoing | Promise<Outgoing> {
    if (isControlPath(request.target)) return handleControl(this, request);
    const apis = this.#apisFor(request);
    if (apis.length > 1) return ambiguous(apis);
    const [api] = apis;
    const description = this.#describe(request);
    if (description !== undefined && api?.serves(request.target) !== true)
      return description;
    if (api === undefined) return notFound();
    const response = api.handle(request);
    return response instanceof Promise
      ? response.then((settled) => this.#broken(request, settled))
      : this.#broken(request, response);
  }

  /**
   * Returns the APIs that the host of a request names, such as
   * `drive.localhost` or `drive.googleapis.com`, and that serve its path; without
   * such a host, all APIs that serve the path.
   */
  #apisFor(request: Incoming): readonly MockedApi[] {
    const { apis } = this;
    if (apis.length === 1) return apis;
    const { target } = request;
    const named = apisOfHost(apis, request.header("host"));
    const candidates = named.length > 0 ? named : apis;
    if (named.length === 1) return named;
    const serving = candidates.filter(({ paths }) =>
      matchesPrefix(target, paths),
    );
    if (serving.length < 2)
      return serving.length === 1 ? serving : batchApi(candidates, target);
    const exact = serving.filter((api) => api.serves(target));
    return exact.length > 0 ? exact : serving.slice(0, 1);
  }

  #describe(request: Incoming): Outgoing | undefined {
    const [path = "", query = ""] = request.target.slice(1).split("?", 2);
    return this.#descriptions.respond(request, {
      path,
      query,
      basePath: "",
      isFixedOrigin: false,
    });
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

/** APIs whose batch path is the target; empty if several APIs have this path. */
function batchApi(
  apis: readonly MockedApi[],
  target: string,
): readonly MockedApi[] {
  const candidates = apis.filter(
    ({ batchPath }) =>
      batchPath !== undefined && matchesPrefix(target, [batchPath]),
  );
  return candidates.length === 1 ? candidates : [];
}

/** Response to a request that several APIs can serve. */
function ambiguous(apis: readonly MockedApi[]): Outgoing {
  const names = apis.map(({ name, version }) => `${name}:${version}`);
  const hosts = apis.map(({ name }) => `${name}.localhost`);
  return failure(
    421,
    `${names.join(" and ")} serve this path; use the host name ${[...new Set(hosts)].join(" or ")}, or start the mock with --prefix.`,
  );
}

/** Response to a request whose host name belongs to another machine. */
export function misdirected(): Outgoing {
  return failure(
    421,
    "The mock does not accept this host name; use a loopback name such as localhost or 127.0.0.1, or the host of a mocked API.",
  );
}

function notFound(): Outgoing {
  return failure(404, "No mocked API has this path.");
}

function failure(code: number, message: string): Outgoing {
  return {
    status: code,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: `${JSON.stringify({ error: { code, message } })}\n`,
  };
}
