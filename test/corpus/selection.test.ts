import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Sink } from "../../src/diagnostics/sink.js";
import { loadBytes } from "../../src/load/load.js";
import type { RawDocument } from "../../src/load/raw.js";
import { buildApi } from "../../src/model/build/api.js";
import { rawMethods } from "../../src/model/raw-methods.js";
import { Engine } from "../../src/render/engine.js";
import { selectMethods } from "../../src/select/select-methods.js";
import { clientTarget } from "../../src/targets/client/index.js";
import { printTargets } from "../../src/targets/print-targets.js";
import { corpusNames } from "../support/paths.js";
import { randomOf } from "../support/random-values.js";
import { CORPUS, describeCorpus } from "./support.js";

const engine = new Engine();

function load(name: string): RawDocument {
  const bytes = readFileSync(path.join(CORPUS, `${name}.json`));
  return loadBytes(bytes, name).document!;
}

/** Prints the client of a document, by path. */
function print(document: RawDocument): Map<string, string> {
  const options = { importSuffix: ".js", trustProse: false } as const;
  const api = buildApi(document, new Sink(), options);
  const files = printTargets(api, [clientTarget], options, engine, new Sink());
  return new Map(files.map(({ path: file, text }) => [file, text]));
}

function select(document: RawDocument, include: readonly string[]) {
  const sink = new Sink();
  const selected = selectMethods(document, { include }, sink);
  expect(sink.diagnostics).toEqual([]);
  return selected;
}

const size = (files: ReadonlyMap<string, string>): number =>
  [...files.values()].reduce((sum, text) => sum + text.length, 0);

/** Splits a file into its declarations; imports and aliases are dropped. */
function declarations(text: string): string[] {
  return text
    .split(/\n\n(?=\S)/)
    .filter(
      (part) => !/^(?:\/\/|import |\} from |export \{)/.test(part.trim()),
    );
}

describeCorpus("selection", () => {
  test("compute.instances.* is at most a tenth of the client of compute", () => {
    const document = load("compute.v1");
    const part = size(print(select(document, ["compute.instances.*"])));
    const share = part / size(print(document));
    console.info(`compute.instances.*: ${(share * 100).toFixed(1)} % of bytes`);
    expect(share).toBeLessThan(0.1);
  });

  test("the declarations of selected methods are those of the complete client", () => {
    let count = 0;
    const different: string[] = [];
    for (const [seed, name] of corpusNames().entries()) {
      const document = load(name);
      const ids = rawMethods(document).map(({ id }) => id);
      const next = randomOf(seed + 1);
      const include = [1, 2, 3].map(
        () => ids[Math.floor(next() * ids.length)]!,
      );
      const complete = print(document);
      for (const [file, text] of print(select(document, include))) {
        if (!file.includes("/resources/")) continue;
        const all = complete.get(file) ?? "";
        for (const part of declarations(text)) {
          count++;
          if (!all.includes(part)) different.push(`${name} ${file}:\n${part}`);
        }
      }
    }
    console.info(`${count} declarations, ${different.length} different`);
    expect(different).toEqual([]);
  });
});
