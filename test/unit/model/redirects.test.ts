import { expect, test } from "vitest";
import { isRedirection } from "../../../src/runtime/conformance/exchanges.js";
import type { MethodTester } from "../../../src/runtime/conformance/method-tester.js";
import { description, generateEverything } from "../../support/generate.js";
import { loadServer } from "../server/generated.js";

const documentOf = (status: number): Record<string, unknown> =>
  description({
    schemas: { Thing: { type: "object" } },
    methods: {
      get: {
        id: "demo.get",
        path: "get",
        httpMethod: "GET",
        response: { $ref: "Thing" },
        "x-status": status,
        "x-response-headers": { Location: { type: "string" } },
      },
    },
  });

test.each([
  [201, false],
  [300, false],
  [301, true],
  [302, true],
  [303, true],
  [304, false],
  [305, false],
  [307, true],
  [308, true],
])("%i is a redirect everywhere or nowhere: %s", async (status, expected) => {
  const document = documentOf(status);
  const { api, files } = generateEverything(document);
  const server = files.get("demo/v1/server.ts")!;
  const client = [...files].flatMap(([file, text]) =>
    file.endsWith("/server.ts") ? [] : [text],
  );
  const create = await loadServer(document);
  const service = { get: () => "https://b.example/" };
  const response = await create(service).fetch(
    new Request("https://a.example/get"),
  );
  const trial = { context: { method: { status } } } as unknown as MethodTester;
  expect({
    model: api.root.methods[0]!.redirects === true,
    client: client.join("").includes("RedirectCall"),
    server: /Handler<\s*\w+,\s*undefined,\s*string\b/.test(server),
    headers: !/interface \w+Headers\b/.test(server),
    runtime: response.headers.get("location") !== null,
    conformance: isRedirection(trial),
  }).toEqual({
    model: expected,
    client: expected,
    server: expected,
    headers: expected,
    runtime: expected,
    conformance: expected,
  });
});
