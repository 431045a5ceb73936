import { transformSync } from "esbuild";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolvePointer, tokensOf } from "../../src/diagnostics/types.js";
import { fileDescription } from "../support/file-description.js";
import { rounds } from "../support/full.js";
import { generateValidators, type Generated } from "../support/generate.js";

const SEED = 4711;

interface Rules {
  validateSettings(
    value: unknown,
    options?: object,
  ): { readonly valid: boolean; readonly findings: readonly object[] };
}

/** Compiles and imports rules.ts; undefined if it was not generated. */
async function rulesOf({ files }: Generated): Promise<Rules | undefined> {
  const text = files.get("demo/v1/rules.ts");
  if (text === undefined) return undefined;
  const { code } = transformSync(text, { loader: "ts", format: "esm" });
  return (await import(
    `data:text/javascript,${encodeURIComponent(code)}`
  )) as Rules;
}

function findings(document: unknown): string[] {
  return generateValidators(document)
    .diagnostics.filter(({ code }) => code !== "schema-untyped")
    .map(({ code, pointer }) => `${code} ${pointer}`);
}

/** Sets the value at a JSON pointer; undefined deletes the member. */
function set(document: object, pointer: string, value: unknown): void {
  const cut = pointer.lastIndexOf("/");
  const owner = resolvePointer(document, pointer.slice(0, cut)) as object;
  const [key] = tokensOf(pointer.slice(cut));
  if (value === undefined) Reflect.deleteProperty(owner, key!);
  else
    Object.defineProperty(owner, key!, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

function edited(pointer: string, value: unknown): object {
  const document = fileDescription();
  set(document, pointer, value);
  return document;
}

test("the sample document has each extension, and no findings", async () => {
  expect(findings(fileDescription())).toEqual([]);
  const { validateSettings } = (await rulesOf(
    generateValidators(fileDescription()),
  ))!;
  expect(validateSettings({ name: "abc", key: "k", debug: false }).valid).toBe(
    true,
  );
  expect(validateSettings({ name: "ABC" }).valid).toBe(false);
});

const NAME = "/schemas/Settings/properties/name";

describe("a wrong type is reported at its position, and has no effect", () => {
  /** Positions that hold a value of a type, and the part that is omitted. */
  const strings = [
    ["/x-file/root", "/x-file"],
    ["/x-file/name", "/x-file"],
    ["/x-file/defaultTarget", "/x-file"],
    ["/x-file/targets/current", "/x-file"],
    ["/x-file/codes/T01/severity", "/x-file"],
    ["/x-file/codes/T01/check", "/x-file"],
    ["/x-file/kinds/label/meaning", "/x-file"],
    ["/x-file/kinds/label/pattern", "/x-file"],
    ["/x-file/kinds/label/maxLength", "/x-file"],
    ["/x-file/kinds/label/also", "/x-file"],
    ["/x-file/kinds/label/code", "/x-file"],
    ["/x-file/kinds/label/empty", "/x-file"],
    ["/x-file/kinds/label/never", "/x-file"],
    ["/x-file/kinds/label/never/contains", "/x-file"],
    ["/x-file/kinds/label/never/startsWith", "/x-file"],
    ["/x-file/kinds/label/never/pattern", "/x-file"],
    ["/x-file/kinds/label/never/message", "/x-file"],
    ["/x-file/kinds/host/address", "/x-file"],
    ["/x-file/kinds/amount/quantity", "/x-file"],
    ["/x-file/kinds/path/file", "/x-file"],
    ["/x-file/targets", "/x-file"],
    ["/x-file/modes", "/x-file"],
    ["/x-file/phases", "/x-file"],
    ["/x-file/codes", "/x-file"],
    ["/x-file/kinds", "/x-file"],
    ["/x-rules/0/rule", "/x-rules/0"],
    ["/x-rules/0/code", "/x-rules/0"],
    ["/x-rules/0/severity", "/x-rules/0"],
    ["/x-rules/0/modes", "/x-rules/0"],
    ["/x-rules/0/modes/prod", "/x-rules/0"],
    ["/x-rules/0/phases", "/x-rules/0"],
    ["/x-rules/0/at", "/x-rules/0"],
    ["/x-rules/0/groups", "/x-rules/0"],
    ["/x-rules/0/groups/1", "/x-rules/0"],
    ["/x-rules/0/what", "/x-rules/0"],
    ["/x-rules/0/required", "/x-rules/0"],
    ["/x-rules/0/when", "/x-rules/0"],
    ["/x-rules/0/when/0/key", "/x-rules/0"],
    ["/x-rules/0/when/0/is", "/x-rules/0"],
    ["/x-rules/0/unless", "/x-rules/0"],
    ["/x-rules/1/keys", "/x-rules/1"],
    ["/x-rules/1/keys/1", "/x-rules/1"],
    ["/x-rules/3/low", "/x-rules/3"],
    ["/x-rules/3/high", "/x-rules/3"],
    ["/x-rules/3/scale", "/x-rules/3"],
    ["/x-rules/3/strict", "/x-rules/3"],
    ["/x-rules/4/list", "/x-rules/4"],
    ["/x-rules/4/key", "/x-rules/4"],
    ["/x-rules/5/suggestion", "/x-rules/5"],
    ["/x-rules/6/from", "/x-rules/6"],
    ["/x-rules/7/same", "/x-rules/7"],
    ["/x-rules/8/most", "/x-rules/8"],
    ["/x-rules/9/of", "/x-rules/9"],
    ["/x-rules/12/value", "/x-rules/12"],
    ["/x-rules/14/rules", "/x-rules/14"],
    ["/x-rules/14/rules/0/why", "/x-rules/14"],
    ["/x-rules/14/rules/0", "/x-rules/14"],
    [`${NAME}/x-kind`, `${NAME}/x-kind`],
    [`${NAME}/x-max-length`, `${NAME}/x-max-length`],
    [`${NAME}/x-max-bytes`, `${NAME}/x-max-bytes`],
    [`${NAME}/x-code`, `${NAME}/x-code`],
    [`${NAME}/x-advice`, `${NAME}/x-advice`],
    [`${NAME}/x-placeholder/contains`, `${NAME}/x-placeholder`],
    [`${NAME}/x-missing`, `${NAME}/x-missing`],
  ] as const;

  test.each(strings)("%s", async (pointer, omitted) => {
    const wrong = { no: [null] };
    const { diagnostics } = generateValidators(edited(pointer, wrong));
    const [first] = diagnostics.filter(
      ({ code }) => code === "extension-invalid",
    );
    expect(first?.pointer).toBe(omitted);
    expect(first?.message).toContain(
      pointer.slice(pointer.lastIndexOf("/")).slice(1).replace(/^\d+$/, ""),
    );
    const document = edited(pointer, wrong);
    const without = edited(omitted, undefined);
    if (omitted.startsWith("/x-rules/")) {
      // The rule is omitted, and the others remain.
      const list = (without as { "x-rules": unknown[] })["x-rules"];
      (without as { "x-rules": unknown[] })["x-rules"] = list.filter(
        (rule) => rule !== undefined,
      );
    }
    const file = "demo/v1/rules.ts";
    expect(generateValidators(document).files.get(file)).toBe(
      generateValidators(without).files.get(file),
    );
  });
});

describe("a value without meaning is reported at its position", () => {
  test.each([
    ["/x-file/root", "Nothing", "extension-unresolved /x-file/root"],
    ["/x-file/root", "toString", "extension-unresolved /x-file/root"],
    [
      "/x-file/defaultTarget",
      "next",
      "extension-unresolved /x-file/defaultTarget",
    ],
    ["/x-file/targets/current", "two", "extension-invalid /x-file"],
    ["/x-file/codes/T01/check", "magic", "extension-invalid /x-file"],
    ["/x-file/codes/T01/severity", "fatal", "extension-invalid /x-file"],
    ["/x-file/kinds/label/also", ["text"], "extension-invalid /x-file"],
    ["/x-file/kinds/label/maxLength", -1, "extension-invalid /x-file"],
    [
      "/x-file/kinds/label/code",
      "T99",
      "extension-unresolved /x-file/kinds/label/code",
    ],
    [
      "/x-file/kinds/label/pattern",
      "^(a+)+$",
      "pattern-unenforced /x-file/kinds/label/pattern",
    ],
    [
      "/x-file/kinds/label/pattern",
      "^[",
      "limit-invalid /x-file/kinds/label/pattern",
    ],
    [
      "/x-file/kinds/label/pattern",
      "[a-z]",
      "pattern-unenforced /x-file/kinds/label/pattern",
    ],
    [
      "/x-file/kinds/label/never/pattern",
      "^(a|a)*$",
      "pattern-unenforced /x-file/kinds/label/never/pattern",
    ],
    [
      `${NAME}/x-advice/pattern`,
      "^(a+)+$",
      `pattern-unenforced ${NAME}/x-advice/pattern`,
    ],
    [
      `${NAME}/x-advice/pattern`,
      "^(",
      `limit-invalid ${NAME}/x-advice/pattern`,
    ],
    [`${NAME}/x-kind`, "nothing", `extension-unresolved ${NAME}/x-kind`],
    [`${NAME}/x-kind`, "constructor", `extension-unresolved ${NAME}/x-kind`],
    [`${NAME}/x-code`, "T99", `extension-unresolved ${NAME}/x-code`],
    [
      "/schemas/Settings/properties/size/x-quantity/suffixMeant",
      undefined,
      "extension-invalid /schemas/Settings/properties/size/x-quantity",
    ],
    [`${NAME}/x-max-length`, -1, `extension-invalid ${NAME}/x-max-length`],
    ["/x-rules/0/rule", "magic", "extension-unresolved /x-rules/0"],
    ["/x-rules/0/rule", "constructor", "extension-unresolved /x-rules/0"],
    ["/x-rules/0/code", "X99", "extension-unresolved /x-rules/0"],
    ["/x-rules/0/code", undefined, "extension-unresolved /x-rules/0"],
    ["/x-rules/0/at", "nothing", "extension-unresolved /x-rules/0"],
    ["/x-rules/0/at", undefined, "extension-unresolved /x-rules/0"],
    ["/x-rules/0/groups", [], "extension-invalid /x-rules/0"],
    ["/x-rules/0/groups", [[]], "extension-invalid /x-rules/0"],
    ["/x-rules/0/modes/test", "off", "extension-unresolved /x-rules/0"],
    ["/x-rules/0/phases", ["final"], "extension-unresolved /x-rules/0"],
    [
      "/x-rules/0/unless",
      ["replicas.least", "no"],
      "extension-unresolved /x-rules/0",
    ],
    ["/x-rules/0/when/0/key", "no", "extension-unresolved /x-rules/0"],
    ["/x-rules/1/keys", [], "extension-invalid /x-rules/1"],
    ["/x-rules/1/keys", ["most", "no"], "extension-unresolved /x-rules/1"],
    ["/x-rules/3/low", "least.x", "extension-unresolved /x-rules/3"],
    ["/x-rules/4/list", "hosts", "extension-unresolved /x-rules/4"],
    ["/x-rules/4/list", "hosts[0]", "extension-unresolved /x-rules/4"],
    ["/x-rules/5/keys", ["key"], "extension-unresolved /x-rules/5"],
    [
      "/x-rules/13/keys",
      ["key", "password", "size"],
      "extension-unresolved /x-rules/13",
    ],
    ["/x-rules/9/of", 0, "extension-invalid /x-rules/9"],
    ["/x-rules/9/of", -3, "extension-invalid /x-rules/9"],
    ["/x-rules/14/rules", [], "extension-invalid /x-rules/14"],
    ["/x-rules/14/rules/0/keys", ["no"], "extension-unresolved /x-rules/14"],
    ["/x-rules/14/rules/0/rule", "no", "extension-unresolved /x-rules/14"],
  ])("%s = %j", async (pointer, value, expected) => {
    const document = edited(pointer, value);
    expect(findings(document)).toContain(expected);
    const rules = await rulesOf(generateValidators(document));
    if (rules === undefined) expect(expected).toContain(" /x-file");
    else rules.validateSettings({ name: "abc" });
  });
});

test("rules without a file are reported", () => {
  expect(findings(edited("/x-file", undefined))).toContain(
    "extension-unresolved /x-rules",
  );
});

test("rules that are nested deeply are reported", () => {
  const document = JSON.stringify(fileDescription());
  const inner =
    '{"rule":"required","code":"X01","key":"debug","suggestion":"add it"}';
  expect(document).toContain(inner);
  const depth = 5_000;
  const nested = `${'{"rule":"first","code":"X01","rules":['.repeat(depth)}${inner}${"]}".repeat(depth)}`;
  const [first] = generateValidators(
    document.replace(inner, nested),
  ).diagnostics;
  expect(first?.code).toBe("extension-invalid");
});

/** Values that replace parts of a document. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    "",
    "__proto__",
    "constructor",
    "*/",
    "`${x}`",
    "a.b[]",
    "[]",
    "^(a+)+$",
    "(",
    -1,
    1e308,
    0.5,
    [],
    {},
    [[]],
    [null],
    { __proto__: null, constructor: {} },
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Returns the pointers of all values below a value. */
function pointersIn(value: unknown, prefix = ""): string[] {
  if (typeof value !== "object" || value === null) return [prefix];
  return [
    ...(prefix === "" ? [] : [prefix]),
    ...Object.entries(value).flatMap(([key, member]) =>
      pointersIn(
        member,
        `${prefix}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      ),
    ),
  ];
}

const PARTS = pointersIn(fileDescription()).filter((pointer) =>
  /^\/(?:x-file|x-rules|schemas)\//.test(pointer),
);

const samples: readonly unknown[] = [
  null,
  [],
  {},
  {
    name: "abc",
    title: "t",
    nmae: 1,
    password: "x",
    address: "1.2.3",
    key: "",
    size: "5m",
    debug: true,
    replicas: { least: 9, most: 1 },
    hosts: [{ name: "a" }, { name: "a", port: 1 }],
    labels: { a: 1 },
  },
  { name: "$NAME", hosts: {}, replicas: [], labels: "x", no: { name: 1 } },
];

test("any change of the extensions leads to findings, or to a validator that works", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...PARTS), junk), {
        minLength: 1,
        maxLength: 3,
      }),
      async (edits) => {
        const document = fileDescription();
        for (const [pointer, value] of edits)
          try {
            set(document, pointer, structuredClone(value));
          } catch {
            // An earlier edit removed the parent.
          }
        let generated: Generated;
        try {
          generated = generateValidators(document);
        } catch (error) {
          // The document is rejected as a whole, with diagnostics.
          expect(String(error)).toContain('"severity": "error"');
          return;
        }
        for (const { pointer } of generated.diagnostics)
          expect(typeof pointer).toBe("string");
        const rules = await rulesOf(generated);
        const validate = Object.values(rules ?? {}).find(
          (member): member is Rules["validateSettings"] =>
            typeof member === "function" && member.name.startsWith("validate"),
        );
        for (const sample of samples)
          for (const { message } of (validate?.(sample).findings ?? []) as {
            message: string;
          }[]) {
            expect(message).not.toMatch(
              /\bundefined\b|the value can't be read/,
            );
          }
      },
    ),
    { seed: SEED, numRuns: rounds(3_000, 150) },
  );
});
