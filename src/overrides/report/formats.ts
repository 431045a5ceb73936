import { annotation } from "../../diagnostics/reporters/github.js";
import { visibleJson } from "../../diagnostics/reporters/output.js";
import { ruleCatalogue } from "../rules/catalogue.js";
import type { CheckResult } from "../validate.js";

/** Renders findings as a JSON array with one object per file. */
export function jsonReport(checked: readonly CheckResult[]): string {
  const files = checked.map(({ file, detected, diagnostics, isValid }) => ({
    file,
    detectedVersion: detected.version,
    diagnostics,
    valid: isValid,
  }));
  return `${visibleJson(files)}\n`;
}

/** Renders findings as GitHub Actions workflow commands. */
export function githubReport(checked: readonly CheckResult[]): string {
  return checked
    .flatMap(({ file, diagnostics }) =>
      diagnostics.map(({ code, severity, line, column, message, suggestion }) =>
        annotation({
          code,
          severity,
          line,
          column,
          message,
          file,
          ...(suggestion === "" ? {} : { fix: suggestion }),
        }),
      ),
    )
    .join("");
}

const LEVELS = { error: "error", warning: "warning", info: "note" } as const;

/** Renders findings as SARIF 2.1.0 for code scanning tools. */
export function sarifReport(
  checked: readonly CheckResult[],
  version: string,
): string {
  const rules = Object.entries(ruleCatalogue).map(([id, rule]) => ({
    id,
    shortDescription: { text: rule.title },
    fullDescription: { text: rule.what },
    help: { text: `${rule.why} Fix: ${rule.fix}.` },
    defaultConfiguration: { level: LEVELS[rule.severity] },
  }));
  const results = checked.flatMap(({ file, diagnostics }) =>
    diagnostics.map((diagnostic) => ({
      ruleId: diagnostic.code,
      ruleIndex: rules.findIndex(({ id }) => id === diagnostic.code),
      level: LEVELS[diagnostic.severity],
      message: {
        text:
          diagnostic.suggestion === ""
            ? diagnostic.message
            : `${diagnostic.message}. ${diagnostic.suggestion}`,
      },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: uriOf(file) },
            region: {
              startLine: diagnostic.line,
              startColumn: diagnostic.column,
            },
          },
          ...(diagnostic.path === ""
            ? {}
            : { logicalLocations: [{ fullyQualifiedName: diagnostic.path }] }),
        },
      ],
    })),
  );
  const driver = { name: "gen overrides", version, rules };
  return `${visibleJson({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results }],
  })}\n`;
}

function uriOf(file: string): string {
  return file.split(/[\\/]/).map(encodeURIComponent).join("/");
}
