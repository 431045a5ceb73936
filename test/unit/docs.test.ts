import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { parse, parseDocument } from "yaml";
import { readConfig } from "../../src/services/chat/config.js";
import { ROOT } from "../support/paths.js";

const PAGES = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "bench/README.md",
  "specs/README.md",
  ...readdirSync(path.join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const read = (page: string) => readFileSync(path.join(ROOT, page), "utf8");
const withoutFences = (text: string) => text.replace(/^```[^]*?^```/gm, "");

/** Returns the anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const headings = withoutFences(read(page)).matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

test.each(PAGES)("relative links of %s lead to files and headings", (page) => {
  const links = withoutFences(read(page)).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g);
  const broken = [...links]
    .map(([, link]) => link!)
    .filter((link) => {
      const [file = "", anchor] = link.split("#");
      const target =
        file === "" ? page : path.posix.join(path.posix.dirname(page), file);
      if (!existsSync(path.join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(target).has(anchor);
    });
  expect(broken).toEqual([]);
});

test("docs/README.md lists every page", () => {
  const index = read("docs/README.md");
  for (const name of readdirSync(path.join(ROOT, "docs")).filter((entry) =>
    entry.endsWith(".md"),
  ))
    if (name !== "README.md") expect(index).toContain(`(${name})`);
});

test.each(
  PAGES.filter((page) =>
    /architecture|security|CONTRIBUTING|templates|specs/.test(page),
  ),
)("source paths in %s exist", (page) => {
  const paths = read(page).matchAll(
    /`((?:src|scripts|templates|test)\/[\w./-]*)`/g,
  );
  const missing = [...paths]
    .map(([, name]) => name!)
    .filter((name) => !existsSync(path.join(ROOT, name)));
  expect(missing).toEqual([]);
});

const yamlBlocks = PAGES.flatMap((page) =>
  [...read(page).matchAll(/^```yaml\n([^]*?)^```/gm)].map(
    ([, text], index) => [page, index + 1, text!] as const,
  ),
);

test.each(yamlBlocks)("%s: YAML block %i can be parsed", (_, __, text) => {
  const { errors } = parseDocument(text);
  expect(errors.map(({ message }) => message)).toEqual([]);
});

test("the config of the chat service in its page is valid", () => {
  const [, , text] = yamlBlocks.find(([page]) => page === "docs/chat.md")!;
  const { chat } = parse(text) as { chat: { models: object } };
  const { script: _, ...models } = chat.models as Record<string, object>;
  vi.stubEnv("CHAT_CI_KEY", "k".repeat(64));
  for (const name of ["UPSTREAM_KEY", "A_KEY", "B_KEY"])
    vi.stubEnv(name, "u".repeat(64));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { keys, limits } = readConfig({ ...chat, models });
  expect(keys.map(({ name }) => name)).toEqual(["alice", "ci"]);
  expect(limits.concurrent).toBe(4096);
});
