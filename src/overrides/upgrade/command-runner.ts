import { builtins, type BuiltinContext } from "./builtins.js";
import { execute, type Ended, type Program } from "./execute.js";
import { unmet } from "./expectation.js";
import type { PlanOptions } from "./plan-options.js";
import type { RunOptions } from "./run-options.js";
import type { Builtin, Check, Command } from "./step.js";
import { placeholders, shellLine, type Word } from "./argument.js";

/** Lines that are shown of a command that failed its check. */
const SHOWN_LINES = 12;

/** A step can't go on. */
export class Stop extends Error {}

/** What was there before the installation, as the state has it. */
export interface OldResources {
  readonly get: () => readonly string[] | undefined;
  readonly set: (names: readonly string[]) => void;
}

/** Runs commands and asks questions; knows nothing of steps. */
export class Performer {
  readonly #plan: PlanOptions;
  readonly #options: RunOptions;
  readonly #old: OldResources;

  constructor(plan: PlanOptions, options: RunOptions, old: OldResources) {
    this.#plan = plan;
    this.#options = options;
    this.#old = old;
  }

  /** One of the tool's own actions. Rejects with a reason. */
  async own(name: Builtin): Promise<void> {
    await builtins[name](this.#context());
  }

  #context(): BuiltinContext {
    const { cwd, api, say, hide } = this.#options;
    return {
      options: this.#plan,
      cwd,
      api,
      ask: async (command) => {
        const ended = await this.ask(command);
        // Not stdout: it may be an access token.
        if (ended.code !== 0) this.#showLast(ended.stderr ?? "");
        return ended;
      },
      act: (command) => this.show(command),
      say: (line) => say(`  ${line}`),
      hide,
      old: () => this.#old.get(),
      noteOld: (old) => this.#old.set(old),
    };
  }

  /** Runs a command and shows what it prints. */
  show(
    command: Command,
    onStart?: (child: { pid: number; started: string }) => void,
  ): Promise<Ended> {
    const { say, cwd, deadline } = this.#options;
    const program = programOf(command);
    say(`  $ ${shellLine(command)}`);
    return execute(program, {
      cwd,
      deadline,
      onLine: (line) => say(`  | ${line}`),
      ...(onStart === undefined ? {} : { onStart }),
    });
  }

  /** Runs a command and shows nothing. */
  ask(command: Command): Promise<Ended> {
    const { cwd, deadline } = this.#options;
    return execute(programOf(command), { cwd, deadline });
  }

  /** Asks until the answer is yes, or the deadline is over: then why not. */
  async waitFor(check: Check): Promise<string | undefined> {
    const { deadline, interval, say } = this.#options;
    const end = Date.now() + deadline;
    let last = "";
    for (;;) {
      const ended = await this.ask(check.command);
      const reason = unmet(check.expect, ended, this.#old.get());
      if (reason === undefined) {
        say(`  ok: ${check.text}`);
        return undefined;
      }
      if (reason !== last) {
        say(`  not yet: ${check.text}: ${reason}`);
        this.#showLast(`${ended.stdout}\n${ended.stderr ?? ""}`);
      }
      last = reason;
      if (Date.now() + interval > end)
        return `${reason} after ${deadline / 1000} s`;
      await pause(interval);
    }
  }

  /** Shows the last lines of what a command printed. */
  #showLast(text: string): void {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    for (const line of lines.slice(-SHOWN_LINES))
      this.#options.say(`  | ${line}`);
  }

  /** Asks once; why the answer is not yes. */
  async unmet({ command, expect }: Check): Promise<string | undefined> {
    return unmet(expect, await this.ask(command), this.#old.get());
  }
}

/** Words of a command as a process takes them. Throws Stop where an option is missing. */
function programOf({ argv, folder }: Command): Program {
  const words = argv.map(wordOf);
  return folder === undefined
    ? { argv: words }
    : { argv: words, folder: wordOf(folder) };
}

function wordOf(word: Word): string {
  if (typeof word === "string") return word;
  const { text, option } = placeholders[word.placeholder];
  throw new Stop(`the ${text} is not known; give ${option}`);
}

/** Waits. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
