import { ts } from "ts-morph";
import type { MigrationContext } from "./context.js";
import { visitAll, withoutWrappers } from "./syntax.js";
import { DECLARATIONS } from "./open-program.js";
import type { GeneratedApi } from "./types.js";

/** Properties of errors of googleapis and of generated clients, longest first. */
const PROPERTIES: readonly (readonly [RegExp, string])[] = [
  [/^\.response\.data\.error\.message$/, "serverMessage"],
  [/^\.response\.data\.error\.status$/, "serverCode"],
  [/^\.response\.data\.error\.code$/, "status"],
  [/^\.response\.data\.error\.errors$/, "errors"],
  [/^\.response\.data\.error\.details$/, "details"],
  [/^\.result\.error\.message$/, "serverMessage"],
  [/^\.result\.error\.status$/, "serverCode"],
  [/^\.result\.error\.code$/, "status"],
  [/^\.result\.error\.errors$/, "errors"],
  [/^\.response\.status$/, "status"],
  [/^\.response\.headers$/, "headers"],
  [/^\.response\.data$/, "body"],
  [/^\.config\.url$/, "url"],
];

/** Names of variables that contain errors. */
const ERROR_NAME = /^(?:e|ex|err|error|exception|reason)$/i;

/** Migrates the properties of errors that calls throw. */
export function migrateErrors(context: MigrationContext): void {
  const api = firstApi(context);
  const done = new Set<ts.Node>();
  visitAll(context.file, (node) => {
    if (api !== undefined && migrateErrorType(context, node, api)) return;
    for (const { name, body } of handlersOf(context, node))
      migrateUses(context, name, body, done);
  });
  visitAll(context.file, (node) => {
    if (!ts.isPropertyAccessExpression(node) || done.has(node)) return;
    const root = withoutWrappers(rootOf(node));
    if (isGaxiosError(context, rootOf(node))) {
      if (ts.isIdentifier(root))
        migrateProperty(context, node, root.text, done);
    } else if (api !== undefined) markUnknown(context, node, root);
  });
}

/** `GaxiosError` → `ApiError`, and `instanceof GaxiosError` → `isApiError(…)`. */
function migrateErrorType(
  context: MigrationContext,
  node: ts.Node,
  api: GeneratedApi,
): boolean {
  const { editor } = context;
  if (
    ts.isTypeReferenceNode(node) &&
    /^(?:\w+\.)?GaxiosError$/.test(node.typeName.getText())
  ) {
    const type = context.importGenerated(api, "ApiError", { isType: true });
    editor.replace(node, type);
    visitAll(node.typeName, (one) => context.handled.add(one));
    return true;
  }
  if (
    !ts.isBinaryExpression(node) ||
    node.operatorToken.kind !== ts.SyntaxKind.InstanceOfKeyword ||
    !/(?:^|\.)GaxiosError$/.test(node.right.getText())
  )
    return false;
  const guard = context.importGenerated(api, "isApiError");
  editor.replace(node, `${guard}(${node.left.getText()})`);
  visitAll(node.right, (one) => context.handled.add(one));
  return true;
}

interface Handler {
  /** Name of the error. */
  readonly name: string;
  readonly body: ts.Node;
}

/** Returns the code that handles errors of calls: `catch`, and functions. */
function handlersOf(
  context: MigrationContext,
  node: ts.Node,
): readonly Handler[] {
  if (ts.isCatchClause(node)) {
    const name = node.variableDeclaration?.name;
    return name !== undefined &&
      ts.isIdentifier(name) &&
      hasCall(context, node.parent.tryBlock)
      ? [{ name: name.text, body: node.block }]
      : [];
  }
  if (!ts.isCallExpression(node)) return [];
  const { expression, arguments: list } = node;
  // Callbacks of calls have the error as first parameter.
  if (context.valueOf(expression)?.kind === "method")
    return handlerOf(list.at(-1));
  if (
    !ts.isPropertyAccessExpression(expression) ||
    !/^(?:catch|then)$/.test(expression.name.text) ||
    !hasCall(context, expression.expression)
  )
    return [];
  return handlerOf(list[expression.name.text === "catch" ? 0 : 1]);
}

function handlerOf(node: ts.Expression | undefined): readonly Handler[] {
  if (
    node === undefined ||
    !(ts.isArrowFunction(node) || ts.isFunctionExpression(node))
  )
    return [];
  const name = node.parameters[0]?.name;
  return name !== undefined && ts.isIdentifier(name)
    ? [{ name: name.text, body: node.body }]
    : [];
}

