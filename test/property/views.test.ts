import { describe, expect, test } from "vitest";
import { Code } from "../../src/render/typescript/code.js";
import { Engine, TemplateError, type View } from "../../src/render/engine.js";
import { clientTarget } from "../../src/targets/client/index.js";
import { printApi } from "../../src/targets/print-api.js";
import { generateClient } from "../support/generate.js";
import { HOSTILE, TEMPLATE, fill } from "./hostile.js";
import { Sink } from "../../src/diagnostics/sink.js";

/** Places of a view that hold what is neither code nor a switch. */
function rawPlaces(value: unknown, at: string): string[] {
  if (value === undefined || typeof value === "boolean") return [];
  if (value instanceof Code) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => rawPlaces(item, `${at}/${index}`));
  const isPlain =
    typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) return [`${at}: ${String(value)}`];
  return Object.entries(value as object).flatMap(([key, item]) =>
    rawPlaces(item, `${at}/${key}`),
  );
}

class WatchfulEngine extends Engine {
  readonly found: string[] = [];
  views = 0;

  override render(name: string, view: View): string {
    this.views++;
    this.found.push(...rawPlaces(view, name));
    return super.render(name, view);
  }
}

describe("templates get code only", () => {
  test.each(HOSTILE.slice(0, 20))("views of a document full of %j", (text) => {
    const { api } = generateClient(fill(TEMPLATE, (label) => label + text));
    const engine = new WatchfulEngine();
    printApi(
      api,
      [clientTarget],
      { importSuffix: ".js", trustProse: false },
      engine,
      new Sink(),
    );
    expect(engine.views).toBeGreaterThan(6);
    expect(engine.found).toEqual([]);
  });

  test.each(["text", 1, 0, {}, ["text"], () => "text", Symbol("x"), ""])(
    "a template that prints %s throws",
    (value) => {
      const view = { doc: value, name: new Code("X"), type: new Code(" X") };
      expect(() =>
        new Engine().render("client/alias", view as unknown as View),
      ).toThrow(TemplateError);
    },
  );

  test("what is absent prints nothing", () => {
    const view = { name: new Code("X"), type: new Code(" string") };
    expect(new Engine().render("client/alias", view)).toBe(
      "export type X = string;\n",
    );
  });
});
