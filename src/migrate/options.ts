import { ts } from "ts-morph";
import { memberName, memberValue, type MigrationContext } from "./context.js";

/** Options that have the same name and meaning. */
const SAME = new Set([
  "headers",
  "timeout",
  "signal",
  "rootUrl",
  "auth",
  "universeDomain",
]);

/**
 * Migrates the members of an object with options of a client or call.
 * @param parameters name of the option for query parameters
 * @returns the value of `responseType`, and the members that stay
 */
export function migrateOptions(
  context: MigrationContext,
  literal: ts.ObjectLiteralExpression,
  parameters: "query" | "parameters",
): { readonly responseType?: string; readonly kept: number } {
  const { editor } = context;
  const removed: ts.ObjectLiteralElementLike[] = [];
  let responseType: string | undefined;
  for (const member of literal.properties) {
    const name = memberName(member);
    const value = memberValue(member);
    if (name === undefined || value === undefined || SAME.has(name)) continue;
    if (name === "version" && parameters === "parameters") removed.push(member);
    else if (name === "responseType") {
      responseType = ts.isStringLiteralLike(value) ? value.text : "unknown";
      removed.push(member);
    } else if (name === "params")
      editor.replace(
        member,
        (print) => `${parameters}: ${print(value.getStart(), value.end)}`,
      );
    else if (name === "retry") {
      if (value.kind === ts.SyntaxKind.FalseKeyword) continue;
      removed.push(member);
    } else if (name === "retryConfig") migrateRetry(context, member, value);
    else if (name === "onUploadProgress")
      migrateProgress(context, member, value);
    else editor.todo(member, `the option ${name} has no counterpart`);
  }
  editor.removeFrom(literal.properties, removed);
  return {
    ...(responseType === undefined ? {} : { responseType }),
    kept: literal.properties.length - removed.length,
  };
}

/** `retryConfig: { retry: 5, retryDelay: 200 }` → `retry: { attempts: 6, delay: 200 }`. */
function migrateRetry(
  context: MigrationContext,
  member: ts.ObjectLiteralElementLike,
  value: ts.Expression,
): void {
  const { editor } = context;
  const parts = ts.isObjectLiteralExpression(value) ? value.properties : [];
  const printed: string[] = [];
  for (const part of parts) {
    const name = memberName(part);
    const text = memberValue(part)?.getText();
    if (name === "retry" && text !== undefined)
      printed.push(
        `attempts: ${/^\d+$/.test(text) ? Number(text) + 1 : `${text} + 1`}`,
      );
    else if (name === "retryDelay") printed.push(`delay: ${text}`);
    else if (name === "maxRetryDelay") printed.push(`maxDelay: ${text}`);
    else if (name === "totalTimeout") printed.push(`budget: ${text}`);
    else
      editor.todo(
        part,
        `the retry option ${name ?? ""} is set in another form: see RetryOptions`,
      );
  }
  editor.replace(member, `retry: { ${printed.join(", ")} }`);
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
