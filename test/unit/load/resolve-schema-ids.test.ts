import { expect, it } from "vitest";
import { loadBytes } from "../../../src/load/load.js";

/** Returns the references of the properties `a` and `b` after loading. */
function refs(schemas: object, a: string, b = a): unknown[] {
  const document = {
    name: "demo",
    version: "v1",
    rootUrl: "https://demo.example.com/",
    schemas: {
      ...schemas,
      Owner: {
        id: "Owner",
        type: "object",
        properties: {
          a: { $ref: a },
          b: { type: "array", items: { $ref: b } },
        },
      },
    },
  };
  const loaded = loadBytes(Buffer.from(JSON.stringify(document)), "demo.json");
  expect(loaded.document).toBeDefined();
  const { Owner } = loaded.document!.schemas as unknown as {
    Owner: typeof document.schemas.Owner;
  };
  return [Owner.properties.a.$ref, Owner.properties.b.items.$ref];
}

const writer = { Author: { id: "Writer", type: "object" } };

it("replaces a reference to an id with the key", () => {
  expect(refs(writer, "Writer")).toEqual(["Author", "Author"]);
  expect(refs(writer, "#/schemas/Writer", "#Writer")).toEqual([
    "Author",
    "Author",
  ]);
});

it("keeps references to keys", () => {
  expect(refs(writer, "Author", "Nobody")).toEqual(["Author", "Nobody"]);
  const both = { ...writer, Writer: { id: "Writer", type: "object" } };
  expect(refs(both, "Writer")).toEqual(["Writer", "Writer"]);
});

it("keeps references to an id of several schemas, and treats __proto__ as a name", () => {
  const twins = { ...writer, Poet: { id: "Writer", type: "object" } };
  expect(refs(twins, "Writer")).toEqual(["Writer", "Writer"]);
  const odd = { Author: { id: "__proto__", type: "object" } };
  expect(refs(odd, "__proto__")).toEqual(["Author", "Author"]);
});
