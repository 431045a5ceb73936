import { pino } from "pino";
import { SonicBoom } from "sonic-boom";
import { runnerText } from "../diagnostics/reporters/output.js";
import { levelOf } from "./log-level.js";
import type { LogLine } from "./service.js";

/** Log of a running server. */
export interface ServerLog {
  /**
   * Adds a line with a timestamp. Returns at once. The line is lost if the
   * reader of the log is too slow or the disk is full.
   */
  readonly log: (line: LogLine) => void;
  /**
   * Ends the log. Waits until all lines are written, but at most {@link
   * CLOSE_TIME}. Returns false if lines are still pending; a pending write can
   * prevent the exit of the process.
   */
  close(): Promise<boolean>;
  /** Returns the number of lines that were lost since the start. */
  lostLines(): number;
}

/** Size in bytes of the lines that wait to be written; further lines are lost. */
const MAX_PENDING = 1024 * 1024;

/** Maximum milliseconds to wait for pending lines when the server stops. */
const CLOSE_TIME = 500;

/**
 * Opens a log with one line of JSON per event. Lines are written in the
 * background, so neither a slow reader nor a full disk delays requests. Lost
 * lines are counted: once the pending lines are written, a line with the event
 * `log-lines-lost` follows.
 *
 * The destination of pino is not its own, which writes pending lines when the
 * process exits and would then wait for a reader that has stopped.
 *
 * @param descriptor file descriptor of a file, pipe, socket or terminal
 */
export function openLog(
  descriptor: number,
  now: () => number = Date.now,
): ServerLog {
  const destination = new SonicBoom({
    fd: descriptor,
    sync: false,
    maxLength: MAX_PENDING,
  });
  const logger = pino(
    {
      base: null,
      formatters: { level: (level) => ({ level }) },
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
    },
    { write: (text) => void destination.write(runnerText(text)) },
  );
  let lost = 0;
  let reported = 0;
  let isClosed = false;
  destination.on("drop", () => lost++);
  // The lines of a failed write stay pending; the next line retries them.
  destination.on("error", () => {});
  const print = (line: LogLine): void => logger[levelOf(line)](line);
  const reportLost = (): void => {
    if (lost === reported) return;
    const lines = lost - reported;
    reported = lost;
    print({ service: "host", event: "log-lines-lost", lines });
  };
  destination.on("drain", reportLost);
  return {
    log(line) {
      if (!isClosed) print(line);
    },
    lostLines: () => lost,
    close() {
      if (isClosed) return Promise.resolve(true);
      isClosed = true;
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), CLOSE_TIME);
        destination.once("finish", () => {
          clearTimeout(timer);
          resolve(true);
        });
        destination.end();
      });
    },
  };
}
