import { ts } from "ts-morph";
import { handle } from "./clients.js";
import { visitAll, type MigrationContext } from "./context.js";
import type { GeneratedApi } from "./types.js";

const NAMESPACE = /^([a-z][a-z0-9]*)_([a-z]\w*)$/;

/** `drive_v3.Schema$File` → `File`. */
export function migrateTypes(context: MigrationContext): void {
  visitAll(context.file, (node) => {
    if (!ts.isTypeReferenceNode(node) || !ts.isQualifiedName(node.typeName))
      return;
    const { left, right } = node.typeName;
    const namespace = ts.isIdentifier(left) ? left : left.right;
    const [, name, version] = NAMESPACE.exec(namespace.text) ?? [];
    if (name === undefined || version === undefined) return;
    const api = context.settings.findApi(name, version);
    const type = typeOf(context, api, right.text);
    if (type === undefined) {
      context.editor.todo(node, `${right.text} has another name in ${api.id}`);
      return;
    }
    handle(context, node.typeName);
    context.editor.replace(node.typeName, type);
  });
}

function typeOf(
  context: MigrationContext,
  api: GeneratedApi,
  name: string,
): string | undefined {
  const isType = true;
  const [kind, ...path] = name.split("$");
  if (kind === "Schema" && path.length === 1)
    return context.importGenerated(api, api.typeOf(path[0]!), { isType });
  if (kind === "Params" && path.length === 3) {
    const [, resource, method] = path;
    const namespace = `${resource![0]!.toLowerCase()}${resource!.slice(1)}`;
    return `${context.importGenerated(api, namespace, { isType })}.${method}Parameters`;
  }
  if (kind === "Resource" && path.length === 1)
    return context.importGenerated(api, `${path[0]}Resource`, { isType });
  return path.length === 0 && kind !== "Options"
    ? context.importGenerated(api, `${api.title}Client`, { isType })
    : undefined;
}
