import ts from "ts6";
import { parse } from "./output.js";

/** A declaration of a generated file, independent of its layout. */
export interface Declaration {
  /** Tokens of the declaration, separated by blanks; without comments and optional commas. */
  readonly code: string;
  /** Text of the comments before and within the declaration, on one line. */
  readonly comment: string;
}

/**
 * Returns the declarations of a file by symbol: `Name` for those of the module,
 * `Name.member` for members of interfaces and of the object that a constant
 * holds or that the function creating it receives.
 */
export function readDeclarations(
  path: string,
  text: string,
): ReadonlyMap<string, Declaration> {
  const declarations = new Map<string, Declaration>();
  const add = (symbol: string, node: ts.Node): void => {
    declarations.set(symbol, declarationOf(node));
    for (const member of membersOf(node)) {
      const name = member.name ?? member.getFirstToken();
      add(`${symbol}.${nameText(name)}`, member);
    }
  };
  for (const statement of parse(path, text).statements)
    for (const name of namesOf(statement)) add(name, statement);
  return declarations;
}

/** Returns the text in the form of `Declaration.code`. */
export function codeOf(text: string): string {
  const scanner = ts.createScanner(ts.ScriptTarget.ES2022, true);
  scanner.setText(text);
  const tokens: string[] = [];
  for (
    let kind = scanner.scan();
    kind !== ts.SyntaxKind.EndOfFileToken;
    kind = scanner.scan()
  ) {
    const token = scanner.getTokenText();
    if (/^[)\]}]$/.test(token) && tokens.at(-1) === ",") tokens.pop();
    const isLeadingBar = token === "|" && /^[=(<]$/.test(tokens.at(-1) ?? "");
    if (!isLeadingBar) tokens.push(token);
  }
  return tokens.join(" ");
}

function declarationOf(node: ts.Node): Declaration {
  const comments = node.getFullText().match(/\/\*\*.*?\*\//gs) ?? [];
  const comment = comments
    .map((text) => text.slice(3, -2).replace(/^\s*\* ?/gm, ""))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
  return { code: codeOf(node.getText()), comment };
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) =>
      name.getText(),
    );
  const isNamed =
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isFunctionDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

type Member = ts.TypeElement | ts.ObjectLiteralElementLike;

function membersOf(node: ts.Node): readonly Member[] {
  if (ts.isInterfaceDeclaration(node)) return node.members;
  const value = ts.isVariableStatement(node)
    ? node.declarationList.declarations[0]?.initializer
    : ts.isPropertyAssignment(node)
      ? node.initializer
      : undefined;
  const object =
    value !== undefined && ts.isCallExpression(value)
      ? value.arguments[0]
      : value;
  return object !== undefined && ts.isObjectLiteralExpression(object)
    ? object.properties
    : [];
}

function nameText(name: ts.Node | undefined): string {
  if (name === undefined) return "";
  return ts.isStringLiteral(name) ? name.text : name.getText();
}
