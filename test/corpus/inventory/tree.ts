import ts from "ts6";
import { boundTable, type BoundTable } from "./bound-table.js";
import { type Alias, type Interface, type Source } from "./source.js";
import { callOf, nameOf, type Value } from "./values.js";

/** A resource of a client, read from its type or its value. */
export interface Node {
  /** Import of the resource's file in client.ts; absent if it has no methods. */
  readonly file?: string;
  readonly children: ReadonlyMap<string, Node>;
  /** True if it has batch() and batchSettled(). */
  readonly batches?: boolean;
  /** Methods that the table of client.ts binds. */
  readonly table?: BoundTable;
}

/** Returns the resources of the result of `create<Name>`. */
export function valueTree(source: Source): Node {
  const create = [...source.returns.entries()].find(([name]) =>
    name.startsWith("create"),
  );
  if (create === undefined) throw new Error("client.ts has no create function");
  return fromValue(create[1], source);
}

const BATCHES: Node = {
  children: new Map(),
  batches: true,
};

function fromValue(value: Value, source: Source): Node {
  const call = callOf(value);
  const helper =
    call === undefined ? undefined : source.imports.get(call.name)?.name;
  if (helper === "bindClient") {
    const { batches: _, ...tree } = typeTree(source);
    const [, , , members] = call!.args;
    return {
      ...tree,
      table: boundTable(call!.args, source),
      ...(members && { batches: true }),
    };
  }
  if (
    typeof value !== "object" ||
    !("kind" in value) ||
    value.kind !== "object"
  )
    throw new Error(`client.ts holds ${JSON.stringify(value)} for a resource`);
  const own = value.spread.map((part) => fromValue(part, source));
  const children = [...value.entries].map(
    ([name, child]) => [name, fromValue(child, source)] as const,
  );
  const merged = merge(own);
  return {
    ...merged,
    children: new Map([...merged.children, ...children]),
  };
}

/** Returns the resources of the type `<Name>Client`. */
export function typeTree(source: Source): Node {
  const client = [...source.types].find(([name]) => name.endsWith("Client"));
  if (client === undefined) throw new Error("client.ts has no client type");
  return fromDeclaration(client[1], source);
}

function fromDeclaration(type: Interface | Alias, source: Source): Node {
  return type.kind === "interface"
    ? fromInterface(type, source)
    : fromType(type.type, source);
}

function fromInterface({ members, base }: Interface, source: Source): Node {
  const children = [...members].map(
    ([name, { type }]) => [name, fromType(type, source)] as const,
  );
  const node: Node = { children: new Map(children) };
  if (base === undefined) return node;
  const { text } = base.expression as ts.Identifier;
  return merge([node, fromReference(text, base.typeArguments, source)]);
}

function fromType(type: ts.TypeNode, source: Source): Node {
  if (ts.isIntersectionTypeNode(type))
    return merge(type.types.map((part) => fromType(part, source)));
  if (ts.isTypeLiteralNode(type)) {
    const children = type.members.map(
      (member) =>
        [
          nameOf(member.name!),
          fromType((member as ts.PropertySignature).type!, source),
        ] as const,
    );
    return {
      children: new Map(children),
    };
  }
  if (!ts.isTypeReferenceNode(type))
    throw new Error("client.ts holds an unknown type for a resource");
  const { text } = type.typeName as ts.Identifier;
  return fromReference(text, type.typeArguments, source);
}

/** Reads a reference to an interface of client.ts, or to a type of the runtime. */
function fromReference(
  name: string,
  typeArguments: readonly ts.TypeNode[] | undefined,
  source: Source,
): Node {
  const own = source.types.get(name);
  if (own !== undefined) return fromDeclaration(own, source);
  const helper = source.imports.get(name)?.name;
  if (helper === "Batches") return BATCHES;
  if (helper === "BoundMethod" || helper === "Derivable")
    return { children: new Map() };
  if (helper !== "Bound")
    throw new Error("client.ts holds an unknown type for a resource");
  const [module] = typeArguments!;
  const variable = ((module as ts.TypeQueryNode).exprName as ts.Identifier)
    .text;
  return {
    file: source.imports.get(variable)!.module,
    children: new Map(),
  };
}

function merge(parts: readonly Node[]): Node {
  const { file } = parts.find((part) => part.file !== undefined) ?? {};
  return {
    ...(file === undefined ? {} : { file }),
    children: new Map(parts.flatMap(({ children }) => [...children])),
    ...(parts.some(({ batches }) => batches) && { batches: true }),
    ...parts.map(({ table }) => table && { table }).find(Boolean),
  };
}

/** Prints a tree for comparison; without methods that are resources, which types don't show. */
export function describeTree({ file, children, batches }: Node): unknown {
  return {
    file,
    batches,
    children: [...children].map(([name, child]) => [name, describeTree(child)]),
  };
}

/** Returns the resource at a path; undefined if there is none. */
export function nodeAt(root: Node, path: readonly string[]): Node | undefined {
  let node: Node | undefined = root;
  for (const name of path) node = node?.children.get(name);
  return node;
}
