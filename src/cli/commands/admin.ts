import path from "node:path";
import type { AdminClient } from "../../../generated/admin/v1/client.js";
import { visible } from "../../diagnostics/invisible.js";
import type { Output } from "../../diagnostics/reporters/output.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import { flagOf, type OptionRow } from "../../generate/options.js";
import { definedMembers } from "../../platform/defined-members.js";
import {
  readFileLimited,
  readStandardInput,
} from "../../platform/read-limited.js";
import { adminDiagnostic, withAdmin } from "../../services/admin/connect.js";
import { levelOf } from "../../services/log-level.js";
import { AdminError, type LogLine } from "../../services/service.js";
import {
  UsageError,
  type Command,
  type Context,
  type Operands,
} from "../command.js";
import { storeOptions } from "./serve-options.js";

/** Values of the options of a command. */
export type Values = Readonly<Record<string, unknown>>;

/** Command that calls the admin API. */
export interface AdminSpec {
  readonly options: readonly OptionRow[];
  readonly operands?: Operands;
  /**
   * Calls the admin API and prints the result.
   *
   * @throws UsageError or AdminError for invalid values, before the first call
   */
  readonly run: (
    admin: AdminClient,
    values: Values,
    context: Context,
  ) => Promise<void>;
  /** Text that is added to the output of --help. */
  readonly help?: string;
}

/** Options that select the server or store to administer. */
const targetOptions: readonly OptionRow[] = [
  ...storeOptions,
  {
    name: "admin",
    kind: "text",
    value: "url",
    description:
      "URL of the admin API of a running server, such as https://admin.example.com, instead of --data and --store; the token is in GEN_ADMIN_TOKEN",
  },
];

/** Option of commands that print lists. */
export const formatOption: OptionRow = {
  name: "format",
  kind: "choice",
  value: "form",
  choices: ["text", "json"],
  default: "text",
  description: "format of the output; json prints an array",
};

const HELP = `
If a server is using the data folder, the command runs in the server; otherwise
it runs in this process. The audit event of a change, a line of JSON, is in the
log of the server, or on standard error of this process.

Exit codes:
  0  success
  2  invalid usage, or the command failed and changed nothing`;

/** Builds a command that calls the admin API. */
export function commandOf(spec: AdminSpec): Command {
  return {
    options: [...spec.options, ...targetOptions],
    ...(spec.operands === undefined ? {} : { operands: spec.operands }),
    variables: "SERVE_",
    help: (spec.help ?? "") + HELP,
    run: (values, context) => run(spec, values, context),
  };
}

async function run(
  spec: AdminSpec,
  values: Values,
  context: Context,
): Promise<number> {
  const { cwd, output } = context;
  const {
    data,
    store: url,
    admin,
    ...rest
  } = values as Values & {
    readonly data?: string;
    readonly store?: string;
    readonly admin?: string;
  };
  const log = (line: LogLine): void => {
    const time = new Date().toISOString();
    output.err(`${JSON.stringify({ level: levelOf(line), time, ...line })}\n`);
  };
  const target = {
    data: data && path.resolve(cwd, data),
    url,
    ...remoteOf(admin),
  };
  if (admin === undefined && data === undefined && url === undefined)
    throw new UsageError(
      "--data <dir> or --store <url> is required, or --admin <url> for a running server; see --help",
    );
  try {
    await withAdmin(target, log, (client) => spec.run(client, rest, context));
    return 0;
  } catch (error) {
    return reportFailure(error, output);
  }
}

