import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GlobError, MethodGlob } from "../../../src/model/method-glob.js";

test.each([
  ["drive.files.list", "drive.files.list", true],
  ["drive.files.list", "drive.files.lists", false],
  ["drive.files.*", "drive.files.list", true],
  ["drive.files.*", "drive.files", false],
  ["drive.files.*", "drive.files.labels.list", true],
  ["drive.files.l*", "drive.files.list", true],
  ["drive.*.list", "drive.files.list", true],
  ["drive.*.list", "drive.files.labels.list", false],
  ["drive.**.list", "drive.files.labels.list", true],
  ["drive.**.list", "drive.list", true],
  ["drive.**.list", "drive.filelist", false],
  ["**.list", "list", true],
  ["**.list", "drive.files.list", true],
  ["**.list", "drive.fileslist", false],
  ["**list", "drive.fileslist", true],
  ["drive.files.{get,list}", "drive.files.get", true],
  ["drive.files.{get,list}", "drive.files.update", false],
  ["drive.{files.get,{}", "drive.files.get", undefined],
  ["{drive,gmail}.{a,b}.get", "gmail.b.get", true],
  ["drive.files.ge?", "drive.files.get", true],
  ["drive?files.get", "drive.files.get", false],
  ["*", "drive.files.get", true],
  ["drive.files.{get", "drive.files.get", undefined],
  ["drive.files.get}", "drive.files.get", undefined],
  ["", "", undefined],
  ["a.+(b)[c]$", "a.+(b)[c]$", true],
])("%s matches %s: %s", (glob, id, isMatch) => {
  if (isMatch === undefined)
    expect(() => new MethodGlob(glob)).toThrow(GlobError);
  else expect(new MethodGlob(glob).matches(id)).toBe(isMatch);
});

test("matchesBelow accepts ancestors, but no other prefixes", () => {
  const glob = new MethodGlob("drive.files");
  expect(glob.matchesBelow("drive.files.get")).toBe(true);
  expect(glob.matchesBelow("drive.files")).toBe(true);
  expect(glob.matchesBelow("drive.filesystem.get")).toBe(false);
  expect(glob.matches("drive.files.get")).toBe(false);
});

/** Reference: an equivalent regular expression for a glob without braces. */
function expressionOf(glob: string): RegExp {
  const source = (
    glob.endsWith(".*") || glob === "*" ? `${glob}*` : glob
  ).replace(/(?<=^|\.)\*\*\.|\*\*|\*|\?|\./g, (part) => {
    if (part === "**.") return "(?:.*\\.)?";
    if (part === "**") return ".*";
    if (part === "*") return "[^.]*";
    return part === "?" ? "[^.]" : "\\.";
  });
  return new RegExp(`^${source}$`, "s");
}

describe("random globs", () => {
  const text = (...parts: string[]) =>
    fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 8 });

  test("match like a regular expression", () => {
    const globs = text("a", "b", ".", "*", "**", "**.", "?", ".*");
    const names = text("a", "b", ".", "ab", ".a.");
    fc.assert(
      fc.property(globs, names, (glob, name) => {
        // Three stars in a row have no meaning of their own.
        const joined = glob.join("").replace(/\*{3,}/g, "**");
        const id = name.join("");
        expect(new MethodGlob(joined).matches(id), `${joined} ${id}`).toBe(
          expressionOf(joined).test(id),
        );
      }),
      { numRuns: 2000, seed: 14 },
    );
  });

  test("match in linear time", () => {
    const glob = new MethodGlob(`${"**a*".repeat(100)}b`);
    const id = "a".repeat(5_000);
    const start = process.cpuUsage().user;
    expect(glob.matches(id)).toBe(false);
    // A backtracking matcher takes exponential time.
    expect((process.cpuUsage().user - start) / 1000).toBeLessThan(5_000);
  });
});
