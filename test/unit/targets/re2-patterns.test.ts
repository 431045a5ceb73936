import path from "node:path";
import { expect, test } from "vitest";
import { generate } from "../../../src/index.js";
import { startMock } from "../../../src/mock/index.js";
import { texts, write } from "../../cli/support.js";
import { description } from "../../support/generate.js";
import { temporaryFolder } from "../../support/paths.js";

const NAME = "(?i)\\Aitems/(?P<id>[[:alpha:]]{2,4})\\z";
const EQUAL = "^[iI][tT][eE][mM][sS]\\/(?:[A-Za-z]{2,4})$";

const DOCUMENT = description({
  resources: {
    items: {
      methods: {
        get: {
          id: "demo.items.get",
          path: "v1/{+name}",
          httpMethod: "GET",
          parameterOrder: ["name"],
          parameters: {
            name: {
              type: "string",
              location: "path",
              required: true,
              pattern: NAME,
            },
            filter: { type: "string", location: "query", pattern: NAME },
          },
          response: { $ref: "Item" },
        },
      },
    },
  },
  schemas: {
    Item: {
      id: "Item",
      type: "object",
      properties: { name: { type: "string", pattern: NAME } },
    },
  },
});

test("patterns of RE2 are enforced and exported without warnings", async () => {
  const cwd = temporaryFolder();
  write(cwd, { "demo.json": DOCUMENT });
  const { diagnostics } = await generate({
    spec: "demo.json",
    out: "out",
    cwd,
    target: ["client", "server", "validator", "openapi", "json-schema"],
  });
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  const files = Object.entries(texts(path.join(cwd, "out/demo/v1")));
  const exported = files.filter(
    ([name, text]) =>
      name.endsWith(".json") && text.includes(JSON.stringify(EQUAL)),
  );
  expect(exported.length).toBeGreaterThan(1);
  for (const name of ["validators.ts", "routes.ts"])
    expect(files.find(([other]) => other === name)?.[1]).toContain("[iI][tT]");
});

test("mocks send and accept values that match", async () => {
  const cwd = temporaryFolder();
  write(cwd, { "demo.json": DOCUMENT });
  const { fake } = await startMock(["demo.json"], { cwd });
  const get = async (query: string): Promise<[number, unknown]> => {
    const target = `/v1/ITEMS/ab${query}`;
    const request = { method: "GET", target, header: () => undefined };
    const { status, body } = await fake!.handle(request as never);
    return [status, JSON.parse(Buffer.from(body as Uint8Array).toString())];
  };
  const [status, item] = await get("");
  expect(status).toBe(200);
  expect(item).toEqual({ name: expect.stringMatching(new RegExp(EQUAL)) });
  expect((await get("?filter=iTeMs/abc"))[0]).toBe(200);
  expect((await get("?filter=items/1"))[0]).toBe(400);
});
