import { describe, expect, test } from "vitest";
import { load } from "../../src/generate/api.js";
import { buildRouteTable, buildMock } from "../../src/mock/index.js";
import { methodsOf } from "../../src/model/queries.js";
import { freshService } from "../../src/scaffold/index.js";
import { syntaxError } from "../../src/scaffold/source.js";
import { membersOf } from "../../src/scaffold/tree.js";
import { update } from "../../src/scaffold/update.js";
import { Sink } from "../../src/diagnostics/sink.js";
import { HOSTILE, TEMPLATE, fill } from "./hostile.js";

const MODULES = { server: "./server.js", runtime: "./r.js", suffix: ".js" };

/** Text with a visible effect if a mock executed it. */
const ATTACKS = [
  ...HOSTILE,
  "\nfunction checkX(value: unknown, run: Run): boolean {\nthrow 1 }",
  '\nimport { a } from "x";\n',
  "\nexport const api: Api = {\n",
];

describe("hostile text is never executed", () => {
  test.each(ATTACKS.map((text) => [JSON.stringify(text), text]))(
    "%s",
    (_, text) => {
      const filled = fill(TEMPLATE, (label) =>
        label === "name" || label === "version" ? text || "x" : text,
      );
      const { api } = load(JSON.stringify(filled));
      if (api === undefined) return;
      expect(buildRouteTable(api).methods).toHaveLength(
        methodsOf(api.root).length,
      );
      buildMock(api, { seed: text, strict: false });
      const members = membersOf(api);
      const fresh = freshService("Shop", members, MODULES);
      expect(syntaxError("service.ts", fresh)).toBeUndefined();
      const sink = new Sink();
      const before = Buffer.from(fresh);
      const found = update(
        {
          file: "/x/service.ts",
          before,
          title: "Shop",
          members,
          modules: MODULES,
        },
        sink,
      );
      expect(sink.diagnostics).toEqual([]);
      expect(found?.added).toEqual([]);
    },
  );
});
