import type { OptionValues } from "../generate/options.js";
import type { PipelineResult } from "../generate/pipeline.js";
import { type Output } from "../diagnostics/reporters/output.js";
import { visible } from "../diagnostics/invisible.js";

/** Time between updates of the progress line, in milliseconds. */
const PERIOD = 100;

/** Reports the progress of a run on standard error. */
export interface Progress {
  /**
   * Function that is called after each document has been processed.
   * @param out output folder; present if the run has several output folders
   */
  readonly onDocument: (
    name: string,
    done: number,
    total: number,
    out?: string,
  ) => void;
  /** Function that is called when the run ends. */
  readonly end: (result: PipelineResult, exitCode: number) => void;
}

/**
 * Returns the progress reporter of a run; undefined if progress is not shown.
 */
export function progressOf(
  {
    quiet,
    format,
    progress,
  }: Pick<OptionValues, "quiet" | "format" | "progress">,
  output: Output,
): Progress | undefined {
  if (progress === "json") return jsonLines(output);
  const isShown = progress === "auto" && quiet !== true && format === "text";
  return isShown ? statusLine(output) : undefined;
}

function statusLine(output: Output): Progress {
  const { err } = output;
  let last = Date.now();
  let isShown = false;
  return {
    onDocument: (name, done, total) => {
      if (done === total && isShown) err("\r\u001b[K");
      if (done === total || Date.now() - last < PERIOD) return;
      if (!output.isTerminal) return;
      last = Date.now();
      isShown = true;
      err(`\r\u001b[K${done} of ${total}: ${visible(name).slice(-60)}`);
    },
    end: () => {},
  };
}

/**
 * Returns a reporter that prints each event as a JSON object on its own line.
 */
function jsonLines({ err }: Output): Progress {
  const start = performance.now();
  const print = (event: string, members: object): void =>
    err(`${visible(JSON.stringify({ event, ...members }))}\n`);
  return {
    onDocument: (document, done, total, out) =>
      print("document", { out, document, done, total }),
    end: ({ total, failed }, exitCode) => {
      const milliseconds = Math.round(performance.now() - start);
      print("end", { documents: total, failed, exitCode, milliseconds });
    },
  };
}
