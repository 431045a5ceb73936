import type { Sink } from "../diagnostics/sink.js";
import { TemplateError } from "../render/engine.js";

/** Reports what was thrown: templates are the user's, refusals the system's, the rest is a bug. */
export function reportFailure(error: unknown, sink: Sink): void {
  const isSystem = error instanceof Error && "syscall" in error;
  if (error instanceof TemplateError)
    sink.report("template-invalid", error.message);
  else if (isSystem) sink.report("output-unwritable", error.message);
  else sink.report("internal", describe(error));
}

/** The first lines of a stack, on one line: enough to find the place. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.stack ?? error.message)
    .split("\n")
    .slice(0, 3)
    .map((line) => line.trim())
    .join(" ");
}
