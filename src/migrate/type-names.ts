import path from "node:path";
import { ts } from "ts-morph";
import { capitalized } from "./calls.js";
import { handle } from "./clients.js";
import type { MigrationContext } from "./context.js";
import { visitAll, visitComments } from "./syntax.js";
import { isGoogleModule } from "./google-declarations.js";
import type { GeneratedApi } from "./types.js";

const NAMESPACE = /^([a-z][a-z0-9]*)_([a-z]\w*)$/;

/** `drive_v3.Schema$File` → `File`, also in `import("googleapis")` and JSDoc. */
export function migrateTypes(context: MigrationContext): void {
  const visit = (node: ts.Node): void => {
    if (ts.isImportTypeNode(node)) migrateImportType(context, node);
    else if (
      ts.isTypeReferenceNode(node) &&
      ts.isQualifiedName(node.typeName)
    ) {
      const type = typeOf(context, node, node.typeName);
      if (type === undefined) return;
      const [name, ...members] = type.name.split(".");
      const local = context.importGenerated(type.api, name!, { isType: true });
      handle(context, node.typeName);
      context.editor.replace(node.typeName, [local, ...members].join("."));
    }
  };
  visitAll(context.file, visit);
  visitComments(context.file, visit);
}

/** `import("googleapis").drive_v3.Schema$File` → `import("./drive/…").File`. */
function migrateImportType(
  context: MigrationContext,
  node: ts.ImportTypeNode,
): void {
  const { argument, qualifier } = node;
  if (
    !ts.isLiteralTypeNode(argument) ||
    !ts.isStringLiteral(argument.literal) ||
    !isGoogleModule(argument.literal.text)
  )
    return;
  const type =
    qualifier !== undefined &&
    ts.isQualifiedName(qualifier) &&
    node.isTypeOf === false
      ? typeOf(context, node, qualifier)
      : undefined;
  if (type === undefined) {
    context.editor.todo(node, "a type of googleapis is still used");
    return;
  }
  const { api, name } = type;
  const module = context.modulePath(
    path.join(api.folder, `index${api.suffix}`),
  );
  context.editor.replace(node, `import(${JSON.stringify(module)}).${name}`);
}

/** Returns the generated type of a name such as `drive_v3.Schema$File`. */
function typeOf(
  context: MigrationContext,
  node: ts.Node,
  { left, right }: ts.QualifiedName,
): { readonly api: GeneratedApi; readonly name: string } | undefined {
  const namespace = ts.isIdentifier(left) ? left : left.right;
  const [, id, version] = NAMESPACE.exec(namespace.text) ?? [];
  if (id === undefined || version === undefined) return undefined;
  const api = context.settings.findApi(id, version);
  const name = nameOf(api, right.text);
  if (name !== undefined) return { api, name };
  context.editor.todo(node, `${right.text} has another name in ${api.id}`);
  return undefined;
}

function nameOf(api: GeneratedApi, name: string): string | undefined {
  const [kind, first, ...rest] = name.split("$");
  if (kind === "Options" && first === undefined) return `${api.title}Options`;
  if (first === undefined) return `${api.title}Client`;
  if (kind === "Schema" && rest.length === 0) return api.typeOf(first);
  // googleapis writes `Params$Resource$Calendarlist$List` for `calendarList.list`.
  if (kind === "Resource") {
    const known = api.resourceNamed([first, ...rest].join("."));
    const names = known?.split(".").map(capitalized) ?? [first, ...rest];
    return `${names.join("")}Resource`;
  }
  const path = rest.join(".");
  const [method, ...resource] = (api.methodNamed(path) ?? path)
    .split(".")
    .reverse();
  if (kind !== "Params" || first !== "Resource" || method === undefined)
    return undefined;
  const joined = resource.reverse().map(capitalized).join("");
  return joined === ""
    ? undefined
    : `${joined[0]!.toLowerCase()}${joined.slice(1)}.${capitalized(method)}Parameters`;
}
