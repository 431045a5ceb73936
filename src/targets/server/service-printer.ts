import type { Method, Resource } from "../../model/ir.js";
import { pascalCase, safeType } from "../../model/names.js";
import { Code, EMPTY } from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/comment.js";
import {
  generic,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";
import type { ApiContext } from "../shared/api-context.js";
import { codeSpan } from "../shared/doc-notes.js";
import { memberView } from "../shared/members.js";
import { methodWords } from "../shared/resource-names.js";
import type { ServerFile } from "./server-file.js";
import { asInterface, HandlerInterfaces } from "./handler-interfaces.js";
import { HandlerTypes } from "./handler-types.js";
import type { DeclarationView, MemberView } from "../shared/views.js";

/** Prints the resources as interfaces of handlers, with what the handlers are given. */
export class ServicePrinter {
  readonly #handlers: HandlerTypes;
  readonly #given: HandlerInterfaces;
  readonly #interfaces = new Map<Resource, string>();

  constructor(
    private readonly context: ApiContext,
    readonly file: ServerFile,
  ) {
    this.#handlers = new HandlerTypes(file);
    this.#given = new HandlerInterfaces(context, file);
    this.#name(context.api.root);
  }

  /** Gives each resource the name of its interface. */
  #name(resource: Resource): void {
    const { title } = this.context.names;
    const name =
      resource.path.length === 0
        ? `${title}Service`
        : this.file.scope.reserve(
            safeType(`${pascalCase(resource.path.join("."))}Service`),
          );
    this.#interfaces.set(resource, name);
    resource.children.forEach((child) => this.#name(child));
  }

  /** All that server.ts declares before the function that makes the server. */
  declarations(): DeclarationView[] {
    return [
      ...this.#given.common(),
      ...[...this.#interfaces.keys()].flatMap((resource) =>
        this.#resource(resource),
      ),
    ];
  }

  /** What the handlers of a resource are given, and the interface that has them. */
  #resource(resource: Resource): DeclarationView[] {
    const names = resource.methods.map((method) =>
      methodWords(resource, method),
    );
    const parameters = resource.methods.map((method, index) =>
      this.#given.parameters(method, names[index]!),
    );
    const headers = resource.methods.map((method, index) =>
      this.#given.headers(method, names[index]!),
    );
    const methods = resource.methods.map((method, index) =>
      this.#method(
        method,
        this.#handlers.of(
          method,
          parameters[index]!.name,
          headers[index]!.name,
        ),
        resource,
      ),
    );
    const children = resource.children
      .filter(({ name }) => !hasMethod(resource, name))
      .map((child) => this.#child(child));
    const isEmpty = methods.length + children.length === 0;
    return [
      ...parameters.flatMap(({ views }, index) => [
        ...views,
        ...headers[index]!.views,
      ]),
      asInterface({
        doc: serviceDoc(resource),
        name: interfaceHead(this.#interfaces.get(resource)!, isEmpty),
        heritage: EMPTY,
        isEmpty,
        fields: [...methods, ...children],
      }),
    ];
  }

  #method(method: Method, handler: TypeTree, resource: Resource): MemberView {
    const child = resource.children.find(({ name }) => name === method.name);
    return memberView({
      name: method.name,
      type: child === undefined ? handler : this.#both(handler, child),
      doc: {
        description: method.description,
        notes: notesOf(method, this.context.api.servicePath),
        deprecated: method.deprecated,
      },
      isOptional: true,
    });
  }

  /** A sub-resource that shares its name with a method: a function with its handlers, or these alone. */
  #both(handler: TypeTree, child: Resource): TypeTree {
    const service = this.#service(child);
    return {
      kind: "union",
      of: [{ kind: "intersection", of: [handler, service] }, service],
    };
  }

  #child(child: Resource): MemberView {
    return memberView({
      name: child.name,
      type: this.#service(child),
      doc: { deprecated: child.deprecated },
      isOptional: true,
      isReadonly: true,
    });
  }

  #service(resource: Resource): TypeTree {
    return generic(this.#interfaces.get(resource)!, named("Auth"));
  }
}

/**
 * The name with its parameter, which Prettier breaks where the line is too
 * long. Compilers take one that nothing uses only with the underscore.
 */
function interfaceHead(name: string, isEmpty: boolean): Code {
  const parameter = isEmpty ? "_Auth = unknown" : "Auth = unknown";
  const head = `${name}<${parameter}>`;
  const line = `export interface ${head} {${isEmpty ? "}" : ""}`;
  return new Code(line.length <= 80 ? head : `${name}<\n  ${parameter},\n>`);
}

function hasMethod({ methods }: Resource, name: string): boolean {
  return methods.some((method) => method.name === name);
}

function serviceDoc({ path }: Resource): Code {
  return docComment(
    {
      description:
        path.length === 0
          ? "What serves the API: a handler for each method."
          : `Handlers of the methods of ${codeSpan(path.join("."))}.`,
    },
    0,
  );
}

function notesOf(method: Method, servicePath: string): string[] {
  const lines = [codeSpan(`${method.httpMethod} ${servicePath}${method.path}`)];
  if (method.upload !== undefined)
    lines.push("", "The uploaded content is in `media`.");
  if (method.download !== undefined)
    lines.push("", "Gives the content where `wantsContent` is set.");
  if (method.links !== undefined)
    lines.push("", "With `page(items, …)` it links other pages.");
  return lines;
}
