import type { Code } from "../../src/diagnostics/catalogue.js";
import { startMock } from "../../src/mock/index.js";
import { runScaffold } from "../../src/scaffold/index.js";
import type { Diagnostic } from "../../src/index.js";
import { apiOf, write } from "../cli/support.js";
import { temporaryFolder } from "../support/paths.js";

type Cause = () => Promise<readonly Diagnostic[]>;

/** Returns the findings of a scaffold for an existing service. */
function scaffolding(code: Code, service: string): [Code, Cause] {
  const cause: Cause = async () => {
    const cwd = temporaryFolder();
    write(cwd, { "demo.json": apiOf("demo"), "service.ts": service });
    const { diagnostics } = await runScaffold({
      specs: ["demo.json"],
      out: "service.ts",
      server: "the-api/demo/v1/server.js",
      generated: "generated",
      cwd,
      isDry: false,
    });
    return diagnostics.filter((found) => found.code === code);
  };
  return [code, cause];
}

const IMPORT = `import type { DemoService } from "the-api/demo/v1/server.js";\n`;

/** Reproductions of the codes of mocks and scaffolds. */
export const mocksAndScaffolds: Partial<Record<Code, Cause>> = {
  "mock-clash": async () => {
    const cwd = temporaryFolder();
    write(cwd, { "a.json": apiOf("demo"), "b.json": apiOf("other") });
    return (await startMock(["a.json", "b.json"], { cwd })).diagnostics;
  },
  "mock-data": async () => {
    const cwd = temporaryFolder();
    write(cwd, { "a.json": apiOf("demo") });
    const data = { nothings: [] };
    return (await startMock(["a.json"], { cwd, data })).diagnostics;
  },
  "scaffold-server-missing": async () => {
    const cwd = temporaryFolder();
    write(cwd, { "demo.json": apiOf("demo") });
    const { diagnostics } = await runScaffold({
      specs: ["demo.json"],
      out: "service.ts",
      generated: "generated",
      cwd,
      isDry: false,
    });
    return diagnostics;
  },
  ...Object.fromEntries([
    scaffolding("scaffold-syntax", `${IMPORT}const s: DemoService = {`),
    scaffolding("scaffold-no-service", "export const s = {};\n"),
    scaffolding(
      "scaffold-several-services",
      `${IMPORT}const a: DemoService = {};\nconst b: DemoService = {};\n`,
    ),
    scaffolding(
      "scaffold-unclear",
      `${IMPORT}const s: DemoService = { ...make() };\n`,
    ),
    scaffolding(
      "scaffold-opaque",
      `${IMPORT}const s: DemoService = { things: make(), others: make() };\n`,
    ),
    scaffolding(
      "scaffold-stale",
      `${IMPORT}const s: DemoService = { gone: {} };\n`,
    ),
  ]),
  "scaffold-elsewhere": async () => {
    const cwd = temporaryFolder();
    write(cwd, {
      "demo.json": apiOf("demo"),
      "things.ts": "export const things = {};\n",
      "service.ts": `${IMPORT}import { things } from "./things.js";\nconst s: DemoService = { things };\n`,
    });
    const { diagnostics } = await runScaffold({
      specs: ["demo.json"],
      out: "service.ts",
      server: "the-api/demo/v1/server.js",
      generated: "generated",
      cwd,
      isDry: false,
    });
    return diagnostics;
  },
};
