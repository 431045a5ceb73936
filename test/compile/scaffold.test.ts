import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { check } from "prettier";
import { expect, test, vi } from "vitest";
import { runScaffold } from "../../src/scaffold/index.js";
import { writeServers } from "../corpus/servers.js";
import { PRESS } from "../services/press.js";
import { description } from "../support/generate.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { generateServer } from "../unit/server/generated.js";
import { typecheck } from "./typescript.js";
import { isFull } from "../support/full.js";

// Three runs of compilers on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const get = (path: string): object => ({
  path,
  httpMethod: "GET",
  parameters: { id: { type: "string", location: "query" } },
});

/** Names that are not identifiers, have another meaning, or are used twice. */
const ODD = description({
  name: "odd",
  methods: { "get-openid": get("openid"), delete: get("delete") },
  resources: {
    "v1.odd names": {
      methods: { "a*/b": get("a"), 'quo"te': get("b"), "it's \"": get("c") },
    },
    constructor: { methods: { toString: get("d"), async: get("e") } },
    __proto_: { methods: { get: get("f"), set: get("g"), "1": get("h") } },
    ["__proto__"]: { methods: { __proto__x: get("i"), list: get("j") } },
    both: {
      methods: { search: get("k") },
      resources: {
        search: {
          methods: { more: get("l") },
          resources: { deep: { methods: { last: get("m") } } },
        },
      },
    },
  },
});

const DOCUMENTS: Readonly<Record<string, unknown>> = {
  press: PRESS,
  odd: ODD,
  none: description({ name: "none" }),
  ...Object.fromEntries(
    [
      "specs/chat.v1.json",
      "specs/discovery.v1.json",
      "specs/marketplace.v1.json",
      "specs/migration.v1.json",
      "test/environments/shop.v1.json",
      "test/compile/library.v1.json",
      "test/compile/drive.v3.json",
    ].map((name) => [
      path.basename(name, ".json"),
      JSON.parse(readFileSync(path.join(ROOT, name), "utf8")) as unknown,
    ]),
  ),
};

/** Scaffolds a service and a main file beside the generated server. */
async function scaffold(
  cwd: string,
  name: string,
  document: unknown,
): Promise<string[]> {
  writeFileSync(path.join(cwd, `${name}.json`), JSON.stringify(document));
  writeServers(path.join(cwd, "generated"), [generateServer(document)]);
  mkdirSync(path.join(cwd, "src"), { recursive: true });
  const { diagnostics, files } = await runScaffold({
    specs: [`${name}.json`],
    out: `src/${name}/service.ts`,
    main: `src/${name}/main.ts`,
    generated: "generated",
    cwd,
    isDry: false,
  });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual(
    [],
  );
  return files.map((file) => path.join(cwd, file.path));
}

test("scaffolds compile against their servers and have Prettier's format", async () => {
  const cwd = temporaryFolder();
  const documents = Object.entries(DOCUMENTS).filter(
    ([name]) => name !== "none",
  );
  for (const [name, document] of documents) {
    for (const file of await scaffold(cwd, name, document)) {
      const text = readFileSync(file, "utf8");
      const isFine = await check(text, { parser: "typescript" });
      expect(isFine ? "" : text).toBe("");
    }
  }
  for (const compiler of isFull ? (["7", "5.9"] as const) : (["7"] as const))
    expect(await typecheck(cwd, compiler, "@types/node", ["src"])).toBe("");
});

test("added handlers compile, and a second run adds none", async () => {
  const cwd = temporaryFolder();
  for (const name of ["odd", "press", "drive.v3"]) {
    const [file] = await scaffold(cwd, name, DOCUMENTS[name]);
    const whole = readFileSync(file!, "utf8");
    const start = whole.slice(0, whole.indexOf("import { ApiError"));
    const title = /\w+Service/.exec(start)![0];
    writeFileSync(file!, `${start}export const service: ${title} = {};\n`);
    await scaffold(cwd, name, DOCUMENTS[name]);
    const added = readFileSync(file!, "utf8");
    expect(added.match(/throw new/g)).toEqual(whole.match(/throw new/g));
    await scaffold(cwd, name, DOCUMENTS[name]);
    expect(readFileSync(file!, "utf8")).toBe(added);
  }
  expect(await typecheck(cwd, "7", "@types/node", ["src"])).toBe("");
});

test("handlers added to classes compile", async () => {
  const cwd = temporaryFolder();
  const name = "press";
  const [file] = await scaffold(cwd, name, PRESS);
  writeFileSync(
    file!,
    `import type { PressService } from "../../generated/press/v1/server.js";

class Books {
  list() {
    return {};
  }
}

export class Press implements PressService {
  readonly books = new Books();
}

export const service = new Press();
`,
  );
  await scaffold(cwd, name, PRESS);
  expect(readFileSync(file!, "utf8").match(/throw new/g)).toHaveLength(7);
  expect(
    await typecheck(cwd, "7", "@types/node", ["src"], {
      isolatedDeclarations: false,
    }),
  ).toBe("");
});
