import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { addApi } from "../../../src/config/edit-config.js";

const ENTRY = { source: "https://x.example/a b" };

describe("YAML", () => {
  test.each([
    [
      "after the last API, with comments and other keys unchanged",
      `# top\nout: generated # o\n\napis:\n    # first\n    "a:v1": {} # a\n    b:v1:\n        target: [client]\n    # last\n\njobs: # j\n  - out: "x"\n`,
      `# top\nout: generated # o\n\napis:\n    # first\n    "a:v1": {} # a\n    b:v1:\n        target: [client]\n    "c:v1": {}\n    # last\n\njobs: # j\n  - out: "x"\n`,
    ],
    [
      "without final newline",
      `apis:\n  a:v1: {}`,
      `apis:\n  a:v1: {}\n  "c:v1": {}\n`,
    ],
    [
      "after an API without values",
      `apis:\n  a:v1:\nout: x\n`,
      `apis:\n  a:v1:\n  "c:v1": {}\nout: x\n`,
    ],
    [
      "with CRLF",
      `apis:\r\n  a:v1: {}\r\nout: x\r\n`,
      `apis:\r\n  a:v1: {}\r\n  "c:v1": {}\r\nout: x\r\n`,
    ],
    ["without apis", `out: x\n`, `out: x\napis:\n  "c:v1": {}\n`],
    [
      "into empty braces, as gen init writes them",
      `out: x\napis: {} # a\njobs:\n  - out: y\n`,
      `out: x\napis: # a\n  "c:v1": {}\njobs:\n  - out: y\n`,
    ],
    ["into empty braces at the end", `apis: {}`, `apis:\n  "c:v1": {}\n`],
    ["into an empty file", ``, `apis:\n  "c:v1": {}\n`],
    ["into a comment", `# hello\n`, `# hello\napis:\n  "c:v1": {}\n`],
  ])("%s", (_, before, after) => {
    expect(addApi(before, "yaml", "c:v1", {})).toBe(after);
  });

  test.each([
    ["apis: {}\nout: x # o\n", "# o"],
    ["apis: { a:v1: {} } # y\n", "# y"],
    ["apis:\nout: x # o\n", "# o"],
    ["{ apis: { 'a:v1': {} } }\n", ""],
    ["apis:\n  a:v1: &x { target: client }\n  b:v1: *x\n", "&x"],
    ["apis:\n  a:v1:\n    source: |\n      text\n", "text"],
  ])("%j", (text, comment) => {
    const before = parse(text) as { apis: object | null };
    const after = addApi(text, "yaml", "c:v1", ENTRY)!;
    expect(parse(after)).toEqual({
      ...before,
      apis: { ...before.apis, "c:v1": ENTRY },
    });
    expect(after).toContain(comment);
  });

  test.each(["apis: [", "apis: [a]\n", "- a\n", "apis: text\n"])(
    "%j is not changed",
    (text) => {
      expect(addApi(text, "yaml", "c:v1", {})).toBeUndefined();
    },
  );
});

describe("JSON", () => {
  test.each([
    [
      `{\n  "apis": {\n    "a:v1": { "target": ["client"] }\n  },\n  "out": "x"\n}\n`,
      `{\n  "apis": {\n    "a:v1": { "target": ["client"] },\n    "c:v1": { "source": "https://x.example/a b" }\n  },\n  "out": "x"\n}\n`,
    ],
    [
      `{\n\t"apis": {}\n}\n`,
      `{\n\t"apis": {\n\t\t"c:v1": { "source": "https://x.example/a b" }\n\t}\n}\n`,
    ],
    [
      `{"out":"x"}`,
      `{\n  "out": "x",\n  "apis": {\n    "c:v1": {\n      "source": "https://x.example/a b"\n    }\n  }\n}\n`,
    ],
  ])("%j", (before, after) => {
    expect(addApi(before, "json", "c:v1", ENTRY)).toBe(after);
  });
});

test("an API that the config has stays unchanged", () => {
  const text = `apis:\n  "c:v1": { target: server }\n`;
  expect(addApi(text, "yaml", "c:v1", {})).toBe(text);
});

test("hostile labels and values stay values", () => {
  const label = 'x"\n__proto__: v1';
  const after = addApi("out: x\n", "yaml", label, { source: "a\n- b: {" })!;
  expect(parse(after)).toEqual({
    out: "x",
    apis: { [label]: { source: "a\n- b: {" } },
  });
});
