import type { Diagnostic } from "../diagnostics/types.js";
import { load } from "../generate/read-model.js";
import { handleFetch } from "../runtime/server/fetch.js";
import type { Incoming, Outgoing } from "../runtime/server/request.js";
import type { Fault, RecordedRequest } from "./control.js";
import type { MockData } from "./data.js";
import type { MockOptions, UntypedService } from "./options.js";

export type { Fault, Latency, RecordedRequest } from "./control.js";
export type { MockData } from "./data.js";
export type { MockHandlers, MockOptions, UntypedService } from "./options.js";

/** Server that imitates the described APIs. */
export interface Mock {
  /**
   * Function to pass to a client as its `fetch` option. The host of the URL is
   * ignored.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Handles a request. Intended for adapters such as `toNodeListener`. Never
   * throws.
   */
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  /**
   * Makes the next calls fail. Faults apply in the order of `fail`, each to the
   * given number of calls.
   *
   * @throws RangeError for an invalid fault, or a method that no API has
   */
  fail(fault: Fault): void;
  /**
   * Returns the requests that the mock received, oldest first: the last 10,000,
   * of at most 64 MiB. Credentials are replaced with `[removed]`. The filter
   * selects a method by its id, or several by the start of their ids and `*`.
   *
   * @throws RangeError for a method that no API has
   */
  requests(filter?: { readonly method?: string }): RecordedRequest[];
  /**
   * Returns all resources that were loaded, created or changed, and uploaded
   * content, as JSON. The option `data` accepts the result.
   */
  state(): MockData;
  /**
   * Returns to the state at the start, and deletes pending faults and recorded
   * requests.
   */
  reset(): void;
  /**
   * Listens for HTTP requests, and serves `/__mock/` to programs on the same
   * machine.
   *
   * @param port default: a free port
   * @param host address; default: `127.0.0.1`
   * @returns the port, and the root URL of the server with a trailing slash
   * @throws the error that prevents Node from listening
   */
  listen(
    port?: number,
    host?: string,
  ): Promise<{ readonly port: number; readonly rootUrl: string }>;
  /** Rejects further requests and waits for requests in flight. */
  close(): Promise<void>;
}

/** Error for documents or data that can't be mocked. */
export class MockError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    super(
      errors
        .map(
          ({ file = "mock", code, message }) => `${file}: ${code}: ${message}`,
        )
        .join("\n"),
    );
    this.name = "MockError";
    this.diagnostics = diagnostics;
  }
}

/**
 * Starts an in-memory mock of APIs. It responds with plausible data, which is
 * the same in every run. Callers can create, change, list and delete resources.
 *
 * @param spec files, folders or globs, or a parsed document
 * @throws MockError if a document or the data can't be used, or if two documents
 *   have the same paths
 * @typeParam S service interface of the generated server, such as
 *   `DriveService`, which gives `handlers` their types.
 */
export async function mock<S extends object = UntypedService>(
  spec: string | readonly string[] | Readonly<Record<string, unknown>>,
  options: MockOptions<S> = {},
): Promise<Mock> {
  // The module is imported on demand, so that programs that only generate start
  // faster.
  const { isReset, listenTo, mockDocuments, startMock } =
    await import("./index.js");
  const untyped = options as MockOptions;
  const { fake, diagnostics } = isDocument(spec)
    ? mockDocuments([load(JSON.stringify(spec))], untyped)
    : await startMock(typeof spec === "string" ? [spec] : spec, untyped);
  if (fake === undefined) throw new MockError(diagnostics);
  const handle = (request: Incoming): Outgoing | Promise<Outgoing> =>
    fake.handle(request);
  const listening: Closable[] = [];
  return {
    handle,
    fetch: async (input, init) => {
      let wasReset = false;
      const response = await handleFetch(
        new Request(input, init),
        async (request) => {
          const outgoing = await handle(request);
          wasReset = isReset(outgoing);
          return outgoing;
        },
      );
      if (wasReset)
        throw new TypeError("fetch failed", {
          cause: Object.assign(new Error("read ECONNRESET"), {
            code: "ECONNRESET",
          }),
        });
      return response;
    },
    fail: (fault) => fake.control.fail(fault),
    requests: (filter) => fake.control.requests(filter?.method),
    state: () => fake.state(),
    reset: () => fake.reset(),
    listen: async (port = 0, host = "127.0.0.1") => {
      const server = await listenTo(fake, port, host).catch(explainPort);
      listening.push(server);
      return { port: server.port, rootUrl: server.rootUrl };
    },
    close: async () => {
      await Promise.all(listening.map((server) => server.close()));
      await fake.close();
    },
  };
}

/** Adds the fix to the error for a port that another server uses. */
function explainPort(error: unknown): never {
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
    error.message += "; pass another port, or 0 to listen on a free one";
  throw error;
}

type Closable = { close(): Promise<void> };

function isDocument(
  spec: string | readonly string[] | Readonly<Record<string, unknown>>,
): spec is Readonly<Record<string, unknown>> {
  return typeof spec === "object" && !Array.isArray(spec);
}
