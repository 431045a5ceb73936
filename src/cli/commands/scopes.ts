import { formatCount } from "../../diagnostics/format-count.js";
import { visible } from "../../diagnostics/invisible.js";
import { visibleJson } from "../../diagnostics/reporters/output.js";
import { Sink } from "../../diagnostics/sink.js";
import { analyseCode } from "../../diff/uses/index.js";
import { leastScopes } from "../../diff/uses/least-scopes.js";
import type { UsePosition } from "../../diff/uses/types.js";
import { calledMethods } from "../../diff/uses/used-methods.js";
import { usedAtWords } from "../../diff/words.js";
import type { Method } from "../../model/ir.js";
import type { Command, Context } from "../command.js";
import { SPECS_OPTION, userCode, USES_OPTION } from "../diff-project.js";
import { exitCodeOf } from "../exit-code.js";
import {
  PROJECT_APIS,
  readProjectApis,
  type ProjectApi,
} from "../project-apis.js";
import { reportFindings } from "../reporters/findings.js";

interface Values {
  readonly apis?: readonly string[];
  readonly uses?: readonly string[];
  readonly specs?: string;
  readonly noConfig?: boolean;
  readonly format: "text" | "json";
}

const HELP = `
Without --uses, the scopes are those for all methods that are generated.

Exit codes:
  0  the scopes were printed
  2  invalid usage or config
  3  a document can't be used`;

/** Command `gen scopes`: prints the least OAuth scopes for the calls of code. */
export const scopes: Command = {
  operands: PROJECT_APIS,
  options: [
    {
      ...USES_OPTION,
      description:
        "TypeScript and JavaScript files whose calls count (needs ts-morph); repeatable",
    },
    SPECS_OPTION,
    {
      name: "format",
      kind: "choice",
      value: "name",
      choices: ["text", "json"],
      default: "text",
      description: "format of the report",
    },
  ],
  variables: "SCOPES_",
  help: HELP,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(values: Values, { cwd, output }: Context): Promise<number> {
  const { apis: names = [], format } = values;
  const { apis, config, diagnostics } = await readProjectApis(
    names,
    values,
    cwd,
  );
  const sink = new Sink();
  const code = userCode(values.uses, config, cwd);
  const uses =
    code === undefined || apis.length === 0
      ? undefined
      : (
          await analyseCode(
            apis.map(({ side }) => side),
            code,
            sink,
          )
        ).uses;
  const reports = apis.map((api) =>
    reportOf(
      api,
      uses === undefined
        ? new Map(api.side.methods.map((method) => [method, []]))
        : calledMethods(api.side, uses.get(api.id) ?? []),
    ),
  );
  const findings = [...diagnostics, ...sink.diagnostics];
  reportFindings(findings, "text", output);
  const failure = exitCodeOf(findings);
  const shown = reports.filter(({ methods }) => methods.length > 0);
  if (failure === undefined)
    output.out(
      format === "json"
        ? `${visibleJson({ apis: shown })}\n`
        : textOf(shown, uses !== undefined),
    );
  return failure ?? 0;
}

/** Least scopes for the calls of an API. */
interface ScopeReport {
  readonly api: string;
  readonly scopes: readonly string[];
  readonly methods: readonly {
    readonly method: string;
    /** Scope of the list that the method accepts; absent if it needs none. */
    readonly scope?: string;
    /** All scopes that the method accepts; each of them is sufficient. */
    readonly accepted: readonly string[];
    readonly usedAt: readonly UsePosition[];
  }[];
}

function reportOf(
  { id, side }: ProjectApi,
  called: ReadonlyMap<Method, readonly UsePosition[]>,
): ScopeReport {
  const least = leastScopes([...called.keys()], side.methods);
  return {
    api: id,
    scopes: least,
    methods: [...called].map(([method, usedAt]) => {
      const scope = least.find((one) => method.scopes.includes(one));
      return {
        method: method.id,
        ...(scope === undefined ? {} : { scope }),
        accepted: method.scopes,
        usedAt,
      };
    }),
  };
}

function textOf(reports: readonly ScopeReport[], isUsed: boolean): string {
  if (reports.length === 0)
    return isUsed ? "the code calls no method of these APIs\n" : "no methods\n";
  return reports.map(sectionOf).join("\n");
}

function sectionOf({ api, scopes: least, methods }: ScopeReport): string {
  const lines = [
    `${api}: ${formatCount(least.length, "scope")} for ${formatCount(methods.length, "method")}`,
  ];
  for (const scope of [...least, undefined]) {
    const covered = methods.filter((one) => one.scope === scope);
    if (covered.length === 0) continue;
    lines.push(`  ${scope ?? "no scope needed"}`);
    for (const { method, accepted, usedAt } of covered) {
      const others = accepted.filter((one) => one !== scope).length;
      const rest =
        others === 0
          ? ""
          : `, also accepts ${formatCount(others, "other scope")}`;
      const positions = usedAtWords(usedAt);
      const at = positions === undefined ? "" : `, ${positions}`;
      lines.push(`    ${method}${rest}${at}`);
    }
  }
  return `${lines.map(visible).join("\n")}\n`;
}
