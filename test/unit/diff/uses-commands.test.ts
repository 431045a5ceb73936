import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { deprecations } from "../../../src/cli/commands/deprecations.js";
import { diff } from "../../../src/cli/commands/diff.js";
import { scopes } from "../../../src/cli/commands/scopes.js";
import type { Command } from "../../../src/cli/command.js";
import { leastScopes } from "../../../src/diff/uses/least-scopes.js";
import type { Method } from "../../../src/model/ir.js";
import { write } from "../../cli/support.js";
import { isFull } from "../../support/full.js";
import { temporaryFolder } from "../../support/paths.js";

type Json = Record<string, any>;

/** API with methods that accept different scopes. */
function notesDocument(revision: string): Json {
  const method = (id: string, ...accepted: string[]): Json => ({
    id: `notes.${id}`,
    path: `notes/${id}`,
    httpMethod: "GET",
    response: { $ref: "Note" },
    scopes: accepted,
  });
  return {
    kind: "discovery#restDescription",
    id: "notes:v1",
    name: "notes",
    version: "v1",
    revision,
    rootUrl: "https://notes.example/",
    servicePath: "",
    schemas: {
      Note: {
        id: "Note",
        type: "object",
        properties: { text: { type: "string" }, body: { type: "string" } },
      },
    },
    methods: {
      get: method("get", "all", "notes", "notes.readonly"),
      list: method("list", "all", "notes", "notes.readonly"),
      purge: method("purge", "all", "admin"),
      write: method("write", "all", "notes"),
    },
  };
}

const CODE = `import { createNotes } from "../generated/notes/v1/index.js";
const notes = createNotes();
const { text, body } = await notes.get();
export const result = [text, body, await notes.write()];
`;

const CONFIG = {
  apis: { "notes:v1": { source: "specs/notes.v1.json" } },
  jobs: [{ out: "generated" }],
};

function git(cwd: string, ...args: string[]): void {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
}

/** Returns a repository with a commit for each document; the last is not committed. */
function project(...documents: readonly Json[]): string {
  const cwd = temporaryFolder();
  write(cwd, {
    "gen.config.json": CONFIG,
    "src/code.ts": CODE,
    "package.json": { type: "module" },
  });
  git(cwd, "init", "-q");
  for (const [index, document] of documents.entries()) {
    write(cwd, { "specs/notes.v1.json": document });
    if (index === documents.length - 1) break;
    git(cwd, "add", ".");
    git(cwd, "commit", "-qm", String(index));
  }
  return cwd;
}

async function run(
  command: Command,
  cwd: string,
  values: Json = {},
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const defaults = Object.fromEntries(
    command.options.flatMap((row) =>
      row.default === undefined ? [] : [[row.name, row.default]],
    ),
  );
  const output = {
    out: (part: string) => (out += part),
    err: (part: string) => (err += part),
    color: false,
    isTerminal: false,
  };
  const code = await command.run({ ...defaults, ...values }, { cwd, output });
  return { code, out, err };
}

test("gen scopes prints the least scopes for the calls of the code", async () => {
  const cwd = project(notesDocument("1"));
  const { code, out, err } = await run(scopes, cwd, {
    uses: ["src/**"],
    format: "json",
  });
  expect(err).toBe("");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    apis: [
      {
        api: "notes:v1",
        scopes: ["notes"],
        methods: [
          {
            method: "notes.get",
            scope: "notes",
            accepted: ["all", "notes", "notes.readonly"],
            usedAt: [{ file: "src/code.ts", line: 3, column: 36 }],
          },
          {
            method: "notes.write",
            scope: "notes",
            accepted: ["all", "notes"],
            usedAt: [{ file: "src/code.ts", line: 4, column: 48 }],
          },
        ],
      },
    ],
  });
  const complete = await run(scopes, cwd);
  expect(complete.out).toContain("notes:v1: 1 scope for 4 methods\n  all\n");
});

