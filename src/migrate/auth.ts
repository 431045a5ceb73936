// This file is longer than 400 lines, because each class of credentials has its own
// forms of settings, which share the names of imports.

import path from "node:path";
import { ts } from "ts-morph";
import { handle } from "./clients.js";
import { isGoogleModule } from "./google-declarations.js";
import type { MigrationContext } from "./context.js";
import { memberName, memberNamed, memberValue, visitAll } from "./syntax.js";

/** Classes of google-auth-library, by their name in `google.auth`. */
const CLASSES = new Map([
  ["GoogleAuth", "GoogleAuth"],
  ["JWT", "JWT"],
  ["OAuth2", "OAuth2Client"],
  ["OAuth2Client", "OAuth2Client"],
  ["Compute", "Compute"],
  ["Impersonated", "Impersonated"],
  ["UserRefreshClient", "UserRefreshClient"],
]);

/** Migrates credentials: to those of `runtime/auth`, else to google-auth-library. */
export function migrateAuth(context: MigrationContext): void {
  visitAll(context.file, (node) => {
    if (ts.isNewExpression(node)) {
      const name = authClass(context, node.expression);
      if (name !== undefined) migrateCredentials(context, node, name);
    } else if (ts.isTypeReferenceNode(node)) migrateAuthType(context, node);
    else if (ts.isTypeQueryNode(node)) {
      const name = /\bauth\.(\w+)$/.exec(node.exprName.getText())?.[1];
      const library = name === undefined ? undefined : CLASSES.get(name);
      if (library === undefined) return;
      handle(context, node.exprName);
      context.editor.replace(node.exprName, library);
      context.editor.import("google-auth-library", `type ${library}`);
    } else if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      isGoogleAuth(context, node.expression.expression)
    )
      migrateAuthCall(context, node, node.expression);
  });
}

/** `Auth.Credentials` → `Credentials` of google-auth-library. */
function migrateAuthType(
  context: MigrationContext,
  node: ts.TypeReferenceNode,
): void {
  const { typeName } = node;
  if (
    !ts.isQualifiedName(typeName) ||
    !ts.isIdentifier(typeName.left) ||
    typeName.left.text !== "Auth" ||
    !isImported(context, typeName.left)
  )
    return;
  const { text } = typeName.right;
  handle(context, typeName);
  const library = CLASSES.get(text) ?? text;
  context.editor.replace(typeName, library);
  context.editor.import("google-auth-library", `type ${library}`);
}

/** Tests whether an expression is `google.auth`, or `auth` of a package. */
function isGoogleAuth(context: MigrationContext, node: ts.Expression): boolean {
  if (ts.isIdentifier(node))
    return node.text === "auth" && isImported(context, node);
  return (
    ts.isPropertyAccessExpression(node) &&
    node.name.text === "auth" &&
    ts.isIdentifier(node.expression) &&
    isImported(context, node.expression)
  );
}

/** `google.auth.fromJSON(key)` → `keyFile(key)`; other methods are those of google-auth-library. */
function migrateAuthCall(
  context: MigrationContext,
  call: ts.CallExpression,
  { name, expression }: ts.PropertyAccessExpression,
): void {
  const { editor } = context;
  const [argument, ...others] = call.arguments;
  handle(context, call.expression);
  if (
    name.text === "fromJSON" &&
    argument !== undefined &&
    others.length === 0 &&
    !context.settings.keepAuth
  )
    editor.replace(call.expression, importAuth(context, "keyFile"));
  else if (name.text === "getClient" && argument !== undefined) {
    const library = editor.import("google-auth-library", "GoogleAuth");
    editor.edit(call.getStart(), argument.getStart(), `new ${library}(`);
    editor.edit(argument.end, call.end, ").getClient()");
  } else {
    editor.import("google-auth-library", "auth as googleAuth");
    editor.replace(expression, "googleAuth");
  }
}

/** Returns the name of a class of `google.auth`. */
function authClass(
  context: MigrationContext,
  node: ts.Expression,
): string | undefined {
  // `const { OAuth2 } = google.auth`
  if (ts.isIdentifier(node)) {
    const declared = context.declarationOf(node);
    if (
      declared === undefined ||
      !ts.isBindingElement(declared) ||
      !isImported(context, node)
    )
      return undefined;
    const { text } = (declared.propertyName ?? declared.name) as ts.Identifier;
    return CLASSES.has(text) ? text : undefined;
  }
  if (!ts.isPropertyAccessExpression(node) || !CLASSES.has(node.name.text))
    return undefined;
  const { expression } = node;
  const root =
    ts.isPropertyAccessExpression(expression) && expression.name.text === "auth"
      ? expression.expression
      : expression;
  return ts.isIdentifier(root) && isImported(context, root)
    ? node.name.text
    : undefined;
}

/** Tests whether a name is imported from googleapis. */
function isImported(context: MigrationContext, node: ts.Identifier): boolean {
  const declared = context.declarationOf(node);
  const statement = declared && importOf(declared);
  return (
    statement !== undefined &&
    isGoogleModule(importedModule(context, statement))
  );
}

