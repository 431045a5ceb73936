import { ts } from "ts-morph";
import type { Addition } from "./compare.js";
import {
  printMembers,
  printMethod,
  text as literal,
  type Style,
} from "./print.js";
import type { Member } from "./tree.js";

/** Text that is put in at an offset; nothing is taken away. */
interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** The text with what it lacks. All of it is still there, byte for byte. */
export function edited(
  source: ts.SourceFile,
  additions: readonly Addition[],
  runtime: string,
): string {
  const { text } = source;
  const error = errorName(source);
  const style = styleOf(source, error.name);
  const insertions = additions.flatMap((addition) =>
    insertionsOf(addition, source, style),
  );
  if (!error.isImported) insertions.push(importOf(source, runtime, style));
  return insertions
    .map((one, order) => ({ ...one, order }))
    .sort((a, b) => b.at - a.at || b.order - a.order)
    .reduce(
      (rest, one) => rest.slice(0, one.at) + one.text + rest.slice(one.at),
      text,
    );
}

function insertionsOf(
  { to, members }: Addition,
  source: ts.SourceFile,
  style: Style,
): Insertion[] {
  const { text } = source;
  const close = to.getEnd() - 1;
  const end = beforeBlanks(text, close);
  const outer = indentAt(text, to.getStart(source));
  const inner = memberIndent(to, source) ?? outer + style.unit;
  const deeper = { ...style, unit: unitOf(outer, inner) ?? style.unit };
  const isOneLine = !/[\r\n]/.test(text.slice(end, close));
  const tail = isOneLine ? style.eol + outer : "";
  const printed = ts.isObjectLiteralExpression(to)
    ? printMembers(members, inner, deeper)
    : printClassMembers(members, inner, deeper);
  const added = { at: end, text: `${style.eol}${printed}${tail}` };
  return [...comma(to), added];
}

function printClassMembers(
  members: readonly Member[],
  indent: string,
  style: Style,
): string {
  return members
    .map((member) =>
      member.members === undefined
        ? printMethod(member, indent, style)
        : asProperty(member, indent, style),
    )
    .join(style.eol);
}

/** A resource in a class: a property, whose handlers have no types from outside. */
function asProperty(member: Member, indent: string, style: Style): string {
  const plain = printMembers([untyped(member)], indent, style);
  return `${plain.slice(0, -1).replace(/^(\s*(?:[^:\s"']+|"[^"]*"|'[^']*'))\s*: /, "$1 = ")}${style.end || ";"}`;
}

function untyped(member: Member): Member {
  const { handler, members } = member;
  return {
    ...member,
    ...(handler === undefined ? {} : { handler: { ...handler, given: [] } }),
    ...(members === undefined ? {} : { members: members.map(untyped) }),
  };
}

/** A comma behind the last property, where there is none. */
function comma(to: Addition["to"]): Insertion[] {
  if (!ts.isObjectLiteralExpression(to)) return [];
  const { properties } = to;
  const last = properties.at(-1);
  return last === undefined || properties.hasTrailingComma
    ? []
    : [{ at: last.getEnd(), text: "," }];
}

/** Where the blanks begin that end before an offset. */
function beforeBlanks(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && /\s/.test(text[at - 1]!)) at--;
  return at;
}

/** The blanks at the start of the line of an offset. */
function indentAt(text: string, offset: number): string {
  const start = Math.max(
    text.lastIndexOf("\n", offset - 1),
    text.lastIndexOf("\r", offset - 1),
  );
  return /^[ \t]*/.exec(text.slice(start + 1))![0];
}

/** The indentation of members that stand on lines of their own. */
function memberIndent(
  to: Addition["to"],
  source: ts.SourceFile,
): string | undefined {
  const { text } = source;
  const nodes: readonly ts.Node[] = ts.isObjectLiteralExpression(to)
    ? to.properties
    : to.members;
  const last = [...nodes]
    .reverse()
    .find((node) =>
      /(?:^|[\r\n])[ \t]*$/.test(text.slice(0, node.getStart(source))),
    );
  return last && indentAt(text, last.getStart(source));
}

function unitOf(outer: string, inner: string): string | undefined {
  return inner.startsWith(outer) && inner.length > outer.length
    ? inner.slice(outer.length)
    : undefined;
}

/** How the file is written, as far as it shows. */
function styleOf(source: ts.SourceFile, error: string): Style {
  const { text } = source;
  const imports = source.statements.filter(ts.isImportDeclaration);
  const quotes = imports.map(({ moduleSpecifier }) =>
    moduleSpecifier.getText(source).charAt(0),
  );
  const singles = quotes.filter((one) => one === "'").length;
  const [first] = source.statements;
  const indent = /[\r\n](\t| {2,8})[^\s*]/.exec(text)?.[1];
  return {
    eol: /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n",
    unit: indent ?? "  ",
    quote: singles * 2 > quotes.length ? "'" : '"',
    end: first === undefined || first.getText(source).endsWith(";") ? ";" : "",
    error,
  };
}

/** What ApiError is called in the file, or would be. */
function errorName(source: ts.SourceFile): {
  readonly name: string;
  readonly isImported: boolean;
} {
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const clause = statement.importClause;
    const bindings = clause?.namedBindings;
    if (bindings === undefined || clause?.isTypeOnly === true) continue;
    if (!ts.isNamedImports(bindings)) continue;
    const found = bindings.elements.find(
      (one) =>
        !one.isTypeOnly && (one.propertyName ?? one.name).text === "ApiError",
    );
    if (found !== undefined) return { name: found.name.text, isImported: true };
  }
  const isTaken = /\bApiError\b/.test(source.text);
  return { name: isTaken ? "ServerApiError" : "ApiError", isImported: false };
}

function importOf(
  source: ts.SourceFile,
  runtime: string,
  style: Style,
): Insertion {
  const { eol, error, end } = style;
  const name = error === "ApiError" ? error : `ApiError as ${error}`;
  const line = `import { ${name} } from ${literal(runtime, style)}${end}`;
  const last = source.statements.filter(ts.isImportDeclaration).at(-1);
  if (last === undefined) {
    const [first] = source.statements;
    return {
      at: first?.getStart(source) ?? source.text.length,
      text: line + eol,
    };
  }
  const comments =
    ts.getTrailingCommentRanges(source.text, last.getEnd()) ?? [];
  const at = comments.at(-1)?.end ?? last.getEnd();
  // What follows on the same line gets a line of its own.
  const isLast = /^[ \t]*(?:[\r\n]|$)/.test(source.text.slice(at));
  return { at, text: eol + line + (isLast ? "" : eol) };
}
