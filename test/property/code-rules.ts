import { UNLINTED } from "../../src/render/typescript/code.js";
import ts from "ts6";
import { errorsOf, parse } from "../cases/output.js";

/** Functions that generated code calls. */
const CALLED =
  /^(?:createClient|createServer|createBareClient|method|bindClient|methods|tokenPagination|upload|operation|events|jsonArray|smallestScopes|linkPagination|headerParameters|requestId|credential|withCredential|describedErrors|isDescribedError|checksOf)_?\d*$/;

const STATEMENTS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.ExportDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.VariableStatement,
  ts.SyntaxKind.FunctionDeclaration,
]);

const LITERALS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
]);

/** Returns the parts of a generated file that no template prints. */
export function violations(path: string, text: string): string[] {
  const source = parse(path, text);
  const found = [...errorsOf(source), ...commentFaults(text)];
  for (const statement of source.statements) checkStatement(statement, found);
  const visit = (node: ts.Node): void => {
    checkNode(node, found);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.map((fault) => `${path}: ${fault}`);
}

function checkStatement(statement: ts.Statement, found: string[]): void {
  const text = statement.getText().slice(0, 80);
  if (!STATEMENTS.has(statement.kind)) found.push(`statement: ${text}`);
  if (ts.isVariableStatement(statement)) {
    const { flags, declarations } = statement.declarationList;
    if ((flags & ts.NodeFlags.Const) === 0 || declarations.length !== 1)
      found.push(`declaration: ${text}`);
    checkExpression(declarations[0]!.initializer, found);
  }
  if (ts.isFunctionDeclaration(statement)) checkFunction(statement, found);
}

/** Checks functions: `createX(options = {})`, `scopesFor()`, `isXError(error)`; they only create values and return. */
function checkFunction(
  { name, body }: ts.FunctionDeclaration,
  found: string[],
): void {
  if (!/^(?:create|scopesFor$|conformance$|is.*Error)/.test(name?.text ?? ""))
    found.push(`function ${name?.text}`);
  for (const statement of body?.statements ?? []) {
    if (ts.isReturnStatement(statement))
      checkExpression(statement.expression, found);
    else if (ts.isVariableStatement(statement))
      checkExpression(
        statement.declarationList.declarations[0]!.initializer,
        found,
      );
    else found.push(`inside a function: ${statement.getText()}`);
  }
}

function checkExpression(
  node: ts.Expression | undefined,
  found: string[],
): void {
  if (node === undefined || LITERALS.has(node.kind) || ts.isIdentifier(node))
    return;
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression))
    return;
  if (ts.isArrayLiteralExpression(node))
    return node.elements.forEach((item) => checkExpression(item, found));
  // The tree of methods in client.ts is the result of an arrow function.
  if (ts.isArrowFunction(node) && node.parameters.length === 0)
    return ts.isParenthesizedExpression(node.body)
      ? checkExpression(node.body.expression, found)
      : void found.push(`function: ${node.getText().slice(0, 80)}`);
  if (ts.isObjectLiteralExpression(node))
    return node.properties.forEach((item) => checkProperty(item, found));
  if (ts.isCallExpression(node) && CALLED.test(node.expression.getText()))
    return node.arguments.forEach((item) => checkExpression(item, found));
  found.push(`expression: ${node.getText().slice(0, 80)}`);
}

function checkProperty(
  node: ts.ObjectLiteralElementLike,
  found: string[],
): void {
  if (ts.isPropertyAssignment(node)) checkExpression(node.initializer, found);
  else if (ts.isSpreadAssignment(node)) checkExpression(node.expression, found);
  else if (!ts.isShorthandPropertyAssignment(node))
    found.push(`member: ${node.getText().slice(0, 80)}`);
}

function checkNode(node: ts.Node, found: string[]): void {
  if (ts.isTemplateLiteral(node) || ts.isDecorator(node))
    found.push(ts.SyntaxKind[node.kind]);
  const isMember =
    ts.isPropertySignature(node) && ts.isInterfaceDeclaration(node.parent);
  if (
    (isMember || ts.isTypeReferenceNode(node)) &&
    /^pwned\b/.test(node.getText())
  )
    found.push(`injected: ${node.getText()}`);
  for (const tag of ts.getJSDocTags(node)) {
    if (tag.tagName.text !== "deprecated")
      found.push(`tag: ${tag.getText().slice(0, 80)}`);
  }
}

/** Returns comments that no template or `docComment` prints, and invisible characters. */
function commentFaults(file: string): string[] {
  const found: string[] = [];
  const text = withoutDirectives(file);
  const scanner = ts.createScanner(ts.ScriptTarget.ES2022, false);
  scanner.setText(text);
  for (
    let kind = scanner.scan();
    kind !== ts.SyntaxKind.EndOfFileToken;
    kind = scanner.scan()
  ) {
    const token = scanner.getTokenText();
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia) {
      if (scanner.getTokenStart() > 0) found.push(`comment: ${token}`);
    } else if (kind === ts.SyntaxKind.MultiLineCommentTrivia) {
      const isPrinted =
        token === "/* @__PURE__ */" ||
        (/^\/\*\*(?: .*|(?:\n *\*(?: .*)?)+\n *)\*\/$/.test(token) &&
          text[scanner.getTokenEnd()] === "\n");
      if (!isPrinted) found.push(`comment: ${token.slice(0, 200)}`);
    }
  }
  // eslint-disable-next-line no-control-regex
  const invisible =
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;
  if (invisible.test(text)) found.push("invisible character");
  return found;
}

/** Removes the comments that disable linters, after the banner in the first line. */
function withoutDirectives(file: string): string {
  const end = file.indexOf("\n") + 1;
  return file.startsWith(`${UNLINTED}\n`, end)
    ? file.slice(0, end) + file.slice(end + UNLINTED.length)
    : file;
}
