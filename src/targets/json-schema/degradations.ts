import type { Sink } from "../../diagnostics/sink.js";

/**
 * Reports parts of an API that an exported document expresses only in an
 * extension. Documents repeat such parts, so only the first of each kind is
 * reported.
 */
export class Degradations {
  readonly #kinds = new Set<string>();

  constructor(private readonly sink: Sink) {}

  /** @param kind key that is equal for repetitions */
  report(kind: string, message: string, pointer: string): void {
    if (this.#kinds.has(kind)) return;
    this.#kinds.add(kind);
    this.sink.report("export-degraded", message, pointer);
  }
}