/** @throws UsageError for an invalid URL or a missing token */
function remoteOf(admin: string | undefined): {
  readonly admin?: string;
  readonly token?: string;
} {
  if (admin === undefined) return {};
  if (!URL.canParse(admin) || !/^https?:/.test(admin))
    throw new UsageError(
      "--admin must be a URL such as https://admin.example.com",
    );
  const token = process.env["GEN_ADMIN_TOKEN"]?.trim() ?? "";
  if (token === "")
    throw new UsageError("--admin requires a token in GEN_ADMIN_TOKEN");
  return { admin: admin.replace(/\/*$/, "/"), token };
}

function reportFailure(error: unknown, output: Output): number {
  const diagnostic = adminDiagnostic(error);
  if (diagnostic === undefined) throw error;
  output.err(paragraph(diagnostic, output.color));
  if (error instanceof AdminError) printProblems(error.problems, output);
  return 2;
}

/** Maximum number of printed problems. */
const MAX_PROBLEMS = 50;

/** Prints problems on standard error. */
export function printProblems(
  problems: readonly string[],
  { err }: Output,
): void {
  for (const problem of problems.slice(0, MAX_PROBLEMS))
    err(`  ${visible(problem)}\n`);
  const more = problems.length - MAX_PROBLEMS;
  if (more > 0) err(`  … and ${more} more\n`);
}

/**
 * Prints a new API key on standard output, for scripts, and the id of the key
 * on standard error.
 */
export function printKey(
  { key, id }: { readonly key: string; readonly id: string | undefined },
  { out, err }: Output,
): void {
  err(`id of the key: ${String(id)}; the key is printed only once\n`);
  out(`${key}\n`);
}

/**
 * Prints a list: with the format `json` as an array, otherwise as a table.
 *
 * @param columns names of the columns and functions that return their texts
 * @param empty text for a list without rows
 */
export async function printList<T>(
  rows: AsyncIterable<T>,
  { format }: Values,
  { out }: Output,
  columns: Readonly<Record<string, (row: T) => unknown>>,
  empty: string,
): Promise<void> {
  const list: T[] = [];
  for await (const row of rows) list.push(row);
  if (format === "json") return out(`${JSON.stringify(list, null, 2)}\n`);
  if (list.length === 0) return out(`${empty}\n`);
  const cells = [
    Object.keys(columns),
    ...list.map((row) =>
      Object.values(columns).map((textOf) => cellOf(textOf(row))),
    ),
  ];
  const widths = cells[0]!.map((_, at) =>
    Math.max(...cells.map((line) => line[at]!.length)),
  );
  for (const line of cells)
    out(
      `${line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join("  ")
        .trimEnd()}\n`,
    );
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "-";
  return visible(Array.isArray(value) ? value.join(",") : String(value));
}

/**
 * Reads a text file, or standard input for `-`.
 *
 * @throws AdminError if the file can't be read or is not UTF-8
 */
export function readText(file: string, cwd: string): string {
  try {
    const bytes =
      file === "-"
        ? readStandardInput()
        : readFileLimited(path.resolve(cwd, file));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const isText = error instanceof TypeError;
    const why = isText
      ? "the file must be UTF-8 text"
      : (error as Error).message;
    throw new AdminError(`${file} can't be read: ${why}`);
  }
}

/**
 * Reads a JSON object from a file.
 *
 * @throws AdminError if the file is not valid JSON
 */
export function readObject(file: string, cwd: string, name: string): object {
  try {
    const value: unknown = JSON.parse(readText(file, cwd));
    if (typeof value === "object" && value !== null) return value;
  } catch (error) {
    if (error instanceof AdminError) throw error;
  }
  throw new AdminError(`${name} must be valid JSON: an object`);
}

/** Returns the rows of options with a text, keyed by name. */
export function texts(
  rows: Readonly<Record<string, string>>,
  required: readonly string[] = [],
  placeholders: Readonly<Record<string, string>> = {},
): OptionRow[] {
  return Object.entries(rows).map(([name, description]) => ({
    name,
    kind: "text",
    value: placeholders[name] ?? name.toLowerCase(),
    description,
    ...(required.includes(name) ? { required: true } : {}),
  }));
}

/**
 * Returns the number of an option; undefined if it is not set.
 *
 * @throws UsageError if the text is not a number
 */
export function numberOf(values: Values, name: string): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text !== "" && Number.isFinite(number)) return number;
  throw new UsageError(`${flagOf(name)} must be a number, not '${text}'`);
}

/**
 * Returns the time of an option in ISO 8601 format; a date means its start in
 * UTC. `never` is null.
 *
 * @throws UsageError if the text is not a time
 */
export function timeOf(
  values: Values,
  name: string,
): string | null | undefined {
  const text = values[name] as string | undefined;
  if (text === undefined) return undefined;
  if (text === "never") return null;
  const isTime =
    /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(
      text,
    ) && !Number.isNaN(Date.parse(text));
  if (isTime) return new Date(text).toISOString();
  throw new UsageError(
    `${flagOf(name)} must be a date or time such as 2026-12-31 or 2026-12-31T18:00:00Z, not '${text}'`,
  );
}

/**
 * Returns the changes of a command.
 *
 * @throws UsageError if there are none
 */
export function changes<T extends object>(
  value: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const found = definedMembers(value);
  if (Object.keys(found).length > 0) return found;
  throw new UsageError("no change is given; see --help");
}
