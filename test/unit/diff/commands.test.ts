import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { changelog } from "../../../src/cli/commands/changelog.js";
import { diff as diffCommand } from "../../../src/cli/commands/diff.js";
import { documentChanges } from "../../../src/cli/reporters/document-changes.js";
import type { Command } from "../../../src/cli/command.js";
import { diff } from "../../../src/index.js";
import { temporaryFolder } from "../../support/paths.js";
import { shelfDocument, type Json } from "./document.js";

const text = (document: Json): string => JSON.stringify(document, undefined, 1);

/** Returns the document without a property of responses. */
function withoutNote(): Json {
  const document = shelfDocument();
  delete document["schemas"].SortResponse.properties.note;
  return document;
}

function git(cwd: string, ...args: string[]): void {
  execFileSync("git", args, {
    cwd,
    stdio: "ignore",
    env: {
      PATH: process.env["PATH"],
      HOME: cwd,
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@example.com",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@example.com",
    },
  });
}

/** Returns a repository whose last commit has one document and a manifest. */
function repository(): string {
  const cwd = temporaryFolder();
  mkdirSync(path.join(cwd, "specs"));
  mkdirSync(path.join(cwd, "out"));
  writeFileSync(path.join(cwd, "specs/shelf.v1.json"), text(shelfDocument()));
  writeFileSync(path.join(cwd, "out/.gen-manifest.json"), "{}");
  git(cwd, "init", "-q");
  git(cwd, "add", ".");
  git(cwd, "commit", "-qm", "a");
  return cwd;
}

async function run(
  command: Command,
  cwd: string,
  values: Readonly<Record<string, unknown>>,
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const defaults = Object.fromEntries(
    command.options.flatMap((row) =>
      row.default === undefined ? [] : [[row.name, row.default]],
    ),
  );
  const code = await command.run(
    { ...defaults, ...values },
    {
      cwd,
      output: {
        out: (part) => (out += part),
        err: (part) => (err += part),
        color: false,
        isTerminal: false,
      },
    },
  );
  return { code, out, err };
}

describe("gen diff --patch", () => {
  const PATCH = {
    api: "shelf:v1",
    operations: [{ remove: "schemas.SortResponse.note" }],
  };
  const STALE = {
    api: "shelf:v1",
    operations: [
      { replace: "schemas.SortResponse.note#type", value: "boolean" },
    ],
  };
  const compare = (
    cwd: string,
    operands: readonly string[],
    ...patch: string[]
  ): ReturnType<typeof run> =>
    run(diffCommand, cwd, { documents: operands, patch });
  const folder = (): string => {
    const cwd = temporaryFolder();
    const changed = shelfDocument();
    changed["schemas"].SortResponse.properties.note.type = "integer";
    writeFileSync(path.join(cwd, "old.json"), text(shelfDocument()));
    writeFileSync(path.join(cwd, "new.json"), text(changed));
    writeFileSync(path.join(cwd, "fixed.json"), text(withoutNote()));
    writeFileSync(path.join(cwd, "p.json"), JSON.stringify(PATCH));
    return cwd;
  };

  test("compares both documents with the patch", async () => {
    const cwd = folder();
    const operands = ["old.json", "new.json"];
    expect((await compare(cwd, operands)).code).toBe(1);
    expect(await compare(cwd, operands, "p.json")).toMatchObject({
      code: 0,
      err: "",
    });
  });

  test("reports a patch that does not apply, and the document", async () => {
    const cwd = folder();
    writeFileSync(path.join(cwd, "p.json"), JSON.stringify(STALE));
    const { code, out, err } = await compare(
      cwd,
      ["old.json", "fixed.json"],
      "p.json",
    );
    expect([code, out]).toEqual([4, ""]);
    expect(err).toMatch(/^p\.json:1:\d+: error patch-\w+: fixed\.json: /);
    expect(err).not.toContain("old.json");
  });

  test("reports a patch for another API", async () => {
    const cwd = folder();
    const other = { ...PATCH, api: "other:v1" };
    writeFileSync(path.join(cwd, "other.json"), JSON.stringify(other));
    const operands = ["old.json", "old.json"];
    const { code, err } = await compare(cwd, operands, "other.json");
    expect(code).not.toBe(0);
    expect(err).toContain("other.json:1:2: error patch-unused");
  });
});

