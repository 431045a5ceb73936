import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import net from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CORPUS } from "../../corpus/support.js";
import { ROOT } from "../../support/paths.js";
import { describeOfficial } from "./suite.js";

const PAGE = readFileSync(path.join(ROOT, "docs/fake.md"), "utf8");
const FOLDER = path.join(ROOT, `.tmp/fake-docs-${process.pid}`);

/** Installed by `npm run consumers`. */
const JEST = path.join(ROOT, "test/consumers/node_modules/jest/bin/jest.js");

/** The examples of docs/fake.md, run as a reader runs them. */
describeOfficial("examples of docs/fake.md", undefined, () => {
  beforeAll(() => {
    mkdirSync(path.join(FOLDER, "specs"), { recursive: true });
    mkdirSync(path.join(FOLDER, "node_modules/.bin"), { recursive: true });
    copyFileSync(
      path.join(CORPUS, "drive.v3.json"),
      path.join(FOLDER, "specs/drive.v3.json"),
    );
    const modules = path.join(FOLDER, "node_modules");
    symlinkSync(ROOT, path.join(modules, "discovery-codegen"));
    symlinkSync(path.join(ROOT, "bin/gen.js"), path.join(modules, ".bin/gen"));
    symlinkSync(
      path.join(ROOT, "node_modules/vitest"),
      path.join(modules, "vitest"),
    );
    writeFileSync(path.join(FOLDER, "package.json"), '{"type":"module"}\n');
    // Otherwise, Vitest uses the configuration of this repository.
    writeFileSync(
      path.join(FOLDER, "vitest.config.js"),
      "export default {};\n",
    );
  });
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

  test("Vitest", async () => {
    const name = write(example("js", "// fake.test.js"));
    const vitest = path.join(ROOT, "node_modules/vitest/vitest.mjs");
    const output = await run(process.execPath, [
      vitest,
      "run",
      "--root",
      FOLDER,
      name,
    ]);
    expect(output).toMatch(/Tests.*2 passed/);
  });

  test("node:test", async () => {
    const name = write(example("js", "// fake.test.mjs"));
    const output = await run(process.execPath, ["--test", name]);
    expect(output).toMatch(/pass 1/);
    expect(output).toMatch(/fail 0/);
  });

  if (existsSync(JEST))
    test("Jest", async () => {
      const text = example("js", "// fake.test.js")
        .replace("fake.test.js", "jest.test.mjs")
        .replace(/^import .* from "vitest";\n/m, "");
      const name = write(text);
      writeFileSync(path.join(FOLDER, "jest.config.json"), "{}\n");
      const output = await run(
        process.execPath,
        [
          "--experimental-vm-modules",
          JEST,
          "--rootDir",
          FOLDER,
          "--testMatch",
          `**/${name}`,
        ],
        {},
      );
      expect(output).toMatch(/2 passed/);
    });
  else console.info("Jest: not tested; npm run consumers installs it");

  test("the commands for CI", async () => {
    const port = await freePort();
    const commands = example("sh", "npx gen serve")
      .replace("npx gen", "node_modules/.bin/gen")
      .replaceAll("8080", String(port));
    const output = await run("bash", ["-e", "-c", `${commands}\nkill $!\n`]);
    expect(output).toContain('"method":"drive.files.list"');
    expect(output).toMatch(/"files": ?\[\]/);
  });

  test("the line that starts a mock", async () => {
    const line = example("js", "const { rootUrl } = await (await mock");
    writeFileSync(
      path.join(FOLDER, "line.mjs"),
      `import { mock } from "discovery-codegen";\n${line}console.log((await fetch(rootUrl + "drive/v3/files")).status);\nprocess.exit();\n`,
    );
    expect(await run(process.execPath, ["line.mjs"])).toContain("200");
  });
});

/** Returns the example that starts with a text. */
function example(language: string, start: string): string {
  const blocks = PAGE.matchAll(
    new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"),
  );
  const found = [...blocks].find(([, text]) => text!.startsWith(start));
  expect(found, start).toBeDefined();
  return found![1]!;
}

/** Writes an example to the file that its first line names. */
function write(text: string): string {
  const [, name] = /^\/\/ (\S+)\n/.exec(text)!;
  writeFileSync(path.join(FOLDER, name!), text);
  return name!;
}

async function run(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args, {
    cwd: FOLDER,
    timeout: 110_000,
    env: {
      PATH: process.env["PATH"],
      HOME: FOLDER,
      NO_COLOR: "1",
      NO_PROXY: "127.0.0.1",
      ...env,
    },
  });
  return stdout + stderr;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
