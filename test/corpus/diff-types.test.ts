import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { diffDocuments } from "../../src/diff/diff-documents.js";
import { sideOf } from "../../src/diff/side.js";
import { loadBytes } from "../../src/load/load.js";
import type { RawDocument } from "../../src/load/raw.js";
import { typecheck } from "../compile/typescript.js";
import { SHARED } from "../support/paths.js";
import {
  additiveClasses,
  breakingClasses,
  Random,
  type EditClass,
  type Json,
} from "./diff-edits.js";
import { programOf } from "./diff-program.js";
import { describeCorpus, generate, suiteFolder } from "./support.js";

const SEED = 20260115;
const SAFE = 100;
const BREAKING = 100;

/** Newest revisions of these documents; small, so that one compilation has all programs. */
const NAMES = [
  "tasks.v1",
  "dns.v1",
  "workflows.v1",
  "translate.v3",
  "people.v1",
  "pubsub.v1",
  "calendar.v3",
];

interface Case {
  readonly name: string;
  readonly symbol: string;
  readonly messages: readonly string[];
  readonly isBreaking: boolean;
}

function documentOf(name: string): string {
  const folder = path.join(SHARED, "revisions", name);
  return readFileSync(
    path.join(folder, readdirSync(folder).sort().at(-1)!),
    "utf8",
  );
}

function reload(document: Json): RawDocument {
  const loaded = loadBytes(Buffer.from(JSON.stringify(document)), "edited");
  if (loaded.document === undefined)
    throw new Error(JSON.stringify(loaded.sink.diagnostics));
  return loaded.document;
}

/**
 * Returns the name of the changed object in a message: `q` of
 * `dns.changes.list parameter q: …`.
 */
function nameIn(message: string): string {
  const [label] = message.split(": ", 1);
  return label!
    .replace(/\[\w*\]/g, "")
    .split(/[. ]/)
    .at(-1)!;
}

/**
 * Verdicts for types are proven by the compiler: a program for the old output
 * compiles with the new output if and only if no change is breaking for types.
 */
describeCorpus("diff of types", () => {
  const folder = suiteFolder();
  const cases = new Map<string, Case>();
  /** Errors by program, with the line and the head of the function that each refers to. */
  const errors = new Map<string, { text: string; line: string }[]>();

  beforeAll(async () => {
    const specs = path.join(folder, "specs");
    mkdirSync(specs);
    mkdirSync(path.join(folder, "programs"));
    const texts = NAMES.map(documentOf);
    for (const text of texts) {
      const document = JSON.parse(text) as Json;
      const id = `${document["name"]}e0`;
      write(id, document, reload(document));
      cases.set(id, {
        name: "no edit",
        symbol: "",
        messages: [],
        isBreaking: false,
      });
    }
    const random = new Random(SEED);
    const wanted = { safe: SAFE, breaking: BREAKING };
    const classes: readonly EditClass[] = [
      ...breakingClasses,
      ...additiveClasses,
    ];
    for (let round = 1; wanted.safe + wanted.breaking > 0; round++) {
      const edits = classes[round % classes.length]!;
      const text = random.pick(texts)!;
      const edited = JSON.parse(text) as Json;
      const edit = edits.apply(edited, random);
      if (edit === undefined) continue;
      const old = reload(JSON.parse(text) as Json);
      const { changes } = diffDocuments(old, reload(edited));
      const relevant = changes.filter(({ types }) => types === "breaking");
      const isBreaking = relevant.length > 0;
      const kind = isBreaking ? "breaking" : "safe";
      if (wanted[kind] === 0) continue;
      wanted[kind]--;
      const id = `${edited["name"]}e${round}`;
      write(id, edited, old);
      cases.set(id, {
        name: `${edits.name} of ${edit.symbol}`,
        symbol: edit.symbol,
        messages: relevant.map(({ message }) => message),
        isBreaking,
      });
    }
    await generate(path.join(folder, "out"), [specs]);
    const output = await typecheck(folder, "7", "DOM", ["programs"]);
    // An error continues on indented lines.
    for (const block of output.split(/\n(?=\S)/)) {
      const [, id, at, text] =
        /^programs\/(\w+)\.ts\((\d+),\d+\): ([^]*)$/.exec(block) ?? [];
      if (id === undefined) continue;
      const source = readFileSync(
        path.join(folder, `programs/${id}.ts`),
        "utf8",
      );
      const list = errors.get(id) ?? [];
      const lines = source.split("\n").slice(0, Number(at));
      const head = [...lines]
        .reverse()
        .find((line) => line.startsWith("export "));
      list.push({ text: text!, line: `${head} … ${lines.at(-1)}` });
      errors.set(id, list);
    }

    /** Writes the new document, with a version of its own, and a program for the old one. */
    function write(id: string, document: Json, old: RawDocument): void {
      const version = `v${id}`;
      const copy = {
        ...document,
        version,
        id: `${document["name"]}:${version}`,
      };
      writeFileSync(path.join(specs, `${id}.json`), JSON.stringify(copy));
      const side = sideOf(old, false);
      const module = `../out/${document["name"]}/${version}/index.js`;
      writeFileSync(
        path.join(folder, `programs/${id}.ts`),
        programOf(side, module),
      );
    }
  }, 600_000);

  test("programs compile with the output that they were written for", () => {
    const failed = [...cases].filter(
      ([id, { symbol }]) => symbol === "" && errors.has(id),
    );
    expect(failed.map(([id]) => [id, errors.get(id)!.slice(0, 3)])).toEqual([]);
  });

  test("programs compile after changes that are safe for types", () => {
    const safe = [...cases].filter(([, { isBreaking }]) => !isBreaking);
    expect(safe.length).toBe(SAFE + NAMES.length);
    const failed = safe.filter(([id]) => errors.has(id));
    expect(
      failed.map(([id, { name }]) => [id, name, errors.get(id)!.slice(0, 3)]),
    ).toEqual([]);
  });

  test("the named symbol fails after changes that are breaking for types", () => {
    const breaking = [...cases].filter(([, { isBreaking }]) => isBreaking);
    expect(breaking.length).toBe(BREAKING);
    const unproven = breaking.filter(([id, { messages }]) => {
      const texts = (errors.get(id) ?? []).map(
        ({ text, line }) => `${text}\n${line}`,
      );
      return !messages
        .map(nameIn)
        .some((name) => texts.some((text) => text.includes(name)));
    });
    expect(
      unproven.map(([id, { name, messages }]) => [
        id,
        name,
        messages,
        (errors.get(id) ?? []).slice(0, 3),
      ]),
    ).toEqual([]);
  });
});
