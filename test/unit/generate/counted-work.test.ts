import { expect, test } from "vitest";
import { Sink } from "../../../src/diagnostics/sink.js";
import { buildApi } from "../../../src/model/build/api.js";
import type { RawDocument } from "../../../src/load/raw.js";
import { Engine } from "../../../src/render/engine.js";
import { targetsOf } from "../../../src/targets/index.js";
import { printTargets } from "../../../src/targets/print-targets.js";
import { loadTargets } from "../../../src/targets/target.js";
import { syntheticDocument } from "../../../bench/synthetic.mjs";

/** Counts the reads of all members of a value. */
class Reads {
  count = 0;
  readonly #proxies = new WeakMap<object, object>();

  watch<T>(value: T): T {
    if (typeof value !== "object" || value === null) return value;
    const known = this.#proxies.get(value);
    if (known !== undefined) return known as T;
    const proxy = new Proxy(value, {
      get: (target, key) => {
        this.count++;
        return this.watch(Reflect.get(target, key) as unknown);
      },
    });
    this.#proxies.set(value, proxy);
    return proxy;
  }
}

const NAMES = ["client", "server", "validator"];

/** Returns the reads of the document and of its model for a number of schemas. */
async function readsFor(
  schemas: number,
): Promise<{ document: number; model: number }> {
  const sink = new Sink("synthetic.json");
  const raw = new Reads();
  const document = raw.watch(syntheticDocument(schemas)) as RawDocument;
  const api = buildApi(document, sink, { trustProse: false });
  const targets = targetsOf(NAMES);
  await loadTargets(targets);
  const model = new Reads();
  const options = {
    importSuffix: ".js" as const,
    trustProse: false,
    targets: NAMES,
  };
  printTargets(
    model.watch(JSON.parse(JSON.stringify(api)) as typeof api),
    targets,
    options,
    new Engine(),
    sink,
  );
  return { document: raw.count, model: model.count };
}

test("ten times the schemas are read ten times as often, in the document and in the model", async () => {
  const small = await readsFor(50);
  const large = await readsFor(500);
  expect(small.document).toBeGreaterThan(50 * 20);
  expect(small.model).toBeGreaterThan(50 * 20);
  expect(large.document / small.document).toBeLessThan(10.5);
  expect(large.model / small.model).toBeLessThan(10.5);
});
