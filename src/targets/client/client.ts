import type { Api, Resource } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import { Code, identifier, quote } from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/doc-comment.js";
import type { Engine } from "../../render/engine.js";
import { callOf, print } from "../../render/typescript/layout.js";
import { printData, type Data } from "../../render/typescript/literals.js";
import {
  aliasDeclaration,
  generic,
  interfaceDeclaration,
  named,
  type ObjectType,
  type TypeTree,
} from "../../render/typescript/types.js";
import type { ApiContext } from "../shared/api-context.js";
import type { OutputFile } from "../../platform/output-file.js";
import { codeSpan } from "../shared/doc-notes.js";
import { factoryHead, FileContext } from "../shared/file-context.js";
import { moduleFile } from "../shared/module-file.js";
import type { ApiNames } from "../shared/naming.js";
import { idPrefix, methodTree } from "./method-tree.js";
import { exportedNames } from "./renamed-methods.js";
import type { AliasView } from "../shared/views.js";
import type { MethodsView } from "./views.js";

/**
 * Prints client.ts, which contains the client object. The object has the
 * resources and methods of the API as members, with the names from the
 * document.
 */
export function clientFile(context: ApiContext, engine: Engine): OutputFile {
  const { api, names } = context;
  const clientName = `${names.title}Client`;
  const optionsName = `${names.title}Options`;
  const scope = new NameScope([
    clientName,
    `create${names.title}`,
    "options",
    ...[...names.resources.values()].flatMap(({ variable, type }) =>
      type === undefined ? [variable] : [variable, type],
    ),
  ]);
  const file = new FileContext(context, scope, "./");
  for (const { file: path, variable } of names.resources.values())
    file.imports.namespace(file.sibling(path), variable, "type");
  file.imports.type(file.sibling("service"), optionsName);
  file.imports.value(file.sibling("service"), "createClient");
  const create = factoryHead(
    `create${names.title}`,
    "options",
    optionsName,
    clientName,
  );
  const tree = methodTree(api.root, context, file);
  const view = {
    doc: docComment(
      {
        description: api.description ?? api.title,
        notes: labelNotes(api),
        deprecated: api.labels.includes("deprecated"),
      },
      0,
    ),
    createDoc: docComment(
      {
        description:
          "Creates a client. No request is sent before the first call.",
        deprecated: api.labels.includes("deprecated"),
      },
      0,
    ),
    declaration: declaration(clientName, clientType(context, file), [
      ...(names.batches ? [named(file.runtimeType("Batches"))] : []),
      ...(names.derivable
        ? [generic(file.runtimeType("Derivable"), named(optionsName))]
        : []),
    ]),
    resources: resourceInterfaces(context, file),
    create,
    methods: methodsView(tree, context, file),
  };
  const { imports } = file;
  return moduleFile(
    { path: "client", template: "client/client", view, imports },
    context,
    engine,
  );
}

/** Returns a comment line for each label that restricts the use of the API. */
function labelNotes({ labels }: Api): string[] {
  return labels.includes("limited_availability")
    ? ["The API has limited availability (label `limited_availability`)."]
    : [];
}

/** Prints the tree of methods, and the expressions that bind it to a client. */
function methodsView(
  tree: Data,
  context: ApiContext,
  file: FileContext,
): MethodsView {
  const name = file.scope.reserve("methods");
  const bound = callOf(
    file.runtimeValue("bindClient"),
    "createClient(options)",
    quote(idPrefix(context)),
    `${name}()`,
    ...(context.names.batches ? [file.runtimeValue("batches")] : []),
  );
  return {
    name: identifier(name),
    tree: new Code(printData(tree)),
    bound: new Code(print(["return ", bound, ";"], 2)),
  };
}

/**
 * Prints the declaration of the client's type: an interface, or a type alias
 * for an intersection if there are methods outside of resources.
 */
function declaration(
  name: string,
  type: TypeTree,
  bases: readonly TypeTree[],
): Code {
  if (type.kind === "object") return interfaceDeclaration(name, type, bases);
  return aliasDeclaration(name, intersection(type, ...bases));
}

