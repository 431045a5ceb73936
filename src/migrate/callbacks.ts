import { ts } from "ts-morph";
import { visitAll, type MigrationContext } from "./context.js";

/**
 * `call(parameters, (error, response) => { if (error) …; … })` →
 * `call(parameters).then((response) => { … }, (error) => …)`.
 */
export function migrateCallback(
  context: MigrationContext,
  call: ts.CallExpression,
  callback: ts.Expression,
  suffix: string,
): void {
  const { editor } = context;
  const parts = partsOf(callback);
  // A callback without a type reads `data` of the response.
  const { flags } = context.checker.getTypeAtLocation(callback);
  if (ts.isIdentifier(callback) && (flags & ts.TypeFlags.Any) !== 0) {
    const start = call.arguments.at(-2)?.end ?? callback.getStart();
    editor.edit(
      start,
      call.end,
      `)${suffix}.then((data) => ${callback.text}(null, { data }), ${callback.text})`,
    );
    return;
  }
  if (parts === undefined) {
    editor.todo(call, "calls have no callbacks: use await or .then()");
    return;
  }
  const { error, response, failure, body } = parts;
  const [first] = body.statements;
  const previous = call.arguments.at(-2);
  const start = previous?.end ?? callback.getStart();
  editor.edit(start, call.end, (print) => {
    const rest = print(first!.end, body.end);
    const value =
      response === undefined
        ? "()"
        : `(${print(response.getStart(), response.end)})`;
    const failed = print(failure.getStart(), failure.end);
    const handler = ts.isBlock(failure) ? failed : `{ ${failed} }`;
    const name = print(error.getStart(), error.end);
    return `)${suffix}.then(${value} => {${rest}, (${name}) => ${handler})`;
  });
}

interface CallbackParts {
  readonly error: ts.ParameterDeclaration;
  readonly response: ts.ParameterDeclaration | undefined;
  /** Statement that runs after an error. */
  readonly failure: ts.Statement;
  readonly body: ts.Block;
}

/** Returns the parts of a callback that begins with `if (error) return …`. */
function partsOf(node: ts.Expression): CallbackParts | undefined {
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node))
    return undefined;
  const [error, response] = node.parameters;
  if (
    error === undefined ||
    !ts.isIdentifier(error.name) ||
    !ts.isBlock(node.body)
  )
    return undefined;
  const name = error.name.text;
  const [first, ...rest] = node.body.statements;
  if (
    first === undefined ||
    !ts.isIfStatement(first) ||
    first.elseStatement !== undefined ||
    first.expression.getText() !== name ||
    !leaves(first.thenStatement) ||
    rest.some((one) => mentions(one, name))
  )
    return undefined;
  return { error, response, failure: first.thenStatement, body: node.body };
}

/** Tests whether a statement ends with `return` or `throw`. */
function leaves(node: ts.Statement): boolean {
  const last = ts.isBlock(node) ? node.statements.at(-1) : node;
  return (
    last !== undefined &&
    (ts.isReturnStatement(last) || ts.isThrowStatement(last))
  );
}

function mentions(node: ts.Node, name: string): boolean {
  let isFound = false;
  visitAll(node, (one) => {
    if (ts.isIdentifier(one) && one.text === name) isFound = true;
  });
  return isFound;
}
