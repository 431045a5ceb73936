import path from "node:path";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { kubectlCommand } from "./commands.js";
import type { CommandResult } from "./execute.js";
import type { PlanOptions } from "./plan-options.js";
import type { StepCommand, Phase } from "./step.js";
import { StepError, type CommandRunner } from "./command-runner.js";
import type { RunOptions } from "./run-options.js";
import { StateError } from "./state-file.js";

/** Values that must not change between runs, keyed by name. */
type Pins = Readonly<Record<string, string>>;

type Ask = (command: StepCommand) => Promise<CommandResult>;

/** Value that is recorded for an option that was not passed. */
const ABSENT = "not given";

const OLD_CONTENT = "SHA-256 of the old overrides file";
const TOOL_VERSION = "version of apigeectl";

/**
 * Returns the folders and files that are set by options. These values are
 * compared between runs.
 */
function optionPins(
  { home = ABSENT, oldHome = ABSENT, oldOverrides }: PlanOptions,
  cwd: string,
): Pins {
  const content = digestOf(path.resolve(cwd, oldOverrides));
  return {
    "--home": home,
    "--old-home": oldHome,
    "--old-overrides": oldOverrides,
    ...(content === undefined ? {} : { [OLD_CONTENT]: content }),
  };
}

function digestOf(file: string): string | undefined {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex");
  } catch {
    return undefined;
  }
}

/**
 * Returns the kubectl context, which determines the cluster. The value is empty
 * if no context is set.
 */
async function contextPin(ask: Ask): Promise<Pins> {
  const { code, stdout } = await ask(
    kubectlCommand("config", "current-context"),
  );
  const context = stdout.trim();
  return code === 0 && context !== "" ? { "kubectl context": context } : {};
}

/**
 * Returns the path of `apigeectl` and its version. Rejects if the plan requires
 * a different version.
 */
async function toolPins(
  { tool, home, to }: PlanOptions,
  ask: Ask,
): Promise<Pins> {
  const argv = [tool, "version"];
  const { code, stdout } = await ask(
    home === undefined ? { argv } : { argv, folder: home },
  );
  const version = /\bv?(\d+\.\d+\.\d+)\b/.exec(stdout)?.[1];
  if (code !== 0 || version === undefined) return { "--tool": tool };
  if (version !== to)
    throw new Error(`${tool} must be version ${to}; it is ${version}`);
  return { "--tool": tool, [TOOL_VERSION]: version };
}

/**
 * Describes how the values of this run differ from those of earlier runs;
 * returns undefined if they are equal.
 */
function pinDifference(before: Pins, now: Pins): string | undefined {
  const different = Object.entries(now).flatMap(([name, value]) => {
    const old = before[name];
    const isNew =
      old === undefined || (name === "--old-home" && old === ABSENT);
    return isNew || old === value
      ? []
      : [`${name} was ${old} and is now ${value}`];
  });
  return different.length === 0 ? undefined : different.join("; ");
}

/**
 * Functions that read and write the values in the stored state that must not
 * change between runs.
 */
interface PinStore {
  readonly get: () => Pins;
  readonly set: (pins: Pins) => void;
}

/**
 * Class that compares values of this run with those of earlier runs, and
 * records the values that must not change in later runs.
 */
export class PinVerifier {
  readonly #plan: PlanOptions;
  readonly #options: RunOptions;
  readonly #runner: CommandRunner;
  readonly #store: PinStore;
  #isToolPinned = false;

  constructor(
    plan: PlanOptions,
    options: RunOptions,
    runner: CommandRunner,
    store: PinStore,
  ) {
    this.#plan = plan;
    this.#options = options;
    this.#runner = runner;
    this.#store = store;
  }

  /**
   * Compares the options and the kubectl context with those of earlier runs
   * before the first step. Rejects with StateError if they differ.
   */
  async verifyOptions(): Promise<void> {
    try {
      const context = await this.#context();
      this.#compare({
        ...optionPins(this.#plan, this.#options.cwd),
        ...context,
      });
    } catch (error) {
      if (error instanceof StepError) throw new StateError(error.message);
      throw error;
    }
  }

  /**
   * Compares the kubectl context with that of earlier runs before each
   * destructive step, because the user can switch the context during a run.
   */
  async verifyContext(): Promise<void> {
    this.#compare(await this.#context());
  }

  #context(): Promise<Pins> {
    return contextPin((command) => this.#runner.query(command));
  }

  /**
   * Compares the version of `apigeectl` with that of earlier runs before the
   * first step that uses it. The user may install `apigeectl` after the upgrade
   * has started.
   */
  async verifyTool(phase: Phase): Promise<void> {
    if (this.#isToolPinned || phase === "preparation" || phase === "mesh")
      return;
    this.#compare(
      await toolPins(this.#plan, (command) => this.#runner.query(command)),
    );
    this.#isToolPinned = true;
  }

  #compare(now: Pins): void {
    const { print, acceptsChanges } = this.#options;
    const pins = this.#store.get();
    const difference = pinDifference(pins, now);
    if (difference !== undefined && acceptsChanges !== true)
      throw new StepError(
        `this run differs from earlier runs: ${difference}; restore these values, or pass --accept-changes`,
      );
    if (difference !== undefined) print(`--accept-changes: ${difference}`);
    this.#store.set({ ...pins, ...now });
  }
}