test("least scopes: the fewest, then read-only, then narrow ones", () => {
  const method = (...accepted: string[]): Method =>
    ({ scopes: accepted }) as unknown as Method;
  const get = method("wide", "narrow", "wide.readonly", "narrow.readonly");
  const others = [method("wide", "wide.readonly"), method("wide")];
  expect(leastScopes([get], [get, ...others])).toEqual(["narrow.readonly"]);
  expect(leastScopes([get, others[1]!], [get, ...others])).toEqual(["wide"]);
  expect(leastScopes([method()], [])).toEqual([]);
  const apart = [method("a", "b"), method("b", "c"), method("d", "e")];
  expect(leastScopes(apart, apart)).toEqual(["b", "d"]);
  // The number of lists that are compared is limited.
  const many = Array.from({ length: 60 }, (_, index) =>
    method(`a${index}`, `b${index}`),
  );
  expect(leastScopes(many, many)).toHaveLength(60);
});

test("gen deprecations: since when, used where, and removals without one", async () => {
  const [first, second, third] = ["1", "2", "3"].map(notesDocument);
  for (const document of [second!, third!])
    document["schemas"].Note.properties.body.deprecated = true;
  for (const document of [first!, second!, third!])
    document["methods"].list.deprecated = true;
  delete third!["methods"].purge;
  const cwd = project(first!, second!, third!);
  const { code, out, err } = await run(deprecations, cwd, {
    uses: ["src/**"],
    format: "json",
  });
  expect(err).toBe("");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    apis: [
      {
        api: "notes:v1",
        revisions: ["1", "2", "3"],
        deprecated: [
          {
            label: "Note.body",
            pointer: "/schemas/Note/properties/body",
            since: "2",
            usedAt: [{ file: "src/code.ts", line: 3, column: 15 }],
          },
          {
            label: "notes.list",
            pointer: "/methods/list",
            since: null,
            usedAt: [],
          },
        ],
        removed: [
          {
            label: "notes.purge",
            message: "notes.purge: the method was removed",
            revision: "3",
          },
        ],
      },
    ],
  });
  const text = await run(deprecations, cwd, { uses: ["src/**"] });
  expect(text.out).toContain("deprecated Note.body, since 2\n    used at src/");
  expect(text.out).toContain("notes.list, since an unknown revision");
  const since = await run(deprecations, cwd, { since: "HEAD" });
  expect(since.out).toContain("deprecated Note.body, since an unknown");
  const unknown = await run(deprecations, cwd, { since: "missing" });
  expect(unknown.code).toBe(2);
  expect(unknown.out).toBe("");
});

test("--fail-on used fails only for breaking changes that the code uses", async () => {
  const now = notesDocument("2");
  delete now["methods"].purge;
  const cwd = project(notesDocument("1"), now);
  const values = { uses: ["src/**"], failOn: "used" };
  const unused = await run(diff, cwd, values);
  expect(unused.out).toContain("0 of 2 breaking changes touch this code");
  expect(unused.code).toBe(0);
  // It is unknown what the code uses.
  expect((await run(diff, cwd, { failOn: "used" })).code).toBe(1);
  delete now["methods"].write;
  write(cwd, { "specs/notes.v1.json": now });
  const used = await run(diff, cwd, values);
  expect(used.out).toContain("1 of 3 breaking changes touches this code");
  expect(used.out.split("\n")[3]).toBe("    used at src/code.ts:4:48");
  expect(used.code).toBe(1);
  // Each run loads the compiler, so npm test has one format of comparisons.
  const formats = [
    ["markdown", "Changes that affect this code:\n\n- `notes.write`"],
    ["html", "<small>used at src/code.ts:4:48</small>"],
    ["github", "used at src/code.ts:4:48"],
    ["sarif", '"relatedLocations"'],
    ["json", '"usedAt": ['],
  ] as const;
  for (const [format, text] of isFull ? formats : formats.slice(0, 1))
    expect((await run(diff, cwd, { ...values, format })).out).toContain(text);
});
