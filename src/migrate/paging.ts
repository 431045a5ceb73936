import { ts } from "ts-morph";
import type { MigrationContext } from "./context.js";
import {
  memberNamed,
  memberValue,
  visitAll,
  withoutWrappers,
} from "./syntax.js";
import { methodPath } from "./calls.js";

/** Parts of a loop over pages. */
interface Loop {
  readonly loop: ts.DoStatement;
  readonly body: ts.Block;
  /** Statement that requests a page. */
  readonly request: ts.VariableStatement;
  readonly page: ts.BindingName;
  readonly call: ts.CallExpression;
  readonly parameters: ts.ObjectLiteralExpression;
  readonly token: ts.ObjectLiteralElementLike;
  readonly variable: ts.VariableStatement;
  /** Statement that stores the token of the next page. */
  readonly next: ts.Statement;
}

/** `do { … } while (pageToken)` → `for await (const page of ….pages())`. */
export function migratePaging(context: MigrationContext): void {
  visitAll(context.file, (node) => {
    if (ts.isVariableDeclaration(node)) migrateToken(context, node);
    if (!ts.isDoStatement(node)) return;
    const found = loopOf(context, node);
    if (found !== undefined) migrateLoop(context, found);
  });
}

/**
 * `let token: string | null | undefined` → `let token: string | undefined`, if it is
 * the token of the next page: parameters of generated clients can't be null.
 */
function migrateToken(
  context: MigrationContext,
  { name, type }: ts.VariableDeclaration,
): void {
  if (!ts.isIdentifier(name) || type === undefined || !ts.isUnionTypeNode(type))
    return;
  const kept = type.types.filter((one) => one.getText() !== "null");
  const uses = context.referencesOf(name).map(({ parent }) => parent);
  const isToken = uses.some(
    (one) =>
      ts.isBinaryExpression(one) &&
      one.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      one.left.getText() === name.text &&
      one.right.getText().endsWith("nextPageToken"),
  );
  const isCompared = uses.some(
    (one) => one !== name.parent && /\bnull\b/.test(one.getText()),
  );
  if (kept.length === type.types.length || !isToken || isCompared) return;
  const initial = (name.parent as ts.VariableDeclaration).initializer;
  if (initial?.kind === ts.SyntaxKind.NullKeyword)
    context.editor.replace(initial, "undefined");
  const texts = kept.map((one) => one.getText());
  context.editor.replace(
    type,
    [...texts, ...(texts.includes("undefined") ? [] : ["undefined"])].join(
      " | ",
    ),
  );
}

function migrateLoop(
  { editor }: MigrationContext,
  { loop, body, request, page, call, parameters, token, variable, next }: Loop,
): void {
  editor.edit(variable.getStart(), lineEnd(variable), "");
  editor.removeFrom(parameters.properties, [token]);
  editor.edit(lineStart(next), next.end, "");
  editor.edit(
    loop.getStart(),
    request.end,
    (print) =>
      `for await (const ${print(page.getStart(), page.end)} of ${print(call.getStart(), call.end)}.pages()) {`,
  );
  editor.edit(body.end, loop.end, "");
}

/** Returns the parts of a loop if its variables have no other use. */
function loopOf(
  context: MigrationContext,
  loop: ts.DoStatement,
): Loop | undefined {
  const body = loop.statement;
  const condition = conditionName(loop.expression);
  if (!ts.isBlock(body) || condition === undefined) return undefined;
  const [request] = body.statements;
  if (request === undefined || !ts.isVariableStatement(request))
    return undefined;
  const [declaration, ...others] = request.declarationList.declarations;
  const initializer = declaration?.initializer;
  if (
    initializer === undefined ||
    others.length > 0 ||
    !ts.isAwaitExpression(initializer)
  )
    return undefined;
  const call = withoutWrappers(initializer);
  if (!ts.isCallExpression(call) || context.full.has(call)) return undefined;
  const value = context.valueOf(call.expression);
  if (value?.kind !== "method") return undefined;
  const api = context.settings.findApi(value.name, value.version);
  if (
    api.hasParameter(methodPath(context, call.expression), "pageToken") ===
    false
  )
    return undefined;
  const parameters = call.arguments[0];
  if (parameters === undefined || !ts.isObjectLiteralExpression(parameters))
    return undefined;
  const token = memberNamed(parameters, "pageToken");
  const used = token && memberValue(token);
  if (used === undefined || token === undefined) return undefined;
  const names = context.referencesOf(condition);
  const variable = variableOf(context, condition, loop);
  const next = body.statements.find((one) => storesToken(one, condition.text));
  if (variable === undefined || next === undefined) return undefined;
  const ranges: readonly ts.Node[] = [variable, token, next, loop.expression];
  const isOnlyToken = names.every((one) =>
    ranges.some((range) => one.pos >= range.pos && one.end <= range.end),
  );
  return isOnlyToken
    ? {
        loop,
        body,
        request,
        page: declaration!.name,
        call,
        parameters,
        token,
        variable,
        next,
      }
    : undefined;
}

/** Returns `token` of `token`, `!!token`, and comparisons with no value. */
function conditionName(node: ts.Expression): ts.Identifier | undefined {
  if (ts.isIdentifier(node)) return node;
  if (
    ts.isPrefixUnaryExpression(node) &&
    ts.isPrefixUnaryExpression(node.operand)
  )
    return conditionName(node.operand.operand);
  if (
    ts.isBinaryExpression(node) &&
    /^(?:undefined|null|"")$/.test(node.right.getText())
  )
    return conditionName(node.left);
  return undefined;
}

/** Returns the statement before a loop that declares its token without a value. */
function variableOf(
  context: MigrationContext,
  name: ts.Identifier,
  loop: ts.DoStatement,
): ts.VariableStatement | undefined {
  const declaration = context.declarationOf(name);
  if (declaration === undefined || !ts.isVariableDeclaration(declaration))
    return undefined;
  if (!ts.isVariableDeclarationList(declaration.parent)) return undefined;
  const statement = declaration.parent.parent;
  const value = declaration.initializer?.getText() ?? "undefined";
  return ts.isVariableStatement(statement) &&
    declaration.parent.declarations.length === 1 &&
    statement.parent === loop.parent &&
    /^(?:undefined|null|""|'')(?: as .*)?$/.test(value)
    ? statement
    : undefined;
}

function storesToken(node: ts.Statement, name: string): boolean {
  return (
    ts.isExpressionStatement(node) &&
    ts.isBinaryExpression(node.expression) &&
    node.expression.left.getText() === name &&
    /nextPageToken\b/.test(node.expression.right.getText())
  );
}

function lineStart(node: ts.Node): number {
  const text = node.getSourceFile().text;
  const start = node.getStart();
  const line = text.lastIndexOf("\n", start - 1);
  return text.slice(line + 1, start).trim() === "" ? line : start;
}

/** Returns the end of a statement, with the line break if nothing follows. */
function lineEnd(node: ts.Node): number {
  const { text } = node.getSourceFile();
  const rest = /^[ \t]*\r?\n[ \t]*/.exec(text.slice(node.end));
  return node.end + (rest?.[0].length ?? 0);
}
