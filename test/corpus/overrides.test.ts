import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { rewriteFile } from "../../src/overrides/rewrite/index.js";
import {
  checkFile,
  resolveCheckOptions,
} from "../../src/overrides/validate.js";
import { SHARED } from "../support/paths.js";

const FOLDER = path.join(SHARED, "samples/overrides");

type Verdict = "valid" | "invalid" | "stopped";

/**
 * Expected results of each sample, determined by reading it: the detected
 * version, the verdict for 1.3.6, and codes that must be among the findings.
 * Written before the validator was run on the files.
 */
const EXPECTED: Readonly<Record<string, readonly [string, Verdict, string?]>> =
  {
    "01": ["1.1", "invalid", "T08 T04"],
    "02": ["1.1", "invalid", "T08 T01"],
    "03": ["1.2", "invalid", "T08 T04 S09"],
    "04": ["1.2", "invalid", "T08 T01 T06"],
    "05": ["1.3", "valid", "S09"],
    "06": ["1.3", "valid", "S09"],
    "07": ["1.3", "valid", "S09"],
    "08": ["1.3", "invalid", "T01 T06"],
    "09": ["1.4+", "valid", "T07 S09"],
    // First expected as 1.4+ by mistake: it has no property newer than 1.3.
    "10": ["1.3", "invalid", "S05 T01"],
    "11": ["1.8+", "invalid", "T07"],
    "12": ["1.2", "invalid", "T08"],
    "13": ["1.3", "valid", "S09"],
    "14": ["1.3", "valid", "S09"],
    "15": ["1.3", "valid", "S09"],
    "16": ["1.3", "valid", "S09"],
    "17": ["1.4+", "valid", "T07"],
    "18": ["1.4+", "valid", "T07"],
    "19": ["1.4+", "valid", "T07"],
    "20": ["1.6+", "invalid", "T04 T07"],
    "21": ["1.6+", "invalid", "T04 T07"],
    "22": ["1.8+", "invalid", "T04 T07"],
    "23": ["1.3", "valid", "S09"],
    "24": ["1.3", "invalid", "T01"],
    "25": ["1.0", "invalid", "T08 T05"],
    "26": ["1.1", "stopped", "S08"],
    "27": ["1.1", "stopped", "S08"],
    "28": ["1.2", "invalid", "T08"],
    "29": ["1.2", "invalid", "T08"],
    "30": ["unknown", "invalid", "T01 T04"],
    "31": ["1.3", "stopped", "S08"],
    "32": ["1.3", "stopped", "S08"],
    "33": ["1.3", "stopped", "S08"],
    "34": ["1.3", "invalid", "T01"],
    "35": ["1.9+", "stopped", "S08"],
    "36": ["1.9+", "stopped", "S08"],
    "37": ["1.9+", "stopped", "S08"],
    "38": ["1.4+", "valid", "T07 S09"],
    "39": ["1.10+", "invalid", "T07 S09"],
    "40": ["1.8+", "invalid", "T07"],
    "41": ["1.14+", "invalid", "T07"],
    "42": ["1.8+", "invalid", "T07 T03"],
    "43": ["1.14+", "invalid", "T07"],
    "44": ["1.8+", "invalid", "T07 T04"],
    "45": ["1.16+", "invalid", "S05 T07 T08"],
    "46": ["1.15.1+", "invalid", "T01 T07"],
    "47": ["1.14+", "stopped", "S08"],
    "48": ["1.2", "invalid", "T08"],
    "49": ["1.3", "stopped", "S02"],
    "50": ["1.10.2+", "invalid", "S05 T01 T07"],
    "51": ["1.16+", "invalid", "S05 T07"],
    "52": ["1.10+", "invalid", "T07 S09"],
    "53": ["1.4+", "invalid", "T08 T04"],
  };

const files = existsSync(FOLDER)
  ? readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"))
  : [];

if (files.length === 0)
  test("samples of overrides files", () => {
    console.info("The shared samples are not here: nothing is checked.");
  });
else
  describe("samples of overrides files", () => {
    test("each has an expectation", () => {
      const numbers = files.map((name) => name.slice(0, 2)).sort();
      expect(numbers).toEqual(Object.keys(EXPECTED).sort());
    });

    test.each(files)("%s", (name) => {
      const [version, verdict, codes = ""] = EXPECTED[name.slice(0, 2)]!;
      const checked = checkFile(
        name,
        readFileSync(path.join(FOLDER, name)),
        resolveCheckOptions("1.3.6"),
      );
      const found = new Set(checked.diagnostics.map(({ code }) => code));
      expect({
        version: checked.detected.version,
        verdict: verdictOf(checked),
        codes: codes.split(" ").filter((code) => found.has(code)),
      }).toEqual({ version, verdict, codes: codes.split(" ") });
    });
  });

/** Results of the rewriter for each 1.2 sample, with the accounts that can't be derived. */
const REWRITTEN: Readonly<Record<string, boolean>> = {
  "03": true,
  // runtime.resources.cpu is at the wrong level.
  "04": false,
  "12": true,
  "28": true,
  "29": true,
  "48": true,
};

if (files.length > 0)
  describe("rewriting the samples", () => {
    test.each(files)("%s", (name) => {
      const bytes = readFileSync(path.join(FOLDER, name));
      const options = {
        watcherAccount: "./watcher.json",
        metricsAccount: "./metrics.json",
        envgroups: new Map<string, string>(),
      };
      const {
        isRefused,
        bytes: after,
        report,
      } = rewriteFile(name, bytes, options);
      const number = name.slice(0, 2);
      const [version] = EXPECTED[number]!;
      if (version === "1.2") expect(isRefused).toBe(!REWRITTEN[number]);
      else if (version !== "1.3") expect(isRefused).toBe(true);
      if (isRefused) {
        expect(report.refusals.length).toBeGreaterThan(0);
        expect(after).toEqual(bytes);
        return;
      }
      if (version === "1.2")
        expect(
          checkFile(name, after, resolveCheckOptions("1.3.6")).isValid,
        ).toBe(true);
      expect(rewriteFile(name, after, options).bytes).toEqual(after);
    });
  });

function verdictOf({
  isValid,
  root,
}: {
  readonly isValid: boolean;
  readonly root?: unknown;
}): Verdict {
  if (root === undefined) return "stopped";
  return isValid ? "valid" : "invalid";
}
