import { ts } from "ts-morph";

/** Part of a file, by offsets. */
export interface Span {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** Error that the compiler finds only with the new generated code. */
export interface CompileError {
  readonly file: ts.SourceFile;
  readonly start: number;
  readonly message: string;
  /**
   * Code that can contain its cause, the most likely first: the expression with
   * the error, what surrounds it, and the declarations that it refers to.
   */
  readonly causes: readonly Span[];
}

/** Number of declarations that are followed from an error. */
const MAX_DECLARATIONS = 50;

/**
 * Returns the errors in files that the first program does not have.
 * @param old program with the old generated code
 * @param now the same files with the new generated code
 */
export function newErrors(
  names: readonly string[],
  old: ts.Program,
  now: ts.Program,
): readonly CompileError[] {
  return names.flatMap((name) => {
    const [before, after] = [old.getSourceFile(name), now.getSourceFile(name)];
    if (before === undefined || after === undefined) return [];
    const keyOf = ({ start, code }: ts.Diagnostic): string =>
      `${start} ${code}`;
    const known = new Set(old.getSemanticDiagnostics(before).map(keyOf));
    return now
      .getSemanticDiagnostics(after)
      .filter((one) => !known.has(keyOf(one)))
      .map(({ start = 0, length = 0, messageText }) => ({
        file: before,
        start,
        message: ts.flattenDiagnosticMessageText(messageText, " "),
        causes: causesOf(before, start, start + length, old.getTypeChecker()),
      }));
  });
}

/** Returns the code that can contain the cause of an error. */
function causesOf(
  file: ts.SourceFile,
  start: number,
  end: number,
  checker: ts.TypeChecker,
): readonly Span[] {
  const causes: Span[] = [{ file: file.fileName, start, end }];
  let node = nodeAt(file, start, end);
  const first = node;
  for (; !ts.isSourceFile(node); node = node.parent) {
    causes.push(spanOf(node));
    if (ts.isStatement(node)) break;
  }
  for (const declaration of declarationsOf(first, checker))
    causes.push(spanOf(declaration));
  return causes;
}

/** Returns the smallest node that contains a part of a file. */
function nodeAt(file: ts.SourceFile, start: number, end: number): ts.Node {
  let found: ts.Node = file;
  const visit = (node: ts.Node): void => {
    if (node.getStart(file) > start || node.end < end) return;
    found = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return found;
}

function spanOf(node: ts.Node): Span {
  const file = node.getSourceFile();
  return { file: file.fileName, start: node.getStart(file), end: node.end };
}

/**
 * Returns the declarations in the user's code that a node refers to, directly or
 * through others: variables, parameters, functions and types.
 */
function declarationsOf(
  from: ts.Node,
  checker: ts.TypeChecker,
): readonly ts.Node[] {
  const found = new Set<ts.Node>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node))
      for (const declaration of checker.getSymbolAtLocation(node)
        ?.declarations ?? []) {
        const owner = ownerOf(declaration);
        if (found.size >= MAX_DECLARATIONS || found.has(owner)) continue;
        if (owner.getSourceFile().isDeclarationFile || ts.isSourceFile(owner))
          continue;
        found.add(owner);
      }
    ts.forEachChild(node, visit);
  };
  visit(from);
  // Set iteration also visits declarations that the loop adds.
  for (const declaration of found) visit(declaration);
  return [...found];
}

/** Returns the declaration with the value from which a name gets its type. */
function ownerOf(declaration: ts.Node): ts.Node {
  let node = declaration;
  while (
    ts.isBindingElement(node) ||
    ts.isObjectBindingPattern(node) ||
    ts.isArrayBindingPattern(node)
  )
    node = node.parent;
  // The elements of a loop have the type of what it iterates over.
  if (ts.isVariableDeclaration(node) && ts.isForOfStatement(node.parent.parent))
    return node.parent.parent.expression;
  return node;
}
