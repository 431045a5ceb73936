import { ts } from "ts-morph";
import type { MigrationContext } from "./context.js";
import { memberNamed, memberValue, visitAll } from "./syntax.js";

/** Functions of test frameworks that receive the value of a replaced method. */
const RESOLVED =
  /^(?:mockResolvedValue(?:Once)?|mockReturnValue(?:Once)?|resolves)$/;

/**
 * Values of replaced methods: `{ data: value }` → `value`. Replaced methods are those of
 * objects that are asserted to be a client, and those that `spyOn`, `mock.method` and
 * `stub` of test frameworks receive.
 */
export function migrateMocks(context: MigrationContext): void {
  visitAll(context.file, (node) => {
    if (isAssertedClient(context, node)) {
      migrateResults(context, node.expression);
      return;
    }
    if (!ts.isCallExpression(node)) return;
    if (replacesMethod(context, node))
      for (const argument of node.arguments.slice(2))
        migrateResults(context, argument);
    const { expression } = node;
    if (
      ts.isPropertyAccessExpression(expression) &&
      RESOLVED.test(expression.name.text) &&
      isReplaced(context, expression.expression)
    )
      for (const argument of node.arguments) migrateValue(context, argument);
  });
}

/** `{ … } as unknown as drive_v3.Drive` */
function isAssertedClient(
  context: MigrationContext,
  node: ts.Node,
): node is ts.AsExpression {
  if (!ts.isAsExpression(node)) return false;
  const kind = context.valueOf(node)?.kind;
  return (
    (kind === "client" || kind === "method") &&
    (ts.isAsExpression(node.expression) ||
      ts.isObjectLiteralExpression(node.expression))
  );
}

/** `mock.method(drive.files, "get", …)`, `vi.spyOn(drive.files, "get")` */
function replacesMethod(
  context: MigrationContext,
  { expression, arguments: list }: ts.CallExpression,
): boolean {
  const [owner, name] = list;
  return (
    ts.isPropertyAccessExpression(expression) &&
    /^(?:method|spyOn|stub|replace)$/.test(expression.name.text) &&
    owner !== undefined &&
    name !== undefined &&
    ts.isStringLiteralLike(name) &&
    context.valueOf(owner)?.kind === "method"
  );
}

/** Tests whether a chain of calls begins with a replaced method. */
function isReplaced(context: MigrationContext, node: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(node))
    return isReplaced(context, node.expression);
  if (ts.isIdentifier(node)) {
    const declaration = context.declarationOf(node);
    return (
      declaration !== undefined &&
      ts.isVariableDeclaration(declaration) &&
      declaration.initializer !== undefined &&
      !ts.isIdentifier(declaration.initializer) &&
      isReplaced(context, declaration.initializer)
    );
  }
  return (
    ts.isCallExpression(node) &&
    (replacesMethod(context, node) ||
      (ts.isPropertyAccessExpression(node.expression) &&
        isReplaced(context, node.expression.expression)))
  );
}

/** Migrates the values that functions below a node return. */
function migrateResults(context: MigrationContext, node: ts.Node): void {
  visitAll(node, (one) => {
    if (ts.isArrowFunction(one) && !ts.isBlock(one.body))
      migrateValue(context, one.body);
    else if (ts.isReturnStatement(one) && one.expression !== undefined)
      migrateValue(context, one.expression);
    else if (
      ts.isCallExpression(one) &&
      ts.isPropertyAccessExpression(one.expression) &&
      RESOLVED.test(one.expression.name.text)
    )
      for (const argument of one.arguments) migrateValue(context, argument);
  });
}

/** `{ data: value }` → `value` */
function migrateValue(context: MigrationContext, node: ts.Expression): void {
  if (ts.isParenthesizedExpression(node)) {
    migrateValue(context, node.expression);
    return;
  }
  if (ts.isAsExpression(node)) {
    if (node.type.getText() === "any" || node.type.getText() === "never")
      migrateValue(context, node.expression);
    return;
  }
  if (
    ts.isCallExpression(node) &&
    node.expression.getText() === "Promise.resolve"
  ) {
    for (const argument of node.arguments) migrateValue(context, argument);
    return;
  }
  if (!ts.isObjectLiteralExpression(node)) return;
  const data = memberNamed(node, "data");
  const value = data && memberValue(data);
  if (value === undefined) return;
  if (node.properties.length > 1)
    context.editor.todo(
      node,
      "replaced methods return the value; only .withResponse() has a status",
    );
  context.editor.replace(node, (print) => print(value.getStart(), value.end));
}
