import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Sink } from "../../../src/diagnostics/sink.js";
import type { ServiceMember } from "../../../src/scaffold/tree.js";
import { update } from "../../../src/scaffold/update.js";
import { temporaryFolder } from "../../support/paths.js";

const handler = (path: string, ...parameters: string[]): ServiceMember => ({
  name: path.split(".").at(-1)!,
  path: path.split("."),
  handler: { id: `shop.${path}`, parameters },
});

/** files: get, list; files.comments: list. */
const MEMBERS: readonly ServiceMember[] = [
  {
    name: "files",
    path: ["files"],
    members: [
      handler("files.get", "params"),
      handler("files.list"),
      {
        name: "comments",
        path: ["files", "comments"],
        members: [handler("files.comments.list", "params")],
      },
    ],
  },
];

const IMPORT = `import type { ShopService } from "./server.js";\n`;

/** Result of an update of a text. */
interface Updated {
  readonly text: string | undefined;
  readonly added: readonly string[];
  readonly codes: readonly string[];
  readonly messages: string;
}

function updated(
  text: string,
  file = "/nowhere/service.ts",
  bytes: Buffer = Buffer.from(text),
): Updated {
  const sink = new Sink(file);
  const modules = {
    server: "./server.js",
    runtime: "./runtime/index.js",
    suffix: ".js",
  };
  const found = update(
    { file, before: bytes, title: "Shop", members: MEMBERS, modules },
    sink,
  );
  const after = found?.after.toString("utf8");
  if (after !== undefined) expect(isKept(text, after)).toBe(true);
  return {
    text: after,
    added: found?.added ?? [],
    codes: sink.diagnostics.map(({ code }) => code),
    messages: sink.diagnostics.map(({ message }) => message).join("\n"),
  };
}

/** Returns true if all of a text is in another one in order; additions are between lines. */
function isKept(before: string, after: string): boolean {
  let at = 0;
  for (const character of after) if (character === before[at]) at++;
  return at === before.length;
}

const WHOLE = `files: {
    get: () => 1,
    list: () => 2,
    comments: { list: () => 3 },
  },`;

describe("nothing to do", () => {
  test.each([
    ["a typed constant", `const s: ShopService = { ${WHOLE} };`],
    ["satisfies", `export default { ${WHOLE} } satisfies ShopService;`],
    [
      "as const satisfies",
      `const s = { ${WHOLE} } as const satisfies ShopService;`,
    ],
    [
      "quoted and computed keys",
      `const s: ShopService = { "files": { ["get"]: () => 1, 'list'() {}, [\`comments\`]: { async list() {} } } };`,
    ],
    [
      "constants and shorthand",
      `const comments = { list };\nconst files = { get, list, comments };\nconst s: ShopService = { files };\nfunction get() {}\nconst list = () => 2;`,
    ],
    [
      "typed constants",
      `const files: FilesService = { get: getFile, list, comments: { list } };\nexport const s: ShopService = { files };`,
    ],
    [
      "spread objects",
      `const some = { get() {}, list() {} };\nconst s: ShopService = { files: { ...some, comments: { list } } };`,
    ],
    [
      "handlers in classes",
      `class Files { get() {} list = () => 2; readonly comments = new Comments(); #x = 1; }\nclass Comments { list() {} }\nconst s: ShopService = { files: new Files() };`,
    ],
    [
      "a class",
      `class Shop implements ShopService { files = { ${WHOLE.slice(8, -2)} }; }`,
    ],
    [
      "a function that makes it",
      `function make(): ShopService { return { ${WHOLE} }; }`,
    ],
    [
      "an argument",
      `import { createShopServer as create } from "./server.js";\ncreate({ ${WHOLE} });`,
    ],
    ["Object.freeze", `const s: ShopService = Object.freeze({ ${WHOLE} });`],
  ])("%s", (_, text) => {
    const before = IMPORT + text;
    const { text: after, added, codes } = updated(before);
    expect(codes).toEqual([]);
    expect(added).toEqual([]);
    expect(after).toBe(before);
  });
});

