import { ts } from "ts-morph";
import {
  memberName,
  memberValue,
  visitAll,
  withoutWrappers,
  type MigrationContext,
} from "./context.js";
import { migrateOptions } from "./options.js";

/** `google.drive({ version: "v3", auth })` → `createDrive({ auth })`. */
export function migrateClients(context: MigrationContext): void {
  const shared = migrateGlobalOptions(context);
  visitAll(context.file, (node) => {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
    const value = context.valueOf(node);
    if (value?.kind !== "client" || !isFactory(context, node.expression))
      return;
    migrateClient(context, node, value.name, value.version, shared);
  });
}

/** Tests whether a function is imported from googleapis. */
function isFactory(context: MigrationContext, node: ts.Expression): boolean {
  const declaration =
    context.checker.getTypeAtLocation(node).symbol?.declarations?.[0];
  return (
    declaration?.getSourceFile().fileName.endsWith("/googleapis.d.ts") === true
  );
}

function migrateClient(
  context: MigrationContext,
  node: ts.CallExpression | ts.NewExpression,
  name: string,
  version: string,
  shared: string | undefined,
): void {
  const { editor, settings } = context;
  if (version === "" || !/^[\w.-]+$/.test(version)) {
    editor.todo(node, "the version of the API must be a literal");
    return;
  }
  handle(context, node.expression);
  const api = settings.findApi(name, version);
  const create = context.importGenerated(api, `create${api.title}`);
  editor.edit(node.getStart(), node.expression.end, create);
  const [argument] = node.arguments ?? [];
  if (argument === undefined) return;
  if (ts.isStringLiteralLike(argument)) {
    editor.replace(argument, shared ?? "");
    return;
  }
  const literal = context.literalOf(argument);
  if (literal === undefined) {
    editor.todo(argument, "remove version from the options of the client");
    return;
  }
  for (const member of literal.properties)
    if (memberName(member) === "auth") migrateKey(context, member);
  migrateOptions(context, literal, "parameters");
  if (shared !== undefined && literal === argument)
    editor.edit(
      literal.getStart() + 1,
      literal.getStart() + 1,
      ` ...${shared},`,
    );
}

/** A string as `auth` is an API key: `auth: "AIza…"` → `apiKey: "AIza…"`. */
export function migrateKey(
  context: MigrationContext,
  member: ts.ObjectLiteralElementLike,
): void {
  const value = memberValue(member);
  if (value === undefined || !isString(context, value)) return;
  if (ts.isPropertyAssignment(member))
    context.editor.replace(member.name, "apiKey");
  else context.editor.replace(member, `apiKey: ${value.getText()}`);
}

/** Tests whether an expression is a string, or a variable of the environment. */
function isString(context: MigrationContext, node: ts.Expression): boolean {
  const plain = withoutWrappers(node);
  if (/^process\.env\b/.test(plain.getText())) return true;
  if (ts.isIdentifier(plain)) {
    const declaration = context.declarationOf(plain);
    if (
      declaration !== undefined &&
      ts.isVariableDeclaration(declaration) &&
      declaration.initializer !== undefined &&
      /^process\.env\b/.test(declaration.initializer.getText())
    )
      return true;
  }
  const type = context.checker.getTypeAtLocation(plain);
  return (type.flags & ts.TypeFlags.StringLike) !== 0;
}

/**
 * `google.options({ … })` at the top level of a file → an object that the clients
 * of this file receive. Returns its name.
 */
function migrateGlobalOptions(context: MigrationContext): string | undefined {
  const { editor } = context;
  let shared: string | undefined;
  visitAll(context.file, (node) => {
    if (
      !ts.isCallExpression(node) ||
      !ts.isPropertyAccessExpression(node.expression) ||
      node.expression.name.text !== "options" ||
      !isFactory(context, node.expression)
    )
      return;
    const literal = node.arguments[0];
    const { parent } = node;
    if (
      shared === undefined &&
      literal !== undefined &&
      ts.isObjectLiteralExpression(literal) &&
      ts.isExpressionStatement(parent) &&
      parent.parent === context.file &&
      createsNoClientBefore(context, parent)
    ) {
      shared = "googleOptions";
      handle(context, node.expression);
      for (const member of literal.properties)
        if (memberName(member) === "auth") migrateKey(context, member);
      migrateOptions(context, literal, "parameters");
      editor.edit(parent.getStart(), literal.getStart(), `const ${shared} = `);
      editor.edit(literal.end, node.end, "");
    } else
      editor.todo(
        node,
        "there are no global options: pass them to each client, or use client.with()",
      );
  });
  return shared;
}

function createsNoClientBefore(
  context: MigrationContext,
  statement: ts.Statement,
): boolean {
  let isFirst = true;
  visitAll(context.file, (node) => {
    if (
      ts.isCallExpression(node) &&
      node.end < statement.pos &&
      context.valueOf(node)?.kind === "client" &&
      isFactory(context, node.expression)
    )
      isFirst = false;
  });
  return isFirst;
}

/** Marks the import at the beginning of an expression as replaced. */
export function handle(context: MigrationContext, node: ts.Node): void {
  visitAll(node, (one) => {
    if (ts.isIdentifier(one)) context.handled.add(one);
  });
}
