import type { Sink } from "../../diagnostics/sink.js";

/**
 * Reports the parts of an API that an exported document can express only in an
 * extension. Only the first part of each kind is reported, because documents
 * contain many similar ones.
 */
export class Degradations {
  readonly #kinds = new Set<string>();

  constructor(private readonly sink: Sink) {}

  /** @param kind key that is equal for similar parts */
  report(kind: string, message: string, pointer: string): void {
    if (this.#kinds.has(kind)) return;
    this.#kinds.add(kind);
    this.sink.report("export-degraded", message, pointer);
  }
}
