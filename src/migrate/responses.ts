// This file is longer than 400 lines, because all uses of a response are decided
// together: whether a call returns its value or its response.

import { ts } from "ts-morph";
import { returnsOf as returnedBy } from "./google-values.js";
import { dataAnnotation, type MigrationContext } from "./context.js";
import {
  memberName,
  memberValue,
  visitAll,
  withoutWrappers,
} from "./syntax.js";

/** Value of a response: `data` in googleapis, `result` in gapi. */
const DATA = /^(?:data|result)$/;

/** Properties of a response besides `data`, with the expressions that replace them. */
const RESPONSE_PROPERTIES = new Map([
  ["status", "response.status"],
  ["statusText", "response.statusText"],
  ["headers", "response.headers"],
]);

/**
 * Marks the calls whose status or headers are used: they return the response
 * together with the value.
 */
export function findFullCalls(context: MigrationContext): void {
  visitAll(context.file, (node) => {
    if (
      ts.isPropertyAccessExpression(node) &&
      RESPONSE_PROPERTIES.has(node.name.text) &&
      context.valueOf(node.expression)?.kind === "response"
    )
      mark(context, originsOf(context, node.expression));
    if (
      ts.isObjectBindingPattern(node) &&
      isResponse(context, node) &&
      node.elements.some((one) => RESPONSE_PROPERTIES.has(boundName(one)))
    )
      mark(context, originsOfBinding(context, node.parent));
  });
}

function mark(
  { full }: MigrationContext,
  calls: readonly ts.CallExpression[],
): void {
  for (const call of calls) full.add(call);
}

/** Removes `.data` of responses whose status and headers are not used. */
export function migrateResponses(context: MigrationContext): void {
  const { editor } = context;
  visitAll(context.file, (node) => {
    if (ts.isPropertyAccessExpression(node)) migrateAccess(context, node);
    else if (ts.isObjectBindingPattern(node) && isResponse(context, node))
      migratePattern(context, node);
    else if (
      ts.isElementAccessExpression(node) &&
      context.valueOf(node.expression)?.kind === "response"
    )
      editor.todo(node, "read the property of the response by its name");
    else if (ts.isTypeReferenceNode(node)) migrateTypeOfResponse(context, node);
    else if (ts.isVariableDeclaration(node)) migrateAnnotation(context, node);
    else if (ts.isReturnStatement(node) || ts.isArrowFunction(node))
      markReturned(context, node);
    else if (isAssignedPattern(node)) migrateAssignedPattern(context, node);
    else if (
      ts.isExpression(node) &&
      ts.isCallExpression(node.parent) &&
      node.parent.arguments.includes(node) &&
      context.valueOf(node)?.kind === "response" &&
      !isFull(context, node)
    ) {
      const expected = context.checker.getContextualType(node);
      if (
        (expected === undefined ||
          context.valueOfType(expected) === undefined) &&
        !isMigratedArgument(context, node, node.parent)
      )
        editor.todo(
          node,
          "the response is passed on; it is the value now, without status and headers",
        );
    }
  });
}

/** Tests whether a function without types receives a response, which it uses as value. */
function isMigratedArgument(
  context: MigrationContext,
  node: ts.Expression,
  call: ts.CallExpression,
): boolean {
  const index = call.arguments.indexOf(node);
  const [called] = context.values.functionsOf(call);
  const parameter = called?.parameters[index];
  return (
    parameter !== undefined &&
    context.values.valueOfDeclaration(parameter)?.kind === "response"
  );
}

/** Marks a response that a function returns as `unknown`: its use is not found. */
function markReturned(
  context: MigrationContext,
  node: ts.ReturnStatement | ts.ArrowFunction,
): void {
  const value = ts.isReturnStatement(node) ? node.expression : node.body;
  if (value === undefined || ts.isBlock(value)) return;
  const expected = context.checker.getContextualType(value);
  const awaited = expected && context.checker.getAwaitedType(expected);
  if (
    awaited !== undefined &&
    (awaited.flags & ts.TypeFlags.Unknown) !== 0 &&
    context.values.valueOfAwaited(value)?.kind === "response" &&
    !isFull(context, value)
  )
    context.editor.todo(
      value,
      "the response is passed on; it is the value now, without status and headers",
    );
}

