import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  compareInputs,
  type Comparison,
  type ComparedDocument,
} from "../../../src/diff/compare.js";
import {
  FORMATS,
  reportOf,
  type Format,
} from "../../../src/diff/reporters/index.js";
import {
  codeSpan,
  escapeMarkdown,
} from "../../../src/diff/reporters/markdown.js";
import { changelog } from "../../../src/diff/reporters/changelog.js";
import { loadBytes } from "../../../src/load/load.js";
import { shelfDocument, type Json } from "./document.js";

const HOSTILE =
  "x</code><script>alert(1)</script>`\u202e\u0007\n| @team #1 [a](javascript:b)";

function inputOf(document: Json, file: string): ComparedDocument {
  const text = JSON.stringify(document, undefined, 1);
  return { file, text, document: loadBytes(Buffer.from(text), file).document! };
}

/** Compares documents whose names, values and links are hostile. */
function hostileComparison(): Comparison {
  const [old, now] = [shelfDocument(), shelfDocument()];
  old["schemas"].SortResponse.properties[HOSTILE] = { type: "string" };
  now["schemas"].SortResponse.properties.order.enum = ["UP", HOSTILE];
  now["documentationLink"] = "javascript:alert(1)";
  now["revision"] = HOSTILE;
  return compareInputs(inputOf(old, "a.json"), inputOf(now, "b.json"), {});
}

function report(comparisons: readonly Comparison[], format: Format): string {
  const options = {
    isSet: false,
    version: "1.0.0",
    color: false,
    isVerbose: true,
  };
  return reportOf(comparisons, { ...options, format });
}

describe("reports of hostile documents", () => {
  const comparison = hostileComparison();

  test.each(FORMATS)("%s contains no control characters", (format) => {
    const text = report([comparison], format);
    expect(text).toContain("SortResponse");
    expect(text).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/,
    );
  });

  test("HTML: nothing but its own style", () => {
    const text = report([comparison], "html");
    expect(text).not.toContain("<script");
    const style = /<style>([^]*?)<\/style>/.exec(text)![1]!;
    const digest = createHash("sha256").update(style).digest("base64");
    expect(text).toContain(`style-src 'sha256-${digest}'`);
    expect(text).toContain("default-src 'none'");
    expect(text).toContain('name="viewport"');
    expect(text).toContain("prefers-color-scheme: dark");
    expect(text).not.toMatch(/\sstyle=|\son\w+=|https?:\/\//);
  });

  test("Markdown and changelog: no HTML, mentions or links of the document", () => {
    for (const text of [
      report([comparison], "markdown"),
      changelog([comparison]),
    ]) {
      const prose = text.replace(/(?<![\\`])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, "");
      expect(prose).not.toContain("<script");
      expect(prose).not.toMatch(/@(?!<!-- -->)/);
      expect(prose).not.toMatch(/(?<!\\)\[a(?<!\\)\]\(/);
      expect(text).not.toContain("](<javascript:");
    }
  });

  test("GitHub: one command on each line", () => {
    const lines = report([comparison], "github").trim().split("\n");
    for (const line of lines)
      expect(line).toMatch(/^::(?:error|warning|notice) /);
    expect(lines[0]).toContain("file=b.json,line=");
  });

  test("SARIF: levels, positions and fingerprints", () => {
    const log = JSON.parse(report([comparison], "sarif")) as Json;
    const { results, tool } = log["runs"][0];
    const removed = results.find(
      (one: Json) => one["ruleId"] === "property-removed",
    );
    expect(tool.driver.rules[removed.ruleIndex].id).toBe("property-removed");
    expect(removed).toMatchObject({
      level: "error",
      partialFingerprints: {
        "genDiff/v1": expect.stringMatching(/^[0-9a-f]{16}$/),
      },
      locations: [
        { physicalLocation: { artifactLocation: { uri: "b.json" } } },
      ],
    });
  });
});

test("Markdown is limited in size", () => {
  const [old, now] = [shelfDocument(), shelfDocument()];
  for (let index = 0; index < 5_000; index++)
    old["schemas"][`Schema${index}`] = { id: `Schema${index}`, type: "object" };
  const comparison = compareInputs(inputOf(old, "a"), inputOf(now, "b"), {});
  const text = report(
    Array.from({ length: 60 }, () => comparison),
    "markdown",
  );
  expect(text.length).toBeLessThan(65_536);
  expect(text).toContain("… 4950 more");
  expect(text).toMatch(/\d+ more APIs changed/);
});

describe("HTML and SARIF have at most 1 MB", () => {
  const [old, now] = [shelfDocument(), shelfDocument()];
  for (let index = 0; index < 6_000; index++)
    old["schemas"][`Schema${index}`] = { id: `Schema${index}`, type: "object" };
  now["schemas"].SortResponse.properties.order.description = "Other.";
  const comparison = compareInputs(inputOf(old, "a"), inputOf(now, "b"), {});
  const listed = (text: string): number =>
    new Set(text.match(/(?:id="c-|"genDiff\/v1": ")[0-9a-f]{16}/g)).size;

  test.each(["html", "sarif"] as const)("%s", (format) => {
    const { changes } = comparison.result;
    const text = report([comparison], format);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000);
    expect(listed(text)).toBeGreaterThan(500);
    expect(listed(text)).toBeLessThan(changes.length);
    const [, warnings = "0", infos = "0"] =
      /shelf:v1: (?:\d+ breaking, )?(?:(\d+) warnings?)?(?:, )?(?:(\d+) infos?)?/.exec(
        text.slice(text.search(/Not listed|not listed/)),
      ) ?? [];
    const omitted = changes.length - listed(text);
    const breaking = Number(
      /shelf:v1: (\d+) breaking/.exec(
        text.slice(text.search(/Not listed|not listed/)),
      )?.[1] ?? 0,
    );
    expect(breaking + Number(warnings) + Number(infos)).toBe(omitted);
  });
});

test("code spans and escapes", () => {
  expect(codeSpan("a`b``c")).toBe("``` a`b``c ```");
  expect(codeSpan("a")).toBe("`a`");
  expect(escapeMarkdown("a_b@c")).toBe("a\\_b@<!-- -->c");
});
