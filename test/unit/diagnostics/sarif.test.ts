import { expect, test } from "vitest";
import { annotations } from "../../../src/diagnostics/reporters/github.js";
import { sarifLog } from "../../../src/diagnostics/reporters/sarif.js";
import type { Diagnostic } from "../../../src/diagnostics/types.js";

const info: Diagnostic = {
  code: "b-info",
  severity: "info",
  message: "An info",
};
const error: Diagnostic = {
  code: "a-error",
  severity: "error",
  message: "An \u001b[31merror\u202e",
  cause: "The cause.",
  fix: "The fix.",
  file: "specs/a b#1.json",
  line: 3,
  column: 5,
  pointer: "/schemas/Foo",
};

interface Log {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly object[] } };
      readonly results: readonly object[];
    },
  ];
}

function parse(text: string): Log["runs"][0] {
  return (JSON.parse(text) as Log).runs[0];
}

test("a log has rules, levels, positions and errors first", () => {
  const text = sarifLog([info, error], { name: "gen", version: "1.2.3" });
  const { tool, results } = parse(text);
  expect(tool.driver).toEqual({
    name: "gen",
    version: "1.2.3",
    rules: [
      {
        id: "a-error",
        shortDescription: { text: "The cause." },
        fullDescription: { text: "The cause." },
        help: { text: "The cause. The fix." },
        defaultConfiguration: { level: "error" },
      },
      { id: "b-info", defaultConfiguration: { level: "note" } },
    ],
  });
  expect(results).toEqual([
    {
      ruleId: "a-error",
      ruleIndex: 0,
      level: "error",
      message: { text: "An \u001b[31merror\u202e. The fix." },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "specs/a%20b%231.json" },
            region: { startLine: 3, startColumn: 5 },
          },
          logicalLocations: [{ fullyQualifiedName: "/schemas/Foo" }],
        },
      ],
    },
    {
      ruleId: "b-info",
      ruleIndex: 1,
      level: "note",
      message: { text: "An info" },
    },
  ]);
  // The terminal receives escapes.
  expect(text).not.toMatch(/[\u001b\u202e]/);
});

test.each([
  ["/project/a.json", "file:///project/a.json"],
  ["C:\\project\\a.json", "file:///C:/project/a.json"],
  ["specs\\a.json", "specs/a.json"],
  ["../a.json", "../a.json"],
])("the URI of %s is %s", (file, uri) => {
  const { results } = parse(
    sarifLog([{ ...info, file }], { name: "gen", version: "1" }),
  );
  expect(results).toMatchObject([
    { locations: [{ physicalLocation: { artifactLocation: { uri } } }] },
  ]);
});

test("annotations are escaped, errors first", () => {
  const text = annotations([
    info,
    { ...error, message: "50% of a:b,c\nd", file: "a,b:c%.json" },
  ]);
  expect(text).toBe(
    "::error file=a%2Cb%3Ac%25.json,line=3,col=5,title=a-error::50%25 of a:b,c\\nd. The fix.\n" +
      "::notice title=b-info::An info. \n",
  );
});
