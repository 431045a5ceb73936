import type { Diagnostic } from "../diagnostics/types.js";
import { load } from "../generate/load-model.js";
import { handleFetch } from "../runtime/server/fetch.js";
import type { Incoming, Outgoing } from "../runtime/server/request.js";
import { dispatchToMock, mockDocuments, startMock } from "./index.js";
import type { MockOptions } from "./options.js";

export type { MockOptions } from "./options.js";

/** In-memory server that behaves like the described APIs. */
export interface Mock {
  /** Function for the client option `fetch`. Ignores the host of the URL. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Handles a request; for adapters such as `toNodeListener`. Never throws. */
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  /** Refuses further requests and waits for those in flight. */
  close(): Promise<void>;
}

/** Reports documents that can't be mocked. */
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
 * the same on every run, and lets callers create, change, list and delete
 * resources.
 *
 * @param spec files, folders or globs, or a parsed document
 * @throws MockError if a document can't be used, or two documents have the same
 * paths
 */
export async function mock(
  spec: string | readonly string[] | Readonly<Record<string, unknown>>,
  options: MockOptions = {},
): Promise<Mock> {
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
