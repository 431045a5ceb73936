// Lists every regular expression of src/ with its worst-case complexity
// according to `recheck`: `node scripts/patterns.mjs [--all]`. Exits with 1 if
// the complexity of an expression is not linear.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { check } from "recheck";
import ts from "ts6";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Returns the files below src/, sorted. */
function sources() {
  return readdirSync(path.join(ROOT, "src"), { recursive: true })
    .map((name) => `src/${String(name).replaceAll(path.sep, "/")}`)
    .filter((name) => name.endsWith(".ts"))
    .sort();
}

/** Returns pattern and flags of a literal such as `/a/g`. */
function readLiteral(text) {
  const end = text.lastIndexOf("/");
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

/** Returns true for `RegExp(…)` and `new RegExp(…)`. */
function isConstruction(node) {
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
  return isCall && node.expression.getText() === "RegExp";
}

/**
 * Returns the regular expressions of the sources: literals with pattern and
 * flags, and expressions that are created at run time, which are marked
 * `dynamic`.
 */
export function listPatterns() {
  const found = [];
  for (const name of sources()) {
    const text = readFileSync(path.join(ROOT, name), "utf8");
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
    const visit = (node) => {
      const start = node.getStart(file);
      const line = () => file.getLineAndCharacterOfPosition(start).line + 1;
      if (node.kind === ts.SyntaxKind.RegularExpressionLiteral)
        found.push({ file: name, line: line(), ...readLiteral(node.text) });
      else if (isConstruction(node))
        found.push({ file: name, line: line(), dynamic: node.getText(file) });
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}

/**
 * Returns the worst case of a pattern: `linear`, or recheck's classification
 * (`2nd degree polynomial`, `exponential`, `unknown: timeout`).
 */
export async function worstCase({ source, flags }) {
  const result = await check(source, flags, { timeout: 60_000, randomSeed: 1 });
  const { status, complexity, error } = result;
  if (status === "safe") return "linear";
  if (status === "vulnerable") return complexity.summary;
  return `unknown: ${error?.kind ?? "no result"}`;
}

async function main() {
  const isAll = process.argv.includes("--all");
  let bad = 0;
  const patterns = listPatterns();
  for (const pattern of patterns) {
    const { file, line, source, flags, dynamic } = pattern;
    const result =
      dynamic === undefined ? await worstCase(pattern) : "made at run time";
    if (result !== "linear" && dynamic === undefined) bad++;
    if (isAll || result !== "linear")
      console.log(
        `${file}:${line}\t${result}\t${dynamic ?? `/${source}/${flags}`}`,
      );
  }
  console.log(`${patterns.length} regular expressions, ${bad} not linear`);
  process.exitCode = bad > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
