import type { Sink } from "../diagnostics/sink.js";
import type { RawDocument } from "../load/raw.js";
import { isBelow, Origins } from "./origins.js";
import {
  reportAt,
  type PatchOperation,
  type PatchPosition,
} from "./patch-file.js";

/** Location at which an operation changed a value. */
interface Write {
  readonly tokens: readonly string[];
  readonly by: PatchPosition;
  /**
   * True for an element of an array, whose index changes when other elements
   * are added or removed.
   */
  readonly isElement: boolean;
}

/** State of an operation after a patch was applied. */
export type OperationState = "applied" | "stale" | "upstream" | "conflict";

/** Error for an operation that can't be applied. The message is a sentence. */
export class OperationError extends Error {
  readonly state: Exclude<OperationState, "applied">;

  constructor(state: Exclude<OperationState, "applied">, message: string) {
    super(message);
    this.state = state;
  }
}

/** Document to which patches are applied, with a record of their changes. */
export class PatchSession {
  readonly origins = new Origins();
  #writes: Write[] = [];
  readonly #removed: {
    readonly from: readonly string[];
    readonly by: PatchPosition;
  }[] = [];

  /** @param document copy, which the operations may change */
  constructor(
    readonly document: RawDocument,
    readonly sink: Sink,
  ) {}

  /**
   * Records that an operation changes a location.
   * @throws OperationError if an earlier operation changed the same value
   */
  write(
    tokens: readonly string[],
    by: PatchPosition,
    isElement: boolean = false,
  ): void {
    const earlier = this.#writes.find(
      (write) =>
        isBelow(write.tokens, tokens) &&
        (write.tokens.length > tokens.length ||
          !(isElement && write.isElement)),
    );
    if (earlier !== undefined)
      throw new OperationError(
        "conflict",
        `the operation at ${positionText(earlier.by)} changes the same value`,
      );
    this.#writes.push({ tokens, by, isElement });
    this.origins.addWrite(isElement ? tokens.slice(0, -1) : tokens, by);
  }

  /** Records that an operation removed a location. */
  addRemoval(from: readonly string[], by: PatchPosition): void {
    this.#removed.push({ from, by });
  }

  /**
   * Records that a value was renamed. Earlier changes to the value then refer
   * to its new location.
   */
  rename(
    from: readonly string[],
    to: readonly string[],
    by: PatchPosition,
  ): void {
    this.addRemoval(from, by);
    this.#writes = this.#writes.map((write) =>
      isBelow(write.tokens, from)
        ? { ...write, tokens: [...to, ...write.tokens.slice(from.length)] }
        : write,
    );
    this.origins.addRename(from, to);
  }

  /**
   * Returns an error if an earlier operation removed or renamed the location;
   * otherwise undefined.
   */
  removalOf(tokens: readonly string[]): OperationError | undefined {
    const by = this.#removed.find(({ from }) => isBelow(tokens, from))?.by;
    return by === undefined
      ? undefined
      : new OperationError(
          "conflict",
          `the operation at ${positionText(by)} removes or renames the same value`,
        );
  }

  /** Reports an operation that can't be applied. */
  report(
    { state, message }: OperationError,
    { reason }: PatchOperation,
    position: PatchPosition,
  ): void {
    const suffix = reason === undefined ? "" : ` (reason: ${reason})`;
    reportAt(this.sink, `patch-${state}`, message + suffix, position);
  }
}

function positionText({ file, line, column }: PatchPosition): string {
  return `${file}:${line}:${column}`;
}
