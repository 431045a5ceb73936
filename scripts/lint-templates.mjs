// Checks the templates: they contain no unescaped output, their first line
// names the type of the view and the file that exports it, and their number of
// lines is limited.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const MAX_LINES = 80;
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const folder = path.join(root, "templates");
const problems = [];

/** Returns the problem of a first line, if any. */
function problemOfHead(line) {
  const [, type, file] =
    /^\{\{!-- view: (\w+) \((src\/[\w/.-]+)\) --\}\}$/.exec(line) ?? [];
  if (type === undefined)
    return "the first line must name the view's type and file";
  const source = path.join(root, file);
  if (!existsSync(source)) return `${file} does not exist`;
  const declaration = new RegExp(`^export (?:interface|type) ${type}\\b`, "m");
  return declaration.test(readFileSync(source, "utf8"))
    ? undefined
    : `${file} does not export the type ${type}`;
}

for (const name of readdirSync(folder, { recursive: true }).filter((file) =>
  file.endsWith(".hbs"),
)) {
  const text = readFileSync(path.join(folder, name), "utf8");
  const lines = text.split("\n");
  const problem = problemOfHead(lines[0] ?? "");
  if (problem !== undefined) problems.push(`${name}:1: ${problem}`);
  if (lines.length > MAX_LINES)
    problems.push(`${name}: ${lines.length} lines, more than ${MAX_LINES}`);
  for (const [index, line] of lines.entries()) {
    if (/\{\{~?[{&]/.test(line))
      problems.push(`${name}:${index + 1}: unescaped output`);
  }
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