/** Tests whether an expression has the type of the errors of googleapis. */
function isGaxiosError(context: MigrationContext, node: ts.Node): boolean {
  const { symbol } = context.checker.getTypeAtLocation(node);
  return (
    symbol?.name === "GaxiosError" &&
    symbol.declarations?.[0]?.getSourceFile().fileName === DECLARATIONS
  );
}

/** Marks properties that only errors of googleapis have, if their origin is unknown. */
function markUnknown(
  context: MigrationContext,
  node: ts.PropertyAccessExpression,
  root: ts.Expression,
): void {
  if (
    ts.isIdentifier(root) &&
    ERROR_NAME.test(root.text) &&
    /^\.response\.(?:status|headers|data)$/.test(chainOf(node, root.text) ?? "")
  )
    context.editor.todo(
      node,
      "errors of generated clients have the properties status, headers and body",
    );
}

/** Tests whether code calls an API, also in functions of the program. */
function hasCall(
  context: MigrationContext,
  node: ts.Node,
  seen: Set<ts.Node> = new Set(),
): boolean {
  if (seen.has(node)) return false;
  seen.add(node);
  let isFound = false;
  visitAll(node, (one) => {
    if (isFound || !ts.isCallExpression(one)) return;
    isFound =
      context.valueOf(one.expression)?.kind === "method" ||
      context.values.valueOfAwaited(one)?.kind === "response" ||
      context.values
        .possibleFunctionsOf(one)
        .some(({ body }) => body !== undefined && hasCall(context, body, seen));
  });
  return isFound;
}

function migrateUses(
  context: MigrationContext,
  name: string,
  body: ts.Node,
  done: Set<ts.Node>,
): void {
  const visit = (node: ts.Node): void => {
    // `const e = error as GaxiosError;`
    if (
      ts.isVariableDeclaration(node) &&
      node.initializer !== undefined &&
      ts.isIdentifier(node.name) &&
      node.name.text !== name &&
      isNamed(node.initializer, name)
    )
      migrateUses(context, node.name.text, body, done);
    if (
      ts.isPropertyAccessExpression(node) &&
      migrateProperty(context, node, name, done)
    )
      return;
    ts.forEachChild(node, visit);
  };
  visit(body);
}

/** Returns true if a property of an error is replaced. */
function migrateProperty(
  context: MigrationContext,
  node: ts.PropertyAccessExpression,
  name: string,
  done: Set<ts.Node>,
): boolean {
  if (done.has(node)) return true;
  const chain = chainOf(node, name);
  if (chain === undefined) return false;
  done.add(node);
  const found = PROPERTIES.find(([pattern]) => pattern.test(chain));
  if (found !== undefined) {
    const root = rootOf(node);
    const dot = text(root.parent).startsWith("?.") ? "?." : ".";
    context.editor.edit(root.end, node.end, `${dot}${found[1]}`);
    visitAll(node, (one) => done.add(one));
    return true;
  }
  if (chain !== ".response") return false;
  if (isCondition(node)) context.editor.replace(node.name, "status");
  else
    context.editor.todo(
      node,
      "errors have the properties status, headers and body",
    );
  return isCondition(node);
}

/** Returns the text of a property access after its expression. */
function text(node: ts.Node): string {
  return ts.isPropertyAccessExpression(node)
    ? node.getText().slice(node.expression.end - node.getStart())
    : "";
}

/** Returns the properties after an error: `.response.status`. */
function chainOf(node: ts.Expression, name: string): string | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    const before = chainOf(node.expression, name);
    return before === undefined ? undefined : `${before}.${node.name.text}`;
  }
  if (ts.isNonNullExpression(node)) return chainOf(node.expression, name);
  const root = rootOf(node);
  return root === node && isNamed(root, name) ? "" : undefined;
}

/** Returns the error at the beginning of properties, with its assertions. */
function rootOf(node: ts.Expression): ts.Expression {
  return ts.isPropertyAccessExpression(node) || ts.isNonNullExpression(node)
    ? rootOf(node.expression)
    : node;
}

function isNamed(node: ts.Expression, name: string): boolean {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node))
    return isNamed(node.expression, name);
  return ts.isIdentifier(node) && node.text === name;
}

/** Tests whether only the presence of a value matters. */
function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  return (
    (ts.isIfStatement(parent) && parent.expression === node) ||
    (ts.isBinaryExpression(parent) &&
      parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) ||
    ts.isPrefixUnaryExpression(parent)
  );
}

function firstApi(context: MigrationContext) {
  let found: ReturnType<MigrationContext["settings"]["findApi"]> | undefined;
  visitAll(context.file, (node) => {
    if (found !== undefined || !ts.isCallExpression(node)) return;
    const value = context.valueOf(node) ?? context.valueOf(node.expression);
    if (value !== undefined && value.version !== "")
      found = context.settings.findApi(value.name, value.version);
  });
  return found;
}