/**
 * Returns the module of an import, of `const … = require("…")` and `await import("…")`, and
 * of `const { OAuth2 } = google.auth`.
 */
export function importedModule(
  context: MigrationContext,
  node: ts.Node,
): string {
  if (ts.isImportDeclaration(node))
    return (node.moduleSpecifier as ts.StringLiteral).text;
  const value = ts.isVariableDeclaration(node) ? node.initializer : undefined;
  if (value === undefined) return "";
  const [, name] =
    /^(?:\(?await import|require)\(\s*["']([^"']+)["']\s*\)/.exec(
      value.getText(),
    ) ?? [];
  if (name !== undefined) return name;
  const root =
    ts.isPropertyAccessExpression(value) && value.name.text === "auth"
      ? value.expression
      : value;
  const declared = ts.isIdentifier(root) && context.declarationOf(root);
  const statement =
    declared && declared !== node ? importOf(declared) : undefined;
  return statement === undefined ? "" : importedModule(context, statement);
}

/** Returns the import, or the variable, that declares a name. */
function importOf(declaration: ts.Declaration): ts.Node | undefined {
  return ts.findAncestor(
    declaration,
    (one) => ts.isImportDeclaration(one) || ts.isVariableDeclaration(one),
  );
}

function migrateCredentials(
  context: MigrationContext,
  node: ts.NewExpression,
  name: string,
): void {
  const { editor } = context;
  handle(context, node.expression);
  if (!context.settings.keepAuth && migrateToRuntime(context, node, name))
    return;
  const library = CLASSES.get(name)!;
  editor.import("google-auth-library", library);
  editor.replace(node.expression, library);
}

/** Returns true if credentials of `runtime/auth` replace those of googleapis. */
function migrateToRuntime(
  context: MigrationContext,
  node: ts.NewExpression,
  name: string,
): boolean {
  const use = variableUse(context, node);
  if (use === undefined) return false;
  if (name === "GoogleAuth") return migrateGoogleAuth(context, node, use);
  if (name === "JWT")
    return use.calls.length === 0 && migrateJwt(context, node);
  return name === "OAuth2" && migrateOAuth2(context, node, use);
}

/** Calls of methods of the variable that contains credentials. */
interface VariableUse {
  readonly calls: readonly ts.CallExpression[];
}

/**
 * Returns the calls of a variable's methods. Undefined if the value has other uses than
 * as `auth`.
 */
function variableUse(
  context: MigrationContext,
  node: ts.NewExpression,
): VariableUse | undefined {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) && memberName(parent) === "auth")
    return { calls: [] };
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name))
    return undefined;
  const { name } = parent;
  const calls: ts.CallExpression[] = [];
  for (const one of context.referencesOf(name)) {
    if (one === name) continue;
    const use = one.parent;
    if (ts.isShorthandPropertyAssignment(use) && use.name.text === "auth")
      continue;
    if (ts.isPropertyAssignment(use) && memberName(use) === "auth") continue;
    if (
      ts.isPropertyAccessExpression(use) &&
      ts.isCallExpression(use.parent) &&
      use.parent.expression === use
    )
      calls.push(use.parent);
    else return undefined;
  }
  return { calls };
}

function calledMethod(call: ts.CallExpression): string {
  return (call.expression as ts.PropertyAccessExpression).name.text;
}

function importAuth(
  context: MigrationContext,
  name: string,
  file = "index",
): string {
  const { runtime, suffix } = context.settings.runtime();
  return context.editor.import(
    context.modulePath(path.join(runtime, "auth", `${file}${suffix}`)),
    name,
  );
}

function migrateGoogleAuth(
  context: MigrationContext,
  node: ts.NewExpression,
  { calls }: VariableUse,
): boolean {
  const { editor } = context;
  const [argument] = node.arguments ?? [];
  const literal =
    argument && ts.isObjectLiteralExpression(argument) ? argument : undefined;
  if (argument !== undefined && literal === undefined) return false;
  const values = new Map<string, string>();
  for (const member of literal?.properties ?? []) {
    const key = memberName(member);
    const value = memberValue(member);
    if (key === undefined || value === undefined) return false;
    values.set(
      key,
      key === "scopes" ? scopeList(context, value) : value.getText(),
    );
  }
  const known = ["scopes", "keyFile", "keyFilename", "credentials"];
  if ([...values.keys()].some((key) => !known.includes(key))) return false;
  // `await auth.getClient()` is the same credentials.
  for (const call of calls)
    if (
      calledMethod(call) !== "getClient" ||
      !ts.isAwaitExpression(call.parent)
    )
      return false;
  for (const call of calls)
    editor.replace(
      call.parent,
      (call.expression as ts.PropertyAccessExpression).expression.getText(),
    );
  const scopes = values.get("scopes");
  const options =
    scopes === undefined
      ? ""
      : scopes === "scopes"
        ? "{ scopes }"
        : `{ scopes: ${scopes} }`;
  const file = values.get("keyFile") ?? values.get("keyFilename");
  const key = values.get("credentials");
  if (file === undefined && key === undefined)
    editor.replace(
      node,
      `${importAuth(context, "applicationDefault", "node")}(${options})`,
    );
  else {
    const credentials = memberNamed(literal, "credentials");
    const literalKey = credentials && memberValue(credentials);
    const isKey =
      literalKey !== undefined &&
      ts.isObjectLiteralExpression(literalKey) &&
      literalKey.properties.every((one) => memberName(one) !== undefined) &&
      memberNamed(literalKey, "type") === undefined;
    const parsed =
      key ??
      `JSON.parse(${editor.import("node:fs", "readFileSync")}(${file!}, "utf8"))`;
    editor.replace(
      node,
      `${importAuth(context, isKey ? "serviceAccount" : "keyFile")}(${[parsed, options].filter((one) => one !== "").join(", ")})`,
    );
  }
  return true;
}