/**
 * Returns the modifier for a call whose response is expected to have a status or
 * headers: `.withResponse().then(({ response }) => ({ status: response.status }))`.
 */
export function expectedResponse(
  context: MigrationContext,
  node: ts.CallExpression,
): string | undefined {
  if (context.full.has(node)) return undefined;
  const expected = context.checker.getContextualType(node);
  if (expected === undefined) return undefined;
  const awaited = context.checker.getAwaitedType(expected) ?? expected;
  if (context.valueOfType(awaited) !== undefined) return undefined;
  const names = awaited.getProperties().map((one) => one.name);
  if (names.join() === "data")
    return isTakenApart(node) ? undefined : ".then((data) => ({ data }))";
  if (!names.some((name) => RESPONSE_PROPERTIES.has(name))) return undefined;
  const members = names.map((name) => {
    const value = RESPONSE_PROPERTIES.get(name);
    return value === undefined ? name : `${name}: ${value}`;
  });
  const hasData = names.includes("data");
  if (names.some((name) => name !== "data" && !RESPONSE_PROPERTIES.has(name))) {
    context.editor.todo(
      node,
      "the response is passed on: use .withResponse(), whose response has status and headers",
    );
    return undefined;
  }
  return `.withResponse().then(({ ${hasData ? "data, " : ""}response }) => ({ ${members.join(", ")} }))`;
}

/** Tests whether a call is the value of a pattern, or of `const res: { data: T } = …`. */
function isTakenApart(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent))
    return (
      ts.isObjectBindingPattern(parent.name) ||
      dataAnnotation(parent) !== undefined
    );
  if (isAssignedPattern(parent)) return true;
  return (
    ts.isExpression(parent) &&
    withoutWrappers(parent) === node &&
    isTakenApart(parent)
  );
}

/** `GaxiosResponse<T>` → `T`, and `GaxiosPromise<T>` → `Promise<T>`. */
function migrateTypeOfResponse(
  context: MigrationContext,
  node: ts.TypeReferenceNode,
): void {
  const name =
    /^(?:\w+\.)?(GaxiosResponse|GaxiosResponseWithHTTP2|GaxiosPromise)$/.exec(
      node.typeName.getText(),
    )?.[1];
  if (name === undefined) return;
  const { editor } = context;
  const [type] = node.typeArguments ?? [];
  if (type === undefined) {
    editor.todo(node, "replace the type of the response: calls return values");
    return;
  }
  visitAll(node.typeName, (one) => context.handled.add(one));
  const full = typedBy(context, node)
    .flatMap((one) => originsOfBinding(context, one))
    .find((one) => context.full.has(one));
  if (name === "GaxiosPromise" && full === undefined)
    editor.replace(node.typeName, "Promise");
  else if (full !== undefined) {
    const { name: api, version } = context.valueOf(full.expression)!;
    const result = context.importGenerated(
      context.settings.findApi(api, version),
      "CallResult",
      { isType: true },
    );
    if (name === "GaxiosPromise") {
      editor.replace(node.typeName, `Promise<${result}`);
      editor.edit(node.end, node.end, ">");
    } else editor.replace(node.typeName, result);
  } else {
    editor.edit(node.getStart(), type.getStart(), "");
    editor.edit(type.end, node.end, "");
  }
}

/** `const res: { data: T } = await call` → `const res: T = await call`. */
function migrateAnnotation(
  context: MigrationContext,
  node: ts.VariableDeclaration,
): void {
  const type = dataAnnotation(node);
  if (
    type === undefined ||
    context.valueOf(node.initializer!)?.kind !== "response" ||
    isFullBinding(context, node)
  )
    return;
  context.editor.edit(node.type!.getStart(), type.getStart(), "");
  context.editor.edit(type.end, node.type!.end, "");
}

function isFullBinding(context: MigrationContext, node: ts.Node): boolean {
  return originsOfBinding(context, node).some((call) => context.full.has(call));
}

