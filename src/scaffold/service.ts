import { ts } from "ts-morph";
import {
  unwrap,
  importedName,
  resolve,
  type ResolvedExpression,
} from "./source.js";

/**
 * Finds the services that a file implements: values typed as the generated
 * interface, values that satisfy it, arguments of the function that creates the
 * server, and classes that implement the interface.
 */
export function servicesIn(
  source: ts.SourceFile,
  title: string,
): ResolvedExpression[] {
  const types = localNames(source, `${title}Service`);
  const creators = localNames(source, `create${title}Server`);
  const implementations = new Map<ts.Node, ResolvedExpression>();
  const add = (expression: ts.Expression | undefined): void => {
    if (expression === undefined) return;
    const resolved = resolve(expression);
    const isHere = resolved.node.getSourceFile() === source;
    if (isHere && resolved.kind !== "value")
      implementations.set(resolved.node, resolved);
  };
  const isService = (type: ts.TypeNode | undefined): boolean =>
    type !== undefined &&
    ts.isTypeReferenceNode(type) &&
    types.has(type.typeName.getText());
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && isService(node.type))
      add(node.initializer);
    if (ts.isSatisfiesExpression(node) && isService(node.type))
      add(node.expression);
    if (ts.isCallExpression(node) && creators.has(node.expression.getText()))
      add(node.arguments[0]);
    if (ts.isFunctionLike(node) && isService(node.type))
      returnedExpressions(node).forEach(add);
    if (ts.isClassLike(node) && isImplementation(node, types))
      implementations.set(node, { kind: "class", node });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...implementations.values()];
}

/**
 * Returns the local names under which an export of the generated module is
 * imported.
 */
function localNames(source: ts.SourceFile, name: string): Set<string> {
  const names = new Set<string>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings !== undefined && ts.isNamespaceImport(bindings))
      names.add(`${bindings.name.text}.${name}`);
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    for (const { name: local } of bindings.elements)
      if (importedName(statement, local.text) === name) names.add(local.text);
  }
  return names;
}

function isImplementation(
  { heritageClauses }: ts.ClassLikeDeclaration,
  types: ReadonlySet<string>,
): boolean {
  return (heritageClauses ?? []).some(
    ({ token, types: clauses }) =>
      token === ts.SyntaxKind.ImplementsKeyword &&
      clauses.some(({ expression }) => types.has(expression.getText())),
  );
}

/** Returns the expressions that a function can return. */
function returnedExpressions(node: ts.SignatureDeclaration): ts.Expression[] {
  const body = (node as ts.FunctionLikeDeclaration).body;
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [unwrap(body as ts.Expression)];
  return body.statements.flatMap((statement) =>
    ts.isReturnStatement(statement) && statement.expression !== undefined
      ? [statement.expression]
      : [],
  );
}
