import type { OptionValues } from "../generate/options.js";
import { visible, type Output } from "../diagnostics/reporters/output.js";

/** Time between updates, in milliseconds. */
const PERIOD = 100;

/**
 * Returns a function that shows progress on a terminal; undefined for other
 * output.
 */
export function progressOf(
  { quiet, format }: OptionValues,
  { err, isTerminal }: Output,
): ((name: string, done: number, total: number) => void) | undefined {
  if (!isTerminal || quiet === true || format !== "text") return undefined;
  let last = Date.now();
  let isShown = false;
  return (name, done, total) => {
    if (done === total && isShown) err("\r\u001b[K");
    if (done === total || Date.now() - last < PERIOD) return;
    last = Date.now();
    isShown = true;
    err(`\r\u001b[K${done} of ${total}: ${visible(name).slice(-60)}`);
  };
}
