import ts from "ts6";

/** Property names by exported interface or type alias. */
export type Members = ReadonlyMap<string, readonly string[]>;

/** Facts about a generated file, read from its syntax tree. */
export interface OutputReading {
  /** Names of interfaces and their properties; type aliases have none. */
  readonly types: Members;
  /** Values of `id` in the descriptors of methods. */
  readonly ids: readonly string[];
  readonly syntaxErrors: readonly string[];
}

/** Reads a generated file with the TypeScript parser. */
export function readOutput(path: string, text: string): OutputReading {
  const source = parse(path, text);
  const types = new Map<string, string[]>();
  const ids: string[] = [];
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement))
      types.set(
        statement.name.text,
        statement.members.flatMap((member) =>
          member.name === undefined ? [] : [nameOf(member.name)],
        ),
      );
    if (ts.isTypeAliasDeclaration(statement))
      types.set(statement.name.text, []);
    if (ts.isVariableStatement(statement)) ids.push(...idsIn(statement));
  }
  return { types, ids, syntaxErrors: errorsOf(source) };
}

/** Returns the syntax tree of a file, with parents. */
export function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
}

/** Returns the messages of the parser. */
export function errorsOf(source: ts.SourceFile): string[] {
  const { parseDiagnostics } = source as unknown as {
    parseDiagnostics: readonly ts.DiagnosticWithLocation[];
  };
  return parseDiagnostics.map(({ messageText, start }) => {
    const near = source.text.slice(Math.max(0, start - 60), start + 60);
    return `${source.fileName}: ${String(messageText)} near ${JSON.stringify(near)}`;
  });
}

function nameOf(name: ts.PropertyName): string {
  return ts.isComputedPropertyName(name)
    ? name.expression.getText()
    : name.text;
}

function idsIn(statement: ts.VariableStatement): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isPropertyAssignment(node) &&
      node.name.getText() === "id" &&
      ts.isStringLiteral(node.initializer)
    )
      found.push(node.initializer.text);
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return found;
}
