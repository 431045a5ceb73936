import type { Method, Parameter, Resource } from "../../model/ir.js";
import { pascalCase, safeType } from "../../model/names.js";
import { Code, EMPTY } from "../../render/code.js";
import { docComment } from "../../render/comment.js";
import type { View } from "../../render/engine.js";
import { generic, named, type TypeTree } from "../../render/types.js";
import type { ClientContext } from "../client/context.js";
import { codeSpan } from "../client/docs.js";
import { memberView } from "../client/members.js";
import {
  commonBase,
  parameterProperties,
  parametersView,
  type ParametersInput,
} from "../client/parameters.js";
import type { ServerFile } from "./context.js";
import { HandlerTypes } from "./handler.js";
import { AnswerHeaders, COMMON_HEADERS } from "./headers.js";
import { isPresent } from "./parameters.js";

/** Prints the resources as interfaces of handlers, with what the handlers are given. */
export class ServicePrinter {
  readonly #handlers: HandlerTypes;
  readonly #headers: AnswerHeaders;
  readonly #interfaces = new Map<Resource, string>();

  constructor(
    private readonly context: ClientContext,
    readonly file: ServerFile,
  ) {
    this.#handlers = new HandlerTypes(file, context.api.definitions);
    this.#headers = new AnswerHeaders(context.api);
    this.#name(context.api.root);
  }

  /** Gives each resource the name of its interface. */
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

  /** All that server.ts declares before the function that makes the server. */
  declarations(): View[] {
    return [
      ...this.#common(),
      ...this.#commonHeaders(),
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
        this.#given(this.context.api.parameters),
      ),
      undefined,
    );
    return [...views.enums, asInterface(views.view)];
  }

  #commonHeaders(): View[] {
    const { common } = this.#headers;
    if (common.length === 0) return [];
    const doc = "Headers that all answers may have.";
    const views = parametersView(
      ...this.#input(COMMON_HEADERS, doc, "Common", common),
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
      parameters,
      renamed: new Map(),
      scope: this.file.scope,
      prefix,
      names: this.file.types(),
      trustProse,
    };
    return [input, parameterProperties(input)];
  }

  /** Parameters as handlers see them: with a default they are always there. */
  #given(parameters: readonly Parameter[]): Parameter[] {
    const { trustProse } = this.context.options;
    return parameters.map((parameter) =>
      isPresent(parameter, trustProse) ? present(parameter) : parameter,
    );
  }

  /** What the handlers of a resource are given, and the interface that has them. */
  #resource(resource: Resource): View[] {
    const names = resource.methods.map((method) =>
      pascalCase([...resource.path, method.name].join(".")),
    );
    const parameters = resource.methods.map((method, index) =>
      this.#parameters(method, names[index]!),
    );
    const headers = resource.methods.map((method, index) =>
      this.#answerHeaders(method, names[index]!),
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
      this.#given([...method.parameters, ...(method.headers ?? [])]),
    );
    const base = commonBase("CommonParameters", "Omit", shadowed);
    const { view, enums } = parametersView(input, properties, base);
    return { name, views: [...enums, asInterface(view)] };
  }

  /** The interface of the headers that a handler sets. */
  #answerHeaders(
    method: Method,
    prefix: string,
  ): { name: string | undefined; views: View[] } {
    const own = this.#headers.of(method);
    const hasCommon = this.#headers.common.length > 0;
    if (own.length === 0)
      return { name: hasCommon ? COMMON_HEADERS : undefined, views: [] };
    const name = this.file.scope.allot(safeType(`${prefix}Headers`));
    const doc = `Headers of the answers of ${codeSpan(method.id)}.`;
    const base = hasCommon ? named(COMMON_HEADERS) : undefined;
    const { view, enums } = parametersView(
      ...this.#input(name, doc, `${prefix}Headers`, own),
      base,
    );
    return { name, views: [...enums, asInterface(view)] };
  }

  #method(method: Method, handler: TypeTree, resource: Resource): View {
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
  if (method.links !== undefined)
    lines.push("", "With `page(items, …)` it links other pages.");
  return lines;
}
