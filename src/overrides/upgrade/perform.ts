import { builtins, type BuiltinContext } from "./builtins.js";
import { execute, type Ended } from "./exec.js";
import { unmet } from "./expect.js";
import type { PlanOptions } from "./options.js";
import type { RunOptions } from "./run-options.js";
import type { Builtin, Check, Command } from "./step.js";

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
      ask: (command) => this.#quietly(command),
      act: (command) => this.show(command),
      say: (line) => say(`  ${line}`),
      hide,
      noteOld: (old) => this.#old.set(old),
    };
  }

  /** Runs a command and shows what it prints. */
  show(
    command: Command,
    onStart?: (child: { pid: number; started: string }) => void,
  ): Promise<Ended> {
    const { say, cwd, deadline } = this.#options;
    refuseUnknown(command);
    say(`  $ ${command.argv.join(" ")}`);
    return execute(command, {
      cwd,
      deadline,
      onLine: (line) => say(`  | ${line}`),
      ...(onStart === undefined ? {} : { onStart }),
    });
  }

  #quietly(command: Command): Promise<Ended> {
    const { cwd, deadline } = this.#options;
    refuseUnknown(command);
    return execute(command, { cwd, deadline });
  }

  /** Asks until the answer is yes, or the deadline is over: then why not. */
  async waitFor(check: Check): Promise<string | undefined> {
    const { deadline, interval, say } = this.#options;
    const end = Date.now() + deadline;
    let last = "";
    for (;;) {
      const reason = await this.unmet(check);
      if (reason === undefined) {
        say(`  ok: ${check.text}`);
        return undefined;
      }
      if (reason !== last) say(`  not yet: ${check.text}: ${reason}`);
      last = reason;
      if (Date.now() + interval > end)
        return `${reason} after ${deadline / 1000} s`;
      await pause(interval);
    }
  }

  /** Asks once; why the answer is not yes. */
  async unmet({ command, expect }: Check): Promise<string | undefined> {
    return unmet(expect, await this.#quietly(command), this.#old.get());
  }
}

/** Folders and accounts that nobody named. */
const UNKNOWN: Readonly<Record<string, string>> = {
  $APIGEECTL_HOME: "--old-home",
  $APIGEECTL_OLD_HOME: "--old-home",
  $MART_ACCOUNT: "--mart-account",
};

function refuseUnknown({ argv }: Command): void {
  const text = argv.join(" ");
  for (const [name, option] of Object.entries(UNKNOWN))
    if (text.includes(name))
      throw new Stop(`it is not known here; give ${option}`);
}

/** Waits. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
