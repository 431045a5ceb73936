import type { Sink } from "../../diagnostics/sink.js";

/**
 * Reports parts of an API that an exported document can express only as an
 * extension or a note. Only the first part of each kind is reported, because a
 * document often contains many similar parts.
 */
export class Degradations {
  readonly #kinds = new Set<string>();

  constructor(private readonly sink: Sink) {}

  /** @param kind identifier that is the same for similar parts */
  report(kind: string, message: string, pointer: string): void {
    if (this.#kinds.has(kind)) return;
    this.#kinds.add(kind);
    this.sink.report("export-degraded", message, pointer);
  }
}
