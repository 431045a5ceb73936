import ts from "ts6";
import { addOnce, nameOf, valueOf, type Value } from "./values.js";

/** A member of an interface. */
export interface Member {
  readonly optional: boolean;
  readonly readonly: boolean;
  readonly type: ts.TypeNode;
}

/** An exported interface. */
export interface Interface {
  readonly kind: "interface";
  readonly members: ReadonlyMap<string, Member>;
  /** Value type of `[key: string]`. */
  readonly index?: ts.TypeNode;
  readonly base?: ts.ExpressionWithTypeArguments;
}

/** An exported type alias. */
export interface Alias {
  readonly kind: "alias";
  readonly type: ts.TypeNode;
}

/** An exported constant. */
export interface Constant {
  /** Text of its comment. */
  readonly doc: string;
  readonly type: ts.TypeNode | undefined;
  readonly value: Value;
}

/** Exports of a file of generated code. */
export interface Source {
  /** Imported names by local name; `*` for a namespace. */
  readonly imports: ReadonlyMap<
    string,
    { readonly module: string; readonly name: string }
  >;
  readonly types: ReadonlyMap<string, Interface | Alias>;
  readonly constants: ReadonlyMap<string, Constant>;
  /** Constants that are not exported. */
  readonly locals: ReadonlyMap<string, Constant>;
  /** Result types of exported functions. */
  readonly returns: ReadonlyMap<string, Value>;
}

/** Reads a file. Throws for code that doesn't parse. */
export function parseSource(name: string, text: string): Source {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, false);
  const { parseDiagnostics } = file as unknown as {
    parseDiagnostics: readonly ts.Diagnostic[];
  };
  if (parseDiagnostics.length > 0)
    throw new Error(
      `${name}: ${ts.flattenDiagnosticMessageText(parseDiagnostics[0]!.messageText, "\n")}`,
    );
  const source = {
    imports: new Map<string, { module: string; name: string }>(),
    types: new Map<string, Interface | Alias>(),
    constants: new Map<string, Constant>(),
    locals: new Map<string, Constant>(),
    returns: new Map<string, Value>(),
  };
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement))
      readImport(statement, source.imports);
    if (!isExported(statement)) {
      if (ts.isVariableStatement(statement))
        readConstants(statement, source.locals, name, text);
      continue;
    }
    if (ts.isInterfaceDeclaration(statement))
      addOnce(
        source.types,
        statement.name.text,
        readInterface(statement),
        name,
      );
    else if (ts.isTypeAliasDeclaration(statement))
      addOnce(
        source.types,
        statement.name.text,
        { kind: "alias", type: statement.type },
        name,
      );
    else if (ts.isVariableStatement(statement))
      readConstants(statement, source.constants, name, text);
    else if (ts.isFunctionDeclaration(statement))
      readFunction(statement, source.returns);
  }
  return source;
}

function isExported(statement: ts.Statement): boolean {
  const flags = ts.canHaveModifiers(statement) ? statement.modifiers : [];
  return (
    flags?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

function readImport(
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
  imports: Map<string, { module: string; name: string }>,
): void {
  const module = (moduleSpecifier as ts.StringLiteral).text;
  const bindings = importClause?.namedBindings;
  if (bindings === undefined) return;
  if (ts.isNamespaceImport(bindings))
    imports.set(bindings.name.text, { module, name: "*" });
  else
    for (const { name, propertyName } of bindings.elements)
      imports.set(name.text, { module, name: (propertyName ?? name).text });
}

function readInterface(node: ts.InterfaceDeclaration): Interface {
  const members = new Map<string, Member>();
  let index: ts.TypeNode | undefined;
  for (const member of node.members) {
    if (ts.isIndexSignatureDeclaration(member)) index = member.type;
    else if (ts.isPropertySignature(member)) {
      const flags = member.modifiers ?? [];
      addOnce(
        members,
        nameOf(member.name),
        {
          optional: member.questionToken !== undefined,
          readonly: flags.some(
            ({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword,
          ),
          type: member.type!,
        },
        node.name.text,
      );
    } else
      throw new Error(`${node.name.text} has a member that is not a property`);
  }
  const base = node.heritageClauses?.[0]?.types[0];
  return {
    kind: "interface",
    members,
    ...(index === undefined ? {} : { index }),
    ...(base === undefined ? {} : { base }),
  };
}

function readConstants(
  statement: ts.VariableStatement,
  constants: Map<string, Constant>,
  file: string,
  text: string,
): void {
  const doc = docOf(text, statement.pos);
  for (const { name, type, initializer } of statement.declarationList
    .declarations)
    addOnce(
      constants,
      (name as ts.Identifier).text,
      { type, value: valueOf(initializer!), doc },
      file,
    );
}

function readFunction(
  node: ts.FunctionDeclaration,
  returns: Map<string, Value>,
): void {
  for (const statement of node.body?.statements ?? [])
    if (ts.isReturnStatement(statement) && statement.expression !== undefined)
      returns.set(node.name!.text, valueOf(statement.expression));
}

/** Returns the text of the doc comment before a statement. */
function docOf(text: string, pos: number): string {
  const comments = ts.getLeadingCommentRanges(text, pos) ?? [];
  return comments
    .map((range) => text.slice(range.pos, range.end))
    .join("\n")
    .replace(/^\s*\*\/?|\/\*\*|\*\/$/gm, "")
    .replace(/\s+/g, " ");
}
