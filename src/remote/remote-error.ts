import type { Code } from "../diagnostics/catalogue.js";

/** Codes of failed requests. */
export type RemoteCode = Extract<Code, `remote-${string}`>;

/** Failure of a request, with the code of its diagnostic. */
export class RemoteError extends Error {
  readonly code: RemoteCode;
  /** Status of the response, if it is an error. */
  readonly status: number | undefined;

  constructor(code: RemoteCode, message: string, status?: number) {
    super(message);
    this.name = "RemoteError";
    this.code = code;
    this.status = status;
  }
}

/** Temporary failure, after which the request is sent again. */
export class TemporaryError extends RemoteError {}
