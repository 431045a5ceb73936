import { ts } from "ts-morph";
import { visitAll, type MigrationContext } from "./context.js";

/** Properties of errors of googleapis and of generated clients, longest first. */
const PROPERTIES: readonly (readonly [RegExp, string])[] = [
  [/^\.response\.data\.error\.message$/, "serverMessage"],
  [/^\.response\.data\.error\.status$/, "serverCode"],
  [/^\.response\.data\.error\.code$/, "status"],
  [/^\.response\.data\.error\.errors$/, "errors"],
  [/^\.response\.data\.error\.details$/, "details"],
  [/^\.response\.status$/, "status"],
  [/^\.response\.headers$/, "headers"],
  [/^\.response\.data$/, "body"],
];

/** Migrates the properties of errors that calls throw. */
export function migrateErrors(context: MigrationContext): void {
  visitAll(context.file, (node) => {
    if (ts.isCatchClause(node) && hasCall(context, node.parent.tryBlock)) {
      const name = node.variableDeclaration?.name;
      if (name !== undefined && ts.isIdentifier(name))
        migrateUses(context, name.text, node.block);
    }
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === "catch" &&
      hasCall(context, node.expression.expression)
    ) {
      const handler = node.arguments[0];
      if (
        handler !== undefined &&
        (ts.isArrowFunction(handler) || ts.isFunctionExpression(handler))
      ) {
        const name = handler.parameters[0]?.name;
        if (name !== undefined && ts.isIdentifier(name))
          migrateUses(context, name.text, handler.body);
      }
    }
  });
}

function hasCall(context: MigrationContext, node: ts.Node): boolean {
  let isFound = false;
  visitAll(node, (one) => {
    if (
      ts.isCallExpression(one) &&
      (context.valueOf(one.expression)?.kind === "method" ||
        context.valueOfType(
          context.checker.getAwaitedType(
            context.checker.getTypeAtLocation(one),
          ) ?? context.checker.getTypeAtLocation(one),
        )?.kind === "response")
    )
      isFound = true;
  });
  return isFound;
}

function migrateUses(
  context: MigrationContext,
  name: string,
  body: ts.Node,
): void {
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const chain = chainOf(node, name);
      const found = PROPERTIES.find(
        ([pattern]) => chain !== undefined && pattern.test(chain),
      );
      if (found !== undefined) {
        const root = rootOf(node);
        context.editor.edit(root.end, node.end, `.${found[1]}`);
        return;
      }
      if (chain === ".response" && !isCondition(node))
        context.editor.todo(
          node,
          "errors have the properties status, headers and body",
        );
      else if (chain === ".response") {
        context.editor.replace(node.name, "status");
        return;
      }
    }
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword &&
      /(?:^|\.)GaxiosError$/.test(node.right.getText())
    ) {
      const api = firstApi(context);
      if (api !== undefined) {
        const guard = context.importGenerated(api, "isApiError");
        context.editor.replace(node, `${guard}(${node.left.getText()})`);
        visitAll(node.right, (one) => context.handled.add(one));
        return;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(body);
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
