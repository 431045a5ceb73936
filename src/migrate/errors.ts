import { ts } from "ts-morph";
import { visitAll, type MigrationContext } from "./context.js";

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

/** Migrates the properties of errors that calls throw. */
export function migrateErrors(context: MigrationContext): void {
  visitAll(context.file, (node) => {
    if (
      ts.isTypeReferenceNode(node) &&
      /^(?:\w+\.)?GaxiosError$/.test(node.typeName.getText())
    ) {
      const api = firstApi(context);
      if (api === undefined) return;
      const type = context.importGenerated(api, "ApiError", { isType: true });
      context.editor.replace(node, type);
      visitAll(node.typeName, (one) => context.handled.add(one));
    }
    if (ts.isCatchClause(node) && hasCall(context, node.parent.tryBlock)) {
      const name = node.variableDeclaration?.name;
      if (name !== undefined && ts.isIdentifier(name))
        migrateUses(context, name.text, node.block);
    }
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      /^(?:catch|then)$/.test(node.expression.name.text) &&
      hasCall(context, node.expression.expression)
    ) {
      const isCatch = node.expression.name.text === "catch";
      const handler = node.arguments[isCatch ? 0 : 1];
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
    // `const e = error as GaxiosError;`
    if (
      ts.isVariableDeclaration(node) &&
      node.initializer !== undefined &&
      ts.isIdentifier(node.name) &&
      node.name.text !== name &&
      isNamed(node.initializer, name)
    )
      migrateUses(context, node.name.text, body);
    if (ts.isPropertyAccessExpression(node)) {
      const chain = chainOf(node, name);
      const found = PROPERTIES.find(
        ([pattern]) => chain !== undefined && pattern.test(chain),
      );
      if (found !== undefined) {
        const root = rootOf(node);
        const dot = text(root.parent).startsWith("?.") ? "?." : ".";
        context.editor.edit(root.end, node.end, `${dot}${found[1]}`);
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
