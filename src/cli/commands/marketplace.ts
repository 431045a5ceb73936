// This file is longer than others because it contains six commands with their
// options.

import path from "node:path";
import {
  readFileLimited,
  readStandardInput,
} from "../../platform/read-limited.js";
import {
  runAdminCommand,
  adminDiagnostic,
} from "../../services/admin-command.js";
import type { Column } from "../../services/marketplace/import/columns.js";
import { itemColumns } from "../../services/marketplace/import/items.js";
import { purchaseColumns } from "../../services/marketplace/import/purchases.js";
import { AdminError } from "../../services/service.js";
import type { Json } from "../../services/store/store.js";
import { services } from "../../services/table.js";
import {
  UsageError,
  type Command,
  type Context,
  type Operands,
} from "../command.js";
import type { OptionRow } from "../../generate/options.js";
import { type Output } from "../../diagnostics/reporters/output.js";
import { visible } from "../../diagnostics/invisible.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import { storeOptions } from "./serve-options.js";

type Values = Readonly<Record<string, unknown>>;

/** Command that administers the marketplace service. */
export interface AdminSpec {
  readonly options: readonly OptionRow[];
  readonly operands?: Operands;
  readonly input: (values: Values, context: Context) => Json;
  readonly print: (result: Values, output: Output) => void;
  /** Text that is added to the output of --help. */
  readonly help?: string;
}

const owner: OptionRow = {
  name: "owner",
  kind: "text",
  value: "username",
  required: true,
  description: "user name of the owner",
};

function texts(
  rows: Readonly<Record<string, string>>,
  required: readonly string[] = [],
): OptionRow[] {
  return Object.entries(rows).map(([name, description]) => ({
    name,
    kind: "text",
    value: name === "profile" ? "file" : name,
    description,
    ...(required.includes(name) ? { required: true } : {}),
  }));
}

const ID = texts({
  id: "id of the key to revoke, as printed by gen marketplace key create (default: all keys of the owner)",
});

const importFile: Pick<AdminSpec, "options" | "operands" | "input" | "print"> =
  {
    operands: {
      name: "file",
      description: "JSON or CSV file; - for standard input",
    },
    options: [
      owner,
      {
        name: "format",
        kind: "choice",
        value: "form",
        choices: ["json", "csv"],
        description: "format of the file (default: derived from its extension)",
      },
      {
        name: "partial",
        kind: "switch",
        description:
          "import the valid rows and report the invalid rows (default: import nothing if a row is invalid)",
      },
    ],
    input: importInput,
    print: ({ imported, problems }, output) => {
      output.out(`${String(imported)} imported\n`);
      printProblems(problems as readonly string[], output);
    },
  };

/**
 * Returns the part of the --help text that describes the columns of an import
 * file.
 */
function columnsHelp(columns: readonly Column[]): string {
  const names = columns.map(({ name, isRequired }) =>
    isRequired === true ? `${name}*` : name,
  );
  const lines = names.reduce<string[]>(
    (rows, name) => {
      const last = `${rows.at(-1)!}${name}, `;
      return last.length > 78
        ? [...rows, `  ${name}, `]
        : [...rows.slice(0, -1), last];
    },
    ["  "],
  );
  return `
CSV columns (* marks required columns; list values are separated by |):
${lines.join("\n").replace(/, $/, "").replace(/ \n/g, "\n")}
A JSON file contains an array of objects with these members, nested as in responses
of the API: \`price.regular\` is \`{"price": {"regular": 10}}\`. An imported item or
purchase replaces an existing one with the same id or code.
`;
}

/** Commands that administer the marketplace service, keyed by name. */
export const specs = {
  "owner add": {
    options: texts(
      {
        username:
          "name of the account: letters, digits, dots, dashes and underscores",
        email: "email address",
        firstname: "first name",
        lastname: "last name",
        currency: "currency code (default: USD)",
        balance: "balance of the account (default: 0)",
        profile: "JSON file that contains the profile of the owner",
      },
      ["username", "email"],
    ),
    input: (values, { cwd }) => ({
      ...(values as Readonly<Record<string, Json>>),
      ...(values["profile"] === undefined
        ? {}
        : { profile: readText(values["profile"] as string, cwd) }),
    }),
    print: ({ username }, { out }) => out(`added ${String(username)}\n`),
  },
  "key create": {
    options: [owner],
    input: (values) => values as Json,
    print: printKey,
  },
  "key rotate": {
    options: [owner, ...ID],
    input: (values) => values as Json,
    print: printKey,
  },
  "key revoke": {
    options: [owner, ...ID],
    input: (values) => values as Json,
    print: ({ revoked }, { out }) => {
      const ids = revoked as readonly string[];
      out(ids.length === 0 ? "no keys\n" : `revoked ${ids.join(", ")}\n`);
    },
  },
  "import items": { ...importFile, help: columnsHelp(itemColumns) },
  "import purchases": { ...importFile, help: columnsHelp(purchaseColumns) },
} satisfies Readonly<Record<string, AdminSpec>>;

const HELP = `
If a server is using the data folder, the command runs in the server; otherwise
it runs in this process. The audit event of the change, a line of JSON, is in the
log of the server, or on standard error of this process.

Exit codes:
  0  success
  2  invalid usage, or the command failed and changed nothing`;

/** Builds the command that runs an operation of the marketplace service. */
export function commandOf(operation: string, spec: AdminSpec): Command {
  return {
    options: [...spec.options, ...storeOptions],
    ...(spec.operands === undefined ? {} : { operands: spec.operands }),
    variables: "SERVE_",
    help: (spec.help ?? "") + HELP,
    run: (values, context) => run(operation, spec, values, context),
  };
}

async function run(
  operation: string,
  { input, print }: AdminSpec,
  values: Values,
  context: Context,
): Promise<number> {
  const { cwd, output } = context;
  const {
    data,
    store: url,
    ...rest
  } = values as Values & {
    readonly data?: string;
    readonly store?: string;
  };
  if (data === undefined && url === undefined)
    throw new UsageError(
      "--data <dir> or --store <url> is required; see --help",
    );
  const location = { data: data && path.resolve(cwd, data), url };
  const row = services.find(({ name }) => name === "marketplace")!;
  try {
    const command = { operation, input: input(rest, context) };
    const log = (line: object): void =>
      output.err(
        `${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`,
      );
    const result = await runAdminCommand(location, row, command, log);
    print(result as Values, output);
    return 0;
  } catch (error) {
    return reportFailure(error, output);
  }
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

function printProblems(problems: readonly string[], { err }: Output): void {
  for (const problem of problems.slice(0, MAX_PROBLEMS))
    err(`  ${visible(problem)}\n`);
  const more = problems.length - MAX_PROBLEMS;
  if (more > 0) err(`  … and ${more} more\n`);
}

/**
 * Prints a new API key on standard output, for scripts, and the id of the key
 * on standard error.
 */
function printKey({ key, id }: Values, { out, err }: Output): void {
  err(`id of the key: ${String(id)}; the key is printed only once\n`);
  out(`${String(key)}\n`);
}

function importInput(values: Values, { cwd }: Context): Json {
  const {
    owner: name,
    file,
    format,
    partial,
  } = values as {
    readonly owner: string;
    readonly file: string;
    readonly format?: string;
    readonly partial?: boolean;
  };
  return {
    owner: name,
    text: readText(file, cwd),
    format: format ?? (file.toLowerCase().endsWith(".csv") ? "csv" : "json"),
    partial: String(partial === true),
  };
}

/** @throws AdminError if the file can't be read or is not UTF-8 */
function readText(file: string, cwd: string): string {
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
