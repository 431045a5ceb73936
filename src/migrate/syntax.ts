import { ts } from "ts-morph";

/** Calls a function for a node and all nodes below it. */
export function visitAll(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => visitAll(child, visit));
}

/** Calls a function for all nodes in the JSDoc comments of a file. */
export function visitComments(
  file: ts.SourceFile,
  visit: (node: ts.Node) => void,
): void {
  visitAll(file, (node) => {
    const { jsDoc = [] } = node as { jsDoc?: readonly ts.JSDoc[] };
    for (const comment of jsDoc) visitAll(comment, visit);
  });
}

/** Returns an expression without parentheses, `await` and assertions. */
export function withoutWrappers(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isSatisfiesExpression(node)
    ? withoutWrappers(node.expression)
    : node;
}

/** Returns the name of a member of an object literal. */
export function memberName(
  member: ts.ObjectLiteralElementLike,
): string | undefined {
  const { name } = member;
  return name !== undefined &&
    (ts.isIdentifier(name) || ts.isStringLiteral(name))
    ? name.text
    : undefined;
}

/** Returns the member of an object literal with a name. */
export function memberNamed(
  literal: ts.ObjectLiteralExpression | undefined,
  name: string,
): ts.ObjectLiteralElementLike | undefined {
  return literal?.properties.find((one) => memberName(one) === name);
}

/** Returns the value of a member; undefined for methods and spreads. */
export function memberValue(
  member: ts.ObjectLiteralElementLike,
): ts.Expression | undefined {
  if (ts.isPropertyAssignment(member)) return member.initializer;
  return ts.isShorthandPropertyAssignment(member) ? member.name : undefined;
}
