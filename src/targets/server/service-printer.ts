import type { Method, Resource } from "../../model/ir.js";
import { pascalCase, safeType } from "../../model/names.js";
import { Code } from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/doc-comment.js";
import {
  interfaceHead,
  generic,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";
import type { ApiContext } from "../shared/api-context.js";
import { codeSpan, requestLine } from "../shared/doc-notes.js";
import { memberView } from "../shared/members.js";
import { methodWords } from "../shared/resource-names.js";
import type { ServerFile } from "./server-file.js";
import { asInterface, HandlerInterfaces } from "./handler-interfaces.js";
import { HandlerTypes } from "./handler-types.js";
import type { DeclarationView, MemberView } from "../shared/views.js";

/**
 * Builds the interfaces of resources, and the interfaces for the parameters and
 * headers of their handlers.
 */
export class ServicePrinter {
  readonly #handlerTypes: HandlerTypes;
  readonly #handlerInterfaces: HandlerInterfaces;
  readonly #names = new Map<Resource, string>();

  constructor(
    private readonly context: ApiContext,
    readonly file: ServerFile,
  ) {
    this.#handlerTypes = new HandlerTypes(file);
    this.#handlerInterfaces = new HandlerInterfaces(context, file);
    this.#reserve(context.api.root);
  }

  /** Reserves names for the interfaces of a resource and its descendants. */
  #reserve(resource: Resource): void {
    const { title } = this.context.names;
    const name =
      resource.path.length === 0
        ? `${title}Service`
        : this.file.scope.reserve(
            safeType(`${pascalCase(resource.path.join("."))}Service`),
          );
    this.#names.set(resource, name);
    resource.children.forEach((child) => this.#reserve(child));
  }

  /** Returns all interfaces and enums of server.ts. */
  declarations(): DeclarationView[] {
    return [
      ...this.#handlerInterfaces.common(),
      ...[...this.#names.keys()].flatMap((resource) =>
        this.#resource(resource),
      ),
    ];
  }

  /**
   * Returns the interfaces for the parameters and headers of a resource's
   * methods, followed by the interface of the resource.
   */
  #resource(resource: Resource): DeclarationView[] {
    const names = resource.methods.map((method) =>
      methodWords(resource, method),
    );
    const parameters = resource.methods.map((method, index) =>
      this.#handlerInterfaces.parameters(method, names[index]!),
    );
    const headers = resource.methods.map((method, index) =>
      this.#handlerInterfaces.headers(method, names[index]!),
    );
    const methods = resource.methods.map((method, index) =>
      this.#method(
        method,
        this.#handlerTypes.of(
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
        head: serviceHead(this.#names.get(resource)!, isEmpty),
        isEmpty,
        fields: [...methods, ...children],
      }),
    ];
  }

  #method(method: Method, handler: TypeTree, resource: Resource): MemberView {
    const child = resource.children.find(({ name }) => name === method.name);
    return memberView({
      name: method.name,
      type: child === undefined ? handler : this.#callable(handler, child),
      doc: {
        description: method.description,
        notes: notesOf(method, this.context.api.servicePath),
        deprecated: method.deprecated,
      },
      isOptional: true,
    });
  }

  /**
   * Returns the type of a member that is both a method and a child resource: a
   * function that also has the child's members or, if the service does not
   * implement the method, an object with only these members.
   */
  #callable(handler: TypeTree, child: Resource): TypeTree {
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
    return generic(this.#names.get(resource)!, named("Auth"));
  }
}

/**
 * Prints the first line of an interface with a type parameter. The type parameter of an empty interface starts with an
 * underscore, because TypeScript can reject unused type parameters otherwise.
 */
function serviceHead(name: string, isEmpty: boolean): Code {
  const parameter = isEmpty ? "_Auth = unknown" : "Auth = unknown";
  return interfaceHead(name, { parameters: [parameter], isEmpty });
}

function hasMethod({ methods }: Resource, name: string): boolean {
  return methods.some((method) => method.name === name);
}

function serviceDoc({ path }: Resource): Code {
  return docComment(
    {
      description:
        path.length === 0
          ? "Handlers of the API's methods."
          : `Handlers of the methods of ${codeSpan(path.join("."))}.`,
    },
    0,
  );
}

function notesOf(method: Method, servicePath: string): string[] {
  const lines = [requestLine(method, servicePath)];
  if (method.upload !== undefined)
    lines.push("", "The uploaded content is in `media`.");
  if (method.download !== undefined)
    lines.push("", "Returns the content if `wantsContent` is set.");
  if (method.links !== undefined)
    lines.push("", "Return `page(items, …)` to link to other pages.");
  return lines;
}
