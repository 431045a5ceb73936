import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ts } from "ts-morph";

/** Syntax node to which an expression resolves. */
export type ResolvedExpression =
  | { readonly kind: "object"; readonly node: ts.ObjectLiteralExpression }
  | { readonly kind: "class"; readonly node: ts.ClassLikeDeclaration }
  /** Function, method or other member that is not an object with handlers. */
  | { readonly kind: "value"; readonly node: ts.Node }
  /** Expression that can't be resolved, such as a call. */
  | { readonly kind: "opaque"; readonly node: ts.Node };

/**
 * Parses a file. Syntax errors are not reported; use `syntaxError` to find
 * them.
 */
export function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

/** Returns the first syntax error in source code, with its position. */
export function syntaxError(
  file: string,
  text: string,
): { readonly message: string; readonly offset: number } | undefined {
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
    },
  });
  const first = diagnostics.find(
    ({ category }) => category === ts.DiagnosticCategory.Error,
  );
  return first === undefined
    ? undefined
    : {
        message: ts.flattenDiagnosticMessageText(first.messageText, " "),
        offset: first.start ?? 0,
      };
}

/**
 * Removes parentheses, `as`, `satisfies`, `!` and `Object.freeze` from an
 * expression. For a call `Object.assign(handler, members)`, returns `members`.
 */
export function unwrap(node: ts.Expression): ts.Expression {
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node)
  )
    return unwrap(node.expression);
  if (!ts.isCallExpression(node)) return node;
  const [first, second] = node.arguments;
  const name = node.expression.getText().replace(/\s/g, "");
  const isFrozen = /^Object\.(freeze|seal)$/.test(name);
  if (isFrozen && first !== undefined) return unwrap(first);
  // In generated scaffolds, a member that is both a handler and a resource is
  // written as `Object.assign(handler, members)`.
  const isBoth =
    name === "Object.assign" &&
    node.arguments.length === 2 &&
    (ts.isArrowFunction(first!) || ts.isFunctionExpression(first!));
  return isBoth ? unwrap(second!) : node;
}

/** Maximum number of identifiers that are followed to resolve an expression. */
const MAX_HOPS = 20;

/**
 * Resolves an expression by following identifiers to their declarations, in the
 * same file and in imported files.
 */
export function resolve(
  node: ts.Expression,
  hops: number = 0,
): ResolvedExpression {
  const value = unwrap(node);
  if (hops > MAX_HOPS) return { kind: "opaque", node };
  if (ts.isObjectLiteralExpression(value))
    return { kind: "object", node: value };
  if (ts.isClassExpression(value)) return { kind: "class", node: value };
  if (ts.isFunctionExpression(value) || ts.isArrowFunction(value))
    return { kind: "value", node: value };
  if (ts.isNewExpression(value) && ts.isIdentifier(value.expression))
    return resolveName(value.expression, hops, true);
  if (ts.isIdentifier(value)) return resolveName(value, hops, false);
  return { kind: "opaque", node: value };
}

function resolveName(
  name: ts.Identifier,
  hops: number,
  isNew: boolean,
): ResolvedExpression {
  const declaration = declarationOf(name.text, name.getSourceFile());
  if (declaration === undefined) return { kind: "opaque", node: name };
  if (ts.isClassLike(declaration))
    return isNew
      ? { kind: "class", node: declaration }
      : { kind: "opaque", node: name };
  if (ts.isFunctionDeclaration(declaration))
    return { kind: "value", node: declaration };
  if (isNew) return { kind: "opaque", node: name };
  return resolve(declaration, hops + 1);
}

type Declaration =
  ts.ClassLikeDeclaration | ts.FunctionDeclaration | ts.Expression;

/**
 * Finds the top-level declaration that has the given name: a class, a function, the value
 * of a constant, or the declaration to which an import refers.
 */
function declarationOf(
  name: string,
  file: ts.SourceFile,
): Declaration | undefined {
  for (const statement of file.statements) {
    const isNamed =
      (ts.isClassDeclaration(statement) ||
        ts.isFunctionDeclaration(statement)) &&
      statement.name?.text === name;
    if (isNamed) return statement as Declaration;
    if (ts.isVariableStatement(statement))
      for (const declaration of statement.declarationList.declarations)
        if (ts.isIdentifier(declaration.name) && declaration.name.text === name)
          return isConstant(statement) ? declaration.initializer : undefined;
    if (ts.isImportDeclaration(statement)) {
      const imported = importedName(statement, name);
      if (imported !== undefined) return exportOf(statement, imported);
    }
  }
  return undefined;
}

function isConstant({ declarationList }: ts.VariableStatement): boolean {
  return (declarationList.flags & ts.NodeFlags.Const) !== 0;
}

/**
 * Returns the exported name that an import declaration binds to a local name,
 * such as `default`; undefined if the declaration does not bind the local name.
 */
export function importedName(
  { importClause }: ts.ImportDeclaration,
  name: string,
): string | undefined {
  if (importClause?.name?.text === name) return "default";
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return undefined;
  const imported = bindings.elements.find(
    (binding) => binding.name.text === name,
  );
  return imported && (imported.propertyName ?? imported.name).text;
}

/**
 * Finds the declaration of an export in a file that is imported by a relative
 * path.
 */
function exportOf(
  statement: ts.ImportDeclaration,
  name: string,
): Declaration | undefined {
  const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
  const file = fileOf(specifier, statement.getSourceFile().fileName);
  if (file === undefined) return undefined;
  const source = parse(file, readFileSync(file, "utf8"));
  return name === "default" ? defaultOf(source) : declarationOf(name, source);
}

/**
 * Returns the file of a relative import; undefined for an import of a package.
 */
function fileOf(specifier: string, from: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const base = path.resolve(path.dirname(from), specifier);
  return [
    base.replace(/\.js$/, ".ts"),
    base,
    `${base}.ts`,
    path.join(base, "index.ts"),
  ].find((file) => file.endsWith(".ts") && existsSync(file));
}

function defaultOf(source: ts.SourceFile): Declaration | undefined {
  const assignment = source.statements.find(ts.isExportAssignment);
  return assignment?.isExportEquals === true
    ? undefined
    : assignment?.expression;
}

/** Returns the name of a property; undefined for a computed name. */
export function nameOf(name: ts.PropertyName): string | undefined {
  if (ts.isComputedPropertyName(name)) {
    const key = unwrap(name.expression);
    return ts.isStringLiteralLike(key) ? key.text : undefined;
  }
  return ts.isPrivateIdentifier(name) ? `#${name.text}` : name.text;
}
