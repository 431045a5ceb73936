import {
  eventStream,
  isBodyRequired,
  requestForm,
  responseForm,
} from "../../model/bodies.js";
import type { Method, Resource } from "../../model/ir.js";
import { NameScope, pascalCase, safeType } from "../../model/names.js";
import type { OutputFile } from "../../platform/output-file.js";
import type { Engine } from "../../render/engine.js";
import { Code, identifier } from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/doc-comment.js";
import { ITEMS, list, print } from "../../render/typescript/layout.js";
import {
  generic,
  interfaceHead,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";
import type { ApiContext } from "../shared/api-context.js";
import { codeSpan, requestLine } from "../shared/doc-notes.js";
import { memberView } from "../shared/members.js";
import { moduleFile, type ModuleView } from "../shared/module-file.js";
import { methodWords } from "../shared/resource-names.js";
import { schemasFile } from "../shared/schemas.js";
import { bodyType, type TypeNames, typeOf } from "../shared/types.js";
import type { DeclarationView, MemberView } from "../shared/views.js";
import type { CodeTarget, TargetInput } from "../target.js";
import {
  asInterface,
  COMMON_HEADERS,
  COMMON_PARAMETERS,
  HandlerInterfaces,
} from "./handler-interfaces.js";
import { routesFile, type ServerView } from "./routes.js";
import { ServerFile } from "./server-file.js";

/**
 * Builds the types of handlers from the types of their parameters, bodies,
 * results and response headers.
 */
class HandlerTypes {
  readonly #file: ServerFile;

  constructor(file: ServerFile) {
    this.#file = file;
  }

  /**
   * Returns the type of a method's handler.
   *
   * @param parameters name of the interface for the parameters
   * @param headers name of the interface for the response headers
   */
  of(
    method: Method,
    parameters: string,
    headers: string | undefined,
  ): TypeTree {
    return generic(
      this.#file.type(kindOf(method)),
      named(parameters),
      this.#body(method),
      this.#result(method, this.#file.types()),
      named("Auth"),
      ...(headers === undefined ? [] : [named(headers)]),
    );
  }

  /**
   * Returns the type of a handler's result: a URL for a redirect, otherwise the
   * response body or an iterable of events.
   */
  #result(method: Method, types: TypeNames): TypeTree {
    switch (responseForm(method)) {
      case "redirect":
        return named("string");
      case "content":
        return named(this.#file.type("Content"));
      case "none":
        return this.#orEvents(named("void"), method, types);
      case "json":
        return this.#orEvents(
          typeOf(method.response!, "output", types),
          method,
          types,
        );
    }
  }

  #orEvents(value: TypeTree, method: Method, types: TypeNames): TypeTree {
    const events = eventStream(method);
    if (events === undefined) return value;
    const event = typeOf(events.element, "output", types);
    return { kind: "union", of: [value, generic("AsyncIterable", event)] };
  }

  #body(method: Method): TypeTree {
    const form = requestForm(method);
    if (form === "none") return named("undefined");
    if (form === "content") return named(this.#file.type("Media"));
    const type = bodyType(
      method.request!,
      method.httpMethod === "PATCH" ? "Patch" : undefined,
      method.requiredMembers ?? [],
      this.#file.types(),
      (helper) => this.#file.shared.runtimeType(helper),
    );
    return isBodyRequired(method)
      ? type
      : { kind: "union", of: [type, named("undefined")] };
  }
}

/**
 * Builds the interfaces of resources, and the interfaces for the parameters and
 * headers of their handlers.
 */
class ServicePrinter {
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
 * Target that generates the server: its service interface and its route table.
 */
export const serverTarget: CodeTarget = {
  name: "server",
  runtime: "server",
  // schemas.ts imports types from this module.
  borrows: { client: ["types"] },
  implies: ["validator"],
  generate,
};

function generate({ engine, sink, ...context }: TargetInput): OutputFile[] {
  const { methods, options } = context;
  if (methods.length === 0) return []; // no routes
  const routes = routesFile(context, engine, sink);
  if (options.routesOnly === true) return [routes];
  const files = [routes, serverFile(context, engine)];
  // If the client is generated too, the client target already prints
  // schemas.ts.
  const hasClient = options.targets?.includes("client") === true;
  return hasClient ? files : [schemasFile(context, engine), ...files];
}

/** Returns the name of the runtime's handler type that applies to a method. */
function kindOf({ download, links }: Method): string {
  if (download !== undefined) return "DownloadHandler";
  return links === undefined ? "Handler" : "PagedHandler";
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

/**
 * Prints server.ts, which contains the interfaces that services implement, and
 * the function that creates the server.
 */
function serverFile(context: ApiContext, engine: Engine): OutputFile {
  const { title } = context.names;
  const scope = new NameScope([
    `create${title}Server`,
    `${title}Service`,
    COMMON_PARAMETERS,
    COMMON_HEADERS,
    "Omit",
    "AsyncIterable",
    "Auth",
    "service",
    "options",
  ]);
  const file = new ServerFile(context, scope);
  const api = file.shared.imports.value(file.shared.sibling("routes"), "api");
  const printer = new ServicePrinter(context, file);
  const declarations = printer.declarations();
  const createServer = identifier(file.value("createServer"));
  const view: ModuleView<ServerView> = {
    declarations,
    create: createHead(title, file.type("ServerOptions"), file.type("Server")),
    createServer,
    api: identifier(api),
  };
  const { imports } = file.shared;
  return moduleFile(
    { path: "server", template: "server/server", view, imports },
    context,
    engine,
  );
}

/** Prints the first line of the function that creates the server. */
function createHead(title: string, options: string, server: string): Code {
  const head = serverHead(`export function create${title}Server`);
  return new Code(
    `${head}\n  service: ${title}Service<Auth>,\n` +
      `  options: ${options}<Auth> = {},\n): ${server} {`,
  );
}

/**
 * Prints the first line of the function that creates the server. A long line is
 * broken at the type parameter.
 */
function serverHead(name: string): string {
  return print([list(`${name}<`, ["Auth = unknown"], ">", ITEMS), "("]);
}