/** A scope without an array becomes one: `SCOPE` → `[SCOPE]`. */
function scopeList(context: MigrationContext, value: ts.Expression): string {
  const type = context.checker.getTypeAtLocation(value);
  return (type.flags & ts.TypeFlags.StringLike) !== 0
    ? `[${value.getText()}]`
    : value.getText();
}

function migrateJwt(
  context: MigrationContext,
  node: ts.NewExpression,
): boolean {
  const values = jwtValues(context, node.arguments ?? []);
  if (values === undefined) return false;
  const { email, key, keyFile, scopes, subject } = values;
  const options = [
    ...(scopes === undefined ? [] : [`scopes: ${scopes}`]),
    ...(subject === undefined ? [] : [`subject: ${subject}`]),
  ];
  let credentials: string;
  if (keyFile !== undefined)
    credentials = `JSON.parse(${context.editor.import("node:fs", "readFileSync")}(${keyFile}, "utf8"))`;
  else if (email !== undefined && key !== undefined)
    credentials = `{ client_email: ${email}, private_key: ${key} }`;
  else return false;
  context.editor.replace(
    node,
    `${importAuth(context, "serviceAccount")}(${credentials}${options.length === 0 ? "" : `, { ${options.join(", ")} }`})`,
  );
  return true;
}

const JWT_NAMES = ["email", "keyFile", "key", "scopes", "subject"];

/** Returns the settings of a JWT: an object, or a list of arguments. */
function jwtValues(
  context: MigrationContext,
  list: readonly ts.Expression[],
): Readonly<Record<string, string | undefined>> | undefined {
  const values: Record<string, string> = {};
  const [first] = list;
  if (first !== undefined && ts.isObjectLiteralExpression(first)) {
    for (const member of first.properties) {
      const name = memberName(member);
      const value = memberValue(member);
      if (
        name === undefined ||
        value === undefined ||
        !JWT_NAMES.includes(name)
      )
        return undefined;
      values[name] =
        name === "scopes" ? scopeList(context, value) : value.getText();
    }
    return values;
  }
  for (const [index, one] of list.entries()) {
    const name = JWT_NAMES[index];
    if (name === undefined) return undefined;
    const text = one.getText();
    const isMissing = text === "null" || text === "undefined";
    if (name === "scopes" && !isMissing) values[name] = scopeList(context, one);
    else if (!isMissing) values[name] = text;
  }
  return values;
}

/** `new OAuth2(…)` and `setCredentials({ refresh_token })` → `refreshToken({ … })`. */
function migrateOAuth2(
  context: MigrationContext,
  node: ts.NewExpression,
  { calls }: VariableUse,
): boolean {
  const { editor } = context;
  const [set, ...others] = calls;
  const [id, secret] = node.arguments ?? [];
  if (
    set === undefined ||
    others.length > 0 ||
    calledMethod(set) !== "setCredentials" ||
    !ts.isExpressionStatement(set.parent) ||
    set.parent.parent !== ts.findAncestor(node, ts.isStatement)?.parent ||
    id === undefined ||
    secret === undefined
  )
    return false;
  const [argument] = set.arguments;
  if (argument === undefined || !ts.isObjectLiteralExpression(argument))
    return false;
  const [member, ...more] = argument.properties;
  if (
    member === undefined ||
    more.length > 0 ||
    memberName(member) !== "refresh_token"
  )
    return false;
  const token = memberValue(member)!.getText();
  const name = importAuth(context, "refreshToken");
  editor.replace(
    node,
    `${name}({ clientId: ${id.getText()}, clientSecret: ${secret.getText()}, refreshToken: ${token} })`,
  );
  const { text } = context.file;
  const rest = /^[ \t]*\r?\n[ \t]*/.exec(text.slice(set.parent.end));
  editor.edit(
    set.parent.getStart(),
    set.parent.end + (rest?.[0].length ?? 0),
    "",
  );
  return true;
}
