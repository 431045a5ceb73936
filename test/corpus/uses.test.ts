import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { compareInputs, type Comparison } from "../../src/diff/compare.js";
import { sideOf } from "../../src/diff/side.js";
import { addUses } from "../../src/diff/uses/index.js";
import { Sink } from "../../src/diagnostics/sink.js";
import { loadBytes } from "../../src/load/load.js";
import type { RawDocument } from "../../src/load/raw.js";
import { typecheck } from "../compile/typescript.js";
import { SHARED } from "../support/paths.js";
import { programOf } from "./diff-program.js";
import { describeCorpus, generate, suiteFolder } from "./support.js";

/** Pairs of revisions; `USES_PAIRS=all` compares all consecutive revisions. */
const SAMPLE = [
  "analyticshub.v1beta1",
  "calendar.v3",
  "discovery.v1",
  "gmail.v1",
  "people.v1",
  "searchconsole.v1",
  "tasks.v1",
  "workflows.v1",
];

interface Pair {
  readonly id: string;
  readonly name: string;
  readonly old: RawDocument;
  readonly now: RawDocument;
}

/** Returns consecutive revisions of documents, each pair with a version of its own. */
function pairs(): Pair[] {
  const folder = path.join(SHARED, "revisions");
  const names =
    process.env["USES_PAIRS"] === "all" ? readdirSync(folder).sort() : SAMPLE;
  return names.flatMap((name) => {
    const files = readdirSync(path.join(folder, name)).sort();
    return files.slice(1).map((file, index) => {
      const id = `${name.replace(/\W/g, "_")}_${index}`;
      return {
        id,
        name: `${name} ${files[index]} -> ${file}`,
        old: documentOf(path.join(folder, name, files[index]!), id),
        now: documentOf(path.join(folder, name, file), id),
      };
    });
  });
}

function documentOf(file: string, id: string): RawDocument {
  const json = JSON.parse(readFileSync(file, "utf8")) as RawDocument;
  const text = JSON.stringify({
    ...json,
    version: id,
    id: `${json.name}:${id}`,
  });
  const { document, sink } = loadBytes(Buffer.from(text), file);
  if (document === undefined) throw new Error(JSON.stringify(sink.diagnostics));
  return document;
}

/**
 * The compiler proves the positions: a program for the old revision is compiled
 * with the output of the new one.
 */
describeCorpus("uses of revisions", () => {
  const folder = suiteFolder();
  const all = pairs();
  /** Errors by pair, as `line:column message`. */
  const errors = new Map<string, string[]>();
  const comparisons = new Map<string, Comparison>();
  let unexplained: readonly string[] = [];

  beforeAll(async () => {
    for (const name of ["specs", "programs"])
      mkdirSync(path.join(folder, name));
    const compared: Comparison[] = [];
    for (const { id, old, now } of all) {
      const side = sideOf(old, false);
      writeFileSync(path.join(folder, `specs/${id}.json`), JSON.stringify(now));
      writeFileSync(
        path.join(folder, `programs/${id}.ts`),
        programOf(side, `../out/${side.names.folder}/index.js`),
      );
      const input = (document: RawDocument) => ({
        file: id,
        text: JSON.stringify(document),
        document,
      });
      compared.push(compareInputs(input(old), input(now), {}));
    }
    await generate(path.join(folder, "out"), [path.join(folder, "specs")]);
    const output = await typecheck(folder, "7", "DOM", ["programs"]);
    // An error continues on indented lines.
    for (const block of output.split(/\n(?=\S)/)) {
      const [, id, line, column, text] =
        /^programs\/(\w+)\.ts\((\d+),(\d+)\): ([^]*)$/.exec(block) ?? [];
      if (id === undefined) continue;
      errors.set(id, [...(errors.get(id) ?? []), `${line}:${column} ${text}`]);
    }
    const code = {
      cwd: folder,
      patterns: ["programs/*.ts"],
      outputs: compared.map(({ result }) => ({ api: result.api, out: "out" })),
    };
    const sink = new Sink();
    for (const [index, comparison] of (
      await addUses(compared, code, sink)
    ).entries())
      comparisons.set(all[index]!.id, comparison);
    unexplained = sink.diagnostics.map(({ message }) => message);
  }, 1_800_000);

  /** Returns the changes to types at each position, as `line:column`. */
  function changesByPosition(id: string): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const { types, usedAt, message } of comparisons.get(id)!.result
      .changes)
      if (types !== "info")
        for (const { line, column } of usedAt!) {
          const key = `${line}:${column}`;
          found.set(key, [...(found.get(key) ?? []), message]);
        }
    return found;
  }

  test("every error of the compiler is at a position of a change", () => {
    let count = 0;
    const missing: string[] = [];
    const unrelated: string[] = [];
    for (const { id, name } of all) {
      const found = changesByPosition(id);
      const lines = readFileSync(
        path.join(folder, `programs/${id}.ts`),
        "utf8",
      ).split("\n");
      for (const error of errors.get(id) ?? []) {
        count++;
        const at = error.split(" ", 1)[0]!;
        const messages = found.get(at);
        const line = lines[Number.parseInt(at, 10) - 1]!;
        const text = `${line} ${error}`;
        if (messages === undefined) missing.push(`${name} ${id} ${error}`);
        else if (
          !messages.some((message) =>
            wordsOf(message).some((word) => text.includes(word)),
          )
        )
          unrelated.push(
            `${name} ${id} ${error}\n${line}\n${messages.slice(0, 5).join("\n")}`,
          );
      }
    }
    const used = all.flatMap(({ id }) =>
      comparisons
        .get(id)!
        .result.changes.filter(({ usedAt }) => usedAt!.length > 0),
    );
    console.info(
      `${all.length} pairs, ${count} errors of the compiler in ${errors.size} programs, ${used.length} changes with positions, ${missing.length} errors without one, ${unrelated.length} without a name of the change`,
    );
    if (process.env["USES_DUMP"])
      writeFileSync(
        process.env["USES_DUMP"],
        [...missing, ...unrelated, ...unexplained].join("\n\n"),
      );
    expect(count).toBeGreaterThan(0);
    expect(missing.slice(0, 20)).toEqual([]);
    expect(unrelated.slice(0, 20)).toEqual([]);
    expect(unexplained).toEqual([]);
  });
});

/** Returns the names of the changed object in a message, such as `Book` and `pages`. */
function wordsOf(message: string): string[] {
  const [label] = message.split(": ", 1);
  return label!
    .replace(/\[\w*\]/g, "")
    .split(/[. ]/)
    .filter((word) => word !== "parameter");
}
