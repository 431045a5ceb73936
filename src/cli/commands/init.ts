import path from "node:path";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Sink } from "../../diagnostics/sink.js";
import { visible } from "../../diagnostics/invisible.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import {
  apiEntry,
  existingConfig,
  FORMATS,
  initProject,
  type InitSettings,
} from "../../config/init/init-project.js";
import {
  formOptions,
  MODULE_TYPE,
  type OutputForm,
  outputFormOf,
} from "../../config/output-form.js";
import {
  options as generateOptions,
  options,
  parseChoices,
} from "../../generate/options.js";
import { UsageError, type Command, type Context } from "../command.js";
import { exitCodeOf } from "../exit-code.js";

/** Option values from the command line and the environment. */
interface Values extends Partial<InitSettings> {
  readonly yes?: boolean;
  readonly force?: boolean;
}

const HELP = `
The command prompts for missing values on a terminal. Without a terminal, and with --yes,
it uses defaults. It reads package.json and tsconfig.json, and chooses importSuffix and emit
so that the project can import the output.

Exit codes:
  0  the config was written
  2  invalid usage, or a config already exists`;

/** Command `gen init`: writes a config file. */
export const init: Command = {
  options: [
    {
      name: "api",
      kind: "list",
      value: "name",
      description:
        "API as name:version, or a file, folder or glob with documents; repeatable",
    },
    {
      name: "out",
      kind: "text",
      value: "dir",
      description:
        "output folder (default: src/generated if src exists, else generated)",
    },
    // The default of `--target` is removed, so that `gen init` prompts for a
    // missing value.
    ...generateOptions
      .filter(({ name }) => name === "target")
      .map(({ default: standard, description, ...row }) => ({
        ...row,
        description: `${description} (default: ${String(standard)})`,
      })),
    {
      name: "format",
      kind: "choice",
      value: "name",
      choices: FORMATS,
      description: "format of the config (default: yaml)",
    },
    {
      name: "trustProse",
      kind: "switch",
      description:
        'make properties required or read-only if their descriptions start with "Required." or "Output only."',
    },
    {
      name: "script",
      kind: "switch",
      description: 'add the npm script "generate" to package.json',
    },
    {
      name: "yes",
      kind: "switch",
      description: "use defaults for missing values instead of prompting",
    },
    {
      name: "force",
      kind: "switch",
      description: "replace an existing config in this format",
    },
  ],
  variables: "INIT_",
  help: HELP,
  run: (values, context) => run(values as Values, context),
};

async function run(values: Values, { cwd, output }: Context): Promise<number> {
  const sink = new Sink();
  const force = values.force === true;
  checkApis(values.api ?? [], cwd);
  const defaults = defaultsOf(values, cwd);
  const isAsked =
    values.yes !== true &&
    process.stdin.isTTY === true &&
    // Asks no questions if a config file exists, because the command fails
    // anyway.
    existingConfig(cwd, defaults.format, force) === undefined;
  const given = isAsked
    ? await askSettings(values, defaults, { cwd, output })
    : defaults;
  const form = outputFormOf(path.resolve(cwd, given.out));
  const settings = { ...given, form: formOptions(form) };
  const files = await initProject(settings, { cwd, force }, sink);
  for (const finding of sink.diagnostics)
    output.err(paragraph(finding, output.color));
  for (const name of files) output.out(`wrote ${visible(name)}\n`);
  if (files.length > 0) output.out(nextSteps(settings, form));
  return exitCodeOf(sink.diagnostics) ?? 0;
}

function defaultsOf(values: Values, cwd: string): InitSettings {
  const hasSources = existsSync(path.join(cwd, "src"));
  return {
    api: [],
    out: hasSources ? "src/generated" : "generated",
    target: ["client"],
    format: "yaml",
    form: {},
    trustProse: false,
    script: false,
    ...values,
  };
}

function nextSteps(
  { api, form: options }: InitSettings,
  form: OutputForm | undefined,
): string {
  const [[name, value] = []] = Object.entries(options);
  return [
    ...(name === undefined
      ? []
      : [`${name}: ${value}, because ${form!.reason}`]),
    ...(form?.fix === undefined ? [] : [`${form.reason}. ${form.fix}`]),
    ...(form?.needsModuleType === true
      ? [`${MODULE_TYPE.message}. ${MODULE_TYPE.fix}`]
      : []),
    api.length === 0
      ? "Add an API: gen add drive:v3"
      : "Generate the output: gen",
  ]
    .map((line) => `${visible(line)}\n`)
    .join("");
}

/**
 * Checks the values of --api. Throws UsageError if a value does not identify an
 * API, or if two values have the same label.
 */
function checkApis(apis: readonly string[], cwd: string): void {
  const labels = new Set<string>();
  for (const api of apis) {
    const [label] = apiEntry(api, cwd) ?? [];
    if (label === undefined)
      throw new UsageError(
        `${api} must be name:version, or an existing file, folder or glob`,
      );
    if (labels.has(label))
      throw new UsageError(`two values of --api have the same label, ${label}`);
    labels.add(label);
  }
}

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
    form: defaults.form,
    trustProse:
      given.trustProse ??
      (await askSwitch(
        ask,
        'Trust "Required." and "Output only." in descriptions? (y, n)',
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
  return askSwitch(ask, 'Add the script "generate" to package.json? (y, n)');
}

async function askSwitch(ask: Ask, question: string): Promise<boolean> {
  const reply = await ask(
    question,
    "n",
    (text) => /^(y|yes|n|no)$/i.exec(text)?.[0],
    "y or n",
  );
  return /^y/i.test(reply);
}
