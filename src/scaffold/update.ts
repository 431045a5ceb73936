import path from "node:path";
import { ts } from "ts-morph";
import type { Code } from "../diagnostics/catalogue.js";
import type { Sink } from "../diagnostics/sink.js";
import { compare, type ScaffoldIssue } from "./compare.js";
import { applyAdditions } from "./edit.js";
import type { ModuleSpecifiers } from "./module.js";
import {
  importedName,
  parse,
  resolve,
  type ResolvedExpression,
  syntaxError,
  unwrap,
} from "./source.js";
import { handlerPaths, type ServiceMember } from "./tree.js";

/**
 * File that contains a service implementation, and the members that the
 * implementation must have.
 */
interface Update {
  readonly file: string;
  readonly before: Buffer;
  /**
   * Name of the API for use in identifiers, such as `Drive` in `DriveService`.
   */
  readonly title: string;
  readonly members: readonly ServiceMember[];
  readonly modules: ModuleSpecifiers;
}

const BOM = "\uFEFF";

/**
 * Adds missing handlers to a file. If that is not possible, reports a
 * diagnostic and returns undefined.
 */
export function update(
  { file, before, title, members, modules }: Update,
  sink: Sink,
): { readonly after: Buffer; readonly added: readonly string[] } | undefined {
  const content = before.toString("utf8");
  if (!Buffer.from(content).equals(before)) {
    sink.report("scaffold-syntax", "the file must be encoded in UTF-8");
    return undefined;
  }
  const bom = content.startsWith(BOM) ? BOM : "";
  const text = content.slice(bom.length);
  const error = syntaxError(file, text);
  if (error !== undefined) {
    const position = positionOf(text, error.offset);
    sink.report("scaffold-syntax", `${error.message} (${position})`);
    return undefined;
  }
  const source = parse(file, text);
  const services = servicesIn(source, title);
  const [service] = services;
  if (service === undefined || services.length > 1) {
    const code: Code =
      service === undefined
        ? "scaffold-no-service"
        : "scaffold-several-services";
    sink.report(
      code,
      `the file must contain exactly one implementation of ${title}Service, found ${services.length}`,
    );
    return undefined;
  }
  const { additions, issues } = compare(service, members, source);
  for (const issue of issues) report(issue, file, sink);
  if (sink.hasErrors) return undefined;
  if (additions.length === 0) return { after: before, added: [] };
  const after = applyAdditions(source, additions, modules.runtime);
  if (syntaxError(file, after) !== undefined)
    throw new Error(
      `adding the handlers would make ${file} invalid TypeScript`,
    );
  return {
    after: Buffer.from(bom + after),
    added: additions.flatMap((addition) => handlerPaths(addition.members)),
  };
}

function report(
  { kind, path: names, node }: ScaffoldIssue,
  file: string,
  sink: Sink,
): void {
  const source = node.getSourceFile();
  const position = positionOf(source.text, node.getStart(source));
  const location =
    source.fileName === file
      ? position
      : `${path.relative(path.dirname(file), source.fileName)}, ${position}`;
  sink.report(
    `scaffold-${kind}`,
    `${names.join(".") || "the service"} (${location})`,
  );
}

/** Formats the position of an offset in a string as `line 3, column 5`. */
function positionOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}

/**
 * Finds the services that a file implements: values typed as the generated
 * interface, values that satisfy it, arguments of the function that creates the
 * server, and classes that implement the interface.
 */
function servicesIn(
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
