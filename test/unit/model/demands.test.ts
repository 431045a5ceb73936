import { expect, test } from "vitest";
import { description, generateEverything } from "../../support/generate.js";

/** A member that an annotation makes required and a description read-only. */
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

/** Places of the output that demand the member. */
function demands(trustProse: boolean): Record<string, boolean> {
  const { files, api } = generateEverything(DOCUMENT, { trustProse });
  const text = (name: string): string => files.get(`demo/v1/${name}.ts`)!;
  const clientText = [...files]
    .flatMap(([file, text]) => (file.endsWith("/server.ts") ? [] : [text]))
    .join("");
  const [insert] = api.root.methods;
  return {
    client: clientText.includes("WithRequired<"),
    server: text("server").includes("WithRequired<"),
    route: text("routes").includes('body: "required"'),
    validators: text("validators").includes("requiredBy("),
    plan: /required: \["demo\.insert"\]/.test(text("conformance")),
    model: insert!.requiredMembers !== undefined,
  };
}

test.each([true, false])(
  "all targets agree on what a request must have: trustProse %s",
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
