import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ts } from "ts-morph";

/** What an expression turned out to be. */
export type Found =
  | { readonly kind: "object"; readonly node: ts.ObjectLiteralExpression }
  | { readonly kind: "class"; readonly node: ts.ClassLikeDeclaration }
  /** A function, or a value of which nothing more can be said from the text. */
  | { readonly kind: "value"; readonly node: ts.Node }
  | { readonly kind: "opaque"; readonly node: ts.Node };

/** Parses a file. What is no TypeScript still gives a tree, see `syntaxError`. */
export function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

/** The first syntax error of a text, with its place. */
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

/** Without parentheses, `as`, `satisfies`, `!` `Object.freeze`, and a function with members. */
export function bare(node: ts.Expression): ts.Expression {
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node)
  )
    return bare(node.expression);
  if (!ts.isCallExpression(node)) return node;
  const [first, second] = node.arguments;
  const name = node.expression.getText().replace(/\s/g, "");
  const isFrozen = /^Object\.(freeze|seal)$/.test(name);
  if (isFrozen && first !== undefined) return bare(first);
  // A handler that is a resource too, as the scaffold itself writes it.
  const isBoth =
    name === "Object.assign" &&
    node.arguments.length === 2 &&
    (ts.isArrowFunction(first!) || ts.isFunctionExpression(first!));
  return isBoth ? bare(second!) : node;
}

/** Hops from name to name that are followed. */
const MAX_HOPS = 20;

/** What an expression is, through names in this file and in files that it imports. */
export function resolve(node: ts.Expression, hops: number = 0): Found {
  const value = bare(node);
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

function resolveName(name: ts.Identifier, hops: number, isNew: boolean): Found {
  const found = declarationOf(name.text, name.getSourceFile());
  if (found === undefined) return { kind: "opaque", node: name };
  if (ts.isClassLike(found))
    return isNew
      ? { kind: "class", node: found }
      : { kind: "opaque", node: name };
  if (ts.isFunctionDeclaration(found)) return { kind: "value", node: found };
  if (isNew) return { kind: "opaque", node: name };
  return resolve(found, hops + 1);
}

type Declared =
  ts.ClassLikeDeclaration | ts.FunctionDeclaration | ts.Expression;

/** What a name stands for at the top of a file: a constant's value, a class, a function, or an import of these. */
function declarationOf(
  name: string,
  file: ts.SourceFile,
): Declared | undefined {
  for (const statement of file.statements) {
    const isNamed =
      (ts.isClassDeclaration(statement) ||
        ts.isFunctionDeclaration(statement)) &&
      statement.name?.text === name;
    if (isNamed) return statement as Declared;
    if (ts.isVariableStatement(statement))
      for (const one of statement.declarationList.declarations)
        if (ts.isIdentifier(one.name) && one.name.text === name)
          return isConstant(statement) ? one.initializer : undefined;
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

/** The name that a module exports what is called `name` here; `default` too. */
export function importedName(
  { importClause }: ts.ImportDeclaration,
  name: string,
): string | undefined {
  if (importClause?.name?.text === name) return "default";
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return undefined;
  const found = bindings.elements.find((one) => one.name.text === name);
  return found && (found.propertyName ?? found.name).text;
}

/** What a file beside this one exports under a name. */
function exportOf(
  statement: ts.ImportDeclaration,
  name: string,
): Declared | undefined {
  const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
  const file = fileOf(specifier, statement.getSourceFile().fileName);
  if (file === undefined) return undefined;
  const source = parse(file, readFileSync(file, "utf8"));
  return name === "default" ? defaultOf(source) : declarationOf(name, source);
}

/** Files of the user's own: where an import with a dot leads. */
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

function defaultOf(source: ts.SourceFile): Declared | undefined {
  const found = source.statements.find(ts.isExportAssignment);
  return found?.isExportEquals === true ? undefined : found?.expression;
}

/** The name that a member's key says; undefined for one that is computed. */
export function nameOf(name: ts.PropertyName): string | undefined {
  if (ts.isComputedPropertyName(name)) {
    const key = bare(name.expression);
    return ts.isStringLiteralLike(key) ? key.text : undefined;
  }
  return ts.isPrivateIdentifier(name) ? `#${name.text}` : name.text;
}
