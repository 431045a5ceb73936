import { ts } from "ts-morph";
import type { MigrationContext } from "./context.js";

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
  const parts = partsOf(context, callback);
  // A callback without a type reads `data` of the response.
  const { flags } = context.checker.getTypeAtLocation(callback);
  if (ts.isIdentifier(callback) && (flags & ts.TypeFlags.Any) !== 0) {
    const start = call.arguments.at(-2)?.end ?? callback.getStart();
    const { text } = callback;
    editor.edit(
      start,
      call.end,
      suffix === ""
        ? `).withResponse().then(({ data, response }) => ${text}(null, { data, status: response.status, headers: response.headers }), ${text})`
        : `)${suffix}.then((data) => ${text}(null, { data }), ${text})`,
    );
    return;
  }
  if (parts === undefined) {
    editor.todo(call, "calls have no callbacks: use await or .then()");
    return;
  }
  const { error, response, failure } = parts;
  const previous = call.arguments.at(-2);
  const start = previous?.end ?? callback.getStart();
  editor.edit(start, call.end, (print) => {
    const success = printBlock(print, parts.success);
    const value =
      response === undefined
        ? "()"
        : `(${print(response.getStart(), response.end)})`;
    const failed = failure === undefined ? "{}" : printBlock(print, failure);
    const name =
      failure === undefined ? "" : print(error.getStart(), error.end);
    return `)${suffix}.then(${value} => ${success}, (${name}) => ${failed})`;
  });
}

type Print = (start: number, end: number) => string;

/** Returns a statement, or the rest of a block, as a block. */
function printBlock(print: Print, node: ts.Statement | Rest): string {
  if ("after" in node) return `{${print(node.after.end, node.block.end)}`;
  const text = print(node.getStart(), node.end);
  return ts.isBlock(node) ? text : `{ ${text} }`;
}

/** Statements of a block after the first one. */
interface Rest {
  readonly after: ts.Statement;
  readonly block: ts.Block;
}

interface CallbackParts {
  readonly error: ts.ParameterDeclaration;
  readonly response: ts.ParameterDeclaration | undefined;
  /** Statement that runs after an error; undefined if errors are ignored. */
  readonly failure: ts.Statement | undefined;
  readonly success: ts.Statement | Rest;
}

/**
 * Returns the parts of a callback that begins with `if (error) return …`, or that is
 * `if (error) … else …` or `if (!error) …`.
 */
function partsOf(
  context: MigrationContext,
  node: ts.Expression,
): CallbackParts | undefined {
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node))
    return undefined;
  const [error, response] = node.parameters;
  if (
    error === undefined ||
    !ts.isIdentifier(error.name) ||
    !ts.isBlock(node.body)
  )
    return undefined;
  const [first, ...rest] = node.body.statements;
  if (first === undefined || !ts.isIfStatement(first)) return undefined;
  const { expression, thenStatement, elseStatement } = first;
  const branches = branchesOf(expression, error.name.text, [
    thenStatement,
    elseStatement,
  ]);
  if (branches === undefined) return undefined;
  const [failure, otherwise] = branches;
  const success =
    otherwise ??
    (failure !== undefined && leaves(failure)
      ? { after: first, block: node.body }
      : undefined);
  if (success === undefined || (otherwise !== undefined && rest.length > 0))
    return undefined;
  const isRead = context
    .referencesOf(error.name)
    .some((one) =>
      otherwise === undefined
        ? one.pos > first.end
        : one.pos >= otherwise.pos && one.end <= otherwise.end,
    );
  return isRead ? undefined : { error, response, failure, success };
}

/** Returns the statements for an error and for a response. */
function branchesOf(
  condition: ts.Expression,
  name: string,
  [then, otherwise]: readonly [ts.Statement, ts.Statement | undefined],
): readonly [ts.Statement | undefined, ts.Statement | undefined] | undefined {
  if (condition.getText() === name) return [then, otherwise];
  return condition.getText() === `!${name}` ? [otherwise, then] : undefined;
}

/** Tests whether a statement ends with `return` or `throw`. */
function leaves(node: ts.Statement): boolean {
  const last = ts.isBlock(node) ? node.statements.at(-1) : node;
  return (
    last !== undefined &&
    (ts.isReturnStatement(last) || ts.isThrowStatement(last))
  );
}
