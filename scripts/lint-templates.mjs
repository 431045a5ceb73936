// Templates print code only: no unescaped output, a first line that names the
// view, and no more lines than a reader takes in at once.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const MAX_LINES = 80;
const root = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  "../templates",
);
const problems = [];

for (const name of readdirSync(root, { recursive: true }).filter((file) =>
  file.endsWith(".hbs"),
)) {
  const text = readFileSync(path.join(root, name), "utf8");
  const lines = text.split("\n");
  if (!/^\{\{!-- view: \w+ \(src\/[\w/.-]+\) --\}\}$/.test(lines[0] ?? "")) {
    problems.push(
      `${name}:1: the first line must name the view's type and file`,
    );
  }
  if (lines.length > MAX_LINES)
    problems.push(`${name}: ${lines.length} lines, more than ${MAX_LINES}`);
  for (const [index, line] of lines.entries()) {
    if (/\{\{~?[{&]/.test(line))
      problems.push(`${name}:${index + 1}: unescaped output`);
  }
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
