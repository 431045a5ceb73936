import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import ts from "ts6";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gen } from "../cli/support.js";
import { ROOT } from "../support/paths.js";
import { languageService } from "../unit/runtime/language-service.js";

/** Program in an editor. Each comment marks a position, and is removed. */
const MARKED = `
import { createClient, createDrive, type files } from "./drive/v3/index.js";
import { get } from "./drive/v3/resources/files.js";

const drive = createDrive({ parameters: { /*client*/ } });
drive.files.list({ /*list*/ });
drive.files.get({ /*get*/ });
get(createClient(), { /*flat*/ });
drive.files.create({ /*create*/ });

drive.files.get({ fileId: "1", fields: "/*none*/" });
drive.files.get({ fileId: "1", fields: "id,/*comma*/" });
drive.files.list({ fields: "files(id),/*group*/" });
drive.files.list({ fields: "files(/*inside*/" });

export const /*resource*/resource = drive.files;
export const { operations: /*destructured*/operations } = drive;
export const parameters: /*type*/files.ListParameters = {};
export const /*one*/one = drive.files.get({ fileId: "1", fields: "id" });
export const /*media*/media = drive.files.create({ media: { body: "text" } });
`;

/** Offsets of the marks, and the program without them. */
const POSITIONS = new Map<string, number>();
let PROGRAM = "";
for (const [index, part] of MARKED.split(/\/\*(\w+)\*\//).entries())
  if (index % 2 === 0) PROGRAM += part;
  else POSITIONS.set(part, PROGRAM.length);

/** Calls with an error, and the compiler's message. */
const ERRORS: readonly (readonly [code: string, message: string])[] = [
  [
    `drive.files.get({ fileId: "1", alt: "media" });`,
    `Type '"media"' is not assignable to type '"alt: a call returns JSON; use .media() for content"'.`,
  ],
  [
    `drive.files.create({ resource: { name: "a" } });`,
    `Type '{ name: string; }' is not assignable to type '"resource: use requestBody"'.`,
  ],
  [
    `drive.files.create({ media: "text" });`,
    `Type '"text"' is not assignable to type 'UploadMedia | "media: pass { body, mimeType }" | undefined'.`,
  ],
  [
    `drive.files.create({ media: new Uint8Array(1) });`,
    `Type 'Uint8Array<ArrayBuffer>' is not assignable to type 'UploadMedia | "media: pass { body, mimeType }" | undefined'.`,
  ],
  [
    `drive.files.create({ media: { body: 1 } });`,
    `Type 'number' is not assignable to type 'UploadBody'.`,
  ],
  [
    `drive.files.update({ fileId: "1", media: { body: "text" } });`,
    `Type '{ body: string; }' is not assignable to type '"media: the method does not upload content"'.`,
  ],
  [
    `drive.files.get({ fileId: "1", headers: {} });`,
    `Type '{}' is not assignable to type '"headers: an option of the call"'.`,
  ],
  [
    `export const files: number = drive.files;`,
    `Type 'FilesResource' is not assignable to type 'number'.`,
  ],
];

describe("a client in an editor", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "gen-editor-"));
  const file = path.join(folder, "program.ts");
  const wrong = path.join(folder, "wrong.ts");
  let service: ts.LanguageService;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(() => {
    const spec = path.join(ROOT, "test/compile/drive.v3.json");
    const { status, stderr } = gen([
      "--spec",
      spec,
      "--out",
      folder,
      "--quiet",
    ]);
    expect(status, stderr).toBe(0);
    writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }\n');
    service = languageService({
      [file]: PROGRAM,
      [wrong]: [
        `import { createDrive } from "./drive/v3/index.js";`,
        `const drive = createDrive();`,
        ...ERRORS.map(([code]) => code),
      ].join("\n"),
    });
  });

  /** Names that an editor offers at a mark, in its order: first by `sortText`. */
  const offered = (mark: string): string[] => {
    const position = POSITIONS.get(mark)!;
    const found = service.getCompletionsAtPosition(file, position, {});
    return [...(found?.entries ?? [])]
      .sort(
        (a, b) =>
          compare(a.sortText, b.sortText) ||
          compare(a.name.toLowerCase(), b.name.toLowerCase()),
      )
      .map(({ name }) => name);
  };

  const hover = (mark: string): string => {
    const info = service.getQuickInfoAtPosition(file, POSITIONS.get(mark)!);
    return ts.displayPartsToString(info?.displayParts);
  };

  const misplaced = ["alt", "auth", "headers"];

  it.each([
    [
      "list",
      ["fields", "key", "pageSize", "pageToken", "q", "quotaUser"],
      [...misplaced, "media", "requestBody", "resource"],
    ],
    [
      "get",
      ["fileId", "fields", "key", "quotaUser"],
      [...misplaced, "media", "requestBody", "resource"],
    ],
    [
      "flat",
      ["fileId", "fields", "key", "quotaUser"],
      [...misplaced, "media", "requestBody", "resource"],
    ],
    [
      "create",
      ["fields", "key", "media", "quotaUser", "requestBody"],
      [...misplaced, "resource"],
    ],
  ])("offers the parameters of a call: %s", (mark, names, last) => {
    expect(offered(mark)).toEqual([...names, ...last]);
  });

  it("offers all common parameters in the options of a client", () => {
    expect(offered("client").sort()).toEqual([
      '"$.xgafv"',
      "access_token",
      "alt",
      "callback",
      "fields",
      "key",
      "oauth_token",
      "prettyPrint",
      "quotaUser",
      "uploadType",
      "upload_protocol",
    ]);
  });

  const fields = ["id", "mimeType", "modifiedTime", "name", "owners", "size"];

  it("offers top-level fields of the result in `fields`", () => {
    expect(offered("none")).toEqual(["", ...fields]);
    expect(offered("comma")).toEqual(
      expect.arrayContaining(fields.map((name) => `id,${name}`)),
    );
    expect(offered("group")).toEqual(
      expect.arrayContaining(["files(id),files", "files(id),nextPageToken"]),
    );
    expect(offered("inside")).not.toContain("files(files");
  });

  it.each([
    ["resource", "const resource: FilesResource"],
    ["destructured", "const operations: OperationsResource"],
    ["type", "import files"],
    ["one", "const one: MediaCall<{\n    readonly id?: string;\n}>"],
    ["media", "const media: Call<File>"],
  ])("describes %s without the path of a file", (mark, text) => {
    expect(hover(mark)).toBe(text);
  });

  it("has errors that name the fix", () => {
    const found = service
      .getSemanticDiagnostics(wrong)
      .map(({ messageText }) =>
        ts.flattenDiagnosticMessageText(messageText, "\n"),
      );
    expect(found).toEqual(ERRORS.map(([, message]) => message));
  });

  it("has no other errors", () => {
    const found = service.getSemanticDiagnostics(file);
    const texts = found.map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, "\n"),
    );
    expect(texts).toEqual([
      expect.stringContaining("fileId"),
      expect.stringContaining("fileId"),
      expect.stringContaining("the parentheses are unbalanced"),
    ]);
  });
});

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
