import { describe, expect, test } from "vitest";
import { Code } from "../../src/render/typescript/code.js";
import {
  Engine,
  TemplateError,
  type TemplateName,
  type TemplateViews,
} from "../../src/render/engine.js";
import { clientTarget } from "../../src/targets/client/index.js";
import { printTargets } from "../../src/targets/print-targets.js";
import type { AliasView } from "../../src/targets/shared/views.js";
import { generateClient } from "../support/generate.js";
import { HOSTILE, TEMPLATE, fill } from "./hostile.js";
import { Sink } from "../../src/diagnostics/sink.js";

/** Returns the positions in a view whose values are neither code nor flags. */
function rawValues(value: unknown, position: string): string[] {
  if (value === undefined || typeof value === "boolean") return [];
  if (value instanceof Code) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      rawValues(item, `${position}/${index}`),
    );
  const isPlain =
    typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) return [`${position}: ${String(value)}`];
  return Object.entries(value as object).flatMap(([key, item]) =>
    rawValues(item, `${position}/${key}`),
  );
}

class RecordingEngine extends Engine {
  readonly found: string[] = [];
  views = 0;

  override render<Name extends TemplateName>(
    name: Name,
    view: TemplateViews[Name],
  ): string {
    this.views++;
    this.found.push(...rawValues(view, name));
    return super.render(name, view);
  }
}

describe("templates print code only", () => {
  test.each(HOSTILE.slice(0, 20))(
    "views of a document whose texts end with %j",
    (text) => {
      const { api } = generateClient(fill(TEMPLATE, (label) => label + text));
      const engine = new RecordingEngine();
      printTargets(
        api,
        [clientTarget],
        { importSuffix: ".js", trustProse: false },
        engine,
        new Sink(),
      );
      expect(engine.views).toBeGreaterThan(6);
      expect(engine.found).toEqual([]);
    },
  );

  test.each(["text", 1, 0, {}, ["text"], () => "text", Symbol("x"), ""])(
    "a template that prints %s throws a TemplateError",
    (value) => {
      const view = { doc: value, declaration: new Code("type X = Y;") };
      expect(() =>
        new Engine().render("client/alias", view as unknown as AliasView),
      ).toThrow(TemplateError);
    },
  );

  test("an absent value prints nothing", () => {
    const view = { declaration: new Code("export type X = string;") };
    expect(new Engine().render("client/alias", view as AliasView)).toBe(
      "export type X = string;\n",
    );
  });
});
