import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closest } from "../../../src/diagnostics/closest.js";
import {
  locate,
  locatePointers,
  positionAt,
} from "../../../src/diagnostics/locate.js";
import {
  findOffsets,
  syntaxErrorIn,
} from "../../../src/diagnostics/json-text.js";
import { pointerOf, resolvePointer } from "../../../src/diagnostics/types.js";

const TEXT = `{
  "a": [1, {"b/c": null}, "x"],
  "~": {"": {"d": 2}},\r
  "": 3
}`;

test.each([
  ["", "1:1"],
  ["/a", "2:3"],
  ["/a/0", "2:9"],
  ["/a/1", "2:12"],
  ["/a/1/b~1c", "2:13"],
  ["/a/2", "2:27"],
  ["/~0", "3:3"],
  ["/~0/", "3:9"],
  ["/~0//d", "3:14"],
  ["/", "4:3"],
  // A pointer that does not resolve has the position of its nearest ancestor.
  ["/a/1/none/further", "2:12"],
  ["/none", "1:1"],
])("%j is at %s", (pointer, place) => {
  const found = locatePointers(TEXT, [pointer]).get(pointer)!;
  expect(`${found.line}:${found.column}`).toBe(place);
});

test("the later one of two members with the same key is located, like JSON.parse", () => {
  const text = '{"a": 1,\n"a": {"b": 2}}';
  expect(locatePointers(text, ["/a", "/a/b"]).get("/a")?.line).toBe(2);
});

test("positionAt counts lines by line feeds", () => {
  expect(positionAt("a\r\nb\n\nc", 6)).toEqual({ line: 4, column: 1 });
  expect(positionAt("", 0)).toEqual({ line: 1, column: 1 });
});

test("locate skips findings with a position or without a pointer", () => {
  const found = { code: "x", severity: "info", message: "" } as const;
  const known = { ...found, pointer: "/a", line: 9, column: 9 };
  expect(locate([found, known, { ...found, pointer: "/a" }], TEXT)).toEqual([
    found,
    known,
    { ...found, pointer: "/a", line: 2, column: 3 },
  ]);
});

describe("the scanner agrees with JSON.parse", () => {
  test("about invalid JSON", () => {
    const part = fc.constantFrom(
      ...'{}[],:"\\ 01-.eEtrufalsn\n\t\u0001x'.split(""),
    );
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.array(part, { maxLength: 2 }))
      .map(([text, at, put]) => {
        const index = at % (text.length + 1);
        return (
          text.slice(0, index) + put.join("") + text.slice(index + (at % 2))
        );
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken), (text) => {
        try {
          JSON.parse(text);
        } catch {
          const { message, offset } = syntaxErrorIn(text);
          expect(message).not.toBe("syntax error");
          expect(offset).toBeLessThanOrEqual(text.length);
        }
      }),
      { seed: 7, numRuns: 1000 },
    );
  });

  test("about the value at every pointer", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const pointers = pointersIn(value, []);
        const offsets = findOffsets(text, pointers);
        for (const pointer of pointers) {
          const rest = text.slice(offsets.get(pointer)!);
          const last = pointer.slice(pointer.lastIndexOf("/") + 1);
          const expected = resolvePointer(value, pointer);
          const key = last.replace(/~1/g, "/").replace(/~0/g, "~");
          const isMember = rest.startsWith(`${JSON.stringify(key)}:`);
          const starts = JSON.stringify(expected, undefined, indent).slice(
            0,
            1,
          );
          expect(isMember || rest.startsWith(starts)).toBe(true);
        }
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

function pointersIn(value: unknown, path: readonly string[]): string[] {
  if (typeof value !== "object" || value === null) return [pointerOf(path)];
  const inner = Object.entries(value).flatMap(([key, child]) =>
    pointersIn(child, [...path, key]),
  );
  return [pointerOf(path), ...inner];
}

test("a mistyped word gets a suggestion, a different word does not", () => {
  const words = ["client", "server", "validator"];
  expect(closest("cleint", words)).toBe("client");
  expect(closest("validater", words)).toBe("validator");
  expect(closest("x", words)).toBeUndefined();
  expect(closest("handlebars", words)).toBeUndefined();
  expect(closest("", words)).toBeUndefined();
});
