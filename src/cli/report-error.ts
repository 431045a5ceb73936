import { catalogue } from "../diagnostics/catalogue.js";
import type { Sink } from "../diagnostics/sink.js";
import { MissingPackageError } from "../platform/optional-package.js";
import { UsageError } from "./command.js";

/** Reports an error that a command has thrown; returns the exit code. */
export function reportError(error: unknown, sink: Sink): number {
  const code =
    error instanceof UsageError
      ? "usage"
      : error instanceof MissingPackageError
        ? "package-missing"
        : "internal";
  sink.report(code, textOf(error, code === "internal"));
  return catalogue[code].exit ?? 3;
}

/**
 * Returns the message of an error, or the stack trace if the error indicates a
 * bug.
 */
function textOf(error: unknown, isBug: boolean): string {
  if (!(error instanceof Error)) return String(error);
  return (isBug && error.stack) || error.message;
}
