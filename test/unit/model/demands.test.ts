import { expect, test } from "vitest";
import { requiredFields } from "../../../src/model/queries.js";
import { description, generateEverything } from "../../support/generate.js";

/** Document with a field that an annotation makes required and a description read-only. */
const DOCUMENT = description({
  schemas: {
    License: {
      type: "object",
      properties: {
        name: {
          type: "string",
          description: "[Output Only] The name.",
          annotations: { required: ["demo.insert"] },
        },
      },
    },
  },
  methods: {
    insert: {
      id: "demo.insert",
      path: "licenses",
      httpMethod: "POST",
      request: { $ref: "License" },
      response: { $ref: "License" },
    },
  },
});

/** Tests which output files require the field. */
function demands(trustProse: boolean): Record<string, boolean> {
  const { files, api } = generateEverything(DOCUMENT, { trustProse });
  const text = (name: string): string => files.get(`demo/v1/${name}.ts`)!;
  const clientText = [...files]
    .flatMap(([file, text]) => (file.endsWith("/server.ts") ? [] : [text]))
    .join("");
  const definitions = new Map(api.definitions.map((one) => [one.id, one]));
  const [insert] = api.root.methods;
  return {
    client: clientText.includes("WithRequired<"),
    server: text("server").includes("WithRequired<"),
    route: text("routes").includes('body: "required"'),
    validators: text("validators").includes("demanded("),
    plan: /required: \["demo\.insert"\]/.test(text("conformance")),
    model: requiredFields(insert!, definitions, trustProse).length > 0,
  };
}

test.each([true, false])(
  "all targets agree on the required fields of a request: trustProse %s",
  (trustProse) => {
    const isDemanded = !trustProse;
    expect(demands(trustProse)).toEqual({
      client: isDemanded,
      server: isDemanded,
      route: isDemanded,
      validators: isDemanded,
      plan: isDemanded,
      model: isDemanded,
    });
  },
);
