import type { Diagnostic } from "../diagnostics/types.js";
import { load } from "../generate/read-model.js";
import { handleFetch } from "../runtime/server/fetch.js";
import type { Incoming, Outgoing } from "../runtime/server/request.js";
import type { MockOptions } from "./index.js";

export type { MockOptions } from "./index.js";

/** In-memory server that imitates the described APIs. */
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
  /** Rejects further requests and waits for requests in flight. */
  close(): Promise<void>;
}

/** Error for documents that can't be mocked. */
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
 * @throws MockError if a document can't be used, or if two documents have the
 *   same paths
 */
export async function mock(
  spec: string | readonly string[] | Readonly<Record<string, unknown>>,
  options: MockOptions = {},
): Promise<Mock> {
  // The module is imported on demand, so that programs that only generate start
  // faster.
  const { dispatchToMock, mockDocuments, startMock } =
    await import("./index.js");
  const { apis, diagnostics } = isDocument(spec)
    ? mockDocuments([load(JSON.stringify(spec))], options)
    : await startMock(typeof spec === "string" ? [spec] : spec, options);
  if (diagnostics.some(({ severity }) => severity === "error"))
    throw new MockError(diagnostics);
  const handle = (request: Incoming): Outgoing | Promise<Outgoing> =>
    dispatchToMock(apis, request);
  return {
    handle,
    fetch: (input, init) => handleFetch(new Request(input, init), handle),
    close: async () => {
      await Promise.all(apis.map((api) => api.close()));
    },
  };
}

function isDocument(
  spec: string | readonly string[] | Readonly<Record<string, unknown>>,
): spec is Readonly<Record<string, unknown>> {
  return typeof spec === "object" && !Array.isArray(spec);
}