function migrateAccess(
  context: MigrationContext,
  node: ts.PropertyAccessExpression,
): void {
  if (context.valueOf(node.expression)?.kind !== "response") return;
  const { editor } = context;
  const { text } = node.name;
  const isWhole = isFull(context, node.expression);
  if (DATA.test(text)) {
    if (!isWhole) removeData(context, node);
    else if (text !== "data") editor.replace(node.name, "data");
    return;
  }
  const replacement = RESPONSE_PROPERTIES.get(text);
  if (replacement === undefined || !isWhole)
    editor.todo(
      node,
      `use .withResponse() of the call: results have no property ${text}`,
    );
  else editor.replace(node.name, replacement);
}

/** Removes `.data`, with parentheses that are no longer needed. */
function removeData(
  { editor }: MigrationContext,
  node: ts.PropertyAccessExpression,
): void {
  const { expression, parent } = node;
  // An optional access to a value stays optional: `res?.data.id` → `res?.id`.
  const isOptional = node.questionDotToken !== undefined;
  const next =
    (ts.isPropertyAccessExpression(parent) ||
      ts.isElementAccessExpression(parent)) &&
    parent.expression === node
      ? parent
      : undefined;
  if (isOptional && next !== undefined && next.questionDotToken === undefined) {
    editor.edit(
      expression.end,
      node.end,
      ts.isElementAccessExpression(next) ? "?." : "?",
    );
    return;
  }
  const needsParentheses =
    next !== undefined ||
    (ts.isCallExpression(parent) && parent.expression === node) ||
    ts.isNonNullExpression(parent) ||
    ts.isBinaryExpression(parent);
  if (ts.isParenthesizedExpression(expression) && !needsParentheses) {
    editor.edit(expression.getStart(), expression.expression.getStart(), "");
    editor.edit(expression.expression.end, node.end, "");
  } else editor.edit(expression.end, node.end, "");
}

function isResponse(
  context: MigrationContext,
  node: ts.ObjectBindingPattern,
): boolean {
  return context.values.valueOfPattern(node)?.kind === "response";
}

/** `const { data } = …` → `const data = …`; with a status, `response: { status }`. */
function migratePattern(
  context: MigrationContext,
  node: ts.ObjectBindingPattern,
): void {
  const { editor } = context;
  const origins = originsOfBinding(context, node.parent);
  if (origins.some((call) => context.full.has(call))) {
    const others = node.elements.filter((one) =>
      RESPONSE_PROPERTIES.has(boundName(one)),
    );
    const data = node.elements.find((one) => DATA.test(boundName(one)));
    if (others.length + (data === undefined ? 0 : 1) !== node.elements.length)
      editor.todo(node, "use .withResponse() of the call");
    const list = others.map((one) => one.getText()).join(", ");
    const local = data?.name.getText();
    const first =
      local === undefined
        ? ""
        : local === "data"
          ? "data, "
          : `data: ${local}, `;
    editor.replace(node, `{ ${first}response: { ${list} } }`);
    return;
  }
  const [element, ...rest] = node.elements;
  if (
    element === undefined ||
    rest.length > 0 ||
    !DATA.test(boundName(element))
  ) {
    editor.todo(
      node,
      "use .withResponse() of the call: results have only the value",
    );
    return;
  }
  const value = element.initializer;
  editor.edit(node.getStart(), element.name.getStart(), "");
  editor.edit(
    element.name.end,
    node.end,
    value === undefined || ts.isVariableDeclaration(node.parent)
      ? ""
      : ` = ${value.getText()}`,
  );
}

/** `({ data } = …)` */
type AssignedPattern = ts.BinaryExpression & {
  readonly left: ts.ObjectLiteralExpression;
};

function isAssignedPattern(node: ts.Node): node is AssignedPattern {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isObjectLiteralExpression(node.left)
  );
}

/** `({ data } = await call)` → `(data = await call)`. */
function migrateAssignedPattern(
  context: MigrationContext,
  { left, right }: AssignedPattern,
): void {
  if (context.valueOf(right)?.kind !== "response") return;
  const { editor } = context;
  const [member, ...others] = left.properties;
  const target = member && memberValue(member);
  if (
    target === undefined ||
    others.length > 0 ||
    !DATA.test(memberName(member!) ?? "") ||
    isFull(context, right)
  )
    editor.todo(
      left,
      "use .withResponse() of the call: results have only the value",
    );
  else editor.replace(left, (print) => print(target.getStart(), target.end));
}