describe("what is missing is added", () => {
  test("in its object, with comments unchanged", () => {
    const before = `// Ours.
import { ApiError } from "./runtime/index.js"; // errors
${IMPORT}
const notes = "}"; /* { */
export const service: ShopService = {
  // All about files.
  files: {
    async get({ params }) { return   odd( params ) }, // the one
    /* list is to come */
  },
};
`;
    expect(updated(before).text).toBe(
      before.replace(
        "/* list is to come */\n",
        `/* list is to come */
    async list() {
      throw new ApiError(501, "shop.files.list is not implemented.");
    },
    comments: {
      async list({ params }) {
        throw new ApiError(
          501,
          "shop.files.comments.list is not implemented.",
          { cause: { params: Object.keys(params) } },
        );
      },
    },
`,
      ),
    );
  });

  test("in an empty object, with the required import", () => {
    const before = `${IMPORT}export const s: ShopService = {};\n`;
    const { text, added } = updated(before);
    expect(added).toEqual(["files.get", "files.list", "files.comments.list"]);
    expect(text).toContain(`import { ApiError } from "./runtime/index.js";\n`);
    expect(updated(text!)).toMatchObject({ text, added: [], codes: [] });
  });

  test("in an object on one line without a trailing comma", () => {
    const before = `${IMPORT}const list = () => 1;\nexport const s: ShopService = { files: { list, comments: { list } } };\n`;
    const { text } = updated(before);
    expect(text).toContain(
      `{ files: { list, comments: { list },\n  async get({ params }) {`,
    );
    expect(updated(text!)).toMatchObject({ text, added: [] });
  });

  test("in a constant of the file, and in a class", () => {
    const before = `${IMPORT}class Comments {\n    // none yet\n}\nconst files = {\n    get: () => 1,\n    comments: new Comments(),\n};\nexport const s = { files } satisfies ShopService;\n`;
    const { text, added } = updated(before);
    expect(added).toEqual(["files.list", "files.comments.list"]);
    expect(text).toContain(
      `    // none yet\n    async list(): Promise<never> {\n        throw new ApiError(`,
    );
    expect(text).toContain(
      `    comments: new Comments(),\n    async list() {\n        throw new ApiError`,
    );
  });

  test("after a trailing comment, which would comment it out", () => {
    const before = `${IMPORT}export const s: ShopService = {\n  files: {\n    get, list // both\n  } // all\n}`;
    const { text } = updated(before);
    expect(text).toContain("get, list, // both\n    comments: {");
    expect(updated(text!)).toMatchObject({ text, added: [] });
  });

  test("with CRLF, tabs, single quotes, no semicolons and a byte order mark", () => {
    const before =
      "\uFEFFimport type { ShopService } from './server.js'\r\n\r\nexport const s: ShopService = {\r\n\tfiles: {\r\n\t\tget: () => 1,\r\n\t},\r\n}\r\n";
    const { text } = updated(before);
    expect(text).toBe(
      "\uFEFFimport type { ShopService } from './server.js'\r\nimport { ApiError } from './runtime/index.js'\r\n\r\nexport const s: ShopService = {\r\n\tfiles: {\r\n\t\tget: () => 1,\r\n" +
        "\t\tasync list() {\r\n\t\t\tthrow new ApiError(501, 'shop.files.list is not implemented.')\r\n\t\t},\r\n" +
        "\t\tcomments: {\r\n\t\t\tasync list({ params }) {\r\n\t\t\t\tthrow new ApiError(501, 'shop.files.comments.list is not implemented.', {\r\n\t\t\t\t\tcause: { params: Object.keys(params) },\r\n\t\t\t\t})\r\n\t\t\t},\r\n\t\t},\r\n" +
        "\t},\r\n}\r\n",
    );
    expect(text!.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  test("if ApiError has another meaning", () => {
    const before = `${IMPORT}class ApiError {}\nexport const s: ShopService = { files: { get, list } };\n`;
    const { text } = updated(before);
    expect(text).toContain(
      `import { ApiError as ServerApiError } from "./runtime/index.js";`,
    );
    expect(text).toContain("throw new ServerApiError(");
  });

  test("with another name for ApiError", () => {
    const before = `${IMPORT}import { ApiError as E } from "x";\nexport const s: ShopService = { files: { get, list } };\n`;
    expect(updated(before).text).toContain("throw new E(");
  });

  test("with the import on its own line", () => {
    const before = `import type { ShopService } from "./server.js"; /* a\n b */ const t = \`\n\`; export const s: ShopService = { files: { get, list } };\n`;
    const { text, codes } = updated(before);
    expect(codes).toEqual([]);
    expect(text).toContain(
      ` b */\nimport { ApiError } from "./runtime/index.js";\n const t = \`\n\`;`,
    );
  });
});

describe("reports unsupported code without writing", () => {
  test.each([
    [
      "syntax errors",
      `${IMPORT}const s: ShopService = { files: { `,
      "scaffold-syntax",
    ],
    ["no service", "export const s = {};\n", "scaffold-no-service"],
    ["the name alone", "const s: ShopService = {};\n", "scaffold-no-service"],
    [
      "two services",
      `${IMPORT}const a: ShopService = {};\nconst b: ShopService = {};\n`,
      "scaffold-several-services",
    ],
    [
      "a spread of something",
      `${IMPORT}const s: ShopService = { files: { ...make(), get } };\n`,
      "scaffold-unclear",
    ],
    [
      "computed keys",
      `${IMPORT}const s: ShopService = { files: { [name]: 1, get } };\n`,
      "scaffold-unclear",
    ],
    [
      "a class that extends another",
      `${IMPORT}class F extends Base { get() {} }\nconst s: ShopService = { files: new F() };\n`,
      "scaffold-unclear",
    ],
  ])("%s", (_, text, code) => {
    const found = updated(text);
    expect(found.text).toBeUndefined();
    expect(new Set(found.codes)).toEqual(new Set([code]));
  });

  test("bytes that are not UTF-8", () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x41]);
    expect(updated("", "/nowhere/service.ts", bytes).codes).toEqual([
      "scaffold-syntax",
    ]);
  });

  test("with its position", () => {
    const { messages } = updated(
      `${IMPORT}const s: ShopService = {\n  files: { ...make(), get },\n};\n`,
    );
    expect(messages).toContain("files.list (line 3, column 12)");
  });
});

