import { ApiError } from "./error.js";
import type { NodeRequest } from "./node.js";
import { join, tooLarge } from "./read.js";

/** A piece of a body as Node gives it: a Buffer. */
interface NodeChunk extends Uint8Array {
  toString(encoding?: string): string;
}

/**
 * Reads a body as text; most come in one piece.
 *
 * @param limit in bytes.
 * @param time milliseconds that it may take.
 */
export function readText(
  raw: Pick<NodeRequest, "on">,
  limit: number,
  time: number,
  resolve: (text: string) => void,
  reject: (error: unknown) => void,
): void {
  const chunks: NodeChunk[] = [];
  let size = 0;
  const timer = deadlines.add(time, () =>
    reject(new ApiError(408, "The body took too long.", { headers: CLOSE })),
  );
  raw.on("data", (chunk: NodeChunk) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else {
      deadlines.delete(timer);
      reject(tooLarge(limit));
    }
  });
  raw.on("end", () => {
    deadlines.delete(timer);
    if (chunks.length === 1) resolve(chunks[0]!.toString("utf8"));
    else resolve(new TextDecoder().decode(join(chunks, size)));
  });
  const broken = (cause: unknown): void => {
    deadlines.delete(timer);
    reject(new ApiError(400, "The body broke off.", { cause, headers: CLOSE }));
  };
  // Also where the connection closes before the end.
  raw.on("error", broken);
}

const CLOSE = { connection: "close" };

interface Deadline {
  readonly at: number;
  readonly onLate: () => void;
}

/**
 * Deadlines of bodies under way. One timer looks at all of them every second:
 * a timer for each request would cost more than reading most bodies.
 */
const deadlines = {
  active: new Set<Deadline>(),
  timer: undefined as ReturnType<typeof setInterval> | undefined,

  add(time: number, onLate: () => void): Deadline {
    const deadline = { at: performance.now() + time, onLate };
    this.active.add(deadline);
    this.timer ??= this.start();
    return deadline;
  },

  delete(deadline: Deadline): void {
    this.active.delete(deadline);
  },

  start(): ReturnType<typeof setInterval> {
    const timer = setInterval(() => this.check(), 1000);
    (timer as { unref?: () => void }).unref?.();
    return timer;
  },

  check(): void {
    const now = performance.now();
    for (const deadline of this.active) {
      if (deadline.at > now) continue;
      this.active.delete(deadline);
      deadline.onLate();
    }
    if (this.active.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  },
};
