import { ts } from "ts-morph";
import { bare, importedName, resolve, type Found } from "./source.js";

/**
 * The services that a file implements: what is typed as the generated
 * interface, satisfies it, is given to the function that makes the server, or a
 * class that implements it.
 */
export function servicesIn(source: ts.SourceFile, title: string): Found[] {
  const types = localNames(source, `${title}Service`);
  const makers = localNames(source, `create${title}Server`);
  const found = new Map<ts.Node, Found>();
  const add = (expression: ts.Expression | undefined): void => {
    if (expression === undefined) return;
    const one = resolve(expression);
    const isHere = one.node.getSourceFile() === source;
    if (isHere && one.kind !== "value") found.set(one.node, one);
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
    if (ts.isCallExpression(node) && makers.has(node.expression.getText()))
      add(node.arguments[0]);
    if (ts.isFunctionLike(node) && isService(node.type))
      returned(node).forEach(add);
    if (ts.isClassLike(node) && isImplementation(node, types))
      found.set(node, { kind: "class", node });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found.values()];
}

/** What a name of the generated module is called here. */
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

/** What a function that makes a service returns. */
function returned(node: ts.SignatureDeclaration): ts.Expression[] {
  const body = (node as ts.FunctionLikeDeclaration).body;
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [bare(body as ts.Expression)];
  return body.statements.flatMap((statement) =>
    ts.isReturnStatement(statement) && statement.expression !== undefined
      ? [statement.expression]
      : [],
  );
}
