import { ts } from "ts-morph";
import type { Addition } from "./compare.js";
import {
  printMembers,
  printMethod,
  printString as literal,
  type CodeStyle,
  withoutParameters,
} from "./print.js";
import type { ServiceMember } from "./tree.js";

/** Text to insert at an offset. */
interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/**
 * Adds missing members to the text of a file. The rest of the text is not
 * changed.
 */
export function applyAdditions(
  source: ts.SourceFile,
  additions: readonly Addition[],
  runtime: string,
): string {
  const { text } = source;
  const localError = errorName(source);
  const style = styleOf(source, localError.name);
  const insertions = additions.flatMap((addition) =>
    insertionsOf(addition, source, style),
  );
  if (!localError.isImported) insertions.push(importOf(source, runtime, style));
  return insertions
    .map((insertion, order) => ({ ...insertion, order }))
    .sort((a, b) => b.offset - a.offset || b.order - a.order)
    .reduce(
      (rest, insertion) =>
        rest.slice(0, insertion.offset) +
        insertion.text +
        rest.slice(insertion.offset),
      text,
    );
}

function insertionsOf(
  { target, members }: Addition,
  source: ts.SourceFile,
  style: CodeStyle,
): Insertion[] {
  const { text } = source;
  const close = target.getEnd() - 1;
  const end = startOfTrailingBlanks(text, close);
  const outer = indentAt(text, target.getStart(source));
  const inner = memberIndent(target, source) ?? outer + style.indentUnit;
  const deeper = {
    ...style,
    indentUnit: unitOf(outer, inner) ?? style.indentUnit,
  };
  const isOneLine = !/[\r\n]/.test(text.slice(end, close));
  const tail = isOneLine ? style.eol + outer : "";
  const printed = ts.isObjectLiteralExpression(target)
    ? printMembers(members, inner, deeper)
    : printClassMembers(members, inner, deeper);
  const added = { offset: end, text: `${style.eol}${printed}${tail}` };
  return [...trailingComma(target), added];
}

function printClassMembers(
  members: readonly ServiceMember[],
  indent: string,
  style: CodeStyle,
): string {
  return members
    .map((member) =>
      member.members === undefined
        ? printMethod(member, indent, style)
        : printResourceProperty(member, indent, style),
    )
    .join(style.eol);
}

/**
 * Prints a resource as a property of a class. Its handlers have no parameters,
 * because TypeScript can't infer parameter types there (a class property has no
 * contextual type).
 */
function printResourceProperty(
  member: ServiceMember,
  indent: string,
  style: CodeStyle,
): string {
  const plain = printMembers([withoutParameters(member)], indent, style);
  return `${plain.slice(0, -1).replace(/^(\s*(?:[^:\s"']+|"[^"]*"|'[^']*'))\s*: /, "$1 = ")}${style.terminator || ";"}`;
}

/**
 * Returns a list that contains the insertion of a comma after the last
 * property; an empty list if no comma must be inserted.
 */
function trailingComma(to: Addition["target"]): Insertion[] {
  if (!ts.isObjectLiteralExpression(to)) return [];
  const { properties } = to;
  const last = properties.at(-1);
  return last === undefined || properties.hasTrailingComma
    ? []
    : [{ offset: last.getEnd(), text: "," }];
}

/** Returns the start of the white space that precedes an offset. */
function startOfTrailingBlanks(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && /\s/.test(text[at - 1]!)) at--;
  return at;
}

/** Returns the indentation of the line that contains an offset. */
function indentAt(text: string, offset: number): string {
  const start = Math.max(
    text.lastIndexOf("\n", offset - 1),
    text.lastIndexOf("\r", offset - 1),
  );
  return /^[ \t]*/.exec(text.slice(start + 1))![0];
}

/** Returns the indentation of the last member that starts a line. */
function memberIndent(
  to: Addition["target"],
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

/** Detects the code style of a file from its text. */
function styleOf(source: ts.SourceFile, errorName: string): CodeStyle {
  const { text } = source;
  const imports = source.statements.filter(ts.isImportDeclaration);
  const quotes = imports.map(({ moduleSpecifier }) =>
    moduleSpecifier.getText(source).charAt(0),
  );
  const singles = quotes.filter((quote) => quote === "'").length;
  const [first] = source.statements;
  const indent = /[\r\n](\t| {2,8})[^\s*]/.exec(text)?.[1];
  return {
    eol: /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n",
    indentUnit: indent ?? "  ",
    quote: singles * 2 > quotes.length ? "'" : '"',
    terminator:
      first === undefined || first.getText(source).endsWith(";") ? ";" : "",
    errorName,
  };
}

/**
 * Returns the local name of an imported ApiError; if it is not imported, the
 * local name to use for the import.
 */
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
    const imported = bindings.elements.find(
      (binding) =>
        !binding.isTypeOnly &&
        (binding.propertyName ?? binding.name).text === "ApiError",
    );
    if (imported !== undefined)
      return { name: imported.name.text, isImported: true };
  }
  const isTaken = /\bApiError\b/.test(source.text);
  return { name: isTaken ? "ServerApiError" : "ApiError", isImported: false };
}

function importOf(
  source: ts.SourceFile,
  runtime: string,
  style: CodeStyle,
): Insertion {
  const { eol, errorName, terminator } = style;
  const name =
    errorName === "ApiError" ? errorName : `ApiError as ${errorName}`;
  const line = `import { ${name} } from ${literal(runtime, style)}${terminator}`;
  const last = source.statements.filter(ts.isImportDeclaration).at(-1);
  if (last === undefined) {
    const [first] = source.statements;
    return {
      offset: first?.getStart(source) ?? source.text.length,
      text: line + eol,
    };
  }
  const comments =
    ts.getTrailingCommentRanges(source.text, last.getEnd()) ?? [];
  const offset = comments.at(-1)?.end ?? last.getEnd();
  // Code that follows the import on the same line is moved to a new line.
  const isLast = /^[ \t]*(?:[\r\n]|$)/.test(source.text.slice(offset));
  return { offset, text: eol + line + (isLast ? "" : eol) };
}
