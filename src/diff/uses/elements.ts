import path from "node:path";
import { ts } from "ts-morph";
import { escapeToken } from "../../diagnostics/types.js";
import type { Definition, Method, Resource } from "../../model/ir.js";
import { renamedProperties } from "../../targets/shared/parameter-names.js";
import type { Side } from "../side.js";

/** Part of a document that generated declarations represent. */
export interface Element {
  /** Side whose document contains the element. */
  readonly side: Side;
  /** JSON pointer into the document. */
  readonly pointer: string;
  /** Kind of the declaration. */
  readonly kind:
    | "method"
    | "handler"
    | "resource"
    | "parameter"
    | "type"
    | "property"
    | "scope";
}

/** Index from declarations of generated files to parts of documents. */
export type Elements = ReadonlyMap<ts.Node, readonly Element[]>;

/** Finds the declarations of the generated files of an API. */
export class ElementIndex {
  readonly #elements = new Map<ts.Node, Element[]>();

  /** Returns the parts that a declaration represents. */
  of(declaration: ts.Node): readonly Element[] {
    return this.#elements.get(declaration) ?? [];
  }

  /**
   * Adds the declarations of an API.
   * @param fileOf returns a generated file by its path relative to the folder of
   * the API; undefined for files that the program does not contain
   */
  add(side: Side, fileOf: (name: string) => ts.SourceFile | undefined): void {
    const schemas = fileOf("schemas.ts");
    if (schemas !== undefined) this.#addSchemas(schemas, side);
    const service = fileOf("service.ts");
    if (service !== undefined) this.#addCommon(service, side);
    for (const [resource, { file }] of side.names.resources) {
      const source = fileOf(`${file}.ts`);
      if (source !== undefined) this.#addResource(source, resource, side);
    }
    const client = fileOf("client.ts");
    if (client !== undefined)
      this.#addTree(client, `${side.names.title}Client`, side, "method");
    const server = fileOf("server.ts");
    if (server !== undefined) {
      this.#addCommon(server, side);
      this.#addTree(server, `${side.names.title}Service`, side, "handler");
    }
    const scopes = fileOf("scopes.ts");
    if (scopes !== undefined) this.#addScopes(scopes, side);
    const validators = fileOf("validators.ts");
    if (validators !== undefined) this.#addValidators(validators, side);
  }

