import type { Code } from "../diagnostics/catalogue.js";

/** Diagnostic codes of failed requests. */
export type RemoteCode = Extract<Code, `remote-${string}`>;

/** Failure of a request, with its diagnostic code. */
export class RemoteError extends Error {
  readonly code: RemoteCode;
  /** HTTP status, if the failure is a response with an error status. */
  readonly status: number | undefined;

  constructor(code: RemoteCode, message: string, status?: number) {
    super(message);
    this.name = "RemoteError";
    this.code = code;
    this.status = status;
  }
}

/** Temporary failure; the request is retried. */
export class TemporaryError extends RemoteError {}
