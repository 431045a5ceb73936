import { describe, expect, test } from "vitest";
import { loadConfig } from "../../../src/config/load-config.js";
import { write } from "../../cli/support.js";
import { temporaryFolder } from "../../support/paths.js";

const APIS = "out: o\napis:\n  a:\n    source: a.json\n";

async function load(text: string): ReturnType<typeof loadConfig> {
  const cwd = temporaryFolder();
  write(cwd, { "gen.config.yaml": `${APIS}${text}` });
  return loadConfig({ cwd });
}

async function findings(text: string): Promise<string[]> {
  const { diagnostics, resolved } = await load(text);
  expect(resolved).toBeUndefined();
  return diagnostics.map(
    ({ code, line, column, message }) => `${code} ${line}:${column} ${message}`,
  );
}

describe("headers", () => {
  test("reach the requests", async () => {
    const { resolved, diagnostics } = await load(
      "headers:\n  a.example.com:\n    authorization: Bearer env:GEN_TOKEN\n",
    );
    expect(diagnostics).toEqual([]);
    expect(resolved?.remote.headers).toEqual({
      "a.example.com": { authorization: "Bearer env:GEN_TOKEN" },
    });
  });

  test("a credential in the config is an error that does not repeat it", async () => {
    const [finding, ...others] = await findings(
      "headers:\n  a.example.com:\n    authorization: Bearer hunter22\n",
    );
    expect(others).toEqual([]);
    expect(finding).toMatch(/^config-value 7:5 .*env:GEN_NAME/);
    expect(finding).not.toContain("hunter22");
  });

  test("hosts and names are checked", async () => {
    expect(
      await findings(
        'headers:\n  "a/b": { k: "env:GEN_X" }\n  b.example.com: { host: "env:GEN_X" }\n',
      ),
    ).toEqual([
      expect.stringMatching(/^config-value 6:3 .*"a\/b" must be a host/),
      expect.stringMatching(/^config-value 7:20 .*"host" can't be set/),
    ]);
  });
});

describe("validate", () => {
  test("rules get their levels", async () => {
    const { resolved, diagnostics } = await load(
      "validate:\n  rules:\n    method-undescribed: error\n",
    );
    expect(diagnostics).toEqual([]);
    expect(resolved?.levels).toEqual({ "method-undescribed": "error" });
  });

  test("an unknown rule or level is an error with its position", async () => {
    expect(
      await findings(
        "validate:\n  rules:\n    method-undescrbed: error\n    url-insecure: never\n",
      ),
    ).toEqual([
      expect.stringMatching(/^config-value 8:5 .*never/),
      expect.stringMatching(
        /^config-value 7:5 unknown rule "method-undescrbed" \(did you mean method-undescribed\?\)/,
      ),
    ]);
  });

  test("an unknown key has a suggestion", async () => {
    expect(await findings("validate:\n  rule: {}\n")).toEqual([
      expect.stringMatching(/^config-key 6:3 .*did you mean rules/),
    ]);
  });
});
