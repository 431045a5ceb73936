import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { node } from "../compile/process.js";
import { ROOT, SHARED, corpusNames } from "../support/paths.js";
import { judge, type Attempt } from "./hostile.js";
import type { RawDocument } from "./inventory/document.js";
import {
  CORPUS,
  describeCorpus,
  filesBelow,
  generate,
  readDocument,
  suiteFolder,
} from "./support.js";

const ORACLE = path.join(SHARED, "oracle");
const HERE = path.join(ROOT, "test/corpus");

/** Request that differs from that of the official client. */
interface Difference {
  readonly doc: string;
  readonly id: string;
  readonly notes: readonly string[];
  readonly got: string;
}

/** Output of compare.mjs with --json. */
interface Comparison {
  readonly total: Readonly<Record<string, number>>;
  readonly skips: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
  readonly failures: readonly {
    readonly doc: string;
    readonly id: string;
    readonly error: string;
  }[];
}

/** Generated clients send what the official clients send. */
describeCorpus("oracle", () => {
  const folder = suiteFolder();
  const clients = path.join(folder, "js");
  const written = path.join(folder, "emitted");

  beforeAll(async () => {
    const source = path.join(folder, "ts");
    await generate(source);
    await transpile(source, clients);
    await generate(written, undefined, undefined, ["--emit", "js"]);
    writeFileSync(path.join(written, "package.json"), PACKAGE);
  }, 120_000);

  test.each([
    ["TypeScript", clients],
    ["JavaScript", written],
  ])("all requests of %s equal those of official clients", async (_, code) => {
    const json = path.join(folder, "result.json");
    const options = `--client either --skip call-hostile --show 0`;
    const ran = await node([
      path.join(ORACLE, "compare.mjs"),
      "--driver",
      path.join(HERE, "oracle-driver.mjs"),
      "--docs",
      CORPUS,
      "--json",
      json,
      ...options.split(" "),
      path.join(ORACLE, "python"),
      "--",
      "--clients",
      code,
    ]);
    expect(ran.code, ran.output).toBe(0);
    const result = JSON.parse(readFileSync(json, "utf8")) as Comparison;
    const { total, skips, failures } = result;
    const records = readRecords();
    const wanted = records.filter(({ id }) => !isHostile(id));
    console.info(
      `${records.length} records, ${wanted.length} to compare: ${verdicts(total)}`,
    );
    const widened = result.differences.filter(isWidenedMask);
    const others = result.differences.filter((each) => !isWidenedMask(each));
    expect(causes(others)).toEqual({});
    expect(failures).toEqual([]);
    expect(skips).toEqual({});
    const equal = total["exact"]! + total["equivalent"]!;
    expect(equal + widened.length).toBe(wanted.length);
    expect(widened.length).toBeGreaterThan(0);
  });

  test("hostile values are rejected or encoded", async () => {
    const json = path.join(folder, "hostile.json");
    const script = path.join(HERE, "oracle-hostile.mjs");
    const ran = await node([script, ORACLE, CORPUS, clients, json]);
    expect(ran.code, ran.output).toBe(0);
    const attempts = JSON.parse(readFileSync(json, "utf8")) as Attempt[];
    const judged = attempts.map((attempt) => ({
      ...attempt,
      ...judge(attempt, readDocument(attempt.doc) as RawDocument),
    }));
    const of = (kind: string): typeof judged =>
      judged.filter((each) => each.kind === kind);
    console.info(
      `${attempts.length} hostile records: ${of("encoded").length} encoded, ${of("refused").length} refused, ${of("unsafe").length} unsafe`,
    );
    expect(of("unsafe")).toEqual([]);
    const hostile = readRecords().filter(({ id }) => isHostile(id));
    expect(attempts.length).toBe(hostile.length);
  });
});

/** Converts generated TypeScript to JavaScript, file by file. */
async function transpile(source: string, target: string): Promise<void> {
  await build({
    entryPoints: filesBelow(source)
      .filter((file) => file.endsWith(".ts"))
      .map((file) => path.join(source, file)),
    outbase: source,
    outdir: target,
    format: "esm",
    target: "es2022",
  });
  writeFileSync(path.join(target, "package.json"), PACKAGE);
}

const PACKAGE = '{ "type": "module" }\n';

/** Prints the totals by verdict in one line. */
function verdicts(total: Comparison["total"]): string {
  const names = [
    "compared",
    "exact",
    "equivalent",
    "different",
    "failed",
    "refused",
    "skipped",
    "noOracle",
  ];
  return names.map((name) => `${name} ${total[name]}`).join(", ");
}

/**
 * Tests whether a request for the next page differs only in the page token that
 * our client adds to the mask, and in empty parameters. With the mask of the record, the official client
 * would never receive a token and could not have sent the request.
 */
function isWidenedMask({ id, notes }: Difference): boolean {
  const [note = "", ...others] = notes;
  return (
    others.length === 0 &&
    id.includes("#next") &&
    /^query lacks \["fields","(.*)"\], has (?:\["\w+",""\] )*\["fields","\1,[\w/]+"\](?: \["\w+",""\])*$/.test(
      note,
    )
  );
}

/** Prints the number of records for each kind of difference, with the first one. */
function causes(
  differences: readonly Difference[],
): Record<string, { count: number; first: string }> {
  const found: Record<string, { count: number; first: string }> = {};
  for (const { doc, id, notes, got } of differences) {
    const cause = notes.map((note) => note.split(" ", 1)[0]).join(" + ");
    const entry = (found[cause] ??= {
      count: 0,
      first: `${doc} ${id}: ${notes.join("; ")}; got ${got}`,
    });
    entry.count++;
  }
  return found;
}

interface Recorded {
  readonly id: string;
  readonly media?: unknown;
}

function isHostile(id: string): boolean {
  return id.endsWith("#call-hostile");
}

/** Returns all records of the corpus documents, without the headers of the files. */
function readRecords(): Recorded[] {
  const folder = path.join(ORACLE, "python");
  return corpusNames().flatMap((name) =>
    readFileSync(path.join(folder, `${name}.jsonl`), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .slice(1)
      .map((line) => JSON.parse(line) as Recorded),
  );
}
