// Finds the texts of a file that people read: comments, messages, prose.
//
// Each text has the same length as its source, so that offsets can be converted
// to line numbers. Parts that are not English (code, comment markers, template
// expressions) are replaced by blanks or ellipses.
import path from "node:path";
import ts from "ts6";

/** @typedef {{kind: "comment" | "message" | "prose", text: string, start: number, opening?: boolean}} Text */

/** Replaces every character except line breaks. */
const fill = (text, character) => text.replace(/[^\n]/g, character);
const withoutCode = (text) =>
  text
    .replace(/\\?`[^`\n]*`/g, (code) => fill(code, "…"))
    .replace(/\{@\w+ [^}]*\}/g, (link) => fill(link, "…"))
    .replace(/https?:\S+/g, (url) => fill(url, "…"));

/** Returns the comments of a text without string literals. */
function commentsIn(text) {
  const found = [];
  const pattern =
    /\/\*[^]*?\*\/|(?:(?<![:\\])\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)/g;
  for (const match of text.matchAll(pattern)) {
    const isDoc = match[0].startsWith("/**");
    const plain = match[0].startsWith("/*")
      ? match[0]
          .replace(/^\/\*+|\*+\/$/g, (marker) => fill(marker, " "))
          .replace(/^[ \t]*\*/gm, (marker) => fill(marker, " "))
      : match[0].replace(/\/\//g, "  ");
    found.push({
      kind: "comment",
      text: withoutCode(plain),
      start: match.index,
      opening: isDoc,
    });
  }
  return found;
}

const isText = (node) =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** Returns true for concatenations such as `"a" + b`. */
const isSum = (node) =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind === ts.SyntaxKind.PlusToken;

/**
 * Returns the ranges of English text in a literal or a concatenation of
 * literals.
 */
function ranges(node, source) {
  if (isSum(node))
    return [...ranges(node.left, source), ...ranges(node.right, source)];
  if (ts.isStringLiteralLike(node))
    return [[node.getStart(source) + 1, node.end - 1]];
  if (!ts.isTemplateExpression(node)) return [];
  return [
    [node.head.getStart(source) + 1, node.head.end - 2],
    ...node.templateSpans.map(({ literal }) => [
      literal.getStart(source) + 1,
      literal.end - (ts.isTemplateTail(literal) ? 1 : 2),
    ]),
  ];
}

/** Returns the literal's text; expressions in it are ellipses. */
function message(node, source) {
  const start = node.getStart(source);
  const full = source.text;
  let text = "";
  let offset = start;
  for (const [from, to] of ranges(node, source)) {
    const between = full.slice(offset, from);
    text += /^["'`]?[\s+"'`]*["'`]?$/.test(between)
      ? fill(between, " ")
      : fill(between, "…");
    text += full.slice(from, to);
    offset = to;
  }
  return { kind: "message", text: withoutCode(text), start };
}

/** Returns comments and messages of a TypeScript or JavaScript file. */
function program(name, text) {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false);
  const found = [];
  const masked = [];
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
      return void masked.push([node.getStart(source), node.end]);
    if (ts.isRegularExpressionLiteral(node))
      return void masked.push([node.getStart(source), node.end]);
    const inSum = isSum(node) && ranges(node, source).length > 0;
    if (isText(node) || inSum) {
      const literal = message(node, source);
      if (/[a-z]\S*\s+\S*[a-z]/i.test(literal.text)) found.push(literal);
      masked.push([node.getStart(source), node.end]);
      if (!inSum && !ts.isTemplateExpression(node)) return;
      return void nested(node);
    }
    ts.forEachChild(node, visit);
  };
  /** Visits literals in the expressions of a template literal. */
  const nested = (node) => {
    if (isSum(node)) {
      for (const side of [node.left, node.right])
        if (isText(side) || isSum(side)) nested(side);
        else visit(side);
    } else if (ts.isTemplateExpression(node))
      for (const span of node.templateSpans) visit(span.expression);
  };
  visit(source);
  let rest = text;
  for (const [from, to] of masked)
    rest =
      rest.slice(0, from) + fill(rest.slice(from, to), " ") + rest.slice(to);
  return [...commentsIn(rest), ...found];
}

/** Returns comments of a template and of the code that it prints. */
function template(text) {
  const found = commentsIn(text);
  for (const match of text.matchAll(/\{\{!--[^]*?--\}\}/g))
    found.push({
      kind: "comment",
      text: withoutCode(match[0]),
      start: match.index,
    });
  return found;
}

/** Returns the prose of a Markdown page, and the comments of its examples. */
function markdown(text) {
  const found = [];
  let prose = "";
  let offset = 0;
  for (const match of text.matchAll(/^```[^]*?^```/gm)) {
    prose += text.slice(offset, match.index) + fill(match[0], " ");
    offset = match.index + match[0].length;
    for (const comment of match[0].matchAll(/(?:\/\/|(?<=\s)# ).*/g))
      found.push({
        kind: "comment",
        text: withoutCode(comment[0]),
        start: match.index + comment.index,
      });
  }
  prose += text.slice(offset);
  prose = prose.replace(/\]\([^)]*\)/g, (link) => fill(link, " "));
  return [...found, { kind: "prose", text: withoutCode(prose), start: 0 }];
}

/** Returns the strings of several words of a JSON file. */
function json(text) {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)]
    .filter(([literal]) => /[a-z]+ [a-z]+ /i.test(literal))
    .map((match) => ({
      kind: "prose",
      text: withoutCode(match[0]),
      start: match.index,
    }));
}

/** Returns the texts that people read in a file. */
export function textsOf(name, text) {
  const extension = path.extname(name);
  if (extension === ".md") return markdown(text);
  if (extension === ".json") return json(text);
  if (extension === ".hbs") return template(text);
  return program(name, text);
}
