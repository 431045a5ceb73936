// Prints a random sample of the comments and messages of src/, for a reader who
// has not seen the code. Usage: node scripts/sample-language.mjs [seed]
// [comments] [messages]
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "ts6";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const [seed = 1, comments = 100, messages = 50] = process.argv
  .slice(2)
  .map(Number);

/**
 * Returns a function that returns random numbers in [0, 1). The sequence
 * depends on the seed alone (mulberry32).
 */
function randomOf(start) {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Replaces the string literals of a file by blanks, because `/*` in a literal
 * does not begin a comment.
 */
function withoutLiterals(text, file) {
  const parts = [];
  let end = 0;
  const visit = (node) => {
    if (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node)) {
      const start = node.getStart(source);
      parts.push(text.slice(end, start), " ".repeat(node.end - start));
      end = node.end;
    }
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  visit(source);
  return parts.join("") + text.slice(end);
}

/** Collects the comments of a file, with consecutive line comments as one. */
function commentsIn(text, file) {
  const found = [
    ...withoutLiterals(text, file).matchAll(
      /\/\*\*?[^]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm,
    ),
  ].map(({ 0: match, index }) => ({ index, text: match }));
  return found.filter(({ text: comment }) => /[a-z]{3}/.test(comment));
}

/**
 * Collects string literals of several words: messages, help and descriptions.
 */
function messagesIn(text, file) {
  const found = [];
  const visit = (node) => {
    const isText =
      ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateExpression(node);
    if (isText && !ts.isImportDeclaration(node.parent)) {
      const literal = node.getText(source);
      if (/[a-z]{2,} [a-z]{2,} \S/.test(literal))
        found.push({ index: node.getStart(source), text: literal });
    }
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  visit(source);
  return found;
}

function draw(all, count, random) {
  const rest = [...all];
  const drawn = [];
  while (drawn.length < count && rest.length > 0)
    drawn.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return drawn;
}

const folder = path.join(root, "src");
const files = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith(".ts"))
  .sort();
const all = { comments: [], messages: [] };
for (const name of files) {
  const text = readFileSync(path.join(folder, name), "utf8");
  const place = ({ index, text: found }) =>
    `src/${name}:${text.slice(0, index).split("\n").length}\n${found.trim()}\n`;
  all.comments.push(...commentsIn(text, name).map(place));
  all.messages.push(...messagesIn(text, name).map(place));
}
const random = randomOf(seed);
console.log(
  `# ${comments} of ${all.comments.length} comments, seed ${seed}\n\n${draw(all.comments, comments, random).join("\n")}`,
);
console.log(
  `# ${messages} of ${all.messages.length} messages, seed ${seed}\n\n${draw(all.messages, messages, random).join("\n")}`,
);