function intersection(
  first: TypeTree,
  ...others: readonly TypeTree[]
): TypeTree {
  if (others.length === 0) return first;
  const parts = first.kind === "intersection" ? first.of : [first];
  return { kind: "intersection", of: [...parts, ...others] };
}

/**
 * Prints the interfaces of the resources that have methods. Without these
 * interfaces, editors and compilers would describe a resource as
 * `typeof import("…")` with the path of its module.
 */
function resourceInterfaces(
  context: ApiContext,
  file: FileContext,
): AliasView[] {
  return [...context.names.resources].flatMap(([resource, { type }]) =>
    type === undefined
      ? []
      : [
          {
            doc: docComment(
              {
                description: `Methods of ${codeSpan(resource.path.join("."))}.`,
                deprecated: resource.deprecated,
              },
              0,
            ),
            declaration: interfaceDeclaration(
              type,
              membersOf(resource, context, file),
              [boundType(resource, context, file)],
            ),
          },
        ],
  );
}

/**
 * Returns the type of the client: its resources, and the methods that are
 * outside of resources.
 */
function clientType(context: ApiContext, file: FileContext): TypeTree {
  const { root } = context.api;
  const members = membersOf(root, context, file);
  if (root.methods.length === 0) return members;
  const bound = boundType(root, context, file);
  return members.members.length === 0 ? bound : intersection(bound, members);
}

/**
 * Returns the members of a resource that `Bound` does not contain: child
 * resources, and methods whose names can't be exported or belong to a child
 * resource too.
 */
function membersOf(
  resource: Resource,
  context: ApiContext,
  file: FileContext,
): ObjectType {
  const { names } = context;
  const { variable } = names.resources.get(resource) ?? {};
  const bound = boundNames(resource, names);
  const types = new Map<string, TypeTree>();
  const deprecated = new Set<string>();
  for (const method of resource.methods)
    if (!bound.has(method.name))
      types.set(
        method.name,
        generic(
          file.runtimeType("BoundMethod"),
          named(`typeof ${variable!}.${names.methods.get(method)!}`),
        ),
      );
  for (const child of resource.children) {
    const type = names.resources.get(child)?.type;
    const members = type ? named(type) : membersOf(child, context, file);
    const method = types.get(child.name);
    types.set(child.name, method ? intersection(method, members) : members);
    // A method of the same name is not deprecated with the resource.
    if (child.deprecated === true && !method) deprecated.add(child.name);
  }
  return {
    kind: "object",
    members: [...types].map(([key, type]) => ({
      key,
      type,
      readonly: true,
      deprecated: deprecated.has(key),
    })),
  };
}

/** Returns the type of the methods in a resource's module. */
function boundType(
  resource: Resource,
  { names }: ApiContext,
  file: FileContext,
): TypeTree {
  const bound = boundNames(resource, names);
  const omitted = [...moduleNames(resource, names)].filter(
    (name) => !bound.has(name),
  );
  return generic(
    file.runtimeType("Bound"),
    named(`typeof ${names.resources.get(resource)!.variable}`),
    ...(omitted.length === 0 ? [] : [union(omitted)]),
  );
}

/**
 * Returns the names of the methods that the client takes from the runtime's
 * type `Bound`. Methods with names such as `then` are not exported under their
 * names, and a method with the name of a child resource is combined with the
 * resource.
 */
function boundNames(resource: Resource, names: ApiNames): Set<string> {
  const exported = moduleNames(resource, names);
  const children = new Set(resource.children.map(({ name }) => name));
  return new Set(
    resource.methods
      .map(({ name }) => name)
      .filter((name) => exported.has(name) && !children.has(name)),
  );
}

/**
 * Returns the names of the members of the runtime's type `Bound`: the exports
 * of the resource's module, without `delete_` if `delete` is also exported.
 */
function moduleNames(resource: Resource, names: ApiNames): Set<string> {
  const exported = exportedNames(resource, names);
  return new Set(
    [...exported].filter(
      (name) => !name.endsWith("_") || !exported.has(name.slice(0, -1)),
    ),
  );
}

function union(names: readonly string[]): TypeTree {
  const of = names.map((value) => ({ kind: "literal", value }) as const);
  return of.length === 1 ? of[0]! : { kind: "union", of };
}
