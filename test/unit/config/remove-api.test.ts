import { describe, expect, test } from "vitest";
import { removeApi } from "../../../src/config/remove-api.js";

const YAML = `# Config of the web team.
out: generated
apis:
  # Storage.
  drive:v3:
    target: client # only calls
    patches:
      - patches/drive.yaml
  # Tasks of the team.
  "tasks:v1": {} # small
  chat:v1: { target: server }

# Folders.
jobs:
  - out: web # browser
    apis:
      - drive:v3
      # second
      - tasks:v1
  - out: server
    apis: [drive:v3, chat:v1]
`;

describe("YAML", () => {
  test("only the lines of the entry are deleted, and comments survive", () => {
    expect(removeApi(YAML.split("# Folders.")[0]!, "yaml", "drive:v3")).toBe(
      `# Config of the web team.
out: generated
apis:
  # Storage.
  # Tasks of the team.
  "tasks:v1": {} # small
  chat:v1: { target: server }

`,
    );
  });

  test("names in jobs are deleted, also in flow style", () => {
    const edited = removeApi(YAML, "yaml", "drive:v3")!;
    expect(edited).not.toContain("drive");
    for (const comment of [
      "# Config of the web team.",
      "# Storage.",
      "# Tasks of the team.",
      "# small",
      "# Folders.",
      "# browser",
      "# second",
    ])
      expect(edited).toContain(comment);
    expect(edited).toContain("[ chat:v1 ]");
    expect(removeApi(YAML, "yaml", "tasks:v1")).toBe(
      YAML.replace('  "tasks:v1": {} # small\n', "").replace(
        "      - tasks:v1\n",
        "",
      ),
    );
  });

  test("the last API leaves an empty object", () => {
    expect(removeApi("apis: # all\n  a:v1:\n", "yaml", "a:v1")).toBe(
      "apis: {} # all\n",
    );
    expect(removeApi("apis: { a:v1: {} }\n", "yaml", "a:v1")).toBe(
      "apis: {}\n",
    );
  });

  test("anchors that another entry uses prevent the edit", () => {
    const text = "apis:\n  a:v1: &a { target: client }\n  b:v1: *a\n";
    expect(removeApi(text, "yaml", "a:v1")).toBe(undefined);
    expect(removeApi("apis: [", "yaml", "a:v1")).toBe(undefined);
  });

  test("line breaks of Windows stay", () => {
    const text = "out: o\r\napis:\r\n  a:v1: {}\r\n  b:v1: {}\r\n";
    expect(removeApi(text, "yaml", "a:v1")).toBe(
      "out: o\r\napis:\r\n  b:v1: {}\r\n",
    );
  });
});

test("JSON keeps its layout", () => {
  const text = `{
  "out": "o",
  "apis": {
    "a:v1": { "target": "client" },
    "b:v1": {}
  },
  "jobs": [{ "apis": ["a:v1", "b:v1"] }]
}
`;
  expect(removeApi(text, "json", "a:v1")).toBe(`{
  "out": "o",
  "apis": {
    "b:v1": {}
  },
  "jobs": [{ "apis": ["b:v1"] }]
}
`);
});
