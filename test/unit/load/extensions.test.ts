import { expect, test } from "vitest";
import { description, generateClient } from "../../support/generate.js";

/** Document with a method and a schema whose extensions are all invalid. */
const wrong = description({
  "x-credential": 5,
  "x-headers": { "a b": {}, Fine: { type: "string" }, Odd: { type: 5 } },
  "x-response-headers": [],
  "x-errors": { "404": { message: 5 }, "500": { description: "Ours." } },
  schemas: {
    Foo: {
      id: "Foo",
      type: "object",
      "x-required": "bar",
      properties: {
        bar: { type: "string", "x-open-enum": 1, "x-list-forms": ["dots"] },
        // A property may have the name of an extension.
        "x-status": { type: "string", "x-nullable": true },
      },
    },
  },
  methods: {
    get: {
      id: "demo.get",
      path: "x",
      httpMethod: "GET",
      response: { $ref: "Foo" },
      "x-credential": { name: "x" },
      "x-status": 500,
      "x-stream": { end: "x" },
      "x-operation": {},
      "x-paging": { page: 1 },
      "x-body-parameters": ["text/plain"],
    },
  },
});

test("invalid extensions are reported with their location and ignored", () => {
  const { api, diagnostics, files } = generateClient(wrong);
  expect(
    diagnostics.map(({ code, pointer }) => `${code} ${pointer}`).sort(),
  ).toEqual(
    [
      "/methods/get/x-body-parameters",
      "/methods/get/x-credential",
      "/methods/get/x-operation",
      "/methods/get/x-paging",
      "/methods/get/x-status",
      "/methods/get/x-stream",
      "/schemas/Foo/properties/bar/x-list-forms",
      "/schemas/Foo/properties/bar/x-open-enum",
      "/schemas/Foo/x-required",
      "/x-credential",
      "/x-errors/404",
      "/x-headers/Odd",
      "/x-headers/a b",
      "/x-response-headers",
    ].map((pointer) => `extension-invalid ${pointer}`),
  );
  const [method] = api.root.methods;
  expect(method).toMatchObject({ headers: [{ name: "Fine" }] });
  for (const key of ["credential", "status", "stream", "operation", "links"])
    expect(method).not.toHaveProperty(key);
  expect(api.errors).toEqual([{ status: "500", description: "Ours." }]);
  expect(files.get("demo/v1/schemas.ts")).toContain(
    `"x-status"?: string | null;`,
  );
});

test("other errors still stop the document", () => {
  const document = description({ "x-status": 1, title: 5, "x-errors": 5 });
  expect(() => generateClient(document)).toThrow();
});
