import { afterEach, expect, test, vi } from "vitest";
import { runnerText } from "../../../src/diagnostics/reporters/output.js";

afterEach(() => vi.unstubAllEnvs());

test("commands of GitHub's runner are escaped in its log only", () => {
  const text = JSON.stringify({ a: "x ##[error] ###[group]\\##[" });
  vi.stubEnv("GITHUB_ACTIONS", "");
  expect(runnerText(text)).toBe(text);
  vi.stubEnv("GITHUB_ACTIONS", "true");
  expect(runnerText(text)).not.toContain("##[");
  expect(JSON.parse(runnerText(text))).toEqual(JSON.parse(text));
});