describe("issues", () => {
  test("keeps and reports handlers that the document does not have", () => {
    const before = `${IMPORT}const s: ShopService = { ${WHOLE}\n  trash: { empty() {} },\n};\n`;
    const { text, codes, messages } = updated(before);
    expect(text).toBe(before);
    expect(codes).toEqual(["scaffold-stale"]);
    expect(messages).toContain("trash (line 7, column 3)");
  });

  test("ignores resources created by a call", () => {
    const before = `${IMPORT}const s: ShopService = { files: makeFiles() };\n`;
    const { text, codes } = updated(before);
    expect(text).toBe(before);
    expect(codes).toEqual(["scaffold-opaque"]);
  });

  test("finds handlers in imported files", () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "service.ts");
    mkdirSync(path.join(folder, "parts"));
    writeFileSync(
      path.join(folder, "parts/files.ts"),
      `import { comments } from "../comments.js";\nexport const files = { get() {}, comments };\n`,
    );
    writeFileSync(
      path.join(folder, "comments.ts"),
      `const comments = { list() {} };\nexport { comments };\n`,
    );
    const before = `${IMPORT}import { files as all } from "./parts/files.js";\nexport const s: ShopService = { files: all };\n`;
    const { text, codes, messages } = updated(before, file);
    expect(text).toBe(before);
    expect(codes).toEqual(["scaffold-elsewhere"]);
    expect(messages).toBe("files.list (parts/files.ts, line 2, column 22)");
  });
});
