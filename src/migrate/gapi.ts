// This file is longer than 400 lines because a file with gapi is migrated completely or
// not at all, so all forms of gapi are decided together.
import { ts } from "ts-morph";
import { DECLARED_GAPI } from "./open-program.js";
import type { MigrationContext } from "./context.js";
import { memberName, memberNamed, memberValue, visitAll } from "./syntax.js";

/** Variable of the token that `gapi.client.setToken` sets. */
const TOKEN = "googleToken";

/** Clients of a file that replace `gapi.client.drive`: local names. */
type Clients = ReadonlyMap<string, string>;

/**
 * `gapi.client.drive.files.list(…)` → `drive.files.list(…)` of a client that the file
 * creates. `gapi.client.init` and `setApiKey` set its API key, `setToken` and Google
 * Identity Services its token. Returns false if the file stays as it is, because it
 * has other uses of gapi.
 */
export function migrateGapi(context: MigrationContext): boolean {
  const { file, editor } = context;
  const uses: ts.PropertyAccessExpression[] = [];
  const loads: ts.CallExpression[] = [];
  let isLeft = false;
  visitAll(file, (node) => {
    if (!ts.isIdentifier(node) || node.text !== "gapi") return;
    const { parent } = node;
    if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node)
      return;
    if (isGapiClient(parent) && isKnown(context, parent)) uses.push(parent);
    else if (ts.isCallExpression(parent.parent) && isLoad(parent.parent))
      loads.push(parent.parent);
    else {
      isLeft = true;
      const { length } = parent.parent.getText();
      const text = (length > 60 ? parent : parent.parent).getText();
      editor.todo(
        node,
        `${text} has no counterpart, so the file stays as it is`,
      );
    }
  });
  if (isLeft) return false;
  if (uses.length === 0) return true;
  const clients = createClients(context, uses);
  const hasToken =
    migrateTokens(context) || /\bclient\.[gs]etToken\b/.test(file.text);
  declareClients(context, clients, hasToken);
  for (const use of uses) migrateUse(context, use, clients);
  for (const call of loads) migrateLoad(context, call);
  for (const match of editor.text.matchAll(DECLARED_GAPI)) {
    editor.edit(match.index, match.index + match[0].length, "");
    editor.todo(
      uses[0]!,
      "gapi had no types; the values of this client have types",
    );
  }
  return true;
}

/** Functions of `gapi.client` that have a counterpart. */
const FUNCTIONS = new Set([
  "init",
  "load",
  "setApiKey",
  "setToken",
  "getToken",
]);

/** Tests whether a use of `gapi.client` can be migrated. */
function isKnown(
  context: MigrationContext,
  use: ts.PropertyAccessExpression,
): boolean {
  const { parent } = use;
  if (!ts.isPropertyAccessExpression(parent)) return false;
  if (apiOf(context, use) !== undefined) return true;
  const call = parent.parent;
  const { text } = parent.name;
  if (
    !FUNCTIONS.has(text) ||
    !ts.isCallExpression(call) ||
    call.expression !== parent
  )
    return false;
  const [argument] = call.arguments;
  if (text === "init") {
    const literal = context.literalOf(argument);
    return (
      argument === undefined ||
      (literal !== undefined &&
        literal.properties.every((one) => memberValue(one) !== undefined))
    );
  }
  return text !== "setApiKey" || argument !== undefined;
}

/** Tests whether a call is `gapi.load("client", start)`. */
function isLoad({ expression, arguments: list }: ts.CallExpression): boolean {
  const [names, callback] = list;
  return (
    ts.isPropertyAccessExpression(expression) &&
    expression.name.text === "load" &&
    names !== undefined &&
    ts.isStringLiteralLike(names) &&
    names.text === "client" &&
    callback !== undefined &&
    !ts.isObjectLiteralExpression(callback)
  );
}

/** Tests whether a node is `gapi.client`. */
function isGapiClient(node: ts.Node): node is ts.PropertyAccessExpression {
  return (
    ts.isPropertyAccessExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === "gapi" &&
    node.name.text === "client"
  );
}

/** Tests whether a call is that of a method below `gapi.client`. */
export function isGapiCall({ expression }: ts.CallExpression): boolean {
  return /^gapi\.client\b/.test(expression.getText());
}

/** Returns the API of `gapi.client.drive`, if its version is known. */
function apiOf(context: MigrationContext, use: ts.PropertyAccessExpression) {
  const { parent } = use;
  const value = ts.isPropertyAccessExpression(parent)
    ? context.valueOf(parent)
    : undefined;
  return value?.kind === "client"
    ? context.settings.findApi(value.name, value.version)
    : undefined;
}

