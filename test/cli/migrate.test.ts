import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/paths.js";
import { gen, write } from "./support.js";

const ARGS = ["migrate", "googleapis", "src/*"];

test("undecided positions get a comment and an entry in the report", () => {
  const cwd = temporaryFolder();
  const code = [
    `import { google } from "googleapis";`,
    `const drive = google.drive({ version: "v3", auth: "key" });`,
    `const res = await drive.files.get({ fileId: "a" }, { validateStatus });`,
    `console.log(res.data.id);`,
    "",
  ].join("\n");
  write(cwd, { "src/a.ts": code });
  const dry = gen(ARGS, { cwd });
  expect(dry.status).toBe(1);
  expect(dry.stdout).toContain(
    `+const drive = createDrive({ apiKey: "key" });`,
  );
  expect(readFileSync(path.join(cwd, "src/a.ts"), "utf8")).toBe(code);
  expect(existsSync(path.join(cwd, "gen.config.yaml"))).toBe(false);

  const written = gen([...ARGS, "--write", "--report", "r.json"], { cwd });
  expect(written.status).toBe(1);
  expect(readFileSync(path.join(cwd, "src/a.ts"), "utf8")).toBe(
    [
      `import { createDrive } from "../generated/drive/v3/index.js";`,
      `const drive = createDrive({ apiKey: "key" });`,
      `// TODO(gen migrate): the option validateStatus has no counterpart`,
      `const res = await drive.files.get({ fileId: "a" }, { validateStatus });`,
      `console.log(res.id);`,
      "",
    ].join("\n"),
  );
  expect(JSON.parse(readFileSync(path.join(cwd, "r.json"), "utf8"))).toEqual({
    files: [
      {
        file: "src/a.ts",
        edits: expect.any(Number) as number,
        todo: [
          {
            line: 3,
            column: 54,
            message: "the option validateStatus has no counterpart",
          },
        ],
      },
    ],
  });
  // The config gets the API; its document is fetched later.
  expect(readFileSync(path.join(cwd, "gen.config.yaml"), "utf8")).toContain(
    "drive:v3",
  );
});

test("credentials become those of runtime/auth, or stay with --keep-auth", () => {
  const cwd = temporaryFolder();
  write(cwd, {
    "src/a.js": `import { google } from "googleapis";
const auth = new google.auth.GoogleAuth({ scopes: ["s"] });
export const drive = google.drive({ version: "v3", auth });
`,
  });
  const runtime = gen(ARGS, { cwd });
  expect(runtime.stdout).toContain(
    `+const auth = applicationDefault({ scopes: ["s"] });`,
  );
  const kept = gen([...ARGS, "--keep-auth"], { cwd });
  expect(kept.stdout).toContain(
    `+import { GoogleAuth } from "google-auth-library";`,
  );
  expect(kept.stdout).toContain(
    `+const auth = new GoogleAuth({ scopes: ["s"] });`,
  );
});

test("globs without a file are an error", () => {
  const result = gen(ARGS, { cwd: temporaryFolder() });
  expect(result.status).toBe(2);
  expect(result.stderr).toContain("no TypeScript or JavaScript file matches");
});
