import { expect, test } from "vitest";
import {
  absoluteLinks,
  documentationOrigin,
} from "../../../src/model/infer/absolute-links.js";
import { description, generateEverything } from "../../support/generate.js";

test.each([
  [
    "See [a](/b) and [c](/d#e).",
    "See [a](https://h.example/b) and [c](https://h.example/d#e).",
  ],
  ["[a](https://b.example/c)", "[a](https://b.example/c)"],
  ["[a](//b.example/c)", "[a](//b.example/c)"],
  ["no link (/a)", "no link (/a)"],
])("%j", (text, expected) => {
  expect(absoluteLinks(text, "https://h.example")).toBe(expected);
});

test("without a host the text of the link remains", () => {
  expect(absoluteLinks("See [a b](/b?c=$&), [d](e).", undefined)).toBe(
    "See a b, [d](e).",
  );
});

test.each([
  [undefined, undefined],
  ["", undefined],
  ["no URL", undefined],
  ["javascript:alert(1)", undefined],
  ["https://a.example/docs/?x", "https://a.example"],
])("origin of %j", (link, expected) => {
  expect(documentationOrigin(link)).toBe(expected);
});

test("every description of the output has absolute links", () => {
  const text = "See [x](/y).";
  const { files } = generateEverything(
    description({
      description: text,
      documentationLink: "https://docs.example/guide",
      schemas: {
        Thing: {
          type: "object",
          description: text,
          properties: {
            a: { type: "string", description: text },
            e: { type: "string", enum: ["v"], enumDescriptions: [text] },
          },
        },
      },
      methods: {
        get: {
          id: "demo.get",
          path: "get",
          httpMethod: "GET",
          description: text,
          parameters: {
            p: { type: "string", location: "query", description: text },
          },
          response: { $ref: "Thing" },
        },
      },
    }),
  );
  const all = [...files.values()].join("\n");
  expect(all).not.toContain("](/");
  expect(all.split("[x](https://docs.example/y)").length).toBeGreaterThan(6);
});