function createClients(
  context: MigrationContext,
  uses: readonly ts.PropertyAccessExpression[],
): Clients {
  const clients = new Map<string, string>();
  for (const use of uses) {
    const api = apiOf(context, use);
    if (api === undefined || clients.has(api.id)) continue;
    const [name] = api.id.split(":");
    clients.set(api.id, context.declares(name!) ? `${name}Client` : name!);
  }
  return clients;
}

function declareClients(
  context: MigrationContext,
  clients: Clients,
  hasToken: boolean,
): void {
  const isTypeScript = /\.[cm]?tsx?$/.test(context.file.fileName);
  const { editor } = context;
  const declared = [...clients].map(([id, local]) => {
    const [name, version] = id.split(":");
    const api = context.settings.findApi(name!, version!);
    const create = context.importGenerated(api, `create${api.title}`);
    const options = hasToken ? `{ auth: () => ${TOKEN}?.access_token }` : "";
    return `let ${local} = ${create}(${options});`;
  });
  if (declared.length === 0) return;
  if (hasToken)
    editor.declare(
      isTypeScript
        ? `let ${TOKEN}: { readonly access_token: string } | null = null;`
        : `let ${TOKEN} = null;`,
    );
  for (const one of declared) editor.declare(one);
}

/** Migrates one use of `gapi.client`. */
function migrateUse(
  context: MigrationContext,
  use: ts.PropertyAccessExpression,
  clients: Clients,
): void {
  const { editor } = context;
  const access = use.parent as ts.PropertyAccessExpression;
  const api = apiOf(context, use);
  if (api !== undefined) {
    editor.replace(access, clients.get(api.id)!);
    return;
  }
  const call = access.parent as ts.CallExpression;
  const [argument] = call.arguments;
  const text = argument?.getText() ?? "";
  const callback = call.arguments[2] ?? loadCallback(context, call);
  if (access.name.text === "init") {
    context.todoOtherFiles(call, "gapi");
    migrateInit(context, call, clients);
  } else if (access.name.text === "load")
    replaceLoaded(context, call, callback, "");
  else if (access.name.text === "setApiKey")
    editor.replace(call, assignments(clients, `apiKey: ${text}`));
  else if (access.name.text === "setToken")
    editor.replace(
      call,
      `${TOKEN} = ${/^(?:""|'')?$/.test(text) ? "null" : text}`,
    );
  else editor.replace(call, TOKEN);
}

/** Returns the callback of `gapi.client.load(url, callback)`. */
function loadCallback(
  context: MigrationContext,
  { arguments: [, second] }: ts.CallExpression,
): ts.Expression | undefined {
  return second !== undefined &&
    context.checker.getTypeAtLocation(second).getCallSignatures().length > 0
    ? second
    : undefined;
}

/** `gapi.client.init({ apiKey, discoveryDocs })` → `drive = drive.with({ apiKey })` */
function migrateInit(
  context: MigrationContext,
  call: ts.CallExpression,
  clients: Clients,
): void {
  let key: string | undefined;
  for (const member of context.literalOf(call.arguments[0])?.properties ?? []) {
    const name = memberName(member);
    if (name === "apiKey") key = memberValue(member)!.getText();
    else if (name !== "discoveryDocs")
      context.editor.todo(
        member,
        `sign in with Google Identity Services instead of ${name ?? "this option"} of gapi.client.init`,
      );
  }
  const text = key === undefined ? "" : assignments(clients, `apiKey: ${key}`);
  replaceLoaded(context, call, undefined, text);
}

/** Replaces a call that returned a promise by a text that does not. */
function replaceLoaded(
  { editor, file }: MigrationContext,
  call: ts.CallExpression,
  callback: ts.Expression | undefined,
  text: string,
): void {
  const { parent } = call;
  const awaited = ts.isAwaitExpression(parent) ? parent : call;
  if (callback === undefined && ts.isExpressionStatement(awaited.parent)) {
    if (text !== "") editor.replace(awaited, text);
    else {
      const rest = /^[ \t]*\r?\n[ \t]*/.exec(
        file.text.slice(awaited.parent.end),
      );
      editor.edit(
        awaited.parent.getStart(),
        awaited.parent.end + (rest?.[0].length ?? 0),
        "",
      );
    }
    return;
  }
  editor.replace(call, (print) => {
    const next =
      callback === undefined
        ? ""
        : `.then(${print(callback.getStart(), callback.end)})`;
    return `Promise.resolve(${text})${next}`;
  });
}

function assignments(clients: Clients, options: string): string {
  return [...clients.values()]
    .map((local) => `${local} = ${local}.with({ ${options} })`)
    .join(", ");
}

