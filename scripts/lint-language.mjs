// Reports words for which CONTRIBUTING.md, "Language", lists standard terms.
//
// node scripts/lint-language.mjs [--summary] [<file or folder>...]
//
// Paths are relative to the working directory. A line `lint-language: off` in a
// comment exempts a file whose texts are data; `lint-language-next-line`
// exempts the next line.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { RULES } from "./language-rules.mjs";
import { textsOf } from "./language-texts.mjs";

const DEFAULT = [
  "src",
  "templates",
  "scripts",
  "bin",
  "bench",
  "docs",
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "specs",
];
const EXTENSIONS = /\.(?:ts|mts|js|mjs|md|hbs|json)$/;
/** Files that quote the rejected words, and fixtures. */
const SKIPPED =
  /(?:^|\/)(?:node_modules|\.tmp|scripts\/language-rules\.mjs|package(?:-lock)?\.json|bench\/.*\.json|test\/.*\.json)(?:\/|$)/;

/** @returns {{line: number, words: string, write: string}[]} */
export function lintText(name, text) {
  if (/lint-language: off/.test(text)) return [];
  const lines = text.split("\n");
  const findings = [];
  for (const { kind, text: part, start, opening } of textsOf(name, text))
    for (const { pattern, write, kinds } of RULES) {
      const isOpening = kinds.includes("opening");
      if (isOpening ? !opening : !kinds.includes(kind)) continue;
      for (const { words, offset } of matches(pattern, part, isOpening)) {
        const line = text.slice(0, start + offset).split("\n").length;
        if (lines[line - 2]?.includes("lint-language-next-line")) continue;
        findings.push({ line, words, write });
      }
    }
  return findings.sort((a, b) => a.line - b.line);
}

/** Yields the matches of a rule, with white space reduced to blanks. */
function* matches(pattern, text, isOpening) {
  const indent = isOpening ? text.search(/\S/) : 0;
  const searched = isOpening ? text.slice(Math.max(indent, 0)) : text;
  const found = isOpening
    ? [pattern.exec(searched)].filter(Boolean)
    : searched.matchAll(pattern);
  for (const match of found)
    yield {
      words: (isOpening ? `${searched.slice(0, 40)}…` : match[0]).replace(
        /\s+/g,
        " ",
      ),
      offset: match.index + Math.max(indent, 0),
    };
}

function* filesBelow(given) {
  if (!statSync(given).isDirectory()) return void (yield given);
  for (const entry of readdirSync(given, { withFileTypes: true })) {
    const file = path.join(given, entry.name);
    if (SKIPPED.test(file.replaceAll(path.sep, "/"))) continue;
    if (entry.isDirectory()) yield* filesBelow(file);
    else if (EXTENSIONS.test(entry.name)) yield file;
  }
}

function main(args) {
  const summary = args.includes("--summary");
  const paths = args.filter((argument) => !argument.startsWith("--"));
  const chosen =
    paths.length > 0 ? paths : DEFAULT.filter((name) => existsSync(name));
  const counts = new Map();
  let total = 0;
  for (const start of chosen)
    for (const file of filesBelow(start)) {
      const isDescription =
        file.startsWith("specs") && !/\.(?:md|json)$/.test(file);
      if (isDescription) continue;
      for (const { line, words, write } of lintText(
        file,
        readFileSync(file, "utf8"),
      )) {
        total++;
        counts.set(write, (counts.get(write) ?? 0) + 1);
        if (!summary)
          console.error(`${file}:${line}: "${words}": write ${write}`);
      }
    }
  if (summary)
    for (const [write, count] of [...counts].sort((a, b) => b[1] - a[1]))
      console.error(`${String(count).padStart(5)}  ${write}`);
  if (total > 0)
    console.error(
      `${total} phrases; CONTRIBUTING.md, "Language", gives the reasons`,
    );
  process.exitCode = total > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  main(process.argv.slice(2));