describe("gen diff", () => {
  test("two files: JSON of the documented form", async () => {
    const cwd = temporaryFolder();
    writeFileSync(path.join(cwd, "a.json"), text(shelfDocument()));
    writeFileSync(path.join(cwd, "b.json"), text(withoutNote()));
    const { code, out } = await run(diffCommand, cwd, {
      documents: ["a.json", "b.json"],
      format: "json",
    });
    expect(code).toBe(1);
    const { changes, ...rest } = JSON.parse(out) as Json;
    expect(rest).toEqual({
      api: "shelf:v1",
      from: "20260101",
      to: "20260101",
      bump: "major",
    });
    expect(changes).toEqual([
      {
        rule: "property-removed",
        fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
        client: "breaking",
        server: "breaking",
        types: "breaking",
        schema: "SortResponse",
        property: "note",
        pointer: "/schemas/SortResponse/properties/note",
        oldPointer: "/schemas/SortResponse/properties/note",
        users: ["shelf.books.sort"],
        message: "SortResponse.note: the property was removed",
      },
    ]);
  });

  test("exit codes by --fail-on", async () => {
    const cwd = temporaryFolder();
    const added = shelfDocument();
    added["schemas"].SortResponse.properties.extra = { type: "string" };
    writeFileSync(path.join(cwd, "a.json"), text(shelfDocument()));
    writeFileSync(path.join(cwd, "b.json"), text(withoutNote()));
    writeFileSync(path.join(cwd, "c.json"), text(added));
    const codeOf = async (now: string, failOn: string): Promise<number> =>
      (await run(diffCommand, cwd, { documents: ["a.json", now], failOn }))
        .code;
    expect(await codeOf("b.json", "breaking")).toBe(1);
    expect(await codeOf("b.json", "none")).toBe(0);
    expect(await codeOf("c.json", "breaking")).toBe(0);
    expect(await codeOf("c.json", "any")).toBe(1);
    expect(await codeOf("a.json", "any")).toBe(0);
  });

  test("folders are matched by API", async () => {
    const cwd = temporaryFolder();
    for (const [file, document] of [
      ["old/x.json", shelfDocument()],
      ["old/y.json", { ...shelfDocument(), name: "gone" }],
      ["new/z.json", withoutNote()],
      ["new/n.json", { ...shelfDocument(), name: "extra" }],
    ] as const) {
      mkdirSync(path.join(cwd, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(cwd, file), text(document));
    }
    const { out } = await run(diffCommand, cwd, {
      documents: ["old", "new"],
      format: "json",
    });
    const results = JSON.parse(out) as Json[];
    expect(results.map(({ api, changes }) => [api, changes[0].rule])).toEqual([
      ["extra:v1", "api-added"],
      ["gone:v1", "api-removed"],
      ["shelf:v1", "property-removed"],
    ]);
  });

  test("git revisions, files and folders", async () => {
    const cwd = repository();
    writeFileSync(path.join(cwd, "specs/shelf.v1.json"), text(withoutNote()));
    for (const documents of [
      ["git:HEAD:specs/shelf.v1.json", "specs/shelf.v1.json"],
      ["git:HEAD:specs", "specs"],
      ["git:HEAD:", "specs"],
    ]) {
      const { code, out, err } = await run(diffCommand, cwd, { documents });
      expect(err).toBe("");
      expect(code).toBe(1);
      expect(out).toContain("SortResponse.note: the property was removed");
      expect(out).toMatch(
        /^git:HEAD:(?:specs\/)?shelf\.v1\.json:\d+:\d+: breaking|git:HEAD:specs\/shelf/m,
      );
    }
    const label = await run(diffCommand, cwd, {
      documents: ["git:HEAD:specs/shelf.v1.json", "shelf:v1"],
    });
    expect(label.code).toBe(1);
  });

  test.each([
    ["git:missing:specs", "revision missing does not exist"],
    ["git:HEAD:missing", "missing does not exist in the revision"],
    ["git:--output=x:specs", "revision --output=x does not exist"],
    ["git:HEAD:../..", "is outside repository"],
    ["git:specs", "must have the form git:REVISION:PATH"],
  ])("%s", async (operand, message) => {
    const cwd = repository();
    const { code, out, err } = await run(diffCommand, cwd, {
      documents: [operand, "specs"],
    });
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toContain("diff-git");
    expect(err).toContain(message);
  });

  test("a repository's settings run no program", async () => {
    const cwd = repository();
    const marker = path.join(cwd, "marker");
    for (const key of [
      "core.fsmonitor",
      "core.sshCommand",
      "diff.external",
      "diff.x.textconv",
      "filter.x.smudge",
      "gpg.program",
      "core.pager",
      "core.editor",
    ])
      git(cwd, "config", key, `touch ${marker}; false`);
    git(cwd, "config", "log.showSignature", "true");
    writeFileSync(path.join(cwd, ".gitattributes"), "* diff=x filter=x\n");
    const { code } = await run(diffCommand, cwd, {
      documents: ["git:HEAD:specs", "specs"],
    });
    expect(code).toBe(0);
    expect(() => rmSync(marker)).toThrow();
  });

  test("ignored changes, and unused or invalid entries", async () => {
    const cwd = temporaryFolder();
    writeFileSync(path.join(cwd, "a.json"), text(shelfDocument()));
    writeFileSync(path.join(cwd, "b.json"), text(withoutNote()));
    const documents = ["a.json", "b.json"];
    const { out } = await run(diffCommand, cwd, { documents, format: "json" });
    const [{ fingerprint }] = (JSON.parse(out) as Json)["changes"];
    const ignoring = async (list: string) => {
      writeFileSync(path.join(cwd, "ignore"), list);
      return run(diffCommand, cwd, { documents, ignore: "ignore" });
    };
    const used = await ignoring(`# agreed\n${fingerprint} # note\n`);
    expect([used.code, used.out, used.err]).toEqual([0, "no changes\n", ""]);
    const unused = await ignoring(`${fingerprint}\n0123456789abcdef\n`);
    expect(unused.code).toBe(2);
    expect(unused.err).toContain("ignore:2:1: error diff-ignore-unused");
    const invalid = await ignoring("note\n");
    expect(invalid.code).toBe(2);
    expect(invalid.err).toContain("ignore:1:1: error diff-ignore-invalid");
  });

  test("a document that can't be used is not a removed API", async () => {
    const cwd = temporaryFolder();
    mkdirSync(path.join(cwd, "old"));
    mkdirSync(path.join(cwd, "new"));
    writeFileSync(path.join(cwd, "old/a.json"), text(shelfDocument()));
    writeFileSync(path.join(cwd, "new/a.json"), "{");
    const { code, out, err } = await run(diffCommand, cwd, {
      documents: ["old", "new"],
    });
    expect(code).toBe(3);
    expect(err).toContain("new/a.json:1:2");
    expect(out).not.toContain("api-removed");
  });

  test("stability: breaking changes of a beta version are warnings on request", async () => {
    const cwd = temporaryFolder();
    writeFileSync(
      path.join(cwd, "a.json"),
      text({ ...shelfDocument(), version: "v1beta1" }),
    );
    writeFileSync(
      path.join(cwd, "b.json"),
      text({ ...withoutNote(), version: "v1beta1" }),
    );
    const documents = ["a.json", "b.json"];
    for (const [stability, code] of [
      ["alpha", 1],
      ["beta", 1],
      ["stable", 0],
    ] as const)
      expect((await run(diffCommand, cwd, { documents, stability })).code).toBe(
        code,
      );
  });
});

test("--check compares only selected methods", async () => {
  const cwd = repository();
  writeFileSync(path.join(cwd, "specs/shelf.v1.json"), text(withoutNote()));
  const changes = (include?: string[]): Promise<string> =>
    documentChanges(
      {
        spec: ["specs"],
        out: "out",
        settings: new Map([["specs", { include }]]),
      },
      cwd,
    );
  expect(await changes()).toContain("SortResponse.note");
  expect(await changes(["shelf.books.sort"])).toContain("SortResponse.note");
  expect(await changes(["shelf.books.get"])).toBe("");
  // A selector that matches nothing leaves both documents as they are.
  expect(await changes(["shelf.none"])).toContain("SortResponse.note");
});

describe("gen changelog", () => {
  test("without arguments: specs since the last commit", async () => {
    const cwd = repository();
    const document = withoutNote();
    document["documentationLink"] = "https://www.example.com/docs";
    document["resources"].books.methods.touch = {
      id: "shelf.books.touch",
      path: "books:touch",
      httpMethod: "POST",
      description: "Touches a book. Twice.",
    };
    document["resources"].books.methods.sort.deprecated = true;
    writeFileSync(path.join(cwd, "specs/shelf.v1.json"), text(document));
    const { code, out } = await run(changelog, cwd, {});
    expect(code).toBe(0);
    expect(out).toBe(`## shelf:v1: 20260101 → 20260101

[Documentation](<https://www.example.com/docs>)

### Removed

- **Breaking:** \`SortResponse.note\`: the property was removed (used by \`shelf.books.sort\`)

### Deprecated

- \`shelf.books.sort\`: the method was deprecated

### Added

- \`shelf.books.touch\`: Touches a book\\.

1 text changed.
`);
  });
});

describe("gen diff in a project", () => {
  const CONFIG = { out: "out", apis: { "shelf:v1": {} } };
  /** Repository with a config, in which a document changed after the commit. */
  function project(config: Json, document = withoutNote()): string {
    const cwd = repository();
    writeFileSync(path.join(cwd, "gen.config.json"), JSON.stringify(config));
    writeFileSync(path.join(cwd, "specs/shelf.v1.json"), text(document));
    return cwd;
  }
  const compare = (cwd: string, values: Json = {}): ReturnType<typeof run> =>
    run(diffCommand, cwd, { format: "json", ...values });
  const rulesIn = (out: string): string[] =>
    (JSON.parse(out) as Json)[0].changes.map(({ rule }: Json) => rule);

  test("compares with the last commit, or with --since", async () => {
    const cwd = project(CONFIG);
    const { code, out } = await compare(cwd);
    expect([code, rulesIn(out)]).toEqual([1, ["property-removed"]]);
    git(cwd, "commit", "-qam", "b");
    expect((await compare(cwd)).code).toBe(0);
    expect((await compare(cwd, { since: "HEAD~1" })).code).toBe(1);
    expect((await compare(cwd, { since: "nothing" })).code).not.toBe(0);
    await expect(
      compare(cwd, { documents: ["specs", "specs"], since: "HEAD" }),
    ).rejects.toThrow("--since");
  });

  test("counts only the audiences of the targets", async () => {
    const added = shelfDocument();
    added["resources"].books.methods.touch = {
      id: "shelf.books.touch",
      path: "books:touch",
      httpMethod: "POST",
    };
    const failOn = "warning";
    const servers = project({ ...CONFIG, target: "server" }, added);
    expect((await compare(servers, { failOn })).code).toBe(1);
    const clients = project(CONFIG, added);
    expect((await compare(clients, { failOn })).code).toBe(0);
    expect((await compare(clients, { failOn, for: ["server"] })).code).toBe(1);
  });

  test("applies the policy, and names accepted changes", async () => {
    const accept = [
      {
        api: "shelf:v1",
        rule: "property-removed",
        at: "SortResponse.note",
        reason: "never set",
        owner: "shelf team",
      },
    ];
    const cwd = project({ ...CONFIG, diff: { accept } });
    const { code, out } = await compare(cwd, { format: "text" });
    expect(code).toBe(0);
    expect(out).toContain(
      "accepted SortResponse.note: the property was removed: never set (shelf team)",
    );
    for (const format of ["markdown", "html", "sarif"])
      expect((await compare(cwd, { format })).out).toContain("never set");
    expect((await run(changelog, cwd, {})).out).toContain("never set");
    writeFileSync(path.join(cwd, "specs/shelf.v1.json"), text(shelfDocument()));
    const unused = await compare(cwd, { verbose: true });
    expect([unused.code, unused.err]).toEqual([
      0,
      expect.stringContaining("diff-accept-unused"),
    ]);
  });

  test("compares the selected methods, and complete documents with --all", async () => {
    const config = {
      ...CONFIG,
      apis: { "shelf:v1": { include: ["shelf.books.get"] } },
    };
    const cwd = project(config);
    expect(await compare(cwd)).toMatchObject({ code: 0 });
    const { code, out } = await compare(cwd, { all: true });
    expect([code, rulesIn(out)]).toEqual([1, ["property-removed"]]);
  });

  test("compares patched documents, if the patches apply to both", async () => {
    const config = {
      ...CONFIG,
      apis: { "shelf:v1": { patches: ["p.json"] } },
    };
    const patch = (pointer: string): string =>
      JSON.stringify({ api: "shelf:v1", operations: [{ remove: pointer }] });
    const cwd = project(config);
    writeFileSync(path.join(cwd, "p.json"), patch("schemas.SortResponse.unit"));
    const { code, out } = await compare(cwd);
    expect([code, rulesIn(out)]).toEqual([1, ["property-removed"]]);
    writeFileSync(path.join(cwd, "p.json"), patch("schemas.SortResponse.note"));
    expect((await compare(cwd)).code).toBe(0);
    const replace = "schemas.SortResponse.note#type";
    const stale = { api: "shelf:v1", operations: [{ replace, value: "any" }] };
    writeFileSync(path.join(cwd, "p.json"), JSON.stringify(stale));
    expect((await compare(cwd)).code).toBe(1);
  });

  test("two files need no config", async () => {
    const cwd = project({ diff: { failOn: "invalid" } });
    writeFileSync(path.join(cwd, "a.json"), text(shelfDocument()));
    const documents = ["a.json", "specs/shelf.v1.json"];
    expect((await compare(cwd, { documents })).code).toBe(1);
    expect((await compare(cwd, { documents: ["specs", "specs"] })).code).toBe(
      2,
    );
    expect((await compare(cwd, { noConfig: true })).code).toBe(1);
  });
});

describe("--check", () => {
  const values = { spec: ["specs"], out: "out" };

  test("lists changes since the commit that has the output", async () => {
    const cwd = repository();
    expect(await documentChanges(values, cwd)).toBe("");
    writeFileSync(path.join(cwd, "specs/shelf.v1.json"), text(withoutNote()));
    git(cwd, "commit", "-qam", "document without output");
    const report = await documentChanges(values, cwd);
    expect(report).toContain("shelf:v1 20260101 -> 20260101: 1 breaking");
    expect(report).toContain(
      "breaking SortResponse.note: the property was removed",
    );
  });

  test("is silent outside of a repository", async () => {
    const cwd = temporaryFolder();
    mkdirSync(path.join(cwd, "specs"));
    writeFileSync(path.join(cwd, "specs/a.json"), text(shelfDocument()));
    expect(await documentChanges(values, cwd)).toBe("");
  });
});

test("diff() of texts, and errors of documents", () => {
  const { result, diagnostics } = diff(
    text(shelfDocument()),
    text(withoutNote()),
  );
  expect(diagnostics).toEqual([]);
  expect(result).toMatchObject({ bump: "major" });
  expect(Object.keys(result!.changes[0]!)).not.toContain("kind");
  const failed = diff(text(shelfDocument()), "{");
  expect(failed.result).toBeUndefined();
  expect(failed.diagnostics).toMatchObject([
    { code: "json-syntax", file: "new", line: 1 },
  ]);
});