/** `gapi.load("client", start)` → `Promise.resolve().then(start)` */
function migrateLoad(
  { editor }: MigrationContext,
  call: ts.CallExpression,
): void {
  const callback = call.arguments[1]!;
  const start = ts.isExpressionStatement(call.parent) ? "void " : "";
  editor.edit(
    call.getStart(),
    callback.getStart(),
    `${start}Promise.resolve().then(`,
  );
  editor.edit(callback.end, call.end, ")");
}

/**
 * Stores the token that Google Identity Services pass to a callback: they set the
 * token of gapi too. Returns true if the file has such a callback.
 */
function migrateTokens(context: MigrationContext): boolean {
  let isFound = false;
  visitAll(context.file, (node) => {
    const callback = tokenCallback(context, node);
    if (callback === undefined) return;
    isFound = true;
    storeToken(context, callback);
  });
  return isFound;
}

/** Returns the callback of `initTokenClient({ callback })` or `client.callback = …`. */
function tokenCallback(
  context: MigrationContext,
  node: ts.Node,
): ts.Expression | undefined {
  if (
    ts.isCallExpression(node) &&
    /\boauth2\.initTokenClient$/.test(node.expression.getText())
  ) {
    const options = context.literalOf(node.arguments[0]);
    const member = memberNamed(options, "callback");
    const value = member && memberValue(member);
    return value === undefined || ts.isStringLiteral(value) ? undefined : value;
  }
  return ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    node.left.getText().endsWith(".callback") &&
    /initTokenClient/.test(context.file.text)
    ? node.right
    : undefined;
}

function storeToken(context: MigrationContext, callback: ts.Expression): void {
  const { editor } = context;
  const isFunction =
    ts.isArrowFunction(callback) || ts.isFunctionExpression(callback);
  const parameter = isFunction ? callback.parameters[0]?.name : undefined;
  if (
    isFunction &&
    ts.isBlock(callback.body) &&
    parameter !== undefined &&
    ts.isIdentifier(parameter)
  ) {
    const [first] = callback.body.statements;
    const at = first?.getStart() ?? callback.body.getStart() + 1;
    const { line } = context.file.getLineAndCharacterOfPosition(at);
    const start = context.file.getPositionOfLineAndCharacter(line, 0);
    const indent = /^[ \t]*/.exec(context.file.text.slice(start))![0];
    editor.edit(at, at, `${TOKEN} = ${parameter.text};\n${indent}`);
    return;
  }
  editor.edit(
    callback.getStart(),
    callback.getStart(),
    `(response) => { ${TOKEN} = response; return (`,
  );
  editor.edit(callback.end, callback.end, ")(response); }");
}

/** `files.create(parameters, body)` → `files.create({ …, requestBody: body })` */
export function migrateBody(
  { editor }: MigrationContext,
  call: ts.CallExpression,
): void {
  const [parameters, body] = call.arguments;
  if (parameters === undefined || body === undefined) return;
  const literal = ts.isObjectLiteralExpression(parameters);
  const isEmpty = literal && parameters.properties.length === 0;
  if (literal)
    editor.edit(
      parameters.getStart() + 1,
      parameters.getStart() + 1,
      ` requestBody: ${body.getText()}${isEmpty ? " " : ","}`,
    );
  else {
    editor.edit(parameters.getStart(), parameters.getStart(), "{ ...");
    editor.edit(
      parameters.end,
      parameters.end,
      `, requestBody: ${body.getText()} }`,
    );
  }
  editor.edit(parameters.end, body.end, "");
}

/** `request.execute((response) => …)` → `request.then((response) => …)` */
export function migrateExecute(context: MigrationContext): void {
  const { editor } = context;
  visitAll(context.file, (node) => {
    if (
      !ts.isCallExpression(node) ||
      !ts.isPropertyAccessExpression(node.expression) ||
      node.expression.name.text !== "execute" ||
      !isRequest(context, node.expression.expression)
    )
      return;
    editor.replace(node.expression.name, "then");
    const [callback] = node.arguments;
    if (
      callback === undefined ||
      !(ts.isArrowFunction(callback) || ts.isFunctionExpression(callback))
    ) {
      editor.todo(node, "the callback receives the value; errors reject");
      return;
    }
    const name = callback.parameters[0]?.name;
    if (name === undefined || !ts.isIdentifier(name)) return;
    for (const one of context.referencesOf(name)) {
      const access = one.parent;
      if (!ts.isPropertyAccessExpression(access) || access.expression !== one)
        continue;
      if (access.name.text === "result")
        editor.edit(access.expression.end, access.end, "");
      else if (access.name.text === "error")
        editor.todo(access, "errors reject: use .catch()");
    }
  });
}

function isRequest(context: MigrationContext, node: ts.Expression): boolean {
  const type = context.checker.getTypeAtLocation(node);
  const awaited = context.checker.getAwaitedType(type);
  return (
    awaited !== undefined && context.valueOfType(awaited)?.kind === "response"
  );
}
