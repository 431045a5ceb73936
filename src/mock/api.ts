import type { Diagnostic } from "../diagnostics/types.js";
import { load } from "../generate/read-model.js";
import { handleFetch } from "../runtime/server/fetch.js";
import type { Incoming, Outgoing } from "../runtime/server/request.js";
import { handleWith, mockAll, startMock } from "./index.js";

/** How mocks answer. */
export interface MockOptions {
  /** Another seed gives other data. Default: `"1"`. */
  readonly seed?: string | undefined;
  /** What is neither listed nor was made is 404, and keys must be sent. Default: false. */
  readonly strict?: boolean | undefined;
  /** Put each API below `/<name>/<version>/`, for APIs whose paths clash. Default: false. */
  readonly prefix?: boolean | undefined;
  /** Checks its own answers against the schemas; a bad one is a 500. Default: false. */
  readonly validateAnswers?: boolean | undefined;
  /** Base of relative paths. Default: the working folder. */
  readonly cwd?: string | undefined;
}

/** A server in memory that answers like the APIs of some descriptions. */
export interface Mock {
  /** For the option `fetch` of clients; the host of URLs does not matter. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** For adapters such as `toNodeListener`. Never throws. */
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  /** Refuses further requests, and waits for those under way. */
  close(): Promise<void>;
}

/** The documents can't be mocked. */
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
 * Starts a mock of APIs in memory: plausible data that is the same on every
 * run, and resources that can be made, changed, listed and deleted.
 *
 * @param spec files, folders or globs, or a document that was parsed.
 * @throws MockError where a document can't be used, or two have the same paths
 */
export async function mock(
  spec: string | readonly string[] | Readonly<Record<string, unknown>>,
  options: MockOptions = {},
): Promise<Mock> {
  const { apis, diagnostics } = isDocument(spec)
    ? mockAll([load(JSON.stringify(spec))], options)
    : await startMock(typeof spec === "string" ? [spec] : spec, options);
  if (diagnostics.some(({ severity }) => severity === "error"))
    throw new MockError(diagnostics);
  const handle = (request: Incoming): Outgoing | Promise<Outgoing> =>
    handleWith(apis, request);
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
