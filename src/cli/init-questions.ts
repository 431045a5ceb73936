import { existsSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import {
  apiEntry,
  FORMATS,
  type InitSettings,
} from "../config/init/init-settings.js";
import { options, parseChoices } from "../generate/options.js";
import { UsageError, type Context } from "./command.js";

/**
 * Function that asks a question until the reply is valid. An empty reply
 * selects the default.
 */
type Ask = <T>(
  question: string,
  standard: T,
  parse: (reply: string) => T | undefined,
  expected: string,
) => Promise<T>;

/**
 * Reads the missing settings of a new config from a terminal.
 * Throws UsageError if the terminal is closed.
 */
export async function askSettings(
  given: Partial<InitSettings>,
  defaults: InitSettings,
  context: Context,
): Promise<InitSettings> {
  const terminal = createInterface({
    input: process.stdin,
    output: process.stderr,
  });
  const closed = new Promise<never>((_, reject) =>
    terminal.once("close", () =>
      reject(new UsageError("gen init was cancelled; no file was written")),
    ),
  );
  closed.catch(() => {});
  const ask: Ask = async (question, standard, parse, expected) => {
    for (;;) {
      const text = `${question} [${String(standard)}] `;
      const reply = await Promise.race([terminal.question(text), closed]);
      const value = reply.trim() === "" ? standard : parse(reply.trim());
      if (value !== undefined) return value;
      context.output.err(`Expected ${expected}.\n`);
    }
  };
  try {
    return await askAll(ask, given, defaults, context.cwd);
  } finally {
    terminal.close();
  }
}

async function askAll(
  ask: Ask,
  given: Partial<InitSettings>,
  defaults: InitSettings,
  cwd: string,
): Promise<InitSettings> {
  const targets = options.find(({ name }) => name === "target")!.choices!;
  return {
    api:
      given.api ??
      (await ask(
        "APIs such as drive:v3, or files, separated by commas:",
        defaults.api,
        (reply) => parseApis(reply, cwd),
        "name:version, or existing files",
      )),
    out:
      given.out ??
      (await ask("Output folder:", defaults.out, (reply) => reply, "a folder")),
    target:
      given.target ??
      (await ask(
        `Targets (${targets.join(", ")}):`,
        defaults.target,
        (reply) => parseChoices(reply, targets),
        `one or more of ${targets.join(", ")}`,
      )),
    format:
      given.format ??
      (await ask(
        `Format of the config (${FORMATS.join(", ")}):`,
        defaults.format,
        (reply) => FORMATS.find((name) => name === reply),
        `one of ${FORMATS.join(", ")}`,
      )),
    script: given.script ?? (await askScript(ask, cwd)),
  };
}

function parseApis(reply: string, cwd: string): string[] | undefined {
  const apis = reply.split(",").map((text) => text.trim());
  const isValid = apis.every((api) => apiEntry(api, cwd) !== undefined);
  return isValid ? apis : undefined;
}

async function askScript(ask: Ask, cwd: string): Promise<boolean> {
  if (!existsSync(path.join(cwd, "package.json"))) return false;
  const reply = await ask(
    'Add the script "generate" to package.json? (y, n)',
    "n",
    (text) => /^(y|yes|n|no)$/i.exec(text)?.[0],
    "y or n",
  );
  return /^y/i.test(reply);
}
