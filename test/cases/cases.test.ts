import { check } from "prettier";
import { describe, expect, test } from "vitest";
import {
  compile,
  generateCases,
  joinFiles,
  snapshotOf,
  type Case,
  type ExpectedDeclaration,
} from "./cases.js";
import { codeOf, readDeclarations, type Declaration } from "./declarations.js";
import {
  asJson,
  lacking,
  methodsIn,
  propertiesBelow,
  schemasIn,
  type DocumentMethod,
} from "./documents.js";
import { readOutput } from "./output.js";
import {
  follow,
  sampleParameters,
  testClient,
  type TestClient,
} from "./requests.js";

const { cases, root } = generateCases();

describe.each(cases)("$name: $about", (sample) => {
  const readings = [...sample.generated.files].map(
    ([file, text]) => [file, readOutput(file, text)] as const,
  );

  test("prints exactly the expected findings and client", async () => {
    const { diagnostics, files } = sample.generated;
    const found = diagnostics
      .map(({ code, pointer }) => `${code} ${pointer ?? ""}`.trim())
      .sort();
    await expect(
      `${found.map((line) => `${line}\n`).join("")}${joinFiles(files)}`,
    ).toMatchFileSnapshot(snapshotOf(sample.name, "client.txt"));
  });

  test("prints the expected declarations", () => {
    for (const [file, symbols] of Object.entries(sample.expected)) {
      const [name, text] = [...sample.generated.files].find(([path]) =>
        path.endsWith(`/${file}`),
      )!;
      const declarations = readDeclarations(name, text);
      for (const [symbol, expected] of Object.entries(symbols))
        expectDeclaration(declarations.get(symbol), symbol, expected);
    }
  });

  test("loses no schema and no property", () => {
    const [, { types }] = readings.find(([file]) =>
      file.endsWith("/schemas.ts"),
    )!;
    const called = renames(sample, /^schema (".*") has the type name (\S+)$/s);
    for (const [id, schema] of schemasIn(sample.document)) {
      const name = called.get(id) ?? id;
      expect([...types.keys()]).toContain(name);
      const isObject =
        schema["$ref"] === undefined && schema["variant"] === undefined;
      if (isObject)
        expect(types.get(name)).toEqual(
          expect.arrayContaining(Object.keys(asJson(schema["properties"]))),
        );
    }
    const bodies = methodsIn(sample.document).flatMap(({ raw }) => [
      raw["request"],
      raw["response"],
    ]);
    const wanted = [
      ...schemasIn(sample.document).map(([, schema]) => schema),
      ...bodies,
    ].flatMap(propertiesBelow);
    expect(lacking(wanted, [...types.values()].flat())).toEqual([]);
  });

  test("loses no method and no parameter", () => {
    const files = readings.filter(([file]) => !file.endsWith("/schemas.ts"));
    const methods = methodsIn(sample.document);
    const ids = methods.flatMap(({ raw }) =>
      raw["id"] === undefined ? [] : [String(raw["id"])],
    );
    expect(
      lacking(
        ids,
        files.flatMap(([, { ids: found }]) => found),
      ),
    ).toEqual([]);
    const renamed = renames(
      sample,
      /^parameter (.*) has the property name (\S+)$/s,
    );
    const wanted = [
      ...methods.flatMap(({ raw }) => Object.keys(asJson(raw["parameters"]))),
      ...Object.keys(asJson(sample.document["parameters"])),
    ].filter((name) => !renamed.has(name));
    const members = files.flatMap(([, { types }]) => [...types.values()]);
    expect(lacking(wanted, members.flat())).toEqual([]);
    expect(lacking([...renamed.values()], members.flat())).toEqual([]);
  });

  test("parses and has Prettier's format", async () => {
    for (const [file, text] of sample.generated.files) {
      expect(readOutput(file, text).syntaxErrors).toEqual([]);
      const isFormatted = await check(text, { parser: "typescript" });
      expect(isFormatted, `${file} is formatted`).toBe(true);
    }
  });

  test("calls each method by the document's names and sends wire names", async () => {
    const methods = methodsIn(sample.document);
    if (methods.length === 0) {
      const files = [...sample.generated.files.keys()];
      expect(files).toEqual(["demo/v1/schemas.ts"]);
      return;
    }
    const client = await testClient(sample);
    for (const method of methods) await expectRequest(method, client);
  });

  test("has a model that survives JSON", () => {
    const { api } = sample.generated;
    expect(JSON.parse(JSON.stringify(api))).toEqual(api);
  });
});

test("all outputs compile under every flag", () => {
  expect(compile(root)).toBe("");
});

function expectDeclaration(
  declaration: Declaration | undefined,
  symbol: string,
  expected: ExpectedDeclaration,
): void {
  if (typeof expected === "string") {
    expect(declaration?.code, symbol).toBe(codeOf(expected));
    return;
  }
  expect(declaration, symbol).toBeDefined();
  for (const part of expected)
    if (part.startsWith("// "))
      expect(declaration?.comment, symbol).toContain(part.slice(3));
    else expect(declaration?.code, symbol).toContain(codeOf(part));
}

/** Returns new names by old ones, from the diagnostics. */
function renames(sample: Case, pattern: RegExp): Map<string, string> {
  return new Map(
    sample.generated.diagnostics.flatMap(({ code, message }) => {
      const [, before, after] = pattern.exec(message) ?? [];
      if (code !== "name-changed" || before === undefined) return [];
      const name = before.startsWith('"')
        ? (JSON.parse(before) as string)
        : before;
      return [[name, after!] as const];
    }),
  );
}

async function expectRequest(
  method: DocumentMethod,
  { client, sent, descriptors }: TestClient,
): Promise<void> {
  const { names, raw } = method;
  const call = follow(client, names);
  expect(typeof call, `${names.join(" → ")} is a method`).toBe("function");
  const id = raw["id"];
  const descriptor = descriptors.find((known) => known["id"] === id) ?? {};
  const properties = new Map(
    Object.entries(asJson(descriptor["names"])).map(([property, wire]) => [
      wire,
      property,
    ]),
  );
  const parameters = sampleParameters(method);
  const declared = String(raw["httpMethod"] ?? "GET").toUpperCase();
  const verb = /^[A-Z]+$/.test(declared) ? declared : "GET";
  const body = Object.keys(asJson(raw["request"])).some(
    (key) => key !== "parameterName",
  )
    ? { hello: names.join(".") }
    : undefined;
  const given = [...parameters].map(([wire, value]) => [
    properties.get(wire) ?? wire,
    value,
  ]);
  await call(
    Object.fromEntries(
      body === undefined ? given : [...given, ["requestBody", body]],
    ) as never,
  );
  const request = sent.pop()!;
  expect(request.method).toBe(verb);
  if (body !== undefined) {
    const sentBody = JSON.parse(String(request.body)) as unknown;
    expect([body, { data: body }]).toContainEqual(sentBody);
  }
  for (const [wire, value] of parameters) {
    if (request.url.pathname.includes(value)) continue;
    expect(
      request.url.searchParams.getAll(wire),
      `${names.join(" → ")} sends ${wire}`,
    ).toContain(value);
  }
}
