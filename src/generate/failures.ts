import { MissingPackageError } from "../platform/optional-package.js";
import type { Sink } from "../diagnostics/sink.js";
import { TemplateError } from "../render/engine.js";

/**
 * Reports a thrown error as a diagnostic that depends on the origin of the
 * error: a user's template, the file system, or a bug.
 */
export function reportFailure(error: unknown, sink: Sink): void {
  const isSystem = error instanceof Error && "syscall" in error;
  if (error instanceof MissingPackageError)
    sink.report("package-missing", error.message);
  else if (error instanceof TemplateError)
    sink.report("template-invalid", error.message);
  else if (isSystem) sink.report("output-unwritable", error.message);
  else sink.report("internal", describe(error));
}

/** Returns the first three lines of a stack trace as one line. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.stack ?? error.message)
    .split("\n")
    .slice(0, 3)
    .map((line) => line.trim())
    .join(" ");
}
