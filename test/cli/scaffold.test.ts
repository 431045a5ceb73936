import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/paths.js";
import { apiOf, gen, tree, write } from "./support.js";

const ARGS = ["scaffold", "--spec", "demo.json", "--out", "src/service.ts"];

/** Creates a folder with a document and its server. */
function generated(): string {
  const cwd = temporaryFolder();
  write(cwd, { "demo.json": apiOf("demo") });
  const args = ["--spec", "demo.json", "--out", "generated"];
  expect(gen([...args, "--target", "server"], { cwd }).status).toBe(0);
  return cwd;
}

test("writes a service and a main file, then adds only new handlers", () => {
  const cwd = generated();
  const first = gen([...ARGS, "--main", "src/main.ts"], { cwd });
  expect(first).toMatchObject({ status: 0, stderr: "" });
  expect(first.stdout).toBe(
    "create src/service.ts\ncreate src/main.ts\n2 handlers added\n",
  );
  const file = path.join(cwd, "src/service.ts");
  const text = readFileSync(file, "utf8");
  expect(text).toContain(`from "../generated/demo/v1/server.js"`);
  expect(text).toContain(`from "../generated/runtime/server/index.js"`);
  // The runtime has its own limits; requestTimeout would abort long uploads.
  const main = readFileSync(path.join(cwd, "src/main.ts"), "utf8");
  expect(main).toContain("await listen(http, server, { port })");
  const before = tree(cwd);
  expect(gen([...ARGS, "--main", "src/main.ts"], { cwd }).stdout).toBe(
    "same src/service.ts\nsame src/main.ts\n0 handlers added\n",
  );
  expect(tree(cwd)).toEqual(before);

  const document = apiOf("demo");
  const { resources } = document as { resources: Record<string, unknown> };
  resources["news"] = resources["others"];
  write(cwd, { "demo.json": document });
  const checked = gen([...ARGS, "--check"], { cwd });
  expect(checked.status).toBe(1);
  expect(checked.stdout).toContain("add news.get\nupdate src/service.ts\n");
  expect(gen([...ARGS, "--dry-run"], { cwd }).status).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(gen(ARGS, { cwd }).status).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(
    text.replace(/\};\n$/, "") +
      `  news: {\n    async get() {\n      throw new ApiError(501, "demo.others.get is not implemented.");\n    },\n  },\n};\n`,
  );
  expect(gen([...ARGS, "--check"], { cwd }).status).toBe(0);
}, 60_000);

test("does not change a file with syntax errors", () => {
  const cwd = generated();
  const text = `import type { DemoService } from "x";\nconst s: DemoService = {`;
  write(cwd, { "src/service.ts": text });
  const file = path.join(cwd, "src/service.ts");
  const { ino } = statSync(file);
  const { status, stderr } = gen([...ARGS, "--main", "src/main.ts"], { cwd });
  expect(status).toBe(2);
  expect(stderr).toContain("scaffold-syntax");
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(statSync(file).ino).toBe(ino);
  expect(existsSync(path.join(cwd, "src/main.ts"))).toBe(false);
});

test("imports the module of --server, and rejects two documents", () => {
  const cwd = temporaryFolder();
  write(cwd, { "demo.json": apiOf("demo"), "other.json": apiOf("other") });
  const server = ["--server", "@acme/apis/demo/v1/server.js"];
  expect(gen(ARGS, { cwd }).stderr).toContain("scaffold-server-missing");
  expect(gen([...ARGS, ...server], { cwd }).status).toBe(0);
  const text = readFileSync(path.join(cwd, "src/service.ts"), "utf8");
  expect(text).toContain(`from "@acme/apis/demo/v1/server.js"`);
  expect(text).toContain(`from "@acme/apis/runtime/server/index.js"`);
  writeFileSync(path.join(cwd, "src/service.ts"), "");
  const two = gen([...ARGS, "--spec", "other.json", ...server], { cwd });
  expect(two.status).toBe(2);
});
