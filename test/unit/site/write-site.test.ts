import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import {
  SiteFolderError,
  writeSite,
} from "../../../src/site/static/build-site.js";
import { temporaryFolder } from "../../support/paths.js";

const PAGES = [
  { path: "index.html", text: "1" },
  { path: "apis/a/index.html", text: "2" },
];

it("replaces a site that it wrote; pages that no longer exist are removed", () => {
  const out = path.join(temporaryFolder(), "below/site");
  expect(writeSite(out, PAGES)).toEqual({ files: 2, bytes: 2 });
  writeSite(out, [{ path: "index.html", text: "3" }]);
  expect(readFileSync(path.join(out, "index.html"), "utf8")).toBe("3");
  expect(existsSync(path.join(out, "apis"))).toBe(false);
  expect(readdirSync(path.dirname(out))).toEqual(["site"]);
});

it("refuses folders with other files, and links", () => {
  const root = temporaryFolder();
  const out = path.join(root, "site");
  writeSite(out, PAGES);
  writeFileSync(path.join(out, "CNAME"), "example.com");
  expect(() => writeSite(out, PAGES)).toThrow(SiteFolderError);
  mkdirSync(path.join(root, "elsewhere"));
  symlinkSync(path.join(root, "elsewhere"), path.join(root, "link"));
  expect(() => writeSite(path.join(root, "link"), PAGES)).toThrow(
    SiteFolderError,
  );
  expect(readdirSync(path.join(root, "elsewhere"))).toEqual([]);
});

it("keeps the old site if a page can't be built", () => {
  const out = path.join(temporaryFolder(), "site");
  writeSite(out, PAGES);
  const failing = function* (): Generator<{ path: string; text: string }> {
    yield { path: "index.html", text: "new" };
    throw new Error("a bug");
  };
  expect(() => writeSite(out, failing())).toThrow("a bug");
  expect(readFileSync(path.join(out, "index.html"), "utf8")).toBe("1");
  expect(readdirSync(path.dirname(out))).toEqual(["site"]);
});
