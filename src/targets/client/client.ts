import type { Resource } from "../../model/ir.js";
import { isExportName, NameScope } from "../../model/names.js";
import { Code, quote } from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/doc-comment.js";
import type { Engine } from "../../render/engine.js";
import {
  printExpression,
  type Expression,
} from "../../render/typescript/expressions.js";
import {
  aliasCode,
  generic,
  named,
  printType,
  type Member,
  type TypeTree,
} from "../../render/typescript/types.js";
import type { ApiContext } from "../shared/api-context.js";
import type { OutputFile } from "../../platform/output-file.js";
import { factoryForms, FileContext } from "../shared/file-context.js";
import { heritage } from "../shared/interfaces.js";
import { moduleFiles } from "../shared/module-files.js";
import { isTabular } from "./method-table.js";
import { OnDemandContext, printTable } from "./print-table.js";
import { renamedMethods, type RenamedMethod } from "./renamed-methods.js";

/**
 * Prints client.ts, which contains the client object. The object has the
 * resources and methods of the API as members, with the names from the
 * document.
 */
export function clientFile(context: ApiContext, engine: Engine): OutputFile[] {
  const { api, names } = context;
  const clientName = `${names.title}Client`;
  const optionsName = `${names.title}Options`;
  const variables = [...names.resources.values()].map(
    ({ variable }) => variable,
  );
  const scope = new NameScope([
    clientName,
    `create${names.title}`,
    "client",
    "options",
    ...variables,
  ]);
  const file = new OnDemandContext(context, scope, "./");
  const isTable = names.methods.size > 0 && isTabular(api.root);
  for (const { file: path, variable } of names.resources.values())
    file.imports.namespace(
      file.sibling(path),
      variable,
      isTable ? "type" : "both",
    );
  file.imports.type(file.sibling("service"), optionsName);
  const hasMethods = names.methods.size > 0;
  if (hasMethods) file.imports.value(file.sibling("service"), "createClient");
  const printer = new ResourcePrinter(context, file);
  const table = isTable ? printTable(context, file) : undefined;
  const root = printer.root(table?.bound ?? printer.object(api.root));
  const { head, declaration: createDeclaration } = factoryForms(
    `create${names.title}`,
    `${hasMethods ? "" : "_"}options`,
    optionsName,
    clientName,
    context.options,
  );
  const view = {
    doc: docComment({ description: api.description ?? api.title }, 0),
    declaration: declaration(
      clientName,
      printer.type(api.root),
      names.batches ? file.runtimeType("Batches") : undefined,
    ),
    create: head,
    createDeclaration,
    hasMethods,
    table: table?.view,
    object: new Code(printExpression(root, 2, 9)),
  };
  const { imports } = file;
  return moduleFiles(
    { path: "client", template: "client/client", view, imports },
    context,
    engine,
  );
}

/**
 * Prints the declaration of the client's type: an interface, or a type alias
 * for an intersection if there are methods outside of resources.
 */
function declaration(
  name: string,
  type: TypeTree,
  base: string | undefined,
): Code {
  if (type.kind !== "object") {
    const client = base === undefined ? type : intersection(type, named(base));
    const head = `export type ${name} =`;
    return new Code(`${head}${aliasCode(client, head.length).text};`);
  }
  const isEmpty = type.members.length === 0;
  const from =
    base === undefined ? "" : heritage(name, named(base), isEmpty).text;
  return new Code(
    `export interface ${name}${from} ${isEmpty ? "{}" : printType(type, 0, 0, 0)}`,
  );
}

function intersection(first: TypeTree, last: TypeTree): TypeTree {
  const parts = first.kind === "intersection" ? first.of : [first];
  return { kind: "intersection", of: [...parts, last] };
}

/**
 * Prints the type of the client object and the object itself. Both have the
 * structure of the resource tree.
 */
class ResourcePrinter {
  constructor(
    private readonly context: ApiContext,
    private readonly file: FileContext,
  ) {}

  /**
   * Returns the type of a resource: its methods, its child resources, or an
   * intersection of both.
   */
  type(resource: Resource): TypeTree {
    const members = resource.children.map((child): Member => ({
      key: child.name,
      type: this.type(child),
      readonly: true,
    }));
    const methods = this.bound(resource);
    if (methods === undefined) return { kind: "object", members };
    return members.length === 0
      ? methods
      : intersection(methods, { kind: "object", members });
  }

  private bound(resource: Resource): TypeTree | undefined {
    const names = this.context.names.resources.get(resource);
    if (names === undefined) return undefined;
    const renamed = renamedMethods(resource, this.context);
    const module = named(`typeof ${names.variable}`);
    const bound = this.file.runtimeType("Bound");
    if (renamed.length === 0) return generic(bound, module);
    const type = generic(bound, module, namesType(renamed));
    const odd = renamed.filter(([, name]) => !isExportName(name));
    if (odd.length === 0) return type;
    const helper = this.file.runtimeType("Renamed");
    return intersection(type, generic(helper, module, namesType(odd)));
  }

  /**
   * Returns the expression for the client object, with the runtime's batch
   * methods as additional members.
   */
  root(object: Expression): Expression {
    if (!this.context.names.batches) return object;
    const batches: Expression = {
      kind: "call",
      name: this.file.runtimeValue("batchesOnDemand"),
      args: ["client"],
    };
    const isObject = typeof object === "object" && object.kind === "object";
    return isObject
      ? { ...object, spread: [batches, ...(object.spread ?? [])] }
      : { kind: "object", spread: [batches, object], entries: [], open: true };
  }

  /** Returns the expression for a resource in the client object. */
  object(resource: Resource): Expression {
    const bound = this.bind(resource);
    if (resource.children.length === 0)
      return bound ?? { kind: "object", entries: [], open: true };
    const entries = resource.children.map(
      (child) => [child.name, this.child(resource, child)] as const,
    );
    const spread = bound === undefined ? [] : [bound];
    return { kind: "object", spread, entries, open: true };
  }

  /**
   * Returns the expression for a child resource. The result is callable if the
   * parent resource has a method of the same name.
   */
  private child(parent: Resource, child: Resource): Expression {
    const object = this.object(child);
    const clash = parent.methods.find(({ name }) => name === child.name);
    if (clash === undefined) return object;
    const { resources, methods } = this.context.names;
    const flat = `${resources.get(parent)!.variable}.${methods.get(clash)!}`;
    return {
      kind: "call",
      name: this.file.runtimeValue("callable"),
      args: ["client", flat, object],
    };
  }

  private bind(resource: Resource): Expression | undefined {
    const names = this.context.names.resources.get(resource);
    if (names === undefined) return undefined;
    const renamed = renamedMethods(resource, this.context).map(
      ([constant, name]) => [constant, quote(name)] as const,
    );
    const args: Expression[] = ["client", names.variable];
    if (renamed.length > 0)
      args.push({ kind: "object", entries: renamed, open: false });
    return { kind: "call", name: this.file.runtimeValue("bind"), args };
  }
}

/** Returns an object type that maps names of constants to names of methods. */
function namesType(renamed: readonly RenamedMethod[]): TypeTree {
  const members = renamed.map(([constant, name]) => ({
    key: constant,
    type: { kind: "literal", value: name } as const,
  }));
  return { kind: "object", members };
}
