import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { gen } from "../cli/support.js";
import { ROOT, temporaryFolder } from "../support/paths.js";

const PAGE = readFileSync(path.join(ROOT, "docs/mock-and-scaffold.md"), "utf8");

test("runs the TypeScript example of the docs", async () => {
  const code = /^```ts\n([^]*?)^```$/m.exec(PAGE)![1]!;
  const folder = path.join(ROOT, `.tmp/mock-docs-${process.pid}`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  const text = code
    .replace('"discovery-codegen"', JSON.stringify(`${ROOT}/src/index.ts`))
    .replace('"../generated', `"${ROOT}/generated`)
    .replace('"specs/', `"${ROOT}/specs/`);
  const file = path.join(folder, "example.ts");
  writeFileSync(file, `${text}\nexport { data, model };\n`);
  const { data, model } = (await import(file)) as {
    readonly data: readonly unknown[];
    readonly model: unknown;
  };
  expect(data).toHaveLength(3);
  expect(model).toEqual(data[0]);
});

test("runs the scaffold commands of the docs", () => {
  const cwd = temporaryFolder();
  const commands = [...PAGE.matchAll(/^gen (.*(?:--target|scaffold).*)$/gm)];
  expect(commands).toHaveLength(2);
  for (const [, line] of commands) {
    const args = line!.replace("specs/", `${ROOT}/specs/`).split(" ");
    expect(gen(args, { cwd })).toMatchObject({ status: 0, stderr: "" });
  }
  const text = readFileSync(path.join(cwd, "src/service.ts"), "utf8");
  expect(text).toContain("chat.models.get is not implemented.");
});
