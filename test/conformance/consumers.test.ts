// A program that uses a generated client and server, built and run by the tools that people have.
// Runs one form for each tool; CONSUMERS=all runs each form, also those that the table says
// do not work. The table of docs/imports.md contains the rows of consumers/tools.ts.
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../support/paths.js";
import {
  FORMS,
  areInstalled,
  runCell,
  startMock,
  versionOf,
  type Form,
  type Mock,
  type Tool,
} from "./consumers/cell.js";
import { TOOLS } from "./consumers/tools.js";

const ALL = process.env["CONSUMERS"] === "all";
/** Another form for each tool, so that few cells cover all forms. */
const sample = (tool: Tool): Form[] => {
  const { works } = tool;
  return [works[TOOLS.indexOf(tool) % works.length]!];
};

describe.skipIf(!areInstalled())("a program with client and server", () => {
  let mock: Mock;
  beforeAll(async () => {
    mock = await startMock();
  });
  afterAll(() => mock.close());

  describe.each(TOOLS)("$name", (tool) => {
    it.each(ALL ? tool.works : sample(tool))(
      "runs the form %s",
      (form) => {
        const lines = runCell(tool, form, mock.rootUrl).split("\n");
        expect(lines.some((line) => /\bok\b/.test(line))).toBe(true);
      },
      300_000,
    );

    // CI counts skipped tests as failures, so these exist only if they run.
    const refused = FORMS.filter((form) => ALL && !tool.works.includes(form));
    it.each(refused)(
      "does not run the form %s",
      (form) =>
        expect(() => runCell(tool, form, mock.rootUrl)).toThrow(
          // The message names the import that the tool does not resolve.
          "/generated/",
        ),
      300_000,
    );
  });
});

/** Rows of the table of docs/imports.md. */
const ROWS = TOOLS.map((tool) => {
  const forms = FORMS.map((form) => (tool.works.includes(form) ? "yes" : "no"));
  return [tool.name, versionOf(tool.package), ...forms, tool.notes];
});

it("docs/imports.md has a row for each tool with the tested result", () => {
  const text = readFileSync(path.join(ROOT, "docs/imports.md"), "utf8");
  const table = text
    .split("\n")
    .filter((line) => / (?:yes|no) +\|/.test(line))
    .map((line) =>
      line.split(" |").map((cell) => cell.replace("|", "").trim()),
    );
  expect(table.map((cells) => cells.slice(0, -1))).toEqual(ROWS);
});
