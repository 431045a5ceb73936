import { createInterface, type Interface } from "node:readline";
import { type Output } from "../diagnostics/reporters/output.js";
import { visible } from "../diagnostics/invisible.js";

/**
 * Asks questions on a terminal. Input is read through events: a blocking read
 * fails with EAGAIN once Node.js has opened the terminal, and delays signal
 * handlers. The terminal stays in line mode, so that Ctrl-C sends a signal.
 */
export class Questions {
  readonly #output: Output;
  #lines: Interface | undefined;
  #isClosed = false;

  constructor(output: Output) {
    this.#output = output;
  }

  /**
   * Asks a yes/no question. Resolves to true if the reply is y or yes, and to
   * undefined if there is no terminal.
   */
  ask(question: string): Promise<boolean | undefined> {
    if (process.stdin.isTTY !== true) return Promise.resolve(undefined);
    this.#output.out(`${visible(question)} [y/N] `);
    if (this.#isClosed) return Promise.resolve(false);
    const lines = (this.#lines ??= this.#open());
    return new Promise((resolve) => {
      const onLine = (line: string): void => {
        lines.off("close", onClose);
        lines.pause();
        resolve(/^y(es)?\s*$/i.test(line));
      };
      // Ctrl-D ends the input, which counts as no.
      const onClose = (): void => {
        lines.off("line", onLine);
        this.#output.out("\n");
        resolve(false);
      };
      lines.once("line", onLine);
      lines.once("close", onClose);
      lines.resume();
    });
  }

  #open(): Interface {
    const lines = createInterface({ input: process.stdin, terminal: false });
    lines.once("close", () => (this.#isClosed = true));
    return lines;
  }

  /** Stops reading, so that the process can exit. */
  close(): void {
    this.#lines?.close();
    this.#lines = undefined;
  }
}
