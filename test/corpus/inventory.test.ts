import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { corpusNames } from "../support/paths.js";
import { compare, renamedSchemas } from "./inventory/compare.js";
import { count, type RawDocument } from "./inventory/document.js";
import {
  describeCorpus,
  filesBelow,
  generate,
  readDocument,
  suiteFolder,
} from "./support.js";

interface Report {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly file?: string;
    readonly pointer?: string;
  }[];
}

/**
 * Output contains every declaration of a document and no others: the test reads
 * them from the JSON, without the generator's model, and looks them up in the
 * generated text.
 */
describeCorpus("inventory", () => {
  const out = suiteFolder();
  const found = count([]);
  let report: Report;
  let files: readonly string[];

  beforeAll(async () => {
    report = JSON.parse((await generate(out)).output) as Report;
    files = filesBelow(out);
  }, 120_000);

  test.each(corpusNames())("%s", (name) => {
    const document = readDocument(name) as RawDocument;
    const texts = textsOf(`${document.name}/${document.version}/`);
    const diagnostics = report.diagnostics.filter(({ file }) =>
      file?.endsWith(`/${name}.json`),
    );
    const renamed = renamedSchemas(diagnostics, document.schemas ?? {});
    expect(compare(document, texts, renamed, found)).toEqual([]);
  });

  test("files differ by more than case", () => {
    const folded = new Set(files.map((file) => file.toLowerCase()));
    expect(folded.size).toBe(files.length);
  });

  test("all declarations were found", () => {
    const documents = corpusNames().map(
      (name) => readDocument(name) as RawDocument,
    );
    expect(found).toEqual(count(documents));
    console.info(
      `${documents.length} documents, ${files.length} files: ${JSON.stringify(found)}`,
    );
  });

  test.each([
    ["a method", "resources/tasks.ts", "export const move:", "const move:"],
    ["an id", "resources/tasks.ts", '"tasks.tasks.move"', '"tasks.tasks.copy"'],
    ["a path", "resources/tasks.ts", "{tasklist}/clear", "{taskList}/clear"],
    ["a parameter", "resources/tasks.ts", "  dueMax?:", "  dueMaximum?:"],
    ["a required one", "resources/tasks.ts", "  tasklist:", "  tasklist?:"],
    [
      "a repeated one",
      "resources/tasks.ts",
      "dueMax?: string",
      "dueMax?: readonly string[]",
    ],
    [
      "a body",
      "resources/tasks.ts",
      "requestBody?: Input<TaskInput>",
      "requestBody?: Input<Tasks>",
    ],
    ["undefined", "resources/tasks.ts", "string | undefined;", "string;"],
    ["a scope", "resources/tasks.ts", "Accepted scopes: tasks.", ""],
    [
      "a method's scope",
      "scopes.ts",
      '"tasks.tasks.move",',
      '"tasks.tasks.copy",',
    ],
    ["a batch", "client.ts", "methods(), batches)", "methods())"],
    ["a common parameter", "service.ts", "quotaUser?:", "quotaUsers?:"],
    ["an enum value", "service.ts", '"json"', '"xml"'],
    [
      "a schema",
      "schemas.ts",
      "interface TaskLists ",
      "interface TaskListList ",
    ],
    ["a property", "schemas.ts", "completed?:", "complete?:"],
    ["an inline property", "schemas.ts", "link?:", "links?:"],
    ["a type", "schemas.ts", "deleted?: boolean", "deleted?: string"],
    ["a flag", "schemas.ts", "  title?:", "  readonly title?:"],
    [
      "a resource",
      "client.ts",
      "Bound<typeof tasks>",
      "Bound<typeof tasklists>",
    ],
    ["a bound resource", "client.ts", "  tasks: {", "  task: {"],
    ["a bound path", "client.ts", 'clear: ["POST"', 'clear: ["GET"'],
    [
      "a surplus type",
      "schemas.ts",
      "export interface Task ",
      "export interface Extra {}\nexport interface Task ",
    ],
  ])("%s gone wrong would be noticed", (_, file, from, to) => {
    const texts = textsOf("tasks/v1/");
    const text = texts.get(file)!;
    expect(text).toContain(from);
    texts.set(file, text.replaceAll(from, to));
    const document = readDocument("tasks.v1") as RawDocument;
    expect(compare(document, texts, new Map(), count([]))).not.toEqual([]);
  });

  function textsOf(folder: string): Map<string, string> {
    return new Map(
      files
        .filter((file) => file.startsWith(folder))
        .map((file) => [
          file.slice(folder.length),
          readFileSync(path.join(out, file), "utf8"),
        ]),
    );
  }
});
