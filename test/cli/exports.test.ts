import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { generate } from "../../src/index.js";
import { temporaryFolder } from "../support/paths.js";
import { apiOf, gen, write } from "./support.js";

test("--target openapi,json-schema writes data, and no runtime", () => {
  const cwd = temporaryFolder();
  write(cwd, { "specs/demo.json": apiOf("demo") });
  const args =
    "--spec specs --out out --target openapi,json-schema --openapi-format yaml";
  const { status, stderr } = gen(args.split(" "), { cwd });
  expect(status, stderr).toBe(0);
  const file = path.join(cwd, "out/demo/v1/openapi.yaml");
  expect(readFileSync(file, "utf8")).toMatch(/^openapi: 3\.1\.\d\n/);
  expect(existsSync(path.join(cwd, "out/demo/v1/schemas.json"))).toBe(true);
  expect(existsSync(path.join(cwd, "out/runtime"))).toBe(false);
  expect(gen([...args.split(" "), "--check"], { cwd }).status).toBe(0);
});

test("exports stay when another target is generated, and change with their options", async () => {
  const cwd = temporaryFolder();
  write(cwd, { "demo.json": apiOf("demo") });
  const options = { spec: "demo.json", out: "out", cwd };
  const names = (files: readonly { path: string; action: string }[]) =>
    files.map(({ path: name, action }) => `${action} ${name}`);
  await generate({ ...options, target: ["openapi"] });
  const client = await generate({ ...options, target: ["client"] });
  expect(names(client.files)).toContain("same demo/v1/openapi.json");
  const yaml = await generate({
    ...options,
    target: ["openapi"],
    openapiFormat: "yaml",
    openapiSplit: true,
    prune: true,
  });
  expect(names(yaml.files)).toEqual(
    expect.arrayContaining([
      "create demo/v1/openapi.yaml",
      "delete demo/v1/openapi.json",
      "delete demo/v1/client.ts",
    ]),
  );
});
