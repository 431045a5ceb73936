// Runs the acceptance tests and writes docs/acceptance.md: each statement of the
// source documents with its check and verdict. With --check: exit 1 if the page
// is out of date. A failed check is always exit 1.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startVitest } from "vitest/node";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const page = path.join(root, "docs/acceptance.md");

const TITLES = {
  1: "Descriptions and the directory",
  2: "Chat and marketplace",
  3: "Migrations and the runtime upgrade",
};

const vitest = await startVitest("test", [], {
  root,
  run: true,
  watch: false,
  project: ["acceptance"],
  reporters: ["default"],
});
const rows = vitest.state.getTestModules().flatMap((module) =>
  [...module.children.allTests()].map((test) => ({
    ...test.meta().acceptance,
    file: path.relative(root, module.moduleId),
    state: test.result().state,
  })),
);
const hasFailed = vitest.state.getCountOfFailedTests() > 0 || rows.length === 0;
await vitest.close();

const problems = duplicates(rows.map(({ id }) => id)).map(
  (id) => `the id ${id} occurs more than once`,
);
if (hasFailed) problems.push("a check failed");
else if (problems.length === 0) update(pageOf(rows));
for (const problem of problems) console.error(`acceptance: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;

function duplicates(ids) {
  return ids.filter((id, index) => ids.indexOf(id) < index);
}

function update(text) {
  if (!process.argv.includes("--check")) writeFileSync(page, text);
  else if (readFileSync(page, "utf8") !== text)
    problems.push(
      "docs/acceptance.md is out of date; run `npm run acceptance`",
    );
}

function pageOf(all) {
  const count = (test) => all.filter(test).length;
  const known = all.filter(({ fails }) => fails !== undefined);
  return [
    "<!-- Written by `npm run acceptance`. -->",
    "",
    "# Acceptance",
    "",
    "The statements of the three documents that specify this project, each decided by a check that runs.",
    "`npm run acceptance` runs the checks and writes this page.",
    "",
    "- **holds**: the check passes.",
    "- **decision**: the document leaves the question open, or the project deviates from it. The check passes if the",
    "  project behaves as the [decisions](../specs/README.md#decisions) say.",
    "- **not yet**: the statement is not true, for the reason given. The run fails as soon as its check passes.",
    "",
    `${all.length} statements: ${count((row) => verdictOf(row) === "holds")} hold, ${count(({ decision }) => decision !== undefined)} are decisions, ${known.length} do not hold yet.`,
    "",
    ...Object.entries(TITLES).flatMap(([seed, title]) => [
      `## ${seed}. ${title}`,
      "",
      ...sectionsOf(all.filter((row) => String(row.seed) === seed)),
    ]),
  ].join("\n");
}

function sectionsOf(all) {
  const keys = [
    ...new Set(all.map(({ section, file }) => `${file}\n${section}`)),
  ];
  return keys.sort().flatMap((key) => {
    const [file, section] = key.split("\n");
    const own = all.filter(
      (row) => row.file === file && row.section === section,
    );
    return [
      `### ${section}: ${path.basename(file, ".test.ts")}`,
      "",
      `Checks: \`${file}\``,
      "",
      "| id | statement | verdict |",
      "| --- | --- | --- |",
      ...own.map(
        (row) =>
          `| \`${row.id}\` | ${row.statement.replaceAll("|", "\\|")} | ${verdictOf(row)} |`,
      ),
      "",
    ];
  });
}

function verdictOf({ decision, fails }) {
  if (fails !== undefined) return `not yet: ${fails}`;
  return decision === undefined ? "holds" : `decision: ${decision}`;
}
