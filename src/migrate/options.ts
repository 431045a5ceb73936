import { ts } from "ts-morph";
import type { MigrationContext } from "./context.js";
import { memberName, memberNamed, memberValue } from "./syntax.js";

/** Options that have the same name and meaning. */
const SAME = new Set([
  "headers",
  "timeout",
  "signal",
  "rootUrl",
  "auth",
  "universeDomain",
]);

/** Member of options that is printed when the file is. */
type Printed = (print: (start: number, end: number) => string) => string;

/**
 * Migrates the members of an object with options of a client or call.
 * @param parameters name of the option for query parameters
 * @param query query parameters that the call has among its parameters
 * @returns the value of `responseType`, and the members that stay
 */
export function migrateOptions(
  context: MigrationContext,
  literal: ts.ObjectLiteralExpression,
  parameters: "query" | "parameters",
  query: readonly string[] = [],
): { readonly responseType?: string; readonly kept: number } {
  const { editor } = context;
  const removed: ts.ObjectLiteralElementLike[] = [];
  let responseType: string | undefined;
  for (const member of literal.properties) {
    const name = memberName(member);
    const value = memberValue(member);
    if (name === undefined || (value !== undefined && SAME.has(name))) continue;
    if (name === "version" && parameters === "parameters") removed.push(member);
    else if (name === "responseType" && value !== undefined) {
      responseType = ts.isStringLiteralLike(value) ? value.text : "unknown";
      removed.push(member);
    } else if (name === "params" && value !== undefined)
      editor.replace(member, paramsOf(parameters, value, query));
    else if (name === "retry" && value !== undefined) {
      if (
        value.kind === ts.SyntaxKind.FalseKeyword &&
        memberNamed(literal, "retryConfig") === undefined
      )
        continue;
      removed.push(member);
    } else if (name === "retryConfig" && value !== undefined)
      migrateRetry(context, member, value);
    else if (name === "onUploadProgress" && value !== undefined)
      migrateProgress(context, member, value);
    else {
      const text = member.getText().replace(/\s+/g, " ").slice(0, 100);
      editor.todo(member, `the option has no counterpart: ${text}`);
      removed.push(member);
    }
  }
  editor.removeFrom(literal.properties, removed);
  return {
    ...(responseType === undefined ? {} : { responseType }),
    kept: literal.properties.length - removed.length,
  };
}

/** `params: { a: 1 }` → `query: { a: 1 }`, with more parameters of the call. */
function paramsOf(
  name: string,
  value: ts.Expression,
  more: readonly string[],
): Printed {
  return (print) => {
    const text = print(value.getStart(), value.end);
    if (more.length === 0) return `${name}: ${text}`;
    return `${name}: { ${more.join(", ")}, ...${text} }`;
  };
}

/** `retryConfig: { retry: 5, retryDelay: 200 }` → `retry: { attempts: 6, delay: 200 }`. */
function migrateRetry(
  context: MigrationContext,
  member: ts.ObjectLiteralElementLike,
  value: ts.Expression,
): void {
  const { editor } = context;
  if (!ts.isObjectLiteralExpression(value)) {
    editor.todo(member, "write the retry options in the form of RetryOptions");
    editor.replace(member, "retry: {}");
    return;
  }
  const printed: string[] = [];
  for (const part of value.properties) {
    const text = retryOption(memberName(part), memberValue(part));
    if (text === undefined)
      editor.todo(
        part,
        `set the retry option in the form of RetryOptions: ${part.getText().replace(/\s+/g, " ").slice(0, 100)}`,
      );
    else if (text !== "") printed.push(text);
  }
  editor.replace(member, `retry: { ${printed.join(", ")} }`);
}

/** Returns an option of RetryOptions; an empty text if it is the default. */
function retryOption(
  name: string | undefined,
  value: ts.Expression | undefined,
): string | undefined {
  const text = value?.getText();
  if (value === undefined || text === undefined) return undefined;
  if (name === "retry")
    return `attempts: ${/^\d+$/.test(text) ? Number(text) + 1 : `${text} + 1`}`;
  if (name === "retryDelay") return `delay: ${text}`;
  if (name === "maxRetryDelay") return `maxDelay: ${text}`;
  if (name === "totalTimeout") return `budget: ${text}`;
  if (!ts.isArrayLiteralExpression(value)) return undefined;
  if (name === "httpMethodsToRetry")
    return /["'](?:POST|PATCH)["']/.test(text) ? "unsafe: true" : "";
  if (name !== "statusCodesToRetry") return undefined;
  const ranges = value.elements.map((one) =>
    /^\[(\d+),(\d+),?\]$/.exec(one.getText().replace(/\s/g, "")),
  );
  if (ranges.includes(null)) return undefined;
  const tests = ranges.map((range) =>
    range![1] === range![2]
      ? `status === ${range![1]}`
      : `(status >= ${range![1]} && status <= ${range![2]})`,
  );
  return `when: ({ status }) => status === undefined || ${tests.join(" || ")}`;
}

/** `onUploadProgress: ({ bytesRead }) => …` → `onProgress: ({ loaded: bytesRead }) => …`. */
function migrateProgress(
  { editor }: MigrationContext,
  member: ts.ObjectLiteralElementLike,
  value: ts.Expression,
): void {
  if (ts.isPropertyAssignment(member))
    editor.replace(member.name, "onProgress");
  else editor.replace(member, `onProgress: ${value.getText()}`);
  const parameter =
    ts.isArrowFunction(value) || ts.isFunctionExpression(value)
      ? value.parameters[0]
      : undefined;
  if (parameter === undefined) {
    editor.todo(member, "the progress has the properties loaded and total");
    return;
  }
  if (ts.isObjectBindingPattern(parameter.name)) {
    for (const element of parameter.name.elements)
      if ((element.propertyName ?? element.name).getText() === "bytesRead")
        editor.replace(element, `loaded: ${element.name.getText()}`);
  } else {
    const name = parameter.name.getText();
    const visit = (node: ts.Node): void => {
      if (
        ts.isPropertyAccessExpression(node) &&
        node.expression.getText() === name &&
        node.name.text === "bytesRead"
      )
        editor.replace(node.name, "loaded");
      ts.forEachChild(node, visit);
    };
    visit(value);
  }
}
