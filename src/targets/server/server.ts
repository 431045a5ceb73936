import type { Method, Parameter, Resource } from "../../model/ir.js";
import { objectFields } from "../../model/passes/paging.js";
import { NameScope, pascalCase, safeType } from "../../model/names.js";
import { Code, EMPTY, identifier } from "../../render/code.js";
import { docComment } from "../../render/comment.js";
import type { Engine, View } from "../../render/engine.js";
import { generic, named, type TypeTree } from "../../render/types.js";
import { banner, type ClientContext } from "../client/context.js";
import { codeSpan } from "../client/docs.js";
import { memberView } from "../client/members.js";
import {
  commonBase,
  parameterProperties,
  parametersView,
  type ParametersInput,
} from "../client/parameters.js";
import { bodyType, typeOf, type TypeNames } from "../client/types.js";
import { ServerFile } from "./context.js";
import { isPresent } from "./parameters.js";

/** server.ts: the interface that a service fills in, and what makes the server of it. */
export function serverFile(context: ClientContext, engine: Engine): string {
  const { title } = context.names;
  const scope = new NameScope([
    `create${title}Server`,
    `${title}Service`,
    "CommonParameters",
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
  const create = createHead(
    title,
    file.type("ServerOptions"),
    file.type("Server"),
  );
  return engine.render("server/server", {
    banner: banner(context),
    imports: file.shared.imports.render(),
    declarations,
    create,
    createServer,
    api: identifier(api),
  });
}

function createHead(title: string, options: string, server: string): Code {
  return new Code(
    `export function create${title}Server<Auth = unknown>(\n` +
      `  service: ${title}Service<Auth>,\n` +
      `  options: ${options}<Auth> = {},\n` +
      `): ${server} {`,
  );
}

/** Prints the resources as interfaces of handlers, with what the handlers are given. */
class ServicePrinter {
  readonly #definitions;
  readonly #interfaces = new Map<Resource, string>();

  constructor(
    private readonly context: ClientContext,
    readonly file: ServerFile,
  ) {
    this.#definitions = new Map(
      context.api.definitions.map((definition) => [definition.id, definition]),
    );
    this.#name(context.api.root);
  }

  #name(resource: Resource): void {
    const { title } = this.context.names;
    const name =
      resource.path.length === 0
        ? `${title}Service`
        : this.file.scope.allot(
            safeType(`${pascalCase(resource.path.join("."))}Service`),
          );
    this.#interfaces.set(resource, name);
    resource.children.forEach((child) => this.#name(child));
  }

  declarations(): View[] {
    return [
      ...this.#common(),
      ...[...this.#interfaces.keys()].flatMap((resource) =>
        this.#resource(resource),
      ),
    ];
  }

  #common(): View[] {
    const views = parametersView(
      ...this.#input(
        "CommonParameters",
        "Parameters that all methods take.",
        "Common",
        this.context.api.parameters,
      ),
      undefined,
    );
    return [...views.enums, asInterface(views.view)];
  }

  #input(
    name: string,
    doc: string,
    prefix: string,
    parameters: readonly Parameter[],
  ): [ParametersInput, ReturnType<typeof parameterProperties>] {
    const { trustProse } = this.context.options;
    const input: ParametersInput = {
      name,
      doc: docComment({ description: doc }, 0),
      parameters: parameters.map((parameter) =>
        isPresent(parameter, trustProse) ? present(parameter) : parameter,
      ),
      renamed: new Map(),
      scope: this.file.scope,
      prefix,
      names: this.file.types(),
      trustProse,
    };
    return [input, parameterProperties(input)];
  }

  /** What the handlers of a resource are given, and the interface that has them. */
  #resource(resource: Resource): View[] {
    const names = resource.methods.map((method) =>
      pascalCase([...resource.path, method.name].join(".")),
    );
    const parameters = resource.methods.map((method, index) =>
      this.#parameters(method, names[index]!),
    );
    const methods = resource.methods.map((method, index) =>
      this.#method(method, parameters[index]!.name, resource),
    );
    const children = resource.children
      .filter(({ name }) => !hasMethod(resource, name))
      .map((child) => this.#child(child));
    const isEmpty = methods.length + children.length === 0;
    return [
      ...parameters.flatMap(({ views }) => views),
      asInterface({
        doc: serviceDoc(resource),
        name: interfaceHead(this.#interfaces.get(resource)!, isEmpty),
        heritage: EMPTY,
        isEmpty,
        fields: [...methods, ...children],
      }),
    ];
  }

  #parameters(method: Method, prefix: string): { name: string; views: View[] } {
    const { api } = this.context;
    const name = this.file.scope.allot(safeType(`${prefix}Parameters`));
    const own = new Set(method.parameters.map((parameter) => parameter.name));
    const shadowed = api.parameters
      .map((parameter) => parameter.name)
      .filter((common) => own.has(common));
    const [input, properties] = this.#input(
      name,
      `Parameters of ${codeSpan(method.id)}.`,
      prefix,
      [...method.parameters, ...(method.headers ?? [])],
    );
    const base = commonBase("CommonParameters", "Omit", shadowed);
    const { view, enums } = parametersView(input, properties, base);
    return { name, views: [...enums, asInterface(view)] };
  }

  #method(method: Method, parameters: string, resource: Resource): View {
    const handler = this.#handler(method, parameters);
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

  #handler(method: Method, parameters: string): TypeTree {
    const types = this.file.types();
    const result = this.#result(method, types);
    const kind = method.download === undefined ? "Handler" : "DownloadHandler";
    return generic(
      this.file.type(kind),
      named(parameters),
      this.#body(method),
      result,
      named("Auth"),
    );
  }

  /** The value, or the events of a stream; for a redirection, where to. */
  #result(method: Method, types: TypeNames): TypeTree {
    const { response, stream, status = 200 } = method;
    if (status >= 300 && status < 400) return named("string");
    const value =
      response === undefined
        ? named("void")
        : typeOf(response, "output", types);
    if (stream?.format !== "events") return value;
    const event = typeOf(stream.element, "output", types);
    return { kind: "union", of: [value, generic("AsyncIterable", event)] };
  }

  #body(method: Method): TypeTree {
    if (method.request === undefined) return named("undefined");
    const required = objectFields(method.request, this.#definitions)
      .filter(({ facts }) => facts.requiredBy?.includes(method.id) === true)
      .filter(({ facts }) => facts.readOnly?.from !== "document")
      .map(({ name }) => name);
    const type = bodyType(
      method.request,
      method.httpMethod === "PATCH",
      required,
      this.file.types(),
      (helper) => this.file.shared.runtimeType(helper),
    );
    return required.length > 0 && method.upload === undefined
      ? type
      : { kind: "union", of: [type, named("undefined")] };
  }

  /** A sub-resource that shares its name with a method: a function with its handlers, or these alone. */
  #both(handler: TypeTree, child: Resource): TypeTree {
    const service = this.#service(child);
    return {
      kind: "union",
      of: [{ kind: "intersection", of: [handler, service] }, service],
    };
  }

  #child(child: Resource): View {
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

/** The name with its parameter, which Prettier breaks where the line is too long. */
function interfaceHead(name: string, isEmpty: boolean): Code {
  const head = `${name}<Auth = unknown>`;
  const line = `export interface ${head} {${isEmpty ? "}" : ""}`;
  return new Code(line.length <= 80 ? head : `${name}<\n  Auth = unknown,\n>`);
}

function hasMethod({ methods }: Resource, name: string): boolean {
  return methods.some((method) => method.name === name);
}

function asInterface(view: View): View {
  return { ...view, isInterface: true };
}

function present(parameter: Parameter): Parameter {
  return {
    ...parameter,
    facts: { ...parameter.facts, required: { from: "rule" } },
  };
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
  return lines;
}
