import { describe, expect, test } from "vitest";
import {
  needsFullExpansion,
  parseTemplate,
  renameVariables,
  variablesOf,
} from "../../../src/model/uri-template.js";

const literal = (text: string) => ({ kind: "literal", text });
const variable = (name: string, more = {}) => ({
  kind: "variable",
  name,
  ...more,
});

test.each([
  ["files/{id}", [literal("files/"), variable("id")]],
  [
    "v1/{+name}:cancel",
    [
      literal("v1/"),
      { kind: "multi", name: "name" },
      { kind: "verb", text: "cancel" },
    ],
  ],
  [
    "projects:analyze",
    [literal("projects"), { kind: "verb", text: "analyze" }],
  ],
  ["a:b/c", [literal("a:b/c")]],
  ["x{/v*}", [literal("x"), variable("v", { operator: "/", explode: true })]],
  [
    "x{?q*,r}",
    [
      literal("x"),
      variable("q", { operator: "?", explode: true }),
      variable("r", { operator: "?" }),
    ],
  ],
  ["{a,b:3}", [variable("a"), variable("b", { prefix: 3 })]],
  ["", []],
])("%j", (template, tokens) => {
  expect(parseTemplate(template)).toEqual({ text: template, tokens });
});

test.each([
  ["a/{}/b", "a/%7B%7D/b"],
  ["a/{b", "a/%7Bb"],
  ["a}/{id}", "a%7D/{id}"],
  ["{ id }/{+ x}", "{id}/{+x}"],
  ["{a*b}", "%7Ba*b%7D"],
])("%j is read as %j", (template, text) => {
  expect(parseTemplate(template).text).toBe(text);
});

test("variables are in the path or in the query", () => {
  const { tokens } = parseTemplate("{a}{?b,a}{&c}{/d*}");
  expect(variablesOf(tokens)).toEqual({ path: ["a", "d"], query: ["b", "c"] });
});

describe("expansion", () => {
  test.each(["a/{b}", "a/{+b}/c", "{$.x}/{a-b}", ""])("simple: %j", (path) => {
    expect(needsFullExpansion(path)).toBe(false);
  });

  test.each(["{/v*}", "{?q}", "{a,b}", "{a:3}", "{+a*}", "{#a}", "{;x}"])(
    "full: %j",
    (path) => {
      expect(needsFullExpansion(path)).toBe(true);
    },
  );
});

test("only variables are renamed", () => {
  const names = new Map([["media", "media_"]]);
  expect(
    renameVariables("media/{media}/{+media}{?media*,x}{media:3}", names),
  ).toBe("media/{media_}/{+media_}{?media_*,x}{media_:3}");
});