function boundName({ name, propertyName }: ts.BindingElement): string {
  return (propertyName ?? name).getText();
}

/** Tests whether an expression is the response of a call together with its value. */
export function isFull(
  context: MigrationContext,
  node: ts.Expression,
): boolean {
  return originsOf(context, node).some((call) => context.full.has(call));
}

/** Returns the calls whose response an expression is, as far as this is certain. */
function originsOf(
  context: MigrationContext,
  expression: ts.Expression,
  depth = 0,
): readonly ts.CallExpression[] {
  const node = withoutWrappers(expression);
  if (depth > 5) return [];
  if (ts.isCallExpression(node)) {
    if (context.valueOf(node.expression)?.kind === "method") return [node];
    return [
      ...returnsOf(node),
      ...context.values.functionsOf(node).flatMap(returnedBy),
    ].flatMap((one) => originsOf(context, one, depth + 1));
  }
  if (!ts.isIdentifier(node)) return [];
  const declaration = context.declarationOf(node);
  if (declaration === undefined) return [];
  const assigned = context
    .referencesOf(node)
    .map(({ parent }) => parent)
    .filter(
      (parent): parent is ts.BinaryExpression =>
        ts.isBinaryExpression(parent) &&
        parent.operatorToken.kind === ts.SyntaxKind.EqualsToken,
    )
    .flatMap((parent) => originsOf(context, parent.right, depth + 1));
  return [...originsOfBinding(context, declaration, depth), ...assigned];
}

/** Returns the results of the function in `promise.then(function)`. */
function returnsOf({
  expression,
  arguments: list,
}: ts.CallExpression): readonly ts.Expression[] {
  const [handler] = list;
  if (
    handler === undefined ||
    !ts.isPropertyAccessExpression(expression) ||
    expression.name.text !== "then" ||
    !(ts.isArrowFunction(handler) || ts.isFunctionExpression(handler))
  )
    return [];
  if (!ts.isBlock(handler.body)) return [handler.body];
  return handler.body.statements.flatMap((one) =>
    ts.isReturnStatement(one) && one.expression !== undefined
      ? [one.expression]
      : [],
  );
}

function originsOfBinding(
  context: MigrationContext,
  node: ts.Node,
  depth = 0,
): readonly ts.CallExpression[] {
  if (ts.isVariableDeclaration(node))
    return node.initializer === undefined
      ? []
      : originsOf(context, node.initializer, depth + 1);
  // Parameter of a function that is passed to `then` of a call.
  if (ts.isParameter(node) && ts.isCallExpression(node.parent.parent)) {
    const { expression } = node.parent.parent;
    if (
      ts.isPropertyAccessExpression(expression) &&
      expression.name.text === "then" &&
      node.parent.parent.arguments[0] === node.parent
    )
      return originsOf(context, expression.expression, depth + 1);
  }
  if (ts.isParameter(node))
    return context.values
      .argumentsOf(node)
      .flatMap((one) => originsOf(context, one, depth + 1));
  // Type of the results of a function.
  if (ts.isFunctionLike(node))
    return returnedBy(node).flatMap((one) =>
      originsOf(context, one, depth + 1),
    );
  return [];
}

/** Returns the variable, parameter or function whose type contains a type. */
function typedBy(context: MigrationContext, node: ts.Node): readonly ts.Node[] {
  const owner = ts.findAncestor(
    node,
    (one) =>
      ts.isVariableDeclaration(one) ||
      ts.isParameter(one) ||
      ts.isFunctionLike(one) ||
      ts.isTypeAliasDeclaration(one),
  );
  if (owner === undefined) return [];
  if (!ts.isTypeAliasDeclaration(owner)) return [owner];
  return context
    .referencesOf(owner.name)
    .filter((one) => one !== owner.name)
    .flatMap((one) => typedBy(context, one));
}
