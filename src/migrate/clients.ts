import { ts } from "ts-morph";
import type { MigrationContext } from "./context.js";
import {
  memberName,
  memberValue,
  visitAll,
  withoutWrappers,
} from "./syntax.js";
import { migrateOptions } from "./options.js";

/** `google.drive({ version: "v3", auth })` → `createDrive({ auth })`. */
export function migrateClients(context: MigrationContext): void {
  const clients: ts.Expression[] = [];
  visitAll(context.file, (node) => {
    if (
      (ts.isCallExpression(node) || ts.isNewExpression(node)) &&
      context.valueOf(node)?.kind === "client" &&
      isFactory(context, node.expression)
    )
      clients.push(node);
  });
  const shared = migrateGlobalOptions(context, clients);
  for (const node of clients) {
    const { name, version } = context.valueOf(node)!;
    const call = node as ts.CallExpression | ts.NewExpression;
    migrateClient(context, call, name, version, shared.get(node));
  }
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
  const { kept } = migrateOptions(context, literal, "parameters");
  if (shared === undefined && literal === argument && kept === 0)
    editor.replace(literal, "");
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
export function isString(
  context: MigrationContext,
  node: ts.Expression,
): boolean {
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
 * `google.options({ … })` → an object that the clients created after it receive, and
 * `client = client.with(…)` for clients of the file that exist already. Returns the
 * name of the object, keyed by client.
 */
function migrateGlobalOptions(
  context: MigrationContext,
  clients: readonly ts.Expression[],
): ReadonlyMap<ts.Expression, string> {
  const { editor } = context;
  const shared = new Map<ts.Expression, string>();
  visitAll(context.file, (node) => {
    if (
      !ts.isCallExpression(node) ||
      !ts.isPropertyAccessExpression(node.expression) ||
      node.expression.name.text !== "options" ||
      !isFactory(context, node.expression)
    )
      return;
    const plan = planOptions(context, node, clients);
    if (plan === undefined || shared.size > 0) {
      editor.todo(
        node,
        "there are no global options: pass them to each client, or use client.with()",
      );
      return;
    }
    const { literal, created, existing } = plan;
    context.todoOtherFiles(node, "googleapis");
    handle(context, node.expression);
    for (const member of literal.properties)
      if (memberName(member) === "auth") migrateKey(context, member);
    migrateOptions(context, literal, "parameters");
    for (const client of created) shared.set(client, SHARED);
    const [only, ...others] = existing;
    if (only !== undefined && others.length === 0 && created.length === 0) {
      editor.edit(
        node.getStart(),
        literal.getStart(),
        `${only.text} = ${only.text}.with(`,
      );
      return;
    }
    editor.edit(node.getStart(), literal.getStart(), `const ${SHARED} = `);
    const rest = existing.map(
      ({ text }) => `; ${text} = ${text}.with(${SHARED})`,
    );
    editor.edit(literal.end, node.end, rest.join(""));
  });
  return shared;
}

/** Name of the object that replaces `google.options`. */
const SHARED = "googleOptions";

interface OptionsPlan {
  readonly literal: ts.ObjectLiteralExpression;
  /** Clients that are created after the call, where its object is visible. */
  readonly created: readonly ts.Expression[];
  /** Variables of clients that exist already. */
  readonly existing: readonly ts.Identifier[];
}

function planOptions(
  context: MigrationContext,
  call: ts.CallExpression,
  clients: readonly ts.Expression[],
): OptionsPlan | undefined {
  const [literal] = call.arguments;
  const statement = call.parent;
  if (
    literal === undefined ||
    !ts.isObjectLiteralExpression(literal) ||
    !ts.isExpressionStatement(statement) ||
    clients.length === 0
  )
    return undefined;
  const block = statement.parent;
  const created: ts.Expression[] = [];
  const existing: ts.Identifier[] = [];
  for (const client of clients) {
    const variable = fileVariable(context, client);
    if (client.pos >= statement.end && client.end <= block.end)
      created.push(client);
    else if (variable !== undefined && isLiteralOptions(context, client))
      existing.push(variable);
    else return undefined;
  }
  for (const name of existing) assignable(context, name);
  return { literal, created, existing };
}

/** Returns the variable of a file that contains a client from the start. */
function fileVariable(
  context: MigrationContext,
  client: ts.Expression,
): ts.Identifier | undefined {
  const { parent } = client;
  return ts.isVariableDeclaration(parent) &&
    ts.isIdentifier(parent.name) &&
    parent.type === undefined &&
    ts.isVariableDeclarationList(parent.parent) &&
    parent.parent.declarations.length === 1 &&
    parent.parent.parent.parent === context.file
    ? parent.name
    : undefined;
}

/** Tests whether the options of a client are known. */
function isLiteralOptions(
  context: MigrationContext,
  client: ts.Expression,
): boolean {
  const [argument] = (client as ts.CallExpression).arguments ?? [];
  return (
    argument === undefined ||
    ts.isStringLiteralLike(argument) ||
    context.literalOf(argument) !== undefined
  );
}

/** `const` → `let` */
function assignable({ editor }: MigrationContext, name: ts.Identifier): void {
  const list = name.parent.parent as ts.VariableDeclarationList;
  if ((list.flags & ts.NodeFlags.Const) !== 0)
    editor.edit(list.getStart(), list.getStart() + "const".length, "let");
}

/** Marks the import at the beginning of an expression as replaced. */
export function handle(context: MigrationContext, node: ts.Node): void {
  visitAll(node, (one) => {
    if (ts.isIdentifier(one)) context.handled.add(one);
  });
}