  #set(node: ts.Node, ...elements: readonly Element[]): void {
    const known = this.#elements.get(node);
    if (known === undefined) this.#elements.set(node, [...elements]);
    else known.push(...elements);
  }

  #addSchemas(file: ts.SourceFile, side: Side): void {
    const { types, inputs } = side.names;
    const definitions = new Map<string, Definition[]>();
    for (const definition of side.api.definitions)
      for (const name of [types.get(definition.id), inputs.get(definition.id)])
        if (name !== undefined)
          definitions.set(name, [...(definitions.get(name) ?? []), definition]);
    for (const [name, declaration] of declarationsIn(file))
      for (const { pointer, body } of definitions.get(name) ?? []) {
        this.#set(declaration, { side, pointer, kind: "type" });
        if (body.kind !== "object") continue;
        for (const member of membersOf(declaration))
          this.#set(member, {
            side,
            pointer: `${pointer}/properties/${escapeToken(nameOf(member))}`,
            kind: "property",
          });
      }
  }

  /** Adds the parameters that all methods have. */
  #addCommon(file: ts.SourceFile, side: Side): void {
    const wireNames = new Map(
      [...side.names.common].map(([wire, name]) => [name, wire]),
    );
    const names = new Set(side.api.parameters.map(({ name }) => name));
    for (const [, declaration] of declarationsIn(file))
      if (
        ts.isInterfaceDeclaration(declaration) &&
        declaration.name.text.endsWith("Parameters")
      )
        for (const member of membersOf(declaration)) {
          const name = wireNames.get(nameOf(member)) ?? nameOf(member);
          if (names.has(name) && !this.#elements.has(member))
            this.#set(member, {
              side,
              pointer: `/parameters/${escapeToken(name)}`,
              kind: "parameter",
            });
        }
  }

  #addResource(file: ts.SourceFile, resource: Resource, side: Side): void {
    const declarations = declarationsIn(file);
    for (const method of resource.methods) {
      const constant = declarations.get(side.names.methods.get(method) ?? "");
      if (constant === undefined || !ts.isVariableDeclaration(constant))
        continue;
      this.#set(constant, { side, pointer: method.pointer, kind: "method" });
      const type = constant.type;
      const parameters =
        type !== undefined && ts.isTypeReferenceNode(type)
          ? type.typeArguments?.[0]
          : undefined;
      this.#addParameters(parameters, declarations, method, side);
    }
  }

  /** Adds the members of the types of a method's parameters. */
  #addParameters(
    type: ts.Node | undefined,
    declarations: ReadonlyMap<string, ts.Node>,
    method: Method,
    side: Side,
  ): void {
    if (type === undefined) return;
    const all = [...method.parameters, ...(method.headers ?? [])];
    const wireNames = new Map(
      [...renamedProperties(all)].map(([wire, name]) => [name, wire]),
    );
    const visited = new Set<ts.Node>();
    const visit = (node: ts.Node): void => {
      if (visited.has(node)) return;
      visited.add(node);
      if (ts.isPropertySignature(node) && !this.#elements.has(node)) {
        const name = nameOf(node);
        this.#set(node, {
          side,
          pointer:
            name === "requestBody"
              ? `${method.pointer}/request`
              : name === "media"
                ? `${method.pointer}/mediaUpload`
                : `${method.pointer}/parameters/${escapeToken(wireNames.get(name) ?? name)}`,
          kind: "parameter",
        });
        return;
      }
      if (ts.isIdentifier(node) && ts.isTypeReferenceNode(node.parent)) {
        const declaration = declarations.get(node.text);
        if (declaration !== undefined) visit(declaration);
      }
      ts.forEachChild(node, visit);
    };
    visit(type);
  }

  /** Adds the interfaces of resources, below that of the client or service. */
  #addTree(
    file: ts.SourceFile,
    name: string,
    side: Side,
    kind: "method" | "handler",
  ): void {
    const declarations = declarationsIn(file);
    const visit = (node: ts.Node, resource: Resource): void => {
      if (this.#elements.has(node)) return;
      const pointer = resourcePointer(resource);
      this.#set(node, { side, pointer, kind: "resource" });
      for (const member of membersOf(node)) {
        const called = nameOf(member);
        const method = resource.methods.find((one) => one.name === called);
        const child = resource.children.find((one) => one.name === called);
        if (method !== undefined) {
          this.#set(member, { side, pointer: method.pointer, kind });
          this.#addParameters(
            handlerParameters(member),
            declarations,
            method,
            side,
          );
        }
        if (child === undefined) continue;
        if (method === undefined)
          this.#set(member, {
            side,
            pointer: resourcePointer(child),
            kind: "resource",
          });
        if (member.type !== undefined) {
          visit(member.type, child);
          for (const used of typeNames(member)) {
            const declaration = declarations.get(used);
            if (declaration !== undefined) visit(declaration, child);
          }
        }
      }
    };
    const root = declarations.get(name);
    if (root !== undefined) visit(root, side.api.root);
  }

  #addScopes(file: ts.SourceFile, side: Side): void {
    const declarations = declarationsIn(file);
    for (const [scope, constant] of side.names.scopes) {
      const declaration = declarations.get(constant);
      const pointer = `/auth/oauth2/scopes/${escapeToken(scope)}`;
      if (declaration !== undefined)
        this.#set(declaration, { side, pointer, kind: "scope" });
    }
  }

  #addValidators(file: ts.SourceFile, side: Side): void {
    const { schemas, requests, standard } = side.names.validators;
    const pointers = new Map<string, string>();
    for (const { id, pointer } of side.api.definitions)
      pointers.set(schemas.get(id) ?? "", pointer);
    for (const [method, name] of requests)
      pointers.set(name, `${method.pointer}/request`);
    for (const [name, schema] of standard)
      pointers.set(schema, pointers.get(name) ?? "");
    for (const [name, declaration] of declarationsIn(file)) {
      const pointer = pointers.get(name);
      if (pointer !== undefined)
        this.#set(declaration, { side, pointer, kind: "type" });
    }
  }
}

function resourcePointer({ path: names }: Resource): string {
  return names.map((name) => `/resources/${escapeToken(name)}`).join("");
}

/** Returns the named declarations at the top level of a file. */
function declarationsIn(file: ts.SourceFile): Map<string, ts.Node> {
  const declarations = new Map<string, ts.Node>();
  for (const statement of file.statements)
    if (ts.isVariableStatement(statement))
      for (const declaration of statement.declarationList.declarations)
        declarations.set(declaration.name.getText(file), declaration);
    else if (
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isFunctionDeclaration(statement)
    )
      declarations.set(statement.name?.text ?? "", statement);
  return declarations;
}

/** Returns the property signatures of a type, without those of nested types. */
function membersOf(declaration: ts.Node): ts.PropertySignature[] {
  const members: ts.PropertySignature[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node)) members.push(node);
    else ts.forEachChild(node, visit);
  };
  ts.forEachChild(declaration, visit);
  return members;
}

function nameOf({ name }: ts.PropertySignature): string {
  return ts.isComputedPropertyName(name) ? name.getText() : name.text;
}

/** Returns the type of the parameters of a handler: the first type argument. */
function handlerParameters({
  type,
}: ts.PropertySignature): ts.Node | undefined {
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (found !== undefined) return;
    if (ts.isTypeReferenceNode(node) && node.typeArguments !== undefined)
      found = node.typeArguments[0];
    else ts.forEachChild(node, visit);
  };
  if (type !== undefined) visit(type);
  return found;
}

/** Returns the names of the types to which the type of a member refers. */
function typeNames({ type }: ts.PropertySignature): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName))
      names.push(node.typeName.text);
    ts.forEachChild(node, visit);
  };
  if (type !== undefined) visit(type);
  return names;
}

/** Returns a path with forward slashes, as the compiler prints it. */
export function compilerPath(...parts: readonly string[]): string {
  return path.join(...parts).replaceAll("\\", "/");
}
